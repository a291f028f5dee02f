"""A study of a game: what its designer wants to know, measured by playing and searching it.

A study can be stopped at any time; it then reports what it has found.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from plyground.arena.messages import MatchSetup, PlayedGame
from plyground.arena.sources import collect
from plyground.arena.worker_pool import WorkerPool
from plyground.engine.engine import Engine
from plyground.errors import PlygroundError
from plyground.play import words
from plyground.play.match import Match
from plyground.report import matchups, measures, samples, searches, verdicts
from plyground.report.findings import Findings, Sample
from plyground.report.matchups import (
    LADDER,
    STRENGTHS,
    Budget,
    ManySidedGame,
    MatchupGames,
    against_itself,
    between,
    from_opening,
)
from plyground.report.measures import LevelResults, Replay, for_first, independent, plies_of
from plyground.report.searches import DECISION_SAMPLE, FirstMove
from plyground.rules.game import Game

SOLVING, OPENINGS, DECISIONS = 0.35, 0.12, 0.08
"""The largest shares of the time for the exact value, for fair openings, and for the moves close to the best."""
OnProgress = Callable[[str, float], None]
"""Called with the current stage, and the seconds since the study began."""
StartWorkers = Callable[[MatchSetup, int], WorkerPool]
"""Starts a worker pool from the setup of a match and the number of workers."""
REPLAYED = 120
"""The number of games of the highest level that are replayed ply by ply."""


class Study:
    """A study of one game. After `run`, or after it was interrupted, `findings` has what was found."""

    def __init__(self, game: Game, budget: Budget, start_workers: StartWorkers) -> None:
        self.game, self.budget, self.start_workers = game, budget, start_workers
        self.field = MatchupGames(matchups.MAX_PLIES_ALONE if len(game.sides) == 1 else matchups.MAX_PLIES)
        self.alone: dict[str, list[ManySidedGame]] = {}
        """The games with three or more sides, by their player."""
        self.found = Findings(game, budget)
        self.replays: list[Replay] = []
        self.finished = False
        self.on_progress: OnProgress = lambda text, seconds: None
        self._began = self._stage_began = time.monotonic()
        self._stage = ""

    # -- the work --------------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Run the whole study, the most important part first."""
        if self.game.result(self.game.start()) is not None:
            raise PlygroundError(f"{self.game.name} is over before its first move; there is nothing to report")
        if len(self.game.sides) > 2:
            self.alone = matchups.play_many(
                self.game, self.budget, self.budget.seconds(0.8), self._count_games("playing", len(matchups.MANY_SIDED_PLAYERS))
            )
        else:
            Engine(self.game, memory=1).prepare()
            self._solve()
            setup = collect(self.game.spec, [])
            with self.start_workers(setup, self.budget.workers) as pool:
                self._play(pool)
                self._fair_openings(pool)
            self._decide()
        self.finished = True

    def _report(self, stage: str, detail: str = "", done: int = 0, total: int = 0) -> None:
        """Report the stage of the work and the time left; if games are counted, the time left in this stage."""
        now = time.monotonic()
        if stage != self._stage:
            self._stage, self._stage_began = stage, now
        left = self._left(0)
        if left is not None:
            detail += f", at most {words.duration(left)} left"
        elif 0 < done < total:
            detail += f", {words.duration((now - self._stage_began) * (total - done) / done)} left"
        self.on_progress(f"{stage}{detail}", now - self._began)

    def _count_games(self, stage: str, kinds: int, before: int = 0) -> Callable[[int], None]:
        """Return a callback that reports the number of games, of this many kinds, after those played `before`."""
        total = 2 * self.budget.pairs * kinds
        most = "" if self.budget.games else "at most "
        return lambda count: self._report(stage, f": {count - before:,} of {most}{total:,} games", count - before, total)

    def _left(self, reserved: float) -> float | None:
        """Return the seconds left, without this share of the budget; None if games are counted."""
        whole = self.budget.seconds(1)
        return None if whole is None else max(1.0, whole * (1 - reserved) - (time.monotonic() - self._began))

    def _solve(self) -> None:
        self._report("solving")
        seconds = self.budget.seconds(SOLVING)
        self.found.value = searches.exact_value(
            self.game, self.budget, seconds, lambda text: self._report("solving", f": {text}")
        )

    def _play(self, pool: WorkerPool) -> None:
        alone = OPENINGS if self._has_openings else 0
        kinds = matchups.matchups()
        self.field.play(pool, kinds, self.budget, self._left(DECISIONS + alone), self._count_games("playing", len(kinds)))

    @property
    def _has_openings(self) -> bool:
        """Whether there can be fair and unfair first moves."""
        return len(self.game.sides) == 2 and "chance" not in self.game.has

    def _fair_openings(self, pool: WorkerPool) -> None:
        """Search for fair first moves if the start is not fair, and play games from the best ones."""
        known = self.found.value
        if not self._has_openings or known is None or not verdicts.unfair(known, self._strengths()):
            return
        seconds = self.budget.seconds(OPENINGS / 2)
        self.found.openings = searches.search_openings(
            self.game, known, self.budget.seed, seconds, lambda done: self._report("searching first moves", f": {done}")
        )
        kinds = [from_opening(o.move) for o in searches.worth_playing(self.found.openings)]
        show = self._count_games("playing from fair first moves", len(kinds), self.field.count)
        self.field.play(pool, kinds, self.budget, self._left(DECISIONS), show)

    def _decide(self) -> None:
        """Measure the decisions in some games."""
        self._replay()
        most = DECISION_SAMPLE if self.budget.games is None else min(DECISION_SAMPLE, 4 * self.budget.games)
        self.found.decisions = searches.measure_decisions(
            self.game,
            self.replays,
            self.budget.seed,
            self._left(0),
            most,
            lambda done: self._report("looking at decisions", f": {done} of at most {most}", done, most),
        )

    def _replay(self) -> None:
        """Replay games of the highest level, once."""
        if not self.replays:
            self.replays = [measures.replay(self.game, record) for record in self._top_games()]

    def _top_games(self) -> Sequence[PlayedGame]:
        """Return the games of the highest level that has any."""
        for level in reversed(STRENGTHS):
            if games := self.field.games(against_itself(level)):
                return games[:REPLAYED]
        return [record for games in self.alone.values() for record in games][:REPLAYED]

    # -- what was found ----------------------------------------------------------------------------------------------------

    def _strengths(self) -> list[LevelResults]:
        pairs = {level: self.field.pairs(against_itself(level)) for level in STRENGTHS}
        return [measures.measure_level(self.game, level, found) for level, found in pairs.items() if found]

    def findings(self) -> Findings:
        """Return what was found so far."""
        found = self.found
        found.seconds, found.stopped = time.monotonic() - self._began, not self.finished
        found.strengths = self._strengths()
        ladder = {(a, b): self.field.pairs(between(a, b)) for a, b in LADDER}
        found.ladder = [measures.measure_step(a, b, pairs) for (a, b), pairs in ladder.items() if pairs]
        found.openings = [self._played(opening) for opening in found.openings]
        found.sides = measures.side_shares(self.game, self.alone)
        self._replay()
        if self.replays:
            records = self._top_games()
            found.choices = measures.measure_choices(self.replays)
            found.used = measures.used_moves(self.game, self.replays)
            found.drama = measures.measure_drama(self.game, records, self.replays) if len(self.game.sides) == 2 else None
            found.samples = self._samples()
        found.verdicts = verdicts.verdicts(found)
        return found

    def _played(self, opening: FirstMove) -> FirstMove:
        """Return an opening with the games that were played from it."""
        pairs = self.field.pairs(from_opening(opening.move))
        results = independent(self.game, pairs)
        return opening if not results else opening._replace(games=len(results), first=samples.score(results))

    def _samples(self) -> list[Sample]:
        """Return a game for each way to end, of typical length, from the highest level that has one."""
        alone = len(self.game.sides) == 1
        chosen: dict[str, tuple[str, PlayedGame]] = {}
        for player, games in self._by_player():
            for ending in [("a typical game", None)] if alone else self._endings():
                fitting = [g for g in games if ending[1] is None or _winner(g) == ending[1]]
                fitting.sort(key=lambda g: (plies_of(g), g.moves))
                if fitting and ending[0] not in chosen:
                    chosen[ending[0]] = player, fitting[len(fitting) // 2]
        return [self._sample(what, player, record) for what, (player, record) in chosen.items()]

    def _endings(self) -> list[tuple[str, int]]:
        """Return the ways in which games can end, in words, each with the side that wins (-1: none)."""
        return [*((f"{verdicts.capitalised_side(side)} wins", n) for n, side in enumerate(self.game.sides)), ("no winner", -1)]

    def _by_player(self) -> list[tuple[str, Sequence[PlayedGame]]]:
        """Return the games of a player against itself, the strongest player first."""
        games = {f"level {level}": self.field.games(against_itself(level)) for level in reversed(STRENGTHS)}
        return [*games.items(), *self.alone.items()]

    def _sample(self, what: str, player: str, record: PlayedGame) -> Sample:
        match = Match(self.game, record.start)
        for text in record.moves:
            match.play(text)
        ended = match.describe_end() if match.result is not None else "stopped because of its length"
        return Sample(what, player, list(record.moves), ended, match.s)


def _winner(record: PlayedGame) -> int:
    """Return the number of the side that won; -1 if none did."""
    if isinstance(record, ManySidedGame):
        return -1 if record.winner is None else record.winner
    return {1.0: 0, 0.0: 1}.get(for_first(record), -1)
