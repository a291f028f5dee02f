"""Updating the weights of a net: it learns from the rows of `self_play.py` one by one. This needs no rules.

Each weight has its own step size (temporal coherence, Beal and Smith 1999): the share of its errors that agree in sign. Groups of
different phases (and sides) never occur in the same row. So threads that each take some of these sets change nothing that another
reads, and the result doesn't depend on the number of threads.
"""

from __future__ import annotations

from math import sqrt, tanh

from plyground.bits import i64, u64
from plyground.compile.blocks import Address, Block, Float, Word
from plyground.compile.vocabulary import address, load, load_real, load_short, prefetch, store_byte, store_real
from plyground.kernels.selfplay.self_play import ROW_HEADER_BYTES, TrainingRow, load_half

SIGNATURE = "int64(uint64, uint64, int64, int64, int64)"
"""Signature of `update_weights` and `update_hidden_weights`."""
ROUND_ROWS, ROUND_SLICE = "int64(uint64, uint64, int64)", "int64(uint64, int64, int64)"
"""Signatures of `round_rows` and `round_slice`."""
UPDATE_MEANS = "int64(uint64, int64, int64, float64)"
"""Signature of `update_means`."""
LINEAR, LOGIT, BOUNDED = range(3)
MAX_WEIGHT = 32767
"""The largest weight of 16 bits."""
MAX_STEP = 0.2
"""The largest share of an error that hidden units correct at once."""
PREFETCH_ROWS = 4
"""Weights are prefetched this many rows before they are needed, because a large net doesn't fit into the processor's cache."""


class Weight(Block):
    """A weight, with statistics of its errors."""

    value = Float()
    agreed = Float("the sum of its errors")
    total = Float("the sum of their sizes")
    mean = Float("its mean over time (`train/weights.py`)")


class UpdateMemory(Block):
    """The weights to update, and statistics. With hidden units, room for two words for each of them follows."""

    weights = Address()
    short = Address("the weights of 16 bits that a search reads")
    ties = Address("for each weight, 32 bits: the number of the one that stands for it")
    chain = Address("for each weight, 32 bits: the next one in the ring of those tied to it")
    factor = Float("a weight of 1 in the unit of the search")
    numbers = Word("the largest number of weights in a row")
    curve = Word("LINEAR: a sum is in points; LOGIT: tanh of it is from -1 to 1; BOUNDED: squashed to within `bound`")
    bound = Float()
    step_size = Float("the step size of all weights; 0 if each has its own")
    hidden = Word("the number of hidden units")
    biases = Word("the number of their first bias")
    directs = Word("the number of the first weight that leads from an input to the output")
    outputs = Word("the number of the first weight of the output")
    apart = Word("nonzero if each side has its own weights")
    count = Word("the number of rows learned from")
    error = Float("the sum of their squared errors")


def row_of(at, rows, i):
    """Return one of the rows of a stream."""
    return TrainingRow(rows + u64(ROW_HEADER_BYTES + 8 * at.numbers) * u64(i))


def active_weight(row, j):
    """Return the number of an active weight, or of an active input."""
    return load(row.end + u64(8) * u64(j))


def squash(x, at):
    """Return the output of a net on the scale of targets."""
    if at.curve == LOGIT:
        return tanh(x)
    return at.bound * x / sqrt(1.0 + x * x) if at.curve == BOUNDED else x


def record_error(error, at):
    """Count an error; return it on the scale of the output."""
    at.error += error * error
    at.count += 1
    return error / at.bound if at.curve == BOUNDED else error


def change(weight, by, error, at):
    """Change a weight, by its own step size."""
    total, agreed = weight.total, weight.agreed
    step_size = at.step_size
    if step_size == 0.0:
        step_size = abs(agreed) / total if total > 0.0 else 1.0
    weight.value += by * step_size
    weight.agreed, weight.total = agreed + error, total + abs(error)


def update_weights(update, rows, count, share, shares):
    """Entry point: move the active weights of each row towards its target, for rows of this share of the sets."""
    at = UpdateMemory(update)
    weights = Weight(at.weights)
    for i in range(count):
        row = row_of(at, rows, i)
        n = row.width
        if i + PREFETCH_ROWS < count:
            soon = row_of(at, rows, i + PREFETCH_ROWS)
            for j in range(soon.width if soon.set % shares == share else 0):
                prefetch(address(weights[active_weight(soon, j)]))
        if n and row.set % shares == share:
            x = row.base
            for j in range(n):
                x += weights[active_weight(row, j)].value
            error = record_error(row.target - squash(x, at), at)
            for j in range(n):
                change(weights[active_weight(row, j)], error / n, error, at)
    return at.count


def update_hidden_weights(update, rows, count, share, shares):
    """Entry point: do the same for a net with hidden units, by gradient descent; there is only one share."""
    at = UpdateMemory(update)
    for i in range(count):
        row = row_of(at, rows, i)
        if row.width:
            gradient_step(row, at)
    return at.count


def gradient_step(row, at):
    """Move what a row activates down the slope of its squared error."""
    weights, h, room = Weight(at.weights), at.hidden, at.end
    bias, out = weights[at.biases], weights[at.outputs + row.set * (h + 1)]
    if at.apart and row.set & 1:
        bias = bias[h]
    direct = weights[at.directs]
    x, size = row.base + out[h].value, 1.0 + float(row.width)
    for j in range(row.width):
        x += direct[active_weight(row, j)].value
    for u in range(h):
        y = bias[u].value
        for j in range(row.width):
            y += weights[active_weight(row, j) * h + u].value
        store_real(room + u64(8) * u64(u), y)
        given = max(0.0, min(1.0, y))
        x += given * out[u].value
        size += given * given
        if 0.0 < y < 1.0:
            size += out[u].value * out[u].value * (row.width + 1)
    error = record_error(row.target - squash(x, at), at)
    by = MAX_STEP * error / size
    for u in range(h):
        y = load_real(room + u64(8) * u64(u))
        slope = out[u].value
        if y > 0.0:
            change(out[u], by * min(1.0, y), error * min(1.0, y), at)
        if 0.0 < y < 1.0:
            change(bias[u], by * slope, error * slope, at)
            for j in range(row.width):
                change(weights[active_weight(row, j) * h + u], by * slope, error * slope, at)
    for j in range(row.width):
        change(direct[active_weight(row, j)], by, error, at)
    change(out[h], by, error, at)


def to_short(x):
    """Round a number to a weight of 16 bits: halves away from zero."""
    return i64(max(float(-MAX_WEIGHT), min(float(MAX_WEIGHT), x + 0.5 if x >= 0.0 else x - 0.5)))


def store_short(at, k, y):
    """Store this weight for the search."""
    store_byte(at.short + u64(2) * u64(k), y)
    store_byte(at.short + u64(2) * u64(k) + u64(1), y >> 8)


def round_rows(update, rows, count):
    """Entry point: store the current weights of these rows, and those tied to them, for the search.

    Tied weights are always equal, so nothing is left to do once the search has this number. Returns the number of weights that
    are too large for 16 bits.
    """
    at = UpdateMemory(update)
    weights, large = Weight(at.weights), i64(0)
    for i in range(count):
        row = row_of(at, rows, i)
        if i + PREFETCH_ROWS < count:
            soon = row_of(at, rows, i + PREFETCH_ROWS)
            for j in range(soon.width):
                ahead = u64(active_weight(soon, j))
                prefetch(address(weights[ahead]))
                prefetch(at.short + u64(2) * ahead)
                prefetch(at.chain + u64(4) * ahead)
        for j in range(row.width):
            k = active_weight(row, j)
            x = weights[k].value * at.factor
            large += abs(x) > MAX_WEIGHT
            y = to_short(x)
            while load_short(at.short + u64(2) * u64(k)) != y:
                store_short(at, k, y)
                k = load_half(at.chain, k)
    return large


def round_slice(update, first, count):
    """Entry point: do the same for `count` weights, which is less work if the rows have more numbers than the net has weights."""
    at = UpdateMemory(update)
    weights, large = Weight(at.weights), i64(0)
    for k in range(first, first + count):
        x = weights[load_half(at.ties, k)].value * at.factor
        large += abs(x) > MAX_WEIGHT
        store_short(at, k, to_short(x))
    return large


def update_means(update, first, count, share):
    """Entry point: move the means of some weights towards the weights."""
    at = UpdateMemory(update)
    weights = Weight(at.weights)
    for k in range(first, first + count):
        weight = weights[k]
        if weight.value != 0.0:
            if weight.mean == 0.0:  # a weight used for the first time has nothing to average
                weight.mean = weight.value
            else:
                weight.mean += (weight.value - weight.mean) * share
    return 0
