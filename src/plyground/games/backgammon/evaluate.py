"""Backgammon: what a position is worth, and hints for the search."""

from math import sqrt

from plyground.bits import bits, highest, popcount, u64

from .rules import BAR, BEYOND_HOME, PLACES, POINTS, checker_count, made_points, mirror_points, occupied, play

# These numbers were fitted to the results of games between players that look one move ahead, and rounded.
MADE = (
    0, -0.05, 0, 0.05, 0.02, 0.05, 0.04,  # a point made at home, 1 to 6
    0.02, 0.02, 0.01, 0.01, 0.04, 0.04, 0.07, 0.08, 0.08, 0.05, 0.08, 0.06,
    0.05, 0.11, 0.13, 0.09, 0.02, -0.05, 0,  # an anchor in the other home, 19 to 24
)  # fmt: skip
PRIME = (0, 0, 0, 0.02, 0.06, 0.15, 0.36)  # by the number of points made in a row
DIGIT = tuple(sum(1 << p for p in range(26) if p >> i & 1) for i in range(5))


def count_on(low, high, places):
    """Return the number of checkers on these places."""
    return checker_count(low & (places | places << 32), high & (places | places << 32))


def sum_of_numbers(places):
    """Return the sum of the places' numbers, bit by bit."""
    total = 0
    for i in range(5):
        total += popcount(places & DIGIT[i]) << i
    return total


def pips(low, high, places):
    """Return how far the checkers on these places have to go."""
    return (
        sum_of_numbers(low & places)
        + 2 * sum_of_numbers(low >> 32 & places)
        + 4 * sum_of_numbers(high & places)
        + 8 * sum_of_numbers(high >> 32 & places)
    )


def hit_by(places, bar, landing, blots, one, two):
    """Return which blots a roll can hit from these places, with this many checkers on the bar."""
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
    """Return the pips that the other side can expect to lose to a hit: for each roll, the most costly blot it hits."""
    mine, theirs = occupied(s.mine, s.mine4), occupied(s.theirs, s.theirs4)
    fixed = made_points(s.theirs, s.theirs4)
    blots, landing = mirror_points(theirs & ~fixed), POINTS & ~mirror_points(fixed)
    lost = 0
    if blots:
        bar = count_on(s.mine, s.mine4, 1 << BAR)
        for one in range(1, 7):
            for two in range(1, one + 1):
                hit = hit_by(mine & POINTS, bar, landing, blots, one, two)
                if hit:
                    lost += highest(hit) if one == two else 2 * highest(hit)
    return lost / 36


def structure(low, high, barrier):
    """Return the value of a side's points and blots, facing a barrier of points made by the other side."""
    places, points = occupied(low, high), made_points(low, high) & POINTS
    worth = 0.05 * (15 - checker_count(low, high))
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
    worth -= 0.025 * (count_on(low, high, stacked) - 3 * popcount(stacked))
    worth -= 0.05 * count_on(low, high, 0b1110) + 0.04 * popcount(places & ~points & 0b1111110)
    bar = count_on(low, high, 1 << BAR)
    if bar:
        closed = popcount(mirror_points(barrier) & 0b1111110)
        worth -= 0.035 * bar + 0.11 * closed * closed / 36
    return worth


def bear_off(low, high):
    """Return what a side wastes in the race: checkers left, checkers deep at home, and gaps on the 4, 5 and 6."""
    return 1.2 * checker_count(low, high) + 0.8 * count_on(low, high, 0b10) - 1.1 * popcount(occupied(low, high) & 0b1110000)


def curve(x):
    """Map any number to one between -1 and 1."""
    return x / sqrt(1 + x * x)


def gammon(low, high, pips_left, contact, x):
    """Return how likely this side is to lose a gammon to a side with this many pips left and x ahead."""
    if checker_count(low, high) < 15:
        return 0.0
    outside = (pips(low, high, BEYOND_HOME) - 6 * count_on(low, high, BEYOND_HOME)) / 100
    y = 4.5 * outside - 5.1
    if contact:
        y = 2.0 * outside - 0.004 * pips_left + 0.22 * count_on(low, high, 1 << BAR) - 2.2
    return 0.5 + 0.5 * curve(y + 0.8 * x)


def evaluate(s):
    """Return the expected result: how much more likely a win is than a loss, and a gammon won than one lost."""
    mine, theirs = pips(s.mine, s.mine4, PLACES), pips(s.theirs, s.theirs4, PLACES)
    contact = highest(occupied(s.mine, s.mine4)) + highest(occupied(s.theirs, s.theirs4)) > 25
    length = sqrt(mine + theirs + 5.0)
    if contact:
        x = 0.05 + 0.2 * (theirs - mine) / length + 0.44 / 25 * danger(s)
        x += structure(s.mine, s.mine4, mirror_points(made_points(s.theirs, s.theirs4)))
        x -= structure(s.theirs, s.theirs4, mirror_points(made_points(s.mine, s.mine4)))
    else:
        x = 3.4 + 0.7 * (theirs - mine) + bear_off(s.theirs, s.theirs4) - bear_off(s.mine, s.mine4)
        x /= length
    won, lost = gammon(s.theirs, s.theirs4, mine, contact, x), gammon(s.mine, s.mine4, theirs, contact, -x)
    return curve(x) + won - lost


def order(s, m):
    """Rank hits first, then points made, then few blots."""
    t = play(s, m)
    points = made_points(t.theirs, t.theirs4)
    blots = occupied(t.theirs, t.theirs4) & ~points & POINTS
    return 6 * count_on(t.mine, t.mine4, 1 << BAR) + 3 * popcount(points & POINTS) - 2 * popcount(blots)
