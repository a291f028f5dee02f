"""A player's input and output: a position, the reports of a running search, and its final analysis.

Scores are for the side to move at the root.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from plyground import score as scores
from plyground.errors import PlygroundError
from plyground.play import words
from plyground.rules.game import Game
from plyground.rules.hooks import RulesState, State


@dataclass(frozen=True)
class Position:
    """A state and the moves that led to it, which repetition and the engines of other programs need to know.

    >>> from plyground import load
    >>> nim = load("nim")
    >>> position = Position.of(nim).after(nim.parse_move(nim.start(), "a1"))
    >>> len(position.moves), position.s == nim.play(nim.start(), position.moves[0])
    (1, True)
    """

    game: Game
    states: tuple[RulesState, ...]
    """All states, from the first to the current one."""
    moves: tuple[int, ...] = ()
    """The moves between them, including those of chance."""

    def __post_init__(self) -> None:
        if len(self.states) != len(self.moves) + 1:
            raise PlygroundError(
                f"a position has one more state than moves, not {len(self.states)} states and {len(self.moves)} moves; "
                "use Position.of(game, start, moves)"
            )

    @classmethod
    def of(cls, game: Game, start: State | None = None, moves: Sequence[int] = ()) -> Position:
        """Return the position after legal moves from a state, by default the initial state."""
        position = cls(game, (game.start() if start is None else cast("RulesState", start),))
        for m in moves:
            position = position.after(m)
        return position

    def after(self, m: int) -> Position:
        """Return the position after one more legal move."""
        return Position(self.game, (*self.states, self.game.play(self.s, m)), (*self.moves, m))

    @property
    def start(self) -> RulesState:
        """The first state."""
        return self.states[0]

    @property
    def s(self) -> RulesState:
        """The current state."""
        return self.states[-1]

    @property
    def history(self) -> tuple[State, ...]:
        """The states before the current one if repetitions count in this game, else nothing."""
        return self.states[:-1] if self.game.repetition else ()


@dataclass(frozen=True)
class Report:
    """What the search has found so far."""

    depth: int
    seldepth: int
    score: float
    nodes: int
    seconds: float
    fill: float
    line: tuple[int, ...]
    multipv: int = 1
    """1 for the best line, 2 for the second best, and so on."""
    exact: bool = False
    """The score is the value of the game; a win or loss that is not exact may come sooner or be larger."""
    limited: bool = False
    """Only some moves were searched, so a loss is not proven; if these were the `likely` moves, neither is a win."""
    partial: bool = False
    """The search was stopped at this depth. The move is better there than the one before; others might be better still."""

    @property
    def nps(self) -> int:
        """Nodes per second."""
        return int(self.nodes / max(self.seconds, 1e-9))


@dataclass
class Analysis:
    """The answer of a player: the move, its score, and everything else that was found."""

    move: int | None
    score: float = math.nan
    """For the side to move; NaN if the player that chose the move gave no score."""
    depth: int = 0
    seldepth: int = 0
    nodes: int = 0
    seconds: float = 0.0
    fill: float = 0.0
    line: tuple[int, ...] = ()
    exact: bool = False
    """The score is the value of the game. A win or loss that is proven but not exact may come sooner or be larger."""
    moves: list[tuple[int, float]] = field(default_factory=list)
    """The best moves with their own scores, best first: one per line requested."""
    exact_moves: frozenset[int] = frozenset()
    """The `moves` whose scores are values of the game."""
    reports: list[Report] = field(default_factory=list)
    source: str = "search"
    """Where the answer comes from: search, book, table, solver, textbook or random."""
    limited: bool = False
    """Only some moves were searched (the `likely` ones, or a stopped iteration saw losses only), so nothing is proven."""
    partial: bool = False
    """Move and score are from an iteration at `depth` that was stopped; the score is a lower bound of the value at that depth."""
    values: tuple[float, ...] = ()
    """The value for each side, where there are three or more."""
    game: Game | None = field(default=None, repr=False, compare=False)
    state: State | None = field(default=None, repr=False, compare=False)
    """The state that was searched."""

    @property
    def scored(self) -> bool:
        """Whether the move has a score; otherwise score, depth and nodes mean nothing."""
        return not math.isnan(self.score)

    @property
    def value(self) -> str:
        """`win`, `draw` or `loss` if proven, else `unknown`."""
        if isinstance(self.score, float) or self.limited:
            return "unknown"  # an expectation, or a search that left moves out
        if self.exact or scores.proven(self.score):
            return words.value(self.score)
        return "unknown"

    @property
    def plies(self) -> int | None:
        """The plies to a proven win or loss; an upper bound if the score is not exact."""
        return scores.plies(int(self.score)) if self.value in ("win", "loss") else None

    def describe(self, side: str) -> str:
        """Return the verdict on the position, for the side to move, and its source.

        >>> [Analysis(0, score, depth=5).describe("X") for score in (9993, -35, 0, 0.5)]
        ['X wins in at most 7 plies (proven)', '-35 for X (depth 5)', 'even (depth 5)', '+0.500 for X (depth 5)']
        >>> Analysis(0, 0, exact=True, source="book").describe("X")
        'X draws (from the book)'
        """
        text = words.score(self.score, self.exact, not self.limited)
        if text[0].isalpha():
            text = f"{side} {text}"
        elif self.score:
            text = f"{text} for {side}"
        else:
            text = "even"
        return f"{text} ({self.describe_source()})"

    def describe_source(self) -> str:
        """Return the source of a known value in words; if nothing is proven, the search depth."""
        if self.value != "unknown":
            return words.SOURCES[self.source]
        return f"depth {self.depth}{', unfinished' if self.partial else ''}"

    def as_json(self) -> dict[str, object]:
        """Return the analysis as data, with moves as text, as `plyground analyse --json` prints it."""
        game, s = self.game, self.state

        def text(m: int | None) -> str | int | None:
            return m if game is None or s is None or m is None else game.format_move(s, m)

        return {
            "game": None if game is None else game.name,
            "state": None if game is None or s is None else game.format_state(s),
            "move": text(self.move),
            "score": self.score if self.scored else None,
            "value": self.value,
            "plies": self.plies,
            "exact": self.exact,
            "source": self.source,
            "depth": self.depth,
            "partial": self.partial,
            "selective": self.seldepth,
            "nodes": self.nodes,
            "nps": round(self.nodes / max(self.seconds, 1e-9)),
            "seconds": round(self.seconds, 6),
            "fill": round(self.fill, 4),
            "line": list(self.line) if game is None or s is None else words.line(game, s, self.line),
            "moves": [{"move": text(m), "score": score, "exact": m in self.exact_moves} for m, score in self.moves],
        }

    def to_json(self) -> str:
        """Return `as_json` as text."""
        return json.dumps(self.as_json(), ensure_ascii=False)
