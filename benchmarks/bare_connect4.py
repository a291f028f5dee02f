"""Connect 4 with nothing but its rules: no evaluation, order or symmetry. For searches that must do the same work as a peer."""

from plyground.games.connect4 import ALTERNATE, SIDES, State, key, moves, play, result, start, turn

__all__ = ["ALTERNATE", "SIDES", "State", "key", "moves", "play", "result", "start", "turn"]
