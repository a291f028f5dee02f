"""The names that a kernel may use for the rules of its game and for memory.

`compile.bind` puts the game's compiled function, or the default, in the place of each name; nothing here is ever called.
Names in capitals are constants of the game, frozen into the kernel.
"""

from __future__ import annotations

from typing import Any

ALTERNATE = True
"""Do two sides strictly take turns? Then a child's score is always the other side's."""
IN_PLACE = False
"""Does `step` change the state itself, so that `back` must restore it?"""
CHANCE = False
"""May it be for dice or tiles to move?"""
MARGIN = 0
"""The largest margin where results are margins, else 0."""
REPETITION = 0
"""How many times a position may stand before the game is drawn; 0 where repetition does not count."""
PLAY_ON = False
"""Are there moves to count beyond a draw by rule?"""
KEEP_FINISHED = False
"""Is a finished game counted at every greater depth?"""
WORDS = 1
"""The words a state takes in memory."""
HAS_ORDER = False
HAS_LOUD = False
HAS_CANONICAL = False
HAS_EVALUATE = False
HAS_FORCED = False
HAS_STUCK = False
HAS_PASSES = False
HAS_REPLIES = False
HAS_LIKELY = False
HAS_SAFE = False
HAS_REMAINING = False
HAS_BOUNDS = False
HAS_FINISH = False
HAS_PRESSURE = False
HAS_PROMISE = False
HAS_SPOT = False
KEY_BITS = 0
"""The bits that an injective code takes; 0 where two states may share a code."""
MIRRORED = 0
"""With at most this many plies left, the solver does not merge symmetric states."""
PEEK = 0
"""With at most this many plies left, the solver does not look its moves up before it searches them."""
SURVEY = 0
"""With more plies left than this, the solver ranks moves by a shallow search with `evaluate`; 0 for never."""
UNIT = 1
"""What `evaluate` gives for one point of the margin."""
SHALLOW = 0
"""With at most this many plies left, the solver asks the table no more."""
LOCAL = 0
"""With at most this many plies left, a state is kept in a small table of the thread's own; 0 where there is none."""
DENSE = 0
"""States whose code is below this are worked out once and kept in a byte of their own; 0 for none."""
HAS_COUNTDOWN = False
HAS_THREATS = False
HAS_LABEL = False
HAS_PACK = False
GOING = -(1 << 62)
"""What `outcome` gives while the game goes on: no result is as small."""


def moves(s: Any) -> Any:
    """The legal moves."""


def step(s: Any, m: Any) -> Any:
    """The state after m, its fields cast to their declared types; for in-place rules, s itself, changed."""


def back(s: Any, m: Any) -> Any:
    """Takes m back where the rules play in place; nothing otherwise."""


def result(s: Any) -> Any:
    """None while the game goes on, else the value for the side to move. A side that cannot move is left to `stuck`."""


def outcome(s: Any) -> Any:
    """The result as a plain word, GOING where it is None."""


def stuck(s: Any) -> Any:
    """The value for a side that has no move."""


def evaluate(s: Any) -> Any:
    """The heuristic, for the side to move; 0 where the game gives none."""


def key(s: Any) -> Any:
    """The identity of the state, a word."""


def order(s: Any, m: Any) -> Any:
    """The game's ordering hint: larger is tried earlier."""


def loud(s: Any, m: Any) -> Any:
    """Must quiescence follow this move?"""


def turn(s: Any) -> Any:
    """The number of the side to move; 0 where turns just alternate."""


def chance(s: Any) -> Any:
    """Pairs (move, weight) where chance is to move; nothing otherwise."""


def canonical(s: Any) -> Any:
    """The representative of s under the board's symmetries."""


def forced(s: Any) -> Any:
    """Is the side to move under attack, so that its replies are forced?"""


def countdown(s: Any) -> Any:
    """How many plies are left before a counter that `key` leaves out can end the game."""


def may_pass(s: Any) -> Any:
    """Is it worth asking what happens if the side to move passes?"""


def passes(s: Any) -> Any:
    """The state after the side to move has passed, though the rules do not let it."""


def likely(s: Any) -> Any:
    """The moves worth a search where most legal ones are not; nothing where all are."""


def replies(s: Any) -> Any:
    """The only moves worth a try where the situation is forced; nothing where it is not."""


def threats(s: Any) -> Any:
    """The moves that threaten to win, so that only the `replies` of the other side can matter."""


def label(s: Any) -> Any:
    """The few numbers that tell the state from every other, where the game gives them."""


def safe(s: Any) -> Any:
    """The moves that do not let the opponent win at once; asked only where the side to move cannot."""


def remaining(s: Any) -> Any:
    """How many plies are left at most."""


def bounds(s: Any) -> Any:
    """The lowest and the highest result that the side to move can still reach."""


def finish(s: Any, beta: Any) -> Any:
    """The game's own answer, and the nodes it took: a bound of at least beta or one below it; no nodes where it has none."""


def pressure(s: Any) -> Any:
    """How hard a state is for the side to move there: children with more are tried earlier."""


def promise(s: Any, m: Any, child: Any) -> Any:
    """How early to try a move, given the state it leads to: instead of `pressure`, where the move itself counts too."""


def spot(s: Any, m: Any) -> Any:
    """A small number for what a move does: what it did well elsewhere is kept under it."""


def banked(s: Any) -> Any:
    """The part of the margin that is settled for the side to move, and that the code leaves out."""


def code(s: Any) -> Any:
    """The state as a word of KEY_BITS bits, without what `banked` counts: the key, where the game gives no other."""


def pack(s: Any) -> Any:
    """The position as one word, which symmetric positions share; 0 where it does not fit."""


def unpack(x: Any) -> Any:
    """A state of the position that `pack` makes this word of."""


def positions(ending: Any) -> Any:
    """Every position of an ending."""


def read_state(address: Any) -> Any:
    """The state that lies at the address; for in-place rules, a view of it."""


def write_state(address: Any, s: Any) -> Any:
    """Puts the words of the state at the address; for in-place rules a copy of what s views."""


def load(address: Any) -> Any:
    """The signed word at the address."""


def store(address: Any, value: Any) -> Any:
    """Puts a signed word at the address."""


def load_byte(address: Any) -> Any:
    """The byte at the address, from 0 to 255."""


def store_byte(address: Any, value: Any) -> Any:
    """Puts a byte at the address."""


def load_real(address: Any) -> Any:
    """The 64-bit float at the address."""


def store_real(address: Any, value: Any) -> Any:
    """Puts a 64-bit float at the address."""


def load_shared(address: Any) -> Any:
    """The signed word at the address, where other threads may write it."""


def store_shared(address: Any, value: Any) -> Any:
    """Puts a signed word where other threads may read it."""


def claim(address: Any, seen: Any, value: Any) -> Any:
    """Puts a word in place of `seen`, in one step; False if something else stands there."""


def prefetch(address: Any) -> Any:
    """Asks for the line of the cache at the address, which will be read soon."""


def address(where: Any) -> Any:
    """Where a block, or one of its rows, begins."""


def clock(address: Any) -> Any:
    """The time in nanoseconds, as `machine.clock_ns` tells it; the two words at the address are room to work in."""
