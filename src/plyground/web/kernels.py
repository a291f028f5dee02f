"""The kernels of a page, compiled into one WebAssembly module, and where the fields of their blocks are."""

from __future__ import annotations

from typing import Any

from plyground.compile import wasm
from plyground.compile.blocks import Block
from plyground.kernels.search import plan, root_moves, root_window
from plyground.kernels.search.root_memory import Candidate, RootMemory, ScoredLine
from plyground.kernels.search.search_memory import SearchMemory
from plyground.kernels.tools import rules_view, search_trace
from plyground.nets.leaf import NetMemory
from plyground.nets.net import Net
from plyground.rules.game import Game

BLOCKS: dict[str, type[Block]] = {
    "view": rules_view.RulesView,
    "searcher": SearchMemory,
    "root": RootMemory,
    "candidate": Candidate,
    "found": ScoredLine,
    "events": search_trace.Events,
    "event": search_trace.TraceEvent,
    "entered": search_trace.Entered,
    "net": NetMemory,
}
"""The blocks of memory that scripts read and write."""


def kernels(game: Game) -> dict[str, tuple[Any, str]]:
    """Return the kernels that a page calls, each under the name by which it is exported."""
    return {
        "view": (rules_view.view, rules_view.VIEW),
        "advance": (rules_view.advance, rules_view.ADVANCE),
        "plan": (plan.plan, plan.SIGNATURE),
        "search": (root_window.search_window, root_window.SIGNATURE),
        "list": (root_moves.list_root, root_moves.LIST),
        "key": (root_moves.key_of, root_moves.KEY),
        "prolong": (root_moves.prolong, root_moves.PROLONG),
        "trace": (search_trace.trace, search_trace.SIGNATURE),
    }


def module(game: Game, *names: str, net: Net | None = None) -> bytes:
    """Return the WebAssembly module of a game's page, or one with only these kernels; `net` is its evaluation, if any."""
    wanted = {name: kernel for name, kernel in kernels(game).items() if not names or name in names}
    structure = None if net is None else net.features.structure
    return wasm.module(game, wanted, structure, NET_OPTIONAL=True)  # an exact search asks the rules


def block_offsets() -> dict[str, dict[str, int]]:
    """Return, for each block, the offset of each field and the size of all, in bytes."""
    return {
        name: {**{field.name: field.offset for field in block.fields.values()}, "size": block.size}
        for name, block in BLOCKS.items()
    }
