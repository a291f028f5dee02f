"""Othello games as GGF, the format of the Generic Game Server: one game per line."""

from __future__ import annotations

from plyground.players.player import FORFEITS, LATE
from plyground.records.rows import GameRow
from plyground.rules.load import load

HOW = {"resignation": ":r", "time": ":t"} | dict.fromkeys(FORFEITS, ":r") | {LATE: ":t"}
"""How a game ended, if not on the board; the format knows no other faults than time."""


def ggf(row: GameRow, start: str | None) -> str:
    """Return a game of Othello; `start` is its first position, None for the usual one."""
    if start is None:
        game = load("othello")
        start = game.format_state(game.start())
    cells, mover = start.split()
    board = " ".join(cells[i : i + 8].replace("X", "*") for i in range(0, 64, 8))
    black, white = row.by_side(2)
    date = f"{row.written[:10].replace('-', '.')}_{row.written[11:19]}.UTC"
    head = {"GM": "Othello", "PC": "Plyground", "DT": date, "PB": black, "PW": white, "TY": "8", "RE": _result(row)}
    head["BO"] = f"8 {board} {'*' if mover == 'X' else 'O'}"
    parts = [f"{name}[{value.replace(']', ')')}]" for name, value in head.items()]  # it has no sign for a bracket in a text
    for ply, move in enumerate(row.moves, int(mover == "O")):
        seconds = row.times[ply - int(mover == "O")] if row.times else None
        taken = f"//{seconds:.2f}" if seconds else ""
        parts.append(f"{'BW'[ply % 2]}[{'PA' if move == 'pass' else move.upper()}{taken}]")
    return f"(;{''.join(parts)};)\n"


def _result(row: GameRow) -> str:
    """Black's margin and how the game ended."""
    if row.reason is None or row.points is None:
        return "?"
    black = row.points if row.side == 0 else -row.points
    if row.reason in HOW:
        black *= 64
    return f"{black:+.3f}{HOW.get(row.reason, '')}"
