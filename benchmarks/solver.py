"""The solver against its peers, in one run on one machine, on the same positions.

Peers: BitBully (`pip install bitbully`) and Pascal Pons' solver, if the environment variable PONS_SOLVER is its path. They use no
book and one thread; each keeps its table from one position to the next. Positions come from the public test sets, in the folder
given with --data.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pages import table
from plyground.play.words import points
from plyground.rules.game import Game
from plyground.rules.load import load
from plyground.solver.solver import Solver

ROOT = Path(__file__).parents[1]
CONNECT4 = ("Test_L1_R1", "Test_L1_R2", "Test_L1_R3", "Test_L2_R1", "Test_L2_R2")
SETS = {
    "Test_L3_R1": "end, easy",
    "Test_L2_R1": "middle, easy",
    "Test_L2_R2": "middle, medium",
    "Test_L1_R1": "begin, easy",
    "Test_L1_R2": "begin, medium",
    "Test_L1_R3": "begin, hard",
}
ENDGAMES = ROOT / "tests" / "data" / "othello" / "endgames.txt"
KALAH = ((3, 3), (4, 4), (4, 6), (5, 4), (6, 3), (6, 4))
Solve = Callable[[str], int]


def positions(folder: Path, stones: range, each: int) -> dict[int, list[tuple[str, int]]]:
    """Return positions from the public sets with their scores, up to `each` per number of stones."""
    found: dict[int, list[tuple[str, int]]] = {n: [] for n in stones}
    for name in CONNECT4:
        for line in (folder / "connect4" / name).read_text().splitlines():
            columns, score = line.split()
            if len(columns) in found:
                found[len(columns)].append((columns, int(score)))
    rng = random.Random(0)
    return {n: rng.sample(rows, min(each, len(rows))) for n, rows in found.items()}


def ours(threads: int) -> Solve:
    """Measure our solver."""
    game = load("connect4")
    solver = Solver(game, memory=256, threads=threads)
    solver.forget()

    def solve(columns: str) -> int:
        s = game.start()
        for c in columns:
            s = game.play(s, int(c) - 1)
        score = points(game, s, solver.solve(s, line=False, book=False).score)
        assert score is not None
        return score

    return solve


def bitbully() -> Solve:
    """Measure BitBully: its own `mtdf`, from a guess of 0."""
    import bitbully.bitbully_core as core

    solver = core.BitBullyCore()

    def solve(columns: str) -> int:
        board = core.BoardCore()
        for c in columns:
            board.play(int(c) - 1)
        return int(solver.mtdf(board, 0))

    return solve


def pons(program: str) -> Solve:
    """Measure Pascal Pons' solver: one process for all positions, without a book."""
    process = subprocess.Popen(
        [program, "-b", "none"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    into, out = process.stdin, process.stdout

    def solve(columns: str) -> int:
        into.write(columns + "\n")
        into.flush()
        return int(out.readline().split()[-1])

    return solve


def solvers() -> dict[str, Solve]:
    """Return the solvers to compare."""
    told: dict[str, Solve] = {"Plyground": ours(1), "two threads": ours(2), "BitBully": bitbully()}
    if program := os.environ.get("PONS_SOLVER"):
        told["Pons"] = pons(program)
    return told


def connect4(folder: Path, each: int) -> str:
    """Return the table of mean and worst times for each number of stones."""
    who = solvers()
    for solve in who.values():
        solve("444443226655")
    rows = [["stones", *(f"{name}, mean (worst)" for name in who), *(f"{name} / ours" for name in who if name != "Plyground")]]
    for stones, tests in positions(folder, range(8, 17), each).items():
        took: dict[str, list[float]] = {name: [] for name in who}
        for columns, score in tests:
            for name, solve in who.items():
                since = time.perf_counter()
                found = solve(columns)
                took[name].append(time.perf_counter() - since)
                assert found == score, (name, columns, found, score)
        mean = {name: statistics.fmean(times) for name, times in took.items()}
        rows.append(
            [
                str(stones),
                *(f"{1000 * mean[name]:.1f} ms ({1000 * max(times):.0f})" for name, times in took.items()),
                *(f"{mean[name] / mean['Plyground']:.2f}" for name in who if name != "Plyground"),
            ]
        )
        print(" | ".join(rows[-1]), flush=True)
    return table(rows)


def empty() -> str:
    """Return the table of the empty board, one solver after another."""
    rows = [["solver", "score", "seconds", "times ours"]]
    first = 0.0
    for name, solve in solvers().items():
        since = time.perf_counter()
        score = solve("")
        took = time.perf_counter() - since
        first = first or took
        rows.append([name, f"{score:+d}", f"{took:.1f}", f"{took / first:.2f}"])
        print(" | ".join(rows[-1]), flush=True)
    return table(rows)


def sets(folder: Path) -> str:
    """Return the table of every position of the public sets, with our solver only."""
    solve = ours(1)
    rows = [["set", "positions", "right", "mean", "worst"]]
    for name, title in SETS.items():
        took, right = [], 0
        for line in (folder / "connect4" / name).read_text().splitlines():
            columns, score = line.split()
            since = time.perf_counter()
            right += solve(columns) == int(score)
            took.append(time.perf_counter() - since)
        rows.append([title, str(len(took)), str(right), f"{1000 * statistics.fmean(took):.2f} ms", f"{1000 * max(took):.0f} ms"])
        print(" | ".join(rows[-1]), flush=True)
    return table(rows)


def answers(each: int) -> str:
    """Return the table of random Connect 4 positions, solved with the book on one thread and on two."""
    game = load("connect4")
    rows = [["stones", "positions", "one thread, mean (worst)", "over a second", "two threads, mean (worst)", "over a second"]]
    rng = random.Random(0)
    for stones in range(8, 17):
        states = [random_state(game, stones, rng) for _ in range(each)]
        row = [str(stones), str(each)]
        for threads in (1, 2):
            took = []
            for s in states:
                solver = Solver(game, threads=threads)
                solver.prepare()
                took.append(solver.solve(s).seconds)
            row += [f"{1000 * statistics.fmean(took):.0f} ms ({1000 * max(took):.0f})", str(sum(t > 1 for t in took))]
        rows.append(row)
        print(" | ".join(row), flush=True)
    return table(rows)


def random_state(game: Game, stones: int, rng: random.Random) -> Any:
    """Return an unfinished position after this many random moves."""
    while True:
        s = game.start()
        for _ in range(stones):
            if game.result(s) is None:
                s = game.play(s, rng.choice(game.legal(s)))
        if game.result(s) is None:
            return s


def othello() -> str:
    """Return the table of the classic endgame positions: nodes, speed and time."""
    game = load("othello")
    rows = [["position", "empty squares", "score", "nodes", "M nodes/s", "seconds"]]
    for line in ENDGAMES.read_text().splitlines():
        parts = [part.strip() for part in line.split(";")]
        if line.startswith("#") or not any("FFO" in part for part in parts[2:]):
            continue
        solver = Solver(game, memory=512)
        solver.forget()
        s = game.parse_state(parts[0])
        found = solver.solve(s, line=False)
        score = points(game, s, found.score)
        assert score == int(parts[1]), parts
        rate = found.nodes / found.seconds / 1e6
        name = next(part for part in parts[2:] if "FFO" in part)
        rows.append([name, str(parts[0].count("-")), f"{score:+d}", f"{found.nodes:,}", f"{rate:.1f}", f"{found.seconds:.2f}"])
        print(" | ".join(rows[-1]), flush=True)
    return table(rows)


def kalah() -> str:
    """Return the table of whole games of Kalah from the start."""
    rows = [["pits, seeds", "margin", "nodes", "M nodes/s", "seconds"]]
    for pits, seeds in KALAH:
        game = load(f"kalah(pits={pits}, seeds={seeds})")
        solver = Solver(game, memory=1024)
        solver.forget()
        found = solver.solve(line=False)
        margin = points(game, game.start(), found.score)
        rate = found.nodes / found.seconds / 1e6
        rows.append([f"{pits}, {seeds}", f"{margin:+d}", f"{found.nodes:,}", f"{rate:.1f}", f"{found.seconds:.2f}"])
        print(" | ".join(rows[-1]), flush=True)
    return table(rows)
