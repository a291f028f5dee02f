"""Where the nets of games are: those that the user has trained, and those that come with the games."""

from __future__ import annotations

import re
from pathlib import Path

from plyground.compile.folder import copies_folder
from plyground.rules.game import Game
from plyground.system.files import data_folder

SHIPPED = Path(__file__).parents[1] / "games" / "nets"


def file_name(game: Game) -> str:
    """The name of a game's net.

    >>> from plyground import load
    >>> file_name(load("connect4")), file_name(load("connect4(rows=5, cols=4)"))
    ('connect4.net', 'connect4-rows-5-cols-4.net')
    """
    return re.sub(r"[^\w.]+", "-", game.name).strip("-.") + ".net"


def own_file(game: Game) -> Path:
    """Where a net that the user trains is kept, unless another file is given."""
    return data_folder() / "nets" / file_name(game)


def net_file(game: Game) -> Path | None:
    """The net for a game: the user's own, one beside the rules, or one that comes with the game; None if there is none."""
    beside = [] if game.file is None else [Path(game.file).with_name(file_name(game))]
    return next((path for path in (own_file(game), *beside) if path.is_file()), shipped_file(game))


def shipped_file(game: Game) -> Path | None:
    """The net that comes with the game; None if there is none."""
    path = SHIPPED / file_name(game)
    return path if path.is_file() else None


def copies() -> Path:
    """Where copies of nets are kept for later."""
    return copies_folder() / "nets"
