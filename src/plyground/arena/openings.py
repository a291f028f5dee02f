"""Openings: a different first position for each round of a match.

Random plies from the start give candidates. A short search with a fixed number of nodes keeps those in which no side is known to
win and which are among the most balanced of their length. No two openings of a match lead to the same position. If a length has
no more of them, openings get longer. A small game may run out of positions: then won ones are taken too, and at last the openings
are used again in the same order.

Opening number n depends only on the game and the seed, so a match can be resumed and extended.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from plyground import score as scores
from plyground.arena.messages import OpeningLines
from plyground.arena.pair import derive_seed
from plyground.errors import GameError, PlygroundError
from plyground.play.limit import Limit
from plyground.play.match import Match
from plyground.rules.game import Game
from plyground.rules.hooks import State

if TYPE_CHECKING:
    from plyground.engine.engine import Engine

MIN_PLIES, MAX_PLIES = 4, 25
"""The plies of the shortest openings, and a bound that all stay below."""
NODES = 4000
"""The nodes of the search that evaluates a candidate."""
SAMPLE, BALANCED = 25, 5
"""The candidates of a length that are evaluated first; the most balanced fifth of them sets the standard for the others."""
MAX_REJECTED_IN_A_ROW = 60
"""After this many rejected candidates in a row, another length is tried."""
MOVES_PREFIX = "moves:"
"""The word before the moves in a file of openings."""


class Opening(NamedTuple):
    """A state to start from (None: the game's own), and moves from there."""

    start: str | None
    moves: tuple[str, ...]


class Openings:
    """The openings of a match by number, made when they are asked for; the same seed gives the same ones."""

    def __init__(self, game: Game, seed: int, given: OpeningLines | None = None) -> None:
        """Make openings at random, or take those that `read_openings` returned."""
        self.game = game
        self.notes: list[str] = []
        """Notes for the user about the openings."""
        self.on_search: Callable[[int], None] = lambda count: None
        """Called with the number of positions that were searched so far, for openings that are balanced."""
        self._random = random.Random(derive_seed(seed, "openings"))
        self._made: list[Opening] = []
        self._name = "" if given is None else given.name
        self._source = self._random_openings() if given is None else self._from_lines(given.lines)

    def __getitem__(self, number: int) -> Opening:
        while len(self._made) <= number:
            opening = next(self._source, None)
            if opening is None:
                return self._repeat_opening(number)
            self._made.append(opening)
        return self._made[number]

    def _repeat_opening(self, number: int) -> Opening:
        """Return an opening that was already used, because there are no others."""
        if not self._made:  # every position of this game is decided; use them all the same
            self._made.append(Opening(None, ()))
        where = f"{self._name} has" if self._name else f"{self.game.name} has"
        count = len(self._made)
        note = f"{where} only {count} {'opening' if count == 1 else 'different openings'}; the match uses them again in order"
        if note not in self.notes:
            self.notes.append(note)
        return self._made[number % count]

    # -- at random -----------------------------------------------------------------------------------------------------------

    def _random_openings(self) -> Iterator[Opening]:
        """Yield all openings that are found, the best kind first."""
        check = BalanceCheck(self.game, self.notes, lambda count: self.on_search(count))
        used: set[int] = set()
        longest = MAX_PLIES
        for kind in (BalanceCheck.is_balanced, BalanceCheck.is_undecided, BalanceCheck.is_unfinished):
            for plies in (*range(MIN_PLIES, MAX_PLIES), *reversed(range(MIN_PLIES))):
                if plies < longest:
                    sample = [match.s for _ in range(SAMPLE) if (match := self._play_random(plies)) is not None]
                    longest = longest if sample else plies  # hardly any game is that long
                    check.sample(sample)
                    yield from self._openings_of_length(plies, check, kind, used)

    def _openings_of_length(
        self, plies: int, check: BalanceCheck, kind: Callable[[BalanceCheck, State], bool], used: set[int]
    ) -> Iterator[Opening]:
        """Yield openings of one length and kind until too many candidates in a row were rejected."""
        rejected = 0
        while rejected < MAX_REJECTED_IN_A_ROW:
            match = self._play_random(plies)
            if match is None or (key := check.position_key(match.s)) in used or not kind(check, match.s):
                rejected += 1
                continue
            used.add(key)
            rejected = 0
            yield Opening(None, tuple(match.move_texts()))

    def _play_random(self, plies: int) -> Match | None:
        """Return a game after this number of random plies of its players, with one of them to move; None if it is over."""
        match = Match(self.game, seed=self._random.getrandbits(53))
        while match.result is None:
            if self.game.is_chance(match.s):
                match.roll()
            elif plies:
                plies -= 1
                match.play(self._random.choice([int(m) for m in self.game.likely(match.s)] or match.legal()))
            else:
                return match
        return None

    # -- from a file ---------------------------------------------------------------------------------------------------------

    def _from_lines(self, lines: Sequence[str]) -> Iterator[Opening]:
        """Return the openings of a file, in an order given by the seed."""
        check, found = BalanceCheck(self.game, self.notes), dict[int, Opening]()
        count = 0
        for number, line in enumerate(lines, 1):
            if line.strip() and not line.lstrip().startswith("#"):
                count += 1
                opening, s = self._read(line, f"{self._name}:{number}")
                found.setdefault(check.position_key(s), opening)
        if not found:
            raise PlygroundError(
                f"{self._name}: there are no openings; write one on each line, a state or {MOVES_PREFIX} and moves"
            )
        if len(found) < count:
            self.notes.append(f"{self._name}: {count - len(found)} of {count} openings repeat another position and are left out")
        openings = list(found.values())
        self._random.shuffle(openings)
        return iter(openings)

    def _read(self, line: str, where: str) -> tuple[Opening, State]:
        """Return the opening on a line, and the state that it leads to."""
        text, marked, moves = (part.strip() for part in line.partition(MOVES_PREFIX))
        try:
            match = Match(self.game, text or None, moves if marked else "")
        except PlygroundError as e:
            raise PlygroundError(f"{where}: {e}") from e
        if match.result is not None:
            raise PlygroundError(f"{where}: the game is over after this opening; leave something to play")
        return Opening(text or None, tuple(match.move_texts())), match.s


class BalanceCheck:
    """Evaluates candidates for openings with a short search, each position once."""

    def __init__(self, game: Game, notes: list[str], on_search: Callable[[int], None] = lambda count: None) -> None:
        self.game, self.notes, self.on_search = game, notes, on_search
        self._seen: dict[int, float | None] = {}
        self._balance = 0.0
        self._engine: Engine | None = None
        if len(game.sides) == 2:  # a solitaire has no balance
            from plyground.engine.engine import Engine
            from plyground.nets.net_evaluation import shipped_file

            evaluation = shipped_file(game) or "rules"  # the same openings for every net that a user trains
            self._engine = Engine(game, memory=1, seed=0, perfect=False, evaluate=evaluation)

    def position_key(self, s: State) -> int:
        """Return a key that is the same for positions that are equal, also by symmetry."""
        return self.game.key(self.game.canonical(s))

    def sample(self, states: Sequence[State]) -> None:
        """Set the standard of balance by the most balanced of these states."""
        known = sorted(x for s in states if (x := self._imbalance(s)) is not None)
        self._balance = known[(len(known) - 1) // BALANCED] if known else 0.0

    def is_balanced(self, s: State) -> bool:
        """Return whether no side is known to win and the position is among the most balanced ones."""
        found = self._imbalance(s)
        return found is not None and found <= self._balance

    def is_undecided(self, s: State) -> bool:
        """Return whether no side is known to win."""
        return self._imbalance(s) is not None

    def is_unfinished(self, s: State) -> bool:
        """Return True: a candidate is not at its end."""
        return True

    def _imbalance(self, s: State) -> float | None:
        """Return the size of the score of a position; None if a side is known to win."""
        key = self.position_key(s)
        if key not in self._seen:
            self._seen[key] = self._search(s)
            self.on_search(len(self._seen))
        return self._seen[key]

    def _search(self, s: State) -> float | None:
        if self._engine is None:
            return 0.0
        try:
            self._engine.forget()
            score = self._engine.analyse(s, Limit(nodes=NODES)).score
        except GameError as e:  # rules that can't be compiled: the textbook may still play them
            self._engine = None
            self.notes.append(f"openings are not checked for balance: {e}")
            return 0.0
        won = "chance" not in self.game.has and scores.proven(int(score))
        return None if won else abs(float(score))


def read_openings(path: str | Path) -> OpeningLines:
    """Return the lines of a file of openings, as data for `Openings`: one per line, a state, or `moves:` and moves, or both."""
    try:
        text = Path(os.path.expanduser(path)).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as e:
        raise PlygroundError(f"{path}: cannot be read ({getattr(e, 'strerror', None) or 'not a text file'})") from e
    return OpeningLines(str(path), tuple(text.splitlines()))
