"""The names of moves in games without `format_move`: the cells that a move touches, as the board labels them.

    d3          one cell, or the column to drop a stone into
    a2-a4       from and to; the whole path of a capture: a1-c3-e5
    e7-e8=Q     moves that touch the same cells: what this one leaves there
    a=2         a heap of which two stones are left
    13-8 6-5    backgammon: from and to for each die; 13-8-7 if the same checker goes on
    pass        a button
    c3=2, 6-4   chance: what it places and where; two dice
    d3 (17)     moves with the same name: the number of the move

The page gives the same names (`web/page/names.js`).
"""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from plyground.board.board import DICE, Board
from plyground.errors import TextError
from plyground.rules.hooks import State

BETWEEN = re.compile(r"(?<=\w)(?:[\s,:/-]+|=(?=[^\W\d]))(?=\w)")
"""Characters between two cells, or before a piece, that people may leave out."""
NUMBERS = re.compile(r"(?<=\d)[\s,:/-]+(?=\d)")
"""Characters between two numbers, where something must stay: 1-12 is not 11-2."""
CAPTURE = re.compile(r"(?<=\w)\s*x\s*(?=\w)", re.IGNORECASE)


class MoveRules(Protocol):
    """What names are made from: the part of a `Game` that needs none."""

    sides: tuple[str, ...]
    board: Board | None

    def options(self, s: State) -> list[int]: ...
    def is_chance(self, s: State) -> bool: ...
    def turn(self, s: State) -> int | None: ...
    def child(self, s: State, m: int) -> State: ...
    def cells(self, s: State) -> list[int]: ...
    def touch(self, s: State, m: int) -> list[int]: ...
    def parse_move(self, s: State, text: str) -> int: ...


def move_names(game: MoveRules, s: State) -> dict[int, str]:
    """Return the name of each legal move, or of each outcome if chance is to move."""
    moves = game.options(s)
    if game.board is None:
        return {m: str(m) for m in moves}
    named = _chance_names if game.is_chance(s) else _player_names
    names = named(game, game.board, s, moves)
    times = Counter(names)
    return {m: name if times[name] == 1 else f"{name} ({m})" for m, name in zip(moves, names, strict=True)}


def read_name(names: Mapping[int, str], text: str, labels: Sequence[str] = ()) -> int | None:
    """Return the move with this name, else the only one whose name differs only in case and spaces.

    With the labels of a board, `a2-a4` may also be `a2a4`, `a2 a4`, `a2xa4`, `a2:a4` or `a2/a4`, and `e7-e8=Q` may be `e7e8q`.
    A text that is itself the label of a cell matches no other name.

    >>> [read_name({5: "a2-a4", 6: "1-12"}, text, ("a2",)) for text in ("A2 A4", "a2xa4", "1 12", "112", "a2")]
    [5, 5, 6, None, None]
    """
    exact = [m for m, name in names.items() if name == text]
    alike = exact or [m for m, name in names.items() if _normalise(name) == _normalise(text)]
    if not alike and labels and _normalise(text) not in map(_normalise, labels):
        for given in (text, CAPTURE.sub("-", text)):
            alike = alike or [m for m, name in names.items() if _without_separators(name) == _without_separators(given)]
    return alike[0] if len(alike) == 1 else None


def _normalise(text: str) -> str:
    return "".join(text.split()).casefold()


def _without_separators(text: str) -> str:
    return BETWEEN.sub("", NUMBERS.sub("+", text)).casefold()


def _player_names(game: MoveRules, board: Board, s: State, moves: Sequence[int]) -> list[str]:
    ways = [tuple(cell for cell in game.touch(s, m) if 0 <= cell < board.size) for m in moves]  # `check` reports the others
    by_cells: dict[tuple[int, ...], list[int]] = {}
    for m, way in zip(moves, ways, strict=True):
        by_cells.setdefault(way, []).append(m)
    cells = board.cell_names(game.turn(s) or 0)
    left: dict[int, str] = {}
    for way, group in by_cells.items():
        if way and (len(group) > 1 or board.shape == "heaps"):
            left |= _content_left(game, board, s, way, group)
    names = []
    for m, way in zip(moves, ways, strict=True):
        name = _way_name(board, cells, way) if way else board.buttons.get(m, "")
        names.append((name or f"#{m}") + left.get(m, ""))
    return names


def _way_name(board: Board, cells: Sequence[str], way: Sequence[int]) -> str:
    if board.shape != "backgammon":
        return "-".join(cells[cell] for cell in way)
    parts: list[str] = []
    for i in range(0, len(way) - 1, 2):
        if i and way[i] == way[i - 1]:
            parts[-1] += f"-{cells[way[i + 1]]}"
        else:
            parts.append(f"{cells[way[i]]}-{cells[way[i + 1]]}")
    return " ".join(parts)


def _content_left(game: MoveRules, board: Board, s: State, way: Sequence[int], moves: Sequence[int]) -> dict[int, str]:
    """Return what each of the moves that touch the same cells leaves on the last cell that distinguishes them, or on all."""
    after = [game.cells(game.child(s, m)) for m in moves]
    near = list(dict.fromkeys(i for cell in way for i in board.near(cell)))[::-1]
    differ = [cell for cell in near if any(cells[cell] != after[0][cell] for cells in after)] or near[:1]
    one = next((cell for cell in differ if len({cells[cell] for cells in after}) == len(moves)), None)
    shown = differ[::-1] if one is None else [one]
    return {m: "=" + "/".join(_content(board, cells[i]) for i in shown) for m, cells in zip(moves, after, strict=True)}


def _content(board: Board, n: int) -> str:
    """Return a count or a letter, which is capital if that still distinguishes the side's pieces."""
    piece = board.piece(n)
    if board.count:
        return str(piece.number)
    others = [board.piece(i) for i in range(board.most + 1)]
    own = [other.letter.upper() for other in others if other.side == piece.side]
    return piece.letter.upper() if len(set(own)) == len(own) else piece.letter


def _chance_names(game: MoveRules, board: Board, s: State, moves: Sequence[int]) -> list[str]:
    cells, before, names = board.cell_names(), game.cells(s), []
    for m in moves:
        after = game.cells(game.child(s, m))
        changed = [f"{cells[i]}={_content(board, after[i])}" for i in range(board.size) if after[i] != before[i]]
        names.append(_dice_name(game, board, s, after) if board.shape == "backgammon" else " ".join(changed) or str(m))
    return names


def _dice_name(game: MoveRules, board: Board, s: State, cells: Sequence[int]) -> str:
    """Return the two dice; the first roll also says who begins."""
    side = board.piece(cells[DICE]).side
    rolled = "-".join(str(board.piece(cells[die]).number) for die in (DICE, DICE + 1))
    return rolled if side is None or side == game.turn(s) else f"{rolled} {game.sides[side]}"


def read_moves(game: MoveRules, s: State, text: str) -> list[int]:
    """Return the sequence of moves from s that the text names; raise the error of the first one that can't be read."""
    found: list[int] = []
    words = [word for word in re.split(r"[\s,]+", text) if word]
    before = s
    others: Iterator[tuple[int, list[str]]] = iter(())
    failed = None
    while words:
        readings = _readings(game, s, words)
        read = next(readings, None)
        if read is not None:
            failed = None
        else:  # try another reading of the previous move: `6/off 1/off` begins with another move, `6/off`
            failed, read, readings = failed or (s, words[0]), next(others, None), others
            if read is None:
                return [game.parse_move(*failed)]  # raises the error
            s = before
            found.pop()
        m, words = read
        found.append(m)
        before, s, others = s, game.child(s, m), readings
    return found


def _readings(game: MoveRules, s: State, words: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield each move that the first word, the first few words, or the start of the first word names, with the words left."""
    for n in range(1, min(len(words), 4) + 1):
        with contextlib.suppress(TextError):
            yield game.parse_move(s, " ".join(words[:n])), words[n:]
    for used in range(len(words[0]) - 1, 0, -1):
        with contextlib.suppress(TextError):
            yield game.parse_move(s, words[0][:used]), [words[0][used:], *words[1:]]
