"""Counting and timing rules: perft, and the speed of a game on this machine."""
