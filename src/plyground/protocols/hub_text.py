"""Lines, positions and moves of draughts as Hub writes them.

A line is a command with arguments name=value; a value with a space or a sign is quoted. A position is the side to move, then what
is on each of the 50 squares. A capture names all captured squares, in any order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from plyground.errors import TextError
from plyground.rules.game import Game
from plyground.rules.hooks import State

START = "W" + 20 * "b" + 10 * "e" + 20 * "w"
"""The first position."""
CELL = tuple(2 * n + 1 - 2 * n // 10 % 2 for n in range(50))
"""The cell of each square, as boards count cells."""
LETTERS = "ewWbB"
"""What is on a square: nothing, a man or a king of white, a man or a king of black."""
ARGUMENT = re.compile(r'\s*([^\s="]+)(?:\s*=\s*(?:"([^"]*)"|([^\s="]+)))?')
MOVE = re.compile(r"[0-9]{1,2}(-[0-9]{1,2}|(x[0-9]{1,2}){2,})")


def arguments(line: str) -> dict[str, str]:
    """Return the arguments of a command; one without a value has an empty one.

    >>> arguments('moves=9 time = 29.5 pv="32-28 17-22" infinite')
    {'moves': '9', 'time': '29.5', 'pv': '32-28 17-22', 'infinite': ''}
    """
    found, at, end = {}, 0, len(line.rstrip())
    while at < end:
        match = ARGUMENT.match(line, at)
        if match is None:
            raise TextError(f"{line[at : at + 40].strip()!r} cannot be read: an argument is name=value or name")
        found[match[1]] = match[2] or match[3] or ""
        at = match.end()
    return found


def command_text(command: str, **given: Any) -> str:
    """Return a command with arguments; an underscore in a name stands for a hyphen.

    >>> command_text("done", move="32-28"), command_text("error", message="bad move"), command_text("level", move_time=0.5)
    ('done move=32-28', 'error message="bad move"', 'level move-time=0.5')
    """

    def quoted(value: str) -> str:
        return value if re.fullmatch(r'[^\s="]+', value) else '"' + value.replace('"', "'") + '"'

    return " ".join([command, *(f"{name.replace('_', '-')}={quoted(str(x))}" for name, x in given.items())])


def write_state(game: Game, s: State) -> str:
    """Return a position: the side to move, then what is on each square.

    >>> from plyground import load
    >>> draughts = load("draughts")
    >>> write_state(draughts, draughts.start()) == START
    True
    """
    cells = game.cells(s)
    return "WB"[game.turn(s) or 0] + "".join(LETTERS[cells[cell]] for cell in CELL)


def read_state(game: Game, text: str) -> Any:
    """Return the state that a position means."""
    if not re.fullmatch(r"[WB][wWbBe]{50}", text):
        raise TextError("a position is W or B, then 50 squares, each w, W, b, B or e")
    sides = {
        side: ",".join(f"{'K' if x == side else ''}{n}" for n, x in enumerate(text[1:], 1) if x.upper() == side) for side in "WB"
    }
    return game.parse_state(f"{text[0]}:W{sides['W']}:B{sides['B']}")


def write_move(game: Game, s: State, m: int) -> str:
    """Return a move: from and to, and for a capture all captured squares (`28x19x23`)."""
    text = game.format_move(s, m)
    if "x" not in text:
        return text
    before, after = game.cells(s), game.cells(game.child(s, m))
    others = (3, 4) if game.turn(s) == 0 else (1, 2)
    captured = [str(n) for n, cell in enumerate(CELL, 1) if before[cell] in others and after[cell] not in others]
    path = text.split("x")
    return "x".join([path[0], path[-1], *captured])


def read_move(game: Game, s: State, text: str) -> int:
    """Return the legal move that a text means; captured squares are in any order."""
    first, *others = text.split("x")
    wanted = "x".join([first, *others[:1], *sorted(others[1:], key=int)]) if MOVE.fullmatch(text) else ""
    for m in game.legal(s) if wanted else ():
        if write_move(game, s, m) == wanted:
            return m
    raise TextError(f"{text!r:.40} is not a legal move in {write_state(game, s)}")


def write_line(game: Game, s: State, line: Sequence[int]) -> list[str]:
    """Return the legal part of a line."""
    texts = []
    for m in line:
        if m not in game.legal(s):
            break
        texts.append(write_move(game, s, m))
        s = game.child(s, m)
    return texts
