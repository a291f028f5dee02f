"""A net as one piece of memory, for a program that has no Python: the page in a browser."""

from __future__ import annotations

from typing import NamedTuple

from plyground.learn.net import ALIGNED, Net, NetInMemory

PARTS = ("tables", "phases", "weights", "lists", "lazy", "starts", "entries")
"""The fields of a `NetMemory` that are addresses."""


class Image(NamedTuple):
    """The memory of a net: a `NetMemory` at its start, which still needs its addresses, and all that they lead to."""

    data: bytes
    addresses: dict[str, int]
    """For each field that is an address: how far it is from the start."""


def image(net: Net) -> Image:
    """The memory of a net; it must be put at an address that is a multiple of 64."""
    memory = NetInMemory(net)
    arrays = {
        "tables": memory.tables,
        "phases": memory.phases,
        "weights": net.stored[net.features.before :],
        "lists": memory.lists,
        "lazy": memory.last[0],
        "starts": memory.starts,
        "entries": memory.entries,
    }
    block = memory.blocks[0].words.copy()
    data, addresses = bytearray(block.tobytes()), {}
    for name in PARTS:
        data += bytes(-len(data) % ALIGNED)
        addresses[name] = len(data)
        data += arrays[name].tobytes()
    return Image(bytes(data), addresses)
