"""The children of a solver node: listed on the stack, ranked, picked one by one.

A list is two addresses: the start of the first record and the end of the last one.
"""

from __future__ import annotations

from plyground.bits import i64, u64
from plyground.compile.blocks import Block, Word
from plyground.compile.vocabulary import (
    HAS_ORDER,
    HAS_PRESSURE,
    HAS_PROMISE,
    HAS_SAFE,
    HAS_SPOT,
    IN_PLACE,
    ONGOING,
    SURVEY,
    UNIT,
    WORDS,
    address,
    evaluate,
    moves,
    order,
    prefetch,
    pressure,
    promise,
    read_state,
    remaining,
    safe,
    spot,
    step,
    stuck,
    turn,
    undo_step,
    verdict,
    write_state,
)
from plyground.kernels.search.search_memory import check_limits
from plyground.kernels.solve.solver_table import dense_place, is_dense, line, table_key
from plyground.kernels.states import changes_turn
from plyground.score import INFINITE, final

HISTORY_ENTRIES = 4096
"""Entries of the history table for each side."""
HISTORY_CAP = 200
RANK_PER_HINT = 128
RANK_HASH_MOVE, RANK_TRIED = 1 << 50, -(1 << 60)
"""The ranks of the hash move and of a child already tried."""
SURE = 1 << 30
"""A promise of at least this: the other side can't win at once and can't avoid losing to the next move."""
SURVEY_WEIGHT = 50 * RANK_PER_HINT
"""The weight of one point of margin in a shallow search."""
SURVEY_WINDOW = 6
"""Points below the best move beyond which it does not matter how bad another move is."""
SURVEY_STEP = 3
"""Plies left per ply of depth of the shallow search."""
SURVEY_DEPTH = 8
"""Its maximum depth."""


class SolverChild(Block):
    """A child on the stack; the words of its state follow it."""

    rank = Word("the highest is tried first")
    move = Word()
    key = Word("its table key; -1 if it is in the dense table")


def record_end(at):
    """Return the end of the record at an address: the next one begins there."""
    return SolverChild(at).end + u64(8 * WORDS)


def child_count(top, end):
    """Return the number of records between two addresses."""
    return i64((end - top) // (record_end(top) - top))


def children(top, end):
    """Yield the records of a list."""
    at = top
    while at < end:
        yield SolverChild(at)
        at = record_end(at)


def count_node(mem):
    """Count a node, check the limits from time to time, and return whether the search has stopped."""
    mem.nodes += 1
    if mem.nodes >= mem.next_check:
        check_limits(mem)
    return mem.aborted != 0


def list_children(s, top, mem):
    """Write the moves and the states they lead to; return the end of the list, or 0 if a move is SURE to win.

    With `safe`, moves that lose at once are left out, and the game's hints are computed here, while the table's cache line is
    being fetched: a SURE hint means that the other side is lost.
    """
    end, limit = top, mem.stack_end
    won = False
    for m in safe(s) if HAS_SAFE else moves(s):
        if end >= limit:
            mem.overflow = mem.aborted = 1
        else:
            at = SolverChild(end)
            at.move = i64(m)
            if not IN_PLACE:
                child = step(s, m)
                write_state(at.end, child)
                if HAS_SAFE:
                    at.rank = hint(s, m, child)
                    won |= HAS_PROMISE and at.rank >= SURE * RANK_PER_HINT
            end = record_end(end)
    return u64(0) if won else end


def prefetch_children(top, end, mem):
    """Prefetch the children's table lines and store their keys."""
    for at in children(top, end):
        child = read_state(at.end)
        if is_dense(child):
            at.key = -1
            prefetch(dense_place(child, mem))
        else:
            k = table_key(child)
            at.key = i64(k)
            prefetch(line(child, k, mem))


def hint(s, m, child):
    """Return the game's ordering hint for a move: `promise` if it has that, else `pressure`, else `order`."""
    if HAS_PROMISE:
        return i64(promise(s, m, child)) * RANK_PER_HINT
    if HAS_PRESSURE:
        return i64(pressure(child)) * RANK_PER_HINT
    if HAS_ORDER:
        return i64(order(s, m)) * RANK_PER_HINT
    return i64(0)


def hint_at(s, at):
    """Return the hint for a child in the list."""
    if IN_PLACE:
        return i64(order(s, at.move)) * RANK_PER_HINT if HAS_ORDER else i64(0)
    if HAS_SAFE:
        return at.rank
    return hint(s, at.move, read_state(at.end))


def shallow_search(s, depth, alpha, beta, top, mem):
    """Estimate s for the side to move by a shallow search with `evaluate`; meaningless if the search was stopped."""
    # Nodes nearer to the leaves cost too little to count.
    if depth > 1 and count_node(mem):
        return i64(0)
    value = i64(verdict(s))
    if value != ONGOING:
        return i64(final(value, 0, True))
    if depth == 0:
        return i64(evaluate(s))
    end = list_children(s, top, mem)
    if end == top:
        return i64(final(stuck(s), 0, True))
    if end == 0:
        return i64(final(1, 0, False))
    for at in children(top, end):
        at.rank = hint_at(s, at)
    me = turn(s)
    best = i64(-INFINITE)
    left = child_count(top, end)
    while left and best < beta:
        left -= 1
        at = pick_best(top, end)
        child = step(s, at.move) if IN_PLACE else read_state(at.end)
        if changes_turn(me, child):
            value = -shallow_search(child, depth - 1, -beta, -max(alpha, best), end, mem)
        else:
            value = shallow_search(child, depth - 1, max(alpha, best), beta, end, mem)
        undo_step(s, at.move)
        best = max(best, value)
    return best


def score_by_shallow_search(s, child, best, top, mem):
    """Score a child by a shallow search, for the side to move in s; only a bound if far below the best other child.

    0 if too few plies are left for this to pay off.
    """
    left = remaining(s) - SURVEY
    if left < 0:
        return i64(0)
    depth, least = min(i64(left // SURVEY_STEP), i64(SURVEY_DEPTH)), best - SURVEY_WINDOW * UNIT
    if changes_turn(turn(s), child):
        return -shallow_search(child, depth, i64(-INFINITE), -least, top, mem)
    return shallow_search(child, depth, least, i64(INFINITE), top, mem)


def rank_children(s, number, side, top, end, mem):
    """Rank every child: the hash move first, without one by a shallow search; then by the game's hint and by history."""
    n, best, jitter = i64(0), i64(-INFINITE), mem.jitter
    for at in children(top, end):
        n += 1
        rank = hint_at(s, at)
        if HAS_SPOT:
            rank += mem.history[history_number(side, s, at.move)]
        if SURVEY and not IN_PLACE and number == 0:
            value = score_by_shallow_search(s, read_state(at.end), best, end, mem)
            best = max(best, value)
            rank += value * SURVEY_WEIGHT // UNIT
        if n == number:
            rank = i64(RANK_HASH_MOVE)
        if jitter:
            rank += ((n * jitter) & 31) * RANK_PER_HINT
        at.rank = rank


def rank_first_move(top, end, mem):
    """Rank the caller's first move above the hash move."""
    for at in children(top, end):
        if at.move + 1 == mem.first_move:
            at.rank = i64(RANK_HASH_MOVE + 1)


def pick_best(top, end):
    """Pick the highest-ranked child not yet tried and mark it as tried."""
    best, rank = SolverChild(top), SolverChild(top).rank
    for at in children(top, end):
        if at.rank > rank:
            best, rank = at, at.rank
    best.rank = RANK_TRIED
    return best


def history_number(side, s, m):
    """Return the index of a move in the history table."""
    return side * HISTORY_ENTRIES + (spot(s, m) & (HISTORY_ENTRIES - 1))


def update_history(s, mem, side, top, end, cut):
    """Raise the history of the move that caused the cutoff; lower that of the moves tried before it."""
    for at in children(top, end):
        if at.rank == RANK_TRIED:
            n = history_number(side, s, at.move)
            gain = 1 if address(at) == address(cut) else -1
            mem.history[n] = max(i64(-HISTORY_CAP), min(i64(HISTORY_CAP), mem.history[n] + gain))
