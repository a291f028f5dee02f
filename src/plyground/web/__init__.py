"""A game's page: the board, and the rules and the engine compiled to WebAssembly, in one file that loads nothing."""

from __future__ import annotations

import html
from collections.abc import Callable
from pathlib import Path
from typing import Any

from plyground.board.picture import STYLE
from plyground.engine.judge import judged_by
from plyground.errors import PlygroundError
from plyground.pages import as_data, packed, packed_scripts, whole
from plyground.pages.bundle import bundle
from plyground.rules.game import Game
from plyground.web.facts import facts_of
from plyground.web.kernels import module

PARTS = Path(__file__).parent / "page"
LARGEST_NET = 16 << 20
"""In bytes: a larger one would make a page too slow to load."""


def page(
    game: Game, start: Any = None, evaluate: str | Path | None = None, on_note: Callable[[str], None] = lambda text: None
) -> str:
    """The page of a game that begins with this state, ready to be written to a file.

    `evaluate` is that of `Engine`. A net that is too large for a page is left out, unless it was asked for; `on_note` is told.
    """
    judged, net = judged_by(game, evaluate)
    if net is not None and net.stored.nbytes > LARGEST_NET:
        if evaluate is not None:
            raise PlygroundError(f"{evaluate}: this net is too large for a page: {net.stored.nbytes >> 20} MB")
        judge = "the evaluation of the rules judges" if "evaluate" in game.has else "random games judge"
        on_note(f"{game.name}: its net is too large for a page ({net.stored.nbytes >> 20} MB); there, {judge}")
        net = None
    facts = facts_of(judged, start, net) | {"module": packed(module(judged, net=net))}
    return whole(
        PARTS / "page.html",
        title=html.escape(game.title),
        styles=[STYLE, *(PARTS / f"{name}.css" for name in ("page", "analysis", "look"))],
        policy="script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; img-src data:",
        scripts=packed_scripts(
            data=("application/json", as_data(facts)),
            worker=("text/plain", bundle(PARTS / "worker.js")),
            script=("module", bundle(PARTS / "page.js")),
        ),
    )
