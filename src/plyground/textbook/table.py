"""Tables: a state that can be reached in several ways is searched once.

`Info(value, move)` is what a table stores for a state. Whole-game tables solve the game before it is played; the tables of a
depth-limited search differ in which entries they trust. Wins are stored with plies counted from the state (`Tree.to_table`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple, Protocol

from plyground import score
from plyground.play import words
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.textbook.carry import bare
from plyground.textbook.tree import EXACT, INFINITE, LOWER, UPPER, WHOLE, Tree, node, window


class Info(NamedTuple):
    """What is known about a state: its value for the side to move, and the best move (None if the game is over)."""

    value: int
    move: int | None


# -- the whole game ---------------------------------------------------------------------------------------------------------


@node
def solve(tree: Tree, s: State, depth: float = WHOLE) -> int:
    """Minimax to the end of the game, each state once; afterwards the table has every state that play can reach.

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
def solve_symmetric(tree: Tree, s: State, depth: float = WHOLE) -> int:
    """Solve the game with one entry for all mirror images of a state; it has only a value, because their moves differ."""
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
def alphabeta_unpruned(tree: Tree, s: State, depth: float = WHOLE, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
    """Search with a table of the states that were not pruned: a pruned state has a bound, not a value.

    Contract: that of fail-soft. It is exact to the end of the game. To a depth it is exact only if a state always occurs at the
    same depth, as when each move fills a cell, because an entry doesn't say how deep it was searched; the table must be cleared
    before each move. When play leaves the table, the next search fills it again.
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
def alphabeta_deeper(tree: Tree, s: State, depth: float = WHOLE, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
    """Search with a table by (state, depth) that also accepts entries of deeper searches, so it can be kept for a game.

    Contract: fail-soft, for a value that looks at least `depth` plies ahead; minimax to exactly that depth may differ.
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
    """Return the depths, from this one up, at which the table may have entries."""
    if depth == WHOLE:
        return [WHOLE]
    deepest = tree.memory["deepest"] = max(depth, tree.memory.get("deepest", depth))
    return [*range(int(depth), int(deepest) + 1), WHOLE]


class Entry(NamedTuple):
    """What a table with bounds stores for a state."""

    depth: float
    bound: int  # LOWER, UPPER or EXACT
    value: int
    move: int | None
    estimated: bool  # did an estimate go into the value?


class Table(Protocol):
    """Where `alphabeta_bounds` keeps its entries."""

    def probe(self, s: State) -> Entry | None:
        """Return the entry of a state, if there is one."""

    def store(self, s: State, entry: Entry) -> None:
        """Store an entry, or drop it, as the table sees fit."""


class Unlimited:
    """A table that keeps the latest entry of every state, under a key that tells states apart."""

    def __init__(self, key: Callable[[Any], Hashable]) -> None:
        self.key = key
        self.entries: dict[Any, Entry] = {}

    def probe(self, s: State) -> Entry | None:
        """Return the entry of a state, if there is one."""
        return self.entries.get(self.key(s))

    def store(self, s: State, entry: Entry) -> None:
        """Store an entry."""
        self.entries[self.key(s)] = entry


@node
def alphabeta_bounds(tree: Tree, s: State, depth: float = WHOLE, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
    """Search with a table of bounds: a pruned state is worth storing too, and so is its best move.

    Contract: that of fail-soft. An entry cuts if its depth is the same and its bound is decisive; at any depth its move is
    tried first, which is how one search reorders the whole tree for the next.
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


# -- reading a table ------------------------------------------------------------------------------------------------------------


def follow(game: Game, table: dict[Any, Info], s: State) -> tuple[int, ...]:
    """Return the best line from s, followed through a table of `Info`."""
    line: list[int] = []
    while (info := table.get(game.identity(s))) is not None and info.move is not None and len(line) < score.LONGEST:
        line.append(info.move)
        s = game.child(s, info.move)
    return tuple(line)


def verdict(game: Game, s: State, value: int) -> str:
    """Return who wins from s with perfect play, in words: `the first player wins in 17 plies`."""
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
