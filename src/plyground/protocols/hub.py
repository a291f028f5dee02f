"""Hub 2, the protocol of draughts engines such as Scan and of the board Hub: international draughts.

    hub                                    id name=Plyground …, param …, wait
    init                                   ready
    pos pos=Wbbbbb…wwwww moves="32-28"
    level move-time=1
    go think                               info depth=11 score=0.03 …, done move=19-23 ponder=28x19x23

Commands have arguments name=value; a value with a space or a sign is quoted. The protocol: protocol.txt of Scan,
https://github.com/rhalbersma/scan
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO, ClassVar

from plyground import score as scores
from plyground.engine.players import Table
from plyground.errors import PlygroundError, TextError
from plyground.play.limit import Limit
from plyground.play.player import HUNG, ILLEGAL, RUBBISH, ForfeitError
from plyground.play.report import Analysis, Report
from plyground.protocols.peer import Peer, Trail
from plyground.protocols.server import Server
from plyground.protocols.thinker import Question, Thinker
from plyground.rules.game import Game
from plyground.rules.load import load
from plyground.system.runner import Worker

CELL = tuple(2 * n + 1 - 2 * n // 10 % 2 for n in range(50))
"""The cell of each square, as boards count cells."""
LETTERS = "ewWbB"
"""What is on a square: nothing, a man or a king of white, a man or a king of black."""
START = "W" + 20 * "b" + 10 * "e" + 20 * "w"
OVERHEAD = 0.03
"""Seconds of a move's own time that may be lost on the way."""
TELL_EVERY = 0.05
"""Seconds between two reports."""
MOST = 10**12
"""The largest number that counts in a limit."""
PARAMS = {"threads": (1, 1, 256), "memory": (64, 1, 1 << 16), "level": (10, 1, 10)}
"""The default, the least and the most of each number that can be set; `memory` of the table, in MB."""
HELLO, READY = 10.0, 60.0
"""Seconds for an engine to answer `hub` and `init`."""
ARGUMENT = re.compile(r'\s*([^\s="]+)(?:\s*=\s*(?:"([^"]*)"|([^\s="]+)))?')
MOVE = re.compile(r"[0-9]{1,2}(-[0-9]{1,2}|(x[0-9]{1,2}){2,})")


# -- text ------------------------------------------------------------------------------------------------------------------


def arguments(line: str) -> dict[str, str]:
    """The arguments of a command; one without a value has an empty one.

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


def said(command: str, **given: Any) -> str:
    """A command with arguments; an underscore in a name stands for a hyphen.

    >>> said("done", move="32-28"), said("error", message="bad move"), said("level", move_time=0.5)
    ('done move=32-28', 'error message="bad move"', 'level move-time=0.5')
    """
    quoted = {name: str(x) if re.fullmatch(r'[^\s="]+', str(x)) else '"' + str(x).replace('"', "'") + '"' for name, x in given.items()}
    return " ".join([command, *(f"{name.replace('_', '-')}={value}" for name, value in quoted.items())])


def write_state(game: Game, s: Any) -> str:
    """A position: the side to move, then what is on each square.

    >>> draughts = load("draughts")
    >>> write_state(draughts, draughts.start()) == START
    True
    """
    cells = game.cells(s)
    return "WB"[game.turn(s) or 0] + "".join(LETTERS[cells[cell]] for cell in CELL)


def read_state(game: Game, text: str) -> Any:
    """The state that a position means."""
    if not re.fullmatch(r"[WB][wWbBe]{50}", text):
        raise TextError("a position is W or B, then 50 squares, each w, W, b, B or e")
    sides = {
        side: ",".join(f"{'K' if x == side else ''}{n}" for n, x in enumerate(text[1:], 1) if x.upper() == side) for side in "WB"
    }
    return game.parse_state(f"{text[0]}:W{sides['W']}:B{sides['B']}")


def write_move(game: Game, s: Any, m: int) -> str:
    """A move: from and to, and for a capture all captured squares (`28x19x23`)."""
    text = game.format_move(s, m)
    if "x" not in text:
        return text
    before, after = game.cells(s), game.cells(game.play(s, m))
    others = (3, 4) if game.turn(s) == 0 else (1, 2)
    captured = [str(n) for n, cell in enumerate(CELL, 1) if before[cell] in others and after[cell] not in others]
    path = text.split("x")
    return "x".join([path[0], path[-1], *captured])


def read_move(game: Game, s: Any, text: str) -> int:
    """The legal move that a text means; captured squares are in any order."""
    first, *others = text.split("x")
    wanted = "x".join([first, *others[:1], *sorted(others[1:], key=int)]) if MOVE.fullmatch(text) else ""
    for m in game.legal(s) if wanted else ():
        if write_move(game, s, m) == wanted:
            return m
    raise TextError(f"{text!r:.40} is not a legal move in {write_state(game, s)}")


# -- the engine side -------------------------------------------------------------------------------------------------------


class Hub(Server):
    """The engine side."""

    def __init__(self, source: BinaryIO, target: BinaryIO) -> None:
        super().__init__(source, target)
        self.params = {name: default for name, (default, _, _) in PARAMS.items()}
        self.variant = "normal"
        self.level: dict[str, str] = {}
        self._thinker: Thinker | None = None
        self._root = START
        self._words: list[str] = []
        self._states: list[Any] = []
        self._told = 0.0
        self.commands: dict[str, Callable[[dict[str, str]], None]] = {
            "hub": self._introduce,
            "set-param": self._set,
            "init": self._init,
            "pos": self._position,
            "level": self.level_given,
            "go": self._go,
            "stop": lambda given: self._stop(),
            "ponder-hit": self._ponder_hit,
            "new-game": self._new_game,
            "ping": lambda given: self.say("pong"),
            "quit": self._quit,
        }
