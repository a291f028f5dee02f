"""A board in characters: rows of tokens, each with the number of the cell that it shows, for text and for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from plyground.board.board import BARS, OFF, POINTS, Board

Token = tuple[str, int | None]
"""A few characters and the cell that they show; None where they are a name or a blank."""
Rows = list[list[Token]]
HIGH = 5
"""How many checkers of a backgammon point are drawn one above the other."""


def text(drawn: Rows) -> str:
    """The rows as lines of text."""
    return "\n".join(" ".join(token for token, _ in row).rstrip() for row in drawn)


def turned(drawn: Rows) -> Rows:
    """The rows as the player on the other side sees them."""
    return [row[::-1] for row in drawn[::-1]]


def rows(board: Board, cells: Sequence[int], sides: Sequence[str], turn: int) -> Rows:
    """The board with the names of its cells."""
    if board.shape == "heaps":
        return [[(board.cell_names()[i], None), ("", None), ("|" * n, i)] for i, n in enumerate(cells)]
    if board.shape == "pits":
        return _pits(board, cells, sides, turn)
    if board.shape == "backgammon":
        return _backgammon(board, cells, turn)
    return _free(board, cells) if board.shape == "free" else _grid(board, cells)


def words(board: Board, cells: Sequence[int]) -> list[str]:
    """What lies beside the board: checkers on the bar or off."""
    if board.shape != "backgammon":
        return []
    letters = [group[0] for group in board.pieces]

    def both(first: int) -> str:
        return ", ".join(f"{letter} {board.piece(cells[first + i]).number}" for i, letter in enumerate(letters))

    return [f"bar: {both(BARS)}   off: {both(OFF)}"]


def _letters(board: Board, cells: Sequence[int]) -> list[str]:
    """What each cell shows, all equally wide."""
    names = board.cell_names()
    if board.count:
        shown = [str(n) for n in cells]
    else:
        shown = [board.piece(n).letter if names[i] or n else " " for i, n in enumerate(cells)]
    wide = max(len(board.piece(n).letter) for n in range(board.most + 1)) if not board.count else len(str(board.count))
    return [letter.rjust(wide) for letter in shown]


def _grid(board: Board, cells: Sequence[int]) -> Rows:
    """Row names on the left and column names next to row 1, or in a numbered board the numbers of each row on its right."""
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
    """The second side above, from right to left; the stores at the ends; an arrow marks the side to move."""
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
    """Points 13 to 24 of the first side above, 12 to 1 below."""
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
    """Each cell near its place, two characters to the unit."""
    letters = _letters(board, cells)
    blank: Token = (" " * len(letters[0]), None)
    left, top = (min(place[axis] for place in board.at) for axis in (0, 1))
    places = [(round(2 * (y - top)), round(2 * (x - left))) for x, y in board.at]
    drawn: Rows = [[blank] * (1 + max(col for _, col in places)) for _ in range(1 + max(row for row, _ in places))]
    for i, (row, col) in enumerate(places):
        drawn[row][col] = (letters[i], i)
    return drawn
