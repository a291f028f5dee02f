"""The order of the solver's questions about a value, "is it at least beta?": the bounds so far decide what comes next.

Each generator yields pairs: beta, and whether the question is worth only a few nodes. After each, it is sent the bounds and
whether there was an answer. None of them ends: the caller stops when the bounds meet. True claims are quick to prove; false ones
take longest if they are nearly true.
"""

from __future__ import annotations

from collections.abc import Generator

from plyground.score import OPEN, distance, final

Questions = Generator[tuple[int, bool], tuple[int, int, bool], None]


def signs() -> Questions:
    """Ask whether it is at least a win, then whether it is at least a draw."""
    yield 1, False
    while True:
        yield 0, False


def distances(remaining: int | None) -> Questions:
    """Ask in how many plies a side wins; at most `remaining` are left, if known.

    First come quick questions, as long as they are answered; then who wins; after that, each answer is at least a step closer.
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
    """Return the rank to ask about, above `worst` and up to `best`.

    While either side may win, questions near the draw are the hardest. So this asks about the faster half of the wins or of the
    losses, whichever are more, which moves that bound closer. Once the winner is known, it halves what is left.

    >>> quick_rank(-8, 8), quick_rank(-3, 8), quick_rank(2, 8)
    (-3, 5, 6)
    """
    if best <= 0 or worst >= 0:
        return (worst + best) // 2 + 1
    losses, wins = -worst, best
    draw = 1
    return wins // 2 + 1 if wins > draw + losses else 1 - losses // 2


def margins(guess: int) -> Questions:
    """Ask by how much, outward from a guess in small and then in growing steps: a question that goes too far costs the most."""
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
    """Return the rank of a score among all scores that are possible with this many plies left.

    0 is a draw, 1 the slowest possible win, 2 the next faster one; -1 the slowest loss, and so on.
    """
    if value == 0:
        return 0
    near = max(1, left - distance(value))
    return near if value > 0 else -near


def of_rank(rank: int, left: int) -> int:
    """Return the score of a rank."""
    return final(rank, left - abs(rank), margin=False)
