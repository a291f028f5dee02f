"""Every game that ships: it loads, keeps the contract both ways, counts as the literature says, and takes no bad text."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from here import DATA
from plyground import PlygroundError, load
from plyground.check import check
from plyground.measure import perft
from plyground.rules.load import builtin_games

LONG = 3_000_000
"""Counts above this are left to the long tests."""


def perft_lines():
    """(game, state, depth, leaves) of each data/<game>/perft.txt, whose lines are `<state or start> ;D1 20 ;D2 400`."""
    for file in sorted(DATA.glob("*/perft.txt")):
        for line in file.read_text(encoding="utf-8").splitlines():
            state, *counts = (part.strip() for part in line.split("#")[0].split(";"))
            for count in counts:
                depth, leaves = re.fullmatch(r"D(\d+)\s+(\d+)", count).groups()
                marks = [pytest.mark.long] if int(leaves) > LONG else []
                yield pytest.param(file.parent.name, state, int(depth), int(leaves), marks=marks)


@pytest.fixture(scope="module")
def counters():
    """The native perft of each game, bound once."""
    bound = {}

    def counter(name):
        if name not in bound:
            bound[name] = perft.native(load(name))
        return bound[name]

    return counter


@pytest.mark.parametrize(("name", "state", "depth", "leaves"), list(perft_lines()))
def test_perft(counters, name, state, depth, leaves):
    game = load(name)
    s = game.start() if state == "start" else game.parse_state(state)
    assert counters(name)(s, depth) == leaves


SLOW = ("chess", "gomoku", "othello", "draughts", "backgammon")
"""Games whose check takes longest: only in the long run, which plays more games of each."""


@pytest.mark.parametrize("name", [name for name in builtin_games() if name not in SLOW])
def test_the_contract_holds(name):
    report = check(load(name), games=1)
    assert report.problems == []
    assert report.compiled


@pytest.mark.long
@pytest.mark.parametrize("name", builtin_games())
def test_the_contract_holds_over_many_games(name):
    assert check(load(name), games=20, seed=1).problems == []


@pytest.mark.parametrize("name", builtin_games())
def test_it_says_what_it_is(name):
    game = load(name)
    assert {"TITLE", "SIDES"} & set(game.rules)
    assert game.summary.endswith(".")
    assert game.show(game.start()).strip()
    assert {"format_move", "parse_move", "format_state", "parse_state", "cells", "touch"} <= game.has


@pytest.mark.parametrize("name", builtin_games())
@settings(max_examples=60)
@given(text=st.text(max_size=40) | st.text("0123456789abcdefgh./-+=# xXoOwWbBKQ:", max_size=40))
def test_bad_text_is_refused_in_words(name, text):
    game = load(name)
    s = game.start()
    for read in (lambda: game.parse_state(text), lambda: game.parse_moves(s, text), lambda: game.parse_move(s, text)):
        try:
            read()
        except PlygroundError as e:
            assert str(e)


@pytest.mark.parametrize("name", builtin_games())
@settings(max_examples=30)
@given(data=st.data())
def test_a_damaged_state_is_refused_or_sound(name, data):
    game = load(name)
    text = game.format_state(game.start())
    at = data.draw(st.integers(0, len(text)))
    damaged = text[:at] + data.draw(st.text("0123456789abkqXO/.-= ", max_size=3)) + text[at + data.draw(st.integers(0, 3)) :]
    try:
        s = game.parse_state(damaged)
    except PlygroundError:
        return
    assert game.layout.fault(s) is None
    assert game.format_state(game.parse_state(game.format_state(s))) == game.format_state(s)
