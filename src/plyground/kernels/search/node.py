"""The search of one node: principal variation search over the rules of one game.

Every technique has a name, a one-sentence idea, and an option bit that turns it off (`search_memory.py`). With only the exact
ones, the value equals that of plain minimax to the same depth (`textbook/minimax.py`), as tests check.
"""

from __future__ import annotations

from plyground.bits import i64, u64
from plyground.compile.vocabulary import (
    ALTERNATE,
    HAS_CANONICAL,
    HAS_FORCED,
    HAS_LOUD,
    HAS_PASSES,
    HAS_REPLIES,
    HAS_STUCK,
    IN_PLACE,
    MARGIN,
    NET,
    NET_OPTIONAL,
    ONGOING,
    REPETITION,
    ROLLOUTS,
    canonical,
    evaluate,
    forced,
    key,
    loud,
    may_pass,
    passes,
    prefetch,
    step,
    stuck,
    turn,
    undo_step,
    verdict,
)
from plyground.kernels.search import (
    HASH_EVALUATE,
    LOOKS_OUT,
    MEASURE,
    USE_DEEPER,
    USE_DISTANCE,
    USE_EXTENSIONS,
    USE_FUTILITY,
    USE_INTERNAL,
    USE_LOOKOUT,
    USE_NULL,
    USE_PROOFS,
    USE_PVS,
    USE_QUIET,
    USE_REDUCTIONS,
    USE_REPLIES,
    USE_REVERSE_FUTILITY,
    USE_ROLLOUTS,
    USE_SYMMETRY,
    USE_TABLE,
)
from plyground.kernels.search.move_ordering import (
    RANK_TACTICAL,
    ListedMove,
    drop_quiet_moves,
    has_no_moves,
    list_moves,
    move_number,
    pick_best,
    rank_moves,
    update_move_stats,
)
from plyground.kernels.search.rollout import roll_out
from plyground.kernels.search.search_memory import (
    BINS,
    EVALUATIONS,
    FUTILITY_DEPTHS,
    MAX_PLY,
    NO_CYCLE,
    SearchMemory,
    begin,
    check_margin,
    enter_node,
    is_repetition,
    pop_path,
    push_path,
    update_pv,
)
from plyground.kernels.search.transposition_table import (
    LOWER,
    UPPER,
    bound_allows_cutoff,
    bound_type,
    bucket,
    decode_entry,
    plies_to_countdown,
    probe,
    store_entry,
    trust_in_entry,
)
from plyground.nets.leaf import evaluate_net
from plyground.rules.rollouts import estimate_of
from plyground.score import INFINITE, clip, final, from_here, from_root, proven

QUIET_PLIES = 12
LOOKOUT_KEY = 0x5851F42D4C957F2D
"""XORed with the keys of the lookout, so that its table entries are separate."""
UNKNOWN = -INFINITE
"""No static evaluation."""
EVALUATION_OFFSET = 1 << 15
"""Added to cached evaluations, which are stored unsigned, in 16 bits."""
SIGNATURE = "int64(uint64, int64, int64, int64, int64, uint64)"
"""Signature of `search_move`."""


def search(s, depth, ply, alpha, beta, top, mem, may_null):
    """Return the value of s for the side to move, to `depth`, in the window (alpha, beta), fail-soft:

    value <= alpha: an upper bound; alpha < value < beta: exact; value >= beta: a lower bound.
    """
    # 1. Count the node; return if the search was stopped.
    enter_node(mem, ply)
    if mem.aborted:
        return alpha
    options = mem.options

    # 2. The end of the game, by the rules or by repetition.
    value = verdict(s)
    if value != ONGOING:
        return terminal_score(value, ply, mem)
    k = u64(key(s))
    if REPETITION and is_repetition(mem, k, ply):
        return i64(0)
    if ROLLOUTS and options & USE_LOOKOUT:
        value = proven_by_lookout(s, k, depth, ply, alpha, beta, mem)
        if value != ONGOING:
            return value

    # 3. Check extension, then quiescence search or the static evaluation at the horizon.
    under_attack = HAS_FORCED and may_extend(mem, ply) and bool(forced(s))
    if under_attack and (HAS_REPLIES or not HAS_LOUD):
        depth += 1
    if depth <= 0 or ply >= MAX_PLY - 2:
        if HAS_LOUD and options & USE_QUIET:
            return quiesce(s, ply, i64(QUIET_PLIES), alpha, beta, top, mem)
        if HAS_STUCK and has_no_moves(s):
            return terminal_score(i64(stuck(s)), ply, mem)
        return estimate(s, mem)

    # 4. Mate distance pruning: no result here can beat a faster one already found.
    if not MARGIN and options & USE_DISTANCE:
        if alpha >= final(1, ply + 1, MARGIN):
            return alpha
        if beta <= final(-1, ply, MARGIN):
            return beta

    # 5. Transposition table lookup.
    number, found = i64(0), decode_entry(i64(0))
    left = plies_to_countdown(s)
    own_key = k ^ u64(LOOKOUT_KEY) if ROLLOUTS and options & LOOKS_OUT else k
    entry_key = own_key
    if HAS_CANONICAL and not IN_PLACE and options & USE_SYMMETRY and depth >= 3:
        entry_key = own_key ^ k ^ u64(key(canonical(s)))
    if options & USE_TABLE:
        found = decode_entry(probe(mem, entry_key))
        if table_cutoff(mem, found, depth, ply, alpha, beta, left):
            return from_root(found.score, ply)
        number = found.number if entry_key == own_key else decode_entry(probe(mem, own_key)).number

    # 6. Reverse futility pruning: so far above beta that a search of this depth would hardly ever end below it.
    null_window = beta - alpha == 1 and not proven(alpha) and not proven(beta)
    static, hopeless = i64(UNKNOWN), i64(INFINITE)
    if not ROLLOUTS and null_window and not under_attack and depth < FUTILITY_DEPTHS:
        above = mem.margins_above[depth] if options & USE_REVERSE_FUTILITY else i64(0)
        below = mem.margins_below[depth] if options & USE_FUTILITY else i64(0)
        if above or below or options & MEASURE:
            static = static_evaluation(s, k, mem)
            if not options & MEASURE and found.bound & UPPER and found.score < static and not proven(found.score):
                static = found.score
            if above and static - above >= beta:
                mem.estimated = 1
                return static
            if below:
                hopeless = static + below
    nominal_depth = depth

    # 7. Null move pruning: if even a pass fails high, some move does too.
    if HAS_PASSES and not MARGIN and options & USE_NULL and may_null and depth >= 3 and not under_attack:
        if null_window and may_pass(s):
            static = static_evaluation(s, k, mem) if static == UNKNOWN else static
            if static >= beta:
                push_path(mem, k, ply)
                value = -search(passes(s), depth - 3 - depth // 4, ply + 1, -beta, 1 - beta, top, mem, i64(0))
                pop_path(mem, k)
                if mem.aborted:
                    return alpha
                if value >= beta and not proven(value):
                    mem.estimated = 1
                    return value

    # 8. Generate and order the moves.
    count = list_moves(s, top, mem, options & USE_REPLIES)
    if count < 0:
        return estimate(s, mem)
    if count == 0:
        return terminal_score(i64(stuck(s)), ply, mem)
    me = turn(s)
    side = ply & 1 if ALTERNATE else me & 1
    rank_moves(s, top, count, mem, ply, side, number)

    # 9. Internal iterative reduction without a hash move; check and single-reply extensions.
    if options & USE_INTERNAL and number == 0 and depth >= 5:
        depth -= 1
    # Quiescence search follows loud replies, such as forced captures, anyway.
    if HAS_LOUD and not HAS_REPLIES and under_attack and not loud(s, top[0].move):
        depth += 1
    if count == 1 and not under_attack and may_extend(mem, ply):
        depth += 1

    # 10. Each move in turn. Estimates and cycles below this node are tracked separately from earlier ones.
    estimated_before, cycle_before = mem.estimated, mem.cycle
    mem.estimated, mem.cycle = 0, NO_CYCLE
    push_path(mem, k, ply)
    first_alpha, best, best_number = alpha, i64(-INFINITE), i64(0)
    tried, pruned = i64(0), i64(0)
    while tried < count:
        m = pick_best(top, tried, count)
        rank = top[tried].rank

        # 11. Late move reductions: search a late move less deeply first.
        reduction = i64(0)
        if options & USE_REDUCTIONS and tried >= 3 and depth >= 3 and not under_attack and rank < RANK_TACTICAL:
            if not (HAS_LOUD and loud(s, m)):
                reduction = min(late_move_reduction(depth, tried), depth - 2)

        # 12. Futility pruning: from so far below alpha, a move without a threat hardly ever reaches it.
        weak = hopeless <= alpha and tried > 0 and (best > 0 or not proven(best))
        weak = weak and rank < RANK_TACTICAL and not (HAS_LOUD and loud(s, m))
        child = step(s, m)
        if weak and verdict(child) == ONGOING and not (HAS_FORCED and forced(child)):
            undo_step(s, m)
            best, pruned = max(best, hopeless), i64(1)
            tried += 1
            continue

        # 13. Principal variation search: a null window first, the full window if that fails high.
        if options & USE_TABLE and depth > 1:
            prefetch(bucket(mem, key(child)))
        other = ALTERNATE or turn(child) != me
        narrow = options & USE_PVS and tried > 0
        while True:
            high = alpha + 1 if narrow else beta
            if other:
                value = -search(child, depth - 1 - reduction, ply + 1, -high, -alpha, top[count], mem, i64(1))
            else:
                value = search(child, depth - 1 - reduction, ply + 1, alpha, high, top[count], mem, i64(1))
            if value <= alpha or (reduction == 0 and (not narrow or value >= beta)):
                break
            if reduction:
                reduction = i64(0)
            else:
                narrow = False
        undo_step(s, m)
        if mem.aborted:
            break
        tried += 1
        if value > best:
            best, best_number = value, move_number(rank)
            if value > alpha:
                alpha = value
                update_pv(mem, ply, m)
            if value >= beta:
                break

    # 14. Update killers and history after a cutoff, and store the result.
    pop_path(mem, k)
    if mem.aborted:
        return alpha
    if best < beta:
        mem.estimated |= pruned
    if options & MEASURE and static != UNKNOWN:
        record_outcome(mem, nominal_depth, static - beta, best >= beta)
    if best >= beta:
        mem.cutoffs += 1
        mem.first_cutoffs += tried == 1
        update_move_stats(mem, ply, side, depth, top, tried)
    free = mem.cycle >= ply  # else the value depends on the path: only the move is stored
    if options & USE_TABLE:
        bound = bound_type(best, first_alpha, beta) if free else 0
        number = best_number if bound != UPPER else i64(0)
        if entry_key != own_key:  # symmetric positions share the value; the move has a number in each of them
            if number:
                store_entry(mem, own_key, i64(0), depth, i64(0), i64(0), number, left)
            number = i64(0)
        store_entry(mem, entry_key, from_here(best, ply), depth, bound, 1 - mem.estimated, number, left)
    mem.cycle = cycle_before if free else min(cycle_before, mem.cycle)
    mem.estimated |= estimated_before
    return best


def proven_by_lookout(s, k, depth, ply, alpha, beta, mem):
    """Return the win or loss that a search without estimates, at least as deep, has proven for s; ONGOING if there is none.

    It may not be the fastest one. With margins it must be outside of the window: a larger one may be found.
    """
    entry_key = u64(key(canonical(s))) if HAS_CANONICAL and not IN_PLACE else k
    found = decode_entry(probe(mem, entry_key ^ u64(LOOKOUT_KEY)))
    value = from_root(found.score, ply)
    sure = bound_allows_cutoff(found.bound, value, alpha, beta) if MARGIN else found.bound & (LOWER if value > 0 else UPPER) != 0
    deep = found.solid or found.depth >= depth
    if proven(value) and sure and deep and trust_in_entry(found, mem, plies_to_countdown(s)) == 2:
        mem.hits += 1
        mem.estimated |= 1 - found.solid
        return value
    return i64(ONGOING)


def may_extend(mem, ply):
    """Return whether a forced reply may be searched one ply deeper."""
    return mem.options & USE_EXTENSIONS != 0 and ply < 2 * mem.root_depth


def table_cutoff(mem, found, depth, ply, alpha, beta, left):
    """Return whether the table entry settles this node, and count the hit."""
    fits = found.depth == depth or (found.solid != 0 and found.depth <= depth)
    if mem.options & USE_DEEPER:
        fits = found.depth >= depth or found.solid != 0
    if mem.options & USE_PROOFS:
        fits = found.solid != 0
    trust = (
        trust_in_entry(found, mem, left)
        if fits and bound_allows_cutoff(found.bound, from_root(found.score, ply), alpha, beta)
        else 0
    )
    if trust:
        mem.hits += 1
        if trust == 1 or not found.solid:
            mem.estimated = 1
    return trust != 0


def late_move_reduction(depth, tried):
    """Return the reduction of a late move, in plies."""
    return i64(1) + (tried >= 8) + (depth >= 8) + (tried >= 20 and depth >= 6)


def quiesce(s, ply, left, alpha, beta, top, mem):
    """Play loud moves out until the position is quiet; the side to move may stand pat unless under attack.

    The caller has counted the node and checked that the game goes on.
    """
    under_attack = HAS_FORCED and left > QUIET_PLIES - 4 and bool(forced(s))
    best = i64(-INFINITE)
    if not under_attack or ply >= MAX_PLY - 2:
        best = estimate(s, mem)
        if best >= beta or left == 0 or ply >= MAX_PLY - 2:
            return best
        alpha = max(alpha, best)
    count = list_moves(s, top, mem, mem.options & USE_REPLIES)
    if count < 0:
        return estimate(s, mem)
    if count == 0:
        return terminal_score(i64(stuck(s)), ply, mem)
    me = turn(s)
    if not under_attack:
        count = drop_quiet_moves(s, top, count)
    rank_moves(s, top, count, mem, ply, me & 1, i64(0))
    for i in range(count):
        m = pick_best(top, i, count)
        child = step(s, m)
        enter_node(mem, ply + 1)
        value = verdict(child)
        other = ALTERNATE or turn(child) != me
        if value != ONGOING:
            value = -terminal_score(value, ply + 1, mem) if other else terminal_score(value, ply + 1, mem)
        elif other:
            value = -quiesce(child, ply + 1, left - 1, -beta, -alpha, top[count], mem)
        else:
            value = quiesce(child, ply + 1, left - 1, alpha, beta, top[count], mem)
        undo_step(s, m)
        if mem.aborted:
            return best
        if value > best:
            best = value
            update_pv(mem, ply, m)
            alpha = max(alpha, value)
            if value >= beta:
                break
    return best


def terminal_score(result, ply, mem):
    """Return the score of a finished game."""
    check_margin(result, mem)
    return final(result, ply, MARGIN)


def estimate(s, mem):
    """Return the static evaluation, clipped to below any proven result, and mark the value above as an estimate."""
    mem.estimated = 1
    mem.evaluations += 1
    if NET and (not NET_OPTIONAL or mem.net):
        return clip(evaluate_net(s, mem))
    if ROLLOUTS and mem.options & USE_ROLLOUTS:
        total, games = roll_out(s, mem)
        return estimate_of(total, games, i64(MARGIN))
    return hash_evaluation(s) if mem.options & HASH_EVALUATE else clip(i64(evaluate(s)))


def static_evaluation(s, k, mem):
    """Return the estimate for a state with key k without marking the value above; recent ones are cached."""
    at = i64(k & u64(EVALUATIONS - 1))
    cached = u64(mem.evaluated[at])
    if cached and (cached ^ k) >> u64(16) == u64(0):
        return i64(cached & u64(0xFFFF)) - EVALUATION_OFFSET
    estimated_before = mem.estimated
    value = estimate(s, mem)
    mem.estimated = estimated_before
    mem.evaluated[at] = i64(k & ~u64(0xFFFF) | u64(value + EVALUATION_OFFSET))
    return value


def record_outcome(mem, depth, above_beta, failed_high):
    """Count a node by its depth and the distance of its static evaluation from beta, and whether it failed high."""
    place = max(i64(0), min(i64(BINS - 1), above_beta // mem.bin_width + BINS // 2))
    at = 2 * (depth * BINS + place)
    mem.outcomes[at] += 1
    mem.outcomes[at + 1] += failed_high


def hash_evaluation(s):
    """Return a hash of the key from -3 to 3: an unpredictable evaluation with many ties."""
    x = u64(key(canonical(s))) * u64(0x9E3779B97F4A7C15)
    return i64((x >> u64(33)) % u64(7)) - 3


def search_move(root, m, depth, alpha, beta, memory):
    """Entry point: return the value of move m in the state at `root`, for the side to move there; the line is at ply 1."""
    mem = SearchMemory(memory)
    s = begin(root, mem)
    k = u64(key(s))
    mem.estimated, mem.cycle = 0, NO_CYCLE
    me = turn(s)
    push_path(mem, k, i64(0))
    child = step(s, m)
    if ALTERNATE or turn(child) != me:
        value = -search(child, depth - 1, i64(1), -beta, -alpha, ListedMove(mem.stack), mem, i64(1))
    else:
        value = search(child, depth - 1, i64(1), alpha, beta, ListedMove(mem.stack), mem, i64(1))
    pop_path(mem, k)
    return value
