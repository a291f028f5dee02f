"""The solver: the exact value of a state with perfect play by both sides.

    Solver("connect4").solve(state).score

A solver keeps its table between states; one search is a `SolverSearch`.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from plyground.errors import PlygroundError
from plyground.kernels.solve.null_window import SolverMemory, solve_bound
from plyground.kernels.solve.solver_table import ExactTable
from plyground.play import checked, words
from plyground.play.limit import Limit
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.rules.load import GAMES
from plyground.solver.solving import Expectation, Kernel, Solution, SolverProgress, SolverSearch, final_score, move_score
from plyground.system.files import data_folder
from plyground.system.runner import Runner

if TYPE_CHECKING:
    from plyground.solver.tablebase import Tablebase


class Solver:
    """A solver for the states of one game, which keeps its table from one to the next."""

    def __init__(
        self, game: str | Path | Game, *, memory: float = 256, threads: int = 1, table: ExactTable | None = None
    ) -> None:
        """Allocate a table of `memory` MB, unless several solvers of one game share a `table`."""
        self.game = checked.game(game)
        check_solvable(self.game)
        checked.sizes(threads, memory if table is None else 1)
        if table is None:
            table = ExactTable(memory, self.game.key_bits, self.game.layout.words, self.game.tuning.dense)
        self.table = table
        self.book = find_book(self.game)
        """The values of the opening, if there is a book."""
        self._blocks = [SolverMemory(self.game, self.table, number) for number in range(threads)]
        self._runner = Runner()  # of the latest search
        self.last: Solution | None = None
        """The last solution, even if Ctrl-C ended it."""

    def __repr__(self) -> str:
        book = "" if self.book is None else f", a book of {words.count(self.book.states, 'state')}"
        return f"<Solver {self.game.name}: {words.count(len(self._blocks), 'thread')}{book}>"

    @functools.cached_property
    def kernel(self) -> Kernel:
        """The search, compiled on first use."""
        kernel = _bind_kernel(self.game)
        if isinstance(kernel, PlygroundError):
            raise kernel.with_traceback(None)
        return kernel

    def prepare(self) -> None:
        """Compile the search now."""
        _ = self.kernel

    def check(self, s: State, limited: bool) -> None:
        """Refuse states whose search would practically never end, unless there is a limit."""
        if not limited and too_long(self.game, s):
            raise PlygroundError(
                f"{self.game.name} with up to {int(self.game.rules['remaining'](s))} plies left is too long to solve by search "
                f"(at most {self.game.tuning.solvable}); try --time to prove what fits in that time, or `analyse` for an estimate"
            )

    def solve(
        self,
        state: State | None = None,
        limit: Limit | None = None,
        *,
        weak: bool = False,
        all_moves: bool = False,
        line: bool = True,
        book: bool = True,
        on_progress: Callable[[SolverProgress], None] | None = None,
        expected: Expectation | None = None,
    ) -> Solution:
        """Solve a state: find its exact score, or with `weak` only who wins; `all_moves` scores every legal move.

        With a limit of nodes or time, returns the bounds proven by then. If there is a book, opening positions are looked up in
        it, unless `book` is false. A search that came before says what it has `expected`.
        """
        s = self.game.start() if state is None else checked.state(self.game, state)
        limit = Limit.checked(limit, Limit(infinite=True), depth=False)
        solving = SolverSearch(
            self.game, self._blocks, lambda: self.kernel, self.book if book else None, limit, weak, on_progress, expected
        )
        self._runner, self.last = solving.runner, solving.found
        return solving.solve(s, all_moves, line)

    def stop(self) -> None:
        """Stop the running search; it returns what is proven."""
        self._runner.stop()

    def forget(self) -> None:
        """Clear the table and everything learned."""
        self.table.clear()
        for block in self._blocks:
            block.forget()

    def book_moves(self, s: State) -> list[tuple[int, int]]:
        """Return every legal move with its score if the book knows them all, else an empty list."""
        if self.book is None:
            return []
        out = []
        for m in self.game.legal(s):
            child = self.game.child(s, m)
            known = final_score(self.game, child)
            if known is None:
                known = self.book.score(child)
            if known is None:
                return []
            out.append((m, move_score(self.game, s, child, known)))
        return out


@functools.cache
def _bind_kernel(game: Game) -> Kernel | PlygroundError:
    """Return the search for this game, bound once per process, or the error if its rules can't be compiled for it.

    An engine does without the solver then, and would otherwise compile again before each move.
    """
    from plyground.compile.native import Native

    try:
        return Native(game).bind(solve_bound, "int64(uint64, int64, uint64)", "solving")
    except PlygroundError as e:
        return e


def too_long(game: Game, s: State) -> bool:
    """Return whether too many plies are left for a search to end."""
    return bool(game.tuning.solvable) and "remaining" in game.has and int(game.rules["remaining"](s)) > game.tuning.solvable


def book_path(game: Game) -> Path:
    """Return the path of a book made on this machine, in the user's data folder."""
    return data_folder() / f"{_file_stem(game)}.book"


def shipped_book(game: Game) -> Path:
    """Return the path of the book that may come with a game."""
    return GAMES / "books" / f"{_file_stem(game)}.book"


def _file_stem(game: Game) -> str:
    """Return a file name for a game and its parameters; rules files of the same name in different folders get different ones."""
    file = Path(game.file or "").resolve()
    own = [] if file.is_relative_to(GAMES.resolve()) else [hashlib.blake2b(str(file).encode(), digest_size=4).hexdigest()]
    return "-".join([game.name.partition("(")[0], *own, *(f"{name}{value}" for name, value in game.parameters.items())])


def find_book(game: Game) -> Tablebase | None:
    """Return the book made on this machine or the one that comes with the game, whichever is larger; None if there is none."""
    from plyground.solver.tablebase import open_tablebase

    found = []
    for path in (book_path(game), shipped_book(game)):
        if path.is_file():
            with contextlib.suppress(PlygroundError):
                found.append(open_tablebase(path, game))
    return max(found, key=lambda book: book.states, default=None)


def check_solvable(game: Game) -> None:
    """Refuse games that this search can't solve, and say what can."""
    if "chance" in game.has:
        raise PlygroundError(f"{game.name} is a game of chance and can't be solved exactly; `analyse` gives expected results")
    if len(game.sides) != 2:
        what = "is a solitaire" if len(game.sides) == 1 else f"has {len(game.sides)} sides"
        instead = "`analyse` searches it" if len(game.sides) == 1 else "`explain --algorithm maxn` searches it"
        raise PlygroundError(f"{game.name} {what}; the solver needs two sides: {instead}")
    if game.repetition:
        raise PlygroundError(
            f"{game.name} can repeat positions, so its tree never ends: `analyse` finds forced wins, "
            "--table FILE solves a whole small game, or an ending with --ending"
        )
