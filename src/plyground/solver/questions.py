"""What the solver asks about a value, "is it at least beta?", and in which order: the bounds decide what comes next.

Each of these yields pairs of beta and whether the question is worth a few nodes only, and is sent the bounds after each, and
whether there was an answer. None of them ends: whoever asks stops when the bounds meet. What is true is quickly shown, what is
not takes longest where it is nearly true.
"""

from __future__ import annotations

from collections.abc import Generator

from plyground.score import OPEN, distance, final

Questions = Generator[tuple[int, bool], tuple[int, int, bool], None]


def signs() -> Questions:
    """Who wins? At least a win, at least a draw?"""
    yield 1, False
    while True:
        yield 0, False


def distances(remaining: int | None) -> Questions:
    """A win in how many plies? `remaining` of them are left at most, where that is known.

    First quick questions, as long as they find answers. Then who wins; and from there each answer is at least a step nearer.
    """
    low, high = OPEN
    if remaining is not None:
        left = remaining + 1
        worst, best, answered = -left, left, True
        while answered:
            low, high, answered = yield of_rank(quick_rank(worst, best), left), True
            worst, best = max(worst, rank(low, left)), min(best, rank(high, left))
    if low <= 0 < high:
        low, high, _ = yield 1, False
    if low < 0 <= high:
        low, high, _ = yield 0, False
    while True:
        low, high, _ = yield low + 1 if low > 0 else high, False


def quick_rank(worst: int, best: int) -> int:
    """Of the ranks above `worst`, up to `best`, the one to ask about.

    While either side may win, a question near the draw is the hardest. So it is put to the quicker half of the wins or of the
    losses, whichever there are more of, which brings that end nearer. Once the winner is known, half of all that is left.

    >>> quick_rank(-8, 8), quick_rank(-3, 8), quick_rank(2, 8)
    (-3, 5, 6)
    """
    if best <= 0 or worst >= 0:
        return (worst + best) // 2 + 1
    losses, wins = -worst, best
    draw = 1
    return wins // 2 + 1 if wins > draw + losses else 1 - losses // 2


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
    """The place of a score among all that a game with so many plies left can have.

    0 is a draw, 1 the latest win that there can be, 2 the one before it; -1 the latest loss, and so on.
    """
    if value == 0:
        return 0
    near = max(1, left - distance(value))
    return near if value > 0 else -near


def of_rank(rank: int, left: int) -> int:
    """The score of a place."""
    return final(rank, left - abs(rank), margin=False)
