"""Backgammon: moves and positions as people write them, and the board."""

import re
from collections import Counter

from plyground import Board
from plyground.bits import i64
from plyground.board.board import BARS as BAR_CELLS
from plyground.board.board import OFF as OFF_CELLS
from plyground.board.board import POINTS as POINT_CELLS

from .rules import (
    BAR,
    MEN,
    OFF,
    OPENING,
    PASS,
    POINTS,
    ROLL,
    SIDES,
    START,
    State,
    checker_count,
    made_points,
    mirror_points,
    move_checker,
    moves,
    occupied,
    pack_checkers,
    sources,
)

BOARD = Board("backgammon", count=MEN, glyphs="●○", buttons={PASS: "pass"})
PLACES_OF_PAIRS = (5, 0, 15, 10, 25, 20, 35, 30)  # the bits where the places of a move begin


def counts(low, high):
    """Return the number of checkers on each place, as a list of 26, the bar last."""
    planes = (low, low >> 32, high, high >> 32)
    return [sum((plane >> p & 1) << i for i, plane in enumerate(planes)) for p in range(26)]


def sides(s):
    """Return the numbers of checkers of X and of O, each with its own numbering of points."""
    both = counts(s.mine, s.mine4), counts(s.theirs, s.theirs4)
    return both[::-1] if s.turn else both


def pairs_of(m):
    """Yield the pairs of points, from and to, of a move."""
    while m:
        yield m >> 5 & 31, m & 31
        m >>= 10


def checker_paths(s, m):
    """Return the trips of the checkers in a move: each a list of (place, whether it hits there)."""
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


def effect(found):
    """Return what trips change: the checkers gained or lost on each place, and the points hit. This tells moves apart."""
    change = Counter(trip[-1][0] for trip in found)
    change.subtract(trip[0][0] for trip in found)
    return {p: n for p, n in change.items() if n}, frozenset(p for trip in found for p, hit in trip if hit)


def place_name(p):
    return {BAR: "bar", OFF: "off"}.get(p, str(p))


def trip_text(trip):
    middle = [f"{p}*" for p, hit in trip[1:-1] if hit]
    return "/".join([place_name(trip[0][0]), *middle, place_name(trip[-1][0]) + "*" * trip[-1][1]])


def format_move(s, m):
    """Write `13/7 8/7`, `bar/22*`, `6/off(2)`, `24/18*/13` or `pass`; a roll is `6-5`."""
    if s.dice <= ROLL:
        return f"{m >> 3}-{m & 7}"
    written = Counter(trip_text(trip) for trip in sorted(checker_paths(s, m), key=lambda trip: (-trip[0][0], trip[-1][0])))
    return " ".join(text + (f"({n})" if n > 1 else "") for text, n in written.items()) or "pass"


def match_parts(pattern, text):
    """Return the parts of a text that must look like the pattern."""
    match = re.fullmatch(pattern, text)
    if match is None:
        raise ValueError(text)
    return match.groups()


def parse_trips(text):
    """Return the trips that a text names: `bar/22*`, `13/7(2)`, with spaces, commas, semicolons or plus signs between."""
    found = []
    for word in filter(None, re.split(r"[\s,;+]+", re.sub(r"\s*/\s*", "/", text.lower()))):
        way, times = match_parts(r"((?:bar|\d+)(?:/(?:off|\d+)\*?)+)(?:\(([1-4])\))?", word)
        names = [name.partition("*") for name in way.split("/")]
        trip = [({"bar": BAR, "off": OFF}[name] if name.isalpha() else int(name), star == "*") for name, star, _ in names]
        found += [trip] * int(times or 1)
    if not found:
        raise ValueError(text)
    return found


def parse_move(s, text):
    """Read trips in any order, with or without stars unless only the stars tell two moves apart."""
    if s.dice <= ROLL:
        one, two = map(int, match_parts(r"([1-6])[- ]?([1-6])", text))
        return 8 * one + two if s.dice == OPENING or one > two else 8 * two + one
    if text.lower() == "pass":
        return PASS
    change, starred = effect(parse_trips(text))
    fitting = {}
    for m in moves(s):
        here, hits = effect(checker_paths(s, m))
        if here == change and starred <= hits:
            fitting[hits] = m
    if not fitting:
        raise ValueError(text)
    if starred not in fitting and len(fitting) > 1:
        raise ValueError("add stars to say which blots are hit")
    return fitting.get(starred, next(iter(fitting.values())))


def format_state(s):
    """Write the turn, the roll (or `roll`, `opening`), X's checkers and O's, each in its numbering: `24(2),13(5)`."""
    dice = {ROLL: "roll", OPENING: "opening"}.get(s.dice, f"{s.dice >> 3}-{s.dice & 7}")
    return " ".join([SIDES[s.turn], dice, *(checkers_text(side) for side in sides(s))])


def checkers_text(side):
    on = [place_name(p) + (f"({side[p]})" if side[p] > 1 else "") for p in range(BAR, 0, -1) if side[p]]
    return ",".join(on) or "off"


def parse_checkers(text):
    count = Counter()
    for word in [] if text == "off" else text.split(","):
        name, number = match_parts(r"(bar|\d+)(?:\((\d+)\))?", word)
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
        small, large = sorted(map(int, match_parts(r"([1-6])-([1-6])", dice)))
        roll = 8 * large + small
    if not mine or (not theirs and roll != ROLL):
        raise ValueError("the game is over once a side is off, and the other side is then to roll")
    if roll == OPENING and (mover or mine != START or theirs != START):
        raise ValueError("only the first position has an opening roll")
    return State(*pack_checkers(mine), *pack_checkers(theirs), roll, mover)


def show(s):
    """Return whose turn it is to roll, or what was rolled."""
    dice = {ROLL: "is to roll", OPENING: "and O roll for the first move"}.get(s.dice, f"rolls {s.dice >> 3}-{s.dice & 7}")
    return f"{SIDES[s.turn]} {dice}"


def checkers_on(low, high, p):
    """Return how many checkers stand on p."""
    return i64((low >> p & 1) + (low >> 32 + p & 1) * 2 + (high >> p & 1) * 4 + (high >> 32 + p & 1) * 8)


def cell_content(n, side):
    """Return n checkers of a side, or a die that it has rolled, as the number of a cell."""
    return n + MEN * side if n else 0


def cells(s):
    x, x4, o, o4 = s.mine, s.mine4, s.theirs, s.theirs4
    if s.turn:
        x, x4, o, o4 = o, o4, x, x4
    for p in range(1, BAR):
        yield checkers_on(x, x4, p) + cell_content(checkers_on(o, o4, BAR - p), 1)
    yield checkers_on(x, x4, BAR)
    yield cell_content(checkers_on(o, o4, BAR), 1)
    yield MEN - checker_count(x, x4)
    yield cell_content(MEN - checker_count(o, o4), 1)
    yield cell_content(max(s.dice, 0) >> 3, s.turn)
    yield cell_content(max(s.dice, 0) & 7, s.turn)


def cell(s, p):
    """Return the cell of a place of the side to move."""
    if p == OFF:
        return OFF_CELLS + s.turn
    if p == BAR:
        return BAR_CELLS + s.turn
    return POINT_CELLS - p if s.turn else p - 1


def between(s, f, u):
    """Return where a checker that plays both dice lands on its way from f to u without hitting; u if it plays only one."""
    landing = POINTS & ~mirror_points(made_points(s.theirs, s.theirs4))
    blots = mirror_points(occupied(s.theirs, s.theirs4) & ~made_points(s.theirs, s.theirs4))
    for i in range(2):
        one, two = (s.dice & 7, s.dice >> 3) if i else (s.dice >> 3, s.dice & 7)
        t = f - one
        if t > 0 and not blots >> t & 1 and sources(occupied(s.mine, s.mine4), landing, one) >> f & 1:
            low, high = move_checker(s.mine, s.mine4, f, t)
            if sources(occupied(low, high), landing, two) >> t & 1 and max(t - two, OFF) == u:
                return t
    return u


def touch(s, m):
    """Return from and to for each die."""
    f, u = m >> 5 & 31, m & 31
    if m and not m >> 10 and s.dice >> 3 != s.dice & 7:
        t = between(s, f, u)
        if t != u:
            return [cell(s, f), cell(s, t), cell(s, t), cell(s, u)]
    return [cell(s, m >> at & 31) for at in PLACES_OF_PAIRS if m >> at - at % 10 & 1023]
