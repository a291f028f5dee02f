"""Solving every state of a game or an ending: find them all, reverse the moves, and work backwards from the finished games.

Finished work goes to FILE.part every few seconds, so that a killed run can resume; the table itself appears under its name only
when it is complete.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from plyground.errors import PlygroundError
from plyground.kernels.tools import retrograde as kernels
from plyground.kernels.tools.retrograde import UNKNOWN, RunProgress
from plyground.play import checked
from plyground.rules.game import PARSE_ERRORS, Game
from plyground.solver.tablebase.file import Array, Chunk, Log, TableSubject, TableSummary, write_tablebase
from plyground.solver.tablebase.lookup import Tablebase, fingerprint, open_tablebase, row_of, width_of
from plyground.system.machine import free_memory
from plyground.system.runner import Runner

STATES = 50_000_000
MEMORY = 4096
"""The default limit in MB, or the free memory if that is less."""
LOAD = 0.6
"""The maximum load factor of the slots."""
MAX_STATES, MAX_EDGES, MAX_PLIES = (1 << 31) - 2, (1 << 32) - 1, 32_000
EDGE_ROOM = 1 << 24
"""The number of edges that fit in memory before they go to disk."""


@dataclass(frozen=True)
class TablebaseProgress:
    """The progress of a run."""

    stage: str
    """`finding` states, `solving` them, `writing` the table."""
    states: int
    """Found so far."""
    done: int
    """Expanded states; while solving, states whose value is known (draws are known only at the end)."""
    ply: int
    """The distance from the first states in plies; while solving, from the finished games."""
    seconds: float


def solve_tablebase(
    game: Game,
    path: str | Path,
    *,
    ending: str | None = None,
    states: int = STATES,
    memory: float | None = None,
    every: float = 5.0,
    block: int = 1 << 18,
    on_progress: Callable[[TablebaseProgress], None] | None = None,
) -> Tablebase:
    """Solve every state that can be reached from the start or from the positions of an ending, and save them in a file.

    `states` and `memory` (in MB) are limits. Resumes an earlier run from FILE.part; finished work is saved there every `every`
    seconds. If the file already contains the table, it is just opened.
    """
    path = Path(path)
    if "chance" in game.has:
        raise PlygroundError(f"{game.name} is a game of chance; tables are for games without chance")
    if len(game.sides) > 2:
        raise PlygroundError(f"{game.name} has {len(game.sides)} sides; tables are for games with one or two")
    number = _ending(game, ending)
    checked.whole("states", states, 1)
    memory = min(MEMORY, free_memory() or MEMORY) if memory is None else checked.memory(memory)
    if path.exists():
        table = open_tablebase(path, game)
        if table.ending != ending:
            raise PlygroundError(f"{path}: contains {table.ending or 'the whole game'}; remove it or choose another name")
        return table
    subject = TableSubject(game=game.name, rules=fingerprint(game), ending=ending)
    log = Log(path.with_name(path.name + ".part"), subject)
    try:
        run = _Run(game, log, number, min(states, MAX_STATES), memory, every, block, on_progress or (lambda p: None))
        run.runner.run(lambda _: run.make(path, subject))
    except BaseException:
        log.close(remove=log.empty)
        raise
    log.close(remove=True)
    return open_tablebase(path, game)


def _ending(game: Game, text: str | None) -> int | None:
    """Return the number that `positions` takes for an ending."""
    if text is None:
        return None
    if "ending" not in game.has:
        raise PlygroundError(f"{game.name} has no named endings; leave out --ending to solve the whole game")
    try:
        return int(game.rules["ending"](text))
    except PARSE_ERRORS as e:
        raise PlygroundError(f"{text!r:.40} is not an ending of {game.name}: {e}") from e


class _Run:
    """One run with its arrays, which `kernels/tools/retrograde.py` describes."""

    def __init__(
        self,
        game: Game,
        log: Log,
        ending: int | None,
        states: int,
        memory: float,
        every: float,
        block: int,
        on_progress: Callable[[TablebaseProgress], None],
    ) -> None:
        from plyground.compile.native import Native

        self.game, self.log, self.ending, self.on_progress = game, log, ending, on_progress
        self.most_states, self.most_bytes, self.every, self.block = states, memory * (1 << 20), every, block
        self.native, self.bound = Native(game), dict[str, Callable[..., int]]()
        self.width = width_of(game)
        self.runner = Runner()
        self.saved = self.runner.seconds
        self.head = RunProgress()
        self.work = np.zeros(2 * max(1, game.layout.words) + 2, np.uint64)
        self.rows: Array = np.empty((0, self.width), np.uint64)
        self.slots: Array = np.zeros(0, np.uint64)
        self.edges: Array = np.empty(EDGE_ROOM, np.uint32)
        self.degrees: Array = np.empty(0, np.uint16)
        self.values: Array = np.empty(0, np.int16)
        self.ply, self.layer = 0, 0  # the layer being expanded, and its end
        self.passes: tuple[int, int, Array, Array, Array] | None = None  # from the log: known, ply, layer, values, degrees
        self.kept, self.kept_edges = [0, 0], 0  # states, expanded states and edges in the log

    def make(self, path: Path, subject: TableSubject) -> None:
        """Do the work that is not in the log yet, and write the table."""
        self._resume()
        self.find()
        self.solve()
        self.report("writing", self.count, 0)
        write_tablebase(path, subject, self.summary(), self.rows[: self.count], self.values[: self.count])

    def call(self, name: str, *args: int | Array) -> int:
        """Run a kernel, compiled on first use."""
        if name not in self.bound:
            rules = name in ("add_ending_positions", "expand")
            width = {"WIDTH": self.width} if rules or name == "rehash" else {}
            kernel, signature = getattr(kernels, name), kernels.SIGNATURES[name]
            self.bound[name] = self.native.bind(kernel, signature, "the table", rules, hot=True, **width)
        return self.bound[name](*args)

    @property
    def count(self) -> int:
        """States found."""
        return int(self.head.count)

    def report(self, stage: str, done: int, ply: int) -> None:
        """Report the progress; end the run if it was stopped."""
        if self.runner.stopped:
            raise KeyboardInterrupt
        self.on_progress(TablebaseProgress(stage, self.count, done, ply, self.runner.seconds))

    # -- memory ----------------------------------------------------------------------------------------------------------

    def _grow(self, states: int) -> None:
        """Make room for this many states."""
        slots = 1 << 10
        while slots * LOAD < states:
            slots *= 2
        if states * (8 * self.width + 4) + 8 * slots + self.edges.nbytes > self.most_bytes:
            raise self._too_large(f"more than {self.most_bytes / (1 << 20):,.0f} MB are needed", "memory")
        if states > len(self.rows):
            self.rows, self.degrees, self.values = (_grow_array(a, states) for a in (self.rows, self.degrees, self.values))
        if slots > len(self.slots):
            self.slots = np.zeros(slots, np.uint64)
            self.call("rehash", self.rows.ctypes.data, self.slots, self.count)
        self.head.room = min(len(self.rows), int(len(self.slots) * LOAD), self.most_states)

    def _more(self, expected: int = 0) -> None:
        """Make more room once it is full; raise an error if there are too many states."""
        if self.head.edges > len(self.edges) - 2 * kernels.MAX_MOVES:
            self.save()
        if self.count >= self.most_states:
            raise self._too_large(f"there are more than {self.most_states:,} states", "states")
        if self.count >= self.head.room:
            self._grow(min(max(2 * self.count, min(expected, 16 * self.count)), self.most_states))
        self.head.full = 0

    def _too_large(self, why: str, option: str) -> PlygroundError:
        self.save()
        found = f"{self.count:,} found, {self.head.next:,} expanded, {self.ply} plies deep"
        smaller = f"use a smaller board{' or an --ending' if 'ending' in self.game.has else ''}"
        more = f"allow more with --{option} or {smaller}" if option else smaller
        stays = "" if self.log.empty else f"; finished work is kept in {self.log.path}"
        return PlygroundError(f"{self.game.name}: {why} ({found}); {more}{stays}")

    # -- finding every state -----------------------------------------------------------------------------------------------

    def find(self) -> None:
        """Find every state and the moves between them."""
        if self.count == 0 or self.ply == 0:
            self._seed()
        while self.head.next < self.count:
            if self.head.next == self.layer:
                self.ply, self.layer = self.ply + 1, self.count
            until = min(self.head.next + self.block, self.layer)
            address = self.rows.ctypes.data, self.work.ctypes.data
            self.call("expand", *address, self.slots, self.edges, self.degrees, self.values, self.head.address, until)
            if self.head.unfit:
                raise self._state_too_large_error()
            if self.head.beyond:
                raise self.game.margin_error(self.head.beyond)
            if self.head.full:
                self._more()
            self._pause()
            self.report("finding", self.head.next, self.ply)
        self.save()
        self.slots, self.edges = np.zeros(0, np.uint64), np.empty(0, np.uint32)

    def _seed(self) -> None:
        """Add the start of the game, or every position of the ending."""
        if self.count == 0:
            self._grow(1 << 16)
        if self.ending is None:
            row = row_of(self.game, self.game.start())
            if row is None:
                raise self._state_too_large_error()
            self.rows[0], self.head.count = row, 1
            self.call("rehash", self.rows.ctypes.data, self.slots, 1)
        else:
            address = self.rows.ctypes.data, self.work.ctypes.data
            while (
                every := self.call("add_ending_positions", *address, self.slots, self.head.address, self.ending)
            ) > self.head.seeds:
                self._more(self.count + every - self.head.seeds)
                address = self.rows.ctypes.data, self.work.ctypes.data
                self.report("finding", 0, 0)
        self.ply, self.layer = 1, self.count
        self._pause()

    def _state_too_large_error(self) -> PlygroundError:
        ending = ""
        if "ending" in self.game.has:
            try:
                self.game.rules["ending"]("")
            except PARSE_ERRORS as e:
                ending = f"; give an --ending: {e}"
        return PlygroundError(f"{self.game.name} has states that are too large for a table{ending}")

    # -- values ------------------------------------------------------------------------------------------------------------

    def solve(self) -> None:
        """Find the value of every state, backwards from the finished games."""
        states, total = self.count, self.kept_edges
        needed = states * (8 * self.width + 12) + 4 * total
        if needed > self.most_bytes:
            raise self._too_large(f"{needed / (1 << 20):,.0f} MB are needed to solve them", "memory")
        if total > MAX_EDGES:
            raise self._too_large("there are more moves than a table can hold", "")
        starts, parents = self._parents(states, total)
        queue = np.empty(states, np.uint32)
        margin = bool(self.game.margin)
        if self.passes is not None:
            known, ply, layer, self.values, self.degrees = self.passes
        else:
            ends = self.degrees[:states] == 0
            layer = np.flatnonzero(ends if margin else ends & (self.values[:states] != 0))
            known, ply = len(layer), 0
        for new in self._backwards("backward_pass_margins" if margin else "backward_pass", queue, layer, starts, parents):
            known, ply = known + new, ply + 1
            if ply == MAX_PLIES:
                raise self._too_large(f"there are wins in more than {MAX_PLIES:,} plies", "")
            self._keep_pass(queue, known, ply)
            self.report("solving", known, ply)
        if margin and known < states:
            self._solve_cycles(queue, starts, parents)

    def _backwards(self, kernel: str, queue: Array, layer: Array, starts: Array, parents: Array) -> Iterator[int]:
        """Run passes backwards from a layer of states until nothing new is found; yield how many states each adds."""
        queue[: len(layer)] = layer
        self.head.first, self.head.last = 0, len(layer)
        while self.head.first < self.head.last:
            before = self.head.last
            self.call(kernel, queue, self.values, self.degrees, starts, parents, self.head.address)
            yield self.head.last - before

    def _solve_cycles(self, queue: Array, starts: Array, parents: Array) -> None:
        """Solve a game with margins and cycles: find, for each margin, the states that can force it; the others are 0."""
        degrees, results = (np.concatenate([a[name] for _, a in self._graph()]) for name in ("degrees", "values"))
        ends = degrees == 0
        final = np.zeros(len(results), np.int16)
        for done, margin in enumerate(sorted({abs(int(x)) for x in np.unique(results[ends])} - {0}, reverse=True)):
            self.degrees = degrees.copy()
            self.values = (ends & (results >= margin)).astype(np.int16) - (ends & (results <= -margin))
            for _ in self._backwards("backward_pass", queue, np.flatnonzero(self.values), starts, parents):
                self.report("solving", int((final != 0).sum()), done)
            new = (final == 0) & (self.values != 0)
            final[new] = np.where(self.values[new] > 0, margin, -margin)
        self.values = final

    def _parents(self, states: int, total: int) -> tuple[Array, Array]:
        """Reverse the edges: return where the parents of each state start, and the parents."""
        starts = np.zeros(states + 1, np.uint32)
        for _, arrays in self._graph():
            self.call("count_parents", arrays["edges"], starts)
        starts[:] = np.cumsum(starts, dtype=np.uint64)
        parents = np.empty(total, np.uint32)
        first = 0
        for _, arrays in self._graph():
            self.call("reverse_edges", arrays["edges"], arrays["degrees"], starts, parents, first)
            first += len(arrays["degrees"])
        return starts, parents

    def _graph(self) -> Iterator[Chunk]:
        """Return the states and edges in the log."""
        return (chunk for chunk in self.log.chunks() if chunk[0]["stage"] == "finding")

    def summary(self) -> TableSummary:
        """Return statistics of the table, for its header."""
        values = self.values[: self.count]
        if self.game.margin:
            values[values == UNKNOWN] = 0
        longest, hardest = int(values.max(initial=0)), None
        if longest > 0:
            row = self.rows[int(values.argmax())]
            s = self.game.rules["unpack"](int(row[0])) if "pack" in self.game.has else self.game.layout.read(row)
            hardest = self.game.format_state(s)
        return {
            "states": self.count,
            "wins": int((values > 0).sum()),
            "losses": int((values < 0).sum()),
            "longest": longest - 1 if longest > 0 and not self.game.margin else None,
            "hardest": hardest,
        }

    # -- finished work, on disk --------------------------------------------------------------------------------------------

    def _pause(self) -> None:
        if self.runner.seconds - self.saved >= self.every:
            self.save()

    def save(self) -> None:
        """Save the states and edges found since the last time."""
        states, expanded, edges = self.count, self.head.next, self.head.edges
        if [states, expanded] != self.kept:
            a, b = self.kept
            self.log.write(
                {"stage": "finding", "ply": self.ply, "layer": self.layer, "seeds": self.head.seeds},
                {
                    "rows": self.rows[a:states].reshape(-1),
                    "edges": self.edges[:edges],
                    "degrees": self.degrees[b:expanded],
                    "values": self.values[b:expanded],
                },
            )
            self.kept, self.kept_edges = [states, expanded], self.kept_edges + edges
            self.head.edges = 0
        self.saved = self.runner.seconds

    def _keep_pass(self, queue: Array, known: int, ply: int) -> None:
        """Save the state of the backward passes."""
        if self.runner.seconds - self.saved < self.every:
            return
        self.log.write(
            {"stage": "solving", "known": known, "ply": ply},
            {
                "queue": queue[self.head.first : self.head.last],
                "values": self.values[: self.count],
                "degrees": self.degrees[: self.count],
            },
        )
        self.saved = self.runner.seconds

    def _resume(self) -> None:
        """Load the finished work of an earlier run."""
        for info, arrays in self.log.resume():
            if info["stage"] == "solving":
                layer, values, degrees = (arrays[name].copy() for name in ("queue", "values", "degrees"))
                self.passes = info["known"], info["ply"], layer, values, degrees
                continue
            a, b = self.kept
            rows = arrays["rows"].reshape(-1, self.width)
            states, expanded = a + len(rows), b + len(arrays["degrees"])
            if states > len(self.rows):
                self._grow(max(2 * states, 1 << 14))
            self.rows[a:states] = rows
            self.degrees[b:expanded], self.values[b:expanded] = arrays["degrees"], arrays["values"]
            self.head.count, self.head.next, self.head.seeds = states, expanded, info["seeds"]
            self.ply, self.layer = info["ply"], info["layer"]
            self.kept, self.kept_edges = [states, expanded], self.kept_edges + len(arrays["edges"])
        if self.count:
            self.slots[:] = 0
            self.call("rehash", self.rows.ctypes.data, self.slots, self.count)


def _grow_array(old: Array, length: int) -> Array:
    """Return the array with room for more."""
    new: Array = np.empty((length, *old.shape[1:]), old.dtype)
    new[: len(old)] = old
    return new
