"""Temporal-difference learning: a game learns the values of its states by self-play.

The value of a state is a number from -1 (lost for the side to move) to 1 (won): the tanh of the sum of the weights of its
features. After each game, from its end back to its start, the value of every state moves a little towards a target:

    after the last move    the result of the game
    before                 what the next state is worth, its value, mixed with its own target in the ratio 1 - lambda to lambda

With lambda 0 only the next state counts, with lambda 1 only the result. A table with a value for each state is the special case
in which each state has one feature, itself; with features that many states share, one game teaches about all of them.
"""

from __future__ import annotations

import copy
import math
import random
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import NamedTuple

from plyground.board.board import GRIDS
from plyground.board.text import cell_contents, cell_names
from plyground.errors import PlygroundError
from plyground.pages.plot import Plot, Point, line
from plyground.rules.game import Game
from plyground.rules.hooks import EvaluationBreakdown, EvaluationTerm, State, expected_share
from plyground.textbook.derived_games import plain_state

LONGEST_GAME = 500
"""Plies after which a game of self-play is given up and counts as a draw."""
LINE_LENGTH = 4
"""Cells in a line that is a feature; on smaller boards, as many as fit."""
UNIT = 1000
"""What a value of 1 is worth as an estimate."""

Features = Callable[[State], list[Hashable]]


class LearnedValues:
    """What was learned about the states of a game: a weight for each feature met so far."""

    def __init__(self, features: Features) -> None:
        self.features = features
        self.weights: dict[Hashable, float] = defaultdict(float)
        self.games = 0
        """Games learned from."""

    def value(self, s: State) -> float:
        """Return the value of s for the side to move."""
        return math.tanh(sum(self.weights[feature] for feature in self.features(s)))

    def move_towards(self, s: State, target: float, rate: float) -> None:
        """Change the weights of s so that its value moves towards the target."""
        active, value = self.features(s), self.value(s)
        slope = 1 - value * value  # of tanh
        for feature in active:
            self.weights[feature] += rate * (target - value) * slope / len(active)


# -- learning -----------------------------------------------------------------------------------------------------------------


def learn(values: LearnedValues, game: Game, games: int, rng: random.Random, rate: float, explore: float, trace: float) -> None:
    """Let the game play itself and learn from each game; `trace` is lambda, `explore` the share of random moves."""
    for _ in range(games):
        steps, after = self_play(values, game, rng, explore)
        for s, sign in reversed(steps):
            target = sign * after
            now = values.value(s)
            values.move_towards(s, target, rate)
            after = (1 - trace) * now + trace * target
        values.games += 1


def self_play(values: LearnedValues, game: Game, rng: random.Random, explore: float) -> tuple[list[tuple[State, int]], float]:
    """Play one game; return each state with the sign of its successor's value, and what the last successor is worth."""
    steps: list[tuple[State, int]] = []
    s = game.start()
    while (result := game.result(s)) is None and len(steps) < LONGEST_GAME:
        m = rng.choice(game.legal(s)) if rng.random() < explore else best_move(values, game, s, rng)
        child = game.child(s, m)
        steps.append((s, sign_of(game, s, child)))
        s = child
    return steps, outcome(result or 0)


def best_move(values: LearnedValues, game: Game, s: State, rng: random.Random) -> int:
    """Return the move to the best state for the side to move; a random one of equal ones."""

    def worth(m: int) -> tuple[float, float]:
        child = game.child(s, m)
        result = game.result(child)
        value = values.value(child) if result is None else outcome(result)
        return sign_of(game, s, child) * value, rng.random()

    return max(game.legal(s), key=worth)


def sign_of(game: Game, s: State, child: State) -> int:
    """Return -1 if the other side moves in the child, otherwise 1."""
    return -1 if len(game.sides) == 2 and game.changes_turn(s, child) else 1


def outcome(result: float) -> int:
    """Return a result as a value: who has won, not by how much."""
    return (result > 0) - (result < 0)


# -- features -----------------------------------------------------------------------------------------------------------------


class CellLine(NamedTuple):
    """A feature: some cells in a line, and what the side to move sees on them."""

    cells: tuple[int, ...]
    seen: tuple[int, ...]


def state_feature(game: Game) -> Features:
    """Return the function that gives a state as its only feature: then the weights are a table of values."""
    return lambda s: [Game.identity(game, plain_state(s))]


def line_features(game: Game) -> Features:
    """Return the function that gives each line of cells with what lies on it, seen by the side to move: its own pieces first."""
    board = game.board
    if board is None or board.shape not in GRIDS or "turn" not in game.has or len(game.sides) != 2:
        raise PlygroundError(
            f"td cannot learn {game.name} by lines: that needs two sides, a BOARD of rows and columns, and `turn`; "
            "give it features=state"
        )
    lines = straight_lines(len(board.row_names), len(board.col_names))
    own = len(board.pieces[0])
    seen = [list(range(board.most + 1)), [0, *range(own + 1, board.most + 1), *range(1, own + 1)]]
    inverse = [{old: new for new, old in enumerate(order)} for order in seen]

    def features(s: State) -> list[Hashable]:
        s = plain_state(s)
        swap = inverse[game.rules["turn"](s)]
        cells = [swap[x] for x in game.cells(s)]
        return [CellLine(line, tuple(cells[cell] for cell in line)) for line in lines]

    return features


def straight_lines(rows: int, cols: int) -> list[tuple[int, ...]]:
    """Return the straight lines of cells, up to RUN of them, in all four directions.

    >>> len(straight_lines(3, 3)), len(straight_lines(6, 7)), straight_lines(3, 3)[-1]
    (8, 69, (2, 4, 6))
    """
    found = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        steps = range(min(LINE_LENGTH, rows, cols))
        for row in range(rows):
            for col in range(cols):
                cells = [(row + i * down, col + i * right) for i in steps]
                if all(r < rows and 0 <= c < cols for r, c in cells):
                    found.append(tuple(r * cols + c for r, c in cells))
    return found


FEATURES = {"lines": line_features, "state": state_feature}


# -- what was learned -----------------------------------------------------------------------------------------------------------


class TdSettings(NamedTuple):
    """How to learn: how many games, the learning rate, the share of random moves, and lambda."""

    games: int = 300
    features: str = "lines"
    rate: float = 0.5
    explore: float = 0.1
    trace: float = 0.7
    seed: int = 1


def learn_in_parts(game: Game, settings: TdSettings, parts: int = 1) -> Iterator[LearnedValues]:
    """Learn a game in equal parts; yield the values after each."""
    values, rng = LearnedValues(FEATURES[settings.features](game)), random.Random(settings.seed)
    for part in range(parts):
        count = settings.games * (part + 1) // parts - settings.games * part // parts
        learn(values, game, count, rng, settings.rate, settings.explore, settings.trace)
        yield values


def learned_values(game: Game, settings: TdSettings) -> LearnedValues:
    """Return the values that a game has learned in the end."""
    return next(learn_in_parts(game, settings))


def with_values(game: Game, values: LearnedValues) -> Game:
    """Return the game with what was learned as its evaluation."""
    new = copy.copy(game)
    new.evaluate = lambda s: round(UNIT * values.value(s))
    new.explain_evaluation = lambda s: explain_value(values, game, s)
    return new


def explain_value(values: LearnedValues, game: Game, s: State) -> EvaluationBreakdown:
    """Return the weight of each feature of s, and the estimate that they add up to."""
    active = values.features(s)
    parts = tuple(EvaluationTerm(f.cells if isinstance(f, CellLine) else (), values.weights.get(f, 0.0)) for f in active)
    what = "line" if isinstance(active[0], CellLine) else "state"
    names = contents = []
    if game.board is not None:
        names, contents = cell_names(game.board, game.sides), cell_contents(game.board, game.cells(plain_state(s)))
    value, total = values.value(s), sum(part.adds for part in parts)
    how = f"{UNIT:,} times tanh of the sum of" if what == "line" else f"{UNIT:,} times tanh of what is known of"
    return EvaluationBreakdown(round(UNIT * value), expected_share(value), total, how, what, parts, names, contents)


# -- the learning curve ---------------------------------------------------------------------------------------------------------


class LearningPoint(NamedTuple):
    """The score against random moves, from 0 to 1, after some games of learning; `played` is the size of the sample."""

    games: int
    score: float
    played: int

    @property
    def margin(self) -> float:
        """Half the width of the 95 % interval of the score."""
        return 1.96 * math.sqrt(max(self.score * (1 - self.score), 0.25 / self.played) / self.played)


def curve(game: Game, settings: TdSettings, parts: int = 10, played: int = 100) -> Iterator[LearningPoint]:
    """Learn a game, and play against random moves along the way, also before the first game."""
    yield LearningPoint(0, score(LearnedValues(FEATURES[settings.features](game)), game, played, settings.seed), played)
    for values in learn_in_parts(game, settings, parts):
        yield LearningPoint(values.games, score(values, game, played, settings.seed), played)


def score(values: LearnedValues, game: Game, played: int, seed: int) -> float:
    """Return the score of the best moves, without looking further ahead, against random ones: half the games with each side."""
    rng, points = random.Random(seed), 0.0
    for n in range(played):
        s, mine = game.start(), n % 2 == 0
        for _ in range(LONGEST_GAME):
            if (result := game.result(s)) is not None:
                points += (1 + outcome(result) * (1 if mine else -1)) / 2
                break
            m = best_move(values, game, s, rng) if mine else rng.choice(game.legal(s))
            child = game.child(s, m)
            mine = mine == (sign_of(game, s, child) > 0)
            s = child
        else:
            points += 0.5
    return points / played


def plot(game: Game, points: Sequence[LearningPoint]) -> Plot:
    """Return the learning curve, with its 95 % interval."""
    shown = [Point(p.games, p.score, max(0.0, p.score - p.margin), min(1.0, p.score + p.margin)) for p in points]
    title = f"{game.title}: temporal-difference learning"
    return line(title, shown, x="games of self-play", y="score against random moves", level=0.5)
