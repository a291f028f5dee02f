"""The solver: null-window searches with a table that is never wrong."""
