"""Self-play: games of a net against itself or against another one, with a row of training data for each position.

A *stream* plays one game after another. For each position it writes a row: the numbers of the active weights, and a target for
their sum. The target mixes the score of the search with the targets of later positions (TD(lambda)); after a random move only the
score counts. In games of chance the position before the roll is learned, because that is where a search of depth 0 asks the net.
With quiescence, positions whose best move is loud are skipped: the search follows the move and asks the net after it.
"""

from __future__ import annotations

from math import inf, tanh

from plyground.bits import i64, u64
from plyground.compile.blocks import Address, Block, Float, Word
from plyground.compile.vocabulary import (
    CHANCE,
    CHUNKS,
    GROUPS,
    HAS_LOUD,
    LISTED,
    MARGIN,
    ONGOING,
    REPETITION,
    WORDS,
    key,
    load,
    loud,
    net_base,
    read_state,
    step,
    store,
    stuck,
    turn,
    undo_step,
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
from plyground.kernels.states import any_move, changes_turn, is_chance
from plyground.kernels.tools.playout import random_number, random_word
from plyground.nets.leaf import NetMemory, active_set, list_active
from plyground.score import INFINITE, proven, result_of

SIGNATURE = "int64(uint64, uint64)"
"""Signature of `play_games`."""


class GameStream(Block):
    """Plays one game after another. Room for two states follows the block: the current one, and one to restart from."""

    # Input.
    start = Address("the start state of games")
    net = Address("the memory of the net that begins the first game")
    rival = Address("the memory of the net on the other side; they change sides after each game")
    ties = Address("for each weight, 32 bits: the number of the one that stands for it")
    rows = Address("the start of the rows")
    room = Word("the number of rows that fit")
    wanted = Word("the number of rows after which it stops, at the end of a game")
    most_games = Word("the number of games after which it stops")
    solitaire = Word("nonzero if the game has only one side")
    paired = Word("nonzero if games come in pairs with the same random numbers")
    depth = Word("the depth of each search")
    quiet = Word("nonzero for quiescence search at the horizon")
    opening = Word("the largest number of random moves at the start of a game")
    fixed = Word("nonzero if games always start with that number of random moves")
    mistakes = Word("the average number of moves per random move; 0 for no random moves")
    longest = Word("the maximum length of a game, in plies")
    again = Word("the minimum length of a game from whose middle the next one starts; 0 if none does")
    trace = Float("the lambda of TD(lambda): the weight of the next target in a target; the rest is the search score")
    scale = Float("without chance: a point, or 1 of the logit, in the engine's unit")
    set_size = Word("the weights of one phase (and side)")

    # The game in progress.
    random = Address("the state of the random number generator")
    before = Address("the state of the generator before the game")
    ply = Word("the ply; 0 before a new game")
    at_random = Word("the number of random moves at the start of this game")
    side = Word("the side to move: 0 for the side that began")
    midway = Word("nonzero if the next game starts from the second state")

    # Results, from the view of `net`.
    count = Word("the number of rows written")
    games = Word()
    won = Word()
    lost = Word()
    points = Float("the points; in a solitaire, those of `net` alone")
    other_points = Float("the points of `rival` in a solitaire")


FIRST_PROGRESS_WORD = GameStream.random.offset // 8
"""The first word of a stream that changes while it plays."""


class TrainingRow(Block):
    """What to learn from one position; the numbers of its active weights follow."""

    set = Word("the phase (and side) that the weights belong to")
    width = Word("the number of active weights, or inputs of hidden units; 0: skip this position")
    side = Word("the side to move")
    target = Float("the score of the search until the game has ended")
    blend = Float("the share of the next target")
    base = Float("the number to which the net adds: the points so far, or the rules' evaluation on the scale of its sum")


ROW_HEADER_BYTES = TrainingRow.size


def row_at(at, i):
    """Return one of the rows of a stream."""
    return TrainingRow(at.rows + u64(ROW_HEADER_BYTES + 8 * (GROUPS if GROUPS else CHUNKS * LISTED)) * u64(i))


def load_half(row, i):
    """Return the number of 32 bits at this place of a row; one more must follow the last."""
    return load(row + u64(4) * u64(i)) & i64(0xFFFFFFFF)


def clear_path(mem):
    """Clear the positions before this one."""
    for i in range(mem.past):
        mem.seen[repetition_index(mem.path[i])] = 0
    mem.past = 0


def begin_game(at, mem):
    """Load the start state."""
    clear_path(mem)
    if at.paired and at.games & 1:
        at.random = at.before
    at.before = at.random
    at.at_random = at.opening if at.fixed else random_number(at) % (at.opening + 1)
    at.side = 0
    write_state(at.end, read_state(restart_state(at) if at.midway else at.start))


def restart_state(at):
    """Return the address of the state from which the next game may start."""
    return at.end + u64(8 * WORDS)


def sample_restart_state(s, at):
    """Store the state to restart from, by reservoir sampling: in the end, all states of the game were equally likely."""
    if at.again and random_number(at) % (at.ply + 1) == 0:
        write_state(restart_state(at), s)


def outcome(s, mem):
    """Return the result, also by repetition; ONGOING if there is none."""
    value = i64(verdict(s))
    if REPETITION and value == ONGOING:
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
        undo_step(s, m)
        if value > best:
            best, found = value, i64(i)
    return found, best


def score_to_target(score, at):
    """Return a score of the search on the scale that is learned: points, or from -1 to 1."""
    if CHANCE:
        return score
    if proven(score):
        return float(result_of(i64(score), MARGIN))
    return score / at.scale if MARGIN else tanh(score / at.scale)


def roll(at, mem):
    """Let chance make its moves; return the result if that ends the game."""
    s = read_state(at.end)
    value = i64(ONGOING)
    while value == ONGOING and is_chance(s):
        me = turn(s)
        write_state(at.end, step(s, any_move(s, random_word(at))))
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
        found = random_number(at) % count
    else:
        found, score = best_of(s, count, top, mem, at.depth)
        played_out = HAS_LOUD and at.quiet != 0 and bool(loud(s, top[found].move))
        blend = at.trace
        if at.mistakes and random_number(at) % at.mistakes == 0:
            chosen = random_number(at) % count
            if chosen != found:
                found, blend = chosen, 0.0
        if recorded:
            row = row_at(at, at.count - 1)
            value = score_to_target(score, at)
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
    return i64(ONGOING)


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
    mem, at = SearchMemory(memory), GameStream(stream)
    first = i64(0)
    mem.options = mem.options | USE_QUIET if at.quiet else mem.options & ~USE_QUIET
    clear_path(mem)
    while True:
        if at.ply == 0:
            begin_game(at, mem)
            first = at.count
        mem.net = at.net if (at.side + at.games) & 1 == 0 else at.rival
        s = read_state(at.end)
        value = outcome(s, mem)
        recorded = i64(value == ONGOING and at.ply >= at.at_random and at.count < at.room)
        if recorded:
            record(s, at, mem)
            sample_restart_state(s, at)
        if value == ONGOING and CHANCE:
            value = roll(at, mem)
            mem.net = at.net if (at.side + at.games) & 1 == 0 else at.rival
        if value == ONGOING:
            value = play_move(at, mem, recorded)
        if mem.aborted:
            return i64(-1)
        full = at.room > 0 and at.count >= at.room
        if value != ONGOING:
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
