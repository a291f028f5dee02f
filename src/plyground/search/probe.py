"""One look at a state through the compiled rules: what `check` lays beside the interpreted ones.

The head, in words: 0 outcome, 1 key, 2 turn, 3 evaluate (a float), 4 forced, 5 is it for chance to move, 6 the result of a
side without a move, 7 how many replies, 8 is there a state after a pass, 9 how many threats, 10 how many numbers the label has,
11 the word of `pack`, 12 how many likely moves, 13 countdown; then the canonical state and the one after a pass. An entry for
each move, in words: the move, its order or (a float) its weight, is it loud, a reply, a threat, a number of the label, a likely
move; then the state after it.

`hooks` asks what only the solver and tables ask. Its head: 0 may `safe`, `finish` and `promise` be asked here, 1 code, 2 banked,
3 and 4 bounds, 5 remaining, 6 pressure, 7 and 8 what `finish` gives, 9 how many moves are safe; then the state that `unpack`
makes of the word of `pack`. An entry: the spot of a move, its promise, a safe move.
"""

from __future__ import annotations

from plyground.bits import i64, u64
from plyground.compile.vocabulary import (
    CHANCE,
    GOING,
    HAS_COUNTDOWN,
    HAS_LABEL,
    HAS_LIKELY,
    HAS_PACK,
    HAS_PASSES,
    HAS_REPLIES,
    HAS_SAFE,
    HAS_THREATS,
    WORDS,
    back,
    banked,
    bounds,
    canonical,
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
    outcome,
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
    store_real,
    stuck,
    threats,
    turn,
    unpack,
    write_state,
)
from plyground.search.solve import wins_at_once

HEAD = 14
ENTRY = 7
HOOKS_HEAD = 10
HOOKS_ENTRY = 3


def put_child(s, m, at):
    """The move and the state after it, at an address."""
    store(at, m)
    write_state(at + u64(8 * ENTRY), step(s, m))
    back(s, m)


def put_replies(s, entries, room):
    """The replies, each in the fourth word of an entry; returns how many."""
    n = 0
    if HAS_REPLIES:
        for m in replies(s):
            if n < room:
                store(entries + u64(8 * (ENTRY + WORDS) * n + 24), m)
            n += 1
    return n


def put_threats(s, entries, room):
    """The threats, each in the fifth word of an entry; returns how many."""
    n = 0
    if HAS_THREATS:
        for m in threats(s):
            if n < room:
                store(entries + u64(8 * (ENTRY + WORDS) * n + 32), m)
            n += 1
    return n


def put_label(s, entries, room):
    """The numbers of the label, each in the sixth word of an entry; returns how many."""
    n = 0
    if HAS_LABEL:
        for x in label(s):
            if n < room:
                store(entries + u64(8 * (ENTRY + WORDS) * n + 40), i64(x))
            n += 1
    return n


def put_likely(s, entries, room):
    """The likely moves, each in the seventh word of an entry; returns how many."""
    n = 0
    if HAS_LIKELY:
        for m in likely(s):
            if n < room:
                store(entries + u64(8 * (ENTRY + WORDS) * n + 48), m)
            n += 1
    return n


def put_moves(s, entries, room):
    """An entry for each move of a player; returns how many there are, which may be more than there is room for."""
    n = 0
    for m in moves(s):
        if n < room:
            at = entries + u64(8 * (ENTRY + WORDS) * n)
            store(at + u64(8), order(s, m))
            store(at + u64(16), 1 if loud(s, m) else 0)
            put_child(s, m, at)
        n += 1
    return n


def probe(address, head, entries, room):
    """Entry: everything the rules say of the state at an address; returns how many moves it has."""
    s = read_state(address)
    value = outcome(s)
    store(head, value)
    store(head + u64(8), i64(key(s)))
    store(head + u64(16), turn(s))
    write_state(head + u64(8 * HEAD), canonical(s))
    if value != GOING:
        return 0
    n = 0
    if CHANCE:
        for m, weight in chance(s):
            if n < room:
                at = entries + u64(8 * (ENTRY + WORDS) * n)
                store_real(at + u64(8), float(weight))
                put_child(s, m, at)
            n += 1
        if n:
            store(head + u64(40), 1)
            return n
    store_real(head + u64(24), float(evaluate(s)))
    store(head + u64(32), 1 if forced(s) else 0)
    n = put_moves(s, entries, room)
    if n == 0:
        store(head + u64(48), stuck(s))
    store(head + u64(56), put_replies(s, entries, room))
    store(head + u64(72), put_threats(s, entries, room))
    store(head + u64(80), put_label(s, entries, room))
    store(head + u64(88), i64(pack(s)))
    store(head + u64(96), put_likely(s, entries, room))
    store(head + u64(104), i64(countdown(s)) if HAS_COUNTDOWN else 0)
    if HAS_PASSES and may_pass(s):
        store(head + u64(64), 1)
        write_state(head + u64(8 * (HEAD + WORDS)), passes(s))
    return n


def put_safe(s, entries, room):
    """The safe moves, each in the third word of an entry; returns how many."""
    n = 0
    for m in safe(s):
        if n < room:
            store(entries + u64(8 * HOOKS_ENTRY * n + 16), m)
        n += 1
    return n


def hooks(address, head, entries, room, beta):
    """Entry: what the hooks for solver and tables say of the state at an address, where a player is to move; how many moves."""
    s = read_state(address)
    calm = not HAS_SAFE or not wins_at_once(s)
    store(head, 1 if calm else 0)
    store(head + u64(8), i64(code(s)))
    store(head + u64(16), i64(banked(s)))
    low, high = bounds(s)
    store(head + u64(24), i64(low))
    store(head + u64(32), i64(high))
    store(head + u64(40), i64(remaining(s)))
    store(head + u64(48), i64(pressure(s)))
    if HAS_PACK:
        word = u64(pack(s))
        if word != u64(0):
            write_state(head + u64(8 * HOOKS_HEAD), unpack(word))
    if calm:
        value, nodes = finish(s, beta)
        store(head + u64(56), i64(value))
        store(head + u64(64), i64(nodes))
        store(head + u64(72), put_safe(s, entries, room))
    n = 0
    for m in moves(s):
        if n < room:
            at = entries + u64(8 * HOOKS_ENTRY * n)
            store(at, i64(spot(s, m)))
            if calm:
                child = step(s, m)
                store(at + u64(8), i64(promise(s, m, child)))
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
