"""`plyground explain` and `plyground compare` as one types them."""

import json
import re
import shlex
import xml.etree.ElementTree as ET

import pytest

from here import DOCS
from plyground import Match, load
from plyground.cli import main
from plyground.nets.file_format import save
from random_nets import random_net

EXPLAIN = ["explain", "tictactoe", "--moves", "a1 b2 c3 a3"]


@pytest.fixture
def run(capsys):
    """Runs a command and gives its exit code and what it wrote to stdout and stderr."""

    def command(*words):
        code = main([str(word) for word in words])
        written = capsys.readouterr()
        return code, written.out, written.err

    return command


def test_explain_prints_the_tree(run):
    code, out, err = run(*EXPLAIN, "--algorithm", "alphabeta", "--depth", "all")
    assert (code, err) == (0, "")
    assert out.startswith(
        "Tic-tac-toe, alphabeta to the end of the game, X is max, O is min\nvalue a win for max in 3 plies, best line c1 "
    )
    assert "can already force" in out


def test_the_guide_shows_what_is_printed(run):
    guide = (DOCS / "explain.md").read_text(encoding="utf-8")
    (command, output) = re.search(r"```console\n\$ plyground (.*?)\n(.*?)```", guide, re.S).groups()
    assert run(*shlex.split(command)) == (0, output, "")


def test_explain_takes_a_depth_and_an_algorithm_that_fits_where_nothing_is_said(run):
    assert run("explain", "connect4")[1].startswith("Connect 4, alphabeta to depth 3,")
    assert run("explain", "2048")[1].startswith("2048, expectimax to depth 1,")
    assert run("explain", "tictactoe", "--algorithm", "alphabeta,depth=1")[1].startswith("Tic-tac-toe, alphabeta to depth 1,")


def test_explain_shows_what_a_net_sees(run, tmp_path):
    game, net = load("connect4"), random_net("connect4", most=200)
    save(tmp_path / "some.net", game, net)
    words = ["explain", "connect4", "--moves", "443", "--evaluate", tmp_path / "some.net", "--depth", "1"]
    s = Match(game, None, "443").s
    code, out, err = run(*words)
    assert (code, err) == (0, "")
    assert f"\nlearned estimate {net.value(game, s)} (" in out
    assert ": the sum of 47 groups\n" in out
    assert re.search(r"\n +\+[\d.]+  (\d:\d ?)+ +[.●○ ]+\n", out)
    assert re.search(r"\n +[+-][\d.]+  37 other groups\n", out)
    assert "other groups" not in run(*words, "--full")[1]
    data = json.loads(run(*words, "--json")[1])
    assert data["judgement"]["value"] == net.value(game, s)
    leaves = {node["move"]: node["value"] for node in data["tree"] if "leaf" in node}
    assert leaves == {game.format_move(s, m): -net.value(game, game.play(s, m)) for m in game.legal(s)}
    assert run(*words, "--out", tmp_path / "tree.html")[0] == 0
    page = (tmp_path / "tree.html").read_text(encoding="utf-8")
    assert page.count(": the sum of 47 groups") == 1 + len(leaves)


def test_explain_asks_for_a_net_that_is_not_there(run):
    told = "plyground: there is no net for nim yet; `plyground train nim` trains one\n"
    assert run("explain", "nim", "--evaluate", "net") == (2, "", told)


def test_explain_shows_what_td_has_learned(run):
    code, out, _ = run("explain", "tictactoe", "--moves", "b2 a1", "--algorithm", "td,games=100", "--depth", "1")
    assert code == 0
    assert re.search(r"\nlearned estimate -?\d+ \(\d+ % of the points\): 1,000 times tanh of the sum of 8 lines\n", out)
    assert re.search(r"\n +[+-][\d.]+  [abc1-3 ]+ [XO.] [XO.] [XO.]\n", out)
    data = json.loads(run("explain", "nim", "--algorithm", "td,games=20,features=state", "--depth", "1", "--json")[1])
    assert [part["cells"] for part in data["judgement"]["parts"]] in ([[]], [])


def test_explain_goes_on_from_a_state(run):
    code, out, _ = run("explain", "tictactoe", "--state", "XX./OO./...", "--depth", "1", "--json")
    data = json.loads(out)
    assert (code, data["state"], data["move"], data["value"]) == (0, "XX./OO./...", "c3", 9999)


def test_explain_json(run):
    code, out, err = run(*EXPLAIN, "--algorithm", "alphabeta_bounds,order=centre", "--depth", "4", "--json")
    data = json.loads(out)
    assert (code, err) == (0, "")
    assert (data["game"], data["algorithm"], data["depth"], data["value"]) == ("tictactoe", "alphabeta_bounds", 4, 9997)
    assert data["nodes"] == len(data["tree"])
    assert data["cutoffs"] == sum("cutoff" in node for node in data["tree"])
    assert data["table_hits"] == sum("table_hit" in node for node in data["tree"])


@pytest.mark.parametrize("name", ["tree.html", "tree.svg"])
def test_explain_writes_a_file_and_says_so(run, tmp_path, name):
    code, out, _ = run(*EXPLAIN, "--depth", "2", "--out", tmp_path / name)
    written = (tmp_path / name).read_text(encoding="utf-8")
    assert code == 0
    assert out.endswith(f"written to {tmp_path / name}\n")
    assert "Tic-tac-toe" in written


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["explain", "connect4", "--algorithm", "alfabeta"], "did you mean alphabeta?"),
        (["explain", "backgammon", "--algorithm", "alphabeta"], "which has dice; expectiminimax, star1 and star2 can"),
        (["explain", "connect4", "--algorithm", "minimax_table", "--depth", "3"], "minimax_table has no option 'depth'"),
        (["explain", "connect4", "--depth", "three"], "a whole number, 1 or more"),
        (["explain", "connect4", "--out", "tree.png"], "ends in .html (a page) or .svg (a picture)"),
        (
            ["explain", "connect4", "--depth", "1", "--out", "missing/tree.html"],
            "written (there is no folder missing)",
        ),
        (["explain", "connect4", "--moves", "9"], "'9' is not a legal move here"),
        (["compare", "backgammon", "--algorithms", "alphabeta"], "which has dice; expectiminimax, star1 and star2 can"),
        (["compare", "connect4", "--depth", "0"], "must be a whole number from 1"),
        (
            ["compare", "connect4", "--options", "tempo=3"],
            "write an option as name=value; the options are estimate, key, near, ",
        ),
        (["compare", "connect4", "--plot", "nodes.png"], "choose a name that ends in .svg"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(run, words, said):
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert said in err


def test_a_search_that_is_too_long_to_show_is_refused(run, monkeypatch):
    monkeypatch.setattr("plyground.explain.MAX_STEPS", 1000)
    code, _, err = run("explain", "connect4", "--algorithm", "minimax")
    assert (code, err) == (2, "plyground: the search has more than 1,000 steps, too many to show; try a smaller depth\n")


def test_compare_prints_a_table(run):
    code, out, err = run("compare", "connect4", "--depth", "3", "--algorithms", "minimax,alphabeta")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert [line.split()[:4] for line in lines[3:5]] == [["minimax", "2", "4", "400"], ["alphabeta", "2", "4", "76"]]
    assert lines[-1] == "7 moves on average: alpha-beta needs at least 55 leaves (Knuth and Moore)"


def test_compare_stops_what_takes_too_long(run):
    _, out, _ = run("compare", "connect4", "--depth", "3", "--algorithms", "minimax,alphabeta", "--nodes", "200")
    assert "minimax    …" in out
    assert "stopped at the node limit" in out


def test_compare_json(run):
    code, out, _ = run("compare", "tictactoe", "--depth", "3", "--moves", "b2", "--options", "order=centre", "--json")
    data = json.loads(out)
    assert (code, data["game"], data["depth"], data["state"]) == (0, "tictactoe", 3, ".../.X./...")
    assert {row["value"] for row in data["rows"] if row["exact"]} == {data["rows"][0]["value"]}
    wanted = {"algorithm", "value", "move", "nodes", "evaluations", "cutoffs", "table_hits", "seconds"}
    assert all(wanted <= set(row) for row in data["rows"])
    assert {"minimax", "alphabeta", "pvs", "mtdf"} <= {row["algorithm"] for row in data["rows"]}


def test_compare_draws_nodes_over_depth(run, tmp_path):
    code, out, _ = run("compare", "nim", "--depth", "3", "--algorithms", "minimax,alphabeta", "--plot", tmp_path / "nodes.svg")
    drawn = ET.parse(tmp_path / "nodes.svg").getroot()
    assert code == 0
    assert out.endswith(f"written to {tmp_path / 'nodes.svg'}\n")
    assert {"minimax", "alphabeta", "Knuth-Moore minimum"} <= {
        text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")
    }
