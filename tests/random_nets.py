"""Nets with random weights, and what native code makes of them."""

from copy import copy
from functools import cache

import numpy as np

from plyground import load
from plyground.compile.native import Native
from plyground.compile.vocabulary import read_state
from plyground.nets.derive import derive_features
from plyground.nets.leaf import NetMemory, active_weight_sum, list_active
from plyground.nets.net import LoadedNet, Net


@cache
def features(spec):
    """The features of a game, derived once; of 2048 with small groups, which need less memory."""
    game = load(spec)
    if spec == "2048":
        game = copy(game)
        game.groups = ((0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 4, 5))
    return derive_features(game)


def random_net(spec, seed=1, most=3000):
    """A net with random weights, tied by symmetry."""
    seen = features(spec)
    weights = np.random.default_rng(seed).integers(-most, most, seen.weights, endpoint=True).astype(np.int16)
    chance = "chance" in load(spec).has
    return Net(seen, weights[seen.ties()], scale=0.001 if chance else 0.0, curved=chance and bool(load(spec).margin))


def sum_weights(address, memory):
    """The sum of the active weights of the state at an address."""
    return active_weight_sum(read_state(address), NetMemory(memory))


def list_weights(address, memory, row):
    """Write the numbers of the active weights of the state at an address; return how many there are."""
    return list_active(read_state(address), NetMemory(memory), row)


@cache
def compiled(spec, structure):
    """The kernels that read a net."""
    native = Native(load(spec), net=structure)
    return native.bind(sum_weights, "int64(uint64, uint64)"), native.bind(list_weights, "int64(uint64, uint64, uint64)")


class NativeNet:
    """A net as native code sees it."""

    def __init__(self, spec, net):
        self.game, self.memory = load(spec), LoadedNet(net)
        self.sum_weights, self.list_weights = compiled(spec, net.features.structure)

    def total(self, s):
        """The sum of the active weights."""
        row = self.game.layout.row(s)
        return self.sum_weights(row.ctypes.data, self.memory.blocks[0].address)

    def active(self, s):
        """The numbers of the active weights."""
        row, found = self.game.layout.row(s), np.zeros(1024, np.int64)
        count = self.list_weights(row.ctypes.data, self.memory.blocks[0].address, found.ctypes.data)
        return found[:count].tolist()
