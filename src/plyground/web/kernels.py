"""The kernels of a page, compiled into one WebAssembly module, and where the fields of their blocks are."""

from __future__ import annotations

from collections.abc import Callable

from plyground.compile import wasm
from plyground.compile.blocks import Block
from plyground.kernels.search import plan, root_search
from plyground.kernels.search.root_memory import Candidate, RootMemory, ScoredLine
from plyground.kernels.search.search_memory import SearchMemory
from plyground.kernels.tools import rule_answers, search_trace
from plyground.nets.leaf import NetMemory
from plyground.nets.net import Net
from plyground.rules.game import Game

BLOCKS: dict[str, type[Block]] = {
    "view": rule_answers.RulesView,
    "searcher": SearchMemory,
    "root": RootMemory,
    "candidate": Candidate,
    "found": ScoredLine,
    "events": search_trace.Events,
    "event": search_trace.TraceEvent,
    "entered": search_trace.NodeEntry,
    "net": NetMemory,
}
"""The blocks of memory that scripts read and write."""


def kernels(game: Game) -> dict[str, tuple[Callable[..., object], str]]:
    """Return the kernels that a page calls, each under the name by which it is exported."""
    return {
        "view": (rule_answers.view, rule_answers.VIEW),
        "advance": (rule_answers.advance, rule_answers.ADVANCE),
        "plan": (plan.plan, plan.SIGNATURE),
        "search": (root_search.search_window, root_search.SIGNATURE),
        "list": (root_search.list_root, root_search.LIST_SIGNATURE),
        "key": (root_search.key_of, root_search.KEY_SIGNATURE),
        "extend_pv": (root_search.extend_pv, root_search.EXTEND_PV_SIGNATURE),
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
