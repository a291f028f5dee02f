"""Work on other machines: a game as data that travels there, and a connection to a Dask scheduler.

The texts of rules travel with the work; games that come with Plyground or another package travel by name. Plyground must be
installed on all machines in the same version, which is checked for each worker. Errors of Dask become one line each.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import json
import logging
import secrets
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, TypeVar

import plyground
from plyground.compile.cache import copies_folder
from plyground.errors import GameWarning, PlygroundError
from plyground.rules.game import Game
from plyground.rules.load import is_installed, load, loading_from, split_spec
from plyground.system.files import make_folder, write_file
from plyground.system.runner import Worker

if TYPE_CHECKING:
    from distributed import Client

T = TypeVar("T")
HOME = Path(plyground.__file__).parent
TIMEOUT_SECONDS = 10.0
"""Seconds to wait for the scheduler, for its first worker, or for a result that must be fetched."""
LOST = 30.0
"""Seconds after which a connected scheduler that does not answer counts as lost: Dask may wait forever."""
FAILURES = 20
"""The number of workers with which a job may be lost. Dask's own 3 are few: a job that only waited on a lost worker counts."""


# -- a game as data ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PackedGame:
    """A game in a form that can be sent: its name, or the contents of its files."""

    spec: str
    """The text from which it was loaded."""
    named: str = ""
    """The file of rules as the user named it."""
    file: str = ""
    """The name of that file without its folder."""
    inside: str = ""
    """The parameters."""
    files: dict[str, str] | None = None
    """The texts of the file and of what it imports from its folder; None for a game that is installed everywhere."""


def pack_game(game: Game, spec: str) -> PackedGame:
    """Return a game that was loaded from this text as it travels."""
    if is_installed(spec) or game.path is None:
        return PackedGame(spec)
    path, (named, given) = game.path, split_spec(spec)
    inside = f"({', '.join(f'{name}={value}' for name, value in given.items())})" if given else ""
    files = bundle(path) if path.is_file() else {f"{path.name}/{file.name}": _text(file) for file in sorted(path.glob("*.py"))}
    return PackedGame(spec, named, path.name, inside, files)


def unpack_game(packed: PackedGame) -> Game:
    """Load a game from what `pack_game` returned."""
    if packed.files is None:
        return load(packed.spec)
    folder = write_sources(packed.files)
    with loading_from(folder), warnings.catch_warnings():
        warnings.simplefilter("ignore", GameWarning)  # its author was warned when the work began
        return load(f"{folder / packed.file}{packed.inside}")


@functools.cache
def source_hash() -> str:
    """Return a hash of Plyground's own source files: two copies that differ may play different games."""
    digest = hashlib.sha256()
    for file in sorted(HOME.rglob("*.py")):
        name = file.relative_to(HOME).as_posix()
        if not name.startswith("docs/"):  # pages, which a checkout keeps elsewhere
            digest.update(name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:32]


def bundle(path: Path) -> dict[str, str]:
    """Return the text of a file and of all modules that it imports from its own folder, by their paths in that folder."""
    files: dict[str, str] = {}
    pending = [path]
    while pending:
        file = pending.pop()
        name = file.relative_to(path.parent).as_posix()
        if name not in files:
            files[name] = _text(file)
            pending += _imports_of(files[name], path.parent)
    return dict(sorted(files.items()))


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as e:
        raise PlygroundError(f"{file}: cannot be read ({getattr(e, 'strerror', None) or 'not a text file'})") from e


def _imports_of(text: str, folder: Path) -> list[Path]:
    """Return the files in a folder that a text imports; of a package, all of its modules."""
    names: set[str] = set()
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            names.add(node.module.partition(".")[0])
    files: list[Path] = []
    for name in sorted(names):
        module, package = folder / f"{name}.py", folder / name
        found = [module] if module.is_file() else []
        if (package / "__init__.py").is_file():
            found += sorted(package.rglob("*.py"))
        if found and not _hidden(name):
            files += found
    return files


def _hidden(name: str) -> bool:
    """Return whether `import` finds a module of Python or of NumPy, which all machines have, before one of the user's own."""
    from plyground.compile.fingerprint import known_file  # takes a moment to import

    try:
        origin = getattr(find_spec(name), "origin", None)
    except ValueError:  # a module that was made by hand
        return False
    return origin is not None and (origin in ("built-in", "frozen") or known_file(origin))


def write_sources(files: dict[str, str]) -> Path:
    """Return a folder with these files, named by their content: written once, and never changed."""
    tag = hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()[:24]
    folder = copies_folder("sources", tag)
    for name, text in files.items():
        path = folder / name
        if Path(name).is_absolute() or ".." in Path(name).parts:
            raise PlygroundError(f"{name!r:.60}: this file would lie outside the folder of the rules")
        data = text.encode()
        if not path.is_file() or path.read_bytes() != data:
            make_folder(path.parent, 0o700)
            write_file(path, [data])
    return folder


# -- the connection ----------------------------------------------------------------------------------------------------------


def describe() -> list[str]:
    """Return the version of Plyground on a worker, and the hash of its source files."""
    return [plyground.__version__, source_hash()]


class _Scheduler(Protocol):
    """What Dask gives to a function that runs on the scheduler."""

    allowed_failures: int


def allow_failures(number: int, dask_scheduler: _Scheduler) -> int:
    """Set, on the scheduler, with how many workers a task may be lost; return the number before."""
    before = dask_scheduler.allowed_failures
    dask_scheduler.allowed_failures = number
    return before


class Connection:
    """The workers of a Dask scheduler."""

    def __init__(self, address: str, before_leaving: Callable[[], None] = lambda: None) -> None:
        """Remember `before_leaving`, which cancels what is being done; it is not called if the scheduler is gone."""
        self.address, self._before_leaving = address, before_leaving
        self.run = secrets.token_hex(4)
        """The name of this run on the cluster."""
        self._threads: tuple[float, dict[str, int]] = (-1.0, {})
        self._allowed: int | None = None
        self.client: Client
        self._open: contextlib.ExitStack

    def __enter__(self) -> Connection:
        with contextlib.ExitStack() as stack:
            self.client = _connect(self.address)
            stack.enter_context(_dask_silenced())
            stack.callback(self._disconnect)
            self._check_workers()
            self._raise_failures()
            self._open = stack.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None) -> None:
        self._open.close()

    def _disconnect(self) -> None:
        """Restore the scheduler's settings and disconnect."""
        with contextlib.suppress(OSError, RuntimeError):
            if self.client.status == "running":
                self._answer(self._restore)
        with contextlib.suppress(OSError, RuntimeError):
            self.client.close(timeout=TIMEOUT_SECONDS)

    def _restore(self) -> None:
        self._before_leaving()
        if self._allowed is not None and self._allowed < FAILURES:
            self.client.run_on_scheduler(allow_failures, self._allowed)

    def _answer(self, ask: Callable[[], T]) -> T:
        """Return the scheduler's answer; raise TimeoutError if it is lost."""
        asked = Worker(ask)
        if not asked.wait(LOST):
            raise TimeoutError
        return asked.result()

    def _check_workers(self) -> None:
        """Refuse a cluster without workers, or with another version of Plyground on one of them."""
        try:
            self.client.wait_for_workers(1, timeout=TIMEOUT_SECONDS)
        except TimeoutError:
            raise PlygroundError(
                f"the Dask scheduler at {self.address} has no workers; start some with `dask worker {self.address}`"
            ) from None
        mine = describe()
        for worker, found in sorted(self.client.run(describe, on_error="return").items()):
            if isinstance(found, Exception):
                raise PlygroundError(f"the worker {worker} can't use Plyground ({one_line(found)}); install it there")
            if found != mine:
                versions = [f"{version} ({source[:8]})" for version, source in (found, mine)]
                raise PlygroundError(f"the worker {worker} has Plyground {versions[0]}; it must be {versions[1]}, as here")

    def _raise_failures(self) -> None:
        try:
            self._allowed = self.client.run_on_scheduler(allow_failures, FAILURES)
        except Exception as e:
            raise PlygroundError(
                f"the scheduler at {self.address} can't use Plyground ({one_line(e)}); install it there too"
            ) from e

    @property
    def threads(self) -> dict[str, int]:
        """The threads of each worker process that is there now, by its address."""
        if time.monotonic() - self._threads[0] > 1:
            with self.reachable():
                self._threads = time.monotonic(), dict(self._answer(self.client.nthreads))
        return self._threads[1]

    @contextlib.contextmanager
    def reachable(self) -> Iterator[None]:
        """Turn the loss of the scheduler into one clear line."""
        try:
            yield
        except (OSError, RuntimeError) as e:
            raise self._connection_lost_error() from e
        if self.client.status != "running":
            raise self._connection_lost_error()

    def _connection_lost_error(self) -> PlygroundError:
        return PlygroundError(f"the connection to the Dask scheduler at {self.address} is lost")


def check_scheduler(address: str) -> None:
    """Check that a Dask scheduler answers at the address; otherwise a client can take minutes to give up."""
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise PlygroundError("--cluster needs Dask: pip install 'plyground[cluster]'") from None
    with _scheduler_errors(address):
        import asyncio  # slow to import

        kind = Worker(lambda: asyncio.run(asyncio.wait_for(_identify(address), TIMEOUT_SECONDS))).result()
    if kind != "Scheduler":
        raise PlygroundError(f"{address} is not a Dask scheduler but a {kind}")


def _connect(address: str) -> Client:
    """Return a client of the scheduler."""
    check_scheduler(address)
    from distributed import Client

    with _scheduler_errors(address):
        return Client(address, timeout=TIMEOUT_SECONDS, set_as_default=False, name="plyground")


@contextlib.contextmanager
def _scheduler_errors(address: str) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError, TypeError) as e:  # a time-out is an OSError
        raise PlygroundError(f"no Dask scheduler answers at {address} ({one_line(e)})") from None


async def _identify(address: str) -> str:
    from distributed import Security, rpc

    async with rpc(address, timeout=TIMEOUT_SECONDS, connection_args=Security().get_connection_args("client")) as server:
        return str((await server.identity())["type"])


@contextlib.contextmanager
def _dask_silenced() -> Iterator[None]:
    """Silence Dask's own log: errors are reported in one line."""
    names = [name for name in logging.Logger.manager.loggerDict if name.partition(".")[0] in ("distributed", "tornado")]
    loggers = [logging.getLogger(name) for name in names]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)


def one_line(e: BaseException | None) -> str:
    """Return an exception in one line."""
    text = "no answer" if isinstance(e, TimeoutError) else f"{e}"
    return " ".join(text.split())[:200] or type(e).__name__
