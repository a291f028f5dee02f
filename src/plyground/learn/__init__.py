"""Learned evaluations: what a net sees of a game, its weights, its file, and how it is trained."""
