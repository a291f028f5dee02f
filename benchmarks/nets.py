"""Which nets there are, and what a net costs: nanoseconds for a leaf, nodes per second with it and with the rules' evaluation."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from pages import table
from plyground import Engine, Limit, load
from plyground.bits import i64, u64
from plyground.cli.net import size, training_summary
from plyground.compile.native import Native
from plyground.compile.vocabulary import WORDS, read_state
from plyground.nets.derive import derive_features
from plyground.nets.file_format import checksum, save
from plyground.nets.file_format import load as read_net
from plyground.nets.leaf import NetMemory, active_weight_sum
from plyground.nets.net import LoadedNet, Net
from plyground.nets.net_evaluation import SHIPPED, file_name
from plyground.nets.observe import random_states
from plyground.rules.game import Game
from plyground.rules.load import builtin_games

GAMES = ("connect4", "othello", "checkers", "draughts", "chess", "gomoku", "kalah", "backgammon", "2048")
"""The smaller ones are solved before anything could be measured."""
STATES, ROUNDS = 2000, 20
POSITIONS, NODES = 8, 200_000


def nets() -> str:
    """Return a row for each game. Weights are random: they cost what trained ones cost."""
    rows = [["game", "reads", "sees", "ns per leaf", "nodes/s, rules", "nodes/s, net", "ratio"]]
    for spec in GAMES:
        game = load(spec)
        net = random_net(game)
        rules, learned = rates(game, net)
        seen = net.features
        sees = f"{seen.hidden} hidden units" if seen.hidden else f"{len(seen.lanes)} groups"
        how = f"{seen.reader.kind}{', changes' * seen.structure.incremental}"
        leaf = f"{leaf_ns(game, net):.0f}"
        rows.append([game.name, how, sees, leaf, f"{rules / 1e6:.2f} M", f"{learned / 1e6:.2f} M", f"{learned / rules:.2f}"])
    return table(rows)


def shipped_nets() -> str:
    """Return a row for each net that comes with the games: how it was made, according to its file."""
    rows = [["game", "net", "size", "weights that are not 0", "trained"]]
    for path in sorted(SHIPPED.glob("*.net")):
        game = next(game for name in builtin_games() if file_name(game := load(name)) == path.name)
        net = read_net(path, game)
        used = f"{np.count_nonzero(net.weights):,} of {len(net.weights):,}"
        rows.append([game.name, checksum(path)[:8], size(path.stat().st_size), used, training_summary(net.record)])
    return table(rows) if len(rows) > 1 else "None yet."


def random_net(game: Game) -> Net:
    """Return a net with small random weights."""
    seen = derive_features(game)
    weights = np.random.default_rng(1).integers(-40, 40, seen.weights, dtype=np.int16)
    chance = "chance" in game.has
    return Net(seen, weights, scale=0.001 if chance else 0.0, curved=chance and len(game.sides) == 2)


def sum_weights(rows: int, count: int, memory: int) -> int:
    """Return the sum of the active weights of n consecutive states, in native code."""
    at, total = NetMemory(memory), i64(0)
    for i in range(count):
        total += active_weight_sum(read_state(rows + u64(8 * WORDS) * u64(i)), at)
    return total


def leaf_ns(game: Game, net: Net) -> float:
    """Return the nanoseconds for one leaf, in the order of random games: the best of several rounds."""
    kernel = Native(game, net=net.features.structure).bind(sum_weights, "int64(uint64, int64, uint64)")
    rows = np.array([game.layout.row(p.s) for p in random_states(game, STATES, seed=7)])
    memory = LoadedNet(net)
    took = []
    for _ in range(ROUNDS):
        since = time.process_time_ns()
        kernel(rows.ctypes.data, len(rows), memory.blocks[0].address)
        took.append((time.process_time_ns() - since) / len(rows))
    return min(took)


def rates(game: Game, net: Net) -> tuple[float, float]:
    """Return nodes per second of processor time, with the evaluation of the rules and with the net, in the same positions."""
    states = [p.s for p in random_states(game, 40 * POSITIONS, seed=3) if p.ply >= 4 and not p.over and game.legal(p.s)][::40]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "random.net"
        save(file, game, net)
        return _rate(game, states, "rules"), _rate(game, states, file)


def _rate(game: Game, states: list[Any], evaluate: str | Path) -> float:
    engine = Engine(game, evaluate=evaluate, perfect=False, memory=16)
    engine.prepare()
    nodes, took = 0, 0
    for s in states:
        engine.forget()
        since = time.process_time_ns()
        nodes += engine.analyse(s, Limit(nodes=NODES)).nodes
        took += time.process_time_ns() - since
    return nodes / took * 1e9
