"""The contract, declared once: every function and constant that a rules file may define besides `State`.

Everything else follows from these tables: the checks when a game is loaded, hints for misspelt names, the defaults, the names
and `HAS_` constants that kernels see, the hash for the cache, and the tables in `docs/contract.md`, which
`python benchmarks/run.py contract` writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

State = tuple[Any, ...]
"""A state of any game: a value of the NamedTuple `State` that its rules define."""


class RulesState(State):
    """What functions return that return a state, for type checkers: a tuple whose fields only the rules know."""

    if TYPE_CHECKING:

        def __new__(cls, *fields: object) -> RulesState: ...
        def __getattr__(self, field: str) -> Any: ...
        def __eq__(self, other: object) -> bool: ...


def _number(default: int, meaning: str) -> Any:
    return field(default=default, metadata={"meaning": meaning})


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """Tunes the solver for one game without changing its answers: `SOLVER = Tuning(local=20, peek=12)` in a rules file.

    Most numbers are plies left, as `remaining` counts them; 0 turns a technique off.
    """

    shallow: int = _number(0, "with at most this many plies left, the table is not probed")
    peek: int = _number(0, "with at most this many plies left, moves are not looked up before they are searched")
    mirrored: int = _number(0, "with at most this many plies left, symmetric states are not merged")
    local: int = _number(
        0,
        "with at most this many plies left, and a code of at most 54 bits, states are kept in a small table per thread that fits "
        "the processor's cache",
    )
    dense: int = _number(
        0,
        "if results are margins below 128: states whose code is below this are solved completely once and kept in one byte "
        "each (Kalah: up to 14 seeds in the pits)",
    )
    survey: int = _number(0, "with more plies left than this, moves are ranked by a shallow search with `evaluate`")
    unit: int = _number(1, "what `evaluate` gives for one point of the margin, for that search; at least 1")
    solvable: int = _number(0, "with more plies left than this, a search would not end and is refused; 0 if it always ends")


@dataclass(frozen=True)
class Hook:
    """A function that a rules file may define."""

    call: str
    """Its name and arguments, as the documentation writes them."""
    meaning: str
    default: Callable[..., Any] | None = None
    """Used if a game does not define the hook; None if the default is derived from other rules."""
    write: str = ""
    """What to write; empty if the hook is optional."""
    compiled: bool = True
    solver: bool = False
    """Used only by the solver."""
    hint: bool = False
    """Only affects move ordering: a wrong value costs nothing but time."""
    state: bool = False
    """Returns a State, whose fields compiled code casts to their types."""
    needs: str = ""
    """The hook that this one needs."""

    @property
    def name(self) -> str:
        """Its name in a rules file."""
        return self.call.partition("(")[0]

    @property
    def arguments(self) -> list[str]:
        """The names of its arguments."""
        return self.call[len(self.name) + 1 : -1].replace(",", "").split()

    @property
    def required(self) -> bool:
        """Whether every game must define it."""
        return bool(self.write)

    @property
    def flag(self) -> str:
        """The constant that tells kernels whether the game defines it."""
        return f"HAS_{self.name.upper()}"


@dataclass(frozen=True)
class Constant:
    """A constant that a rules file may define."""

    name: str
    meaning: str
    default: object = None
    """None if the default depends on other names."""
    most: int | None = None
    """The largest value allowed, if that is fixed."""
    compiled: bool = False
    """Whether kernels see it."""
    solver: bool = False


def _no_chance(s: State) -> Iterator[tuple[int, float]]:
    for m in range(0):
        yield m, 1.0


# Laid out as a table, by hand.
# fmt: off
HOOKS: dict[str, Hook] = {hook.name: hook for hook in (
    Hook("start()", "the initial state", write="def start(): return State(...)", compiled=False),
    Hook("moves(s)", "the legal moves, as ints from 0 up, all different, at most 65,536 of them: a generator, a list, a range. "
         "Never called if the game is over or chance is to move", write="def moves(s): yield each legal move, as an int"),
    Hook("play(s, m)", "the next state; must not change `s`. In-place rules change `s` and return nothing",
         write="def play(s, m): return the next State"),
    Hook("undo(s, m)", 'for in-place rules: takes back `m`; defining it is what makes rules "in place"', lambda s, m: None),
    Hook("result(s)", "`None` while the game goes on, otherwise the value for the side to move: 1 won, 0 drawn, -1 lost, or a "
         "margin", write="def result(s): return None while the game goes on, else 1, 0 or -1 for the side to move"),
    Hook("stuck(s)", "the result if the side to move has no legal move, so that `result` need not generate moves (chess: "
         "mate or stalemate). By default a draw, and `check` warns", lambda s: 0),
    Hook("evaluate(s)", "an estimate for the side to move, an int between -8999 and 8999; in a game of chance, the expected "
         "result, a float (also called if chance is to move). Without it, the engine evaluates by short random games",
         lambda s: 0),
    Hook("key(s)", "identity for tables and repetition, a 64-bit word; by default a hash of every word of the state. States "
         "with equal keys must have the same moves and results. With `REPETITION`, leave out counters but not the side to move"),
    Hook("countdown(s)", "if `key` leaves a counter out (fifty moves without a capture): the plies left before it can end the "
         "game, unless it is reset. Without it, the table could report a win that comes too late", lambda s: 0),
    Hook("order(s, m)", "an ordering hint, an int: larger is tried earlier; 1000 or more for moves that must come before "
         "anything the search has learned (winning captures, wins, blocks)", lambda s, m: 0, hint=True),
    Hook("loud(s, m)", "whether quiescence search follows this move (promotions, fives, captures that don't lose)",
         lambda s, m: False),
    Hook("turn(s)", "the number of the side to move, 0 or 1, if turns don't simply alternate; if they do and you only want "
         "to name the side, also set `ALTERNATE = True`", lambda s: 0),
    Hook("chance(s)", "pairs `(move, weight)` if chance (dice, tiles) is to move, nothing if a player is; `play(s, move)` "
         "applies one", _no_chance),
    Hook("canonical(s)", "the representative of `s` under the board's symmetries", lambda s: s, state=True),
    Hook("forced(s)", "whether the side to move is under attack, so that its replies are forced (check, a four, a capture that "
         "must be made). The engine searches deeper there", lambda s: False),
    Hook("likely(s)", "the moves worth searching if most legal ones are not (gomoku: near a stone, and the centre); nothing "
         "if all are. The engine searches no others, so it calls nothing proven but wins by `threats` (else `Analysis.value` "
         "is `unknown`). Everything else uses all `moves`: people, `check`, perft, the solver and proofs. The engine's option "
         "`likely` turns it off",
         lambda s: range(0)),
    Hook("replies(s)", "the only moves worth trying in a forced situation, none elsewhere; leaving a move out must never "
         "change who wins", lambda s: range(0)),
    Hook("threats(s)", "moves that threaten to win, so that the other side has only its `replies`: a proof search tries no "
         "other attacks, and `order` tells it which are promising. With `replies`, the engine looks for such wins before it "
         "searches. Leaving one out can hide a win but never proves a false one", lambda s: range(0)),
    Hook("label(s)", "a fixed number of ints that together identify the state: what proofs store for a large state; by default "
         "the whole state", lambda s: range(0)),
    Hook("passes(s)", "for null-move pruning: the state after a pass, which the rules don't allow", lambda s: s, state=True),
    Hook("may_pass(s)", "whether a pass may be tried (no check, no zugzwang); by default always", lambda s: True),
    Hook("pack(s)", "the position as one word (`u64`): what [tables](tables.md) store. Equivalent positions (symmetries, "
         "colours exchanged) may share a word; counters such as the fifty moves are left out. 0 if a position doesn't fit",
         lambda s: 0, needs="unpack"),
    Hook("unpack(x)", "the state for a word from `pack`", lambda x: x, state=True, needs="pack"),
    Hook("ending(text)", "the number of the ending that a text names, for `solve --ending TEXT`; `ValueError` for bad text",
         compiled=False, needs="positions"),
    Hook("positions(n)", "every position of the ending with this number, as a State", lambda n: range(0), needs="ending"),
    Hook("show(s)", "the state as text; with `BOARD`, only what stands below the board: a score, a count", compiled=False),
    Hook("format_move(s, m)", "a move as people write it; by default the cells that it touches, as the board names "
         "them (`d3`, `a2-a4`), or its number if there is no `BOARD`", compiled=False),
    Hook("parse_move(s, text)", "the move that a text names, `ValueError` for bad text; by default what `format_move` writes, "
         "ignoring case and spaces. The names that the cells give are always read too. A leading move number (`1. e4`) is "
         "skipped, unless it is part of the move",
         compiled=False),
    Hook("format_state(s)", "a state on one line; by default the fields", compiled=False),
    Hook("parse_state(text)", "the state that a text describes; `ValueError` for bad text", compiled=False),
    Hook("cells(s)", "what lies on each cell of the `BOARD`, a small number each, always seen from the same side; by default the "
         "field of the state that has a number for each cell", lambda s: range(0)),
    Hook("touch(s, m)", "the cells that a person touches for a player's move, in order: one, from and to, the path of a capture; "
         "none for a button such as pass. Moves that touch the same cells must leave different pieces on them (promotions), so "
         "that one can be chosen. By default a move is the number of its cell, or of the column to drop into",
         lambda s, m: range(0)),
    Hook("code(s)", "with `KEY_BITS`: the state as a unique word of that many bits; a table entry then takes one word. By "
         "default the `key`, if `KEY_BITS` is given", solver=True),
    Hook("banked(s)", "the part of the margin that is already settled, for the side to move, and that `code` leaves out: "
         "states that differ only in it share an entry", lambda s: 0, solver=True),
    Hook("bounds(s)", "the lowest and the highest result that the side to move can still reach", lambda s: (0, 0), solver=True),
    Hook("remaining(s)", "the maximum number of plies left", lambda s: 0, solver=True),
    Hook("safe(s)", "the moves that don't let the opponent win at once; called only if the side to move can't win at once. For "
         "games in which two sides alternate, results are not margins, a move can win but never lose by itself, and a game is "
         "drawn if and only if no plies are left: `remaining` must then be exact", lambda s: range(0), solver=True),
    Hook("finish(s, beta)", "the game's own search of the last plies: a bound (at least beta, or below it) and the nodes it "
         "took; 0 nodes if it has no answer. Bounds are margins, or 10000 minus the plies from s to a win, negative for a loss",
         lambda s, beta: (0, 0), solver=True),
    Hook("guess(s)", "roughly what the margin will be: where the search for it starts", compiled=False, solver=True, hint=True),
    Hook("pressure(s)", "how early to try a move, from the state it leads to; without it, `order`",
         lambda s: 0, solver=True, hint=True),
    Hook("promise(s, m, child)", "how early to try a move, from the move and the state it leads to; without it, `pressure`. "
         "With `safe`, a promise of `1 << 30` says that the other side can't win at once and can't avoid losing to the next "
         "move", lambda s, m, child: 0, solver=True),
    Hook("spot(s, m)", "a small number that identifies what a move does, for the history heuristic. Not always a gain: Connect "
         "4 does better without it", lambda s, m: 0, solver=True, hint=True),
    Hook("points(s, plies)", "the score of a win after that many plies, as the literature counts it (Connect 4: 1 for a win with "
         "the last stone); by default our own score", compiled=False, solver=True),
)}
"""The hooks by name, in the order of the documentation."""

CONSTANTS: dict[str, Constant] = {constant.name: constant for constant in (
    Constant("TITLE", 'the name of the game: `"Othello"`; by default the name of the file'),
    Constant("SIDES", 'the names of the sides: `("black", "white")`. One side: a solitaire without an opponent; larger results '
             "are better. Three or more: `result` and `evaluate` give a tuple with a value for each side, and `turn` is "
             "required; these games are not compiled", ("first", "second")),
    Constant("BOARD", "how the board looks: `BOARD = Board(...)`, below. Without it people get the text of `show` and a list of "
             "moves"),
    Constant("GROUPS", "groups of cells whose contents share one weight of a learned evaluation, such as lines: a tuple of "
             "tuples of cell numbers, without those that symmetries make of others. By default lines, boxes and random walks",
             ()),
    Constant("ENDINGS", "a few texts for `ending`, as examples: `check` compares the `positions` of each, interpreted and "
             "compiled", ()),
    Constant("ALTERNATE", "`True`: the two sides strictly alternate although `turn` is given (this makes kernels faster)",
             compiled=True),
    Constant("MARGIN", "results are margins (discs, seeds) up to this size, at most 19999; larger is better. A game of chance "
             "doesn't need it: its results may be any ints. If given, no result or estimate may exceed it, and the engine can "
             "skip rolls that can't matter. A search that meets a larger result stops and reports it", 0, compiled=True),
    Constant("REPETITION", "`3`: the game is drawn when a position (by `key`) occurs for the third time; at least 2",
             0, compiled=True),
    Constant("PLAY_ON", "`True`: a game ends when a side has no move, and the other results are draws by rule (chess: fifty "
             "moves, dead positions); perft continues through these, as the published counts do", False, compiled=True),
    Constant("KEEP_FINISHED", "`True`: perft counts a finished game at every greater depth too, as the published counts of "
             "Othello do", False, compiled=True),
    Constant("KEY_BITS", "the bits of `code`, or of a `key` that no two states share; at most 64 (above 60 the table takes 64 "
             "MB or more)", 0, most=64, compiled=True, solver=True),
    Constant("SOLVER", "numbers that tune the solver: `SOLVER = Tuning(...)`, below", Tuning(), solver=True),
)}
"""The constants by name, in the order of the documentation."""


# -- a learned evaluation, part by part ------------------------------------------------------------------------------------


class EvaluationTerm(NamedTuple):
    """What one feature of an evaluation sees: some cells and their contents, or, without cells, the whole position."""

    cells: tuple[int, ...]
    adds: float
    """What it adds to the estimate for the side to move."""


@dataclass(frozen=True)
class EvaluationBreakdown:
    """An estimate for the side to move, split into its parts."""

    value: float
    expects: str
    """What the estimate means: "62 % of the points"; empty if it is the expected result itself."""
    total: float
    """The sum of all parts and of anything that belongs to none of them."""
    how: str
    """How the parts make the estimate, in words: "the sum of"."""
    what: str
    """What a part is called: "line"."""
    parts: tuple[EvaluationTerm, ...]
    names: Sequence[str]
    """The names of the cells."""
    contents: Sequence[str]
    """What lies on each cell."""

    def largest(self, count: int) -> tuple[list[EvaluationTerm], list[EvaluationTerm]]:
        """Return the largest parts for the side to move and the largest against it, at most `count` of each."""
        ordered = sorted(self.parts, key=lambda part: -part.adds)
        return [p for p in ordered[:count] if p.adds > 0], [p for p in ordered[::-1][:count] if p.adds < 0]

    def as_json(self, count: int) -> dict[str, object]:
        """Return the largest parts as data, and the number and sum of the others."""
        shown = [part for parts in self.largest(count) for part in parts]
        return {
            "value": self.value,
            "expects": self.expects,
            "sum": self.total,
            "parts": [
                {"cells": [self.names[c] for c in p.cells], "contents": [self.contents[c] for c in p.cells], "adds": p.adds}
                for p in shown
            ],
            "others": len(self.parts) - len(shown),
            "rest": self.total - sum(part.adds for part in shown),
        }


def expected_share(expected: float) -> str:
    """Return an expected result from -1 to 1 in words.

    >>> expected_share(0.24), expected_share(-0.999)
    ('62 % of the points', '0 % of the points')
    """
    return f"{(1 + expected) / 2:.0%} of the points".replace("%", " %")
