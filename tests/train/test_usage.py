"""Which weights of a net its games need; and a copy without the others."""

import numpy as np
import pytest

from plyground import PlygroundError, load
from plyground.train.learner import count_uses, main_weights
from random_nets import random_net

GAME = "connect4(rows=4, cols=5)"


def test_uses_are_counted_the_same_on_any_number_of_threads():
    game, net = load(GAME), random_net(GAME)
    seen: list[int] = []
    found = count_uses(game, net, 20_000, on_progress=seen.append)
    assert sum(seen) >= 20_000
    assert found.sum() >= sum(seen) * len(net.features.lanes)  # a weight and its mirror image count both
    assert np.array_equal(found, found[net.features.ties()])
    assert np.array_equal(found, count_uses(game, net, 20_000, threads=2))


def test_the_weights_that_matter_most_are_kept():
    game, net = load(GAME), random_net(GAME)
    found = main_weights(game, net, 500, 20_000)
    matter = count_uses(game, net, 20_000) * net.weights.astype(float) ** 2
    kept = found != 0
    assert 490 < np.count_nonzero(kept) <= 500
    assert np.array_equal(found[kept], net.weights[kept])
    assert matter[kept].min() > matter[~kept].max()
    assert np.array_equal(found, found[net.features.ties()])
    every = main_weights(game, net, 1 << 30, 20_000)
    assert np.array_equal(every, np.where(matter > 0, net.weights, 0))


def test_hidden_units_keep_all_weights():
    with pytest.raises(PlygroundError, match="the net of backgammon has hidden units: all of its weights are needed"):
        main_weights(load("backgammon"), random_net("backgammon"), 10)
