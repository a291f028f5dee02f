"""The children of a node of the solver: listed on the stack, ranked, picked one after the other.

A list is two addresses: where the first record lies, and where the last one ends.
"""

from __future__ import annotations

from plyground.bits import i64, u64
from plyground.compile.vocabulary import (
    GOING,
    HAS_ORDER,
    HAS_PRESSURE,
    HAS_PROMISE,
    HAS_SAFE,
    HAS_SPOT,
    IN_PLACE,
    SURVEY,
    UNIT,
    WORDS,
    address,
    back,
    evaluate,
    load,
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
    verdict,
    write_state,
)
from plyground.score import INFINITE, final
from plyground.search.lookup import dense_place, is_dense, line, table_key
from plyground.search.solver_memory import SPOTS, Child
from plyground.search.states import changes_turn

HISTORY_CAP = 200
PRESSURE = 128
FIRST, SPENT = 1 << 50, -(1 << 60)
"""The ranks of the table's move, and of a child that was tried."""
SURE = 1 << 30
"""A promise of as much: the other side, which cannot win at once, cannot help losing on the move after."""
SURVEY_WEIGHT = 50 * PRESSURE
"""What a point of the margin in a shallow search weighs."""
SURVEY_WINDOW = 6
"""Points below the best move from which on it does not matter how bad another one is."""
SURVEY_STEP = 3
"""Plies left for each ply that the shallow search looks further."""
SURVEY_DEPTH = 8
"""So many plies at most."""


def after(at):
    """Where the record ends that begins at an address: the next begins there."""
    return Child(at).end + u64(8 * WORDS)


def how_many(top, end):
    """The number of records between two addresses."""
    return i64((end - top) // (after(top) - top))


def children(top, end):
    """The records of a list."""
    at = top
    while at < end:
        yield Child(at)
        at = after(at)


def counted(mem):
    """Counts a node; now and then looks whether to stop, and tells whether to."""
    mem.nodes += 1
    if mem.nodes & 4095 == 0 and (load(mem.stop) != 0 or mem.nodes >= mem.node_limit):
        mem.aborted = 1
    return mem.aborted != 0


def list_children(s, top, mem):
    """Writes the moves and the states they lead to; gives the end of the list, or 0 where a move is SURE to win.

    With `safe`, moves that lose at once are left out, and the game's hints are asked here, while the table's line is on its way:
    one that is SURE says that the other side will be lost.
    """
    end, limit = top, mem.stack_end
    won = False
    for m in safe(s) if HAS_SAFE else moves(s):
        if end >= limit:
            mem.overflow = mem.aborted = 1
        else:
            at = Child(end)
            at.move = i64(m)
            if not IN_PLACE:
                child = step(s, m)
                write_state(at.end, child)
                if HAS_SAFE:
                    at.rank = hint(s, m, child)
                    won |= HAS_PROMISE and at.rank >= SURE * PRESSURE
            end = after(end)
    return u64(0) if won else end


def ask_early(top, end, mem):
    """Asks for the lines of the table where the children belong, and notes their keys."""
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
    """What the game says of a move and its child: what it promises, or presses, or its place in the order."""
    if HAS_PROMISE:
        return i64(promise(s, m, child)) * PRESSURE
    if HAS_PRESSURE:
        return i64(pressure(child)) * PRESSURE
    if HAS_ORDER:
        return i64(order(s, m)) * PRESSURE
    return i64(0)


def hint_at(s, at):
    """The hint for a child in the list."""
    if IN_PLACE:
        return i64(order(s, at.move)) * PRESSURE if HAS_ORDER else i64(0)
    if HAS_SAFE:
        return at.rank
    return hint(s, at.move, read_state(at.end))


def look(s, depth, alpha, beta, top, mem):
    """An estimate of s for the side to move, by a shallow search with `evaluate`; of no meaning where it was stopped."""
    # Two plies from its leaves a node costs as much as others do.
    if depth > 1 and counted(mem):
        return i64(0)
    value = i64(verdict(s))
    if value != GOING:
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
    left = how_many(top, end)
    while left and best < beta:
        left -= 1
        at = pick(top, end)
        child = step(s, at.move) if IN_PLACE else read_state(at.end)
        if changes_turn(me, child):
            value = -look(child, depth - 1, -beta, -max(alpha, best), end, mem)
        else:
            value = look(child, depth - 1, max(alpha, best), beta, end, mem)
        back(s, at.move)
        best = max(best, value)
    return best


def surveyed(s, child, best, top, mem):
    """What a shallow search says of a child, for the side that moves to it: a bound where far below the best of the others.

    0 where too few plies are left for that to pay.
    """
    left = remaining(s) - SURVEY
    if left < 0:
        return i64(0)
    depth, least = min(i64(left // SURVEY_STEP), i64(SURVEY_DEPTH)), best - SURVEY_WINDOW * UNIT
    if changes_turn(turn(s), child):
        return -look(child, depth, i64(-INFINITE), -least, top, mem)
    return look(child, depth, least, i64(INFINITE), top, mem)


def rank_children(s, number, side, top, end, mem):
    """Gives every child its rank: the table's move first, else by a shallow search; then by the game's hint, and by history."""
    n, best, jitter = i64(0), i64(-INFINITE), mem.jitter
    for at in children(top, end):
        n += 1
        rank = hint_at(s, at)
        if HAS_SPOT:
            rank += mem.history[history_number(side, s, at.move)]
        if SURVEY and not IN_PLACE and number == 0:
            value = surveyed(s, read_state(at.end), best, end, mem)
            best = max(best, value)
            rank += value * SURVEY_WEIGHT // UNIT
        if n == number:
            rank = i64(FIRST)
        if jitter:
            rank += ((n * jitter) & 31) * PRESSURE
        at.rank = rank


def pick(top, end):
    """The child not yet tried that ranks highest; its rank is spent."""
    best, rank = Child(top), Child(top).rank
    for at in children(top, end):
        if at.rank > rank:
            best, rank = at, at.rank
    best.rank = SPENT
    return best


def history_number(side, s, m):
    """The number under which the history of a move is kept."""
    return side * SPOTS + (spot(s, m) & (SPOTS - 1))


def learn(s, mem, side, top, end, cut):
    """The move that cut gains history; those tried before it lose some."""
    for at in children(top, end):
        if at.rank == SPENT:
            n = history_number(side, s, at.move)
            gain = 1 if address(at) == address(cut) else -1
            mem.history[n] = max(i64(-HISTORY_CAP), min(i64(HISTORY_CAP), mem.history[n] + gain))
