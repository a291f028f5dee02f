"""The search at the root: the best of some moves in a window, a lookout for forced wins, and what a page asks for."""

from __future__ import annotations

from plyground.bits import i64, u64
from plyground.compile.vocabulary import (
    CHANCE,
    HAS_ORDER,
    ONGOING,
    ROLLOUTS,
    address,
    clock,
    key,
    moves,
    order,
    read_state,
    step,
    verdict,
)
from plyground.kernels.search import LOOKS_OUT, USE_LOOKOUT, USE_PVS, USE_ROLLOUTS
from plyground.kernels.search.chance_node import search_move as expect_move
from plyground.kernels.search.move_ordering import ListedMove, list_moves, nth_move
from plyground.kernels.search.node import search_move
from plyground.kernels.search.root_memory import RootMemory, ScoredLine, candidates, record_window_result
from plyground.kernels.search.search_memory import MAX_PLY, SearchMemory, begin
from plyground.kernels.search.transposition_table import decode_entry, probe
from plyground.kernels.states import is_chance
from plyground.score import proven

SIGNATURE = "int64(uint64, uint64, uint64)"
"""Signature of `search_window`."""


def search_score(score):
    """Return a score as this game's search counts: a whole number, or a float where there is chance."""
    if CHANCE:
        return float(score)
    return i64(score)


def hash_move(s, mem):
    """Return the hash move of a state, -1 if there is none; games of chance have none."""
    if CHANCE:
        return i64(-1)
    return nth_move(s, mem, decode_entry(probe(mem, u64(key(s)))).number)


def search_window(row, memory, root):
    """Entry point: find the best of the moves in `rest`, as `trial`; return whether there is one.

    If the search is stopped, a result counts only if it is above alpha; otherwise it is a bound. If `rest` is empty, return the
    hash move of the state instead, -1 if there is none: one kernel compiles faster than two.
    """
    mem, at = SearchMemory(memory), RootMemory(root)
    if at.width == 0:
        return hash_move(begin(row, mem), mem)
    mem.root_depth = at.plies
    if ROLLOUTS and not CHANCE and at.plies > 1 and mem.options & USE_LOOKOUT:
        search_forced_wins(row, memory, root)
    alpha, beta = search_score(at.low), search_score(at.high)
    best, solid, found = alpha, i64(1), i64(0)
    while found < at.width:
        m, before = candidates(at)[found].rest, i64(mem.nodes)
        wide = found == 0 or mem.options & USE_PVS == 0
        while True:
            high = beta if wide else alpha + search_score(at.step)
            if CHANCE:
                value = expect_move(row, m, at.plies, alpha, high, memory)
            else:
                value = search_move(row, m, at.plies, alpha, high, memory)
            if mem.aborted or high >= beta or value <= alpha:
                break
            solid &= mem.estimated == 0
            wide = True
        if mem.aborted:
            return i64(found > 0 and best > search_score(at.low))
        solid &= mem.estimated == 0
        if found == 0 or value > best:
            best = value
            record_window_result(at, best, m, mem)
            at.effort = mem.nodes - before
            alpha = max(alpha, best)
        found += 1
        if best >= beta:
            break
    at.trial.exact = solid
    return i64(1)


# -- the lookout ----------------------------------------------------------------------------------------------------------------

# Random games are slow, so a search that evaluates leaves by them is not deep. Without estimates it is two or three times as
# deep, but can only tell wins and losses from the rest. So after the first iteration, which gives a move to play, each root move
# is searched without estimates. What this proves is in the table, where the search with random games finds it
# (`proven_by_lookout` in `node.py`).

SHARE = 60
"""The percentage of a time or node limit that the lookout may use."""
UNLIMITED_FROM = 1 << 61
"""A limit of this size or more means that there is none."""


def search_forced_wins(row, memory, root):
    """Search all root moves without estimates, one ply deeper each time, as far as its share of the limit allows."""
    mem, at = SearchMemory(memory), RootMemory(root)
    options, limit, deadline, depth = mem.options, mem.node_limit, mem.deadline, mem.root_depth
    deepest = i64(MAX_PLY // 2)
    if limit >= UNLIMITED_FROM and (deadline == 0 or deadline >= UNLIMITED_FROM):
        deepest = 2 * at.plies + 1
    elif mem.scout_depth:
        return
    mem.node_limit = mem.nodes + (limit - mem.nodes) // 100 * SHARE
    if deadline and deadline < UNLIMITED_FROM:
        now = clock(address(mem.clock))
        mem.deadline = now + (deadline - now) // 100 * SHARE
    mem.next_check = min(mem.next_check, mem.node_limit)
    mem.options = options & ~i64(USE_ROLLOUTS | USE_LOOKOUT) | LOOKS_OUT
    while mem.scout_depth < deepest and not mem.aborted:
        mem.scout_depth += 1
        mem.root_depth = mem.scout_depth
        # Only the side that makes the last move can have won by it: ours at odd depths, the other at even ones. So one null
        # window per depth is enough.
        low = i64(mem.scout_depth & 1) - 1
        for i in range(at.count):
            if not mem.aborted:
                value = search_move(row, candidates(at)[i].next, mem.scout_depth, low, low + 1, memory)
                if value > 0 and proven(value):
                    deepest = mem.scout_depth
    mem.options, mem.node_limit, mem.deadline, mem.root_depth = options, limit, deadline, depth
    mem.aborted = mem.next_check = 0  # if the caller's own limit has stopped it, the next node notices that


# -- for a page in a browser ----------------------------------------------------------------------------------------------------

# The engine does the same with interpreted rules (`engine/searcher.py`), where it isn't worth compiling.

LIST_SIGNATURE = "int64(uint64, uint64, uint64, int64)"
KEY_SIGNATURE = "uint64(uint64)"
EXTEND_PV_SIGNATURE = "int64(uint64, uint64, uint64, int64)"


def list_root(row, memory, root, room):
    """Entry point: list the moves to search, with the game's hints, as far as there is room; return their number.

    Return 0 if the game is over or it is chance's turn, -1 if the moves don't fit on the stack.
    """
    mem, at = SearchMemory(memory), RootMemory(root)
    top, s = ListedMove(mem.stack), begin(row, mem)
    at.count = list_moves(s, top, mem, i64(0)) if is_decision(s) else i64(0)
    for i in range(min(at.count, room)):
        candidates(at)[i].move = top[i].move
        if HAS_ORDER:
            candidates(at)[i].rest = i64(order(s, top[i].move))
        else:
            candidates(at)[i].rest = 0
    return at.count


def key_of(row):
    """Entry point: return the key of a state."""
    return u64(key(read_state(row)))


def extend_pv(row, memory, found, length):
    """Entry point: cut a line at its first illegal move, else extend it by hash moves up to a length."""
    mem, one = SearchMemory(memory), ScoredLine(found)
    s = begin(row, mem)
    n = i64(0)
    while n < one.length and is_playable(s, one.line[n]):
        s = step(s, one.line[n])
        n += 1
    whole = n == one.length
    one.length = n
    while whole and n < length:
        k, m = u64(key(s)), hash_move(s, mem)
        if m < 0 or not is_playable(s, m) or repeats_in_line(mem, k, one.length, n):
            break
        one.line[n] = m
        s = step(s, m)
        n += 1
    one.length = n
    return n


def is_decision(s):
    """Return whether the game goes on and a player, not chance, is to move."""
    return not is_chance(s) and verdict(s) == ONGOING


def is_playable(s, m):
    """Return whether m is a legal move of a player. All moves are visited: a generator left early may not free its memory."""
    if not is_decision(s):
        return False
    found = False
    for other in moves(s):
        if i64(other) == m:
            found = True
    return found


def repeats_in_line(mem, k, first, n):
    """Return whether the extended part of the line already contains this key, and record the key on the path."""
    mem.path[mem.past + n] = k
    at = mem.past + first
    while mem.path[at] != k:
        at += 1
    return at < mem.past + n
