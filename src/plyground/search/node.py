"""The search of one node: principal variation search over the rules of one game.

Every technique has a name, a one-sentence idea, and an option bit that turns it off (`options.py`). With only the exact ones on,
the value equals that of plain minimax to the same depth (`textbook/minimax.py`), as tests check.
"""

from __future__ import annotations

from plyground.bits import i64, u64
from plyground.compile.vocabulary import (
    ALTERNATE,
    GOING,
    HAS_CANONICAL,
    HAS_FORCED,
    HAS_LOUD,
    HAS_PASSES,
    HAS_REPLIES,
    HAS_STUCK,
    IN_PLACE,
    MARGIN,
    NET,
    REPETITION,
    ROLLOUTS,
    back,
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
    verdict,
)
from plyground.rules.rollouts import estimate_of
from plyground.score import INFINITE, clip, final, from_here, from_root, proven
from plyground.search.memory import MAX_PLY, NO_CYCLE, Searcher
from plyground.search.moves import (
    TACTICAL,
    Listed,
    keep_loud,
    learn,
    list_moves,
    nothing_to_play,
    number_of,
    pick,
    rank_moves,
)
from plyground.search.net import judged
from plyground.search.options import (
    HASH_EVALUATE,
    LOOKS_OUT,
    USE_DEEPER,
    USE_DISTANCE,
    USE_EXTENSIONS,
    USE_INTERNAL,
    USE_LOOKOUT,
    USE_NULL,
    USE_PROOFS,
    USE_PVS,
    USE_QUIET,
    USE_REDUCTIONS,
    USE_REPLIES,
    USE_ROLLOUTS,
    USE_SYMMETRY,
    USE_TABLE,
)
from plyground.search.path import begin, enter, pop_path, push_path, repeats, take_line
from plyground.search.rollout import roll_out
from plyground.search.table import LOWER, UPPER, believed, bound_of, bucket, cuts, decoded, keep, plies_left, probe

QUIET_PLIES = 12
AHEAD = 0x5851F42D4C957F2D
"""Combined with the keys of a search that looks out for forced wins: it has entries of its own."""
SIGNATURE = "int64(uint64, int64, int64, int64, int64, uint64)"
"""Of `search_move`."""


def search(s, depth, ply, alpha, beta, top, mem, may_null):
    """The value of s for the side to move, to `depth`, in the window (alpha, beta), fail-soft:

    value <= alpha: an upper bound; alpha < value < beta: exact; value >= beta: a lower bound.
    """
    # 1. Count the node; stop if asked to.
    enter(mem, ply)
    if mem.aborted:
        return alpha
    options = mem.options

    # 2. The end of the game, by the rules or by repetition.
    value = verdict(s)
    if value != GOING:
        return final(value, ply, MARGIN)
    k = u64(key(s))
    if REPETITION and repeats(mem, k, ply):
        return i64(0)
    if ROLLOUTS and options & USE_LOOKOUT:
        value = foreseen(s, k, depth, ply, alpha, beta, mem)
        if value != GOING:
            return value

    # 3. The horizon.
    under_attack = HAS_FORCED and may_extend(mem, ply) and bool(forced(s))
    if under_attack and (HAS_REPLIES or not HAS_LOUD):
        depth += 1
    if depth <= 0 or ply >= MAX_PLY - 2:
        if HAS_LOUD and options & USE_QUIET:
            return quiesce(s, ply, i64(QUIET_PLIES), alpha, beta, top, mem)
        if HAS_STUCK and nothing_to_play(s):
            return final(i64(stuck(s)), ply, MARGIN)
        return estimate(s, mem)

    # 4. Mate distance pruning: no result here can beat a faster one already found.
    if not MARGIN and options & USE_DISTANCE:
        if alpha >= final(1, ply + 1, MARGIN):
            return alpha
        if beta <= final(-1, ply, MARGIN):
            return beta

    # 5. The table.
    number = i64(0)
    left = plies_left(s)
    held = k ^ u64(AHEAD) if ROLLOUTS and options & LOOKS_OUT else k
    shared = held
    if HAS_CANONICAL and not IN_PLACE and options & USE_SYMMETRY and depth >= 3:
        shared = held ^ k ^ u64(key(canonical(s)))
    if options & USE_TABLE:
        found = decoded(probe(mem, shared))
        if settles(mem, found, depth, ply, alpha, beta, left):
            return from_root(found.score, ply)
        if shared == held:
            number = found.number

    # 6. Null move: if even a pass fails high, some move does too.
    if HAS_PASSES and not MARGIN and options & USE_NULL and may_null and depth >= 3 and not under_attack:
        if beta - alpha == 1 and not proven(beta) and may_pass(s) and estimate(s, mem) >= beta:
            push_path(mem, k, ply)
            value = -search(passes(s), depth - 3 - depth // 4, ply + 1, -beta, 1 - beta, top, mem, i64(0))
            pop_path(mem, k)
            if mem.aborted:
                return alpha
            if value >= beta and not proven(value):
                mem.estimated = 1
                return value

    # 7. Generate and order the moves.
    count = list_moves(s, top, mem, options & USE_REPLIES)
    if count < 0:
        return estimate(s, mem)
    if count == 0:
        return final(i64(stuck(s)), ply, MARGIN)
    me = turn(s)
    side = ply & 1 if ALTERNATE else me & 1
    rank_moves(s, top, count, mem, ply, side, number)
    if options & USE_INTERNAL and number == 0 and depth >= 5:
        depth -= 1
    # Loud replies, such as forced captures, are played out at the horizon anyway.
    if HAS_LOUD and not HAS_REPLIES and under_attack and not loud(s, top[0].move):
        depth += 1
    if count == 1 and not under_attack and may_extend(mem, ply):
        depth += 1

    # 8. Each move in turn. Estimates and cycles below this node are tracked separately from earlier ones.
    estimated_before, cycle_before = mem.estimated, mem.cycle
    mem.estimated, mem.cycle = 0, NO_CYCLE
    push_path(mem, k, ply)
    floor, best, best_number = alpha, i64(-INFINITE), i64(0)
    tried = i64(0)
    while tried < count:
        m = pick(top, tried, count)
        rank = top[tried].rank

        # 9. Late move reductions: search a late move less deeply first.
        reduction = i64(0)
        if options & USE_REDUCTIONS and tried >= 3 and depth >= 3 and not under_attack and rank < TACTICAL:
            if not (HAS_LOUD and loud(s, m)):
                reduction = min(late(depth, tried), depth - 2)

        # 10. Principal variation search: a null window first, the full window if that fails high.
        child = step(s, m)
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
        back(s, m)
        if mem.aborted:
            break
        tried += 1
        if value > best:
            best, best_number = value, number_of(rank)
            if value > alpha:
                alpha = value
                take_line(mem, ply, m)
            if value >= beta:
                break

    # 11. Leave: learn from a cutoff, store the result.
    pop_path(mem, k)
    if mem.aborted:
        return alpha
    if best >= beta:
        mem.cutoffs += 1
        mem.first_cutoffs += tried == 1
        learn(mem, ply, side, depth, top, tried)
    free = mem.cycle >= ply  # else the value depends on the path: only the move is stored
    if options & USE_TABLE:
        bound = bound_of(best, floor, beta) if free else 0
        number = best_number if shared == held and bound != UPPER else i64(0)
        keep(mem, shared, from_here(best, ply), depth, bound, 1 - mem.estimated, number, left)
    mem.cycle = cycle_before if free else min(cycle_before, mem.cycle)
    mem.estimated |= estimated_before
    return best


def foreseen(s, k, depth, ply, alpha, beta, mem):
    """The win or loss that a search without estimates, at least as deep, has proven for s; GOING if there is none.

    It may not be the fastest one. With margins it must be outside of the window: a larger one may be found.
    """
    shared = u64(key(canonical(s))) if HAS_CANONICAL and not IN_PLACE else k
    found = decoded(probe(mem, shared ^ u64(AHEAD)))
    value = from_root(found.score, ply)
    sure = cuts(found.bound, value, alpha, beta) if MARGIN else found.bound & (LOWER if value > 0 else UPPER) != 0
    if proven(value) and sure and (found.solid or found.depth >= depth) and believed(found, mem, plies_left(s)) == 2:
        mem.hits += 1
        mem.estimated |= 1 - found.solid
        return value
    return i64(GOING)


def may_extend(mem, ply):
    """May a forced reply be searched one ply deeper?"""
    return mem.options & USE_EXTENSIONS != 0 and ply < 2 * mem.root_depth


def settles(mem, found, depth, ply, alpha, beta, left):
    """Does the table entry settle this node? If so, records the hit."""
    fits = found.depth == depth or (found.solid != 0 and found.depth <= depth)
    if mem.options & USE_DEEPER:
        fits = found.depth >= depth or found.solid != 0
    if mem.options & USE_PROOFS:
        fits = found.solid != 0
    trust = believed(found, mem, left) if fits and cuts(found.bound, from_root(found.score, ply), alpha, beta) else 0
    if trust:
        mem.hits += 1
        if trust == 1 or not found.solid:
            mem.estimated = 1
    return trust != 0


def late(depth, tried):
    """By how many plies a late move is reduced."""
    return i64(1) + (tried >= 8) + (depth >= 8) + (tried >= 20 and depth >= 6)


def quiesce(s, ply, left, alpha, beta, top, mem):
    """Plays loud moves out until the position is quiet; the side to move may stand pat unless under attack.

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
        return final(i64(stuck(s)), ply, MARGIN)
    me = turn(s)
    if not under_attack:
        count = keep_loud(s, top, count)
    rank_moves(s, top, count, mem, ply, me & 1, i64(0))
    for i in range(count):
        m = pick(top, i, count)
        child = step(s, m)
        enter(mem, ply + 1)
        value = verdict(child)
        other = ALTERNATE or turn(child) != me
        if value != GOING:
            value = -final(value, ply + 1, MARGIN) if other else final(value, ply + 1, MARGIN)
        elif other:
            value = -quiesce(child, ply + 1, left - 1, -beta, -alpha, top[count], mem)
        else:
            value = quiesce(child, ply + 1, left - 1, alpha, beta, top[count], mem)
        back(s, m)
        if mem.aborted:
            return best
        if value > best:
            best = value
            take_line(mem, ply, m)
            alpha = max(alpha, value)
            if value >= beta:
                break
    return best


def estimate(s, mem):
    """The heuristic, clipped to below any proven result; marks the value above as an estimate."""
    mem.estimated = 1
    mem.evaluations += 1
    if NET:
        return clip(judged(s, mem))
    if ROLLOUTS and mem.options & USE_ROLLOUTS:
        total, games = roll_out(s, mem)
        return estimate_of(total, games, i64(MARGIN))
    return hashed(s) if mem.options & HASH_EVALUATE else clip(i64(evaluate(s)))


def hashed(s):
    """A hash of the key from -3 to 3: an unpredictable evaluation with many ties."""
    x = u64(key(canonical(s))) * u64(0x9E3779B97F4A7C15)
    return i64((x >> u64(33)) % u64(7)) - 3


def search_move(root, m, depth, alpha, beta, memory):
    """Entry point: the value of move m in the state at `root`, for the side to move there; the line is at ply 1."""
    mem = Searcher(memory)
    s = begin(root, mem)
    k = u64(key(s))
    mem.estimated, mem.cycle = 0, NO_CYCLE
    me = turn(s)
    push_path(mem, k, i64(0))
    child = step(s, m)
    if ALTERNATE or turn(child) != me:
        value = -search(child, depth - 1, i64(1), -beta, -alpha, Listed(mem.stack), mem, i64(1))
    else:
        value = search(child, depth - 1, i64(1), alpha, beta, Listed(mem.stack), mem, i64(1))
    pop_path(mem, k)
    return value
