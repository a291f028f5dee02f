"""One look at a state through the compiled rules: what `check` lays beside the interpreted ones.

Moves lie in a row of records, each with the state after it; replies, threats, likely moves and safe moves, and the numbers of the
label, each in a row of words, as is what lies on the cells. For each move the cells that it touches follow their number.
"""

from __future__ import annotations

from plyground.bits import i64, u64
from plyground.compile.blocks import Address, Block, Real, Word
from plyground.compile.vocabulary import (
    CHANCE,
    GOING,
    HAS_CELLS,
    HAS_PACK,
    HAS_PASSES,
    HAS_SAFE,
    HAS_TOUCH,
    WORDS,
    back,
    banked,
    bounds,
    canonical,
    cells,
    chance,
    code,
    countdown,
    evaluate,
    finish,
    forced,
    key,
    label,
    likely,
    loud,
    may_pass,
    moves,
    order,
    pack,
    passes,
    positions,
    pressure,
    promise,
    read_state,
    remaining,
    replies,
    safe,
    spot,
    step,
    store,
    stuck,
    threats,
    touch,
    turn,
    unpack,
    verdict,
    write_state,
)
from plyground.search.solve import wins_at_once


class Seen(Block):
    """What the rules say of a state; behind it lie the canonical state and the one after a pass."""

    verdict = Word()
    key = Address()
    turn = Word()
    chance = Word("is it for chance to move?")
    evaluate = Real()
    forced = Word()
    stuck = Word("the result of a side without a move")
    replies = Word("how many there are")
    threats = Word("how many there are")
    label = Word("how many numbers it has")
    likely = Word("how many there are")
    pack = Address()
    countdown = Word()
    passes = Word("is there a state after a pass?")
    cells = Word("how many there are")
    touch = Word("how many words the cells of all moves take")


class Move(Block):
    """What they say of a move; behind it lies the state after it."""

    move = Word()
    order = Word()
    loud = Word()
    weight = Real("where chance moves")


class Hooks(Block):
    """What the hooks for solver and tables say of a state; behind it lies what `unpack` makes of the word of `pack`."""

    calm = Word("may `safe`, `finish` and `promise` be asked here?")
    code = Address()
    banked = Word()
    low = Word("bounds")
    high = Word()
    remaining = Word()
    pressure = Word()
    value = Word("what `finish` gives")
    nodes = Word()
    safe = Word("how many moves are safe")


class Hint(Block):
    """What they say of a move."""

    spot = Word()
    promise = Word()


def put_all(found, row, room):
    """Puts numbers into a row; returns how many there are, which may be more than there is room for."""
    n = 0
    for x in found:
        if n < room:
            store(row + u64(8 * n), i64(x))
        n += 1
    return n


def put_move(s, m, entries, n):
    """Puts a move and the state after it into the row of moves."""
    at = move_at(entries, n)
    at.move = m
    write_state(at.end, step(s, m))
    back(s, m)


def move_at(entries, n):
    """The record of a move in the row of moves."""
    return Move(entries + (Move(entries).end - entries + u64(8 * WORDS)) * u64(n))


def put_chances(s, entries, room):
    """A record for each outcome of chance; returns how many there are."""
    n = 0
    for m, weight in chance(s):
        if n < room:
            move_at(entries, n).weight = float(weight)
            put_move(s, m, entries, n)
        n += 1
    return n


def put_moves(s, entries, room):
    """A record for each move of a player; returns how many there are, which may be more than there is room for."""
    n = 0
    for m in moves(s):
        if n < room:
            at = move_at(entries, n)
            at.order, at.loud = order(s, m), loud(s, m)
            put_move(s, m, entries, n)
        n += 1
    return n


def put_touches(s, row, room):
    """Puts the cells that each move touches into a row, after their number; returns how many words there are."""
    n = 0
    for m in moves(s):
        at = n
        n += 1
        for cell in touch(s, m):
            if n < room:
                store(row + u64(8 * n), i64(cell))
            n += 1
        if at < room:
            store(row + u64(8 * at), n - at - 1)
    return n


def inspect(address, head, entries, rows, room):
    """Entry: everything the rules say of the state at an address; returns how many moves it has."""
    s = read_state(address)
    seen = Seen(head)
    seen.verdict, seen.key, seen.turn = verdict(s), u64(key(s)), turn(s)
    write_state(seen.end, canonical(s))
    if HAS_CELLS:
        seen.cells = put_all(cells(s), rows + u64(32 * room), room)
    if seen.verdict != GOING:
        return 0
    if CHANCE:
        n = put_chances(s, entries, room)
        seen.chance = n > 0
        if n:
            return n
    seen.evaluate, seen.forced = float(evaluate(s)), forced(s)
    n = put_moves(s, entries, room)
    if n == 0:
        seen.stuck = stuck(s)
    seen.replies = put_all(replies(s), rows, room)
    seen.threats = put_all(threats(s), rows + u64(8 * room), room)
    seen.label = put_all(label(s), rows + u64(16 * room), room)
    seen.likely = put_all(likely(s), rows + u64(24 * room), room)
    if HAS_TOUCH:
        seen.touch = put_touches(s, rows + u64(40 * room), room)
    seen.pack = u64(pack(s))
    seen.countdown = i64(countdown(s))
    if HAS_PASSES and may_pass(s):
        seen.passes = 1
        write_state(seen.end + u64(8 * WORDS), passes(s))
    return n


def hooks(address, head, entries, row, room, beta):
    """Entry: what the hooks for solver and tables say of the state at an address, where a player is to move; how many moves."""
    s = read_state(address)
    seen = Hooks(head)
    calm = not HAS_SAFE or not wins_at_once(s)
    seen.calm, seen.code, seen.banked = calm, u64(code(s)), i64(banked(s))
    low, high = bounds(s)
    seen.low, seen.high = i64(low), i64(high)
    seen.remaining, seen.pressure = i64(remaining(s)), i64(pressure(s))
    if HAS_PACK:
        word = u64(pack(s))
        if word != u64(0):
            write_state(seen.end, unpack(word))
    if calm:
        value, nodes = finish(s, beta)
        seen.value, seen.nodes = i64(value), i64(nodes)
        seen.safe = put_all(safe(s), row, room)
    n = 0
    for m in moves(s):
        if n < room:
            at = Hint(entries + (Hint(entries).end - entries) * u64(n))
            at.spot = i64(spot(s, m))
            if calm:
                at.promise = i64(promise(s, m, step(s, m)))
                back(s, m)
        n += 1
    return n


def some_positions(ending, rows, room):
    """Entry: the first positions of an ending, one after the other; returns how many, at most as many as there is room for."""
    n = 0
    for s in positions(ending):
        if n == room:
            break
        write_state(rows + u64(8 * WORDS * n), s)
        n += 1
    return n
