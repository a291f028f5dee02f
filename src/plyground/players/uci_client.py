"""Engines that speak UCI, and those of other games that speak UGI, its counterpart for any game, as players."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from plyground import score as scores
from plyground.errors import PlygroundError
from plyground.play.limit import Limit
from plyground.play.report import Analysis, Position
from plyground.players.external_engine import ExternalEngine, MoveTexts, legal, unknown_option_error
from plyground.players.player import UNPARSABLE, ForfeitError
from plyground.players.spec import PlayerDefaults, PlayerSpec
from plyground.protocols.options import EngineOption, parse_int
from plyground.protocols.uci import MOVE, uci_word
from plyground.protocols.ugi import word_of
from plyground.rules.game import Game
from plyground.rules.hooks import State

MAX_SPIN = (1 << 63) - 1
"""The largest value of a number, if the engine gives none."""
UCIOK_SECONDS, READYOK_SECONDS = 30.0, 120.0
"""Seconds for the answers to `uci` and `isready`: some engines read large files first, or compile."""
NONE = ("0000", "(none)")
"""How an engine says that there is no move."""
MAX_LINE_MOVES = 8
"""The number of moves kept of an engine's line."""


@dataclass(frozen=True)
class UciOption:
    """An option that the engine supports."""

    name: str
    option: EngineOption
    choices: tuple[str, ...] = ()

    @classmethod
    def parse(cls, line: str) -> UciOption | None:
        """Read `option name Hash type spin default 16 min 1 max 1024`."""
        match = re.fullmatch(r"option\s+name\s+(.+?)\s+type\s+(\w+)(.*)", line)
        if match is None:
            return None
        least, most = (re.search(rf"\s{word}\s+(-?[0-9]{{1,18}})\b", match[3]) for word in ("min", "max"))
        numbers = int(least[1]) if least else -MAX_SPIN, int(most[1]) if most else MAX_SPIN
        choices = re.split(r"\svar(?:\s+|$)", match[3])[1:]
        return cls(match[1], EngineOption(match[2], None, *numbers), tuple(choice.strip() for choice in choices))

    def written(self, value: str) -> str:
        """Return the value as the engine reads it; refuse what can't be one."""
        if self.option.kind == "button":
            if value:
                raise PlygroundError(f"{self.name} is a button, which has no value: leave out ={value}")
            return ""
        if self.option.kind == "combo":
            known = {choice.lower(): choice for choice in self.choices}
            if value.lower() not in known:
                raise PlygroundError(f"{self.name} must be one of {', '.join(self.choices)}, not {value!r:.40}")
            return known[value.lower()]
        read = self.option.read(self.name, value)
        return str(read).lower() if isinstance(read, bool) else value


class UciPlayer(ExternalEngine):
    """A chess engine that speaks UCI."""

    WORD: ClassVar[str] = "uci"
    CLOCKS: ClassVar[tuple[str, str, str, str]] = ("wtime", "btime", "winc", "binc")
    limits = frozenset(("depth", "nodes", "time", "clock"))

    def __init__(self, spec: PlayerSpec, game: Game, defaults: PlayerDefaults) -> None:
        self.check_game(game)
        self._texts = MoveTexts(self.text)
        self._line: list[str] = []
        super().__init__(spec, game, defaults)

    def check_game(self, game: Game) -> None:
        """Refuse games that the protocol does not support."""
        if game.name != "chess":
            raise PlygroundError(f"uci is for chess, not for {game.name}; engines of other games speak ugi, for example")

    def text(self, s: State, m: int) -> str:
        """Return a move as the engine reads it."""
        return uci_word(s, m)

    def handshake(self) -> None:
        """Perform the handshake: read its name, set its options, start a new game."""
        self.process.send(self.WORD)
        lines = self.process.wait_for(f"{self.WORD}ok", UCIOK_SECONDS)
        self.set_program_name(next((line[8:] for line in lines if line.startswith("id name ")), ""))
        known = {option.name.lower(): option for option in map(UciOption.parse, lines) if option is not None}
        for name, value in self._options_to_set(known).items():
            self.process.send(f"setoption name {name}" + (f" value {value}" if value else ""))
        self.process.send(f"{self.WORD}newgame")
        self.process.send("isready")
        self.process.wait_for("readyok", READYOK_SECONDS)

    def _options_to_set(self, known: dict[str, UciOption]) -> dict[str, str]:
        """Return the options to set. A strength limit that is given is also turned on."""
        chosen = {}
        for name, value in self.options.items():
            if name.lower() not in known:
                raise unknown_option_error(self.program, name, (option.name for option in known.values()))
            option = known[name.lower()]
            chosen[option.name] = option.written(value)
        limited = known.get("uci_limitstrength")
        if limited is not None and "UCI_Elo" in chosen:
            chosen.setdefault(limited.name, "true")
        return chosen

    def start_search(self, position: Position, limit: Limit) -> None:
        """Send `position` and `go`."""
        moves = self._texts.of(position)
        start = self.game.identity(position.start) == self.game.identity(self.game.start())
        where = "startpos" if start else f"fen {self.game.format_state(position.start)}"
        self.process.send(f"position {where}" + (f" moves {' '.join(moves)}" if moves else ""))
        self._line = []
        self.process.send(f"go {self._go(limit)}")

    def _go(self, limit: Limit) -> str:
        words = [f"{name} {value}" for name, value in limit.given().items() if name in ("depth", "nodes")]
        if limit.time is not None:
            words.append(f"movetime {max(1, round(1000 * limit.time))}")
        if limit.clock is not None:
            left, increment = max(1, round(1000 * limit.clock)), round(1000 * limit.increment)
            words += [f"{name} {x}" for name, x in zip(self.CLOCKS, (left, left, increment, increment), strict=True)]
        return " ".join(words) or "infinite"

    def handle_line(self, line: str) -> str | None:
        """Read `info` and `bestmove`."""
        word, _, rest = line.partition(" ")
        if word == "bestmove":
            return rest.partition(" ponder")[0].strip()
        if word == "info":
            self._hear_info(rest.split())
        elif word not in ("readyok", "option", "id"):
            self.record_unknown_line(line)
        return None

    def _hear_info(self, words: list[str]) -> None:
        """Take what the engine says about its best line."""
        if words[:1] == ["string"] or "score" not in words or _after(words, "multipv") not in (None, "1"):
            return
        kind, value = (*words[words.index("score") + 1 :], "", "")[:2]
        if kind not in ("cp", "mate") or not re.fullmatch(r"[+-]?[0-9]{1,9}", value):
            return
        if {"lowerbound", "upperbound"} & set(words) and self.found is not None:
            return
        depth, seldepth, nodes = (parse_int(_after(words, name) or "") or 0 for name in ("depth", "seldepth", "nodes"))
        self.found = Analysis(None, self._score(kind, int(value)), depth, seldepth or depth, nodes)
        if "pv" in words:
            self._line = words[words.index("pv") + 1 :]

    def _score(self, kind: str, value: int) -> float:
        """Return a score as Plyground has it."""
        if kind == "cp" or self.game.margin or "chance" in self.game.has:
            return value / 100 if "chance" in self.game.has else scores.clip(value if kind == "cp" else value * scores.INFINITE)
        plies = self.plies(value)
        if plies > scores.MAX_PLIES:
            return scores.clip(value * scores.INFINITE)
        return scores.win_in(plies) if value > 0 else -scores.win_in(plies)

    def plies(self, mate: int) -> int:
        """Return the plies to a mate: UCI counts moves."""
        return 2 * mate - 1 if mate > 0 else -2 * mate

    def move(self, s: State, text: str) -> int:
        """Return the move of `bestmove`; read the rest of the engine's line as far as it makes sense."""
        m = self.read_move(s, text)
        if self.found is not None:
            self.found.line = self._read_line(s, m)
        return m

    def read_move(self, s: State, text: str) -> int:
        """Return the move that a text means."""
        if text not in NONE and not MOVE.fullmatch(text.lower()):
            raise ForfeitError(UNPARSABLE, f"{text!r:.40} cannot be read as a move")
        return legal(self.game, s, text)

    def _read_line(self, s: State, m: int) -> tuple[int, ...]:
        """Return the first moves of the line that begins with a move."""
        line = [m]
        try:
            if self._line and self.read_move(s, self._line[0]) == m:
                for text in self._line[1:MAX_LINE_MOVES]:
                    s = self.game.child(s, line[-1])
                    line.append(self.read_move(s, text))
        except PlygroundError:
            pass  # some lines go on after the end of the game
        return tuple(line)

    def stop_now(self) -> None:
        """Send `stop`."""
        self.process.send("stop")


class UgiPlayer(UciPlayer):
    """An engine that speaks UGI, for any game: positions and moves are written as Plyground writes them."""

    WORD: ClassVar[str] = "ugi"
    CLOCKS: ClassVar[tuple[str, str, str, str]] = ("p1time", "p2time", "p1inc", "p2inc")

    def check_game(self, game: Game) -> None:
        """Accept any game."""

    def text(self, s: State, m: int) -> str:
        """Return a move in the notation of the game, as one word."""
        return word_of(self.game, s, m)

    def plies(self, mate: int) -> int:
        """Return the plies to the end: UGI counts plies."""
        return abs(mate)

    def read_move(self, s: State, text: str) -> int:
        """Return the move that a text means."""
        if not text:
            raise ForfeitError(UNPARSABLE, "it wrote bestmove without a move")
        return legal(self.game, s, text.replace("_", " "))


def _after(words: Sequence[str], name: str) -> str | None:
    """Return the word after another one."""
    return words[words.index(name) + 1] if name in words[:-1] else None
