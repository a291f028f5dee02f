"""What the records hold, as Python sees it: a match, and a game of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, TypeVar

from plyground.errors import PlygroundError

T = TypeVar("T")
Check = Callable[[object], bool]


@dataclass(frozen=True)
class Forfeit:
    """A forfeit: which player, why, and its stderr."""

    player: int
    """Its number among the players of the pair."""
    text: str
    """What was wrong."""
    stderr: str = ""
    """The end of its stderr."""


class MatchRow(NamedTuple):
    """Everything that one command plays: the pairs of an arena or a report, or one game of `plyground play`."""

    id: int
    kind: str
    """arena, report or play."""
    game: str
    """The game, as `load` reads it."""
    players: list[str]
    settings: dict[str, object]
    setup: dict[str, object] | None
    """The texts that the match started with: rules files and evaluations."""
    seed: int
    version: str
    """The version of Plyground that started it."""
    started: str
    """When, in UTC."""
    ended: str | None
    """Why it ended; None while it is unfinished."""

    @property
    def nets(self) -> dict[str, str]:
        """The nets that its players use: the checksum of each, by the name of its file."""
        found = _object(self.setup, "nets")
        return {name: str(known["checksum"]) for name, known in found.items() if isinstance(known, dict) and "checksum" in known}

    @property
    def programs(self) -> dict[str, str]:
        """The programs that its players run, as they were found when the match began."""
        found = _object(self.setup, "programs")
        return {player: " ".join(map(str, command)) for player, command in found.items() if isinstance(command, list)}

    @property
    def brings_rules(self) -> bool:
        """Whether the texts of its rules are kept with it."""
        return "files" in _object(self.setup, "game")


class GameRow(NamedTuple):
    """A game that was kept. Lists have one item per move, None where there is nothing to say."""

    match: int
    pair: int
    side: int
    """The number of the side that the first player has; also the number of the game in its pair."""
    kind: str
    game: str
    players: list[str]
    seed: int
    start: str | None
    """The first state, if it is not the game's own."""
    opening: int
    """How many of the moves were given, not chosen."""
    moves: list[str]
    result: float | None
    """What the first player gets: 1, 0.5 or 0; None while the game goes on."""
    points: float | None
    """The value of the end for the first player: the margin, or 1, 0, -1; the points of a solitaire."""
    reason: str | None
    """Why it ended; None while it goes on."""
    scores: list[float | None]
    """For the side to move."""
    depths: list[int | None]
    nodes: list[int | None]
    times: list[float | None]
    seconds: float | None
    versions: dict[str, str]
    more: dict[str, object]
    """Anything else that was kept with the game, such as clocks."""
    written: str
    """When it was last written, in UTC."""

    @property
    def id(self) -> str:
        """The name of the record: `3.17.0` is the first game of pair 17 of match 3; `5` is a game of `plyground play`."""
        return str(self.match) if self.kind == "play" else f"{self.match}.{self.pair}.{self.side}"

    @property
    def name(self) -> str:
        """The game without its parameters."""
        return self.game.partition("(")[0].strip()

    def by_side(self, sides: int) -> list[str]:
        """Return who played each side of a game with this many sides; a solitaire has one, and each player of a pair plays it
        alone.
        """
        return self._by_side(self.players, sides)

    def nets_by_side(self, sides: int) -> list[str | None]:
        """Return the net with which each side was played, None where there was none."""
        return self._more_by_side("nets", sides)

    def engines_by_side(self, sides: int) -> list[str | None]:
        """Return the name that the external engine of each side reported, None where there was none."""
        return self._more_by_side("engines", sides)

    def _more_by_side(self, name: str, sides: int) -> list[str | None]:
        each = self.more.get(name)
        known: list[str | None] = (
            each if isinstance(each, list) and len(each) == len(self.players) else [None] * len(self.players)
        )
        return self._by_side(known, sides)

    @property
    def forfeit(self) -> Forfeit | None:
        """How a player forfeited; None if none did, or if the record of it makes no sense."""
        found = _object(self.more, "forfeit")
        player, text, stderr = (found.get(name, usual) for name, usual in (("player", 0), ("text", ""), ("stderr", "")))
        if not found or type(player) is not int or not 0 <= player < len(self.players) or not isinstance(text, str):
            return None
        return Forfeit(player, text, stderr if isinstance(stderr, str) else "")

    @property
    def late(self) -> list[int]:
        """The players who lost earlier plays of this game on time; empty if the record of them makes no sense."""
        each = self.more.get("late")
        players = range(len(self.players))
        return each if isinstance(each, list) and all(type(n) is int and n in players for n in each) else []

    @property
    def time_used(self) -> list[float | None]:
        """The share of its time per move that each player has used, if it is known; empty if the record of it makes no sense."""
        each = self.more.get("time_used")
        known = isinstance(each, list) and len(each) == len(self.players) and all(map(_or_none(_is_number), each))
        return each if isinstance(each, list) and known else []

    def _by_side(self, each: list[T], sides: int) -> list[T]:
        if sides == 1:
            return [each[self.side if len(each) > 1 else 0]]
        return each[::-1] if self.side == 1 else list(each)

    def first_score(self) -> float | None:
        """Return what the side that moves first gets: 1, 0.5 or 0; None while the game goes on."""
        return 1 - self.result if self.side == 1 and self.result is not None else self.result

    def as_json(self) -> dict[str, object]:
        """Return the record as data, for JSON."""
        data = {"id": self.id, **self._asdict()}
        more = data.pop("more")
        return data | {name: value for name, value in more.items() if name not in data}


def _object(data: dict[str, object] | None, name: str) -> dict[str, object]:
    """Return an object inside another one; empty if there is none."""
    found = (data or {}).get(name)
    return found if isinstance(found, dict) else {}


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value < LARGEST


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and -LARGEST < value < LARGEST


def _is_time(value: object) -> bool:
    try:
        return isinstance(value, str) and isinstance(datetime.fromisoformat(value).astimezone(), datetime)
    except (TypeError, ValueError, OverflowError):
        return False


def _or_none(check: Check) -> Check:
    return lambda value: value is None or check(value)


def _all(check: Check) -> Check:
    return lambda value: isinstance(value, list) and all(map(check, value))


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


LARGEST = 1 << 63
COLUMN_CHECKS: dict[str, Check] = {
    **dict.fromkeys(("id", "match", "pair", "opening"), _is_count),
    **dict.fromkeys(("kind", "game", "version"), _is_text),
    **dict.fromkeys(("started", "written"), _is_time),
    **dict.fromkeys(("ended", "start", "reason"), _or_none(_is_text)),
    **dict.fromkeys(("settings", "versions", "more"), _is_object),
    **dict.fromkeys(("scores", "times"), _all(_or_none(_is_number))),
    **dict.fromkeys(("depths", "nodes"), _all(_or_none(_is_count))),
    **dict.fromkeys(("points", "seconds"), _or_none(_is_number)),
    "players": lambda value: bool(value) and _all(_is_text)(value),
    "moves": _all(_is_text),
    "setup": _or_none(_is_object),
    "seed": lambda value: type(value) is int,
    "side": lambda value: type(value) is int and value in (0, 1),
    "result": _or_none(lambda value: isinstance(value, int | float) and _is_number(value) and 0 <= value <= 1),
}
"""What each column of a match or a game may hold, after JSON was read: the file may come from anyone."""


class RecordId(NamedTuple):
    """A match, a pair of it, or one game of that pair."""

    match: int
    pair: int | None = None
    side: int | None = None

    @classmethod
    def parse(cls, text: str) -> RecordId:
        """Read the name of a record.

        >>> RecordId.parse("3.17.0")
        RecordId(match=3, pair=17, side=0)
        """
        parts = text.split(".")
        if len(parts) > 3 or not all(part.isascii() and part.isdigit() and len(part) <= 18 for part in parts):
            raise PlygroundError(f"{text!r:.40} is not the name of a record; write a match (3), a pair (3.17) or a game (3.17.0)")
        return cls(*map(int, parts))

    def __str__(self) -> str:
        return ".".join(str(part) for part in self if part is not None)
