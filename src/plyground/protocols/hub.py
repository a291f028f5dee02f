"""Hub 2, the protocol of draughts engines such as Scan and of the board Hub: international draughts.

    hub                                    id name=Plyground …, param …, wait
    init                                   ready
    pos pos=Wbbbbb…wwwww moves="32-28"
    level move-time=1
    go think                               info depth=11 score=0.03 …, done move=19-23 ponder=28x19x23

A line is a command with arguments name=value; a value with a space or an equals sign is quoted. A position is the side to move,
then what is on each of the 50 squares. A capture names all captured squares, in any order.

The protocol: protocol.txt of Scan, https://github.com/rhalbersma/scan
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from typing import BinaryIO

from plyground.engine import FULL_STRENGTH
from plyground.errors import PlygroundError, TextError
from plyground.play.limit import Limit
from plyground.play.report import Analysis, Report
from plyground.protocols.server import Server
from plyground.protocols.thinker import BackgroundEngine, EngineSettings, SearchRequest
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.rules.load import load
from plyground.system.runner import Worker

STARTING = 20.0
"""Seconds that `init` waits for the compiler. It goes on after that, and moves that can't wait for it come from the textbook."""
REPORT_INTERVAL = 0.05
"""Seconds between two reports."""
MAX_NUMBER = 10**12
"""The largest number that counts in a limit."""
PARAMS = {"threads": (1, 1, 256), "memory": (64, 1, 1 << 16), "level": (10, 1, 10)}
"""The default, minimum and maximum of each numeric parameter; `memory` of the table, in MB."""
NUMBERS = ("move-time", "time", "inc", "moves", "depth", "nodes")
"""The arguments of `level` that have a value."""
START = "W" + 20 * "b" + 10 * "e" + 20 * "w"
"""The first position."""
CELL = tuple(2 * n + 1 - 2 * n // 10 % 2 for n in range(50))
"""The cell of each square, as boards count cells."""
LETTERS = "ewWbB"
"""What is on a square: nothing, a man or a king of white, a man or a king of black."""
ARGUMENT = re.compile(r'\s*([^\s="]+)(?:\s*=\s*(?:"([^"]*)"|([^\s="]+)))?')
MOVE = re.compile(r"[0-9]{1,2}(-[0-9]{1,2}|(x[0-9]{1,2}){2,})")


# -- lines, positions and moves ----------------------------------------------------------------------------------------------


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


def command_text(command: str, **given: object) -> str:
    """Return a command with arguments; an underscore in a name stands for a hyphen.

    >>> command_text("done", move="32-28"), command_text("error", message="bad move"), command_text("level", move_time=0.5)
    ('done move=32-28', 'error message="bad move"', 'level move-time=0.5')
    """

    def quote(value: str) -> str:
        return value if re.fullmatch(r'[^\s="]+', value) else '"' + value.replace('"', "'") + '"'

    return " ".join([command, *(f"{name.replace('_', '-')}={quote(str(x))}" for name, x in given.items())])


def write_state(game: Game, s: State) -> str:
    """Return a position: the side to move, then what is on each square.

    >>> from plyground import load
    >>> draughts = load("draughts")
    >>> write_state(draughts, draughts.start()) == START
    True
    """
    cells = game.cells(s)
    return "WB"[game.turn(s) or 0] + "".join(LETTERS[cells[cell]] for cell in CELL)


def read_state(game: Game, text: str) -> State:
    """Return the state that a position means."""
    if not re.fullmatch(r"[WB][wWbBe]{50}", text):
        raise TextError("a position is W or B, then 50 squares, each w, W, b, B or e")
    sides = {
        side: ",".join(f"{'K' if x == side else ''}{n}" for n, x in enumerate(text[1:], 1) if x.upper() == side) for side in "WB"
    }
    s: State = game.parse_state(f"{text[0]}:W{sides['W']}:B{sides['B']}")
    return s


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


# -- the engine side ---------------------------------------------------------------------------------------------------------


class Hub(Server):
    """The engine side."""

    def __init__(self, source: BinaryIO, target: BinaryIO) -> None:
        super().__init__(source, target)
        self.params = {name: default for name, (default, _, _) in PARAMS.items()}
        self.variant = "normal"
        self.level: dict[str, str] = {}
        """The arguments of `level` since the last `pos` or `go`."""
        self._thinker: BackgroundEngine | None = None
        self._root, self._moves = START, list[str]()
        self._states: list[State] = []
        """From the root to the position; empty if it could not be read, or at first."""
        self._last_report = 0.0  # when the last report was written
        self.commands: dict[str, Callable[[dict[str, str]], None]] = {
            "hub": self._introduce,
            "set-param": self._set,
            "init": self._init,
            "pos": self._position,
            "level": lambda given: self.level.update(given),
            "go": self._go,
            "stop": lambda given: self._stop(),
            "ponder-hit": self._hit,
            "new-game": self._new_game,
            "ping": lambda given: self.say("pong"),
            "quit": self._quit,
        }

    def handle(self, line: str) -> None:
        """Carry out a command. Other arguments than its own are ignored."""
        word, _, rest = line.strip().partition(" ")
        if word in self.commands:
            self.commands[word](arguments(rest))
        elif word:
            raise PlygroundError(f"there is no command {word!r:.40}; the commands are {', '.join(self.commands)}")

    def send_error(self, text: str) -> None:
        """Report an error."""
        self.say(command_text("error", message=text))

    def shut_down(self) -> None:
        """End the search; the process does not wait long for it."""
        Worker(self._stop).wait(1.0)

    # -- commands ----------------------------------------------------------------------------------------------------------

    def _introduce(self, given: dict[str, str]) -> None:
        from plyground import __version__

        self.say(
            command_text("id", name="Plyground", version=__version__, author="the Plyground developers"),
            command_text("param", name="variant", value="normal", type="enum", values="normal"),
            *(
                command_text("param", name=name, value=value, type="int", min=least, max=most)
                for name, (value, least, most) in PARAMS.items()
            ),
            "wait",
        )

    def _set(self, given: dict[str, str]) -> None:
        name, value = given.get("name", ""), given.get("value", "")
        if name == "variant":
            self.variant = value
            self._check_variant()
        elif name not in PARAMS:
            raise PlygroundError(f"there is no parameter {name!r:.40}; there are variant, {', '.join(PARAMS)}")
        else:
            _, least, most = PARAMS[name]
            if not re.fullmatch(r"[0-9]{1,9}", value) or not least <= int(value) <= most:
                raise PlygroundError(f"{name} must be a whole number from {least} to {most}, not {value!r:.40}")
            self.params[name] = int(value)

    def _check_variant(self) -> None:
        if self.variant != "normal":
            raise PlygroundError(f"the variant {self.variant!r:.40} is not supported, only normal: international draughts")

    def _engine(self) -> BackgroundEngine:
        """Return the engine with the parameters that were set."""
        if self._thinker is None:
            self._thinker = BackgroundEngine(
                load("draughts"), lambda text: self.say(command_text("info", text=text)), self.report
            )
        self._thinker.wanted = EngineSettings(memory=self.params["memory"], threads=self.params["threads"])
        return self._thinker

    def _init(self, given: dict[str, str]) -> None:
        """Say `ready` when everything is compiled, or earlier if that takes long or other commands wait."""
        self._check_variant()
        engine, until = self._engine(), time.monotonic() + STARTING
        engine.prepare()
        while not engine.ready(0.05) and not self.waiting and time.monotonic() < until:
            pass
        self.say("ready")

    def _new_game(self, given: dict[str, str]) -> None:
        self._engine().forget()

    def _position(self, given: dict[str, str]) -> None:
        """Read the position, except what it shares with the one before: games are sent move by move."""
        game = self._engine().game
        root, moves = given.get("pos", START), given.get("moves", "").split()
        old, states = self._moves, self._states
        self.level, self._states = {}, []
        if root != self._root or not states:
            old, states = [], [read_state(game, root)]
        same = next((i for i, (a, b) in enumerate(zip(old, moves, strict=False)) if a != b), min(len(old), len(moves)))
        states = states[: same + 1]
        for text in moves[same:]:
            states.append(game.child(states[-1], read_move(game, states[-1], text)))
        self._root, self._moves, self._states = root, moves, states

    def _go(self, given: dict[str, str]) -> None:
        self._stop()
        self._check_variant()
        engine, level, self.level = self._engine(), self.level, {}
        game, s = engine.game, self._states[-1] if self._states else None
        legal = [] if s is None else game.legal(s)
        if s is None or not legal:
            self.send_error("there is no position to search" if s is None else "the game is over")
            return self.say("done")
        limit = limit_of(level)
        if "analyze" not in given and len(legal) == 1 and limit.seconds < MAX_NUMBER:
            limit = Limit(depth=1)  # the only move
        return engine.ask(
            SearchRequest(
                s=s,
                limit=limit,
                history=self._states[:-1],
                level=FULL_STRENGTH if "analyze" in given else self.params["level"],
                pondering="ponder" in given,
                on_report=lambda report: self._report(game, s, report),
                on_answer=lambda found: self._answer(game, s, found),
            )
        )

    def _stop(self) -> None:
        if self._thinker is not None:
            self._thinker.stop()

    def _hit(self, given: dict[str, str]) -> None:
        if self._thinker is not None:
            self._thinker.ponder_hit()

    def _quit(self, given: dict[str, str]) -> None:
        self.over = True

    # -- answers -----------------------------------------------------------------------------------------------------------

    def _report(self, game: Game, s: State, report: Report) -> bool:
        now = time.monotonic()
        if now > self._last_report + REPORT_INTERVAL:
            self._last_report = now
            self.say(info(game, s, report))
        return False

    def _answer(self, game: Game, s: State, found: Analysis) -> None:
        if found.move is None:
            return self.say("done")
        last = Report(found.depth, found.seldepth, found.score, found.nodes, found.seconds, found.fill, found.line)
        line = write_line(game, s, found.line) if found.line[:1] == (found.move,) else [write_move(game, s, found.move)]
        self._last_report = 0.0
        return self.say(info(game, s, last), command_text("done", move=line[0], **({"ponder": line[1]} if len(line) > 1 else {})))


def limit_of(level: dict[str, str]) -> Limit:
    """Return the limit that the arguments of `level` give; none, if there are none. The increment is added before the move.

    >>> limit_of({"moves": "9", "time": "291.5", "inc": "0.5"})
    Limit(depth=None, nodes=None, time=None, clock=292.0, increment=0.5, moves_left=9, infinite=False, overhead=0.05)
    """
    numbers = {name: parse_number(name, text) for name, text in level.items() if name in NUMBERS}
    depth, nodes = (max(1, int(numbers[name])) if name in numbers else None for name in ("depth", "nodes"))
    if "move-time" in numbers:
        return Limit(depth, nodes, time=max(numbers["move-time"], 0.001))
    if "time" in numbers:
        increment = max(0.0, numbers.get("inc", 0.0))
        left = max(numbers["time"] + increment, 0.001)
        return Limit(depth, nodes, clock=left, increment=increment, moves_left=int(numbers.get("moves", 0)) or None)
    return Limit(depth, nodes, infinite=not (depth or nodes))


def parse_number(name: str, text: str) -> float:
    """Return the number of an argument, if it makes sense."""
    if not re.fullmatch(r"-?[0-9]{1,15}(\.[0-9]*)?|-?\.[0-9]+", text):
        raise TextError(f"{name} must be a number, not {text!r:.40}")
    return min(float(text), MAX_NUMBER)


def info(game: Game, s: State, report: Report) -> str:
    """Return a report as a line. The score is in men; a win in n plies is 100 minus n hundredths."""
    given = {
        "depth": report.depth,
        "score": f"{report.score / 100:.2f}",
        "nodes": report.nodes,
        "time": f"{report.seconds:.3f}",
        "nps": f"{report.nps / 1e6:.3f}",
    }
    return command_text("info", **given, pv=" ".join(write_line(game, s, report.line)))
