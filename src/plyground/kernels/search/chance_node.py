"""The search for games of chance: expectiminimax with Star1 and Star2 cutoffs and a table.

A value is the expected result for the side to move, a float. If the game has a MARGIN, no value exceeds it, and an average can be
outside the window before all outcomes are known (Star1, Star2); without a MARGIN, only the last outcome can be cut. Depth counts
the plies of players; chance moves cost no depth, but with `reductions` an unlikely one costs a ply. At depth 0 the position is
evaluated before the roll.
"""

from __future__ import annotations

from math import inf

import numpy as np

from plyground.bits import i64, u64
from plyground.compile.blocks import Address, Block, Float, Word
from plyground.compile.vocabulary import (
    ALTERNATE,
    HAS_COUNTDOWN,
    MARGIN,
    NET,
    NET_OPTIONAL,
    ONGOING,
    ROLLOUTS,
    address,
    chance,
    evaluate,
    key,
    step,
    stuck,
    turn,
    undo_step,
    verdict,
)
from plyground.kernels.bit_fields import BitField, part, put_part
from plyground.kernels.search import HASH_EVALUATE, USE_ORDER, USE_REDUCTIONS, USE_ROLLOUTS, USE_TABLE
from plyground.kernels.search.move_ordering import (
    ListedMove,
    has_no_moves,
    list_moves,
    move_number,
    pick_best,
    rank_moves,
    with_list_position,
)
from plyground.kernels.search.node import hash_evaluation
from plyground.kernels.search.rollout import roll_out
from plyground.kernels.search.search_memory import MAX_PLY, SearchMemory, begin, check_margin, enter_node, update_pv
from plyground.kernels.search.transposition_table import (
    MAX_STORED_DEPTH,
    UPPER,
    bound_allows_cutoff,
    bound_type,
    bucket,
    plies_to_countdown,
    searches_ago,
)
from plyground.kernels.states import is_chance
from plyground.nets.leaf import expected_result

SIGNATURE = "float64(uint64, int64, int64, float64, float64, uint64)"
"""Signature of `search_move`."""
UNLIKELY = 0.25
"""Outcomes with less than this share of the largest probability are searched one ply less deep: they count for little."""
USE_STAR2 = 2  # the option `pvs`, otherwise unused here: try the most promising move of each outcome first


class ChanceEntry(Block):
    """A table entry with a float score; two per bucket."""

    check = Address("the key xor the other two")
    value = Float()
    data = Word("the parts below; 0 if the entry is empty")
    unused = Word()


DEPTH = BitField(0, 8)
BOUND = BitField(8, 2)
AGE = BitField(10, 5)
NUMBER = BitField(16, 16)  # of the best move, plus one


class Outcome(Block):
    """A chance outcome, on the stack."""

    move = Word()
    share = Float("its probability")


def estimate(s, mem):
    """Return the static evaluation as an expected result."""
    mem.estimated = 1
    mem.evaluations += 1
    if NET and (not NET_OPTIONAL or mem.net):
        return max(-max_value(), min(max_value(), expected_result(s, mem)))
    if ROLLOUTS and mem.options & USE_ROLLOUTS:
        total, games = roll_out(s, mem)
        return float(total) / float(games) if games else 0.0
    value = float(hash_evaluation(s) + 3) / 4.0 if mem.options & HASH_EVALUATE else float(evaluate(s))
    return max(-max_value(), min(max_value(), value))


def max_value():
    """Return the largest possible absolute value."""
    return float(MARGIN) if MARGIN else inf


def terminal_value(result, mem):
    """Return the value of a finished game."""
    check_margin(result, mem)
    return float(result)


def find_entry(mem, k):
    """Return the entry for the key k; its address is 0 if there is none."""
    entries = ChanceEntry(bucket(mem, k))
    for i in range(2):
        if entries[i].data != 0 and entries[i].check == checksum(k, entries[i].value, entries[i].data):
            return entries[i]
    return ChanceEntry(u64(0))


def checksum(k, value, data):
    """Return the first word of an entry: it does not match if two threads wrote the entry at once."""
    return u64(k) ^ np.float64(value).view(np.uint64) ^ u64(data)


def store_value(mem, k, value, depth, bound, number):
    """Store a value; of the two entries in the bucket, the older or shallower one is replaced."""
    entry = find_entry(mem, k)
    if address(entry) == 0:
        one = ChanceEntry(bucket(mem, k))
        two = one[1]
        entry = (
            one
            if one.data == 0 or (two.data != 0 and replacement_value(mem, one.data) < replacement_value(mem, two.data))
            else two
        )
    data = put_part(depth, DEPTH) | put_part(bound, BOUND) | put_part(mem.age, AGE) | put_part(number, NUMBER)
    entry.value, entry.data, entry.check = value, data, checksum(k, value, data)


def replacement_value(mem, data):
    """Return an entry's replacement value: the entry with the lowest is overwritten."""
    return part(data, DEPTH) - 4 * searches_ago(mem, part(data, AGE))


def list_outcomes(s, top, mem):
    """List the chance outcomes; return their number, -1 if they do not fit on the stack."""
    end = mem.stack_end
    count, total = i64(0), 0.0
    for m, weight in chance(s):
        if address(top[count]) < end:
            top[count].move, top[count].share = i64(m), float(weight)
        total += weight
        count += 1
    if address(top[count - 1]) >= end:
        return i64(-1)
    for i in range(count):
        top[i].share /= total
    return count


def most_likely(outcomes, count):
    """Return the largest probability of an outcome."""
    most = 0.0
    for i in range(count):
        most = max(most, outcomes[i].share)
    return most


def expectiminimax(s, depth, ply, alpha, beta, top, mem, first_only):
    """Return the expected result for the side to move, fail-soft in (alpha, beta); with `first_only`, only of the first move."""
    # 1. Count the node; return if the search was stopped.
    enter_node(mem, ply)
    if mem.aborted:
        return alpha
    options = mem.options

    # 2. The end of the game, and the horizon.
    result = verdict(s)
    if result != ONGOING:
        return terminal_value(result, mem)
    if depth <= 0 or ply >= MAX_PLY - 2:
        return terminal_value(stuck(s), mem) if is_stuck(s) else estimate(s, mem)
    me = turn(s)
    outcomes = Outcome(address(top))
    count = list_outcomes(s, outcomes, mem)
    if count < 0:
        return estimate(s, mem)
    unlikely = UNLIKELY * most_likely(outcomes, count) if options & USE_REDUCTIONS and depth >= 2 else 0.0
    if count and first_only:  # two rolls in a row: there is no first move to try
        return -max_value()

    # 3. Star2: one move per outcome gives a bound on the mean, which is often enough for a cutoff.
    if MARGIN and count and options & USE_STAR2 and beta < MARGIN:
        done, rest = 0.0, 1.0
        for i in range(count):
            p, m = outcomes[i].share, outcomes[i].move
            rest -= p
            child = step(s, m)
            if turn(child) == me:
                left = depth - 1 if p < unlikely else depth
                done += p * expectiminimax(child, left, ply + 1, float(-MARGIN), float(MARGIN), top[count], mem, i64(1))
            else:
                done -= p * MARGIN
            undo_step(s, m)
            if mem.aborted:
                return alpha
            if done - rest * MARGIN >= beta:
                return done - rest * MARGIN

    # 4. Chance: the mean over all outcomes, each searched in the window that can still matter (Star1).
    if count:
        done, rest = 0.0, 1.0
        for i in range(count):
            p, m = outcomes[i].share, outcomes[i].move
            rest -= p
            left = depth - 1 if p < unlikely else depth
            low, high = -max_value(), max_value()
            if MARGIN or i + 1 == count:
                low = max(low, (alpha - done - rest * MARGIN) / p)
                high = min(high, (beta - done + rest * MARGIN) / p)
            child = step(s, m)
            if turn(child) == me:
                value = expectiminimax(child, left, ply + 1, low, high, top[count], mem, i64(0))
            else:
                value = -expectiminimax(child, left, ply + 1, -high, -low, top[count], mem, i64(0))
            undo_step(s, m)
            if mem.aborted:
                return alpha
            done += p * value
            if value <= low and low > -max_value():
                return done + rest * MARGIN
            if value >= high and high < max_value():
                return done - rest * MARGIN
        return done

    # 5. A player: the table.
    k = u64(key(s))
    if HAS_COUNTDOWN:
        k ^= u64(plies_to_countdown(s)) * u64(0x9E3779B97F4A7C15)
    number = i64(0)
    if options & USE_TABLE:
        entry = find_entry(mem, k)
        if address(entry) != 0:
            number = part(entry.data, NUMBER)
            if part(entry.data, DEPTH) == depth and bound_allows_cutoff(part(entry.data, BOUND), entry.value, alpha, beta):
                mem.hits += 1
                return entry.value

    # 6. Generate and order the moves.
    count = list_moves(s, top, mem, i64(0))
    if count < 0:
        return estimate(s, mem)
    if count == 0:
        return terminal_value(stuck(s), mem)
    rank_moves(s, top, count, mem, ply, me & 1, number)
    if depth >= 2 and number == 0 and options & USE_ORDER:
        rank_by_estimate(s, top, count, mem, me)

    # 7. Each move in turn.
    first_alpha, best, best_number = alpha, -inf, i64(0)
    for i in range(1 if first_only else count):
        m = pick_best(top, i, count)
        child = step(s, m)
        if ALTERNATE or turn(child) != me:
            value = -expectiminimax(child, depth - 1, ply + 1, -beta, -alpha, top[count], mem, i64(0))
        else:
            value = expectiminimax(child, depth - 1, ply + 1, alpha, beta, top[count], mem, i64(0))
        undo_step(s, m)
        if mem.aborted:
            return alpha
        if value > best:
            best, best_number = value, move_number(top[i].rank)
            if value > alpha:
                alpha = value
                update_pv(mem, ply, m)
            if value >= beta:
                break

    # 8. Store the result.
    if options & USE_TABLE and not first_only:
        bound = bound_type(best, first_alpha, beta)
        store_value(mem, k, best, min(depth, i64(MAX_STORED_DEPTH)), bound, best_number if bound != UPPER else i64(0))
    return best


def is_stuck(s):
    """Return whether it is a player's turn, with no legal move."""
    return not is_chance(s) and has_no_moves(s)


def rank_by_estimate(s, top, count, mem, me):
    """Order moves by a static evaluation: above chance nodes, a good order is worth one evaluation per move."""
    for i in range(count):
        m = top[i].move
        child = step(s, m)
        result = verdict(child)
        value = float(result) if result != ONGOING else estimate(child, mem)
        if ALTERNATE or turn(child) != me:
            value = -value
        undo_step(s, m)
        top[i].rank = with_list_position(sortable_bits(value), top[i].rank)


def sortable_bits(value):
    """Return the bits of a float as an int that sorts like the float: for negative floats, all bits but the sign are flipped."""
    bits = np.float64(value).view(np.int64)
    return bits if bits >= 0 else bits ^ i64(0x7FFFFFFFFFFFFFFF)


def search_move(root, m, depth, alpha, beta, memory):
    """Entry point: return the expected result of move m in the state at `root`, for the side to move; its line is at ply 1."""
    mem = SearchMemory(memory)
    s = begin(root, mem)
    me = turn(s)
    mem.estimated = 0
    child = step(s, m)
    if ALTERNATE or turn(child) != me:
        return -expectiminimax(child, depth - 1, i64(1), -beta, -alpha, ListedMove(mem.stack), mem, i64(0))
    return expectiminimax(child, depth - 1, i64(1), alpha, beta, ListedMove(mem.stack), mem, i64(0))
