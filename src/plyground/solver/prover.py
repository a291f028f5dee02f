"""Proofs: who wins from a state, by proof-number search; for games of threats, far beyond what alpha-beta can look ahead.

    prove("gomoku", state, Limit(time=10))

Two questions settle a state: can the side to move force a win, can the other side? Where the game gives `threats` and `replies`,
each is asked twice: with an attack by threats alone, which may be long and is quickly searched, and with all moves. The questions
take turns, each with twice the nodes of the turn before, until the answers tell or the limit is reached.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from plyground.errors import PlygroundError
from plyground.play import checked
from plyground.play.limit import Limit
from plyground.rules.game import Game
from plyground.search.proof import prove as kernel
from plyground.search.proof_memory import ProofMemory
from plyground.system.worker import Worker

STACK_BYTES = 256 << 20
FIRST_NODES = 20_000
"""How many nodes a question gets in its first turn."""
THREATS_FIRST = 8
"""How many times as many it gets with threats alone: such a search mostly ends soon, one way or the other."""
WORDS = {1: "win", 0: "draw", -1: "loss"}


@dataclass(frozen=True)
class Progress:
    """How far a proof is: the question under way, its proof and disproof number, and what is known so far."""

    question: str
    pn: int
    dn: int
    low: int
    high: int
    nodes: int
    seconds: float


@dataclass(frozen=True)
class Proof:
    """What is proven of a state, for the side to move."""

    low: int
    """The worst result that is possible: 1 a win, 0 a draw, -1 a loss."""
    high: int
    """The best one."""
    move: int | None = None
    """A move that gets at least `low`, where one is known."""
    line: tuple[int, ...] = ()
    plies: int | None = None
    """The length of the line where it ends with the proven win or loss; there may be shorter ones."""
    by_threats: bool = False
    """Was a win or loss proven by an attack of threats alone?"""
    nodes: int = 0
    seconds: float = 0.0

    @property
    def value(self) -> str:
        """win, draw, loss, or unknown."""
        return WORDS[self.low] if self.low == self.high else "unknown"


@dataclass
class Question:
    """Can a side force a win: the one to move (`attack`), or the other; by threats alone, or at all?"""

    attack: bool
    threats: bool

    def __str__(self) -> str:
        return ("win" if self.attack else "loss") + (" by threats" if self.threats else "")


class Prover:
    """Proves who wins; keeps its table from one call to the next."""

    def __init__(self, game: str | Path | Game, *, table: float = 64) -> None:
        from plyground.compile.native import Native

        self.game = checked.game(game)
        _refuse(self.game)
        checked.sizes(1, table)
        self.label = (
            len(list(self.game.rules["label"](self.game.start()))) if "label" in self.game.has else self.game.layout.words
        )
        self._prove = Native(self.game).bind(kernel, "int64(uint64, int64, uint64)", "proof", LABEL=self.label)
        self._stop = np.zeros(1, np.int64)
        self.memory = ProofMemory(self.label, self.game.layout.words, table, self._stop)
        self._busy = threading.Lock()
        self._nodes = 0
        self.last: Proof | None = None
        """What the last call proved, also where Ctrl-C ended it."""

    def stop(self) -> None:
        """Ends the search that is under way; it answers with what is proven."""
        self._stop[0] = 1

    def forget(self) -> None:
        """Empties the table."""
        self.memory.entries[:] = 0

    def prove(
        self,
        state: Any = None,
        limit: Limit | None = None,
        *,
        only: str | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Proof:
        """Who wins from a state (from the start if none is given), as far as it can be proven within a limit of nodes or time.

        With `only="win"`, no more than whether the side to move can force a win; with `only="loss"`, whether the other can.
        """
        s = self.game.start() if state is None else checked.state(self.game, state)
        limit = Limit(infinite=True) if limit is None else checked.limit(limit)
        if limit.depth is not None:
            raise PlygroundError("a proof has no depth; limit its nodes or its time")
        if only not in (None, "win", "loss"):
            raise PlygroundError(f'only must be "win" or "loss", not {only!r:.40}')
        if not self._busy.acquire(timeout=0.1):
            raise PlygroundError("this prover is already at work; stop it first or use a second one")
        try:
            return self._run(_Search(self, s, limit, only), limit, on_progress)
        finally:
            self._busy.release()

    def _run(self, search: _Search, limit: Limit, on_progress: Callable[[Progress], None] | None) -> Proof:
        """Runs a search beside this thread, which watches the clock and takes Ctrl-C."""
        self._stop[0] = 0
        worker = Worker(search.run, STACK_BYTES)
        budget = limit.budget()
        deadline = search.began + budget[1] if budget else None
        try:
            while not worker.over:
                now = time.perf_counter()
                if deadline is not None and now >= deadline:
                    self._stop[0] = 1
                worker.wait(0.2 if deadline is None else max(0.001, min(0.2, deadline - now)))
                if on_progress is not None and not worker.over:
                    on_progress(search.progress())
        finally:
            self._stop[0] = 1
            worker.wait()
            self._stop[0] = 0
            self.last = search.found()
        if search.failure:
            raise search.failure[0]
        return self.last

    # -- the kernel --------------------------------------------------------------------------------------------------------

    def ask(self, s: Any, question: Question, nodes: int) -> int:
        """1 where the answer is yes, -1 where it is no, 0 where it is open after so many nodes."""
        row = self.game.layout.pack(s)
        memory = self.memory
        memory.nodes, memory.node_limit, memory.only_threats = 0, nodes, question.threats
        answer = int(self._prove(row.ctypes.data, int(question.attack), memory.address))
        self._nodes += memory.nodes
        return answer


def _refuse(game: Game) -> None:
    """Proofs are about two sides and no dice."""
    if len(game.sides) != 2:
        raise PlygroundError(f"{game.name} is not a game of two sides; a proof says which of two wins")
    if "chance" in game.has:
        raise PlygroundError(f"chance has a part in {game.name}; a proof is about games without it")


class _Search:
    """One call of a prover."""

    def __init__(self, prover: Prover, s: Any, limit: Limit, only: str | None) -> None:
        self.prover, self.game, self.s = prover, prover.game, s
        self.nodes = limit.nodes or 1 << 62
        self.attacks = [attack for attack in (True, False) if only in (None, "win" if attack else "loss")]
        self.began = time.perf_counter()
        self.low, self.high = -1, 1
        self.move: int | None = None
        self.line: tuple[int, ...] = ()
        self.ended = False
        self.by_threats = False
        self.question: Question | None = None
        self.failure: list[BaseException] = []
        prover._nodes = 0

    def run(self) -> None:
        """Asks until the answers tell, then follows the best line."""
        try:
            value = self.game.result(self.s)
            if value is not None:
                self.low = self.high = (value > 0) - (value < 0)
                self.ended = True
                return
            self._ask()
            self._follow()
        except BaseException as e:
            self.failure.append(e)

    def progress(self) -> Progress:
        """How far it is."""
        memory, seconds = self.prover.memory, time.perf_counter() - self.began
        nodes = self.prover._nodes + memory.nodes
        return Progress(str(self.question), memory.root_pn, memory.root_dn, self.low, self.high, nodes, seconds)

    def found(self) -> Proof:
        """What is proven."""
        plies = len(self.line) if self.ended and self.low == self.high != 0 else None
        seconds = time.perf_counter() - self.began
        return Proof(self.low, self.high, self.move, self.line, plies, self.by_threats, self.prover._nodes, seconds)

    def _ask(self) -> None:
        by_threats = {"threats", "replies"} <= self.game.has
        questions = [Question(attack, threats) for threats in (True, False)[not by_threats :] for attack in self.attacks]
        nodes = FIRST_NODES
        while questions and self.low < self.high:
            for q in list(questions):
                left = self.nodes - self.prover._nodes
                if left <= 0 or self.prover._stop[0]:
                    return
                self.question = q
                answer = self.prover.ask(self.s, q, min(nodes * (THREATS_FIRST if q.threats else 1), left))
                self._learn(q, answer)
                if self.low == self.high:
                    return
                if answer or not self.prover.memory.aborted:
                    questions = [p for p in questions if p != q and (answer == 0 or q.threats or p.attack != q.attack)]
            nodes *= 2

    def _learn(self, q: Question, answer: int) -> None:
        """What an answer says of the value. That threats alone do not win says nothing."""
        if answer == 0 or (answer < 0 and q.threats):
            return
        if answer > 0:
            self.low = self.high = 1 if q.attack else -1
            self.by_threats = q.threats
        elif q.attack:
            self.high = 0
        else:
            self.low = 0
        if q.attack == (answer > 0):  # the side to move has a move that shows it
            self.move = self.prover.memory.root_move

    # -- the line ----------------------------------------------------------------------------------------------------------

    def _follow(self) -> None:
        """The best line: the attacker wins, the other side resists as long as it can; in a draw, both hold it."""
        line: list[int] = []
        s, attack, seen = self.s, self.low > 0, set()
        while self.low == self.high and self.game.result(s) is None and self.game.identity(s) not in seen:
            seen.add(self.game.identity(s))
            m = self._best(s, attack) if self.low else self._hold(s)
            if m is None:
                break
            child = self.game.play(s, m)
            attack = attack == self._stays(s, child)
            line.append(m)
            s = child
            self.line, self.move = tuple(line), line[0]
        self.ended = self.game.result(s) is not None

    def _stays(self, s: Any, child: Any) -> bool:
        """Is the same side to move in the child?"""
        return not self.game.alternate and self.game.turn(s) == self.game.turn(child)

    def _best(self, s: Any, attack: bool) -> int | None:
        """The move that wins soonest by what is proven, or resists longest."""
        ask, q = self.prover.ask, Question(attack, self.by_threats)
        if ask(s, q, 1 << 62) != 1:
            return None
        if not attack:
            # The table may have lost a part of the proof: it is made again, so that each move's plies are known.
            for m in self._replies(s):
                child = self.game.play(s, m)
                if self.game.result(child) is None:
                    ask(child, Question(attack != (not self._stays(s, child)), self.by_threats), 1 << 62)
            ask(s, q, 1 << 62)
        return int(self.prover.memory.root_move)

    def _hold(self, s: Any) -> int | None:
        """A move after which the other side has no win, where that is soon seen."""
        for nodes in (1, FIRST_NODES):
            for m in self._replies(s):
                child = self.game.play(s, m)
                value = self.game.result(child)
                if value == 0 or (
                    value is None and self.prover.ask(child, Question(not self._stays(s, child), False), nodes) < 0
                ):
                    return m
        return None

    def _replies(self, s: Any) -> list[int]:
        """The moves that count."""
        found = [int(m) for m in self.game.rules["replies"](s)] if "replies" in self.game.has else []
        return found or self.game.legal(s)


def prove(
    game: str | Path | Game,
    state: Any = None,
    limit: Limit | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    *,
    table: float = 64,
) -> Proof:
    """Who wins from a state, with the move, a line, nodes and time.

    >>> prove("tictactoe").value
    'draw'
    """
    return Prover(game, table=table).prove(state, limit, on_progress=on_progress)
