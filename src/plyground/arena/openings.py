"""Openings: different first positions for the pairs of a match."""

from __future__ import annotations

import random
from typing import NamedTuple

from plyground.arena.pair import seed_of
from plyground.play.match import Match
from plyground.rules.game import Game

PLIES = 4


class Opening(NamedTuple):
    """A state to start from (None: the game's own), and moves from there."""

    start: str | None
    moves: tuple[str, ...]


class Openings:
    """The openings of a match by number, made when they are asked for; the same seed gives the same ones."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.random = random.Random(seed_of(seed, "openings"))
        self.made: list[Opening] = []

    def __getitem__(self, number: int) -> Opening:
        while len(self.made) <= number:
            self.made.append(self._make())
        return self.made[number]

    def _make(self) -> Opening:
        match = Match(self.game, seed=self.random.getrandbits(53))
        while len(match.moves) < PLIES or (match.mover is None and match.result is None):
            if match.mover is None and match.result is None:
                match.roll()
            else:
                match.play(self.random.choice(match.legal()))
            if match.result is not None:
                return Opening(None, ())
        return Opening(None, tuple(match.move_texts()))
