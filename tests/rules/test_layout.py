"""States as rows of words, there and back."""

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from plyground.bits import u64
from plyground.rules.layout import read_layout

SIGNED = st.integers(-(1 << 63), (1 << 63) - 1)
UNSIGNED = st.integers(0, (1 << 64) - 1)


class Mixed(NamedTuple):
    number: int
    word: u64
    cells: tuple[int, ...]
    words: tuple[u64, u64]


class Arrays(NamedTuple):
    board: np.ndarray
    count: int  # type: ignore[assignment]  # hides the method of tuples, as a newcomer's field may
    wide: np.ndarray


VALUES = read_layout(Mixed, Mixed(0, 0, (0, 0, 0), (0, 0)), "here")
ARRAYS = read_layout(Arrays, Arrays(np.zeros((3, 3), np.int8), 0, np.zeros(2, np.uint64)), "here")


@given(SIGNED, UNSIGNED, st.tuples(SIGNED, SIGNED, SIGNED), st.tuples(UNSIGNED, UNSIGNED))
def test_values(number, word, cells, words):
    s = Mixed(number, word, cells, words)
    assert VALUES.words == 7
    assert VALUES.read(VALUES.row(s)) == s
    assert VALUES.fault(s) is None
    assert VALUES.caster()(s) == s


@given(st.lists(st.integers(-128, 127), min_size=9, max_size=9), SIGNED, st.tuples(UNSIGNED, UNSIGNED))
def test_arrays(board, count, wide):
    s = Arrays(np.array(board, np.int8).reshape(3, 3), count, np.array(wide, np.uint64))
    assert ARRAYS.words == 2 + 1 + 2
    row = ARRAYS.row(s)
    again = ARRAYS.read(row)
    assert (again.board == s.board).all()
    assert again.count == count
    assert (again.wide == s.wide).all()
    assert ARRAYS.row(again).tobytes() == row.tobytes()
    row[:] = 0
    assert (again.board == s.board).all(), "a copy, not a view"


@given(st.integers(-(1 << 70), 1 << 70))
def test_casts_cut_words_to_their_size(x):
    assert VALUES.caster()(Mixed(0, x, (0, 0, 0), (x, 0))).word == x % (1 << 64)


class Piece(IntEnum):
    NONE = 0
    MAN = 1


class Pieces(NamedTuple):
    board: tuple[Piece, ...]
    mover: Piece


def test_members_of_enums_come_back_as_members():
    s = Pieces((Piece.MAN, Piece.NONE), Piece.MAN)
    layout = read_layout(Pieces, s, "here")
    back = layout.read(layout.row(s))
    assert back == s
    assert back.mover is Piece.MAN
    assert [x.name for x in back.board] == ["MAN", "NONE"]
    assert layout.read(layout.row(Pieces((2, 0), Piece.MAN))).board == (2, Piece.NONE)


def test_faults_are_named():
    good = Mixed(0, 0, (0, 0, 0), (0, 0))
    for bad, words in [
        (3, "not a State"),
        (good._replace(number=1 << 63), "number has 9223372036854775808, which does not fit in a signed 64-bit word"),
        (good._replace(word=-1), "word has -1, which does not fit in an unsigned"),
        (good._replace(cells=(0, 0)), "cells is not a tuple of 3 ints"),
        (good._replace(cells=(0, 0, "x")), "cells has 'x', which is not an int"),
    ]:
        assert words in VALUES.fault(bad)
    assert "board is not an array" in ARRAYS.fault(Arrays(np.zeros((3, 2), np.int8), 0, np.zeros(2, np.uint64)))
