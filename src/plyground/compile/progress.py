"""How far a compile has come, told while the compiler is at work."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Compiling:
    """How far a compile has come. How many functions there will be is not known before the end; a few dozen are usual."""

    game: str
    functions: int
    """Compiled so far; none where all of it was in the cache."""
    name: str
    """The latest of them."""
    seconds: float
    done: bool = False


alone = threading.RLock()
"""Held while the compiler is loaded or at work. It is loaded piece by piece, and compiling changes how it reads types: no other
thread may see either."""


@contextlib.contextmanager
def reported(game: str, tell: Callable[[Compiling], None] | None) -> Iterator[None]:
    """Tells of every function that this thread compiles meanwhile, and of the end."""
    if tell is None:
        yield
        return
    with alone:
        from numba.core import event

    heard = tell
    began, thread = time.perf_counter(), threading.get_ident()
    names: list[str] = []

    class Listener(event.Listener):  # type: ignore[misc]
        def on_start(self, e: Any) -> None:
            pass

        def on_end(self, e: Any) -> None:
            if threading.get_ident() == thread:
                names.append(e.data["dispatcher"].py_func.__name__)
                heard(Compiling(game, len(names), names[-1], time.perf_counter() - began))

    with event.install_listener("numba:compile", Listener()):
        yield
    tell(Compiling(game, len(names), names[-1] if names else "", time.perf_counter() - began, done=True))
