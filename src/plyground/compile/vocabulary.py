"""The names that kernels use for the rules of a game and for memory.

Most of them come from tables: each compiled hook of `rules/hooks.py` (`order`), whether the game defines it (`HAS_ORDER`), the
constants there (`MARGIN`), and those of `rules/tuning.py` (`PEEK`). `Native` replaces each name with the game's compiled function
or the default, and freezes the constants into the kernel; nothing here is ever called.
"""

from __future__ import annotations

import functools
from dataclasses import fields
from typing import Any

from plyground.rules.hooks import CONSTANTS, HOOKS
from plyground.rules.tuning import Tuning

IN_PLACE = False
"""Does `step` change the state in place, so that `back` must restore it?"""
CHANCE = False
"""Does the game have chance nodes?"""
WORDS = 1
"""The size of a state in words."""
ROLLOUTS = False
"""Does nothing judge the leaves, neither the rules nor a net, so that random games must?"""
NET = 0
"""Does a net judge the leaves?"""
GROUPS = 0
"""How many groups a net has, each with one active weight; 0 if it has hidden units."""
LAZY = 0
"""Are the numbers of active weights kept from leaf to leaf, and only those of changed cells updated? Then the words compared."""
BYTES, CONTENTS = 0, 0
"""With LAZY: the cells to compare, if `cells` gives the contents, and how many contents there are."""
CHUNKS, LISTED = 0, 0
"""How many chunks a net reads of a state, and how many cells a chunk has at most."""
GOING = -(1 << 62)
"""What `verdict` returns while the game goes on: smaller than any result."""


def __getattr__(name: str) -> Any:
    """The names from the tables, created when a kernel imports them."""
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
    """The name by which kernels know a hook; the compiler puts the game's function in its place."""

    def asked(*arguments: Any) -> Any:
        raise TypeError(f"`{name}` is called outside of a compiled kernel")

    return asked


def step(s: Any, m: Any) -> Any:
    """The state after m, its fields cast to their declared types; for in-place rules, s itself, changed."""


def back(s: Any, m: Any) -> Any:
    """Takes back m for in-place rules; does nothing otherwise."""


def verdict(s: Any) -> Any:
    """The result as a plain word; GOING if it is None."""


def read_state(address: Any) -> Any:
    """The state at the address; for in-place rules, a view of it."""


def write_state(address: Any, s: Any) -> Any:
    """Stores the words of the state at the address; for in-place rules, copies what s views."""


def load(address: Any) -> Any:
    """The signed word at the address."""


def store(address: Any, value: Any) -> Any:
    """Stores a signed word at the address."""


def load_byte(address: Any) -> Any:
    """The byte at the address, from 0 to 255."""


def load_short(address: Any) -> Any:
    """The signed number of 16 bits at the address."""


def store_byte(address: Any, value: Any) -> Any:
    """Stores a byte at the address."""


def load_real(address: Any) -> Any:
    """The 64-bit float at the address."""


def store_real(address: Any, value: Any) -> Any:
    """Stores a 64-bit float at the address."""


def load_shared(address: Any) -> Any:
    """The signed word at the address, which other threads may write."""


def store_shared(address: Any, value: Any) -> Any:
    """Stores a signed word at the address, which other threads may read."""


def claim(address: Any, seen: Any, value: Any) -> Any:
    """Compare-and-swap: replaces the word `seen`; False if another word was there."""


def prefetch(address: Any) -> Any:
    """Prefetches the cache line at the address."""


def address(where: Any) -> Any:
    """The address of a block or of one of its rows."""


def clock(address: Any) -> Any:
    """The time in nanoseconds, on the clock of `machine.clock_ns`; uses the two words at the address as scratch space."""


def net_side(s: Any) -> Any:
    """The side to move, 0 or 1, as a net knows it."""


def net_inputs(s: Any, room: Any) -> Any:
    """What a net looks at: words of the state, or the address of a row of bytes in `room`, one for each cell."""


def net_sum(inputs: Any, side: Any, tables: Any, phases: Any, weights: Any, kept: Any) -> Any:
    """The sum of the active weights."""


def net_list(inputs: Any, side: Any, tables: Any, phases: Any, row: Any) -> Any:
    """Writes the numbers of the active weights into a row of words."""


def net_rows(inputs: Any, side: Any, row: Any) -> Any:
    """Writes the number of the active row of each chunk into a row of words."""


def net_set(inputs: Any, side: Any, tables: Any, phases: Any) -> Any:
    """Which set of weights is used, by phase and side."""


def net_base(s: Any) -> Any:
    """The points so far, to which a net adds what it expects to come."""
