"""Checks arguments: a `PlygroundError` says what is wrong and what would be right."""

from __future__ import annotations

import contextlib
import math
import numbers
import operator
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, SupportsIndex

from plyground.errors import PlygroundError
from plyground.rules.game import PARSE_ERRORS, Game
from plyground.rules.hooks import RulesState, State
from plyground.rules.load import load
from plyground.system.machine import free_memory

MAX_THREADS = 256
MAX_MEGABYTES = 1 << 20


def whole(name: str, value: object, least: int, most: int | None = None) -> int:
    """Check a whole number and its range."""
    number = None
    if isinstance(value, SupportsIndex) and not isinstance(value, bool):
        with contextlib.suppress(TypeError):
            number = operator.index(value)
    if number is None or number < least or (most is not None and number > most):
        to = "up" if most is None else f"to {most}"
        raise PlygroundError(f"{name} must be a whole number from {least} {to}, not {value!r:.40}")
    return number


def positive(name: str, value: object, unit: str, zero: bool = False) -> float:
    """Check a finite number above 0, or from 0 up with `zero`."""
    number = float(value) if isinstance(value, numbers.Real) and not isinstance(value, bool) else math.nan
    if not math.isfinite(number) or number < 0 or (number == 0 and not zero):
        raise PlygroundError(f"{name} must be {unit} {'from 0 up' if zero else 'above 0'}, not {value!r:.40}")
    return number


def memory(megabytes: object) -> float:
    """Check a size in MB against the free memory."""
    size = positive("memory", megabytes, "a number of MB")
    free = free_memory()
    if size > MAX_MEGABYTES or (free is not None and size > free):
        left = "" if free is None else f": {free:,.0f} MB are free"
        raise PlygroundError(f"{size:,.0f} MB does not fit into memory{left}; use less")
    return size


def sizes(threads: object, megabytes: object) -> None:
    """Check the number of threads of a search and the size of its table."""
    whole("threads", threads, 1, MAX_THREADS)
    memory(megabytes)


def game(given: str | Path | Game) -> Game:
    """Return the game, loaded if it is given by its name or path."""
    return given if isinstance(given, Game) else load(given)


def state(game: Game, given: State) -> RulesState:
    """Check a state of a game; if the game has `parse_state`, that must accept it."""
    s: Any = given
    if isinstance(s, tuple) and getattr(s, "_fields", None) == game.State._fields:
        s = game.State(*s)  # rules that are loaded twice have two State classes
    right = "use game.start(), game.play(s, m) or game.parse_state(text)"
    fault = game.layout.fault(s)
    if fault:
        raise PlygroundError(f"this is not a state of {game.name}: {fault}; {right}")
    if {"format_state", "parse_state"} <= game.has:
        try:
            same = game.key(game.parse_state(game.format_state(s))) == game.key(s)
        except (PlygroundError, *PARSE_ERRORS) as e:
            raise PlygroundError(f"this is not a state that {game.name} can have: {e}; {right}") from e
        if not same:
            raise PlygroundError(f"this is not a state that {game.name} can have: {s!r:.80}; {right}")
    found: RulesState = s
    return found


def history(game: Game, states: object) -> Sequence[State]:
    """Check the states before the current one, in order."""
    if isinstance(states, str | os.PathLike) or not isinstance(states, Sequence) or hasattr(states, "_fields"):
        raise PlygroundError(f"history must be a list of the states before this one, not {states!r:.40}")
    for s in states:
        fault = game.layout.fault(s)
        if fault:
            raise PlygroundError(f"history must contain only states of {game.name}: {fault}")
    return states
