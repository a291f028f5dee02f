"""The rules in a browser say what they say in Python."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from player import text_of

from here import DATA
from plyground import load
from plyground.bits import MASK
from plyground.web.facts import row_text
from positions import walk
from scripts import ScriptError, Scripts

SMALL = ("nim", "tictactoe", "connect4", "kalah", "2048")
LONG = ("backgammon", "gomoku", "othello", "checkers", "draughts", "chess")
GAMES = [
    *SMALL,
    *(pytest.param(name, marks=pytest.mark.long) for name in LONG),
    *(str(DATA / "newcomer" / f"{name}.py") for name in ("pig", "popout")),
]
RULES = ("view", "advance")
LOOK = """
const rules = new Rules(facts, compiled);
return given[0].map((text) => {
  const row = BigInt64Array.from(text.split("."), (word) => BigInt.asIntN(64, BigInt("0x" + word)));
  const seen = rules.view(row);
  const read = rules.row(rules.text(row));
  if (read.join() !== row.join()) throw new Error("text");
  const hex = (r) => Array.from(r, (x) => BigInt.asUintN(64, x).toString(16)).join(".");
  return { ...seen, after: seen.moves.map((m) => hex(rules.play(row, m))), row: hex(row) };
});
"""


def told(game, s):
    """The same from Python."""
    chances, result = game.outcomes(s), game.result(s)
    if result is not None:
        chances = []
    moves = [m for m, _ in chances] or game.legal(s)
    return {
        "result": result,
        "turn": game.turn(s),
        "chance": bool(chances),
        "stuck": result is not None and game.quick_result(s) is None,
        "moves": moves,
        "weights": pytest.approx([weight for _, weight in chances]),
        "touches": [[] if chances else game.touch(s, m) for m in moves],
        "cells": game.cells(s) if game.board else [],
        "key": f"{int(game.key(s)) & MASK:x}",
        "after": [row_text(game, game.play(s, m)) for m in moves],
        "row": row_text(game, s),
    }


@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).stem)
def test_what_the_rules_say(name, scripts):
    game = load(name)
    rng = random.Random(name)
    states = [game.start(), *(s for _ in range(3) for s in walk(game, rng.randrange(8, 300), rng)[-3:])]
    found = scripts.open(game, "rules.js", kernels=RULES).run(LOOK, [row_text(game, s) for s in states])
    assert found == [told(game, s) for s in states]


MANY = """
from typing import NamedTuple
class State(NamedTuple):
    left: int
def start(): return State(3)
def moves(s): return range(1000)
def play(s, m): return State(s.left - 1)
def result(s): return 0 if s.left <= 0 else None
"""


def test_more_moves_than_there_is_room_for(rules_file, scripts):
    page = scripts.open(load(rules_file(MANY)), "rules.js", kernels=RULES)
    body = "const rules = new Rules(facts, compiled); return [0, 1].map(() => rules.view(rules.start).moves);"
    assert page.run(body) == [list(range(1000))] * 2


def test_moves_beyond_what_a_script_counts_to_are_exact(rules_file, scripts):
    page = scripts.open(
        load(rules_file(MANY.replace("range(1000)", "range((1 << 60) - 1, (1 << 60) + 2)"))), "rules.js", kernels=RULES
    )
    body = "const rules = new Rules(facts, compiled); const { moves } = rules.view(rules.start);"
    assert page.run(f"{body} return moves.map(String);") == [str((1 << 60) + n) for n in (-1, 0, 1)]
    assert page.run(f"{body} return moves.map((m) => rules.view(rules.play(rules.start, m)).moves.length);") == [3] * 3


@pytest.mark.parametrize("fault", ["raise ValueError", "return deep(s.left)"])
def test_rules_that_fail_tell_so_and_go_on(fault, rules_file, scripts):
    deep = "def deep(n): return 0 if n < 0 else deep(n + 1) + 1"
    result = f"def result(s):\n    if s.left > 3:\n        {fault}\n    return 0 if s.left <= 0 else None"
    text = f"{MANY.partition('def result')[0]}{deep}\n{result}\n"
    page = scripts.open(load(rules_file(text)), "rules.js", kernels=RULES)
    body = """
    const rules = new Rules(facts, compiled), seen = [];
    for (const left of [3n, 9n, 3n]) {
      try { seen.push(rules.view(BigInt64Array.of(left)).moves.length); } catch (e) { seen.push(e.message); }
    }
    return seen;
    """
    assert page.run(body) == [1000, "the rules fail in this position", 1000]


# -- positions as text ------------------------------------------------------------------------------------------------------


READ = """
return given[0].map((text) => {
  try { return { row: rules.row(text).join() }; } catch (e) { return { error: e.message }; }
});
"""


@pytest.fixture(scope="session")
def read(browser, tmp_path_factory):
    """Reads texts as positions of Connect 4: the row, or the error's message."""
    page, game = Scripts(browser, tmp_path_factory.mktemp("text")), load("connect4")

    def answers(texts):
        if not page.here():
            page.open(game, "rules.js", kernels=RULES).run("window.rules = new Rules(facts, compiled);")
        return page.run(READ, texts)

    return answers


def test_damaged_texts_get_one_line(read):
    game = load("connect4")
    good = text_of(game, game.play(game.start(), 3))
    damaged = ["", " ", "-", "e2-e4", f"{good}0", good.replace(".", "", 1), f"0.{good}", f"{good} {good}", "x" * 10**6]
    for i, letter in enumerate(good):
        other = "_" if letter in ".-" else f"{(int(letter, 16) + 1) % 16:x}"
        damaged += [good[:i] + other + good[i + 1 :], good[:i] + good[i + 1 :], good[:i], good[: i + 1] + good[i:]]
    for text, answer in zip(damaged, read(damaged), strict=True):
        assert "row" not in answer, text
        assert len(answer["error"].splitlines()) == 1
        assert len(answer["error"]) < 100
    assert len({answer["row"] for answer in read([good, f" {good}\n", good.upper()])}) == 1


def test_what_no_board_can_show_is_refused(scripts):
    scripts.open(load("nim"), "rules.js", kernels=RULES)
    body = "const rules = new Rules(facts, compiled); rules.row(rules.text(BigInt64Array.of(3n, given[0] ? 5000n : 4n, 5n)));"
    scripts.run(body, 0)
    with pytest.raises(ScriptError, match=r"^Nim has no such position$"):
        scripts.run(body, 1)


def test_positions_of_another_game_are_refused(read):
    game = load("connect4(rows=5)")
    told = "the position is damaged, or not one of Connect 4"
    assert read([text_of(game, game.start())]) == [{"error": told}]


@settings(max_examples=5)
@given(st.lists(st.text() | st.text("0123456789abcdef.-", max_size=40), min_size=40, max_size=40))
def test_any_text_is_read_or_refused(read, texts):
    for answer in read([text.encode("utf-8", "replace").decode() for text in texts]):
        assert len(answer["error"].splitlines()) == 1
