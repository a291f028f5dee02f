"""The leaf of a search with a net: the weights are at an address and are never compiled into the code.

A small net adds one row of a table for each chunk of the state's words. A larger one is *incremental*: it keeps the words of the
last leaf with the same side to move and an accumulator, and updates it only for the bits or bytes that have changed. The
accumulator is a sum of rows; or, if there are too many groups for that, the number of each group's active weight.
`Net.total` computes the same in plain Python, to the bit.
"""

from __future__ import annotations

from math import sqrt

from plyground.bits import bits, i64, u64
from plyground.compile.blocks import Address, Block, Float
from plyground.compile.vocabulary import (
    BYTE_VALUES,
    CHUNKS,
    COMPARED,
    GROUPS,
    GROUPWISE,
    KEPT_WORDS,
    LEAF_BYTES,
    LISTED,
    MARGIN,
    NET_TABLES,
    ROW_BYTES,
    load,
    load_short,
    net_add_row,
    net_base,
    net_inputs,
    net_list,
    net_rows,
    net_set,
    net_side,
    net_sum,
    store,
)

FRACTION = 3
"""Weights are in eighths of the engine's unit: how far their sum is shifted."""


class NetMemory(Block):
    """The addresses of a net. After the block comes room for a byte per cell and a word per chunk, so each thread has its own."""

    tables = Address("the shares of weight numbers: rows by side, chunk and value, or by side and bit if the net is incremental")
    phases = Address("the phase for each number of pieces, a byte each")
    weights = Address("the weights, of 16 bits each, by phase and side")
    lists = Address("with hidden units: the inputs that are active in each row of the tables")
    last = Address("the accumulators of an incremental net: for each side, the words of the last leaf and their sum")
    starts = Address("the number of the first entry of each bit of the words, or of each content of the cells")
    entries = Address("pairs of words: a group, and the number that is added to the number of its active weight")
    scale = Float("in games of chance: the value of a sum of 1")
    curved = Float("in games of chance: 1 if results are bounded, so that the sum is squashed to within MARGIN")


def active_weight_sum(s, at):
    """Return the sum of the active weights."""
    if GROUPWISE:
        return load(update_accumulator(s, at))
    return net_sum(look_up(s, at), net_side(s), at.tables, at.phases, at.weights)


def look_up(s, at):
    """Return what `net_sum` needs: the address of the sum of rows, or the inputs."""
    if COMPARED:
        return update_accumulator(s, at)
    return net_inputs(s, at.end)


def evaluate_net(s, mem):
    """Return the net's estimate for the side to move, in the engine's unit."""
    return i64(net_base(s)) + (active_weight_sum(s, NetMemory(mem.net)) >> FRACTION)


def expected_result(s, mem):
    """Return the expected result for the side to move, in a game of chance."""
    at = NetMemory(mem.net)
    x = float(active_weight_sum(s, at)) * at.scale
    if at.curved:
        x = MARGIN * x / sqrt(1.0 + x * x)
    return net_base(s) + x


def update_accumulator(s, at):
    """Update the accumulator for the changes since the last leaf; return its address: the sum of rows, or total and groups."""
    side = net_side(s)
    last = at.last + u64(LEAF_BYTES) * u64(side)
    kept, room = last + u64(8 * KEPT_WORDS), net_inputs(s, at.end)
    table = side * COMPARED if NET_TABLES == 2 else 0
    for i in range(COMPARED):
        now, before = u64(load(room + u64(8) * u64(i))), u64(load(last + u64(8) * u64(i)))
        if now != before:
            store(last + u64(8) * u64(i), i64(now))
            if BYTE_VALUES:
                update_bytes(at, kept, (table + i) * 8, before, now)
            else:
                update_bits(at, kept, (table + i) * 64, before, now)
    return kept


def update_bits(at, kept, first, before, now):
    """Update the accumulator for the changed bits of a word."""
    for bit in bits(now & ~before):
        update_slot(at, kept, first + bit, i64(1))
    for bit in bits(before & ~now):
        update_slot(at, kept, first + bit, i64(-1))


def update_bytes(at, kept, first, before, now):
    """Update the accumulator for the changed bytes of a word."""
    for j in range(8):
        one, two = i64(before >> u64(8 * j) & u64(255)), i64(now >> u64(8 * j) & u64(255))
        if one != two:
            update_slot(at, kept, (first + j) * BYTE_VALUES + one, i64(-1))
            update_slot(at, kept, (first + j) * BYTE_VALUES + two, i64(1))


def update_slot(at, kept, slot, sign):
    """Update the accumulator for a bit or a byte's value that appears (sign 1) or disappears (-1)."""
    if GROUPWISE:
        update_groups(at, kept, slot, sign)
    else:
        net_add_row(kept, at.tables + u64(ROW_BYTES) * u64(slot), sign)


def update_groups(at, kept, slot, sign):
    """Move each group that sees a slot to another active weight, and the total with it."""
    total, entry = load(kept), u64(load(at.starts + u64(8) * u64(slot)))
    end = u64(load(at.starts + u64(8) * u64(slot + 1)))
    while entry < end:
        place = kept + u64(8) + u64(8) * u64(load(at.entries + u64(16) * entry))
        old = load(place)
        new = old + sign * load(at.entries + u64(16) * entry + u64(8))
        store(place, new)
        total += load_short(at.weights + u64(2) * u64(new)) - load_short(at.weights + u64(2) * u64(old))
        entry += u64(1)
    store(kept, total)


def active_set(s, at):
    """Return the number of the set of weights that is used, by phase and side."""
    return net_set(look_up(s, at), net_side(s), at.tables, at.phases)


def list_active(s, at, row):
    """Write the numbers of a state's active weights into a row, one for each group; return how many there are.

    With hidden units, these are the numbers of the active inputs: at most CHUNKS * LISTED.
    """
    if GROUPWISE:
        kept = update_accumulator(s, at)
        for i in range(GROUPS):
            store(row + u64(8) * u64(i), load(kept + u64(8) * u64(i + 1)))
        return i64(GROUPS)
    if GROUPS:
        net_list(look_up(s, at), net_side(s), at.tables, at.phases, row)
        return i64(GROUPS)
    net_rows(net_inputs(s, at.end), net_side(s), at.end)
    count = i64(0)
    for chunk in range(CHUNKS):
        found = at.lists + u64(8 * LISTED) * u64(load(at.end + u64(8) * u64(chunk)))
        for j in range(LISTED):
            number = load(found + u64(8) * u64(j))
            if number >= 0:
                store(row + u64(8) * u64(count), number)
                count += 1
    return count
