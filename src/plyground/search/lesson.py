"""What changes the weights of a net: the rows of `selfplay.py`, one after the other. No rules are needed for this.

Each weight has a pace of its own (temporal coherence, Beal and Smith 1999): the share of its errors that agree in sign. Weights of
different phases (and sides) never occur in the same row, so threads that each take some of them change nothing that another reads:
the result doesn't depend on the number of threads.
"""

from __future__ import annotations

from math import sqrt, tanh

from plyground.bits import i64, u64
from plyground.compile.blocks import Address, Block, Real, Word
from plyground.compile.vocabulary import address, load, prefetch, store_byte
from plyground.search.selfplay import HEAD, Row

SIGNATURE = "int64(uint64, uint64, int64, int64, int64)"
"""Of `study`."""
ROUND = "int64(uint64, uint64, uint64, float64, int64, int64)"
"""Of `round_off`."""
LINEAR, LOGIT, BOUNDED = range(3)
LARGEST = 32767
"""Of a weight of 16 bits."""


class Weight(Block):
    """A weight, and what it has learned from."""

    value = Real()
    agreed = Real("the sum of its errors")
    total = Real("the sum of their sizes")
    spare = Word("so that a weight lies in one cache line")


class Lesson(Block):
    """What rows are for, and what was learned."""

    weights = Address()
    width = Word("active weights of a position")
    curve = Word("LINEAR: a sum is in points; LOGIT: tanh of it is from -1 to 1; BOUNDED: bent to within `bound`")
    bound = Real()
    pace = Real("the same pace for all weights; 0: to each its own")
    count = Word("rows studied")
    error = Real("the sum of their squared errors")


def bent(x, at):
    """A sum of weights on the scale of targets."""
    if at.curve == LOGIT:
        return tanh(x)
    return at.bound * x / sqrt(1.0 + x * x) if at.curve == BOUNDED else x


def study(lesson, rows, count, share, shares):
    """Entry point: moves the active weights of each row towards its target; only rows of this share of the sets."""
    at = Lesson(lesson)
    n, weights = at.width, Weight(at.weights)
    words = u64(HEAD + 8 * n)
    for i in range(count):
        row = Row(rows + words * u64(i))
        if i + 2 < count:  # by then, its weights will have arrived
            soon = rows + words * u64(i + 2) + u64(HEAD)
            for j in range(n):
                prefetch(address(weights[load(soon + u64(8 * j))]))
        if row.set % shares != share:
            continue
        x = 0.0
        for j in range(n):
            x += weights[load(row.end + u64(8 * j))].value
        error = row.target - bent(x, at)
        at.error += error * error
        at.count += 1
        size = abs(error)
        by = error / at.bound / n if at.curve == BOUNDED else error / n
        for j in range(n):
            weight = weights[load(row.end + u64(8 * j))]
            total = weight.total
            pace = at.pace
            if pace == 0.0:
                pace = abs(weight.agreed) / total if total > 0.0 else 1.0
            weight.value += by * pace
            weight.agreed += error
            weight.total = total + size
    return at.count


def round_off(learned, ties, short, factor, first, last):
    """Entry point: the weights that a search reads, of 16 bits; those that are tied are equal. Returns how many were too large."""
    weights = Weight(learned)
    large = i64(0)
    for i in range(first, last):
        k = load(ties + u64(8 * i)) if ties else i64(i)
        x = weights[k].value * factor
        x = x + 0.5 if x >= 0.0 else x - 0.5
        large += abs(x) > LARGEST
        y = i64(max(float(-LARGEST), min(float(LARGEST), x)))
        store_byte(short + u64(2 * i), y)
        store_byte(short + u64(2 * i + 1), y >> 8)
    return large
