"""Blocks: memory that has the same names in Python and in a kernel."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground import load
from plyground.bits import i64, u64
from plyground.compile.blocks import Address, Addresses, Block, Float, InnerBlock, Shared, Word, Words
from plyground.compile.fingerprint import Fingerprint
from plyground.compile.native import Native
from plyground.compile.vocabulary import address
from plyground.compile.vocabulary import load as load_word


class Lamp(Block):
    bulbs = Word()
    watts = Shared("other threads may write it")


class Desk(Block):
    count = Word("a counter")
    where = Address("an address")
    share = Float("a number between 0 and 1")
    drawer = Words(4, "four words")
    keys = Addresses(2, "two words without a sign")
    lamp = InnerBlock(Lamp, "a block inside")
    last = Word()


class Pair(Block):
    one = Word()
    two = Word()


def work(at, i, x):
    desk = Desk(at)
    desk.count += 2
    desk.where = u64(at)
    desk.share = desk.share / 2 + 0.25
    desk.drawer[i] = x
    desk.drawer[i] += 1
    desk.keys[1] = u64(x)
    desk.last = desk.drawer[i] * 10
    desk.lamp.watts = desk.lamp.watts + x
    desk.lamp.bulbs = i64(desk.end)
    Pair(at)[2].one = desk.keys[1] > u64(1) << u64(62)  # type: ignore[index]
    return load_word(address(desk.drawer) + u64(8) * u64(i)) + i64(address(desk) == at)


@pytest.fixture(scope="module")
def kernel():
    return Native(load("nim")).bind(work, "int64(uint64, int64, int64)")


@given(
    i=st.sampled_from([0, 2, 3]),
    x=st.integers(-(1 << 60), 1 << 60),
    count=st.integers(-(1 << 62), 1 << 62),
    share=st.floats(0, 1),
)
def test_a_kernel_and_python_see_the_same(kernel, i, x, count, share):
    desk = Desk()
    desk.count, desk.share, desk.lamp.watts = count, share, -1
    assert kernel(desk.address, i, x) == x + 1 + 1
    assert (desk.count, desk.where, desk.share) == (count + 2, desk.address, share / 2 + 0.25)
    assert desk.drawer[i] == x + 1
    assert desk.drawer[1] == (x < 0 or x > 1 << 62)
    assert desk.keys[1] == x % (1 << 64)
    assert (desk.lamp.watts, desk.lamp.bulbs) == (x - 1, desk.end)
    assert desk.last == ((x + 1) * 10 + (1 << 63)) % (1 << 64) - (1 << 63)


def test_places():
    assert [f.offset for f in Desk.fields.values()] == [0, 8, 16, 24, 56, 72, 88]
    desk = Desk(5)
    assert (Desk.size, desk.end - desk.address, len(desk.words), len(desk.extra_words)) == (96, 96, 17, 5)
    assert desk.extra_words.ctypes.data == desk.end
    assert (desk.lamp.address, desk.lamp.end) == (desk.address + 72, desk.address + 88)


def test_a_part_can_be_cleared():
    desk = Desk()
    desk.words[:] = np.uint64(7)
    desk.clear(Desk.share, Desk.drawer)
    assert desk.count == desk.last == 7
    assert desk.share == 0
    assert not desk.drawer.any()
    assert desk.keys.all()


def test_a_row_is_set_item_by_item():
    with pytest.raises(AttributeError, match="drawer has 4 words; assign to its items"):
        Desk().drawer = 5


def test_a_kernel_is_compiled_anew_when_a_block_changes():
    def of(**fields):
        tag = Fingerprint()
        tag.add(type("Desk", (Block,), fields))
        return tag.hexdigest()

    one = of(count=Word(), last=Word())
    assert one == of(count=Word("another meaning"), last=Word())
    assert one != of(last=Word(), count=Word())
    assert one != of(count=Address(), last=Word())
    assert one != of(count=Words(1), last=Word())
    assert one != of(count=Shared(), last=Word())
    assert of(lamp=InnerBlock(Lamp)) != of(lamp=InnerBlock(Pair))
