"""Positions: the states and the moves between them fit each other."""

import pytest

from plyground import Position, load
from plyground.errors import PlygroundError

NIM = load("nim")


@pytest.mark.parametrize(("states", "moves"), [(2, 0), (3, 1), (1, 1), (0, 0)])
def test_states_need_the_moves_between_them(states, moves):
    with pytest.raises(PlygroundError, match=r"^a position has one more state than moves, not \d states and \d moves"):
        Position(NIM, (NIM.start(),) * states, (1,) * moves)


def test_one_state_needs_no_moves():
    position = Position(NIM, (NIM.start(),))
    assert position.after(1) == Position.of(NIM, moves=[1])
