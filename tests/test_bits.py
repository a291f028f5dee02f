"""The words of 64 bits: what is interpreted equals its native twin, and u64 stays u64 in compiled rules."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from here import DATA
from plyground import bits, load
from plyground.check.inspection import CompiledRules, inspect

WORD = st.integers(0, (1 << 64) - 1)
RULES = (DATA / "rules" / "bits.py").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def rules(tmp_path_factory):
    path = tmp_path_factory.mktemp("rules") / "words.py"
    path.write_text(RULES)
    return CompiledRules(load(str(path)))


@given(word=WORD, other=st.integers(0, (1 << 62)))
@example(word=0, other=0)
@example(word=1, other=1)
@example(word=1 << 63, other=1)
@example(word=(1 << 64) - 1, other=1 << 62)
def test_native_twins(rules, word, other):
    import random

    s = rules.game.State(word, other, (0,) * 7, (0,) * 9)
    assert rules.inspect(s, [0]).children == inspect(rules.game, s, random.Random(0)).children


@given(WORD)
def test_what_they_say(x):
    assert bits.popcount(x) == bin(x).count("1")
    assert list(bits.bits(x)) == [i for i in range(64) if x >> i & 1]
    assert bits.lowest(x) == next(bits.bits(x), 64)
    assert bits.highest(x) == max(bits.bits(x), default=-1)
    assert bits.byteswap(bits.byteswap(x)) == bits.bitreverse(bits.bitreverse(x)) == x
    assert [63 - i for i in bits.bits(bits.bitreverse(x))][::-1] == list(bits.bits(x))


@given(st.integers())
def test_casts(x):
    assert bits.u64(x) == x % (1 << 64)
    assert bits.i64(x) % (1 << 64) == bits.u64(x)
    assert -(1 << 63) <= bits.i64(x) < 1 << 63


@given(st.lists(st.integers(), min_size=1), st.data())
def test_put(items, data):
    i = data.draw(st.integers(-len(items) - 3, len(items) + 3))
    if not -len(items) <= i < len(items):
        with pytest.raises(IndexError):
            bits.put(tuple(items), i, "x")
        return
    replaced = bits.put(tuple(items), i, "x")
    assert len(replaced) == len(items)
    assert [replaced[j] for j in range(len(items))] == ["x" if j == i % len(items) else items[j] for j in range(len(items))]
