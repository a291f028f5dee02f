"""The plan of a root search: which moves to search next, in which window, and what follows from the result.

The engine and the page in a browser both work like this:

    more = plan(memory, root, ITERATE, depth)
    while more:
        root.hit = search_window(row, memory, root)
        more = plan(memory, root, GO_ON, 0)

and then read the root's memory. How deep to go, when to stop, reports, and every random choice are theirs. The plan needs no
rules, so it is compiled once for all games. A score is for the side to move at the root, as a float.
"""

from __future__ import annotations

from plyground.bits import i64
from plyground.kernels.search import EXACT_OPTIONS, USE_PROOFS, USE_PVS
from plyground.kernels.search.root_memory import (
    RootMemory,
    candidates,
    copy_line,
    put_all,
    put_next,
    put_rest,
    rest_first,
)
from plyground.kernels.search.search_memory import SearchMemory
from plyground.score import distance, proven

SIGNATURE = "int64(uint64, uint64, int64, int64)"
"""Signature of `plan`."""
BEGIN, ITERATE, EQUALS, SHARPEN, NEAR, GO_ON = range(6)
"""The tasks."""
MAX_DEPTH = 120
ASPIRE = 4
"""From this depth on, the window lies around the score of the iteration before."""
SHARPEN_NODES = 200_000
"""Extra nodes for checking whether a proven distance is exact, on top of as many as the search has used."""


def plan(memory, root, task, n):
    """Entry point: begin a task, or go on with it after a window; return whether there is another one.

    BEGIN forgets what was found. The other tasks leave an `answer`: ITERATE (to depth n) whether the iteration was finished,
    EQUALS how many moves are as good as a proven best (they are in `fresh`), SHARPEN whether the best score is exact, NEAR how
    many moves are near the best.
    """
    mem, at = SearchMemory(memory), RootMemory(root)
    if task != GO_ON:
        at.task, at.answer = task, 0
    if task == BEGIN:
        return begin_root(at)
    if task == ITERATE:
        return iterate(at, n, mem)
    if task == EQUALS:
        return find_equals(at)
    if task == SHARPEN:
        return sharpen(at, mem)
    if task == NEAR:
        return near_best(at)
    if at.task == ITERATE:
        return after_line_window(at, mem)
    if at.task == EQUALS:
        return after_rival(at, mem)
    return after_sharpening(at, mem)


def is_proven(root, score):
    """Return whether this score is a proven win or loss; an expected result never is."""
    return root.chance == 0 and proven(score)


def begin_root(root):
    """Forget what was found: the first move is the answer so far."""
    first = candidates(root)
    for i in range(root.count):
        first[i].next = first[i].move
    root.guess, root.depth, root.partial, root.found, root.settled = 0.0, 0, 0, 0, 0
    known, m = first.known, first.move
    known.score, known.move, known.exact, known.length, known.line[0] = 0.0, m, 0, 1, m
    return i64(0)


# -- one iteration ------------------------------------------------------------------------------------------------------------


def iterate(root, depth, mem):
    """Begin an iteration: one line after the other gets the best of the moves that are left."""
    root.plies, root.line = depth, 0
    return begin_line(root, mem)


def begin_line(root, mem):
    """Open the first window of a line: around the last score, if only the best moves get a line."""
    put_rest(root)
    root.low, root.high, root.by, root.better = -root.bound, root.bound, root.window, 0
    aspires = root.line == 0 and root.lines < root.count and root.plies >= ASPIRE and mem.options & USE_PVS
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
        rest_first(root, root.trial.move)


def end_iteration(root, mem):
    """Keep what was found; of an iteration that was stopped, what it has proven."""
    n = root.line
    if mem.aborted or n < root.lines:
        keep_part(root, n)
        return i64(0)
    root.settled = is_settled(root, n)
    keep_sorted(root, n, root.limited)
    root.depth, root.partial, root.guess, root.answer = root.plies, 0, candidates(root).known.score, 1
    put_next(root)
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


def keep_sorted(root, n, estimates):
    """Keep the first n fresh results, best first; as `estimates`, none is exact."""
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


def keep_part(root, n):
    """Keep what a stopped iteration has proven: a better move, or, if it was the first, everything it found."""
    first = candidates(root)
    if n and (root.depth == 0 or (root.lines == 1 and first.fresh.move != first.known.move)):
        keep_sorted(root, n, i64(1))
        root.partial = root.plies


# -- after the last iteration -------------------------------------------------------------------------------------------------


def find_equals(root):
    """Begin to look for moves proven as good as a proven best, which is the first of them; the table answers most of this."""
    first = candidates(root)
    if root.chance or root.limited or root.depth == 0 or not (first.known.exact or proven(first.known.score)):
        return i64(0)
    copy_line(first.fresh, first.known)
    root.answer, root.line = 1, -1
    return next_rival(root)


def next_rival(root):
    """Ask whether the next move is no worse than the best."""
    first = candidates(root)
    root.line += 1
    if root.line < root.count and first[root.line].move == first.known.move:
        root.line += 1
    if root.line >= root.count or root.depth >= MAX_DEPTH:
        return i64(0)
    first.rest, root.width = first[root.line].move, 1
    root.plies, root.low, root.high = root.depth, first.known.score - 1, first.known.score
    return i64(1)


def after_rival(root, mem):
    """Keep a move that is as good. It may take a few more plies to show it, because late moves are searched less deeply."""
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
    return i64(0) if mem.aborted else next_rival(root)


def sharpen(root, mem):
    """Begin to check whether a proven distance is exact, without the techniques that skip moves and so find wins late.

    A win in n plies is exact if no move wins sooner, a loss if the best move holds out that long. This takes a full-width
    null-window search of n - 1 plies; it gets a few more nodes than the search itself has used.
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
    mem.node_limit, mem.next_look = min(mem.node_limit, 2 * mem.nodes + SHARPEN_NODES), 0
    root.plies = max(i64(away) - 1, i64(1))
    if score > 0:
        put_all(root)
        root.low, root.high = score, score + 1
    else:
        candidates(root).rest, root.width = best.move, 1
        root.low, root.high = score - 1, score
    return i64(1)


def after_sharpening(root, mem):
    """Record whether the distance is exact; a check that took too many nodes has not stopped the search."""
    best = candidates(root).known
    if not mem.aborted:
        best.exact = root.trial.score <= best.score if best.score > 0 else root.trial.score >= best.score
    mem.options, mem.node_limit, mem.aborted = root.options, root.node_limit, 0
    root.answer = best.exact
    return i64(0)


def near_best(root):
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
