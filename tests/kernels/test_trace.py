"""The kernel that writes down a search: its events are those of the textbook's `Recorder`."""

import functools
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from here import DATA
from plyground import load
from plyground.compile.native import Native
from plyground.kernels.search import USE_LIKELY, USE_ORDER
from plyground.kernels.search.search_memory import SearchMemory
from plyground.kernels.tools import search_trace as kernel
from plyground.play import words
from plyground.textbook.registry import find
from plyground.textbook.trace import Child, Cutoff, Enter, Leaf, Leave, Recorder
from positions import walk

KINDS = ("max", "min", "chance")
WORDS = 1 << 20
"""The room for events."""


class Tracer:
    """Runs the kernel for a game and reads its events."""

    def __init__(self, spec):
        self.game = load(spec)
        self.run = Native(self.game).bind(kernel.trace, kernel.SIGNATURE)

    def __call__(self, states, depth, pruning, order=False, nodes=1 << 40, room=WORDS):
        """The events of a search of the last state; None if it did not come to its end."""
        game = np.concatenate([self.game.layout.row(s) for s in states])
        memory, out = SearchMemory(self.game.layout.words), kernel.Events(room)
        out.limit, out.nodes, out.pruning = out.end + 8 * room, nodes, pruning
        out.options = USE_LIKELY | (USE_ORDER if order else 0)
        done = self.run(game.ctypes.data, len(states) - 1, depth, memory.address, out.address)
        assert out.next <= out.limit
        return list(self.events(out)) if done else None

    def events(self, out):
        """What the buffer says, as the textbook's events."""
        at, nodes = 0, {}
        while out.end + 8 * at < out.next:
            e = kernel.TraceEvent.from_words(out.extra_words[at:])
            more = e.extra_words[: e.more]
            at += kernel.TraceEvent.size // 8 + e.more
            move = None if e.move < 0 else e.move
            if e.what == kernel.ENTER:
                nodes[e.node] = self.enter(e, move, kernel.NodeEntry.from_words(more), out.pruning)
                yield nodes[e.node]
            elif e.what == kernel.LEAF:
                yield Leaf(e.node, self.number(e.value), "heuristic" if e.mark else "terminal")
            elif e.what == kernel.CHILD:
                yield Child(e.node, move, self.number(e.value), bool(e.mark))
            elif e.what == kernel.CUTOFF:
                reason = self.reason(nodes[e.node], self.number(e.value))
                yield Cutoff(e.node, move, bool(e.mark), tuple(more.view(np.int64).tolist()), reason)
            else:
                yield Leave(e.node, self.number(e.value), move, tuple(more.view(np.int64).tolist()))

    def enter(self, e, move, told, pruning):
        parent = None if told.parent < 0 else told.parent
        depth = None if told.depth > kernel.WHOLE // 2 else told.depth
        window = (self.number(told.alpha), self.number(told.beta)) if pruning else (None, None)
        return Enter(e.node, parent, move, self.game.layout.read(told.extra_words), depth, *window, KINDS[e.mark])

    def number(self, value):
        return value if "chance" in self.game.has else int(value)

    def reason(self, node, value):
        here, there, bound = ("max", "min", node.beta) if node.kind == "max" else ("min", "max", node.alpha)
        return f"{here} can already force {words.for_max(value)} here, {there} has {words.for_max(bound)} elsewhere"


tracer = functools.cache(Tracer)


def recorded(game, states, algorithm, **options):
    record = Recorder()
    find(algorithm).search(game, states[-1], options, record, states[:-1])
    return record.events


def comparable(game, events):
    """The events with their states as rows, so that arrays can be compared."""
    rows = [game.layout.row(e.state).tolist() if isinstance(e, Enter) else None for e in events]
    return [e._replace(state=None) if isinstance(e, Enter) else e for e in events], rows


def position(game, seed):
    rng = random.Random(f"{game.name} {seed}")
    return walk(game, rng.randrange(12), rng)


def rules(*parts):
    return str(DATA.joinpath(*parts))


AGAIN, TUG, DICE = (rules("textbook", name) for name in ("again.py", "tug.py", "dice.py"))
PLAIN = ["tictactoe", f"{AGAIN}(size=12, count=1)", TUG]
LONG = [
    *("nim", "connect4", "kalah", "othello", "checkers", "draughts", "chess", "gomoku", f"{AGAIN}(size=12)"),
    *(rules("rules", "game_in_place.py"), rules("rules", "no_move.py"), rules("newcomer", "peg_solitaire.py")),
]
CHANCE = [DICE]
LONG_CHANCE = [f"{DICE}(after=1)", rules("chance", "no_turn.py"), rules("chance", "one_die.py"), "2048", "backgammon"]


def some(short, long):
    """These games, and in the long run those as well."""
    marked = [(spec, ()) for spec in short] + [(spec, pytest.mark.long) for spec in long]
    return [pytest.param(spec, id=spec.rpartition("/")[2], marks=marks) for spec, marks in marked]


@pytest.mark.parametrize("spec", some(PLAIN, LONG))
@settings(max_examples=12)
@given(seed=st.integers(0, 1 << 30), depth=st.integers(1, 3), order=st.booleans())
def test_the_textbooks_events(spec, seed, depth, order):
    """Values, windows, wins by distance, margins, moves that keep the turn, repetition, order: all as the textbook has it."""
    run = tracer(spec)
    states = position(run.game, seed)
    branches = len(run.game.legal(states[-1]))
    depth = min(depth, 3 if branches < 15 else 2 if branches < 60 else 1)
    for pruning, algorithm in enumerate(("minimax", "alphabeta")):
        told = recorded(run.game, states, algorithm, depth=depth, order="game" if order else "none")
        assert comparable(run.game, run(states, depth, pruning, order)) == comparable(run.game, told)


@pytest.mark.parametrize("spec", some(CHANCE, LONG_CHANCE))
@settings(max_examples=12)
@given(seed=st.integers(0, 1 << 30), depth=st.integers(1, 2))
def test_the_textbooks_events_in_games_of_chance(spec, seed, depth):
    run = tracer(spec)
    states = position(run.game, seed)
    depth = 1 if spec in LONG_CHANCE[-2:] else depth
    told = recorded(run.game, states, "expectiminimax", depth=depth)
    assert comparable(run.game, run(states, depth, 0)) == comparable(run.game, told)


@pytest.mark.parametrize("moves", ["a1 b2 c3 a3", "a1 b2"])
def test_to_the_end_of_the_game(moves):
    run = tracer("tictactoe")
    states = [run.game.start()]
    for m in run.game.parse_moves(states[0], moves):
        states.append(run.game.play(states[-1], m))
    assert run(states, kernel.WHOLE, 1) == recorded(run.game, states, "alphabeta", depth="all")


def test_a_finished_game_is_a_leaf():
    run = tracer("tictactoe")
    over = [run.game.parse_state("XXX/OO./...")]
    assert run(over, 3, 1) == recorded(run.game, over, "alphabeta", depth=3)


def test_a_full_buffer_and_the_node_limit_are_told():
    run = tracer("tictactoe")
    states = [run.game.start()]
    whole = run(states, 3, 1)
    nodes = sum(isinstance(e, Enter) for e in whole)
    assert run(states, 3, 1, nodes=nodes + 1) == whole
    assert run(states, 3, 1, nodes=nodes) is None
    needed = next(room for room in range(16, WORDS, 16) if run(states, 1, 0, room=room) is not None)
    assert run(states, 1, 0, room=needed) == recorded(run.game, states, "minimax", depth=1)
    assert all(run(states, 1, 0, room=room) is None for room in range(1, needed - 16))
