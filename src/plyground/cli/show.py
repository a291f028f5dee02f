"""Show the board of a position in the terminal, or write a picture of it.

  plyground show connect4 --moves 44352
  plyground show chess --moves "e4 e5" --out board.svg
  plyground show backgammon --flip --out -          (prints the picture, for another program)

The cells changed by the last move are marked. Pictures adapt to light and dark mode.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING

from plyground.board import text as board_text
from plyground.board.svg import tones
from plyground.cli import UsageError, position
from plyground.cli._terminal import print_json, rich_terminal
from plyground.play.match import Match
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.rules.load import load
from plyground.system.files import write_text

if TYPE_CHECKING:
    from rich.text import Text

COLOURS = ("bold red", "bold yellow", "bold cyan", "bold green")
NAMED = {"white": "bold yellow", "black": "bold cyan"}
"""Colours that are readable on dark and light terminals."""
LIGHT, DARK, CHANGED = 67, 60, 136
"""The squares of a checkered board, and those that have changed, of the 256 colours: black and white can be read on all."""
INKS = {"white": "color(231)", "black": "color(16)"}
DRAWN = str.maketrans(board_text.LINES, "─│\u2571\u2572┼")  # slanting lines
SPOTS = {1: "c", 2: "ai", 3: "aci", 4: "agdi", 5: "agcdi", 6: "abgdhi"}
"""The spots of a die, as letters of FACE."""
ALPHABET = "abcdefghijklmnopqrstuvwxyz"
FACE = ("a   d", "b c h", "g   i")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `plyground show`."""
    position(parser)
    parser.add_argument("--flip", action="store_true", help="show the board as the second side sees it")
    parser.add_argument("--out", metavar="FILE", help="write a picture to this file, such as board.svg; - prints it")


def run(args: argparse.Namespace) -> int:
    """Print the board, or write its picture."""
    if args.out not in (None, "-") and Path(args.out).suffix != ".svg":
        raise UsageError(f"--out {args.out!r:.60}: choose a name that ends in .svg, or - to print the picture")
    match = Match(load(args.game), args.state, args.moves)
    before = match.states[-2] if len(match.states) > 1 else None
    svg = None if args.out is None else match.game.draw(match.s, before, flip=args.flip).svg
    if svg is not None and args.out != "-":
        write_text(args.out, svg + "\n")
    if args.json:
        print_json(as_json(match) | ({} if svg is None else {"svg": svg} if args.out == "-" else {"out": args.out}))
    elif svg is not None:
        print(svg.encode("ascii", "xmlcharrefreplace").decode() if args.out == "-" else f"written to {args.out}")
    else:
        _print(match, before, args.flip)
    return 0


def as_json(match: Match) -> dict[str, object]:
    """Return the position, for --json."""
    game = match.game
    return {
        "game": game.spec,
        "state": game.format_state(match.s),
        "side": match.side,
        "over": match.result is not None,
        "cells": game.cells(match.s),
        "text": game.show(match.s),
    }


def _print(match: Match, before: State | None, flip: bool) -> None:
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True, emoji=False, markup=False)
    unicode = rich_terminal(console)
    console.print(paint(match.game, match.s, before, unicode, flip))
    text = f"{'chance' if match.mover is None else match.side} to move" if match.result is None else match.describe_end()
    console.print(f"\n{with_glyphs(match.game, text) if unicode else text}")


# -- the board in colours --------------------------------------------------------------------------------------------------


def colour(game: Game, side: int) -> str:
    """Return the colour of a side."""
    return NAMED.get(game.sides[side], COLOURS[side % len(COLOURS)])


def legend(game: Game, side: int, unicode: bool) -> str:
    """Return the signs of a side on the board; empty if they equal its name."""
    signs = game.signs[side]
    text = "".join(dict.fromkeys(signs.values() if unicode else signs))
    return "" if text == game.sides[side] else text


def paint(game: Game, s: State, old: State | None, unicode: bool, flip: bool = False, squares: bool = False) -> Text:
    """Return the board of a state with each side in its colour, flipped or not; changes since the old state are highlighted.

    With `squares`, a board that is checkered has dark and light squares.
    """
    if game.board is None:
        texts = [flip_text(game.show(x)) if flip else game.show(x) for x in (s, s if old is None else old)]
        return paint_text(game, texts[0], texts[1], unicode)
    from rich.text import Text

    board, cells, before = game.board, game.cells(s), game.cells(s if old is None else old)
    squares = squares and board.checkered
    tone = tones(board, game.sides)
    lines = []
    for row in board_text.rows(board, cells, game.sides, game.turn(s) or 0, flip):
        line, ended = Text(), False
        for token, cell in row:
            if cell is None:
                shown = token.translate(DRAWN) if unicode and board.shape == "free" and token in board_text.LINES else token
                line.append("" if ended else shown, "dim" if shown.strip() else "")
                ended = False
                continue
            piece, changed = board.piece(cells[cell]), cells[cell] != before[cell]
            sign = token.replace(piece.letter, piece.glyph) if piece.letter and unicode else token
            if squares:
                ink = "" if piece.side is None else f"bold {INKS.get(tone[piece.side], '')} "
                line.append(f"{'' if piece.side is None else sign:{len(sign)}} ", f"{ink}{_square(game, cell, changed)}")
                ended = True
                continue
            style = "dim" if piece.side is None and piece.letter else "" if piece.side is None else colour(game, piece.side)
            blank = len(sign) - len(sign.lstrip())
            line.append(" " * blank)
            line.append(sign[blank:], f"{style} reverse" if changed else style)
        if not squares:
            line.rstrip()
        lines.append(line)
    below = with_glyphs(game, game.status_lines(s)) if unicode else game.status_lines(s)
    return Text("\n").join([*lines, *([Text(), Text(below)] if below else [])])


def _square(game: Game, cell: int, changed: bool) -> str:
    """Return the colour of a square."""
    assert game.board is not None
    cols = len(game.board.col_names)
    return f"on color({CHANGED if changed else DARK if (cell // cols + cell % cols) % 2 else LIGHT})"


def with_glyphs(game: Game, text: str) -> str:
    """Return a text with the signs of the board where it has the letters of pieces, as words of their own: black ● 2."""
    signs = {letter: glyph for side in game.signs for letter, glyph in side.items() if letter != glyph}
    if not signs:
        return text
    return re.sub(rf"(?<![\w-])({'|'.join(map(re.escape, signs))})(?![\w-])", lambda found: signs[found[1]], text)


def paint_text(game: Game, board: str, old: str, unicode: bool) -> Text:
    """Return the text of a game without BOARD with each side's signs in its colour; changes since the old text are
    highlighted.
    """
    from rich.text import Text

    shown = {c: (sign if unicode else c, colour(game, i)) for i, signs in enumerate(game.signs) for c, sign in signs.items()}
    same = len(old) == len(board)
    text, at = Text(), 0
    for line in board.split("\n"):
        plain = is_column_header(line)
        for i, c in enumerate(line, at):
            inside = re.match(r"[^\W\d_]{2}", board[max(i - 1, at) : i + 1]) or re.match(r"[^\W\d_]{2}", board[i : i + 2])
            sign, style = (c, "dim" if plain else "") if plain or inside else shown.get(c, (c, ""))
            changed = same and old[i] != c and not c.isspace()
            text.append(sign, f"{style} reverse" if changed else style)
        text.append("\n")
        at += len(line) + 1
    text.rstrip()
    return text


def is_column_header(line: str) -> bool:
    """Return whether this is the line with the column letters.

    >>> [is_column_header(line) for line in ("  a b c d e f g h", "h g f e d c b a", "8 r n b q k b n r", "")]
    [True, True, False, False]
    """
    letters = "".join(line.split())
    return len(letters) > 1 and (letters in ALPHABET or letters[::-1] in ALPHABET)


def flip_text(board: str) -> str:
    """Return the board as seen from the other side; lines of text below it stay as they are.

    >>> flip_text("2 . x\\n1 o .\\n  a b\\nscore 10").split("\\n")
    ['b a  ', '. o 1', 'x . 2', 'score 10']
    """
    lines = board.split("\n")
    end = next((i for i, line in enumerate(lines) if is_text(line)), len(lines))
    while end and not lines[end - 1].strip():
        end -= 1
    width = max((len(line) for line in lines[:end]), default=0)
    around = [re.sub(r"\S+", lambda m: m[0][::-1], line.ljust(width)[::-1]) for line in reversed(lines[:end])]
    return "\n".join([*around, *lines[end:]])


def is_text(line: str) -> bool:
    """Return whether this line is text rather than part of the board."""
    return bool(re.search(r"[:,]", line) or (re.search(r"[^\W\d_]{3}", line) and "  " not in line.strip()))


def draw_dice(text: str, unicode: bool) -> str | None:
    """Return a roll drawn as dice; None if the text is not a roll.

    >>> draw_dice("3-1", unicode=False), draw_dice("a2=2", unicode=False)
    ('[3] [1]', None)
    >>> print(draw_dice("3-1", unicode=True))
    ╭───────╮ ╭───────╮
    │ ●     │ │       │
    │   ●   │ │   ●   │
    │     ● │ │       │
    ╰───────╯ ╰───────╯
    """
    if not re.fullmatch(r"[1-6](-[1-6])*", text):
        return None
    rolled = [int(n) for n in text.split("-")]
    if not unicode:
        return " ".join(f"[{n}]" for n in rolled)
    faces = []
    for n in rolled:
        spots = [re.sub(r"[a-i]", lambda m: "●" if m[0] in SPOTS[n] else " ", row) for row in FACE]  # noqa: B023 (used at once)
        faces.append(["╭───────╮", *(f"│ {row} │" for row in spots), "╰───────╯"])
    return "\n".join(" ".join(rows) for rows in zip(*faces, strict=True))
