"""Pages of games, each in one file that loads nothing: the board, with the rules and the engine compiled to WebAssembly.

Several pages lie in a folder, with an index that leads to them.
"""

from __future__ import annotations

import html
import random
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from plyground.board.picture import STYLE, picture
from plyground.errors import PlygroundError
from plyground.explain import page as explain_page
from plyground.nets.net_evaluation import choose_evaluation
from plyground.pages import UNPACK, PagePolicy, as_data, assemble, pack, pack_scripts
from plyground.pages.bundle import bundle
from plyground.rules.game import Game
from plyground.rules.hooks import RulesState, State
from plyground.rules.rollouts import random_game
from plyground.system.files import cannot_write
from plyground.web.facts import facts_of
from plyground.web.kernels import module

PARTS = Path(__file__).parent / "page"
MAX_NET_BYTES = 16 << 20
"""In bytes: a larger one would make a page too slow to load."""
INDEX = "index.html"
PLIES = 9
"""Moves played for the picture of a game that begins with an empty board."""
MARK = '<meta name="generator" content="plyground">'
"""A line of every page: files without it are not overwritten."""


def page(
    game: Game, start: State | None = None, evaluate: str | Path | None = None, on_note: Callable[[str], None] = lambda text: None
) -> str:
    """Return the page of a game that begins with this state, ready to be written to a file.

    `evaluate` is that of `Engine`. A net that is too large for a page is refused if it was asked for, otherwise left out, and
    `on_note` is called with a line that says so.
    """
    evaluated_game, net = choose_evaluation(game, evaluate)
    if net is not None and net.stored.nbytes > MAX_NET_BYTES:
        size = f"{net.stored.nbytes >> 20} MB"
        if evaluate is not None:
            raise PlygroundError(f"{evaluate}: this net is too large for a page: {size}, but {MAX_NET_BYTES >> 20} MB at most")
        instead = "the evaluation of the rules" if "evaluate" in game.has else "random games"
        on_note(f"{game.name}: its net is too large for a page ({size}), which uses {instead} instead")
        net = None
    facts = facts_of(evaluated_game, start, net, given=evaluate is not None) | {"module": pack(module(evaluated_game, net=net))}
    script, explained = bundle(PARTS / "page.js"), explain_page.allowed()
    return assemble(
        PARTS / "page.html",
        title=html.escape(game.title),
        styles=[STYLE, *(PARTS / f"{name}.css" for name in ("page", "analysis", "look"))],
        allowed=PagePolicy(
            ("'wasm-unsafe-eval'", UNPACK, script, *explained.scripts), explained.styles, "worker-src blob:; img-src data:"
        ),
        scripts=pack_scripts(
            data=("application/json", as_data(facts)),
            worker=("text/plain", bundle(PARTS / "worker.js")),
            script=("module", script),
        ),
    )


# -- a folder of pages ---------------------------------------------------------------------------------------------------------


def file_name(game: Game) -> str:
    """Return the name of a game's page.

    >>> from plyground import load
    >>> file_name(load("connect4")), file_name(load("connect4(rows=5, cols=4)"))
    ('connect4.html', 'connect4-rows-5-cols-4.html')
    """
    return re.sub(r"[^\w.]+", "-", game.name).strip("-.") + ".html"


def file_names(games: list[Game]) -> dict[str, Game]:
    """Return the games of a folder by the names of their pages; refuse two with the same name."""
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
        raise PlygroundError(f"{path} already exists and is not a page of Plyground; choose another name or remove it")


def index(pages: Mapping[str, Game]) -> str:
    """Return the page that shows a small picture of each game and leads to its page."""
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
    """Draw the first position; if that is an empty board, one a few moves later."""
    s = game.start()
    if game.board is None:
        return f"<pre>{html.escape(game.show(s))}</pre>"
    if not any(game.cells(s)):
        s = _after_random_moves(game)
    return picture(game.board, game.sides).svg(game.cells(s), labelled=False)


def _after_random_moves(game: Game) -> RulesState:
    """Return a position after a few random moves, always the same ones."""
    states = [s for s, moves in random_game(game, random.Random(3), PLIES, likely=True) if moves]
    return states[-1]
