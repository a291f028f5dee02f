"""Play in the terminal against the computer or another person, or just watch.

At the prompt, type a move, or help for the other commands (hint, level, undo, review, …). Every move is recorded at once; --load
resumes a game with the same sides, opponent, limits, clocks and dice.

  plyground play connect4 --level 5
  plyground play othello --side second --against textbook:alphabeta,depth=6
  plyground play chess --clock 300+2
  plyground play chess --against uci:stockfish,UCI_Elo=1500
  plyground play tictactoe --side both
  plyground play nim --side none --against random --seed 7
  plyground play --load                  the last unfinished game
  plyground play --load 12               a game by its number in plyground record list
  plyground play --load saved.json
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import json
import shlex
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyground.cli import EVALUATE, _line_editor, leave_running, position
from plyground.cli._terminal import print_advice, print_json, show_compiling, warn_uncached
from plyground.engine import FULL_STRENGTH
from plyground.errors import PlygroundError
from plyground.play.clock import Clock
from plyground.play.limit import Limit
from plyground.play.match import PERSON, Match
from plyground.play.report import Analysis, Position
from plyground.players.player import Player
from plyground.players.spec import NATIVE_KINDS, LimitOptions, PlayerSpec, make_player, runs_code
from plyground.rules.game import Game
from plyground.rules.load import is_installed, load
from plyground.system.runner import Worker

if TYPE_CHECKING:
    from plyground.compile.progress import Compiling
    from plyground.records.recorder import GameRecorder

POLL_SECONDS = 0.02
"""Seconds between two looks at what the compiler does."""
SECONDS = 1.0
"""The time of the textbook for a move."""
WRAPPERS = (types.FunctionType, functools._lru_cache_wrapper, staticmethod, classmethod)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `plyground play`."""
    position(parser, "connect4")
    parser.add_argument(
        "--against",
        metavar="PLAYER",
        help="engine:depth=6, level:5, textbook:alphabeta,depth=6, solver, random, uci:stockfish (default engine)",
    )
    parser.add_argument("--level", metavar="N", type=int, help="the engine's strength, from 1 to 10")
    parser.add_argument("--time", metavar="SECONDS", type=float, help="the engine's time limit per move")
    parser.add_argument("--evaluate", metavar="FILE", help=EVALUATE)
    parser.add_argument("--clock", metavar="SECONDS[+INCREMENT]", help="clocks for the whole game, such as 300+2")
    parser.add_argument(
        "--table", metavar="FILE", action="append", help="play from this table where possible (made by solve --table)"
    )
    parser.add_argument("--eval", action="store_true", help="show the engine's evaluation after each of its moves")
    parser.add_argument("--side", choices=["first", "second", "both", "none"], help="the side you play (default first)")
    parser.add_argument(
        "--load", metavar="ID|FILE", nargs="?", const="", help="resume a recorded game, a saved file, or the last unfinished game"
    )
    parser.add_argument("--trust", action="store_true", help="run the rules and programs that a saved file names")
    parser.add_argument("--seed", metavar="N", type=int, help="seed for dice and random moves")


def run(args: argparse.Namespace) -> int:
    """Play one game."""
    from plyground.records.recorder import GameRecorder

    with GameRecorder() as recorder:
        return _play(args, recorder)


def _play(args: argparse.Namespace, recorder: GameRecorder) -> int:
    from plyground.cli._prompt import Prompt

    match = _begin(args, recorder)
    show_compiling()
    _settle(args, match)
    players, hint_engine = _players(match, live=not args.json and _line_editor.available())
    prompt = Prompt(match, players, sys.stderr if args.json else sys.stdout)
    prompt.hint_engine = hint_engine
    recorder.on_fault = lambda fault: prompt.say(f"this game is not kept: {fault}", "yellow")
    recorder.follow(match, players)
    try:
        prompt.play()
        _leave(match, prompt.say, recorder)
    except (KeyboardInterrupt, PlygroundError):
        match.pause_clock()
        prompt.say()
        _leave(match, prompt.say, recorder)
        raise
    finally:
        for player in prompt.players.values():
            player.close()
        if prompt.compiling_sides:
            leave_running()
        if args.json:
            print_json(match.as_json() | {"record": recorder.number})
    return 0


def _begin(args: argparse.Namespace, recorder: GameRecorder) -> Match:
    """Return a new game, or a recorded or saved one."""
    if args.load is None:
        return Match(load(args.game or "connect4"), args.state, args.moves, seed=args.seed)
    if args.state or args.moves:
        raise PlygroundError("--load resumes a game; leave out --state and --moves")
    game = load(args.game) if args.game else None
    if not args.load or (args.load.isascii() and args.load.isdigit()):
        match = recorder.resume(int(args.load[:18]) if args.load else None, game)
    else:
        match = _from_file(args, game)
    match.seed = match.seed if args.seed is None else args.seed
    return match


def _from_file(args: argparse.Namespace, game: Game | None) -> Match:
    """Return a saved game. The file may be anyone's: rules and programs that it names are run only if the user says so."""
    text = _read(Path(args.load))
    with contextlib.suppress(ValueError, LookupError, TypeError, RecursionError):  # which `from_text` reports
        spec = json.loads(text)["game"]
        if isinstance(spec, str) and not (game or args.trust or is_installed(spec)):
            named = shlex.join(["plyground", "play", spec, "--load", args.load])
            raise PlygroundError(f"{args.load}: its rules are a file; name it too, as in {named}, or add --trust to run it")
    match = Match.from_text(text, game)
    others = [who for who in match.players if who != PERSON]
    if not (args.trust or _opponent(args, match)) and any(map(runs_code, others)):
        raise PlygroundError(
            f"{args.load}: its opponent, {others[0]}, is a program or a file; add --trust, or choose another with --against"
        )
    return match


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as e:
        raise PlygroundError(f"{path}: cannot be read ({getattr(e, 'strerror', None) or 'not a text file'})") from e


def _settle(args: argparse.Namespace, match: Match) -> None:
    """Set the players, the clock and the notes: from the arguments, else from the saved game, else the defaults."""
    every = range(len(match.game.sides))
    mine = {i for i in every if match.players and match.players[i] == PERSON}
    if args.side is not None or not match.players:
        mine = {"second": {min(1, len(every) - 1)}, "both": set(every), "none": set[int]()}.get(args.side, {0})
    asked = _opponent(args, match)
    saved = [who for who in match.players if who != PERSON]
    other = asked or (saved[0] if saved else "textbook:maxn,depth=3" if len(every) > 2 else "engine")
    kept = match.players if match.players and not asked else (PERSON,) * len(every)
    match.players = tuple(PERSON if i in mine else other if kept[i] == PERSON else kept[i] for i in every)
    if args.clock is not None:
        match.clock = Clock.parse(args.clock, len(every))
    if args.table:
        match.notes["tables"] = [str(Path(path).resolve()) for path in args.table]
    if args.eval:
        match.notes["eval"] = True


def _opponent(args: argparse.Namespace, match: Match) -> str | None:
    """Return the opponent given on the command line, if any."""
    words = [f"{name}={getattr(args, name):g}" for name in ("level", "time") if getattr(args, name) is not None]
    if args.evaluate is not None:
        words.append(f"evaluate={args.evaluate if args.evaluate == 'rules' else Path(args.evaluate).resolve()}")
    if args.against and words:
        raise PlygroundError(
            "--level, --time and --evaluate cannot be combined with --against; write --against engine:level=5,time=2"
        )
    if args.clock is not None and args.time is not None:
        raise PlygroundError("--clock and --time cannot be combined; the clock already limits the engine's time")
    if args.against:
        return str(PlayerSpec.parse(args.against).with_absolute_paths())
    return f"engine:{','.join(words)}" if words else None


def _players(match: Match, live: bool) -> tuple[dict[int, Player], Player | None]:
    """Return the computer's players by side, and the table that gives hints, if there is one.

    At a `live` terminal, a person need not wait for the engine to be compiled.
    """
    from plyground.players.builtin import EnginePlayer

    game, hint_engine = match.game, None
    specs = {i: who for i, who in enumerate(match.players) if who != PERSON}
    paths = match.notes.get("tables")
    if paths:
        from plyground.players.builtin import TablebasePlayer, Tablebases

        if not (isinstance(paths, list) and all(isinstance(path, str) for path in paths)):
            raise PlygroundError('this saved game is damaged: "tables" must be a list of files')
        spec = next(iter(specs.values()), "engine")
        hint_engine = TablebasePlayer(Tablebases(paths, game), lambda: make_player(spec, game, match.seed), spec)
        if match.clock is not None:
            hint_engine.prepare()  # not while a clock runs
        return dict.fromkeys(specs, hint_engine), hint_engine
    early = live and any(who == PERSON for who in match.players) and len(game.sides) <= 2
    made = {
        spec: make_in_background(
            spec, game, match.seed, early and PlayerSpec.parse(spec).kind in NATIVE_KINDS, match.clock is not None
        )
        for spec in dict.fromkeys(specs.values())
    }
    print_advice(*(player.engine for player in made.values() if isinstance(player, EnginePlayer)))
    return {i: made[spec] for i, spec in specs.items()}, None


def _leave(match: Match, say: Callable[[str], None], recorder: GameRecorder) -> None:
    """Keep the game as it is now, and print how to resume it if it is unfinished."""
    recorder.write()
    if match.result is None and recorder.number is not None and recorder.fault is None:
        say(f"the game is kept as record {recorder.number}; plyground play --load resumes it")


# -- playing at once -------------------------------------------------------------------------------------------------------


class CompilingPlayer(Player):
    """An engine that is made in the background from the first look at it on. Until it is ready, a textbook search of a second
    answers.
    """

    def __init__(self, spec: str, game: Game, make: Callable[[], Player]) -> None:
        self.name = spec
        self.compiling = False
        """Whether the compiler has been at work: the engine isn't in the cache."""
        self._game, self._make = game, make

    @functools.cached_property
    def _worker(self) -> Worker[Player]:
        return Worker(self._make_and_report)

    def _make_and_report(self) -> Player:
        from plyground.compile.progress import report_to

        with report_to(self._game.name, self._on_compile):
            return self._make()

    def _on_compile(self, news: Compiling) -> None:
        self.compiling = self.compiling or news.functions > 0

    @functools.cached_property
    def _textbook(self) -> Player:
        from plyground.textbook.algorithm import PLAIN, kind

        return make_player(f"textbook:{'deepening' if kind(self._game) == PLAIN else 'expectiminimax,depth=1'}", self._game)

    def ready(self, seconds: float = 0) -> bool:
        """Return whether the engine is ready, or has failed, within this time."""
        return self._worker.wait(seconds)

    def wait_until_known(self) -> None:
        """Wait until the engine is ready, or it turns out that it must be compiled."""
        while not self.ready(POLL_SECONDS) and not self.compiling:
            pass

    def engine(self) -> Player:
        """Return the engine, as soon as it is ready; raise the error that prevents it."""
        return self._worker.result()

    def choose(self, position: Position, limit: Limit | None = None) -> Analysis:
        """Choose a move with the engine if it is ready, otherwise with the textbook."""
        if self.ready():
            engine = self.engine()
            self.net = engine.net
            return engine.choose(position, limit)
        seconds = SECONDS if limit is None or limit.clock is None else min(SECONDS, limit.clock / 20)
        return self._textbook.choose(position, Limit(time=seconds))


def calls_numba(game: Game) -> bool:
    """Return whether rules call functions that Numba compiles: the textbook would wait for the compiler too."""
    if "numba" not in sys.modules:
        return False
    from plyground.compile.fingerprint import is_versioned, names_in  # only a person at a terminal waits for this import

    seen: set[int] = set()
    pending: list[Any] = list(game.rules.values())
    while pending:
        x = pending.pop()
        if hasattr(x, "py_func"):
            return True
        if isinstance(x, WRAPPERS) and hasattr(x, "__wrapped__"):
            pending.append(x.__wrapped__)
        if id(x) in seen or not isinstance(x, types.FunctionType | type) or is_versioned(x):
            continue
        seen.add(id(x))
        if isinstance(x, type):
            pending += vars(x).values()
            continue
        names = names_in(x.__code__)
        used = [x.__globals__.get(name) for name in names] + [cell.cell_contents for cell in x.__closure__ or ()]
        modules = [u for u in used if isinstance(u, types.ModuleType) and not is_versioned(u)]
        pending += used + [getattr(module, name, None) for module in modules for name in names]
    return False


def make_in_background(spec: str, game: Game, seed: int | None, begin_early: bool, wait: bool = True) -> Player:
    """Make the player that a text names; with `begin_early`, return one that plays already if the engine isn't compiled yet.

    Without `wait`, return that one at once if its options are valid for sure: the engine takes over when it is needed.
    """
    if not begin_early or calls_numba(game):
        return make_player(spec, game, seed)
    player = CompilingPlayer(spec, game, lambda: make_player(spec, game, seed))
    if not wait and _has_only_valid_limits(PlayerSpec.parse(spec)):
        return player
    player.wait_until_known()
    if player.ready():
        return player.engine()
    warn_uncached()
    return player


def _has_only_valid_limits(spec: PlayerSpec) -> bool:
    """Return whether the text of an engine gives it a valid level and valid limits, and no file, threads or memory."""
    from plyground.players.builtin import EnginePlayer

    try:
        given = EnginePlayer.read_options(spec)
        _ = LimitOptions(given.time, given.depth, given.nodes).limit
    except PlygroundError:
        return False
    valid_level = given.level is None or 1 <= given.level <= FULL_STRENGTH
    return valid_level and (given.evaluate, given.threads, given.memory) == (None, 1, None)
