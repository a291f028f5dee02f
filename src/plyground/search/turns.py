"""Whose turn it is after a move, and whose state a kernel may change: what every kernel must ask."""

from __future__ import annotations

from plyground.compile.vocabulary import ALTERNATE, IN_PLACE, read_state, turn, write_state


def changes_turn(me, child):
    """Is another side than `me` to move in the child?"""
    return ALTERNATE or turn(child) != me


def own_state(address, work):
    """The state at an address; rules that play in place get a copy of it, in the room at `work`, to change."""
    if IN_PLACE:
        write_state(work, read_state(address))
        return read_state(work)
    return read_state(address)
