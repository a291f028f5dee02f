"""Draws the boards at the top of the README."""

from __future__ import annotations

import re
from pathlib import Path

from plyground import Match, load

PICTURE = Path(__file__).parents[1] / "docs" / "images" / "boards.svg"
ROWS = (
    (
        ("chess", None, "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O"),
        ("connect4", None, "4 4 4 3 3 5 2 4 5 5 6 2 3"),
        ("othello", None, "f5 d6 c3 d3 c4 f4 e6 g6 f3 c5 c6 c7 f6 c2 b1 e2 b6 d7"),
    ),
    (
        ("backgammon", None, "3-1 8/5 6/5 6-4 24/14 5-2 13/8 13/11 6-1"),
        ("2048", "2 4 8 16 / 128 64 32 8 / 256 512 16 4 / 2048 1024 2 .", ""),
        ("checkers", "B:W18,22,25,29,K6,31:B1,5,12,K27,20,10", ""),
    ),
)
WIDTH, GAP = 840, 14


def draw_boards() -> str:
    """Return the boards in rows; those in a row have the same height."""
    parts, top = [], 0.0
    for row in ROWS:
        drawn = [_draw(*given) for given in row]
        shapes = [_shape(svg) for svg in drawn]
        high = (WIDTH - GAP * (len(row) - 1)) / sum(width / height for width, height in shapes)
        left = 0.0
        for svg, (width, height) in zip(drawn, shapes, strict=True):
            wide = high * width / height
            place = f'x="{left:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{high:.1f}"'
            parts.append(re.sub(r' width="\d+" height="\d+"', f" {place}", svg, count=1))
            left += wide + GAP
        top += high + GAP
    size = f'width="{WIDTH}" height="{top - GAP:.0f}"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size}><title>Boards</title>', *parts, "</svg>", ""])


def _draw(spec: str, state: str | None, moves: str) -> str:
    match = Match(load(spec), state, moves)
    before = match.states[-2] if len(match.states) > 1 else None
    return match.game.draw(match.s, before).svg


def _shape(svg: str) -> tuple[int, int]:
    found = re.search(r' width="(\d+)" height="(\d+)"', svg)
    assert found is not None
    return int(found[1]), int(found[2])


def write() -> None:
    """Write the picture."""
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(draw_boards(), encoding="utf-8")
