"""The solver's search: is the value of a state at least this much? Repeated questions give the exact value.

Each question is a null-window search: a cutoff at every level, the smallest tree alpha-beta can have. `solver/solving.py` asks
with one bound after another; the table (`solver_table.py`) stores what was proven, within a question and from one to the next.

Each thread has a `SolverMemory`. After its fields come room for one state, which the table compares, and the stack of children.
`stack_end` guards the stack, MAX_PLY the recursion.

Scores: in games that are won or lost, WIN minus the plies from the root to the end, so faster wins are worth more; with margins,
the margin. Bounds in the table are counted from their state, not from the root.
"""

from __future__ import annotations

from plyground.bits import i64, u64
from plyground.compile.blocks import Address, InnerBlock, Word, Words
from plyground.compile.vocabulary import (
    ALTERNATE,
    DENSE,
    HAS_BOUNDS,
    HAS_FINISH,
    HAS_REMAINING,
    HAS_SAFE,
    HAS_SPOT,
    IN_PLACE,
    MARGIN,
    ONGOING,
    PEEK,
    SHALLOW,
    SURVEY,
    UNIT,
    address,
    banked,
    bounds,
    finish,
    moves,
    prefetch,
    read_state,
    remaining,
    step,
    stuck,
    turn,
    undo_step,
    verdict,
)
from plyground.kernels.search.search_memory import SearchLimits, check_margin
from plyground.kernels.solve.children import (
    HISTORY_ENTRIES,
    SolverChild,
    child_count,
    children,
    count_node,
    list_children,
    pick_best,
    prefetch_children,
    rank_children,
    rank_first_move,
    record_end,
    shallow_search,
    update_history,
)
from plyground.kernels.solve.solver_table import (
    LOCAL_MB,
    NONE,
    ExactTable,
    TableLines,
    dense_place,
    dense_probe,
    dense_store,
    has_move_numbers,
    is_dense,
    line,
    lower_bound,
    move_number,
    probe,
    store_entry,
    table_key,
    upper_bound,
    with_high,
    with_low,
    with_number,
    with_work,
)
from plyground.kernels.states import changes_turn
from plyground.rules.game import Game
from plyground.score import INFINITE, later, win_in
from plyground.score import final as final_score

GUESS = 1 << 40
"""As beta: asks for an estimate of the margin instead of a bound."""
GUESS_DEPTH = 9
"""The maximum depth of that estimate, in plies."""
MAX_PLY = 2000
STACK_WORDS = 1 << 18


class SolverMemory(SearchLimits):
    """The memory of one thread, with a small table of its own if the game asks for one."""

    first_move = Word("the root's move to try first, plus one; 0 if none is")
    root_move = Word("a root move that reached beta, plus one; 0 if none is known")
    beyond = Word("a result beyond MARGIN, 0 if there was none")
    overflow = Word("1 if the stack was too small, 2 if there were too many plies")
    jitter = Word("varies the move order between threads; 0 for the first")
    table = InnerBlock(TableLines, "the table that all threads share")
    local = InnerBlock(TableLines, "the thread's own, for states near the end of the game")
    dense = Address("the start of the dense table, one byte per state with a small code")
    stack = Address("the start of the stack")
    stack_end = Address("children are written only below this")
    history = Words(2 * HISTORY_ENTRIES, "a bonus for each move, by side and spot")

    def __init__(self, game: Game, table: ExactTable, number: int) -> None:
        words = game.layout.words
        super().__init__(words + 1 + STACK_WORDS)
        self.jitter = 7 * number
        self.stack = self.end + 8 * (words + 1)
        self.stack_end = self.address + self.words.nbytes - SolverChild.size - 8 * words
        self.own = ExactTable(LOCAL_MB, game.key_bits, words) if game.tuning.local else None
        table.describe(self.table)
        (self.own or table).describe(self.local)
        self.dense = int(table.dense.ctypes.data)

    def forget(self) -> None:
        """Clear what was learned."""
        self.history[:] = 0
        if self.own is not None:
            self.own.clear()


def terminal_score(value, ply, mem):
    """Return the score of a finished game."""
    check_margin(value, mem)
    return i64(value) if MARGIN else i64(final_score(value, ply, False))


def score_at_root(value, ply, bank):
    """Convert a score counted from a state to one counted from the root."""
    return value + bank if MARGIN else later(value, ply)


def score_at_state(value, ply, bank):
    """Convert a score counted from the root to one counted from the state."""
    return value - bank if MARGIN else later(value, -ply)


def banked_margin(s):
    """Return the part of the margin that is already settled."""
    return i64(banked(s)) if MARGIN else i64(0)


# -- what is known without a search ---------------------------------------------------------------------------------------------


def known_value(s, ply, beta, mem):
    """Return a score or bound for s from the rules or from the dense table; ONGOING if there is none."""
    if HAS_FINISH:
        value, searched = finish(s, score_at_state(beta, ply, i64(0)))
        if searched:
            mem.nodes += searched - 1
            return score_at_root(i64(value), ply, i64(0))
    if not HAS_SAFE:
        value = i64(verdict(s))
        if value != ONGOING:
            return terminal_score(value, ply, mem)
        value = bound_from_rules(s, ply, beta)
        if value != ONGOING:
            return value
    if is_dense(s):
        return dense_value(s, mem)
    return i64(ONGOING)


def bound_from_rules(s, ply, beta):
    """Return a bound on the value of s from the rules: >= beta, < beta, or ONGOING if there is none."""
    if HAS_BOUNDS and MARGIN:
        low, high = bounds(s)
        if low >= beta:
            return i64(low)
        if high < beta:
            return i64(high)
    if HAS_SAFE and not MARGIN:
        if HAS_REMAINING and remaining(s) < 3:
            return i64(0)
        if win_in(ply + 3) < beta:
            return win_in(ply + 3)
        if -win_in(ply + 4) >= beta:
            return -win_in(ply + 4)
    if HAS_BOUNDS and not MARGIN:
        low, high = bounds(s)
        if (low >= 0 and beta <= 0) or (high <= 0 and beta > 0):
            return i64(0)
        if HAS_REMAINING:
            last = win_in(ply + remaining(s))
            if high < 0 and -last < beta:
                return i64(-last)
            if low > 0 and last >= beta:
                return i64(last)
    return i64(ONGOING)


def dense_value(s, mem):
    """Return the margin of a state with a small code, computed by plain minimax on first use."""
    value = i64(verdict(s))
    if value != ONGOING:
        return terminal_score(value, i64(0), mem)
    place = dense_place(s, mem)
    value = dense_probe(place)
    if value != NONE:
        return value + i64(banked(s))
    if count_node(mem):
        return i64(0)
    me = turn(s)
    best = i64(-NONE)
    for m in moves(s):
        child = step(s, m)
        value = dense_value(child, mem)
        best = max(best, -value if changes_turn(me, child) else value)
    if best == -NONE:
        best = terminal_score(stuck(s), i64(0), mem)
    if not mem.aborted:
        dense_store(place, best - i64(banked(s)))
    return best


def bound_from_children(s, ply, limit, top, end, mem):
    """Return a score or bound for s from the list of children; else the limit already known."""
    if end == 0:  # a move is sure to win
        return win_in(ply + 3) if limit == ONGOING else limit
    if end == top:
        return -win_in(ply + 2) if HAS_SAFE else terminal_score(stuck(s), ply, mem)
    return limit


def bound_from_entry(data, ply, beta, bank):
    """Return a bound from the table: >= beta, < beta, or ONGOING if there is none."""
    low, high = lower_bound(data), upper_bound(data)
    if low > -NONE and score_at_root(low, ply, bank) >= beta:
        return score_at_root(low, ply, bank)
    if high < NONE and score_at_root(high, ply, bank) < beta:
        return score_at_root(high, ply, bank)
    return i64(ONGOING)


def enhanced_cutoff(s, ply, beta, top, end, mem):
    """Enhanced transposition cutoff: a bound of at least beta from a child's table entry, else ONGOING."""
    me = turn(s)
    for at in children(top, end):
        child = read_state(at.end)
        if DENSE and at.key < 0:
            high = dense_probe(dense_place(child, mem))
            low = high if high < NONE else i64(-NONE)
        else:
            data = probe(child, u64(at.key), mem)
            low, high = lower_bound(data), upper_bound(data)
        other = changes_turn(me, child)
        known = high < NONE if other else low > -NONE
        value = (
            -score_at_root(high, ply + 1, banked_margin(child)) if other else score_at_root(low, ply + 1, banked_margin(child))
        )
        if known and value >= beta:
            record_root_move(at, ply, mem)
            return value
    return i64(ONGOING)


# -- the search -----------------------------------------------------------------------------------------------------------------


def search_bound(s, ply, beta, top, mem):
    """Return a bound on the value of s for the side to move: a lower bound of at least beta, or an upper bound below beta.

    With `safe`, the caller has checked that the side to move can't win at once.
    """
    # 1. Count the node; return if the search was stopped.
    if ply >= MAX_PLY:
        mem.overflow, mem.aborted = 2, 1
    if count_node(mem):
        return beta - 1
    before = mem.nodes

    # 2. The end of the game, and what else is known about the value.
    value = known_value(s, ply, beta, mem)
    if value != ONGOING:
        return value

    # 3. The children; an only child replaces the node itself. With `safe`, limits are valid only if there are children.
    limit = bound_from_rules(s, ply, beta) if HAS_SAFE else i64(ONGOING)
    deep = not HAS_REMAINING or remaining(s) > SHALLOW
    k = u64(0)
    if deep and limit == ONGOING:
        k = table_key(s)
        prefetch(line(s, k, mem))
    me = turn(s)
    end = list_children(s, top, mem)
    value = bound_from_children(s, ply, limit, top, end, mem)
    if value != ONGOING:
        return value
    if not IN_PLACE and end == record_end(top):
        record_root_move(SolverChild(top), ply, mem)
        child = read_state(SolverChild(top).end)
        if changes_turn(me, child):
            return -search_bound(child, ply + 1, 1 - beta, top, mem)
        return search_bound(child, ply + 1, beta, top, mem)

    # 4. The table, and its entries for the children.
    number, bank = i64(0), i64(0)
    side = ply & 1 if ALTERNATE else me & 1
    peek = deep and not IN_PLACE and (not HAS_REMAINING or remaining(s) > PEEK)
    if deep:
        data = probe(s, k, mem)
        bank = banked_margin(s)
        number = move_number(data) if has_move_numbers(s) else i64(0)
        value = bound_from_entry(data, ply, beta, bank)
        if value != ONGOING:
            if number:
                record_root_move(SolverChild(top + u64(number - 1) * (record_end(top) - top)), ply, mem)
            return value
    if peek:
        prefetch_children(top, end, mem)
    rank_children(s, number, side, top, end, mem)
    if ply == 0:
        rank_first_move(top, end, mem)
    if peek:
        value = enhanced_cutoff(s, ply, beta, top, end, mem)
        if value != ONGOING:
            return value

    # 5. Each child, until one reaches beta.
    best, best_at = i64(-NONE), SolverChild(top)
    left = child_count(top, end)
    while left and best < beta:
        left -= 1
        at = pick_best(top, end)
        child = step(s, at.move) if IN_PLACE else read_state(at.end)
        other = changes_turn(me, child)
        value = -search_bound(child, ply + 1, 1 - beta, end, mem) if other else search_bound(child, ply + 1, beta, end, mem)
        undo_step(s, at.move)
        if mem.aborted:
            return beta - 1
        if value > best:
            best, best_at = value, at

    # 6. Leave: learn from a cutoff, store what was proven.
    if best >= beta:
        record_root_move(best_at, ply, mem)
    if HAS_SPOT and best >= beta and left < child_count(top, end) - 1:
        update_history(s, mem, side, top, end, best_at)
    if deep:
        if best >= beta:
            number = child_count(top, address(best_at)) + 1
        store_bound(s, k, score_at_state(best, ply, bank), best >= beta, number, mem.nodes - before, mem)
    return best


def record_root_move(at, ply, mem):
    """Record a child of the root as the move that reaches beta, for the case that the question is answered so."""
    if ply == 0:
        mem.root_move = at.move + 1


def store_bound(s, k, value, is_low, number, work, mem):
    """Update a state's table entry: a bound, counted from the state, the best move's number and the work."""
    data = probe(s, k, mem)
    data = with_low(data, value) if is_low else with_high(data, value)
    if has_move_numbers(s):
        data = with_number(data, number)
    store_entry(s, k, with_work(data, work), mem)


# -- the entry ------------------------------------------------------------------------------------------------------------------


def wins_at_once(s):
    """Return whether the side to move has a move that wins at once."""
    me = turn(s)
    found = False
    for m in moves(s):
        child = step(s, m)
        value = verdict(child)
        if value != ONGOING and (value < 0 if changes_turn(me, child) else value > 0):
            found = True
        undo_step(s, m)
    return found


def solve_bound(address, beta, memory):
    """Entry point: return a bound on the value of the state at an address, see `search_bound`; for GUESS, an estimate."""
    s = read_state(address)
    mem = SolverMemory(memory)
    mem.root_move = 0
    if SURVEY and beta == GUESS:
        # Odd depths agree with each other better than with even ones.
        depth = max(i64(1), min(i64(GUESS_DEPTH), (remaining(s) - SURVEY) // 2 | 1))
        return shallow_search(s, i64(depth), i64(-INFINITE), i64(INFINITE), mem.stack, mem) // UNIT
    if HAS_SAFE and wins_at_once(s):
        return win_in(i64(1))
    return search_bound(s, i64(0), beta, mem.stack, mem)
