"""The documentation is true: its Python runs, its commands are taken, those that are cheap are run, its links lead somewhere."""

import argparse
import ast
import inspect
import io
import json
import re
import shlex

import pytest

from here import DOCS, ROOT
from plyground.cli import _module, _parser_of, commands, main
from plyground.engine.engine import Engine
from plyground.protocols.program import WORDS
from plyground.records.store import Records

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((DOCS).glob("*.md"))]
PYTHON = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
BLOCKS = [
    pytest.param(block, id=f"{page.stem}-{number}")
    for page in PAGES
    for number, block in enumerate(PYTHON.findall(page.read_text(encoding="utf-8")))
]
COMMAND = re.compile(r"^(?: {2,}|\$ )?plyground (\S.*?)(?:[ \t]{2,}.*|[ \t]+#.*)?$", re.MULTILINE)


def found_in(text):
    """The commands of a page or of a help text, without what is said about them."""
    return [line for line in COMMAND.findall(text) if line.split()[0] in commands()]


SHOWN = list(dict.fromkeys(line for page in PAGES for line in found_in(page.read_text(encoding="utf-8"))))
HELP = list(dict.fromkeys(line for name in commands() for line in found_in(_module(name).__doc__)))

NEVER = ("book ", "bench ", "arena othello engine:evaluate=my.net", "train othello", "train ./mygame.py")
"""Take hours, or measure."""
OTHERS = re.compile(rf"\b({'|'.join(WORDS)}):")
"""Players that need another program."""
SLOW = (
    "check chess",
    "compare tictactoe --depth 9",
    "perft chess 5",
    "perft connect4 9 --distinct",
    "analyse chess --moves",
    "solve 'kalah",
    "solve chess --ending KBNK",
    "solve checkers --ending 4",
    "play chess",
    "analyse chess --state",
    "web nim 'connect4(rows=5)'",
    "analyse connect4 --depth 8 --evaluate",
    "play connect4 --level 7 --evaluate",
    "arena connect4",
    "arena kalah level:7 level:5",
    "report ",
    "compare connect4 --algorithms td",
)
"""Take more than some seconds, or need a table that does: `make test-long` runs them."""


def runs():
    """The commands to run: all that are shown, but for those that leave something out (…)."""
    lines = [line for line in SHOWN if not line.startswith(NEVER) and not OTHERS.search(line) and "…" not in line]
    return [pytest.param(line, marks=[pytest.mark.long] if line.startswith(SLOW) else []) for line in lines]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder with what the pages take for granted."""
    readme = PAGES[0].read_text(encoding="utf-8")
    (tmp_path / "mygame.py").write_text(re.findall(r"```python\n(.*?)```", readme, re.DOTALL)[0])
    players = (DOCS / "players.md").read_text(encoding="utf-8")
    (tmp_path / "my_eval.py").write_text(re.findall(r"```python\n(.*?)```", players, re.DOTALL)[0])
    (tmp_path / "positions.txt").write_text("44455554221\n4455\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    monkeypatch.setattr("webbrowser.open", lambda address: True)
    return tmp_path


def keep_some_games():
    """What the pages show from the records: games of a match of chess, 3, and a game that a person left, 12."""
    row = {"players": ["engine", "random"], "seed": 1, "moves": ["e4", "e5"], "result": 0.5, "points": 0, "reason": "length"}
    with Records() as records:
        for number in range(1, 13):
            game = ("play", "nim", ["person", "random"]) if number == 12 else ("arena", "chess", ["engine", "random"])
            assert records.new_match(*game, {}) == number
        records.add_pair(3, {"pair": 17, "games": [{"side": side, **row} for side in (0, 1)]})
        records.write_game(12, {"side": 0, "players": ["person", "random"], "seed": 1, "moves": ["a1", "b1"]})


@pytest.mark.parametrize("block", BLOCKS)
def test_python_runs(block, folder):
    exec(compile(block, "snippet", "exec"), {"__name__": "snippet"})


def test_what_the_page_on_tables_prints(folder, capsys):
    (block,) = [text for text in (str(b.values[0]) for b in BLOCKS) if "solve_tablebase" in text]
    exec(block, {})
    (told,) = re.findall(r"# (\(.*?\)): won in 11 plies", block)
    assert capsys.readouterr().out.startswith(f"{told}\n")


@pytest.mark.parametrize("line", [*SHOWN, *(line for line in HELP if line not in SHOWN)])
def test_commands_are_taken(line):
    name, *words = shlex.split(line)
    assert isinstance(_parser_of(name).parse_args(words), argparse.Namespace)


@pytest.mark.parametrize("line", runs())
def test_commands_run(line, folder, capsys):
    if "kbnk.ply" in line and not line.startswith("solve"):
        main(shlex.split("solve chess --ending KBNK --table kbnk.ply"))
    if line == "new mygame":
        (folder / "mygame.py").unlink()
    if line.startswith(("play --load", "record ")):
        keep_some_games()
    assert main(shlex.split(line)) == 0
    out, err = capsys.readouterr()
    assert out
    assert "plyground:" not in err
    for option, name in re.findall(r"--(out|table|plot|html) (\S+)", line):
        assert (folder / name).stat().st_size > 0, option
    if "--json" in line:
        assert all(json.loads(row) for row in out.splitlines())


def test_the_slow_ones_are_still_there():
    for start in (*SLOW, *NEVER):
        assert any(line.startswith(start) for line in SHOWN), start


def test_there_is_much_to_run():
    assert len(BLOCKS) >= 8
    assert len(SHOWN) >= 30
    names = {"analyse", "book", "check", "compare", "explain", "perft", "play", "solve", "web"}
    assert {line.split()[0] for line in HELP} >= names


TABLE = re.search(r"\| call \|.*?\n\n", (DOCS / "engine.md").read_text(encoding="utf-8"), re.DOTALL)
CALLS = re.findall(r"`(?:await )?(?:engine\.)?(\w+)\(([^`]*)\)`", TABLE[0] if TABLE else "")


@pytest.mark.parametrize(("name", "given"), CALLS)
def test_the_engine_takes_what_its_page_says(name, given):
    """In the table of calls: each exists, takes the arguments that are named, and has the defaults that are told."""
    known = inspect.signature(Engine if name == "Engine" else getattr(Engine, name)).parameters
    for part in filter(None, (part.strip(" .") for part in given.split(","))):
        argument, _, default = part.partition("=")
        assert argument in known
        if default.strip("."):
            assert known[argument].default == ast.literal_eval(default)


def test_the_calls_of_the_engine_are_found():
    assert {"Engine", "choose", "choose_async", "analyse", "start", "prepare", "prepare_async"} <= {name for name, _ in CALLS}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page):
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        assert link.startswith("https://") or (page.parent / link).is_file(), f"{link} is no file, so no page"
