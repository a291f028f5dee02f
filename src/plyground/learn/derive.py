"""Derives the features of a game from its board, its rules and random games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from plyground.board.board import OFF, Board
from plyground.learn.features import Features, Kind, board_text
from plyground.learn.groups import default_groups, images
from plyground.learn.reader import reader_of
from plyground.learn.sample import Ply, plies
from plyground.learn.symmetry import symmetries
from plyground.learn.view import View, view_of
from plyground.rules.game import Game

PHASE = 6
"""How many pieces more or fewer make a new phase."""
MOST_PHASES = 10


def features_of(game: Game, groups: Sequence[Sequence[int]] | None = None) -> Features:
    """The features of a game, derived from its board and from random games; `groups` instead of the default ones."""
    board = game.board
    assert board is not None
    games = list(plies(game))
    view = view_of(game, board, games)
    used = [c for c, name in enumerate(board.cell_names()) if name]
    used = used[: OFF + 2] if board.shape == "backgammon" else used
    ways = symmetries(game, board, games)
    chosen = [tuple(g) for g in groups] if groups else default_groups(board, used, board.most + 1, ways)
    counted, counts = _count(board, used)
    return Features(
        board_text(game),
        view,
        reader_of(game, view, games, used),
        tuple(_kind(board, group, ways) for group in _distinct(chosen, ways)),
        counted,
        counts,
        _phases(game, view, games, counted, counts),
        _base(game, games),
    )


def _distinct(groups: Sequence[tuple[int, ...]], ways: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The groups without those that symmetries make of earlier ones."""
    seen: set[frozenset[int]] = set()
    found = []
    for group in groups:
        if frozenset(group) not in seen:
            found.append(group)
            seen |= {frozenset(image) for image in images(group, ways)}
    return found


def _kind(board: Board, group: tuple[int, ...], ways: Sequence[tuple[int, ...]]) -> Kind:
    turns = {tuple(group.index(way[c]) for c in group) for way in ways if {way[c] for c in group} == set(group)}
    return Kind(_labels(board, len(group)), tuple(images(group, ways)), tuple(sorted(turns - {tuple(range(len(group)))})))


def _labels(board: Board, cells: int) -> tuple[int, ...]:
    """The digit for each content: in groups of several cells, large counts are the same."""
    if cells == 1 or not board.count:
        return tuple(range(board.most + 1))
    if board.shape == "backgammon":  # up to four of one's own, up to three of the other side's
        return (0, *(min(n, 4) for n in range(1, board.count + 1)), *(4 + min(n, 3) for n in range(1, board.count + 1)))
    return tuple(min(n, 15) for n in range(board.most + 1))


def _count(board: Board, used: Sequence[int]) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """What decides the phase: the number of pieces, or of seeds that are not in a store yet."""
    nothing, contents = (0,) * (board.most + 1), range(board.most + 1)
    if board.shape in ("tiles", "backgammon"):
        return (nothing,), (0,) * board.size
    if board.shape == "pits":
        stores = {board.size // 2 - 1, board.size - 1}
        return (nothing, tuple(contents)), tuple(int(c not in stores) for c in range(board.size))
    each = tuple(contents) if board.count else tuple(min(n, 1) for n in contents)
    return (nothing, each), tuple(int(c in set(used)) for c in range(board.size))


def _phases(game: Game, view: View, games: Sequence[Ply], counted: Any, counts: Any) -> tuple[int, ...]:
    """The phase for each count, from the first to the last that occurred."""
    seen = [sum(counted[k][x] for k, x in zip(counts, game.cells(p.s), strict=True)) for p in games]
    low, high = min(seen), max(seen)
    most = sum(max(counted[k]) for k in counts)
    phases = max(1, min(MOST_PHASES, (high - low) // PHASE))
    width = max(1, -(-(high - low + 1) // phases))
    return tuple(max(0, min(phases - 1, (n - low) // width)) for n in range(max(high, min(most, 255)) + 1))


def _base(game: Game, games: Sequence[Ply]) -> int:
    """In a solitaire: the field that is the result when the game ends."""
    ends = [p.s for p in games if p.over]
    if len(game.sides) == 1 and ends:
        for i, f in enumerate(game.layout.fields):
            if not f.shape and all(int(s[i]) == game.result(s) for s in ends):
                return i
    return -1
