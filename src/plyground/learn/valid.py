"""Can native code use these features? A file may say anything: nothing in it may lead a kernel outside of its memory."""

from __future__ import annotations

import math

from plyground.compile.structure import ALWAYS_FIRST, EVALUATION, NOTHING, TURN, Item
from plyground.learn.features import MOST_COUNT, Features
from plyground.learn.reader import CELLS, DIGITS, FIELDS, PLANES, Spot
from plyground.rules.game import Game
from plyground.rules.layout import Field

MOST_HIDDEN = 256


def fits(features: Features, game: Game) -> bool:
    """Do these features fit this game, as far as native code depends on it?"""
    return _fields(features, game) and _view(features, game) and _groups(features) and _counts(features) and _reader(features)


def _fields(features: Features, game: Game) -> bool:
    """Are the fields that are read single words of a state?"""
    fields = game.layout.fields
    named = [f for word in features.reader.words for f in word]
    single = [n for n in (features.view.side, features.base) if n >= 0]
    if not all(_is_item(fields, item) for item in features.reader.items):
        return False
    return all(0 <= f.field < len(fields) and _one(fields[f.field], f.item) for f in named) and all(
        n < len(fields) and _one(fields[n], -1) for n in single
    )


def _is_item(fields: tuple[Field, ...], item: Item) -> bool:
    """Is this a number of a state, with a small range?"""
    if not 0 <= item.field < len(fields) or not -1 <= item.bit < 64 or not 0 < item.high - item.low < 256:
        return False
    return _one(fields[item.field], item.item)


def _one(field: Field, item: int) -> bool:
    """Is this one number of a state?"""
    return 0 <= item < math.prod(field.shape) if field.shape else item == -1


def _view(features: Features, game: Game) -> bool:
    view, board = features.view, game.board
    size, contents = (len(features.reader.items), len(view.swap)) if board is None else (board.size, board.most + 1)
    return (
        size > 0
        and len(game.sides) <= 2
        and sorted(view.mirror) == list(range(size))
        and sorted(view.swap) == list(range(contents))
        and (board is not None or view.mirror == tuple(range(size)))
        and (board is None) == (features.reader.kind == FIELDS)
        and (view.side >= 0 or view.side == ALWAYS_FIRST or (view.side == TURN and "turn" in game.has))
        and len(features.reader.spots) == (1 if view.side == ALWAYS_FIRST else 2)
        and features.base >= (EVALUATION if "evaluate" in game.has else NOTHING)
    )


def _reader(features: Features) -> bool:
    view, reader = features.view, features.reader
    asked = reader.kind in (CELLS, FIELDS)
    room = 8 * len(view.mirror) if asked else 64 * len(reader.words)

    def inside(spot: Spot) -> bool:
        return (
            spot.width in ((8,) if asked else (1, 4, 8))
            and spot.word >= 0
            and 0 <= spot.shift < 64
            and spot.shift % spot.width == 0
            and 64 * spot.word + spot.shift < room
            and 0 <= spot.cell < len(view.mirror)
            and (0 < spot.content < len(view.swap) if spot.width == 1 else spot.content == 0)
        )

    once = all(len({spot.cell for spot in side}) == len(side) for side in reader.spots)
    return (
        reader.kind in (PLANES, DIGITS, CELLS, FIELDS)
        and bool(asked or reader.words)
        and all(inside(spot) and (spot.width == 1) == (reader.kind == PLANES) for side in reader.spots for spot in side)
        and (features.structure.bits == 16 if reader.kind == PLANES else once)
    )


def _groups(features: Features) -> bool:
    cells, contents = len(features.view.mirror), len(features.view.swap)
    groups = [(kind, group) for kind in features.kinds for group in kind.groups]
    return (
        bool(groups) == (features.hidden == 0)
        and features.hidden in range(0, MOST_HIDDEN + 1, 16)
        and all(len(kind.labels) == contents and min(kind.labels) >= 0 == kind.labels[0] for kind in features.kinds)
        and all(group and len(group) == len(kind.groups[0]) for kind, group in groups)
        and all(0 <= c < cells for _, group in groups for c in group)
        and all(sorted(tie) == list(range(len(kind.groups[0]))) for kind in features.kinds for tie in kind.ties)
        and all(kind.size <= 1 << 32 for kind in features.kinds)
    )


def _counts(features: Features) -> bool:
    most = sum(max(features.counted[n]) for n in features.counts)
    return (
        len(features.counts) == len(features.view.mirror)
        and all(n >= 0 for n in features.counts)
        and all(len(each) == len(features.view.swap) and min(each) >= 0 for each in features.counted)
        and most < MOST_COUNT
        and 0 < len(features.phases) <= MOST_COUNT
        and (not features.structure.lazy or (max(features.phases) == 0 and features.reader.kind in (PLANES, CELLS)))
        and all(0 <= phase < 256 for phase in features.phases)
    )
