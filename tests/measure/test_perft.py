"""Counts of lines, finished games and distinct positions: native against plain, and against the literature."""

import pytest

from here import DATA
from plyground import PlygroundError, load
from plyground.measure import perft


def test_tictactoe():
    game = load("tictactoe")
    assert perft.native(game)(game.start(), 9) == 127_872
    assert perft.native(game, "finished")(game.start(), 9) == 255_168


@pytest.mark.parametrize("depth", range(9))
def test_distinct_positions_of_connect4(depth):
    game = load("connect4")
    positions, lines = perft.distinct(game, game.start(), depth)
    assert positions == [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275][depth]
    assert lines == perft.native(game)(game.start(), depth)


@pytest.mark.long
def test_distinct_positions_of_connect4_after_nine_plies():
    assert perft.distinct(load("connect4"), load("connect4").start(), 9)[0] == 558_186


@pytest.mark.parametrize(("spec", "depth"), [("nim", 5), ("tictactoe", 4), ("connect4", 4), ("othello", 3)])
def test_native_and_plain_agree(spec, depth):
    game = load(spec)
    s = game.start()
    for what in ("perft", "finished"):
        assert [perft.native(game, what)(s, d) for d in range(depth)] == [
            perft.interpreted(game, what)(s, d) for d in range(depth)
        ]
    assert perft.distinct(game, s, depth) == perft.distinct_interpreted(game, s, depth)


def test_blocks_of_the_breadth_first_count_change_nothing(monkeypatch):
    game = load("connect4")
    monkeypatch.setattr(perft, "BLOCK", 3)
    assert perft.distinct(game, game.start(), 4) == (1120, 2401)


def test_finished_games_end_the_walk():
    game = load("tictactoe")
    s = game.parse_state("XXX/OO./...")
    assert perft.native(game)(s, 1) == 0
    assert perft.native(game, "finished")(s, 0) == 1
    assert perft.distinct(game, s, 2) == (0, 0)
    assert list(perft.divide(game, perft.native(game), s, 1)) == []


def test_divide_adds_up():
    game = load("connect4")
    parts = dict(perft.divide(game, perft.native(game), game.start(), 5))
    assert sum(parts.values()) == 16_807
    assert set(parts) == set(range(7))
    with pytest.raises(PlygroundError):
        list(perft.divide(game, perft.native(game), game.start(), 0))


DICE = (DATA / "rules" / "perft_dice.py").read_text(encoding="utf-8")


def test_chance_nodes_whose_outcomes_all_end_are_no_players(rules_file):
    game = load(str(rules_file(DICE)))
    s = game.start()
    assert [perft.native(game)(s, d) for d in range(6)] == [perft.interpreted(game)(s, d) for d in range(6)]
    assert perft.native(game)(game.play(s, 1), 3) == 0
