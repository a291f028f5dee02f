"""Proofs: who wins from a state, by proof-number search; in games of threats, this reaches far deeper than alpha-beta.

    prove("gomoku", state, Limit(time=10))

Two questions settle a state: can the side to move force a win, and can the other side? If the game has `threats` and `replies`,
each is asked twice: with threats only, where long attacks are quick to search, and with all moves. The questions take turns, with
twice as many nodes in each round, until the value is known or the limit is reached.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from plyground.errors import PlygroundError
from plyground.kernels.proof.proof_memory import ProofChild, ProofMemory
from plyground.kernels.proof.proof_numbers import prove as kernel
from plyground.play import checked
from plyground.play.limit import Limit
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.system.runner import Runner

STACK_BYTES = 256 << 20
FIRST_NODES = 20_000
"""The nodes for a question in the first round."""
THREATS_FIRST = 8
"""The factor for a question with threats only: such a search usually ends soon."""
FIRST_ATTACK, FIRST_SHARE = 2_000, 64
"""The nodes of a search for threats in its first round: for a win of the side to move, and for one of the other side per move."""
LINE_NODES = 2_000
"""The nodes per ply to find the line of a win by threats once more."""
WORDS = {1: "win", 0: "draw", -1: "loss"}


@dataclass(frozen=True)
class ProofProgress:
    """The progress of a proof: the current question, its proof and disproof numbers, and what is known so far."""

    question: str
    pn: int
    dn: int
    low: int
    high: int
    nodes: int
    seconds: float


@dataclass(frozen=True)
class Proof:
    """What is proven about a state, for the side to move."""

    low: int
    """The worst possible result: 1 a win, 0 a draw, -1 a loss."""
    high: int
    """The best possible result."""
    move: int | None = None
    """A move that gets at least `low`, if known."""
    line: tuple[int, ...] = ()
    plies: int | None = None
    """The length of the line if it ends with the proven win or loss; there may be shorter ones."""
    by_threats: bool = False
    """Whether a win or loss was proven with threats only."""
    nodes: int = 0
    seconds: float = 0.0

    @property
    def value(self) -> str:
        """The value for the side to move: win, draw, loss or unknown."""
        return WORDS[self.low] if self.low == self.high else "unknown"


@dataclass
class ProofGoal:
    """Whether the side to move (`attack`) or the other side can force a win, with threats only or with any moves."""

    attack: bool
    threats: bool

    def __str__(self) -> str:
        return ("win" if self.attack else "loss") + (" by threats" if self.threats else "")


class Prover:
    """A proof-number search for one game, which keeps its table from one call to the next."""

    def __init__(self, game: str | Path | Game, *, memory: float = 64) -> None:
        """Allocate a table of `memory` MB."""
        from plyground.compile.native import Native

        self.game = checked.game(game)
        _refuse(self.game)
        checked.sizes(1, memory)
        self.label = (
            len(list(self.game.rules["label"](self.game.start()))) if "label" in self.game.has else self.game.layout.words
        )
        self._prove = Native(self.game).bind(kernel, "int64(uint64, int64, uint64)", "proof", LABEL=self.label)
        self.memory = ProofMemory(self.label, self.game.layout.words, memory)
        self._busy = threading.Lock()
        self._runner = Runner()  # of the latest search
        self.last: Proof | None = None
        """What the last call proved, even if Ctrl-C ended it."""

    def stop(self) -> None:
        """Stop the running search; it returns what is proven."""
        self._runner.stop()

    @property
    def stopped(self) -> bool:
        """Whether the running search must end."""
        return self._runner.stopped

    def forget(self) -> None:
        """Empty the table."""
        self.memory.entries[:] = 0

    def prove(
        self,
        state: State | None = None,
        limit: Limit | None = None,
        *,
        only: str | None = None,
        on_progress: Callable[[ProofProgress], None] | None = None,
    ) -> Proof:
        """Prove who wins from a state (by default the start), as far as possible within a limit of nodes or time.

        With `only="win"`, asks only whether the side to move can force a win; with `only="loss"`, whether the other side can.
        """
        s = self.game.start() if state is None else checked.state(self.game, state)
        limit = Limit.checked(limit, Limit(infinite=True), depth=False)
        if only not in (None, "win", "loss"):
            raise PlygroundError(f'only must be "win" or "loss", not {only!r:.40}')
        if not self._busy.acquire(timeout=0.1):
            raise PlygroundError("this prover is already searching; stop it first or use a second one")
        proving = ProofSearch(self, s, limit, only, on_progress)
        try:
            self._runner = proving.runner
            proving.runner.run(proving.run, stack=STACK_BYTES, tick=proving.report)
        finally:
            self.last = proving.proof()
            self._busy.release()
        return self.last

    # -- the kernel --------------------------------------------------------------------------------------------------------

    def ask(self, s: State, question: ProofGoal, nodes: int) -> int:
        """Return 1 if the answer is yes, -1 if it is no, 0 if it is still open after this many nodes."""
        row = self.game.layout.row(s)
        memory = self.memory
        memory.nodes, memory.node_limit, memory.only_threats, memory.listed = 0, nodes, question.threats, 0
        memory.stop = self._runner.address
        return int(self._prove(row.ctypes.data, int(question.attack), memory.address))

    def refute(self, s: State, moves: Sequence[int], share: int, nodes: int) -> tuple[list[int], list[int]]:
        """Return the moves after which the other side wins by threats, and those for which that is still open.

        The search after a move ends after `share` nodes, and that of all moves after `nodes`.
        """
        row, memory = self.game.layout.row(s), self.memory
        memory.nodes, memory.node_limit, memory.only_threats = 0, nodes, True
        memory.listed, memory.share, memory.stop = len(moves), share, self._runner.address
        words = ProofChild.size // 8
        listed = memory.children[: words * len(moves)].reshape(-1, words)
        listed[:, ProofChild.move.offset // 8] = moves
        self._prove(row.ctypes.data, 0, memory.address)
        phi, delta = (listed[:, part.offset // 8].tolist() for part in (ProofChild.phi, ProofChild.delta))
        lost = [m for m, number in zip(moves, delta, strict=True) if number == 0]
        return lost, [m for m, *numbers in zip(moves, phi, delta, strict=True) if 0 not in numbers]

    def search_threats(self, s: State, moves: Sequence[int], nodes: int, runner: Runner) -> ThreatSearch:
        """Search for wins by threats: of the side to move, and of the other side after each of `moves`."""
        self._runner, search = runner, ThreatSearch(self, s, moves, nodes)
        runner.run(search.run, stack=STACK_BYTES)
        return search


def _refuse(game: Game) -> None:
    """Refuse games of chance and games without two sides."""
    if len(game.sides) != 2:
        raise PlygroundError(f"{game.name} does not have two sides; a proof shows which of two sides wins")
    if "chance" in game.has:
        raise PlygroundError(f"{game.name} is a game of chance and can't be proven; `analyse` gives expected results")


class ProofSearch:
    """One search of a prover, with its table and memory."""

    def __init__(
        self, prover: Prover, s: State, limit: Limit, only: str | None, on_progress: Callable[[ProofProgress], None] | None
    ) -> None:
        self.prover, self.game, self.s = prover, prover.game, s
        self.runner, self.on_progress = Runner(limit.seconds), on_progress
        self.most, self.nodes = limit.nodes or 1 << 62, 0
        self.attacks = [attack for attack in (True, False) if only in (None, "win" if attack else "loss")]
        self.low, self.high = -1, 1
        self.move: int | None = None
        self.line: tuple[int, ...] = ()
        self.ended = False
        self.by_threats = False
        self.question: ProofGoal | None = None

    def run(self, number: int) -> None:
        """Find the value, then the best line."""
        value = self.game.result(self.s)
        if value is None:
            self._find_value()
            self._find_line()
        else:
            self.low = self.high = (value > 0) - (value < 0)
            self.ended = True

    def report(self) -> None:
        """Report the progress."""
        if self.on_progress is not None:
            self.on_progress(self.progress())

    def progress(self) -> ProofProgress:
        """Return the progress so far."""
        memory, seconds = self.prover.memory, self.runner.seconds
        nodes = self.nodes + memory.nodes
        return ProofProgress(str(self.question), memory.root_pn, memory.root_dn, self.low, self.high, nodes, seconds)

    def proof(self) -> Proof:
        """Return what is proven."""
        plies = len(self.line) if self.ended and self.low == self.high != 0 else None
        seconds = self.runner.seconds
        return Proof(self.low, self.high, self.move, self.line, plies, self.by_threats, self.nodes, seconds)

    def _ask(self, s: State, q: ProofGoal, nodes: int = 1 << 62) -> int:
        answer = self.prover.ask(s, q, nodes)
        self.nodes += self.prover.memory.nodes
        return answer

    def _find_value(self) -> None:
        """Ask questions until it is known who wins or the limit is reached."""
        by_threats = {"threats", "replies"} <= self.game.has
        questions = [ProofGoal(attack, threats) for threats in (True, False)[not by_threats :] for attack in self.attacks]
        nodes = FIRST_NODES
        while questions and self.low < self.high:
            for q in list(questions):
                left = self.most - self.nodes
                if left <= 0 or self.runner.stopped:
                    return
                self.question = q
                answer = self._ask(self.s, q, min(nodes * (THREATS_FIRST if q.threats else 1), left))
                self._update_bounds(q, answer)
                if self.low == self.high:
                    return
                if answer or not self.prover.memory.aborted:
                    questions = [p for p in questions if p != q and (answer == 0 or q.threats or p.attack != q.attack)]
            nodes *= 2

    def _update_bounds(self, q: ProofGoal, answer: int) -> None:
        """Update the bounds from an answer. If threats alone do not win, nothing follows."""
        if answer == 0 or (answer < 0 and q.threats):
            return
        if answer > 0:
            self.low = self.high = 1 if q.attack else -1
            self.by_threats = q.threats
        elif q.attack:
            self.high = 0
        else:
            self.low = 0
        if q.attack == (answer > 0):  # the side to move has a move that proves it
            self.move = self.prover.memory.root_move

    # -- the line ----------------------------------------------------------------------------------------------------------

    def _find_line(self) -> None:
        """Find the best line: the attacker wins, the other side resists as long as possible; in a draw, both keep it drawn."""
        line: list[int] = []
        s, attack, seen = self.s, self.low > 0, set()
        while self.low == self.high and self.game.result(s) is None and self.game.identity(s) not in seen:
            seen.add(self.game.identity(s))
            m = self._best_move(s, attack) if self.low else self._drawing_move(s)
            if m is None:
                break
            child = self.game.child(s, m)
            attack = attack != self.game.changes_turn(s, child)
            line.append(m)
            s = child
            self.line, self.move = tuple(line), line[0]
        self.ended = self.game.result(s) is not None

    def _best_move(self, s: State, attack: bool) -> int | None:
        """Return the move that wins fastest or resists longest, as far as proven."""
        q = ProofGoal(attack, self.by_threats)
        if self._ask(s, q) != 1:
            return None
        if not attack:
            # The table may have lost part of the proof: search it again, so that the plies of each move are known.
            for m in self._replies(s):
                child = self.game.child(s, m)
                if self.game.result(child) is None:
                    self._ask(child, ProofGoal(attack != self.game.changes_turn(s, child), self.by_threats))
            self._ask(s, q)
        return int(self.prover.memory.root_move)

    def _drawing_move(self, s: State) -> int | None:
        """Return a move after which the other side has no win, if that is quick to prove."""
        for nodes in (1, FIRST_NODES):
            for m in self._replies(s):
                child = self.game.child(s, m)
                value, q = self.game.result(child), ProofGoal(self.game.changes_turn(s, child), False)
                if value == 0 or (value is None and self._ask(child, q, nodes) < 0):
                    return m
        return None

    def _replies(self, s: State) -> list[int]:
        """Return the replies that matter, if the game says which, else all moves."""
        found = [int(m) for m in self.game.rules["replies"](s)] if "replies" in self.game.has else []
        return found or self.game.legal(s)


class ThreatSearch:
    """A search for wins by threats before a move is chosen: of the side to move, and of the other side after each move."""

    def __init__(self, prover: Prover, s: State, moves: Sequence[int], nodes: int) -> None:
        self.prover, self.s, self.left = prover, s, nodes
        self.value = 0
        """1 if the side to move is proven to win, -1 if it is proven to lose whatever it plays, else 0."""
        self.plies = 0
        """The length of that win or loss; there may be a shorter win."""
        self.line: tuple[int, ...] = ()
        """The line of a win."""
        self.moves = list(moves)
        """Those of the moves that are not refuted; if all are, those whose refutation took the most work."""
        self.nodes = 0

    def run(self, number: int) -> None:
        """Search in rounds with four times as many nodes each, until everything is settled or a limit is reached."""
        attacking, open_moves = True, self.moves
        attack, share = FIRST_ATTACK, FIRST_SHARE
        while (attacking or open_moves) and self.left > 0 and not self.prover.stopped:
            if attacking:
                answer = self._ask(self.s, True, attack)
                attacking = answer == 0
                if answer > 0:
                    self._find_line()
                    return
            if open_moves and self.left > len(open_moves) and not self.prover.stopped:
                lost, open_moves = self.prover.refute(self.s, open_moves, share, self.left)
                self._count()
                unrefuted = [m for m in self.moves if m not in lost]
                if not unrefuted:
                    self._prove_loss()
                    return
                self.moves = unrefuted
            attack, share = 4 * attack, 4 * share

    def _ask(self, s: State, attack: bool, nodes: int) -> int:
        answer = self.prover.ask(s, ProofGoal(attack, True), min(nodes, self.left))
        self._count()
        return answer

    def _count(self) -> None:
        self.nodes += self.prover.memory.nodes
        self.left -= self.prover.memory.nodes

    def _prove_loss(self) -> None:
        """Prove the loss for all legal moves: perhaps not all were listed."""
        if self.left > 0 and self._ask(self.s, False, self.left) > 0:
            self.value, self.plies = -1, self.prover.memory.plies

    def _find_line(self) -> None:
        """Follow the win just proven, as far as the table has it."""
        memory, game, s, attack = self.prover.memory, self.prover.game, self.s, True
        self.value, self.plies, line = 1, memory.plies, [memory.root_move]
        while len(line) < self.plies:
            child = game.child(s, line[-1])
            attack, s = attack != game.changes_turn(s, child), child
            self.left = LINE_NODES
            if game.result(s) is not None or self._ask(s, attack, LINE_NODES) <= 0:
                break
            line.append(memory.root_move)
        self.line = tuple(map(int, line))


def prove(
    game: str | Path | Game,
    state: State | None = None,
    limit: Limit | None = None,
    on_progress: Callable[[ProofProgress], None] | None = None,
    *,
    memory: float = 64,
) -> Proof:
    """Return who wins from a state, with the move, a line, nodes and time.

    >>> prove("tictactoe").value
    'draw'
    """
    return Prover(game, memory=memory).prove(state, limit, on_progress=on_progress)
