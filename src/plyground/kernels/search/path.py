"""The path from the root to a node: counting nodes, checking limits, repetition, and the best line."""

from __future__ import annotations

from plyground.bits import i64, u64
from plyground.compile.vocabulary import IN_PLACE, MARGIN, REPETITION, address, clock, load, read_state, write_state
from plyground.kernels.search.search_memory import MAX_PLY, SEEN_SIZE

LOOK_EVERY = 512  # nodes between two looks at the stop word, without a clock
LOOK_NS = 1_000_000  # nanoseconds between two looks, with a clock: with slow rules, a single node can take this long
LOOK_MOST = 4096


def begin(root, mem):
    """Return the state at an address; for in-place rules, a copy that the search may change."""
    if IN_PLACE:
        write_state(mem.state, read_state(root))
        return read_state(mem.state)
    return read_state(root)


def enter_node(mem, ply):
    """Count the node and check now and then whether to go on."""
    mem.nodes += 1
    mem.lengths[ply] = 0
    if ply > mem.selective:
        mem.selective = ply
    if mem.nodes >= mem.next_look:
        check_limits(mem)


def check_limits(mem):
    """Check whether the search was stopped or has used up its nodes or time."""
    step = i64(LOOK_EVERY)
    if mem.deadline:
        now = clock(address(mem.clock))
        took = now - mem.last_look
        step = mem.look_step
        step = max(i64(1), step * LOOK_NS // took) if took > LOOK_NS else min(2 * step, i64(LOOK_MOST))
        mem.last_look, mem.look_step = now, step
        if now >= mem.deadline:
            mem.aborted = 1
    mem.next_look = min(mem.nodes + step, mem.node_limit)
    if mem.nodes >= mem.node_limit or load(mem.stop) != 0:
        mem.aborted = 1


def check_margin(result, mem):
    """Stop the search at a result beyond MARGIN: scores and cutoffs are unsound from there on, and its caller reports it."""
    if MARGIN and abs(result) > MARGIN:
        mem.beyond = i64(result)
        mem.aborted = 1


def repetition_index(k):
    """Return the index of the counter of keys on the path with this key's hash."""
    return i64(u64(k) & u64(SEEN_SIZE - 1))


def push_path(mem, k, ply):
    """Add a position to the path if repetition matters."""
    if REPETITION:
        mem.path[mem.past + ply] = u64(k)
        mem.seen[repetition_index(k)] += 1


def pop_path(mem, k):
    """Remove the last position from the path."""
    if REPETITION:
        mem.seen[repetition_index(k)] -= 1


def is_repetition(mem, k, ply):
    """Return whether this position, at `ply`, has occurred on the path or in the game before; its value then depends on that.

    On the path, the first repetition is a draw: a side that could gain by going round again could have gained before. A position
    from the game so far is a draw too, but only an estimate until it occurs for the last time: the other side may have erred.
    """
    if mem.seen[repetition_index(k)] == 0:
        return False
    at = mem.past + ply - 1
    while at >= 0:
        if mem.path[at] == u64(k):
            if at < mem.past and count_occurrences(mem, k, at) + 1 < REPETITION:
                mem.estimated = 1
            mem.cycle = min(mem.cycle, at - mem.past)
            return True
        at -= 1
    return False


def count_occurrences(mem, k, at):
    """Return how often a position has occurred in the game up to index `at`."""
    times = i64(0)
    for i in range(at + 1):
        if mem.path[i] == u64(k):
            times += 1
    return times


def update_pv(mem, ply, m):
    """Set the best line from here: m, then the child's line."""
    own, child = MAX_PLY * ply, MAX_PLY * (ply + 1)
    mem.lines[own] = m
    n = min(mem.lengths[ply + 1], MAX_PLY - 1 - ply)
    for i in range(n):
        mem.lines[own + 1 + i] = mem.lines[child + i]
    mem.lengths[ply] = n + 1
