"""A study of a game: plays it, searches it, and says what it found; whenever it is stopped, with what it has."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from plyground.arena.crew import Crew
from plyground.arena.messages import MatchSetup, PlayedGame
from plyground.arena.sources import collect
from plyground.engine.engine import Engine
from plyground.errors import PlygroundError
from plyground.play import words
from plyground.play.match import Match
from plyground.report import choices, fairness, many, samples, verdicts
from plyground.report.decisions import SAMPLE, decisions
from plyground.report.fairness import FirstMove
from plyground.report.field import PlayingField
from plyground.report.findings import Findings, Sample
from plyground.report.many import ManySidedGame
from plyground.report.matchups import (
    DECISIONS,
    LADDER,
    MOST_ALONE,
    MOST_PLIES,
    OPENINGS,
    SOLVING,
    STRENGTHS,
    Budget,
    Matchup,
    matchups,
)
from plyground.report.replay import Replay, replay
from plyground.report.strengths import for_first, independent, plies_of, step, strength
from plyground.report.value import value
from plyground.report.verdicts import side_first
from plyground.rules.game import Game

OnProgress = Callable[[str, float], None]
"""Called with what is being done, and the seconds since the study began."""
Hire = Callable[[MatchSetup, int], Crew]
"""Makes a crew from the setup of a match and the number of workers."""
REPLAYED = 120
"""The games of the highest strength that are replayed ply by ply."""
TOP = Matchup("self", (f"level:{STRENGTHS[-1]}", f"level:{STRENGTHS[-1]}"))


class Study:
    """A study of one game. After `run`, or after it was interrupted, `findings` has what was found."""

    def __init__(self, game: Game, budget: Budget, hire: Hire) -> None:
        self.game, self.budget, self.hire = game, budget, hire
        self.field = PlayingField(MOST_ALONE if len(game.sides) == 1 else MOST_PLIES)
        self.alone: dict[str, list[ManySidedGame]] = {}
        """The games of three and more sides, by their player."""
        self.found = Findings(game, budget)
        self.replays: list[Replay] = []
        self.finished = False
        self.on_progress: OnProgress = lambda text, seconds: None
        self._began = self._stage_began = time.monotonic()
        self._stage = ""

    # -- the work --------------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Do everything, in the order of its importance."""
        if self.game.result(self.game.start()) is not None:
            raise PlygroundError(f"{self.game.name} is over before its first move; there is nothing to report")
        if len(self.game.sides) > 2:
            self.alone = many.play(
                self.game, self.budget, self.budget.seconds(0.8), self._tell_games("playing", len(many.PLAYERS))
            )
        else:
            Engine(self.game, memory=1).prepare()
            self._solve()
            setup = collect(self.game.spec, [])
            with self.hire(setup, self.budget.workers) as crew:
                self._play(crew)
                self._fair_openings(crew)
            self._decide()
        self.finished = True

    def _tell(self, stage: str, detail: str = "", done: int = 0, total: int = 0) -> None:
        """Report the stage of the work, and how long everything takes; if games are counted, how long this stage takes."""
        now = time.monotonic()
        if stage != self._stage:
            self._stage, self._stage_began = stage, now
        left = self._left(0)
        if left is not None:
            detail += f", at most {words.duration(left)} left"
        elif 0 < done < total:
            detail += f", {words.duration((now - self._stage_began) * (total - done) / done)} left"
        self.on_progress(f"{stage}{detail}", now - self._began)

    def _tell_games(self, stage: str, kinds: int, before: int = 0) -> Callable[[int], None]:
        """Return what reports the number of games, of this many kinds, after those played `before`."""
        total = 2 * self.budget.pairs * kinds
        most = "" if self.budget.games else "at most "
        return lambda count: self._tell(stage, f": {count - before:,} of {most}{total:,} games", count - before, total)

    def _left(self, reserved: float) -> float | None:
        """Return the seconds left, without this share of the whole."""
        whole = self.budget.seconds(1)
        return None if whole is None else max(1.0, whole * (1 - reserved) - (time.monotonic() - self._began))

    def _solve(self) -> None:
        self._tell("solving")
        seconds = self.budget.seconds(SOLVING)
        self.found.value = value(self.game, self.budget, seconds, lambda text: self._tell("solving", f": {text}"))

    def _play(self, crew: Crew) -> None:
        alone = OPENINGS if self._has_openings else 0
        kinds = matchups()
        self.field.play(crew, kinds, self.budget, self._left(DECISIONS + alone), self._tell_games("playing", len(kinds)))

    @property
    def _has_openings(self) -> bool:
        """Can there be fair and unfair first moves?"""
        return len(self.game.sides) == 2 and "chance" not in self.game.has

    def _fair_openings(self, crew: Crew) -> None:
        """Look for fair openings if the start is not fair, and play from the best ones."""
        known = self.found.value
        if not self._has_openings or known is None or not verdicts.unfair(known, self._strengths()):
            return
        seconds = self.budget.seconds(OPENINGS / 2)
        self.found.openings = fairness.openings(
            self.game, known, self.budget.seed, seconds, lambda done: self._tell("searching first moves", f": {done}")
        )
        kinds = [Matchup("opening", TOP.players, (o.move,)) for o in fairness.worth_playing(self.found.openings)]
        show = self._tell_games("playing from fair first moves", len(kinds), self.field.count)
        self.field.play(crew, kinds, self.budget, self._left(DECISIONS), show)

    def _decide(self) -> None:
        """Look at the decisions in some games."""
        self._replay()
        most = SAMPLE if self.budget.games is None else min(SAMPLE, 4 * self.budget.games)
        self.found.decisions = decisions(
            self.game,
            self.replays,
            self.budget.seed,
            self._left(0),
            most,
            lambda done: self._tell("looking at decisions", f": {done} of at most {most}", done, most),
        )

    def _replay(self) -> None:
        """Replay games of the highest strength, once."""
        if not self.replays:
            self.replays = [replay(self.game, record) for record in self._top_games()]

    def _top_games(self) -> Sequence[PlayedGame]:
        """Return the games of the highest strength that has any."""
        for level in reversed(STRENGTHS):
            kind = Matchup("self", (f"level:{level}", f"level:{level}"))
            if self.field.games(kind):
                return self.field.games(kind)[:REPLAYED]
        return [record for games in self.alone.values() for record in games][:REPLAYED]

    # -- what was found ----------------------------------------------------------------------------------------------------

    def _strengths(self) -> list[Any]:
        pairs = {level: self.field.pairs(Matchup("self", (f"level:{level}", f"level:{level}"))) for level in STRENGTHS}
        return [strength(self.game, level, found) for level, found in pairs.items() if found]

    def findings(self) -> Findings:
        """Return what was found so far."""
        found = self.found
        found.seconds, found.stopped = time.monotonic() - self._began, not self.finished
        found.strengths = self._strengths()
        ladder = {(a, b): self.field.pairs(Matchup("ladder", (f"level:{a}", f"level:{b}"))) for a, b in LADDER}
        found.ladder = [step(a, b, pairs) for (a, b), pairs in ladder.items() if pairs]
        found.openings = [self._played(opening) for opening in found.openings]
        found.sides = many.shares(self.game, self.alone)
        self._replay()
        if self.replays:
            records = self._top_games()
            found.choices = choices.choices(self.replays)
            found.used = choices.used(self.game, self.replays)
            found.drama = choices.drama(self.game, records, self.replays) if len(self.game.sides) == 2 else None
            found.samples = self._samples()
        found.verdicts = verdicts.verdicts(found)
        return found

    def _played(self, opening: FirstMove) -> FirstMove:
        """Return an opening with the games that were played from it."""
        pairs = self.field.pairs(Matchup("opening", TOP.players, (opening.move,)))
        results = independent(self.game, pairs)
        return opening if not results else opening._replace(games=len(results), first=samples.score(results))

    def _samples(self) -> list[Sample]:
        """Return a game for each way to end, of typical length, from the highest strength that has one."""
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
        """Return how games can end, in words, and which side then wins (-1: none)."""
        return [*((f"{side_first(side)} wins", n) for n, side in enumerate(self.game.sides)), ("no winner", -1)]

    def _by_player(self) -> list[tuple[str, Sequence[PlayedGame]]]:
        """Return the games of a player against itself, the strongest player first."""
        kinds = {level: Matchup("self", (f"level:{level}", f"level:{level}")) for level in reversed(STRENGTHS)}
        return [*((f"level {level}", self.field.games(kind)) for level, kind in kinds.items()), *self.alone.items()]

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
