"""Kalah: sow seeds around the board; the side with more seeds in its store at the end wins. Any pits and seeds that fit.

Rules: Kalah as in Irving, Donkers and Uiterwijk, Solving Kalah (2000). A last seed in your own store gives you another turn; a
last seed in an empty pit of yours is captured together with those in the pit across, if there are any. When a row is empty
after a move, the other side keeps the seeds in its own row. Equal seeds are a draw; passing is not allowed.

Each side owns a row of pits and the store to its right, and sows counter-clockwise (drawn for 6 pits, as each side counts them):

               6  5  4  3  2  1   north
     north's                         south's
     store     1  2  3  4  5  6   south    store

One word per side, eight bits per pit, the store on top; the spare bytes between are always empty:

     bits  56-63 | 48-55 | 40-47 | 32-39 | 24-31 | 16-23 |  8-15 |  0-7
           store |   -   | pit 6 | pit 5 | pit 4 | pit 3 | pit 2 | pit 1

A move is a pit, counted from 0; people count from 1. Its seeds go one by one into the following pits, including the side's own
store but not the other side's. Last seed in the own store: another turn. Last seed in an empty pit of the own row: it and the
seeds in the pit across go to the own store, if there are any across (with `empty_capture=1`, even if there are none). When a row
is empty after a move, the seeds in the other row go to their side's store and the game is over.
"""

import re
from math import comb
from typing import NamedTuple

from plyground import Board, Parameter, Tuning, parameters
from plyground.bits import i64, lowest, mix, u64
from plyground.score import clip

PITS, SEEDS, EMPTY_CAPTURE = parameters(
    pits=Parameter(6, 1, 7, "pits of a side; 2 * pits * seeds is at most 255"),
    seeds=Parameter(4, 1, 127, "seeds in each pit at the start"),
    empty_capture=Parameter(0, 0, 1, "1: the last seed is captured even if the pit across is empty"),
)
TITLE = "Kalah"
SIDES = ("south", "north")
TOTAL = 2 * PITS * SEEDS
MARGIN = TOTAL
BOARD = Board("pits", cols=PITS, count=TOTAL)
if TOTAL > 255:
    raise ValueError("kalah needs 2 * pits * seeds <= 255")

FULL = u64(2**64 - 1)
STORE = 56  # the lowest bit of the store
ONES = u64(0x0101010101010101)  # a seed in every byte
ROW = u64((1 << 8 * PITS) - 1)  # the bytes of the pits
TOPS = u64(0x80 * ONES & ROW)
BELOW = u64(0x7F * ONES)


class State(NamedTuple):
    mine: u64  # pits and store of the side to move
    theirs: u64
    turn: int  # 0 south, 1 north


def start():
    return State(SEEDS * ONES & ROW, SEEDS * ONES & ROW, 0)


def sow_deltas(pit, seeds):
    """Return what a move adds to each word (minus the emptied pit), and where it ends: the lowest bit of an own byte, or 64."""
    slots = [(0, 8 * i) for i in range(PITS)] + [(0, STORE)] + [(1, 8 * i) for i in range(PITS)]
    words = [-seeds << 8 * pit, 0]
    side, at = 0, 8 * pit
    for i in range(1, seeds + 1):
        side, at = slots[(pit + i) % len(slots)]
        words[side] += 1 << at
    return u64(words[0]), u64(words[1]), 64 if side else at


SOWN = [[sow_deltas(pit, seeds) for seeds in range(TOTAL + 1)] for pit in range(PITS)]
TO_MINE = tuple(tuple(mine for mine, _, _ in row) for row in SOWN)
TO_THEIRS = tuple(tuple(theirs for _, theirs, _ in row) for row in SOWN)
END = tuple(tuple(end for _, _, end in row) for row in SOWN)


def moves(s):
    filled = ((s.mine & BELOW) + BELOW | s.mine) & TOPS
    while filled:
        yield lowest(filled) >> 3
        filled &= filled - 1


def collect_row(side):
    """Return a side's word with the seeds of its row moved to its store: a multiplication adds up all bytes in the top one."""
    return (side * ONES & FULL) >> STORE << STORE


def play(s, m):
    seeds = s.mine >> 8 * m & 255
    mine = s.mine + TO_MINE[m][seeds] & FULL
    theirs = s.theirs + TO_THEIRS[m][seeds]
    end = END[m][seeds]
    if end < STORE and mine >> end & 255 == 1:
        across = 8 * (PITS - 1) - end
        taken = theirs >> across & 255
        if taken or EMPTY_CAPTURE:
            mine += (taken + 1 << STORE) - (1 << end)
            theirs -= taken << across
    if not (mine & ROW and theirs & ROW):
        mine, theirs = collect_row(mine), collect_row(theirs)
    if end == STORE:
        return State(mine, theirs, s.turn)
    return State(theirs, mine, 1 - s.turn)


def result(s):
    return None if s.mine & ROW else i64(s.mine >> STORE) - i64(s.theirs >> STORE)


def turn(s):
    return s.turn


def key(s):
    """Mix the pits and stores as the side to move sees them; which side that is doesn't matter."""
    return mix(mix(s.mine) ^ s.theirs)


# -- what a position is worth -----------------------------------------------------------------------------------------------

SEED_VALUE = min(100, 8000 // TOTAL)  # points per seed: fewer if many seeds would make estimates too large


def gives_extra_turn(mine, m):
    """Return whether the move ends in the store and gives another turn."""
    return END[m][mine >> 8 * m & 255] == STORE


def capture_size(mine, theirs, m):
    """Return how many seeds the move takes from the pit across."""
    seeds = mine >> 8 * m & 255
    end = END[m][seeds]
    if end >= STORE or mine + TO_MINE[m][seeds] >> end & 255 != 1:
        return 0
    return i64(theirs + TO_THEIRS[m][seeds] >> 8 * (PITS - 1) - end & 255)


def chances(mine, theirs, turn_worth, seed_worth):
    """Return the value of the seeds in the row, the number of pits to choose from and of extra turns, and the best capture."""
    score = 30 * (i64(collect_row(mine) >> STORE) - i64(mine >> STORE))
    best = 0
    for m in range(PITS):
        if mine >> 8 * m & 255:
            score += 200
            if gives_extra_turn(mine, m):
                score += turn_worth
            best = max(best, capture_size(mine, theirs, m))
    return score + seed_worth * best


def evaluate(s):
    """Return the stores and what each side may still gain, in hundredths of a seed; chances count more for the side to move.

    The weights are rounded by hand from a least-squares fit to the margins of games that a shallow search played against itself.
    """
    score = 100 * (i64(s.mine >> STORE) - i64(s.theirs >> STORE))
    score += chances(s.mine, s.theirs, 130, 120) - chances(s.theirs, s.mine, 50, 50)
    return clip(score * SEED_VALUE // 100)


def order(s, m):
    """Rank another turn first, then captures by size; among equals the pit nearest the store, which keeps more chances."""
    if gives_extra_turn(s.mine, m):
        return 2000 + m
    taken = capture_size(s.mine, s.theirs, m)
    return 1000 + 10 * taken + m if taken else m


def loud(s, m):
    """Return whether a move gives another turn or captures: it puts seeds into a store."""
    return gives_extra_turn(s.mine, m) or capture_size(s.mine, s.theirs, m) > 0


# -- for the solver ---------------------------------------------------------------------------------------------------------


def count_distributions(places, seeds):
    """Return the number of ways to put fewer than this many seeds into this many pits."""
    return comb(seeds + places - 1, places)


WAYS = tuple(tuple(u64(count_distributions(i + 1, n)) for n in range(TOTAL + 1)) for i in range(2 * PITS))
KEY_BITS = count_distributions(2 * PITS, TOTAL + 1).bit_length()
if KEY_BITS > 60:
    KEY_BITS = 0  # no one-word code: the solver stores whole states
SOLVER = Tuning(dense=count_distributions(2 * PITS, min(TOTAL // 3, 14) + 1))  # up to fourteen seeds in the pits


def code(s):
    """Return the index of the pits' contents, own pits first, among all ways to fill them; fewer seeds give smaller numbers."""
    mine = (s.mine & ROW) * ONES & FULL  # each byte: the seeds up to there
    theirs = (s.theirs & ROW) * ONES & FULL
    own = mine >> STORE
    number = u64(0)
    for i in range(PITS):
        number += WAYS[i][mine >> 8 * i & 255] + WAYS[PITS + i][own + (theirs >> 8 * i & 255)]
    return number


def banked(s):
    """Return the difference of the stores: seeds in them stay there."""
    return i64(s.mine >> STORE) - i64(s.theirs >> STORE)


def bounds(s):
    """Return the results if one side or the other gets all seeds still in the pits."""
    left = TOTAL - i64(s.mine >> STORE) - i64(s.theirs >> STORE)
    return banked(s) - left, banked(s) + left


def spot(s, m):
    """Return the pit and the number of seeds in it."""
    return 64 * m + i64(min(s.mine >> 8 * m & 255, 63))


# -- text and board ---------------------------------------------------------------------------------------------------------


def cells(s):
    south, north = (s.theirs, s.mine) if s.turn else (s.mine, s.theirs)
    for side in (south, north):
        for i in range(PITS):
            yield i64(side >> 8 * i & 255)
        yield i64(side >> STORE)


def touch(s, m):
    yield m + s.turn * (PITS + 1)


def format_move(s, m):
    return str(m + 1)


def parse_move(s, text):
    if text not in [str(i + 1) for i in range(PITS)]:
        raise ValueError(text)
    return int(text) - 1


def format_state(s):
    """Return south's pits and store, north's pits and store, each from its own left, and the side to move."""
    seeds = list(cells(s))
    south, north = (f"{','.join(map(str, seeds[i : i + PITS]))} {seeds[i + PITS]}" for i in (0, PITS + 1))
    return f"{south} / {north} {SIDES[s.turn]}"


def parse_state(text):
    row = r"(\d+(?:,\d+)*) +(\d+)"
    match = re.fullmatch(rf"{row} */ *{row} +({'|'.join(SIDES)})", text, re.ASCII)
    if match is None:
        raise ValueError(text)
    words = []
    seeds = 0
    for pits, store in ((match[1], match[2]), (match[3], match[4])):
        counts = [int(n) for n in pits.split(",")]
        if len(counts) != PITS:
            raise ValueError(f"a row has {PITS} pits")
        seeds += sum(counts) + int(store)
        words.append(sum(n << 8 * i for i, n in enumerate(counts)) + (int(store) << STORE))
    if seeds != TOTAL:
        raise ValueError(f"there are {TOTAL} seeds")
    if (words[0] & ROW == 0) != (words[1] & ROW == 0):
        raise ValueError("if a row is empty, the game is over and the seeds of the other row belong in its store")
    mover = SIDES.index(match[5])
    return State(words[mover], words[1 - mover], mover)
