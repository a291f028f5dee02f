"""What the page knows of its game: plain data, everything that its scripts don't ask the compiled rules for."""

from __future__ import annotations

from typing import Any

from plyground import __version__, score
from plyground.board.board import Board
from plyground.board.picture import picture
from plyground.learn.image import image
from plyground.learn.net import Net
from plyground.learn.parts import with_net
from plyground.pages import packed
from plyground.rules.game import Game
from plyground.web.engine import engine_facts, first_choice
from plyground.web.estimates import units
from plyground.web.kernels import memory
from plyground.web.look import traced


def facts_of(game: Game, start: Any = None, net: Net | None = None) -> dict[str, Any]:
    """The facts of a game whose page begins with this state; a net judges, if there is one."""
    return {
        "name": game.name,
        "spec": game.name.partition("(")[0] + "".join(f" {name}={value}" for name, value in sorted(game.parameters.items())),
        "title": game.title,
        "summary": game.summary,
        "rules": game.rule_text,
        "sides": game.sides,
        "turn": "turn" in game.has,
        "version": __version__,
        "margin": game.margin,
        "repetition": game.repetition,
        "chance": "chance" in game.has,
        "scores": {**score.borders(), **units(game if net is None else with_net(game, net))},
        "start": row_text(game, game.start() if start is None else start),
        "words": game.layout.words,
        "fields": [{"name": f.name, "type": f.type, "count": _count(f.shape), "array": f.array} for f in game.layout.fields],
        "board": None if game.board is None else game.board.as_json(len(game.sides)) | {"target": targets(game.board)},
        "picture": None if game.board is None else picture(game.board, game.sides).as_json(),
        "memory": memory(),
        "net": None if net is None else net_facts(net),
        "warm": row_text(game, first_choice(game)),
        **engine_facts(game),
        "trace": traced(game),
    }


def net_facts(net: Net) -> dict[str, Any]:
    """The memory of a net: its bytes, deflated, how many they are, and where the parts begin to which its block leads."""
    made = image(net)
    return {"data": packed(made.data), "size": len(made.data), "addresses": made.addresses}


def row_text(game: Game, s: Any) -> str:
    """The words of a state in hexadecimal, joined by dots."""
    return ".".join(f"{int(word):x}" for word in game.layout.row(s))


def targets(board: Board) -> list[int] | None:
    """For each cell, the cell that touching it means: in a column to drop stones into, its top. None if it is the cell itself."""
    cols = len(board.col_names)
    return [cell % cols for cell in range(board.size)] if board.shape == "drop" else None


def _count(shape: tuple[int, ...]) -> int | None:
    """How many numbers a field has; None for a plain one."""
    if not shape:
        return None
    items = 1
    for n in shape:
        items *= n
    return items
