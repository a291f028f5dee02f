"""A recorded game played again: what each side could have done at every ply."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from plyground.arena.messages import PlayedGame
from plyground.rules.game import Game
from plyground.rules.hooks import State


class Ply(NamedTuple):
    """A player's move: which of the legal ones, by whom, and the score that its player saw, for the first side."""

    s: State
    side: int
    legal: tuple[int, ...]
    move: int
    score: float | None


@dataclass(frozen=True)
class Replay:
    """A game; moves of chance are left out of `plies`, but all states are in `states`."""

    plies: list[Ply]
    states: list[State]

    @property
    def choices(self) -> list[int]:
        """How many legal moves there were at each ply."""
        return [len(ply.legal) for ply in self.plies]


def replay(game: Game, record: PlayedGame) -> Replay:
    """Play a recorded game again."""
    s = game.start() if record.start is None else game.parse_state(record.start)
    plies: list[Ply] = []
    states = [s]
    for text, score in zip(record.moves, record.scores, strict=True):
        if game.is_chance(s):
            s = game.child(s, game.parse_move(s, text))
        else:
            turn = game.turn(s)
            side = len(plies) % len(game.sides) if turn is None else turn
            move = game.parse_move(s, text)
            seen = None if score is None else -score if side == 1 else score
            plies.append(Ply(s, side, tuple(game.legal(s)), move, seen))
            s = game.child(s, move)
        states.append(s)
    return Replay(plies, states)


def leads(scores: Sequence[float | None]) -> list[int]:
    """Return which side leads, again and again: 1 the first, -1 the second. A lead counts once two scores in a row agree on it.

    Scores come from both sides in turn, so a single one that differs says more about the player than about the game.

    >>> leads([5, 3, -1, 4, -2, -6, -9, 9999])
    [1, -1]
    """
    signs = [(score > 0) - (score < 0) for score in scores if score is not None]
    found: list[int] = []
    for one, other in itertools.pairwise(signs):
        if one == other != 0 and (not found or found[-1] != one):
            found.append(one)
    return found


def longest_run(choices: Sequence[int]) -> int:
    """Return the longest sequence of plies with a single legal move.

    >>> longest_run([3, 1, 1, 4, 1])
    2
    """
    longest = run = 0
    for count in choices:
        run = run + 1 if count == 1 else 0
        longest = max(longest, run)
    return longest
