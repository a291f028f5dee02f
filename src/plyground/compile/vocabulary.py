"""The names that kernels use for the rules of a game and for memory.

Most of them come from the tables of `rules/hooks.py`: each compiled hook (`order`), whether the game defines it (`HAS_ORDER`),
the constants (`MARGIN`), and the fields of `Tuning` (`PEEK`). `Native` replaces each name with the game's compiled function or
the default, and freezes the constants into the kernel; nothing here is ever called.
"""

from __future__ import annotations

import functools
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from plyground.rules.hooks import CONSTANTS, HOOKS, State, Tuning

if TYPE_CHECKING:
    import numpy as np

    from plyground.compile.blocks import Block

IN_PLACE = False
"""Whether `step` changes the state in place, so that `undo_step` must restore it."""
CHANCE = False
"""Whether the game has chance nodes."""
WORDS = 1
"""The size of a state in words."""
ROLLOUTS = False
"""Whether random games evaluate the leaves, as neither the rules nor a net do."""
NET = 0
"""Whether a net evaluates the leaves."""
NET_OPTIONAL = False
"""Whether a search may run without the net, whose address is then 0."""
GROUPS = 0
"""The number of groups of a net, each with one active weight; 0 if it has hidden units."""
COMPARED = 0
"""The number of words of a leaf that are compared with the last leaf; 0 if a net looks up all of them."""
BYTE_VALUES = 0
"""The number of values of a byte, if bytes are compared and not bits."""
GROUPWISE = False
"""Whether an incremental net tracks the number of each group's active weight instead of a sum of rows."""
NET_TABLES, ROW_BYTES = 1, 0
"""2 if there are tables for each side; and the bytes of a row."""
KEPT_WORDS, LEAF_BYTES = 0, 0
"""The words that are kept of the last leaf for each side, and the bytes of all that is kept."""
CHUNKS, LISTED = 0, 0
"""The number of chunks that a net reads of a state, and the most cells that a chunk has."""
ONGOING = -(1 << 62)
"""What `verdict` returns while the game goes on: smaller than any result."""


def __getattr__(name: str) -> Any:
    """Return the names from the tables, created when a kernel imports them."""
    if name in HOOKS and HOOKS[name].compiled:
        return rule(name)
    known = {
        **{hook.flag: False for hook in HOOKS.values() if hook.compiled and not hook.required},
        **{constant.name: constant.default for constant in CONSTANTS.values() if constant.compiled},
        **{f.name.upper(): f.default for f in fields(Tuning)},
    }
    if name not in known:
        raise AttributeError(f"kernels have no name {name!r}: it is neither in the contract nor in `vocabulary.py`")
    return known[name]


@functools.cache
def rule(name: str) -> Any:
    """Return the name by which kernels know a hook; the compiler puts the game's function in its place."""

    def asked(*arguments: object) -> Any:
        raise TypeError(f"`{name}` is called outside of a compiled kernel")

    return asked


def step(s: State, m: int) -> Any:
    """Return the state after m, its fields cast to their declared types; for in-place rules, s itself, changed."""


def undo_step(s: State, m: int) -> Any:
    """Take back m for in-place rules; do nothing otherwise."""


def verdict(s: State) -> Any:
    """Return the result as a plain word; ONGOING if it is None."""


def read_state(address: int) -> Any:
    """Return the state at the address; for in-place rules, a view of it."""


def write_state(address: int, s: State) -> Any:
    """Store the words of the state at the address; for in-place rules, copy what s views."""


def load(address: int) -> Any:
    """Return the signed word at the address."""


def store(address: int, value: int) -> Any:
    """Store a signed word at the address."""


def load_byte(address: int) -> Any:
    """Return the byte at the address, from 0 to 255."""


def load_short(address: int) -> Any:
    """Return the signed number of 16 bits at the address."""


def store_byte(address: int, value: int) -> Any:
    """Store a byte at the address."""


def load_real(address: int) -> Any:
    """Return the 64-bit float at the address."""


def store_real(address: int, value: float) -> Any:
    """Store a 64-bit float at the address."""


def load_shared(address: int) -> Any:
    """Return the signed word at the address, which other threads may write."""


def store_shared(address: int, value: int) -> Any:
    """Store a signed word at the address, which other threads may read."""


def compare_and_swap(address: int, seen: int, value: int) -> Any:
    """Replace the word `seen` (compare-and-swap); return False if another word was there."""


def prefetch(address: int) -> Any:
    """Prefetch the cache line at the address."""


def address(where: Block | np.ndarray[Any, Any]) -> Any:
    """Return the address of a block or of one of its rows."""


def clock(address: int) -> Any:
    """Return the time in nanoseconds, on the clock of `machine.clock_ns`; uses the two words at the address as scratch space."""


def net_side(s: State) -> Any:
    """Return the side to move, 0 or 1, as a net knows it."""


def net_inputs(s: State, room: int) -> Any:
    """Return the inputs of a net: words of the state, or the address of these words or of a byte for each cell, in `room`."""


def net_sum(inputs: int | tuple[int, ...], side: int, tables: int, phases: int, weights: int) -> Any:
    """Return the sum of the active weights; incremental nets take the address of the sum of rows in place of the inputs."""


def net_list(inputs: int | tuple[int, ...], side: int, tables: int, phases: int, row: int) -> Any:
    """Write the numbers of the active weights into a row of words; takes the same inputs as `net_sum`."""


def net_rows(inputs: int | tuple[int, ...], side: int, row: int) -> Any:
    """Write the number of the active row of each chunk into a row of words."""


def net_set(inputs: int | tuple[int, ...], side: int, tables: int, phases: int) -> Any:
    """Return which set of weights is used, by phase and side; takes the same inputs as `net_sum`."""


def net_add_row(sums: int, row: int, sign: int) -> Any:
    """Add the row at an address to the sum of rows at another; or subtract it, if `sign` is negative."""


def net_base(s: State) -> Any:
    """Return the points so far, to which a net adds the points it expects."""
