"""The solver's search: is the value of a state at least this much? Asked often enough, it gives the exact value.

One question is one null window: a cut-off at every level, as small a tree as alpha-beta can have. `solver/solver.py`
asks with one bound after the other; the table (`exact.py`) keeps what was proven between and within the questions.

Scores: in games that are won or lost, WIN less the plies from the root to the end, so that faster wins are worth more; where
results are margins, the margin. Bounds in the table are counted from their state, not from the root.
"""

from __future__ import annotations

from plyground.bits import i64, u64
from plyground.compile.vocabulary import (
    ALTERNATE,
    DENSE,
    GOING,
    HAS_BOUNDS,
    HAS_FINISH,
    HAS_REMAINING,
    HAS_SAFE,
    HAS_SPOT,
    IN_PLACE,
    MARGIN,
    PEEK,
    SHALLOW,
    SURVEY,
    UNIT,
    WORDS,
    back,
    banked,
    bounds,
    code,
    finish,
    load,
    load_byte,
    moves,
    outcome,
    prefetch,
    read_state,
    remaining,
    step,
    store,
    store_byte,
    stuck,
    turn,
)
from plyground.score import INFINITE, WIN
from plyground.search.block import ABORTED, NODES, OVERFLOW, RECORD, STACK
from plyground.search.children import ask_early, counted, learn, list_children, look, pick, rank_children
from plyground.search.exact import unpack_high, unpack_low, unpack_number, with_high, with_low, with_number, with_work
from plyground.search.lookup import bucket, dense_place, keep, numbered, probe, table_key

GUESS = 1 << 40
"""Asks the entry for an estimate of the margin instead of a bound, and how many plies that looks ahead at most."""
GUESS_DEPTH = 9
MAX_PLY = 2000


def final(value, ply):
    """The score of a finished game."""
    if MARGIN or value == 0:
        return i64(value)
    return i64(WIN - ply if value > 0 else ply - WIN)


def seen_from(value, ply, bank):
    """A score counted from a state, counted from the root."""
    if MARGIN:
        return value + bank
    return value - ply if value > 0 else value + ply if value < 0 else value


def seen_here(value, ply, bank):
    """A score counted from the root, counted from its state."""
    if MARGIN:
        return value - bank
    return value + ply if value > 0 else value - ply if value < 0 else value


def limits(s, ply, beta):
    """A bound on the value of s that the rules give without a search: >= beta, < beta, or GOING where they do not tell."""
    if HAS_REMAINING and not MARGIN:
        left = remaining(s)
        if HAS_SAFE and left < 3:
            return i64(0)
    if HAS_SAFE and not MARGIN:
        if WIN - ply - 3 < beta:
            return i64(WIN - ply - 3)
        if ply + 4 - WIN >= beta:
            return i64(ply + 4 - WIN)
    if HAS_BOUNDS:
        low, high = bounds(s)
        if MARGIN:
            if low >= beta:
                return i64(low)
            if high < beta:
                return i64(high)
        else:
            if low >= 0 and beta <= 0:
                return i64(0)
            if high <= 0 and beta > 0:
                return i64(0)
            if HAS_REMAINING and high < 0 and ply + left - WIN < beta:
                return i64(ply + left - WIN)
            if HAS_REMAINING and low > 0 and WIN - ply - left >= beta:
                return i64(WIN - ply - left)
    return i64(GOING)


def known(s, ply, beta, top, end, mem):
    """Enhanced table cut-off: a bound of at least beta that the table holds for a child, else -2 WIN."""
    me = turn(s)
    at = top
    while at < end:
        child = read_state(at + u64(8 * RECORD))
        k = load(at + u64(16))
        bank = i64(banked(child)) if MARGIN else i64(0)
        if DENSE and k < 0:
            entry = load_byte(dense_place(child, mem))
            low = high = entry - 128
            if entry == 0:
                low, high = i64(-2 * WIN), i64(2 * WIN)
        else:
            data = probe(child, u64(k), mem)
            low, high = unpack_low(data), unpack_high(data)
        if ALTERNATE or turn(child) != me:
            if high < 2 * WIN:
                value = -seen_from(high, ply + 1, bank)
                if value >= beta:
                    return value
        elif low > -2 * WIN:
            value = seen_from(low, ply + 1, bank)
            if value >= beta:
                return value
        at += u64(8 * (RECORD + WORDS))
    return i64(-2 * WIN)


def worked_out(s, mem):
    """The margin of a state with a small code, by plain minimax the first time it is asked for."""
    value = i64(outcome(s))
    if value != GOING:
        return value
    place = dense_place(s, mem)
    entry = load_byte(place)
    if entry:
        return entry - 128 + i64(banked(s))
    if counted(mem):
        return i64(0)
    me = turn(s)
    best = i64(-2 * WIN)
    for m in moves(s):
        child = step(s, m)
        value = worked_out(child, mem)
        best = max(best, -value if ALTERNATE or turn(child) != me else value)
    if best == -2 * WIN:
        best = i64(stuck(s))
    if not load(mem + u64(ABORTED)):
        store_byte(place, best - i64(banked(s)) + 128)
    return best


def bound(s, ply, beta, top, mem):
    """A bound on the value of s for the side to move: at least beta where it is, else an upper bound below beta.

    Where `safe` is given, the side to move cannot win at once: whoever calls has made sure.
    """
    # 1. Count the node; stop if told so.
    if ply >= MAX_PLY:
        store(mem + u64(OVERFLOW), 2)
        store(mem + u64(ABORTED), 1)
    if counted(mem):
        return beta - 1
    nodes = load(mem + u64(NODES))

    # 2. The end of the game, and what the rules know about the value.
    if HAS_FINISH:
        value, searched = finish(s, seen_here(beta, ply, i64(0)))
        if searched:
            store(mem + u64(NODES), nodes + searched - 1)
            return seen_from(i64(value), ply, i64(0))
    if not HAS_SAFE:
        value = i64(outcome(s))
        if value != GOING:
            return final(value, ply)
    value = limits(s, ply, beta)
    if value != GOING and not HAS_SAFE:
        return value
    if DENSE and u64(code(s)) < u64(DENSE):
        return worked_out(s, mem)

    # 3. The children; where there is only one, it is as good as the node itself.
    deep = not HAS_REMAINING or remaining(s) > SHALLOW
    k = u64(0)
    if deep and value == GOING:
        k = table_key(s)
        prefetch(bucket(s, k, mem))
    me = turn(s)
    end = list_children(s, top, mem)
    if end == u64(0):
        return i64(WIN - ply - 3) if value == GOING else value
    if end == top:
        if HAS_SAFE:
            return i64(ply + 2 - WIN)
        return final(stuck(s), ply)
    if value != GOING:
        return value
    if not IN_PLACE and end == top + u64(8 * (RECORD + WORDS)):
        child = read_state(top + u64(8 * RECORD))
        if ALTERNATE or turn(child) != me:
            return -bound(child, ply + 1, 1 - beta, top, mem)
        return bound(child, ply + 1, beta, top, mem)

    # 4. The table, and what it knows of the children.
    number, bank = i64(0), i64(0)
    side = ply & 1 if ALTERNATE else me & 1
    peek = not IN_PLACE and (not HAS_REMAINING or remaining(s) > PEEK)
    if deep:
        data = probe(s, k, mem)
        bank = i64(banked(s)) if MARGIN else i64(0)
        low, high = unpack_low(data), unpack_high(data)
        if low > -2 * WIN and seen_from(low, ply, bank) >= beta:
            return seen_from(low, ply, bank)
        if high < 2 * WIN and seen_from(high, ply, bank) < beta:
            return seen_from(high, ply, bank)
        number = unpack_number(data) if numbered(s) else i64(0)
        if peek:
            ask_early(top, end, mem)
    rank_children(s, number, side, top, end, mem)
    if deep and peek:
        value = known(s, ply, beta, top, end, mem)
        if value >= beta:
            return value

    # 5. Each child, until one holds beta.
    best, best_at = i64(-2 * WIN), top
    count = i64((end - top) // u64(8 * (RECORD + WORDS)))
    tried = i64(0)
    while tried < count:
        tried += 1
        at = pick(top, end)
        m = load(at + u64(8))
        child = step(s, m) if IN_PLACE else read_state(at + u64(8 * RECORD))
        if ALTERNATE or turn(child) != me:
            value = -bound(child, ply + 1, 1 - beta, end, mem)
        else:
            value = bound(child, ply + 1, beta, end, mem)
        if IN_PLACE:
            back(s, m)
        if load(mem + u64(ABORTED)):
            return beta - 1
        if value > best:
            best, best_at = value, at
            if value >= beta:
                break

    # 6. Leave: learn from a cut-off, keep what was proven.
    if best >= beta and HAS_SPOT:
        if tried > 1:
            learn(s, mem, side, top, end, best_at)
    if deep:
        data = probe(s, k, mem)
        here = seen_here(best, ply, bank)
        data = with_low(data, here) if best >= beta else with_high(data, here)
        if numbered(s):
            data = with_number(data, i64((best_at - top) // u64(8 * (RECORD + WORDS))) + 1 if best >= beta else number)
        keep(s, k, with_work(data, load(mem + u64(NODES)) - nodes), mem)
    return best


# -- the entry ------------------------------------------------------------------------------------------------------------------


def wins_at_once(s):
    """Has the side to move a move that ends the game in its favour?"""
    me = turn(s)
    found = False
    for m in moves(s):
        child = step(s, m)
        value = outcome(child)
        if value != GOING and (value < 0 if ALTERNATE or turn(child) != me else value > 0):
            found = True
        back(s, m)
    return found


def solve_bound(address, beta, mem):
    """Entry: a bound on the value of the state at the address, for the side to move: see `bound`; for GUESS, an estimate."""
    s = read_state(address)
    if SURVEY and beta == GUESS:
        # Odd depths agree with each other better than with even ones.
        depth = max(i64(1), min(i64(GUESS_DEPTH), (remaining(s) - SURVEY) // 2 | 1))
        return look(s, i64(depth), i64(-INFINITE), i64(INFINITE), u64(load(mem + u64(STACK))), mem) // UNIT
    if HAS_SAFE and wins_at_once(s):
        return i64(WIN - 1)
    return bound(s, i64(0), beta, u64(load(mem + u64(STACK))), mem)
