"""Variants of a game for a search: a repeated position is a draw, or only moves near the stones are tried.

Both need to know something about the path to a state. So their states carry extra data, passed on from state to state beside the
fields of the rules. To the algorithms, each is an ordinary game.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import NamedTuple, TypeVar, cast

from plyground.bits import MASK, mix
from plyground.board.board import GRIDS
from plyground.errors import PlygroundError
from plyground.rules.game import Game
from plyground.rules.hooks import State

OF_STATE = (
    *("moves", "likely", "result", "evaluate", "order", "loud", "turn", "outcomes", "is_chance", "legal", "cells", "touch"),
    *("show", "format_move", "parse_move", "format_state"),
)
"""What a game answers about a state."""


class AugmentedState(NamedTuple):
    """A state with extra data."""

    state: State
    extra: Hashable


def plain_state(s: State) -> State:
    """Return the state as the rules know it, without extra data."""
    while isinstance(s, AugmentedState):
        s = s.state
    return s


Data = TypeVar("Data", bound=Hashable)


def augment(game: Game, first: Data, update: Callable[[Data, State, int], Data]) -> Game:
    """Return the game with extra data in its states: `first` at the root, `update(extra, s, m)` after move m in s."""

    def on_state(rule: Callable[..., object]) -> Callable[..., object]:
        return lambda c, *rest: rule(c.state, *rest)

    changed: dict[str, Callable[..., object]] = {name: on_state(getattr(game, name)) for name in OF_STATE} | {
        "start": lambda: AugmentedState(game.start(), first),
        "child": lambda c, m: AugmentedState(game.child(c.state, m), update(c.extra, c.state, m)),
        "identity": lambda c: (game.identity(c.state), c.extra),
        "key": lambda c: mix(game.key(c.state) ^ hash(c.extra) & MASK),
        "canonical": lambda c: c,
    }
    return game.replace(**changed)


# -- repetition -----------------------------------------------------------------------------------------------------------------


def with_repetition(game: Game, history: Iterable[State] = ()) -> Game:
    """Return the game in which a position that occurred before, on the path or in the `history` before the root, is a draw.

    The rules may end the game only when a position occurs for the third time. A search need not wait: a side that could force the
    position twice can force it three times. The value then depends on the path, so the keys on it are part of a state's identity.
    """
    played = frozenset(game.key(s) for s in history)
    new = augment(game, played, lambda seen, s, m: seen | {game.key(s)})

    def result(c: AugmentedState) -> object:
        value = game.result(c.state)
        repeated = value is None and c.extra is not played and game.key(c.state) in cast(frozenset[int], c.extra)
        return 0 if repeated else value

    return new.replace(result=result)


# -- the board ------------------------------------------------------------------------------------------------------------------

Cell = tuple[int, int]
"""Row and column on the board, from the top left."""


class Geometry:
    """The board of a game with rows and columns of cells; where a move goes is found by comparing them before and after it."""

    def __init__(self, game: Game) -> None:
        self.game, board, s = game, game.board, game.start()
        self.known = board is not None and board.shape in GRIDS
        rows, self.cols = (len(board.row_names), len(board.col_names)) if board and self.known else (1, 1)
        self.middle = ((rows - 1) / 2, (self.cols - 1) / 2)
        touched = [game.touch(s, m) for m in game.legal(s)]
        self.fixed = board is not None and board.shape in ("squares", "points") and all(len(cells) == 1 for cells in touched)
        """Whether a move is a cell, whatever is on the board."""
        self._places: dict[int, Cell | None] = {}

    def changes(self, s: State, m: int) -> list[tuple[Cell, bool]]:
        """Return the cells that m changes without emptying them, and whether they were empty before."""
        if not self.known:
            return []
        before, after = (self.game.cells(x) for x in (s, self.game.child(s, m)))
        pairs = enumerate(zip(before, after, strict=True))
        return [(divmod(i, self.cols), old == 0) for i, (old, new) in pairs if old != new and new]

    def place(self, s: State, m: int) -> Cell | None:
        """Return the cell where m puts a piece; None if it puts none or the board is unknown."""
        if self.fixed and m in self._places:
            return self._places[m]
        changed = sorted(self.changes(s, m), key=lambda change: not change[1])
        where = changed[0][0] if changed else None
        if self.fixed:
            self._places[m] = where
        return where

    def flips(self, s: State, m: int) -> int:
        """Return the number of pieces on the board that m turns over."""
        return sum(not was_empty for _, was_empty in self.changes(s, m))

    def stones(self, s: State) -> dict[Cell, int]:
        """Return the occupied cells and what is on them."""
        return {divmod(i, self.cols): x for i, x in enumerate(self.game.cells(s)) if x}


# -- fewer moves ----------------------------------------------------------------------------------------------------------------


def with_likely(game: Game) -> Game:
    """Return the game in which only the moves its rules call likely are tried, or all moves where there are none."""
    return game.replace(moves=lambda s: list(game.likely(s)) or game.moves(s))


def around(cell: Cell, within: int) -> frozenset[Cell]:
    """Return the cells at most `within` steps away, diagonals included; some may lie off the board, where there are no moves."""
    row, col = cell
    steps = range(-within, within + 1)
    return frozenset((row + down, col + right) for down in steps for right in steps)


def with_neighbours(game: Game, root: State, within: int) -> Game:
    """Return the game from `root` on in which only cells within this many steps of a stone are tried.

    On the empty board that is the middle. Where no cell near a stone is left, every move may be tried. The set of cells is not
    rebuilt in every state: each move passes it on with its own neighbourhood added. A search sees only the moves that are left,
    so values change.
    """
    board = Geometry(game)
    if not board.fixed:
        raise PlygroundError(f"{game.name} cannot be limited to neighbours: it needs a board of cells that moves fill")
    middle = (int(board.middle[0]), int(board.middle[1]))
    near = frozenset().union(*(around(cell, within) for cell in board.stones(root))) or frozenset([middle])

    def update(near: frozenset[Cell], s: State, m: int) -> frozenset[Cell]:
        where = board.place(s, m)
        return near if where is None else near | around(where, within)

    def moves(c: AugmentedState) -> list[int]:
        every, near = [int(m) for m in game.moves(c.state)], cast(frozenset[Cell], c.extra)
        return [m for m in every if board.place(c.state, m) in near] or every

    return augment(game, near, update).replace(moves=moves)
