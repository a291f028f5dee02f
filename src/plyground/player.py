"""Players: whoever chooses a move. A text names one: `random`, `textbook:alphabeta,depth=6`."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from plyground.errors import PlygroundError
from plyground.game import Game


class Player(Protocol):
    """Chooses moves in a game."""

    name: str

    def choose(self, game: Game, s: Any, history: Sequence[Any] = ()) -> int:
        """A legal move in s, where the game goes on and a player is to move; `history` are the states before s."""


class RandomPlayer:
    """Any legal move, each as likely; the same seed gives the same moves."""

    def __init__(self, seed: int | None = None) -> None:
        self.name = "random"
        self.random = random.Random(seed)

    def choose(self, game: Game, s: Any, history: Sequence[Any] = ()) -> int:
        """A legal move."""
        return self.random.choice(game.legal(s))


class TextbookPlayer:
    """The best move by an algorithm of the textbook, which keeps its tables from one move to the next."""

    def __init__(self, spec: str, game: Game) -> None:
        from plyground.textbook import parse

        self.name = f"textbook:{spec}"
        self.algorithm, self.options = parse(spec)
        self.algorithm.check(game)
        self.memory: dict[str, Any] = {}

    def choose(self, game: Game, s: Any, history: Sequence[Any] = ()) -> int:
        """The best move that the algorithm finds."""
        found = self.algorithm.search(game, s, self.options, history=history, memory=self.memory)
        return game.legal(s)[0] if found.move is None else found.move


PLAYERS: dict[str, Callable[[str, Game, int | None], Player]] = {
    "random": lambda rest, game, seed: RandomPlayer(seed),
    "textbook": lambda rest, game, seed: TextbookPlayer(rest, game),
}
"""By the word before the colon: how a player is made of the text after it, the game, and a seed."""


def make_player(spec: str, game: Game, seed: int | None = None) -> Player:
    """The player that a text names, ready to play this game.

    >>> from plyground import load
    >>> nim = load("nim")
    >>> make_player("textbook:alphabeta,depth=all", nim).choose(nim, nim.start()) in nim.legal(nim.start())
    True
    """
    word, _, rest = spec.strip().partition(":")
    if word not in PLAYERS:
        raise PlygroundError(
            f"there is no player {spec!r:.40}; there are {', '.join(PLAYERS)}, such as textbook:alphabeta,depth=6"
        )
    return PLAYERS[word](rest, game, seed)
