"""The reports of a running search and its final analysis. Scores are for the side to move at the root."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from plyground import score as scores
from plyground.play import words
from plyground.rules.game import Game


@dataclass(frozen=True)
class Report:
    """What the search has found so far."""

    depth: int
    selective: int
    score: float
    nodes: int
    seconds: float
    fill: float
    line: tuple[int, ...]
    rank: int = 1
    """1 for the best line, 2 for the second best, and so on."""
    exact: bool = False
    """The score is the value of the game; a win or loss that is not exact may come sooner or be larger."""
    limited: bool = False
    """Only `likely` moves were searched."""

    @property
    def nps(self) -> int:
        """Nodes per second."""
        return int(self.nodes / max(self.seconds, 1e-9))


@dataclass
class Analysis:
    """The result of a search: the move, its score, and everything else that was found."""

    move: int | None
    score: float
    depth: int = 0
    selective: int = 0
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
    """Where the answer comes from: search, book, table or solver."""
    limited: bool = False
    """Only `likely` moves were searched, so nothing is proven."""
    game: Game | None = field(default=None, repr=False, compare=False)
    state: Any = field(default=None, repr=False, compare=False)
    """What was searched."""

    @property
    def value(self) -> str:
        """win, draw or loss if proven, else unknown."""
        if isinstance(self.score, float) or self.limited:
            return "unknown"  # an expectation, or a search that left moves out
        if self.exact or scores.proven(self.score):
            return words.value(self.score)
        return "unknown"

    @property
    def plies(self) -> int | None:
        """The plies to a proven win or loss; an upper bound if the score is not exact."""
        return scores.plies(int(self.score)) if self.value in ("win", "loss") else None

    def as_json(self) -> dict[str, Any]:
        """The analysis as data, with moves as text: `plyground analyse --json` prints it."""
        game, s = self.game, self.state

        def text(m: int | None) -> str | int | None:
            return m if game is None or m is None else game.format_move(s, m)

        return {
            "game": None if game is None else game.name,
            "state": None if game is None else game.format_state(s),
            "move": text(self.move),
            "score": self.score,
            "value": self.value,
            "plies": self.plies,
            "exact": self.exact,
            "source": self.source,
            "depth": self.depth,
            "selective": self.selective,
            "nodes": self.nodes,
            "nps": round(self.nodes / max(self.seconds, 1e-9)),
            "seconds": round(self.seconds, 6),
            "fill": round(self.fill, 4),
            "line": list(self.line) if game is None else words.line(game, s, self.line),
            "moves": [{"move": text(m), "score": score, "exact": m in self.exact_moves} for m, score in self.moves],
        }

    def to_json(self) -> str:
        """`as_json` as text."""
        return json.dumps(self.as_json(), ensure_ascii=False)
