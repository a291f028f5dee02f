"""Move ordering: alpha-beta cuts most when the best move comes first, so guess which one it is.

An ordering never changes a value, only how soon a cutoff comes. Each part ranks a move, larger first; several parts can be
chained (`captures+killers+history`), later ones breaking ties; moves that are equal in all parts keep the game's order.
"""

from __future__ import annotations

from collections import defaultdict

from plyground.errors import PlygroundError
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.textbook.derived_games import Geometry
from plyground.textbook.tree import WHOLE, Tree


class OrderingPart:
    """One way to rank moves."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def rank(self, tree: Tree, s: State, m: int) -> float:
        """Return how promising m is in s: larger is tried earlier."""
        return 0.0

    def cutoff(self, tree: Tree, s: State, m: int, depth: float) -> None:
        """Record that m caused a cutoff in s."""


class GameOrder(OrderingPart):
    """Ranks moves by the game's own `order`."""

    def rank(self, tree: Tree, s: State, m: int) -> float:
        """Return the rank that the game gives the move."""
        return float(self.game.order(s, m))


class ShallowValues(OrderingPart):
    """Ranks moves by the value of a search to depth 1."""

    def rank(self, tree: Tree, s: State, m: int) -> float:
        """Return the result or the estimate after m, for the side to move in s."""
        child = self.game.child(s, m)
        result = self.game.result(child)
        value = self.game.evaluate(child) if result is None else tree.final(result)
        tree.trace.glance(tree.current().number, m)
        return float(value * tree.sign(s, child))


class Centre(OrderingPart):
    """Ranks moves near the middle of the board first."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.board = Geometry(game)

    def rank(self, tree: Tree, s: State, m: int) -> float:
        """Return the distance from the middle, negated; in games where stones drop into columns, only the column counts."""
        where = self.board.place(s, m)
        if where is None:
            return 0.0
        (row, col), (mid_row, mid_col) = where, self.board.middle
        return -abs(col - mid_col) - (abs(row - mid_row) if self.board.fixed else 0)


class Captures(OrderingPart):
    """Ranks captures and other loud moves first."""

    def rank(self, tree: Tree, s: State, m: int) -> float:
        """Return 1 for a loud move."""
        return float(self.game.loud(s, m))


class Killers(OrderingPart):
    """Ranks the killer moves first: the two that last caused a cutoff at this ply."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.moves: defaultdict[int, list[int]] = defaultdict(list)

    def rank(self, tree: Tree, s: State, m: int) -> float:
        """Return 1 for a killer."""
        return float(m in self.moves[tree.ply])

    def cutoff(self, tree: Tree, s: State, m: int, depth: float) -> None:
        """Remember the move for its ply, and forget all but the last two."""
        self.moves[tree.ply] = [m, *(k for k in self.moves[tree.ply] if k != m)][:2]


class History(OrderingPart):
    """Ranks moves by the history heuristic: the cutoffs that they caused anywhere, weighted by depth."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.score: defaultdict[tuple[int, int], float] = defaultdict(float)

    def rank(self, tree: Tree, s: State, m: int) -> float:
        """Return the cutoffs that this move of this side has caused, weighted by depth."""
        return self.score[tree.current().side, m]

    def cutoff(self, tree: Tree, s: State, m: int, depth: float) -> None:
        """Count the cutoff with the square of the depth it saved."""
        self.score[tree.current().side, m] += 1 if depth == WHOLE else depth * depth


class Near(OrderingPart):
    """Ranks moves near the last one first, as in gomoku."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.board = Geometry(game)

    def rank(self, tree: Tree, s: State, m: int) -> float:
        """Return the distance from the previous move, negated; a diagonal counts as one step."""
        here = tree.current()
        if here.parent is None or here.move is None:
            return 0.0
        last, where = self.board.place(here.parent.state, here.move), self.board.place(s, m)
        if last is None or where is None:
            return 0.0
        return -float(max(abs(last[0] - where[0]), abs(last[1] - where[1])))


class Flips(OrderingPart):
    """Ranks the moves first that turn the fewest pieces over, as in Othello."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.board = Geometry(game)

    def rank(self, tree: Tree, s: State, m: int) -> float:
        """Return the number of flipped pieces, negated."""
        return -float(self.board.flips(s, m))


PARTS: dict[str, type[OrderingPart]] = {
    "game": GameOrder,
    "values": ShallowValues,
    "centre": Centre,
    "captures": Captures,
    "killers": Killers,
    "history": History,
    "near": Near,
    "flips": Flips,
}


class Ordering:
    """Several parts, the first one the most important."""

    def __init__(self, game: Game, names: str) -> None:
        chosen = [name.strip() for name in names.split("+")]
        for name in chosen:
            if name not in PARTS:
                raise PlygroundError(f"unknown move ordering {name!r:.30}; use none, or some of {', '.join(PARTS)} joined by +")
        self.parts = [PARTS[name](game) for name in chosen]

    def arrange(self, tree: Tree, s: State, moves: list[int]) -> list[int]:
        """Return the moves, the most promising first."""
        return sorted(moves, key=lambda m: [-part.rank(tree, s, m) for part in self.parts])

    def cutoff(self, tree: Tree, s: State, m: int, depth: float) -> None:
        """Report to every part that m caused a cutoff in s."""
        for part in self.parts:
            part.cutoff(tree, s, m, depth)


def make_ordering(game: Game, names: str) -> Ordering | None:
    """Return the ordering with these parts, joined by +; None for `none`."""
    return None if names.strip() == "none" else Ordering(game, names)
