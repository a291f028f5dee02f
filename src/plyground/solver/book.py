"""Books: the exact values of all positions of an opening, computed by our own solver and saved as a table.

    make_book(load("connect4"), 8, "connect4.book")

Every position of the last ply is solved; the earlier ones follow from them. A run that was killed can be resumed.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from plyground import score as scores
from plyground.errors import PlygroundError
from plyground.play import checked
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.solver.solver import Solver
from plyground.solver.solving import final_score, move_score
from plyground.solver.tablebase.file import Log, TableSubject, TableSummary, write_tablebase
from plyground.solver.tablebase.lookup import Tablebase, fingerprint, has_keys, key_row, open_tablebase, row_of
from plyground.system.files import make_folder
from plyground.system.runner import Runner

Scored = dict[Hashable, tuple[State, int]]
"""States with their scores, by `game.identity`."""
LOG_POSITIONS = 64
"""The number of positions after which a thread writes to the log."""
LOG_SECONDS = 5.0
"""The time after which it writes even if there are fewer."""


@dataclass(frozen=True)
class BookProgress:
    """The progress of a book."""

    done: int
    total: int
    nodes: int
    seconds: float
    before: int = 0
    """Positions that were known when this run began."""


def make_book(
    game: Game,
    plies: int,
    path: str | Path,
    *,
    threads: int = 1,
    memory: float = 512,
    replace: bool = False,
    book: bool = True,
    on_progress: Callable[[BookProgress], None] | None = None,
) -> Tablebase:
    """Solve all positions up to this many plies and save them; resume an earlier run from FILE.part.

    An existing book with at least as many plies is returned; one with fewer, or for other rules, is an error unless `replace`.
    Values that the solver's own book has, such as the one that comes with Connect 4, are taken from it, unless `book` is false.
    """
    path = Path(path)
    checked.sizes(threads, memory)
    checked.whole("plies", plies, 1, 40)
    if game.in_place:
        raise PlygroundError(f"{game.name} has in-place rules; a book needs a `play` that returns a new state")
    subject = TableSubject(game=game.name, rules=fingerprint(game), ending=f"the first {plies} plies")
    if path.exists():
        try:
            old = open_tablebase(path, game)
        except PlygroundError:
            if not replace:
                raise
        else:
            if plies_of(old) >= plies:
                return old
            if not replace:
                raise PlygroundError(f"{path}: this book has only {old.ending}; remove it or choose another file")
    make_folder(path.parent)
    solver = Solver(game, memory=memory)
    layers = openings(game, plies)
    for s in layers[-1][:1]:
        solver.check(s, limited=False)
    log = Log(path.with_name(path.name + ".part"), subject)
    try:
        values = _LastLayer(layers[-1], log, solver, threads, on_progress, solver.book if book else None).solve()
        known = _work_up(game, layers, values)
        _write(game, path, subject, known)
    except BaseException:
        log.close(remove=log.empty)
        raise
    log.close(remove=True)
    return open_tablebase(path, game)


def plies_of(book: Tablebase) -> int:
    """Return the number of plies that a book covers; 0 if the table is not a book."""
    found = re.fullmatch(r"the first (\d+) plies", book.ending or "")
    return int(found[1]) if found else 0


def openings(game: Game, plies: int) -> list[list[State]]:
    """Return the positions after 0, 1, … plies, without finished games; of symmetric ones only one."""
    layers: list[list[State]] = [[game.canonical(game.start())]]
    for _ in range(plies):
        found: dict[Hashable, State] = {}
        for s in layers[-1]:
            for m in game.legal(s):
                child = game.canonical(game.child(s, m))
                if game.result(child) is None:
                    found.setdefault(game.identity(child), child)
        layers.append(list(found.values()))
    return layers


class _LastLayer:
    """The scores of the last layer: some from the log, the others from several solvers that share one table."""

    def __init__(
        self,
        states: list[State],
        log: Log,
        solver: Solver,
        threads: int,
        on_progress: Callable[[BookProgress], None] | None,
        book: Tablebase | None,
    ) -> None:
        self.states, self.log, self.on_progress = states, log, on_progress
        self.values: list[int | None] = [None if book is None else book.score(s) for s in states]
        for _, arrays in log.resume():
            for i, value in zip(arrays["index"], arrays["score"], strict=True):
                self.values[int(i)] = int(value)
        todo = [i for i, value in enumerate(self.values) if value is None]
        self.todo, self.before = iter(todo), len(states) - len(todo)
        self.lock = threading.Lock()
        self.solvers = [solver, *(Solver(solver.game, table=solver.table) for _ in range(threads - 1))]
        self.nodes = [0] * threads
        for each in self.solvers if todo else ():
            each.prepare()
        self.runner = Runner()

    def solve(self) -> list[int]:
        """Run all solvers and return the scores."""
        self.runner.run(self.work, len(self.solvers), tick=self.report, on_stop=self.stop)
        self.report()
        return [value for value in self.values if value is not None]

    def work(self, number: int) -> None:
        """Solve states with one solver until none is left or the run is stopped."""
        found: list[tuple[int, int]] = []
        written = time.perf_counter()
        try:
            while not self.runner.stopped and (i := self.take()) is not None:
                solution = self.solvers[number].solve(self.states[i], line=False, book=False)
                self.nodes[number] += solution.nodes
                if solution.score is None:
                    break
                found.append((i, solution.score))
                if len(found) >= LOG_POSITIONS or time.perf_counter() - written > LOG_SECONDS:
                    self.record(found)
                    found, written = [], time.perf_counter()
        finally:
            self.record(found)

    def take(self) -> int | None:
        """Return the number of a state that is not yet solved or taken."""
        with self.lock:
            return next(self.todo, None)

    def record(self, found: list[tuple[int, int]]) -> None:
        """Store scores and write them to the log."""
        with self.lock:
            for i, value in found:
                self.values[i] = value
            if found:
                index, score = zip(*found, strict=True)
                self.log.write({}, {"index": np.array(index, "<u4"), "score": np.array(score, "<i2")})

    def stop(self) -> None:
        """Stop the solvers."""
        for solver in self.solvers:
            solver.stop()

    def report(self) -> None:
        """Report the progress."""
        if self.on_progress is not None:
            done = sum(value is not None for value in self.values)
            self.on_progress(BookProgress(done, len(self.values), sum(self.nodes), self.runner.seconds, self.before))


def _work_up(game: Game, layers: list[list[State]], values: list[int]) -> Scored:
    """Return the scores of all layers, by the identity of the state."""
    known = {game.identity(s): (s, value) for s, value in zip(layers[-1], values, strict=True)}
    for layer in reversed(layers[:-1]):
        for s in layer:
            known[game.identity(s)] = (s, max(_through(game, s, m, known) for m in game.legal(s)))
    return known


def _through(game: Game, s: State, m: int, known: Scored) -> int:
    """Return the score of a move."""
    child = game.child(s, m)
    over = final_score(game, child)
    return move_score(game, s, child, known[game.identity(game.canonical(child))][1] if over is None else over)


def _write(game: Game, path: Path, subject: TableSubject, known: Scored) -> None:
    rows, values = [], []
    keys = has_keys(game)
    for s, score in known.values():
        row = key_row(game, s) if keys else row_of(game, s)
        assert row is not None
        rows.append(row)
        by, plies = scores.margin(score), scores.plies(score)
        values.append(by if by is not None else 0 if plies is None else (plies + 1) * (1 if score > 0 else -1))
    summary = TableSummary(
        keys=keys,
        states=len(values),
        wins=sum(v > 0 for v in values),
        losses=sum(v < 0 for v in values),
        longest=None if game.margin else max((v - 1 for v in values if v > 0), default=None),
        hardest=None,
    )
    write_tablebase(path, subject, summary, np.array(rows, np.uint64), np.array(values, np.int64))
