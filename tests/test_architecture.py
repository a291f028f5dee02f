"""The rooms of the house: who may import whom, no circles, and the compiler in one room only."""

import ast
import io
import re
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest

import plyground
from here import DOCS

HOME = Path(plyground.__file__).parent
GROUND = {"errors", "bits", "score"}
"""Single files that anybody may import; they import one another at most."""
TABLE = {
    "system": "",
    "pages": "",
    "board": "pages",
    "rules": "board system",
    "play": "rules system",
    "games": "rules board",
    "textbook": "play rules board pages system",
    "explain": "textbook play rules board pages",
    "compile": "rules system",
    "cluster": "compile rules system",
    "nets": "compile rules board system",
    "kernels": "nets compile rules system",
    "solver": "kernels compile play rules system",
    "train": "kernels nets cluster compile rules system",
    "engine": "solver kernels nets compile textbook play rules system",
    "protocols": "engine compile textbook play rules board system",
    "players": "protocols engine solver compile textbook play rules system",
    "records": "players play rules system",
    "arena": "records players engine solver nets cluster compile textbook play rules pages system",
    "report": "arena records players engine solver kernels nets compile textbook play rules board pages system",
    "measure": "kernels compile rules system",
    "check": "engine solver kernels compile textbook play rules board system",
    "web": "explain engine kernels nets compile textbook play rules board pages system",
    "cli": "report arena records players protocols web check engine train explain measure solver nets cluster compile textbook "
    "play rules board system",
}
"""The rooms from the ground up; docs/architecture.md shows the same table."""
MAY_IMPORT = {name: set(below.split()) for name, below in TABLE.items()}


def modules():
    for path in sorted(HOME.rglob("*.py")):
        parts = path.relative_to(HOME).with_suffix("").parts
        yield path, ".".join(("plyground", *(p for p in parts if p != "__init__")))


NAMES = {name for _, name in modules()}


def imports(path, everywhere=True):
    """The modules of ours that a file imports, also those that only a type checker sees; `everywhere` counts functions too."""
    found = set()
    nodes = [ast.parse(path.read_text(encoding="utf-8"))]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("plyground"):
            both = {f"{node.module}.{alias.name}" for alias in node.names} & NAMES
            found |= both or {node.module}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.startswith("plyground")}
        elif not everywhere and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        nodes += ast.iter_child_nodes(node)
    return found


def room(name):
    parts = name.split(".")
    return parts[1] if len(parts) > 1 else ""


@pytest.mark.parametrize(("path", "name"), [pytest.param(*m, id=m[1]) for m in modules()])
def test_imports_point_downwards(path, name):
    here = room(name)
    if here in ("", "__main__"):
        return
    allowed = GROUND if here in GROUND else MAY_IMPORT[here] | GROUND | {here}
    if here in ("games", "cli", "web", "arena", "cluster", "records", "report", "train", "protocols", "players"):
        allowed = allowed | {""}  # `from plyground import Parameter`, as users write their rules; the version of the program
    wrong = {other for other in imports(path) if room(other) not in allowed}
    assert not wrong, f"{name} imports {', '.join(sorted(wrong))}"


def test_every_room_is_in_the_table_and_lower_ones_come_first():
    rooms = {p.name for p in HOME.iterdir() if p.is_dir() and p.name != "__pycache__"}
    assert rooms == set(MAY_IMPORT)
    assert {p.stem for p in HOME.glob("*.py")} == {"__init__", "__main__", *GROUND}
    order = list(MAY_IMPORT)
    assert all(order.index(below) < order.index(above) for above, allowed in MAY_IMPORT.items() for below in allowed)


def test_the_page_shows_the_table():
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)/` \| .* \| (.*) \|$", page, re.MULTILINE)
    assert {name: set(allowed.split(", ")) - {"nothing"} for name, allowed in rows} == MAY_IMPORT


FILE = re.compile(r"(\w[\w-]*/)*[\w-]+\.(py|js|ll|css|html)")


def comments(path):
    """The comments and docstrings of a file."""
    text = path.read_text(encoding="utf-8")
    yield from (t.string for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.type == tokenize.COMMENT)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value


def is_there(name, near):
    """Whether a file, a folder or a `room/module` is where a text says, seen from the package, from the project or from near."""
    name = name.rstrip("/")
    for folder in (HOME, DOCS.parent, near):
        if any((folder / (name + end)).exists() for end in ("", ".py")) or (folder / name).with_suffix(".py").is_file():
            return True
    return "/" not in name and (name.removesuffix(".py") in sys.stdlib_module_names or any(HOME.rglob(name)))


def test_files_and_modules_that_texts_name_exist():
    rooms = [p.name for p in HOME.iterdir() if p.is_dir()]
    below = re.compile(rf"(?:{'|'.join([*rooms, 'docs', 'tests', 'benchmarks', 'examples'])})/.+")
    gone = []
    for path, name in modules():
        for text in comments(path):
            named = [x for x in re.findall(r"`([\w./-]+)`", text) if FILE.fullmatch(x) or below.fullmatch(x)]
            gone += [f"{name}: {x}" for x in named if not is_there(x, path.parent)]
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    named = [x for x in re.findall(r"`([\w./-]+)`", page) if FILE.fullmatch(x) or "/" in x]
    named += re.findall(rf"(?<![\w/`.])((?:{'|'.join(rooms)})/\w+(?:/\w+)*)", page)  # in the drawings
    gone += [f"architecture.md: {x}" for x in named if not is_there(x, HOME / "compile")]
    assert not gone


def test_no_way_crosses_more_than_twelve_files():
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| .* \| .* \| (\d+) \| (.*) \|$", page, re.MULTILINE)
    assert len(rows) == 5
    for number, files in rows:
        assert int(number) == len(set(re.findall(r"`[\w./]+`", files))) <= 12


def test_no_two_modules_import_each_other():
    needs = {name: imports(path, everywhere=False) for path, name in modules()}
    circles = []

    def visit(name, way):
        if name in way:
            circles.append([*way[way.index(name) :], name])
        elif name in needs:
            for other in needs[name] - {"plyground"}:
                visit(other, [*way, name])
            needs.pop(name)  # every way on from here was tried

    for name in list(needs):
        visit(name, [])
    assert not circles


def public_functions(body, prefix=""):
    """The functions and methods that other modules may call, with their dotted names."""
    for node in body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from public_functions(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.FunctionDef) and (not node.name.startswith("_") or node.name in ("__init__", "__call__")):
            yield prefix + node.name, node


def says_any(function):
    a = function.args
    given = [x.annotation for x in (*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg) if x is not None]
    notes = [note for note in (*given, function.returns) if note is not None]
    return any(isinstance(n, ast.Name) and n.id == "Any" for note in notes for n in ast.walk(note))


def test_public_signatures_say_their_types():
    found = {}
    for path, name in modules():
        body = ast.parse(path.read_text(encoding="utf-8")).body
        found[name] = [f"{name}.{called}" for called, function in public_functions(body) if says_any(function)]
    numbers = ["plyground.rules.parameters.parameters"]  # an int, or as many as it is given names: no type says that
    assert [called for name in found if room(name) != "compile" for called in found[name]] == numbers
    assert sum(len(found[name]) for name in found if room(name) == "compile") <= 93  # Numba's objects have no types


def test_few_values_are_of_any_type():
    lines = [line for path, _ in modules() for line in path.read_text(encoding="utf-8").splitlines()]
    assert sum(": Any" in line for line in lines) <= 60


def test_only_one_room_knows_the_compiler():
    for path, name in modules():
        text = path.read_text(encoding="utf-8")
        if room(name) != "compile":
            tree = ast.walk(ast.parse(text))
            named = [a.name for n in tree if isinstance(n, ast.Import) for a in n.names]
            named += [n.module or "" for n in ast.walk(ast.parse(text)) if isinstance(n, ast.ImportFrom)]
            assert not [n for n in named if n.partition(".")[0] in ("numba", "llvmlite")], name


def test_only_one_file_does_arithmetic_on_wins():
    def named(node):
        if isinstance(node, ast.ImportFrom) and node.module == "plyground.score":
            return {alias.name for alias in node.names}
        return {node.attr} if isinstance(node, ast.Attribute) else set()

    trees = {name: ast.walk(ast.parse(path.read_text(encoding="utf-8"))) for path, name in modules()}
    assert {name for name, nodes in trees.items() if any({"WIN", "PROVEN"} & named(node) for node in nodes)} == set()


@pytest.mark.parametrize(
    ("code", "heavy"),
    [
        ("import plyground", {"numba", "llvmlite", "numpy", "rich"}),
        ("from plyground import load, Limit, Match; Match(load('nim')).play('a1')", {"numba", "llvmlite", "numpy", "rich"}),
        ("from plyground import load, Engine, Limit, Solver, Match; Engine('nim'); Solver('nim')", {"numba", "llvmlite", "rich"}),
    ],
)
def test_what_is_imported_when(code, heavy):
    code = f"{code}; import sys; loaded = {heavy!r} & set(sys.modules); assert not loaded, loaded"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_public_names_are_there():
    assert all(hasattr(plyground, name) for name in plyground.__all__)
    with pytest.raises(AttributeError, match="no attribute 'Engin'"):
        plyground.Engin  # type: ignore[attr-defined]  # noqa: B018
