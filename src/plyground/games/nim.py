"""Nim: take any number of stones from one heap; the player who takes the last stone wins.

Rules: Bouton's Nim (1901), normal play; with `misere=1`, the player who takes the last stone loses. There are no draws.

A state is the heaps, a move is heap * 100 + stones: 203 takes 3 stones from the third heap.
"""

from typing import NamedTuple

from plyground import Board, Parameter, parameters
from plyground.bits import put

HEAPS, SIZE, MISERE = parameters(
    heaps=Parameter(3, 1, 9, "how many heaps"),
    size=Parameter(5, 1, 99, "stones in the largest heap; each other heap has 1 less than the next"),
    misere=Parameter(0, 0, 1, "1: the player who takes the last stone loses; 0: wins"),
)
TITLE = "Nim"
BOARD = Board("heaps", cols=HEAPS, count=99)


class State(NamedTuple):
    heaps: tuple[int, ...]


def start():
    """Return the first state: SIZE stones in the last heap, one less in each heap before it, such as 3, 4, 5."""
    return State(tuple(max(1, SIZE - i) for i in range(HEAPS))[::-1])


def moves(s):
    for heap in range(HEAPS):
        for stones in range(1, s.heaps[heap] + 1):
            yield heap * 100 + stones


def play(s, m):
    return State(put(s.heaps, m // 100, s.heaps[m // 100] - m % 100))


def result(s):
    for stones in s.heaps:
        if stones:
            return None
    return 1 if MISERE else -1


def evaluate(s):
    """Return 0: only Bouton's theorem would tell the winner, and a search reaches the end of a small game anyway."""
    return 0


# -- for the solver ---------------------------------------------------------------------------------------------------------

KEY_BITS = 7 * HEAPS if HEAPS <= 8 else 0


def code(s):
    """Return the heaps, seven bits each."""
    word = 0
    for stones in s.heaps:
        word = word << 7 | stones
    return word


def remaining(s):
    """Return the most plies left: one per stone."""
    total = 0
    for stones in s.heaps:
        total += stones
    return total


def canonical(s):
    """Return the heaps sorted by size: their order doesn't matter."""
    heaps = s.heaps
    for i in range(1, HEAPS):
        stones, at = heaps[i], i
        while at > 0 and heaps[at - 1] > stones:
            heaps = put(heaps, at, heaps[at - 1])
            at -= 1
        heaps = put(heaps, at, stones)
    return State(heaps)


# -- text and board ---------------------------------------------------------------------------------------------------------


def touch(s, m):
    yield m // 100


def format_move(s, m):
    return f"{'abcdefghi'[m // 100]}{m % 100}"


def parse_move(s, text):
    return "abcdefghi".index(text[0].lower()) * 100 + int(text[1:])


def format_state(s):
    return "-".join(map(str, s.heaps))


def parse_state(text):
    heaps = tuple(int(n) for n in text.split("-"))
    if len(heaps) != HEAPS or not all(0 <= n <= 99 for n in heaps):
        raise ValueError(text)
    return State(heaps)
