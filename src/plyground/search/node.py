"""The search of one node: principal variation search over the rules of one game.

Every technique has a name, the idea in a sentence, and an option bit that turns it off. With only the exact ones on, the value
is that of plain minimax to the same depth (`textbook/minimax.py`): tests hold them to it.
"""

from __future__ import annotations

from plyground.bits import i64, u64
from plyground.compile.vocabulary import (
    ALTERNATE,
    GOING,
    HAS_CANONICAL,
    HAS_FORCED,
    HAS_LIKELY,
    HAS_LOUD,
    HAS_ORDER,
    HAS_PASSES,
    HAS_REPLIES,
    HAS_STUCK,
    IN_PLACE,
    MARGIN,
    REPETITION,
    back,
    canonical,
    clock,
    evaluate,
    forced,
    key,
    likely,
    load,
    loud,
    may_pass,
    moves,
    order,
    outcome,
    passes,
    prefetch,
    read_state,
    replies,
    step,
    store,
    stuck,
    turn,
    write_state,
)
from plyground.score import INFINITE, LIMIT, PROVEN, WIN
from plyground.search.memory import (
    ABORTED,
    CLOCK,
    CUTOFFS,
    CYCLE,
    DEADLINE,
    ESTIMATED,
    EVALUATIONS,
    FIRST_CUTOFFS,
    HISTORY,
    HISTORY_SIZE,
    HITS,
    KILLERS,
    LAST_LOOK,
    LENGTH,
    LINE,
    LOOK_STEP,
    MAX_PLY,
    NEXT_LOOK,
    NO_CYCLE,
    NODE_LIMIT,
    NODES,
    OPTIONS,
    OVERFLOWS,
    PAST,
    PATH,
    ROOT_DEPTH,
    SEEN,
    SEEN_SIZE,
    SELECTIVE,
    STACK_END,
    STACK_TOP,
    STATE,
    STOP,
)
from plyground.search.table import EXACT, LOWER, UPPER, believed, bucket, from_here, keep, plies_left, probe, score_of

# The options, a bit each. The exact ones never change the value of a search to a fixed depth.
USE_TABLE = 1  # what was found about a state before cuts here too
USE_PVS = 2  # once a best move is found, the others only have to be shown worse: a window of nothing
USE_ORDER = 4  # the game's own hint on what to try first
USE_KILLERS = 8  # what refuted a sibling is tried early
USE_HISTORY = 16  # what has cut often, anywhere, is tried early
USE_DISTANCE = 32  # a win already found nearer to the root makes longer ones not worth a look
USE_SYMMETRY = 64  # positions that mirror each other share an entry
EXACT_OPTIONS = 127
USE_QUIET = 128  # at the horizon, loud moves are played out until the position is quiet
USE_NULL = 256  # a position so good that even passing holds beta is not searched in full
USE_REDUCTIONS = 512  # late moves are searched less deep first
USE_INTERNAL = 1024  # a node without a known best move is searched a ply less deep
USE_EXTENSIONS = 2048  # forced replies do not count as depth
USE_DEEPER = 4096  # an entry of a deeper search is believed too
USE_REPLIES = 8192  # where the game knows that only some replies matter, only these are searched
USE_LIKELY = 1 << 15  # where the game knows which moves are worth a search, no others are searched
ALL_OPTIONS = 16383 + USE_LIKELY
USE_PROOFS = 1 << 16  # only entries without any estimate cut: for a search whose answer must be exact
HASH_EVALUATE = 1 << 14  # for tests: a hash of the state, with many ties, instead of the game's evaluate

# Ordering: the table's move, then hints of 1000 and more, killers, and the rest with their history. The last 16 bits of a rank
# count down from the first move listed, so that of equals the first comes first, and its number can be told from the rank.
NUMBERS = 0xFFFF
HINT = 1 << 28
FIRST = 1 << 60
TACTICAL = 1000 * HINT
KILLER = 900 * HINT
HINT_LIMIT = 1 << 30
HISTORY_TOP = 1 << 14
QUIET_PLIES = 12
LOOK_EVERY = 512  # nodes between two looks at the stop word, where there is no clock
LOOK_NS = 1_000_000  # else looks come about so many nanoseconds apart: a node of slow rules may take as long
LOOK_MOST = 4096


def enter(mem, ply):
    """Step 1: counts the node and asks, now and then, whether to go on."""
    n = load(mem + u64(NODES)) + 1
    store(mem + u64(NODES), n)
    store(mem + u64(LENGTH) + u64(8) * u64(ply), 0)
    if ply > load(mem + u64(SELECTIVE)):
        store(mem + u64(SELECTIVE), ply)
    if n >= load(mem + u64(NEXT_LOOK)):
        look(mem, n)


def look(mem, n):
    """Asks whether the search has been stopped or has used up its nodes or its time."""
    limit, deadline = load(mem + u64(NODE_LIMIT)), load(mem + u64(DEADLINE))
    nodes = i64(LOOK_EVERY)
    if deadline:
        now = clock(mem + u64(CLOCK))
        took = now - load(mem + u64(LAST_LOOK))
        nodes = load(mem + u64(LOOK_STEP))
        nodes = max(i64(1), nodes * LOOK_NS // took) if took > LOOK_NS else min(2 * nodes, i64(LOOK_MOST))
        store(mem + u64(LAST_LOOK), now)
        store(mem + u64(LOOK_STEP), nodes)
        if now >= deadline:
            store(mem + u64(ABORTED), 1)
    store(mem + u64(NEXT_LOOK), min(n + nodes, limit))
    if n >= limit or load(u64(load(mem + u64(STOP)))) != 0:
        store(mem + u64(ABORTED), 1)


def final(value, ply):
    """The score of a finished game (`score.final`)."""
    if value == 0:
        return i64(0)
    if MARGIN:
        return i64(value + WIN if value > 0 else value - WIN)
    return i64(WIN - ply if value > 0 else ply - WIN)


def estimate(s, mem):
    """The heuristic, kept smaller than any proven result; notes that the value above is an estimate."""
    store(mem + u64(ESTIMATED), 1)
    store(mem + u64(EVALUATIONS), load(mem + u64(EVALUATIONS)) + 1)
    if load(mem + u64(OPTIONS)) & HASH_EVALUATE:
        return hashed(key(canonical(s)) if HAS_CANONICAL else key(s))
    value = i64(evaluate(s))
    return max(i64(-LIMIT), min(i64(LIMIT), value))


def hashed(k):
    """A number from -3 to 3 made of a key: an evaluation that no search can guess, with many ties."""
    x = u64(k) * u64(0x9E3779B97F4A7C15)
    return i64((x >> u64(33)) % u64(7)) - 3


def repeats(mem, k, ply):
    """How many plies back this position stood on the path or in the game, 0 if it did not; `ply` is that of this node.

    On the path the first repetition decides: whoever could gain by going round again could have gained before. A position of
    the game so far counts as a draw too, but as an estimate until it stands for the last time: the other side may have erred.
    """
    if load(mem + u64(SEEN) + u64(8) * (u64(k) & u64(SEEN_SIZE - 1))) == 0:
        return 0
    past = load(mem + u64(PAST))
    here = past + ply
    at = here - 1
    while at >= 0:
        if load(mem + u64(PATH) + u64(8) * u64(at)) == i64(k):
            if at < past and stood(mem, k, at) + 1 < REPETITION:
                store(mem + u64(ESTIMATED), 1)
            return here - at
        at -= 1
    return 0


def stood(mem, k, at):
    """How often a position has stood in the game up to the place `at`."""
    times = i64(0)
    while at >= 0:
        if load(mem + u64(PATH) + u64(8) * u64(at)) == i64(k):
            times += 1
        at -= 1
    return times


def push_path(mem, k, ply):
    store(mem + u64(PATH) + u64(8) * u64(load(mem + u64(PAST)) + ply), i64(k))
    at = mem + u64(SEEN) + u64(8) * (u64(k) & u64(SEEN_SIZE - 1))
    store(at, load(at) + 1)


def pop_path(mem, k):
    at = mem + u64(SEEN) + u64(8) * (u64(k) & u64(SEEN_SIZE - 1))
    store(at, load(at) - 1)


def history_at(mem, side, m):
    """Where the history of a move is kept."""
    h = (u64(m) * u64(0x9E3779B97F4A7C15)) >> u64(52)
    return mem + u64(HISTORY) + u64(8) * (u64(side) * u64(HISTORY_SIZE) + h)


def reward(mem, side, m, bonus):
    """Moves the history of a move towards its bounds, the less the nearer it is."""
    at = history_at(mem, side, m)
    old = load(at)
    store(at, old + bonus - old * abs(bonus) // HISTORY_TOP)


def list_moves(s, top, mem, only_replies):
    """Writes the moves with room for their scores; gives the end of the list. A full stack gives 0: it cannot hold them all."""
    end = top
    limit = u64(load(mem + u64(STACK_END)))
    full = False
    if HAS_REPLIES and only_replies:
        for m in replies(s):
            if end >= limit:
                full = True
                break
            store(end, i64(m))
            end += u64(16)
    if HAS_LIKELY and end == top and load(mem + u64(OPTIONS)) & USE_LIKELY:
        for m in likely(s):
            if end >= limit:
                full = True
                break
            store(end, i64(m))
            end += u64(16)
    if end == top:
        for m in moves(s):
            if end >= limit:
                full = True
                break
            store(end, i64(m))
            end += u64(16)
    if full:
        store(mem + u64(OVERFLOWS), load(mem + u64(OVERFLOWS)) + 1)
        return u64(0)
    return end


def rank_moves(s, top, end, mem, ply, side, number):
    """Step 7: gives every move its ordering score."""
    options = load(mem + u64(OPTIONS))
    killers = mem + u64(KILLERS) + u64(16) * u64(ply)
    one, two = load(killers), load(killers + u64(8))
    at, i = top, i64(1)
    while at < end:
        m = load(at)
        rank = i64(0)
        if HAS_ORDER and options & USE_ORDER:
            rank = max(i64(-HINT_LIMIT), min(i64(HINT_LIMIT), i64(order(s, m)))) * HINT
        if rank < TACTICAL:
            if options & USE_KILLERS:
                if m == one - 1:
                    rank = i64(KILLER + HINT)
                elif m == two - 1:
                    rank = i64(KILLER)
            if options & USE_HISTORY:
                rank += load(history_at(mem, side, m)) << 20
        if i == number:
            rank = i64(FIRST)
        store(at + u64(8), rank + max(i64(0), NUMBERS - i))
        at += u64(16)
        i += 1


def pick(at, end):
    """Brings the best of the moves not yet tried to `at`."""
    best, where, probe_at = load(at + u64(8)), at, at + u64(16)
    while probe_at < end:
        if load(probe_at + u64(8)) > best:
            best, where = load(probe_at + u64(8)), probe_at
        probe_at += u64(16)
    m = load(where)
    store(where, load(at))
    store(where + u64(8), load(at + u64(8)))
    store(at, m)
    store(at + u64(8), best)
    return m


def take_line(mem, ply, m):
    """The best line from here: m, then the child's line."""
    own = mem + u64(LINE) + u64(8 * MAX_PLY) * u64(ply)
    child = own + u64(8 * MAX_PLY)
    store(own, m)
    n = load(mem + u64(LENGTH) + u64(8) * u64(ply + 1)) if ply + 1 < MAX_PLY else i64(0)
    if n > MAX_PLY - 1 - ply:
        n = i64(MAX_PLY - 1 - ply)
    for i in range(n):
        store(own + u64(8) * u64(i + 1), load(child + u64(8) * u64(i)))
    store(mem + u64(LENGTH) + u64(8) * u64(ply), n + 1)


def quiesce(s, ply, left, alpha, beta, top, mem):
    """Plays loud moves out until the position is quiet; the side to move may always stand where it is.

    Whoever calls has counted the node and knows that the game goes on.
    """
    under_attack = HAS_FORCED and left > QUIET_PLIES - 4 and forced(s)
    best = i64(-INFINITE)
    if not under_attack or ply >= MAX_PLY - 2:
        best = estimate(s, mem)
        if best >= beta or left == 0 or ply >= MAX_PLY - 2:
            return best
        alpha = max(alpha, best)
    end = list_moves(s, top, mem, load(mem + u64(OPTIONS)) & USE_REPLIES)
    if end == 0:
        return estimate(s, mem)
    if end == top:
        return final(stuck(s), ply)
    me = turn(s)
    if not under_attack:
        end = keep_loud(s, top, end)
    rank_moves(s, top, end, mem, ply, me & 1, i64(0))
    at = top
    while at < end:
        m = pick(at, end)
        at += u64(16)
        child = step(s, m)
        enter(mem, ply + 1)
        value = outcome(child)
        other = ALTERNATE or turn(child) != me
        if value != GOING:
            value = -final(value, ply + 1) if other else final(value, ply + 1)
        elif other:
            value = -quiesce(child, ply + 1, left - 1, -beta, -alpha, end, mem)
        else:
            value = quiesce(child, ply + 1, left - 1, alpha, beta, end, mem)
        back(s, m)
        if load(mem + u64(ABORTED)):
            return best
        if value > best:
            best = value
            take_line(mem, ply, m)
            alpha = max(alpha, value)
            if value >= beta:
                break
    return best


def keep_loud(s, top, end):
    """Drops the quiet moves from a list; gives its new end."""
    at, kept = top, top
    while at < end:
        m = load(at)
        if loud(s, m):
            store(kept, m)
            kept += u64(16)
        at += u64(16)
    return kept


def search(s, depth, ply, alpha, beta, top, mem, may_null):
    """The value of s for the side to move, to `depth`, in the window (alpha, beta), fail-soft:

    value <= alpha: no better than that; alpha < value < beta: exact; value >= beta: at least that.
    """
    # 1. Count the node; stop if told so.
    enter(mem, ply)
    if load(mem + u64(ABORTED)):
        return alpha
    options = load(mem + u64(OPTIONS))

    # 2. The end of the game, by the rules or by repetition.
    value = outcome(s)
    if value != GOING:
        return final(value, ply)
    k = u64(key(s))
    if REPETITION:
        ago = repeats(mem, k, ply)
        if ago:
            store(mem + u64(CYCLE), min(load(mem + u64(CYCLE)), ply - ago))
            return i64(0)

    # 3. The horizon.
    under_attack = False
    if HAS_FORCED and options & USE_EXTENSIONS:
        if ply < 2 * load(mem + u64(ROOT_DEPTH)) and forced(s):
            under_attack = True
            if HAS_REPLIES or not HAS_LOUD:
                depth += 1
    if depth <= 0 or ply >= MAX_PLY - 2:
        if HAS_LOUD and options & USE_QUIET:
            return quiesce(s, ply, i64(QUIET_PLIES), alpha, beta, top, mem)
        if HAS_STUCK and nothing_to_play(s):
            return final(stuck(s), ply)
        return estimate(s, mem)

    # 4. Mate distance: what is already won nearer to the root.
    if not MARGIN and options & USE_DISTANCE:
        if alpha >= WIN - ply - 1:
            return alpha
        if beta <= ply - WIN:
            return beta

    # 5. The table.
    number = i64(0)
    left = plies_left(s)
    symmetric = False
    if HAS_CANONICAL and options & USE_SYMMETRY and depth >= 3 and not IN_PLACE:
        twin = u64(key(canonical(s)))
        symmetric = twin != k
        entry_key = twin
    else:
        entry_key = k
    if options & USE_TABLE:
        data = probe(mem, entry_key)
        if data != 0:
            if not symmetric:
                number = (data >> 32) & 0xFFFF
            bound = (data >> 24) & 3
            solid = (data >> 26) & 1
            stored = (data >> 16) & 0xFF
            fits = stored == depth or (solid != 0 and stored <= depth)
            if options & USE_DEEPER:
                fits = stored >= depth or solid != 0
            if options & USE_PROOFS:
                fits = solid != 0
            if fits and bound:
                value = score_of(data, ply)
                if bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha):
                    trust = believed(data, mem, left)
                    if trust:
                        store(mem + u64(HITS), load(mem + u64(HITS)) + 1)
                        if not solid or trust == 1:
                            store(mem + u64(ESTIMATED), 1)
                        return value

    # 6. Null move: if passing still holds beta, so does some move.
    if HAS_PASSES and not MARGIN:
        if options & USE_NULL and may_null and depth >= 3 and not under_attack and beta - alpha == 1 and abs(beta) < PROVEN:
            if may_pass(s) and estimate(s, mem) >= beta:
                if REPETITION:
                    push_path(mem, k, ply)
                value = -search(passes(s), depth - 3 - depth // 4, ply + 1, -beta, 1 - beta, top, mem, i64(0))
                if REPETITION:
                    pop_path(mem, k)
                if load(mem + u64(ABORTED)):
                    return alpha
                if value >= beta and value < PROVEN:
                    store(mem + u64(ESTIMATED), 1)
                    return value

    # 7. The moves, in the order in which they are tried.
    end = list_moves(s, top, mem, options & USE_REPLIES)
    if end == 0:
        return estimate(s, mem)
    if end == top:
        return final(stuck(s), ply)
    me = turn(s)
    side = me & 1 if not ALTERNATE else ply & 1
    rank_moves(s, top, end, mem, ply, side, number)
    if options & USE_INTERNAL and number == 0 and depth >= 5:
        depth -= 1
    # Loud replies, as captures that must be made, are played out at the horizon anyway.
    if HAS_LOUD and not HAS_REPLIES and under_attack and not loud(s, load(top)):
        depth += 1
    if options & USE_EXTENSIONS and end - top == u64(16) and not under_attack and ply < 2 * load(mem + u64(ROOT_DEPTH)):
        depth += 1

    # 8. Each move in turn. Estimates and cycles met below are noted apart from those met before.
    estimated_before = load(mem + u64(ESTIMATED))
    cycle_before = load(mem + u64(CYCLE))
    store(mem + u64(ESTIMATED), 0)
    store(mem + u64(CYCLE), NO_CYCLE)
    if REPETITION:
        push_path(mem, k, ply)
    floor = alpha
    best, best_move, best_number = i64(-INFINITE), i64(-1), i64(0)
    at = top
    tried = i64(0)
    while at < end:
        m = pick(at, end)
        rank = load(at + u64(8))
        at += u64(16)

        # 9. Late move reductions: how much less deep this one is searched at first.
        reduction = i64(0)
        if options & USE_REDUCTIONS and tried >= 3 and depth >= 3 and not under_attack and rank < TACTICAL:
            if not (HAS_LOUD and loud(s, m)):
                reduction = min(late(depth, tried), depth - 2)

        # 10. Principal variation search: a null window first, the full one where that fails.
        child = step(s, m)
        if options & USE_TABLE and depth > 1:
            prefetch(bucket(mem, u64(key(child))))
        other = ALTERNATE or turn(child) != me
        narrow = options & USE_PVS and tried > 0
        while True:
            high = alpha + 1 if narrow else beta
            if other:
                value = -search(child, depth - 1 - reduction, ply + 1, -high, -alpha, end, mem, i64(1))
            else:
                value = search(child, depth - 1 - reduction, ply + 1, alpha, high, end, mem, i64(1))
            if value <= alpha or (reduction == 0 and (not narrow or value >= beta)):
                break
            if reduction:
                reduction = i64(0)
            else:
                narrow = 0
        back(s, m)
        if load(mem + u64(ABORTED)):
            break
        tried += 1

        if value > best:
            best, best_move, best_number = value, m, NUMBERS - (rank & NUMBERS)
            if value > alpha:
                alpha = value
                take_line(mem, ply, m)
            if value >= beta:
                break

    # 11. Leave: learn from a cut-off, keep what was found.
    if REPETITION:
        pop_path(mem, k)
    if load(mem + u64(ABORTED)):
        return alpha
    if best >= beta:
        store(mem + u64(CUTOFFS), load(mem + u64(CUTOFFS)) + 1)
        if tried == 1:
            store(mem + u64(FIRST_CUTOFFS), load(mem + u64(FIRST_CUTOFFS)) + 1)
        learn(mem, ply, side, depth, best_move, top, at)
    cycle = load(mem + u64(CYCLE))
    solid = 1 - load(mem + u64(ESTIMATED))
    if options & USE_TABLE:
        bound = LOWER if best >= beta else UPPER if best <= floor else EXACT
        if cycle < ply:
            bound = 0  # the value hangs on how the game came here: only the move is kept
        number = i64(0) if symmetric or bound == UPPER else best_number
        keep(mem, entry_key, from_here(best, ply), min(max(depth, i64(0)), i64(255)), bound, solid, number, left)
    store(mem + u64(CYCLE), min(cycle_before, cycle if cycle < ply else i64(NO_CYCLE)))
    store(mem + u64(ESTIMATED), estimated_before | (1 - solid))
    return best


def late(depth, tried):
    """By how many plies a move that comes late is reduced."""
    by = i64(1)
    if tried >= 8:
        by += 1
    if depth >= 8:
        by += 1
    if tried >= 20 and depth >= 6:
        by += 1
    return by


def nothing_to_play(s):
    """Has the side to move no move? All are counted: a generator that is left early may not free what it holds."""
    n = 0
    for _ in moves(s):
        n += 1
    return n == 0


def learn(mem, ply, side, depth, m, top, at):
    """A move that cut is a killer here and gains history; those tried before it lose some."""
    killers = mem + u64(KILLERS) + u64(16) * u64(ply)
    if load(killers) != m + 1:
        store(killers + u64(8), load(killers))
        store(killers, m + 1)
    bonus = min(depth * depth * 16, i64(HISTORY_TOP // 4))
    reward(mem, side, m, bonus)
    before = top
    while before < at:
        if load(before) != m:
            reward(mem, side, load(before), -bonus)
        before += u64(16)


def table_move(s, mem):
    """The move that the table holds for a state, -1 if none: lines are prolonged with it."""
    data = probe(mem, u64(key(s)))
    number = (data >> 32) & 0xFFFF
    i, found = i64(0), i64(-1)
    if HAS_REPLIES and load(mem + u64(OPTIONS)) & USE_REPLIES:
        for m in replies(s):
            i += 1
            if i == number:
                found = i64(m)
    if HAS_LIKELY and i == 0 and load(mem + u64(OPTIONS)) & USE_LIKELY:
        for m in likely(s):
            i += 1
            if i == number:
                found = i64(m)
    if i == 0:
        for m in moves(s):
            i += 1
            if i == number:
                found = i64(m)
    return found


# -- the entry ------------------------------------------------------------------------------------------------------------------


def search_move(address, m, depth, alpha, beta, mem):
    """Entry: the value of the root's move m, for the side to move at the root; the line lies at ply 1.

    With depth 0, the move that the table holds for the state instead, -1 if none: one kernel compiles faster than two.
    """
    if depth == 0:
        return table_move(read_state(address), mem)
    if IN_PLACE:
        write_state(mem + u64(STATE), read_state(address))
        s = read_state(mem + u64(STATE))
    else:
        s = read_state(address)
    store(mem + u64(ESTIMATED), 0)
    store(mem + u64(CYCLE), NO_CYCLE)
    me = turn(s)
    if REPETITION:
        push_path(mem, u64(key(s)), i64(0))
    root_key = u64(key(s))
    child = step(s, m)
    top = u64(load(mem + u64(STACK_TOP)))
    if ALTERNATE or turn(child) != me:
        value = -search(child, depth - 1, i64(1), -beta, -alpha, top, mem, i64(1))
    else:
        value = search(child, depth - 1, i64(1), alpha, beta, top, mem, i64(1))
    if REPETITION:
        pop_path(mem, root_key)
    return value
