"""The file of the records: an SQLite database, opened, checked and queried so that every error is one clear line.

WAL lets others read while one process writes. `synchronous=NORMAL`: what was written survives the process, however it ends. If
the machine loses power, the last writes may be lost, but are never half-written: pairs that are missing are played again.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from plyground.errors import PlygroundError
from plyground.system.files import cannot_write, make_folder
from plyground.system.streams import print_error, printable

T = TypeVar("T")
SqlValue = str | int | float | None

MARK = 0x506C7967
"""The `application_id` of our databases: "Plyg"."""
VERSION = 1
"""The `user_version` of the schema below."""
LOCK_TIMEOUT_SECONDS = 60.0
"""Seconds to wait while another process writes."""
SQLITE_TIMEOUT = 0.2
"""Seconds that SQLite waits at a time: Ctrl-C is noticed in between."""
QUIET_SECONDS = 1.0
"""Seconds of waiting before the user is informed."""
BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
SPACE_NEEDED = 1 << 16
"""Bytes that SQLite needs for its files beside the database."""
HEADER, MIN_SIZE = b"SQLite format 3\0", 512
"""The first bytes of every SQLite file, and its least size: SQLite would take a smaller file for a new one and overwrite it."""
SCHEMA = """
CREATE TABLE matches (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    game TEXT NOT NULL,
    players TEXT NOT NULL,
    settings TEXT NOT NULL,
    setup TEXT,
    seed TEXT NOT NULL,
    version TEXT NOT NULL,
    started TEXT NOT NULL,
    ended TEXT
) STRICT;
CREATE TABLE jobs (
    match INTEGER NOT NULL REFERENCES matches,
    pair INTEGER NOT NULL,
    job TEXT NOT NULL,
    PRIMARY KEY (match, pair)
) STRICT, WITHOUT ROWID;
CREATE TABLE games (
    match INTEGER NOT NULL REFERENCES matches,
    pair INTEGER NOT NULL,
    side INTEGER NOT NULL,
    players TEXT NOT NULL,
    seed TEXT NOT NULL,
    start TEXT,
    opening INTEGER NOT NULL,
    moves TEXT NOT NULL,
    result REAL,
    points REAL,
    reason TEXT,
    scores TEXT NOT NULL,
    depths TEXT NOT NULL,
    nodes TEXT NOT NULL,
    times TEXT NOT NULL,
    seconds REAL,
    versions TEXT NOT NULL,
    more TEXT NOT NULL,
    written TEXT NOT NULL,
    UNIQUE (match, pair, side)
) STRICT;
"""
"""Lists and objects are JSON; seeds are text, since they may be larger than 64 bits; times are in UTC."""


class Database:
    """The open database; several threads may use it."""

    def __init__(self, path: Path, new: bool = True, patience: float | None = None) -> None:
        """Open the database; `new` creates it if there is none."""
        self.path, self.patience = path, LOCK_TIMEOUT_SECONDS if patience is None else patience
        self.lock = threading.RLock()
        if sqlite3.sqlite_version_info < (3, 37):
            raise PlygroundError(f"the records need SQLite 3.37 or later; this Python has {sqlite3.sqlite_version}")
        if new:
            _create(path)
        self._check_header()
        with self.faults():
            self.connection = _connect(path)
        try:
            with self.faults():
                self._prepare()
        except BaseException:
            self.connection.close()
            raise

    def _check_header(self) -> None:
        """Refuse files that are not databases, before SQLite sees them."""
        with contextlib.suppress(OSError), open(self.path, "rb") as file:
            start = file.read(MIN_SIZE)
            if start and (not start.startswith(HEADER) or len(start) < MIN_SIZE):
                raise self._no_database()

    def _no_database(self) -> PlygroundError:
        return PlygroundError(f"{self.path}: this is not a database, or it is damaged; choose another file or move it away")

    def _prepare(self) -> None:
        ask = self.connection.execute
        ask("PRAGMA foreign_keys = ON")
        ask("PRAGMA trusted_schema = OFF")  # the file may come from anyone
        if self._retry_while_locked(self._version_in_transaction) < VERSION:
            self._retry_while_locked(lambda: ask("PRAGMA journal_mode = WAL"))  # only while no other process uses the file
            with self.transaction():
                if self._version() < VERSION:  # no other process has created them meanwhile
                    for statement in SCHEMA.split(";\n"):
                        ask(statement)
                    ask(f"PRAGMA application_id = {MARK}")
                    ask(f"PRAGMA user_version = {VERSION}")
        ask("PRAGMA synchronous = NORMAL")

    def _retry_while_locked(self, ask: Callable[[], T]) -> T:
        """Return what `ask` gives; while another process keeps the file locked, try again, and say so after a second."""
        began, silent = time.monotonic(), True
        while True:
            try:
                return ask()
            except sqlite3.OperationalError as e:
                waited = time.monotonic() - began
                if getattr(e, "sqlite_errorcode", 0) & 0xFF not in BUSY or waited >= self.patience:
                    raise
            if silent and waited >= QUIET_SECONDS:
                silent = False
                print_error(f"plyground: {printable(str(self.path))}: another program keeps the records locked; waiting for it")
            time.sleep(0.01)

    def _version_in_transaction(self) -> int:
        """Return the version of the schema, in a transaction: if another process is creating the tables, all are seen or none."""
        self.connection.execute("BEGIN")
        try:
            return self._version()
        finally:
            self._roll_back()

    def _version(self) -> int:
        """Return the version of the schema; 0 if the database is empty."""

        def pragma(name: str) -> int:
            return int(self.connection.execute(f"PRAGMA {name}").fetchone()[0])

        mark, version = pragma("application_id"), pragma("user_version")
        tables = {name for (name,) in self.connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        if mark != MARK and (mark or version or tables):
            raise PlygroundError(f"{self.path}: this database has no records of Plyground; choose another file")
        if version > VERSION:
            raise PlygroundError(f"{self.path}: a newer version of Plyground has written these records; update to read them")
        if version and not {"matches", "jobs", "games"} <= tables:
            raise self.damaged("tables are missing")
        return version

    def damaged(self, how: object) -> PlygroundError:
        """Return the error for a file whose contents make no sense."""
        return PlygroundError(f"{self.path}: the records are damaged ({how}); move the file away to start new ones")

    @contextlib.contextmanager
    def faults(self) -> Iterator[None]:
        """Turn an error of SQLite into one clear line; bugs of ours stay what they are."""
        try:
            yield
        except (sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.InterfaceError):
            raise
        except (sqlite3.Error, UnicodeDecodeError) as e:
            raise self._fault(e) from e

    def _fault(self, e: Exception) -> PlygroundError:
        if not hasattr(e, "sqlite_errorcode"):
            return self.damaged("a text in it cannot be read")
        code = e.sqlite_errorcode & 0xFF  # the rest of the number gives details
        if os.path.isdir(self.path):
            return PlygroundError(f"{self.path}: this is a folder; the records are a file")
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_FORMAT):
            return self.damaged(e)
        if code == sqlite3.SQLITE_NOTADB:
            return self._no_database()
        if code in BUSY:
            return PlygroundError(f"{self.path}: another program keeps the records locked; try again when it has ended")
        if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH):
            return PlygroundError(f"{self.path}: cannot be opened ({_why_closed(self.path) or e})")
        if code == sqlite3.SQLITE_READONLY:
            return PlygroundError(f"{self.path}: cannot be written (you may only read it)")
        if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and _is_full(self.path)):
            return PlygroundError(f"{self.path}: cannot be written (the disk is full); all earlier records are kept")
        if code == sqlite3.SQLITE_IOERR:
            return PlygroundError(f"{self.path}: cannot be read or written ({e}); all earlier records are kept")
        return self.damaged(e)

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Make the writes in the block together or not at all."""
        with self.lock, self.faults():
            try:
                self._retry_while_locked(
                    lambda: self.connection.execute("BEGIN IMMEDIATE")
                )  # inside, since Ctrl-C may come right after
                yield self.connection
                self._retry_while_locked(lambda: self.connection.execute("COMMIT"))
            except BaseException:
                self._roll_back()
                raise

    def _roll_back(self) -> None:
        with contextlib.suppress(sqlite3.Error):  # a full disk may have done so already
            self.connection.execute("ROLLBACK")

    def read(self, text: str, values: Sequence[SqlValue] = ()) -> list[tuple[SqlValue, ...]]:
        """Return the rows that a query finds."""
        with self.lock, self.faults():
            return self._retry_while_locked(lambda: self.connection.execute(text, values).fetchall())

    def flush(self) -> None:
        """Move what was written to the main file, except what others are still reading."""
        with self.lock, self.faults():
            self._retry_while_locked(lambda: self.connection.execute("PRAGMA wal_checkpoint(PASSIVE)"))

    def close(self) -> None:
        """Close the file."""
        with self.lock, contextlib.suppress(sqlite3.Error):
            self.connection.close()


def _create(path: Path) -> None:
    """Make sure that there is a file; only the user can look into a folder that is made for it."""
    make_folder(path.parent, 0o700)
    try:
        if not path.exists():
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    except OSError as e:
        raise cannot_write(path, e) from e


def _connect(path: Path) -> sqlite3.Connection:
    """Open an existing file: to read and write, or only to read if no more is allowed."""
    mode = "rw"
    if os.path.isfile(path) and not os.access(path, os.W_OK):
        waiting = Path(f"{path}-wal")
        mode = "ro" if os.access(path.parent, os.W_OK) or waiting.exists() else "ro&immutable=1"
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=SQLITE_TIMEOUT, isolation_level=None, check_same_thread=False
    )


def _is_full(path: Path) -> bool:
    """Return whether there is no room for the files that SQLite needs beside a database."""
    with contextlib.suppress(OSError):
        return shutil.disk_usage(path.parent).free < SPACE_NEEDED
    return False


def _why_closed(path: Path) -> str:
    """Return why the system does not open a file, in its words."""
    try:
        with open(path, "rb"):
            return ""
    except OSError as e:
        return e.strerror or str(e)
