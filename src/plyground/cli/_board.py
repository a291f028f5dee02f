"""What a game shows at a terminal: its board in colours and Unicode signs, dice, and text wrapped at words.

A picture is drawn in the place of the one before. In a pipe, and at a terminal that can only print, everything is plain text, one
thing below the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from plyground.board import text as board_text
from plyground.board.svg import tones
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.system.streams import printable

if TYPE_CHECKING:
    from rich.console import Console
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


def rich_terminal(console: Console) -> bool:
    """Return whether this terminal can show Unicode signs."""
    return console.is_terminal and not console.is_dumb_terminal and console.encoding.lower().startswith("utf")


def colour(game: Game, side: int) -> str:
    """Return the colour of a side."""
    return NAMED.get(game.sides[side], COLOURS[side % len(COLOURS)])


def legend(game: Game, side: int, unicode: bool) -> str:
    """Return the signs of a side on the board; empty if they equal its name."""
    signs = game.signs[side]
    text = "".join(dict.fromkeys(signs.values() if unicode else signs))
    return "" if text == game.sides[side] else text


def paint(game: Game, s: State, old: Any, unicode: bool, flip: bool = False, squares: bool = False) -> Text:
    """Return the board of a state with each side in its colour, flipped or not; changes since the old state are highlighted.

    With `squares`, a board that is checkered has dark and light squares.
    """
    if game.board is None:
        texts = [flipped(game.show(x)) if flip else game.show(x) for x in (s, s if old is None else old)]
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
    below = with_signs(game, game.below(s)) if unicode else game.below(s)
    return Text("\n").join([*lines, *([Text(), Text(below)] if below else [])])


def _square(game: Game, cell: int, changed: bool) -> str:
    """Return the colour of a square."""
    assert game.board is not None
    cols = len(game.board.col_names)
    return f"on color({CHANGED if changed else DARK if (cell // cols + cell % cols) % 2 else LIGHT})"


def with_signs(game: Game, text: str) -> str:
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
    """Return whether this is the line with the column letters.

    >>> coordinates("  a b c d e f g h"), coordinates("h g f e d c b a"), coordinates("8 r n b q k b n r"), coordinates("")
    (True, True, False, False)
    """
    letters = "".join(line.split())
    return len(letters) > 1 and (letters in ALPHABET or letters[::-1] in ALPHABET)


def flipped(board: str) -> str:
    """Return the board as seen from the other side; lines of text below it stay as they are.

    >>> flipped("2 . x\\n1 o .\\n  a b\\nscore 10").split("\\n")
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
    """Return whether this line is text rather than part of the board."""
    return bool(re.search(r"[:,]", line) or (re.search(r"[^\W\d_]{3}", line) and "  " not in line.strip()))


def dice(text: str, unicode: bool) -> str | None:
    """Return a roll drawn as dice; None if the text is not a roll.

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
    """Return moves in order, side by side; one per line if they have several parts.

    >>> in_columns(["10", "9", "a1"], 80)
    '9 10 a1'
    """
    texts = in_order(texts)
    if any(" " in text for text in texts):
        return "\n".join(texts)
    most = max(map(len, texts))
    each = max(1, (width + 1) // (most + 1))
    if len(texts) <= each:
        return " ".join(texts)
    rows = [texts[i : i + each] for i in range(0, len(texts), each)]
    return "\n".join(" ".join(text.ljust(most) for text in row).rstrip() for row in rows)


def in_order(texts: Iterable[str]) -> list[str]:
    """Return the texts sorted as people expect, numbers by value."""
    return sorted(texts, key=natural)


def natural(text: str) -> list[tuple[int, int, str]]:
    """Return a sort key that orders numbers in a text by value, and before letters."""
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.findall(r"[0-9]+|[^0-9]+", text)]


class Screen:
    """Where a game is shown."""

    def __init__(self, out: Any) -> None:
        from rich.console import Console

        self.console = Console(file=out, highlight=False)
        self.unicode = rich_terminal(self.console)
        self.live = self.console.is_terminal and not self.console.is_dumb_terminal
        """Whether text can be drawn over."""
        self.squares = self.unicode and self.console.color_system in ("256", "truecolor") and not self.console.no_color
        """Whether there are colours for dark and light squares."""
        self.rows = 0
        """How many rows were printed since `begin`."""
        self._size = self.console.size

    @property
    def width(self) -> int:
        """The columns that a list may use."""
        return self.console.width if self.live else 100

    def say(self, text: str = "", style: str = "") -> None:
        """Print a line of text, without markup or control characters; a terminal never breaks it within a word."""
        from rich.text import Text

        self.show(Text(printable(text, "\n"), style), wrap=self.live)

    def show(self, text: Text, wrap: bool = False) -> None:
        """Print text as it is, or wrapped."""
        with self.console.capture() as captured:
            self.console.print(text, soft_wrap=not wrap)
        written = captured.get()
        self.console.file.write(written)
        self.console.file.flush()
        lines = [0] * written.count("\n") if wrap else [line.cell_len for line in text.split(allow_blank=True)]
        self.rows += sum(max(1, -(-length // self.console.width)) for length in lines)

    def begin(self) -> None:
        """Begin a picture: on a terminal in the place of the one before, and of all that was printed below it."""
        if self.live and self.rows:
            size, height = self.console.size, self.console.height
            up = "\x1b[H" if size != self._size else f"\x1b[{min(self.rows, height - 1)}A\r"
            self.console.file.write(f"{up}\x1b[J")
            self._size = size
        self.rows = 0

    def forget(self) -> None:
        """Leave what has been printed so far as it is: the next picture is drawn below it."""
        self.rows = 0

    def room_for(self, text: str) -> bool:
        """Return whether the text and a line to type in fit below the picture."""
        return self.rows + text.count("\n") + 3 <= self.console.height

    def glossary(self, rows: Iterable[tuple[str, str]]) -> None:
        """Print words with their meanings: beside each other, or below each other on a narrow terminal."""
        rows = list(rows)
        first = max(len(word) for word, _ in rows)
        for word, meaning in rows:
            if not self.live:
                self.say(f"  {word:{first}} {meaning}")
            elif self.console.width < 60:
                self.say(word, "bold")
                self._indented(meaning, 2)
            else:
                self._indented(meaning, first + 4, f"  {word}")

    def _indented(self, text: str, by: int, before: str = "") -> None:
        import textwrap

        lines = textwrap.wrap(text, max(20, self.console.width - by), break_long_words=False) or [""]
        for i, line in enumerate(lines):
            self.say(f"{before if i == 0 else '':{by}}{line}")
