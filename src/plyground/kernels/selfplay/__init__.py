"""Self-play and what a net learns from it."""
