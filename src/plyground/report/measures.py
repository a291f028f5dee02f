"""What can be counted in played games: results, lengths, choices, moves never made, and changes of the lead."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from plyground import score as scores
from plyground.arena.messages import PlayedGame
from plyground.report import samples
from plyground.report.matchups import NODES, ManySidedGame
from plyground.report.samples import Interval, Quantiles
from plyground.rules.game import Game
from plyground.rules.hooks import State

ENDLESS_REASONS = ("repetition", "length")
"""The reasons for which games end that would otherwise go on."""


class LevelResults(NamedTuple):
    """The results of games of a level against itself."""

    level: int
    games: int
    different: int
    """The number of different games."""
    wins: int
    """Of the first side, like `draws` and `losses`."""
    draws: int
    losses: int
    first: Interval | None
    """The first side's share of the points; None in a solitaire."""
    drawn: Interval | None
    margin: Interval | None
    """The mean result for the first side, where results are points."""
    points: Quantiles | None
    """The results for the first side, where results are points."""
    results: dict[int, int]
    """The number of games by points; empty where results are not points."""
    plies: Quantiles | None
    lengths: dict[int, int]
    """The number of games by length."""
    endless: Interval
    by_length: int
    """Games that were stopped because they were too long; they have no points."""
    depth: float | None
    """The mean depth of the players' searches, in plies."""


class LadderStep(NamedTuple):
    """A stronger level against a weaker one."""

    strong: int
    weak: int
    games: int
    different: int
    score: Interval
    """The share of the points that the stronger one gets."""
    stopped: float
    """The share of searches that the limit of nodes stopped."""


def different(games: Sequence[PlayedGame]) -> int:
    """Return the number of different games: games are the same if the same players made the same moves."""
    return len({(record.side * (len(set(record.players)) - 1), tuple(record.moves)) for record in games})


def measure_level(game: Game, level: int, pairs: Sequence[Sequence[PlayedGame]]) -> LevelResults:
    """Measure the games of a level against itself."""
    games = [record for pair in pairs for record in pair]
    results = [for_first(record) for record in games]
    alone = len(game.sides) == 1
    counted = bool(game.margin) or alone or any(abs(record.points) > 1 for record in games)
    ended = [record for record in games if record.reason != "length"]
    points = [points_for_first(record, alone) for record in ended] if counted else []
    lengths = [plies_of(record) for record in games]
    endless = sum(record.reason in ENDLESS_REASONS for record in games)
    return LevelResults(
        level,
        len(games),
        different(games),
        wins=0 if alone else results.count(1.0),
        draws=0 if alone else results.count(0.5),
        losses=0 if alone else results.count(0.0),
        first=None if alone else samples.score(independent(game, pairs)),
        drawn=None if alone else samples.share(results.count(0.5), len(games)),
        margin=samples.mean(points) if points else None,
        points=samples.quantiles(points),
        results=dict(sorted(Counter(points).items())),
        plies=samples.quantiles(lengths),
        lengths=dict(sorted(Counter(lengths).items())),
        endless=samples.share(endless, len(games)),
        by_length=sum(record.reason == "length" for record in games),
        depth=depth(games),
    )


def measure_step(strong: int, weak: int, pairs: Sequence[Sequence[PlayedGame]]) -> LadderStep:
    """Measure the games of two levels against each other; both games of a pair together count as one."""
    games = [record for pair in pairs for record in pair]
    results = [sum(record.result for record in pair) / len(pair) for pair in pairs]
    return LadderStep(strong, weak, len(games), different(games), samples.score(results), stopped(games))


def independent(game: Game, pairs: Sequence[Sequence[PlayedGame]]) -> list[float]:
    """Return independent results of the first side: with chance, the mean of each pair, whose games have the same dice."""
    if "chance" in game.has:
        return [sum(map(for_first, pair)) / len(pair) for pair in pairs]
    return [for_first(record) for pair in pairs for record in pair]


def for_first(record: PlayedGame) -> float:
    """Return the result of a game for the first side: 1, 0.5 or 0."""
    return float(record.result if record.side == 0 else 1 - record.result)


def points_for_first(record: PlayedGame, alone: bool) -> int:
    """Return the result of a game in points, for the first side; in a solitaire, for the player."""
    return int(record.points if alone or record.side == 0 else -record.points)


def plies_of(record: PlayedGame) -> int:
    """Return the number of moves that players made after the opening; those of chance don't count."""
    return sum(depth is not None for depth in record.depths)


def depth(games: Sequence[PlayedGame]) -> float | None:
    """Return the mean depth of the players' searches; None if there were none."""
    found = [d for record in games for d in record.depths if d is not None]
    return sum(found) / len(found) if found else None


def stopped(games: Sequence[PlayedGame]) -> float:
    """Return the share of searches that the limit of nodes stopped before they reached the depth of the level."""
    found = [n >= NODES for record in games for n in record.nodes if n is not None]
    return sum(found) / len(found) if found else 0.0


class SideShare(NamedTuple):
    """How often a side wins in a game of three or more."""

    player: str
    side: str
    games: int
    share: Interval


def side_shares(game: Game, found: dict[str, list[ManySidedGame]]) -> list[SideShare]:
    """Measure how often each side wins, for each player."""
    return [
        SideShare(player, side, len(games), samples.share(sum(g.winner == n for g in games), len(games)))
        for player, games in found.items()
        for n, side in enumerate(game.sides)
    ]


# -- games played again ------------------------------------------------------------------------------------------------------


class Ply(NamedTuple):
    """A player's move: the state before it, the legal moves, and the score that the player saw, for the first side."""

    s: State
    side: int
    legal: tuple[int, ...]
    move: int
    score: float | None


@dataclass(frozen=True)
class Replay:
    """A recorded game played again; moves of chance are left out of `plies`, but all states are in `states`."""

    plies: list[Ply]
    states: Sequence[State]

    @property
    def choices(self) -> list[int]:
        """The number of legal moves at each ply."""
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
    """Return the sides that lead, one after another: 1 the first, -1 the second. A lead counts once two scores in a row agree.

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


# -- choices -----------------------------------------------------------------------------------------------------------------

LONG_RUN = 4
"""From this many plies on, moves without a choice are a forced sequence."""
MIN_OCCURRENCES = 20
"""A move that was legal less often than this may have gone unused by chance."""
FOLLOWED_PLIES = 120
"""The number of legal moves is followed through this many plies of the game."""


class Choices(NamedTuple):
    """The moves at each ply of some games."""

    games: int
    positions: int
    plies: Quantiles | None
    """The number of moves that players make in a game."""
    legal: Quantiles | None
    """The number of legal moves in a position."""
    by_ply: list[float]
    """The mean number of legal moves at each ply that at least a quarter of the games reached."""
    forced: Interval
    """The share of positions with a single legal move."""
    longest: int
    """The longest sequence of plies with a single legal move."""
    sequences: Interval
    """The share of games with a sequence of at least LONG_RUN such plies."""


class UsedMoves(NamedTuple):
    """Which moves are made: of those that were legal somewhere, and on which cells."""

    known: int
    """Different moves that were legal at least MIN_OCCURRENCES times."""
    never: int
    """Those of them that nobody made."""
    examples: list[str]
    """A few of these."""
    by_cell: list[int]
    """The number of moves to each cell of the board; empty without a board."""


class LeadChanges(NamedTuple):
    """How the lead changes hands, by the scores of the players."""

    games: int
    changes: Interval | None
    """Changes of lead per game; None if the rules have no `evaluate`, so that scores show no lead before the end is seen."""
    comebacks: Interval | None
    """The share of decided games whose winner was behind at some time."""
    decided: Interval | None
    """The mean share of a decided game that is still to play when its result is proven to the players."""


def measure_choices(replays: Sequence[Replay]) -> Choices:
    """Measure the choices in some games."""
    rows = [replay.choices for replay in replays]
    counts = [n for row in rows for n in row]
    by_ply = []
    for ply in range(FOLLOWED_PLIES):
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


def used_moves(game: Game, replays: Sequence[Replay]) -> UsedMoves:
    """Return which moves are made, and where on the board. Where a move is hardly ever legal twice, none is `known`."""
    legal, made, where = Counter[int](), Counter[int](), dict[int, State]()
    by_cell = [0] * len(game.cells(game.start()))
    for replay in replays:
        for ply in replay.plies:
            legal.update(ply.legal)
            made[ply.move] += 1
            for m in ply.legal:
                where.setdefault(m, ply.s)
            for cell in _cells(game, ply):
                by_cell[cell] += 1
    known = [m for m, times in legal.items() if times >= MIN_OCCURRENCES]
    if 2 * len(known) < len(legal):
        known = []
    never = [m for m in known if not made[m]]
    return UsedMoves(len(known), len(never), sorted({game.format_move(where[m], m) for m in never})[:12], by_cell)


def _cells(game: Game, ply: Ply) -> list[int]:
    """Return the cells of a move: where its piece lies afterwards, or all that a player touches if that is not one cell."""
    if game.board is None or game.board.count:  # where seeds are sown, the pit that was chosen counts
        return game.touch(ply.s, ply.move)
    before, after = game.cells(ply.s), game.cells(game.child(ply.s, ply.move))
    filled = [i for i, (old, new) in enumerate(zip(before, after, strict=True)) if new and new != old]
    return filled if len(filled) == 1 else game.touch(ply.s, ply.move)


def measure_drama(game: Game, records: Sequence[PlayedGame], replays: Sequence[Replay]) -> LeadChanges:
    """Measure how the lead changes in these games, which are given as records and as replays."""
    has_estimates = "evaluate" in game.has
    changes: list[float] = []
    behind: list[bool] = []
    left: list[float] = []
    for record, replay in zip(records, replays, strict=True):
        seen = [ply.score for ply in replay.plies]
        if all(score is None for score in seen) or record.reason in ENDLESS_REASONS:
            continue
        held = leads(seen)
        changes.append(max(0, len(held) - 1))
        winner = 2 * for_first(record) - 1
        if winner:
            behind.append(-winner in held)
            left.append(_after_proof(seen, winner) / len(seen))
    return LeadChanges(
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
