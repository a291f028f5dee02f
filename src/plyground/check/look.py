"""What the rules say of one state: `look` asks the plain ones, `Probe` the compiled ones."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from plyground.bits import MASK
from plyground.errors import PlygroundError
from plyground.game import Game

TRIED = 16
"""How many of a state's moves are tried, picked at random where there are more."""


@dataclass
class Look:
    """What the rules say of one state."""

    s: Any
    result: Any = None
    key: int = 0
    turn: int = 0
    canonical: Any = None
    chance: bool = False
    moves: list[Any] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)
    tried: list[int] = field(default_factory=list)  # which of the moves, by their place, the next three are about
    children: list[Any] = field(default_factory=list)
    order: list[int] = field(default_factory=list)
    loud: list[bool] = field(default_factory=list)
    evaluate: float = 0
    forced: bool = False
    stuck: int | None = None
    replies: list[int] = field(default_factory=list)
    threats: list[int] = field(default_factory=list)
    likely: list[int] = field(default_factory=list)
    label: list[int] = field(default_factory=list)
    word: int = 0
    passes: Any = None


def look(game: Game, s: Any, dice: random.Random) -> Look:
    """What the interpreted rules say of s."""
    seen = Look(s, game.quick_result(s), game.key(s), game.turn(s) or 0, game.canonical(s))
    if seen.result is not None:
        return seen
    if "chance" in game.has:
        weighted = list(game.rules["chance"](s))
        seen.chance, seen.moves, seen.weights = bool(weighted), [m for m, _ in weighted], [w for _, w in weighted]
    if not seen.chance:
        seen.moves = list(game.moves(s))
        _look_for_player(game, s, seen)
    seen.tried = sorted(dice.sample(range(len(seen.moves)), min(TRIED, len(seen.moves))))
    for i in seen.tried:
        seen.children.append(game.play(s, seen.moves[i]))
        if not seen.chance:
            seen.order.append(game.order(s, seen.moves[i]))
            seen.loud.append(bool(game.loud(s, seen.moves[i])))
    return seen


def _look_for_player(game: Game, s: Any, seen: Look) -> None:
    rules = game.rules
    seen.evaluate = game.evaluate(s)
    seen.forced = bool(rules["forced"](s)) if "forced" in rules else False
    if not seen.moves and "stuck" in game.has:
        seen.stuck = rules["stuck"](s)
    seen.replies = list(rules["replies"](s)) if "replies" in rules else []
    seen.threats = list(rules["threats"](s)) if "threats" in rules else []
    seen.likely = list(rules["likely"](s)) if "likely" in rules else []
    seen.label = [int(x) & MASK for x in rules["label"](s)] if "label" in rules else []
    seen.word = int(rules["pack"](s)) & MASK if "pack" in rules else 0
    if "passes" in rules and ("may_pass" not in rules or rules["may_pass"](s)):
        seen.passes = rules["passes"](s)


class Probe:
    """The compiled rules with every index checked, asked the same."""

    def __init__(self, game: Game) -> None:
        from plyground.compile import Native
        from plyground.search import probe, rules

        self.game, self.going = game, rules.GOING
        self.call = Native(game, boundscheck=True).bind(probe.probe, "int64(uint64, uint64, uint64, int64)", "check")
        self.head, self.entry, self.room = probe.HEAD, probe.ENTRY, 256

    def look(self, s: Any, tried: list[int]) -> Look:
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
        seen = Look(s, None if numbers[0] == self.going else int(numbers[0]), int(head[1]), int(numbers[2]))
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
        seen.word = int(head[11])
        seen.passes = layout.unpack(head[self.head + words :]) if head[8] else None
        return seen


def tried_moves(seen: Look) -> list[tuple[int, Any]]:
    """The moves that were tried, each with the state after it."""
    return [(seen.moves[i], child) for i, child in zip(seen.tried, seen.children, strict=True)]


def move_name(game: Game, s: Any, m: Any) -> str:
    try:
        return game.format_move(s, m)
    except Exception:
        return f"#{m}"
