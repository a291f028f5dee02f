"""Do `replies` and `threats` leave out moves that matter? Compares them with small searches by the compiled rules."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from plyground.check.compiled import CompiledRules
from plyground.check.promises import Doubt
from plyground.check.seen import Seen, move_name
from plyground.rules.game import Game
from plyground.rules.hooks import State

NODES = 5000
"""Node limit for one small search."""
DEPTH = 4
EXACT = 60
"""A depth that no small search reaches."""
TRIED = 10
"""How many of the moves that `replies` leaves out are searched."""
THREATS = 40
"""How many of those that `threats` leaves out."""
ANSWERS = 3
STATES = 60
"""How many states are checked for each of the two."""


class Forcing:
    """Small searches in one game."""

    def __init__(self, rules: CompiledRules, seed: int) -> None:
        from plyground.kernels.tools import playout

        self.game: Game = rules.game
        self.random = random.Random(seed)
        self.memory = playout.Outlook()
        self.call = rules.native.bind(playout.outlook, "int64(uint64, int64, uint64)", "check")

    def outlook(self, s: State, depth: int) -> tuple[int, bool]:
        """1 for a win within `depth` plies, -1 for a loss, 0 for neither; and whether nothing was left out within that depth.

        Wins at once are looked for first: a deep search of many moves runs out of nodes before it comes to them.
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
        value, complete = self.outlook(child, depth - 1)
        return (-value if self.game.changes_turn(s, child) else value), complete

    def doubts(self, met: Sequence[Seen]) -> Iterator[tuple[Any, str, str]]:
        """Yield what is wrong, or probably wrong, each with a state."""
        states = [seen for seen in met if seen.result is None and not seen.chance]
        for name, search in (("replies", self._replies), ("threats", self._threats)):
            if name in self.game.has:
                asked = [seen for seen in states if getattr(seen, name) or name == "threats"]
                for seen in self.random.sample(asked, min(STATES, len(asked))):
                    for message in search(seen):
                        yield seen.s, name, message

    def _replies(self, seen: Seen) -> Iterator[str]:
        """Leaving moves out must not change who wins."""
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
                    else Doubt(f"{words} {what if value == 1 else 'may avoid a loss'} while the others {others}")
                )
                return

    def _threats(self, seen: Seen) -> Iterator[str]:
        """Check that no move is left out after which its side could win at once, unless a side already threatens to win."""
        game, s = self.game, seen.s
        if seen.replies or self.outlook(s, 1)[0] == 1:
            return
        known = set(seen.threats)
        out = [m for m in seen.likely or seen.moves if m not in known]
        for m in self.random.sample(out, min(THREATS, len(out))):
            child = game.child(s, m)
            if game.result(child) is not None or self.outlook(child, 1)[0] == 1:
                continue
            answers = game.legal(child)
            if len(answers) >= ANSWERS and all(self._wins(child, r) for r in self.random.sample(answers, ANSWERS)):
                yield Doubt(f"`threats` leaves out {move_name(game, s, m)}, which threatens to win at once")
                return

    def _wins(self, s: State, m: int) -> bool:
        """Return whether the other side can win at once after m."""
        child = self.game.child(s, m)
        return self.game.result(child) is None and self.outlook(child, 1)[0] == 1
