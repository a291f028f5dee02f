"""The leaf of a search that asks a net: the weights lie at an address and are never compiled into the code.

`learn/net.py` computes the same in plain Python, to the bit.
"""

from __future__ import annotations

from math import sqrt

from plyground.compile.blocks import Address, Block, Real
from plyground.compile.vocabulary import (
    MARGIN,
    net_base,
    net_inputs,
    net_list,
    net_side,
    net_sum,
    read_state,
)

FRACTION = 3
"""Weights are in eighths of the engine's unit: how far their sum is shifted."""
JUDGE = "int64(uint64, uint64)"
LIST = "int64(uint64, uint64, uint64)"


class NetMemory(Block):
    """Where a net lies. After the block comes room for a byte per cell, so each thread has its own."""

    tables = Address("the shares of weight numbers, by side, chunk and value")
    phases = Address("the phase for each number of pieces, a byte each")
    weights = Address("of 16 bits, by phase and side")
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
    """Writes the numbers of the active weights of a state into a row of NET words: what a learner changes."""
    net_list(net_inputs(s, at.end), net_side(s), at.tables, at.phases, row)


def weigh(address, memory):
    """Entry point: the sum of the active weights of the state at an address."""
    return weighed(read_state(address), NetMemory(memory))


def list_weights(address, memory, row):
    """Entry point: the numbers of the active weights of the state at an address."""
    list_active(read_state(address), NetMemory(memory), row)
    return 0
