"""The names that a kernel may use for the rules of its game and for memory.

Most of them follow from tables: each compiled hook of `rules/hooks.py` (`order`), whether the game gives it (`HAS_ORDER`), the
constants there (`MARGIN`), and those of `rules/tuning.py` (`PEEK`). `Native` puts the game's compiled function, or the default,
in the place of each name, and freezes the constants into the kernel; nothing here is ever called.
"""

from __future__ import annotations

import functools
from dataclasses import fields
from typing import Any

from plyground.rules.hooks import CONSTANTS, HOOKS
from plyground.rules.tuning import Tuning

IN_PLACE = False
"""Does `step` change the state itself, so that `back` must restore it?"""
CHANCE = False
"""May it be for dice or tiles to move?"""
WORDS = 1
"""The words a state takes in memory."""
GOING = -(1 << 62)
"""What `verdict` gives while the game goes on: no result is as small."""


def __getattr__(name: str) -> Any:
    """The names that follow from the tables, made when a kernel imports them."""
    if name in HOOKS and HOOKS[name].compiled:
        return rule(name)
    known = {
        **{hook.flag: False for hook in HOOKS.values() if hook.compiled and not hook.required},
        **{constant.name: constant.default for constant in CONSTANTS.values() if constant.compiled},
        **{f.name.upper(): f.default for f in fields(Tuning)},
    }
    if name not in known:
        raise AttributeError(f"kernels know no {name!r}: neither the contract nor `vocabulary.py` has it")
    return known[name]


@functools.cache
def rule(name: str) -> Any:
    """What stands for a hook in kernels."""

    def asked(*arguments: Any) -> Any:
        raise NotImplementedError(name)

    return asked


def step(s: Any, m: Any) -> Any:
    """The state after m, its fields cast to their declared types; for in-place rules, s itself, changed."""


def back(s: Any, m: Any) -> Any:
    """Takes m back where the rules play in place; nothing otherwise."""


def verdict(s: Any) -> Any:
    """The result as a plain word, GOING where it is None."""


def read_state(address: Any) -> Any:
    """The state that lies at the address; for in-place rules, a view of it."""


def write_state(address: Any, s: Any) -> Any:
    """Puts the words of the state at the address; for in-place rules a copy of what s views."""


def load(address: Any) -> Any:
    """The signed word at the address."""


def store(address: Any, value: Any) -> Any:
    """Puts a signed word at the address."""


def load_byte(address: Any) -> Any:
    """The byte at the address, from 0 to 255."""


def store_byte(address: Any, value: Any) -> Any:
    """Puts a byte at the address."""


def load_real(address: Any) -> Any:
    """The 64-bit float at the address."""


def store_real(address: Any, value: Any) -> Any:
    """Puts a 64-bit float at the address."""


def load_shared(address: Any) -> Any:
    """The signed word at the address, where other threads may write it."""


def store_shared(address: Any, value: Any) -> Any:
    """Puts a signed word where other threads may read it."""


def claim(address: Any, seen: Any, value: Any) -> Any:
    """Puts a word in place of `seen`, in one step; False if something else stands there."""


def prefetch(address: Any) -> Any:
    """Asks for the line of the cache at the address, which will be read soon."""


def address(where: Any) -> Any:
    """Where a block, or one of its rows, begins."""


def clock(address: Any) -> Any:
    """The time in nanoseconds, as `machine.clock_ns` tells it; the two words at the address are room to work in."""
