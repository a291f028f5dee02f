"""Where a searcher keeps its things: one block of words a thread, and one table that all threads share.

The block, in words:

    0 .. 31            the head: counters, limits, addresses (the names below)
    KILLERS            two moves a ply
    HISTORY            how well a move has done, by side and by a hash of the move
    LENGTH, LINE       the best line from each ply on
    PATH, SEEN         the keys of the game so far and of the path, and how often each of their hashes stands there
    STATE              the state, for rules that play in place
    STACK              moves with their ordering scores, a node after the other

All offsets are in bytes. Nothing checks an access: `STACK_END` guards the stack, MAX_PLY everything that a ply indexes.
"""

from __future__ import annotations

import contextlib
import mmap
from typing import Any

import numpy as np

from plyground.errors import PlygroundError
from plyground.system.machine import clock_ns

MAX_PLY = 200
MAX_PAST = 1024
"""How many positions of the game before the root are remembered for repetition."""
HISTORY_SIZE = 4096
SEEN_SIZE = 8192
STACK_WORDS = 1 << 17

STOP, NODES, NODE_LIMIT, SELECTIVE, TABLE, BUCKETS, AGE, OPTIONS = (8 * i for i in range(8))
ABORTED, ESTIMATED, CYCLE, EVALUATIONS, STACK_END, PAST, ROOT_DEPTH, HITS = (8 * i for i in range(8, 16))
CUTOFFS, FIRST_CUTOFFS, STACK_TOP, OVERFLOWS, NEXT_LOOK, BEYOND = (8 * i for i in range(16, 22))
DEADLINE, LAST_LOOK, LOOK_STEP, CLOCK = (8 * i for i in range(22, 26))
"""DEADLINE and LAST_LOOK in nanoseconds, LOOK_STEP in nodes; CLOCK is two words that the system's clock writes."""
ERA = 8 * 27

KILLERS = 8 * 32
HISTORY = KILLERS + 8 * 2 * MAX_PLY
LENGTH = HISTORY + 8 * 2 * HISTORY_SIZE
LINE = LENGTH + 8 * (MAX_PLY + 1)
PATH = LINE + 8 * MAX_PLY * MAX_PLY
SEEN = PATH + 8 * (MAX_PAST + MAX_PLY)
STATE = SEEN + 8 * SEEN_SIZE

NO_CYCLE = 1 << 30
ERAS = 64
BUCKET_BYTES = 64
ENTRY_BYTES = 16
FIRST_STEP = 16
"""Nodes to the second look at the clock; from then on the searcher finds its pace."""


def zeros(words: int) -> np.ndarray[Any, Any]:
    """Words of zero in large pages where the system has them: a table is read all over, and small pages miss each time."""
    if not hasattr(mmap, "MADV_HUGEPAGE"):
        return np.zeros(words, np.uint64)
    try:
        block = mmap.mmap(-1, max(8 * words, 8), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except OSError as e:
        raise PlygroundError(f"a table of {words >> 17:,} MB does not fit into memory") from e
    with contextlib.suppress(OSError):
        block.madvise(mmap.MADV_HUGEPAGE)
    return np.frombuffer(block, np.uint64)


class Memory:
    """The block of one searcher."""

    def __init__(self, state_words: int) -> None:
        self.stack = STATE + 8 * (state_words + 1)
        self.words = np.zeros(self.stack // 8 + STACK_WORDS + 8, np.uint64)
        self.address = int(self.words.ctypes.data)
        self.set(STACK_TOP, self.address + self.stack)
        # Four words short of the end: a node writes at most one pair of words before it looks.
        self.set(STACK_END, self.address + self.words.nbytes - 32)

    def get(self, offset: int) -> int:
        """A word of the head."""
        return int(self.words[offset // 8])

    def set(self, offset: int, value: int) -> None:
        """Sets a word of the head."""
        self.words[offset // 8] = np.uint64(value & ((1 << 64) - 1))

    def start_clock(self, seconds: float | None) -> None:
        """Lets the searcher stop by itself after so many seconds; None: not at all, but it looks at the clock for its pace."""
        now = clock_ns()
        self.set(LAST_LOOK, now)
        self.set(LOOK_STEP, FIRST_STEP)
        self.set(DEADLINE, 0 if not now else 1 << 62 if seconds is None else max(1, now + int(seconds * 1e9)))

    def forget(self) -> None:
        """Clears what one search has learned about moves."""
        self.words[KILLERS // 8 : LENGTH // 8] = 0

    def remember(self, keys: list[int]) -> None:
        """Sets the positions that stood on the board before the root."""
        keys = keys[-MAX_PAST:]
        self.words[SEEN // 8 : STATE // 8] = 0
        for i, key in enumerate(keys):
            self.words[PATH // 8 + i] = np.uint64(key & ((1 << 64) - 1))
            self.words[SEEN // 8 + (key & (SEEN_SIZE - 1))] += np.uint64(1)
        self.set(PAST, len(keys))


class Table:
    """A table of fixed size that several searchers may use at once: buckets of four entries, 64 bytes each."""

    def __init__(self, megabytes: float) -> None:
        buckets = 1
        while buckets * 2 * BUCKET_BYTES <= megabytes * (1 << 20):
            buckets *= 2
        self.buckets = buckets
        # One bucket more than used, so that the first can start on a cache line.
        self.words = zeros((buckets + 1) * BUCKET_BYTES // 8)
        self.words[:: 4096 // 8] = 0  # the system clears each page at its first use: now, not while somebody waits for a move
        base = int(self.words.ctypes.data)
        self.address = (base + BUCKET_BYTES - 1) // BUCKET_BYTES * BUCKET_BYTES
        self.age = 0

    def clear(self) -> None:
        """Empties the table."""
        self.words[:] = 0
        self.age = 0

    def fill(self) -> float:
        """The share of entries in use, from a sample of the table."""
        sample: np.ndarray[Any, Any] = self.words[: min(len(self.words), 8192)]
        return float((sample[1::2] != 0).mean())

    def use(self, memory: Memory) -> None:
        """Lets a searcher use this table."""
        memory.set(TABLE, self.address)
        memory.set(BUCKETS, self.buckets - 1)
        memory.set(AGE, self.age & 63)
