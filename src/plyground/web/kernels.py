"""The kernels of a page, compiled into one WebAssembly module, and where the fields of their blocks are."""

from __future__ import annotations

from typing import Any

from plyground.compile import wasm
from plyground.compile.blocks import Block
from plyground.learn.net import Net
from plyground.rules.game import Game
from plyground.search import choices, root, trace, view, window
from plyground.search.memory import Searcher
from plyground.search.net import NetMemory
from plyground.search.root_memory import Candidate, Found, RootMemory

BLOCKS: dict[str, type[Block]] = {
    "view": view.View,
    "searcher": Searcher,
    "root": RootMemory,
    "candidate": Candidate,
    "found": Found,
    "events": trace.Events,
    "event": trace.Event,
    "entered": trace.Entered,
    "net": NetMemory,
}
"""The blocks of memory that scripts read and write."""


def kernels(game: Game) -> dict[str, tuple[Any, str]]:
    """What the page calls, under the name by which it is exported."""
    return {
        "view": (view.view, view.VIEW),
        "advance": (view.advance, view.ADVANCE),
        "plan": (root.plan, root.SIGNATURE),
        "search": (window.search_window, window.SIGNATURE),
        "list": (choices.list_root, choices.LIST),
        "key": (choices.key_of, choices.KEY),
        "prolong": (choices.prolong, choices.PROLONG),
        "trace": (trace.trace, trace.SIGNATURE),
    }


def module(game: Game, *names: str, net: Net | None = None) -> bytes:
    """The WebAssembly module of a game's page, or one with these kernels only; a net judges, if there is one."""
    wanted = {name: kernel for name, kernel in kernels(game).items() if not names or name in names}
    return wasm.module(game, wanted, None if net is None else net.features.structure)


def memory() -> dict[str, dict[str, int]]:
    """For each block: the offset of each field and the size of all, in bytes."""
    return {
        name: {**{field.name: field.offset for field in block.fields.values()}, "size": block.size}
        for name, block in BLOCKS.items()
    }
