"""What the solver asks about a distance: every question is open, the last one settles the value, and there are few of them."""

from __future__ import annotations

import pytest

from plyground.score import WIN
from plyground.solver.solving import distances

PATIENCE = 99
"""As many quick questions as anybody asks."""


def values(remaining: int) -> list[int]:
    """Every score that a state with `remaining` plies left can have, in order."""
    wins = [WIN - plies for plies in range(remaining, -1, -1)]
    return [*(-score for score in reversed(wins)), 0, *wins]


def asked(value: int, remaining: int, told: bool, answers: int = PATIENCE) -> list[int]:
    """The questions until a value is known. A quick one is answered only while `answers` last.

    With `told` an answer says how far the value is, without it just yes or no.
    """
    possible = values(remaining)
    low, high = possible[0], possible[-1]
    out = []
    ask = distances(remaining)
    beta, quick = next(ask)
    while low < high:
        assert low < beta <= high, "a question whose answer is known"
        out.append(beta)
        answered = not quick or answers > 0
        answers -= quick
        if answered and value >= beta:
            low = value if told else min(v for v in possible if v >= beta)
        elif answered:
            high = value if told else max(v for v in possible if v < beta)
        assert low <= value <= high
        beta, quick = ask.send((low, high, answered))
    return out


@pytest.mark.parametrize("told", [False, True])
@pytest.mark.parametrize("answers", [0, 1, 2, 3, PATIENCE])
@pytest.mark.parametrize("remaining", [0, 1, 2, 5, 9, 20, 42])
def test_the_questions_end_at_every_value(remaining: int, answers: int, told: bool) -> None:
    for value in values(remaining):
        assert len(asked(value, remaining, told, answers)) <= len(values(remaining)) + 1


@pytest.mark.parametrize(
    ("remaining", "worst", "together"), [(1, 3, 12), (2, 3, 20), (5, 5, 51), (9, 6, 99), (20, 8, 249), (42, 10, 600)]
)
def test_there_are_few_questions(remaining: int, worst: int, together: int) -> None:
    """With yes and no alone: the most that a value takes, and the sum over all values."""
    counts = [len(asked(value, remaining, told=False)) for value in values(remaining)]
    assert max(counts) <= worst
    assert sum(counts) <= together


def test_short_wins_and_losses_come_before_who_wins() -> None:
    """The first question parts the quick losses from the rest, the next one the quick wins."""
    first, second, *_ = asked(0, 40, told=False)
    assert -WIN + 10 < first < 0
    assert WIN - 30 < second < WIN - 10
