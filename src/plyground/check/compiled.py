"""Calls every compiled rule on one state, with bounds checks: the twin of `inspect`."""

from __future__ import annotations

import random
from typing import Any

from plyground.check.seen import FOR_SOLVER, Seen, solver_hooks
from plyground.errors import PlygroundError
from plyground.rules.game import Game
from plyground.rules.hooks import State

BETAS = (-1, 0, 1, 2)
"""Values of beta for `finish`; with margins, multiples of these."""
POSITIONS = 100
"""How many positions of an ending are compared."""


class CompiledRules:
    """The compiled rules of a game."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        from plyground.compile import vocabulary as rules
        from plyground.compile.native import Native
        from plyground.kernels.tools import rule_answers

        self.game, self.going = game, rules.GOING
        self.random = random.Random(seed)
        self.native = Native(game, boundscheck=True)
        self.call = self.native.bind(rule_answers.inspect, "int64(uint64, uint64, uint64, uint64, int64)", "check")
        self.records, self.room = rule_answers, 256
        self.room_for_positions = POSITIONS
        self.ask: Any = None
        if FOR_SOLVER & game.has or game.key_bits:
            self.ask = self.native.bind(rule_answers.hooks, "int64(uint64, uint64, uint64, uint64, int64, int64)", "check")

    def inspect(self, s: State, tried: list[int]) -> Seen:
        """Return what the compiled rules say about s and some of its moves."""
        import numpy as np

        game, layout, words = self.game, self.game.layout, self.game.layout.words
        row = layout.row(s)
        before = row.copy()
        while True:
            head = self.records.InspectedState(2 * words)
            entries = np.zeros((self.room, self.records.Move.size // 8 + words), np.uint64)
            rows = np.zeros((6, self.room), np.int64)
            n = self.call(row.ctypes.data, head.address, entries.ctypes.data, rows.ctypes.data, self.room)
            needed = max(n, head.replies, head.threats, head.label, head.likely, head.cells, head.touch)
            if needed <= self.room:
                break
            self.room = 2 * needed
        if row.tobytes() != before.tobytes():
            raise PlygroundError("compiled `undo` does not restore the state that `play` changed")
        moves = [self.records.Move.within(entry) for entry in entries[:n]]
        seen = Seen(s, None if head.verdict == self.going else head.verdict, head.key, head.turn)
        seen.canonical = layout.read(head.behind[:words])
        seen.chance, seen.cells = bool(head.chance), rows[4, : head.cells].tolist()
        seen.moves = [m.move for m in moves]
        seen.tried = [i for i in tried if i < n]
        seen.children = [layout.read(moves[i].behind) for i in seen.tried]
        if seen.result is not None or seen.chance:
            seen.weights = [m.weight for m in moves]
            return seen
        seen.order = [moves[i].order for i in seen.tried]
        seen.loud = [bool(moves[i].loud) for i in seen.tried]
        seen.evaluate, seen.forced = head.evaluate, bool(head.forced)
        seen.stuck = head.stuck if n == 0 and "stuck" in game.has else None
        seen.replies, seen.threats = rows[0, : head.replies].tolist(), rows[1, : head.threats].tolist()
        seen.label, seen.likely = rows[2, : head.label].view(np.uint64).tolist(), rows[3, : head.likely].tolist()
        seen.countdown, seen.pack = head.countdown, head.pack
        touches = _touches(rows[5, : head.touch].tolist())
        seen.touch = [touches[i] for i in seen.tried] if touches else []
        seen.passes = layout.read(head.behind[words:]) if head.passes else None
        return seen

    def inspect_for_solver(self, plain: Seen, compiled: Seen) -> None:
        """Call the hooks for the solver and tables, interpreted and compiled, and add their answers to both."""
        import numpy as np

        if self.ask is None:
            return
        game, layout = self.game, self.game.layout
        beta = self.random.choice(BETAS) * max(1, game.margin // 8)
        row = layout.row(plain.s)
        head = self.records.Hooks(layout.words)
        room = max(len(plain.moves), 1)
        entries = np.zeros((room, self.records.Hint.size // 8), np.uint64)
        safe = np.zeros(room, np.int64)
        self.ask(row.ctypes.data, head.address, entries.ctypes.data, safe.ctypes.data, room, beta)
        solver_hooks(game, plain, bool(head.calm), beta, head.nodes)
        values = {
            "code": head.code, "banked": head.banked, "bounds": (head.low, head.high),
            "remaining": head.remaining, "pressure": head.pressure, "finish": (head.value, head.nodes),
        }  # fmt: skip
        compiled.hooks = {name: values[name] for name in plain.hooks if name in values}
        if "unpack" in plain.hooks:
            compiled.hooks["unpack"] = layout.read(head.behind)
        if "safe" in plain.hooks:
            compiled.hooks["safe"] = safe[: head.safe].tolist() if head.safe <= room else f"{head.safe} moves"
        hints = [self.records.Hint.within(entries[i]) for i in plain.tried]
        compiled.spot = [hint.spot for hint in hints] if plain.spot else []
        compiled.promise = [hint.promise for hint in hints] if plain.promise else []

    def positions(self, ending: int) -> list[Any]:
        """Return the first positions of an ending, from the compiled rules."""
        import numpy as np

        from plyground.kernels.tools import rule_answers

        layout = self.game.layout
        rows = np.zeros((POSITIONS, layout.words), np.uint64)
        call = self.native.bind(rule_answers.some_positions, "int64(int64, uint64, int64)", "check")
        n = call(ending, rows.ctypes.data, POSITIONS)
        return [layout.read(rows[i]) for i in range(n)]


def _touches(row: list[int]) -> list[list[int]]:
    """Return the cells that each move touches, from a row in which they follow their number."""
    found, at = [], 0
    while at < len(row):
        found.append(row[at + 1 : at + 1 + row[at]])
        at += 1 + row[at]
    return found
