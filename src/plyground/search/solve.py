"""The solver's search: is the value of a state at least this much? Asked often enough, it gives the exact value.

One question is one null window: a cut-off at every level, as small a tree as alpha-beta can have. The driver (`solve.py` above)
asks with one bound after the other; the table (`exact.py`) keeps what was proven between and within the questions.

Scores: in games that are won or lost, WIN less the plies from the root to the end, so that faster wins are worth more; where
results are margins, the margin. Bounds in the table are counted from their state, not from the root.
"""

from __future__ import annotations

from numba import int64, uint64

from plyground.score import WIN
from plyground.search.exact import (
    DENSE_TABLE,
    LOCAL_TABLE,
    TABLE,
    mixed,
    narrow_bucket,
    narrow_keep,
    narrow_probe,
    unpack_high,
    unpack_low,
    unpack_number,
    wide_bucket,
    wide_keep,
    wide_probe,
    with_high,
    with_low,
    with_number,
    with_work,
)
from plyground.search.rules import (
    ALTERNATE,
    DENSE,
    GOING,
    HAS_BOUNDS,
    HAS_CANONICAL,
    HAS_FINISH,
    HAS_ORDER,
    HAS_PRESSURE,
    HAS_PROMISE,
    HAS_REMAINING,
    HAS_SAFE,
    HAS_SPOT,
    IN_PLACE,
    KEY_BITS,
    LOCAL,
    MARGIN,
    MIRRORED,
    PEEK,
    SHALLOW,
    SURVEY,
    UNIT,
    WORDS,
    back,
    banked,
    bounds,
    canonical,
    code,
    evaluate,
    finish,
    key,
    load,
    load_byte,
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
    store_byte,
    stuck,
    turn,
    write_state,
)

# The head of a searcher's block, in bytes; the words that tell of the tables are in `exact.py`.
STOP, NODES, NODE_LIMIT, ABORTED, STACK_END, OVERFLOW, JITTER, STACK = 0, 8, 16, 24, 32, 8 * 7, 8 * 8, 8 * 10
HISTORY = 8 * 16
SPOTS = 4096
SCRATCH = HISTORY + 8 * 2 * SPOTS
"""Room for one state: the canonical twin whose words the table compares."""
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
GUESS = 1 << 40
"""Asks the entry for an estimate of the margin instead of a bound, and how many plies that looks ahead at most."""
GUESS_DEPTH = 9
RECORD = 3
"""Words of a child before those of its state: rank, move, and its key."""
MAX_PLY = 2000


def final(value, ply):
    """The score of a finished game."""
    if MARGIN or value == 0:
        return int64(value)
    return int64(WIN - ply if value > 0 else ply - WIN)


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


def twin(s):
    """The state that stands for s in the table: its representative where boards mirror each other and that still saves work."""
    if HAS_CANONICAL:
        if not HAS_REMAINING or remaining(s) > MIRRORED:
            return canonical(s)
    return s


def numbered(s):
    """Does the number of a move in the table mean the same move here? It does where symmetric states are not merged."""
    return not HAS_CANONICAL or (MARGIN and HAS_REMAINING and remaining(s) <= MIRRORED)


def table_key(s):
    """The key under which a state is looked up."""
    return mixed(code(twin(s))) if KEY_BITS else uint64(key(twin(s)))


def table_of(s, mem):
    """Where the head tells of the table that a state belongs in: the thread's own near the end of the game."""
    if LOCAL and remaining(s) <= LOCAL:
        return mem + uint64(LOCAL_TABLE)
    return mem + uint64(TABLE)


def bucket(s, k, mem):
    """The place in the table where a state and its key belong."""
    return narrow_bucket(k, table_of(s, mem)) if KEY_BITS else wide_bucket(k, table_of(s, mem))


def probe(s, k, mem):
    """What the table holds for a state and its key."""
    if KEY_BITS:
        return narrow_probe(k, table_of(s, mem))
    scratch = mem + uint64(SCRATCH)
    write_state(scratch, twin(s))
    return wide_probe(k, scratch, table_of(s, mem))


def keep(s, k, data, mem):
    """Puts what is known of a state into the table."""
    if KEY_BITS:
        narrow_keep(k, data, table_of(s, mem))
    else:
        scratch = mem + uint64(SCRATCH)
        write_state(scratch, twin(s))
        wide_keep(k, scratch, data, table_of(s, mem))


def history_at(mem, side, s, m):
    """Where the history of a move is kept."""
    return mem + uint64(HISTORY) + uint64(8) * (uint64(side) * uint64(SPOTS) + (uint64(spot(s, m)) & uint64(SPOTS - 1)))


def limits(s, ply, beta):
    """A bound on the value of s that the rules give without a search: >= beta, < beta, or GOING where they do not tell."""
    if HAS_REMAINING and not MARGIN:
        left = remaining(s)
        if HAS_SAFE and left < 3:
            return int64(0)
    if HAS_SAFE and not MARGIN:
        if WIN - ply - 3 < beta:
            return int64(WIN - ply - 3)
        if ply + 4 - WIN >= beta:
            return int64(ply + 4 - WIN)
    if HAS_BOUNDS:
        low, high = bounds(s)
        if MARGIN:
            if low >= beta:
                return int64(low)
            if high < beta:
                return int64(high)
        else:
            if low >= 0 and beta <= 0:
                return int64(0)
            if high <= 0 and beta > 0:
                return int64(0)
            if HAS_REMAINING and high < 0 and ply + left - WIN < beta:
                return int64(ply + left - WIN)
            if HAS_REMAINING and low > 0 and WIN - ply - left >= beta:
                return int64(WIN - ply - left)
    return int64(GOING)


def list_children(s, top, mem):
    """Writes the moves and the states they lead to; gives the end of the list, or 0 where a move is SURE to win.

    With `safe`, moves that lose at once are left out, and the game's hints are asked here, while the table's line is on its way:
    one that is SURE says that the other side will be lost.
    """
    end = top
    limit = uint64(load(mem + uint64(STACK_END)))
    won = False
    for m in safe(s) if HAS_SAFE else moves(s):
        if end >= limit:
            store(mem + uint64(OVERFLOW), 1)
            store(mem + uint64(ABORTED), 1)
        else:
            store(end + uint64(8), int64(m))
            if not IN_PLACE:
                child = step(s, m)
                write_state(end + uint64(8 * RECORD), child)
                if HAS_SAFE:
                    rank = hint(s, m, child)
                    store(end, rank)
                    won |= rank >= SURE * PRESSURE
            end += uint64(8 * (RECORD + WORDS))
    return uint64(0) if won else end


def ask_early(top, end, mem):
    """Asks for the lines of the table where the children belong, and notes their keys."""
    at = top
    while at < end:
        child = read_state(at + uint64(8 * RECORD))
        if DENSE and uint64(code(child)) < uint64(DENSE):
            store(at + uint64(16), int64(-1))
            prefetch(dense_place(child, mem))
        else:
            k = table_key(child)
            store(at + uint64(16), int64(k))
            prefetch(bucket(child, k, mem))
        at += uint64(8 * (RECORD + WORDS))


def estimate(value):
    """The result of a finished game on the scale of `look`."""
    return WIN + value if value > 0 else value - WIN if value < 0 else value


def hint(s, m, child):
    """What the game says of a move and its child: what it promises, or presses, or its place in the order."""
    if HAS_PROMISE:
        return int64(promise(s, m, child)) * PRESSURE
    if HAS_PRESSURE:
        return int64(pressure(child)) * PRESSURE
    if HAS_ORDER:
        return int64(order(s, m)) * PRESSURE
    return int64(0)


def hint_at(s, at):
    """The hint for a child in the list."""
    if IN_PLACE:
        return int64(order(s, load(at + uint64(8)))) * PRESSURE if HAS_ORDER else int64(0)
    if HAS_SAFE:
        return load(at)
    return hint(s, load(at + uint64(8)), read_state(at + uint64(8 * RECORD)))


def look(s, depth, alpha, beta, top, mem):
    """An estimate of s for the side to move, by a shallow search with `evaluate`."""
    value = int64(outcome(s))
    if value != GOING:
        return estimate(value)
    if depth == 0:
        return int64(evaluate(s))
    end = list_children(s, top, mem)
    if end == top:
        return estimate(int64(stuck(s)))
    if end == 0:
        return int64(WIN)
    at = top
    while at < end:
        store(at, hint_at(s, at))
        at += uint64(8 * (RECORD + WORDS))
    me = turn(s)
    best = int64(-2 * WIN)
    left = (end - top) // uint64(8 * (RECORD + WORDS))
    while left and best < beta:
        left -= uint64(1)
        at = pick(top, end)
        m = load(at + uint64(8))
        child = step(s, m) if IN_PLACE else read_state(at + uint64(8 * RECORD))
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
        return int64(0)
    depth, least = int64(left // SURVEY_STEP), best - SURVEY_WINDOW * UNIT
    if ALTERNATE or turn(child) != turn(s):
        return -look(child, depth, int64(-2 * WIN), -least, top, mem)
    return look(child, depth, least, int64(2 * WIN), top, mem)


def rank_children(s, number, side, top, end, mem):
    """Gives every child its rank: the table's move first, else by a shallow search; then by the game's hint, and by history."""
    jitter = load(mem + uint64(JITTER))
    n, best = int64(0), int64(-2 * WIN)
    at = top
    while at < end:
        n += 1
        m = load(at + uint64(8))
        rank = hint_at(s, at)
        if HAS_SPOT:
            rank += load(history_at(mem, side, s, m))
        if SURVEY and not IN_PLACE and number == 0:
            value = surveyed(s, read_state(at + uint64(8 * RECORD)), best, end, mem)
            best = max(best, value)
            rank += value * SURVEY_WEIGHT // UNIT
        if n == number:
            rank = int64(1 << 50)
        if jitter:
            rank += (n * jitter) & 31
        store(at, rank)
        at += uint64(8 * (RECORD + WORDS))


def pick(at, end):
    """The child not yet tried that ranks highest; its rank is spent."""
    best, where, look = load(at), at, at
    while look < end:
        if load(look) > best:
            best, where = load(look), look
        look += uint64(8 * (RECORD + WORDS))
    store(where, int64(-(1 << 60)))
    return where


def known(s, ply, beta, top, end, mem):
    """Enhanced table cut-off: a bound of at least beta that the table holds for a child, else -2 WIN."""
    me = turn(s)
    at = top
    while at < end:
        child = read_state(at + uint64(8 * RECORD))
        k = load(at + uint64(16))
        bank = int64(banked(child)) if MARGIN else int64(0)
        if DENSE and k < 0:
            entry = load_byte(dense_place(child, mem))
            low = high = entry - 128
            if entry == 0:
                low, high = int64(-2 * WIN), int64(2 * WIN)
        else:
            data = probe(child, uint64(k), mem)
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
        at += uint64(8 * (RECORD + WORDS))
    return int64(-2 * WIN)


def dense_place(s, mem):
    """The byte of a state with a small code: its margin less what is banked, 128 more; 0 while it is not worked out."""
    return uint64(load(mem + uint64(DENSE_TABLE))) + uint64(code(s))


def worked_out(s, mem):
    """The margin of a state with a small code, by plain minimax the first time it is asked for."""
    value = int64(outcome(s))
    if value != GOING:
        return value
    place = dense_place(s, mem)
    entry = load_byte(place)
    if entry:
        return entry - 128 + int64(banked(s))
    if counted(mem):
        return int64(0)
    me = turn(s)
    best = int64(-2 * WIN)
    for m in moves(s):
        child = step(s, m)
        value = worked_out(child, mem)
        best = max(best, -value if ALTERNATE or turn(child) != me else value)
    if best == -2 * WIN:
        best = int64(stuck(s))
    if not load(mem + uint64(ABORTED)):
        store_byte(place, best - int64(banked(s)) + 128)
    return best


def learn(s, mem, side, top, end, at):
    """The move that cut gains history; those tried before it lose some."""
    look = top
    while look < end:
        if load(look) == -(1 << 60):
            place = history_at(mem, side, s, load(look + uint64(8)))
            old = load(place)
            if look == at:
                store(place, min(old + 1, int64(HISTORY_CAP)))
            else:
                store(place, max(old - 1, int64(-HISTORY_CAP)))
        look += uint64(8 * (RECORD + WORDS))


def counted(mem):
    """Counts a node; now and then looks whether to stop, and tells whether to."""
    nodes = load(mem + uint64(NODES)) + 1
    store(mem + uint64(NODES), nodes)
    if nodes & 4095 == 0 and (load(uint64(load(mem + uint64(STOP)))) != 0 or nodes >= load(mem + uint64(NODE_LIMIT))):
        store(mem + uint64(ABORTED), 1)
    return load(mem + uint64(ABORTED)) != 0


def bound(s, ply, beta, top, mem):
    """A bound on the value of s for the side to move: at least beta where it is, else an upper bound below beta.

    Where `safe` is given, the side to move cannot win at once: whoever calls has made sure.
    """
    # 1. Count the node; stop if told so.
    if ply >= MAX_PLY:
        store(mem + uint64(OVERFLOW), 2)
        store(mem + uint64(ABORTED), 1)
    if counted(mem):
        return beta - 1
    nodes = load(mem + uint64(NODES))

    # 2. The end of the game, and what the rules know about the value.
    if HAS_FINISH:
        value, searched = finish(s, seen_here(beta, ply, int64(0)))
        if searched:
            store(mem + uint64(NODES), nodes + searched - 1)
            return seen_from(int64(value), ply, int64(0))
    if not HAS_SAFE:
        value = int64(outcome(s))
        if value != GOING:
            return final(value, ply)
    value = limits(s, ply, beta)
    if value != GOING and not HAS_SAFE:
        return value
    if DENSE and uint64(code(s)) < uint64(DENSE):
        return worked_out(s, mem)

    # 3. The children; where there is only one, it is as good as the node itself.
    deep = not HAS_REMAINING or remaining(s) > SHALLOW
    k = uint64(0)
    if deep and value == GOING:
        k = table_key(s)
        prefetch(bucket(s, k, mem))
    me = turn(s)
    end = list_children(s, top, mem)
    if end == uint64(0):
        return int64(WIN - ply - 3) if value == GOING else value
    if end == top:
        if HAS_SAFE:
            return int64(ply + 2 - WIN)
        return final(stuck(s), ply)
    if value != GOING:
        return value
    if not IN_PLACE and end == top + uint64(8 * (RECORD + WORDS)):
        child = read_state(top + uint64(8 * RECORD))
        if ALTERNATE or turn(child) != me:
            return -bound(child, ply + 1, 1 - beta, top, mem)
        return bound(child, ply + 1, beta, top, mem)

    # 4. The table, and what it knows of the children.
    number, bank = int64(0), int64(0)
    side = ply & 1 if ALTERNATE else me & 1
    peek = not IN_PLACE and (not HAS_REMAINING or remaining(s) > PEEK)
    if deep:
        data = probe(s, k, mem)
        bank = int64(banked(s)) if MARGIN else int64(0)
        low, high = unpack_low(data), unpack_high(data)
        if low > -2 * WIN and seen_from(low, ply, bank) >= beta:
            return seen_from(low, ply, bank)
        if high < 2 * WIN and seen_from(high, ply, bank) < beta:
            return seen_from(high, ply, bank)
        number = unpack_number(data) if numbered(s) else int64(0)
        if peek:
            ask_early(top, end, mem)
    rank_children(s, number, side, top, end, mem)
    if deep and peek:
        value = known(s, ply, beta, top, end, mem)
        if value >= beta:
            return value

    # 5. Each child, until one holds beta.
    best, best_at = int64(-2 * WIN), top
    count = int64((end - top) // uint64(8 * (RECORD + WORDS)))
    tried = int64(0)
    while tried < count:
        tried += 1
        at = pick(top, end)
        m = load(at + uint64(8))
        child = step(s, m) if IN_PLACE else read_state(at + uint64(8 * RECORD))
        if ALTERNATE or turn(child) != me:
            value = -bound(child, ply + 1, 1 - beta, end, mem)
        else:
            value = bound(child, ply + 1, beta, end, mem)
        if IN_PLACE:
            back(s, m)
        if load(mem + uint64(ABORTED)):
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
            data = with_number(data, int64((best_at - top) // uint64(8 * (RECORD + WORDS))) + 1 if best >= beta else number)
        keep(s, k, with_work(data, load(mem + uint64(NODES)) - nodes), mem)
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
        depth = max(int64(1), min(int64(GUESS_DEPTH), (remaining(s) - SURVEY) // 2 | 1))
        return look(s, int64(depth), int64(-2 * WIN), int64(2 * WIN), uint64(load(mem + uint64(STACK))), mem) // UNIT
    if HAS_SAFE and wins_at_once(s):
        return int64(WIN - 1)
    return bound(s, int64(0), beta, uint64(load(mem + uint64(STACK))), mem)
