"""The memory of one solver thread: counters and limits, its tables, the history of moves, a stack of children.

After the fields come room for one state, the `twin` that the table compares, and the stack. `stack_end` guards the stack, the
kernel's `MAX_PLY` the recursion.
"""

from __future__ import annotations

from plyground.compile.blocks import Address, Block, Record, Word, Words
from plyground.kernels.solve.solver_table import LOCAL_MB, ExactTable, TableLines
from plyground.rules.game import Game

SPOTS = 4096
STACK_WORDS = 1 << 18


class SolverChild(Block):
    """A child on the stack; the words of its state follow it."""

    rank = Word("the highest is tried first")
    move = Word()
    key = Word("its table key; -1 if it is in the dense table")


class SolverMemory(Block):
    """The memory of one thread, with a small table of its own if the game asks for one."""

    stop = Address("of a word that becomes nonzero when the search must end")
    nodes = Word("since this state was started")
    node_limit = Word()
    aborted = Word("nonzero if the search was stopped early")
    beyond = Word("a result beyond MARGIN, 0 if there was none")
    overflow = Word("1 if the stack was too small, 2 if there were too many plies")
    jitter = Word("varies the move order between threads; 0 for the first")
    table = Record(TableLines, "the table that all threads share")
    local = Record(TableLines, "the thread's own, for states near the end of the game")
    dense = Address("the start of the dense table, one byte per state with a small code")
    stack = Address("the start of the stack")
    stack_end = Address("children are written only below this")
    history = Words(2 * SPOTS, "how well moves have done, by side and spot")

    def __init__(self, game: Game, table: ExactTable, number: int) -> None:
        words = game.layout.words
        super().__init__(words + 1 + STACK_WORDS)
        self.jitter = 7 * number
        self.stack = self.end + 8 * (words + 1)
        self.stack_end = self.address + self.words.nbytes - SolverChild.size - 8 * words
        self.own = ExactTable(LOCAL_MB, game.key_bits, words) if game.tuning.local else None
        table.describe(self.table)
        (self.own or table).describe(self.local)
        self.dense = int(table.dense.ctypes.data)

    def forget(self) -> None:
        """Clear what was learned."""
        self.history[:] = 0
        if self.own is not None:
            self.own.clear()
