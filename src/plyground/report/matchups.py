"""The matchups of a report, its budget, and the games played."""

from __future__ import annotations

import os
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from plyground.arena.messages import Job, PlayedGame
from plyground.arena.pair import derive_seed
from plyground.arena.worker_pool import PairFailed, PairFinished, WorkerPool
from plyground.errors import PlygroundError
from plyground.play.limit import Limit
from plyground.play.match import Match
from plyground.players.spec import make_player
from plyground.rules.game import Game

STRENGTHS = (2, 5, 9)
"""The levels that play against themselves."""
LADDER = ((3, 1), (5, 3), (7, 5), (9, 7))
"""Each level against the one two below it."""
NODES = 20_000
"""The node limit of a player for each move; its level limits the depth."""
MAX_PLIES, MAX_PLIES_ALONE = 1_000, 20_000
"""The plies after which a game is stopped: with two sides, and in a solitaire."""
MAX_GAMES = 400
"""Games of each kind after which a report with time left ends: intervals are then within five points."""
NODES_PER_GAME = 1_000_000
"""What the solver gets for each game if games are counted instead of minutes."""


@dataclass(frozen=True)
class Budget:
    """How long a report may take: minutes, or a number of games of each kind, which makes it repeatable."""

    minutes: float = 5.0
    games: int | None = None
    seed: int = 1
    workers: int = os.cpu_count() or 1

    def seconds(self, share: float) -> float | None:
        """Return a share of the time; None if games are counted."""
        return None if self.games is not None else 60 * self.minutes * share

    @property
    def pairs(self) -> int:
        """The largest number of pairs of each kind."""
        return (MAX_GAMES if self.games is None else self.games + 1) // 2


class Matchup(NamedTuple):
    """Two players and the moves with which their games begin; `kind` is `self`, `ladder` or `opening`."""

    kind: str
    players: tuple[str, str]
    opening: tuple[str, ...] = ()


def against_itself(level: int) -> Matchup:
    """Return the matchup of a level with itself."""
    return Matchup("self", (f"level:{level}", f"level:{level}"))


def between(strong: int, weak: int) -> Matchup:
    """Return the matchup of two levels."""
    return Matchup("ladder", (f"level:{strong}", f"level:{weak}"))


def from_opening(move: str) -> Matchup:
    """Return the matchup of the highest level with itself after this first move."""
    return Matchup("opening", against_itself(STRENGTHS[-1]).players, (move,))


def matchups() -> list[Matchup]:
    """Return the matchups of every report."""
    return [*map(against_itself, STRENGTHS), *(between(strong, weak) for strong, weak in LADDER)]


def jobs(kinds: list[Matchup], budget: Budget, most_plies: int, first: int = 0) -> Iterator[tuple[Matchup, Job]]:
    """Yield the jobs in the order in which they are played: one of each kind in turn, so that all get equally many."""
    for number in range(budget.pairs):
        for n, kind in enumerate(kinds):
            yield (
                kind,
                Job(
                    pair=first + number * len(kinds) + n,
                    players=kind.players,
                    seed=derive_seed(budget.seed, kind.kind, *kind.players, *kind.opening, number),
                    opening=kind.opening,
                    limit=Limit(nodes=NODES),
                    most_plies=most_plies,
                ),
            )


# -- playing them ------------------------------------------------------------------------------------------------------------

OVERTIME_SHARE = 0.25
"""When the time is over, games in play get this share of it more: otherwise long games would be missing from the sample."""
TRIES = 3
"""A pair that ends its worker this many times is an error."""


class MatchupGames:
    """The games of a report, by matchup."""

    def __init__(self, most_plies: int) -> None:
        self.most_plies = most_plies
        self._pairs: dict[Matchup, dict[int, list[PlayedGame]]] = defaultdict(dict)
        self._first = 0

    def pairs(self, kind: Matchup) -> list[list[PlayedGame]]:
        """Return the pairs of games of one kind, in the order of their numbers."""
        return [games for _, games in sorted(self._pairs[kind].items())] if kind in self._pairs else []

    def games(self, kind: Matchup) -> list[PlayedGame]:
        """Return the games of one kind."""
        return [game for pair in self.pairs(kind) for game in pair]

    @property
    def count(self) -> int:
        """The number of games so far."""
        return sum(len(pair) for pairs in self._pairs.values() for pair in pairs.values())

    def play(
        self,
        pool: WorkerPool,
        kinds: list[Matchup],
        budget: Budget,
        seconds: float | None,
        on_game: Callable[[int], None] = lambda count: None,
    ) -> None:
        """Play these kinds of games until there are enough of each, or the time is over; call `on_game` with their count."""
        waiting = jobs(kinds, budget, self.most_plies, self._first)
        self._first += budget.pairs * len(kinds)
        began, given, tries = time.monotonic(), dict[int, Matchup](), Counter[int]()
        while True:
            spent = time.monotonic() - began
            late = seconds is not None and spent > seconds
            given |= {} if late else _submit_jobs(pool, waiting)
            if not given or (late and spent > (1 + OVERTIME_SHARE) * (seconds or 0)):
                return
            on_game(self.count)
            for event in pool.wait(0.1):
                pair = event.job.pair
                if isinstance(event, PairFinished):
                    self._pairs[given.pop(pair)][pair] = list(event.result.games)
                elif isinstance(event, PairFailed) or (tries := tries + Counter([pair]))[pair] == TRIES:
                    raise PlygroundError(event.message if isinstance(event, PairFailed) else f"a worker ended: {event.why}")
                else:
                    pool.submit(event.job)


def _submit_jobs(pool: WorkerPool, waiting: Iterator[tuple[Matchup, Job]]) -> dict[int, Matchup]:
    """Submit as many jobs as the pool takes, and return their numbers with their kinds."""
    given = {}
    for _ in range(pool.free_slots()):
        for kind, job in waiting:
            pool.submit(job)
            given[job.pair] = kind
            break
    return given


# -- three or more sides -----------------------------------------------------------------------------------------------------

MANY_SIDED_PLAYERS = ("random", "textbook:maxn,depth=2")
"""Who plays all sides of a game with three or more."""


@dataclass(frozen=True, kw_only=True)
class ManySidedGame(PlayedGame):
    """A game with three or more sides, all played by the same player; it has no result for one of them."""

    winner: int | None
    """The side that won alone, if one did."""


def play_many(
    game: Game, budget: Budget, seconds: float | None, on_game: Callable[[int], None]
) -> dict[str, list[ManySidedGame]]:
    """Play games of three or more sides in which one player has all sides, as many as there is time for.

    There are neither levels nor pairs for such games, so random and simple players have to do.
    """
    until = None if seconds is None else time.monotonic() + seconds
    found: dict[str, list[ManySidedGame]] = {player: [] for player in MANY_SIDED_PLAYERS}
    for number in range(MAX_GAMES if budget.games is None else budget.games):
        for player in MANY_SIDED_PLAYERS:
            if until is not None and time.monotonic() > until:
                return found
            if number and not has_varied_games(game, player):
                continue
            try:
                found[player].append(_many_sided_game(game, player, derive_seed(budget.seed, player, number)))
            except PlygroundError:  # the algorithm refuses this game
                found[player] = []
            on_game(sum(map(len, found.values())))
    return {player: games for player, games in found.items() if games}


def has_varied_games(game: Game, player: str) -> bool:
    """Return whether games of this player differ from each other."""
    return player == "random" or "chance" in game.has


def _many_sided_game(game: Game, player: str, seed: int) -> ManySidedGame:
    """Play one game, recorded as `arena/pair.py` does."""
    match = Match(game, seed=seed)
    chooses = make_player(player, game, seed)
    depths: list[int | None] = []
    while match.result is None and len(match.moves) < MAX_PLIES:
        if game.is_chance(match.s):
            match.roll()
            depths.append(None)
            continue
        match.play(chooses.choose(match.position))
        depths.append(0)
    unknown = (None,) * len(depths)
    return ManySidedGame(
        side=0,
        players=(player,),
        seed=seed,
        moves=tuple(match.move_texts()),
        result=0.0,
        points=0,
        reason=match.reason or "length",
        scores=unknown,
        depths=tuple(depths),
        nodes=unknown,
        times=(),
        seconds=0.0,
        winner=match.winner,
    )
