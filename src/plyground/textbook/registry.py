"""The algorithms by name: what each does, which games it fits, which options it takes, and how to run it."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from plyground.errors import PlygroundError, suggestion
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.rules.rollouts import with_rollouts
from plyground.textbook import alphabeta, deepening, expectimax, maxn, minimax, mtdf, proof_number, pvs, quiescence, table, td
from plyground.textbook.algorithm_options import (
    COMMON,
    DEPTH,
    ITERATIONS,
    KEY,
    LESSON,
    LIKELY,
    NODES,
    QUIET,
    SIZE,
    TIME,
    WIDTH,
    AlgorithmOption,
)
from plyground.textbook.carry import Carried
from plyground.textbook.fixed_table import FixedTable, Zobrist
from plyground.textbook.limiting import with_likely, with_neighbours
from plyground.textbook.ordering import make_ordering
from plyground.textbook.repetition import with_repetition
from plyground.textbook.stones import Stones
from plyground.textbook.trace import Trace
from plyground.textbook.tree import INFINITE, WHOLE, Answer, Tree

PLAIN = "no chance and one or two sides"
SOLITAIRE = "one side and chance"
CHANCE = "two sides and chance"
MANY = "three or more sides"
"""The kinds of games; each algorithm lists those it fits."""
RECURSION = 10_000
"""Python's recursion limit while an algorithm runs; a ply takes two calls."""


def kind(game: Game) -> str:
    """Return which kind of game this is."""
    if len(game.sides) > 2:
        return MANY
    if "chance" in game.has:
        return SOLITAIRE if len(game.sides) == 1 else CHANCE
    return PLAIN


# -- algorithms ----------------------------------------------------------------------------------------------------------------

Run = Callable[[Tree, Any, dict[str, Any]], Answer]


@dataclass(frozen=True)
class Algorithm:
    """An algorithm, ready to run on a game it fits."""

    name: str
    idea: str
    contract: str
    fits: tuple[str, ...]
    exact: str
    """`value`: always the value of plain minimax to the same depth; `winner`: who wins; empty: neither is guaranteed."""
    options: dict[str, AlgorithmOption]
    run: Run

    def read(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options with their defaults, texts parsed; options that the algorithm doesn't take are refused."""
        values = {name: option.default for name, option in self.options.items()}
        for name, value in given.items():
            if name not in self.options:
                raise PlygroundError(f"{self.name} has no option {name!r:.30}; it takes {', '.join(self.options)}")
            try:
                text = "all" if value == WHOLE else str(value)
                values[name] = self.options[name].read(text)
            except ValueError as e:
                raise PlygroundError(f"{self.name}: {name}={value!s:.30} is not {e}") from e
        return values

    def check(self, game: Game) -> None:
        """Refuse a game of the wrong kind, and name the algorithms that fit it."""
        if kind(game) not in self.fits:
            names = [a.name for a in ALGORITHMS.values() if kind(game) in a.fits]
            others = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
            raise PlygroundError(f"{self.name} cannot play {game.name}, which has {_what(game)}; {others} can")
        if kind(game) == MANY and ("turn" not in game.has or "chance" in game.has):
            raise PlygroundError(f"{self.name} cannot play {game.name}: with 3 or more sides it needs `turn(s)` and no chance")

    def search(
        self,
        game: Game,
        s: State,
        options: Mapping[str, Any] | None = None,
        trace: Trace | None = None,
        history: Iterable[Any] = (),
        memory: dict[str, Any] | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> Answer:
        """Return the value of s, the best move and the best line.

        `history` has the states before s, for games with repetition; passing the same `memory` to every search of a game keeps
        the tables from one move to the next.
        """
        self.check(game)
        given = self.read(options or {})
        if given["estimate"] == "rollouts":
            game = with_rollouts(game)
        if game.repetition:
            game = with_repetition(game, history)
            s = Carried(s, game.start().along)
        if given["near"] == LIKELY:
            game = with_likely(game) if "likely" in game.has and self.exact != "winner" else game  # a proof needs every move
        elif given["near"]:
            game = with_neighbours(game, s, given["near"])
            s = Carried(s, game.start().along)
        tree = Tree(game, trace, make_ordering(game, given["order"]), given["wins"] == "faster", clock)
        if memory is not None:
            tree.memory = memory
        with _deep():
            try:
                return self.run(tree, s, given)
            except RecursionError:
                raise PlygroundError(
                    f"{game.name} goes on too long to be searched to its end; give {self.name} a depth"
                ) from None


def _what(game: Game) -> str:
    return {PLAIN: "no chance", SOLITAIRE: "chance", CHANCE: "dice", MANY: f"{len(game.sides)} sides"}[kind(game)]


@contextlib.contextmanager
def _deep() -> Iterator[None]:
    old = sys.getrecursionlimit()
    sys.setrecursionlimit(max(old, RECURSION))
    try:
        yield
    finally:
        sys.setrecursionlimit(old)


# -- how each one is run -------------------------------------------------------------------------------------------------------


def _plain(search: Callable[..., Any]) -> Run:
    return lambda tree, s, o: tree.answer(search(tree, s, o["depth"]))


def _windowed(search: Callable[..., Any], low: float = -INFINITE, high: float = INFINITE) -> Run:
    return lambda tree, s, o: tree.answer(search(tree, s, o.get("depth", WHOLE), low, high))


def _solve(tree: Tree, s: State, o: dict[str, Any]) -> Answer:
    value = table.solve(tree, s, WHOLE)
    known = tree.memory["solved"]
    line = table.follow(tree.game, known, s)
    note = f"{len(known):,} states in the table; {table.verdict(tree.game, s, value)}"
    return Answer(value, line[0] if line else None, line, note)


def _solve_symmetric(tree: Tree, s: State, o: dict[str, Any]) -> Answer:
    found = tree.answer(table.solve_symmetric(tree, s, WHOLE))
    if found.move is None:
        found = deepening.choose(tree, s, WHOLE, lambda tree, s, depth, alpha, beta: table.solve_symmetric(tree, s, depth))
    known = tree.memory["solved up to symmetry"]
    return found._replace(note=f"{len(known):,} states in the table; {table.verdict(tree.game, s, found.value)}")


def _unpruned(tree: Tree, s: State, o: dict[str, Any]) -> Answer:
    found = _windowed(table.alphabeta_unpruned)(tree, s, o)
    note = f"{len(tree.memory.get('unpruned', {})):,} states in the table; {table.verdict(tree.game, s, found.value)}"
    return found._replace(note=note)


def _cleared(tree: Tree, s: State, o: dict[str, Any]) -> Answer:
    tree.memory.clear()
    return _windowed(table.alphabeta_unpruned)(tree, s, o)


def table_key(game: Game, root: State, name: str) -> Callable[[Any], Hashable]:
    """Return the key function of this name, for an unlimited table of the states from `root` on."""
    if name == "zobrist":
        return Zobrist().key
    return Stones(game, root).key if name == "stones" else game.identity


def _bounds(tree: Tree, s: State, o: dict[str, Any]) -> Answer:
    if "bounds" not in tree.memory:
        tree.memory["bounds"] = table.Unlimited(table_key(tree.game, s, o["key"]))
    return _windowed(table.alphabeta_bounds)(tree, s, o)


def _fixed(run: Run) -> Run:
    def with_table(tree: Tree, s: State, o: dict[str, Any]) -> Answer:
        tree.memory.setdefault("bounds", FixedTable(o["table"], o["replace"]))
        return run(tree, s, o)

    return with_table


def _deepen(tree: Tree, s: State, o: dict[str, Any]) -> Answer:
    return deepening.deepen(tree, s, o["depth"], o["time"], start=o["start"], step=o["step"], reorder=o["reorder"])


def _quiet(tree: Tree, s: State, o: dict[str, Any]) -> Answer:
    tree.memory["quiet"] = o["quiet"]
    return _windowed(quiescence.quiescence)(tree, s, o)


def _learned(tree: Tree, s: State, o: dict[str, Any]) -> Answer:
    if "td" not in tree.memory:
        tree.memory["td"] = td.taught(tree.game, td.Lesson(o["games"], o["features"], seed=o["seed"]))
    values = tree.memory["td"]
    tree.game = td.with_values(tree.game, values)
    note = f"{len(values.weights):,} weights learned from {values.games:,} games"
    found = tree.answer(alphabeta.fail_soft(tree, s, o["depth"], -INFINITE, INFINITE), note)
    return found._replace(learned=tree.game)


# -- the ladder ----------------------------------------------------------------------------------------------------------------

FAIL_HARD = "value <= alpha: alpha; between: the value; value >= beta: beta"
FAIL_SOFT = "value <= alpha: an upper bound; between: the value; value >= beta: a lower bound"
ANY_CHANCE = (SOLITAIRE, CHANCE)

ALGORITHMS: dict[str, Algorithm] = {}
"""Every algorithm, in the order of the ladder: each adds one idea to an earlier one."""


def _add(
    name: str, run: Run, options: dict[str, AlgorithmOption], idea: str, contract: str, exact: str = "value", fits: Any = (PLAIN,)
) -> None:
    ALGORITHMS[name] = Algorithm(name, idea, contract, fits, exact, {**options, **COMMON}, run)


_add("minimax", _plain(minimax.maximise), DEPTH, "max takes the largest value, min the smallest", "the value to the depth")
_add(
    "negamax",
    _plain(minimax.negamax),
    DEPTH,
    "one function for both: what is good for one side is bad for the other",
    "the value to the depth",
)
_add(
    "minimax_table",
    _solve,
    {},
    "the whole game solved before play, every state once; then each move is looked up",
    "the value of the game, and of every state in it",
)
_add(
    "minimax_symmetric",
    _solve_symmetric,
    {},
    "states that are mirror images share a table entry",
    "the value of the game, and of every state in it",
)
_add(
    "alphabeta_minimax",
    _windowed(alphabeta.maximise),
    DEPTH,
    "what the other side can avoid need not be searched; separate functions for max and min",
    FAIL_SOFT,
)
_add("alphabeta_hard", _windowed(alphabeta.fail_hard), DEPTH, "the same with one function, never outside the window", FAIL_HARD)
_add("alphabeta", _windowed(alphabeta.fail_soft), DEPTH, "outside the window, return the best bound found", FAIL_SOFT)
_add("alphabeta_table", _unpruned, {}, "a table of the states that were not pruned; a new search when play leaves it", FAIL_SOFT)
_add(
    "alphabeta_cleared",
    _cleared,
    DEPTH,
    "the same to a depth, with the table cleared before each move",
    "exact if a state always occurs at the same depth",
    exact="",
)
_add(
    "alphabeta_deeper",
    _windowed(table.alphabeta_deeper),
    DEPTH,
    "a table by state and depth, kept for the whole game; deeper entries also count",
    "the value of a search at least as deep",
    exact="",
)
_add(
    "alphabeta_bounds",
    _bounds,
    {**DEPTH, **KEY},
    "pruned states are stored too, as bounds, and the best move is tried first",
    FAIL_SOFT,
)
_add(
    "alphabeta_fixed",
    _fixed(_windowed(table.alphabeta_bounds)),
    {**DEPTH, **SIZE},
    "a table of fixed size: Zobrist keys and a policy for full slots",
    FAIL_SOFT,
)
_add(
    "deepening",
    _fixed(_deepen),
    {**TIME, **ITERATIONS, **SIZE},
    "search to depth 1, 2, 3 until the time is up; each search orders the moves of the next",
    "the value to the depth of the last finished search",
)
_add(
    "quiescence",
    _quiet,
    {**DEPTH, **QUIET},
    "below the depth, loud moves are played out before a state is estimated",
    "fail-soft, for the value with loud moves played out",
    exact="",
)
_add("scout", _plain(pvs.scout), DEPTH, "first test whether a move is better at all, then search it", "the value to the depth")
_add("pvs", _windowed(pvs.pvs), DEPTH, "the first move gets the full window, the others a null window", FAIL_SOFT)
_add(
    "aspiration",
    lambda tree, s, o: tree.answer(pvs.aspiration(tree, s, o["depth"], o["width"])),
    {**DEPTH, **WIDTH},
    "guess a small window around the value of the previous search",
    "the value to the depth",
)
_add(
    "mtdf",
    _fixed(lambda tree, s, o: mtdf.deepen_mtdf(tree, s, o["depth"])),
    {**DEPTH, **SIZE},
    "null windows only, each giving a bound, until the bounds meet",
    "the value to the depth",
)
_add(
    "proof_number",
    lambda tree, s, o: proof_number.proof_number(tree, s, o["nodes"]),
    NODES,
    "grow the tree where a win, or its absence, is easiest to prove",
    "who wins, not how soon",
    exact="winner",
)
_add(
    "td",
    _learned,
    LESSON,
    "temporal-difference learning: games against itself teach the value of a state",
    "nothing: the more games, the better",
    exact="",
)
_add(
    "expectimax",
    _plain(expectimax.expectimax),
    DEPTH,
    "a player against chance: the average where chance moves",
    "the expected result",
    fits=(SOLITAIRE,),
)
_add(
    "expectiminimax",
    _plain(expectimax.expectiminimax),
    DEPTH,
    "max, min and the average where chance moves",
    "the expected result",
    fits=ANY_CHANCE,
)
_add(
    "star1",
    _windowed(expectimax.star1, -WHOLE, WHOLE),
    DEPTH,
    "results are bounded, so an average can leave the window before all outcomes are known",
    FAIL_SOFT,
    fits=ANY_CHANCE,
)
_add(
    "star2",
    _windowed(expectimax.star2, -WHOLE, WHOLE),
    DEPTH,
    "first one reply to every outcome: its bound may be enough",
    FAIL_SOFT,
    fits=ANY_CHANCE,
)
_add(
    "maxn",
    _plain(maxn.maxn),
    DEPTH,
    "three or more sides: each takes what is best for itself",
    "a value for each side",
    fits=(MANY,),
)


def find(name: str) -> Algorithm:
    """Return the algorithm of this name; an unknown name is refused with a list of the known ones."""
    if name in ALGORITHMS:
        return ALGORITHMS[name]
    close = suggestion(name, ALGORITHMS)
    hint = f"did you mean {close}?" if close else f"there are {', '.join(ALGORITHMS)}"
    raise PlygroundError(f"there is no algorithm named {name!r:.40}; {hint}")


def fitting(game: Game) -> list[Algorithm]:
    """Return the algorithms that fit a game."""
    return [a for a in ALGORITHMS.values() if kind(game) in a.fits]


def parse(text: str) -> tuple[Algorithm, dict[str, Any]]:
    """Return an algorithm with its options, as people write them: `alphabeta,depth=6,order=captures+killers`."""
    name, *parts = (part.strip() for part in text.split(","))
    algorithm = find(name)
    given = {}
    for part in parts:
        key, eq, value = (x.strip() for x in part.partition("="))
        if not eq:
            raise PlygroundError(
                f"{part!r:.40} in {text!r:.60}: an option is written name=value; {name} takes {', '.join(algorithm.options)}"
            )
        given[key] = value
    return algorithm, algorithm.read(given)
