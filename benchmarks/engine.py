"""The engine against its peers on Connect 4, in one run on one machine: nodes per second and the time to the same depth.

Peers (the extra `bench` installs them): the interpreted textbook on the same rules, easyAI on its own Connect 4, easyAI on our
bitboard rules, and OpenSpiel's alpha-beta over its C++ rules. A ratio is the median over repeated pairs of runs.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from plyground.engine import EXACT
from plyground.engine.engine import Engine
from plyground.play.limit import Limit
from plyground.play.match import Match
from plyground.rules.load import builtin_games, load
from signature import DEPTHS

HERE = Path(__file__).parent
Run = tuple[int, float]
"""Nodes and seconds."""


def measure(job: Callable[[], int]) -> Run:
    """Return nodes and seconds of one search, in processor time, which leaves out other programs on the machine."""
    since = time.process_time()
    nodes = job()
    return nodes, time.process_time() - since


# -- the peers: each searches the start position of Connect 4 to a depth and returns its nodes and seconds ---------------------


def ours(depth: int) -> Run:
    """Return the engine as it plays, with the evaluation of the rules."""
    engine = Engine("connect4", seed=0, memory=64, evaluate="rules")
    engine.forget()  # touches every page of the table, so that only the search is timed
    return measure(lambda: engine.analyse(None, Limit(depth=depth)).nodes)


def plain(depth: int, options: list[str]) -> Run:
    """Return the engine as a plain search: bare rules, no evaluation, and only these techniques."""
    engine = Engine(str(HERE / "bare_connect4.py"), options=options, seed=0, memory=64)
    engine.forget()
    return measure(lambda: engine.analyse(None, Limit(depth=depth)).nodes)


def textbook(depth: int) -> Run:
    """Measure the interpreted textbook's alpha-beta with a table, on the same rules."""
    from plyground.textbook import ALGORITHMS
    from plyground.textbook.trace import Counter

    game, counter = load("connect4"), Counter()

    def job() -> int:
        ALGORITHMS["alphabeta"].search(game, game.start(), {"depth": depth}, counter)
        return counter.nodes

    return measure(job)


def easyai_own(depth: int) -> Run:
    """Measure easyAI on the Connect 4 that it ships with, with its table."""
    from easyAI import AI_Player, Negamax, TranspositionTable
    from easyAI.games.ConnectFour import ConnectFour

    class Counted(ConnectFour):  # type: ignore[misc]
        nodes = 0

        def make_move(self, column: int) -> None:
            Counted.nodes += 1
            super().make_move(column)

        def unmake_move(self, column: int) -> None:
            top = int((self.board[:, column] != 0).sum()) - 1
            self.board[top, column] = 0

        def ttentry(self) -> Any:
            return self.board.tobytes(), self.current_player

    ai = Negamax(depth, tt=TranspositionTable())
    game = Counted([AI_Player(ai), AI_Player(ai)])

    def job() -> int:
        ai(game)
        return Counted.nodes

    return measure(job)


def easyai_bitboard(depth: int) -> Run:
    """Measure easyAI on our bitboard rules, wrapped with make and unmake, with its table."""
    from easyAI import AI_Player, Negamax, TranspositionTable, TwoPlayerGame

    from plyground.games import connect4

    class Bitboard(TwoPlayerGame):  # type: ignore[misc]
        nodes = 0

        def __init__(self, players: list[Any]) -> None:
            self.players, self.current_player = players, 1
            self.s, self.past = connect4.start(), [connect4.start()]

        def possible_moves(self) -> list[int]:
            return list(connect4.moves(self.s))

        def make_move(self, column: int) -> None:
            Bitboard.nodes += 1
            self.past.append(self.s)
            self.s = connect4.play(self.s, column)

        def unmake_move(self, column: int) -> None:
            self.s = self.past.pop()

        def is_over(self) -> bool:
            return connect4.result(self.s) is not None

        def scoring(self) -> int:
            return -100 if connect4.result(self.s) == -1 else 0

        def ttentry(self) -> Any:
            return self.s

    ai = Negamax(depth, tt=TranspositionTable())
    game = Bitboard([AI_Player(ai), AI_Player(ai)])

    def job() -> int:
        ai(game)
        return Bitboard.nodes

    return measure(job)


def open_spiel(depth: int) -> Run:
    """Measure OpenSpiel's alpha-beta, in Python over its C++ rules."""
    import pyspiel
    from open_spiel.python.algorithms import minimax

    game = pyspiel.load_game("connect_four")
    plain = minimax._alpha_beta
    count = 0

    def counted(*args: Any, **named: Any) -> Any:
        nonlocal count
        count += 1
        return plain(*args, **named)

    def job() -> int:
        minimax._alpha_beta = counted
        try:
            minimax.alpha_beta_search(game, value_function=lambda s: 0.0, maximum_depth=depth)
        finally:
            minimax._alpha_beta = plain
        return count

    return measure(job)


PEERS: list[tuple[str, Callable[[int], Run], int, list[str]]] = [
    ("textbook, interpreted, same rules", textbook, 9, ["table"]),
    ("easyAI, its own Connect 4, with table", easyai_own, 6, ["table"]),
    ("easyAI, bitboard rules, with table", easyai_bitboard, 10, ["table"]),
    ("OpenSpiel, alpha-beta over C++ rules", open_spiel, 9, []),
]
"""Name, search, depth, and the engine's techniques that come closest to what the peer does."""


def peers(repeats: int = 3) -> str:
    """Return the table of peers: their nodes/s, ours in the same run, and the ratio of the times to reach the same depth."""
    lines = [
        "| peer | depth | peer, nodes/s | engine, nodes/s | ratio | engine, same work, nodes/s | ratio | time to depth, ratio |",
        "|---|---|---|---|---|---|---|---|",
    ]
    ours(6)
    for name, peer, depth, options in PEERS:
        plain(6, options)
        runs: list[tuple[float, float, float, float]] = []
        for _ in range(repeats):
            n1, t1 = peer(depth)
            n2, t2 = ours(24)
            n3, t3 = plain(15 if options else 13, options)
            _, t4 = ours(depth)
            runs.append((n1 / t1, n2 / t2, n3 / t3, t1 / t4))
        theirs, own, same, times = zip(*runs, strict=True)
        by = statistics.median(b / a for a, b in zip(theirs, own, strict=True))
        alike = statistics.median(b / a for a, b in zip(theirs, same, strict=True))
        middle = statistics.median
        lines.append(
            f"| {name} | {depth} | {middle(theirs):,.0f} | {middle(own):,.0f} | {by:,.0f}x "
            f"| {middle(same):,.0f} | {alike:,.0f}x | {middle(times):,.0f}x |"
        )
    return "\n".join(lines)


def techniques() -> str:
    """Return the table of nodes to a fixed depth: alpha-beta with a table, exact techniques, all techniques."""
    lines = ["| game | depth | alpha-beta with table | exact techniques | all techniques | saved |", "|---|---|---|---|---|---|"]
    for name in builtin_games():
        if "chance" in load(name).has:
            continue
        depth = DEPTHS[name] - 2
        counts = []
        for options in (["table", "likely"], [*EXACT, "likely"], None):
            counts.append(Engine(name, options=options, seed=0, evaluate="rules").analyse(None, Limit(depth=depth)).nodes)
        lines.append(f"| {name} | {depth} | {counts[0]:,} | {counts[1]:,} | {counts[2]:,} | {counts[0] / counts[2]:,.0f}x |")
    return "\n".join(lines)


def threads(repeats: int = 5) -> str:
    """Return the table that compares two threads sharing a table with one: nodes per second."""
    lines = ["| game | one thread, nodes/s | two threads, nodes/s | ratio |", "|---|---|---|---|"]
    for name in ("chess", "connect4", "othello"):
        one: list[float] = []
        two: list[float] = []
        ratio = []
        for _ in range(repeats):
            for n, rates in ((1, one), (2, two)):
                engine = Engine(name, seed=0, threads=n, perfect=False)  # the search, not the book
                engine.forget()
                found = engine.analyse(None, Limit(time=2))
                rates.append(found.nodes / found.seconds)
            ratio.append(two[-1] / one[-1])
        lines.append(
            f"| {name} | {statistics.median(one):,.0f} | {statistics.median(two):,.0f} | {statistics.median(ratio):.2f}x |"
        )
    return "\n".join(lines)


def deadlines(seconds: float = 0.05, moves: int = 40) -> str:
    """Return the table of how late moves come after their deadline, in self-play."""
    lines = ["| game | moves | late, median | late, at most |", "|---|---|---|---|"]
    for name in builtin_games():
        engine, dice = Engine(name, seed=0), random.Random(0)
        match = Match(engine.game)
        late: list[float] = []
        engine.prepare()
        while len(late) < moves:
            if match.result is not None:
                match = Match(engine.game)
            elif engine.game.is_chance(match.s):
                match.roll(dice)
            else:
                began = time.perf_counter()
                m = engine.choose(match.s, Limit(time=seconds), match.states[:-1])
                late.append(max(0.0, time.perf_counter() - began - seconds))
                match.play(m)
        lines.append(f"| {name} | {moves} | {1000 * statistics.median(late):.0f} ms | {1000 * max(late):.0f} ms |")
    return "\n".join(lines)
