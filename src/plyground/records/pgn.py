"""Chess games as PGN. PDN for draughts and checkers has the same shape: tags, numbered moves, the result."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from plyground.players.player import CRASHED, HUNG, ILLEGAL, LATE, UNPARSABLE
from plyground.records.rows import GameRow

WIDTH = 79
TERMINATION = {
    "time": "time forfeit",
    LATE: "time forfeit",
    "adjudicated": "adjudication",
    "length": "adjudication",
    ILLEGAL: "rules infraction",
    UNPARSABLE: "rules infraction",
    CRASHED: "abandoned",
    HUNG: "abandoned",
}
"""The words of PGN for reasons that have one; the others are normal."""


def pgn(row: GameRow, start: str | None) -> str:
    """Return a chess game; `start` is its first position as FEN, None for the usual one."""
    white, black = row.by_side(2)
    fen = (start or "- w - - 0 1").split()
    end = "unterminated" if row.reason is None else TERMINATION.get(row.reason, "normal")
    tags = [*roster(row, white, black, result(row.first_score())), ("PlyCount", str(len(row.moves))), ("Termination", end)]
    if start is not None:
        tags += [("SetUp", "1"), ("FEN", start)]
    return tagged(tags, row.moves, int(fen[5]), fen[1] == "b")


def roster(row: GameRow, white: str, black: str, result: str) -> list[tuple[str, str]]:
    """Return the seven tags that every game has."""
    alone = row.kind == "play"
    return [
        ("Event", "Plyground play" if alone else f"Plyground {row.kind}, match {row.match}"),
        ("Site", "?"),
        ("Date", row.written[:10].replace("-", ".")),
        ("Round", "-" if alone else f"{row.pair}.{row.side}"),
        ("White", white),
        ("Black", black),
        ("Result", result),
    ]


def result(white: float | None) -> str:
    """Return the result by White's score.

    >>> result(0.5)
    '1/2-1/2'
    """
    return "*" if white is None else {1.0: "1-0", 0.0: "0-1"}.get(white, "1/2-1/2")


def tagged(tags: Iterable[tuple[str, str]], moves: list[str], number: int, second: bool) -> str:
    """Return a game as text; `number` counts its first move, which the second side makes if `second`."""
    escaped = {name: value.replace("\\", "\\\\").replace('"', '\\"') for name, value in tags}
    words = []
    for ply, move in enumerate(moves, int(second)):
        if ply % 2 == 0:
            words.append(f"{number + ply // 2}.")
        elif not words:
            words.append(f"{number}...")
        words.append(move)
    lines = textwrap.wrap(" ".join([*words, escaped["Result"]]), WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*(f'[{name} "{value}"]' for name, value in escaped.items()), "", *lines, ""])
