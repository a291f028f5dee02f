"""The memory of one thread of the solver: counters and limits, its tables, what it has learned of moves, a stack of children.

Behind the fields lie room for one state, the twin whose words the table compares, and the stack. `stack_end` guards the stack,
`MAX_PLY` of the kernel the recursion.
"""

from __future__ import annotations

from plyground.compile.blocks import Address, Block, Record, Word, Words
from plyground.rules.game import Game
from plyground.search.exact import LOCAL_MB, ExactTable, Lines

SPOTS = 4096
STACK_WORDS = 1 << 18


class Child(Block):
    """A child on the stack; the words of its state lie behind it."""

    rank = Word("larger is tried earlier")
    move = Word()
    key = Word("what the table knows it by; -1 for a state of the dense table")


class SolverMemory(Block):
    """The memory of one thread, and a small table near its core where the game asks for one."""

    stop = Address("where a word lies that is not 0 once the search shall end")
    nodes = Word("since the state was begun")
    node_limit = Word()
    aborted = Word("has the search stopped before its end?")
    overflow = Word("1 if the stack was too small, 2 if there were too many plies")
    jitter = Word("makes the order of moves differ between threads; 0 for the first")
    table = Record(Lines, "the table that all threads share")
    local = Record(Lines, "the thread's own, for states near the end of the game")
    dense = Address("where the bytes of the states with small codes begin")
    stack = Address("where the stack begins")
    stack_end = Address("no child is written from here on")
    history = Words(2 * SPOTS, "how well moves have done, by side and by spot")

    def __init__(self, game: Game, table: ExactTable, number: int) -> None:
        words = game.layout.words
        super().__init__(words + 1 + STACK_WORDS)
        self.jitter = 7 * number
        self.stack = self.end + 8 * (words + 1)
        self.stack_end = self.address + self.words.nbytes - Child.size - 8 * words
        self.own = ExactTable(LOCAL_MB, game.key_bits, words) if game.tuning.local else None
        table.describe(self.table)
        (self.own or table).describe(self.local)
        self.dense = int(table.dense.ctypes.data)

    def forget(self) -> None:
        """Clears what was learned."""
        self.history[:] = 0
        if self.own is not None:
            self.own.clear()
