"""A game in progress: moves made, clocks, limits, and what a search reports."""
