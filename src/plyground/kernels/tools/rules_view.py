"""The rules for a page without Python: what it shows of a state, and the state after a move.

Moves, their weights if chance is to move, what is on the cells, and the cells that moves touch are rows of words. For each move,
the number of cells it touches comes before those cells.
"""

from __future__ import annotations

from plyground.bits import i64, u64
from plyground.compile.blocks import Address, Block, Word
from plyground.compile.vocabulary import (
    CHANCE,
    GOING,
    HAS_CELLS,
    HAS_TOUCH,
    cells,
    chance,
    key,
    moves,
    read_state,
    step,
    store,
    store_real,
    stuck,
    touch,
    turn,
    verdict,
    write_state,
)

VIEW = "int64(uint64, uint64, uint64, int64)"
ADVANCE = "int64(uint64, int64)"


class RulesView(Block):
    """The answers of the rules for a state."""

    verdict = Word("the result for the side to move")
    going = Word("whether there is no result yet")
    key = Address()
    turn = Word()
    chance = Word("whether chance is to move")
    stuck = Word("whether the side to move has no legal move")
    moves = Word("the number of moves")
    cells = Word("the number of cells")
    touch = Word("the number of words that the cells of all moves take")


def put_all(found, row, room):
    """Write numbers into a row; return how many there are, which may be more than fit."""
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
    """Write what a page shows of the state at an address; return the words that the longest row needs (entry point).

    There are four rows, each with room for this many words: moves, weights, cells, touched cells.
    """
    s = read_state(address)
    seen = RulesView(head)
    seen.verdict, seen.key, seen.turn = verdict(s), u64(key(s)), turn(s)
    seen.going = seen.verdict == GOING
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
    """Play a move: the state at the address becomes the next one (entry point)."""
    write_state(address, step(read_state(address), m))
    return 0
