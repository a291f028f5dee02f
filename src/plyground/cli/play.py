"""Play in the terminal: against the computer, against another person, or just watch.

At the prompt, type a move, or help for the other commands (hint, eval, undo, save, …). Every game is kept in the records, move by
move; --load resumes it with the same sides, opponent, limits, clocks and dice.

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
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from plyground.cli._arguments import EVALUATE, position
from plyground.cli._terminal import advise, print_json, show_compiling
from plyground.errors import PlygroundError
from plyground.play.clock import Clock
from plyground.play.match import PERSON, Match
from plyground.play.player import Player, close
from plyground.protocols.program import with_whole_paths
from plyground.rules.load import load

if TYPE_CHECKING:
    from plyground.cli._prompt import Prompt
    from plyground.records.keeper import Keeper


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `plyground play`."""
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
        "--table", metavar="FILE", action="append", help="play from this table (made by solve --table) where possible"
    )
    parser.add_argument("--eval", action="store_true", help="show the engine's evaluation after each of its moves")
    parser.add_argument("--side", choices=["first", "second", "both", "none"], help="the side you play (default first)")
    parser.add_argument(
        "--load", metavar="ID|FILE", nargs="?", const="", help="resume a game: a record, a saved file, or the last one you left"
    )
    parser.add_argument("--seed", metavar="N", type=int, help="seed for dice and random moves")


def run(args: argparse.Namespace) -> int:
    """Plays one game."""
    from plyground.records.keeper import Keeper

    with Keeper() as keeper:
        return _play(args, keeper)


def _play(args: argparse.Namespace, keeper: Keeper) -> int:
    from plyground.cli._prompt import Prompt

    match = _begin(args, keeper)
    show_compiling()
    _settle(args, match)
    players, adviser = _players(match)
    prompt = Prompt(match, players, sys.stderr if args.json else sys.stdout)
    prompt.adviser = adviser
    keeper.on_fault = lambda fault: prompt.say(f"this game is not kept: {fault}", "yellow")
    keeper.follow(match, players)
    try:
        prompt.play()
        _leave(prompt, keeper)
    except (KeyboardInterrupt, PlygroundError):
        match.pause_clock()
        prompt.say()
        _leave(prompt, keeper)
        raise
    finally:
        for player in players.values():
            close(player)
        if args.json:
            print_json(match.as_json() | {"record": keeper.number})
    return 0


def _begin(args: argparse.Namespace, keeper: Keeper) -> Match:
    """A new game, or one that was kept or saved."""
    if args.load is None:
        return Match(load(args.game or "connect4"), args.state, args.moves, seed=args.seed)
    if args.game or args.state or args.moves:
        raise PlygroundError("--load resumes a game; leave out GAME, --state and --moves")
    if not args.load or (args.load.isascii() and args.load.isdigit()):
        match = keeper.resume(int(args.load[:18]) if args.load else None)
    else:
        match = Match.from_text(_read(Path(args.load)))
    match.seed = match.seed if args.seed is None else args.seed
    return match


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as e:
        raise PlygroundError(f"{path}: cannot be read ({getattr(e, 'strerror', None) or 'not a text file'})") from e


def _settle(args: argparse.Namespace, match: Match) -> None:
    """Sets the players, the clock and the notes: from the arguments, else from the saved game, else the defaults."""
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
    """The opponent given on the command line, if any."""
    words = [f"{name}={getattr(args, name):g}" for name in ("level", "time") if getattr(args, name) is not None]
    if args.evaluate is not None:
        words.append(f"evaluate={args.evaluate if args.evaluate == 'rules' else Path(args.evaluate).resolve()}")
    if args.against and words:
        raise PlygroundError(
            "--level, --time and --evaluate cannot be combined with --against; write --against engine:level=5,time=2"
        )
    if args.clock is not None and args.time is not None:
        raise PlygroundError("--clock and --time cannot be combined; the clock already limits the engine's time")
    return with_whole_paths(args.against) if args.against else f"engine:{','.join(words)}" if words else None


def _players(match: Match) -> tuple[dict[int, Player], Player | None]:
    """The computer's players by side, and the table that gives hints, if there is one."""
    from plyground.engine.players import EnginePlayer
    from plyground.protocols.players import make_player

    game, adviser = match.game, None
    specs = {i: who for i, who in enumerate(match.players) if who != PERSON}
    paths = match.notes.get("tables")
    if paths:
        from plyground.solver.tablebase.player import TablebasePlayer, Tablebases

        if not (isinstance(paths, list) and all(isinstance(path, str) for path in paths)):
            raise PlygroundError('this saved game is damaged: "tables" must be a list of files')
        spec = next(iter(specs.values()), "engine")
        adviser = TablebasePlayer(Tablebases(paths, game), lambda: make_player(spec, game, match.seed), spec)
        return dict.fromkeys(specs, adviser), adviser
    made = {spec: make_player(spec, game, match.seed) for spec in dict.fromkeys(specs.values())}
    advise(*(player.engine for player in made.values() if isinstance(player, EnginePlayer)))
    return {i: made[spec] for i, spec in specs.items()}, None


def _leave(prompt: Prompt, keeper: Keeper) -> None:
    """Keeps the game as it is now, and prints how to resume it if it is unfinished."""
    keeper.write()
    if prompt.match.result is None and keeper.number is not None and keeper.fault is None:
        prompt.say(f"the game is kept as record {keeper.number}; plyground play --load resumes it")
