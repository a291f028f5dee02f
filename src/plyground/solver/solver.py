"""The solver: the exact value of a state with perfect play by both sides.

    Solver("connect4").solve(state).score

A solver keeps its table between states; one search is a `Solving`.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyground.errors import PlygroundError
from plyground.play import checked
from plyground.play.limit import Limit
from plyground.rules.game import Game
from plyground.rules.load import GAMES
from plyground.search.exact import ExactTable
from plyground.search.solve import solve_bound
from plyground.search.solver_memory import SolverMemory
from plyground.solver.solving import Progress, Solution, Solving, final_score, move_score
from plyground.system.files import data_folder

if TYPE_CHECKING:
    from plyground.solver.tablebase import Tablebase


class Solver:
    """Solves states of one game; keeps its table from one to the next."""

    def __init__(
        self, game: str | Path | Game, *, memory: float = 256, threads: int = 1, table: ExactTable | None = None
    ) -> None:
        """`memory`: of the table, in MB. Several solvers of one game can share a `table`."""
        self.game = checked.game(game)
        check_solvable(self.game)
        checked.sizes(threads, memory if table is None else 1)
        if table is None:
            table = ExactTable(memory, self.game.key_bits, self.game.layout.words, self.game.tuning.dense)
        self.table = table
        self.book = find_book(self.game)
        """The values of the opening, if there is a book."""
        self._blocks = [SolverMemory(self.game, self.table, number) for number in range(threads)]
        self._solving: Solving | None = None
        self.last: Solution | None = None
        """The last solution, even if Ctrl-C ended it."""

    @functools.cached_property
    def kernel(self) -> Callable[[int, int, int], int]:
        """The search, compiled on first use."""
        return _bound(self.game)

    def prepare(self) -> None:
        """Compiles the search now."""
        _ = self.kernel

    def check(self, s: Any, limited: bool) -> None:
        """Refuses searches that would practically never end, unless there is a limit."""
        if not limited and too_long(self.game, s):
            raise PlygroundError(
                f"{self.game.name} with up to {int(self.game.rules['remaining'](s))} plies left is too long to solve by search "
                f"(at most {self.game.tuning.solvable}); try --time to prove what fits in that time, or `analyse` for an estimate"
            )

    def solve(
        self,
        state: Any = None,
        limit: Limit | None = None,
        *,
        weak: bool = False,
        all_moves: bool = False,
        line: bool = True,
        book: bool = True,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Solution:
        """Solves a state: its exact score, or with `weak` only who wins; `all_moves` scores every legal move.

        With a limit of nodes or time, returns the bounds proven by then. If there is a book, opening positions are looked up in
        it, unless `book` is false.
        """
        s = self.game.start() if state is None else checked.state(self.game, state)
        limit = checked.limit(limit, Limit(infinite=True), depth=False)
        self._solving = Solving(self, limit, weak, book, on_progress)
        self.last = self._solving.found
        return self._solving.solve(s, all_moves, line)

    def stop(self) -> None:
        """Stops the running search; it returns what is proven."""
        if self._solving is not None:
            self._solving.runner.stop()

    def forget(self) -> None:
        """Clears the table and everything learned."""
        self.table.clear()
        for block in self._blocks:
            block.forget()

    def looked_up_moves(self, s: Any) -> list[tuple[int, int]]:
        """Every legal move with its score if the book knows them all, else an empty list."""
        if self.book is None:
            return []
        out = []
        for m in self.game.legal(s):
            child = self.game.play(s, m)
            known = final_score(self.game, child)
            if known is None:
                known = self.book.score(child)
            if known is None:
                return []
            out.append((m, move_score(self.game, s, child, known)))
        return out


@functools.cache
def _bound(game: Game) -> Callable[[int, int, int], int]:
    """The search for this game, bound once per process."""
    from plyground.compile.native import Native

    return Native(game).bind(solve_bound, "int64(uint64, int64, uint64)", "solve")


def too_long(game: Game, s: Any) -> bool:
    """Are too many plies left for a search to end?"""
    return bool(game.tuning.solvable) and "remaining" in game.has and int(game.rules["remaining"](s)) > game.tuning.solvable


def book_path(game: Game) -> Path:
    """The path of a book made on this machine, in the user's data folder."""
    return data_folder() / f"{_plain(game)}.book"


def shipped_book(game: Game) -> Path:
    """The path of the book that comes with a game, if there is one."""
    return GAMES / "books" / f"{_plain(game)}.book"


def _plain(game: Game) -> str:
    """A file name for a game and its parameters; rules files of the same name in different folders get different ones."""
    file = Path(game.file or "").resolve()
    own = [] if file.parent == GAMES.resolve() else [hashlib.blake2b(str(file).encode(), digest_size=4).hexdigest()]
    return "-".join([game.name.partition("(")[0], *own, *(f"{name}{value}" for name, value in game.parameters.items())])


def find_book(game: Game) -> Tablebase | None:
    """The book made on this machine or the one that comes with the game, whichever is larger; None if there is none."""
    from plyground.solver.tablebase import open_tablebase

    found = []
    for path in (book_path(game), shipped_book(game)):
        if path.is_file():
            with contextlib.suppress(PlygroundError):
                found.append(open_tablebase(path, game))
    return max(found, key=lambda book: book.states, default=None)


def check_solvable(game: Game) -> None:
    """Refuses games that this search can't solve, and says what can."""
    if "chance" in game.has:
        raise PlygroundError(f"{game.name} is a game of chance and can't be solved exactly; `analyse` gives expected results")
    if len(game.sides) != 2:
        what = "is a solitaire" if len(game.sides) == 1 else f"has {len(game.sides)} sides"
        instead = "`analyse` searches it" if len(game.sides) == 1 else "`explain --algorithm maxn` searches it"
        raise PlygroundError(f"{game.name} {what}; the solver is for two sides: {instead}")
    if game.repetition:
        raise PlygroundError(
            f"{game.name} can repeat positions, so its tree never ends: `analyse` finds forced wins, "
            "--table FILE solves a whole small game, or an ending with --ending"
        )
