"""Backgammon: race fifteen checkers home and off; a blot that is hit starts again from the bar. No doubling cube.

Rules: those of the US Backgammon Federation for one game, without the cube: no automatic doubles, no beavers, no Jacoby rule, so
gammons and backgammons always count. Both dice must be played if possible in either order; if only one can be played, it must be
the larger if possible; of a double, as many as possible. Checkers on the bar enter first. A die larger than the highest occupied
point bears off from that point. There are no draws.

Each side numbers the points as it travels, from 24 down to 1, and its checkers are stored that way; X's points, seen from above:

    13 14 15 16 17 18 | bar | 19 20 21 22 23 24        X enters here
    12 11 10  9  8  7 | bar |  6  5  4  3  2  1        X's home board

so X's point p is O's point 25 - p. A side's checkers are four bit planes, two per word: bit p of the four planes is the number of
checkers on point p in binary, bit 25 is the bar, and checkers missing from fifteen are off.

    word 1: ones in bits 0..31, twos in bits 32..63       word 2: fours in bits 0..31, eights in bits 32..63

A move is up to four pairs of places, from and to, ten bits each, the first pair lowest: 32 * from + to, where 0 is off and 25 the
bar. A checker that plays both dice is one pair, unless it hits on the way. A pass is 0. A roll is 8 * larger + smaller.

The game starts with the opening roll, one die each and never equal: the side with the larger die starts and plays both. It is
written 8 * X's die + O's die. The result is 1, or 2 for a gammon (the loser has no checker off), or 3 for a backgammon (and also
has one on the bar or in the winner's home board).

This file has the rules. `evaluate.py` has what the engine needs besides, `notation.py` the names of moves and positions.
"""

from typing import NamedTuple

from plyground.bits import bitreverse, bits, highest, popcount, u64

TITLE = "Backgammon"
SIDES = ("X", "O")
MARGIN = 3

BAR, OFF, PASS = 25, 0, 0
ROLL, OPENING = 0, -1  # instead of dice
POINTS = (1 << 25) - 2
PLACES = (1 << 26) - 2  # the points and the bar
BEYOND_HOME = PLACES & ~0x7F
START = {24: 2, 13: 5, 8: 3, 6: 5}
MEN = 15


class State(NamedTuple):
    mine: u64  # the checkers of the side to move, ones and twos
    mine4: u64  # fours and eights
    theirs: u64
    theirs4: u64
    dice: int  # 8 * larger + smaller, or ROLL, or OPENING
    turn: int


def pack_checkers(count):
    """Return the two words of checkers, from a dict of point to number."""
    planes = [sum((n >> i & 1) << p for p, n in count.items()) for i in range(4)]
    return planes[0] | planes[1] << 32, planes[2] | planes[3] << 32


START_POSITION = pack_checkers(START)


def start():
    return State(START_POSITION[0], START_POSITION[1], START_POSITION[0], START_POSITION[1], OPENING, 0)


def turn(s):
    return s.turn


# -- checkers -----------------------------------------------------------------------------------------------------------------


def add(low, high, p):
    """Add a checker on p: a carry runs through the planes."""
    bit = u64(1) << p
    low ^= bit
    if low & bit:
        return low, high
    low ^= bit << 32
    if low & bit << 32:
        return low, high
    high ^= bit
    if high & bit:
        return low, high
    return low, high ^ bit << 32


def remove(low, high, p):
    """Remove a checker from p."""
    bit = u64(1) << p
    low ^= bit
    if not low & bit:
        return low, high
    low ^= bit << 32
    if not low & bit << 32:
        return low, high
    high ^= bit
    if not high & bit:
        return low, high
    return low, high ^ bit << 32


def move_checker(low, high, f, t):
    """Move a checker from f to t."""
    low, high = remove(low, high, f)
    return add(low, high, t) if t else (low, high)


def occupied(low, high):
    """Return the places with a checker."""
    return (low | low >> 32 | high | high >> 32) & PLACES


def made_points(low, high):
    """Return the places with two or more checkers."""
    return (low >> 32 | high | high >> 32) & PLACES


def mirror_points(places):
    """Return the points as the other side numbers them; the bar is dropped."""
    return bitreverse(places) >> 38 & POINTS


def checker_count(low, high):
    """Return the number of checkers that are not off."""
    return popcount(low & PLACES) + 2 * popcount(low >> 32) + 4 * popcount(high & PLACES) + 8 * popcount(high >> 32)


def sources(places, landing, die):
    """Return the places from which a checker may move by this die."""
    if places >> BAR:
        return u64(landing >> BAR - die & 1) << BAR
    found = places & landing << die
    if places and not places & BEYOND_HOME:
        if places >> die & 1:
            found |= u64(1) << die
        elif not places >> die:
            found |= u64(1) << highest(places)
    return found


def join_pairs(f, t, g, u, blots):
    """Return the move from f to t and from g to u, the same number in either order."""
    if t == g and t and not blots >> t & 1:
        return 32 * f + u
    if u == f:
        return 32 * g + t
    one, two = 32 * f + t, 32 * g + u
    return max(one, two) | min(one, two) << 10


def both_dice(s, landing, one, two, found):
    """Find every move that plays die one and then die two."""
    blots = mirror_points(occupied(s.theirs, s.theirs4) & ~made_points(s.theirs, s.theirs4))
    for f in bits(sources(occupied(s.mine, s.mine4), landing, one)):
        t = max(f - one, OFF)
        low, high = move_checker(s.mine, s.mine4, f, t)
        for g in bits(sources(occupied(low, high), landing, two)):
            m = join_pairs(f, t, g, max(g - two, OFF), blots)
            if m not in found:
                found.append(m)


def one_die(s, landing, die, found):
    """Find every move that plays only this die."""
    for f in bits(sources(occupied(s.mine, s.mine4), landing, die)):
        found.append(32 * f + max(f - die, OFF))


def doubles(s, landing, die):
    """Return the moves that play the die as many times as possible, up to four.

    Each checker starts from no higher a place than the one before: so no set of checkers is found twice, and whatever can be
    played can be played in this order.
    """
    begun = [(s.mine, s.mine4, BAR, PASS)]
    for shift in (0, 10, 20, 30):
        further = begun[:0]
        for low, high, top, m in begun:
            for f in bits(sources(occupied(low, high), landing, die) & (2 << top) - 1):
                t = max(f - die, OFF)
                low2, high2 = move_checker(low, high, f, t)
                further.append((low2, high2, f, m | (32 * f + t) << shift))
        if not further:
            break
        begun = further
    return [m for _, _, _, m in begun]


def moves(s):
    """List the moves: as many dice as possible must be played; if either die can be played but not both, the larger."""
    landing = POINTS & ~mirror_points(made_points(s.theirs, s.theirs4))
    large, small = s.dice >> 3, s.dice & 7
    if large == small:
        return doubles(s, landing, large)
    found = [PASS]
    both_dice(s, landing, large, small, found)
    both_dice(s, landing, small, large, found)
    if len(found) == 1:
        one_die(s, landing, large, found)
    if len(found) == 1:
        one_die(s, landing, small, found)
    if len(found) > 1:
        found[0] = found.pop()
    return found


def chance(s):
    if s.dice == OPENING:
        for x in range(1, 7):
            for o in range(1, 7):
                if x != o:
                    yield 8 * x + o, 1
    elif s.dice == ROLL and s.theirs | s.theirs4:
        for large in range(1, 7):
            for small in range(1, large + 1):
                yield 8 * large + small, 1 if large == small else 2


def play(s, m):
    if s.dice == OPENING and m >> 3 < m & 7:
        return State(s.theirs, s.theirs4, s.mine, s.mine4, (m & 7) << 3 | m >> 3, 1 - s.turn)
    if s.dice <= ROLL:
        return State(s.mine, s.mine4, s.theirs, s.theirs4, m, s.turn)
    low, high, low2, high2 = s.mine, s.mine4, s.theirs, s.theirs4
    while m:
        f, t = m >> 5 & 31, m & 31
        m >>= 10
        low, high = move_checker(low, high, f, t)
        if t and occupied(low2, high2) >> 25 - t & 1:
            low2, high2 = move_checker(low2, high2, 25 - t, BAR)
    return State(low2, high2, low, high, ROLL, 1 - s.turn)


def result(s):
    """Return the loss of the side to move once the other side, which has just moved, has all its checkers off."""
    if s.theirs | s.theirs4:
        return None
    if checker_count(s.mine, s.mine4) < 15:
        return -1
    return -3 if occupied(s.mine, s.mine4) >> 19 else -2
