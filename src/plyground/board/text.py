"""A board in characters: rows of tokens, each with the number of the cell that it shows, for text and for the terminal.

A free board has its lines, and after each cell's letter its name: `Xc5--.d5--Oe5` is X on c5, nothing on d5 and O on e5.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from plyground.board.board import BARS, OFF, POINTS, Board

Token = tuple[str, int | None]
"""A few characters and the cell that they show; None for a name or a blank."""
Rows = list[list[Token]]
HIGH = 5
"""The largest number of checkers drawn on a backgammon point."""
BETWEEN = 2
"""Characters of a line between two neighbouring cells of a free board, and text lines between rows of cells."""
SCREEN = 24
"""The height, in lines of text, up to which a free board grows to separate its rows."""
MAX_SIZE = 200
"""The largest width or height of a free board as text; cells that are too close for it are moved apart."""
LINES = "-|/\\+"
"""The characters of a free board's lines."""
SPACE: Token = (" ", None)


def text(drawn: Rows) -> str:
    """Return the rows as lines of text."""
    return "\n".join("".join(token for token, _ in row).rstrip() for row in drawn)


def rows(board: Board, cells: Sequence[int], sides: Sequence[str], turn: int, flip: bool = False) -> Rows:
    """Return the board with the names of its cells; `flip` shows it as the other side sees it.

    Flipping leaves dropped stones at the bottom and tiles in place.
    """
    drawn = _free(board, cells) if board.shape == "free" else [_spaced(row) for row in _rows(board, cells, sides, turn)]
    if not flip or board.shape == "tiles":
        return drawn
    around = [row[::-1] for row in drawn]
    return around if board.shape == "drop" else around[::-1]


def _rows(board: Board, cells: Sequence[int], sides: Sequence[str], turn: int) -> Rows:
    if board.shape == "heaps":
        return [[(board.cell_names()[i], None), ("", None), ("|" * n, i)] for i, n in enumerate(cells)]
    if board.shape == "pits":
        return _pits(board, cells, sides, turn)
    return _backgammon(board, cells, turn) if board.shape == "backgammon" else _grid(board, cells)


def _spaced(row: list[Token]) -> list[Token]:
    """Put a space between tokens."""
    return [token for pair in ((token, SPACE) for token in row) for token in pair][:-1]


def beside_board(board: Board, cells: Sequence[int]) -> list[str]:
    """Return what lies beside the board: checkers on the bar or off."""
    if board.shape != "backgammon":
        return []
    letters = [group[0] for group in board.pieces]

    def both(first: int) -> str:
        return ", ".join(f"{letter} {board.piece(cells[first + i]).number}" for i, letter in enumerate(letters))

    return [f"bar: {both(BARS)}   off: {both(OFF)}"]


def _letters(board: Board, cells: Sequence[int]) -> list[str]:
    """Return what each cell shows, padded to the same width."""
    names = board.cell_names()
    if board.count:
        shown = [str(n) for n in cells]
    else:
        shown = [board.piece(n).letter if names[i] or n else " " for i, n in enumerate(cells)]
    wide = max(len(board.piece(n).letter) for n in range(board.most + 1)) if not board.count else len(str(board.count))
    return [letter.rjust(wide) for letter in shown]


def _grid(board: Board, cells: Sequence[int]) -> Rows:
    """Put row names on the left and column names beside row 1; on a numbered board, put the numbers to the right of each row."""
    letters, names, cols = _letters(board, cells), board.cell_names(), len(board.col_names)
    drawn: Rows = []
    wide = max(map(len, board.row_names))
    for r, name in enumerate(board.row_names):
        here = range(r * cols, (r + 1) * cols)
        row: list[Token] = [(letters[i], i) for i in here]
        if board.names:
            most = max(map(len, names))
            row += [("  ", None), *((names[i].rjust(most), None) for i in here if names[i])]
        elif wide:
            row.insert(0, (name.rjust(wide), None))
        drawn.append(row)
    if not board.names:
        blank: list[Token] = [(" " * wide, None)] if wide else []
        header = [*blank, *((name.rjust(len(letters[0])), None) for name in board.col_names)]
        drawn.insert(0 if board.row_names[0] == "1" and len(board.row_names) > 1 else len(drawn), header)
    return drawn


def _pits(board: Board, cells: Sequence[int], sides: Sequence[str], turn: int) -> Rows:
    """Put the second side above, from right to left, and the stores at the ends; an arrow marks the side to move."""
    n = len(board.col_names)
    blank: Token = ("   ", None)
    names: list[Token] = [(name.rjust(3), None) for name in board.col_names]
    ends: list[list[Token]] = [[(("->" * (i == turn)).rjust(4), None), (name, None)] for i, name in enumerate(sides)]
    shown: list[Token] = [(str(x).rjust(3), i) for i, x in enumerate(cells)]
    return [
        [blank, *names[::-1]],
        [blank, *shown[2 * n : n : -1], *ends[1]],
        [shown[2 * n + 1], *[blank] * n, shown[n]],
        [blank, *shown[:n], *ends[0]],
        [blank, *names],
    ]


def _backgammon(board: Board, cells: Sequence[int], turn: int) -> Rows:
    """Put points 13 to 24 of the first side above, 12 to 1 below."""
    names = board.cell_names(turn)
    top, bottom = range(12, POINTS), range(11, -1, -1)

    def line(points: range, shown: Sequence[Token]) -> list[Token]:
        row = [(token.rjust(2), cell) for token, cell in shown]
        return [*row[:6], ("|", None), *row[6:]]

    def checker(i: int, height: int) -> str:
        piece = board.piece(cells[i])
        if height == HIGH - 1 and piece.number > HIGH:
            return str(piece.number)
        return piece.letter if height < piece.number else " "

    above = [line(top, [(checker(i, h), i) for i in top]) for h in range(HIGH)]
    below = [line(bottom, [(checker(i, h), i) for i in bottom]) for h in reversed(range(HIGH))]
    numbers = [line(points, [(names[i], None) for i in points]) for points in (top, bottom)]
    return [numbers[0], *above, [], *below, numbers[1]]


def _free(board: Board, cells: Sequence[int]) -> Rows:
    """Return each cell with its name in its place, and the lines between cells."""
    letters, names = _letters(board, cells), board.cell_names()
    tokens = [letter + name for letter, name in zip(letters, names, strict=True)]
    places = _places(board, max(map(len, tokens)))
    high, wide = 1 + max(row for row, _ in places), max(col + len(tokens[i]) for i, (_, col) in enumerate(places))
    canvas: Rows = [[SPACE] * wide for _ in range(high)]
    middle = len(letters[0]) - 1
    for a, b in board.lines:
        _line(canvas, *sorted((row, col + middle) for row, col in (places[a], places[b])))
    for i, (row, col) in enumerate(places):
        if names[i]:
            canvas[row][col : col + len(tokens[i])] = [(letters[i], i), (names[i], None), *[("", None)] * (len(tokens[i]) - 2)]
    return [[token for token in row if token[0]] for row in canvas]


def _places(board: Board, wide: int) -> list[tuple[int, int]]:
    """Return the line and column of each cell, as close together as possible without overlap."""
    at = [(round(x, 3), round(y, 3)) for x, y in board.at]
    left, top = (min(place[axis] for place in at) for axis in (0, 1))
    width, height = (max(place[axis] for place in at) - least for axis, least in ((0, left), (1, top)))
    gap = _nearest([(0, y) for _, y in at])
    per_line = max(BETWEEN / _nearest(at), min(BETWEEN / gap, SCREEN / max(height, 1)), 1 / gap)
    per_line = min(per_line, MAX_SIZE / max(height, 1))
    per_column = max((wide + BETWEEN) / _nearest([(y, x) for x, y in at]), 2 * per_line)
    per_column = min(per_column, MAX_SIZE / max(width, 1))
    places: dict[int, tuple[int, int]] = {}
    ends: dict[int, int] = {}
    for i in sorted(range(board.size), key=lambda i: at[i][::-1]):
        x, y = at[i]
        row = round((y - top) * per_line)
        col = max(round((x - left) * per_column), ends.get(row, 0))
        places[i], ends[row] = (row, col), col + wide + 1
    return [places[i] for i in range(board.size)]


def _nearest(points: Sequence[tuple[float, float]]) -> float:
    """Return the smallest distance between two points with the same first coordinate."""
    ordered = sorted(set(points))
    gaps = [b[1] - a[1] for a, b in pairwise(ordered) if a[0] == b[0]]
    return min((gap for gap in gaps if gap > 1e-6), default=1.0)


def _line(canvas: Rows, start: tuple[int, int], end: tuple[int, int]) -> None:
    """Draw a line from top to bottom, or from left to right."""
    (top, left), (bottom, right) = start, end
    if top == bottom:
        points = [(top, col, "-") for col in range(left + 1, right)]
    else:
        sign = "|" if left == right else "\\" if left < right else "/"
        slope = (right - left) / (bottom - top)
        points = [(row, round(left + slope * (row - top)), sign) for row in range(top + 1, bottom)]
    for row, col, sign in points:
        crossed = {canvas[row][col][0], sign} == {"-", "|"}
        canvas[row][col] = ("+" if crossed else sign, None)


def cell_names(board: Board, sides: Sequence[str]) -> list[str]:
    """Return a unique name for each cell, even where players need none.

    >>> cell_names(Board("drop", 2, 2), ("X", "O")), cell_names(Board("pits", 1, 1), ("south", "north"))
    (['1:2', '2:2', '1:1', '2:1'], ['south 1', 'south store', 'north 1', 'north store'])
    """
    names, rows, cols = board.cell_names(), len(board.row_names), len(board.col_names)
    if board.shape == "drop":
        return [f"{board.col_names[i % cols]}:{rows - i // cols}" for i in range(board.size)]
    if board.shape == "pits":
        return [f"{sides[2 * i // board.size]} {name}" for i, name in enumerate(names)]
    if board.shape == "backgammon":
        return [f"{sides[i % 2]} {name}" if POINTS <= i < OFF + 2 else name for i, name in enumerate(names)]
    return list(names)


def cell_contents(board: Board, cells: Sequence[int]) -> list[str]:
    """Return what lies on each cell, in a character or two."""
    found = []
    for n in cells:
        piece = board.piece(n)
        found.append("." if not n else f"{piece.glyph}{piece.number}" if board.count else piece.glyph)
    return found
