"""Checks a rules file against the contract when it is loaded: its names, its constants, and the first few plies.

Every error is one line with the place in the rules file. `misspelt_names` finds names that are probably meant as names of the
contract: `eval`, `SIDE`, `Title`.
"""

from __future__ import annotations

import ast
import copy
import difflib
import inspect
import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any, Protocol, TypeGuard, TypeVar

from plyground.board.board import Board, cells_of_array, cells_of_field, pieces_of, touch_cell
from plyground.errors import GameError, MarginError
from plyground.rules.hooks import CONSTANTS, HOOKS, RulesState, State, Tuning
from plyground.rules.layout import Layout
from plyground.score import MAX_MARGIN
from plyground.system.patience import patience, place_in

T = TypeVar("T")
MAX_EXPECTED = 1 << 53
"""The largest margin if results are averaged: floats are not exact beyond it."""
LOCAL_BITS = 54
"""The largest number of bits of a code that fits an entry of the small table per thread."""
DENSE_MARGIN = 127
"""The largest margin that fits in a byte."""
SYNONYMS = {
    "eval": "evaluate",
    "evaluation": "evaluate",
    "heuristic": "evaluate",
    "to_move": "turn",
    "player": "turn",
    "hash": "key",
    "unplay": "undo",
    "unmake": "undo",
    "symmetry": "canonical",
    "dice": "chance",
    "players": "SIDES",
    "name": "TITLE",
}
"""Common names for things that the contract calls something else."""
TUNED = {f.name.upper(): f"SOLVER = Tuning({f.name}=...)" for f in fields(Tuning)}
"""Tuning numbers written as constants of the file, where nothing reads them."""
CLOSE = 0.8
STATE = "class State(NamedTuple), with a field for each thing the rules must remember"
COUNTS = ("no argument", "one argument", "two arguments", "three arguments")


class CheckedRules(Protocol):
    """What the checks read of a `Game`, some of it before it is complete."""

    where: str
    files: tuple[Path, ...]
    rules: dict[str, Any]
    sides: tuple[str, ...]
    alternate: bool
    margin: int
    key_bits: int
    has: frozenset[str]
    in_place: bool
    layout: Layout
    board: Board | None

    def line_of(self, name: str) -> str: ...
    def is_chance(self, s: State) -> bool: ...
    def margin_error(self, value: int) -> MarginError: ...


def check_names(game: CheckedRules) -> None:
    """Refuse a game that lacks a required name or has a hook with the wrong number of arguments."""
    rules = game.rules
    for name, write in [("State", STATE), *((name, hook.write) for name, hook in HOOKS.items() if hook.required)]:
        if name not in rules:
            raise GameError(f"{game.where}: `{name}` is missing; a game needs {write}")
    state = rules["State"]
    if not (isinstance(state, type) and issubclass(state, tuple) and hasattr(state, "_fields")):
        raise GameError(f"{game.line_of('State')}: State is not a NamedTuple; write {STATE}")
    for name, hook in HOOKS.items():
        if name not in rules:
            continue
        if not callable(rules[name]):
            raise GameError(f"{game.line_of(name)}: `{name}` must be a function, not {type(rules[name]).__name__}")
        try:
            inspect.signature(rules[name]).bind(*hook.arguments)
        except TypeError:
            other = "" if hook.required else f"; if it is not meant as the contract's `{name}`, rename it"
            raise GameError(f"{game.line_of(name)}: `{name}` must take {COUNTS[len(hook.arguments)]}{other}") from None


def misspelt_names(game: CheckedRules, rules: Mapping[str, object]) -> list[str]:
    """Return a sentence for each name that is defined, never used, and close to a name that the rules lack."""
    try:
        trees = [ast.parse(file.read_text(encoding="utf-8")) for file in game.files]
    except (OSError, SyntaxError, ValueError):
        return []
    nodes = itertools.chain.from_iterable(map(ast.walk, trees))
    used = Counter(n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))
    known = ("State", *HOOKS, *CONSTANTS)
    missing = [name for name in known if name not in rules]
    found = []
    for name in itertools.chain.from_iterable(map(_defined, trees)):
        if name in known or name.startswith("_") or used[name] or name not in rules:
            continue
        meant = TUNED.get(name) or _likely_name(name, missing, callable(rules[name]))
        if meant:
            found.append(f"{game.line_of(name)}: nothing uses `{name}`; did you mean `{meant}`?")
    return found


def _defined(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a file defines."""
    for part in tree.body:
        if isinstance(part, ast.FunctionDef):
            yield part.name
        elif isinstance(part, ast.Assign):
            yield from (n.id for target in part.targets for n in ast.walk(target) if isinstance(n, ast.Name))
        elif isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            yield part.target.id


def _likely_name(name: str, missing: list[str], function: bool) -> str | None:
    """Return the missing name of the contract that was probably meant."""
    options = {m.lower().replace("_", ""): m for m in missing if m.isupper() != function}
    plain = name.lower().replace("_", "")
    other = SYNONYMS.get(name.lower())
    if other in options.values():
        return other
    close = difflib.get_close_matches(plain, list(options), 1, CLOSE)
    return options[close[0]] if close else None


def read_board(game: CheckedRules) -> Board | None:
    """Return BOARD with its default pieces, None if there is none; fill in the defaults of `cells` and `touch`.

    Rules may use the name BOARD for something else: only a Board counts.
    """
    given = game.rules.get("BOARD")
    if not isinstance(given, Board):
        for name in ("cells", "touch"):
            if name in game.rules:
                raise GameError(
                    f"{game.line_of(name)}: `{name}` needs BOARD = Board(...) (from plyground import Board); "
                    f"if it is not meant as the contract's `{name}`, rename it"
                )
        return None
    board = given if given.pieces else replace(given, pieces=pieces_of(game.sides))
    fault = board.fault(len(game.sides))
    if fault:
        raise GameError(f"{game.line_of('BOARD')}: BOARD: {fault}")
    numbers = [f.name for f in game.layout.fields if not f.shape]
    for name in board.fields:
        if name not in numbers:
            raise GameError(
                f"{game.line_of('BOARD')}: BOARD: fields names {name!r:.40}, but the numbers of State are {', '.join(numbers)}"
            )
    game.rules.setdefault("touch", touch_cell(board.size))
    if "cells" not in game.rules:
        game.rules["cells"] = _cells_of_state(game, board)
    return board


def _cells_of_state(game: CheckedRules, board: Board) -> Callable[[Any], Iterator[int]]:
    """Return the default `cells`, which reads the one field that has a number for each cell."""
    found = [i for i, f in enumerate(game.layout.fields) if f.shape and math.prod(f.shape) == board.size]
    if len(found) != 1:
        raise GameError(
            f"{game.line_of('BOARD')}: {len(found) or 'no'} fields of State have {board.size} numbers, one for each cell of "
            "BOARD; "
            f"define `cells(s)`, which yields what is on each cell"
        )
    make = cells_of_array if game.layout.fields[found[0]].array else cells_of_field
    return make(found[0], len(board.pieces[0]))


def check_cells(game: CheckedRules, cells: Sequence[object]) -> str | None:
    """Return what is wrong with the numbers from `cells`; None if nothing is."""
    board = game.board
    if board is None:
        return None
    if len(cells) != board.size:
        return f"`cells` gives {len(cells)} numbers, but BOARD has {board.size} cells"
    for i, x in enumerate(cells):
        if not is_int(x) or not 0 <= x <= board.most:
            return f"`cells` gives {x!r:.40} for cell {i} ({board.cell_names()[i]}); BOARD has numbers from 0 to {board.most}"
    return None


def check_touch(game: CheckedRules, touched: Sequence[object]) -> str | None:
    """Return what is wrong with the cells from `touch` for a move; None if nothing is."""
    for x in touched:
        if game.board is not None and (not is_int(x) or not 0 <= x < game.board.size):
            return f"`touch` gives {x!r:.40}; cells are numbered from 0 to {game.board.size - 1}"
    return None


def check_numbers(game: CheckedRules) -> None:
    """Refuse numeric constants that are not ints or are out of range."""
    for name, constant in CONSTANTS.items():
        if isinstance(constant.default, int):
            _check_number(game, name, name, game.rules.get(name, 0), constant.most)
    tuning = game.rules.get("SOLVER", Tuning())
    if not isinstance(tuning, Tuning):
        raise GameError(
            f"{game.line_of('SOLVER')}: SOLVER is {tuning!r:.40}; it must be a Tuning(...) (from plyground import Tuning)"
        )
    for name, value in asdict(tuning).items():
        _check_number(game, "SOLVER", name, value)
    if tuning.unit == 0:
        raise GameError(f"{game.line_of('SOLVER')}: unit is 0; it must be at least 1: what `evaluate` gives for one point")
    margin = game.rules.get("MARGIN", 0)
    if "chance" in game.rules:
        if margin > MAX_EXPECTED:
            raise GameError(f"{game.line_of('MARGIN')}: MARGIN is {margin}, but at most 2**53 is allowed; leave it out")
    elif margin > MAX_MARGIN:
        raise GameError(
            f"{game.line_of('MARGIN')}: MARGIN is {margin}, but at most {MAX_MARGIN} is allowed; "
            f"count in larger units, or leave MARGIN out and return 1, 0 or -1"
        )


def _check_number(game: CheckedRules, where: str, name: str, value: object, most: int | None = None) -> None:
    if not (isinstance(value, bool) or is_int(value)) or value < 0 or (most is not None and value > most):
        wanted = "from 0 up" if most is None else f"from 0 to {most}"
        raise GameError(f"{game.line_of(where)}: {name} is {value!r:.40}; it must be an int {wanted}")


def read_tuning(game: CheckedRules) -> Tuning:
    """Return SOLVER without the tables that the game's codes or margins don't fit."""
    tuning: Tuning = game.rules.get("SOLVER", Tuning())
    return replace(
        tuning,
        local=tuning.local if 0 < game.key_bits <= LOCAL_BITS else 0,
        dense=tuning.dense if game.key_bits and 0 < game.margin <= DENSE_MARGIN else 0,
    )


def check_pairs(game: CheckedRules) -> None:
    """Refuse hooks and constants without the others that they need."""
    for name, hook in HOOKS.items():
        if name in game.has and hook.needs and hook.needs not in game.has:
            raise GameError(f"{game.line_of(name)}: `{name}` needs `{hook.needs}`: define both or neither")
    if "safe" in game.has and (game.margin or not game.alternate or "remaining" not in game.has):
        raise GameError(f"{game.line_of('safe')}: `safe` needs `remaining`, no MARGIN, and two sides that alternate")
    if game.key_bits and not game.has & {"code", "key"}:
        raise GameError(
            f"{game.line_of('KEY_BITS')}: KEY_BITS is the size of `code`: define `code(s)`, or a `key` that is unique"
        )
    if "pack" in game.has and game.in_place:
        raise GameError(f"{game.line_of('pack')}: `pack` does not work with in-place rules; leave it out")


def check_constants(game: CheckedRules) -> None:
    """Refuse constants that make no sense."""
    check_numbers(game)
    sides = game.rules.get("SIDES", CONSTANTS["SIDES"].default)
    if isinstance(sides, str) or not sides or not all(isinstance(side, str) for side in sides):
        raise GameError(f'{game.line_of("SIDES")}: SIDES is {sides!r:.40}; it must be a tuple of names, such as ("X", "O")')
    if len(sides) > 2 and "turn" not in game.rules:
        raise GameError(
            f"{game.line_of('SIDES')}: a game with {len(sides)} sides needs `turn(s)`, the number of the side to move"
        )
    if game.rules.get("REPETITION") == 1:
        raise GameError(f"{game.line_of('REPETITION')}: REPETITION must be at least 2; 3 means a draw by threefold repetition")


def first_state(game: CheckedRules) -> RulesState:
    """Return the initial state; refuse a `start` that gives none."""
    return _state(game, "start", call(game, "start"))


def check_place(game: CheckedRules) -> None:
    """Refuse arrays in the state without `undo`, and `undo` without arrays."""
    if game.layout.arrays and not game.in_place:
        name = next(f.name for f in game.layout.fields if f.array)
        raise GameError(
            f"{game.line_of('State')}: State.{name} is an array, so `play` changes it in place: define `undo(s, m)`, "
            "or use a tuple"
        )
    if game.in_place and not game.layout.arrays:
        raise GameError(
            f"{game.line_of('undo')}: `undo` is only for states with arrays, and this State has none: leave `undo` out"
        )


MAX_MOVES = 1 << 16
"""The maximum number of moves; a generator that yields more is assumed never to end."""


def as_list(game: CheckedRules, name: str, found: Iterable[T]) -> list[T]:
    """Return the items of a generator, list or range from the rules as a list; refuse too many."""
    if not isinstance(found, Iterable):
        raise GameError(f"{game.line_of(name)}: `{name}` gives {found!r:.40}; it must yield its items, or return a list")
    values = list(itertools.islice(found, MAX_MOVES + 1))
    if len(values) > MAX_MOVES:
        raise GameError(f"{game.line_of(name)}: `{name}` gives more than {MAX_MOVES:,} moves or numbers; it may never end")
    return values


def call(game: CheckedRules, name: str, *args: object) -> object:
    """Call a rule; report an exception with its file and line."""
    try:
        with patience(game.where):
            value = game.rules[name](*args)
            if inspect.isgenerator(value):
                value = as_list(game, name, value)
    except GameError:
        raise
    except Exception as e:
        raise GameError(f"{place_in(e, game.where)}: `{name}` raises {type(e).__name__}: {e}") from e
    return value


def _items(game: CheckedRules, name: str, *args: object) -> list[Any]:
    """Call a rule that yields or returns several things; return them as a list."""
    found: Any = call(game, name, *args)
    return as_list(game, name, found)


def try_first_plies(game: CheckedRules) -> None:
    """Play the first plies, so that simple mistakes are reported at once and in the user's terms."""
    s: State = first_state(game)
    for ply in range(3):
        value = call(game, "result", s)
        _result(game, value)
        if value is not None:
            return
        options = _options(game, s)
        if not options:
            if ply == 0:
                raise GameError(
                    f"{game.line_of('moves')}: there are no `moves` in the first state, but `result` says that the game goes on"
                )
            return
        _board(game, s, options)
        s = _step(game, s, options[0])
    for name in ("turn", "evaluate", "key", "canonical", "show", "format_state"):
        if name in game.has:
            value = call(game, name, s)
            sides = len(game.sides)
            if name == "evaluate" and sides > 2 and not is_one_for_each(game, value):
                raise GameError(f"{game.line_of('evaluate')}: with {sides} sides `evaluate` must give a tuple of {sides} values")


def _board(game: CheckedRules, s: State, options: list[int]) -> None:
    """Check what lies on the board and which cells each move of a player touches."""
    if game.board is None:
        return
    faults = [("cells", check_cells(game, _items(game, "cells", s)))]
    for m in () if game.is_chance(s) else options:
        faults.append(("touch", check_touch(game, _items(game, "touch", s, m))))
    for name, fault in faults:
        if fault:
            raise GameError(f"{game.line_of(name)}: {fault}")


def _options(game: CheckedRules, s: State) -> list[int]:
    """Return the chance outcomes of s, or the legal moves if a player is to move."""
    options: list[int] = []
    if "chance" in game.has:
        weighted = _items(game, "chance", s)
        for item in weighted:
            if not (isinstance(item, tuple) and len(item) == 2 and is_int(item[0]) and item[1] > 0):
                raise GameError(f"{game.line_of('chance')}: `chance` must yield pairs (move, weight > 0), not {item!r:.60}")
        options = [m for m, _ in weighted]
    if not options:
        options = _items(game, "moves", s)
    for m in options:
        if not is_int(m):
            raise GameError(
                f"{game.line_of('moves')}: `moves` gives {m!r:.60}; a move must be an int (pack several numbers into one)"
            )
    return options


def _step(game: CheckedRules, s: State, m: int) -> State:
    """Return the state after a move; for in-place rules, also check that `undo` restores the state."""
    if not game.in_place:
        after = call(game, "play", s, m)
        return _state(game, "play", after)
    before = copy.deepcopy(s)
    if call(game, "play", s, m) is not None:
        raise GameError(f"{game.line_of('play')}: with `undo`, `play` must change `s` in place and return nothing")
    call(game, "undo", s, m)
    if game.layout.row(before).tobytes() != game.layout.row(s).tobytes():
        raise GameError(f"{game.line_of('undo')}: `undo` does not restore the state that `play` changed")
    call(game, "play", s, m)
    return s


def _state(game: CheckedRules, name: str, s: object) -> RulesState:
    if not isinstance(s, game.rules["State"]):
        shown = "None (is a `return` missing?)" if s is None else f"{type(s).__name__} {s!r:.40}"
        raise GameError(f"{game.line_of(name)}: `{name}` must give a State, not {shown}")
    found: RulesState = s
    return found


def _result(game: CheckedRules, value: object) -> None:
    if value is None:
        return
    if len(game.sides) > 2:
        if not is_one_for_each(game, value):
            raise GameError(
                f"{game.line_of('result')}: with {len(game.sides)} sides `result` must give a tuple of {len(game.sides)} values"
            )
        return
    size = game.margin or 1
    if "chance" in game.has and is_int(value):
        if 0 < game.margin < abs(value):
            raise game.margin_error(int(value))
    elif not is_int(value) or abs(value) > size:
        wanted = f"an int from -{size} to {size}" + ("" if game.margin else " (set MARGIN for results that are margins)")
        raise GameError(f"{game.line_of('result')}: `result` gives {value!r:.40}; it must give None or {wanted}")


def is_one_for_each(game: CheckedRules, value: object) -> bool:
    """Return whether this is a tuple with a value for each side."""
    return isinstance(value, tuple) and len(value) == len(game.sides)


def is_int(m: object) -> TypeGuard[int]:
    """Return whether this is an int of Python or NumPy, but not a bool."""
    return (isinstance(m, int) and not isinstance(m, bool)) or (
        type(m).__module__ == "numpy" and hasattr(m, "__index__") and getattr(m, "shape", ()) == ()
    )
