"""Self-play: games of a net against itself or against another one, with a row of training data for each position.

A *stream* plays one game after the other. For each position it writes a row: the numbers of the active weights, and a target for
their sum. The target mixes the score of the search with the targets of later positions (TD(lambda)); after a random move only the
score counts. In games of chance the position before the roll is learned, because that is where a search of depth 0 asks the net.
With quiescence, positions whose best move is loud are skipped: the search plays it out and asks the net afterwards.
"""

from __future__ import annotations

from math import inf, tanh

from plyground.bits import i64, u64
from plyground.compile.blocks import Address, Block, Real, Word
from plyground.compile.vocabulary import (
    CHANCE,
    CHUNKS,
    GOING,
    GROUPS,
    HAS_LOUD,
    LISTED,
    MARGIN,
    REPETITION,
    WORDS,
    back,
    key,
    load,
    loud,
    net_base,
    read_state,
    step,
    store,
    stuck,
    turn,
    verdict,
    write_state,
)
from plyground.kernels.search import USE_QUIET
from plyground.kernels.search.chance_node import expectiminimax
from plyground.kernels.search.move_ordering import ListedMove, list_moves, pick_best, rank_moves
from plyground.kernels.search.node import search
from plyground.kernels.search.search_memory import (
    NO_CYCLE,
    SearchMemory,
    count_occurrences,
    pop_path,
    push_path,
    repetition_index,
)
from plyground.kernels.states import changes_turn, is_chance
from plyground.kernels.tools.playout import any_move, draw
from plyground.nets.leaf import NetMemory, active_set, list_active
from plyground.score import INFINITE, proven, result_of

SIGNATURE = "int64(uint64, uint64)"
"""Signature of `play_games`."""


class Stream(Block):
    """One game after the other. Room for two states follows the block: the present one, and one to begin another game with."""

    # Input.
    start = Address("the state that games begin with")
    net = Address("the memory of the net that begins the first game")
    rival = Address("the memory of the net on the other side; they change sides after each game")
    ties = Address("for each weight, 32 bits: the number of the one that stands for it")
    rows = Address("where rows are written")
    room = Word("the number of rows that fit")
    wanted = Word("after a game, stop if there are this many rows")
    most_games = Word("or if this many games have ended")
    solitaire = Word("whether the game has only one side")
    paired = Word("whether every second game has the random numbers of the one before")
    depth = Word()
    quiet = Word("whether loud moves are played out at the horizon")
    opening = Word("the largest number of random moves that games begin with")
    fixed = Word("whether it is always the largest number of random moves")
    mistakes = Word("one move in this many is random; 0: none")
    longest = Word("plies after which a game is broken off")
    again = Word("after a game of at least this many plies, the next one begins in the middle of it; 0: never")
    trace = Real("lambda: the share of the next target in a target; the rest is the score of the search")
    scale = Real("without chance: a point, or 1 of the logit, in the engine's unit")
    set_size = Word("the weights of one phase (and side)")

    # Where it is.
    random = Address("the state of the random number generator")
    before = Address("that state before the game")
    ply = Word("of the game in progress; 0: a new one begins")
    at_random = Word("the random moves that this game begins with")
    side = Word("to move: 0 for the side that began")
    midway = Word("whether the next game begins with the second state")

    # Results, from the view of `net`.
    count = Word("rows written")
    games = Word()
    won = Word()
    lost = Word()
    points = Real("in a solitaire, of `net` alone")
    other_points = Real("in a solitaire, of `rival`")


WHERE = Stream.random.offset // 8
"""The first word of a stream that changes while it plays."""


class TrainingRow(Block):
    """What to learn from one position; the numbers of its active weights follow."""

    set = Word("the phase (and side) that the weights belong to")
    width = Word("the number of active weights, or inputs of hidden units; 0: skip this position")
    side = Word("the side to move")
    target = Real("the score of the search until the game has ended")
    blend = Real("the share of the next target")
    base = Real("what the net adds to: the points so far, or the rules' evaluation on the scale of its sum")


HEAD = TrainingRow.size


def row_at(at, i):
    """Return one of the rows of a stream."""
    return TrainingRow(at.rows + u64(HEAD + 8 * (GROUPS if GROUPS else CHUNKS * LISTED)) * u64(i))


def load_half(row, i):
    """Return the number of 32 bits at this place of a row; one more must follow the last."""
    return load(row + u64(4) * u64(i)) & i64(0xFFFFFFFF)


def forget_path(mem):
    """Forget the positions before this one."""
    for i in range(mem.past):
        mem.seen[repetition_index(mem.path[i])] = 0
    mem.past = 0


def begin_game(at, mem):
    """Put the first state in place."""
    forget_path(mem)
    if at.paired and at.games & 1:
        at.random = at.before
    at.before = at.random
    at.at_random = at.opening if at.fixed else draw(at) % (at.opening + 1)
    at.side = 0
    write_state(at.end, read_state(middle(at) if at.midway else at.start))


def middle(at):
    """Return the address of the state that the next game may begin with."""
    return at.end + u64(8 * WORDS)


def keep_middle(s, at):
    """Keep the state for the next game with a chance that makes all states of this game equally likely in the end."""
    if at.again and draw(at) % (at.ply + 1) == 0:
        write_state(middle(at), s)


def outcome(s, mem):
    """Return the result, also by repetition; GOING if there is none."""
    value = i64(verdict(s))
    if REPETITION and value == GOING:
        k = u64(key(s))
        if mem.seen[repetition_index(k)] and count_occurrences(mem, k, mem.past - 1) + 1 >= REPETITION:
            value = i64(0)
    return value


def record(s, at, mem):
    """Write the row of a position."""
    row, net = row_at(at, at.count), NetMemory(mem.net)
    row.width = list_active(s, net, row.end)
    if GROUPS:
        row.set = load(row.end) // at.set_size
        for i in range(GROUPS):
            place = row.end + u64(8 * i)
            store(place, load_half(at.ties, load(place)))
    else:
        row.set = active_set(s, net)
    row.side, row.target, row.blend = at.side, 0.0, 1.0
    row.base = net_base(s) if CHANCE else net_base(s) / at.scale
    at.count += 1


def best_of(s, count, top, mem, depth):
    """Return the number of the best of the moves listed, and its score."""
    best, found = -inf, i64(0)
    me = turn(s)
    mem.root_depth, mem.cycle = depth, NO_CYCLE
    if depth > 1:
        rank_moves(s, top, count, mem, i64(0), me & 1, i64(0))
    for i in range(count):
        m = pick_best(top, i, count) if depth > 1 else top[i].move
        child = step(s, m)
        if CHANCE:
            if changes_turn(me, child):
                value = -expectiminimax(child, depth - 1, i64(1), -inf, -best, top[count], mem, i64(0))
            else:
                value = expectiminimax(child, depth - 1, i64(1), best, inf, top[count], mem, i64(0))
        else:
            floor = i64(max(best, float(-INFINITE)))
            if changes_turn(me, child):
                value = float(-search(child, depth - 1, i64(1), i64(-INFINITE), -floor, top[count], mem, i64(1)))
            else:
                value = float(search(child, depth - 1, i64(1), floor, i64(INFINITE), top[count], mem, i64(1)))
        back(s, m)
        if value > best:
            best, found = value, i64(i)
    return found, best


def to_target(score, at):
    """Return a score of the search on the scale that is learned: points, or from -1 to 1."""
    if CHANCE:
        return score
    if proven(score):
        return float(result_of(i64(score), MARGIN))
    return score / at.scale if MARGIN else tanh(score / at.scale)


def roll(at, mem):
    """Let chance make its moves; return the result if that ends the game."""
    s = read_state(at.end)
    value = i64(GOING)
    while value == GOING and is_chance(s):
        me = turn(s)
        write_state(at.end, step(s, any_move(s, at)))
        s = read_state(at.end)
        if turn(s) != me:
            at.side = 1 - at.side
        value = i64(verdict(s))
    return value


def play_move(at, mem, recorded):
    """Choose and play a move; return the result if there is none."""
    s, top = read_state(at.end), ListedMove(mem.stack)
    count = list_moves(s, top, mem, i64(0))
    if count <= 0:
        return i64(stuck(s))
    k, me = u64(key(s)), turn(s)
    push_path(mem, k, i64(0))
    if at.ply < at.at_random:
        found = draw(at) % count
    else:
        found, score = best_of(s, count, top, mem, at.depth)
        played_out = HAS_LOUD and at.quiet != 0 and bool(loud(s, top[found].move))
        blend = at.trace
        if at.mistakes and draw(at) % at.mistakes == 0:
            chosen = draw(at) % count
            if chosen != found:
                found, blend = chosen, 0.0
        if recorded:
            row = row_at(at, at.count - 1)
            value = to_target(score, at)
            row.target, row.blend = (value if row.side == at.side else -value), blend
            if played_out:
                row.width = 0
    m = top[found].move
    write_state(at.end, step(s, m))
    if REPETITION:
        mem.past += 1
    else:
        pop_path(mem, k)
    if changes_turn(me, read_state(at.end)):
        at.side = 1 - at.side
    at.ply += 1
    return i64(GOING)


def set_targets(at, first, got, side):
    """Set the targets of the rows of a game, backwards from the result for the side to move at its end."""
    i = at.count - 1
    while i >= first:
        row = row_at(at, i)
        if row.side != side:
            got, side = -got, row.side
        got = row.blend * got + (1.0 - row.blend) * row.target
        row.target = got
        i -= 1


def count_game(at, value):
    """Count a game that has ended with this value for the side to move."""
    own = (at.side + at.games) & 1 == 0
    if at.solitaire and not own:
        at.other_points += float(value)
    else:
        value = value if own else -value
        at.points += float(value)
        at.won += value > 0
        at.lost += value < 0
    at.games += 1


def play_games(memory, stream):
    """Entry point: play games until there are enough, starting with the one in progress; return the number of rows."""
    mem, at = SearchMemory(memory), Stream(stream)
    first = i64(0)
    mem.options = mem.options | USE_QUIET if at.quiet else mem.options & ~USE_QUIET
    forget_path(mem)
    while True:
        if at.ply == 0:
            begin_game(at, mem)
            first = at.count
        mem.net = at.net if (at.side + at.games) & 1 == 0 else at.rival
        s = read_state(at.end)
        value = outcome(s, mem)
        recorded = i64(value == GOING and at.ply >= at.at_random and at.count < at.room)
        if recorded:
            record(s, at, mem)
            keep_middle(s, at)
        if value == GOING and CHANCE:
            value = roll(at, mem)
            mem.net = at.net if (at.side + at.games) & 1 == 0 else at.rival
        if value == GOING:
            value = play_move(at, mem, recorded)
        if mem.aborted:
            return i64(-1)
        full = at.room > 0 and at.count >= at.room
        if value != GOING:
            set_targets(at, first, float(value), at.side)
            count_game(at, value)
            at.midway = i64(at.again > 0 and at.ply >= at.again)
            at.ply = 0
        elif full or at.ply >= at.longest:
            if at.count > first:
                row_at(at, at.count - 1).blend = 0.0
                set_targets(at, first, 0.0, at.side)
            if at.ply >= at.longest:
                at.ply = 0
                at.games += 1
        if full or (at.ply == 0 and (at.count >= at.wanted or at.games >= at.most_games)):
            return at.count
