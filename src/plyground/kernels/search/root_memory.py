"""The memory of a root, for kernels and for Python: its moves, the answer so far, and what the latest task has found."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from plyground.bits import i64
from plyground.compile.blocks import Block, BlockField, Real, Record, Word, Words
from plyground.kernels.search.search_memory import MAX_PLY


class ScoredLine(Block):
    """A root move with its score and line; `RootMemory.read` counts on the order of the fields."""

    score = Real()
    move = Word()
    exact = Word("nonzero if no estimate has gone into the score")
    length = Word("of the line")
    line = Words(MAX_PLY, "begins with the move")


class Candidate(Block):
    """Three lists of the root's moves and two of what was found, each with one item here."""

    move = Word("the moves as they are tried first")
    next = Word("as the next iteration tries them")
    rest = Word("those among which a search looks for the best")
    known = Record(ScoredLine, "the answer so far, best first")
    fresh = Record(ScoredLine, "what the latest task has found")


class RootMemory(Block):
    """The moves of a root, and what was found."""

    # Input: the scale of scores, and what is wanted.
    step = Real("the width of a null window")
    window = Real("the distance from the last score to either end of an aspiration window")
    bound = Real("larger than any score")
    count = Word("the number of moves")
    lines = Word("the number of moves that get a score of their own")
    fixed = Word("nonzero if a depth is asked for: then several lines are all searched that deep")
    chance = Word("nonzero if scores are expected results")
    limited = Word("nonzero if only `likely` moves are searched: then nothing is proven")
    near = Real("for weaker play: the share of the distance from the best to the median move that may be given away")
    careful = Word("for weaker play: nonzero to make no mistake that can be seen")

    # The window to search next.
    plies = Word("its depth")
    low = Real()
    high = Real()
    width = Word("the number of moves in `rest`")
    hit = Word("input: nonzero if something was found in it")
    trial = Record(ScoredLine, "the best move in it")

    # The task at work.
    task = Word()
    line = Word("the number of the line or of the candidate")
    by = Real("by how much the window was last widened")
    better = Word("nonzero if a window of this line has shown a move to be better than others")
    options = Word("those of the search, while others are used")
    node_limit = Word("that of the search, while another is used")

    # Output.
    answer = Word("of the task")
    guess = Real("the score of the last iteration")
    depth = Word("of the last iteration that was finished")
    partial = Word("the depth of an iteration that was stopped but has given the answer, 0 if there was none")
    found = Word("the number of known moves")
    settled = Word("nonzero if there is nothing more to find")

    def __init__(self, room: int) -> None:
        """Allocate room for this many moves."""
        super().__init__(room * Candidate.size // 8)
        self._words, self._reals = self.behind.view(np.int64), self.behind.view(np.float64)

    def put(self, moves: Sequence[int]) -> None:
        """Set the moves of the root."""
        self.count = len(moves)
        self._words[Candidate.move.offset // 8 :: Candidate.size // 8][: len(moves)] = moves

    def read(self, i: int, part: BlockField) -> tuple[float, int, bool, tuple[int, ...]]:
        """Return the score, the move, whether it is exact, and the line: what is known or fresh (`part`) of a candidate."""
        at = (i * Candidate.size + part.offset) // 8
        move, exact, length, *line = self._words[at + 1 : at + ScoredLine.size // 8].tolist()
        return self._reals[at].item(), move, bool(exact), tuple(line[:length])


def candidates(root):
    """Return the first candidate."""
    return Candidate(root.end)


def put_rest(root):
    """Put the moves of this line into `rest`: without those of the lines before; only its own if all moves get a line."""
    first = candidates(root)
    if root.lines == root.count:
        first[0].rest, root.width = first[root.line].next, 1
        return
    kept = i64(0)
    for i in range(root.count):
        m = first[i].next
        taken = False
        for done in range(root.line):
            taken |= first[done].fresh.move == m
        if not taken:
            first[kept].rest = m
            kept += 1
    root.width = kept


def put_all(root):
    """Put all moves into `rest`."""
    for i in range(root.count):
        candidates(root)[i].rest = candidates(root)[i].move
    root.width = root.count


def rest_first(root, m):
    """Move m to the front of `rest`."""
    before, at = m, i64(0)
    while True:
        other = candidates(root)[at].rest
        candidates(root)[at].rest = before
        if other == m:
            break
        before = other
        at += 1


def put_next(root):
    """Order the next iteration's moves: those that are known, then the others as they are."""
    first = candidates(root)
    for i in range(root.count):
        first[i].rest = first[i].next
    for i in range(root.found):
        rest_first(root, first[root.found - 1 - i].known.move)
    for i in range(root.count):
        first[i].next = first[i].rest


def copy_line(to, one):
    """Copy what was found."""
    to.score, to.move, to.exact, to.length = one.score, one.move, one.exact, one.length
    for i in range(one.length):
        to.line[i] = one.line[i]


def put_trial(root, score, m, mem):
    """Record the best move of a window, with its line."""
    trial = root.trial
    trial.score, trial.move, trial.exact, trial.length = float(score), m, 0, mem.lengths[1] + 1
    trial.line[0] = m
    for i in range(mem.lengths[1]):
        trial.line[i + 1] = mem.lines[MAX_PLY + i]
