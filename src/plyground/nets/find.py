"""Which evaluation a game has: its own `evaluate`, one from another file, or a net; and where nets are kept.

A user's own nets, nets beside the rules and nets that come with the games are found by name. A match keeps a copy of each net
that it began with, named by its checksum, even if that net is trained again meanwhile.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
from collections.abc import Iterable
from pathlib import Path

from plyground.errors import PlygroundError
from plyground.nets.file_format import copies, is_intact, load
from plyground.nets.net import Net
from plyground.rules.evaluation import with_evaluation
from plyground.rules.game import Game
from plyground.system.files import data_folder, make_folder, write_file

SHIPPED = Path(__file__).parents[1] / "games" / "nets"
RULES = "rules"
"""Asks for the game's own evaluation."""


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
    """Return the net for a game: the user's own, one beside the rules, or one that comes with the game; None if there is none."""
    beside = [] if game.file is None else [Path(game.file).with_name(file_name(game))]
    return next((path for path in (own_file(game), *beside) if path.is_file()), shipped_file(game))


def shipped_file(game: Game) -> Path | None:
    """Return the net that comes with the game; None if there is none."""
    path = SHIPPED / file_name(game)
    return path if path.is_file() else None


def local_copy(name: str, checksum: str, places: Iterable[Path]) -> Path:
    """Return a copy of the net with this checksum, made from the first of these files that still is it; `name` is for errors."""
    copy = copies() / f"{checksum}.net"
    for place in (copy, *places):
        with contextlib.suppress(OSError):
            data = place.read_bytes()
            if is_intact(data, checksum):
                if place != copy:
                    make_folder(copy.parent, 0o700)
                    write_file(copy, [data])
                return copy
    raise PlygroundError(f"{name}: the net that this match began with ({checksum[:8]}) is gone; begin a new match")


# -- evaluations --------------------------------------------------------------------------------------------------------------


def choose_evaluation(game: Game, evaluate: str | Path | None, search: bool = True) -> tuple[Game, Net | None]:
    """Return the game with the evaluation that was asked for, and the net, if it is one. With None, `search` looks for a net."""
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
    """Return what to tell people about a game that has no evaluation."""
    return (
        f"{game.name} has no `evaluate`: where the engine does not see the end, it judges by short random games; "
        f"`plyground train {shlex.quote(game.spec)}` teaches it to judge"
    )
