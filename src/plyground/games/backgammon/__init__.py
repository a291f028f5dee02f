"""Backgammon: `rules.py` and what belongs to it."""
