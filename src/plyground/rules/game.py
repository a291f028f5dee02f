"""A game: its interpreted rules with every default filled in. States are values, even if the rules work in place.

The rules are a namespace of plain functions (`docs/contract.md`); rules that break the contract are refused.
"""

from __future__ import annotations

import copy
import inspect
import numbers
import re
import types
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyground.bits import MASK, mix
from plyground.board import text as board_text
from plyground.errors import GameError, MarginError, TextError
from plyground.rules import contract, naming
from plyground.rules.hooks import CONSTANTS, HOOKS, EvaluationBreakdown, RulesState, State
from plyground.rules.layout import Layout, read_layout
from plyground.rules.parameters import Parameter

if TYPE_CHECKING:
    from plyground.board.drawing import Drawing

PARSE_ERRORS = (ValueError, LookupError, TypeError, ArithmeticError)
"""Exceptions by which the `parse_*` hooks of a rules file reject a text."""
MOVE_NAME_CACHE_SIZE = 64
"""The number of positions whose move names are kept."""
PYTHON_MESSAGES = (
    r"invalid lit|not enough|too many|could not convert|substring not|dictionary update|.*\.index\(|.* is not in |cannot reshape"
)
"""The beginnings of messages that Python and NumPy write, which would mean nothing to a user."""


class Game:
    """The rules of one game, interpreted, with every default filled in.

    The other functions of docs/contract.md are attributes: `result(s)`, `evaluate(s)`, `key(s)`, `format_move(s, m)`,
    `format_state(s)` and the rest. `rules` maps names to the functions that the file itself defines.
    """

    def __init__(self, rules: object, name: str = "game", where: str = "the rules", files: Sequence[Path] = ()) -> None:
        """Read a mapping, module or class of rules; errors call it `where`; `files` lists those of a folder, `rules.py` first."""
        defined: Mapping[str, Any] = rules if isinstance(rules, Mapping) else vars(rules)
        self.name = name
        self.where = where
        self.spec = name
        """The text with which `load` finds this game."""
        self.parameters: dict[str, int] = {}
        """The values of the parameters."""
        self.described: dict[str, Parameter] = {}
        """The default, range and meaning of each parameter."""
        self.file: str | None = defined.get("__file__")
        self.files = tuple(files) or (() if self.file is None else (Path(self.file),))
        """The files of the rules: one, or all of a folder, `rules.py` first."""
        self.path = files[0].parent if files else None if self.file is None else Path(self.file)
        """The file or folder of the rules."""
        self.modules: dict[str, types.ModuleType] = {}
        """The modules that the rules were loaded from: one named "", or the package and its modules (".rules")."""
        self.rules: dict[str, Any] = {n: defined[n] for n in ("State", *HOOKS, *CONSTANTS) if n in defined}
        contract.check_names(self)
        contract.check_constants(self)
        doc = inspect.cleandoc(defined.get("__doc__") or "").strip()
        self.summary = doc.splitlines()[0] if doc else ""
        stated = re.search(r"^Rules: (.*?)(?:\n\n|\Z)", doc, re.DOTALL | re.MULTILINE)
        self.rule_text = " ".join(stated[1].split()) if stated else ""
        """The variant that is played: the paragraph of the docstring that begins with `Rules:`."""
        given = {name: defined.get(name, constant.default) for name, constant in CONSTANTS.items()}
        self.title = name if given["TITLE"] is None else str(given["TITLE"])
        self.sides: tuple[str, ...] = tuple(given["SIDES"])
        self.groups: Sequence[Sequence[int]] = given["GROUPS"]
        """Groups of cells for a learned evaluation; checked when one is trained."""
        self.endings: tuple[str, ...] = tuple(given["ENDINGS"])
        """Example texts for `ending`."""
        alternate = "turn" not in defined if given["ALTERNATE"] is None else given["ALTERNATE"]
        self.alternate = bool(alternate) and len(self.sides) == 2
        self.margin = int(given["MARGIN"])
        self.repetition = int(given["REPETITION"])
        self.play_on = bool(given["PLAY_ON"])
        self.keep_finished = bool(given["KEEP_FINISHED"])
        self.key_bits = int(given["KEY_BITS"])
        """The number of bits of a unique key; 0 if keys may collide."""
        self.tuning = contract.read_tuning(self)
        """The solver's tuning, as far as it applies to this game."""
        self.hints: list[str] = contract.misspelt_names(self, defined)
        """Names that are probably misspelt, one sentence each."""
        self.State = self.rules["State"]
        self.layout: Layout = read_layout(self.State, contract.first_state(self), self.line_of("State"), defined)
        self.board = contract.read_board(self)
        """How the board looks; None if the rules define no BOARD."""
        self.has = frozenset(name for name, hook in HOOKS.items() if name in self.rules and not hook.required)
        self.in_place = "undo" in self.has
        contract.check_place(self)
        contract.check_pairs(self)
        self._fill()
        contract.try_first_plies(self)

    def __repr__(self) -> str:
        own = "" if self.spec == self.name else f" from {self.spec}"
        return f"<Game {self.name}{own}: {', '.join(self.sides)}>"

    def replace(self, **rules: object) -> Game:
        """Return a copy of the game with these rules replaced: `game.replace(evaluate=...)`."""
        new = copy.copy(self)
        vars(new).update(rules)
        return new

    def line_of(self, name: str) -> str:
        """Return the file and line where a name is defined."""
        definition = re.compile(rf"((def|class)\s+{name}\b|(\w+,\s*)*{name}\s*[,=])")
        for file in self.files:
            found = [i for i, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1) if definition.match(line)]
            if found:
                where = self.where if len(self.files) == 1 else self.where.removesuffix(self.files[0].name) + file.name
                return f"{where}:{found[-1]}"
        return self.where

    def _fill(self) -> None:
        rules: dict[str, Any] = {name: self.rules.get(name, hook.default) for name, hook in HOOKS.items()}
        cast = self.layout.caster()
        raw_play, raw_result = rules["play"], rules["result"]
        self._cast = cast
        self.likely: Callable[[State], Iterable[int]] = rules["likely"]
        self.child: Callable[[State, int], RulesState] = raw_play if cast is None else lambda s, m: cast(raw_play(s, m))
        """The state after a move that is known to be legal: `play` without its check, for searches."""
        if self.in_place:

            def play_copy(s: State, m: int) -> Any:
                child = copy.deepcopy(s)
                raw_play(child, m)
                return child

            self.child = play_copy
        self.quick_result: Callable[[State], Any] = raw_result
        drawn = (0,) * len(self.sides) if len(self.sides) > 2 else 0
        stuck: Callable[[State], Any] = self.rules.get("stuck", lambda s: drawn)
        moves, is_chance = rules["moves"], self.is_chance
        largest = self.margin if len(self.sides) < 3 else 0

        def result(s: State) -> Any:
            value = raw_result(s)
            if value is None and not is_chance(s) and next(iter(moves(s)), None) is None:
                value = stuck(s)
            if largest and value is not None and abs(value) > largest:
                raise self.margin_error(value)
            return value

        self.result: Callable[[State], Any] = result
        self.evaluate: Callable[[State], Any] = rules["evaluate"]
        self.explain_evaluation: Callable[[State], EvaluationBreakdown] | None = None
        """Splits a learned estimate into its parts; None if the evaluation was not learned."""
        self.key: Callable[[State], int] = rules["key"] or self.mixed_key
        self.code: Callable[[State], int] = rules["code"] or self.key
        self.order: Callable[[State, int], int] = rules["order"]
        self.loud: Callable[[State, int], bool] = rules["loud"]
        self.canonical: Callable[[State], RulesState] = rules["canonical"]
        self.format_move: Callable[[State, int], str] = rules["format_move"] or self._format_by_touch
        self.format_state: Callable[[State], str] = rules["format_state"] or self.layout.text
        self._parse_state: Callable[[str], RulesState] = rules["parse_state"] or self.layout.parse
        self._names: dict[Hashable, dict[int, str]] = {}

    # -- the rules ---------------------------------------------------------------------------------------------------

    def start(self) -> RulesState:
        """Return the initial state."""
        s: RulesState = self.rules["start"]()
        return s if self._cast is None else self._cast(s)

    def moves(self, s: State) -> Iterable[int]:
        """Return the moves of a player in s exactly as the rules yield them; call it only if a player is to move.

        `legal` returns a list and may be called in any state.
        """
        found: Iterable[int] = self.rules["moves"](s)
        return found

    def play(self, s: State, m: int) -> RulesState:
        """Return the state after m, a legal move or an outcome of chance; refuse any other move. s stays unchanged.

        >>> from plyground import load
        >>> nim = load("nim(heaps=1, size=3)")
        >>> nim.play(nim.start(), 1)
        State(heaps=(2,))
        >>> nim.play(nim.start(), 99)
        Traceback (most recent call last):
        plyground.errors.TextError: 99 is not a legal move here; legal: 1 (a1), 2 (a2), 3 (a3)
        """
        options = self.options(s)
        if not isinstance(m, numbers.Integral) or isinstance(m, bool) or m not in options:
            raise self.illegal(s, m, options)
        return self.child(s, int(m))

    def options(self, s: State) -> list[int]:
        """Return what can be played in s: the outcomes of chance or the legal moves; empty if the game is over."""
        return [m for m, _ in self.outcomes(s)] or self.legal(s)

    def illegal(self, s: State, m: object, legal: Sequence[int]) -> TextError:
        """Return the error for a move that is not among the legal ones, which it lists as numbers and as text."""
        names = {m: self.format_move(s, m) for m in legal[:8]}
        listed = ", ".join(str(m) if name == str(m) else f"{m} ({name})" for m, name in names.items())
        why = f"legal: {listed}{', …' if len(legal) > 8 else ''}" if legal else "the game is over"
        return TextError(f"{m!r:.40} is not a legal move here; {why}")

    # -- who moves ---------------------------------------------------------------------------------------------------

    def turn(self, s: State) -> int | None:
        """Return the number of the side to move; None if the rules have no `turn`."""
        return int(self.rules["turn"](s)) if "turn" in self.has else None

    def changes_turn(self, s: State, child: State) -> bool:
        """Return whether the other side moves in `child`, a state after s; without `turn`, chance does not change the turn."""
        if self.alternate and not self.is_chance(s):
            return True
        return len(self.sides) > 1 and self.turn(child) != self.turn(s)

    def margin_error(self, value: int) -> MarginError:
        """Return the error for a result larger than MARGIN."""
        right = "increase MARGIN, or leave it out" if "chance" in self.has else "increase MARGIN"
        return MarginError(f"{self.line_of('MARGIN')}: `result` gives {value}, larger than MARGIN = {self.margin}; {right}")

    def outcomes(self, s: State) -> list[tuple[int, float]]:
        """Return the outcomes of a chance node with their probabilities; empty if a player is to move."""
        if "chance" not in self.has:
            return []
        weighted = list(self.rules["chance"](s))
        total = sum(w for _, w in weighted)
        return [(m, w / total) for m, w in weighted]

    def is_chance(self, s: State) -> bool:
        """Return whether chance (dice, tiles) is to move."""
        return "chance" in self.has and next(iter(self.rules["chance"](s)), None) is not None

    # -- identity ----------------------------------------------------------------------------------------------------

    def mixed_key(self, s: State) -> int:
        """Return the default key: every number of the state, mixed into one word."""
        h = 0
        for f, value in zip(self.layout.fields, s, strict=True):
            for item in value.flat if f.array else value if f.shape else (value,):
                h = mix(h ^ (int(item) & MASK))
        return h

    def identity(self, s: State) -> Hashable:
        """Return the state as a hashable value: equal if and only if the states are."""
        return self.layout.row(s).tobytes() if self.layout.arrays else s

    # -- the board ---------------------------------------------------------------------------------------------------

    def cells(self, s: State) -> list[int]:
        """Return what lies on each cell of the board."""
        return [int(x) for x in contract.as_list(self, "cells", self.rules["cells"](s))] if self.board else []

    def touch(self, s: State, m: int) -> list[int]:
        """Return the cells that a person touches for a move, in order."""
        return [int(x) for x in contract.as_list(self, "touch", self.rules["touch"](s, m))] if self.board else []

    @property
    def signs(self) -> list[dict[str, str]]:
        """The characters of `show` that belong to each side, and what a terminal with Unicode shows for them."""
        if self.board is None:
            return [{side: side} if len(side) == 1 else {} for side in self.sides]
        pieces = [self.board.piece(n) for n in range(self.board.most + 1)]
        return [{p.letter: p.glyph for p in pieces if p.side == side} for side in range(len(self.sides))]

    def status_lines(self, s: State) -> str:
        """Return what the rules say below the board; without a board, all that they show."""
        if self.board is None:
            return str(self.rules["show"](s)) if "show" in self.has else self.format_state(s)
        words = [*board_text.beside_board(self.board, self.cells(s)), *self.shown_fields(s)]
        return "\n".join([*words, *([str(self.rules["show"](s))] if "show" in self.has else [])])

    def shown_fields(self, s: State) -> list[str]:
        """Return the fields shown below the board, each with its number."""
        return [f"{name} {int(getattr(s, name))}" for name in self.board.fields] if self.board else []

    def show(self, s: State) -> str:
        """Return the state as text: the board and the lines below it."""
        if self.board is None:
            return self.status_lines(s)
        board = board_text.text(board_text.rows(self.board, self.cells(s), self.sides, self.turn(s) or 0))
        return "\n\n".join(filter(None, [board, self.status_lines(s)]))

    def draw(self, s: State, before: State | None = None, *, flip: bool = False) -> Drawing:
        """Return the board as a picture that a notebook displays; its `svg` is the text.

        Cells that changed since the state `before` are marked; `flip` shows the board as the second side sees it.
        """
        from plyground.board.drawing import draw

        if self.board is None:
            raise GameError(f"{self.title} has no board to draw; add BOARD = Board(...) to its rules (plyground docs contract)")
        cells, turn = self.cells(s), self.turn(s)
        old = cells if before is None else self.cells(before)
        waits = turn is None or self.is_chance(s) or self.result(s) is not None
        to_move = "" if waits or turn is None else f", {self.sides[turn]} to move"
        return draw(
            self.board,
            self.sides,
            cells,
            title=", ".join([self.title + to_move, *self.shown_fields(s)]),
            turn=turn or 0,
            flipped=flip,
            fresh=lambda cell: cells[cell] != old[cell],
        )

    # -- text --------------------------------------------------------------------------------------------------------

    def legal(self, s: State) -> list[int]:
        """Return the legal moves as a list of ints; empty if the game is over or chance is to move."""
        if self.is_chance(s) or self.result(s) is not None:
            return []
        return [int(m) for m in contract.as_list(self, "moves", self.moves(s))]

    def parse_move(self, s: State, text: str) -> int:
        """Return the legal move that the text names; a leading move number, as in `1. e4` or `3... Nf6`, is skipped.

        A move may always be named by the cells that it touches, as a page does, even if the rules have a notation of their own.
        """
        text, why = text.strip(), ""
        options = self.options(s)
        move = re.sub(r"^[0-9]+\.+\s*(?=\S)", "", text)
        if move != text and self._parse_by_format(s, text, options) is not None:
            move = text  # the number is part of the move: `1.6`
        try:
            m = int(move[1:]) if re.fullmatch(r"#[0-9]{1,19}", move) else self._parse_move(s, move, options)
        except TextError:
            raise
        except PARSE_ERRORS as e:
            m, why = None, _reason(e, text)
        if (m is None or m not in options) and self.board is not None and not move.startswith("#"):
            own = {"format_move", "parse_move"} & self.has  # `B4e4` would be read as the queen's b4-e4, not as a bishop's move
            m = naming.read_name(self.touch_names(s), move, () if own else self.board.cell_names(self.turn(s) or 0))
        if m is None or m not in options:
            raise TextError(f"{text!r:.40} is not a legal move here{why}; {self._examples(s, options)}")
        return int(m)

    def _examples(self, s: State, options: Sequence[int]) -> str:
        if not options:
            return "the game is over"
        names = [self.format_move(s, m) for m in options[:8]]
        return f"legal: {', '.join(names)}{', …' if len(options) > 8 else ''}"

    def parse_moves(self, s: State, text: str) -> list[int]:
        """Return the sequence of moves from s that the text names: `e4 e5`, `f5d6c3`, `4455`, `3-1 8/5 6/5`."""
        return naming.read_moves(self, s, text)

    def parse_state(self, text: str) -> RulesState:
        """Return the state that the text describes."""
        text = text.strip()
        try:
            s = self._parse_state(text)
        except TextError:
            raise
        except PARSE_ERRORS as e:
            raise self._no_state(text, _reason(e, text)) from e
        fault = self.layout.fault(s)
        if fault:
            raise self._no_state(text, f" ({fault})")
        return s

    def _no_state(self, text: str, why: str) -> TextError:
        first = self.format_state(self.start())
        return TextError(f"{text!r:.80} is not a state of {self.name}{why}; the initial state is written {first!r}")

    def touch_names(self, s: State) -> dict[int, str]:
        """Return the name of each move, built from the cells that it touches (`rules/naming.py`); without a board, its number."""
        key = self.identity(s)
        if key not in self._names:
            if len(self._names) >= MOVE_NAME_CACHE_SIZE:
                self._names.clear()
            self._names[key] = naming.move_names(self, s)
        return self._names[key]

    def _format_by_touch(self, s: State, m: int) -> str:
        return str(m) if self.board is None else self.touch_names(s).get(m, f"#{m}")

    def _parse_move(self, s: State, text: str, options: Sequence[int]) -> int | None:
        """Read a move as the rules do, or as `format_move` writes it."""
        if "parse_move" not in self.has:
            return self._parse_by_format(s, text, options)
        m: int | None = self.rules["parse_move"](s, text)
        return m

    def _parse_by_format(self, s: State, text: str, options: Sequence[int]) -> int | None:
        """Return the move written exactly like this, else the only one that differs only in case and spaces."""
        return naming.read_name({m: self.format_move(s, m) for m in options}, text)


def _reason(e: BaseException, text: str) -> str:
    """Return the message of a ValueError raised by the rules; empty if Python itself raised it."""
    said = str(e) if type(e) is ValueError else ""
    return f" ({said})" if said and said != text and not re.match(PYTHON_MESSAGES, said) else ""
