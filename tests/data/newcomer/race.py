"""Race: two runners for each side on a track of ten squares; a die of four says how far one of them runs.

Rules: the squares are shared; who lands on a runner of the other side sends it back to the start. Two runners off the end win.
"""

from typing import NamedTuple

from plyground import Board
from plyground.bits import put

LENGTH = 10
HOME = LENGTH
PASS = 2
SIDES = ("red", "blue")
BOARD = Board("squares", 2, LENGTH + 1, pieces=("12B", "34D"), buttons={PASS: "pass"}, fields=("die",))


class State(NamedTuple):
    runners: tuple[int, int, int, int]  # where each is: -1 not begun, LENGTH home; two of red, two of blue
    side: int
    die: int  # 0: to be rolled


def start():
    return State((-1, -1, -1, -1), 0, 0)


def turn(s):
    return s.side


def chance(s):
    if s.die == 0 and not over(s):
        for n in range(1, 5):
            yield n, 1


def over(s):
    return (s.runners[0] == HOME and s.runners[1] == HOME) or (s.runners[2] == HOME and s.runners[3] == HOME)


def may_run(s, i):
    at, other = s.runners[2 * s.side + i], s.runners[2 * s.side + 1 - i]
    to = at + s.die
    return at < HOME and to <= HOME and (to == HOME or to != other)


def moves(s):
    if may_run(s, 0):
        yield 0
    if may_run(s, 1) and s.runners[2 * s.side] != s.runners[2 * s.side + 1]:
        yield 1
    if not may_run(s, 0) and not may_run(s, 1):
        yield PASS


def play(s, m):
    if s.die == 0:
        return s._replace(die=m)
    runners = s.runners
    if m != PASS:
        to = runners[2 * s.side + m] + s.die
        for i in range(2):
            if to < HOME and runners[2 - 2 * s.side + i] == to:
                runners = put(runners, 2 - 2 * s.side + i, -1)
        runners = put(runners, 2 * s.side + m, to)
    return State(runners, 1 - s.side, 0)


def result(s):
    if not over(s):
        return None
    won = 0 if s.runners[0] == HOME and s.runners[1] == HOME else 1
    return 1 if won == s.side else -1


def cell_of(s, i):
    """The upper row is red's, the lower blue's; the first square of a row is for those that have not begun, none for those home."""
    return (LENGTH + 1) * (i // 2) + s.runners[i] + 1


def cells(s):
    for cell in range(2 * LENGTH + 2):
        first = 2 * (cell // (LENGTH + 1))
        one = s.runners[first] < HOME and cell_of(s, first) == cell
        two = s.runners[first + 1] < HOME and cell_of(s, first + 1) == cell
        kind = 3 if one and two else 1 if one else 2 if two else 0
        yield kind + 3 * (first // 2) if kind else 0


def touch(s, m):
    if m != PASS:
        yield cell_of(s, 2 * s.side + m)
