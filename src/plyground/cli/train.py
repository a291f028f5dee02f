"""Train a net for a game: it plays itself and learns to judge positions, inside the native search.

  plyground train othello --minutes 5
  plyground train ./mygame.py --games 50000 --seed 7 --out my.net

Afterwards the engine uses the net by itself (--out FILE writes it elsewhere; then --evaluate FILE uses it). Ctrl-C keeps the best
net so far. The same command goes on after Ctrl-C or a crash. With --games, the same seed gives the same net on any number of
threads. At the end the net plays a few games against what the engine used before. `plyground explain GAME --evaluate net` shows
what it looks at.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyground.cli._arguments import GAME, whole
from plyground.cli._terminal import StatusLine, print_json, show_compiling, tell_stopped, work
from plyground.errors import PlygroundError
from plyground.play import words
from plyground.rules.load import load
from plyground.system.files import write_file

if TYPE_CHECKING:
    from plyground.learn.train import Report, Trained, Trainer
    from plyground.rules.game import Game

MINUTES = 5.0
LONGEST = 10_000.0
QUIET_SECONDS = 10.0
"""Seconds between two lines of progress if stderr is not a terminal."""
PAIRS = 20
NODES = 2000


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `plyground train`."""
    parser.add_argument("game", metavar="GAME", help=GAME)
    parser.add_argument("--minutes", metavar="M", type=float, help=f"how long to train (default {MINUTES:.0f})")
    parser.add_argument("--games", metavar="N", type=whole(1, 10**12), help="or: how many games")
    parser.add_argument("--threads", metavar="N", type=whole(1, 256), default=2, help="number of threads (default 2)")
    parser.add_argument("--seed", metavar="N", type=whole(0, 2**53), default=1, help="seed of the games (default 1)")
    parser.add_argument("--out", metavar="FILE", help="where to write the net (default: where the engine finds it)")
    parser.add_argument("--restart", action="store_true", help="forget unfinished training and begin again")
    parser.add_argument("--cluster", metavar="ADDRESS", help="self-play on a Dask cluster, such as tcp://host:8786")
    parser.add_argument("--no-match", action="store_true", help="don't play games against the evaluation used before")


def run(args: argparse.Namespace) -> int:
    """Trains, then plays a few games."""
    if args.minutes is not None and args.games is not None:
        raise PlygroundError("--minutes and --games cannot be combined")
    if args.minutes is not None and not 0 < args.minutes <= LONGEST:
        raise PlygroundError(f"--minutes must be above 0 and at most {LONGEST:,.0f}")
    if args.cluster:
        from plyground.cluster.dask import check_scheduler

        check_scheduler(args.cluster)  # before anything is compiled or written
    game = load(args.game)
    show_compiling()
    with tempfile.TemporaryDirectory(prefix="plyground-") as folder:
        before = _present(game, Path(folder))
        with StatusLine(QUIET_SECONDS) as line:
            found = _trainer(game, args, line).run()
        summary = _summary(game, found)
        if found.finished and not args.no_match and len(game.sides) == 2:
            summary["against"] = work(lambda: _match(game, found.file, before))
    if args.json:
        print_json(summary)
    else:
        print(_text(game, summary))
    if not found.finished:
        tell_stopped(f"{found.unsaved}; the same command begins again" if found.unsaved else "the same command goes on")
        raise KeyboardInterrupt
    return 0


def _trainer(game: Game, args: argparse.Namespace, line: StatusLine) -> Trainer:
    from plyground.learn.train import Trainer

    return Trainer(
        game,
        games=args.games,
        seconds=None if args.games else 60 * (args.minutes or MINUTES),
        threads=args.threads,
        seed=args.seed,
        out=None if args.out is None else Path(args.out).expanduser(),
        restart=args.restart,
        cluster=args.cluster,
        on_report=_Teller(line),
        on_resume=lambda games: line.note(f"going on after {words.count(games, 'game')}; --restart begins again"),
    )


class _Teller:
    """Shows how training goes; what went wrong is told once."""

    def __init__(self, line: StatusLine) -> None:
        self.line, self.trouble = line, ""

    def __call__(self, r: Report) -> None:
        if r.trouble and r.trouble != self.trouble:
            self.line.note(f"{r.trouble}; training goes on here")
        self.trouble = r.trouble
        self.line.show(_so_far(r), r.seconds)


def _so_far(r: Report) -> str:
    """One line of progress."""
    left = r.seconds * (1 - r.done) / r.done if r.done else 0.0
    text = f"{r.done:4.0%}, {_time(left)} left  {r.games:,} games, {r.games / max(r.seconds, 1e-9):,.0f}/s, error {r.error:.3f}"
    if r.match is not None:
        text += f"; {r.match.share:.0%} against the best before"
    return text


def _time(seconds: float) -> str:
    """How much time is left, roughly.

    >>> _time(12.3), _time(700.0)
    ('12 s', '12 min')
    """
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:,.0f} min"


def _present(game: Game, folder: Path) -> str:
    """What the engine uses now: a copy of its net, which training may replace; or the rules' evaluation, if there is no net for
    these rules."""
    from plyground.learn.file import load as load_net
    from plyground.learn.find import net_file

    file = net_file(game)
    if file is None:
        return "rules"
    try:
        load_net(file, game)
    except PlygroundError:
        return "rules"
    write_file(folder / file.name, [file.read_bytes()])
    return str(folder / file.name)


def _summary(game: Game, found: Trained) -> dict[str, Any]:
    return {"game": game.name, "file": str(found.file), "weights": len(found.net.weights), **found.record}


def _match(game: Game, file: Path, before: str) -> dict[str, Any]:
    """A few games between the engine with the new net and the engine as it was before, limited by nodes."""
    from plyground.arena.openings import Openings
    from plyground.arena.pair import play_pair
    from plyground.arena.sources import Setup

    players = [f"engine:evaluate={file}", f"engine:evaluate={before}"]
    setup = Setup(game)
    openings = Openings(game, 1)
    results: list[float] = []
    for pair in range(PAIRS):
        opening = openings[pair]
        job = {"pair": pair, "players": players, "start": opening.start, "opening": list(opening.moves), "seed": pair}
        results += [g["result"] for g in play_pair(setup, {**job, "limit": {"nodes": NODES}})["games"]]
    wins, draws, losses = (results.count(x) for x in (1, 0.5, 0))
    player = "rules" if before == "rules" else "net"
    return {"player": player, "nodes": NODES, "wins": wins, "draws": draws, "losses": losses}


def _text(game: Game, summary: dict[str, Any]) -> str:
    lines = [
        f"{summary['file']}: a net of {summary['weights']:,} weights for {game.name}",
        f"{summary['games']:,} games and {summary['positions']:,} positions in {summary['seconds']:,.0f} s",
    ]
    if "points" in summary:
        lines.append(f"{summary['points']:,.6g} points per game, on average, when it looks one ply ahead")
    if "against" in summary:
        a = summary["against"]
        own = "the game's own evaluation" if "evaluate" in game.has else "random games at the leaves"
        whom = own if a["player"] == "rules" else "the net before"
        lines.append(f"{a['wins']} won, {a['draws']} drawn, {a['losses']} lost against {whom}, {a['nodes']:,} nodes per move")
    return "\n".join(lines)
