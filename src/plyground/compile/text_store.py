"""The folder of LLVM texts, each under the hash of what it depends on.

Every file has a checksum, is written beside its place and then renamed. A damaged one counts as missing.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import time
from pathlib import Path
from typing import Any

from plyground.compile.cache import DamagedError, checked, read_checked
from plyground.compile.folder import cache_folder

FOLDER = "functions"
MOST = 6000
"""Files in the folder; of more, those that were not used for longest are deleted."""
DAY = 86400


class TextStore:
    """The folder of kept texts."""

    def __init__(self) -> None:
        self.folder = cache_folder(FOLDER)
        self.written = 0

    def read(self, name: str) -> Any:
        """Return what is kept under a name; None if it is missing or damaged."""
        if self.folder is None:
            return None
        file = self.folder / name
        try:
            found = pickle.loads(read_checked(file, name))
            if file.stat().st_mtime < time.time() - DAY:
                os.utime(file)
        except (OSError, DamagedError):
            return None
        return found

    def write(self, name: str, value: Any) -> None:
        """Keep a value; a full disk is no error."""
        if self.folder is None:
            return
        file = self.folder / name
        new = file.with_name(f"{name}.{os.getpid()}")
        with contextlib.suppress(OSError):
            try:
                new.write_bytes(checked(pickle.dumps(value, protocol=5), name))
                os.replace(new, file)
                self.written += 1
            finally:
                new.unlink(missing_ok=True)

    def prune(self) -> None:
        """Delete the files that were not used for longest, if there are too many."""
        if self.folder is None or not self.written:
            return
        with contextlib.suppress(OSError):
            files = list(self.folder.iterdir())
            if len(files) > MOST:
                ages = sorted((_used(file), file) for file in files)
                for _, file in ages[: len(ages) - MOST // 2]:
                    file.unlink(missing_ok=True)


def _used(file: Path) -> float:
    with contextlib.suppress(OSError):
        return file.stat().st_mtime
    return 0.0
