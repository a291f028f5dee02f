"""What the solver asks about a value, "is it at least beta?", and in which order: the bounds decide what comes next.

Each of these yields pairs of beta and whether the question is worth a few nodes only, and is sent the bounds after each, and
whether there was an answer. None of them ends: whoever asks stops when the bounds meet. What is true is quickly shown, what is
not takes longest where it is nearly true.
"""

from __future__ import annotations

from collections.abc import Generator

from plyground.score import WIN

Questions = Generator[tuple[int, bool], tuple[int, int, bool], None]


def signs() -> Questions:
    """Who wins? At least a win, at least a draw?"""
    yield 1, False
    while True:
        yield 0, False


def distances(remaining: int | None) -> Questions:
    """A win in how many plies? `remaining` of them are left at most, where that is known.

    First what is quickly answered, halves of what is left on either side: there may be a short win, or none. Then who wins;
    and from there each answer is at least a step nearer.
    """
    low, high, answered = -WIN, WIN, remaining is not None
    left = 0 if remaining is None else remaining + 1
    bottom, top = -left, left
    # Ranks: 0 a draw, 1 the latest win that there can be, and so on; the same below with losses.
    while answered:
        middle = bottom + (top - bottom) // 2
        if middle <= 0 and bottom // 2 < middle:
            middle = -(-bottom // 2)
        elif middle >= 0 and top // 2 > middle:
            middle = top // 2
        low, high, answered = yield of_rank(max(bottom, min(middle, top - 1)) + 1, left), True
        bottom, top = max(bottom, rank(low, left)), min(top, rank(high, left))
    if low <= 0 < high:
        low, high, _ = yield 1, False
    if low < 0 <= high:
        low, high, _ = yield 0, False
    while True:
        low, high, _ = yield low + 1 if low > 0 else high, False


def margins(guess: int) -> Questions:
    """By how much? From a guess outwards, in small steps and then in growing ones: the question too far costs most."""
    step, small = 1, 6
    low, high, _ = yield guess, False
    rising = low >= guess
    while True:
        step, small = 2 if small > 0 else 2 * step, small - 1
        if (low + 1 >= guess) != rising:
            rising, step = not rising, 1
        middle = low + (high - low + 1) // 2
        low, high, _ = yield min(low + step, middle) if rising else max(high - step + 1, middle), False


def rank(value: int, left: int) -> int:
    """The place of a score among all that a game with so many plies left can have."""
    if value == 0:
        return 0
    near = max(1, left - (WIN - abs(value)))
    return near if value > 0 else -near


def of_rank(rank: int, left: int) -> int:
    """The score of a place."""
    if rank == 0:
        return 0
    return WIN - left + rank if rank > 0 else -(WIN - left - rank)
