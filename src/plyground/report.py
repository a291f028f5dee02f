"""What a search tells: reports while it goes on, an analysis at its end. Scores are for the side to move at the root."""

from __future__ import annotations

from dataclasses import dataclass, field

from plyground import score as scores


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
    """The score is the value of the game; a win or loss that is not exact may come sooner, or by more."""

    @property
    def nps(self) -> int:
        """Nodes per second."""
        return int(self.nodes / max(self.seconds, 1e-9))


@dataclass
class Analysis:
    """The end of a search: the move, its score, and everything else that was found."""

    move: int | None
    score: float
    depth: int = 0
    selective: int = 0
    nodes: int = 0
    seconds: float = 0.0
    fill: float = 0.0
    line: tuple[int, ...] = ()
    exact: bool = False
    """The score is the value of the game. A win or loss that is proven but not exact may come sooner, or by more."""
    moves: list[tuple[int, float]] = field(default_factory=list)
    """Moves with scores of their own, best first: as many as lines were asked for."""
    exact_moves: frozenset[int] = frozenset()
    """Those of `moves` whose scores are values of the game."""
    reports: list[Report] = field(default_factory=list)
    source: str = "search"
    """Where the answer is from: the search, a book, a table, or the solver."""

    @property
    def value(self) -> str:
        """win, draw, loss, or unknown: proven, whatever it says but the last."""
        if isinstance(self.score, float):
            return "unknown"  # an expectation
        if self.exact or scores.proven(self.score):
            return "win" if self.score > 0 else "loss" if self.score < 0 else "draw"
        return "unknown"

    @property
    def plies(self) -> int | None:
        """In how many plies a proven win or loss comes: at most so many, where the score is not exact."""
        return scores.plies(int(self.score)) if self.value in ("win", "loss") else None
