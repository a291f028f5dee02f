"""The one runner: measures everything in one run and writes the tables into the README, between their markers."""

from __future__ import annotations

import argparse
import platform
import re
import sys
from pathlib import Path

from plyground.bench import seconds_of
from plyground.cli.bench import HEADER, measure, row
from plyground.game import load, shipped
from plyground.perft import native

ROOT = Path(__file__).parent.parent
CHESS_DEPTH = 4


def table(header: list[str], rows: list[list[str]]) -> str:
    """A Markdown table, numbers to the right."""
    bar = ["---" if i == 0 else "--:" for i in range(len(header))]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [header, bar, *rows])


def rules() -> str:
    """Each game's rules: compiled against interpreted, and how long a start takes."""
    found = []
    for name in shipped():
        found.append(row(measure(load(name))))
        print(*found[-1], file=sys.stderr)
    return table(HEADER, found)


def chess_against_python_chess() -> str:
    """Chess perft by our compiled rules and by python-chess, the same work in the same run."""
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
    theirs = seconds_of(lambda: walk(chess.Board(), CHESS_DEPTH), 1.0)
    ours = seconds_of(lambda: count(s, CHESS_DEPTH), 1.0)
    return (
        f"Chess, perft {CHESS_DEPTH} ({leaves:,} leaves): {leaves / ours / 1e6:.1f} million/s, python-chess "
        f"{leaves / theirs / 1e6:.2f} million/s: {theirs / ours:.0f} times."
    )


def machine() -> str:
    """What it was measured on."""
    info = Path("/proc/cpuinfo")
    model = re.search(r"model name\s*:\s*(.+)", info.read_text()) if info.exists() else None
    return f"One thread of {model[1] if model else platform.machine()}, Python {platform.python_version()}."


def games() -> str:
    """The games with their parameters."""
    rows = []
    for name in shipped():
        game = load(name)
        given = ", ".join(f"{k}={v}" for k, v in game.parameters.items())
        rows.append([f"`{name}`", game.summary, f"`{given}`" if given else ""])
    return table(["game", "what it is", "parameters"], rows).replace("--:", "---")


SECTIONS = {
    "games": ("<!-- games -->", "<!-- /games -->", games),
    "rules": (
        "<!-- bench:rules -->",
        "<!-- /bench -->",
        lambda: f"{rules()}\n\n{chess_against_python_chess()} {machine()}",
    ),
}
"""Each table by name: its markers in the README, and what makes it."""


def write(file: Path, first: str, last: str, text: str) -> None:
    """Puts the text between two markers of a file."""
    old = file.read_text(encoding="utf-8")
    start, end = old.index(first) + len(first), old.index(last, old.index(first))
    file.write_text(f"{old[:start]}\n{text}\n{old[end:]}", encoding="utf-8")


def main() -> None:
    """Measures what is asked for, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sections", nargs="*", choices=[[], *SECTIONS], help="which tables (default: all)")
    for name in parser.parse_args().sections or SECTIONS:
        first, last, make = SECTIONS[name]
        write(ROOT / "README.md", first, last, make())


if __name__ == "__main__":
    main()
