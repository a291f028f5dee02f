"""A module of somebody's own that rules import."""

from . import deep

TOP = 40


def take(m):
    return m * deep.LOW + TOP
