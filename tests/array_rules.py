"""A game whose state has an array of every type of int, and its moves, interpreted and compiled."""

import warnings

import numpy as np

from plyground import GameError
from plyground.compile.native import Native
from plyground.compile.vocabulary import read_state, step, write_state

TYPES = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
TABLES = {name: [int(x) for x in (np.iinfo(name).min, np.iinfo(name).max, 1, 100, np.iinfo(name).max // 2)] for name in TYPES}
ARRAYS = "\n".join([
    "from typing import NamedTuple", "import numpy as np", "from plyground.bits import u64",
    *(f"T_{name} = np.array({TABLES[name]}, np.{name})" for name in TYPES),
    "class State(NamedTuple):", *(f"    f_{name}: np.ndarray" for name in TYPES), "    at: np.ndarray", "    out: np.ndarray",
    f"def start(): return State({''.join(f'T_{name}.copy(), ' for name in TYPES)}np.array([-1, 0, 0]), np.zeros(1, np.uint64))",
    "def moves(s): return range({count})", "def result(s): return None", "def undo(s, m): pass",
])  # fmt: skip
"""`at` has two indices and a number, all set by the test; `out` has the result."""


def after(address, m, out):
    """Entry: the state after a move."""
    s = read_state(address)
    write_state(out, step(s, m))
    return 0


def interpreted_play(game):
    """The interpreted move as a function that gives a row, or None if the rules raise."""

    def play(s, m):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)  # NumPy's, if it wraps around
                return game.layout.row(game.child(s, m))
        except (ZeroDivisionError, ValueError, OverflowError):
            return None

    return play


def native_play(game):
    """The same, compiled."""
    call = Native(game).bind(after, "int64(uint64, int64, uint64)")

    def play(s, m):
        row = game.layout.row(s)
        out = row.copy()
        try:
            call(row.ctypes.data, m, out.ctypes.data)
        except GameError:
            return None
        return out

    return play
