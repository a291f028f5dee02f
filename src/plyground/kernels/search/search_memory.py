"""The memory of one thread of the engine's search: options, limits and counters, and the path from the root to the current node.

After the fields of the block come the state, for in-place rules, and the stack: the ranked moves of one node after the other.
`stack_end` guards the stack, MAX_PLY everything that is indexed by ply.
"""

from __future__ import annotations

from plyground.bits import MASK, i64, u64
from plyground.compile.blocks import Address, Addresses, Block, Word, Words
from plyground.compile.vocabulary import IN_PLACE, MARGIN, REPETITION, address, clock, load, read_state, write_state
from plyground.rules.rollouts import PLIES
from plyground.system.machine import clock_ns

MAX_PLY = 200
MAX_PAST = 1024
"""The most positions before the root that are kept to detect repetition."""
HISTORY_SIZE = 4096
SEEN_SIZE = 8192
STACK_WORDS = 1 << 17
STACK_GUARD = 32
"""The bytes kept free at the end of the stack: a node writes at most two words before it checks."""
EVALUATIONS = 1 << 14
"""The static evaluations kept; a power of two, at most 65536."""
FUTILITY_DEPTHS = 10
"""Futility pruning, reverse or not, is for nodes of smaller depth."""
BINS = 64
"""How many distances of the static evaluation from beta are distinguished when margins are measured."""
UNLIMITED = 1 << 62
"""More nodes than any search visits; as a deadline, later than any search."""

NO_CYCLE = 1 << 30
FIRST_CHECK_NODES = 16
"""Nodes until the second time the clock is read; after that the interval adapts."""
CHECK_NODES = 512  # nodes between two checks of the stop flag, without a clock
CHECK_NS = 1_000_000  # nanoseconds between two checks, with a clock: with slow rules, a single node can take this long
MAX_CHECK_NODES = 4096

# -- the memory -----------------------------------------------------------------------------------------------------------------


class SearchLimits(Block):
    """The limits of one thread's search, and how far it has got: what `check_limits` needs."""

    stop = Address("the address of a word that becomes nonzero when the search must end")
    node_limit = Word()
    deadline = Word("in nanoseconds; 0 without a clock")
    nodes = Word()
    next_check = Word("the node count at which the limits are checked next")
    aborted = Word("nonzero if the search was stopped early")
    last_check = Word("the time when the clock was last read, in nanoseconds")
    check_nodes = Word("the nodes between two checks")
    clock = Words(2, "room for the system's clock value")

    def start_clock(self, seconds: float | None) -> None:
        """Set the deadline this many seconds from now; with None there is none, and the clock only adapts the check interval."""
        now = clock_ns()
        self.last_check, self.check_nodes = now, FIRST_CHECK_NODES
        self.deadline = 0 if not now else UNLIMITED if seconds is None else max(1, now + int(seconds * 1e9))


class SearchMemory(SearchLimits):
    """The memory of one searcher."""

    # Input.
    options = Word("the techniques in use")
    table = Address("the start of the table")
    last_bucket = Word("the number of its buckets, minus one")
    age = Word("the generation of the table: one more for each search")
    era = Word("the number of the game history: proofs that depend on another one are not trusted")
    root_depth = Word("the depth of this iteration")
    past = Word("the number of positions before the root that are known")
    seed = Address("the seed of the random games at the leaves, if the game has no evaluation")
    state = Address("room for a state")
    stack = Address("the start of the stack")
    stack_end = Address("moves are written only below this")
    margins_above = Words(FUTILITY_DEPTHS, "by depth: how far the static evaluation must be above beta to fail high; 0: never")
    margins_below = Words(FUTILITY_DEPTHS, "by depth: how far it must be below alpha for quiet moves to be hopeless; 0: never")
    bin_width = Word("when margins are measured: how many points are counted as one distance")
    net = Address("the memory of the net (`nets/leaf.py`) that evaluates the leaves; 0 if none does")

    # Progress.
    seldepth = Word("the largest ply reached")
    evaluations = Word()
    hits = Word("nodes that the table settled")
    cutoffs = Word()
    first_cutoffs = Word("cutoffs by the first move tried")
    overflows = Word("move lists that did not fit on the stack")
    scout_depth = Word("the depth reached by `search_forced_wins`")
    beyond = Word("a result beyond MARGIN, 0 if there was none")
    estimated = Word("nonzero if an estimate has gone into the value of this node")
    cycle = Word("the lowest ply whose position this node's value depends on through repetition")
    made = Words(PLIES, "the moves of a random game, for in-place rules")

    # Killers and history.
    killers = Words(2 * MAX_PLY, "two moves per ply, each plus one")
    history = Words(2 * HISTORY_SIZE, "a bonus for each move, by side and hash of the move")

    evaluated = Words(EVALUATIONS, "recent static evaluations, each with part of its key")
    outcomes = Words(2 * FUTILITY_DEPTHS * BINS, "by depth and distance from beta: nodes measured, and those that failed high")

    # The current path and its PV.
    lengths = Words(MAX_PLY + 1, "the length of the best line from each ply")
    lines = Words(MAX_PLY * MAX_PLY, "the best line from each ply")
    path = Addresses(MAX_PAST + MAX_PLY, "the keys of the game so far and of the path")
    seen = Words(SEEN_SIZE, "the number of these keys with each hash")

    def __init__(self, state_words: int) -> None:
        super().__init__(state_words + STACK_WORDS)
        self.state = self.end
        self.stack = self.end + 8 * state_words
        self.stack_end = self.address + self.words.nbytes - STACK_GUARD

    def begin(self, nodes: int, era: int) -> None:
        """Prepare for a search of at most `nodes` nodes."""
        self.clear(SearchMemory.nodes, SearchMemory.aborted)
        self.clear(SearchMemory.seldepth, SearchMemory.beyond)
        self.node_limit, self.era = nodes, era

    def forget(self) -> None:
        """Clear killers, history, and what is kept of positions."""
        self.clear(SearchMemory.killers, SearchMemory.outcomes)

    def set_game_history(self, keys: list[int]) -> None:
        """Set the positions before the root, given by their keys."""
        keys = keys[-MAX_PAST:]
        self.seen[:] = 0
        for i, key in enumerate(keys):
            self.path[i] = key & MASK
            self.seen[key & (SEEN_SIZE - 1)] += 1
        self.past = len(keys)


# -- the path from the root to a node ------------------------------------------------------------------------------------------


def begin(root, mem):
    """Return the state at an address; for in-place rules, a copy that the search may change."""
    if IN_PLACE:
        write_state(mem.state, read_state(root))
        return read_state(mem.state)
    return read_state(root)


def enter_node(mem, ply):
    """Count the node and, from time to time, check the limits."""
    mem.nodes += 1
    mem.lengths[ply] = 0
    if ply > mem.seldepth:
        mem.seldepth = ply
    if mem.nodes >= mem.next_check:
        check_limits(mem)


def check_limits(mem):
    """Check whether the search was stopped or has used up its nodes or time."""
    step = i64(CHECK_NODES)
    if mem.deadline:
        now = clock(address(mem.clock))
        took = now - mem.last_check
        step = mem.check_nodes
        step = max(i64(1), step * CHECK_NS // took) if took > CHECK_NS else min(2 * step, i64(MAX_CHECK_NODES))
        mem.last_check, mem.check_nodes = now, step
        if now >= mem.deadline:
            mem.aborted = 1
    mem.next_check = min(mem.nodes + step, mem.node_limit)
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

    On the path, the first repetition is a draw: a side that could gain by repeating could have gained the first time. A position
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
