"""The leaf of a search that asks a net: the weights lie at an address and are never compiled into the code.

`learn/net.py` computes the same in plain Python, to the bit.
"""

from __future__ import annotations

from math import sqrt

from plyground.bits import bits, i64, u64
from plyground.compile.blocks import Address, Block, Real, Word
from plyground.compile.vocabulary import (
    BYTES,
    CHUNKS,
    CONTENTS,
    GROUPS,
    LAZY,
    LISTED,
    MARGIN,
    WORDS,
    load,
    load_short,
    net_base,
    net_inputs,
    net_list,
    net_rows,
    net_side,
    net_sum,
    read_state,
    store,
)

FRACTION = 3
"""Weights are in eighths of the engine's unit: how far their sum is shifted."""
JUDGE = "int64(uint64, uint64)"
LIST = "int64(uint64, uint64, uint64)"
ROWS = "int64(uint64, int64, uint64)"


class NetMemory(Block):
    """Where a net lies. After the block comes room for a byte per cell and a word per chunk, so each thread has its own."""

    tables = Address("the shares of weight numbers, by side, chunk and value")
    phases = Address("the phase for each number of pieces, a byte each")
    weights = Address("of 16 bits, by phase and side")
    lists = Address("with hidden units: the inputs that are active in each row of the tables")
    lazy = Address("if only changes are looked at: what was found at the last leaf, for each side (`Lazy`, or a sum of rows)")
    starts = Address("for each bit of the words, or content of the cells: where its entries begin")
    entries = Address("pairs of words: a group, and what is added to the number of its active weight")
    scale = Real("in games of chance: what a sum of 1 is worth")
    curved = Real("in games of chance: 1 if results are bounded, so that the sum is bent to within MARGIN")


class Lazy(Block):
    """What was found at the last leaf with the same side to move; then come its words, and each group's active weight."""

    total = Word("the sum of the active weights")


def weighed(s, at):
    """The sum of the active weights."""
    if LAZY:
        return caught_up(s, at).total
    return net_sum(net_inputs(s, at.end), net_side(s), at.tables, at.phases, at.weights, at.lazy)


def judged(s, mem):
    """The net's estimate for the side to move, in the engine's unit."""
    return weighed(s, NetMemory(mem.net)) >> FRACTION


def expected(s, mem):
    """The expected result for the side to move, in a game of chance."""
    at = NetMemory(mem.net)
    x = float(weighed(s, at)) * at.scale
    if at.curved:
        x = MARGIN * x / sqrt(1.0 + x * x)
    return net_base(s) + x


def caught_up(s, at):
    """The numbers of active weights and their sum, after what has changed since the last leaf."""
    side = net_side(s)
    last = Lazy(at.lazy + (Lazy(at.lazy).end - at.lazy + u64(8 * (LAZY + GROUPS))) * u64(side))
    room = net_inputs(s, at.end)
    for i in range(LAZY):
        now, before = u64(load(room + u64(8) * u64(i))), u64(load(last.end + u64(8) * u64(i)))
        changed = now ^ before
        if changed:
            store(last.end + u64(8) * u64(i), i64(now))
            if BYTES:
                change_bytes(at, last, side, i, before, now)
            else:
                change_bits(at, last, side, i, changed, now)
    return last


def change_bits(at, last, side, i, changed, now):
    """A word has changed in these bits."""
    for bit in bits(changed):
        turn_entries(at, last, (side * LAZY + i) * 64 + bit, i64(1) if now >> u64(bit) & u64(1) else i64(-1))


def change_bytes(at, last, side, i, before, now):
    """Eight cells have changed, or some of them."""
    for j in range(8):
        one, two = i64(before >> u64(8 * j) & u64(255)), i64(now >> u64(8 * j) & u64(255))
        if one != two:
            first = (side * LAZY * 8 + 8 * i + j) * CONTENTS
            turn_entries(at, last, first + one, i64(-1))
            turn_entries(at, last, first + two, i64(1))


def turn_entries(at, last, slot, sign):
    """Something appeared (1) or disappeared (-1): the groups that see it have another active weight."""
    numbers, total = last.end + u64(8 * LAZY), last.total
    entry = u64(load(at.starts + u64(8) * u64(slot)))
    end = u64(load(at.starts + u64(8) * u64(slot + 1)))
    while entry < end:
        place = numbers + u64(8) * u64(load(at.entries + u64(16) * entry))
        old = load(place)
        new = old + sign * load(at.entries + u64(16) * entry + u64(8))
        store(place, new)
        total += load_short(at.weights + u64(2) * u64(new)) - load_short(at.weights + u64(2) * u64(old))
        entry += u64(1)
    last.total = total


def list_active(s, at, row):
    """Writes the numbers of the active weights of a state into a row, one for each group; returns how many there are.

    With hidden units, the numbers of the active inputs: at most CHUNKS * LISTED.
    """
    if LAZY:
        numbers = caught_up(s, at).end + u64(8 * LAZY)
        for i in range(GROUPS):
            store(row + u64(8) * u64(i), load(numbers + u64(8) * u64(i)))
        return i64(GROUPS)
    if GROUPS:
        net_list(net_inputs(s, at.end), net_side(s), at.tables, at.phases, row)
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


def weigh(address, memory):
    """Entry point: the sum of the active weights of the state at an address."""
    return weighed(read_state(address), NetMemory(memory))


def list_weights(address, memory, row):
    """Entry point: the numbers of the active weights of the state at an address; returns how many there are."""
    return list_active(read_state(address), NetMemory(memory), row)


def weigh_rows(rows, count, memory):
    """Entry point: the sum over `count` states, one after the other at an address, of their weights: to measure the leaf."""
    at, total = NetMemory(memory), i64(0)
    for i in range(count):
        total += weighed(read_state(rows + u64(8 * WORDS) * u64(i)), at)
    return total
