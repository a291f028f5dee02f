"""The moves of a node: listed on the stack, ranked, picked one by one; killers and history."""

from __future__ import annotations

from plyground.bits import i64, u64
from plyground.compile.blocks import Block, Word
from plyground.compile.vocabulary import HAS_LIKELY, HAS_ORDER, HAS_REPLIES, address, likely, loud, moves, order, replies
from plyground.kernels.bit_fields import BitField, part
from plyground.kernels.search import USE_HISTORY, USE_KILLERS, USE_LIKELY, USE_ORDER, USE_REPLIES
from plyground.kernels.search.search_memory import HISTORY_SIZE


class ListedMove(Block):
    """A move on the stack. The moves of a node are adjacent, starting at its `top`."""

    move = Word()
    rank = Word("the highest is tried first")


# Ranks: the hash move, then hints of 1000 or more, killers, and the rest by history. The lowest 16 bits count down from the first
# move listed: ties keep the order of the list, and the rank contains the move's number.
LIST_POSITION = BitField(0, 16)
MAX_LIST_POSITION = 0xFFFF
RANK_PER_HINT = 1 << 28
RANK_HASH_MOVE = 1 << 60
RANK_TACTICAL = 1000 * RANK_PER_HINT
RANK_KILLER = 900 * RANK_PER_HINT
HINT_LIMIT = 1 << 30
MAX_HISTORY = 1 << 14

# Loops over a list step from address to address: a loop over a range would be unrolled and its function too long to inline.


def list_moves(s, top, mem, only_replies):
    """List the moves worth searching; return their number, -1 if they do not fit on the stack."""
    count = i64(0)
    end = mem.stack_end
    if HAS_REPLIES and only_replies:
        for m in replies(s):
            count = add_move(top, count, m, end)
    if HAS_LIKELY and count == 0 and mem.options & USE_LIKELY:
        for m in likely(s):
            count = add_move(top, count, m, end)
    if count == 0:
        for m in moves(s):
            count = add_move(top, count, m, end)
    if address(top[count - 1]) >= end:
        mem.overflows += 1
        return i64(-1)
    return count


def add_move(top, count, m, end):
    """Add a move to the list if it fits; return the new count. The caller never stops early: a generator frees at its end."""
    if address(top[count]) < end:
        top[count].move = i64(m)
    return count + 1


def has_no_moves(s):
    """Return whether the side to move has no move. All are counted: a generator left early may not free its memory."""
    n = 0
    for _ in moves(s):
        n += 1
    return n == 0


def drop_quiet_moves(s, top, count):
    """Drop the quiet moves from a list; return how many remain."""
    kept = i64(0)
    at, end = top, address(top[count])
    while address(at) < end:
        m = at.move
        if loud(s, m):
            top[kept].move = m
            kept += 1
        at = at[1]
    return kept


def rank_moves(s, top, count, mem, ply, side, number):
    """Rank the moves; `number` is that of the hash move, 0 if there is none."""
    options = mem.options
    one, two = mem.killers[2 * ply] - 1, mem.killers[2 * ply + 1] - 1
    at, end, i = top, address(top[count]), i64(1)
    while address(at) < end:
        m = at.move
        rank = i64(0)
        if HAS_ORDER and options & USE_ORDER:
            rank = max(i64(-HINT_LIMIT), min(i64(HINT_LIMIT), i64(order(s, m)))) * RANK_PER_HINT
        if rank < RANK_TACTICAL:
            if options & USE_KILLERS:
                if m == one:
                    rank = i64(RANK_KILLER + RANK_PER_HINT)
                elif m == two:
                    rank = i64(RANK_KILLER)
            if options & USE_HISTORY:
                rank += mem.history[history_index(side, m)] << 20
        if i == number:
            rank = i64(RANK_HASH_MOVE)
        at.rank = rank + max(i64(0), MAX_LIST_POSITION - i)
        at = at[1]
        i += 1


def move_number(rank):
    """Return the number of a move in the list, from 1."""
    return MAX_LIST_POSITION - part(rank, LIST_POSITION)


def with_list_position(rank, other):
    """Return a rank with the list position of another rank."""
    return rank & ~i64(MAX_LIST_POSITION) | part(other, LIST_POSITION)


def pick_best(top, i, count):
    """Swap the best of the moves from index i up into place i and return it."""
    first, end = top[i], address(top[count])
    best, rank = first, first.rank
    at = first[1]
    while address(at) < end:
        if at.rank > rank:
            best, rank = at, at.rank
        at = at[1]
    m = best.move
    best.move, best.rank = first.move, first.rank
    first.move, first.rank = m, rank
    return m


def nth_move(s, mem, number):
    """Return the move with this number in the list, -1 if there is none."""
    top = ListedMove(mem.stack)
    count = list_moves(s, top, mem, mem.options & USE_REPLIES)
    return top[number - 1].move if 0 < number <= count else i64(-1)


def history_index(side, m):
    """Return the index of a move in the history table."""
    return side * HISTORY_SIZE + i64((u64(m) * u64(0x9E3779B97F4A7C15)) >> u64(52))


def add_history_bonus(mem, side, m, bonus):
    """Add a bonus to the history of a move: the closer it is to its limit, the less it changes."""
    at = history_index(side, m)
    mem.history[at] += bonus - mem.history[at] * abs(bonus) // MAX_HISTORY


def update_move_stats(mem, ply, side, depth, top, tried):
    """Make the move that caused the cutoff, the last one tried, a killer; raise its history and lower that of those before it."""
    m = top[tried - 1].move
    if mem.killers[2 * ply] != m + 1:
        mem.killers[2 * ply + 1] = mem.killers[2 * ply]
        mem.killers[2 * ply] = m + 1
    bonus = min(depth * depth * 16, i64(MAX_HISTORY // 4))
    add_history_bonus(mem, side, m, bonus)
    at, end = top, address(top[tried - 1])
    while address(at) < end:
        add_history_bonus(mem, side, at.move, -bonus)
        at = at[1]
