"""Connect 4 with nothing but its rules: no evaluation, no order, no symmetry. For searches that shall do only what others do."""

from plyground.games.connect4 import ALTERNATE, SIDES, State, key, moves, play, result, start, turn

__all__ = ["ALTERNATE", "SIDES", "State", "key", "moves", "play", "result", "start", "turn"]
