"""The leaf of a search that asks a net: the weights lie at an address and are never compiled into the code.

`learn/net.py` computes the same in plain Python, to the bit.
"""

from __future__ import annotations

from math import sqrt

from plyground.bits import i64, u64
from plyground.compile.blocks import Address, Block, Real
from plyground.compile.vocabulary import (
    CHUNKS,
    GROUPS,
    LISTED,
    MARGIN,
    WORDS,
    load,
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
    scale = Real("in games of chance: what a sum of 1 is worth")
    curved = Real("in games of chance: 1 if results are bounded, so that the sum is bent to within MARGIN")


def weighed(s, at):
    """The sum of the active weights."""
    return net_sum(net_inputs(s, at.end), net_side(s), at.tables, at.phases, at.weights)


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


def list_active(s, at, row):
    """Writes the numbers of the active weights of a state into a row, one for each group; returns how many there are.

    With hidden units, the numbers of the active inputs: at most CHUNKS * LISTED.
    """
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
