"""The children of a node of the solver: listed on the stack, ranked, picked one after the other.

A record a child: its rank, the move, its key, and the words of its state.
"""

from __future__ import annotations

from plyground.bits import i64, u64
from plyground.compile.vocabulary import (
    ALTERNATE,
    DENSE,
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
    back,
    code,
    evaluate,
    load,
    moves,
    order,
    outcome,
    prefetch,
    pressure,
    promise,
    read_state,
    remaining,
    safe,
    spot,
    step,
    store,
    stuck,
    turn,
    write_state,
)
from plyground.score import INFINITE, WIN
from plyground.search.block import ABORTED, HISTORY, JITTER, NODE_LIMIT, NODES, OVERFLOW, RECORD, SPOTS, STACK_END, STOP
from plyground.search.lookup import bucket, dense_place, table_key

HISTORY_CAP = 200
PRESSURE = 128
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


def counted(mem):
    """Counts a node; now and then looks whether to stop, and tells whether to."""
    nodes = load(mem + u64(NODES)) + 1
    store(mem + u64(NODES), nodes)
    if nodes & 4095 == 0 and (load(u64(load(mem + u64(STOP)))) != 0 or nodes >= load(mem + u64(NODE_LIMIT))):
        store(mem + u64(ABORTED), 1)
    return load(mem + u64(ABORTED)) != 0


def list_children(s, top, mem):
    """Writes the moves and the states they lead to; gives the end of the list, or 0 where a move is SURE to win.

    With `safe`, moves that lose at once are left out, and the game's hints are asked here, while the table's line is on its way:
    one that is SURE says that the other side will be lost.
    """
    end = top
    limit = u64(load(mem + u64(STACK_END)))
    won = False
    for m in safe(s) if HAS_SAFE else moves(s):
        if end >= limit:
            store(mem + u64(OVERFLOW), 1)
            store(mem + u64(ABORTED), 1)
        else:
            store(end + u64(8), i64(m))
            if not IN_PLACE:
                child = step(s, m)
                write_state(end + u64(8 * RECORD), child)
                if HAS_SAFE:
                    rank = hint(s, m, child)
                    store(end, rank)
                    won |= HAS_PROMISE and rank >= SURE * PRESSURE
            end += u64(8 * (RECORD + WORDS))
    return u64(0) if won else end


def ask_early(top, end, mem):
    """Asks for the lines of the table where the children belong, and notes their keys."""
    at = top
    while at < end:
        child = read_state(at + u64(8 * RECORD))
        if DENSE and u64(code(child)) < u64(DENSE):
            store(at + u64(16), i64(-1))
            prefetch(dense_place(child, mem))
        else:
            k = table_key(child)
            store(at + u64(16), i64(k))
            prefetch(bucket(child, k, mem))
        at += u64(8 * (RECORD + WORDS))


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
        return i64(order(s, load(at + u64(8)))) * PRESSURE if HAS_ORDER else i64(0)
    if HAS_SAFE:
        return load(at)
    return hint(s, load(at + u64(8)), read_state(at + u64(8 * RECORD)))


def history_at(mem, side, s, m):
    """Where the history of a move is kept."""
    return mem + u64(HISTORY) + u64(8) * (u64(side) * u64(SPOTS) + (u64(spot(s, m)) & u64(SPOTS - 1)))


def estimate(value):
    """The result of a finished game on the scale of `look`."""
    return WIN + value if value > 0 else value - WIN if value < 0 else value


def look(s, depth, alpha, beta, top, mem):
    """An estimate of s for the side to move, by a shallow search with `evaluate`; of no meaning where it was stopped."""
    # Two plies from its leaves a node costs as much as others do.
    if depth > 1 and counted(mem):
        return i64(0)
    value = i64(outcome(s))
    if value != GOING:
        return estimate(value)
    if depth == 0:
        return i64(evaluate(s))
    end = list_children(s, top, mem)
    if end == top:
        return estimate(i64(stuck(s)))
    if end == 0:
        return i64(WIN)
    at = top
    while at < end:
        store(at, hint_at(s, at))
        at += u64(8 * (RECORD + WORDS))
    me = turn(s)
    best = i64(-INFINITE)
    left = (end - top) // u64(8 * (RECORD + WORDS))
    while left and best < beta:
        left -= u64(1)
        at = pick(top, end)
        m = load(at + u64(8))
        child = step(s, m) if IN_PLACE else read_state(at + u64(8 * RECORD))
        if ALTERNATE or turn(child) != me:
            value = -look(child, depth - 1, -beta, -max(alpha, best), end, mem)
        else:
            value = look(child, depth - 1, max(alpha, best), beta, end, mem)
        if IN_PLACE:
            back(s, m)
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
    if ALTERNATE or turn(child) != turn(s):
        return -look(child, depth, i64(-INFINITE), -least, top, mem)
    return look(child, depth, least, i64(INFINITE), top, mem)


def rank_children(s, number, side, top, end, mem):
    """Gives every child its rank: the table's move first, else by a shallow search; then by the game's hint, and by history."""
    jitter = load(mem + u64(JITTER))
    n, best = i64(0), i64(-INFINITE)
    at = top
    while at < end:
        n += 1
        m = load(at + u64(8))
        rank = hint_at(s, at)
        if HAS_SPOT:
            rank += load(history_at(mem, side, s, m))
        if SURVEY and not IN_PLACE and number == 0:
            value = surveyed(s, read_state(at + u64(8 * RECORD)), best, end, mem)
            best = max(best, value)
            rank += value * SURVEY_WEIGHT // UNIT
        if n == number:
            rank = i64(1 << 50)
        if jitter:
            rank += ((n * jitter) & 31) * PRESSURE
        store(at, rank)
        at += u64(8 * (RECORD + WORDS))


def pick(at, end):
    """The child not yet tried that ranks highest; its rank is spent."""
    best, where, look = load(at), at, at
    while look < end:
        if load(look) > best:
            best, where = load(look), look
        look += u64(8 * (RECORD + WORDS))
    store(where, i64(-(1 << 60)))
    return where


def learn(s, mem, side, top, end, at):
    """The move that cut gains history; those tried before it lose some."""
    look = top
    while look < end:
        if load(look) == -(1 << 60):
            place = history_at(mem, side, s, load(look + u64(8)))
            old = load(place)
            if look == at:
                store(place, min(old + 1, i64(HISTORY_CAP)))
            else:
                store(place, max(old - 1, i64(-HISTORY_CAP)))
        look += u64(8 * (RECORD + WORDS))
