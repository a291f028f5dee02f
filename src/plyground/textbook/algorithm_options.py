"""The options of the algorithms: how to read each from text, its default, and what it does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from plyground.textbook.deepening import REORDERINGS
from plyground.textbook.fixed_table import POLICIES
from plyground.textbook.ordering import PARTS
from plyground.textbook.td import FEATURES, Lesson
from plyground.textbook.tree import WHOLE


@dataclass(frozen=True)
class AlgorithmOption:
    """An option of an algorithm: how to read its text, its default, and what it does."""

    read: Callable[[str], Any]
    default: Any
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


def _near(text: str) -> int | str:
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
        _near, LIKELY, "on a grid, only moves within this many cells of a stone; 0: all; likely: those the game calls likely"
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
LESSON = {
    "games": AlgorithmOption(_count, Lesson().games, "games of self-play to learn from"),
    "features": AlgorithmOption(_one_of(*FEATURES), Lesson().features, "what has a weight: each line of cells, or each state"),
    "seed": AlgorithmOption(_count, Lesson().seed, "of the games of self-play"),
    "depth": AlgorithmOption(_depth, 1, "plies to look ahead with what was learned; all: to the end of the game"),
}
NODES = {"nodes": AlgorithmOption(_count, 50_000, "nodes to expand before giving up, in each of the two searches")}
