"""The root of a search, shared by kernels and Python: its moves, the answer so far, and the results of the latest task."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from plyground.bits import i64
from plyground.compile.blocks import Block, BlockField, Float, InnerBlock, Word, Words
from plyground.kernels.search.search_memory import MAX_PLY


class ScoredLine(Block):
    """A root move with its score and line; `RootMemory.read` counts on the order of the fields."""

    score = Float()
    move = Word()
    exact = Word("nonzero if no estimate has gone into the score")
    length = Word("the length of the line")
    line = Words(MAX_PLY, "the line, which begins with the move")


class Candidate(Block):
    """One item of each of three lists of the root's moves and two lists of results."""

    move = Word("the moves in the order of the first iteration")
    next = Word("the moves in the order of the next iteration")
    rest = Word("the moves to search in the current window")
    known = InnerBlock(ScoredLine, "the answer so far, best first")
    fresh = InnerBlock(ScoredLine, "the results of the latest task")


class RootMemory(Block):
    """The moves of a root, and the results."""

    # Input: the scale of scores, and what is wanted.
    step = Float("the width of a null window")
    window = Float("the distance from the last score to either end of an aspiration window")
    bound = Float("larger than any score")
    count = Word("the number of moves")
    lines = Word("the number of moves that get a score of their own")
    fixed = Word("nonzero if there is a depth limit: then several lines are all searched that deep")
    chance = Word("nonzero if scores are expected results")
    limited = Word("nonzero if only `likely` moves are searched: then nothing is proven")
    near = Float("for weaker play: the share of the distance from the best to the median move that may be given away")
    careful = Word("for weaker play: nonzero to avoid moves that lose by force")

    # The window to search next.
    plies = Word("its depth")
    low = Float()
    high = Float()
    width = Word("the number of moves in `rest`")
    hit = Word("input: nonzero if the window search found a move")
    trial = InnerBlock(ScoredLine, "the best move in the window")
    effort = Word("the nodes that the window has spent on it")

    # The current task.
    task = Word()
    line = Word("the number of the line or of the candidate")
    by = Float("the last increase of the window's width")
    better = Word("nonzero if a window of this line has shown a move to be better than others")
    options = Word("the search's own options, while a task overrides them")
    node_limit = Word("the search's own node limit, while a task overrides it")

    # Output.
    answer = Word("the answer of the task")
    guess = Float("the score of the last iteration")
    depth = Word("the depth of the last finished iteration")
    partial = Word("the depth of an iteration that was stopped but has given the answer, 0 if there was none")
    found = Word("the number of known moves")
    settled = Word("nonzero if a deeper search can't change the answer")

    def __init__(self, room: int) -> None:
        """Allocate room for this many moves."""
        super().__init__(room * Candidate.size // 8)
        self._words, self._reals = self.extra_words.view(np.int64), self.extra_words.view(np.float64)

    def put(self, moves: Sequence[int]) -> None:
        """Set the moves of the root."""
        self.count = len(moves)
        self._words[Candidate.move.offset // 8 :: Candidate.size // 8][: len(moves)] = moves

    def read(self, i: int, part: BlockField) -> tuple[float, int, bool, tuple[int, ...]]:
        """Return score, move, exactness and line of candidate i, from the list `part`: known or fresh."""
        at = (i * Candidate.size + part.offset) // 8
        move, exact, length, *line = self._words[at + 1 : at + ScoredLine.size // 8].tolist()
        return self._reals[at].item(), move, bool(exact), tuple(line[:length])


def candidates(root):
    """Return the first candidate."""
    return Candidate(root.end)


def set_remaining_moves(root):
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


def set_all_moves(root):
    """Put all moves into `rest`."""
    for i in range(root.count):
        candidates(root)[i].rest = candidates(root)[i].move
    root.width = root.count


def move_to_front(root, m):
    """Move m to the front of `rest`."""
    before, at = m, i64(0)
    while True:
        other = candidates(root)[at].rest
        candidates(root)[at].rest = before
        if other == m:
            break
        before = other
        at += 1


def order_next_iteration(root):
    """Order the next iteration's moves: first those with known scores, then the others in their old order."""
    first = candidates(root)
    for i in range(root.count):
        first[i].rest = first[i].next
    for i in range(root.found):
        move_to_front(root, first[root.found - 1 - i].known.move)
    for i in range(root.count):
        first[i].next = first[i].rest


def copy_line(to, one):
    """Copy a scored line."""
    to.score, to.move, to.exact, to.length = one.score, one.move, one.exact, one.length
    for i in range(one.length):
        to.line[i] = one.line[i]


def record_window_result(root, score, m, mem):
    """Record the best move of a window, with its line."""
    trial = root.trial
    trial.score, trial.move, trial.exact, trial.length = float(score), m, 0, mem.lengths[1] + 1
    trial.line[0] = m
    for i in range(mem.lengths[1]):
        trial.line[i + 1] = mem.lines[MAX_PLY + i]
