"""Engines of gomoku, draughts and Othello, as players; `protocols/` says how their protocols write boards and moves."""

from __future__ import annotations

import contextlib
import math
import re
import time

from plyground import score as scores
from plyground.errors import PlygroundError, TextError
from plyground.play.limit import Limit
from plyground.play.report import Analysis, Position
from plyground.players.external_engine import ExternalEngine, MoveTexts, legal
from plyground.players.player import HUNG, ILLEGAL, UNPARSABLE, ForfeitError
from plyground.players.spec import PlayerDefaults, PlayerSpec
from plyground.protocols import hub, nboard
from plyground.protocols.gomocup import OWN, PAIR, THEIRS, UNLIMITED, Place
from plyground.rules.game import Game
from plyground.rules.hooks import State

START_SECONDS = 30.0
"""Seconds for an engine of Gomocup to answer START."""
HUB_SECONDS, INIT_SECONDS = 10.0, 60.0
"""Seconds for an engine of Hub to answer `hub` and `init`."""
MOVE_SPACING_SECONDS = 0.05
"""Seconds between a move of an engine of Gomocup and the next line for it: Rapfi writes its move some milliseconds before it
listens again, and what arrives earlier is lost."""
PING_SECONDS = 60.0
"""Seconds for an engine of NBoard to answer a `ping`."""
KEYS = ("max_memory", "folder")
"""The INFO keys that a player's text may set."""


class GomocupPlayer(ExternalEngine):
    """A gomoku engine that speaks the protocol of Piskvork and Gomocup."""

    limits = frozenset(("time", "clock"))

    def __init__(self, spec: PlayerSpec, game: Game, defaults: PlayerDefaults) -> None:
        if game.spec.partition("(")[0] != "gomoku":
            raise PlygroundError(f"gomocup is for gomoku, not for {game.name}")
        self.size = game.parameters["size"]
        self._known: dict[Place, int] = {}  # the stones on the engine's board
        self._listens_at = -math.inf  # when a line may be sent after the engine's last move
        super().__init__(spec, game, defaults.only("time"))

    def handshake(self) -> None:
        """Send START and what never changes."""
        if self.limit is not None and (self.limit.depth or self.limit.nodes):
            raise PlygroundError("engines of gomocup have no limit but time, as in gomocup:./pbrain-name,time=2")
        for name in self.options:
            if name not in KEYS:
                raise PlygroundError(f"gomocup has no option {name!r:.40}; there are {', '.join(KEYS)}")
        self._command(f"START {self.size}")
        for key, value in {**self.options, "timeout_match": 0, "game_type": 1, "rule": self.game.parameters["exact"]}.items():
            self.process.send(f"INFO {key} {value}")

    def _command(self, line: str) -> None:
        """Send a command that OK answers."""
        self.process.send(line)
        until = time.monotonic() + START_SECONDS
        while (answer := self.process.line(until - time.monotonic())) is not None:
            if answer.upper() == "OK":
                return
            if answer.upper().startswith(("ERROR", "UNKNOWN")):
                raise PlygroundError(f"{self.program} answered {answer!r:.80} to {line}")
        raise ForfeitError(HUNG, f"it did not answer {line} within {START_SECONDS:g} s")

    def choose(self, position: Position, limit: Limit | None = None) -> Analysis:
        """Return the engine's move, after waiting until it listens."""
        time.sleep(max(0.0, self._listens_at - time.monotonic()))
        found = super().choose(position, limit)
        self._listens_at = time.monotonic() + MOVE_SPACING_SECONDS
        return found

    def start_search(self, position: Position, limit: Limit) -> None:
        """Send the last move, or the whole board if the engine doesn't know what came before."""
        s = position.s
        cells = self.game.cells(s)
        own = 1 + (self.game.turn(s) or 0)
        stones = {(i % self.size, i // self.size): OWN if x == own else THEIRS for i, x in enumerate(cells) if x}
        new = [place for place in stones if place not in self._known]
        continues = stones == self._known | dict.fromkeys(new, THEIRS) and len(new) == 1
        if self._known and not continues:
            self._command("RESTART")
        seconds = limit.time or limit.clock or 0
        self.process.send(f"INFO timeout_turn {max(1, round(1000 * seconds))}")
        self.process.send(f"INFO time_left {UNLIMITED if limit.clock is None else round(1000 * limit.clock)}")
        if continues:
            lines = [f"TURN {new[0][0]},{new[0][1]}"]
        elif not stones:
            lines = ["BEGIN"]
        else:
            lines = ["BOARD", *(f"{x},{y},{whose}" for (x, y), whose in self._alternate(stones)), "DONE"]
        for line in lines:
            self.process.send(line)
        self._known = stones

    def _alternate(self, stones: dict[Place, int]) -> list[tuple[Place, int]]:
        """Return stones of both sides alternately, the first side's first: some engines replay them as moves."""
        mine, theirs = ([item for item in stones.items() if item[1] == whose] for whose in (OWN, THEIRS))
        first, second = (mine, theirs) if len(mine) == len(theirs) else (theirs, mine)
        both = [item for pair in zip(first, second, strict=False) for item in pair]
        return [*both, *first[len(second) :]]

    def handle_line(self, line: str) -> str | None:
        """Read a move, or what the engine says about it."""
        word = line.partition(" ")[0].upper()
        if word == "SUGGEST":
            self.process.send(f"PLAY {line[8:].strip()}")
        elif word in ("ERROR", "UNKNOWN"):
            raise ForfeitError(UNPARSABLE, f"it answered {line!r:.80} instead of a move")
        elif PAIR.fullmatch(line):
            return line
        elif word not in ("MESSAGE", "DEBUG", "OK"):
            self.record_unknown_line(line)
        return None

    def move(self, s: State, text: str) -> int:
        """Return the move that two coordinates mean."""
        x, y = (int(n) for n in text.split(","))
        if not (0 <= x < self.size and 0 <= y < self.size):
            raise ForfeitError(ILLEGAL, f"{text} is not on the board")
        self._known = {**self._known, (x, y): OWN}
        return legal(self.game, s, f"{chr(ord('a') + x)}{self.size - y}")

    def stop_now(self) -> None:
        """Set the time to 0; the next search sets its own."""
        self.process.send("INFO timeout_turn 0")


class HubPlayer(ExternalEngine):
    """A draughts engine that speaks Hub 2."""

    limits = frozenset(("depth", "nodes", "time", "clock"))

    def __init__(self, spec: PlayerSpec, game: Game, defaults: PlayerDefaults) -> None:
        if game.spec != "draughts":
            raise PlygroundError(f"hub is for draughts, not for {game.name}")
        self._texts = MoveTexts(lambda s, m: hub.write_move(game, s, m))
        super().__init__(spec, game, defaults)

    def handshake(self) -> None:
        """Read its name, set its parameters, and wait until it is ready."""
        self.process.send("hub")
        lines = [(line.split(" ")[0], line.partition(" ")[2]) for line in self.process.wait_for("wait", HUB_SECONDS)]
        known = {}
        for word, rest in lines:
            with contextlib.suppress(TextError):
                given = hub.arguments(rest) if word in ("id", "param") else {}
                if word == "id":
                    self.program = given.get("name") or self.program
                if word == "param":
                    known[given.get("name", "")] = given
        if known.get("variant", {}).get("value", "normal") != "normal":
            self.process.send(hub.command_text("set-param", name="variant", value="normal"))
        for name, value in self.options.items():
            if name not in known:
                raise PlygroundError(f"{self.program} has no parameter {name!r:.40}; it has {', '.join(known) or 'none'}")
            self.process.send(hub.command_text("set-param", name=name, value=value))
        self.process.send("init")
        self.process.wait_for("ready", INIT_SECONDS)
        self.process.send("new-game")

    def start_search(self, position: Position, limit: Limit) -> None:
        """Send `pos`, `level` and `go think`."""
        moves = self._texts.of(position)
        first = hub.write_state(self.game, position.start)
        self.process.send(hub.command_text("pos", pos=first, **({"moves": " ".join(moves)} if moves else {})))
        for name, value in limit.given().items():
            if name in ("depth", "nodes"):
                self.process.send(hub.command_text("level", **{name: value}))
        if limit.time is not None:
            self.process.send(hub.command_text("level", move_time=limit.time))
        elif limit.clock is not None:
            before = max(limit.clock - limit.increment, 0.0)
            increment = {"inc": limit.increment} if limit.increment else {}
            self.process.send(hub.command_text("level", time=f"{before:.3f}", **increment))
        self.process.send("go think")

    def handle_line(self, line: str) -> str | None:
        """Read `info` and `done`."""
        word, _, rest = line.partition(" ")
        try:
            given = hub.arguments(rest) if word in ("info", "done") else {}
        except TextError as e:
            if word == "done":
                raise ForfeitError(UNPARSABLE, f"{line!r:.80} cannot be read") from e
            return None
        if word == "done":
            return given.get("move", "")
        if word == "info":
            self._handle_info(given)
        elif word != "pong":
            self.record_unknown_line(line)
        return None

    def _handle_info(self, given: dict[str, str]) -> None:
        if "score" not in given:
            return
        with contextlib.suppress(ValueError, OverflowError):
            points, depth = round(100 * float(given["score"])), int(given.get("depth") or 0)
            self.found = Analysis(None, scores.clip(points), depth, depth, int(given.get("nodes") or 0))

    def move(self, s: State, text: str) -> int:
        """Return the move of `done`."""
        if not hub.MOVE.fullmatch(text):
            raise ForfeitError(UNPARSABLE, f"{text!r:.40} cannot be read as a move")
        try:
            return hub.read_move(self.game, s, text)
        except TextError as e:
            raise ForfeitError(ILLEGAL, str(e)) from None

    def stop_now(self) -> None:
        """Send `stop`."""
        self.process.send("stop")


class NBoardPlayer(ExternalEngine):
    """An Othello engine that speaks NBoard 2.

    The protocol limits the depth, and the time for the rest of the game: seconds per move are added up for the moves to come.
    """

    limits = frozenset(("depth", "time", "clock"))

    def __init__(self, spec: PlayerSpec, game: Game, defaults: PlayerDefaults) -> None:
        if game.spec != "othello":
            raise PlygroundError(f"nboard is for othello, not for {game.name}")
        self._texts = MoveTexts(lambda s, m: nboard.write_move(game, s, m))
        self._pings = 0
        super().__init__(spec, game, defaults.only("depth", "time"))

    def handshake(self) -> None:
        """Read its name; NBoard has no options."""
        self.limit = self.limit or Limit(depth=nboard.DEPTH)
        if self.limit.nodes:
            raise PlygroundError("engines of nboard have no limit but depth and time, as in nboard:./engine,depth=8")
        if self.options:
            raise PlygroundError(f"nboard has no options, such as {next(iter(self.options))!r:.40}")
        self.process.send("nboard 2")
        self.process.send(f"set depth {self.limit.depth or nboard.MAX_DEPTH}")
        for line in self._synchronise():
            if line.startswith("set myname "):
                self.program = line[11:].strip() or self.program

    def _synchronise(self) -> list[str]:
        """Wait until the engine has read all that was sent; return what it wrote meanwhile."""
        self._pings += 1
        self.process.send(f"ping {self._pings}")
        heard = self.process.wait_for("pong", PING_SECONDS)
        while heard[-1].split()[1:2] != [str(self._pings)]:
            heard += self.process.wait_for("pong", PING_SECONDS)
        return heard

    def choose(self, position: Position, limit: Limit | None = None) -> Analysis:
        """Return the engine's move, and what it reported about it."""
        wanted = limit.completed_by(self.limit) if limit is not None else self.limit
        if wanted is not None and wanted.time is not None:
            own_moves = position.game.cells(position.s).count(0) // 2 + 1
            limit = Limit(depth=wanted.depth, clock=wanted.time * own_moves)
        found = super().choose(position, limit)
        if wanted is not None and wanted.time is not None:
            self.add_time(found.seconds, wanted.time, wanted.overhead)
        return found

    def start_search(self, position: Position, limit: Limit) -> None:
        """Send the game so far, and `go`."""
        moves = self._texts.of(position)
        cells, mover = self.game.format_state(position.start).split()
        side = "XO".index(mover)
        left = "" if limit.clock is None else self._clock(limit.clock, moves)
        board = f"BO[8 {cells.replace('X', '*')} {'*O'[side]}]"
        played = "".join(f"{'BW'[(side + n) % 2]}[{move}]" for n, move in enumerate(moves))
        self.process.send(f"set game (;GM[Othello]PC[Plyground]PB[black]PW[white]RE[?]{left}TY[8]{board}{played};)")
        self.process.send(f"set depth {limit.depth or nboard.MAX_DEPTH}")
        self._synchronise()
        self.process.send("go")

    def _clock(self, left: float, moves: list[str]) -> str:
        """Return the time that is left, to a tenth of a second.

        A clock has whole seconds: NTest would read `2:05.5` as hours, minutes and seconds. But a move may have taken tenths, so
        the side's last move takes those that are too many.
        """
        tenths = max(1, math.floor(10 * left + 1e-6))
        seconds = -(-tenths // 10) if len(moves) > 1 else max(1, tenths // 10)
        if 10 * seconds > tenths and len(moves) > 1:
            moves[-2] += f"//{(10 * seconds - tenths) / 10:.1f}"
        return f"TI[{seconds // 60}:{seconds % 60:02}]"

    def handle_line(self, line: str) -> str | None:
        """Read the move after `===`, and what comes before it."""
        if line.startswith("==="):
            return re.split(r"[\s/]", line[3:].strip())[0]
        word, *rest = line.split() or [""]
        if word in ("search", "book"):
            self._handle_search(rest)
        elif word == "nodestats" and self.found is not None and rest[:1] and rest[0].isdecimal():
            self.found.nodes = int(rest[0])
        elif word not in ("status", "set", "pong", "nodestats", "learn", "learned"):
            self.record_unknown_line(line)
        return None

    def _handle_search(self, words: list[str]) -> None:
        with contextlib.suppress(ValueError, OverflowError, IndexError):
            points = round(nboard.POINTS * float(words[1].partition(",")[0]))
            # `60%` is how sure a search to the end is, `26@73%` a depth with that.
            depth = 0 if re.fullmatch(r"[0-9]+%.*", words[3]) else int(re.split(r"[^0-9]", words[3])[0])
            self.found = Analysis(None, scores.clip(points), depth, depth)

    def move(self, s: State, text: str) -> int:
        """Return the move after `===`."""
        if not nboard.MOVE.fullmatch(text):
            raise ForfeitError(UNPARSABLE, f"{text!r:.40} cannot be read as a move")
        try:
            return nboard.read_move(self.game, s, text)
        except TextError:
            raise ForfeitError(ILLEGAL, f"{text} is not a legal move in {self.game.format_state(s)}") from None

    def stop_now(self) -> None:
        """Send a `ping`, which stops the engine."""
        self._pings += 1
        self.process.send(f"ping {self._pings}")
