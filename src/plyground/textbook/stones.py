"""The sorted list of stones as a key, for games in which a move adds a stone and nothing ever leaves the board.

The same stones, placed in any order, are the same state; sorted, they are the same tuple. Such a key is exact, because no two
states share it, but it has to be sorted and grows with every stone. A Zobrist key stays one word.
"""

from __future__ import annotations

from plyground.errors import PlygroundError
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.textbook.geometry import Geometry


class Stones:
    """Keys for the states from a root on, in a game that only adds stones; other games are refused."""

    def __init__(self, game: Game, root: State) -> None:
        self.game = game
        self.board = Geometry(game)
        if not self.board.known or not all(self._adds_a_stone(root, m) for m in game.legal(root)):
            raise PlygroundError(
                f"{game.name} cannot use key=stones: a move there must add one stone, drawn as its side, and change nothing else"
            )

    def key(self, s: State) -> tuple[int, ...]:
        """Return a number for each stone, sorted; their count tells whose turn it is."""
        size = self.board.cols
        return tuple(sorted((x * size + y) * 2 + (stone == 1) for (x, y), stone in self.board.stones(s).items()))

    def _adds_a_stone(self, s: State, m: int) -> bool:
        before, after = self.board.stones(s), self.board.stones(self.game.child(s, m))
        return before.items() < after.items() and len(after) == len(before) + 1 and set(after.values()) <= {1, 2}
