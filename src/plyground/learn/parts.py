"""What a net sees in a position, part by part, and a game that is judged by a net in plain Python."""

from __future__ import annotations

import copy
import math
from typing import Any

from plyground.compile.structure import EVALUATION, NOTHING
from plyground.learn.dense import Dense
from plyground.learn.features import Features
from plyground.learn.net import Net
from plyground.learn.weights import unit_of
from plyground.rules.game import Game
from plyground.rules.judgement import Judgement, Part, cell_contents, cell_names, share
from plyground.search.net import FRACTION


def with_net(game: Game, net: Net) -> Game:
    """The game with a net as its evaluation."""
    new = copy.copy(game)
    new.has = game.has | {"evaluate"}
    new.evaluate = lambda s: net.value(game, s)
    new.judgement = lambda s: judgement(game, net, s)
    return new


def judgement(game: Game, net: Net, s: Any) -> Judgement:
    """What a net says about a position: what each group of cells adds, or with hidden units each piece."""
    unit = net.scale if "chance" in game.has else 1 / (1 << FRACTION)
    found = _pieces(game, net, s) if net.features.hidden else _groups(game, net, s)
    names, contents = _words(game, net.features, s)
    what = "group" if not net.features.hidden else "number" if game.board is None else "piece"
    parts = tuple(Part(cells, unit * adds) for cells, adds in found)
    value = net.value(game, s)
    return Judgement(value, _expects(game, value), unit * net.total(game, s), _how(game, net, s), what, parts, names, contents)


def _expects(game: Game, value: float) -> str:
    """What an estimate means."""
    if "chance" in game.has:
        return ""
    expected = value / unit_of(game.margin)
    return f"{expected:+.1f} points" if game.margin else share(math.tanh(expected))


def _how(game: Game, net: Net, s: Any) -> str:
    how = "the output for" if net.features.hidden else "the sum of"
    if net.curved:
        how = f"bent to within {game.margin}, {how}"
    if net.features.base == EVALUATION:
        how = f"{net.base(game, s):+,.6g} by the rules and {how}"
    elif net.features.base != NOTHING:
        how = f"{net.base(game, s):,.0f} points so far and {how}"
    return how


def _groups(game: Game, net: Net, s: Any) -> list[tuple[tuple[int, ...], int]]:
    """The cells of each group, as the board numbers them, and its active weight."""
    features = net.features
    side, _ = features.seen(game, s)
    active = features.active(game, s)
    return [
        (_on_board(features, side, group), int(net.weights[n])) for (_, _, group), n in zip(features.lanes, active, strict=True)
    ]


def _pieces(game: Game, net: Net, s: Any) -> list[tuple[tuple[int, ...], int]]:
    """Each cell with something on it, and how much less the output were without that."""
    features = net.features
    side, seen = features.seen(game, s)
    dense, active, which = Dense(features, net.weights), features.active(game, s), features.set_of(side, seen)
    whole = dense.total(side, active, which)
    cells = [c for c, x in enumerate(seen) if x]
    without = [dense.total(side, active[:i] + active[i + 1 :], which) for i in range(len(active))]
    return [(_on_board(features, side, (c,)), whole - less) for c, less in zip(cells, without, strict=True)]


def _on_board(features: Features, side: int, group: tuple[int, ...]) -> tuple[int, ...]:
    """Cells as the board numbers them, from how the side to move does."""
    return tuple(features.view.mirror[c] for c in group) if side else group


def _words(game: Game, features: Features, s: Any) -> tuple[list[str], list[str]]:
    """The name and the content of each cell; without a board, of each number of the state that is seen."""
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
