"""A folder of pages with an index: what the files are called, and the page that leads to the others."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from pathlib import Path

from plyground.errors import PlygroundError
from plyground.pages import filled, style
from plyground.rules.game import Game
from plyground.system.files import cannot_write

PARTS = Path(__file__).parent / "page"
INDEX = "index.html"
MARK = '<meta name="generator" content="plyground">'
"""Every page has this line, so that no other file is overwritten."""


def file_name(game: Game) -> str:
    """The name of a game's page.

    >>> from plyground import load
    >>> file_name(load("connect4")), file_name(load("connect4(rows=5, cols=4)"))
    ('connect4.html', 'connect4-rows-5-cols-4.html')
    """
    return re.sub(r"[^\w.]+", "-", game.name).strip("-.") + ".html"


def file_names(games: list[Game]) -> dict[str, Game]:
    """The pages of a folder: a name for each game, all different."""
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
    """Refuses to overwrite a file that is not one of these pages."""
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
    """The page with a small picture of each game, which leads to its page."""
    return filled(PARTS / "index.html", style=style(PARTS / "index.css"), games="\n".join(_card(*page) for page in pages.items()))


def _card(name: str, game: Game) -> str:
    told = f"<p>{html.escape(game.summary)}</p>" if game.summary else ""
    given = ", ".join(f"{name} {value}" for name, value in game.parameters.items() if value != game.described[name].default)
    more = f" <small>{html.escape(given)}</small>" if given else ""
    return (
        f'<li><a href="{html.escape(name)}"><span class="picture">{_picture(game)}</span>'
        f"<span><b>{html.escape(game.title)}</b>{more}{told}</span></a></li>"
    )


def _picture(game: Game) -> str:
    """The first position."""
    return f"<pre>{html.escape(game.show(game.start()))}</pre>"
