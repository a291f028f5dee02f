"""Learned evaluations: what a net sees of a game, its weights, its file, and the leaf of the search that uses it."""
