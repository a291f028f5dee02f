"""A picture for a notebook or a file: SVG with its style, for light and dark, and a description for screen readers."""

from __future__ import annotations

from collections.abc import Sequence

from plyground.board.board import BARS, DICE, Board
from plyground.board.picture import STYLE, Fresh, never, picture
from plyground.pages.plot import escape, inline_themes

LONGEST = 440
"""The longer side of the picture, in pixels, unless a page gives it another size."""
PAPER = ".board .paper { fill: light-dark(#ffffff, #16181d); }\n"
"""The background, on which the names beside the board are readable on any page."""


class Drawing:
    """A board as SVG, which a notebook displays; `svg` is the text."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def __repr__(self) -> str:
        return f"<Drawing, {len(self.svg):,} characters of SVG>"

    def _repr_svg_(self) -> str:
        return self.svg


def draw(
    board: Board,
    sides: Sequence[str],
    cells: Sequence[int],
    *,
    title: str = "",
    turn: int = 0,
    flipped: bool = False,
    fresh: Fresh = never,
) -> Drawing:
    """Return the board with what lies on its cells; cells for which `fresh` is true are marked."""
    box, drawn = picture(board, sides).parts(cells, turn, flipped, True, fresh)
    x, y, width, height = box
    scale = LONGEST / max(width, height)
    size = f'width="{round(scale * width)}" height="{round(scale * height)}"'
    said = f"<title>{escape(title)}</title><desc>{escape(words(board, sides, cells, turn))}</desc>"
    paper = f'<rect class="paper" x="{x}" y="{y}" width="{width}" height="{height}" rx="2"/>'
    start = f'<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="{" ".join(map(str, box))}" {size} role="img">'
    return Drawing(f"{start}{said}<style>{style(paper + drawn)}</style>{paper}{drawn}</svg>")


def style(drawn: str) -> str:
    """Return the rules of `board.css` that a drawing needs."""
    return inline_themes(STYLE.read_text(encoding="utf-8") + PAPER, f'<svg class="board">{drawn}')


def words(board: Board, sides: Sequence[str], cells: Sequence[int], turn: int = 0) -> str:
    """Describe what lies on the board, for screen readers.

    >>> words(Board("squares", 3, 3, pieces="XO"), ("X", "O"), [1, 0, 0, 0, 2, 0, 0, 0, 1])
    'X: a3, c1; O: b2'
    >>> words(Board("pits", cols=2, count=8), ("south", "north"), [2, 3, 1, 0, 0, 2])
    'south: 1 has 2, 2 has 3, store has 1; north: 1 has 0, 2 has 0, store has 2'
    """
    names = board.cell_names(turn)
    if board.count and board.shape != "backgammon":
        counts = [f"{name} has {n}" for name, n in zip(names, cells, strict=True)]
        half = len(counts) // 2
        halves = [counts[:half], counts[half:]] if board.shape == "pits" else []
        return "; ".join(f"{side}: {', '.join(own)}" for side, own in zip(sides, halves, strict=False)) or ", ".join(counts)
    dice = [str(board.piece(n).number) for n in cells[DICE:] if n] if board.shape == "backgammon" else []
    found = [f"{side}: {', '.join(_pieces(board, names, cells, i)) or 'nothing'}" for i, side in enumerate(sides)]
    return "; ".join([*found, *([f"dice: {', '.join(dice)}"] if dice else [])])


def _pieces(board: Board, names: Sequence[str], cells: Sequence[int], side: int) -> list[str]:
    """Return the cells of a side's pieces, with their kinds if there are several, and their counts if they are stacked."""
    found = []
    kinds = len(board.pieces[side]) if side < len(board.pieces) else 0
    for i, n in enumerate(cells[:DICE] if board.shape == "backgammon" else cells):
        piece = board.piece(n)
        if n and piece.side == side:
            what = f"{piece.number} on " if board.count else f"{piece.letter} " if kinds > 1 else ""
            found.append(what + names[i] if i < BARS or not board.count else f"{piece.number} {names[i]}")
    return found
