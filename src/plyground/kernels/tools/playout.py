"""Random games and small full-width searches with only the compiled rules, by which `check` tests `evaluate` and the hooks."""

from __future__ import annotations

from plyground.bits import i64, u64
from plyground.compile.blocks import Address, Block, Float, Word
from plyground.compile.vocabulary import (
    ALTERNATE,
    HAS_STUCK,
    ONGOING,
    WORDS,
    evaluate,
    load,
    moves,
    read_state,
    step,
    stuck,
    turn,
    undo_step,
    verdict,
    write_state,
)
from plyground.kernels.states import any_move, changes_turn, is_chance, own_state

ESTIMATE, RESULT, STUCK, DRAWN = range(4)
"""Kinds of extreme states: the largest estimate, the largest result, no move although the game has no `stuck`, a draw."""


class PlayoutStatistics(Block):
    """The statistics of random games; the extreme states follow it."""

    random = Address("the state of the random number generator")
    won = Word("the games won by the side to move")
    lost = Word("the games lost by the side to move")


class ExtremeState(Block):
    """The largest number of one kind; its state follows it."""

    value = Float()


class LookaheadMemory(Block):
    """The counters of a full-width search."""

    nodes = Word("nodes left")
    cut = Word("nonzero if the search was cut short anywhere")


def random_word(games):
    """Return the next random word (xorshift)."""
    x = games.random
    x ^= u64(x << u64(13))
    x ^= x >> u64(7)
    x ^= u64(x << u64(17))
    games.random = x
    return x


def random_number(games):
    """Return a random number from 0 to 2^31 - 1."""
    return i64(random_word(games) >> u64(33))


def record_extreme(s, value, games, kind):
    """Store a state if its number is the largest so far."""
    at = ExtremeState(games.end + u64(8 * (WORDS + 1) * kind))
    if abs(value) > at.value:
        at.value = abs(value)
        write_state(at.end, s)


def play_out(s, longest, games):
    """Return the result of a random game from s for the side to move in s; ONGOING if it takes too long."""
    sign = i64(1)
    for _ in range(longest):
        value = i64(verdict(s))
        m = i64(-1)
        dice = False
        if value == ONGOING:
            dice = is_chance(s)
            if not dice:
                record_extreme(s, float(evaluate(s)), games, ESTIMATE)
            m = any_move(s, random_word(games))
            if m < 0:
                value = i64(stuck(s))
                if not HAS_STUCK:
                    record_extreme(s, 1.0, games, STUCK)
        if m < 0:
            record_extreme(s, float(value), games, RESULT)
            if value == 0:
                record_extreme(s, 1.0, games, DRAWN)
            return sign * value
        me = turn(s)
        s = step(s, m)
        if (ALTERNATE and not dice) or turn(s) != me:
            sign = -sign
    return i64(ONGOING)


def playouts(address, work, out, count, longest):
    """Entry point: play random games from the state at an address; return how many ended. `work` has room for a state."""
    games = PlayoutStatistics(out)
    ended = i64(0)
    for _ in range(count):
        value = play_out(own_state(address, work), longest, games)
        if value != ONGOING:
            ended += 1
            games.won += value > 0
            games.lost += value < 0
    return ended


def sign_of(value):
    """Return 1, 0 or -1, the sign of a value."""
    return i64(1) if value > 0 else i64(-1) if value < 0 else i64(0)


def look_ahead(s, depth, mem):
    """Return 1 if the side to move can force a win within `depth` plies, -1 if it can't avoid losing, else 0."""
    mem.nodes -= 1
    value = i64(verdict(s))
    if value != ONGOING:
        return sign_of(value)
    if depth <= 0 or mem.nodes <= 0:
        mem.cut = 1
        return i64(0)
    me = turn(s)
    best = i64(-2)
    # The loop runs to its end even after a win: a generator left early may not free its memory.
    for m in moves(s):
        if best < 1 and (mem.nodes > 0 or best == -2):
            child = step(s, m)
            value = look_ahead(child, depth - 1, mem)
            best = max(best, -value if changes_turn(me, child) else value)
            undo_step(s, m)
    if best == -2:
        return sign_of(i64(stuck(s)))
    # Moves that were skipped because the nodes ran out may be better than a loss.
    return i64(0) if best < 0 and mem.nodes <= 0 else best


def look_ahead_from(address, depth, memory):
    """Entry point: `look_ahead` from the state at an address, which is left unchanged."""
    return look_ahead(read_state(address), depth, LookaheadMemory(memory))


def equal_but_counters(address, work):
    """Return whether two states are equal except for counters, that is, small numbers that have grown a little."""
    for i in range(WORDS):
        a = load(address + u64(8 * i))
        b = load(work + u64(8 * i))
        if a != b and (a < 0 or b < a or b > a + 4):
            return False
    return True


def count_returns(address, m, reply, work, again):
    """Entry point: count the ways in which both sides can move back after m and a reply; write such a state at `again`.

    `work` has room for a state. Not for in-place rules.
    """
    found = 0
    two = step(step(read_state(address), m), reply)
    if verdict(two) == ONGOING:
        for back_move in moves(two):
            three = step(two, back_move)
            if verdict(three) == ONGOING:
                for last in moves(three):
                    write_state(work, step(three, last))
                    if equal_but_counters(address, work):
                        write_state(again, read_state(work))
                        found += 1
    return found
