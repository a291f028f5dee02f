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
    address,
    back,
    banked,
    bounds,
    finish,
    moves,
    prefetch,
    read_state,
    remaining,
    step,
    stuck,
    turn,
    verdict,
)
from plyground.score import INFINITE, later, win_in
from plyground.score import final as final_score
from plyground.search.children import (
    after,
    ask_early,
    children,
    counted,
    how_many,
    learn,
    list_children,
    look,
    pick,
    rank_children,
)
from plyground.search.exact import NONE, high_of, low_of, number_of, with_high, with_low, with_number, with_work
from plyground.search.lookup import dense_keep, dense_place, dense_probe, is_dense, keep, line, numbered, probe, table_key
from plyground.search.solver_memory import Child, SolverMemory
from plyground.search.states import changes_turn

GUESS = 1 << 40
"""Asks the entry for an estimate of the margin instead of a bound, and how many plies that looks ahead at most."""
GUESS_DEPTH = 9
MAX_PLY = 2000


def final(value, ply):
    """The score of a finished game."""
    return i64(value) if MARGIN else i64(final_score(value, ply, False))


def seen_from(value, ply, bank):
    """A score counted from a state, counted from the root."""
    return value + bank if MARGIN else later(value, ply)


def seen_here(value, ply, bank):
    """A score counted from the root, counted from its state."""
    return value - bank if MARGIN else later(value, -ply)


def bank_of(s):
    """The part of the margin that is settled."""
    return i64(banked(s)) if MARGIN else i64(0)


# -- what is known without a search ---------------------------------------------------------------------------------------------


def told(s, ply, beta, mem):
    """What the rules, and states that were worked out, tell of the value of s: a score or a bound; else GOING."""
    if HAS_FINISH:
        value, searched = finish(s, seen_here(beta, ply, i64(0)))
        if searched:
            mem.nodes += searched - 1
            return seen_from(i64(value), ply, i64(0))
    if not HAS_SAFE:
        value = i64(verdict(s))
        if value != GOING:
            return final(value, ply)
        value = limits(s, ply, beta)
        if value != GOING:
            return value
    if is_dense(s):
        return worked_out(s, mem)
    return i64(GOING)


def limits(s, ply, beta):
    """A bound on the value of s that the rules give: >= beta, < beta, or GOING where they do not tell."""
    if HAS_BOUNDS and MARGIN:
        low, high = bounds(s)
        if low >= beta:
            return i64(low)
        if high < beta:
            return i64(high)
    if HAS_SAFE and not MARGIN:
        if HAS_REMAINING and remaining(s) < 3:
            return i64(0)
        if win_in(ply + 3) < beta:
            return win_in(ply + 3)
        if -win_in(ply + 4) >= beta:
            return -win_in(ply + 4)
    if HAS_BOUNDS and not MARGIN:
        low, high = bounds(s)
        if (low >= 0 and beta <= 0) or (high <= 0 and beta > 0):
            return i64(0)
        if HAS_REMAINING:
            last = win_in(ply + remaining(s))
            if high < 0 and -last < beta:
                return i64(-last)
            if low > 0 and last >= beta:
                return i64(last)
    return i64(GOING)


def worked_out(s, mem):
    """The margin of a state with a small code, by plain minimax the first time it is asked for."""
    value = i64(verdict(s))
    if value != GOING:
        return value
    place = dense_place(s, mem)
    value = dense_probe(place)
    if value != NONE:
        return value + i64(banked(s))
    if counted(mem):
        return i64(0)
    me = turn(s)
    best = i64(-NONE)
    for m in moves(s):
        child = step(s, m)
        value = worked_out(child, mem)
        best = max(best, -value if changes_turn(me, child) else value)
    if best == -NONE:
        best = i64(stuck(s))
    if not mem.aborted:
        dense_keep(place, best - i64(banked(s)))
    return best


def by_children(s, ply, limit, top, end):
    """What the list of children tells of the value of s: a score or a bound; else the limit that is known already."""
    if end == 0:  # a move is sure to win
        return win_in(ply + 3) if limit == GOING else limit
    if end == top:
        return -win_in(ply + 2) if HAS_SAFE else final(stuck(s), ply)
    return limit


def by_table(data, ply, beta, bank):
    """A bound that the table holds: >= beta, < beta, or GOING where it does not tell."""
    low, high = low_of(data), high_of(data)
    if low > -NONE and seen_from(low, ply, bank) >= beta:
        return seen_from(low, ply, bank)
    if high < NONE and seen_from(high, ply, bank) < beta:
        return seen_from(high, ply, bank)
    return i64(GOING)


def by_table_of_children(s, ply, beta, top, end, mem):
    """Enhanced table cut-off: a bound of at least beta that the table holds for a child, else GOING."""
    me = turn(s)
    for at in children(top, end):
        child = read_state(at.end)
        if DENSE and at.key < 0:
            high = dense_probe(dense_place(child, mem))
            low = high if high < NONE else i64(-NONE)
        else:
            data = probe(child, u64(at.key), mem)
            low, high = low_of(data), high_of(data)
        other = changes_turn(me, child)
        known = high < NONE if other else low > -NONE
        value = -seen_from(high, ply + 1, bank_of(child)) if other else seen_from(low, ply + 1, bank_of(child))
        if known and value >= beta:
            return value
    return i64(GOING)


# -- the search -----------------------------------------------------------------------------------------------------------------


def bound(s, ply, beta, top, mem):
    """A bound on the value of s for the side to move: at least beta where it is, else an upper bound below beta.

    Where `safe` is given, the side to move cannot win at once: whoever calls has made sure.
    """
    # 1. Count the node; stop if told so.
    if ply >= MAX_PLY:
        mem.overflow, mem.aborted = 2, 1
    if counted(mem):
        return beta - 1
    before = mem.nodes

    # 2. The end of the game, and what else is known of the value.
    value = told(s, ply, beta, mem)
    if value != GOING:
        return value

    # 3. The children; where there is only one, it is as good as the node itself. With `safe`, limits hold if there are any.
    limit = limits(s, ply, beta) if HAS_SAFE else i64(GOING)
    deep = not HAS_REMAINING or remaining(s) > SHALLOW
    k = u64(0)
    if deep and limit == GOING:
        k = table_key(s)
        prefetch(line(s, k, mem))
    me = turn(s)
    end = list_children(s, top, mem)
    value = by_children(s, ply, limit, top, end)
    if value != GOING:
        return value
    if not IN_PLACE and end == after(top):
        child = read_state(Child(top).end)
        if changes_turn(me, child):
            return -bound(child, ply + 1, 1 - beta, top, mem)
        return bound(child, ply + 1, beta, top, mem)

    # 4. The table, and what it knows of the children.
    number, bank = i64(0), i64(0)
    side = ply & 1 if ALTERNATE else me & 1
    peek = deep and not IN_PLACE and (not HAS_REMAINING or remaining(s) > PEEK)
    if deep:
        data = probe(s, k, mem)
        bank = bank_of(s)
        value = by_table(data, ply, beta, bank)
        if value != GOING:
            return value
        number = number_of(data) if numbered(s) else i64(0)
    if peek:
        ask_early(top, end, mem)
    rank_children(s, number, side, top, end, mem)
    if peek:
        value = by_table_of_children(s, ply, beta, top, end, mem)
        if value != GOING:
            return value

    # 5. Each child, until one holds beta.
    best, best_at = i64(-NONE), Child(top)
    left = how_many(top, end)
    while left and best < beta:
        left -= 1
        at = pick(top, end)
        child = step(s, at.move) if IN_PLACE else read_state(at.end)
        other = changes_turn(me, child)
        value = -bound(child, ply + 1, 1 - beta, end, mem) if other else bound(child, ply + 1, beta, end, mem)
        back(s, at.move)
        if mem.aborted:
            return beta - 1
        if value > best:
            best, best_at = value, at

    # 6. Leave: learn from a cut-off, keep what was proven.
    if HAS_SPOT and best >= beta and left < how_many(top, end) - 1:
        learn(s, mem, side, top, end, best_at)
    if deep:
        if best >= beta:
            number = how_many(top, address(best_at)) + 1
        remember(s, k, seen_here(best, ply, bank), best >= beta, number, mem.nodes - before, mem)
    return best


def remember(s, k, value, is_low, number, work, mem):
    """Adds to what the table holds of a state: a bound, counted from there, the best move's number and the work."""
    data = probe(s, k, mem)
    data = with_low(data, value) if is_low else with_high(data, value)
    if numbered(s):
        data = with_number(data, number)
    keep(s, k, with_work(data, work), mem)


# -- the entry ------------------------------------------------------------------------------------------------------------------


def wins_at_once(s):
    """Has the side to move a move that ends the game in its favour?"""
    me = turn(s)
    found = False
    for m in moves(s):
        child = step(s, m)
        value = verdict(child)
        if value != GOING and (value < 0 if changes_turn(me, child) else value > 0):
            found = True
        back(s, m)
    return found


def solve_bound(address, beta, memory):
    """Entry: a bound on the value of the state at the address, for the side to move: see `bound`; for GUESS, an estimate."""
    s = read_state(address)
    mem = SolverMemory(memory)
    if SURVEY and beta == GUESS:
        # Odd depths agree with each other better than with even ones.
        depth = max(i64(1), min(i64(GUESS_DEPTH), (remaining(s) - SURVEY) // 2 | 1))
        return look(s, i64(depth), i64(-INFINITE), i64(INFINITE), mem.stack, mem) // UNIT
    if HAS_SAFE and wins_at_once(s):
        return win_in(i64(1))
    return bound(s, i64(0), beta, mem.stack, mem)
