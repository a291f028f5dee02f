"""The messages between a match and its workers, which the records also store: setup, settings, jobs and results."""

from __future__ import annotations

from dataclasses import dataclass, field

from plyground.arena.statistics import Sprt
from plyground.cluster.remote_work import PackedGame
from plyground.errors import PlygroundError
from plyground.play import checked
from plyground.play.limit import Limit
from plyground.records.rows import Forfeit

ADJUDICATION_PLIES = 6
"""The plies for which both players must agree, unless the match says otherwise."""
LATE_RULES = ("replay", "void", "count")
"""What becomes of a game that an external engine loses on time: it is played again and, if it is lost on time each time, not
counted; it is not counted; or it is lost like any other."""
MAX_REPLAYS = 3
"""The number of times that a game which was lost on time is played again."""


@dataclass(frozen=True)
class NetFile:
    """A net that a match began with."""

    file: str
    checksum: str


@dataclass(frozen=True)
class MatchSetup:
    """What a match plays: the game, the players' files, and the version that wrote this."""

    version: str
    code: str
    """The hash of Plyground's source files."""
    game: PackedGame
    usual: str
    """The evaluation of players that name none: the name of a net, or `rules`."""
    files: dict[str, dict[str, str]] = field(default_factory=dict)
    """The texts of each evaluation, by the name that players use."""
    nets: dict[str, NetFile] = field(default_factory=dict)
    programs: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The commands of external engines, by the texts of the players."""


@dataclass(frozen=True)
class Adjudication:
    """When a game ends early: after `plies` of both sides in which the players agree on the result.

    With `score`, estimates of at least that much count as agreement too.
    """

    plies: int = ADJUDICATION_PLIES
    score: float | None = None

    def __post_init__(self) -> None:
        checked.whole("plies of adjudication", self.plies, 2)
        if self.score is not None:
            checked.positive("score of adjudication", self.score, "a number")


@dataclass(frozen=True)
class OpeningLines:
    """The lines of a file of openings."""

    name: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class MatchSettings:
    """How a match is played, apart from its game, players and seed."""

    games: int
    """For each pairing, rounded up to pairs."""
    gauntlet: bool = False
    """Whether only the first player meets all others."""
    limit: Limit | None = None
    """The limit of players without one."""
    adjudicate: Adjudication | None = None
    most_plies: int | None = None
    sprt: Sprt | None = None
    """The test that ends the match, if there is one."""
    openings: OpeningLines | None = None
    """Openings to play instead of random ones."""
    late: str = LATE_RULES[0]
    """What becomes of games that are lost on time: one of `LATE_RULES`."""

    def __post_init__(self) -> None:
        if self.late not in LATE_RULES:
            raise PlygroundError(f"games lost on time are treated by {', '.join(LATE_RULES)}, not {self.late!r:.20}")


@dataclass(frozen=True)
class Job:
    """One pair to play, completely described: the players, the opening, the seed and the limits."""

    pair: int
    players: tuple[str, ...]
    seed: int
    match: int = 0
    start: str | None = None
    opening: tuple[str, ...] = ()
    limit: Limit | None = None
    adjudicate: Adjudication | None = None
    most_plies: int | None = None
    replays: int = 0
    """The number of times that a game is played again if it was lost on time."""

    def __str__(self) -> str:
        return f"pair {self.pair} ({' against '.join(self.players)})"


@dataclass(frozen=True, kw_only=True)
class PlayedGame:
    """One game of a pair. The fields are those of a `GameRow`; what a row has no field for is under its `more`."""

    side: int
    """The side of the first player; in a solitaire, the number of the player."""
    players: tuple[str, ...]
    seed: int
    start: str | None = None
    opening: int = 0
    moves: tuple[str, ...]
    result: float
    points: int
    reason: str
    scores: tuple[float | None, ...]
    depths: tuple[int | None, ...]
    nodes: tuple[int | None, ...]
    times: tuple[float, ...]
    seconds: float
    versions: dict[str, str] = field(default_factory=dict)
    nets: tuple[str | None, ...] | None = None
    """The nets of the players, if any has one."""
    engines: tuple[str | None, ...] | None = None
    """The names that external engines report, if there are any."""
    forfeit: Forfeit | None = None
    late: tuple[int, ...] | None = None
    """The players who lost earlier plays of this game on time, if it was played again."""
    time_used: tuple[float | None, ...] | None = None
    """The share of its time per move that each external engine has used, if there are any with such a limit."""


@dataclass(frozen=True)
class PlayedPair:
    """The result of a job: both games."""

    pair: int
    games: tuple[PlayedGame, ...]


@dataclass(frozen=True)
class WorkerReply:
    """What a worker writes: that it is ready, a result, or why there is none."""

    ready: bool = False
    result: PlayedPair | None = None
    error: str | None = None
    """One line for the user."""
    trace: str = ""
    """The traceback, if the cause may be a mistake in Plyground or in the rules."""
