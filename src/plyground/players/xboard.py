"""Chess engines that speak the protocol of XBoard and WinBoard, as players: Fairy-Max and many others from before UCI.

The protocol: https://www.gnu.org/software/xboard/engine-intf.html (version 2). Between its moves the engine stays in force
mode, so that it moves only on `go`.
"""

from __future__ import annotations

import math
import re
import time

from plyground import score as scores
from plyground.errors import PlygroundError
from plyground.play.limit import Limit
from plyground.play.report import Analysis, Position
from plyground.players.external_engine import ExternalEngine, MoveTexts, legal, unknown_option_error
from plyground.players.player import UNPARSABLE, ForfeitError
from plyground.players.spec import PlayerDefaults, PlayerSpec
from plyground.protocols.uci import MOVE, uci_word
from plyground.rules.game import Game
from plyground.rules.hooks import State

FEATURE_SECONDS, EXTENDED_FEATURE_SECONDS = 2.0, 60.0
"""Seconds for the first features, and for all of them if the engine asks for more time; old engines send none."""
PONG_SECONDS = 120.0
FEATURE = re.compile(r'(\w+)=("[^"]*"|\S+)')
ANSWER = re.compile(r"(?:move|My move is\s*:)\s*(\S+)")
THINKING_OUTPUT = re.compile(r"\s*(\d{1,4})\S?\s+([+-]?\d{1,9})\s+\d+\s+(\d{1,18})(?:\s|$)")
"""Depth, score in hundredths of a pawn, time, nodes; then the line."""
CLAIM = re.compile(r"resign|1-0|0-1|1/2-1/2")
KNOWN = {
    "setboard",
    "usermove",
    "ping",
    "done",
    "myname",
    "memory",
    "smp",
    "option",
    "variants",
    "time",
    "draw",
    "colors",
    "debug",
}
"""Features that are accepted; among those that are not: moves as `san`."""


class XboardPlayer(ExternalEngine):
    """A chess engine that speaks the protocol of XBoard."""

    limits = frozenset(("depth", "time", "clock"))

    def __init__(self, spec: PlayerSpec, game: Game, defaults: PlayerDefaults) -> None:
        if game.name != "chess":
            raise PlygroundError(f"xboard is for chess, not for {game.name}")
        self._texts = MoveTexts(uci_word)
        self._features: dict[str, str] = {}
        self._offered: dict[str, str] = {}
        self._first: State = ()
        self._made: list[str] = []  # what the engine has on its board
        self._depth: int | None = None  # the last `sd`
        super().__init__(spec, game, defaults)

    def handshake(self) -> None:
        """Read the features, set the options, and begin a game."""
        if self.limit is not None and self.limit.nodes and not (self.limit.time or self.limit.depth):
            raise PlygroundError("the protocol of XBoard has no limit of nodes; give time or depth")
        self.process.send("xboard")
        self.process.send("protover 2")
        self._read_features()
        self.set_program_name(self._features.get("myname", ""))
        for name, value in self.options.items():
            self._set(name, value)
        self._begin()
        if self._features.get("ping") == "1":
            self.process.send("ping 1")
            self.process.wait_for("pong", PONG_SECONDS)

    def _read_features(self) -> None:
        until = time.monotonic() + FEATURE_SECONDS
        while "1" not in self._features.get("done", "") and (line := self.process.line(until - time.monotonic())) is not None:
            if not line.startswith("feature "):
                continue
            for name, value in FEATURE.findall(line):
                self.process.send(f"{'accepted' if name in KNOWN else 'rejected'} {name}")
                if name == "option":
                    offered = value.strip('"').partition(" -")
                    self._offered[offered[0].lower()] = offered[0]
                else:
                    self._features[name] = value.strip('"')
            if self._features.get("done") == "0":
                until = max(until, time.monotonic() + EXTENDED_FEATURE_SECONDS)

    def _set(self, name: str, value: str) -> None:
        """Set an option: one that the engine has announced, `memory` in MB, or `cores`."""
        common = {"memory": self._features.get("memory"), "cores": self._features.get("smp")}
        if name.lower() in self._offered:
            self.process.send(f"option {self._offered[name.lower()]}" + (f"={value}" if value else ""))
        elif common.get(name.lower()) == "1" and value.isdecimal():
            self.process.send(f"{name.lower()} {value}")
        else:
            names = sorted([*self._offered.values(), *(name for name, on in common.items() if on == "1")])
            raise unknown_option_error(self.program, name, names)

    def _begin(self) -> None:
        for word in ("new", "easy", "post", "force"):
            self.process.send(word)
        self._first, self._made, self._depth = self.game.start(), [], None  # `new` removes the limit of depth

    def start_search(self, position: Position, limit: Limit) -> None:
        """Make the moves that the engine does not have yet, tell it the limit, and send `go`."""
        first, moves = position.start, self._texts.of(position)
        same = self.game.identity(first) == self.game.identity(self._first)
        if not same or moves[: len(self._made)] != self._made or (self._depth and not limit.depth):
            self._begin()
            if self.game.identity(first) != self.game.identity(self._first):
                self._set_board(first)
        for text in moves[len(self._made) :]:
            self.process.send(f"usermove {text}" if self._features.get("usermove") == "1" else text)
        self._made = moves
        if limit.depth != self._depth:
            self.process.send(f"sd {limit.depth}")
            self._depth = limit.depth
        self._tell_time(limit)
        self.process.send("go")

    def _set_board(self, s: State) -> None:
        if self._features.get("setboard") != "1":
            raise PlygroundError(f"{self.program} can't begin from a position of its own; leave out the openings with positions")
        self.process.send(f"setboard {self.game.format_state(s)}")
        self._first = s

    def _tell_time(self, limit: Limit) -> None:
        """Send seconds per move, or what is left on the clock; times below a second as a clock for one move."""
        if limit.time is not None and limit.time >= 1:
            self.process.send(f"st {math.floor(limit.time)}")
        elif limit.time is not None:
            self.process.send("level 1 0:01 0")
            self.process.send(f"time {max(1, math.floor(100 * limit.time))}")
        elif limit.clock is not None:
            self.process.send(f"level 0 {max(1, math.ceil(limit.clock / 60))} {math.floor(limit.increment)}")
            self.process.send(f"time {max(1, math.floor(100 * limit.clock))}")

    def handle_line(self, line: str) -> str | None:
        """Read a move, thinking output, or a claimed result."""
        if match := ANSWER.match(line):
            self.process.send("force")
            return match[1]
        if match := THINKING_OUTPUT.match(line):
            self.found = Analysis(None, scores.clip(int(match[2])), int(match[1]), int(match[1]), int(match[3]))
        elif CLAIM.match(line):
            if line.startswith("resign"):
                raise ForfeitError("resignation", "it has resigned")
            raise ForfeitError(UNPARSABLE, f"it wrote {line!r:.60} instead of a move")
        elif line.startswith(("Illegal move", "Error")):
            raise ForfeitError(UNPARSABLE, f"it rejected the move: {line!r:.60}")
        return None

    def move(self, s: State, text: str) -> int:
        """Return the move that a text means: two squares, and what a pawn becomes."""
        if not MOVE.fullmatch(text.lower()):
            raise ForfeitError(UNPARSABLE, f"{text!r:.40} cannot be read as a move")
        m = legal(self.game, s, text)
        self._made = [*self._made, uci_word(s, m)]
        if self.found is not None:
            self.found.line = (m,)
        return m

    def stop_now(self) -> None:
        """Tell the engine to move now: `?`."""
        self.process.send("?")
