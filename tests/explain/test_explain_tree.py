"""What is read from the event stream: the steps, the tree in the terminal, the data, the picture."""

import itertools
import json
import xml.etree.ElementTree as ET

import pytest
from searches import FIGURE, explained

from plyground.errors import PlygroundError
from plyground.explain import quiz, tree_svg, tree_text
from plyground.explain.quiz import questions

SVG = "{http://www.w3.org/2000/svg}"


def test_tree_in_the_terminal(figure):
    assert tree_text.tree(figure, full=True).plain.splitlines() == [
        "▲ max (-∞, ∞) = 3 ★",
        "├─ ▼ B min (-∞, ∞) = 3 ★",
        "│  ├─ ■ b1 = 3 ★  estimate",
        "│  ├─ ■ b2 = 12  estimate",
        "│  └─ ■ b3 = 8  estimate",
        "├─ ▼ C min (3, ∞) ≤ 2",
        "│  ├─ ■ c1 = 2  estimate",
        "│  └─ ✂ c2 c3: min can already force 2 here, max has 3 elsewhere",
        "└─ ▼ D min (3, ∞) ≤ 2",
        "   ├─ ■ d1 = 14  estimate",
        "   ├─ ■ d2 = 5  estimate",
        "   ├─ ■ d3 = 2  estimate",
        "   └─ ✂ nothing is left: min can already force 2 here, max has 3 elsewhere",
    ]


def test_leaves_share_a_line_where_the_tree_is_folded(figure):
    lines = tree_text.tree(figure).plain.splitlines()
    assert lines[2] == "│  └─ ■ b1 = 3 ★   ■ b2 = 12   ■ b3 = 8"


def test_a_leaf_keeps_its_own_value_where_fail_hard_hands_up_another():
    lines = tree_text.tree(explained(FIGURE, "alphabeta_hard,depth=2"), full=True).plain.splitlines()
    assert lines[5:7] == ["├─ ▼ C min (3, ∞) ≤ 3", "│  ├─ ■ c1 = 2  estimate"]


def test_summary(figure):
    assert tree_text.summary(figure).plain.splitlines() == [
        "Figure, alphabeta to depth 2, max's is max, min's is min",
        "value 3, best line B b1",
        "11 nodes, 7 evaluations, 2 cutoffs (50% on the first move)",
    ]


def test_long_trees_are_folded_with_a_note(connect4):
    found = explained("connect4", "minimax,depth=3")
    folded = tree_text.tree(found).plain.splitlines()
    assert len(folded) < 80
    assert "+ 7 below" in "\n".join(folded)
    assert folded[-1].startswith("folded: ")
    assert "of 400 nodes; --full shows all" in folded[-1]
    assert len(tree_text.tree(found, full=True).plain.splitlines()) == 400
    assert sum("★" in line for line in folded) == 4


def test_steps_tell_the_search_in_order(figure):
    steps = [(step.what, figure.move(figure.nodes[step.node])) for step in figure.walk.steps]
    assert steps[:9] == [
        ("look", ""),
        ("look", "B"),
        ("look", "b1"),
        ("back", "b1"),
        ("look", "b2"),
        ("back", "b2"),
        ("look", "b3"),
        ("back", "b3"),
        ("back", "B"),
    ]
    assert steps[9:14] == [("look", "C"), ("look", "c1"), ("back", "c1"), ("cut", "C"), ("back", "C")]
    assert steps[-1] == ("done", "")


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta_bounds", "pvs", "mtdf", "deepening,time=1000"])
def test_every_node_is_looked_at_once_and_goes_back_once(algorithm):
    found = explained("tictactoe", f"{algorithm},depth=3", "b2 a1 c3")
    steps = found.walk.steps
    assert sorted(step.node for step in steps if step.what == "look") == list(found.nodes)
    ended = [step.node for step in steps if step.what in ("back", "done")]
    assert sorted(ended) == list(found.nodes)
    assert [step.node for step in steps if step.what == "done"] == [root.enter.node for root in found.roots]


def test_json_is_the_whole_search(figure):
    data = json.loads(json.dumps(figure.as_json()))
    assert {name: data[name] for name in ("algorithm", "depth", "value", "move", "line", "nodes", "cutoffs")} == {
        "algorithm": "alphabeta",
        "depth": 2,
        "value": 3,
        "move": "B",
        "line": ["B", "b1"],
        "nodes": 11,
        "cutoffs": 2,
    }
    c = next(node for node in data["tree"] if node["move"] == "C")
    assert c["window"] == [3, None]
    assert c["cutoff"] == {
        "after": "c1",
        "first": True,
        "pruned": ["c2", "c3"],
        "reason": "min can already force 2 here, max has 3 elsewhere",
    }
    assert [node["move"] for node in data["tree"] if node["on_best_line"]] == [None, "B", "b1"]
    assert data["steps"][0] == ["look", 0]


def test_table_hits_have_their_kind():
    found = explained("tictactoe", "alphabeta_bounds,depth=all", "a1 b2 c3 a3")
    kinds = {node["table_hit"] for node in found.as_json()["tree"] if "table_hit" in node}
    assert kinds == {"lower", "upper"} or kinds == {"exact", "lower", "upper"}
    assert "▦" in tree_text.tree(found, full=True).plain


def test_games_of_chance_and_proof_numbers_have_a_tree_too():
    assert "●" in tree_text.tree(explained("2048", "expectimax,depth=1")).plain
    proof = explained("tictactoe", "proof_number", "a1 b2 c3 a3")
    assert "0/∞" in tree_text.tree(proof, full=True).plain
    assert tree_text.summary(proof).plain.splitlines()[1] == "value a win for max, best line c1 b3 c2"
    assert any(step.what == "update" for step in proof.walk.steps)


def test_picture(figure):
    drawn = ET.fromstring(tree_svg.picture(figure))
    texts = ["".join(t.itertext()) for t in drawn.iter(f"{SVG}text")]
    assert "✂ c2 c3" in texts
    assert texts.count("≤ 2") == 2
    assert [p.get("class") for p in drawn.iter(f"{SVG}path")].count("best") == 2
    boxes = [(r.get("x"), float(r.get("y")), float(r.get("height"))) for r in drawn.iter(f"{SVG}rect")]
    for column in {x for x, _, _ in boxes}:
        rows = sorted((y, y + h) for x, y, h in boxes if x == column)
        assert all(bottom <= top for (_, bottom), (top, _) in itertools.pairwise(rows)), "boxes overlap"


def test_picture_of_a_large_tree_is_refused():
    found = explained("connect4", "minimax,depth=4")
    with pytest.raises(PlygroundError, match=r"2,801 nodes, but a picture can show 400; try a smaller depth"):
        tree_svg.picture(found)


def test_quiz_asks_for_what_was_pruned(figure):
    (question,) = questions(figure)
    assert list(question.leaves()) == [3, 12, 8, 2, 4, 6, 14, 5, 2]
    b, c, d = question.tree.children
    assert [leaf.move for branch in (b, c, d) for leaf in branch.children if leaf.node is None] == ["c2", "c3"]


@pytest.mark.parametrize(
    ("spec", "algorithm", "moves"),
    [
        ("connect4", "alphabeta_hard,depth=3", "4455"),
        ("tictactoe", "alphabeta,depth=all", "a1 b2 c3 a3"),
        ("othello", "alphabeta_bounds,depth=3", ""),
        ("tictactoe", "alphabeta,depth=2,estimate=rollouts", "a1 b2 c3"),
    ],
)
def test_leaves_that_were_pruned_have_the_value_that_minimax_gives_them(spec, algorithm, moves):
    depth = algorithm.partition("depth=")[2]
    values = {}
    for node in explained(spec, f"minimax,depth={depth}", moves).nodes.values():
        if node.leaf is not None:
            values[node.enter.state] = node.leaf.value
    asked = questions(explained(spec, algorithm, moves))
    assert asked
    for question in asked:
        waiting = [question.tree]
        while waiting:
            branch = waiting.pop()
            waiting += branch.children
            if not branch.children and branch.why in ("terminal", "heuristic"):
                assert branch.value == values[branch.state]


def test_no_questions_where_nothing_is_pruned():
    assert questions(explained("connect4", "minimax,depth=2")) == []
    assert questions(explained("2048", "expectimax,depth=1")) == []


def test_no_questions_about_values_that_were_learned():
    found = explained("tictactoe", "td,games=5,depth=2")
    assert found.record.cutoffs
    assert questions(found) == []


def test_long_moves_and_values_stand_side_by_side_on_the_picture():
    drawn = ET.fromstring(tree_svg.picture(explained("backgammon", "expectiminimax,depth=1", "3-1")))
    boxes = [float(box.get("width")) for box in drawn.iter(f"{SVG}rect")]
    moves = [text for text in drawn.iter(f"{SVG}tspan") if text.get("class") == "move"]
    longest = max(len(move.text) for move in moves)
    assert longest >= 11
    assert min(boxes) >= 7 * (longest + len("= -0.1749"))


def test_the_quiz_of_a_game_with_likely_moves_asks_about_these():
    found = explained("gomoku(size=9)", "alphabeta,depth=2,order=game", "e5 e6 f5 g5 d5")
    builder = quiz._Builder(found, 12)
    likely = list(found.game.likely(found.state))
    assert builder.moves(None, found.state) == likely
    assert len(likely) < len(found.game.legal(found.state))


def test_many_leaves_in_a_row_are_folded():
    found = explained("tictactoe(rows=6, cols=7, k=4)", "minimax,depth=1")
    *lines, note = tree_text.tree(found).plain.splitlines()
    assert lines[-1].count("■") in (20, 21)  # the best leaf is always there
    assert lines[-1].endswith(f"   + {42 - lines[-1].count('■')} more")
    assert sum("★" in line for line in lines) == 2
    assert note.startswith(f"folded: {42 - lines[-1].count('■')} of 43 nodes")
