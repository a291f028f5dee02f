"""Plays thousands of random games with the compiled rules: does `evaluate` have the right sign, and is everything in range?

An estimate is for the side to move. The most common mistake is an estimate from a fixed side's view, or with the wrong sign: then
states with large estimates do worse in random games than those with small ones, with one side to move or with both.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from typing import Any

from plyground.check.compiled import CompiledRules
from plyground.check.promises import NO_MOVE, Doubt
from plyground.check.seen import Seen
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.score import LIMIT

STATES = 240
GAMES = 16
"""How many states are sampled, and how many random games are played from each."""
LONGEST = 400
FEWEST = 20
"""The smallest sample for a meaningful correlation."""
SURE = 4.0
"""How many standard errors below zero a correlation must be for a warning."""


class Playouts:
    """Random games of one game from given states."""

    def __init__(self, rules: CompiledRules, seed: int) -> None:
        import numpy as np

        from plyground.kernels.tools import playout

        self.game: Game = rules.game
        self.random = random.Random(seed)
        self.call = rules.native.bind(playout.playouts, "int64(uint64, uint64, uint64, int64, int64)", "check")
        words = self.game.layout.words
        self.games = playout.Games(4 * (words + 1))
        self.games.random = seed * 2 + 0x9E3779B97F4A7C15
        self.notes = [playout.Note.within(row) for row in self.games.behind.reshape(4, -1)]
        self.work = np.zeros(max(words, 1), np.uint64)

    def value(self, s: State) -> float | None:
        """Return wins minus losses of the side to move as a fraction of the games; None if too few of them end."""
        games = self.games
        games.won = games.lost = 0
        row = self.game.layout.row(s)
        ended = self.call(row.ctypes.data, self.work.ctypes.data, games.address, GAMES, LONGEST)
        return (games.won - games.lost) / ended if ended * 4 >= GAMES else None

    def doubts(self, met: Sequence[Seen]) -> Iterator[tuple[Any, str, str]]:
        """Yield what is wrong, or probably wrong, each with a state."""
        game = self.game
        states = [seen for seen in met if seen.result is None and not seen.chance]
        sample = self.random.sample(states, min(STATES, len(states)))
        found = [(seen, self.value(seen.s)) for seen in sample]
        if "evaluate" in game.has and len(game.sides) == 2:
            yield from self._signs([(seen, value) for seen, value in found if value is not None])
        yield from self._ranges()

    def _signs(self, found: Sequence[tuple[Seen, float]]) -> Iterator[tuple[Any, str, str]]:
        sides = sorted({seen.turn for seen, _ in found})
        trusts = {}
        for side in sides:
            pairs = [(float(seen.evaluate), value) for seen, value in found if seen.turn == side]
            trusts[side] = trust(pairs)
        wrong = [side for side in sides if trusts[side] < -SURE]
        if not wrong:
            return
        seen = max((seen for seen, _ in found if seen.turn == wrong[0]), key=lambda x: abs(x.evaluate))
        names = [self.game.sides[side] for side in wrong]
        if len(wrong) == len(sides):
            words = "`evaluate` seems to have the wrong sign: states that it rates higher are lost more often in random games"
        else:
            words = (
                f"`evaluate` seems to be from one side's view: with {names[0]} to move, states that it rates higher are lost "
                "more often in random games"
            )
        yield seen.s, "evaluate", Doubt(f"{words}; it must be an estimate for the side to move")

    def _ranges(self) -> Iterator[tuple[Any, str, str]]:
        game = self.game
        estimate, result, stuck, drawn = (note.value for note in self.notes)
        rows = [note.behind for note in self.notes]
        if "chance" not in game.has and estimate > LIMIT:
            s = game.layout.read(rows[0])
            yield s, "evaluate", f"`evaluate` gives {game.evaluate(s)}; it must be an int from -{LIMIT} to {LIMIT}"
        if stuck:
            yield game.layout.read(rows[2]), "moves", NO_MOVE
        if drawn and "safe" in game.has:
            s = game.layout.read(rows[3])
            left = game.rules["remaining"](s)
            if left != 0:
                yield s, "remaining", f"`remaining` gives {left} for a drawn game; with `safe` it must be exact"
        if result > (game.margin or 1) and (game.margin or "chance" not in game.has):
            s = game.layout.read(rows[1])
            size = f"MARGIN = {game.margin}" if game.margin else "1 (set MARGIN)"
            yield s, "result", f"`result` gives {game.result(s)}, larger than {size}"


def trust(pairs: Sequence[tuple[float, float]]) -> float:
    """Return the rank correlation of estimates and values, in standard errors above zero; 0 if the sample is too small."""
    if len(pairs) < FEWEST or len({x for x, _ in pairs}) < 2 or len({y for _, y in pairs}) < 2:
        return 0.0
    one, other = _ranks([x for x, _ in pairs]), _ranks([y for _, y in pairs])
    middle = (len(pairs) - 1) / 2
    top = sum((a - middle) * (b - middle) for a, b in zip(one, other, strict=True))
    size = math.sqrt(sum((a - middle) ** 2 for a in one) * sum((b - middle) ** 2 for b in other))
    r = top / size
    return r * math.sqrt((len(pairs) - 2) / max(1e-9, 1 - r * r))


def _ranks(values: Sequence[float]) -> list[float]:
    """Return the rank of each value; equal values share their mean rank."""
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0.0] * len(values)
    at = 0
    while at < len(order):
        end = at
        while end < len(order) and values[order[end]] == values[order[at]]:
            end += 1
        for i in order[at:end]:
            ranks[i] = (at + end - 1) / 2
        at = end
    return ranks
