"""The memory of one thread of the solver: a head of words, the history of moves, and a stack of children.

All offsets are in bytes. `STACK_END` guards the stack, `MAX_PLY` of the kernel the recursion.
"""

from __future__ import annotations

import numpy as np

from plyground.rules.game import Game
from plyground.search.exact import LOCAL_MB, ExactTable

STOP, NODES, NODE_LIMIT, ABORTED, STACK_END, OVERFLOW, JITTER, STACK = (8 * i for i in range(8))
TABLE, LOCAL_TABLE, DENSE_TABLE = 8 * 8, 8 * 10, 8 * 12
"""Where the head tells of a table: its address, and in the next word the bits of a line's number."""
HISTORY = 8 * 16
SPOTS = 4096
SCRATCH = HISTORY + 8 * 2 * SPOTS
"""Room for one state: the canonical twin whose words the table compares."""
RECORD = 3
"""Words of a child on the stack before those of its state: rank, move, and its key."""
STACK_WORDS = 1 << 18


class Block:
    """The memory of one searcher, and a small table near its core where the game asks for one. Each search sets STOP."""

    def __init__(self, game: Game, table: ExactTable, number: int) -> None:
        state_words = game.layout.words
        start = SCRATCH + 8 * (state_words + 1)
        self.words = np.zeros(start // 8 + STACK_WORDS, np.uint64)
        self.address = int(self.words.ctypes.data)
        self.set(STACK, self.address + start)
        self.set(STACK_END, self.address + self.words.nbytes - 8 * (RECORD + state_words))
        self.local = ExactTable(LOCAL_MB, game.key_bits, state_words) if game.tuning.local else None
        for at, each in ((TABLE, table), (LOCAL_TABLE, self.local or table)):
            self.set(at, each.address)
            self.set(at + 8, each.index_bits)
        self.set(DENSE_TABLE, int(table.dense.ctypes.data))
        self.set(JITTER, 7 * number)

    def get(self, offset: int) -> int:
        """A word of the head."""
        return int(self.words[offset // 8])

    def set(self, offset: int, value: int) -> None:
        """Sets a word of the head."""
        self.words[offset // 8] = np.uint64(value & ((1 << 64) - 1))

    def forget(self) -> None:
        """Clears what was learned."""
        self.words[HISTORY // 8 : SCRATCH // 8] = 0
        if self.local is not None:
            self.local.clear()
