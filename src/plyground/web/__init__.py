"""A game's page: the board, and the rules and the engine compiled to WebAssembly, in one file that loads nothing."""

from __future__ import annotations

import base64
import html
import zlib
from pathlib import Path
from typing import Any

from plyground.board.picture import STYLE
from plyground.pages import as_data, filled, style
from plyground.pages.bundle import bundle
from plyground.rules.game import Game
from plyground.web.facts import facts_of
from plyground.web.kernels import module

PARTS = Path(__file__).parent / "page"


def page(game: Game, start: Any = None) -> str:
    """The page of a game that begins with this state, ready to be written to a file."""
    return filled(
        PARTS / "page.html",
        title=html.escape(game.title),
        style=style(STYLE, PARTS / "page.css", PARTS / "analysis.css"),
        data=as_data(facts_of(game, start) | {"module": packed(module(game))}),
        worker=bundle(PARTS / "worker.js"),
        script=bundle(PARTS / "page.js"),
    )


def packed(data: bytes) -> str:
    """Bytes as text that a page unpacks: deflated, then base64."""
    squeeze = zlib.compressobj(9, wbits=-15)
    return base64.b64encode(squeeze.compress(data) + squeeze.flush()).decode()
