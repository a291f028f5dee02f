"""Tables: a state that can be reached in several ways is searched once.

Tables of the whole game solve it before it is played and store `SolvedState(value, move)`. The tables of a depth-limited search
store an `Entry`; they differ in which entries they trust, how many they keep (a policy decides which stays when two states want
the same place), and how a state becomes a key. Wins are stored with plies counted from the state (`Tree.to_table`).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any, NamedTuple, Protocol

from plyground import score
from plyground.bits import MASK, bits
from plyground.errors import PlygroundError
from plyground.play import words
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.textbook.derived_games import Geometry, plain_state
from plyground.textbook.tree import EXACT, INFINITE, LOWER, UPPER, WHOLE, Tree, node, window


class SolvedState(NamedTuple):
    """What is known about a state: its value for the side to move, and the best move (None if the game is over)."""

    value: int
    move: int | None


# -- the whole game ---------------------------------------------------------------------------------------------------------


@node
def solve(tree: Tree, s: State, depth: float = WHOLE) -> int:
    """Solve the game by minimax, each state once; afterwards the table has every state that play can reach.

    Contract: the exact value of s, and an `SolvedState` for each state below it.
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
    table[tree.game.identity(s)] = SolvedState(tree.to_table(best), move)
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


BoundedSearch = Callable[[Tree, State, float, int, int], int]


def best_move(
    tree: Tree, s: State, depth: float, alpha: int, beta: int, search: BoundedSearch, first: int | None = None
) -> tuple[int, int | None]:
    """Search the moves of s by fail-soft alpha-beta, `first` before the others; return the best value and its move."""
    best, move = -INFINITE, None
    for m in tree.moves(s, first):
        child, sign = tree.play(s, m)
        value = sign * search(tree, child, depth - 1, *window(sign, max(alpha, best), beta))
        if value > best:
            best, move = value, m
        if best >= beta:
            tree.cutoff(m, best, beta)
            break
    return best, move


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
    best, move = best_move(tree, s, depth, alpha, beta, alphabeta_unpruned)
    if alpha < best < beta:
        table[tree.game.identity(s)] = SolvedState(tree.to_table(best), move)
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
    best, move = best_move(tree, s, depth, alpha, beta, alphabeta_deeper)
    if alpha < best < beta:
        table[tree.game.identity(s), depth] = SolvedState(tree.to_table(best), move)
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
    estimated: bool  # whether an estimate went into the value


class Table(Protocol):
    """Where `alphabeta_bounds` keeps its entries."""

    def probe(self, s: State) -> Entry | None:
        """Return the entry of a state, if there is one."""

    def store(self, s: State, entry: Entry) -> None:
        """Store an entry, or drop it, as the table sees fit."""


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
    estimates = tree.estimates
    best, move = best_move(tree, s, depth, alpha, beta, alphabeta_bounds, first=entry.move if entry else None)
    bound = LOWER if best >= beta else UPPER if best <= alpha else EXACT
    table.store(s, Entry(depth, bound, tree.to_table(best), move, tree.estimates > estimates))
    return best


# -- reading a table ------------------------------------------------------------------------------------------------------------


def follow(game: Game, table: Mapping[Hashable, SolvedState], s: State) -> tuple[int, ...]:
    """Return the best line from s, followed through a table of `SolvedState`."""
    line: list[int] = []
    while (info := table.get(game.identity(s))) is not None and info.move is not None and len(line) < score.MAX_PLIES:
        line.append(info.move)
        s = game.child(s, info.move)
    return tuple(line)


def verdict(game: Game, s: State, value: int) -> str:
    """Return who wins from s with perfect play, in words: `the first player wins in 17 plies`."""
    if value == 0:
        return "a draw with perfect play"
    turn = game.turn(s)
    if turn is None and plain_state(s) == plain_state(game.start()):
        turn = 0
    if len(game.sides) < 2 or turn is None:
        return f"the side to move {words.score(value)}"
    side = game.sides[turn if value > 0 else 1 - turn]
    name = f"the {side} player" if side in ("first", "second") else side
    return f"{name} {words.score(abs(value))}"


# -- the tables -----------------------------------------------------------------------------------------------------------------


class UnlimitedTable:
    """A table that keeps the latest entry of every state, under a key that differs for different states."""

    def __init__(self, key: Callable[[State], Hashable]) -> None:
        self.key = key
        self.entries: dict[Any, Entry] = {}

    def probe(self, s: State) -> Entry | None:
        """Return the entry of a state, if there is one."""
        return self.entries.get(self.key(s))

    def store(self, s: State, entry: Entry) -> None:
        """Store an entry."""
        self.entries[self.key(s)] = entry


Slot = list[tuple[int, Entry] | None]
Policy = Callable[[Slot, Entry], int | None]
"""Which place in its slot a new entry takes; None if it is not kept."""


def always(slot: Slot, entry: Entry) -> int | None:
    """Replace any entry: the newest is close to what is searched next."""
    return 0


def deeper(slot: Slot, entry: Entry) -> int | None:
    """Keep the deeper search: it saves more work."""
    old = slot[0]
    return 0 if old is None or entry.depth >= old[1].depth else None


def two_tier(slot: Slot, entry: Entry) -> int | None:
    """Keep two entries per slot: the first for the deepest, the second for the newest."""
    return 0 if deeper(slot, entry) == 0 else 1


POLICIES: dict[str, tuple[Policy, int]] = {"always": (always, 1), "deeper": (deeper, 1), "two-tier": (two_tier, 2)}
"""Each policy with its number of entries per slot."""


class FixedTable:
    """A table of at most `size` entries, but at least one slot. A probe hits only if the whole key matches."""

    def __init__(self, size: int, policy: str = "two-tier", seed: int = 1) -> None:
        self.replace, self.ways = POLICIES[policy]
        self.slots: list[Slot] = [[]] * max(1, size // self.ways)  # a slot is filled in when first used
        self.zobrist = Zobrist(seed)

    def __len__(self) -> int:
        return sum(place is not None for slot in self.slots for place in slot)

    def probe(self, s: State) -> Entry | None:
        """Return the entry of a state, if it is still there."""
        key = self.zobrist.key(s)
        for place in self.slots[key % len(self.slots)]:
            if place is not None and place[0] == key:
                return place[1]
        return None

    def store(self, s: State, entry: Entry) -> None:
        """Store an entry: over an older one of the same state, otherwise where the policy says."""
        key = self.zobrist.key(s)
        number = key % len(self.slots)
        slot = self.slots[number] = self.slots[number] or [None] * self.ways
        same = [i for i, place in enumerate(slot) if place is not None and place[0] == key]
        where = same[0] if same else self.replace(slot, entry)
        if where is not None:
            slot[where] = (key, entry)


# -- keys -----------------------------------------------------------------------------------------------------------------------


class Zobrist:
    """Keys for the states of a game: each bit of a state has a random word, and a key is the xor of those of the set bits."""

    def __init__(self, seed: int = 1) -> None:
        self.random = random.Random(seed)
        self.words: list[list[int]] = []

    def key(self, s: State) -> int:
        """Return the key of a state, 64 bits."""
        found = 0
        for place, number in enumerate(_numbers(s)):
            if place == len(self.words):
                self.words.append([self.random.getrandbits(64) for _ in range(64)])
            for b in bits(number):
                found ^= self.words[place][b]
        return found


def _numbers(x: object) -> Iterator[int]:
    """Yield every number in a state, as a 64-bit word."""
    if isinstance(x, tuple):
        for item in x:
            yield from _numbers(item)
    elif hasattr(x, "flat"):
        for item in x.flat:
            yield int(item) & MASK
    else:
        yield (x if isinstance(x, int) else hash(x)) & MASK


class StoneKeys:
    """Keys for the states from a root on, in a game that only adds stones; other games are refused.

    The same stones, placed in any order, are the same state; sorted, they are the same tuple. Such a key is exact, because no two
    states share it, but it has to be sorted and grows with every stone. A Zobrist key stays one word.
    """

    def __init__(self, game: Game, root: State) -> None:
        self.game = game
        self.board = Geometry(game)
        if not self.board.known or not all(self._adds_a_stone(root, m) for m in game.legal(root)):
            raise PlygroundError(
                f"{game.name} cannot use key=stones: a move there must add one stone, drawn as its side, and change nothing else"
            )

    def key(self, s: State) -> tuple[int, ...]:
        """Return a number for each stone, sorted; their count tells whose turn it is."""
        size = self.board.cols
        return tuple(sorted((x * size + y) * 2 + (stone == 1) for (x, y), stone in self.board.stones(s).items()))

    def _adds_a_stone(self, s: State, m: int) -> bool:
        before, after = self.board.stones(s), self.board.stones(self.game.child(s, m))
        return before.items() < after.items() and len(after) == len(before) + 1 and set(after.values()) <= {1, 2}
