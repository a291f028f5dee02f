"""Checks that need random games or small searches with the compiled rules.

`Playouts` plays thousands of random games: `evaluate` must have the right sign, and everything must be in range. `ForcingCheck`
compares `replies` and `threats` with small searches: they must not leave out moves that matter.

An estimate is for the side to move. The most common mistake is an estimate from a fixed side's view, or with the wrong sign: then
states with large estimates do worse in random games than those with small ones, with one side to move or with both.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from typing import Any

from plyground.check.inspection import CompiledRules, RuleAnswers, move_name
from plyground.check.promises import NO_MOVE, PossibleProblem
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.score import LIMIT

STATES, GAMES = 480, 16
"""The number of sampled states, and of random games from each."""
MAX_PLIES = 400
MIN_SAMPLE = 20
"""The smallest sample for a meaningful correlation."""
SURE = 4.0
"""A correlation must be this many standard errors below zero for a warning."""


class Playouts:
    """Random games of one game from given states."""

    def __init__(self, rules: CompiledRules, seed: int) -> None:
        import numpy as np

        from plyground.kernels.tools import playout

        self.game: Game = rules.game
        self.random = random.Random(seed)
        self.call = rules.native.bind(playout.playouts, "int64(uint64, uint64, uint64, int64, int64)", "check")
        words = self.game.layout.words
        self.games = playout.PlayoutStatistics(4 * (words + 1))
        self.games.random = seed * 2 + 0x9E3779B97F4A7C15
        self.notes = [playout.ExtremeState.from_words(row) for row in self.games.extra_words.reshape(4, -1)]
        self.work = np.zeros(max(words, 1), np.uint64)

    def value(self, s: State) -> float | None:
        """Return wins minus losses of the side to move as a fraction of the games; None if too few of them end."""
        games = self.games
        games.won = games.lost = 0
        row = self.game.layout.row(s)
        ended = self.call(row.ctypes.data, self.work.ctypes.data, games.address, GAMES, MAX_PLIES)
        return (games.won - games.lost) / ended if ended * 4 >= GAMES else None

    def problems(self, met: Sequence[RuleAnswers]) -> Iterator[tuple[State, str, str]]:
        """Yield what is wrong, or probably wrong, each with a state."""
        game = self.game
        states = [seen for seen in met if seen.result is None and not seen.chance]
        sample = self.random.sample(states, min(STATES, len(states)))
        found = [(seen, self.value(seen.s)) for seen in sample]
        if "evaluate" in game.has and len(game.sides) == 2:
            yield from self._signs([(seen, value) for seen, value in found if value is not None])
        yield from self._ranges()

    def _signs(self, found: Sequence[tuple[RuleAnswers, float]]) -> Iterator[tuple[Any, str, str]]:
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
        yield seen.s, "evaluate", PossibleProblem(f"{words}; it must be an estimate for the side to move")

    def _ranges(self) -> Iterator[tuple[Any, str, str]]:
        game = self.game
        estimate, result, stuck, drawn = (note.value for note in self.notes)
        rows = [note.extra_words for note in self.notes]
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
    if len(pairs) < MIN_SAMPLE or len({x for x, _ in pairs}) < 2 or len({y for _, y in pairs}) < 2:
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


# -- `replies` and `threats` -------------------------------------------------------------------------------------------------

NODES = 5000
"""Node limit for one small search."""
DEPTH = 4
EXACT = 60
"""A depth that no small search reaches."""
TRIED = 10
"""The number of moves searched that `replies` leaves out."""
THREATS = 40
"""The number of moves searched that `threats` leaves out."""
ANSWERS = 3
FORCING_STATES = 60
"""The number of states checked for each of the two."""


class ForcingCheck:
    """Small searches in one game."""

    def __init__(self, rules: CompiledRules, seed: int) -> None:
        from plyground.kernels.tools import playout

        self.game: Game = rules.game
        self.random = random.Random(seed)
        self.memory = playout.LookaheadMemory()
        self.call = rules.native.bind(playout.look_ahead_from, "int64(uint64, int64, uint64)", "check")

    def look_ahead(self, s: State, depth: int) -> tuple[int, bool]:
        """Return 1 for a win within `depth` plies, -1 for a loss, 0 for neither; and whether the search was complete.

        Immediate wins are searched first: a deep search of many moves runs out of nodes before it reaches them.
        """
        value = self._search(s, 1) if depth > 1 else 0
        if value < 1:
            value = self._search(s, depth)
        return value, value != 0 or (self.memory.nodes > 0 and (depth < EXACT - 1 or not self.memory.cut))

    def _search(self, s: State, depth: int) -> int:
        self.memory.nodes, self.memory.cut = NODES, 0
        row = self.game.layout.row(s)
        return int(self.call(row.ctypes.data, depth, self.memory.address))

    def after(self, s: State, m: int, depth: int) -> tuple[int, bool]:
        """Return the outlook after m, for the side to move in s."""
        child = self.game.child(s, m)
        value, complete = self.look_ahead(child, depth - 1)
        return (-value if self.game.changes_turn(s, child) else value), complete

    def problems(self, met: Sequence[RuleAnswers]) -> Iterator[tuple[State, str, str]]:
        """Yield what is wrong, or probably wrong, each with a state."""
        states = [seen for seen in met if seen.result is None and not seen.chance]
        for name, search in (("replies", self._replies), ("threats", self._threats)):
            if name in self.game.has:
                asked = [seen for seen in states if getattr(seen, name) or name == "threats"]
                for seen in self.random.sample(asked, min(FORCING_STATES, len(asked))):
                    for message in search(seen):
                        yield seen.s, name, message

    def _replies(self, seen: RuleAnswers) -> Iterator[str]:
        """Check that leaving moves out does not change who wins."""
        kept = set(seen.replies)
        out = [m for m in seen.moves if m not in kept]
        for depth in (EXACT, DEPTH, DEPTH - 1, 2):
            best = [self.after(seen.s, m, depth) for m in seen.replies]
            if all(complete for _, complete in best):
                break
        else:
            return
        top = max(value for value, _ in best)
        if top == 1:
            return
        sure = depth == EXACT
        if top == -1:
            out = [m for m in out if self.after(seen.s, m, 2)[0] >= 0]  # those that do not lose at once
        for m in self.random.sample(out, min(TRIED, len(out))):
            value, complete = self.after(seen.s, m, depth)
            if value > top:
                words = f"`replies` leaves out {move_name(self.game, seen.s, m)}, which"
                what = "wins" if value == 1 else "does not lose"
                others = "lose" if top == -1 else "do not win" if sure else f"do not win within {depth} plies"
                yield (
                    f"{words} {what} while the others {others}"
                    if sure and complete
                    else PossibleProblem(f"{words} {what if value == 1 else 'may avoid a loss'} while the others {others}")
                )
                return

    def _threats(self, seen: RuleAnswers) -> Iterator[str]:
        """Check that no move is left out that threatens to win at once, unless a side already threatens to win."""
        game, s = self.game, seen.s
        if seen.replies or self.look_ahead(s, 1)[0] == 1:
            return
        known = set(seen.threats)
        out = [m for m in seen.likely or seen.moves if m not in known]
        for m in self.random.sample(out, min(THREATS, len(out))):
            child = game.child(s, m)
            if game.result(child) is not None or self.look_ahead(child, 1)[0] == 1:
                continue
            answers = game.legal(child)
            if len(answers) >= ANSWERS and all(self._wins(child, r) for r in self.random.sample(answers, ANSWERS)):
                yield PossibleProblem(f"`threats` leaves out {move_name(game, s, m)}, which threatens to win at once")
                return

    def _wins(self, s: State, m: int) -> bool:
        """Return whether the other side can win at once after m."""
        child = self.game.child(s, m)
        return self.game.result(child) is None and self.look_ahead(child, 1)[0] == 1
