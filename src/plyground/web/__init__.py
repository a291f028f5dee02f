"""A game's page: the board, and the rules and the engine compiled to WebAssembly, in one file that loads nothing."""

from __future__ import annotations

import html
from collections.abc import Callable
from pathlib import Path

from plyground.board.picture import STYLE
from plyground.errors import PlygroundError
from plyground.explain import page as explain_page
from plyground.nets.find import choose_evaluation
from plyground.pages import UNPACK, Allowed, as_data, assemble, pack, pack_scripts
from plyground.pages.bundle import bundle
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.web.facts import facts_of
from plyground.web.kernels import module

PARTS = Path(__file__).parent / "page"
LARGEST_NET = 16 << 20
"""In bytes: a larger one would make a page too slow to load."""


def page(
    game: Game, start: State | None = None, evaluate: str | Path | None = None, on_note: Callable[[str], None] = lambda text: None
) -> str:
    """Return the page of a game that begins with this state, ready to be written to a file.

    `evaluate` is that of `Engine`. A net that is too large for a page is left out, unless it was asked for; `on_note` is told.
    """
    evaluated_game, net = choose_evaluation(game, evaluate)
    if net is not None and net.stored.nbytes > LARGEST_NET:
        if evaluate is not None:
            raise PlygroundError(f"{evaluate}: this net is too large for a page: {net.stored.nbytes >> 20} MB")
        judge = "the evaluation of the rules judges" if "evaluate" in game.has else "random games judge"
        on_note(f"{game.name}: its net is too large for a page ({net.stored.nbytes >> 20} MB); there, {judge}")
        net = None
    facts = facts_of(evaluated_game, start, net, given=evaluate is not None) | {"module": pack(module(evaluated_game, net=net))}
    script, explained = bundle(PARTS / "page.js"), explain_page.allowed()
    return assemble(
        PARTS / "page.html",
        title=html.escape(game.title),
        styles=[STYLE, *(PARTS / f"{name}.css" for name in ("page", "analysis", "look"))],
        allowed=Allowed(
            ("'wasm-unsafe-eval'", UNPACK, script, *explained.scripts), explained.styles, "worker-src blob:; img-src data:"
        ),
        scripts=pack_scripts(
            data=("application/json", as_data(facts)),
            worker=("text/plain", bundle(PARTS / "worker.js")),
            script=("module", script),
        ),
    )
