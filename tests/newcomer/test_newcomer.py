"""Games as newcomers write them: each works as it stands, or is refused in one line that says what to write instead.

The files in data/newcomer are picked up by themselves. The first line of each in data/newcomer/refused says which words the
complaint must contain: `# refused: a move must be an int`.
"""

import functools
import io
import random

import pytest

from here import DATA
from plyground import GameError, PlygroundError, load
from plyground.check import check
from plyground.cli import main
from plyground.engine.engine import Engine
from plyground.measure import perft
from plyground.play.limit import Limit
from plyground.play.match import Match
from plyground.solver.solver import Solver
from plyground.textbook.minimax import expectiminimax, maxn, negamax
from plyground.textbook.tree import Tree

GAMES = DATA / "newcomer"
FILES = sorted(GAMES.glob("*.py"))
REFUSED = sorted((GAMES / "refused").glob("*.py"))
LONGEST = 500
"""Plies after which a game by random moves is given up."""

every_game = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
every_fifth = [pytest.param(path, id=path.stem, marks=[pytest.mark.long] * (i % 5 > 0)) for i, path in enumerate(FILES)]
"""Four of five only in the long run: the engine takes a few seconds to compile."""
every_fifth_game = pytest.mark.parametrize("path", every_fifth)
every_fifth_of_two_sides = pytest.mark.parametrize("path", [game for game in every_fifth if game.id not in ("relay", "trio")])
"""The engine plays games of one or two sides; relay and trio have three."""


@functools.cache
def game_of(path):
    return load(str(path))


@functools.cache
def engine(path):
    return Engine(game_of(path), exact=True, memory=1, seed=1)


def play_on(match, chosen, best=None):
    """Plays to the end of the game: by `best` for the first side, at random for the others."""
    while match.result is None and len(match.states) < LONGEST:
        if match.mover is None:
            match.roll(chosen)
        elif best and match.turn == 0:
            match.play(best(match.s))
        else:
            match.play(chosen.choice(match.legal()))


def depth_for(game, s):
    """As deep as interpreted rules can look in a moment."""
    n = max(len(game.legal(s)), 2 * len(game.sides), 6 * ("chance" in game.has))
    return 4 if n < 4 else 3 if n < 9 else 2 if n < 30 else 1


@every_fifth_game
def test_check_has_nothing_to_say(path):
    report = check(game_of(path), games=3, seed=1)
    assert report.problems == []
    assert report.warnings == []


@every_fifth_game
def test_a_game_against_random_moves_ends(path):
    game = game_of(path)

    def best(s):
        if len(game.sides) > 2:
            return max(game.legal(s), key=lambda m: maxn(Tree(game), game.play(s, m), 1)[0])
        return engine(path).choose(s, Limit(depth=2))

    match = Match(game, seed=1)
    play_on(match, random.Random(1), best)
    assert match.result is not None
    assert "\n" not in match.describe_end()
    assert all(game.show(s) and game.parse_state(game.format_state(s)) is not None for s in match.states)


@every_fifth_of_two_sides
def test_the_engine_finds_what_the_textbook_finds(path):
    """On the last states of a random game, where all lines end soon, and in the middle of it."""
    game = game_of(path)
    search = expectiminimax if "chance" in game.has else negamax
    match = Match(game, seed=2)
    play_on(match, random.Random(2))
    places = [s for s in match.states if game.legal(s)]
    for s in [places[0], places[len(places) // 2], *places[-3:]]:
        depth = depth_for(game, s)
        assert engine(path).analyse(s, Limit(depth=depth)).score == pytest.approx(search(Tree(game), s, depth))


@every_game
def test_compiled_rules_count_what_interpreted_ones_count(path):
    game = game_of(path)
    depth = depth_for(game, game.start())
    assert perft.perft(game, depth) == perft.interpreted(game)(game.start(), depth)


@pytest.mark.parametrize(
    ("spec", "score"),
    [
        ("domineering.py", 12 - 10000),  # the second side wins on 5 x 5 (Breuker, Uiterwijk and van den Herik, 2000)
        pytest.param("dots_and_boxes.py", 10000 + 2, marks=pytest.mark.long),  # three boxes to one
        pytest.param("hex.py(size=3)", 10000 - 5, marks=pytest.mark.long),  # the centre, and three stones on each way
        ("hexapawn.py", 6 - 10000),  # the second side wins (Gardner, 1962)
    ],
)
def test_what_is_known_about_a_game(spec, score):
    assert Solver(f"{GAMES}/{spec}").solve().score == score


def test_what_the_solver_and_the_engine_do_not_search_they_say_who_does():
    with pytest.raises(PlygroundError, match=r"peg_solitaire is a solitaire; the solver needs two sides: `analyse`"):
        Solver(GAMES / "peg_solitaire.py").solve()
    with pytest.raises(PlygroundError, match=r"relay has 3 sides; the solver needs two sides: `explain --algorithm maxn`"):
        Solver(GAMES / "relay.py").solve()
    with pytest.raises(PlygroundError, match=r"relay has 3 sides; .*`play` without a level"):
        Engine(GAMES / "relay.py")


def test_several_sides_are_listed(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    assert main(["play", str(GAMES / "relay.py"), "--side", "both"]) == 0
    assert "You are ann, bob and cat." in capsys.readouterr().out


@pytest.mark.parametrize("path", REFUSED, ids=lambda path: path.stem)
def test_refused_in_one_line(path):
    first = path.read_text(encoding="utf-8").splitlines()[0]
    assert first.startswith("# refused: ")
    with pytest.raises(GameError) as e:
        perft.native(load(str(path)))
    assert str(e.value).startswith(f"{path}:")
    assert first.removeprefix("# refused: ") in str(e.value)
    assert "\n" not in str(e.value)
