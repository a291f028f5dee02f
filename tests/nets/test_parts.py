"""What a net sees in a position: its parts add up to its estimate, and each shows what lies on its cells."""

import random
from typing import Any

import numpy as np
import pytest

from here import DATA
from plyground import load
from plyground.nets.net_evaluation import explain_evaluation, with_net
from plyground.nets.observe import random_states
from random_nets import random_net

SPECS = ("othello", "checkers", "kalah", "2048", "connect4")


def states(game, count=12):
    """Some positions of random games, with either side to move."""
    found = [p.s for p in random_states(game, 120, seed=2) if not p.over]
    return random.Random(1).sample(found, count)


@pytest.mark.parametrize("spec", SPECS)
def test_the_groups_add_up_and_show_what_lies_on_them(spec):
    game, net = load(spec), random_net(spec, most=200)
    used = sorted({c for kind in net.features.kinds for group in kind.groups for c in group})
    names = [explain_evaluation(game, net, game.start()).names[c] for c in used]
    assert len(set(names)) == len(used), "each cell has a name of its own"
    assert all(names)
    for s in states(game):
        found, cells = explain_evaluation(game, net, s), game.cells(s)
        assert found.value == with_net(game, net).evaluate(s) == net.value(game, s)
        assert sum(part.adds for part in found.parts) == pytest.approx(found.total)
        side, seen = net.features.cells(game, s)
        for part, (_, kind, group) in zip(found.parts, net.features.lanes, strict=True):
            assert [net.features.view.swap[cells[c]] if side else cells[c] for c in part.cells] == [seen[c] for c in group]
            assert kind.index_of(seen, group) < kind.size
        if "chance" not in game.has:
            assert found.value == int(np.floor(found.total))


@pytest.mark.parametrize("spec", [str(DATA / "newcomer" / "dots_and_boxes.py"), "backgammon"])
def test_a_part_of_hidden_units_is_what_a_piece_adds(spec):
    game, net = load(spec), random_net(spec, most=60)
    s = states(game, 1)[0]
    found, (side, seen) = explain_evaluation(game, net, s), net.features.cells(game, s)
    assert {part.cells for part in found.parts} == {
        (net.features.view.mirror[c] if side else c,) for c, x in enumerate(seen) if x
    }
    assert found.what == ("number" if game.board is None else "piece")
    assert any(part.adds for part in found.parts)
    # A net whose first layer is 0 sees nothing: no piece adds anything.
    net.weights[: net.features.weights_before_sets] = 0
    assert all(part.adds == 0 for part in explain_evaluation(game, net, s).parts)


def test_the_largest_come_first_and_the_rest_is_told():
    game, net = load("connect4"), random_net("connect4", most=200)
    found = explain_evaluation(game, net, states(game, 1)[0])
    good, bad = found.largest(3)
    adds = sorted((part.adds for part in found.parts), reverse=True)
    assert [part.adds for part in good] == adds[:3]
    assert [part.adds for part in bad] == adds[::-1][:3]
    data: dict[str, Any] = found.as_json(3)
    assert data["others"] == len(found.parts) - 6
    assert data["rest"] + sum(part["adds"] for part in data["parts"]) == pytest.approx(data["sum"])
    assert all(len(part["cells"]) == len(part["contents"]) for part in data["parts"])
