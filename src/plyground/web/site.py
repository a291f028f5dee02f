"""A folder of pages with an index: what the files are called, and the page that leads to the others."""

from __future__ import annotations

import html
import random
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plyground.board.picture import STYLE, picture
from plyground.errors import PlygroundError
from plyground.pages import assemble
from plyground.rules.game import Game
from plyground.rules.rollouts import random_game
from plyground.system.files import cannot_write

PARTS = Path(__file__).parent / "page"
INDEX = "index.html"
PLIES = 9
"""How many moves are played for the picture of a game that begins with an empty board."""
MARK = '<meta name="generator" content="plyground">'
"""Every page has this line, so that no other file is overwritten."""


def file_name(game: Game) -> str:
    """Return the name of a game's page.

    >>> from plyground import load
    >>> file_name(load("connect4")), file_name(load("connect4(rows=5, cols=4)"))
    ('connect4.html', 'connect4-rows-5-cols-4.html')
    """
    return re.sub(r"[^\w.]+", "-", game.name).strip("-.") + ".html"


def file_names(games: list[Game]) -> dict[str, Game]:
    """Return the pages of a folder: a name for each game, all different."""
    found: dict[str, Game] = {}
    for game in games:
        name = file_name(game)
        if name in found:
            raise PlygroundError(f"{found[name].spec} and {game.spec} would both be {name}")
        if name == INDEX:
            raise PlygroundError(f"{game.spec}: the index of the folder is called {INDEX}; give the rules file another name")
        found[name] = game
    return found


def check_free(path: Path) -> None:
    """Refuse to overwrite a file that is not one of these pages."""
    if not path.is_file():
        return
    try:
        with open(path, "rb") as file:
            head = file.read(1000)
    except OSError as e:
        raise cannot_write(path, e) from e
    if head and MARK.encode() not in head:
        raise PlygroundError(f"{path} is there already and is not a page of plyground; choose another name, or remove it")


def index(pages: Mapping[str, Game]) -> str:
    """Return the page with a small picture of each game, which leads to its page."""
    cards = "\n".join(_card(name, game) for name, game in pages.items())
    return assemble(PARTS / "index.html", title="Games", styles=[STYLE, PARTS / "index.css"], games=cards)


def _card(name: str, game: Game) -> str:
    changed = {given: value for given, value in game.parameters.items() if value != game.described[given].default}
    more = f" <small>{', '.join(f'{given} {value}' for given, value in changed.items())}</small>" if changed else ""
    summary = game.summary.removeprefix(f"{game.title}: ")
    return (
        f'<li><a href="{html.escape(name)}"><span class="picture">{_picture(game)}</span>'
        f"<div><b>{html.escape(game.title)}</b>{more}<p>{_marked(summary[:1].upper() + summary[1:])}</p></div></a></li>"
    )


def _marked(text: str) -> str:
    """Return a line of a docstring, with its `code` marked."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(text))


def _picture(game: Game) -> str:
    """Return the first position; if that is an empty board, one a few moves later."""
    s = game.start()
    if game.board is None:
        return f"<pre>{html.escape(game.show(s))}</pre>"
    if not any(game.cells(s)):
        s = _later(game)
    return picture(game.board, game.sides).svg(game.cells(s), labelled=False)


def _later(game: Game) -> Any:
    """Return a position after a few random moves, always the same ones."""
    return [s for s, moves in random_game(game, random.Random(3), PLIES, likely=True) if moves][-1]
