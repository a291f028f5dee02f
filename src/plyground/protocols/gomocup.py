"""The protocol of Piskvork and Gomocup: gomoku with boards of any size that our rules have, freestyle or exactly five in a row.

    START 15                      OK
    INFO timeout_turn 5000
    TURN 7,7                      6,8

Coordinates count from 0, from the left and from the top. The protocol: https://plastovicka.github.io/protocl2en.htm
"""

from __future__ import annotations

import math
import re
import threading
import time
from collections.abc import Callable, Mapping
from typing import BinaryIO

from plyground.errors import PlygroundError
from plyground.play import words
from plyground.play.limit import Limit
from plyground.play.report import Analysis
from plyground.protocols.server import Server
from plyground.protocols.thinker import BackgroundEngine, EngineSettings, SearchRequest
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.rules.load import load
from plyground.system.runner import Worker

OWN, THEIRS = 1, 2
"""The owner of a stone, as in BOARD."""
EXACT = 1
"""The bit of INFO rule that asks for exactly five; the others are games that we don't have."""
USUAL_TURN = 5.0
"""Seconds for a move if the manager does not say."""
UNLIMITED = 2147483647
"""INFO time_left of a match without a limit."""
MATCH_SHARE = 20
"""A move takes at most this part of the time left for the match."""
STARTING = 4.0
"""Seconds that START waits for the compiler. It goes on after that, and moves that can't wait for it come from the textbook."""
NEEDED_MB, MAX_TABLE_MB = 300, 512
"""MB that the program needs without its table, and those of the largest table."""
COMMANDS_WITH_LINES = ("SWAP2BOARD", "YXBOARD")
"""Unknown commands that the lines up to DONE belong to."""
SKIPPED = "UNKNOWN was already answered"
Place = tuple[int, int]
PAIR = re.compile(r"(-?[0-9]{1,9})\s*,\s*(-?[0-9]{1,9})")
STONE = re.compile(rf"{PAIR.pattern}\s*,\s*([0-9])")


def turn_limit(turn: float, left: float = math.inf) -> Limit:
    """Return the limit for a move, with a margin for transmission to the manager: seconds per move, and those left for the match.

    >>> turn_limit(30).time, turn_limit(1).time, turn_limit(30, 40).time
    (29.5, 0.9, 1.995)
    """
    if turn <= 0:
        return Limit(depth=1, time=0.1)  # as fast as possible
    seconds = min(turn - min(0.5, 0.05 + 0.05 * turn), (left - 0.1) / MATCH_SHARE)
    return Limit(time=max(round(seconds, 4), 0.01))


def spec_of(size: int, exact: bool) -> str:
    """Return the game with a board of this size.

    >>> spec_of(15, False), spec_of(20, True)
    ('gomoku', 'gomoku(size=20, exact=1)')
    """
    given = [*([] if size == 15 else [f"size={size}"]), *(["exact=1"] if exact else [])]
    return f"gomoku({', '.join(given)})" if given else "gomoku"


def position(game: Game, stones: Mapping[Place, int]) -> State:
    """Return the state with these stones, in which we are to move."""
    counts = [list(stones.values()).count(whose) for whose in (OWN, THEIRS)]
    if counts[1] - counts[0] not in (0, 1):
        raise PlygroundError(f"{counts[0]} own stones and {counts[1]} opposing stones are impossible: sides alternate")
    letters = {0: ".", OWN: "XO"[counts[1] > counts[0]], THEIRS: "OX"[counts[1] > counts[0]]}
    size = range(game.parameters["size"])
    s: State = game.parse_state("/".join("".join(letters[stones.get((x, y), 0)] for x in size) for y in size))
    return s


class Gomocup(Server):
    """The engine side: what Piskvork calls a brain."""

    def __init__(self, source: BinaryIO, target: BinaryIO) -> None:
        super().__init__(source, target)
        self.size, self.rule = 0, 0
        self.stones: dict[Place, int] = {}
        self.turn, self.left = USUAL_TURN, math.inf
        self.memory = math.inf
        """MB that the manager allows."""
        self._thinker: BackgroundEngine | None = None
        self._list: dict[Place, int] | None = None  # between BOARD and DONE
        self._fault = ""  # what is wrong with it
        self._asked = 0  # a number for each question: answers to old ones are dropped
        self._thinks = False
        self._since = 0.0
        self._answering = threading.Lock()
        self.commands: dict[str, Callable[[str], None]] = {
            "START": self._start,
            "RECTSTART": self._start_rectangle,
            "RESTART": self._restart,
            "BEGIN": self._begin,
            "TURN": self._turn,
            "BOARD": self._board,
            "DONE": self._done,
            "TAKEBACK": self._take_back,
            "INFO": self._info,
            "ABOUT": self._about,
            "END": self._end,
        }

    # -- lines -------------------------------------------------------------------------------------------------------------

    def handle(self, line: str) -> None:
        """Carry out a command."""
        line = line.strip()
        word, rest = line.partition(" ")[0].upper(), line.partition(" ")[2].strip()
        if self._list is not None and line[:1] in tuple("-0123456789"):
            self._stone(line)
        elif word in self.commands:
            if word not in ("DONE", "INFO"):
                self._list = None  # a list that was begun is left unfinished
            self.commands[word](rest)
        elif line:
            self.say(f"UNKNOWN {line:.80}")
            if word in COMMANDS_WITH_LINES:
                self._list, self._fault = {}, SKIPPED

    def send_error(self, text: str) -> None:
        """Answer a command that can't be carried out."""
        self.say(f"ERROR {text}")

    def shut_down(self) -> None:
        """End the search; the process does not wait long for it."""
        Worker(self._drop).wait(1.0)

    def _tell(self, text: str) -> None:
        self.say(f"MESSAGE {text}")

    # -- commands ----------------------------------------------------------------------------------------------------------

    def _start(self, rest: str) -> None:
        if not re.fullmatch(r"[0-9]{1,9}", rest):
            raise PlygroundError("START needs the size of the board, as in START 20")
        self._drop()
        self.size, self.stones = 0, {}
        try:
            load(spec_of(int(rest), exact=False))
        except PlygroundError as e:
            raise PlygroundError(f"{e}; 15 and 20 are usual") from e
        self.size = int(rest)
        self._ready(self._engine())

    def _start_rectangle(self, rest: str) -> None:
        found = PAIR.fullmatch(rest)
        if found is None or found[1] != found[2]:
            raise PlygroundError("the board must be square, as with START 20")
        self._start(found[1])

    def _restart(self, rest: str) -> None:
        engine = self._engine()
        self._drop()
        self.stones = {}
        engine.forget()
        self._ready(engine)

    def _ready(self, engine: BackgroundEngine) -> None:
        """Say OK as soon as the engine is compiled, or a little later if that takes long or other commands wait."""
        until = time.monotonic() + STARTING
        engine.prepare()
        while not engine.ready(0.05) and not self.waiting and time.monotonic() < until:
            pass
        self.say("OK")

    def _begin(self, rest: str) -> None:
        self._think({}, "BEGIN")

    def _turn(self, rest: str) -> None:
        self._think({**self.stones, self._place(rest, empty=True): THEIRS}, "TURN")

    def _take_back(self, rest: str) -> None:
        place = self._place(rest, empty=False)
        self._drop()
        self.stones.pop(place, None)
        self.say("OK")

    def _place(self, text: str, empty: bool) -> Place:
        found = PAIR.fullmatch(text)
        if found is None:
            raise PlygroundError(f"a cell is written x,y, not {text!r:.40}")
        place = int(found[1]), int(found[2])
        if not all(0 <= x < self.size for x in place):
            raise PlygroundError(f"{text:.40} is not on the board, which has the size {self.size}")
        if (place not in self.stones) != empty:
            raise PlygroundError(f"{text:.40} is {'not empty' if empty else 'empty'}")
        return place

    def _board(self, rest: str) -> None:
        self._drop()
        self._list, self._fault = {}, ""

    def _stone(self, line: str) -> None:
        assert self._list is not None
        found = STONE.fullmatch(line)
        place = (int(found[1]), int(found[2])) if found else (-1, -1)
        if self._fault:
            return
        if found is None or int(found[3]) not in (OWN, THEIRS) or not all(0 <= x < self.size for x in place):
            self._fault = f"{line!r:.40} is not a stone on the board; it is written x,y,1 if it is yours, else x,y,2"
        elif place in self._list:
            self._fault = f"there are two stones on {place[0]},{place[1]}"
        else:
            self._list[place] = int(found[3])

    def _done(self, rest: str) -> None:
        stones, self._list = self._list, None
        if stones is None:
            raise PlygroundError("DONE ends a list that begins with BOARD")
        if self._fault == SKIPPED:
            return
        self._engine()
        if self._fault:
            raise PlygroundError(self._fault)
        self._think(stones, "BOARD")

    def _info(self, rest: str) -> None:
        """Set a value, without an answer: errors are reported after the next command."""
        key, _, value = rest.lower().partition(" ")
        if not re.fullmatch(r"-?[0-9]{1,15}", value.strip()):
            return
        number = int(value)
        if key == "timeout_turn":
            self.turn = number / 1000
            if self._thinks and self._thinker is not None and time.monotonic() > self._since + self.turn:
                self._thinker.stop()
        elif key == "time_left":
            self.left = math.inf if number >= UNLIMITED else number / 1000
        elif key == "timeout_match" and self.left == math.inf and number > 0:
            self.left = number / 1000
        elif key == "max_memory":
            self.memory = number / (1 << 20) if number > 0 else math.inf
        elif key == "rule":
            self.rule = number

    def _about(self, rest: str) -> None:
        from plyground import __version__

        self.say(f'name="Plyground", version="{__version__}", author="the Plyground developers"')

    def _end(self, rest: str) -> None:
        self.over = True

    # -- moves -------------------------------------------------------------------------------------------------------------

    def _engine(self) -> BackgroundEngine:
        """Return the engine for the board, the rule and the memory."""
        if not self.size:
            raise PlygroundError("there is no board yet: START comes first")
        spec = spec_of(self.size, exact=bool(self.rule & EXACT))
        if self._thinker is None or self._thinker.game.spec != spec:
            self._thinker = BackgroundEngine(load(spec), self._tell, self.report)
        if self.memory < math.inf:
            self._thinker.wanted = EngineSettings(memory=max(1, min(MAX_TABLE_MB, int(self.memory - NEEDED_MB))))
        return self._thinker

    def _think(self, stones: dict[Place, int], command: str) -> None:
        """Look for a move with these stones on the board; another thread answers."""
        if self._thinks:
            raise PlygroundError(f"{command} cancelled the search in progress")
        if self.rule & ~EXACT:
            raise PlygroundError(f"rule {self.rule} is not supported, only 0 (five or more) and 1 (exactly five)")
        engine = self._engine()
        s = position(engine.game, stones)
        if engine.game.result(s) is not None:
            raise PlygroundError("the game is over")
        if self.memory < NEEDED_MB:
            self._tell(f"{self.memory:.0f} MB is not enough memory; about {NEEDED_MB} MB is needed")
        self.stones = stones
        self._asked, self._thinks, self._since = self._asked + 1, True, time.monotonic()
        number = self._asked
        engine.ask(SearchRequest(s, turn_limit(self.turn, self.left), lambda found: self._answer(number, engine.game, s, found)))

    def _answer(self, number: int, game: Game, s: State, found: Analysis) -> None:
        with self._answering:
            if number != self._asked:
                return
            self._thinks = False
            if found.move is None:
                return  # the error was reported
            y, x = divmod(game.touch(s, found.move)[0], self.size)
            self.stones[x, y] = OWN
        score = words.score(found.score, found.exact, not found.limited)
        message = f"depth {found.depth}, {score}, {words.rate(found.nodes, found.seconds)}"
        self.say(f"MESSAGE {message}", f"{x},{y}")

    def _drop(self) -> None:
        """Stop thinking without an answer."""
        with self._answering:
            self._asked, self._thinks = self._asked + 1, False
        if self._thinker is not None:
            self._thinker.stop()
