"""The data that a page gets about its game: everything that its scripts don't ask the compiled rules for."""

from __future__ import annotations

import math

from plyground import __version__, score
from plyground.board.board import BARS, DICE, OFF, Board
from plyground.board.picture import picture
from plyground.engine import FULL_STRENGTH, ScoreScale, level_settings, option_bits
from plyground.engine.futility import futility_margins
from plyground.explain import SIGNS
from plyground.explain.page import template
from plyground.explain.quiz import MIN_LEAVES, SIZES, TRIES
from plyground.kernels.search import USE_LIKELY, USE_ORDER, plan
from plyground.kernels.search import search_memory as memory
from plyground.kernels.search import transposition_table as table
from plyground.kernels.search.search_memory import MAX_PAST, STACK_WORDS
from plyground.kernels.tools import search_trace as trace
from plyground.nets.net import Net, net_image
from plyground.nets.net_evaluation import with_net
from plyground.pages import pack
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.web.estimates import GRADES, units
from plyground.web.kernels import block_offsets

TASKS = ("BEGIN", "ITERATE", "FIND_EQUAL", "CHECK_DISTANCE", "COUNT_NEAR_BEST", "CONTINUE")
TABLE_MB = 32
"""The size of the table, a power of two."""
EVENTS = {trace.ENTER: "enter", trace.LEAF: "leaf", trace.CHILD: "child", trace.CUTOFF: "cutoff", trace.LEAVE: "leave"}
KINDS = {trace.MAX: "max", trace.MIN: "min", trace.DICE: "chance"}


def facts_of(game: Game, start: State | None = None, net: Net | None = None, given: bool = False) -> dict[str, object]:
    """Return the facts of a game whose page begins with this state; `net` is its evaluation, if there is one.

    A net that was `given` also evaluates in exact searches; one that was found does not.
    """
    return {
        "name": game.name,
        "spec": game.name.partition("(")[0] + "".join(f" {name}={value}" for name, value in sorted(game.parameters.items())),
        "title": game.title,
        "summary": game.summary,
        "sides": game.sides,
        "turn": "turn" in game.has,
        "version": __version__,
        "margin": game.margin,
        "repetition": game.repetition,
        "chance": "chance" in game.has,
        "scores": {**score.borders(), **units(game if net is None else with_net(game, net)), "grades": grades()},
        "start": row_text(game, game.start() if start is None else start),
        "words": game.layout.words,
        "fields": [{"name": f.name, "type": f.type, "count": _length(f.shape), "array": f.array} for f in game.layout.fields],
        "board": None if game.board is None else game.board.as_json(len(game.sides)) | cell_numbers(game.board),
        "picture": None if game.board is None else picture(game.board, game.sides).as_json(),
        "memory": block_offsets(),
        "net": None if net is None else net_facts(net) | {"given": given},
        "warm": row_text(game, first_choice(game)),
        **engine_facts(game, net),
        "trace": trace_facts(game),
    }


def net_facts(net: Net) -> dict[str, object]:
    """Return the memory of a net: its bytes, deflated; its size; and the addresses of its parts in the order of its block."""
    made = net_image(net)
    return {"data": pack(made.data), "size": len(made.data), "addresses": made.addresses}


def row_text(game: Game, s: State) -> str:
    """Return the words of a state in hexadecimal, joined by dots."""
    return ".".join(f"{int(word):x}" for word in game.layout.row(s))


def grades() -> list[dict[str, object]]:
    """Return the grades of mistakes, the worst first."""
    return [{"drop": drop, "sign": sign, "name": name.partition(" ")[2]} for drop, sign, name in GRADES]


def cell_numbers(board: Board) -> dict[str, object]:
    """Return the cells with a meaning of their own: targets of touches, and the bars, checkers off and dice of backgammon."""
    return {"target": targets(board), "bar": BARS, "off": OFF, "dice": DICE}


def targets(board: Board) -> list[int] | None:
    """Return the cell that touching each cell means: in a column to drop stones into, its top. None if it is the cell itself."""
    cols = len(board.col_names)
    return [cell % cols for cell in range(board.size)] if board.shape == "drop" else None


def _length(shape: tuple[int, ...]) -> int | None:
    """Return the length of a field; None for a single number."""
    return math.prod(shape) if shape else None


# -- the engine ----------------------------------------------------------------------------------------------------


def engine_facts(game: Game, net: Net | None) -> dict[str, object]:
    """Return the facts of a game for the engine in a browser; `net` is its evaluation, if there is one."""
    scale = ScoreScale(game)
    return {
        "levels": [level_settings(level, scale)._asdict() for level in range(1, FULL_STRENGTH)],
        "scale": {
            **{name: _finite(getattr(scale, name)) for name in ("step", "window", "bound")},
            "proven": score.LIMIT + 1,
        },
        "engine": {
            "tasks": {name: getattr(plan, name) for name in TASKS},
            "options": {"all": option_bits(game, None, False), "exact": option_bits(game, None, True)},
            "margins": futility_margins(game, net)._asdict(),
            "limited": "likely" in game.has,
            "full": FULL_STRENGTH,
            "maxDepth": plan.MAX_DEPTH,
            "maxPast": memory.MAX_PAST,
            "seenSize": memory.SEEN_SIZE,
            "stackWords": memory.STACK_WORDS,
            "stackGuard": memory.STACK_GUARD,
            "unlimited": str(memory.UNLIMITED),
            "firstCheckNodes": memory.FIRST_CHECK_NODES,
            "eras": table.ERAS,
            "bucketBytes": table.BUCKET_BYTES,
            "buckets": (TABLE_MB << 20) // table.BUCKET_BYTES,
        },
    }


def _finite(number: float) -> float | None:
    """Return a number as JSON can hold it: None stands for infinity."""
    return None if math.isinf(number) else number


def first_choice(game: Game) -> State:
    """Return the first state in which a player is to move; chance takes its first outcomes."""
    s: State = game.start()
    while game.is_chance(s):
        s = game.child(s, game.outcomes(s)[0][0])
    return s


# -- a search step by step ------------------------------------------------------------------------------------------


def trace_facts(game: Game) -> dict[str, object]:
    """Return the constants with which the scripts run the trace kernel and read its events."""
    return {
        "events": [EVENTS[what] for what in range(len(EVENTS))],
        "kinds": [KINDS[kind] for kind in range(len(KINDS))],
        "whole": trace.WHOLE,
        "stack": 8 * STACK_WORDS,
        "past": MAX_PAST,
        "options": {"likely": USE_LIKELY, "order": USE_ORDER if "order" in game.has else 0},
        "quiz": {"sizes": SIZES, "least": MIN_LEAVES, "tries": TRIES},
        "signs": SIGNS,
        "page": template("{{title}}", "{{data}}"),
    }
