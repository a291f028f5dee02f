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
"""

import re
from collections import Counter
from math import sqrt
from typing import NamedTuple

from plyground import Board
from plyground.bits import bitreverse, bits, highest, i64, popcount, u64

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
BOARD = Board("backgammon", count=MEN, glyphs="●○", buttons={PASS: "pass"})
PLACES_OF_PAIRS = (5, 0, 15, 10, 25, 20, 35, 30)  # the bits where the places of a move begin


class State(NamedTuple):
    mine: u64  # the checkers of the side to move, ones and twos
    mine4: u64  # fours and eights
    theirs: u64
    theirs4: u64
    dice: int  # 8 * larger + smaller, or ROLL, or OPENING
    turn: int


def packed(count):
    """The two words of checkers, from a dict of point to number."""
    planes = [sum((n >> i & 1) << p for p, n in count.items()) for i in range(4)]
    return planes[0] | planes[1] << 32, planes[2] | planes[3] << 32


LINE_UP = packed(START)


def start():
    return State(LINE_UP[0], LINE_UP[1], LINE_UP[0], LINE_UP[1], OPENING, 0)


def turn(s):
    return s.turn


# -- checkers -----------------------------------------------------------------------------------------------------------------


def add(low, high, p):
    """Adds a checker on p: a carry runs through the planes."""
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


def take(low, high, p):
    """Removes a checker from p."""
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


def carry(low, high, f, t):
    """Moves a checker from f to t."""
    low, high = take(low, high, f)
    return add(low, high, t) if t else (low, high)


def occupied(low, high):
    """The places with a checker."""
    return (low | low >> 32 | high | high >> 32) & PLACES


def made(low, high):
    """The places with two or more checkers."""
    return (low >> 32 | high | high >> 32) & PLACES


def across(places):
    """Points as the other side numbers them; the bar is dropped."""
    return bitreverse(places) >> 38 & POINTS


def number(low, high):
    """The number of checkers that are not off."""
    return popcount(low & PLACES) + 2 * popcount(low >> 32) + 4 * popcount(high & PLACES) + 8 * popcount(high >> 32)


# -- rules --------------------------------------------------------------------------------------------------------------------


def sources(places, landing, die):
    """The places from which a checker may move by this die."""
    if places >> BAR:
        return u64(landing >> BAR - die & 1) << BAR
    found = places & landing << die
    if places and not places & BEYOND_HOME:
        if places >> die & 1:
            found |= u64(1) << die
        elif not places >> die:
            found |= u64(1) << highest(places)
    return found


def joined(f, t, g, u, blots):
    """The move from f to t and from g to u, the same number in either order."""
    if t == g and t and not blots >> t & 1:
        return 32 * f + u
    if u == f:
        return 32 * g + t
    one, two = 32 * f + t, 32 * g + u
    return max(one, two) | min(one, two) << 10


def both_dice(s, landing, one, two, found):
    """Finds every move that plays die one and then die two."""
    blots = across(occupied(s.theirs, s.theirs4) & ~made(s.theirs, s.theirs4))
    for f in bits(sources(occupied(s.mine, s.mine4), landing, one)):
        t = max(f - one, OFF)
        low, high = carry(s.mine, s.mine4, f, t)
        for g in bits(sources(occupied(low, high), landing, two)):
            m = joined(f, t, g, max(g - two, OFF), blots)
            if m not in found:
                found.append(m)


def one_die(s, landing, die, found):
    """Finds every move that plays only this die."""
    for f in bits(sources(occupied(s.mine, s.mine4), landing, die)):
        found.append(32 * f + max(f - die, OFF))


def doubles(s, landing, die):
    """The moves that play the die as many times as possible, up to four.

    Each checker starts from no higher a place than the one before: so no set of checkers is found twice, and whatever can be
    played can be played in this order.
    """
    begun = [(s.mine, s.mine4, BAR, PASS)]
    for shift in (0, 10, 20, 30):
        further = begun[:0]
        for low, high, top, m in begun:
            for f in bits(sources(occupied(low, high), landing, die) & (2 << top) - 1):
                t = max(f - die, OFF)
                low2, high2 = carry(low, high, f, t)
                further.append((low2, high2, f, m | (32 * f + t) << shift))
        if not further:
            break
        begun = further
    return [m for _, _, _, m in begun]


def moves(s):
    """As many dice as possible must be played; if either die can be played but not both, the larger."""
    landing = POINTS & ~across(made(s.theirs, s.theirs4))
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
        low, high = carry(low, high, f, t)
        if t and occupied(low2, high2) >> 25 - t & 1:
            low2, high2 = carry(low2, high2, 25 - t, BAR)
    return State(low2, high2, low, high, ROLL, 1 - s.turn)


def result(s):
    """The game is over once the side that has just moved has all its checkers off."""
    if s.theirs | s.theirs4:
        return None
    if number(s.mine, s.mine4) < 15:
        return -1
    return -3 if occupied(s.mine, s.mine4) >> 19 else -2


# -- estimates ----------------------------------------------------------------------------------------------------------------

# These numbers were fitted to the results of games between players that look one move ahead, and rounded.
MADE = (
    0, -0.05, 0, 0.05, 0.02, 0.05, 0.04,  # a point made at home, 1 to 6
    0.02, 0.02, 0.01, 0.01, 0.04, 0.04, 0.07, 0.08, 0.08, 0.05, 0.08, 0.06,
    0.05, 0.11, 0.13, 0.09, 0.02, -0.05, 0,  # an anchor in the other home, 19 to 24
)  # fmt: skip
PRIME = (0, 0, 0, 0.02, 0.06, 0.15, 0.36)  # by the number of points made in a row
DIGIT = tuple(sum(1 << p for p in range(26) if p >> i & 1) for i in range(5))


def tally(low, high, places):
    """The number of checkers on these places."""
    return number(low & (places | places << 32), high & (places | places << 32))


def numbers(places):
    """The sum of the places' numbers, bit by bit."""
    total = 0
    for i in range(5):
        total += popcount(places & DIGIT[i]) << i
    return total


def pips(low, high, places):
    """How far the checkers on these places have to go."""
    return numbers(low & places) + 2 * numbers(low >> 32 & places) + 4 * numbers(high & places) + 8 * numbers(high >> 32 & places)


def hit_by(places, bar, landing, blots, one, two):
    """Which blots a roll can hit from these places, with this many checkers on the bar."""
    if bar:
        first, second = (u64(1) << BAR - one) & landing, (u64(1) << BAR - two) & landing
        hit = first | second
        if bar == 1:
            hit |= (places | first) >> two if first else 0
            hit |= (places | second) >> one if second else 0
        return hit & blots
    hit = places >> one | places >> two | (places >> one & landing) >> two | (places >> two & landing) >> one
    if one == two:
        run = (places >> one & landing) >> one & landing
        hit |= run >> one | (run >> one & landing) >> one
    return hit & blots


def danger(s):
    """The pips that the other side can expect to lose to a hit: for each roll, the most costly blot it hits."""
    mine, theirs = occupied(s.mine, s.mine4), occupied(s.theirs, s.theirs4)
    fixed = made(s.theirs, s.theirs4)
    blots, landing = across(theirs & ~fixed), POINTS & ~across(fixed)
    lost = 0
    if blots:
        bar = tally(s.mine, s.mine4, 1 << BAR)
        for one in range(1, 7):
            for two in range(1, one + 1):
                hit = hit_by(mine & POINTS, bar, landing, blots, one, two)
                if hit:
                    lost += highest(hit) if one == two else 2 * highest(hit)
    return lost / 36


def structure(low, high, barrier):
    """The value of a side's points and blots, facing a barrier of points made by the other side."""
    places, points = occupied(low, high), made(low, high) & POINTS
    worth = 0.05 * (15 - number(low, high))
    for p in bits(points):
        worth += MADE[p]
    run, length = points, 0
    while run and length < 6:
        run &= run >> 1
        length += 1
    worth += PRIME[length]
    rear = highest(places)
    if rear > 12:
        blocked = popcount(barrier & (1 << rear) - (1 << rear - 6))
        if blocked:
            worth -= 0.1 + 0.045 * blocked
    stacked = (high | high >> 32) & POINTS  # four or more
    worth -= 0.025 * (tally(low, high, stacked) - 3 * popcount(stacked))
    worth -= 0.05 * tally(low, high, 0b1110) + 0.04 * popcount(places & ~points & 0b1111110)
    bar = tally(low, high, 1 << BAR)
    if bar:
        closed = popcount(across(barrier) & 0b1111110)
        worth -= 0.035 * bar + 0.11 * closed * closed / 36
    return worth


def bear_off(low, high):
    """What a side wastes in the race: checkers left, checkers deep at home, and gaps on the 4, 5 and 6."""
    return 1.2 * number(low, high) + 0.8 * tally(low, high, 0b10) - 1.1 * popcount(occupied(low, high) & 0b1110000)


def curve(x):
    """Maps any number to one between -1 and 1."""
    return x / sqrt(1 + x * x)


def gammon(low, high, pips_left, contact, x):
    """How likely this side is to lose a gammon to a side with this many pips left and x ahead."""
    if number(low, high) < 15:
        return 0.0
    outside = (pips(low, high, BEYOND_HOME) - 6 * tally(low, high, BEYOND_HOME)) / 100
    y = 4.5 * outside - 5.1
    if contact:
        y = 2.0 * outside - 0.004 * pips_left + 0.22 * tally(low, high, 1 << BAR) - 2.2
    return 0.5 + 0.5 * curve(y + 0.8 * x)


def evaluate(s):
    """The expected result: how much more likely a win is than a loss, and a gammon won than one lost."""
    mine, theirs = pips(s.mine, s.mine4, PLACES), pips(s.theirs, s.theirs4, PLACES)
    contact = highest(occupied(s.mine, s.mine4)) + highest(occupied(s.theirs, s.theirs4)) > 25
    length = sqrt(mine + theirs + 5.0)
    if contact:
        x = 0.05 + 0.2 * (theirs - mine) / length + 0.44 / 25 * danger(s)
        x += structure(s.mine, s.mine4, across(made(s.theirs, s.theirs4)))
        x -= structure(s.theirs, s.theirs4, across(made(s.mine, s.mine4)))
    else:
        x = 3.4 + 0.7 * (theirs - mine) + bear_off(s.theirs, s.theirs4) - bear_off(s.mine, s.mine4)
        x /= length
    won, lost = gammon(s.theirs, s.theirs4, mine, contact, x), gammon(s.mine, s.mine4, theirs, contact, -x)
    return curve(x) + won - lost


def order(s, m):
    """Hits, then points made, then few blots."""
    t = play(s, m)
    points = made(t.theirs, t.theirs4)
    blots = occupied(t.theirs, t.theirs4) & ~points & POINTS
    return 6 * tally(t.mine, t.mine4, 1 << BAR) + 3 * popcount(points & POINTS) - 2 * popcount(blots)


# -- text and board ---------------------------------------------------------------------------------------------------------


def counts(low, high):
    """The number of checkers on each place, as a list of 26, the bar last."""
    planes = (low, low >> 32, high, high >> 32)
    return [sum((plane >> p & 1) << i for i, plane in enumerate(planes)) for p in range(26)]


def sides(s):
    """The numbers of checkers of X and of O, each with its own numbering of points."""
    both = counts(s.mine, s.mine4), counts(s.theirs, s.theirs4)
    return both[::-1] if s.turn else both


def pairs_of(m):
    """The pairs of points, from and to, of a move."""
    while m:
        yield m >> 5 & 31, m & 31
        m >>= 10


def trips(s, m):
    """The trips of the checkers that a move moves: each a list of (place, does it hit there)."""
    theirs = counts(s.theirs, s.theirs4)
    blots = [p for p in range(1, 25) if theirs[25 - p] == 1]
    found = []
    for f, t in pairs_of(m):
        hit = t in blots
        if hit:
            blots.remove(t)
        trip = next((trip for trip in found if trip[-1][0] == f), None)
        if trip is None:
            trip = [(f, False)]
            found.append(trip)
        trip.append((t, hit))
    return found


def outline(found):
    """What trips change: the checkers gained or lost on each place, and the points hit. This tells moves apart."""
    change = Counter(trip[-1][0] for trip in found)
    change.subtract(trip[0][0] for trip in found)
    return {p: n for p, n in change.items() if n}, frozenset(p for trip in found for p, hit in trip if hit)


def place_name(p):
    return {BAR: "bar", OFF: "off"}.get(p, str(p))


def trip_text(trip):
    middle = [f"{p}*" for p, hit in trip[1:-1] if hit]
    return "/".join([place_name(trip[0][0]), *middle, place_name(trip[-1][0]) + "*" * trip[-1][1]])


def format_move(s, m):
    """`13/7 8/7`, `bar/22*`, `6/off(2)`, `24/18*/13`, `pass`; a roll is `6-5`."""
    if s.dice <= ROLL:
        return f"{m >> 3}-{m & 7}"
    written = Counter(trip_text(trip) for trip in sorted(trips(s, m), key=lambda trip: (-trip[0][0], trip[-1][0])))
    return " ".join(text + (f"({n})" if n > 1 else "") for text, n in written.items()) or "pass"


def matched(pattern, text):
    """The parts of a text that must look like the pattern."""
    match = re.fullmatch(pattern, text)
    if match is None:
        raise ValueError(text)
    return match.groups()


def parse_trips(text):
    """The trips that a text names: words such as `bar/22*` or `13/7(2)` with spaces, commas, semicolons or plus signs between."""
    found = []
    for word in filter(None, re.split(r"[\s,;+]+", re.sub(r"\s*/\s*", "/", text.lower()))):
        way, times = matched(r"((?:bar|\d+)(?:/(?:off|\d+)\*?)+)(?:\(([1-4])\))?", word)
        names = [name.partition("*") for name in way.split("/")]
        trip = [({"bar": BAR, "off": OFF}[name] if name.isalpha() else int(name), star == "*") for name, star, _ in names]
        found += [trip] * int(times or 1)
    if not found:
        raise ValueError(text)
    return found


def parse_move(s, text):
    """In any order, with or without stars, unless only the stars tell two moves apart."""
    if s.dice <= ROLL:
        one, two = map(int, matched(r"([1-6])[- ]?([1-6])", text))
        return 8 * one + two if s.dice == OPENING or one > two else 8 * two + one
    if text.lower() == "pass":
        return PASS
    change, starred = outline(parse_trips(text))
    fitting = {}
    for m in moves(s):
        here, hits = outline(trips(s, m))
        if here == change and starred <= hits:
            fitting[hits] = m
    if not fitting:
        raise ValueError(text)
    if starred not in fitting and len(fitting) > 1:
        raise ValueError("add stars to say which blots are hit")
    return fitting.get(starred, next(iter(fitting.values())))


def format_state(s):
    """Whose turn it is, the roll (or `roll`, `opening`), X's checkers and O's, each in its numbering: `24(2),13(5),8(3),6(5)`."""
    dice = {ROLL: "roll", OPENING: "opening"}.get(s.dice, f"{s.dice >> 3}-{s.dice & 7}")
    return " ".join([SIDES[s.turn], dice, *(checkers_text(side) for side in sides(s))])


def checkers_text(side):
    on = [place_name(p) + (f"({side[p]})" if side[p] > 1 else "") for p in range(BAR, 0, -1) if side[p]]
    return ",".join(on) or "off"


def parse_checkers(text):
    count = Counter()
    for word in [] if text == "off" else text.split(","):
        name, number = matched(r"(bar|\d+)(?:\((\d+)\))?", word)
        p = BAR if name == "bar" else int(name)
        if not 1 <= p <= 25 or p in count or int(number or 1) < 1:
            raise ValueError(word)
        count[p] = int(number or 1)
    if count.total() > 15:
        raise ValueError("a side has fifteen checkers")
    return count


def parse_state(text):
    side, dice, *checkers = text.split()
    mover = SIDES.index(side.upper())
    x, o = (parse_checkers(part.lower()) for part in checkers)
    if any(x[p] and o[25 - p] for p in range(1, 25)):
        raise ValueError("a point can have checkers of one side only")
    mine, theirs = (o, x) if mover else (x, o)
    roll = {"roll": ROLL, "opening": OPENING}.get(dice.lower())
    if roll is None:
        small, large = sorted(map(int, matched(r"([1-6])-([1-6])", dice)))
        roll = 8 * large + small
    if not mine or (not theirs and roll != ROLL):
        raise ValueError("the game is over once a side is off, and the other side is then to roll")
    if roll == OPENING and (mover or mine != START or theirs != START):
        raise ValueError("only the first position has an opening roll")
    return State(*packed(mine), *packed(theirs), roll, mover)


def show(s):
    """Whose roll it is."""
    dice = {ROLL: "rolls", OPENING: "and O roll for the first move"}.get(s.dice, f"plays {s.dice >> 3}-{s.dice & 7}")
    return f"{SIDES[s.turn]} {dice}"


def held(low, high, p):
    """How many checkers stand on p."""
    return i64((low >> p & 1) + (low >> 32 + p & 1) * 2 + (high >> p & 1) * 4 + (high >> 32 + p & 1) * 8)


def owned(n, side):
    """So many checkers of a side, or a die that it has rolled, as a number on the board."""
    return n + MEN * side if n else 0


def cells(s):
    x, x4, o, o4 = s.mine, s.mine4, s.theirs, s.theirs4
    if s.turn:
        x, x4, o, o4 = o, o4, x, x4
    for p in range(1, 25):
        yield held(x, x4, p) + owned(held(o, o4, 25 - p), 1)
    yield held(x, x4, BAR)
    yield owned(held(o, o4, BAR), 1)
    yield MEN - number(x, x4)
    yield owned(MEN - number(o, o4), 1)
    yield owned(max(s.dice, 0) >> 3, s.turn)
    yield owned(max(s.dice, 0) & 7, s.turn)


def cell(s, p):
    """The cell of a place of the side to move."""
    if p == OFF:
        return 26 + s.turn
    if p == BAR:
        return 24 + s.turn
    return 24 - p if s.turn else p - 1


def between(s, f, u):
    """Where a checker that plays both dice touches down on its way from f to u, hitting nothing; u if it plays only one."""
    landing = POINTS & ~across(made(s.theirs, s.theirs4))
    blots = across(occupied(s.theirs, s.theirs4) & ~made(s.theirs, s.theirs4))
    for i in range(2):
        one, two = (s.dice & 7, s.dice >> 3) if i else (s.dice >> 3, s.dice & 7)
        t = f - one
        if t > 0 and not blots >> t & 1 and sources(occupied(s.mine, s.mine4), landing, one) >> f & 1:
            low, high = carry(s.mine, s.mine4, f, t)
            if sources(occupied(low, high), landing, two) >> t & 1 and max(t - two, OFF) == u:
                return t
    return u


def touch(s, m):
    """From and to for each die."""
    f, u = m >> 5 & 31, m & 31
    if m and not m >> 10 and s.dice >> 3 != s.dice & 7:
        t = between(s, f, u)
        if t != u:
            return [cell(s, f), cell(s, t), cell(s, t), cell(s, u)]
    return [cell(s, m >> at & 31) for at in PLACES_OF_PAIRS if m >> at - at % 10 & 1023]
