"""The documentation is true: its Python runs, its commands are taken, those that are cheap are run, its links lead somewhere."""

import argparse
import ast
import inspect
import io
import json
import pkgutil
import re
import shlex
from typing import NamedTuple

import pytest

from here import DOCS, ROOT
from plyground.cli import command, commands, main
from plyground.engine.engine import Engine
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
HELP = list(dict.fromkeys(line for name in commands() for line in found_in(command(name).help)))


class Unrun(NamedTuple):
    """Why a command of a page is not run, and what the page says about its time: "" if it does not take long."""

    why: str
    told: str = ""


MY_NET = Unrun("needs a net that was trained for an hour", "a game takes about six seconds")
ENGINES = Unrun("needs an engine that is not installed", "a game of chess takes about ten seconds")
CLUSTER = Unrun("needs a cluster: tests/arena/test_cluster.py and tests/train/test_remote.py have one")
SETUP = Unrun("sets everything up")
UNRUN = {
    "plyground train ./mygame.py --minutes 5": Unrun("takes 5 minutes", "--minutes 5"),
    "plyground train othello --minutes 5": Unrun("takes 5 minutes", "--minutes 5"),
    "plyground train gomoku --minutes 60 --cluster tcp://…:8786": CLUSTER._replace(told="--minutes 60"),
    "plyground arena othello engine:evaluate=my.net engine:evaluate=rules --time 0.1 --sprt 0,50": MY_NET,
    "plyground arena othello engine:evaluate=my.net engine:evaluate=rules --time 0.1 --sprt 0,100": MY_NET,
    "plyground arena connect4 engine:depth=8 engine:depth=6 --games 10000 --cluster tcp://…:8786": CLUSTER,
    'plyground solve gomoku --moves "h8 h9 …" --proof': Unrun("leaves moves out"),
    "plyground arena chess engine uci:stockfish,UCI_Elo=1600 --games 100 --time 0.1": ENGINES,
    'plyground arena chess engine:time=0.1 uci:./berserk,Hash=32,time=0.1 "uci:gnuchess --uci" xboard:fairymax --gauntlet '
    "--games 50 --time 0.1": ENGINES,
    "plyground play chess --against uci:stockfish,UCI_Elo=1500": ENGINES._replace(told=""),
    "plyground arena gomoku engine:time=1 gomocup:./pbrain-rapfi,time=1 --games 20": ENGINES._replace(
        told="with a second per move"
    ),
    'plyground arena draughts engine "hub:./scan hub,bb-size=0" --time 0.1': ENGINES,
    'plyground arena othello engine:depth=8 "nboard:./edax -nboard,depth=8"': ENGINES,
    "make play": SETUP,
    "make web": SETUP._replace(told="takes some minutes"),
    "make test": SETUP,
    "dask scheduler": CLUSTER,
    "dask worker tcp://…:8786 --nthreads 1 --nworkers 8": CLUSTER,
    "dask worker tcp://HOST:8786 --nthreads 1 --nworkers 8": CLUSTER,
    "cutechess-cli -engine cmd=plyground arg=uci -engine cmd=stockfish option.UCI_LimitStrength=true "
    "option.UCI_Elo=1800 \\": ENGINES,
    "exec plyground gomocup": Unrun("is a line of a script; tests/protocols runs the command"),
}
"""Commands that no test runs. Every other command of a page is run."""
SLOW = {
    "analyse chess --moves": 3,
    "analyse chess --state": 14,
    "analyse connect4 --depth 8 --evaluate": 1,
    "arena connect4": 39,
    "arena kalah level:7 level:5": 11,
    "bench ": 9,
    "check chess": 9,
    "compare connect4 --algorithms td": 13,
    "compare tictactoe --depth 9": 21,
    "perft chess 5": 1,
    "perft connect4 9 --distinct": 1,
    "play chess": 12,
    "play connect4 --level 7 --evaluate": 1,
    "report ": 30,
    "solve 'kalah": 1,
    "solve checkers --ending 4": 10,
    "solve chess --ending KBNK": 10,
    "train ./mygame.py --games 50000": 3,
    "web nim 'connect4(rows=5)'": 39,
}
"""Take more than some seconds, or compile a game or make a table that does: `make test-long` runs them. The numbers are
seconds on two cores when the rules are in the cache."""
LONG = 60
"""Seconds after which a page says how long a command takes."""


def runs():
    """The commands to run."""
    lines = [line for line in SHOWN if f"plyground {line}" not in UNRUN]
    return [pytest.param(line, marks=[pytest.mark.long] if line.startswith(tuple(SLOW)) else []) for line in lines]


BLOCK = re.compile(r"^ *```(\w*)\n(.*?)^ *```|((?:^ {4}[^\n]*\n|^\n)+)", re.DOTALL | re.MULTILINE)
PROGRAMS = ("plyground", "make", "dask", "python", "pip", "exec", "cutechess-cli")
COMMENT = re.compile(r"\s{2,}.*|\s+#.*")


def written_in(text):
    """Every command in the blocks of a page, whatever program it calls: all lines of a shell's, elsewhere those that call one."""
    for language, fenced, indented in BLOCK.findall(text):
        for line in (fenced or indented).splitlines():
            bare = line.strip().removeprefix("$ ")
            if language == "sh" or (language in ("", "console", "text") and bare.split(" ")[0] in PROGRAMS):
                yield COMMENT.sub("", bare)


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
    assert isinstance(command(name).parser().parse_args(words), argparse.Namespace)


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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_command_is_run_or_has_a_reason(page):
    text = page.read_text(encoding="utf-8")
    for line in filter(None, written_in(text)):
        if line in UNRUN:
            assert UNRUN[line].told in text, f"{line}: the page does not say how long that takes"
        else:
            name, _, rest = line.partition(" ")
            assert name == "plyground", f"{line}: no test runs this; if none can, say why in UNRUN"
            assert rest in SHOWN, f"{line}: no test runs this"


def test_a_command_that_nobody_runs_is_found():
    shell, rest = "```sh\nls -l   a\n```\n\n", "```python\nmake = 1\n```\n\n```\nmake it  so\nout\n```\n"
    page = f"a\n\n    wget x\n    plyground frob  # x\n\n{shell}{rest}"
    assert list(written_in(page)) == ["plyground frob", "ls -l", "make it"]


def test_no_command_that_tests_run_takes_long():
    """If one does, its page must say so: then it belongs to those with the text that the page has."""
    assert all(seconds < LONG for seconds in SLOW.values())


def test_the_exceptions_are_still_there():
    for start in SLOW:
        assert any(line.startswith(start) for line in SHOWN), start
    written = {line for page in PAGES for line in written_in(page.read_text(encoding="utf-8"))}
    assert set(UNRUN) <= written


def test_there_is_much_to_run():
    assert len(BLOCKS) >= 8
    assert len(SHOWN) >= 30
    names = {"analyse", "book", "check", "compare", "explain", "perft", "play", "solve", "web"}
    assert {line.split()[0] for line in HELP} >= names


TABLE = re.search(r"\| call \|.*?\n\n", (DOCS / "engine.md").read_text(encoding="utf-8"), re.DOTALL)
CALLS = re.findall(r"`(?:await )?(?:engine\.)?(\w+)\(([^`]*)\)`", TABLE[0] if TABLE else "")


@pytest.mark.parametrize(("name", "given"), CALLS)
def test_the_engine_takes_what_its_page_says(name, given):
    """In the table of calls: each exists, takes the arguments that are named, and has the defaults that the page gives."""
    known = inspect.signature(Engine if name == "Engine" else getattr(Engine, name)).parameters
    for part in filter(None, (part.strip(" .") for part in given.split(","))):
        argument, _, default = part.partition("=")
        assert argument in known
        if default.strip("."):
            assert known[argument].default == ast.literal_eval(default)


def test_the_calls_of_the_engine_are_found():
    assert {"Engine", "choose", "choose_async", "analyse", "start", "prepare", "prepare_async"} <= {name for name, _ in CALLS}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_file_that_a_page_names_is_there(page):
    named = re.findall(r"`((?:[a-z_]\w*/)+[a-z_0-9]+\.(?:py|js|css))`", page.read_text(encoding="utf-8"))
    gone = [name for name in named if not (ROOT / name).is_file() and not (ROOT / "src" / "plyground" / name).is_file()]
    assert gone == []


def test_the_glossary_lists_each_term_once_with_its_module():
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \| `(\S+)` \|$", (DOCS / "glossary.md").read_text(encoding="utf-8"), re.MULTILINE)
    terms = [term.casefold() for term, _ in rows]
    assert len(terms) >= 50
    assert terms == sorted(set(terms))
    gone = [f"{term}: {module}" for term, module in rows if not uses_term(ROOT / "src" / "plyground" / module, term)]
    assert gone == [], "name the module that owns the term now"


def uses_term(module, term):
    """Whether a module has a term, in one word or several, also at the end of a line."""
    text = re.sub(r"[\s_-]+", " ", module.read_text(encoding="utf-8")).casefold() if module.is_file() else ""
    return re.search(rf"\b{re.escape(re.sub('[ -]', ' ', term.casefold()))}s?\b", text) is not None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page):
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        assert link.startswith("https://") or (page.parent / link).is_file(), f"{link} is no file, so no page"


@pytest.mark.parametrize("name", re.findall(r"^::: (\S+)$", (DOCS / "api.md").read_text(encoding="utf-8"), re.MULTILINE))
def test_the_reference_names_what_there_is(name):
    assert pkgutil.resolve_name(name) is not None
