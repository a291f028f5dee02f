"""Words, ints and truth values in compiled rules: what plain Python gives, they give."""

import itertools
import re
from typing import Any

import numba
import pytest
from llvmlite import ir
from numba import boolean, int64, uint64
from numba.core import types as nb
from numba.cpython.unsafe.tuple import tuple_setitem

from plyground.compile import intrinsics
from plyground.compile.dialect import link_before_codegen, uint64_arithmetic, vectorise_words

KINDS: dict[str, tuple[Any, list[int]]] = {
    "truth": (boolean, [False, True]),
    "int": (int64, [-7, -1, 0, 1, 3, 62]),
    "word": (uint64, [0, 1, 5, 62, 1 << 63, (1 << 64) - 3]),
}
SINGLE = ["~a", "-a", "+a", "not a", "a ** 2", "abs(a)"]
SIGNS = ["+", "-", "*", "&", "|", "^"]
ORDERS = ["==", "!=", "<", "<=", ">", ">="]
DOUBLE = [f"a {sign} b" for sign in SIGNS + ORDERS] + ["max(a, b)", "min(a, b)", "a if a > b else b"]
SHIFTS = ["a << b", "a >> b"]
DIVISIONS = ["a // b", "a % b", "divmod(a, b)[0]", "divmod(a, b)[1]"]
IN_PLACE = [f"{sign}=" for sign in [*SIGNS, "//", "%"]]


def compiled(source, *kinds):
    names: dict[str, Any] = {}
    exec(source, names)
    with uint64_arithmetic():
        return names["f"], numba.njit(tuple(KINDS[kind][0] for kind in kinds))(names["f"])


def same(plain, native):
    """A word and an int are the same where their 64 bits are; a truth value is the int that it counts as."""
    return all((int(x) - int(y)) % (1 << 64) == 0 and type(y) is not float for x, y in zip(plain, native, strict=True))


def pairs(first, second):
    """What may meet: a word and a negative int may not."""
    for a, b in itertools.product(KINDS[first][1], KINDS[second][1]):
        if (first == second or "word" not in (first, second)) or min(a, b) >= 0:
            yield a, b


@pytest.mark.filterwarnings("ignore:Bitwise inversion:DeprecationWarning")
@pytest.mark.parametrize("kind", KINDS)
def test_of_one(kind):
    plain, native = compiled(f"def f(a): return ({', '.join(SINGLE)})", kind)
    for a in KINDS[kind][1]:
        assert same(plain(a), native(a)), a


@pytest.mark.parametrize(("first", "second"), list(itertools.product(KINDS, repeat=2)))
def test_of_two(first, second):
    plain, native = compiled(f"def f(a, b): return ({', '.join(DOUBLE)})", first, second)
    for a, b in pairs(first, second):
        assert same(plain(a, b), native(a, b)), (a, b)
    plain, native = compiled(f"def f(a, b): return ({', '.join(SHIFTS)})", first, second)
    for a, b in pairs(first, second):
        if 0 <= b < 64:
            assert same(plain(a, b), native(a, b)), (a, b)
    plain, native = compiled(f"def f(a, b): return ({', '.join(DIVISIONS)})", first, second)
    for a, b in pairs(first, second):
        if b:
            assert same(plain(a, b), native(a, b)), (a, b)


@pytest.mark.parametrize("sign", IN_PLACE)
@pytest.mark.parametrize(("first", "second"), list(itertools.product(("int", "word"), KINDS)))
def test_in_place(sign, first, second):
    plain, native = compiled(f"def f(a, b):\n    a {sign} b\n    return (a,)", first, second)
    for a, b in pairs(first, second):
        if b or sign not in ("//=", "%="):
            assert same(plain(a, b), native(a, b)), (a, b)


# -- what callers link -------------------------------------------------------------------------------------------------------


def test_what_is_linked_is_not_what_the_code_generator_left():
    """There, two tuples share a place on the stack that is aligned for one of them only: a caller crashed on an aligned load."""

    @numba.njit
    def put(t, i, value):
        if i < 0 or i >= len(t):
            raise IndexError
        return tuple_setitem(t, i, value)  # by way of the stack

    @numba.njit(error_model="numpy")
    def play(points, hand, m):
        points = put(points, m % 24, m)
        if m < 24:
            hand = put(hand, m % 2, hand[m % 2] - 1)
        else:
            points = put(points, m // 24, 0)
        return points, hand

    with vectorise_words(), link_before_codegen():
        play.compile((nb.UniTuple(int64, 24), nb.UniTuple(int64, 2), int64))
    (compiled,) = play.overloads.values()
    text = str(compiled.library._get_module_for_linking())
    slots = {name: int(align) for name, align in re.findall(r"(%\S+) = alloca .*?, align (\d+)", text)}
    used = [(name, int(align)) for name, align in re.findall(r"ptr (%[^\s,]+), align (\d+)", text) if name in slots]
    assert used
    assert [(name, align) for name, align in used if align > slots[name]] == []


@pytest.mark.parametrize("name", ["ctpop", "cttz", "ctlz", "bswap", "reverse"])
def test_instructions_have_the_names_that_llvm_knows(name: str) -> None:
    """LLVM repairs a wrong name when it reads the text, or ends the process: some of its versions do."""
    module = ir.Module()
    b = ir.IRBuilder(ir.Function(module, ir.FunctionType(ir.VoidType(), []), "f").append_basic_block())
    _, build = getattr(intrinsics, f"_{name}")._defn(None, nb.uint64)
    build(None, b, None, [ir.Constant(ir.IntType(64), 1)])
    (declared,) = [f.name for f in module.functions if f.name != "f"]
    assert re.fullmatch(r"llvm\.\w+\.i64", declared)
