"""What the compiled rules say of one state, asked with every index checked: the twin of `inspect`."""

from __future__ import annotations

import random
from typing import Any

from plyground.check.inspect import FOR_SOLVER, Seen, solver_hooks
from plyground.errors import PlygroundError
from plyground.rules.game import Game

BETAS = (-1, 0, 1, 2)
"""What `finish` is asked; with margins, multiples of it."""
POSITIONS = 100
"""How many positions of an ending are compared."""


class CompiledRules:
    """The compiled rules of a game."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        from plyground.compile import vocabulary as rules
        from plyground.compile.native import Native
        from plyground.search import probe

        self.game, self.going = game, rules.GOING
        self.random = random.Random(seed)
        self.native = Native(game, boundscheck=True)
        self.call = self.native.bind(probe.probe, "int64(uint64, uint64, uint64, int64)", "check")
        self.head, self.entry, self.room = probe.HEAD, probe.ENTRY, 256
        self.hooks_head, self.hooks_entry = probe.HOOKS_HEAD, probe.HOOKS_ENTRY
        self.room_for_positions = POSITIONS
        self.ask: Any = None
        if FOR_SOLVER & game.has or game.key_bits:
            self.ask = self.native.bind(probe.hooks, "int64(uint64, uint64, uint64, int64, int64)", "check")

    def inspect(self, s: Any, tried: list[int]) -> Seen:
        """What the compiled rules say of s, and of some of its moves."""
        import numpy as np

        game, layout, words = self.game, self.game.layout, self.game.layout.words
        row = layout.pack(s)
        before = row.copy()
        while True:
            head = np.zeros(self.head + 2 * words, np.uint64)
            entries = np.zeros((self.room, self.entry + words), np.uint64)
            n = self.call(row.ctypes.data, head.ctypes.data, entries.ctypes.data, self.room)
            needed = max(n, int(head[7]), int(head[9]), int(head[10]), int(head[12]))
            if needed <= self.room:
                break
            self.room = 2 * needed
        if row.tobytes() != before.tobytes():
            raise PlygroundError("compiled `undo` does not restore the state that `play` changed")
        numbers, reals = head.view(np.int64), head.view(np.float64)
        seen = Seen(s, None if numbers[0] == self.going else int(numbers[0]), int(head[1]), int(numbers[2]))
        seen.canonical = layout.unpack(head[self.head : self.head + words])
        seen.chance = bool(head[5])
        seen.moves = entries[:n, 0].view(np.int64).tolist()
        seen.tried = [i for i in tried if i < n]
        seen.children = [layout.unpack(entries[i, self.entry :]) for i in seen.tried]
        if seen.result is not None or seen.chance:
            seen.weights = entries[:n, 1].view(np.float64).tolist()
            return seen
        seen.order = [int(entries[i, 1].view(np.int64)) for i in seen.tried]
        seen.loud = [bool(entries[i, 2]) for i in seen.tried]
        seen.evaluate, seen.forced = float(reals[3]), bool(head[4])
        seen.stuck = int(numbers[6]) if n == 0 and "stuck" in game.has else None
        seen.replies = entries[: int(head[7]), 3].view(np.int64).tolist()
        seen.threats = entries[: int(head[9]), 4].view(np.int64).tolist()
        seen.label = entries[: int(head[10]), 5].tolist()
        seen.likely = entries[: int(head[12]), 6].view(np.int64).tolist()
        seen.countdown = int(numbers[13])
        seen.pack = int(head[11])
        seen.passes = layout.unpack(head[self.head + words :]) if head[8] else None
        return seen

    def inspect_for_solver(self, plain: Seen, compiled: Seen) -> None:
        """Asks the hooks for solver and tables, interpreted and compiled, and adds what they say to both."""
        import numpy as np

        if self.ask is None:
            return
        game, layout = self.game, self.game.layout
        beta = self.random.choice(BETAS) * max(1, game.margin // 8)
        row = layout.pack(plain.s)
        head = np.zeros(self.hooks_head + layout.words, np.uint64)
        room = max(len(plain.moves), 1)
        entries = np.zeros((room, self.hooks_entry), np.uint64)
        self.ask(row.ctypes.data, head.ctypes.data, entries.ctypes.data, room, beta)
        numbers, calm = head.view(np.int64), bool(head[0])
        solver_hooks(game, plain, calm, beta, int(numbers[8]))
        values = {
            "code": int(head[1]), "banked": int(numbers[2]), "bounds": (int(numbers[3]), int(numbers[4])),
            "remaining": int(numbers[5]), "pressure": int(numbers[6]), "finish": (int(numbers[7]), int(numbers[8])),
        }  # fmt: skip
        compiled.hooks = {name: values[name] for name in plain.hooks if name in values}
        if "unpack" in plain.hooks:
            compiled.hooks["unpack"] = layout.unpack(head[self.hooks_head :])
        if "safe" in plain.hooks:
            count = int(head[9])
            compiled.hooks["safe"] = entries[:count, 2].view(np.int64).tolist() if count <= room else f"{count} moves"
        compiled.spot = [int(entries[i, 0].view(np.int64)) for i in plain.tried] if plain.spot else []
        compiled.promise = [int(entries[i, 1].view(np.int64)) for i in plain.tried] if plain.promise else []

    def positions(self, ending: int) -> list[Any]:
        """The first positions of an ending, by the compiled rules."""
        import numpy as np

        from plyground.search import probe

        layout = self.game.layout
        rows = np.zeros((POSITIONS, layout.words), np.uint64)
        call = self.native.bind(probe.some_positions, "int64(int64, uint64, int64)", "check")
        n = call(ending, rows.ctypes.data, POSITIONS)
        return [layout.unpack(rows[i]) for i in range(n)]
