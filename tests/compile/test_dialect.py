"""Words, ints and truth values in compiled rules: what plain Python gives, they give."""

import itertools
from typing import Any

import numba
import pytest
from numba import boolean, int64, uint64

from plyground.compile.dialect import words_stay_words

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
    with words_stay_words():
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
