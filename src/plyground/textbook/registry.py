"""The algorithms by name: what each does, which games it fits, which options it takes, and how to run it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from plyground.errors import PlygroundError, suggestion
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.textbook import alphabeta, deepening, minimax, proof_number, pvs, table, td
from plyground.textbook.algorithm import (
    ALGORITHMS,
    CHANCE,
    COMMON,
    DEPTH,
    ITERATIONS,
    KEY,
    LEARNING,
    MANY,
    NODES,
    PLAIN,
    QUIET,
    SIZE,
    SOLITAIRE,
    TIME,
    WIDTH,
    Algorithm,
    AlgorithmOption,
    Run,
    kind,
)
from plyground.textbook.trace import Value
from plyground.textbook.tree import INFINITE, WHOLE, Answer, Tree

# -- how each one is run -------------------------------------------------------------------------------------------------------


def _plain(search: Callable[..., Value]) -> Run:
    return lambda tree, s, o: tree.answer(search(tree, s, o["depth"]))


def _windowed(search: Callable[..., Value], low: float = -INFINITE, high: float = INFINITE) -> Run:
    return lambda tree, s, o: tree.answer(search(tree, s, o.get("depth", WHOLE), low, high))


def _solve(tree: Tree, s: State, o: dict[str, Any]) -> Answer:
    value = table.solve(tree, s, WHOLE)
    known = tree.memory["solved"]
    line = table.follow(tree.game, known, s)
    note = f"{len(known):,} states in the table; {table.verdict(tree.game, s, value)}"
    return Answer(value, line[0] if line else None, line, note)


def _solve_symmetric(tree: Tree, s: State, o: dict[str, Any]) -> Answer:
    value = table.solve_symmetric(tree, s, WHOLE)
    found = tree.answer(value)
    if found.move is None:
        found = deepening.choose(tree, s, WHOLE, lambda tree, s, depth, alpha, beta: table.solve_symmetric(tree, s, depth))
    known = tree.memory["solved up to symmetry"]
    return found._replace(note=f"{len(known):,} states in the table; {table.verdict(tree.game, s, value)}")


def _unpruned(tree: Tree, s: State, o: dict[str, Any]) -> Answer:
    value = table.alphabeta_unpruned(tree, s, WHOLE)
    known = tree.memory.get("unpruned", {})
    return tree.answer(value, f"{len(known):,} states in the table; {table.verdict(tree.game, s, value)}")


def _cleared(tree: Tree, s: State, o: dict[str, Any]) -> Answer:
    tree.memory.clear()
    return _windowed(table.alphabeta_unpruned)(tree, s, o)


def table_key(game: Game, root: State, name: str) -> Callable[[State], Hashable]:
    """Return the key function of this name, for an unlimited table of the states from `root` on."""
    if name == "zobrist":
        return table.Zobrist().key
    return table.StoneKeys(game, root).key if name == "stones" else game.identity


def _bounds(tree: Tree, s: State, o: dict[str, Any]) -> Answer:
    if "bounds" not in tree.memory:
        tree.memory["bounds"] = table.UnlimitedTable(table_key(tree.game, s, o["key"]))
    return _windowed(table.alphabeta_bounds)(tree, s, o)


def _run_fixed(run: Run) -> Run:
    def with_table(tree: Tree, s: State, o: dict[str, Any]) -> Answer:
        tree.memory.setdefault("bounds", table.FixedTable(o["table"], o["replace"]))
        return run(tree, s, o)

    return with_table


def _deepen(tree: Tree, s: State, o: dict[str, Any]) -> Answer:
    return deepening.deepen(tree, s, o["depth"], o["time"], start=o["start"], step=o["step"], reorder=o["reorder"])


def _quiet(tree: Tree, s: State, o: dict[str, Any]) -> Answer:
    tree.memory["quiet"] = o["quiet"]
    return _windowed(alphabeta.quiescence)(tree, s, o)


def _learned(tree: Tree, s: State, o: dict[str, Any]) -> Answer:
    if "td" not in tree.memory:
        tree.memory["td"] = td.learned_values(tree.game, td.TdSettings(o["games"], o["features"], seed=o["seed"]))
    values = tree.memory["td"]
    tree.game = td.with_values(tree.game, values)
    note = f"{len(values.weights):,} weights learned from {values.games:,} games"
    found = tree.answer(alphabeta.fail_soft(tree, s, o["depth"], -INFINITE, INFINITE), note)
    return found._replace(learned=tree.game)


# -- the ladder ----------------------------------------------------------------------------------------------------------------

FAIL_HARD = "value <= alpha: alpha; between: the value; value >= beta: beta"
FAIL_SOFT = "value <= alpha: an upper bound; between: the value; value >= beta: a lower bound"
ANY_CHANCE = (SOLITAIRE, CHANCE)


def _add(
    name: str,
    run: Run,
    options: dict[str, AlgorithmOption],
    idea: str,
    contract: str,
    exact: str = "value",
    fits: tuple[str, ...] = (PLAIN,),
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
    _run_fixed(_windowed(table.alphabeta_bounds)),
    {**DEPTH, **SIZE},
    "a table of fixed size: Zobrist keys and a policy for full slots",
    FAIL_SOFT,
)
_add(
    "deepening",
    _run_fixed(_deepen),
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
    lambda tree, s, o: tree.answer(pvs.deepen_aspiration(tree, s, o["depth"], o["width"])),
    {**DEPTH, **WIDTH},
    "guess a small window around the value of the previous search",
    "the value to the depth",
)
_add(
    "mtdf",
    _run_fixed(lambda tree, s, o: pvs.deepen_mtdf(tree, s, o["depth"])),
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
    LEARNING,
    "temporal-difference learning: games against itself teach the value of a state",
    "nothing: the more games, the better",
    exact="",
)
_add(
    "expectimax",
    _plain(minimax.expectimax),
    DEPTH,
    "a player against chance: the average where chance moves",
    "the expected result",
    fits=(SOLITAIRE,),
)
_add(
    "expectiminimax",
    _plain(minimax.expectiminimax),
    DEPTH,
    "max, min and the average where chance moves",
    "the expected result",
    fits=ANY_CHANCE,
)
_add(
    "star1",
    _windowed(alphabeta.star1, -WHOLE, WHOLE),
    DEPTH,
    "results are bounded, so an average can leave the window before all outcomes are known",
    FAIL_SOFT,
    fits=ANY_CHANCE,
)
_add(
    "star2",
    _windowed(alphabeta.star2, -WHOLE, WHOLE),
    DEPTH,
    "first one reply to every outcome: its bound may be enough",
    FAIL_SOFT,
    fits=ANY_CHANCE,
)
_add(
    "maxn",
    _plain(minimax.maxn),
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


def parse(text: str) -> tuple[Algorithm, dict[str, float | str]]:
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
