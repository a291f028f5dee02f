"""The fingerprint of the search: nodes per game at a fixed depth with one thread and the rules' evaluation, in signature.txt.

A change to the search leaves these numbers alone, or its commit message says why they changed. The tests compare them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from plyground.engine.engine import Engine
from plyground.play.limit import Limit
from plyground.rules.game import Game
from plyground.rules.load import shipped

FILE = Path(__file__).parent / "signature.txt"
DEPTHS = {
    "2048": 3, "backgammon": 2, "checkers": 11, "chess": 8, "connect4": 14, "draughts": 10, "gomoku": 6, "kalah": 11,
    "nim": 12, "othello": 9, "tictactoe": 9,
}  # fmt: skip


def first_choice(game: Game) -> Any:
    """The first state in which a player is to move."""
    s = game.start()
    while game.is_chance(s):
        s = game.play(s, game.outcomes(s)[0][0])
    return s


def line(name: str) -> str:
    """The line for one game."""
    engine = Engine(name, seed=0, evaluate="rules")
    found = engine.analyse(first_choice(engine.game), Limit(depth=DEPTHS[name]))
    return f"{name} depth {DEPTHS[name]}: {found.nodes} nodes"


def write() -> None:
    """Searches all games and writes the file."""
    FILE.write_text("".join(f"{line(name)}\n" for name in shipped()), encoding="utf-8")
