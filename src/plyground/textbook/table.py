"""Tables: a state that is reached by several ways is searched once.

`Info(value, move)` is what a table keeps of a state. Whole-game tables settle the game before it is played; the tables of a
search to a depth differ in what they believe. Wins are kept with their plies counted from the state (`Tree.to_table`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple, Protocol

from plyground import score
from plyground.play import words
from plyground.rules.game import Game
from plyground.textbook.carry import bare
from plyground.textbook.tree import EXACT, INFINITE, LOWER, UPPER, WHOLE, Tree, node, window


class Info(NamedTuple):
    """What is known of a state: its value for the side to move, and the best move (None where the game is over)."""

    value: int
    move: int | None


# -- the whole game ---------------------------------------------------------------------------------------------------------


@node
def solve(tree: Tree, s: Any, depth: float = WHOLE) -> int:
    """Minimax to the end of the game, every state once; afterwards the table knows every state that play can reach.

    Contract: the exact value of s, and an `Info` for each state below it.
    """
    table = tree.memory.setdefault("solved", {})
    if (info := table.get(tree.game.identity(s))) is not None:
        return tree.hit(EXACT, tree.from_table(info.value), info.move)
    best, move = tree.over(s), None
    if best is None:
        best = -INFINITE
        for m in tree.moves(s):
            child, sign = tree.play(s, m)
            value = sign * solve(tree, child)
            if value > best:
                best, move = value, m
    table[tree.game.identity(s)] = Info(tree.to_table(best), move)
    return best


@node
def solve_symmetric(tree: Tree, s: Any, depth: float = WHOLE) -> int:
    """The same with one entry for all states that mirror each other; a value only, for their moves differ."""
    table = tree.memory.setdefault("solved up to symmetry", {})
    same = tree.game.identity(tree.game.canonical(s))
    if same in table:
        return tree.hit(EXACT, tree.from_table(table[same]))
    best = tree.over(s)
    if best is None:
        best = -INFINITE
        for m in tree.moves(s):
            child, sign = tree.play(s, m)
            best = max(best, sign * solve_symmetric(tree, child))
    table[same] = tree.to_table(best)
    return best


# -- alpha-beta with a table -------------------------------------------------------------------------------------------------


@node
def alphabeta_unpruned(tree: Tree, s: Any, depth: float = WHOLE, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
    """Fail-soft alpha-beta with a table of the states that were not pruned: a pruned state has a bound, not a value.

    Contract: that of fail-soft. To the end of the game it is exact. To a depth it is so only where a state is always met at
    the same depth, as when each move fills a cell, for an entry does not say how deep it was searched: the table must be
    cleared before each move. When play leaves the table, the next search fills it again.
    """
    if (value := tree.leaf(s, depth)) is not None:
        return value
    table = tree.memory.setdefault("unpruned", {})
    if (info := table.get(tree.game.identity(s))) is not None:
        return tree.hit(EXACT, tree.from_table(info.value), info.move)
    best, move = -INFINITE, None
    for m in tree.moves(s):
        child, sign = tree.play(s, m)
        value = sign * alphabeta_unpruned(tree, child, depth - 1, *window(sign, max(alpha, best), beta))
        if value > best:
            best, move = value, m
        if best >= beta:
            tree.cutoff(m, best, beta)
            return best
    if best > alpha:
        table[tree.game.identity(s)] = Info(tree.to_table(best), move)
    return best


@node
def alphabeta_deeper(tree: Tree, s: Any, depth: float = WHOLE, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
    """The same with a table by (state, depth) that also believes what a deeper search found, and so may last all game.

    Contract: fail-soft, of a value that looks at least `depth` plies ahead; minimax to just that depth may differ.
    """
    if (value := tree.leaf(s, depth)) is not None:
        return value
    table = tree.memory.setdefault("by depth", {})
    for d in _at_least(tree, depth):
        if (info := table.get((tree.game.identity(s), d))) is not None:
            return tree.hit(EXACT, tree.from_table(info.value), info.move)
    best, move = -INFINITE, None
    for m in tree.moves(s):
        child, sign = tree.play(s, m)
        value = sign * alphabeta_deeper(tree, child, depth - 1, *window(sign, max(alpha, best), beta))
        if value > best:
            best, move = value, m
        if best >= beta:
            tree.cutoff(m, best, beta)
            return best
    if best > alpha:
        table[tree.game.identity(s), depth] = Info(tree.to_table(best), move)
    return best


def _at_least(tree: Tree, depth: float) -> list[float]:
    """The depths that the table may hold from this one on."""
    if depth == WHOLE:
        return [WHOLE]
    deepest = tree.memory["deepest"] = max(depth, tree.memory.get("deepest", depth))
    return [*range(int(depth), int(deepest) + 1), WHOLE]


class Entry(NamedTuple):
    """What a table with bounds keeps of a state."""

    depth: float
    bound: int  # LOWER, UPPER or EXACT
    value: int
    move: int | None
    estimated: bool  # did an estimate go into the value?


class Table(Protocol):
    """Where `alphabeta_bounds` keeps its entries."""

    def probe(self, s: Any) -> Entry | None:
        """The entry of a state, if there is one."""

    def store(self, s: Any, entry: Entry) -> None:
        """Keeps an entry, or not, as the table thinks best."""


class Unlimited:
    """A table that keeps every state, the latest entry of each, under a key that tells states apart."""

    def __init__(self, key: Callable[[Any], Hashable]) -> None:
        self.key = key
        self.entries: dict[Any, Entry] = {}

    def probe(self, s: Any) -> Entry | None:
        """The entry of a state, if there is one."""
        return self.entries.get(self.key(s))

    def store(self, s: Any, entry: Entry) -> None:
        """Keeps an entry."""
        self.entries[self.key(s)] = entry


@node
def alphabeta_bounds(tree: Tree, s: Any, depth: float = WHOLE, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
    """Fail-soft alpha-beta with a table of bounds: a pruned state is worth keeping too, and so is its best move.

    Contract: that of fail-soft. An entry cuts where its depth is the same and its bound decides; at any depth its move is
    tried first, which is how a search reorders the whole tree for the next one.
    """
    if (value := tree.leaf(s, depth)) is not None:
        return value
    table: Table = tree.memory["bounds"]
    entry = table.probe(s)
    if entry is not None and entry.depth == depth:
        value = tree.from_table(entry.value)
        if entry.bound == EXACT or (entry.bound == LOWER and value >= beta) or (entry.bound == UPPER and value <= alpha):
            tree.estimates += entry.estimated
            return tree.hit(entry.bound, value, entry.move)
    best, move, estimates = -INFINITE, None, tree.estimates
    for m in tree.moves(s, first=entry.move if entry else None):
        child, sign = tree.play(s, m)
        value = sign * alphabeta_bounds(tree, child, depth - 1, *window(sign, max(alpha, best), beta))
        if value > best:
            best, move = value, m
        if best >= beta:
            tree.cutoff(m, best, beta)
            break
    bound = LOWER if best >= beta else UPPER if best <= alpha else EXACT
    table.store(s, Entry(depth, bound, tree.to_table(best), move, tree.estimates > estimates))
    return best


# -- what a table tells ---------------------------------------------------------------------------------------------------------


def follow(game: Game, table: dict[Any, Info], s: Any) -> tuple[int, ...]:
    """The best line that a table of `Info` holds from s on."""
    line: list[int] = []
    while (info := table.get(game.identity(s))) is not None and info.move is not None and len(line) < score.LONGEST:
        line.append(info.move)
        s = game.play(s, info.move)
    return tuple(line)


def verdict(game: Game, s: Any, value: int) -> str:
    """Who wins from s with perfect play, in words: `the first player wins in 17 plies`."""
    if value == 0:
        return "a draw with perfect play"
    turn = game.turn(s)
    if turn is None and bare(s) == bare(game.start()):
        turn = 0
    if len(game.sides) < 2 or turn is None:
        return f"the side to move {words.score(value)}"
    side = game.sides[turn if value > 0 else 1 - turn]
    name = f"the {side} player" if side in ("first", "second") else side
    return f"{name} {words.score(abs(value))}"
