"""An algorithm, ready to run: which games it fits, which options it takes, and what it promises."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from plyground.errors import PlygroundError
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.rules.rollouts import with_rollouts
from plyground.textbook.deepening import REORDERINGS
from plyground.textbook.derived_games import AugmentedState, with_likely, with_neighbours, with_repetition
from plyground.textbook.ordering import PARTS, make_ordering
from plyground.textbook.table import POLICIES
from plyground.textbook.td import FEATURES, TdSettings
from plyground.textbook.trace import Trace
from plyground.textbook.tree import WHOLE, Answer, Tree

PLAIN = "no chance and one or two sides"
SOLITAIRE = "one side and chance"
CHANCE = "two sides and chance"
MANY = "three or more sides"
"""The kinds of games; each algorithm lists those that it fits."""
RECURSION_LIMIT = 10_000
"""Python's recursion limit while an algorithm runs; a ply takes up to three calls."""


def kind(game: Game) -> str:
    """Return which kind of game this is."""
    if len(game.sides) > 2:
        return MANY
    if "chance" in game.has:
        return SOLITAIRE if len(game.sides) == 1 else CHANCE
    return PLAIN


# -- options ---------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AlgorithmOption:
    """An option of an algorithm: how to read its text, its default, and what it does."""

    read: Callable[[str], float | str]
    default: float | str
    help: str


def _depth(text: str) -> float:
    return WHOLE if text == "all" else _count(text)


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text[:12]) <= 10**9:
        raise ValueError("a whole number, 1 or more")
    return int(text)


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 < value < 1e9:
        raise ValueError("a number of seconds above 0")
    return value


def _one_of(*names: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in names:
            raise ValueError(f"one of {', '.join(names)}")
        return text

    return read


def _order(text: str) -> str:
    if text != "none" and any(part not in PARTS for part in text.split("+")):
        raise ValueError(f"none, or some of {', '.join(PARTS)} joined by +")
    return text


LIKELY = "likely"


def _parse_near(text: str) -> int | str:
    if text == LIKELY:
        return text
    try:
        return 0 if text == "0" else _count(text)
    except ValueError:
        raise ValueError("a whole number, 0 or more, or likely") from None


ESTIMATES = ("game", "rollouts")
COMMON = {
    "order": AlgorithmOption(_order, "none", f"move ordering: none, or some of {', '.join(PARTS)} joined by +"),
    "wins": AlgorithmOption(
        _one_of("faster", "equal"), "faster", "faster: faster wins are worth more; equal: all wins are equal"
    ),
    "near": AlgorithmOption(
        _parse_near,
        LIKELY,
        "on a grid, only moves within this many cells of a stone; 0: all; likely: those the game calls likely",
    ),
    "estimate": AlgorithmOption(
        _one_of(*ESTIMATES), "game", "at the depth limit: the game's own, 0 if it has none; or the mean result of random games"
    ),
}
DEPTH = {"depth": AlgorithmOption(_depth, 4, "plies to look ahead; all: to the end of the game")}
TIME = {
    "time": AlgorithmOption(_seconds, 1.0, "seconds for a move"),
    "depth": AlgorithmOption(_depth, WHOLE, "maximum plies to look ahead"),
}
ITERATIONS = {
    "start": AlgorithmOption(_count, 1, "depth of the first search, which is always finished"),
    "step": AlgorithmOption(_count, 1, "plies that each search adds; 2 keeps all depths even or all odd"),
    "reorder": AlgorithmOption(
        _one_of(*REORDERINGS), "sort", "between searches, sort the root's moves or move the best one to the front"
    ),
}
SIZE = {
    "table": AlgorithmOption(_count, 65536, "entries in the table"),
    "replace": AlgorithmOption(_one_of(*POLICIES), "two-tier", f"what to replace in a full slot: {', '.join(POLICIES)}"),
}
KEYS = ("state", "zobrist", "stones")
KEY = {"key": AlgorithmOption(_one_of(*KEYS), "state", "the table's key: the state, its Zobrist key, its sorted stones")}
QUIET = {"quiet": AlgorithmOption(_count, 12, "maximum plies of loud moves below the depth limit")}
WIDTH = {"width": AlgorithmOption(_count, 50, "how far on each side of the guess the window reaches")}
LEARNING = {
    "games": AlgorithmOption(_count, TdSettings().games, "games of self-play to learn from"),
    "features": AlgorithmOption(_one_of(*FEATURES), TdSettings().features, "what has weights: lines of cells, or whole states"),
    "seed": AlgorithmOption(_count, TdSettings().seed, "seed for the games of self-play"),
    "depth": AlgorithmOption(_depth, 1, "plies to look ahead with what was learned; all: to the end of the game"),
}
NODES = {"nodes": AlgorithmOption(_count, 50_000, "nodes to expand before giving up, in each of the two searches")}


# -- algorithms ----------------------------------------------------------------------------------------------------------------

Run = Callable[[Tree, State, dict[str, Any]], Answer]


@dataclass(frozen=True)
class Algorithm:
    """An algorithm, ready to run on a game that it fits."""

    name: str
    idea: str
    contract: str
    fits: tuple[str, ...]
    exact: str
    """`value`: always the value of plain minimax to the same depth; `winner`: who wins; empty: neither is guaranteed."""
    options: dict[str, AlgorithmOption]
    run: Run

    def read(self, given: Mapping[str, object]) -> dict[str, float | str]:
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
        """Refuse a game of the wrong kind, and name the algorithms that fit."""
        if kind(game) not in self.fits:
            names = [a.name for a in ALGORITHMS.values() if kind(game) in a.fits]
            others = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
            raise PlygroundError(f"{self.name} cannot play {game.name}, which has {_describe(game)}; {others} can")
        if kind(game) == MANY and ("turn" not in game.has or "chance" in game.has):
            raise PlygroundError(f"{self.name} cannot play {game.name}: with 3 or more sides it needs `turn(s)` and no chance")

    def search(
        self,
        game: Game,
        s: State,
        options: Mapping[str, object] | None = None,
        trace: Trace | None = None,
        history: Iterable[State] = (),
        memory: dict[str, object] | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> Answer:
        """Return the value of s, the best move and the best line.

        `history` has the states before s, for games with repetition; passing the same `memory` to every search of a game keeps
        the tables from one move to the next.
        """
        self.check(game)
        given: dict[str, Any] = self.read(options or {})
        if given["estimate"] == "rollouts":
            game = with_rollouts(game)
        if game.repetition:
            game = with_repetition(game, history)
            s = AugmentedState(s, game.start().extra)
        if given["near"] == LIKELY:
            game = with_likely(game) if "likely" in game.has and self.exact != "winner" else game  # a proof needs every move
        elif given["near"]:
            game = with_neighbours(game, s, given["near"])
            s = AugmentedState(s, game.start().extra)
        tree = Tree(game, trace, make_ordering(game, given["order"]), given["wins"] == "faster", clock)
        if memory is not None:
            tree.memory = memory
        with _deep_recursion():
            try:
                return self.run(tree, s, given)
            except RecursionError:
                raise PlygroundError(
                    f"{game.name} goes on too long to be searched to its end; give {self.name} a depth"
                ) from None


def _describe(game: Game) -> str:
    return {PLAIN: "no chance", SOLITAIRE: "chance", CHANCE: "dice", MANY: f"{len(game.sides)} sides"}[kind(game)]


@contextlib.contextmanager
def _deep_recursion() -> Iterator[None]:
    old = sys.getrecursionlimit()
    sys.setrecursionlimit(max(old, RECURSION_LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(old)


ALGORITHMS: dict[str, Algorithm] = {}
"""Every algorithm by its name, in the order of the ladder: each adds one idea to an earlier one. `registry` fills it."""
