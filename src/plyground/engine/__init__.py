"""The engine: deepening, clock, threads, levels, players."""
