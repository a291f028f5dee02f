"""The rules of all games: a list of the games, and compiled speed against interpreted speed and python-chess."""

from __future__ import annotations

import platform
import re
import sys
from pathlib import Path

from pages import table
from plyground.cli.bench import HEADER, measure, row
from plyground.measure.perft import native, time_job
from plyground.rules.load import builtin_games, load

CHESS_DEPTH = 4


def rules() -> str:
    """Return each game's speed and start-up time as a table, chess against python-chess, and the machine."""
    found = [HEADER]
    for name in builtin_games():
        found.append(row(measure(load(name))))
        print(*found[-1], file=sys.stderr)
    return f"{table(found, right=True)}\n\n{chess_against_python_chess()} {machine()}"


def chess_against_python_chess() -> str:
    """Return how fast chess perft is with our compiled rules and with python-chess: the same work in the same run."""
    import chess

    def walk(board: chess.Board, depth: int) -> int:
        if depth == 1:
            return board.legal_moves.count()
        n = 0
        for move in board.legal_moves:
            board.push(move)
            n += walk(board, depth - 1)
            board.pop()
        return n

    game = load("chess")
    s, count = game.start(), native(game)
    leaves = count(s, CHESS_DEPTH)
    assert walk(chess.Board(), CHESS_DEPTH) == leaves
    theirs = time_job(lambda: walk(chess.Board(), CHESS_DEPTH), 1.0)
    ours = time_job(lambda: count(s, CHESS_DEPTH), 1.0)
    return (
        f"Chess, perft {CHESS_DEPTH} ({leaves:,} leaves): {leaves / ours / 1e6:.1f} million/s, python-chess "
        f"{leaves / theirs / 1e6:.2f} million/s: {theirs / ours:.0f} times."
    )


def machine() -> str:
    """Return the machine that the benchmarks ran on."""
    info = Path("/proc/cpuinfo")
    model = re.search(r"model name\s*:\s*(.+)", info.read_text()) if info.exists() else None
    return f"One thread of {model[1] if model else platform.machine()}, Python {platform.python_version()}."


def games() -> str:
    """Return the table of games with their parameters."""
    rows = [["game", "what it is", "parameters"]]
    for name in builtin_games():
        game = load(name)
        given = ", ".join(f"{k}={v}" for k, v in game.parameters.items())
        rows.append([f"`{name}`", game.summary, f"`{given}`" if given else ""])
    return table(rows)
