"""Players by their texts: what each plays, whose limit counts, and what is refused."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground import Limit, load
from plyground.errors import PlygroundError
from plyground.play.report import Position
from plyground.players import spec
from plyground.players.spec import KINDS, PlayerSpec


def make_player(*given: Any, **options: Any) -> Any:
    """A player of any kind, with what only its kind has."""
    return spec.make_player(*given, **options)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("stockfish", "there is no player 'stockfish'; choose random, textbook, engine, level, solver"),
        ("", "there is no player ''"),
        ("engine:dept=3", "engine:dept=3: 'dept=3' is not an option of the engine"),
        ("engine:depth", "engine:depth: 'depth' is not an option of the engine; the options are level=…, time=…, depth=…"),
        ("engine:nodes=1e5", "engine:nodes=1e5: nodes must be a whole number, not '1e5'"),
        ("engine:time=soon", "engine:time=soon: time must be a number, not 'soon'"),
        ("engine:depth=0", "engine:depth=0: depth must be a whole number from 1 up, not 0"),
        ("engine:evaluate=", "engine:evaluate=: 'evaluate=' is not an option"),
        ("engine:evaluate=none.py", "engine:evaluate=none.py: none.py: no such file"),
        ("level:11", "level:11: a level is a whole number from 1 to 10"),
        ("level:", "level:: a level is a whole number from 1 to 10"),
        ("level:5,dept=3", "level:5,dept=3: 'dept=3' is not an option of the engine"),
        ("random:3", "random:3: random has no options"),
        ("solver:depth=3", "solver:depth=3: 'depth=3' is not an option of the solver; the options are time=…, memory=…"),
        ("textbook:alfabeta", "textbook:alfabeta: there is no algorithm named 'alfabeta'; did you mean alphabeta?"),
    ],
)
def test_an_error_is_one_line_that_names_the_player(text, why):
    with pytest.raises(PlygroundError) as error:
        make_player(text, load("nim"))
    assert str(error.value).startswith(why)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("kind", ["foo", "", "Engine", "two\nlines"])
def test_a_player_of_no_known_kind_cannot_be_named(kind):
    with pytest.raises(PlygroundError, match=r"^there is no player .*; choose random, textbook, engine") as error:
        PlayerSpec(kind)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("game", "why"),
    [
        ("chess", "solver: chess can repeat positions"),
        ("2048", "solver: 2048 is a game of chance"),
        ("othello", "solver: othello is too long to be solved from its start"),
    ],
)
def test_the_solver_refuses_what_it_cannot_solve(game, why):
    with pytest.raises(PlygroundError) as error:
        make_player("solver", load(game))
    assert str(error.value).startswith(why)


def test_the_solver_plays_nim_as_theory_says():
    game = load("nim")
    player = make_player("solver", game)
    found = player.choose(Position.of(game))
    one, two, three = game.play(game.start(), found.move).heaps
    assert one ^ two ^ three == 0
    assert found.value == "win"


def test_a_solver_without_time_says_so():
    game = load("connect4")
    s = game.start()
    for move in "12345671234":  # past the book
        s = game.play(s, game.parse_move(s, move))
    with pytest.raises(PlygroundError, match=r"was not solved within 1e-05 s"):
        make_player("solver:time=0.00001", game).choose(Position.of(game, s))


def test_the_limit_for_all_counts_where_a_player_has_none():
    game, general = load("nim"), Limit(nodes=500)
    assert make_player("engine", game, limit=general).limit == general
    assert make_player("engine:depth=3", game, limit=general).limit == Limit(depth=3)
    assert make_player("engine:level=10", game, limit=general).limit == general
    assert make_player("textbook:alphabeta", game, limit=Limit(depth=2)).options["depth"] == 2
    assert make_player("textbook:alphabeta,depth=3", game, limit=Limit(depth=2)).options["depth"] == 3
    assert make_player("textbook:alphabeta", game, limit=general).options["depth"] == 4  # it does not count nodes
    assert make_player("engine", game, limit=general, memory=2).engine.memory == 2
    assert make_player("engine:memory=1", game, limit=general, memory=2).engine.memory == 1


def test_a_level_is_a_limit_of_its_own():
    game = load("connect4")
    for text, limit in (("level:5", Limit(nodes=5)), ("engine:level=5", Limit(depth=9)), ("level:5", Limit(time=9))):
        player = make_player(text, game, seed=1, limit=limit)
        assert player.choose(Position.of(game)).depth == 3
    assert make_player("level:9,nodes=50", game, limit=Limit(depth=2)).limit == Limit(nodes=50)


def test_evaluation_files_in_texts():
    read = PlayerSpec.parse
    assert read("engine:depth=3, evaluate = ./a b.py").evaluation == "./a b.py"
    assert read("level:5,evaluate=a.py").evaluation == "a.py"
    assert read("textbook:evaluate=a.py").evaluation is read("engine").evaluation is read("random").evaluation is None
    assert str(read("level:5,evaluate=a.py").with_evaluation("b.py")) == "level:5,evaluate=b.py"


@given(st.sampled_from(KINDS), st.text("ab1 .=/:-", max_size=30), st.lists(st.text("ab1 .=/-", max_size=9), max_size=3))
def test_a_text_is_read_once_and_printed_as_it_was(kind, target, options):
    text = ",".join([f"{kind}:{target}", *options]).strip()
    spec = PlayerSpec.parse(text)
    assert str(spec) == text
    made = PlayerSpec(spec.kind, spec.target, spec.options)
    assert PlayerSpec.parse(str(made)) == made == spec
