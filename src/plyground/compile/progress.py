"""Reports the progress of a compilation."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Compiling:
    """The progress of a compilation. The total number of functions is not known in advance; a few dozen are usual."""

    game: str
    functions: int
    """Functions compiled so far; 0 if everything was in the cache."""
    name: str
    """The last function compiled."""
    seconds: float
    done: bool = False


alone = threading.RLock()
"""Held while the compiler is imported or runs. Imports happen piece by piece, and `dialect` changes how types are inferred: other
threads must see neither."""


@contextlib.contextmanager
def reported(game: str, tell: Callable[[Compiling], None] | None) -> Iterator[None]:
    """Calls `tell` for every function that this thread compiles meanwhile, and at the end."""
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
