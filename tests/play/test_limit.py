"""Time use: how much of a clock's budget a search may use before it starts another iteration."""

import pytest

from plyground.play.limit import STABLE_SHARES, USUAL_EFFORT, Limit

CLOCK = Limit(clock=60, overhead=0)
"""Two seconds for a move, and at most eight."""


@pytest.mark.parametrize(
    ("best_moves", "share"),
    [
        ([], STABLE_SHARES[0]),
        ([4], STABLE_SHARES[0]),
        ([4, 7], STABLE_SHARES[0]),
        ([7, 4, 7], STABLE_SHARES[0]),
        ([4, 7, 7], STABLE_SHARES[1]),
        ([7, 7, 4, 4, 4], STABLE_SHARES[2]),
        ([7] * 6, STABLE_SHARES[5]),
        ([7] * 60, STABLE_SHARES[-1]),
    ],
)
def test_a_best_move_that_stays_needs_less_time(best_moves, share):
    assert not CLOCK.out_of_time(1.99 * share, best_moves)
    assert CLOCK.out_of_time(2.01 * share, best_moves)


def test_a_best_move_that_stands_out_needs_less_time():
    for effort, share in ((0, 1.4), (0.2, 1.2), (USUAL_EFFORT, 1), (0.7, 0.7), (1, 0.4)):
        assert not CLOCK.out_of_time(1.99 * share * STABLE_SHARES[1], [4, 4], effort)
        assert CLOCK.out_of_time(2.01 * share * STABLE_SHARES[1], [4, 4], effort)


def test_the_shares_fall():
    assert list(STABLE_SHARES) == sorted(STABLE_SHARES, reverse=True)


@pytest.mark.parametrize("limit", [CLOCK, Limit(clock=60, moves_left=1), Limit(clock=0.01), Limit(clock=1, increment=5)])
@pytest.mark.parametrize("best_moves", [[], [4], [7] * 20])
def test_no_iteration_starts_after_the_hard_limit(limit, best_moves):
    assert limit.out_of_time(1.0001 * limit.seconds, best_moves, 0)


@pytest.mark.parametrize("limit", [Limit(time=2), Limit(depth=5), Limit(nodes=100), Limit(infinite=True)])
@pytest.mark.parametrize("best_moves", [[], [4], [7] * 20])
def test_other_limits_end_no_search_between_iterations(limit, best_moves):
    assert not limit.out_of_time(1e9, best_moves)
