"""The textbook's minimax and alpha-beta as a kernel that writes each step of the search into memory.

The events are those of a `Recorder`, in the same order and with the same values, so that a page without Python can show a search.
The option USE_ORDER is the textbook's `order=game`, USE_LIKELY its `near=likely`. In games of chance there is no window: it is
`expectiminimax`.
"""

from __future__ import annotations

from math import inf

from plyground.bits import i64, u64
from plyground.compile.blocks import Address, Block, Float, Word
from plyground.compile.vocabulary import (
    ALTERNATE,
    CHANCE,
    ONGOING,
    REPETITION,
    WORDS,
    address,
    key,
    read_state,
    step,
    store,
    stuck,
    turn,
    undo_step,
    verdict,
    write_state,
)
from plyground.kernels.search.chance_node import Outcome, list_outcomes
from plyground.kernels.search.chance_node import estimate as expected
from plyground.kernels.search.chance_node import terminal_value as outcome
from plyground.kernels.search.move_ordering import ListedMove, list_moves, pick_best, rank_moves
from plyground.kernels.search.node import estimate as guess
from plyground.kernels.search.node import terminal_score
from plyground.kernels.search.search_memory import (
    MAX_PAST,
    MAX_PLY,
    SEEN_SIZE,
    STACK_GUARD,
    STACK_WORDS,
    SearchMemory,
    begin,
    enter_node,
    is_repetition,
    pop_path,
    push_path,
    update_pv,
)
from plyground.score import INFINITE

SIGNATURE = "int64(uint64, int64, int64, uint64, uint64)"
"""Signature of `trace`."""
WHOLE = 1 << 30
"""The depth of a search to the end of the game; a depth left above half of it is not shown."""
ENTER, LEAF, CHILD, CUTOFF, LEAVE = range(5)
MAX, MIN, DICE = range(3)
"""The kinds of nodes."""


class Events(Block):
    """The head of the buffer; the events follow it."""

    # Input.
    limit = Address("the end of the buffer")
    nodes = Word("the number of nodes after which the search ends")
    pruning = Word("nonzero for alpha-beta, 0 for minimax")
    options = Word("the search options: USE_ORDER, USE_LIKELY")

    # The current place.
    next = Address("the address of the next event")
    parent = Word("the number of the node whose child comes next, -1 before the root")
    move = Word("the move that leads to that child")
    share = Float("its probability, 1 if a player makes it")


class TraceEvent(Block):
    """An event. What follows it: for ENTER a NodeEntry and the state, for CUTOFF the pruned moves, for LEAVE the best line."""

    what = Word("ENTER to LEAVE")
    node = Word("the number of the node")
    move = Word(
        "the move that leads to the node (ENTER), was searched (CHILD), cuts off (CUTOFF) or is best (LEAVE); -1 for none"
    )
    value = Float("the value for max; 0 for ENTER")
    mark = Word("the kind of the node (ENTER); 1 for an estimate (LEAF), the best so far (CHILD), the first move tried (CUTOFF)")
    more = Word("the number of words that follow")


class NodeEntry(Block):
    """The details of an ENTER event."""

    parent = Word("the number of its parent, -1 at the root")
    depth = Word("the depth left")
    alpha = Float("the window for max, with `beta`")
    beta = Float()
    share = Float("the probability of the move that leads here")


def put(out, mem, what, number, move, value, mark, more):
    """Write an event; return where the `more` words that follow it go, or 0 and end the search if there is no room."""
    at = TraceEvent(out.next)
    after = at.end + u64(8) * u64(more)
    if after > out.limit:
        mem.aborted = 1
        return u64(0)
    at.what, at.node, at.move, at.value, at.mark, at.more = what, number, move, value, mark, more
    out.next = after
    return at.end


def put_enter(s, depth, side, alpha, beta, rolled, out, mem):
    """Record that a node is entered."""
    kind = DICE if rolled else MAX if side > 0 else MIN
    size = NodeEntry(out.next).end - out.next
    at = put(out, mem, ENTER, mem.nodes - 1, out.move, 0.0, kind, i64(size // u64(8)) + WORDS)
    if at:
        node = NodeEntry(at)
        node.parent, node.depth, node.share = out.parent, depth, out.share
        node.alpha, node.beta = (alpha, beta) if side > 0 else (-beta, -alpha)
        write_state(node.end, s)


def put_cutoff(number, value, top, i, count, out, mem):
    """Record that the moves after index i of the list are pruned."""
    at = put(out, mem, CUTOFF, number, top[i].move, value, i64(i == 0), count - i - 1)
    if at:
        for j in range(i + 1, count):
            store(at + u64(8) * u64(j - i - 1), top[j].move)


def put_leave(number, value, ply, out, mem):
    """Record that a node is left, with its value and the best line."""
    line, length = MAX_PLY * ply, mem.lengths[ply]
    at = put(out, mem, LEAVE, number, mem.lines[line] if length else i64(-1), value, i64(0), length)
    if at:
        for i in range(length):
            store(at + u64(8) * u64(i), mem.lines[line + i])


def estimate(s, mem):
    """Return the static evaluation for the side to move."""
    return expected(s, mem) if CHANCE else float(guess(s, mem))


def terminal_value(result, ply, mem):
    """Return the value for the side to move of a game that ends at this ply."""
    return outcome(result, mem) if CHANCE else float(terminal_score(result, ply, mem))


def visit(s, depth, ply, side, alpha, beta, top, mem, out):
    """Return the value of s for the side to move, fail-soft in (alpha, beta); `side` is 1 where max moves, -1 where min does."""
    # 1. Enter the node. Its moves are listed at once: without any, the game is over.
    enter_node(mem, ply)
    number = mem.nodes - 1
    count = list_outcomes(s, Outcome(address(top)), mem) if CHANCE else i64(0)
    rolled = count > 0
    put_enter(s, depth, side, alpha, beta, rolled, out, mem)
    result = i64(verdict(s))
    if result == ONGOING and count == 0:
        count = list_moves(s, top, mem, i64(0))
        if count == 0:
            result = i64(stuck(s))
    if mem.aborted or count < 0 or ply >= MAX_PLY - 2:
        mem.aborted = 1
        return 0.0

    # 2. A leaf: the game is over, by the rules or by repetition, or the depth limit is reached.
    k = u64(key(s))
    if REPETITION and result == ONGOING and ply > 0 and is_repetition(mem, k, ply):
        result = i64(0)
    if result != ONGOING or depth <= 0:
        value = estimate(s, mem) if result == ONGOING else terminal_value(result, ply, mem)
        put(out, mem, LEAF, number, i64(-1), value * side, i64(result == ONGOING), i64(0))
        put_leave(number, value * side, ply, out, mem)
        return value

    # 3. Each move in turn, in the order of the list or of the game's hints.
    if not rolled:
        rank_moves(s, top, count, mem, ply, i64(0), i64(0))
        for i in range(count):
            pick_best(top, i, count)
    push_path(mem, k, ply)
    me = turn(s)
    best, total = -inf, 0.0
    for i in range(count):
        m = top[i].move
        share = Outcome(address(top))[i].share if rolled else 1.0
        out.parent, out.move, out.share = number, m, share
        child = step(s, m)
        left, floor = (depth if rolled else depth - 1), max(alpha, best)
        if (ALTERNATE and not rolled) or turn(child) != me:
            value = -visit(child, left, ply + 1, -side, -beta, -floor, top[count], mem, out)
        else:
            value = visit(child, left, ply + 1, side, floor, beta, top[count], mem, out)
        undo_step(s, m)
        if mem.aborted:
            return 0.0
        put(out, mem, CHILD, number, m, value * side, i64(rolled or value > best), i64(0))
        total += share * value
        if value > best and not rolled:
            best = value
            update_pv(mem, ply, m)
        if out.pruning and best >= beta:
            put_cutoff(number, best * side, top, i, count, out, mem)
            break
    pop_path(mem, k)

    # 4. Leave it with the value of the best move, or with the average.
    value = total if rolled else best
    put_leave(number, value * side, ply, out, mem)
    return value


def prepare(game, past, mem, out):
    """Prepare a searcher, whatever was in its memory; `past` states of the game come before the root."""
    mem.state, mem.stack = mem.end, mem.end + u64(8 * WORDS)
    mem.stack_end = mem.stack + u64(8 * STACK_WORDS - STACK_GUARD)
    mem.options, mem.node_limit, mem.deadline = out.options, out.nodes, 0
    mem.nodes = mem.evaluations = mem.aborted = mem.past = 0
    mem.next_check = mem.node_limit  # no other thread can stop it
    if REPETITION:
        for i in range(SEEN_SIZE):
            mem.seen[i] = 0
        known = min(past, i64(MAX_PAST))
        for i in range(known):
            push_path(mem, u64(key(read_state(game + u64(8 * WORDS) * u64(past - known + i)))), i)
        mem.past = known


def trace(game, past, depth, memory, buffer):
    """Entry point: search the last of the game's states, of which `past` come before it, and write what happens.

    `memory` is a SearchMemory with room for a state and for the stack (STACK_WORDS) after it. The input in the buffer's head
    comes from the caller. Returns 1, or 0 if the search was ended by the limit of nodes or because the buffer is full.
    """
    mem, out = SearchMemory(memory), Events(buffer)
    prepare(game, past, mem, out)
    s = begin(game + u64(8 * WORDS) * u64(past), mem)
    out.next, out.parent, out.move, out.share = out.end, -1, -1, 1.0
    bound = inf if CHANCE else float(INFINITE)
    visit(s, depth, i64(0), i64(1), -bound, bound, ListedMove(mem.stack), mem, out)
    return i64(mem.aborted == 0)
