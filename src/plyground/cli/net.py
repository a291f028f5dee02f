"""Show the net that evaluates the positions of a game: its file, what it sees, and how it was trained.

plyground net                                   the nets of all games
plyground net othello
plyground net othello --evaluate my.net         your own net
plyground net othello --pack small.net          a smaller copy with rounded weights
plyground net 2048 --pack small.net --most 3000000      even smaller, with only the most important weights
"""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyground.cli import GAME, UsageError, int_in_range
from plyground.cli._terminal import Countdown, columns, print_json, run_interruptible, show_compiling
from plyground.errors import PlygroundError
from plyground.play import words
from plyground.rules.game import Game
from plyground.rules.load import builtin_games, load

if TYPE_CHECKING:
    from plyground.nets.net import Net

MAX_STEP, MAX_WEIGHTS = 1024, 1 << 30
MAX_NUMBER = 1e18
"""The largest number accepted in a record."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `plyground net`."""
    parser.add_argument("game", metavar="GAME", nargs="?", help=GAME)
    parser.add_argument("--evaluate", metavar="FILE", help="show this net (default: the one that the engine uses for the game)")
    parser.add_argument("--pack", metavar="OUT", type=Path, help="write a packed copy to this file")
    parser.add_argument(
        "--step",
        metavar="N",
        type=int_in_range(1, MAX_STEP),
        help="round weights to multiples of N (default 8; 1 keeps them exact)",
    )
    parser.add_argument(
        "--most",
        metavar="N",
        type=int_in_range(1, MAX_WEIGHTS),
        help="keep only the N weights that matter most in games",
    )


def run(args: argparse.Namespace) -> int:
    """Show one net, or list all."""
    for option in ("step", "most"):
        if getattr(args, option) and not args.pack:
            raise UsageError(f"--{option} needs --pack OUT")
    if args.game is None:
        if args.evaluate or args.pack:
            raise UsageError("name the game of the net; see plyground net --help")
        return _list(args.json)
    game = load(args.game)
    found, net = _find(game, args.evaluate)
    if args.pack is not None:
        if net is None:
            raise PlygroundError(_no_net_error(game))
        found, net = _pack(game, net, args.pack, args.step, args.most)
    if args.json:
        print_json(found)
    else:
        print(_no_net_error(game) if net is None else _text(found))
    return 0


def _find(game: Game, file: str | None) -> tuple[dict[str, Any], Net | None]:
    """Return what is known of a net, and the net itself."""
    from plyground.nets import file_format as files
    from plyground.nets.net_evaluation import net_file

    path = net_file(game) if file is None else Path(os.path.expanduser(file))
    if path is None:
        return {"game": game.name, "file": None}, None
    net = files.load(path, game)
    return _about(game, net, path), net


def _about(game: Game, net: Net, path: Path) -> dict[str, Any]:
    features = net.features
    return {
        "game": game.name,
        "file": str(path),
        "from": _origin(game, path),
        "bytes": path.stat().st_size,
        "checksum": net.name.rpartition(" ")[2],
        "weights": len(net.weights),
        "used": int((net.weights != 0).sum()),
        "groups": len(features.lanes),
        "hidden": features.hidden,
        "phases": max(features.phases) + 1,
        "record": net.record,
    }


def _origin(game: Game, path: Path) -> str:
    from plyground.nets.net_evaluation import SHIPPED, own_file

    return "yours" if path == own_file(game) else "comes with plyground" if path.parent == SHIPPED else "a file"


def _pack(game: Game, net: Net, out: Path, step: int | None, most: int | None) -> tuple[dict[str, Any], Net | None]:
    """Write a packed copy; nets with hidden units are small and keep their weights as they are."""
    from plyground.nets import file_format as files
    from plyground.nets.net import Net

    weights = net.weights if most is None else _main_weights(game, net, most)
    weights = files.round_to_multiples(weights, step or (1 if net.features.hidden else files.STEP))
    files.save(out, game, Net(net.features, weights, net.scale, net.curved, net.record), packed=True)
    return _find(game, str(out))


def _main_weights(game: Game, net: Net, most: int) -> Any:
    """Return the weights that matter most, which games show."""
    from plyground.train import learner

    show_compiling()
    with Countdown("count positions that use each weight", learner.POSITIONS) as bar:
        return run_interruptible(lambda: learner.main_weights(game, net, most, learner.POSITIONS, os.cpu_count() or 1, bar.tick))


def _no_net_error(game: Game) -> str:
    evaluation = "the evaluation of its rules" if "evaluate" in game.has else "short random games"
    return f"{game.name} has no net: the engine uses {evaluation}; `plyground train {shlex.quote(game.spec)}` trains one"


def _text(found: dict[str, Any]) -> str:
    sees = words.count(found["hidden"], "hidden unit") if found["hidden"] else words.count(found["groups"], "group") + " of cells"
    lines = [
        f"{found['file']} ({found['from']}): the net {found['checksum']} for {found['game']}, {size(found['bytes'])}",
        f"it sees {sees} in {words.count(found['phases'], 'phase')}; {found['used']:,} of {found['weights']:,} weights are not 0",
    ]
    return "\n".join([*lines, f"trained: {training_summary(found['record']) or 'not known'}"])


def _list(as_json: bool) -> int:
    nets = [_known(load(name)) for name in builtin_games()]
    if as_json:
        print_json({"nets": nets})
        return 0
    rows = [["game", "net", "size", "trained"]]
    for found in nets:
        if "record" in found:
            rows.append([found["game"], found["from"], size(found["bytes"]), training_summary(found["record"])])
        else:
            rows.append([found["game"], found.get("error", "none"), "", ""])
    print(columns(rows))
    return 0


def _known(game: Game) -> dict[str, Any]:
    try:
        return _find(game, None)[0]
    except PlygroundError as e:
        return {"game": game.name, "error": str(e)}


def size(count: int) -> str:
    """Return a number of bytes as people write it.

    >>> size(82_000), size(12_340_000)
    ('82 KB', '12.3 MB')
    """
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.0f} KB"


def training_summary(record: Mapping[str, object]) -> str:
    """Return how a net was trained, as far as its record says.

    >>> training_summary({"games": 1200000, "seconds": 480.2, "seed": 1, "finished": True})
    '1,200,000 games in 480 s, seed 1'
    """
    found: Mapping[str, Any] = record
    try:
        games, seconds, seed = int(found["games"]), float(found["seconds"]), int(found["seed"])
        known = all(abs(number) < MAX_NUMBER for number in (games, seconds, seed))
    except (KeyError, TypeError, ValueError, OverflowError):
        known = False
    if not known:
        return ""
    stopped = "" if record.get("finished", True) else ", stopped early"
    return f"{words.count(games, 'game')} in {words.seconds(seconds)}, seed {seed}{stopped}"
