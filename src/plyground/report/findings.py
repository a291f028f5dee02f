"""Everything that a report found, and the same as data."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import plyground
from plyground.report.matchups import NODES, Budget
from plyground.report.measures import Choices, LadderStep, LeadChanges, LevelResults, SideShare, UsedMoves
from plyground.report.searches import Decisions, FirstMove, Value
from plyground.rules.game import Game
from plyground.rules.hooks import State


class Sample(NamedTuple):
    """A game to look at."""

    what: str
    """What it is an example of."""
    player: str
    """The player of all sides."""
    moves: list[str]
    result: str
    last: State
    """The state at its end."""


class Verdict(NamedTuple):
    """Something that stands out, with its evidence."""

    about: str
    mark: str
    """good, note, bad, or unknown if there are too few games."""
    text: str
    evidence: str


@dataclass
class Findings:
    """What is known about a game."""

    game: Game
    budget: Budget
    seconds: float = 0.0
    stopped: bool = False
    """Whether Ctrl-C ended it early."""
    value: Value | None = None
    strengths: list[LevelResults] = field(default_factory=list)
    """From the lowest level to the highest."""
    ladder: list[LadderStep] = field(default_factory=list)
    choices: Choices | None = None
    """At the highest level, like all that follows."""
    used: UsedMoves | None = None
    drama: LeadChanges | None = None
    decisions: Decisions | None = None
    openings: list[FirstMove] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)
    sides: list[SideShare] = field(default_factory=list)
    """For three or more sides: how often each wins."""
    verdicts: list[Verdict] = field(default_factory=list)

    @property
    def top(self) -> LevelResults | None:
        """The highest level that has games."""
        played = [strength for strength in self.strengths if strength.games]
        return played[-1] if played else None

    @property
    def games(self) -> int:
        """The number of games that were played."""
        many = {row.player: row.games for row in self.sides}
        counts = [*(s.games for s in self.strengths), *(s.games for s in self.ladder), *(o.games for o in self.openings)]
        return sum(counts) + sum(many.values())

    def as_json(self) -> dict[str, object]:
        """Return all of it as data; `docs/report.md` describes it."""
        return {
            "game": self.game.spec,
            "title": self.game.title,
            "version": plyground.__version__,
            "sides": list(self.game.sides),
            "seed": self.budget.seed,
            "seconds": round(self.seconds, 3),
            "stopped": self.stopped,
            "nodes_per_move": NODES,
            "games": self.games,
            "verdicts": [plain(verdict) for verdict in self.verdicts],
            "value": plain(self.value),
            "strengths": [plain(strength) for strength in self.strengths],
            "ladder": [plain(step) for step in self.ladder],
            "choices": plain(self.choices),
            "moves_used": plain(self.used),
            "drama": plain(self.drama),
            "decisions": plain(self.decisions),
            "openings": [plain(opening) for opening in self.openings],
            "winners": [plain(side) for side in self.sides],
            "samples": [{"what": s.what, "player": s.player, "moves": s.moves, "result": s.result} for s in self.samples],
        }


def plain(value: object) -> object:
    """Return a value as JSON can hold it: named tuples as objects, numbers with four decimals, infinity as null."""
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: plain(each) for name, each in value._asdict().items()}
    if isinstance(value, dict):
        return {str(name): plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, float):
        return round(value, 4) if math.isfinite(value) else None
    return value
