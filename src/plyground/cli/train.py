"""Train a net for a game: it plays against itself in native code and learns to evaluate positions.

  plyground train othello --minutes 5
  plyground train ./mygame.py --games 50000 --seed 7 --out my.net

Afterwards the engine uses the net automatically (--out FILE writes it elsewhere; then --evaluate FILE uses it). Ctrl-C keeps the
best net so far; after Ctrl-C or a crash, the same command resumes training. With --games, the same seed gives the same net with
any number of threads. At the end, the net plays a few games against the evaluation that the engine used before. --minutes covers
everything, including compiling and these games. `plyground explain GAME --evaluate net` shows what the net looks at.
"""

from __future__ import annotations

import argparse
import math
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyground.cli import GAME, int_in_range
from plyground.cli._terminal import Countdown, StatusLine, print_json, report_stopped, run_interruptible, show_compiling
from plyground.errors import PlygroundError
from plyground.play import words
from plyground.rules.load import load
from plyground.system.files import write_file

if TYPE_CHECKING:
    from plyground.arena.messages import Job
    from plyground.nets.net import Net
    from plyground.rules.game import Game
    from plyground.train.trainer import Trainer, TrainingReport, TrainingResult

MINUTES = 5.0
MAX_MINUTES = 10_000.0
PAIRS = 20
NODES = 2000
CLOSING_SHARE = 0.1
"""The share of the time for what follows training: the last comparison with the best net so far, and the match."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `plyground train`."""
    parser.add_argument("game", metavar="GAME", help=GAME)
    parser.add_argument("--minutes", metavar="M", type=float, help=f"total time in minutes (default {MINUTES:.0f})")
    parser.add_argument("--games", metavar="N", type=int_in_range(1, 10**12), help="train for this many games instead")
    parser.add_argument("--threads", metavar="N", type=int_in_range(1, 256), default=2, help="number of threads (default 2)")
    parser.add_argument("--seed", metavar="N", type=int_in_range(0, 2**53), default=1, help="seed for random numbers (default 1)")
    parser.add_argument("--out", metavar="FILE", help="write the net to this file (default: where the engine finds it)")
    parser.add_argument("--restart", action="store_true", help="discard unfinished training and start again")
    parser.add_argument("--cluster", metavar="ADDRESS", help="play the games on a Dask cluster, such as tcp://host:8786")
    parser.add_argument("--no-match", action="store_true", help="skip the games against the previous evaluation")


def run(args: argparse.Namespace) -> int:
    """Train, then play a few games."""
    began = time.perf_counter()
    if args.minutes is not None and args.games is not None:
        raise PlygroundError("--minutes and --games cannot be combined")
    if args.minutes is not None and not 0 < args.minutes <= MAX_MINUTES:
        raise PlygroundError(f"--minutes must be above 0 and at most {MAX_MINUTES:,.0f}")
    if args.cluster:
        from plyground.cluster.remote_work import check_scheduler

        check_scheduler(args.cluster)  # before anything is compiled or written
    game = load(args.game)
    show_compiling()
    with tempfile.TemporaryDirectory(prefix="plyground-") as folder:
        match = None if args.no_match or len(game.sides) != 2 else ClosingMatch(game, Path(folder))
        with StatusLine() as line, Countdown(f"prepare {game.name}") as preparing:
            found = _trainer(game, args, line, preparing, match, began).run()
        summary = _summary(game, found)
        if found.finished and match is not None:
            deadline = math.inf if args.games else began + _seconds(args)
            with Countdown(f"match against {_opponent(game, match.player)}", PAIRS) as bar:
                summary["against"] = run_interruptible(lambda: match.play(found.file, deadline, bar.tick))
        summary["seconds_in_all"] = round(time.perf_counter() - began, 1)
    if args.json:
        print_json(summary)
    else:
        print(_text(game, summary))
    if not found.finished:
        report_stopped(
            f"{found.unsaved}; the same command starts again" if found.unsaved else "the same command resumes training"
        )
        raise KeyboardInterrupt
    return 0


def _seconds(args: argparse.Namespace) -> float:
    """Return the seconds that everything may take."""
    return 60 * float(args.minutes or MINUTES)


def _trainer(
    game: Game, args: argparse.Namespace, line: StatusLine, preparing: Countdown, match: ClosingMatch | None, began: float
) -> Trainer:
    from plyground.train.trainer import MIN_TRAINING_SHARE, Trainer

    seconds = _seconds(args)
    closing = 0.0 if args.games else CLOSING_SHARE * seconds

    def begin(net: Net) -> None:
        if match is not None:
            match.prepare(net)
        preparing.stop()
        took = time.perf_counter() - began
        if not args.games and took > (1 - MIN_TRAINING_SHARE) * (seconds - closing):
            least = f"training takes {words.duration(MIN_TRAINING_SHARE * (seconds - closing))} more"
            line.note(f"preparation took {words.duration(took)} of --minutes {seconds / 60:g}; {least}")

    return Trainer(
        game,
        games=args.games,
        seconds=None if args.games else seconds - closing,
        threads=args.threads,
        seed=args.seed,
        out=None if args.out is None else Path(os.path.expanduser(args.out)),
        restart=args.restart,
        cluster=args.cluster,
        on_report=TrainingLine(line, closing),
        on_begin=begin,
        began=began,
        on_resume=lambda games: line.note(f"resuming after {words.count(games, 'game')}; --restart starts again"),
    )


class TrainingLine:
    """Shows how training goes; reports each problem once."""

    def __init__(self, line: StatusLine, closing: float) -> None:
        """Show progress on this line; `closing` is the time after training, in seconds."""
        self.line, self.closing, self.trouble = line, closing, ""

    def __call__(self, r: TrainingReport) -> None:
        if r.trouble and r.trouble != self.trouble:
            self.line.note(f"{r.trouble}; training goes on here")
        self.trouble = r.trouble
        self.line.show(_so_far(r, self.closing), r.seconds)


def _so_far(r: TrainingReport, closing: float) -> str:
    """Return one line of progress."""
    left = closing + (r.seconds * (1 - r.done) / r.done if r.done else 0.0)
    rate = r.games / max(r.seconds, 1e-9)
    text = f"{r.done:4.0%}, {words.duration(left)} left  {r.games:,} games, {rate:,.0f}/s, error {r.error:.3f}"
    if r.match is not None:
        text += f"; {r.match.share:.0%} against the best before"
    return text


def _current_evaluation(game: Game, folder: Path) -> str:
    """Return what the engine uses now: a copy of its net, which training may replace; or "rules", if these rules have no net."""
    from plyground.nets.file_format import load as load_net
    from plyground.nets.net_evaluation import net_file

    file = net_file(game)
    if file is None:
        return "rules"
    try:
        load_net(file, game)
    except PlygroundError:
        return "rules"
    write_file(folder / file.name, [file.read_bytes()])
    return str(folder / file.name)


def _summary(game: Game, found: TrainingResult) -> dict[str, Any]:
    return {"game": game.name, "file": str(found.file), "weights": len(found.net.weights), **found.record}


class ClosingMatch:
    """A few games between the engine with the new net and the engine as it was before, limited by nodes."""

    def __init__(self, game: Game, folder: Path) -> None:
        from plyground.arena.openings import Openings
        from plyground.arena.sources import UnpackedSetup

        self.folder, self.setup, self.openings = folder, UnpackedSetup(game), Openings(game, 1)
        self.before = _current_evaluation(game, folder)
        self.player = "rules" if self.before == "rules" else "net"

    def prepare(self, net: Net) -> None:
        """Compile what the games need and find their openings, before the time is divided; any net will do."""
        from plyground.arena.pair import prepare
        from plyground.nets.file_format import save

        file = self.folder / "untrained.net"
        save(file, self.setup.game, net)
        for pair in range(PAIRS):
            job = self._job(pair, file)
        prepare(self.setup, job)

    def play(self, file: Path, deadline: float, tick: Callable[[int], None]) -> dict[str, object]:
        """Play all games, or those that end before the deadline."""
        from plyground.arena.pair import StoppedError, play_pair

        results: list[float] = []
        tick(0)
        try:
            for pair in range(PAIRS):
                found = play_pair(self.setup, self._job(pair, file), lambda: time.perf_counter() > deadline)
                results += [game.result for game in found.games]
                tick(1)
        except StoppedError:
            pass
        wins, draws, losses = (results.count(x) for x in (1, 0.5, 0))
        return {"player": self.player, "nodes": NODES, "wins": wins, "draws": draws, "losses": losses}

    def _job(self, pair: int, file: Path) -> Job:
        from plyground.arena.messages import Job
        from plyground.play.limit import Limit

        opening = self.openings[pair]
        players = (f"engine:evaluate={file}", f"engine:evaluate={self.before}")
        return Job(pair, players, seed=pair, start=opening.start, opening=opening.moves, limit=Limit(nodes=NODES))


def _opponent(game: Game, player: str) -> str:
    own = "the game's own evaluation" if "evaluate" in game.has else "random games at the leaves"
    return own if player == "rules" else "the net before"


def _text(game: Game, summary: dict[str, Any]) -> str:
    lines = [
        f"{summary['file']}: a net of {summary['weights']:,} weights for {game.name}",
        f"{summary['games']:,} games and {summary['positions']:,} positions in {summary['seconds']:,.0f} s; "
        f"with everything else {summary['seconds_in_all']:,.0f} s",
    ]
    if "points" in summary:
        lines.append(f"{summary['points']:,.6g} points per game, on average, when it looks one ply ahead")
    if "against" in summary:
        a = summary["against"]
        whom = _opponent(game, a["player"])
        lines.append(f"{a['wins']} won, {a['draws']} drawn, {a['losses']} lost against {whom}, {a['nodes']:,} nodes per move")
        games = a["wins"] + a["draws"] + a["losses"]
        if games < 2 * PAIRS:
            lines.append(f"time ran out after {games} of {2 * PAIRS} games; increase --minutes to play them all")
    return "\n".join(lines)
