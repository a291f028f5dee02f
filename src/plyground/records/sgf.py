"""Gomoku games as SGF (FF 4, game 4): X is Black, and rows are counted from the top."""

from __future__ import annotations

import plyground
from plyground.players.player import FORFEITS, LATE
from plyground.records.rows import GameRow
from plyground.rules.load import load

HOW = {"resignation": "R", "time": "T"} | dict.fromkeys(FORFEITS, "F") | {LATE: "T"}
"""How a game was won, if not on the board."""


def sgf(row: GameRow, start: str | None) -> str:
    """Return a game of gomoku; `start` is its first position, None for the empty board."""
    size = load(row.game).parameters["size"]
    black, white = row.by_side(2)
    event = "Plyground play" if row.kind == "play" else f"Plyground {row.kind}, match {row.match}"
    head = {"FF": "4", "GM": "4", "CA": "UTF-8", "AP": f"Plyground:{plyground.__version__}", "SZ": str(size)}
    head |= {"EV": event, "GN": f"Record {row.id}", "DT": row.written[:10], "PB": black, "PW": white}
    if row.reason is not None:
        head["RE"] = _result(row)
    root = "".join(f"{name}[{_escaped(value) if name != 'AP' else value}]" for name, value in head.items())
    root += "".join(_stones(start, size)) if start is not None else ""
    second = start is not None and start.count("X") > start.count("O")
    moves = [f";{'BW'[ply % 2]}[{_point(move, size)}]" for ply, move in enumerate(row.moves, int(second))]
    lines = ["".join(moves[i : i + 12]) for i in range(0, len(moves), 12)]
    return "\n".join([f"(;{root}", *lines]) + ")\n"


def _result(row: GameRow) -> str:
    score = row.first_score()
    if score is None or score == 0.5:
        return "Draw"
    return f"{'W' if score == 0 else 'B'}+{HOW.get(row.reason or '', '')}"


def _stones(start: str, size: int) -> list[str]:
    """Return the stones that are on the board already, and whose turn it is."""
    cells = start.replace("/", "")
    parts = []
    for name, sign in (("AB", "X"), ("AW", "O")):
        points = [f"[{chr(97 + i % size)}{chr(97 + i // size)}]" for i, c in enumerate(cells) if c == sign]
        parts += [name, *points] if points else []
    return [*parts, f"PL[{'W' if cells.count('X') > cells.count('O') else 'B'}]"]


def _point(move: str, size: int) -> str:
    """Return a cell such as `a1` at the bottom left: column and row as letters, from the top left."""
    return f"{move[0]}{chr(97 + size - int(move[1:]))}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
