"""Ordinary Python in rules: each idiom either works compiled as it does interpreted, or is refused with line and advice."""

import re
import sys

import pytest

from here import DATA, DOCS
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
    compare(load(str(write(named))), named)


def compare(game, named):
    """Asserts that compiled and interpreted rules agree about each idiom."""
    play = compiled_play(game)
    for m in range(3):
        plain, native = game.play(game.start(), m), play(game.start(), m)
        assert dict(zip(named, native[2:], strict=True)) == dict(zip(named, map(int, plain[2:]), strict=True)), m


def promised():
    """The names in the page's tables of what compiled rules may use."""
    page = (DOCS / "contract.md").read_text(encoding="utf-8").partition("## What compiled rules may use")[2]
    table, said, rest = page.partition("\nYou can't use ")
    assert said
    words = re.findall(
        r"`([^`]+)`", table.partition("| you can use")[2] + rest.partition("From `plyground.bits`")[2].partition("\n\n")[0]
    )
    return {name for word in words for name in re.findall(r"[a-zA-Z_]\w+", word)}


def test_everything_that_the_page_promises_is_compiled_here():
    used = set(re.findall(r"\w+", "".join(WORKS.values())))
    assert len(promised()) > 40
    assert promised() - used == set()


ITEMS = {
    "field": "s.cells",
    "table": "LONG",
    "list": "[c + m for c in s.cells]",
    "range": "range(m, 6)",
    "expression": "(c * 2 for c in s.cells if c != m)",
    "generator": "g(s)",
}
CALLS = (
    *(
        "any(ITEMS)",
        "all(ITEMS)",
        "any(x > 4 for x in ITEMS)",
        "all(x > 0 for x in ITEMS)",
        "max(ITEMS, key=lambda x: x * 5 % 7)",
    ),
    *(
        "sum(ITEMS)",
        "sum(ITEMS, start=3)",
        "sum(x * x for x in ITEMS)",
        "min(ITEMS)",
        "min(ITEMS, default=9)",
        "max(ITEMS, default=9)",
    ),
    *(
        "min(ITEMS, key=lambda x: -x, default=9)",
        "min((x for x in ITEMS if x > 90), default=4)",
        "next((x for x in ITEMS if x > 1), 8)",
    ),
    *("sorted(ITEMS)[1]", "sorted(ITEMS, key=lambda x: x * 5 % 7)[1]", "sorted(ITEMS, reverse=True)[1]", "list(ITEMS)[1]"),
    *("sum(map(lambda x: x + m, ITEMS))", "sum(filter(lambda x: x > m, ITEMS))", "sum(x * y for x, y in zip(ITEMS, s.cells))"),
    *("sum(i * x for i, x in enumerate(ITEMS))", "sum(i * x for i, x in enumerate(ITEMS, start=2))", "deque(ITEMS)[1]"),
    *(
        "reduce(lambda a, b: a * 3 + b, ITEMS)",
        "reduce(lambda a, b: a * 3 + b, ITEMS, 1)",
        "sum(i * x for i, x in enumerate(chain(ITEMS, SHORT)))",
    ),
    *(
        "sum(a * b for a, b in pairwise(ITEMS))",
        "sum(a * 2 + b for a, b in product(ITEMS, ITEMS))",
        "sum(a * 2 + b for a, b in product(ITEMS, repeat=2))",
    ),
    *("sum(a * 2 + b for a, b in combinations(ITEMS, 2))", "sum(a * 2 + b * c for a, b, c in combinations(ITEMS, 3))"),
    *(
        "sum(a * 2 + b for a, b in permutations(ITEMS, 2))",
        "sum(a * 2 + b * c for a, b, c in permutations(ITEMS, 3))",
        "math.prod(ITEMS)",
    ),
)


@pytest.mark.parametrize("kind", [pytest.param(kind, marks=pytest.mark.long) for kind in ITEMS])
def test_every_function_takes_every_kind_of_items(write, kind):
    helper = "def g(s):\n    for c in s.cells:\n        yield c + 1\n" if kind == "generator" else ""
    named = {call: f"{helper}def f(s, m):\n    return {call.replace('ITEMS', ITEMS[kind])}\n" for call in CALLS}
    compare(load(str(write(named))), named)


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


def test_a_refusal_quotes_the_file_as_it_is_now(write):
    """Rules that are corrected and loaded again, as in a notebook, were quoted as they had been."""
    for name, line in (
        ("dice_of_python", "return random.randint(1, 6)"),
        ("partial", "return plus"),
        ("counter", "return collections.Counter"),
    ):
        with pytest.raises(GameError) as e:
            compiled_play(load(str(write({name: REFUSED[name]}))))
        assert line in str(e.value)


NAMES = (
    *("t", "cls", "s", "m", "x", "x0", "self", "as_int", "len", "range", "tuple", "list", "int", "State", "load", "store", "np"),
    *("count", "index", "items", "play", "moves", "key", "native"),
)


def test_fields_with_names_that_generated_code_might_use(tmp_path):
    """Generated functions once had arguments with the names of the fields."""
    fields = "".join(f"    {name}: {'tuple[int, ...]' if name == 'items' else 'int'}\n" for name in NAMES)
    given = ", ".join(f"{name}=s.{name} + {i}" for i, name in enumerate(NAMES) if name != "items")
    path = tmp_path / "game.py"
    path.write_text(
        f"from typing import NamedTuple\nclass State(NamedTuple):\n{fields}"
        f"def start(): return State({', '.join('(1, 2)' if name == 'items' else '3' for name in NAMES)})\n"
        "def moves(s): return (0, 1, 2)\n"
        "def play(s, m):\n"
        "    if m == 0:\n        return s._replace(t=m, cls=s.t > 2, items=(m, 4))\n"
        f"    if m == 1:\n        return s._replace({given})\n"
        f"    return State(items=s.items, {given})\n"
        "def result(s): return None\n"
    )
    game = load(str(path))
    play = compiled_play(game)
    for m in range(3):
        assert play(game.start(), m) == game.play(game.start(), m)
