"""The engine's search."""
