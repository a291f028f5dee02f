"""Kernels: compiled for a game, they work on numbers and addresses only, without the GIL."""
