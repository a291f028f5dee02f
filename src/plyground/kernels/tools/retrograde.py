"""Retrograde analysis: find every state of a game breadth first, then their values backwards from the finished games.

A state is stored as a row of WIDTH words: the word from `pack` if the game has it, else the words of `canonical(s)`. Rows are in
the order of discovery; a state's number is its index. Two states are merged only if all words are equal.

    slots     a hash table with open addressing: 0 is free, else the number + 1 (NUMBER) and part of the hash (TAG)
    edges     the edges of expanded states that are not yet on disk: for each move, 2 * the number of the state after it
              + (1 if the same side moves again)
    degrees   the number of edges of each state; while values are computed, how many are still open
    values    0 unknown, else 1 + the plies to the win, negative for a loss; with margins, the best so far
"""

from __future__ import annotations

from plyground.bits import i64, u64
from plyground.compile.blocks import Block, Word
from plyground.compile.vocabulary import (
    HAS_PACK,
    MARGIN,
    ONGOING,
    WORDS,
    load,
    moves,
    pack,
    positions,
    read_state,
    step,
    store,
    stuck,
    turn,
    undo_step,
    unpack,
    verdict,
    write_state,
)
from plyground.kernels.bit_fields import BitField, part, put_part
from plyground.kernels.states import changes_turn, copy_words, hash_words, own_state, same_words, write_canonical

UNKNOWN = -(1 << 15)
"""With margins, the value of a state before any of its moves is evaluated."""
NUMBER, TAG = BitField(0, 32), BitField(32, 32)
WIDTH = 1
"""The number of words in a row: 1 with `pack`, else those of the state. Set when a kernel is bound."""
MAX_MOVES = 65_535
READ_ONLY = "Array(uint{}, 1, 'C', readonly=True)"
"""The type of a column read from the log."""
SIGNATURES = {
    "add_ending_positions": "int64(uint64, uint64, uint64[::1], uint64, int64)",
    "rehash": "void(uint64, uint64[::1], int64)",
    "expand": "int64(uint64, uint64, uint64[::1], uint32[::1], uint16[::1], int16[::1], uint64, int64)",
    "count_parents": f"void({READ_ONLY.format(32)}, uint32[::1])",
    "reverse_edges": f"void({READ_ONLY.format(32)}, {READ_ONLY.format(16)}, uint32[::1], uint32[::1], int64)",
    "backward_pass": "int64(uint32[::1], int16[::1], uint16[::1], uint32[::1], uint32[::1], uint64)",
    "backward_pass_margins": "int64(uint32[::1], int16[::1], uint16[::1], uint32[::1], uint32[::1], uint64)",
}
"""The signatures of the entry points."""


class RunProgress(Block):
    """The progress of a run."""

    count = Word("the number of states found")
    next = Word("the number of the next state to expand")
    edges = Word("the number of edges in memory")
    seeds = Word("the number of the ending's positions added so far")
    room = Word("the rows that fit in memory")
    full = Word("nonzero if there is no room left")
    unfit = Word("nonzero if a state does not fit into its row")
    beyond = Word("a result beyond MARGIN, 0 if there was none")
    first = Word("the start of a pass in the queue")
    last = Word("the end of a pass in the queue")


def put_row(at, s):
    """Write the row of a state at an address."""
    if HAS_PACK:
        store(at, i64(pack(s)))
    else:
        write_canonical(at, s)


def take_row(at, work):
    """Return the state of the row at an address; for in-place rules, a copy that may be changed."""
    if HAS_PACK:
        return unpack(u64(load(at)))
    return own_state(at, work)


def find_or_add(rows, at, slots, head):
    """Return the number of the row at an address, which is added if new; -1 if there is no room."""
    h = hash_words(at, WIDTH, u64(0))
    tag = part(h, TAG)
    mask = u64(len(slots) - 1)
    slot = h & mask
    while True:
        held = slots[slot]
        if held == 0:
            break
        i = i64(part(held, NUMBER)) - 1
        if part(held, TAG) == tag and same_words(rows + u64(8 * WIDTH * i), at, WIDTH):
            return i
        slot = (slot + u64(1)) & mask
    i = head.count
    if i >= head.room:
        head.full = 1
        return i64(-1)
    copy_words(rows + u64(8 * WIDTH * i), at, WIDTH)
    slots[slot] = put_part(tag, TAG) | u64(i + 1)
    head.count = i + 1
    return i


def rehash(rows, slots, count):
    """Entry point: fill empty slots with the existing rows, which are all different."""
    mask = u64(len(slots) - 1)
    for i in range(count):
        h = hash_words(rows + u64(8 * WIDTH * i), WIDTH, u64(0))
        slot = h & mask
        while slots[slot] != 0:
            slot = (slot + u64(1)) & mask
        slots[slot] = put_part(part(h, TAG), TAG) | u64(i + 1)


def add_ending_positions(rows, work, slots, address, ending):
    """Entry point: add positions of an ending, from the first not added yet, as many as fit."""
    head = RunProgress(address)
    at = work + u64(8 * WORDS)
    n = 0
    for s in positions(ending):
        if n >= head.seeds and head.full == 0:
            write_state(work, s)
            put_row(at, read_state(work))
            find_or_add(rows, at, slots, head)
            if head.full == 0:
                head.seeds = n + 1
        n += 1
    return n


def stored_result(value):
    """Return a result as stored in `values`."""
    if MARGIN:
        return i64(value)
    return i64(value > 0) - i64(value < 0)


def put_children(s, rows, at, slots, edges, head):
    """Append the edges of s, an unfinished state; return their number. The loop always runs to its end."""
    n = 0
    me = turn(s)
    for m in moves(s):
        child = step(s, m)
        if head.full == 0:
            put_row(at, child)
            if HAS_PACK and load(at) == 0:
                head.unfit = 1
            i = find_or_add(rows, at, slots, head)
            if head.edges + n < len(edges):
                edges[head.edges + n] = u64(2 * i + (0 if changes_turn(me, child) else 1))
            else:
                head.full = 1
        n += 1
        undo_step(s, m)
    return n


def expand(rows, work, slots, edges, degrees, values, address, until):
    """Entry point: expand the next states, up to number `until` or until there is no room."""
    head = RunProgress(address)
    at = work + u64(8 * WORDS)
    while head.next < until and head.next < head.count:
        i = head.next
        s = take_row(rows + u64(8 * WIDTH * i), work)
        value = verdict(s)
        n = 0
        if value == ONGOING:
            n = put_children(s, rows, at, slots, edges, head)
            if n == 0:
                value = stuck(s)
        if n > MAX_MOVES:
            head.unfit = 1
        if MARGIN and n == 0 and abs(value) > MARGIN:
            head.beyond = value
        if head.full or head.unfit or head.beyond:
            break
        degrees[i] = n
        if n == 0:
            values[i] = stored_result(value)
        else:
            values[i] = UNKNOWN if MARGIN else 0
        head.edges += n
        head.next = i + 1
    return head.next


def count_parents(edges, starts):
    """Entry point: add to `starts` how many of these edges lead to each state."""
    for k in range(len(edges)):
        starts[i64(edges[k]) >> 1] += 1


def reverse_edges(edges, degrees, starts, parents, first):
    """Entry point: reverse the edges of the states from number `first` up.

    Before, `starts` contains the end of each state's parents; once all edges are reversed, the start.
    """
    k = 0
    for i in range(len(degrees)):
        for _ in range(degrees[i]):
            child = i64(edges[k]) >> 1
            starts[child] -= 1
            parents[starts[child]] = u64(2 * (first + i) + (i64(edges[k]) & 1))
            k += 1


def backward_pass(queue, values, degrees, starts, parents, address):
    """Entry point: make one backward pass, from states won or lost in n plies to those in n + 1; return the end of the queue.

    A state is won as soon as one move wins, and lost once all its moves lose: so wins are the fastest possible and losses the
    slowest.
    """
    head = RunProgress(address)
    to = head.last
    for q in range(head.first, head.last):
        child = i64(queue[q])
        value = i64(values[child])
        plies = abs(value) + 1
        for k in range(starts[child], starts[child + 1]):
            i = i64(parents[k]) >> 1
            if values[i] != 0:
                continue
            if (value > 0) == (i64(parents[k]) & 1 == 1):
                values[i] = plies
            else:
                degrees[i] -= 1
                if degrees[i] != 0:
                    continue
                values[i] = -plies
            queue[to] = u64(i)
            to += 1
    head.first, head.last = head.last, to
    return to


def backward_pass_margins(queue, values, degrees, starts, parents, address):
    """Entry point: make one backward pass with margins, from states whose moves are all known to their parents."""
    head = RunProgress(address)
    to = head.last
    for q in range(head.first, head.last):
        child = i64(queue[q])
        value = i64(values[child])
        for k in range(starts[child], starts[child + 1]):
            i = i64(parents[k]) >> 1
            values[i] = max(i64(values[i]), value if i64(parents[k]) & 1 else -value)
            degrees[i] -= 1
            if degrees[i] == 0:
                queue[to] = u64(i)
                to += 1
    head.first, head.last = head.last, to
    return to
