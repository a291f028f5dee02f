"""What the compiled rules answer about a state: for a page without Python, and for `check`, which compares it with the
interpreted rules.

Answers of any length are rows of words: moves, weights of chance moves, contents of cells, replies, threats. For the cells that
moves touch, the number of cells comes before the cells of each move. For `check`, moves are records, each with the state it leads
to.
"""

from __future__ import annotations

from plyground.bits import i64, u64
from plyground.compile.blocks import Address, Block, Float, Word
from plyground.compile.vocabulary import (
    CHANCE,
    HAS_CELLS,
    HAS_PACK,
    HAS_PASSES,
    HAS_SAFE,
    HAS_TOUCH,
    ONGOING,
    WORDS,
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
    store_real,
    stuck,
    threats,
    touch,
    turn,
    undo_step,
    unpack,
    verdict,
    write_state,
)
from plyground.kernels.solve.null_window import wins_at_once

# -- for a page -----------------------------------------------------------------------------------------------------------------

VIEW = "int64(uint64, uint64, uint64, int64)"
ADVANCE = "int64(uint64, int64)"


class RulesView(Block):
    """What a page shows of a state."""

    verdict = Word("the result for the side to move")
    going = Word("nonzero if there is no result yet")
    key = Address()
    turn = Word()
    chance = Word("nonzero if it is chance's turn")
    stuck = Word("nonzero if the side to move has no legal move")
    moves = Word("the number of moves")
    cells = Word("the number of cells")
    touch = Word("the number of words that the cells of all moves take")


def put_all(found, row, room):
    """Write numbers into a row; return their number, which may be larger than the room."""
    n = 0
    for x in found:
        if n < room:
            store(row + u64(8 * n), i64(x))
        n += 1
    return n


def put_touches(s, row, room):
    """Write the cells that each move touches into a row, after their number; return the number of words."""
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


def put_chances(s, row, weights, room):
    """Write the chance outcomes and their weights; return their number."""
    n = 0
    for m, weight in chance(s):
        if n < room:
            store(row + u64(8 * n), i64(m))
            store_real(weights + u64(8 * n), float(weight))
        n += 1
    return n


def view(address, head, rows, room):
    """Entry point: write what a page shows of the state at an address; return the words that the longest row needs.

    There are four rows, each with room for this many words: moves, weights, cells, touched cells.
    """
    s = read_state(address)
    seen = RulesView(head)
    seen.verdict, seen.key, seen.turn = verdict(s), u64(key(s)), turn(s)
    seen.going = seen.verdict == ONGOING
    seen.chance = seen.stuck = seen.moves = seen.cells = seen.touch = 0
    if HAS_CELLS:
        seen.cells = put_all(cells(s), rows + u64(16 * room), room)
    if seen.going != 0:
        if CHANCE:
            seen.moves = put_chances(s, rows, rows + u64(8 * room), room)
            seen.chance = seen.moves > 0
        if seen.chance == 0:
            seen.moves = put_all(moves(s), rows, room)
            if HAS_TOUCH:
                seen.touch = put_touches(s, rows + u64(24 * room), room)
        if seen.moves == 0:
            seen.stuck, seen.going, seen.verdict = 1, 0, i64(stuck(s))
    return max(seen.moves, seen.cells, seen.touch)


def advance(address, m):
    """Entry point: play a move; the state at the address becomes the next one."""
    write_state(address, step(read_state(address), m))
    return 0


# -- for `check` ----------------------------------------------------------------------------------------------------------------


class InspectedState(Block):
    """The rules' answers for a state; the canonical state and the state after a pass follow it."""

    verdict = Word()
    key = Address()
    turn = Word()
    chance = Word("nonzero if chance is to move")
    evaluate = Float()
    forced = Word()
    stuck = Word("the result if there is no legal move")
    replies = Word("the number of replies")
    threats = Word("the number of threats")
    label = Word("the length of the label")
    likely = Word("the number of likely moves")
    pack = Address()
    countdown = Word()
    passes = Word("nonzero if there is a state after a pass")
    cells = Word("the number of cells")
    touch = Word("the number of words that the cells of all moves take")


class MoveAnswers(Block):
    """The rules' answers for a move; the state after the move follows it."""

    move = Word()
    order = Word()
    loud = Word()
    weight = Float("for chance moves")


class SolverHookAnswers(Block):
    """The answers of the solver and table hooks for a state; `unpack` of the word from `pack` follows it."""

    no_immediate_win = Word("nonzero if `safe`, `finish` and `promise` may be called here")
    code = Address()
    banked = Word()
    low = Word("the lower one of the `bounds`")
    high = Word("the upper one of the `bounds`")
    remaining = Word()
    pressure = Word()
    value = Word("the bound from `finish`")
    nodes = Word()
    safe = Word("the number of safe moves")


class HintAnswers(Block):
    """The answers of these hooks for a move."""

    spot = Word()
    promise = Word()


def put_move_record(s, m, entries, n):
    """Write a move and the state after it into the row of moves."""
    at = move_at(entries, n)
    at.move = m
    write_state(at.end, step(s, m))
    undo_step(s, m)


def move_at(entries, n):
    """Return the nth record in the row of moves."""
    return MoveAnswers(entries + (MoveAnswers(entries).end - entries + u64(8 * WORDS)) * u64(n))


def put_outcome_records(s, entries, room):
    """Write a record for each chance outcome; return their number."""
    n = 0
    for m, weight in chance(s):
        if n < room:
            move_at(entries, n).weight = float(weight)
            put_move_record(s, m, entries, n)
        n += 1
    return n


def put_move_records(s, entries, room):
    """Write a record for each move of a player; return their number, which may be larger than the room."""
    n = 0
    for m in moves(s):
        if n < room:
            at = move_at(entries, n)
            at.order, at.loud = order(s, m), loud(s, m)
            put_move_record(s, m, entries, n)
        n += 1
    return n


def inspect(address, head, entries, rows, room):
    """Entry point: write everything the rules report about the state at an address; return the number of moves."""
    s = read_state(address)
    seen = InspectedState(head)
    seen.verdict, seen.key, seen.turn = verdict(s), u64(key(s)), turn(s)
    write_state(seen.end, canonical(s))
    if HAS_CELLS:
        seen.cells = put_all(cells(s), rows + u64(32 * room), room)
    if seen.verdict != ONGOING:
        return 0
    if CHANCE:
        n = put_outcome_records(s, entries, room)
        seen.chance = n > 0
        if n:
            return n
    seen.evaluate, seen.forced = float(evaluate(s)), forced(s)
    n = put_move_records(s, entries, room)
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
    """Entry point: write the answers of the solver and table hooks for the state at an address; return the number of moves."""
    s = read_state(address)
    seen = SolverHookAnswers(head)
    no_immediate_win = not HAS_SAFE or not wins_at_once(s)
    seen.no_immediate_win, seen.code, seen.banked = no_immediate_win, u64(code(s)), i64(banked(s))
    low, high = bounds(s)
    seen.low, seen.high = i64(low), i64(high)
    seen.remaining, seen.pressure = i64(remaining(s)), i64(pressure(s))
    if HAS_PACK:
        word = u64(pack(s))
        if word != u64(0):
            write_state(seen.end, unpack(word))
    if no_immediate_win:
        value, nodes = finish(s, beta)
        seen.value, seen.nodes = i64(value), i64(nodes)
        seen.safe = put_all(safe(s), row, room)
    n = 0
    for m in moves(s):
        if n < room:
            at = HintAnswers(entries + (HintAnswers(entries).end - entries) * u64(n))
            at.spot = i64(spot(s, m))
            if no_immediate_win:
                at.promise = i64(promise(s, m, step(s, m)))
                undo_step(s, m)
        n += 1
    return n


def first_positions(ending, rows, room):
    """Entry point: write the first positions of an ending, as many as fit; return how many."""
    n = 0
    for s in positions(ending):
        if n == room:
            break
        write_state(rows + u64(8 * WORDS * n), s)
        n += 1
    return n
