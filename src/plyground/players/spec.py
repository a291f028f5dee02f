"""Players by name: `engine:depth=6`, `level:5`, `textbook:alphabeta,depth=6`, `uci:./stockfish --quiet,Threads=1,time=0.5`.

`PlayerSpec` is such a text as a value; `make_player` makes the player that it names.
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from plyground.errors import GameError, PlygroundError
from plyground.play.limit import Limit
from plyground.players.player import ForfeitError, Player
from plyground.rules.game import Game

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

D = TypeVar("D", bound="DataclassInstance")
PROTOCOLS = ("uci", "ugi", "xboard", "gomocup", "hub", "nboard")
"""The protocols of engines that run as processes of their own."""
NATIVE_KINDS = ("engine", "level")
"""The players that search natively, and so evaluate positions."""
KINDS = ("random", "textbook", *NATIVE_KINDS, "solver", *PROTOCOLS)
KINDS_WITH_TARGET = ("textbook", "level", *PROTOCOLS)
"""The players whose text begins with an algorithm, a number or a program before the options."""
EXAMPLES = "engine:depth=6, level:5, textbook:alphabeta,depth=6, uci:stockfish"
LIMITS = ("time", "depth", "nodes")
"""The limits that a player's text may give."""
OPTION_PARSERS: Mapping[str, Callable[[str], float | str]] = {
    **dict.fromkeys(("level", "depth", "nodes", "threads"), int),
    **dict.fromkeys(("time", "memory"), float),
    "evaluate": str,
}
"""How to read each option of Plyground's own players."""
GAMES = os.pathsep.join(("/usr/games", "/usr/local/games"))
"""Where Debian installs chess engines; not every user has it on PATH."""


@dataclass(frozen=True)
class PlayerSpec:
    """Which player, and with which options.

    >>> spec = PlayerSpec.parse("uci:stockfish, Skill Level = 3,Clear Hash")
    >>> spec.kind, spec.target, spec.options
    ('uci', 'stockfish', (('Skill Level', '3'), ('Clear Hash', None)))
    """

    kind: str
    """One of `KINDS`."""
    target: str = ""
    """What comes before the options: a textbook algorithm, the number of a level, or a program with its arguments."""
    options: tuple[tuple[str, str | None], ...] = ()
    """Names and values in order; a name without `=`, such as that of a button, has None."""
    written: str = field(default="", compare=False, repr=False)
    """The text that was parsed, if any."""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise PlygroundError(
                f"there is no player {(self.written or self.kind)!r:.40}; choose {', '.join(KINDS)}, as in {EXAMPLES}"
            )

    @classmethod
    def parse(cls, text: str) -> PlayerSpec:
        """Read a player's text. Whether its options exist is known only when the player is made."""
        kind, _, rest = (part.strip() for part in text.partition(":"))
        target, parts = "", rest.split(",")
        if kind in KINDS_WITH_TARGET:
            target = parts.pop(0).strip()
        return cls(kind, target, tuple(_option(part) for part in parts if part.strip()), text.strip())

    def __str__(self) -> str:
        if self.written:
            return self.written
        return f"{self.kind}:{self.rest}" if self.target or self.options else self.kind

    @property
    def rest(self) -> str:
        """The text after the kind."""
        if self.written:
            return self.written.partition(":")[2].strip()
        return ",".join([*([self.target] if self.kind in KINDS_WITH_TARGET else []), *map(option_text, self.options)])

    # -- options -----------------------------------------------------------------------------------------------------------

    def read(self, kind: type[D], whose: str) -> D:
        """Return the options as a dataclass, whose fields are the options that there are; refuse any other."""
        return read_options(self.options, kind, whose)

    def with_options(self, *given: tuple[str, str], first: bool = False) -> PlayerSpec:
        """Return the same player with these options after all others, or before them; they replace those of the same names."""
        names = {name for name, _ in given}
        others = tuple(option for option in self.options if option[0] not in names)
        return PlayerSpec(self.kind, self.target, (*given, *others) if first else (*others, *given))

    @property
    def searches(self) -> bool:
        """Whether the player searches natively, and so evaluates positions by rules, a file or a net."""
        return self.kind in NATIVE_KINDS

    @property
    def evaluation(self) -> str | None:
        """The evaluation file that the text names, if it does.

        >>> PlayerSpec.parse("engine:depth=6,evaluate=./my_eval.py").evaluation
        './my_eval.py'
        """
        named = [value for name, value in self.options if name == "evaluate" and self.searches]
        return named[-1] or None if named else None

    def with_evaluation(self, file: str) -> PlayerSpec:
        """Return the same player with another evaluation.

        >>> print(PlayerSpec.parse("engine:evaluate=./my_eval.py,depth=6").with_evaluation("rules/my_eval.py"))
        engine:depth=6,evaluate=rules/my_eval.py
        """
        return self.with_options(("evaluate", file))

    def with_level(self, level: int) -> PlayerSpec:
        """Return the engine with another level and otherwise the same options.

        >>> specs = (PlayerSpec.parse(text).with_level(3) for text in ("engine", "engine:time=2,level=5", "level:5,time=2"))
        >>> [str(spec) for spec in specs]
        ['engine:level=3', 'engine:level=3,time=2', 'engine:level=3,time=2']
        """
        return PlayerSpec("engine", "", self.options).with_options(("level", str(level)), first=True)

    @property
    def runs_code(self) -> bool:
        """Whether the player runs an external program, or an evaluation in Python.

        >>> [PlayerSpec.parse(text).runs_code for text in ("engine:depth=6", "engine:evaluate=my_eval.py", "uci:stockfish")]
        [False, True, True]
        """
        return self.kind in PROTOCOLS or Path(self.evaluation or "").suffix == ".py"

    # -- programs ----------------------------------------------------------------------------------------------------------

    @property
    def program(self) -> str | None:
        """The program of an engine with its arguments; None for a player of Plyground's own.

        >>> PlayerSpec.parse("uci:gnuchess --uci,Hash=16").program, PlayerSpec.parse("engine:depth=3").program
        ('gnuchess --uci', None)
        """
        return self.target if self.kind in PROTOCOLS else None

    def with_program(self, command: Sequence[str]) -> PlayerSpec:
        """Return the same player with another program.

        >>> print(PlayerSpec.parse("uci:gnuchess --uci,Hash=16").with_program(["/usr/games/gnuchess", "--uci"]))
        uci:/usr/games/gnuchess --uci,Hash=16
        """
        return PlayerSpec(self.kind, shlex.join(command), self.options)

    def with_absolute_paths(self) -> PlayerSpec:
        """Return the player as it can be named from any folder: with the whole paths of its program and files."""
        if self.program is None:
            return self
        program, *arguments = command = find_program(self.program)
        named = os.path.basename(program) == self.program.split()[0] and not any(map(os.path.isfile, arguments))
        return self if named else self.with_program(command)


def runs_code(text: str) -> bool:
    """Return whether a text names a player that runs an external program or an evaluation in Python, or no known player.

    >>> runs_code("level:5"), runs_code("no such player")
    (False, True)
    """
    try:
        return PlayerSpec.parse(text).runs_code
    except PlygroundError:
        return True


def read_options(options: Sequence[tuple[str, str | None]], kind: type[D], whose: str) -> D:
    """Return options as a dataclass, whose fields are the options that there are; refuse any other."""
    given: dict[str, float | str] = {}
    known = [field.name for field in fields(kind)]
    for name, value in options:
        if name not in known or not value:
            names = ", ".join(f"{n}=…" for n in known)
            raise PlygroundError(f"{option_text((name, value))!r:.40} is not an option of {whose}; the options are {names}")
        try:
            given[name] = OPTION_PARSERS[name](value)
        except ValueError:
            number = "a whole number" if OPTION_PARSERS[name] is int else "a number"
            raise PlygroundError(f"{name} must be {number}, not {value!r:.30}") from None
    return kind(**given)


@dataclass(frozen=True)
class LimitOptions:
    """The limits that a player's text gives.

    >>> LimitOptions(depth=6).limit == Limit(depth=6), LimitOptions().limit
    (True, None)
    """

    time: float | None = None
    depth: int | None = None
    nodes: int | None = None

    @property
    def limit(self) -> Limit | None:
        """The limit; None if there is none."""
        return None if self == LimitOptions() else Limit(self.depth, self.nodes, self.time)


def _option(text: str) -> tuple[str, str | None]:
    name, sign, value = (part.strip() for part in text.partition("="))
    return name, value if sign else None


def option_text(option: tuple[str, str | None]) -> str:
    """Return an option as it is written."""
    name, value = option
    return name if value is None else f"{name}={value}"


def find_program(text: str) -> list[str]:
    """Return the absolute path of a program, given as a path or found on PATH, and its arguments.

    Arguments that are files get their absolute path too, because an engine runs in the folder of its program.
    """
    if not text:
        raise PlygroundError("name the engine's program, as in uci:stockfish or uci:./engine --uci")
    whole = _path(text)  # a path may have spaces
    if whole is not None:
        return [whole]
    try:
        name, *arguments = shlex.split(text)
    except ValueError as e:
        raise PlygroundError(f"{text}: cannot be read ({e})") from e
    path = _path(name)
    if path is None:
        raise PlygroundError(f"{name}: {_program_fault(name)}")
    command = [path, *(os.path.abspath(x) if os.path.isfile(x) else x for x in arguments)]
    if any("," in part for part in command):
        raise PlygroundError(f"{text}: options start at a comma, so paths can't contain one")
    return command


def _path(name: str) -> str | None:
    """Return the absolute path of a program."""
    name = os.path.expanduser(name)
    found = shutil.which(name) or shutil.which(name, path=GAMES)
    return None if found is None else os.path.abspath(found)


def _program_fault(name: str) -> str:
    path = Path(os.path.expanduser(name))
    if path.is_dir():
        return "this is a folder, not a program"
    if path.is_file():
        return "you have no permission to run this file"
    return "there is no such program"


# -- the player that a text names ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PlayerDefaults:
    """The defaults for what a player's text leaves open.

    >>> both = PlayerDefaults(limit=Limit(nodes=10, time=2))
    >>> both.only("time").limit == Limit(time=2), both.only("depth").limit
    (True, None)
    """

    seed: int | None = None
    limit: Limit | None = None
    memory: float | None = None
    """MB of an engine's table."""

    def only(self, *names: str) -> PlayerDefaults:
        """Return these defaults with only the named parts of the limit."""
        given: dict[str, Any] = {} if self.limit is None else {n: x for n, x in self.limit.given().items() if n in names}
        return replace(self, limit=Limit(**given) if given else None)


def make_player(
    spec: str | PlayerSpec, game: Game, seed: int | None = None, *, limit: Limit | None = None, memory: float | None = None
) -> Player:
    """Make the player that a text names, ready to play this game; `limit` and `memory` count if the text gives none.

    >>> from plyground import Position, load
    >>> nim = load("nim")
    >>> make_player("textbook:alphabeta,depth=all", nim).choose(Position.of(nim)).move in nim.legal(nim.start())
    True
    """
    spec = PlayerSpec.parse(spec) if isinstance(spec, str) else spec
    try:
        player = _make(spec, game, PlayerDefaults(seed, limit, memory))
    except ForfeitError as e:
        raise ForfeitError(e.reason, f"{spec}: {e}", e.stderr) from e
    except PlygroundError as e:
        if isinstance(e, GameError) and spec.evaluation is None:
            raise  # the rules are at fault, not the player
        raise PlygroundError(f"{spec}: {e}") from e
    player.name = str(spec)
    return player


def _make(spec: PlayerSpec, game: Game, defaults: PlayerDefaults) -> Player:
    """Make a player; its module is imported when it is needed first."""
    from plyground.players.builtin import EnginePlayer, RandomPlayer, SolverPlayer, TextbookPlayer

    match spec.kind:
        case "random":
            if spec.options:
                raise PlygroundError("random has no options")
            return RandomPlayer(defaults.seed)
        case "textbook":
            return TextbookPlayer(spec, game, defaults.limit)
        case "engine" | "level":
            return EnginePlayer(spec, game, defaults)
        case "solver":
            return SolverPlayer(spec, game)
        case "uci" | "ugi":
            from plyground.players.uci_client import UciPlayer, UgiPlayer

            return (UciPlayer if spec.kind == "uci" else UgiPlayer)(spec, game, defaults)
        case "xboard":
            from plyground.players.xboard import XboardPlayer

            return XboardPlayer(spec, game, defaults)
        case _:
            from plyground.players.board_engines import GomocupPlayer, HubPlayer, NBoardPlayer

            kinds: dict[str, type[GomocupPlayer | HubPlayer | NBoardPlayer]] = {
                "gomocup": GomocupPlayer,
                "hub": HubPlayer,
                "nboard": NBoardPlayer,
            }
            return kinds[spec.kind](spec, game, defaults)
