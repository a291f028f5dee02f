"""Games of draughts and checkers as PDN: positions and moves are those of our rules, with the numbers of the squares."""

from __future__ import annotations

from plyground.records.pgn import result, roster, tagged
from plyground.records.rows import GameRow

FIRST = {"draughts": "W", "checkers": "B"}
"""The side that moves first."""
TYPE = {"draughts": "20", "checkers": "21"}
"""The numbers of the games in PDN."""


def pdn(row: GameRow, start: str | None) -> str:
    """Return a game of draughts or checkers; `start` is its first position, None for the usual one."""
    first = FIRST[row.name]
    (white, black), score = row.by_side(2), row.first_score()
    if first == "B":
        white, black, score = black, white, None if score is None else 1 - score
    tags = [*roster(row, white, black, result(score)), ("GameType", TYPE[row.name])]
    if start is not None:
        tags += [("SetUp", "1"), ("FEN", start.partition(":H")[0])]
    return tagged(tags, row.moves, 1, start is not None and start[0] != first)
