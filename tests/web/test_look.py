"""Looking into the search: the page makes the same data as Python, and shows it in the explain page's own scripts."""

import itertools
import json
import random
import re

import pytest
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from plyground import load
from plyground.explain import explain, page
from plyground.nets.net_evaluation import choose_evaluation, with_net
from plyground.play import words
from plyground.play.match import Match
from plyground.textbook.registry import find
from positions import walk
from random_nets import random_net

TRACE = """
const [moves, wanted, turn] = given;
const rules = new Rules(facts, compiled);
const rows = [rules.start];
for (const m of moves) rows.push(rules.play(rows.at(-1), m));
const tracer = new Tracer(facts, rules, await readNet(facts), 5000);
const found = tracer.search(rows, wanted);
return found && { found, data: tracer.data(wanted, turn) };
"""


def judged(game, net):
    """The game as a page judges it; it doesn't show the parts of an estimate."""
    new = with_net(game, net)
    new.explain_evaluation = None
    return new


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
    scripts.open(load("tictactoe"), "scores.js", kernels=("view", "advance"))
    assert scripts.run("return given[0].map((x) => new Scores(facts).forMax(x));", values) == list(map(words.for_max, values))


CASES = [  # plies before the search, its depth, and does the page call all moves as Python does?
    *(("tictactoe", 2, 3, True), ("tictactoe", 4, None, True)),
    *(("kalah", 8, 3, False), ("2048", 8, 1, False)),
]
LONG = [
    pytest.param(*case, marks=pytest.mark.long)
    for case in (
        *(("connect4", 8, 4, True), ("othello", 8, 2, True), ("checkers", 8, 4, False), ("chess", 8, 2, False)),
        *(("gomoku", 8, 1, True), ("backgammon", 8, 1, False)),
    )
]


@pytest.mark.parametrize(("name", "plies", "depth", "same_names"), [*CASES, *LONG])
def test_the_same_data_as_python(name, plies, depth, same_names, scripts):
    """A search in the page, from its events on, against the textbook's and what the explain page makes of it."""
    game = load(name)
    scripts.open(game, "rules.js", "trace.js", kernels=("view", "advance", "trace"))
    compare(game, plies, depth, same_names, scripts)


@pytest.mark.parametrize(("name", "depth"), [("tictactoe", 3), pytest.param("gomoku", 1, marks=pytest.mark.long)])
def test_a_net_judges_the_search_that_is_looked_into(name, depth, scripts):
    game, net = load(name), random_net(name, most=60)
    scripts.open(game, "rules.js", "trace.js", kernels=("view", "advance", "trace"), net=net)
    compare(judged(game, net), 2, depth, True, scripts)


def compare(game, plies, depth, same_names, scripts):
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


# -- in the page -------------------------------------------------------------------------------------------------------


class Walk:
    """The walk through a search, in its frame."""

    def __init__(self, player):
        self.player = player
        player.until(lambda p: p.find("#look-dialog iframe").is_displayed())
        player.browser.switch_to.frame(player.find("#look-dialog iframe"))
        player.until(lambda p: p.all("#status .message"))

    def leave(self):
        """Back to the page around it."""
        self.player.browser.switch_to.default_content()
        return self.player


def depths(player):
    return [option.text for option in player.all("#look-dialog [name=depth] option")]


def choose(player, name, text):
    Select(player.find(f"#look-dialog [name={name}]")).select_by_visible_text(text)


def test_the_walk_opens_steps_and_closes(at):
    player = at("connect4").play("4", "3").click("#look-open")
    moves = player.game.parse_moves(player.game.start(), "4 3")
    game, net = choose_evaluation(player.game, None)  # as the page judges
    game = game if net is None else judged(game, net)
    nodes = [explained(game, moves, "alphabeta", depth, False)[1].record.nodes for depth in (1, 2, 3)]
    assert depths(player)[:3] == [f"{depth}: {n} nodes" for depth, n in enumerate(nodes, 1)]
    chosen = Select(player.find("#look-dialog [name=depth]")).first_selected_option.text.partition(":")[0]
    walk = Walk(player)
    assert int(chosen) >= 4
    assert player.text("h1") == f"Connect 4: alphabeta to depth {chosen}"
    assert player.status.startswith("The search begins with X (max), window (−∞, ∞)")
    player.press(Keys.ARROW_RIGHT)
    assert player.status == "X (max) tries 4. Next, O (min) to move, window (−∞, ∞): neither side has anything elsewhere yet."
    player.press("c")
    assert re.match(r"Cutoff: (min|max) can already force ", player.status)
    assert player.all(".item.pruned")
    player.press("q")
    assert player.text("#panel h2").startswith("Question 1 of ")
    player.press("?")
    player.press(Keys.ESCAPE)
    assert player.find("#panel").is_displayed(), "only the keys are closed"
    player.press(Keys.ESCAPE)
    walk.leave()
    assert not player.find("#look-dialog").is_displayed()
    assert player.names == ["4", "3"]


def test_another_depth_and_another_algorithm(at):
    player = at("tictactoe").play("b2", "a1", "c1", "a3").press("i")
    alphabeta = depths(player)
    choose(player, "algorithm", "Minimax")
    minimax = depths(player)
    assert [text.split(":")[0] for text in minimax] == ["1", "2", "3", "4", "to the end"]
    assert minimax[:2] == ["1: 6 nodes", "2: 26 nodes"]
    assert all(int(one.split()[-2]) <= int(other.split()[-2]) for one, other in zip(alphabeta, minimax, strict=True))
    choose(player, "depth", minimax[1])
    walk = Walk(player)
    assert player.text("h1") == "Tic-tac-toe: minimax to depth 2"
    walk.leave().click("#look-dialog button")
    assert not player.find("#look-dialog").is_displayed()


def test_a_finished_game_has_no_search(at):
    player = at("tictactoe").play("a1", "b1", "a2", "b2", "a3")
    assert not player.find("#look-open").is_enabled()
    player.press("i")
    assert not player.find("#look-dialog").is_displayed()
