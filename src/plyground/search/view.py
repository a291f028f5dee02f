"""What a page shows of a state, and how it plays a move: the rules where there is no Python.

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


class View(Block):
    """The rules' answers for a state."""

    verdict = Word("the result for the side to move")
    going = Word("is there no result yet?")
    key = Address()
    turn = Word()
    chance = Word("is chance to move?")
    stuck = Word("has the side to move no legal move?")
    moves = Word("how many there are")
    cells = Word("how many there are")
    touch = Word("how many words the cells of all moves take")


def put_all(found, row, room):
    """Writes numbers into a row; returns how many there are, which may be more than fit."""
    n = 0
    for x in found:
        if n < room:
            store(row + u64(8 * n), i64(x))
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


def put_chances(s, row, weights, room):
    """Writes the chance outcomes and their weights; returns how many there are."""
    n = 0
    for m, weight in chance(s):
        if n < room:
            store(row + u64(8 * n), i64(m))
            store_real(weights + u64(8 * n), float(weight))
        n += 1
    return n


def view(address, head, rows, room):
    """Entry point: what a page shows of the state at an address; returns how many words the longest of its rows needs.

    There are four rows, each with room for this many words: moves, weights, cells, touched cells.
    """
    s = read_state(address)
    seen = View(head)
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
    """Entry point: plays a move; the state at the address becomes the next one."""
    write_state(address, step(read_state(address), m))
    return 0
