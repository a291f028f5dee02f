"""What a page asks the rules about a root, where there is no Python: the moves to search, its key, and a line made whole.

The engine does the same with interpreted rules (`engine/root.py`): compiled for it, they would only take time to compile.
"""

from __future__ import annotations

from plyground.bits import i64, u64
from plyground.compile.vocabulary import GOING, HAS_ORDER, key, moves, order, read_state, step, verdict
from plyground.search.memory import Searcher
from plyground.search.moves import Listed, list_moves
from plyground.search.path import begin
from plyground.search.root_memory import Found, RootMemory, candidates
from plyground.search.states import is_chance
from plyground.search.window import hash_move

LIST = "int64(uint64, uint64, uint64, int64)"
KEY = "uint64(uint64)"
PROLONG = "int64(uint64, uint64, uint64, int64)"


def list_root(row, memory, root, room):
    """Entry point: lists the moves to search, with the game's hints, as far as there is room; returns how many there are.

    None where the game is over or chance moves, -1 if they are far too many.
    """
    mem, at = Searcher(memory), RootMemory(root)
    top, s = Listed(mem.stack), begin(row, mem)
    at.count = list_moves(s, top, mem, i64(0)) if to_choose(s) else i64(0)
    for i in range(min(at.count, room)):
        candidates(at)[i].move = top[i].move
        if HAS_ORDER:
            candidates(at)[i].rest = i64(order(s, top[i].move))
        else:
            candidates(at)[i].rest = 0
    return at.count


def key_of(row):
    """Entry point: the key of a state."""
    return u64(key(read_state(row)))


def prolong(row, memory, found, length):
    """Entry point: cuts a line at its first illegal move, else extends it by hash moves up to a length."""
    mem, one = Searcher(memory), Found(found)
    s = begin(row, mem)
    n = i64(0)
    while n < one.length and playable(s, one.line[n]):
        s = step(s, one.line[n])
        n += 1
    whole = n == one.length
    one.length = n
    while whole and n < length:
        k, m = u64(key(s)), hash_move(s, mem)
        if m < 0 or not playable(s, m) or goes_round(mem, k, one.length, n):
            break
        one.line[n] = m
        s = step(s, m)
        n += 1
    one.length = n
    return n


def to_choose(s):
    """Does a player move here, and neither chance nor nobody?"""
    return not is_chance(s) and verdict(s) == GOING


def playable(s, m):
    """Is this a legal move of a player? Looks at all moves: a generator left early may not free its memory."""
    if not to_choose(s):
        return False
    found = False
    for other in moves(s):
        if i64(other) == m:
            found = True
    return found


def goes_round(mem, k, first, n):
    """Has the line had this key since it was extended? Notes it where the search would keep its path."""
    mem.path[mem.past + n] = k
    at = mem.past + first
    while mem.path[at] != k:
        at += 1
    return at < mem.past + n
