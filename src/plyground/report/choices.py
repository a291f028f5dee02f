"""What players can choose from: legal moves, forced sequences, moves that nobody makes, and who leads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from plyground import score as scores
from plyground.arena.messages import PlayedGame
from plyground.report import samples
from plyground.report.replay import Ply, Replay, leads, longest_run
from plyground.report.samples import Interval, Quantiles
from plyground.report.strengths import ENDLESS, for_first
from plyground.rules.game import Game

LONG_RUN = 4
"""From this many plies on, moves without a choice are a forced sequence."""
OFTEN = 20
"""A move that was legal less often than this may have gone unused by chance."""
MOST_PLIES = 120
"""How far the number of legal moves is followed through the game."""


class Choices(NamedTuple):
    """The moves at each ply of some games."""

    games: int
    positions: int
    plies: Quantiles | None
    """How many moves players make in a game."""
    legal: Quantiles | None
    """How many legal moves there are."""
    by_ply: list[float]
    """The mean of it at each ply that at least a quarter of the games reached."""
    forced: Interval
    """The share of positions with a single legal move."""
    longest: int
    """The longest sequence of plies with a single legal move."""
    sequences: Interval
    """The share of games with a sequence of at least LONG_RUN such plies."""


class Used(NamedTuple):
    """Which of the moves that were legal somewhere were made somewhere."""

    known: int
    """Different moves that were legal at least OFTEN times."""
    never: int
    """Those of them that nobody made."""
    examples: list[str]
    """A few of these."""
    by_cell: list[int]
    """How many moves led to each cell of the board; empty without a board."""


class Drama(NamedTuple):
    """How the lead changes hands, by the scores of the players."""

    games: int
    changes: Interval | None
    """Changes of lead per game; None if the rules have no `evaluate`, so that scores show no lead before the end is seen."""
    comebacks: Interval | None
    """The share of decided games whose winner was behind at some time."""
    decided: Interval | None
    """The mean share of a decided game that is still to play when its result is proven to the players."""


def choices(replays: Sequence[Replay]) -> Choices:
    """Return the choices in some games."""
    rows = [replay.choices for replay in replays]
    counts = [n for row in rows for n in row]
    by_ply = []
    for ply in range(MOST_PLIES):
        there = [row[ply] for row in rows if len(row) > ply]
        if not there or len(there) < len(rows) / 4:
            break
        by_ply.append(sum(there) / len(there))
    runs = [longest_run(row) for row in rows]
    return Choices(
        len(rows),
        len(counts),
        samples.quantiles([len(row) for row in rows]),
        samples.quantiles(counts),
        by_ply,
        samples.share(counts.count(1), len(counts)),
        max(runs, default=0),
        samples.share(sum(run >= LONG_RUN for run in runs), len(runs)),
    )


def used(game: Game, replays: Sequence[Replay]) -> Used:
    """Return which moves are made, and where on the board. Where a move is hardly ever legal twice, none is `known`."""
    legal, made, where = Counter[int](), Counter[int](), dict[int, Any]()
    by_cell = [0] * len(game.cells(game.start()))
    for replay in replays:
        for ply in replay.plies:
            legal.update(ply.legal)
            made[ply.move] += 1
            for m in ply.legal:
                where.setdefault(m, ply.s)
            for cell in _cells(game, ply):
                by_cell[cell] += 1
    known = [m for m, times in legal.items() if times >= OFTEN]
    if 2 * len(known) < len(legal):
        known = []
    never = [m for m in known if not made[m]]
    return Used(len(known), len(never), sorted({game.format_move(where[m], m) for m in never})[:12], by_cell)


def _cells(game: Game, ply: Ply) -> list[int]:
    """Return the cells of a move: where its piece lies afterwards, or all that a player touches if that is not one cell."""
    if game.board is None or game.board.count:  # where seeds are sown, the pit that was chosen counts
        return game.touch(ply.s, ply.move)
    before, after = game.cells(ply.s), game.cells(game.child(ply.s, ply.move))
    filled = [i for i, (old, new) in enumerate(zip(before, after, strict=True)) if new and new != old]
    return filled if len(filled) == 1 else game.touch(ply.s, ply.move)


def drama(game: Game, records: Sequence[PlayedGame], replays: Sequence[Replay]) -> Drama:
    """Return how the lead changes in these games, which are given as records and as replays."""
    has_estimates = "evaluate" in game.has
    changes: list[float] = []
    behind: list[bool] = []
    left: list[float] = []
    for record, replay in zip(records, replays, strict=True):
        seen = [ply.score for ply in replay.plies]
        if all(score is None for score in seen) or record.reason in ENDLESS:
            continue
        held = leads(seen)
        changes.append(max(0, len(held) - 1))
        winner = 2 * for_first(record) - 1
        if winner:
            behind.append(-winner in held)
            left.append(_after_proof(seen, winner) / len(seen))
    return Drama(
        len(changes),
        samples.mean(changes) if changes and has_estimates else None,
        samples.share(sum(behind), len(behind)) if behind and has_estimates else None,
        samples.score(left) if left else None,
    )


def _after_proof(seen: Sequence[float | None], winner: float) -> int:
    """Return how many plies at the end of a game had a proven score for the winner."""
    count = 0
    for score in reversed(seen):
        if score is None or isinstance(score, float) or not scores.proven(score) or score * winner < 0:
            break
        count += 1
    return count
