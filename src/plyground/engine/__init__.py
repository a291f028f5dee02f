"""The engine: iterative deepening, clock, threads, levels, players."""
