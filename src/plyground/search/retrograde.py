"""Every state of a game and its value: breadth first to find them all, then backwards from the ends.

A state is kept as a row of WIDTH words: the word of `pack` where the game gives it, else the words of `canonical(s)`. Rows lie in
the order in which they were found; a state's number is its place there. Two states are one only where every word is equal.

    slots     open addressing: 0 free, else the number + 1 (NUMBER) and a part of the hash (TAG)
    edges     of the expanded states that are not yet on disk, one after the other: for each move, the number of the state after
              it * 2 + (the same side moves on)
    degrees   how many edges each state has; while values are found, how many are still open
    values    0 not known, else 1 + the plies to the win, negative for a loss; where results are margins, the best so far
"""

from __future__ import annotations

from plyground.bits import i64, u64
from plyground.compile.blocks import Block, Word
from plyground.compile.vocabulary import (
    GOING,
    HAS_PACK,
    MARGIN,
    WORDS,
    back,
    load,
    moves,
    pack,
    positions,
    read_state,
    step,
    store,
    stuck,
    turn,
    unpack,
    verdict,
    write_state,
)
from plyground.search.packed import Part, part, put_part
from plyground.search.states import changes_turn, copy_words, hash_words, own_state, same_words, write_canonical

UNKNOWN = -(1 << 15)
"""The value of a state of which no move has been looked at, where results are margins."""
NUMBER, TAG = Part(0, 32), Part(32, 32)
WIDTH = 1
"""The words of a row: 1 with `pack`, else those of the state. Frozen in by whoever binds a kernel."""
MOST_MOVES = 65_535


class Head(Block):
    """How far a run has come."""

    count = Word("states found")
    next = Word("the number of the next state to expand")
    edges = Word("edges in memory")
    seeds = Word("positions of the ending that were taken")
    room = Word("the rows that there is room for")
    full = Word("is the room used up?")
    unfit = Word("is there a state that does not fit into its row?")
    first = Word("where in the queue a pass begins,")
    last = Word("and where it ends")


def put_row(at, s):
    """Puts the row of a state at an address."""
    if HAS_PACK:
        store(at, i64(pack(s)))
    else:
        write_canonical(at, s)


def take_row(at, work):
    """The state of the row at an address; rules in place get a copy to change."""
    if HAS_PACK:
        return unpack(u64(load(at)))
    return own_state(at, work)


def number(rows, at, slots, head):
    """The number of the row at an address, which is added if it is new; -1 where there is no room."""
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
    """Entry: fills empty slots with the rows there are, which are all different."""
    mask = u64(len(slots) - 1)
    for i in range(count):
        h = hash_words(rows + u64(8 * WIDTH * i), WIDTH, u64(0))
        slot = h & mask
        while slots[slot] != 0:
            slot = (slot + u64(1)) & mask
        slots[slot] = put_part(part(h, TAG), TAG) | u64(i + 1)


def seed(rows, work, slots, address, ending):
    """Entry: adds the positions of an ending from the first that was not yet taken, as many as there is room for."""
    head = Head(address)
    at = work + u64(8 * WORDS)
    n = 0
    for s in positions(ending):
        if n >= head.seeds and head.full == 0:
            write_state(work, s)
            put_row(at, read_state(work))
            number(rows, at, slots, head)
            if head.full == 0:
                head.seeds = n + 1
        n += 1
    return n


def settled(value):
    """A result as it stands in `values`."""
    if MARGIN:
        return i64(value)
    return i64(value > 0) - i64(value < 0)


def put_children(s, rows, at, slots, edges, head):
    """Puts the edges of s, which goes on, from the end of the edges on; returns how many. The loop always runs to its end."""
    n = 0
    me = turn(s)
    for m in moves(s):
        child = step(s, m)
        if head.full == 0:
            put_row(at, child)
            if HAS_PACK and load(at) == 0:
                head.unfit = 1
            i = number(rows, at, slots, head)
            if head.edges + n < len(edges):
                edges[head.edges + n] = u64(2 * i + (0 if changes_turn(me, child) else 1))
            else:
                head.full = 1
        n += 1
        back(s, m)
    return n


def expand(rows, work, slots, edges, degrees, values, address, until):
    """Entry: finds the states after each move of the next states, up to number `until` or as there is room."""
    head = Head(address)
    at = work + u64(8 * WORDS)
    while head.next < until and head.next < head.count:
        i = head.next
        s = take_row(rows + u64(8 * WIDTH * i), work)
        value = verdict(s)
        n = 0
        if value == GOING:
            n = put_children(s, rows, at, slots, edges, head)
            if n == 0:
                value = stuck(s)
        if n > MOST_MOVES:
            head.unfit = 1
        if head.full or head.unfit:
            break
        degrees[i] = n
        if n == 0:
            values[i] = settled(value)
        else:
            values[i] = UNKNOWN if MARGIN else 0
        head.edges += n
        head.next = i + 1
    return head.next


def count_parents(edges, starts):
    """Entry: adds to `starts` how many of these edges lead to each state."""
    for k in range(len(edges)):
        starts[i64(edges[k]) >> 1] += 1


def turn_round(edges, degrees, starts, parents, first):
    """Entry: turns the edges round of the states from number `first` on.

    `starts` holds where the parents of each state end, and when all edges are turned where they start.
    """
    k = 0
    for i in range(len(degrees)):
        for _ in range(degrees[i]):
            child = i64(edges[k]) >> 1
            starts[child] -= 1
            parents[starts[child]] = u64(2 * (first + i) + (i64(edges[k]) & 1))
            k += 1


def spread(queue, values, degrees, starts, parents, address):
    """Entry: one pass backwards, from the states won or lost in n plies to those in n + 1; returns where the queue ends.

    A state is won when one move is good, and lost when the last of its moves has turned out bad: so wins are the fastest and
    losses the slowest there are.
    """
    head = Head(address)
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


def settle(queue, values, degrees, starts, parents, address):
    """Entry: one pass backwards where results are margins: from states whose moves are all known to their parents."""
    head = Head(address)
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
