"""Openings: different, undecided, and the same for the same seed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground import Engine, Limit, Match, load, score
from plyground.arena.openings import MIN_PLIES, NODES, Openings, read_openings
from plyground.errors import PlygroundError


def after(game, opening):
    """The match after an opening."""
    match = Match(game, opening.start)
    for move in opening.moves:
        match.play(move)
    return match


def places(game, openings):
    return [game.key(game.canonical(after(game, opening).s)) for opening in openings]


def test_no_two_openings_are_the_same_and_no_side_is_known_to_win():
    game = load("connect4")
    openings = Openings(game, 1)
    made = [openings[n] for n in range(60)]
    assert len(set(places(game, made))) == 60
    assert openings.notes == []
    engine = Engine(game, memory=1, seed=0, evaluate="rules")
    for opening in made[:20]:
        match = after(game, opening)
        assert match.mover is not None
        assert len(opening.moves) >= MIN_PLIES
        engine.forget()
        assert not score.proven(int(engine.analyse(match.s, Limit(nodes=NODES)).score))


@settings(max_examples=4, deadline=None)
@given(st.integers(0, 2**32), st.lists(st.integers(0, 12), min_size=1, max_size=5))
def test_an_opening_depends_on_the_seed_and_its_number_only(seed, numbers):
    game = load("nim")
    straight, jumping = Openings(game, seed), Openings(game, seed)
    expected = [straight[n] for n in range(13)]
    assert [jumping[n] for n in numbers] == [expected[n] for n in numbers]


def test_seeds_give_different_openings():
    game = load("connect4")
    one, two = ([openings[n] for n in range(5)] for openings in (Openings(game, 1), Openings(game, 2)))
    assert one != two


def test_a_small_game_runs_out_and_says_so():
    game = load("nim")
    openings = Openings(game, 1)
    made = [openings[n] for n in range(100)]
    count = len(set(places(game, made)))
    assert openings.notes == [f"nim has only {count} different openings; the match uses them again in order"]
    assert made[count : 2 * count] == made[:count]
    assert all(after(game, opening).mover is not None for opening in made)


def test_won_openings_come_last():
    game = load("tictactoe")
    openings = Openings(game, 1)
    engine = Engine(game, memory=1, seed=0)
    proven = []
    for n in range(20):
        found = engine.analyse(after(game, openings[n]).s, Limit(nodes=NODES))
        proven.append(score.proven(int(found.score)))
    assert not any(proven)


def test_dice_are_part_of_an_opening():
    game = load("2048")
    opening = Openings(game, 1)[0]
    match = after(game, opening)
    assert match.mover == 0
    assert sum(not game.is_chance(s) for s in match.states[:-1]) == MIN_PLIES


def from_text(tmp_path, text, seed=1, game="connect4"):
    path = tmp_path / "openings.txt"
    path.write_text(text)
    return Openings(load(game), seed, read_openings(path))


def test_openings_from_a_file(tmp_path):
    game = load("connect4")
    s = game.start()
    for move in "4455":
        s = game.play(s, game.parse_move(s, move))
    text = f"# mine\nmoves: 4 4 4\n\nmoves: 12\n{game.format_state(s)}\n{game.format_state(s)} moves: 1 2\n"
    openings = from_text(tmp_path, text)
    made = [openings[n] for n in range(4)]
    assert sorted(len(opening.moves) for opening in made) == [0, 2, 2, 3]
    assert len(set(places(game, made))) == 4
    assert [opening.start for opening in made if len(opening.moves) == 0] == [game.format_state(s)]
    assert openings[4] == made[0]  # no more of them
    assert openings.notes == [f"{tmp_path / 'openings.txt'} has only 4 different openings; the match uses them again in order"]
    orders = {tuple(from_text(tmp_path, text, seed)[n] for n in range(4)) for seed in range(6)}
    assert len(orders) > 1
    assert {frozenset(order) for order in orders} == {frozenset(made)}


def test_the_same_position_twice_in_a_file_counts_once(tmp_path):
    openings = from_text(tmp_path, "moves: 1 2 3\nmoves: 3 2 1\nmoves: 7 6 5\nmoves: 4\n")
    assert len({openings[0], openings[1]}) == 2
    assert openings.notes == [f"{tmp_path / 'openings.txt'}: 2 of 4 openings repeat another position and are left out"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("moves: 4\nmoves: 9\n", "openings.txt:2: '9' is not a legal move here"),
        ("rubbish\n", "openings.txt:1: 'rubbish' is not a state of connect4"),
        ("\nmoves: 1 2 1 2 1 2 1\n", "openings.txt:2: the game is over after this opening"),
        ("# nothing\n\n", "openings.txt: there are no openings"),
    ],
)
def test_a_wrong_file_is_refused_with_its_line(tmp_path, text, why):
    with pytest.raises(PlygroundError) as error:
        from_text(tmp_path, text)
    assert str(error.value).startswith(f"{tmp_path}/{why}")


def test_a_file_that_is_not_there_or_not_text(tmp_path):
    with pytest.raises(PlygroundError, match=r"none\.txt: cannot be read \(No such file"):
        read_openings(tmp_path / "none.txt")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\xfa")
    with pytest.raises(PlygroundError, match=r"bytes: cannot be read \(not a text file\)"):
        read_openings(tmp_path / "bytes")


def test_rules_that_do_not_compile_get_openings_without_a_search(tmp_path):
    path = tmp_path / "count.py"
    path.write_text(
        "from typing import NamedTuple\n\n\nclass State(NamedTuple):\n    left: int\n\n\n"
        "def start():\n    return State(30)\n\n\ndef moves(s):\n    return range(1, 3)\n\n\n"
        "def play(s, m):\n    try:\n        return State(s.left - m)\n    finally:\n        pass\n\n\n"
        "def result(s):\n    return -1 if s.left <= 0 else None\n"
    )
    openings = Openings(load(str(path)), 1)
    assert openings[3] != openings[0]
    assert openings.notes[0].startswith(f"openings are not checked for balance: {path}:17: `try:` can't be compiled")
