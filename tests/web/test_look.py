"""Looking into the search: the page makes the same data as Python, and shows it in the explain page's own scripts."""

import itertools
import json
import random

import pytest

from plyground import load
from plyground.explain import explain, page
from plyground.play import words
from plyground.play.match import Match
from plyground.textbook.registry import find
from positions import walk

TRACE = """
const [moves, wanted, turn] = given;
const rules = await loadRules(facts, compiled);
const rows = [rules.start];
for (const m of moves) rows.push(rules.play(rows.at(-1), m));
const tracer = new Tracer(facts, rules, 5000);
const found = tracer.search(rows, wanted);
return found && { found, data: tracer.data(wanted, turn) };
"""


def played(game, plies, seed):
    """The moves of a random game."""
    rng = random.Random(f"{game.name} {seed}")
    states = walk(game, plies, rng)
    found = []
    for s, after in itertools.pairwise(states):
        options = [m for m, _ in game.outcomes(s)] or game.legal(s)
        found.append(next(m for m in options if game.identity(game.play(s, m)) == game.identity(after)))
    return found


def explained(game, moves, algorithm, depth, order):
    match = Match(game)
    for m in moves:
        match.play(m)
    options = {"depth": "all" if depth is None else depth, "order": "game" if order else "none"}
    return match.turn, explain(match, find(algorithm), options)


def nameless(data):
    """The data without names of moves, which the page gives them by their cells."""

    def strip(node):
        cut = {"c": [len(node["c"][1]), node["c"][2]]} if "c" in node else {}
        return {**node, "m": None, "line": len(node.get("line", ())), **cut}

    def strip_branch(branch):
        return {**branch, "m": None, "children": [strip_branch(child) for child in branch["children"]]}

    nodes = [strip(node) for node in data["nodes"]]
    quiz = [{**question, "tree": strip_branch(question["tree"])} for question in data["quiz"]]
    return {**data, "nodes": nodes, "quiz": quiz, "move": None, "line": len(data["line"])}


def test_values_for_max_in_the_words_of_python(scripts):
    values = [0, 3, -35, 9995, -9994, 9000, -9000, 10012, -10001, 10000, 30000, -30000]
    scripts.open(load("tictactoe"), "scores.js")
    assert scripts.run("return given[0].map((x) => new Scores(facts).forMax(x));", values) == list(map(words.for_max, values))


CASES = [  # plies before the search, its depth, and does the page call all moves as Python does?
    *(("tictactoe", 2, 3, True), ("tictactoe", 4, None, True), ("connect4", 8, 4, True)),
    *(("kalah", 8, 3, False), ("2048", 8, 1, False)),
]
LONG = [
    pytest.param(*case, marks=pytest.mark.long)
    for case in (
        *(("othello", 8, 2, True), ("checkers", 8, 4, False), ("chess", 8, 2, False)),
        *(("gomoku", 8, 1, True), ("backgammon", 8, 1, False)),
    )
]


@pytest.mark.parametrize(("name", "plies", "depth", "same_names"), [*CASES, *LONG])
def test_the_same_data_as_python(name, plies, depth, same_names, scripts):
    """A search in the page, from its events on, against the textbook's and what the explain page makes of it."""
    game = load(name)
    scripts.open(game, "rules.js", "trace.js")
    chance = "chance" in game.has
    asked = 0
    for seed, order in enumerate((False, True)):
        moves = played(game, plies, seed)
        for pruning in (False,) if chance else (False, True):
            turn, found = explained(game, moves, "expectiminimax" if chance else ("minimax", "alphabeta")[pruning], depth, order)
            expected = json.loads(json.dumps(page.data(found)))
            told = scripts.run(TRACE, moves, {"depth": depth, "pruning": pruning, "order": order}, turn)
            assert told["found"] == {"nodes": len(expected["nodes"]), "estimates": expected["evaluations"]}
            del expected["state"]
            assert nameless(told["data"]) == nameless(expected)
            if same_names:
                assert told["data"] == expected
            asked += len(expected["quiz"])
    assert chance or depth == 1 or asked
