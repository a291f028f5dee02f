"""SVG as text: the few elements that boards are made of, and the pieces, our own drawings in a cell 10 wide and 10 high.

Colours come from classes, which `board.css` describes. Sides differ in tone or shape, never in colour alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from plyground.board.board import Board, Piece
from plyground.pages.plot import escape

WIDE = 0.62
"""The width of a character, as a share of the font size."""


def round_coordinate(x: float) -> int | float:
    """Return a number with at most two decimals, whole if it can be: it is written alike in Python and JavaScript.

    >>> round_coordinate(2.0), round_coordinate(1 / 3), round_coordinate(-0.001)
    (2, 0.33, 0)
    """
    x = round(x, 2)
    return int(x) if x == int(x) else x


def element(name: str, kind: str, /, **attributes: float | str) -> str:
    """Return an element; `kind` is its class, or empty.

    >>> element("circle", "hole", cx=5.0, r=0.25)
    '<circle class="hole" cx="5" r="0.25"/>'
    """
    named: dict[str, float | str] = {"class": kind} if kind else {}
    given = [f'{k}="{v if isinstance(v, str) else round_coordinate(v)}"' for k, v in (named | attributes).items()]
    return f"<{' '.join([name, *given])}/>"


def rect(kind: str, x: float, y: float, width: float, height: float, rx: float = 0) -> str:
    """Return a rectangle, with round corners if `rx` is given."""
    round_corners = {"rx": rx} if rx else {}
    return element("rect", kind, x=x, y=y, width=width, height=height, **round_corners)


def circle(kind: str, x: float, y: float, r: float) -> str:
    """Return a circle around a point."""
    return element("circle", kind, cx=x, cy=y, r=r)


def path(kind: str, d: str) -> str:
    """Return a path."""
    return element("path", kind, d=d)


def dots(kind: str, places: list[tuple[float, float]], size: float) -> str:
    """Return dots of one size as one path: each dot is a line of length 0 with round ends."""
    d = "".join(f"M{round_coordinate(round(x, 1))} {round_coordinate(round(y, 1))}h0" for x, y in places)
    return f'<path class="{kind}" stroke-width="{round_coordinate(size)}" d="{d}"/>' if places else ""


def dot_rows(kind: str, rows: list[tuple[float, float, int]], size: float, apart: float) -> str:
    """Return rows of dots as one path, each row from its first dot to the right: dashes of length 0 with round ends."""
    apart = round_coordinate(apart)
    d = "".join(
        f"M{round_coordinate(x)} {round_coordinate(y)}h{round_coordinate((count - 1) * apart + 0.01)}"
        for x, y, count in rows
        if count
    )
    return f'<path class="{kind}" stroke-width="{round_coordinate(size)}" stroke-dasharray="0 {apart}" d="{d}"/>' if d else ""


def text(kind: str, x: float, y: float, size: float, words: str) -> str:
    """Return text centred on a point, without relying on how a viewer aligns baselines."""
    place = f'x="{round_coordinate(x)}" y="{round_coordinate(y + 0.36 * size)}"'
    return f'<text class="{kind}" {place} font-size="{round_coordinate(size)}">{escape(words)}</text>'


def fit_font_size(words: str, size: float, width: float) -> float:
    """Return the font size, reduced if the words would be wider than `width`.

    >>> fit_font_size("8", 5, 8), fit_font_size("32768", 5, 8) < 3
    (5, True)
    """
    return min(size, width / (WIDE * max(1, len(words))))


# -- pieces ----------------------------------------------------------------------------------------------------------------

CELL, MIDDLE = 10, 5
STONES, KINGS = tuple("●○"), tuple("◆◇")
WHITE_MEN, BLACK_MEN = tuple("♔♕♖♗♘♙"), tuple("♚♛♜♝♞♟")
WHITE, BLACK = ("○", "◇", *WHITE_MEN), ("●", "◆", *BLACK_MEN)
PIT_WIDTH, PIT_RADIUS = 12, 5.1
TINTS = 15
"""The number of tints of tiles."""
PIPS = {1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi"}
"""The pips of a die, as places a to i in three rows of three."""

# Chess pieces in a square of 100: the foot, then the parts from bottom to top. `~` is a line drawn on a part.
FOOT = "M23 90c0-6 4-10 10-10h34c6 0 10 4 10 10z"
MEN = {
    "♟": ["M40 50h20c1 12 6 21 13 30H27c7-9 12-18 13-30z", "M36 47h28l-4 7H40z", "M50 20a14 14 0 1 1 0 28a14 14 0 1 1 0-28z"],
    "♜": ["M35 42h30l4 38H31z", "M26 17h12v8h7v-8h10v8h7v-8h12v19l-8 8H34l-8-8z", "~M33 70h34"],
    "♝": [
        "M41 62h18c1 7 5 13 11 18H30c6-5 10-11 11-18z",
        "M50 19c11 8 17 17 17 27 0 9-6 15-12 16H45c-6-1-12-7-12-16 0-10 6-19 17-27z",
        "M50 9a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11z",
        "~M58 31L47 46",
        "~M40 62h20",
    ],
    "♞": [
        "M74 80c3-26 1-52-18-61L49 9l-6 10c-8 4-12 11-16 20l-9 15c-2 5 2 10 7 9l9-4c5 2 11 0 15-4 1 8-12 13-16 25z",
        "~M57 27c8 9 11 22 10 39",
        "~M40 33h1",
        "~M26 53h0",
    ],
    "♛": [
        "M34 62h32l5 18H29z",
        "M21 27l14 18 1-24 14 20 14-20 1 24 14-18-12 37H33z",
        "M21 20a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9z",
        "M36 13a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9z",
        "M64 13a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9z",
        "M79 20a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9z",
        "~M36 71h28",
    ],
    "♚": [
        "M37 62h26l7 18H30z",
        "M46.5 7h7v6h6.5v6.5H53.5V27h-7v-7.5H40v-6.5h6.5z",
        "M50 25c8 0 15 3 21 9l-8 28H37l-8-28c6-6 13-9 21-9z",
        "~M50 34v19",
        "~M39 71h22",
    ],
}
CROWN = "M2.9 6.5l-.5-3.2 1.5 1.3 1.1-2.1 1.1 2.1 1.5-1.3-.5 3.2z"
"""The crown on a king of draughts."""


def tones(board: Board, sides: Sequence[str]) -> list[str]:
    """Return the class of each side's pieces: black or white where the glyphs or the sides' names say so, else by number."""
    found = []
    for i, side in enumerate(sides):
        glyphs = board.glyphs[i] if i < len(board.glyphs) else ""
        if any(glyph in BLACK for glyph in glyphs) or side.lower() == "black":
            found.append("black")
        elif any(glyph in WHITE for glyph in glyphs) or side.lower() == "white":
            found.append("white")
        else:
            found.append(("white", "black", "third", "fourth")[i % 4])
    return found


def pieces(board: Board, sides: Sequence[str]) -> list[str]:
    """Return the drawings of what may lie on a cell, by number."""
    if board.count:
        return [_count(n) for n in range(board.most + 1)]
    if board.shape == "tiles" and len(board.pieces) == 1:
        return ["", *(tile(n, board.piece(n).glyph) for n in range(1, board.most + 1))]
    tone = tones(board, sides)
    return ["", *(_piece(board, board.piece(n), tone) for n in range(1, board.most + 1))]


def _piece(board: Board, piece: Piece, tone: Sequence[str]) -> str:
    glyph, side = piece.glyph, piece.side or 0
    if glyph in WHITE_MEN:
        return man(BLACK_MEN[WHITE_MEN.index(glyph)], "white")
    if glyph in BLACK_MEN:
        return man(glyph, "black")
    if board.shape == "drop" and glyph in (*STONES, "X", "O") and len(tone) == 2:
        return dropped_disc(side)
    if glyph in STONES + KINGS:
        crowned = any(g in KINGS for group in board.glyphs for g in group)
        return checker(_tone(glyph), glyph in KINGS) if crowned else stone(_tone(glyph))
    if glyph == "X":
        return path("cross", "M2.3 2.3l5.4 5.4m0-5.4l-5.4 5.4")
    if glyph == "O":
        return circle("nought", MIDDLE, MIDDLE, 2.9)
    return letter_disc(tone[side], glyph)


def _tone(glyph: str) -> str:
    return "black" if glyph in BLACK else "white"


def man(glyph: str, tone: str) -> str:
    """Return a chess piece."""
    parts = [f'<path class="line" d="{d[1:]}"/>' if d[0] == "~" else f'<path d="{d}"/>' for d in [FOOT, *MEN[glyph]]]
    return f'<g class="man {tone}" transform="matrix(.108 0 0 .108 -.4 -.3)">{"".join(parts)}</g>'


def stone(tone: str) -> str:
    """Return a stone of gomoku or a disc of Othello."""
    return circle(f"stone {tone}", MIDDLE, MIDDLE, 4.2) + path(f"shine {tone}", "M2.7 3.8a2.9 2.9 0 0 1 2.6-1.7")


def checker(tone: str, king: bool = False) -> str:
    """Return a man of draughts, or a king."""
    disc = circle(f"stone {tone}", MIDDLE, MIDDLE, 3.7) + circle(f"ring {tone}", MIDDLE, MIDDLE, 2.9)
    return disc + (path(f"crown {tone}", CROWN) if king else circle(f"ring {tone}", MIDDLE, MIDDLE, 1.6))


def dropped_disc(side: int) -> str:
    """Return a dropped disc, seen through a hole of the board: the first side's has a cross, the second side's a ring."""
    disc = circle(f"disc {('first', 'second')[side]}", MIDDLE, MIDDLE, 3.95)
    mark = circle("emblem second", MIDDLE, MIDDLE, 2.1) if side else path("emblem first", "M3.7 3.7l2.6 2.6m0-2.6l-2.6 2.6")
    return disc + mark


def letter_disc(tone: str, glyph: str) -> str:
    """Return a disc with a letter or a short word."""
    return circle(f"stone {tone}", MIDDLE, MIDDLE, 4.1) + text(f"on {tone}", MIDDLE, MIDDLE, fit_font_size(glyph, 5, 7), glyph)


def tile(n: int, glyph: str) -> str:
    """Return a tile with a number or a word; the tint depends on the number."""
    tint, size = f"t{min(n, TINTS)}", fit_font_size(glyph, 4.6, 7.6)
    return rect(f"tile {tint}", 0.4, 0.4, 9.2, 9.2, 1.1) + text(f"number {tint}", MIDDLE, MIDDLE, size, glyph)


def _count(n: int) -> str:
    return text("count", MIDDLE, MIDDLE, fit_font_size(str(n), 5, 8), str(n)) if n else ""


def die(n: int, tone: str, size: float) -> str:
    """Return a die; a number above six is written as digits."""
    half, step = size / 2, size * 0.26
    if n not in PIPS:
        return rect(f"die {tone}", 0, 0, size, size, 0.2 * size) + text(f"on {tone}", half, half, 0.6 * size, str(n))
    places = [divmod("abcdefghi".index(place), 3) for place in PIPS[n]]
    spots = [(half + (col - 1) * step, half + (row - 1) * step) for row, col in places]
    return rect(f"die {tone}", 0, 0, size, size, 0.2 * size) + dots(f"pips {tone}", spots, 0.19 * size)


def tally(n: int, x: float, y: float, size: float, width: float) -> str:
    """Return a count as text."""
    return text("count" if n else "count none", x, y, fit_font_size(str(n), size, width), str(n))


def seed_pit(n: int, y: float, below: float) -> str:
    """Draw seeds in a spiral like a sunflower's, closer together if there are many; at most 30 are drawn."""
    shown = min(n, 30)
    apart = min(1.45, 3.8 / math.sqrt(shown)) if shown else 0
    found = [(apart * math.sqrt(i + 0.5), 2.4 * i) for i in range(shown)]
    places = [(r * math.cos(turn), r * math.sin(turn)) for r, turn in found]
    x0, y0 = (sum(place[axis] for place in places) / max(1, shown) for axis in (0, 1))
    places = [(PIT_WIDTH / 2 + x - x0, y + dy - y0) for x, dy in places]
    seeds = dots("seeds", places[::2], 1.3 * apart) + dots("seeds other", places[1::2], 1.3 * apart)
    return circle("pit", PIT_WIDTH / 2, y, PIT_RADIUS) + seeds + tally(n, PIT_WIDTH / 2, below, 4.2, 11)


def seed_store(n: int) -> str:
    """Draw seeds in staggered rows from the bottom, smaller if there are many."""
    each, left, rows = 3, n, []
    while each < 7 and n > _store_room(each):
        each += 1
    apart = 7.2 / each
    for row in range(_store_rows(each)):
        wide = each - row % 2
        rows.append((PIT_WIDTH / 2 - (wide - 1) / 2 * apart, 23 - 0.84 * apart * row, max(0, min(wide, left))))
        left -= wide
    seeds = dot_rows("seeds", rows[::2], 0.8 * apart, apart) + dot_rows("seeds other", rows[1::2], 0.8 * apart, apart)
    return rect("pit", 1, 1, 10, 25, 5) + seeds + tally(n, PIT_WIDTH / 2, 29.2, 4.2, 11)


def _store_rows(each: int) -> int:
    """Return the number of rows that fit a store with `each` seeds in every other row."""
    return 1 + int(18 * each / (0.84 * 7.2))


def _store_room(each: int) -> int:
    """Return the number of seeds that fit, with one less in the rows between."""
    high = _store_rows(each)
    return each * high - high // 2
