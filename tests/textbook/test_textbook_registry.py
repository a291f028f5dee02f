"""The registry and the players: names, options, games of the wrong kind, each in one clear line."""

from __future__ import annotations

import subprocess
import sys
from typing import Any, NamedTuple

import pytest

from here import EXAMPLES
from plyground import PlygroundError, load
from plyground.play.report import Position
from plyground.players.player import Player
from plyground.players.spec import make_player
from plyground.rules.game import Game
from plyground.textbook import ALGORITHMS, WHOLE, find, fitting, parse, search

TICTACTOE = load("tictactoe")


def refused(call: Any, *args: Any, **options: Any) -> str:
    with pytest.raises(PlygroundError) as e:
        call(*args, **options)
    assert "\n" not in str(e.value)
    return str(e.value)


def test_a_game_of_the_wrong_kind_is_told_what_fits() -> None:
    backgammon, three = load("backgammon"), load(str(EXAMPLES / "three_heaps.py"))
    assert refused(search, "alphabeta", backgammon, backgammon.start()) == (
        "alphabeta cannot play backgammon, which has dice; expectiminimax, star1 and star2 can"
    )
    assert refused(search, "expectimax", backgammon, backgammon.start()).endswith("expectiminimax, star1 and star2 can")
    assert refused(search, "minimax", load("2048"), None) == (
        "minimax cannot play 2048, which has chance; expectimax, expectiminimax, star1 and star2 can"
    )
    assert refused(search, "alphabeta", three, three.start()) == "alphabeta cannot play three_heaps, which has 3 sides; maxn can"
    assert refused(search, "star1", TICTACTOE, None).startswith(
        "star1 cannot play tictactoe, which has no chance; minimax, negamax"
    )


def test_an_unknown_algorithm_or_option_is_told_what_there_is() -> None:
    assert refused(find, "alphabet") == "there is no algorithm named 'alphabet'; did you mean alphabeta?"
    assert refused(find, "xyz").startswith("there is no algorithm named 'xyz'; there are minimax, negamax, ")
    assert refused(parse, "alphabeta,width=3") == "alphabeta has no option 'width'; it takes depth, order, wins, near, estimate"
    assert refused(parse, "alphabeta,6").startswith(
        "'6' in 'alphabeta,6': an option is written name=value; alphabeta takes depth"
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("alphabeta,depth=0", "depth=0 is not a whole number, 1 or more"),
        ("alphabeta,depth=-1", "depth=-1 is not a whole number, 1 or more"),
        ("alphabeta,depth=deep", "depth=deep is not a whole number, 1 or more"),
        ("deepening,time=-1", "time=-1 is not a number of seconds above 0"),
        ("deepening,time=nan", "time=nan is not a number of seconds above 0"),
        ("alphabeta_fixed,replace=never", "replace=never is not one of always, deeper, two-tier"),
        ("alphabeta,wins=slower", "wins=slower is not one of faster, equal"),
    ],
)
def test_a_bad_value_is_told_what_is_right(text: str, words: str) -> None:
    assert refused(parse, text).endswith(words)


def test_options_are_read_with_their_defaults() -> None:
    algorithm, options = parse(" alphabeta_fixed, depth = all ,table=10")
    assert algorithm.name == "alphabeta_fixed"
    assert options == {
        "depth": WHOLE,
        "table": 10,
        "replace": "two-tier",
        "order": "none",
        "wins": "faster",
        "near": "likely",
        "estimate": "game",
    }
    assert algorithm.read(options) == options


def test_every_entry_tells_what_it_is() -> None:
    for name, a in ALGORITHMS.items():
        assert a.name == name
        assert a.idea
        assert a.contract
        assert a.fits
        assert a.exact in ("value", "winner", "")
        assert all(option.help for option in a.options.values())
    assert len({a.idea for a in ALGORITHMS.values()}) == len(ALGORITHMS)


class Count(NamedTuple):
    n: int


def test_a_game_without_an_end_needs_a_depth() -> None:
    rules = {
        "State": Count,
        "start": lambda: Count(0),
        "moves": lambda s: (0,),
        "play": lambda s, m: Count(s.n + 1),
        "result": lambda s: None,
    }
    endless = Game(rules, "endless")
    assert refused(search, "minimax", endless, endless.start(), depth="all") == (
        "endless goes on too long to be searched to its end; give minimax a depth"
    )
    assert search("minimax", endless, endless.start(), depth=3).value == 0


# -- players -------------------------------------------------------------------------------------------------------------------


def play_out(players: list[Player], game: Any, s: Any) -> Any:
    position = Position.of(game, s)
    while game.result(position.s) is None:
        m = players[game.turn(position.s)].choose(position).move
        assert m is not None
        assert m in game.legal(position.s)
        position = position.after(m)
    s = position.s
    return game.result(s) * (1 if game.turn(s) == 0 else -1)


@pytest.mark.parametrize("name", [a.name for a in fitting(TICTACTOE)])
def test_every_algorithm_plays_and_never_loses_tictactoe(name: str) -> None:
    depth = ",depth=6" if "depth" in ALGORITHMS[name].options else ""
    time = ",time=100" if name == "deepening" else ""
    s = TICTACTOE.parse_state("X../.O./...")
    for seed in range(4):
        player, other = make_player(f"textbook:{name}{depth}{time}", TICTACTOE), make_player("random", TICTACTOE, seed)
        assert play_out([player, other], TICTACTOE, s) >= 0
        assert play_out([other, player], TICTACTOE, s) <= 0


def test_random_players_repeat_with_their_seed() -> None:
    game = load("connect4")
    games = [[make_player("random", game, seed).choose(Position.of(game)).move for _ in range(3)] for seed in (1, 1)]
    assert games[0] == games[1]
    one = make_player("random", game, 5)
    assert {one.choose(Position.of(game)).move for _ in range(100)} == set(range(7))


def test_a_player_that_does_not_exist_or_fit_is_refused() -> None:
    assert refused(make_player, "stockfish", TICTACTOE).startswith("there is no player 'stockfish'; choose random, textbook")
    assert refused(make_player, "textbook:star1", TICTACTOE).startswith("textbook:star1: star1 cannot play tictactoe")
    assert refused(make_player, "textbook:alphabeta,depth=x", TICTACTOE).startswith(
        "textbook:alphabeta,depth=x: alphabeta: depth=x is not"
    )


def test_players_of_chance_and_of_three_sides() -> None:
    three = load(str(EXAMPLES / "three_heaps.py"))
    assert make_player("textbook:maxn,depth=all", three).choose(Position.of(three)).move in three.legal(three.start())
    game = load("2048")
    s = game.start()
    while game.is_chance(s):
        s = game.play(s, game.outcomes(s)[0][0])
    assert make_player("textbook:expectimax,depth=2", game).choose(Position.of(game, s)).move in game.legal(s)


def test_the_textbook_loads_no_compiler() -> None:
    code = "import sys, plyground.players.spec, plyground.textbook.compare; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
