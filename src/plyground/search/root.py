"""The search of a root, as the engine and the page in a browser call it: one task at a time, over memory that both can read.

A root's memory is a `Root` and, after it, a `Candidate` for each move. What is left to the caller: how deep to go and when to
stop, reports, and every random choice. A score is for the side to move at the root.
"""

from __future__ import annotations

from plyground.bits import i64, u64
from plyground.compile.vocabulary import CHANCE, HAS_LIKELY, HAS_ORDER, MARGIN, address, key, order, read_state
from plyground.score import distance, proven
from plyground.search.chance import search_move as expect_move
from plyground.search.line import prolong, to_choose
from plyground.search.memory import Searcher
from plyground.search.moves import Listed, list_moves
from plyground.search.node import search_move
from plyground.search.options import EXACT_OPTIONS, USE_LIKELY, USE_PROOFS, USE_PVS
from plyground.search.path import begin
from plyground.search.root_memory import (
    Found,
    RootMemory,
    candidates,
    copy_found,
    put_all,
    put_next,
    put_rest,
    put_trial,
    rest_first,
)

SIGNATURE = "int64(uint64, uint64, uint64, int64, int64)"
"""Of `search_root`."""
LIST, ORDER, ITERATE, EQUALS, SHARPEN, PROLONG, NEAR, KEY = range(8)
"""The tasks."""
MAX_DEPTH = 120
ASPIRE = 4
"""From this depth on, the window lies around the score of the iteration before."""
SHARPEN_NODES = 200_000
"""Extra nodes for checking whether a proven distance is exact, on top of as many as the search has used."""


# -- scores ---------------------------------------------------------------------------------------------------------------------


def number(score):
    """A score as this game's search counts: a whole number, or a float where there is chance."""
    if CHANCE:
        return float(score)
    return i64(score)


def settles(score):
    """Is this score a proven win or loss? An expected result never is."""
    if CHANCE:
        return False
    return proven(i64(score))


def ask(row, m, depth, alpha, beta, mem):
    """The value of a root move in a window."""
    if CHANCE:
        return expect_move(row, m, depth, alpha, beta, address(mem))
    return search_move(row, m, depth, alpha, beta, address(mem))


def limited(mem):
    """Are only `likely` moves searched? Then nothing is proven."""
    return HAS_LIKELY and mem.options & USE_LIKELY != 0


# -- before the first iteration ----------------------------------------------------------------------------------------------


def list_root(row, root, mem, room):
    """Lists the moves to search, as far as there is room; returns how many there are, -1 if they are far too many.

    There are none where the game is over or chance moves.
    """
    top, s = Listed(mem.stack), begin(row, mem)
    count = list_moves(s, top, mem, i64(0)) if to_choose(s) else i64(0)
    for i in range(min(count, room)):
        candidates(root)[i].move = top[i].move
    root.count = count
    return count


def order_root(row, root, mem):
    """Orders the moves by the game's hints, equal ones as they are, and forgets what was found."""
    first = candidates(root)
    if HAS_ORDER:
        s = begin(row, mem)
        for i in range(root.count):
            first[i].rest = i64(order(s, first[i].move))
        for i in range(1, root.count):
            m, hint, at = first[i].move, first[i].rest, i
            while at > 0 and first[at - 1].rest < hint:
                first[at].move, first[at].rest = first[at - 1].move, first[at - 1].rest
                at -= 1
            first[at].move, first[at].rest = m, hint
    for i in range(root.count):
        first[i].next = first[i].move
    root.guess, root.depth, root.found, root.settled = 0.0, 0, 0, 0
    known, m = first.known, first.move
    known.score, known.move, known.exact, known.length, known.line[0] = 0.0, m, 0, 1, m
    return i64(0)


# -- windows ------------------------------------------------------------------------------------------------------------------


def within(row, root, count, depth, alpha, beta, mem):
    """Finds the best of the first moves in `rest` in a window, as `trial`; is there one?

    If the search is stopped, only a score above alpha counts: others are bounds.
    """
    mem.root_depth = depth
    floor, best, solid = alpha, alpha, i64(1)
    for i in range(count):
        m = candidates(root)[i].rest
        wide = i == 0 or mem.options & USE_PVS == 0
        while True:
            high = beta if wide else alpha + number(root.step)
            value = ask(row, m, depth, alpha, high, mem)
            if mem.aborted:
                return i > 0 and best > floor
            if mem.estimated:
                solid = i64(0)
            if high >= beta or value <= alpha:
                break
            wide = True
        if i == 0 or value > best:
            best = value
            put_trial(root, best, m, mem)
            alpha = max(alpha, best)
            if best >= beta:
                break
    root.trial.exact = solid
    return True


def find_best(row, root, count, depth, guessed, to, mem):
    """Finds the best of the first moves in `rest`: principal variation search in an aspiration window that widens if needed.

    If stopped, finds the last move that was proven better than those before it; was there one?
    """
    wide, by, guess = number(root.bound), number(root.window), number(root.guess)
    low, high = -wide, wide
    if guessed and depth >= ASPIRE and not settles(guess) and mem.options & USE_PVS:
        low, high = guess - by, guess + by
    better = False
    while True:
        if within(row, root, count, depth, low, high, mem) and mem.aborted:
            copy_found(to, root.trial)
            better = True
        if mem.aborted:
            return better
        score = number(root.trial.score)
        inside = low < score < high or (low <= -wide and high >= wide)
        if inside or score >= high:
            copy_found(to, root.trial)
            better = True
        if inside:
            return True
        by *= 4
        if score <= low:
            low = max(-wide, low - by) if by < wide else -wide
        else:
            high = min(wide, high + by) if by < wide else wide
            rest_first(root, root.trial.move)


# -- one iteration ------------------------------------------------------------------------------------------------------------


def iterate(row, root, depth, mem):
    """Searches to a depth; was that finished? If not, what it has proven is kept."""
    everything = root.lines == root.count
    n = i64(0)
    while n < root.lines:
        count = put_rest(root, n)
        if not find_best(row, root, count, depth, n == 0 and not everything, candidates(root)[n].fresh, mem):
            break
        n += 1
    if mem.aborted or n < root.lines:
        if n:
            keep_part(root, n)
        return i64(0)
    root.settled = is_settled(root, n, depth)
    keep_sorted(root, n, limited(mem))
    root.depth, root.guess = depth, candidates(root).known.score
    put_next(root, n)
    return i64(1)


def is_settled(root, n, depth):
    """Is there nothing more to find: are all scores exact, or all wins and losses nearer than the depth?"""
    if CHANCE or (root.fixed and root.lines > 1):
        return False
    exact = near = True
    for i in range(n):
        one = candidates(root)[i].fresh
        exact &= one.exact != 0
        near &= not MARGIN and settles(one.score) and distance(i64(one.score)) <= depth
    return exact or near


def keep_sorted(root, n, estimates):
    """Keeps the first n fresh results, best first; as `estimates`, none is exact."""
    first = candidates(root)
    for i in range(n):
        best = i64(-1)
        for at in range(n):
            one = first[at].fresh
            if one.length and (best < 0 or one.score > first[best].fresh.score):
                best = i64(at)
        copy_found(first[i].known, first[best].fresh)
        first[best].fresh.length = 0
        if estimates:
            first[i].known.exact = 0
    root.found = n


def keep_part(root, n):
    """Keeps what a stopped iteration has proven: a better move, or, if it was the first, everything it found."""
    first = candidates(root)
    if root.depth == 0:
        keep_sorted(root, n, True)
    elif root.lines == 1 and first.fresh.move != first.known.move:
        keep_sorted(root, i64(1), True)


# -- after the last iteration -------------------------------------------------------------------------------------------------


def find_equals(row, root, mem):
    """Finds the moves proven as good as a proven best, which is the first of them; the table answers most of this.

    They are the first ones in `fresh`; returns how many there are, 0 if the best is not proven.
    """
    first = candidates(root)
    best = first.known
    if CHANCE or limited(mem) or root.depth == 0 or not (best.exact or settles(best.score)):
        return i64(0)
    n = i64(1)
    copy_found(first.fresh, best)
    for i in range(root.count):
        m = first[i].move
        if m != best.move:
            if as_good(row, root, m, mem):
                one = first[n].fresh
                copy_found(one, root.trial)
                one.score, one.exact = best.score, best.exact
                n += 1
            if mem.aborted:
                break
    return n


def as_good(row, root, m, mem):
    """Is a move proven no worse than the best? This may take a few more plies, as late moves are searched less deeply."""
    score = number(candidates(root).known.score)
    depth = root.depth
    while depth < min(root.depth + 8, MAX_DEPTH):
        candidates(root).rest = m
        if not within(row, root, i64(1), depth, score - 1, score, mem) or root.trial.score < score:
            return False
        if root.trial.exact or score > 0:
            return True
        depth += 2
    return False


def sharpen(row, root, mem):
    """Checks whether a proven distance is exact, by a search without the techniques that skip moves and so find wins late.

    A win in n plies is exact if no move wins sooner, a loss if the best move holds out that long. This takes a full-width
    null-window search of n - 1 plies; it gets a few more nodes than the search itself has used.
    """
    best = candidates(root).known
    if CHANCE or MARGIN or mem.aborted or limited(mem) or root.lines > 1 or root.depth == 0:
        return i64(0)
    score = number(best.score)
    if best.exact or not settles(score):
        return i64(0)
    depth = max(distance(score) - 1, i64(1))
    options, node_limit = mem.options, mem.node_limit
    mem.options = options & EXACT_OPTIONS | USE_PROOFS
    mem.node_limit, mem.next_look = min(node_limit, 2 * mem.nodes + SHARPEN_NODES), 0
    count, alpha = i64(1), score - 1
    candidates(root).rest = best.move
    if score > 0:
        put_all(root)
        count, alpha = root.count, score
    within(row, root, count, depth, alpha, alpha + 1, mem)
    if not mem.aborted:
        best.exact = root.trial.score <= score if score > 0 else root.trial.score >= score
    mem.options, mem.node_limit, mem.aborted = options, node_limit, 0
    return i64(1)


def near_best(root):
    """For weaker play: how many of the moves that were found are near enough to the best.

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
        if score < best - slack or (root.careful and (gap or settles(score) != settles(best))):
            break
        n += 1
    return n


# -- the entry ----------------------------------------------------------------------------------------------------------------


def search_root(row, memory, root, task, n):
    """Entry point: one task for the state at `row`; n is what the task takes. One kernel compiles faster than eight.

    LIST (room): how many moves there are to search, in `move`. ORDER: `move` ordered, a new search begun. ITERATE (depth): was
    the iteration finished? EQUALS: how many moves are as good, in `fresh`. SHARPEN: is the score exact? PROLONG (the address of
    something found): the length of its line. NEAR: how many moves are near the best. KEY: the state's key.
    """
    mem, at = Searcher(memory), RootMemory(root)
    if task == LIST:
        return list_root(row, at, mem, n)
    if task == ORDER:
        return order_root(row, at, mem)
    if task == ITERATE:
        return iterate(row, at, n, mem)
    if task == EQUALS:
        return find_equals(row, at, mem)
    if task == SHARPEN:
        return sharpen(row, at, mem)
    if task == PROLONG:
        return prolong(row, Found(u64(n)), max(at.depth, i64(1)), at.hurry, mem)
    if task == NEAR:
        return near_best(at)
    return i64(key(read_state(row)))
