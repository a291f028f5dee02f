"""Free memory, and a clock that native code can read."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from pathlib import Path

MEMINFO = Path("/proc/meminfo")
GROUPS = Path("/sys/fs/cgroup")
CLOCK_ID: int = getattr(time, "CLOCK_MONOTONIC", -1)


def clock_ns() -> int:
    """Return the clock that native code reads, in nanoseconds; 0 if there is none."""
    return time.clock_gettime_ns(CLOCK_ID) if CLOCK_ID >= 0 else 0


def free_memory() -> float | None:
    """Return the MB available for a new table, limited by the system and by the container; None if unknown."""
    found = [x for x in (_system(), _container()) if x is not None]
    return min(found) / (1 << 20) if found else None


def _system() -> int | None:
    """Return the bytes that the system has free; all its memory if that is unknown."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in MEMINFO.read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) << 10
    if sys.platform == "win32":
        return _windows()
    with contextlib.suppress(OSError, ValueError):
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return None


def _container() -> int | None:
    """Return the bytes that the control group of this process may still use; page cache that can be dropped counts as free."""
    for limit, used, cache in (
        ("memory.max", "memory.current", "inactive_file"),
        ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes", "total_inactive_file"),
    ):
        with contextlib.suppress(OSError, ValueError):  # "max" is not a number: there is no limit
            most = int((GROUPS / limit).read_text(encoding="ascii"))
            stat = (GROUPS / limit).with_name("memory.stat").read_text(encoding="ascii")
            dropped = next((int(line.split()[1]) for line in stat.splitlines() if line.split()[0] == cache), 0)
            return most - int((GROUPS / used).read_text(encoding="ascii")) + dropped
    return None


def _windows() -> int | None:
    import ctypes

    class Status(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ulong), ("load", ctypes.c_ulong)] + [
            (name, ctypes.c_ulonglong) for name in ("total", "free", "pages", "free_pages", "virtual", "free_virtual", "more")
        ]

    status = Status(length=ctypes.sizeof(Status))
    if not ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)):  # type: ignore[attr-defined, unused-ignore]
        return None
    return int(status.free)
