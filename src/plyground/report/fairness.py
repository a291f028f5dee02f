"""Where the start is unfair: first moves after which the game is balanced, and what a pie rule or a handicap would do."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

from plyground import score as scores
from plyground.engine.engine import Engine
from plyground.play.limit import Limit
from plyground.report.samples import Interval
from plyground.report.value import Value
from plyground.rules.game import Game

NODES = 100_000
"""For a first move: five times what the players of the games search for theirs."""
PLAYED = 3
"""How many of the most balanced first moves are tried in games."""
MOST = 60
"""With more first moves than this, only these many are searched, in the order of the rules."""


class FirstMove(NamedTuple):
    """A first move, and what is known about the game after it, for the first side."""

    move: str
    score: float | None
    """By the search, in the units of the game's evaluation; None if the value is proven instead."""
    value: int | None
    """Proven: points, or 1, 0 or -1."""
    games: int = 0
    first: Interval | None = None
    """The share of the points that the first side gets in games from here, at the highest strength."""


def openings(
    game: Game, known: Value, seed: int, seconds: float | None, on_move: Callable[[int], None] = lambda done: None
) -> list[FirstMove]:
    """Return the first moves, the most balanced one first; of symmetric ones, one."""
    s = game.start()
    engine = Engine(game, memory=32, seed=seed)
    until = None if seconds is None else time.monotonic() + seconds
    found: list[FirstMove] = []
    seen: set[Any] = set()
    for m in game.legal(s)[:MOST]:
        child = game.child(s, m)
        after = game.identity(game.canonical(child))
        text = game.format_move(s, m)
        if after in seen or (until is not None and time.monotonic() > until):
            continue
        seen.add(after)
        value = known.moves.get(text)
        if value is None and game.result(child) is None:
            worth = engine.analyse(child, Limit(nodes=NODES), history=[s]).score
            found.append(_searched(text, -worth if game.changes_turn(s, child) else worth))
        elif value is not None:
            found.append(FirstMove(text, None, value))
        on_move(len(found))
    return sorted(found, key=_unbalanced)


def _searched(text: str, worth: float) -> FirstMove:
    """Return a first move with what the search says about it: a score, or a proof."""
    if isinstance(worth, int) and scores.proven(worth):
        by = scores.margin(worth)
        return FirstMove(text, None, (1 if worth > 0 else -1) if by is None else by)
    return FirstMove(text, worth, None)


def _unbalanced(opening: FirstMove) -> tuple[bool, float]:
    """Return how far from balanced: a proven draw comes first, then estimates, then proven wins and losses."""
    if opening.value is not None:
        return opening.value != 0, abs(opening.value)
    return False, abs(opening.score or 0)


def worth_playing(found: list[FirstMove]) -> list[FirstMove]:
    """Return the openings to try in games: the most balanced ones that may be fair."""
    return [opening for opening in found if may_be_fair(opening)][:PLAYED]


def may_be_fair(opening: FirstMove) -> bool:
    """Return whether no side is proven to win after this move."""
    return opening.value in (None, 0)
