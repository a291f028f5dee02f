"""The memory of the engine's search: one block per thread, and one table that all threads share.

After the fields of the block come the state, for in-place rules, and the stack: the ranked moves of one node after the other.
`stack_end` guards the stack, MAX_PLY everything that is indexed by ply.
"""

from __future__ import annotations

import contextlib
import mmap
from typing import Any

import numpy as np

from plyground.bits import MASK
from plyground.compile.blocks import Address, Addresses, Block, Word, Words
from plyground.errors import PlygroundError
from plyground.rules.rollouts import PLIES
from plyground.system.machine import clock_ns

MAX_PLY = 200
MAX_PAST = 1024
"""How many positions before the root are kept to detect repetition."""
HISTORY_SIZE = 4096
SEEN_SIZE = 8192
STACK_WORDS = 1 << 17

NO_CYCLE = 1 << 30
ERAS = 64
BUCKET_BYTES = 64
FIRST_STEP = 16
"""Nodes until the second look at the clock; after that the interval adapts."""


def zeros(words: int) -> np.ndarray[Any, Any]:
    """Zeroed words, in huge pages if the system has them: with small pages, each random probe would miss the TLB."""
    if not hasattr(mmap, "MADV_HUGEPAGE"):
        return np.zeros(words, np.uint64)
    try:
        block = mmap.mmap(-1, max(8 * words, 8), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except OSError as e:
        raise PlygroundError(f"a table of {words >> 17:,} MB does not fit into memory; give less") from e
    with contextlib.suppress(OSError):
        block.madvise(mmap.MADV_HUGEPAGE)
    return np.frombuffer(block, np.uint64)


class SearchMemory(Block):
    """The memory of one searcher."""

    # Input.
    stop = Address("of a word that becomes nonzero when the search must end")
    options = Word("the techniques in use: bits from `option_bits.py`")
    table = Address("the start of the table")
    last_bucket = Word("the number of its buckets, minus one")
    age = Word("how many searches the table has seen")
    era = Word("proofs from another era are not trusted")
    node_limit = Word()
    deadline = Word("in nanoseconds; 0 without a clock")
    root_depth = Word("the depth of this iteration")
    past = Word("how many positions before the root are known")
    seed = Address("of the random games at the leaves, where the game has no evaluation")
    state = Address("room for a state")
    stack = Address("the start of the stack")
    stack_end = Address("moves are written only below this")
    net = Address("of the memory of a net (`nets/leaf.py`), if one judges the leaves; 0 if none does")

    # Progress.
    nodes = Word()
    next_look = Word("the node count at which it next checks whether to go on")
    aborted = Word("nonzero if the search was stopped early")
    selective = Word("the largest ply reached")
    evaluations = Word()
    hits = Word("nodes that the table settled")
    cutoffs = Word()
    first_cutoffs = Word("cutoffs by the first move tried")
    overflows = Word("move lists that did not fit on the stack")
    scout_depth = Word("how deep it has looked out for forced wins (`lookout.py`)")
    beyond = Word("a result beyond MARGIN, 0 if there was none")
    estimated = Word("nonzero if an estimate has gone into the value of this node")
    cycle = Word("the lowest ply whose position this node's value depends on through repetition")
    last_look = Word("when it last looked at the clock, in nanoseconds")
    look_step = Word("nodes between two looks")
    clock = Words(2, "room for the system's clock value")
    made = Words(PLIES, "the moves of a random game, for in-place rules")

    # What it has learned about moves.
    killers = Words(2 * MAX_PLY, "two moves per ply, each plus one")
    history = Words(2 * HISTORY_SIZE, "how well a move has done, by side and hash of the move")

    # Where it is.
    lengths = Words(MAX_PLY + 1, "the length of the best line from each ply")
    lines = Words(MAX_PLY * MAX_PLY, "the best line from each ply")
    path = Addresses(MAX_PAST + MAX_PLY, "the keys of the game so far and of the path")
    seen = Words(SEEN_SIZE, "how many of these keys have each hash")

    def __init__(self, state_words: int) -> None:
        super().__init__(state_words + STACK_WORDS)
        self.state = self.end
        self.stack = self.end + 8 * state_words
        # Four words before the end: a node writes at most two words before it checks.
        self.stack_end = self.address + self.words.nbytes - 32

    def begin(self, nodes: int, era: int) -> None:
        """Prepare for a search of at most `nodes` nodes."""
        self.clear(SearchMemory.nodes, SearchMemory.beyond)
        self.node_limit, self.era = nodes, era

    def start_clock(self, seconds: float | None) -> None:
        """Set the deadline this many seconds from now; with None there is none, and the clock only sets how often to look."""
        now = clock_ns()
        self.last_look, self.look_step = now, FIRST_STEP
        self.deadline = 0 if not now else 1 << 62 if seconds is None else max(1, now + int(seconds * 1e9))

    def forget(self) -> None:
        """Clear what was learned about moves."""
        self.clear(SearchMemory.killers, SearchMemory.history)

    def remember(self, keys: list[int]) -> None:
        """Set the positions before the root, given by their keys."""
        keys = keys[-MAX_PAST:]
        self.seen[:] = 0
        for i, key in enumerate(keys):
            self.path[i] = key & MASK
            self.seen[key & (SEEN_SIZE - 1)] += 1
        self.past = len(keys)


class TranspositionTable:
    """A table of fixed size that several searchers can use at once: 64-byte buckets of four entries."""

    def __init__(self, megabytes: float) -> None:
        buckets = 1
        while buckets * 2 * BUCKET_BYTES <= megabytes * (1 << 20):
            buckets *= 2
        self.buckets = buckets
        # One extra bucket, so that the first can start on a cache line.
        self.words = zeros((buckets + 1) * BUCKET_BYTES // 8)
        self.words[:: 4096 // 8] = 0  # touch each page now: the system clears it at first use, which would delay a move
        base = int(self.words.ctypes.data)
        self.address = (base + BUCKET_BYTES - 1) // BUCKET_BYTES * BUCKET_BYTES
        self.age = 0

    def clear(self) -> None:
        """Empty the table."""
        self.words[:] = 0
        self.age = 0

    def fill(self) -> float:
        """Return the share of entries in use, from a sample of the table."""
        sample: np.ndarray[Any, Any] = self.words[: min(len(self.words), 8192)]
        return float((sample[1::2] != 0).mean())

    def use(self, memory: SearchMemory) -> None:
        """Let a searcher use this table."""
        memory.table, memory.last_bucket, memory.age = self.address, self.buckets - 1, self.age
