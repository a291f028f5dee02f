"""One state for each word: what bits.py says of it lies in the state after the only move."""

from typing import NamedTuple

from plyground.bits import bitreverse, bits, byteswap, highest, i64, lowest, popcount, put, u64


class State(NamedTuple):
    word: u64
    other: int
    told: tuple[int, ...]
    words: tuple[u64, ...]


def start():
    return State(0, 0, (0,) * 7, (0,) * 9)


def moves(s):
    yield 0


def play(s, m):
    total = 0
    for i in bits(s.word):
        total = 3 * total + i & 0xFFFFFF
    told = (popcount(s.word), lowest(s.word), highest(s.word), total, s.word.bit_count(), s.word.bit_length(), i64(s.word))
    x, y = s.word, s.other
    mixed = x & y
    mixed |= x ^ y
    words = (byteswap(x), bitreverse(x), x + y, x - 1, x * 3, mixed, x | 1, x ^ u64(y), x >> 1)
    return State(x, y, told, put(words, 8, x >> 7))


def result(s):
    return None
