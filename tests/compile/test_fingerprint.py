"""The hash that finds a compiled kernel: rules that read another value get another one, however they reach the value."""

import importlib
import sys
from typing import Any

import pytest

from plyground import GameError, load
from plyground.compile.fingerprint import kernel_hash

RULES = """
from typing import NamedTuple
{header}
class State(NamedTuple):
    left: int
def start(): return State(12)
def top(left):
    return {value}
def moves(s): return range(1, top(s.left) + 1)
def play(s, m): return State(s.left - m)
def result(s): return -1 if s.left <= 0 else None
"""
HELPER = """
import enum
X = 2
TABLE = (1, 2)
def f(left): return 2
def g(left, n=2): return min(left, n)
class E(enum.IntEnum):
    A = 2
class C:
    A = 2
    class D:
        A = 2
def __getattr__(name):
    if name == "LAZY": return 20
    raise AttributeError(name)
"""
WAYS = {
    "literal": ("", "2"),
    "constant": ("N = 2", "N"),
    "expression": ("N = 1 + 2", "N"),
    "tuple": ("T = (1, 2)", "T[1]"),
    "nested tuple": ("T = ((1, 1), (1, 2))", "T[1][1]"),
    "list": ("T = [1, 2]", "T[1]"),
    "array": ("import numpy as np\nT = np.array([1, 2])", "T[1]"),
    "numpy number": ("import numpy as np\nN = np.int8(2)", "N"),
    "word": ("from plyground.bits import u64\nN = u64(2)", "int(N)"),
    "dict": ("T = {1: 2}", "T[1]"),
    "set": ("T = {1, 2}", "len(T) + (2 in T)"),
    "range": ("T = range(2)", "len(T)"),
    "truth value": ("N = 2 < 3", "1 + N"),
    "text": ("T = 'ab2'", "int(T[2])"),
    "IntEnum": ("import enum\nclass P(enum.IntEnum):\n    A = 2", "P.A"),
    "IntEnum, aliased member": ("import enum\nclass P(enum.IntEnum):\n    A = 2\nN = P.A", "N"),
    "Enum": ("import enum\nclass P(enum.Enum):\n    A = 2", "P.A.value"),
    "enum in a tuple": ("import enum\nclass P(enum.IntEnum):\n    A = 2\nT = (P,)", "T[0].A"),
    "class": ("class P:\n    A = 2", "P.A"),
    "class, inherited": ("class Q:\n    A = 2\nclass P(Q): pass", "P.A"),
    "class, nested": ("class P:\n    class Q:\n        A = 2", "P.Q.A"),
    "class, alias": ("class P:\n    A = 2\nQ = P", "Q.A"),
    "class, static method": ("class P:\n    @staticmethod\n    def a(): return 2", "P.a()"),
    "NamedTuple, default": ("class P(NamedTuple):\n    a: int = 2", "P().a"),
    "NamedTuple, instance": ("class P(NamedTuple):\n    a: int\nN = P(2)", "N.a"),
    "helper": ("def f(x): return 2", "f(left)"),
    "helper, default": ("def f(x, n=2): return n", "f(left)"),
    "helper, keyword default": ("def f(x, *, n=2): return n", "f(left)"),
    "helper of a helper": ("def g(x): return 2\ndef f(x): return g(x)", "f(left)"),
    "lambda": ("f = lambda x: 2", "f(left)"),
    "closure": ("def make(n):\n    def f(x): return n\n    return f\nf = make(2)", "f(left)"),
    "closure over a table": ("def make(n):\n    def f(x): return n[0]\n    return f\nf = make((2, 1))", "f(left)"),
    "closure over a function": ("def make(g):\n    def f(x): return g()\n    return f\nf = make(lambda: 2)", "f(left)"),
    "partial": ("import functools\ndef g(n, x): return n\nf = functools.partial(g, 2)", "f(left)"),
    "partial, keyword": ("import functools\ndef g(x, n): return n\nf = functools.partial(g, n=2)", "f(left)"),
    "lru_cache": ("import functools\n@functools.cache\ndef f(x): return 2", "f(left)"),
    "functions in a tuple": ("def f(x): return 2\nT = (f,)", "T[0](left)"),
    "inner function": ("", "(lambda x: x + 2)(0)"),
    "comprehension": ("T = (0, 2)", "max([x for x in T])"),
}  # fmt: skip
MODULE_WAYS = {
    "module, constant": ("import helperlib", "helperlib.X", "X = 2"),
    "module, alias": ("import helperlib as h\nk = h", "k.X", "X = 2"),
    "module, by name": ("from helperlib import X", "X", "X = 2"),
    "module, table": ("import helperlib", "helperlib.TABLE[1]", "TABLE = (1, 2)"),
    "module, function": ("import helperlib", "helperlib.f(left)", "return 2"),
    "module, default": ("import helperlib", "helperlib.g(left)", "n=2"),
    "module, enum": ("import helperlib", "helperlib.E.A", "IntEnum):\n    A = 2"),
    "module, class": ("import helperlib", "helperlib.C.A", "class C:\n    A = 2"),
    "module, nested class": ("import helperlib", "helperlib.C.D.A", "class D:\n        A = 2"),
    "module, made on demand": ("import helperlib", "helperlib.LAZY", "return 20"),
    "package": ("import helperpack.inner", "helperpack.inner.X", "X = 2"),
    "package, from": ("from helperpack import inner", "inner.X", "X = 2"),
}


@pytest.fixture(params=["beside the rules", "site-packages"])
def library(tmp_path, monkeypatch, request):
    """A folder for modules that rules import: their own, or one that looks like that of installed packages."""
    folder = tmp_path if request.param == "beside the rules" else tmp_path / "site-packages"
    folder.mkdir(exist_ok=True)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield folder
    forget()


def forget():
    for name in [name for name in sys.modules if name.startswith(("helper", "sched", "wsgiref"))]:
        del sys.modules[name]
    importlib.invalidate_caches()


def tag(path, header, value):
    path.write_text(RULES.format(header=header, value=value))
    return kernel_hash(load(str(path)), None, {})


@pytest.mark.parametrize("way", WAYS)
def test_another_value_gets_another_tag(tmp_path, way):
    header, value = WAYS[way]
    old = tag(tmp_path / "one.py", header, value)
    assert tag(tmp_path / "two.py", header, value) == old
    here = "2" in header
    changed = tag(tmp_path / "three.py", header.replace("2", "3"), value if here else value.replace("2", "3"))
    assert changed != old


@pytest.mark.parametrize("names", [("helperlib", "helperpack"), ("sched", "wsgiref")], ids=["own names", "names of Python's"])
@pytest.mark.parametrize("way", MODULE_WAYS)
def test_another_value_in_a_module_gets_another_tag(library, tmp_path, way, names):
    header, value, text = (part.replace("helperlib", names[0]).replace("helperpack", names[1]) for part in MODULE_WAYS[way])
    tags: list[Any] = []
    for helper in (HELPER, HELPER, HELPER.replace(text, text.replace("2", "3"))):
        forget()
        (library / names[1]).mkdir(exist_ok=True)
        for name in (f"{names[0]}.py", f"{names[1]}/inner.py", f"{names[1]}/__init__.py"):
            (library / name).write_text(helper)
        tags.append(tag(tmp_path / f"game{len(tags)}.py", header, value))
    assert tags[0] == tags[1] != tags[2]


OUTSIDE = r"is \w+, which can't be compiled; rules can use global numbers"


@pytest.mark.parametrize(
    ("header", "value", "words"),
    [
        ("class P: pass\np = P()\np.a = 2", "p.a", OUTSIDE),
        ("import types\np = types.SimpleNamespace(a=2)", "p.a", OUTSIDE),
        ("import random\ndice = random.Random(2)", "2 if dice.random() < 2 else 1", r"comes from random .*define `chance\(s\)`"),
        ("import numpy as np\nT = np.array([2], object)", "T[0]", OUTSIDE),
    ],
)
def test_what_cannot_be_hashed_is_refused_with_its_line(tmp_path, header, value, words):
    line = RULES.format(header=header, value=value).splitlines().index(f"    return {value}") + 1
    with pytest.raises(GameError, match=rf"game\.py:{line}: `\w+` {words}"):
        tag(tmp_path / "game.py", header, value)


def test_a_value_that_holds_itself(tmp_path):
    assert tag(tmp_path / "game.py", "T = [2]\nT.append(T)", "T[0]") != tag(tmp_path / "two.py", "T = [3]\nT.append(T)", "T[0]")
