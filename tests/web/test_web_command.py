"""`plyground web`: files, folders, and what it refuses."""

import json
import re
import shlex
import webbrowser
from pathlib import Path

import pytest

import plyground.web as web
from here import DATA
from plyground import load
from plyground.cli import main
from plyground.nets.file_format import save
from plyground.nets.net_evaluation import own_file
from plyground.rules.load import builtin_games
from plyground.web import MARK, page
from random_nets import random_net

RELAY = DATA / "newcomer" / "relay.py"
DICT = DATA / "broken" / "dict_table.py"

RULES = """
from typing import NamedTuple
class State(NamedTuple):
    left: int
def start(): return State(5)
def moves(s): return (1, 2)
def play(s, m): return State(s.left - m)
def result(s): return -1 if s.left <= 0{seen} else None
"""


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    """Runs a command in an empty folder: exit code, stdout, stderr."""
    monkeypatch.chdir(tmp_path)

    def words(line):
        code = main(["web", *shlex.split(line)])
        return code, *capsys.readouterr()

    return words


def test_one_file(run, tmp_path):
    code, out, _ = run("nim --out nim.html")
    assert code == 0
    assert re.fullmatch(r"page +size\nnim.html +\d+ KB\n", out)
    assert [path.name for path in tmp_path.iterdir()] == ["nim.html"]
    assert run("nim --out nim.html")[0] == 0, "its own page may be written again"


def test_a_net_goes_into_the_page(run, tmp_path, monkeypatch):
    save("some.net", load("connect4"), random_net("connect4", most=60))
    refused = run("nim --evaluate some.net --out nim.html")
    assert refused == (2, "", "plyground: some.net: this net is for connect4, not for nim\n")
    assert run("connect4 nim --evaluate some.net --out games")[0] == 2
    made = []

    def module(game, net):
        made.append(net)
        return b""

    monkeypatch.setattr(web, "module", module)
    assert run("connect4 --evaluate some.net --out learned.html")[0] == 0
    assert run("connect4 --evaluate rules --out plain.html")[0] == 0
    assert [net is not None for net in made] == [True, False]
    assert (tmp_path / "learned.html").stat().st_size > 2 * (tmp_path / "plain.html").stat().st_size
    monkeypatch.setattr(web, "MAX_NET_BYTES", 1000)
    assert "this net is too large for a page" in run("connect4 --evaluate some.net --out learned.html")[2]
    own = own_file(load("connect4"))
    own.parent.mkdir(parents=True)
    Path("some.net").rename(own)
    told = r"connect4: its net is too large for a page \(\d MB\), which uses the evaluation of the rules instead\n"
    assert re.fullmatch(told, run("connect4 --out plain.html")[2])
    assert made[-1] is None


def test_a_folder_with_an_index(run, tmp_path):
    code, out, _ = run("nim tictactoe 'nim(heaps=2)' nim --out games/here --json")
    assert code == 0
    told = json.loads(out)
    folder = tmp_path / "games" / "here"
    assert [page["game"] for page in told["pages"]] == ["nim", "tictactoe", "nim(heaps=2)"]
    assert all((tmp_path / page["file"]).stat().st_size == page["bytes"] for page in told["pages"])
    index = (folder / "index.html").read_text(encoding="utf-8")
    assert told["index"] == "games/here/index.html"
    assert re.findall(r'href="([^"]*)"', index) == ["nim.html", "tictactoe.html", "nim-heaps-2.html"]
    assert all(MARK in path.read_text(encoding="utf-8")[:1000] for path in folder.iterdir())


def test_a_page_may_start_elsewhere(run, tmp_path, browser):
    assert run("nim --out a.html --state 0-2-1")[0] == 0
    browser.get((tmp_path / "a.html").as_uri())
    while not (found := browser.execute_script("return document.querySelector('#data[type=\"application/json\"]')?.textContent")):
        pass
    assert json.loads(found)["start"] == "0.2.1"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("--out a.html", "name a game, or use --all for all games that come with Plyground; see plyground web --help"),
        ("nim", "--out is missing: a file such as --out game.html, or a folder such as --out games/"),
        ("nim tictactoe --out a.html", "--out 'a.html' is one file; for several games give a folder, such as --out games/"),
        ("nim --out taken", "--out 'taken' is a file; give a folder, or a name that ends in .html for one page"),
        ("nim --out taken/below", "taken/below: this folder cannot be created (Not a directory)"),
        ("nim --out gone/a.html", "gone/a.html: cannot be written (there is no folder gone)"),
        ("nim --out own.html", "own.html already exists and is not a page of Plyground; choose another name or remove it"),
        ("nim --out .", "index.html already exists and is not a page of Plyground; choose another name or remove it"),
        ("nim tictactoe --state 1-2-3 --out a", "--state can be used with one game only"),
        ("nim --state x --out a", "'x' is not a state of nim; the initial state is written '3-4-5'"),
        ("nosuch --out a.html", "there is no game named 'nosuch'"),
        (f"{RELAY} --out a.html", "relay has 3 sides; only games with one or two can be compiled for a page"),
        ("nim ./index.py --out a", "index.py: the index of the folder is called index.html; give the rules file another name"),
        ("./x.py ./below/x.py --out a", "would both be x.html"),
        (f"{DICT} --out a.html", "can't be compiled: use tuples, ints and bit masks instead of dicts and sets"),
        pytest.param(
            "./local.py --out a.html",
            "local.py: the rules use a dict, which cannot be compiled to WebAssembly",
            marks=pytest.mark.long,
        ),
    ],
)
def test_what_is_refused_in_one_line(run, tmp_path, line, told):
    (tmp_path / "below").mkdir()
    rules = RULES.format(seen="")
    texts = {"taken": "x", "own.html": "x", "index.html": "x", "index.py": rules, "x.py": rules, "below/x.py": rules}
    texts["local.py"] = RULES.format(seen=" or 99 in {s.left: 1}")
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    code, out, err = run(line)
    assert (code, out) == (2, "")
    assert told in err.splitlines()[-1]
    assert err.splitlines()[-1].startswith("plyground: ")
    assert [line for line in err.splitlines()[:-1] if not line.startswith("Compiling ")] == []
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("name", "evaluate", "most"),
    [
        ("connect4", "rules", 200_000),
        ("connect4", None, 3_000_000),
        pytest.param("chess", "rules", 500_000, marks=pytest.mark.long),
    ],
)
def test_pages_are_small(name, evaluate, most):
    assert len(page(load(name), evaluate=evaluate).encode()) < most


@pytest.mark.parametrize(("screen", "opens"), [(":0", True), (":0", False), (None, True)])
def test_open(run, monkeypatch, tmp_path, screen, opens):
    asked = []
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    if screen:
        monkeypatch.setenv("DISPLAY", screen)
    monkeypatch.setattr("sys.platform", "linux")

    def open_page(address):
        asked.append(address)
        return opens

    monkeypatch.setattr(webbrowser, "open", open_page)
    code, _, err = run("nim --out nim.html --open")
    assert code == 0
    assert asked == ([(tmp_path / "nim.html").as_uri()] if screen else [])
    assert ("open nim.html yourself" in err) == (not (screen and opens))


def test_all_games(run, monkeypatch, tmp_path):
    monkeypatch.setattr("plyground.web.page", lambda game, *more: f"{MARK}{game.title}")
    assert run("--all --out games")[0] == 0
    names = {f"{name}.html" for name in builtin_games()}
    assert len(names) > 10
    assert {path.name for path in (tmp_path / "games").iterdir()} == names | {"index.html"}
