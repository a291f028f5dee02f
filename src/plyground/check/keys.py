"""Checks that `key` and `label` distinguish exactly what they must.

States that share a key share a table entry and count as a repetition, so they must have the same moves and results: this is
checked when two states of random games share a key, and by changing one field of a state. In games with REPETITION, a position
that comes back after four plies must have its old key.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from plyground.bits import MASK
from plyground.check.inspection import RuleAnswers
from plyground.check.promises import PossibleProblem
from plyground.errors import PlygroundError
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.system.patience import patience

if TYPE_CHECKING:
    from plyground.check.inspection import CompiledRules

CHANGED = 60
"""The number of states that are checked with a changed field."""
WAYS = 4
"""The number of changes to each field of a state."""
MAX_RETURN_SEARCHES = 200
"""The number of states searched for a way to come back after four plies."""
MOST = 64
"""The number of moves tried to find different results after the same move."""
Fault = tuple[str, str]


class KeyCheck:
    """The keys of one game, and the states that share them."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.random = random.Random(seed)
        self.keys: dict[int, RuleAnswers] = {}
        self.labels: dict[tuple[int, ...], RuleAnswers] = {}
        self.walks = MAX_RETURN_SEARCHES if game.repetition and not game.has & {"chance", "undo"} else 0
        self.call: Callable[..., int] | None = None
        self.came_back = 0
        self.other_keys: list[tuple[RuleAnswers, str]] = []

    def compare_with_known(self, seen: RuleAnswers) -> Iterator[Fault]:
        """Yield what differs between this state and another with the same key or label."""
        if len(self.keys) > 100_000:
            self.keys.clear()
            self.labels.clear()
        other = self.keys.setdefault(seen.key & MASK, seen)
        if "key" in self.game.has and (what := self._differ(other, seen)):
            yield "key", f"`key` is the same for this state and for {self.game.format_state(other.s)}, but {what} differ"
        if seen.label:
            other = self.labels.setdefault(tuple(seen.label), seen)
            if what := self._differ(other, seen):
                yield "label", f"`label` is the same for this state and for {self.game.format_state(other.s)}, but {what} differ"

    def _differ(self, one: RuleAnswers, other: RuleAnswers) -> str | None:
        """Return the difference of two states with the same key; with `countdown`, a counter may have ended one of them only."""
        if one is other or self.game.identity(one.s) == self.game.identity(other.s):
            return None
        if self.game.repetition and one.turn != other.turn:
            return "turns"
        if one.result is not None and other.result is not None:
            return "results" if one.result != other.result else None
        if one.result is not None or other.result is not None:
            return "results" if "countdown" not in self.game.has else None
        if one.chance != other.chance or sorted(one.moves) != sorted(other.moves):
            return "moves"
        return None if one.chance else self._results_after(one, other)

    def _results_after(self, one: RuleAnswers, other: RuleAnswers) -> str | None:
        for m in one.moves[:MOST]:
            a, b = (self.game.quick_result(self.game.child(x.s, m)) for x in (one, other))
            if a != b and (a or b):
                return f"results after {self.game.format_move(one.s, m)}"
        return None

    # -- one field changed -----------------------------------------------------------------------------------------------

    def change(self, met: Sequence[RuleAnswers]) -> Iterator[tuple[RuleAnswers, str, str]]:
        """Yield warnings about fields that matter to the rules but do not change `key` or `label`."""
        if not self.game.has & {"key", "label"} or self.game.layout.arrays:
            return
        reported: set[tuple[str, str]] = set()
        for seen in self.random.sample(met, min(CHANGED, len(met))):
            if self._keeps_its_hash(seen):
                return
            for field, s in self._variants(seen, met):
                try:
                    with patience(self.game.where, 2):
                        found = list(self._insensitive_keys(seen, s))
                except PlygroundError:
                    return  # rules may fail on a state that no game reaches
                except Exception:
                    continue
                for name, what in found:
                    if (name, field) not in reported:
                        reported.add((name, field))
                        words = f"`{name}` does not change with `{field}`, but {what}; compare this state with"
                        yield seen, name, PossibleProblem(f"{words} {self.game.format_state(s)}")

    def _insensitive_keys(self, seen: RuleAnswers, s: State) -> Iterator[Fault]:
        """Yield those of `key` and `label` that stay the same for a changed state, and what differs."""
        game = self.game
        same = []
        if "key" in game.has and game.key(s) & MASK == seen.key & MASK:
            same.append("key")
        if seen.label and [int(x) & MASK for x in game.rules["label"](s)] == seen.label:
            same.append("label")
        if not same:
            return
        turn = game.rules["turn"](s) if "turn" in game.has else 0
        other = RuleAnswers(s, game.quick_result(s), seen.key, turn)
        other.chance = game.is_chance(s)
        if other.result is None and not other.chance:
            other.moves = list(game.moves(s))
        what = self._differ(seen, other)
        both_go_on = seen.result is None and other.result is None and not other.chance
        if what is None and both_go_on and game.evaluate(s) != seen.evaluate:
            what = "estimates"
        if what:
            for name in same:
                yield name, f"{what} do"

    def _variants(self, seen: RuleAnswers, met: Sequence[RuleAnswers]) -> Iterator[tuple[str, Any]]:
        """Yield the state with one field changed to a value from another state or in one bit, read back from text if possible."""
        game = self.game
        for i, f in enumerate(game.layout.fields):
            for way in range(WAYS):
                other = self.random.choice(met).s[i]
                value = self._item(seen.s[i], other) if f.shape else self._number(seen.s[i], other, way)
                if value == seen.s[i]:
                    continue
                try:
                    s = game.State(*(value if j == i else x for j, x in enumerate(seen.s)))
                    if {"format_state", "parse_state"} <= game.has:
                        s = game.parse_state(game.format_state(s))
                except Exception:
                    continue
                if game.layout.fault(s) is None and game.identity(s) != game.identity(seen.s):
                    yield f.name, s

    def _number(self, value: int, other: int, way: int) -> int:
        if way % 2 == 0 or other < 256:
            return other
        bits = [b for b in range(64) if (other | value) >> b & 1]
        return value ^ 1 << self.random.choice(bits)

    def _item(self, value: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
        place = self.random.randrange(len(value)) if value else 0
        return (*value[:place], *other[place : place + 1], *value[place + 1 :])

    def _keeps_its_hash(self, seen: RuleAnswers) -> bool:
        """Return whether the state contains its own key, which would not match a changed field."""
        if {"format_state", "parse_state"} <= self.game.has:
            return False
        return any(isinstance(x, int) and x & MASK > 1 << 32 and x & MASK == seen.key & MASK for x in seen.s)

    # -- a position that comes back ------------------------------------------------------------------------------------------

    def find_returns(self, seen: RuleAnswers, rules: CompiledRules) -> None:
        """Find positions that come back after four plies, with the old key or a different one."""
        import numpy as np

        from plyground.kernels.tools import playout

        game = self.game
        if not self.walks or seen.result is not None or not seen.moves:
            return
        self.walks -= 1
        if self.call is None:
            self.call = rules.native.bind(playout.count_returns, "int64(uint64, int64, int64, uint64, uint64)", "check")
        row = game.layout.row(seen.s)
        work, again = (np.zeros(max(1, game.layout.words), np.uint64) for _ in range(2))
        for m in self.random.sample(seen.moves, min(3, len(seen.moves))):
            replies = game.legal(game.child(seen.s, m))
            for r in self.random.sample(replies, min(3, len(replies))):
                if self.call(row.ctypes.data, m, r, work.ctypes.data, again.ctypes.data):
                    s = game.layout.read(again)
                    if game.key(s) & MASK == seen.key & MASK:
                        self.came_back += 1
                    else:
                        self.other_keys.append((seen, game.format_state(s)))

    def counters(self) -> Iterator[tuple[RuleAnswers, str, str]]:
        """Yield a warning if positions came back, but never with their old key."""
        if self.other_keys and not self.came_back:
            seen, text = self.other_keys[0]
            words = f"`key` never repeats, so REPETITION = {self.game.repetition} has no effect: after four plies this state "
            yield seen, "key", PossibleProblem(f"{words}comes back as {text} with a different key; leave counters out of `key`")
