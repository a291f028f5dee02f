"""Ordinary Python in rules: each idiom either works compiled as it does interpreted, or is refused with line and advice."""

import re
import sys

import pytest

from here import DATA
from plyground import GameError, load
from plyground.check import check
from plyground.compile.native import Native
from plyground.compile.vocabulary import read_state, step, write_state
from plyground.measure import perft

IDIOMS = DATA / "idioms"
GIVEN = {"State", "NamedTuple", "dataclass"}
TOGETHER = 12
"""How many idioms are compiled as one game: each alone would take a second or two."""
HEADER = (IDIOMS / "header.py").read_text(encoding="utf-8")
TAIL = """
def start(): return State((3, 0, 2, 1, 0, 5), 7)
def moves(s): return range(3)
def play(s, m): return State(s.cells, s.n, {told})
def result(s): return None
"""


def snippets(file):
    """The idioms of a file by their names."""
    parts = re.split(r"^### ", (IDIOMS / file).read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return dict(part.split("\n", 1) for part in parts)


WORKS, REFUSED = snippets("works.txt"), snippets("refused.txt")


def after(address, m, out):
    """Entry: the state after a move."""
    s = read_state(address)
    write_state(out, step(s, m))
    return 0


def compiled_play(game):
    call = Native(game).bind(after, "int64(uint64, int64, uint64)")

    def play(s, m):
        row = game.layout.row(s)
        out = row.copy()
        call(row.ctypes.data, m, out.ctypes.data)
        return game.layout.read(out)

    return play


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Writes rules that tell what each of these idioms gives."""
    monkeypatch.setattr(sys, "path", [*sys.path, str(IDIOMS)])

    def rules(named):
        fields = "".join(f"    t{i}: int = 0\n" for i in range(len(named)))
        text = HEADER.replace("    n: int\n", f"    n: int\n{fields}")
        for i, body in enumerate(named.values()):
            for name in set(re.findall(r"^(?:def |class )?(\w+)(?:\(| = |:)", body, re.MULTILINE)) - {"for", "if", "while"}:
                body = re.sub(rf"\b{name}\b(?!\")", f"{name}{i}", body) if name not in GIVEN else body
            text += body
        told = ", ".join(f"int(f{i}(s, m))" for i in range(len(named)))
        path = tmp_path / "game.py"
        path.write_text(text + TAIL.format(told=told))
        return path

    return rules


@pytest.mark.parametrize("first", range(0, len(WORKS), TOGETHER))
def test_compiled_as_interpreted(write, first):
    named = dict(list(WORKS.items())[first : first + TOGETHER])
    game = load(str(write(named)))
    play = compiled_play(game)
    for m in range(3):
        plain, native = game.play(game.start(), m), play(game.start(), m)
        assert dict(zip(named, native[2:], strict=True)) == dict(zip(named, map(int, plain[2:]), strict=True)), m


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_line_and_advice(write, name):
    """The line that is named ends with `# advice`, where the advice is what the complaint must contain."""
    path = write({name: REFUSED[name]})
    lines = path.read_text().splitlines()
    (line,) = (i for i, text in enumerate(lines, 1) if "  # " in text)
    code, advice = lines[line - 1].split("  # ")
    with pytest.raises(GameError) as e:
        compiled_play(load(str(path)))
    told = str(e.value)
    assert told.startswith(f"{path}:{line}: `{code.strip()[:40]}"), told
    assert f"can't be compiled: {advice}" in told
    assert "\n" not in told


@pytest.mark.parametrize("path", sorted((IDIOMS / "games").glob("*.py")), ids=lambda path: path.stem)
def test_whole_games_as_newcomers_write_them(path):
    game = load(str(path))
    assert perft.native(game)(game.start(), 5) == perft.interpreted(game)(game.start(), 5)
    assert check(game, games=3).problems == []


def test_a_folder_that_is_called_like_a_word_of_the_compiler(tmp_path):
    """Advice is found by the words of a complaint, which once were those of the file's path too."""
    path = tmp_path / "float try dict" / "STORE_GLOBAL.py"
    path.parent.mkdir()
    path.write_text(HEADER.replace("import helpers\n", "") + REFUSED["empty_list"] + TAIL.replace(", {told}", " + f(s, m)"))
    with pytest.raises(GameError, match="can't be compiled: an empty list has no type"):
        compiled_play(load(str(path)))
