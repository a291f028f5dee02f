"""The records: every game that was played, in one database.

    with Records() as records:
        match = records.new_match("arena", "nim", ["engine", "random"], {"games": 2}, seed=1)
        records.schedule(match, jobs)
        records.add_pair(match, result)

A game is unique by its match, its pair and the side of the first player. Both games of a pair are written together, so after a
crash a pair is there or it is missing; `missing` says which are still to be played.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import cast

import plyground
from plyground.errors import PlygroundError
from plyground.players.player import LATE, UNPARSABLE
from plyground.records.database import Database, SqlValue
from plyground.records.rows import COLUMN_CHECKS, GameRow, MatchRow
from plyground.system.files import data_folder, lock_file

LISTS = ("players", "moves", "scores", "depths", "nodes", "times")
JSON = {*LISTS, "versions", "more", "settings", "setup"}
"""Columns that are kept as JSON."""
COLUMNS = tuple(name for name in GameRow._fields if name not in ("kind", "game"))
MISSING = object()
"""In place of a value that cannot be read."""
BATCH = 256
"""Games that are read at once, so that writers never wait long."""


def records_path() -> Path:
    """Return the user's own database: `$PLYGROUND_RECORDS`, or a file in the user's data folder."""
    given = os.environ.get("PLYGROUND_RECORDS")
    if given:
        return Path(given)
    return data_folder() / "records.db"


class Records:
    """The database of games, opened for this process."""

    def __init__(self, path: str | Path | None = None, *, new: bool = True, patience: float | None = None) -> None:
        """Open a database, by default the user's own; without `new`, there must be one already.

        `patience`: seconds to wait while another program keeps it locked.
        """
        self.path = Path(path) if path is not None else records_path()
        if not new:
            _find(self.path)
        self._database = Database(self.path, new, patience)

    def __enter__(self) -> Records:
        return self

    def __exit__(self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def wait_at_most(self, seconds: float) -> None:
        """Set how long to wait from now on while another program keeps the database locked."""
        self._database.patience = seconds

    # -- matches -----------------------------------------------------------------------------------------------------

    def new_match(
        self,
        kind: str,
        game: str,
        players: list[str],
        settings: Mapping[str, object],
        setup: Mapping[str, object] | None = None,
        seed: int = 0,
    ) -> int:
        """Begin a match and return its number."""
        values = (kind, game, _write(players), _write(settings), None if setup is None else _write(setup), str(seed))
        with self._database.transaction() as ask:
            made = ask.execute(
                "INSERT INTO matches (kind, game, players, settings, setup, seed, version, started) VALUES (?,?,?,?,?,?,?,?)",
                (*values, plyground.__version__, _now()),
            )
            assert made.lastrowid is not None
            return made.lastrowid

    def match(self, match: int) -> MatchRow:
        """Return what is known of a match."""
        found = self._matches("WHERE id = ?", (match,))
        if not found:
            raise self._no_match(match)
        return found[0]

    def matches(self, kind: str | None = None, game: str | None = None, unfinished: bool = False) -> list[MatchRow]:
        """Return the matches in the order they began: all, or those of a kind, of a game, or without an end."""
        return self._matches(
            "WHERE (?1 IS NULL OR kind = ?1) AND (?2 IS NULL OR game = ?2) AND (ended IS NULL OR NOT ?3) ORDER BY id",
            (kind, game, unfinished),
        )

    def last_unfinished(self, kind: str) -> int | None:
        """Return the unfinished match of this kind in which a game was last written, or which began last."""
        rows = self._database.read(
            "SELECT id FROM matches WHERE kind = ? AND ended IS NULL"
            " ORDER BY coalesce((SELECT max(written) FROM games WHERE match = id), started) DESC, id DESC LIMIT 1",
            (kind,),
        )
        return cast("int", rows[0][0]) if rows else None

    def end(self, match: int, reason: str) -> None:
        """Mark a match as ended, with the reason, and flush everything to the disk."""
        with self._database.transaction() as ask:
            ask.execute("UPDATE matches SET ended = ? WHERE id = ?", (reason, match))
        self._database.flush()

    @contextlib.contextmanager
    def lock(self, match: int) -> Iterator[None]:
        """Hold the lock of a match: one process plays it at a time, and others are refused."""
        file = Path(os.path.realpath(self.path))  # a link to the database leads to the same lock
        path = file.with_name(f"{file.name}-match-{match}.lock")
        with lock_file(path, f"match {match} is being played by another process; wait for it or stop it"):
            yield

    # -- pairs -------------------------------------------------------------------------------------------------------

    def schedule(self, match: int, jobs: Iterable[Mapping[str, object]]) -> None:
        """Keep jobs that are to be played; a pair that is scheduled already stays as it is."""
        rows = [(match, job["pair"], _write(job)) for job in jobs]
        with self._database.transaction() as ask, self._existing(match):
            ask.executemany("INSERT INTO jobs (match, pair, job) VALUES (?,?,?) ON CONFLICT DO NOTHING", rows)

    def jobs(self, match: int) -> list[dict[str, object]]:
        """Return all scheduled jobs, by pair."""
        return self._jobs(match, "")

    def missing(self, match: int) -> list[dict[str, object]]:
        """Return the scheduled jobs whose games are not there yet, by pair."""
        return self._jobs(match, "AND (SELECT count(*) FROM games WHERE match = jobs.match AND pair = jobs.pair) < 2")

    def add_pair(self, match: int, result: Mapping[str, object]) -> bool:
        """Store both games of a pair in one transaction; return False if they are already stored."""
        pair, games = result["pair"], result["games"]
        assert isinstance(pair, int)
        assert isinstance(games, list)
        rows = [_game_values(match, pair, game) for game in games]
        with self._database.transaction() as ask, self._existing(match):
            return ask.executemany(f"{INSERT} ON CONFLICT (match, pair, side) DO NOTHING", rows).rowcount > 0

    # -- games -------------------------------------------------------------------------------------------------------

    def write_game(self, match: int, game: Mapping[str, object]) -> None:
        """Write the only game of a match, replacing its earlier version."""
        with self._database.transaction() as ask, self._existing(match):
            ask.execute(f"{INSERT} ON CONFLICT (match, pair, side) DO UPDATE SET {REPLACE}", _game_values(match, 0, game))

    def games(
        self,
        match: int | None = None,
        *,
        pair: int | None = None,
        side: int | None = None,
        kind: str | None = None,
        game: str | None = None,
    ) -> Iterator[GameRow]:
        """Yield the games that were kept, by match, pair and side: all, or those of a match, a pair, a kind or a game."""
        given = {"games.match": match, "pair": pair, "side": side, "kind": kind, "game": game}
        named = {name: value for name, value in given.items() if value is not None}
        where = " AND ".join(["(games.match, pair, side) > (?, ?, ?)", *(f"{name} = ?" for name in named)])
        columns = ", ".join(f"games.{name}" if name in COLUMNS else f"matches.{name}" for name in GameRow._fields)
        text = f"SELECT {columns} FROM games JOIN matches ON matches.id = games.match WHERE {where}"
        last = (-1, -1, -1)
        while True:
            values = (*last, *named.values())
            rows = self._database.read(f"{text} ORDER BY games.match, pair, side LIMIT {BATCH}", values)
            for row in rows:
                yield GameRow._make(map(self._column, GameRow._fields, row))
            if len(rows) < BATCH:
                return
            last = cast("tuple[int, int, int]", rows[-1][:3])

    def count(self, match: int) -> tuple[int, int]:
        """Return how many pairs of a match are scheduled, and how many games are kept."""
        (row,) = self._database.read(
            "SELECT (SELECT count(*) FROM jobs WHERE match = ?1), (SELECT count(*) FROM games WHERE match = ?1)", (match,)
        )
        return cast("tuple[int, int]", row)

    def tallies(self) -> dict[int, tuple[int, int, int, int]]:
        """Return by match the number of games that are kept, and of those that the first player won, drew and lost.

        Games that were lost on time are neither won nor lost, unless the match counts them.
        """
        counts = ", ".join(f"sum(result = {result} AND (reason IS NOT ?1 OR settings LIKE ?2))" for result in (1, 0.5, 0))
        rows = self._database.read(
            f"SELECT match, count(*), {counts} FROM games JOIN matches ON matches.id = match GROUP BY match",
            (LATE, '%"late":"count"%'),
        )
        return {
            match: (games, won or 0, drawn or 0, lost or 0)
            for match, games, won, drawn, lost in cast("list[tuple[int, ...]]", rows)
        }

    # -- inside ------------------------------------------------------------------------------------------------------

    def _matches(self, rest: str, values: Sequence[SqlValue]) -> list[MatchRow]:
        rows = self._database.read(f"SELECT {', '.join(MatchRow._fields)} FROM matches {rest}", values)
        return [MatchRow._make(map(self._column, MatchRow._fields, row)) for row in rows]

    def _jobs(self, match: int, where: str) -> list[dict[str, object]]:
        rows = self._database.read(f"SELECT job FROM jobs WHERE match = ? {where} ORDER BY pair", (match,))
        found: list[dict[str, object]] = []
        for (text,) in rows:
            job = self._column("settings", text)
            assert isinstance(job, dict)
            if not (COLUMN_CHECKS["pair"](job.get("pair")) and COLUMN_CHECKS["players"](job.get("players", ["?"]))):
                raise self._database.damaged("a job of a match cannot be read")
            found.append(job)
        return found

    def _column(self, name: str, value: SqlValue) -> object:
        """Return the value of a column as Python has it."""
        try:
            found = json.loads(str(value)) if name in JSON and value is not None else int(str(value)) if name == "seed" else value
        except (ValueError, TypeError, OverflowError, RecursionError):
            found = MISSING
        if found is MISSING or not COLUMN_CHECKS[name](found):
            raise self._database.damaged(f"{name} of a record cannot be read")
        return UNPARSABLE if name == "reason" and found == OLD_UNPARSABLE else found

    @contextlib.contextmanager
    def _existing(self, match: int) -> Iterator[None]:
        """Turn the violation of a foreign key into an error that names the missing match."""
        try:
            yield
        except sqlite3.IntegrityError as e:
            if e.sqlite_errorcode != sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
                raise
            raise self._no_match(match) from e

    def _no_match(self, match: int) -> PlygroundError:
        return PlygroundError(f"there is no match {match} in {self.path}; plyground record list shows what is there")


OLD_UNPARSABLE = "rubbish"
"""The name of the reason `UNPARSABLE` in older records."""
INSERT = f"INSERT INTO games ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"
REPLACE = ", ".join(f"{name} = excluded.{name}" for name in COLUMNS if name not in ("match", "pair", "side"))


def _find(path: Path) -> None:
    """Make sure that there is a file."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        raise PlygroundError(f"{path}: there are no records yet; plyground play and plyground arena write them") from None
    except OSError as e:
        raise PlygroundError(f"{path}: cannot be opened ({e.strerror})") from e


def _game_values(match: int, pair: int, game: Mapping[str, object]) -> list[object]:
    """Return the columns of a game; what has no column of its own goes into `more`."""
    plain: dict[str, object] = dict.fromkeys(("start", "result", "points", "reason", "seconds"))
    plain |= {"opening": 0, "versions": {}, **{name: [] for name in LISTS}}
    own = {"match": match, "pair": pair, "written": _now()}
    more = {name: value for name, value in game.items() if name not in COLUMNS}
    values = {**plain, **game, **own, "more": more, "seed": str(game["seed"])}
    return [_write(values[name]) if name in JSON else values[name] for name in COLUMNS]


def _write(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")
