"""How a board looks in the terminal: its cells or the text of `show` with colours and Unicode signs, flipped or not, and dice."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from plyground.board import text as board_text
from plyground.rules.game import Game

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

COLOURS = ("bold red", "bold yellow", "bold cyan", "bold green")
NAMED = {"white": "bold yellow", "black": "bold cyan"}
"""Colours that are readable on dark and light terminals."""
SPOTS = {1: "c", 2: "ai", 3: "aci", 4: "agdi", 5: "agcdi", 6: "abgdhi"}
"""The spots of a die, as letters of FACE."""
ALPHABET = "abcdefghijklmnopqrstuvwxyz"
FACE = ("a   d", "b c h", "g   i")


def rich_terminal(console: Console) -> bool:
    """Can this terminal show Unicode signs?"""
    return console.is_terminal and not console.is_dumb_terminal and console.encoding.lower().startswith("utf")


def colour(game: Game, side: int) -> str:
    """The colour of a side."""
    return NAMED.get(game.sides[side], COLOURS[side % len(COLOURS)])


def legend(game: Game, side: int, unicode: bool) -> str:
    """The signs of a side on the board; empty if they equal its name."""
    signs = game.signs[side]
    text = "".join(dict.fromkeys(signs.values() if unicode else signs))
    return "" if text == game.sides[side] else text


def paint(game: Game, s: Any, old: Any, unicode: bool, flip: bool = False) -> Text:
    """The board of a state with each side in its colour, flipped or not; changes since the old state are highlighted."""
    if game.board is None:
        texts = [turned(game.show(x)) if flip else game.show(x) for x in (s, s if old is None else old)]
        return paint_text(game, texts[0], texts[1], unicode)
    from rich.text import Text

    cells, before = game.cells(s), game.cells(s if old is None else old)
    rows = board_text.rows(game.board, cells, game.sides, game.turn(s) or 0)
    lines = []
    for row in board_text.turned(rows) if flip else rows:
        line = Text()
        for token, cell in row:
            piece = None if cell is None else game.board.piece(cells[cell])
            style = "dim" if piece is None else "" if piece.side is None else colour(game, piece.side)
            sign = token.replace(piece.letter, piece.glyph) if piece and piece.letter and unicode else token
            blank = len(sign) - len(sign.lstrip())
            line.append(" " * (blank + bool(line)))
            line.append(sign[blank:], f"{style} reverse" if cell is not None and cells[cell] != before[cell] else style)
        line.rstrip()
        lines.append(line)
    below = game.below(s)
    return Text("\n").join([*lines, *([Text(), Text(below)] if below else [])])


def paint_text(game: Game, board: str, old: str, unicode: bool) -> Text:
    """The text of a game without BOARD with each side's signs in its colour; changes since the old text are highlighted."""
    from rich.text import Text

    shown = {c: (sign if unicode else c, colour(game, i)) for i, signs in enumerate(game.signs) for c, sign in signs.items()}
    same = len(old) == len(board)
    text, at = Text(), 0
    for line in board.split("\n"):
        plain = coordinates(line)
        for i, c in enumerate(line, at):
            inside = re.match(r"[^\W\d_]{2}", board[max(i - 1, at) : i + 1]) or re.match(r"[^\W\d_]{2}", board[i : i + 2])
            sign, style = (c, "dim" if plain else "") if plain or inside else shown.get(c, (c, ""))
            changed = same and old[i] != c and not c.isspace()
            text.append(sign, f"{style} reverse" if changed else style)
        text.append("\n")
        at += len(line) + 1
    text.rstrip()
    return text


def coordinates(line: str) -> bool:
    """Is this the line with the column letters?

    >>> coordinates("  a b c d e f g h"), coordinates("h g f e d c b a"), coordinates("8 r n b q k b n r"), coordinates("")
    (True, True, False, False)
    """
    letters = "".join(line.split())
    return len(letters) > 1 and (letters in ALPHABET or letters[::-1] in ALPHABET)


def turned(board: str) -> str:
    """The board as seen from the other side; lines of text below it stay as they are.

    >>> turned("2 . x\\n1 o .\\n  a b\\nscore 10").split("\\n")
    ['b a  ', '. o 1', 'x . 2', 'score 10']
    """
    lines = board.split("\n")
    end = next((i for i, line in enumerate(lines) if words(line)), len(lines))
    while end and not lines[end - 1].strip():
        end -= 1
    width = max((len(line) for line in lines[:end]), default=0)
    around = [re.sub(r"\S+", lambda m: m[0][::-1], line.ljust(width)[::-1]) for line in reversed(lines[:end])]
    return "\n".join([*around, *lines[end:]])


def words(line: str) -> bool:
    """Is this line text rather than part of the board?"""
    return bool(re.search(r"[:,]", line) or (re.search(r"[^\W\d_]{3}", line) and "  " not in line.strip()))


def dice(text: str, unicode: bool) -> str | None:
    """A roll drawn as dice; None if the text is not a roll.

    >>> dice("3-1", unicode=False), dice("a2=2", unicode=False)
    ('[3] [1]', None)
    >>> print(dice("3-1", unicode=True))
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


def in_columns(texts: list[str], width: int) -> str:
    """Moves in order, side by side; one per line if they have several parts.

    >>> in_columns(["10", "9", "a1"], 80)
    '9 10 a1'
    """
    texts = sorted(texts, key=natural)
    if any(" " in text for text in texts):
        return "\n".join(texts)
    most = max(map(len, texts))
    each = max(1, (width + 1) // (most + 1))
    if len(texts) <= each:
        return " ".join(texts)
    rows = [texts[i : i + each] for i in range(0, len(texts), each)]
    return "\n".join(" ".join(text.ljust(most) for text in row).rstrip() for row in rows)


def natural(text: str) -> list[tuple[int, int, str]]:
    """A sort key that orders numbers in a text by value, and before letters."""
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.findall(r"[0-9]+|[^0-9]+", text)]
