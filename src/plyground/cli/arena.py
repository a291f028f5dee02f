"""Let players play against each other to find out which one is stronger, and how certain that is.

Games are played in pairs: the same opening twice, with the sides exchanged. A PLAYER is engine, engine:depth=6,
engine:time=0.05,evaluate=./my_eval.py, level:5, textbook:alphabeta,depth=4, solver or random, or an external engine:
uci:stockfish,UCI_Elo=1600. Three or more players play a round robin. Each pair is kept as soon as it ends (plyground record
shows the games); after Ctrl-C or a crash, --resume plays the rest. The same seed gives the same games if Plyground's players
are limited by depth or nodes.

  plyground arena connect4 engine:depth=8 engine:depth=6 --games 1000
  plyground arena othello engine:evaluate=./my_eval.py engine --time 0.05 --sprt 0,10
  plyground arena kalah level:7 level:5 level:3 --games 200 --plot ratings.svg
  plyground arena chess engine uci:stockfish,UCI_Elo=1600 --time 0.1
  plyground arena --resume
"""

from __future__ import annotations

import argparse
import os
import shlex
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyground.cli import GAME, UsageError, int_in_range
from plyground.cli._terminal import StatusLine, print_json, report_stopped, show_compiling
from plyground.errors import PlygroundError
from plyground.system.files import write_text
from plyground.system.streams import print_error

if TYPE_CHECKING:
    from plyground.arena.contest import Contest
    from plyground.arena.messages import MatchSettings
    from plyground.arena.worker_pool import WorkerPool
    from plyground.records.store import Records

JSON = "print a JSON object for each pair, and the summary as the last one"
GAMES = 100
MAX_GAMES = 1_000_000
TEST_GAMES = 100_000
"""The number of games after which a sequential test gives up, unless --games sets another."""
MATCH_OPTIONS = ("games", "seed", "gauntlet", "sprt", "model", "depth", "nodes", "time", "openings", "adjudicate", "late")
"""Options that a match keeps, in contrast to those for one run of it."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `plyground arena`."""
    number = int_in_range(1, 10**12)
    parser.add_argument("game", metavar="GAME", nargs="?", help=GAME)
    parser.add_argument("players", metavar="PLAYER", nargs="*", help="two players or more, such as engine:depth=6 level:5")
    parser.add_argument(
        "--games",
        metavar="N",
        type=int_in_range(1, MAX_GAMES),
        help=f"games per pairing (default {GAMES}; with --sprt {TEST_GAMES:,})",
    )
    parser.add_argument(
        "--seed", metavar="N", type=int_in_range(0, 2**53), help="seed for openings, dice and players (default 0)"
    )
    parser.add_argument("--gauntlet", action="store_true", default=None, help="only the first player meets all others")
    parser.add_argument("--depth", metavar="N", type=number, help="depth limit, for players without their own limit")
    parser.add_argument("--nodes", metavar="N", type=number, help="node limit per move, likewise (default 10,000)")
    parser.add_argument("--time", metavar="SECONDS", type=float, help="time limit per move, likewise")
    parser.add_argument(
        "--sprt", metavar="LOW,HIGH", help="stop once a test decides between the Elo differences LOW and HIGH; or --sprt=-10,0"
    )
    parser.add_argument("--model", choices=["normalized", "logistic"], help="the Elo model of --sprt (default normalized)")
    parser.add_argument("--openings", metavar="FILE", help="openings, one per line: a state, or moves: and moves")
    parser.add_argument(
        "--adjudicate", action="store_true", default=None, help="adjudicate games whose result both players have proven"
    )
    parser.add_argument(
        "--late",
        choices=["replay", "void", "count"],
        help=(
            "games that an external engine loses on time: replay them, up to three times (default), leave them out, or count them"
        ),
    )
    parser.add_argument(
        "--workers", metavar="N", type=int_in_range(1, 1024), help="number of processes (default: one per processor)"
    )
    parser.add_argument("--cluster", metavar="ADDRESS", help="play on a Dask cluster, such as tcp://host:8786")
    parser.add_argument("--records", metavar="FILE", help="keep the games in this database instead of your own")
    parser.add_argument(
        "--trust", action="store_true", help="with --resume and --records: run the rules and programs that this database names"
    )
    parser.add_argument("--plot", metavar="FILE.svg", help="plot Elo with its interval against the number of games")
    parser.add_argument(
        "--resume",
        metavar="MATCH",
        nargs="?",
        const=0,
        type=int_in_range(1, 10**9),
        help="resume a match (default: the last unfinished one)",
    )


def run(args: argparse.Namespace) -> int:
    """Play a match, or the rest of one."""
    from plyground.arena.contest import Contest
    from plyground.records.store import Records

    _check(args)
    if args.cluster:
        from plyground.cluster.remote_work import check_scheduler

        check_scheduler(args.cluster)  # before anything is compiled or written
    with Records(args.records, new=args.resume is None) as records:
        show_compiling()
        if args.resume is None:
            settings = _settings(args)
            with StatusLine() as line:
                looking = _looking_for_openings(line)
                contest = Contest.new(records, args.game, args.players, settings, seed=args.seed or 0, on_search=looking)
        else:
            contest = Contest(records, _require_trust(args, records, args.resume or _last(records)))
        stopped = not contest.ended and _play(args, contest)
        _show(args, contest, stopped)
    if stopped:
        raise KeyboardInterrupt
    return 0


def _check(args: argparse.Namespace) -> None:
    """Refuse options that contradict each other."""
    if args.resume is not None:
        given = [f"--{name}" for name in MATCH_OPTIONS if getattr(args, name) is not None]
        if args.game or given:
            raise UsageError(f"--resume keeps the settings of the match; leave out {given[0] if given else 'GAME and players'}")
    elif args.game is None or len(args.players) < 2:
        raise UsageError("a match needs a game and two players or more, as in plyground arena connect4 engine:depth=6 level:5")
    if args.workers and args.cluster:
        raise UsageError("--workers and --cluster cannot be combined: workers play here, a cluster plays elsewhere")
    if args.model and not args.sprt:
        raise UsageError("--model needs --sprt LOW,HIGH")
    if args.plot and not Path(args.plot).parent.is_dir():
        raise UsageError(f"{args.plot}: cannot be written (there is no folder {Path(args.plot).parent})")


def _settings(args: argparse.Namespace) -> MatchSettings:
    """Return what the match keeps, besides game, players and seed."""
    from plyground.arena.messages import LATE_RULES, Adjudication, MatchSettings
    from plyground.arena.openings import read_openings
    from plyground.arena.statistics import Sprt
    from plyground.play.limit import Limit

    limit = {name: getattr(args, name) for name in ("depth", "nodes", "time") if getattr(args, name) is not None}
    return MatchSettings(
        games=args.games or (TEST_GAMES if args.sprt else GAMES),
        gauntlet=bool(args.gauntlet),
        limit=Limit(**limit) if limit else None,
        adjudicate=Adjudication() if args.adjudicate else None,
        late=args.late or LATE_RULES[0],
        openings=read_openings(args.openings) if args.openings else None,
        sprt=Sprt(*_bounds(args.sprt), model=args.model or "normalized") if args.sprt else None,
    )


def _bounds(text: str) -> tuple[float, float]:
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise UsageError(f"--sprt takes two Elo differences, such as 0,10, not {text!r:.20}") from None
    return low, high


def _last(records: Records) -> int:
    """Return the last unfinished match."""
    found = records.last_unfinished("arena")
    if found is None:
        raise PlygroundError("there is no unfinished match; --resume MATCH shows one that has ended")
    return found


def _require_trust(args: argparse.Namespace, records: Records, match: int) -> int:
    """Return the match, if it may be played: another database may come from someone else, and resuming runs the code in it."""
    from plyground.arena.sources import brings_code

    row = records.match(match)
    named = [job.get("players") for job in records.missing(match)]
    players = [*row.players, *(str(player) for names in named if isinstance(names, list) for player in names)]
    if args.records is not None and not args.trust and brings_code(row.setup, players):
        raise PlygroundError(
            f"match {match} would run rules, evaluations or programs named in {args.records}; if you trust this file, add --trust"
        )
    return match


def _play(args: argparse.Namespace, contest: Contest) -> bool:
    """Play what is missing; return whether Ctrl-C stopped it."""
    from plyground.cli._match_progress import MatchProgress, PairLines, call_all
    from plyground.play import words

    if args.resume is not None:
        with StatusLine() as line:
            contest.prepare(_looking_for_openings(line))
    count = args.workers or os.cpu_count() or 1
    lines = PairLines(contest)
    planned = f"{'at most ' if contest.sprt else ''}{2 * contest.total:,} games"
    try:
        with _worker_pool(args, contest, count) as pool:
            print_error(f"match {contest.match}, {planned}; to resume it after a stop: {_resume(args, contest)}")
            with MatchProgress(contest, args.cluster or words.count(count, "worker"), args.json) as view:
                contest.run(pool, call_all(view.event, lines.event) if args.json else view.event)
    except KeyboardInterrupt:
        done = 2 * (contest.count.next + len(contest.count.later))
        report_stopped(f"{done:,} of {planned} were kept; to resume: {_resume(args, contest)}")
        return True
    finally:
        lines.rest()
    return False


def _looking_for_openings(line: StatusLine) -> Callable[[int], None]:
    """Show how many positions were searched for the first opening."""
    from plyground.arena.openings import SAMPLE
    from plyground.play import words

    began = 0.0

    def show(count: int) -> None:
        nonlocal began
        began = began or time.monotonic()  # the first one waits for the compiler
        seconds = time.monotonic() - began
        left = f", {words.duration(seconds / (count - 1) * (SAMPLE - count))} left" if 1 < count < SAMPLE else ""
        line.show(f"Looking for openings: {words.count(count, 'position')} searched{left}", seconds)

    return show


def _worker_pool(args: argparse.Namespace, contest: Contest, count: int) -> WorkerPool:
    if args.cluster:
        from plyground.arena.cluster import Cluster

        return Cluster(contest.setup, args.cluster)
    from plyground.arena.worker_pool import Workers

    return Workers(contest.setup, min(count, contest.total))


def _resume(args: argparse.Namespace, contest: Contest) -> str:
    """Return the command that goes on with a match."""
    from plyground.arena.sources import brings_code
    from plyground.system.codec import encode

    words = ["plyground", "arena", "--resume", str(contest.match)]
    if args.trust or (args.records is not None and brings_code(encode(contest.setup), contest.players)):
        words.append("--trust")
    for name in ("workers", "cluster", "records", "plot"):
        if getattr(args, name) is not None:
            words += [f"--{name}", str(getattr(args, name))]
    return shlex.join(words + (["--json"] if args.json else []))


def _show(args: argparse.Namespace, contest: Contest, stopped: bool) -> None:
    """Print the results and draw the plot."""
    from plyground.arena import tables
    from plyground.cli._match_progress import report

    found, names = contest.count.tallies, tables.unique_names(contest.players)
    margins = bool(contest.game.margin) or len(contest.game.sides) == 1
    if args.json:
        print_json(_facts(contest, margins, stopped))
    else:
        print(report(contest, margins))
    if args.plot:
        two = len(names) == 2
        drawn = tables.elo_plot(names, found[0, 1].results) if two else tables.ratings_plot(names, found)
        write_text(args.plot, drawn.file())


def _facts(contest: Contest, margins: bool, stopped: bool) -> dict[str, Any]:
    """Return the summary as data."""
    from plyground.arena import tables

    found, players = contest.count.tallies, contest.players
    about = {"match": contest.match, "game": contest.spec, "players": players}
    end = {"seconds": round(contest.seconds, 3), "ended": contest.ended or ("stopped" if stopped else None)}
    if len(players) == 2:
        return about | tables.facts(found[0, 1], contest.sprt, margins) | end
    pairings = [{"players": [players[a], players[b]]} | tables.facts(tally, None, margins) for (a, b), tally in found.items()]
    games = sum(tally.games for tally in found.values())
    return about | {"games": games, "standings": tables.standings_facts(players, found), "pairings": pairings} | end
