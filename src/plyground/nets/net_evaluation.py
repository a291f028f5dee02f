"""The evaluation that a game uses, its own or a net; where nets are kept; and what a net says about a position, part by part.

A user's own nets, nets beside the rules and nets that come with the games are found by name. A match keeps a copy of each net
that it began with, named by its checksum, even if that net is trained again meanwhile.
"""

from __future__ import annotations

import contextlib
import copy
import math
import os
import re
import shlex
from collections.abc import Iterable
from pathlib import Path

from plyground.board.text import cell_contents, cell_names
from plyground.compile.net_structure import EVALUATION, NOTHING
from plyground.errors import PlygroundError
from plyground.nets.features import Features
from plyground.nets.file_format import copies_of_nets, is_intact, load
from plyground.nets.leaf import FRACTION
from plyground.nets.net import HiddenLayer, Net, unit_of
from plyground.rules.evaluation import with_evaluation
from plyground.rules.game import Game
from plyground.rules.hooks import EvaluationBreakdown, EvaluationTerm, State, expected_share
from plyground.system.files import data_folder, make_folder, write_file

SHIPPED = Path(__file__).parents[1] / "games" / "nets"
RULES = "rules"
"""In place of a file: the game's own evaluation."""


# -- files --------------------------------------------------------------------------------------------------------------------


def file_name(game: Game) -> str:
    """Return the file name of a game's net.

    >>> from plyground import load
    >>> file_name(load("connect4")), file_name(load("connect4(rows=5, cols=4)"))
    ('connect4.net', 'connect4-rows-5-cols-4.net')
    """
    return re.sub(r"[^\w.]+", "-", game.name).strip("-.") + ".net"


def own_file(game: Game) -> Path:
    """Return the file of the net that the user trains for a game, unless another file is given."""
    return data_folder() / "nets" / file_name(game)


def net_file(game: Game) -> Path | None:
    """Return the file of a game's net: the user's own, else one beside the rules, else the one that comes with the game."""
    beside = [] if game.file is None else [Path(game.file).with_name(file_name(game))]
    return next((path for path in (own_file(game), *beside) if path.is_file()), shipped_file(game))


def shipped_file(game: Game) -> Path | None:
    """Return the file of the net that comes with the game; None if there is none."""
    path = SHIPPED / file_name(game)
    return path if path.is_file() else None


def local_copy(name: str, checksum: str, places: Iterable[Path]) -> Path:
    """Return a copy of the net with this checksum, made from the first of these files that has it; `name` is for errors."""
    copy = copies_of_nets() / f"{checksum}.net"
    for place in (copy, *places):
        with contextlib.suppress(OSError):
            data = place.read_bytes()
            if is_intact(data, checksum):
                if place != copy:
                    make_folder(copy.parent, 0o700)
                    write_file(copy, [data])
                return copy
    raise PlygroundError(f"{name}: the net that this match began with ({checksum[:8]}) no longer exists; begin a new match")


# -- evaluations --------------------------------------------------------------------------------------------------------------


def choose_evaluation(game: Game, evaluate: str | Path | None, search: bool = True) -> tuple[Game, Net | None]:
    """Return the game with the evaluation asked for, and the net if it is one; with None, a net is used if `search` finds one."""
    if evaluate == RULES or (evaluate is None and not search):
        return game, None
    file = net_file(game) if evaluate is None else Path(os.path.expanduser(evaluate))
    if file is None:
        return game, None
    if file.suffix == ".py":
        return with_evaluation(game, evaluate or file), None
    return game, load(file, game)


def lacks_evaluation(game: Game) -> bool:
    """Return whether a game has neither `evaluate` nor a net, so that the engine plays random games at the leaves."""
    return "evaluate" not in game.has and net_file(game) is None


def training_advice(game: Game) -> str:
    """Return the advice for a game that has no evaluation."""
    return (
        f"{game.name} has no `evaluate`, so the engine evaluates positions by short random games; "
        f"`plyground train {shlex.quote(game.spec)}` trains a net for it"
    )


# -- what a net sees in a position, part by part ------------------------------------------------------------------------------


def with_net(game: Game, net: Net) -> Game:
    """Return the game with a net as its evaluation, in plain Python."""
    new = copy.copy(game)
    new.has = game.has | {"evaluate"}
    new.evaluate = lambda s: net.value(game, s)
    new.explain_evaluation = lambda s: explain_evaluation(game, net, s)
    return new


def explain_evaluation(game: Game, net: Net, s: State) -> EvaluationBreakdown:
    """Return the net's evaluation of a position with its parts: groups of cells, or with hidden units single pieces."""
    unit = net.scale if "chance" in game.has else 1 / (1 << FRACTION)
    found = _pieces(game, net, s) if net.features.hidden else _groups(game, net, s)
    names, contents = _labels(game, net.features, s)
    what = "group" if not net.features.hidden else "number" if game.board is None else "piece"
    parts = tuple(EvaluationTerm(cells, unit * adds) for cells, adds in found)
    value = net.value(game, s)
    return EvaluationBreakdown(
        value, _expected_result_text(game, value), unit * net.total(game, s), _formula(game, net, s), what, parts, names, contents
    )


def _expected_result_text(game: Game, value: float) -> str:
    """Return the expected result that an estimate stands for, in words."""
    if "chance" in game.has:
        return ""
    expected = value / unit_of(game.margin)
    return f"{expected:+.1f} points" if game.margin else expected_share(math.tanh(expected))


def _formula(game: Game, net: Net, s: State) -> str:
    how = "the output for" if net.features.hidden else "the sum of"
    if net.curved:
        how = f"squashed to within {game.margin}, {how}"
    if net.features.base == EVALUATION:
        how = f"{net.base(game, s):+,.6g} by the rules and {how}"
    elif net.features.base != NOTHING:
        how = f"{net.base(game, s):,.0f} points so far and {how}"
    return how


def _groups(game: Game, net: Net, s: State) -> list[tuple[tuple[int, ...], int]]:
    """Return the cells of each group, as the board numbers them, and its active weight."""
    features = net.features
    side, _ = features.cells(game, s)
    active = features.active(game, s)
    return [
        (_on_board(features, side, group), int(net.weights[n])) for (_, _, group), n in zip(features.lanes, active, strict=True)
    ]


def _pieces(game: Game, net: Net, s: State) -> list[tuple[tuple[int, ...], int]]:
    """Return each cell with something on it, and how much the output drops without it."""
    features = net.features
    side, seen = features.cells(game, s)
    layer, active, number = HiddenLayer(features, net.weights), features.active(game, s), features.set_of(side, seen)
    whole = layer.total(side, active, number)
    cells = [c for c, x in enumerate(seen) if x]
    without = [layer.total(side, active[:i] + active[i + 1 :], number) for i in range(len(active))]
    return [(_on_board(features, side, (c,)), whole - less) for c, less in zip(cells, without, strict=True)]


def _on_board(features: Features, side: int, group: tuple[int, ...]) -> tuple[int, ...]:
    """Return cells as the board numbers them, not as the side to move sees them."""
    return tuple(features.view.mirror[c] for c in group) if side else group


def _labels(game: Game, features: Features, s: State) -> tuple[list[str], list[str]]:
    """Return the name and the content of each cell; without a board, of each number of the state that is seen."""
    cells = features.reader.contents(game, s)
    if game.board is not None:
        return cell_names(game.board, game.sides), cell_contents(game.board, cells)
    names = []
    for item in features.reader.items:
        place = "" if item.item < 0 else f"[{item.item}]"
        bit = "" if item.bit < 0 else f" bit {item.bit}"
        names.append(f"{game.layout.fields[item.field].name}{place}{bit}")
    contents = [str(x if item.bit >= 0 else x + item.low) for x, item in zip(cells, features.reader.items, strict=True)]
    return names, contents
