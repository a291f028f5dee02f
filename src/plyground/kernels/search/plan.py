"""The plan of a root search: which moves to search next, in which window, and what follows from the result.

The engine and the page in a browser both work like this:

    more = plan(memory, root, ITERATE, depth)
    while more:
        root.hit = search_window(row, memory, root)
        more = plan(memory, root, GO_ON, 0)

and then read the root's memory. The caller decides how deep to search and when to stop, reports, and makes every random choice.
The plan needs no rules, so it is compiled once for all games. A score is for the side to move at the root, as a float.
"""

from __future__ import annotations

from plyground.bits import i64
from plyground.kernels.search import EXACT_OPTIONS, USE_PROOFS, USE_PVS
from plyground.kernels.search.root_memory import (
    RootMemory,
    candidates,
    copy_line,
    move_to_front,
    order_next_iteration,
    set_all_moves,
    set_remaining_moves,
)
from plyground.kernels.search.search_memory import SearchMemory
from plyground.score import distance, proven

SIGNATURE = "int64(uint64, uint64, int64, int64)"
"""Signature of `plan`."""
BEGIN, ITERATE, FIND_EQUAL, CHECK_DISTANCE, COUNT_NEAR_BEST, CONTINUE = range(6)
"""The tasks."""
MAX_DEPTH = 120
ASPIRATION_MIN_DEPTH = 4
"""The depth from which the first window lies around the score of the iteration before."""
DISTANCE_CHECK_NODES = 200_000
"""The nodes for checking whether a proven distance is exact, in addition to the number that the search has used."""


def plan(memory, root, task, n):
    """Entry point: begin a task, or continue it after a window was searched; return whether to search another window.

    BEGIN clears the results. The other tasks set `answer`: ITERATE (to depth n) to whether the iteration was finished, FIND_EQUAL
    to the number of moves that are as good as a proven best (they are in `fresh`), CHECK_DISTANCE to whether the best score is
    exact, COUNT_NEAR_BEST to the number of moves whose scores are near the best.
    """
    mem, at = SearchMemory(memory), RootMemory(root)
    if task != CONTINUE:
        at.task, at.answer = task, 0
    if task == BEGIN:
        return begin_root(at)
    if task == ITERATE:
        return iterate(at, n, mem)
    if task == FIND_EQUAL:
        return find_equals(at)
    if task == CHECK_DISTANCE:
        return begin_distance_check(at, mem)
    if task == COUNT_NEAR_BEST:
        return count_near_best(at)
    if at.task == ITERATE:
        return after_line_window(at, mem)
    if at.task == FIND_EQUAL:
        return after_equality_test(at, mem)
    return after_distance_check(at, mem)


def is_proven(root, score):
    """Return whether this score is a proven win or loss; an expected result never is."""
    return root.chance == 0 and proven(score)


def begin_root(root):
    """Clear the results; until something is found, the first move is the answer."""
    first = candidates(root)
    for i in range(root.count):
        first[i].next = first[i].move
    root.guess, root.depth, root.partial, root.found, root.settled = 0.0, 0, 0, 0, 0
    known, m = first.known, first.move
    known.score, known.move, known.exact, known.length, known.line[0] = 0.0, m, 0, 1, m
    return i64(0)


# -- one iteration ------------------------------------------------------------------------------------------------------------


def iterate(root, depth, mem):
    """Begin an iteration: each line (MultiPV) gets the best of the remaining moves."""
    root.plies, root.line = depth, 0
    return begin_line(root, mem)


def begin_line(root, mem):
    """Set the first window of a line: an aspiration window if only the best moves get a line."""
    set_remaining_moves(root)
    root.low, root.high, root.by, root.better = -root.bound, root.bound, root.window, 0
    aspires = root.line == 0 and root.lines < root.count and root.plies >= ASPIRATION_MIN_DEPTH and mem.options & USE_PVS
    if aspires and not is_proven(root, root.guess):
        root.low, root.high = root.guess - root.by, root.guess + root.by
    return i64(1)


def after_line_window(root, mem):
    """Widen the window of a line if the score is outside. If stopped, a line is the last move proven better than others."""
    score = root.trial.score
    inside = root.low < score < root.high or (root.low <= -root.bound and root.high >= root.bound)
    taken = root.hit if mem.aborted else inside or score >= root.high
    if taken:
        copy_line(candidates(root)[root.line].fresh, root.trial)
        root.better = 1
    if not mem.aborted and not inside:
        widen(root, score)
        return i64(1)
    if root.better:
        root.line += 1
        if root.line < root.lines:
            return begin_line(root, mem)
    return end_iteration(root, mem)


def widen(root, score):
    """Widen the window towards a score; a move that was better than expected is tried first."""
    root.by *= 4
    if score <= root.low:
        root.low = max(-root.bound, root.low - root.by) if root.by < root.bound else -root.bound
    else:
        root.high = min(root.bound, root.high + root.by) if root.by < root.bound else root.bound
        move_to_front(root, root.trial.move)


def end_iteration(root, mem):
    """Store the results; if the iteration was stopped, only what it has proven."""
    n = root.line
    if mem.aborted or n < root.lines:
        store_partial_iteration(root, n)
        return i64(0)
    root.settled = is_settled(root, n)
    store_sorted(root, n, root.limited)
    root.depth, root.partial, root.guess, root.answer = root.plies, 0, candidates(root).known.score, 1
    order_next_iteration(root)
    return i64(0)


def is_settled(root, n):
    """Return whether a deeper iteration finds nothing new: all scores are exact, or all are wins and losses within the depth."""
    if root.chance or (root.fixed and root.lines > 1):
        return False
    exact = near = True
    for i in range(n):
        one = candidates(root)[i].fresh
        exact &= one.exact != 0
        near &= proven(one.score) and 0 <= distance(one.score) <= root.plies
    return exact or near


def store_sorted(root, n, estimates):
    """Store the first n fresh results as known, best first; with `estimates`, none is exact."""
    first = candidates(root)
    for i in range(n):
        best = i64(-1)
        for at in range(n):
            one = first[at].fresh
            if one.length and (best < 0 or one.score > first[best].fresh.score):
                best = i64(at)
        copy_line(first[i].known, first[best].fresh)
        first[best].fresh.length = 0
        if estimates:
            first[i].known.exact = 0
    root.found = n


def store_partial_iteration(root, n):
    """Store what a stopped iteration has proven: a better move, or, if it was the first, everything it found."""
    first = candidates(root)
    if n and (root.depth == 0 or (root.lines == 1 and first.fresh.move != first.known.move)):
        store_sorted(root, n, i64(1))
        root.partial = root.plies


# -- after the last iteration -------------------------------------------------------------------------------------------------


def find_equals(root):
    """Begin to look for moves proven as good as a proven best, which is the first of them; the table answers most of this."""
    first = candidates(root)
    if root.chance or root.limited or root.depth == 0 or not (first.known.exact or proven(first.known.score)):
        return i64(0)
    copy_line(first.fresh, first.known)
    root.answer, root.line = 1, -1
    return test_next_move(root)


def test_next_move(root):
    """Set the window that shows whether the next move is as good as the best."""
    first = candidates(root)
    root.line += 1
    if root.line < root.count and first[root.line].move == first.known.move:
        root.line += 1
    if root.line >= root.count or root.depth >= MAX_DEPTH:
        return i64(0)
    first.rest, root.width = first[root.line].move, 1
    root.plies, root.low, root.high = root.depth, first.known.score - 1, first.known.score
    return i64(1)


def after_equality_test(root, mem):
    """Store a move that is as good. This may take a few more plies to show, because late moves are searched less deeply."""
    first = candidates(root)
    best, one = first.known, first[root.answer].fresh
    if root.hit and root.trial.score >= best.score:
        if root.trial.exact or best.score > 0:
            copy_line(one, root.trial)
            one.score, one.exact = best.score, best.exact
            root.answer += 1
        elif root.plies + 2 < min(root.depth + 8, MAX_DEPTH):
            root.plies += 2
            return i64(1)
    return i64(0) if mem.aborted else test_next_move(root)


def begin_distance_check(root, mem):
    """Begin to check whether a proven distance is exact, without the techniques that skip moves and so find wins late.

    A win in n plies is exact if no move wins sooner, a loss if the best move holds out that long. This takes a full-width
    null-window search of n - 1 plies, whose node limit is a little larger than the number of nodes used so far.
    """
    best = candidates(root).known
    root.answer = best.exact
    if root.chance or root.limited or mem.aborted or root.lines > 1 or root.depth == 0 or best.exact:
        return i64(0)
    score, away = best.score, distance(best.score)
    if not proven(score) or away < 0:
        return i64(0)
    root.options, root.node_limit = mem.options, mem.node_limit
    mem.options = mem.options & EXACT_OPTIONS | USE_PROOFS
    mem.node_limit, mem.next_check = min(mem.node_limit, 2 * mem.nodes + DISTANCE_CHECK_NODES), 0
    root.plies = max(i64(away) - 1, i64(1))
    if score > 0:
        set_all_moves(root)
        root.low, root.high = score, score + 1
    else:
        candidates(root).rest, root.width = best.move, 1
        root.low, root.high = score - 1, score
    return i64(1)


def after_distance_check(root, mem):
    """Record whether the distance is exact; a check that took too many nodes has not stopped the search."""
    best = candidates(root).known
    if not mem.aborted:
        best.exact = root.trial.score <= best.score if best.score > 0 else root.trial.score >= best.score
    mem.options, mem.node_limit, mem.aborted = root.options, root.node_limit, 0
    root.answer = best.exact
    return i64(0)


def count_near_best(root):
    """Count the moves that are near enough to the best, for weaker play.

    "Near" is a fraction of the distance between the best and the median move, so that it means the same in every game. Careful
    play never loses by force or gives away a win if there is a better move, nor takes a move separated by a gap from all better
    ones.
    """
    first = candidates(root)
    if root.found == 0:
        return i64(0)
    best = first.known.score
    slack = root.near * max(best - first[root.found // 2].known.score, root.step)
    n = i64(1)
    while n < root.found:
        before, score = first[n - 1].known.score, first[n].known.score
        gap = 2 * (before - score) > max(slack, root.step)
        if score < best - slack or (root.careful and (gap or is_proven(root, score) != is_proven(root, best))):
            break
        n += 1
    root.answer = n
    return i64(0)
