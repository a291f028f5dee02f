"""What a page asks the rules about a root, where there is no Python: the moves to search, its key, and a line made whole.

The engine does the same with interpreted rules (`engine/root.py`): compiled for it, they would only take time to compile.
"""

from __future__ import annotations

from plyground.bits import i64, u64
from plyground.compile.vocabulary import GOING, HAS_ORDER, key, moves, order, read_state, step, verdict
from plyground.kernels.search.move_ordering import ListedMove, list_moves
from plyground.kernels.search.path import begin
from plyground.kernels.search.root_memory import RootMemory, ScoredLine, candidates
from plyground.kernels.search.root_window import hash_move
from plyground.kernels.search.search_memory import SearchMemory
from plyground.kernels.states import is_chance

LIST = "int64(uint64, uint64, uint64, int64)"
KEY = "uint64(uint64)"
PROLONG = "int64(uint64, uint64, uint64, int64)"


def list_root(row, memory, root, room):
    """Entry point: list the moves to search, with the game's hints, as far as there is room; return how many there are.

    None where the game is over or chance moves, -1 if they are far too many.
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


def prolong(row, memory, found, length):
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
    """Return whether a player is to move, and not chance, and the game goes on."""
    return not is_chance(s) and verdict(s) == GOING


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
    """Return whether the extended part of the line had this key before, and record it where the search keeps its path."""
    mem.path[mem.past + n] = k
    at = mem.past + first
    while mem.path[at] != k:
        at += 1
    return at < mem.past + n
