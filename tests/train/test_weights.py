"""The weights of a net while it learns: their mean over time, and how their pace begins anew."""

import numpy as np
import pytest

from plyground import load
from plyground.nets.derive import derive_features
from plyground.train.learner import Learner
from plyground.train.weights import ERROR_DECAY


@pytest.fixture
def learner() -> Learner:
    game = load("tictactoe")
    return Learner(game, derive_features(game), threads=2)


def test_the_mean_of_a_weight_begins_when_it_is_first_used(learner: Learner) -> None:
    weights = learner.weights
    weights.values[0, 0] = 0.5
    for _ in range(50):
        learner.update_means()
    weights.values[1, 0] = 0.5  # used for the first time now: a mean over all times would be near 0
    learner.update_means()
    assert weights.values[:2, 3] == pytest.approx([0.5, 0.5])
    assert not weights.values[2:, 3].any()


def test_the_mean_follows_a_weight_that_changes(learner: Learner) -> None:
    for value in np.linspace(0.1, 1.0, 100):
        learner.weights.values[0, 0] = value
        learner.update_means()
    assert 0.6 < learner.weights.values[0, 3] < 0.95  # behind its last value, but recent ones count more


def test_weights_become_faster_when_targets_change(learner: Learner) -> None:
    weights = learner.weights
    weights.values[0] = [0.5, 2.0, 10.0, 0.3]
    weights.averaged = 7
    weights.reset_step_sizes()
    assert weights.values[0].tolist() == pytest.approx([0.5, 2.0 * ERROR_DECAY, 10.0 * ERROR_DECAY, 0.5])
    assert weights.averaged == 0
