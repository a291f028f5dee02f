"""Perft, tables of whole games, and what pages and `check` ask the rules."""
