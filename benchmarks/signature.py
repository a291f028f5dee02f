"""The signature of the search: nodes per game at a fixed depth with one thread and the rules' evaluation, in signature.txt.

A change to the search leaves these numbers alone, or its commit message says why they changed. The tests compare them.
"""

from __future__ import annotations

from pathlib import Path

from plyground.engine.engine import Engine
from plyground.play.limit import Limit
from plyground.rules.load import builtin_games
from plyground.web.facts import first_choice

FILE = Path(__file__).parent / "signature.txt"
DEPTHS = {
    "2048": 3, "backgammon": 2, "checkers": 11, "chess": 8, "connect4": 14, "draughts": 10, "gomoku": 6, "kalah": 11,
    "nim": 12, "othello": 9, "tictactoe": 9,
}  # fmt: skip


def line(name: str) -> str:
    """Return the line for one game."""
    engine = Engine(name, seed=0, evaluate="rules")
    found = engine.analyse(first_choice(engine.game), Limit(depth=DEPTHS[name]))
    return f"{name} depth {DEPTHS[name]}: {found.nodes} nodes"


def write() -> None:
    """Search all games and write the file."""
    FILE.write_text("".join(f"{line(name)}\n" for name in builtin_games()), encoding="utf-8")
