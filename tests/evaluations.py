"""An evaluation for nim in a file of its own: one text, so that it is compiled once for all tests."""

OWN = """
import plyground.games.nim as rules
from plyground.games.nim import HEAPS

WEIGHT = 3

def stones(s):
    return sum(s.heaps) * WEIGHT

def evaluate(s):
    squares = 0
    for h in s.heaps:
        squares += h * h
    return stones(s) % 7 - squares + 10 * HEAPS + rules.SIZE
"""
"""It uses the game's own names, with its parameters: nim has 3 heaps of at most 5 stones."""
