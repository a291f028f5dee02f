"""Random games, and small full-width searches, by the compiled rules alone: what `check` holds `evaluate` and the hooks to.

What `playouts` puts at `out`, in words: 0 the state of its random numbers, 1 how many games the side to move has won, 2 how
many it has lost, 3 the largest size of an estimate (a float), 4 the largest size of a result, 5 whether a side had no move
and the rules do not say what that means, 6 whether a game was drawn; then the states that 3 to 6 are about.
"""

from __future__ import annotations

from plyground.bits import i64, u64
from plyground.compile.vocabulary import (
    ALTERNATE,
    CHANCE,
    GOING,
    HAS_STUCK,
    IN_PLACE,
    WORDS,
    back,
    chance,
    evaluate,
    load,
    load_real,
    moves,
    outcome,
    read_state,
    step,
    store,
    store_real,
    stuck,
    turn,
    write_state,
)

OUT = 7
NODES, CUT = 0, 8
"""Where `outlook` counts down the nodes it may still take, and tells that it did not see everything."""


def draw(out):
    """A random number from 0 to 2^31 - 1 (xorshift)."""
    x = u64(load(out))
    x ^= u64(x << u64(13))
    x ^= x >> u64(7)
    x ^= u64(x << u64(17))
    store(out, i64(x))
    return i64(x >> u64(33))


def any_move(s, out):
    """A random move of whoever is to move: chance by its weights, a player each as likely; -1 where there is none."""
    found = i64(-1)
    if CHANCE:
        total = 0.0
        for m, weight in chance(s):
            total += weight
            if draw(out) * total < weight * 2147483648.0:
                found = i64(m)
        if found >= 0:
            return found
    n = i64(0)
    for m in moves(s):
        n += 1
        if draw(out) % n == 0:
            found = i64(m)
    return found


def is_chance(s):
    """Is it for dice or tiles to move?"""
    n = 0
    if CHANCE:
        for _ in chance(s):
            n += 1
    return n > 0


def note(s, value, out, offset, place):
    """Keeps a state whose number is the largest so far."""
    if abs(value) > load_real(out + u64(offset)):
        store_real(out + u64(offset), abs(value))
        write_state(out + u64(8 * (OUT + place * WORDS)), s)


def play_out(s, longest, out):
    """The result of a random game from s for the side to move in s; GOING where it takes too long."""
    sign = i64(1)
    for _ in range(longest):
        value = i64(outcome(s))
        m = i64(-1)
        dice = False
        if value == GOING:
            dice = is_chance(s)
            if not dice:
                note(s, float(evaluate(s)), out, 24, 0)
            m = any_move(s, out)
            if m < 0:
                value = i64(stuck(s))
                if not HAS_STUCK:
                    note(s, 1.0, out, 40, 2)
        if m < 0:
            note(s, float(value), out, 32, 1)
            if value == 0:
                note(s, 1.0, out, 48, 3)
            return sign * value
        me = turn(s)
        s = step(s, m)
        if (ALTERNATE and not dice) or turn(s) != me:
            sign = -sign
    return i64(GOING)


def playouts(address, work, out, count, longest):
    """Entry: random games from the state at an address; `work` has room for a state. Returns how many came to an end."""
    ended = i64(0)
    for _ in range(count):
        s = read_state(address)
        if IN_PLACE:
            write_state(work, s)
            s = read_state(work)
        value = play_out(s, longest, out)
        if value != GOING:
            ended += 1
            if value > 0:
                store(out + u64(8), load(out + u64(8)) + 1)
            elif value < 0:
                store(out + u64(16), load(out + u64(16)) + 1)
    return ended


def sign_of(value):
    return i64(1) if value > 0 else i64(-1) if value < 0 else i64(0)


def look_ahead(s, depth, mem):
    """1 where the side to move can force a win within `depth` plies, -1 where it cannot help losing, 0 for a draw or unknown."""
    left = load(mem + u64(NODES)) - 1
    store(mem + u64(NODES), left)
    value = i64(outcome(s))
    if value != GOING:
        return sign_of(value)
    if depth <= 0 or left <= 0:
        store(mem + u64(CUT), 1)
        return i64(0)
    me = turn(s)
    best = i64(-2)
    # The loop runs to its end even after a win: a generator that holds a list would not free it.
    for m in moves(s):
        if best < 1 and (load(mem + u64(NODES)) > 0 or best == -2):
            child = step(s, m)
            value = look_ahead(child, depth - 1, mem)
            if ALTERNATE or turn(child) != me:
                value = -value
            best = max(best, value)
            back(s, m)
    if best == -2:
        return sign_of(i64(stuck(s)))
    # Moves that were not looked at for want of nodes may be better than a loss.
    return i64(0) if best < 0 and load(mem + u64(NODES)) <= 0 else best


def outlook(address, depth, mem):
    """Entry: `look_ahead` of the state at an address, which stays as it is."""
    return look_ahead(read_state(address), depth, mem)


def looks_the_same(address, work):
    """Are two states equal but for counters: small numbers that have grown by a little?"""
    for i in range(WORDS):
        a = load(address + u64(8 * i))
        b = load(work + u64(8 * i))
        if a != b and (a < 0 or b < a or b > a + 4):
            return False
    return True


def come_back(address, m, reply, work, again):
    """Entry: after m and a reply, can both sides go back? Puts the state that looks the same at `again`; returns how many do.

    `work` has room for a state. For rules that do not play in place.
    """
    found = 0
    two = step(step(read_state(address), m), reply)
    if outcome(two) == GOING:
        for back_move in moves(two):
            three = step(two, back_move)
            if outcome(three) == GOING:
                for last in moves(three):
                    write_state(work, step(three, last))
                    if looks_the_same(address, work):
                        write_state(again, read_state(work))
                        found += 1
    return found
