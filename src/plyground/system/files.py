"""Files that are written completely or not at all, and locks between processes.

The data goes to a new file in the same folder, which is renamed only when every byte is on the disk. So a full disk, a crash or
Ctrl-C leaves the old file as it was, and never half of the new one. When a process ends, however it ends, its locks are released.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO

from plyground.errors import PlygroundError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

NEW = getattr(os, "O_BINARY", 0) | os.O_WRONLY | os.O_CREAT | os.O_EXCL


def data_folder() -> Path:
    """Return the folder of the user's data: books, records, nets."""
    return user_folder("XDG_DATA_HOME", ".local", "share")


def user_folder(variable: str, *default: str) -> Path:
    """Return our folder in the one that an environment variable gives, or else in this one of the user's home."""
    try:
        base = os.environ.get(variable) or Path.home().joinpath(*default)
    except RuntimeError as e:  # neither $HOME nor the list of users says where it is
        raise PlygroundError(f"the home folder of this user is not known; set HOME or {variable} to a folder") from e
    return Path(base) / "plyground"


def write_file(path: str | Path, parts: Iterable[ReadableBuffer]) -> None:
    """Write these bytes to a file, completely or not at all."""
    try:
        target = Path(os.path.realpath(path))  # a link stays a link
        if target.is_symlink():
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        if target.exists() and not target.is_file():
            with open(target, "wb") as file:  # a device or a pipe must not be replaced
                _write(file, parts)
            return
        _replace(target, parts)
    except OSError as e:
        raise cannot_write(path, e) from e


def write_text(path: str | Path, text: str) -> None:
    """Write text to a file in UTF-8, completely or not at all."""
    write_file(path, [text.encode("utf-8", "backslashreplace")])


def add_to_log(path: Path, data: bytes, most: int) -> None:
    """Add bytes to the end of a file, for several processes at once. A file of more than `most` bytes makes room for a new
    one, and the last such file is kept beside it as `….old`.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with contextlib.suppress(FileNotFoundError):
        if path.stat().st_size + len(data) > most:
            os.replace(path, path.with_name(f"{path.name}.old"))
    with open(path, "ab", buffering=0) as file:
        file.write(data)


def not_private(path: Path, *, link: bool = False, closed: bool = False) -> str | None:
    """Return how another user could have changed a file or a folder, in words; None if only this user could.

    A symbolic link counts as a fault, except with `link`: then what it leads to is judged. With `closed`, nobody else can enter
    the folder that it is in, so its permissions don't matter.
    """
    if not hasattr(os, "getuid"):
        return None
    own = (0, os.getuid())
    try:
        info, target = os.lstat(path), os.stat(path)
    except FileNotFoundError:  # another process has just removed it
        return None
    if stat.S_ISLNK(info.st_mode) and not link:
        return f"{path} is a link"
    if info.st_uid not in own or target.st_uid not in own:
        return f"{path} belongs to another user"
    return f"others may write to {path}" if target.st_mode & 0o022 and not closed else None


def is_private(info: os.stat_result, *, closed: bool = False) -> bool:
    """Return whether only this user could have changed an open file, of which `os.fstat` gives this."""
    if not hasattr(os, "getuid"):
        return True
    return info.st_uid in (0, os.getuid()) and (closed or not info.st_mode & 0o022)


def make_folder(path: str | Path, mode: int = 0o777) -> None:
    """Make a folder and those that it is in, if they aren't there."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True, mode=mode)
    except OSError as e:
        raise PlygroundError(f"{path}: this folder cannot be created ({e.strerror or e})") from e


def cannot_write(path: str | Path, e: OSError) -> PlygroundError:
    """Return the error for a file that can't be written."""
    folder = Path(path).parent
    missing = isinstance(e, FileNotFoundError) and not folder.is_dir()
    return PlygroundError(f"{path}: cannot be written ({f'there is no folder {folder}' if missing else e.strerror or e})")


def _replace(target: Path, parts: Iterable[ReadableBuffer]) -> None:
    new = target.with_name(f".plyground-{secrets.token_hex(8)}")
    try:
        with open(os.open(new, NEW, 0o666), "wb") as file:
            _write(file, parts)
            os.fsync(file.fileno())
        with contextlib.suppress(OSError):
            os.chmod(new, os.stat(target).st_mode & 0o7777)  # the old file's permissions
        os.replace(new, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(new)
        raise


def _write(file: BinaryIO, parts: Iterable[ReadableBuffer]) -> None:
    for part in parts:
        file.write(part)
    file.flush()


def lock(file: IO[bytes]) -> bool:
    """Lock an open file until it is closed; False if another process has locked it. Without `flock` (Windows), always True."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


@contextlib.contextmanager
def lock_file(path: Path, busy: str) -> Iterator[None]:
    """Hold the lock of this name, a file that is removed afterwards; `busy` is the error if another process holds it."""
    while True:
        try:
            file = open(path, "ab")  # noqa: SIM115
        except OSError as e:
            raise cannot_write(path, e) from e
        if not lock(file):
            file.close()
            raise PlygroundError(busy)
        with contextlib.suppress(OSError):
            if os.path.samestat(os.fstat(file.fileno()), path.stat()):
                break
        file.close()  # its last owner has just removed it: only a file that others find is a lock
    try:
        yield
    finally:
        if os.name == "nt":
            file.close()  # an open file can't be removed there
        with contextlib.suppress(OSError):
            path.unlink()
        file.close()
