"""The best of some root moves in a window: the part of a root search that needs the rules."""

from __future__ import annotations

from plyground.bits import i64, u64
from plyground.compile.vocabulary import CHANCE, ROLLOUTS, key
from plyground.kernels.search.chance_node import search_move as expect_move
from plyground.kernels.search.lookout import look_out
from plyground.kernels.search.move_ordering import nth_move
from plyground.kernels.search.node import search_move
from plyground.kernels.search.option_bits import USE_LOOKOUT, USE_PVS
from plyground.kernels.search.path import begin
from plyground.kernels.search.root_memory import RootMemory, candidates, put_trial
from plyground.kernels.search.search_memory import SearchMemory
from plyground.kernels.search.transposition_table import decode_entry, probe

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

    If the search is stopped, only a score above the window's lower end counts: others are bounds. Without moves, the hash move of
    the state instead, -1 if none: one kernel compiles faster than two.
    """
    mem, at = SearchMemory(memory), RootMemory(root)
    if at.width == 0:
        return hash_move(begin(row, mem), mem)
    mem.root_depth = at.plies
    if ROLLOUTS and not CHANCE and at.plies > 1 and mem.options & USE_LOOKOUT:
        look_out(row, memory, root)
    alpha, beta = search_score(at.low), search_score(at.high)
    best, solid, found = alpha, i64(1), i64(0)
    while found < at.width:
        m = candidates(at)[found].rest
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
            put_trial(at, best, m, mem)
            alpha = max(alpha, best)
        found += 1
        if best >= beta:
            break
    at.trial.exact = solid
    return i64(1)
