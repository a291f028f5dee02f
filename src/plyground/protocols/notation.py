"""Moves of chess as UCI writes them: from where, to where, and the piece that a pawn becomes."""

from __future__ import annotations

import re
from typing import Any

from plyground.rules.game import Game

MOVE = re.compile(r"[a-h][1-8][a-h][1-8][qrbn]?|0000|\(none\)", re.IGNORECASE)
"""What a chess engine may write as a move; the last two mean that there is none."""


def move_text(game: Game, s: Any, m: int) -> str:
    """A move of chess in the notation of UCI; `parse_move` reads it.

    >>> from plyground import load
    >>> chess = load("chess")
    >>> move_text(chess, chess.start(), chess.parse_move(chess.start(), "Nf3"))
    'g1f3'
    """
    assert game.board is not None
    names = game.board.cell_names()
    promoted = game.format_move(s, m).partition("=")[2][:1].lower()
    return "".join(names[cell] for cell in game.touch(s, m)) + promoted
