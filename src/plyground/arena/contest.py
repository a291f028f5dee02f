"""A match from its first pair to its last: schedule, worker pool, records and statistics, put together.

    contest = Contest.new(records, "connect4", ["engine:depth=6", "engine:depth=4"], MatchSettings(games=100), seed=1)
    contest.prepare()
    with Workers(contest.setup, 2) as pool:
        summary = contest.run(pool)

Every pair is written as soon as it ends, so a match can be stopped at any moment: `Contest(records, match)` resumes it. Pairs
end in any order but are counted in the order of their numbers, up to the first that is missing. So what is a duplicate, and
where a sequential test stops, depends on the seed and not on which worker was faster.
"""

from __future__ import annotations

import collections
import hashlib
import itertools
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from plyground.arena.messages import MAX_REPLAYS, Job, MatchSettings, MatchSetup, PlayedGame
from plyground.arena.openings import Openings
from plyground.arena.pair import check_sides, derive_seed, prepare
from plyground.arena.sources import UnpackedSetup, collect, read_setup
from plyground.arena.statistics import Sprt
from plyground.arena.tally import GameOutcome, Tally
from plyground.arena.worker_pool import Event, PairFailed, PairFinished, WorkerLost, WorkerPool
from plyground.errors import PlygroundError
from plyground.play import checked
from plyground.players.player import LATE
from plyground.records.rows import GameRow, MatchRow
from plyground.records.store import Records
from plyground.system.codec import MessageError, decode, encode
from plyground.system.runner import POLL_SECONDS, Worker

MAX_WORKER_CRASHES = 3
"""The number of workers that a pair may crash before the match stops."""
MAX_UNCOUNTED_PAIRS = 100
"""After this many pairs in a row with games that were played before or lost on time, a sequential test learns nothing more and
gives up."""
OnSearch = Callable[[int], None]
"""Called with the number of positions that were searched for openings."""
OnEvent = Callable[[Event | None], None]
"""Called with each event, and with None when none has arrived for a while."""


# -- which pairs are played, in which order ----------------------------------------------------------------------------------


def pairings(players: int, gauntlet: bool = False) -> list[tuple[int, int]]:
    """Return the pairings: a round robin or, in a gauntlet, the first player against each of the others.

    >>> pairings(3), pairings(3, gauntlet=True)
    ([(0, 1), (0, 2), (1, 2)], [(0, 1), (0, 2)])
    """
    if players < 2:
        raise PlygroundError("a match needs at least two players")
    return [(0, n) for n in range(1, players)] if gauntlet else list(itertools.combinations(range(players), 2))


class Schedule:
    """The pairs of a match by number, from a seed.

    Pair number n belongs to round n // pairings; each round has one pair of every pairing, all with the same opening. So a match
    that is cut short has played every pairing equally often, give or take one pair.
    """

    def __init__(self, players: Sequence[str], openings: Openings, settings: MatchSettings, seed: int) -> None:
        self.players, self.openings, self.settings, self.seed = list(players), openings, settings, seed
        self.pairings = pairings(len(self.players), settings.gauntlet)
        self.rounds = -(-checked.whole("games", settings.games, 1) // 2)

    def __len__(self) -> int:
        """Return the number of pairs."""
        return self.rounds * len(self.pairings)

    @property
    def games(self) -> int:
        """The number of games."""
        return 2 * len(self)

    def pairing(self, pair: int) -> tuple[int, int]:
        """Return the numbers of the two players of a pair."""
        return self.pairings[pair % len(self.pairings)]

    def job(self, pair: int, match: int = 0) -> Job:
        """Return the job of a pair."""
        number, (a, b) = pair // len(self.pairings), self.pairing(pair)
        opening = self.openings[number]
        return Job(
            pair=pair,
            players=(self.players[a], self.players[b]),
            seed=derive_seed(self.seed, "pair", a, b, number),
            match=match,
            start=opening.start,
            opening=opening.moves,
            limit=self.settings.limit,
            adjudicate=self.settings.adjudicate,
            most_plies=self.settings.most_plies,
            replays=MAX_REPLAYS if self.settings.late == "replay" else 0,
        )

    def jobs(self, match: int = 0, first: int = 0) -> Iterator[Job]:
        """Return the jobs of all pairs in order, each made when it is asked for."""
        return (self.job(pair, match) for pair in range(first, len(self)))


# -- the match ---------------------------------------------------------------------------------------------------------------


class Summary(NamedTuple):
    """The current results of a match."""

    match: int
    players: list[str]
    tallies: dict[tuple[int, int], Tally]
    """The results by the numbers of the two players, from the first one's view."""
    pairs: int
    """Pairs that are counted."""
    later: int
    """Pairs that were played but are not counted: they come after a missing pair, or after the end of a sequential test."""
    ended: str | None
    """`games` (all were played), `accepted`, `rejected`, `duplicates` or `late` (the sequential test is over); None: it can go
    on."""
    seconds: float
    """How long this run took."""


class Contest:
    """A match in the records: a new one, or one to resume."""

    def __init__(self, records: Records, match: int, prepared: tuple[UnpackedSetup, Schedule] | None = None) -> None:
        """Resume a match, after its rules were unpacked (unless they are `prepared` already) and its games counted."""
        row = records.match(match)
        if row.kind == "play" or row.setup is None:
            raise PlygroundError(f"match {match} was not played in the arena; plyground record list shows which were")
        self.records, self.match = records, match
        self.players = row.players
        self.spec = row.game
        """The game as it was named; its rules are loaded from what the match keeps."""
        self._prepared = prepared is not None
        self.seconds = 0.0
        self._losses: collections.Counter[int] = collections.Counter()
        try:
            self._setup, self.settings = read_setup(row.setup), decode(MatchSettings, row.settings)
            self._read(row, *prepared or (UnpackedSetup.unpack(self._setup), None))
        except (TypeError, ValueError, LookupError, AttributeError) as e:
            if prepared is not None:
                raise
            raise PlygroundError(f"match {match} cannot be resumed: its setup or its settings are damaged") from e
        if prepared is None and not self.ended:
            self._unfinished_jobs()  # a damaged pair is found now, not after openings were searched

    def _read(self, row: MatchRow, unpacked: UnpackedSetup, schedule: Schedule | None) -> None:
        """Read what the records hold of a match; `unpacked` are its rules and players."""
        self._unpacked, self.game = unpacked, unpacked.game
        self.schedule = schedule or _schedule(self._unpacked, row.players, self.settings, row.seed)
        self.sprt = self.settings.sprt
        self.count = OrderedTally(self.schedule.pairings, self.sprt, self.settings.late == "count")
        for pair, games in _pairs(self.records, self.match):
            self.count.add(pair, games)

    @classmethod
    def new(
        cls,
        records: Records,
        game: str,
        players: Sequence[str],
        settings: MatchSettings,
        *,
        seed: int,
        kind: str = "arena",
        on_search: OnSearch | None = None,
    ) -> Contest:
        """Begin a match; `on_search` is called with the number of positions searched for openings.

        Everything that can be wrong is found before anything is written.
        """
        setup = collect(game, players)
        unpacked = UnpackedSetup.unpack(setup)
        check_sides(unpacked.game)
        schedule = _schedule(unpacked, players, settings, seed)
        if settings.sprt is not None and len(schedule.pairings) > 1:
            raise PlygroundError("a sequential test compares two players; leave the others out")
        _prepare(unpacked, schedule, on_search)
        match = records.new_match(kind, game, list(players), encode(settings), encode(setup), seed)
        return cls(records, match, (unpacked, schedule))

    @property
    def setup(self) -> MatchSetup:
        """What a worker pool needs."""
        return self._unpacked.with_copies(self._setup)

    def prepare(self, on_search: OnSearch | None = None) -> None:
        """Compile what the players need, so that the workers find it in the cache."""
        if not self._prepared:
            _prepare(self._unpacked, self.schedule, on_search)
            self._prepared = True

    @property
    def total(self) -> int:
        """The number of pairs, unless a sequential test stops earlier."""
        return len(self.schedule)

    @property
    def ended(self) -> str | None:
        """Why the match is over; None if it is not."""
        return self.count.verdict or ("games" if self.count.next == self.total else None)

    def summary(self) -> Summary:
        """Return the current results of the match."""
        count = self.count
        return Summary(self.match, self.players, count.tallies, count.next, len(count.later), self.ended, self.seconds)

    def run(self, pool: WorkerPool, on_event: OnEvent = lambda event: None) -> Summary:
        """Play the remaining pairs. Finished pairs are kept if Ctrl-C or an error interrupts this."""
        began = time.monotonic()
        self.schedule.openings.on_search = lambda count: on_event(None)  # finding balanced openings can take long
        with self.records.lock(self.match):
            pending = self._pending()
            while not self.ended:
                while pool.free_slots() > 0 and (job := next(pending, None)) is not None:
                    pool.submit(job)
                events = pool.wait(POLL_SECONDS)
                again = self._keep(events)
                self.seconds = time.monotonic() - began
                for event in events:
                    on_event(event)
                if not events:
                    on_event(None)
                for job in again:
                    pool.submit(job)
            self.records.end(self.match, self.ended)
        return self.summary()

    def _unfinished_jobs(self) -> list[Job]:
        """Return the jobs that an earlier run scheduled and did not finish."""
        try:
            return [decode(Job, data) for data in self.records.missing(self.match)]
        except MessageError as e:
            raise PlygroundError(f"match {self.match} cannot be resumed: one of its pairs is damaged ({e})") from e

    def _pending(self) -> Iterator[Job]:
        """Return the jobs to play, in order; each is kept in the records before it is submitted."""
        left = {job.pair: job for job in self._unfinished_jobs()}
        for pair in range(self.count.next, self.total):
            if pair in left:
                yield left.pop(pair)
            elif pair not in self.count.later:
                job = self.schedule.job(pair, self.match)
                self.records.schedule(self.match, [encode(job)])
                yield job

    def _keep(self, events: list[Event]) -> list[Job]:
        """Write and count what was played; return the jobs to submit again."""
        for event in events:
            if isinstance(event, PairFinished):
                self.records.add_pair(self.match, encode(event.result))
                self.count.add(event.job.pair, event.result.games)
        again = []
        for event in events:
            if isinstance(event, PairFailed):
                raise _failure(event)
            if isinstance(event, WorkerLost):
                again.append(event.job)
                self._losses[event.job.pair] += 1
                if self._losses[event.job.pair] >= MAX_WORKER_CRASHES:
                    raise PlygroundError(f"{event.job} has crashed {MAX_WORKER_CRASHES} workers, the last one with {event.why}")
        return again


class OrderedTally:
    """Counts pairs in the order of their numbers, whatever the order in which they end."""

    def __init__(self, pairings: Sequence[tuple[int, int]], sprt: Sprt | None = None, count_late: bool = False) -> None:
        """Count no pairs yet; with `count_late`, pairs with a game that was lost on time count like others."""
        self.pairings, self.sprt, self.count_late = list(pairings), sprt, count_late
        self.tallies = {pairing: Tally() for pairing in self.pairings}
        self.next = 0
        """The number of the first pair that is not counted."""
        self.later: dict[int, list[tuple[GameOutcome, bytes]]] = {}
        """Pairs that ended before an earlier one, or after the end of the test: what is needed to count them."""
        self.verdict: str | None = None
        self._seen: set[bytes] = set()
        self._uncounted = 0  # the pairs in a row that were not counted

    def add(self, pair: int, games: Sequence[PlayedGame | GameRow]) -> None:
        """Add a finished pair."""
        if pair < self.next or pair in self.later:
            return
        self.later[pair] = [(self._outcome(game), _digest(game)) for game in games]
        while self.verdict is None and self.next in self.later:
            self._count(self.next, self.later.pop(self.next))

    def _outcome(self, game: PlayedGame | GameRow) -> GameOutcome:
        return GameOutcome(
            game.result or 0.0,
            game.points or 0.0,
            game.reason or "",
            forfeiter=None if game.forfeit is None else game.forfeit.player,
            void=game.reason == LATE and not self.count_late,
            replayed=tuple(game.late or ()),
            time_used=tuple(game.time_used or ()),
        )

    def _count(self, pair: int, games: list[tuple[GameOutcome, bytes]]) -> None:
        outcomes = [replace(game, duplicate=digest in self._seen) for game, digest in games]
        if not any(game.void for game in outcomes):
            self._seen.update(digest for _, digest in games)
        found = self.tallies[self.pairings[pair % len(self.pairings)]]
        found.add(outcomes)
        self.next += 1
        if self.sprt is not None:
            late = any(game.void for game in outcomes)
            self._uncounted = self._uncounted + 1 if late or any(game.duplicate for game in outcomes) else 0
            useless = self._uncounted == MAX_UNCOUNTED_PAIRS
            self.verdict = self.sprt.state(found.pairs) or (("late" if late else "duplicates") if useless else None)


def _digest(game: PlayedGame | GameRow) -> bytes:
    """Return a digest that is equal for games with the same players, sides, start and moves."""
    text = json.dumps([game.players, game.side, game.start, game.moves])
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


def _pairs(records: Records, match: int) -> Iterator[tuple[int, list[GameRow]]]:
    """Return the finished pairs of a match."""
    games: dict[int, list[GameRow]] = {}
    for row in records.games(match):
        games.setdefault(row.pair, []).append(row)
        if len(games[row.pair]) == 2:
            yield row.pair, games.pop(row.pair)


def _schedule(setup: UnpackedSetup, players: Sequence[str], settings: MatchSettings, seed: int) -> Schedule:
    """Return the schedule that the settings of a match describe."""
    return Schedule(players, Openings(setup.game, seed, settings.openings), settings, seed)


def _prepare(setup: UnpackedSetup, schedule: Schedule, on_search: OnSearch | None) -> None:
    """Make every player once, which compiles what it needs; bad players are refused here."""
    if on_search is not None:
        schedule.openings.on_search = on_search

    def one_of_each_pairing() -> None:
        for pair in range(min(len(schedule.pairings), len(schedule))):
            prepare(setup, schedule.job(pair))

    Worker(one_of_each_pairing).result()


def _failure(event: PairFailed) -> PlygroundError:
    """Return the error that ends the match; its traceback is shown with --debug."""
    e = PlygroundError(f"{event.job}: {event.message}")
    if event.trace:
        e.add_note(event.trace)
    return e
