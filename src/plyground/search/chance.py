"""The search where dice or tiles decide: expectiminimax with Star1 and Star2 cuts and a table.

A value is the expected result for the side to move, a float. Where the game gives a MARGIN no value is larger than that, and an
average can be out of the window before all its outcomes are known (Star1, Star2); without one, only the last outcome can be cut.
Depth counts the plies of players; what chance does takes none. At depth 0 the position is evaluated as it stands, before a roll.

An entry of the table is four words: key xor value xor data, value, data, and one unused; two entries a bucket. Data: depth in
bits 0-7, bound in 8-9, age in 10-14, number of the best move plus one in 16-31.
"""

from __future__ import annotations

from math import inf

from plyground.bits import i64, u64
from plyground.compile.vocabulary import (
    ALTERNATE,
    GOING,
    HAS_CANONICAL,
    HAS_COUNTDOWN,
    IN_PLACE,
    MARGIN,
    back,
    canonical,
    chance,
    evaluate,
    key,
    load,
    load_real,
    moves,
    outcome,
    read_state,
    step,
    store,
    store_real,
    stuck,
    turn,
    write_state,
)
from plyground.search.memory import (
    ABORTED,
    AGE,
    BEYOND,
    ESTIMATED,
    EVALUATIONS,
    HITS,
    MAX_PLY,
    OPTIONS,
    STACK_END,
    STACK_TOP,
    STATE,
)
from plyground.search.node import (
    HASH_EVALUATE,
    NUMBERS,
    USE_ORDER,
    USE_TABLE,
    enter,
    hashed,
    list_moves,
    pick,
    rank_moves,
    take_line,
)
from plyground.search.table import EXACT, LOWER, UPPER, bucket, plies_left

USE_STAR2 = 2  # the option `pvs`, which has no other meaning here: each outcome's best-looking move first


def estimate(s, mem):
    """The heuristic as an expected result."""
    store(mem + u64(ESTIMATED), 1)
    store(mem + u64(EVALUATIONS), load(mem + u64(EVALUATIONS)) + 1)
    if load(mem + u64(OPTIONS)) & HASH_EVALUATE:
        value = float(hashed(key(canonical(s)) if HAS_CANONICAL else key(s)) + 3) / 4.0
    else:
        value = float(evaluate(s))
    return max(-largest(), min(largest(), value))


def largest():
    """No value is larger in size than this."""
    return float(MARGIN) if MARGIN else inf


def final(result, mem):
    """The value of a finished game. One beyond MARGIN would make every cut unsound: the search ends, and the engine tells."""
    if MARGIN and abs(result) > MARGIN:
        store(mem + u64(BEYOND), i64(result))
        store(mem + u64(ABORTED), 1)
    return float(result)


def find(mem, k):
    """The address of the entry for the key k, 0 if there is none."""
    at = bucket(mem, k)
    for i in range(2):
        entry = at + u64(32 * i)
        data = load(entry + u64(16))
        if data != 0 and u64(load(entry)) ^ u64(load(entry + u64(8))) ^ u64(data) == u64(k):
            return entry
    return u64(0)


def keep(mem, k, value, depth, bound, number):
    """Keeps a value; of the two entries of a bucket the one that is old or less deep goes."""
    at = bucket(mem, k)
    age = load(mem + u64(AGE)) & 31
    one, two = load(at + u64(16)), load(at + u64(48))
    entry = find(mem, k)
    if entry == 0:
        first = (one & 0xFF) - 4 * ((age - (one >> 10)) & 31)
        second = (two & 0xFF) - 4 * ((age - (two >> 10)) & 31)
        entry = at if one == 0 or (two != 0 and first < second) else at + u64(32)
    data = depth | bound << 8 | age << 10 | number << 16
    store_real(entry + u64(8), value)
    store(entry + u64(16), data)
    store(entry, i64(u64(k) ^ u64(load(entry + u64(8))) ^ u64(data)))


def list_outcomes(s, top, mem):
    """Writes the outcomes of a chance node with their weights; gives the end of the list. A full stack gives 0."""
    end = top
    limit = u64(load(mem + u64(STACK_END)))
    full = False
    for m, weight in chance(s):
        if end >= limit:
            full = True
            break
        store(end, i64(m))
        store_real(end + u64(8), float(weight))
        end += u64(16)
    return u64(0) if full else end


def expect(s, depth, ply, alpha, beta, top, mem, first_only):
    """The expected result for the side to move, fail-soft in (alpha, beta); with `first_only`, of the first move alone."""
    enter(mem, ply)
    if load(mem + u64(ABORTED)):
        return alpha
    result = outcome(s)
    if result != GOING:
        return final(result, mem)
    options = load(mem + u64(OPTIONS))
    me = turn(s)

    # Chance: the mean over all outcomes, each in the window that could still matter (Star1).
    end = list_outcomes(s, top, mem)
    if end == 0:
        return estimate(s, mem)
    if end > top and depth > 0 and ply < MAX_PLY - 2:
        if first_only:  # a second roll in a row: there is no first move to look at
            return -largest()
        total = 0.0
        at = top
        while at < end:
            total += load_real(at + u64(8))
            at += u64(16)
        # Star2: one move of each outcome's mover bounds the mean from his side; often that is enough.
        if MARGIN and options & USE_STAR2 and beta < MARGIN:
            done, rest, at = 0.0, 1.0, top
            while at < end:
                p = load_real(at + u64(8)) / total
                rest -= p
                child = step(s, load(at))
                if turn(child) == me:
                    done += p * expect(child, depth, ply + 1, float(-MARGIN), float(MARGIN), end, mem, i64(1))
                else:
                    done -= p * MARGIN
                back(s, load(at))
                at += u64(16)
                if load(mem + u64(ABORTED)):
                    return alpha
                if done - rest * MARGIN >= beta:
                    return done - rest * MARGIN
        done, rest, at = 0.0, 1.0, top
        while at < end:
            p = load_real(at + u64(8)) / total
            rest -= p
            low, high = -largest(), largest()
            if MARGIN or at + u64(16) == end:
                low = max(low, (alpha - done - rest * MARGIN) / p)
                high = min(high, (beta - done + rest * MARGIN) / p)
            child = step(s, load(at))
            if turn(child) == me:
                value = expect(child, depth, ply + 1, low, high, end, mem, i64(0))
            else:
                value = -expect(child, depth, ply + 1, -high, -low, end, mem, i64(0))
            back(s, load(at))
            at += u64(16)
            if load(mem + u64(ABORTED)):
                return alpha
            done += p * value
            if value <= low and low > -largest():
                return done + rest * MARGIN
            if value >= high and high < largest():
                return done - rest * MARGIN
        return done

    if depth <= 0 or ply >= MAX_PLY - 2:
        if end == top and nothing_to_play(s):
            return final(stuck(s), mem)
        return estimate(s, mem)

    # A player: alpha-beta with the table.
    k = u64(key(s))
    if HAS_COUNTDOWN:
        k ^= u64(plies_left(s)) * u64(0x9E3779B97F4A7C15)
    number = i64(0)
    if options & USE_TABLE:
        entry = find(mem, k)
        if entry != 0:
            data = load(entry + u64(16))
            number = (data >> 16) & 0xFFFF
            if data & 0xFF == depth:
                value = load_real(entry + u64(8))
                bound = (data >> 8) & 3
                if bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha):
                    store(mem + u64(HITS), load(mem + u64(HITS)) + 1)
                    return value
    end = list_moves(s, top, mem, i64(0))
    if end == 0:
        return estimate(s, mem)
    if end == top:
        return final(stuck(s), mem)
    rank_moves(s, top, end, mem, ply, me & 1, number)
    if depth >= 2 and number == 0 and options & USE_ORDER:
        rank_by_estimate(s, top, end, mem, me)
    floor, best, best_number = alpha, -inf, i64(0)
    at = top
    while at < end:
        m = pick(at, end)
        at += u64(16)
        child = step(s, m)
        if ALTERNATE or turn(child) != me:
            value = -expect(child, depth - 1, ply + 1, -beta, -alpha, end, mem, i64(0))
        else:
            value = expect(child, depth - 1, ply + 1, alpha, beta, end, mem, i64(0))
        back(s, m)
        if load(mem + u64(ABORTED)):
            return alpha
        if value > best:
            best, best_number = value, NUMBERS - (load(at - u64(8)) & NUMBERS)
            if value > alpha:
                alpha = value
                take_line(mem, ply, m)
            if value >= beta or first_only:
                break
        if first_only:
            break
    if options & USE_TABLE and not first_only:
        bound = LOWER if best >= beta else UPPER if best <= floor else EXACT
        keep(mem, k, best, min(depth, i64(255)), bound, best_number if bound != UPPER else i64(0))
    return best


def nothing_to_play(s):
    """Is it a player's turn, and has he no move?"""
    n = 0
    for _ in chance(s):
        n += 1
    if n == 0:
        for _ in moves(s):
            n += 1
    return n == 0


def rank_by_estimate(s, top, end, mem, me):
    """Orders moves by what they look like at once: with chance below, a good order is worth an evaluation each."""
    at = top
    while at < end:
        m = load(at)
        child = step(s, m)
        result = outcome(child)
        value = float(result) if result != GOING else estimate(child, mem)
        if ALTERNATE or turn(child) != me:
            value = -value
        back(s, m)
        number = load(at + u64(8)) & NUMBERS
        store_real(at + u64(8), value)
        store(at + u64(8), in_order(load(at + u64(8))) & ~i64(NUMBERS) | number)
        at += u64(16)


def in_order(bits):
    """The bits of a float as a word that is larger just when the float is: those of negative ones count down."""
    return bits if bits >= 0 else bits ^ i64(0x7FFFFFFFFFFFFFFF)


def search_move(address, m, depth, alpha, beta, mem):
    """Entry: the expected result of the root's move m, for the side to move at the root; the line lies at ply 1."""
    if IN_PLACE:
        write_state(mem + u64(STATE), read_state(address))
        s = read_state(mem + u64(STATE))
    else:
        s = read_state(address)
    me = turn(s)
    store(mem + u64(ESTIMATED), 0)
    child = step(s, m)
    top = u64(load(mem + u64(STACK_TOP)))
    if ALTERNATE or turn(child) != me:
        return -expect(child, depth - 1, i64(1), -beta, -alpha, top, mem, i64(0))
    return expect(child, depth - 1, i64(1), alpha, beta, top, mem, i64(0))
