"""The requirements of the contract: each check yields what is wrong with a state, or a `PossibleProblem`."""

from __future__ import annotations

import copy
import math
import re
from collections.abc import Callable, Iterator, Sequence

from plyground.board.board import Board
from plyground.check.inspection import TRIED, RuleAnswers, move_name, moves_tried
from plyground.rules.contract import as_list, check_cells, check_touch, is_int, is_one_for_each
from plyground.rules.game import Game
from plyground.score import LIMIT


class PossibleProblem(str):
    """A message about something that is probably wrong, but may be fine: a warning, not a problem."""


NO_MOVE = PossibleProblem(
    "there are no `moves` and `result` gives None, which counts as a draw; return 0 there, or define `stuck(s)`"
)


def result(game: Game, seen: RuleAnswers) -> Iterator[str]:
    """Check for None or an int within the margin; a tuple if there are three sides or more."""
    value = seen.result if seen.result is not None else seen.stuck
    if value is None:
        return
    if len(game.sides) > 2:
        if not (isinstance(value, tuple) and len(value) == len(game.sides)):
            yield f"`result` gives {value!r:.40}, not a tuple of {len(game.sides)} values"
    elif not is_int(value):
        yield f"`result` gives {value!r:.40}, which is not an int"
    elif game.margin and abs(value) > game.margin:
        yield f"`result` gives {value}, larger than MARGIN = {game.margin}"
    elif "chance" not in game.has and abs(value) > (game.margin or 1):
        yield f"`result` gives {value}, larger than 1 (set MARGIN)"


def moves(game: Game, seen: RuleAnswers) -> Iterator[str]:
    """Check for different ints from 0 up, the same when called again, and at least one while the game goes on."""
    name = "chance" if seen.chance else "moves"
    for m in [*seen.moves, *seen.replies, *seen.threats, *seen.likely]:
        if not is_int(m) or not 0 <= m < 1 << 63:
            yield f"`{name}` gives {m!r:.40}; a move is an int from 0 up"
            return
    if len(set(seen.moves)) < len(seen.moves):
        twice = next(m for i, m in enumerate(seen.moves) if m in seen.moves[:i])
        yield f"`{name}` gives {twice} twice"
    if seen.result is None and not seen.moves and "stuck" not in game.has:
        yield NO_MOVE
    if seen.result is None and not seen.chance and as_list(game, "moves", game.moves(seen.s)) != seen.moves:
        yield "`moves` gives different moves when it is called again"
    for name, found in (("replies", seen.replies), ("threats", seen.threats), ("likely", seen.likely)):
        if not set(found) <= set(seen.moves):
            yield f"`{name}` gives {sorted(set(found) - set(seen.moves))[0]}, which `moves` does not"


def play(game: Game, seen: RuleAnswers) -> Iterator[str]:
    """Check that each move gives a valid state and leaves s unchanged."""
    before = game.layout.row(seen.s).tobytes()
    for m, child in moves_tried(seen):
        fault = game.layout.fault(child)
        if fault:
            yield f"`play` of {move_name(game, seen.s, m)} gives an invalid state: {fault}"
            return
    if seen.moves:
        game.child(seen.s, seen.moves[0])
    if game.layout.row(seen.s).tobytes() != before:
        yield "`play` changes the state it is given"


def undo(game: Game, seen: RuleAnswers) -> Iterator[str]:
    """Check that `undo` restores every bit of the state."""
    if not game.in_place:
        return
    before = game.layout.row(seen.s).tobytes()
    for m, _ in moves_tried(seen)[::2]:
        s = copy.deepcopy(seen.s)
        game.rules["play"](s, m)
        game.rules["undo"](s, m)
        if game.layout.row(s).tobytes() != before:
            yield f"`undo` of {move_name(game, seen.s, m)} does not restore the state"
            return


def turn(game: Game, seen: RuleAnswers) -> Iterator[str]:
    """Check that the side is valid and, if sides alternate, changes with every move."""
    if "turn" not in game.has:
        return
    if not (is_int(seen.turn) and 0 <= seen.turn < len(game.sides)):
        yield f"`turn` gives {seen.turn!r:.40}; the sides are numbered 0 to {len(game.sides) - 1}"
    elif game.alternate and "chance" not in game.has:
        for m, child in moves_tried(seen):
            if game.turn(child) != 1 - seen.turn:
                yield f"after {move_name(game, seen.s, m)} the same side is to move, but ALTERNATE says that sides alternate"
                return


def chance(game: Game, seen: RuleAnswers) -> Iterator[str]:
    """Check that weights are finite numbers above 0."""
    for m, weight in zip(seen.moves, seen.weights, strict=False):
        if not (isinstance(weight, int | float) and math.isfinite(weight) and weight > 0):
            yield f"`chance` gives {move_name(game, seen.s, m)} the weight {weight!r:.40}; it must be a number above 0"


def evaluate(game: Game, seen: RuleAnswers) -> Iterator[str]:
    """Check that the estimate is smaller than any proven score."""
    value = seen.evaluate
    if len(game.sides) > 2:
        if "evaluate" in game.has and seen.result is None and not is_one_for_each(game, value):
            yield f"`evaluate` gives {value!r:.40}; it must be a tuple of {len(game.sides)} numbers, an estimate for each side"
    elif "chance" in game.has:
        if not math.isfinite(value):
            yield f"`evaluate` gives {value!r:.40}"
        elif 0 < game.margin < abs(value):
            yield f"`evaluate` gives {value!r:.40}, larger than MARGIN = {game.margin}; it must give an expected result"
    elif seen.result is None and (not is_int(value) or abs(value) > LIMIT):
        yield f"`evaluate` gives {value!r:.40}; it must be an int from -{LIMIT} to {LIMIT}"


def may_pass(game: Game, seen: RuleAnswers) -> Iterator[str]:
    """Check that a pass leads to a valid state with the other side to move, and is not tried if `forced` says so."""
    if seen.passes is None:
        return
    fault = game.layout.fault(seen.passes)
    if fault:
        yield f"`passes` gives an invalid state: {fault}"
    elif game.turn(seen.passes) is not None and game.turn(seen.passes) == seen.turn:
        yield "after `passes` the same side is to move"
    elif seen.forced:
        what = "`may_pass` allows a pass" if "may_pass" in game.has else "without `may_pass`, a pass is tried"
        yield PossibleProblem(f"{what} although `forced` says that the side to move is under attack")


def key(game: Game, seen: RuleAnswers) -> Iterator[str]:
    """Check that the key is an int, the same for the same state."""
    if not is_int(seen.key):
        yield f"`key` gives {seen.key!r:.40}, which is not an int"
    elif game.key(copy.deepcopy(seen.s)) != seen.key:
        yield "`key` gives a different number when it is called again"


def label(game: Game, seen: RuleAnswers) -> Iterator[str]:
    """Check that there are as many numbers as for the first state."""
    if seen.label:
        wanted = len(list(game.rules["label"](game.start())))
        if len(seen.label) != wanted:
            yield f"`label` gives {len(seen.label)} numbers, but {wanted} for the first state"


def canonical(game: Game, seen: RuleAnswers) -> Iterator[str]:
    """Check that the representative is an equivalent state that represents itself."""
    if "canonical" not in game.has:
        return
    other = seen.canonical
    fault = game.layout.fault(other)
    if fault:
        yield f"`canonical` gives an invalid state: {fault}"
    elif game.quick_result(other) != seen.result:
        yield f"`canonical` changes the result from {seen.result} to {game.quick_result(other)}"
    elif game.identity(game.canonical(other)) != game.identity(other):
        yield "`canonical` of a canonical state must be that state"
    elif game.turn(other) != game.turn(seen.s):
        yield "`canonical` changes whose turn it is"
    elif seen.result is None and not seen.chance and len(list(game.moves(other))) != len(seen.moves):
        yield f"`canonical` changes the number of moves from {len(seen.moves)} to {len(list(game.moves(other)))}"


def pack(game: Game, seen: RuleAnswers) -> Iterator[str]:
    """Check that `unpack` turns the word back into an equivalent state."""
    if not seen.pack:
        return
    word_of, other = game.rules["pack"], game.rules["unpack"](seen.pack)
    fault = game.layout.fault(other)
    if fault:
        yield f"`unpack` gives an invalid state: {fault}"
    elif word_of(other) != seen.pack:
        yield "`pack` gives a different word for the state that `unpack` gives"
    elif seen.result is None and game.result(other) is None:
        words = [{word_of(game.child(s, m)) for m in game.moves(s)} for s in (seen.s, other)]
        if words[0] != words[1]:
            yield "moves from the state that `unpack` gives lead to different states"


def move_text(game: Game, seen: RuleAnswers) -> Iterator[str]:
    """Check that each move has a unique text that is read back as that move."""
    texts: dict[str, int] = {}
    for m in seen.moves:
        text = game.format_move(seen.s, m)
        if not isinstance(text, str) or not text.strip():
            yield f"`format_move` of {m} gives {text!r:.40}"
            return
        if text in texts:
            yield f"`format_move` gives {text!r} for the move {texts[text]} and for {m}"
            return
        texts[text] = m
    for m, _ in moves_tried(seen)[:: TRIED // 2]:
        text = game.format_move(seen.s, m)
        back = game.parse_move(seen.s, text)
        if back != m:
            yield f"`parse_move` reads {text!r} as {back}, but `format_move` writes it for {m}"
            return


def move_label(game: Game, seen: RuleAnswers) -> Iterator[str]:
    """Check that the game's own notation calls cells and buttons what the board calls them."""
    if game.board is None or seen.chance or "format_move" not in game.has:
        return
    labels = game.board.cell_names(game.turn(seen.s) or 0)
    for m, way in zip(seen.moves, seen.touches, strict=True):
        if any(not 0 <= cell < len(labels) for cell in way):
            return  # `touch` is wrong, which is reported elsewhere
        text = game.format_move(seen.s, m)
        own = [labels[cell] for cell in way] or [game.board.buttons.get(m, text)]
        another = text.isdigit() or any(_mentions(text, label) for label in labels)  # `O-O` names no cell
        wrong = len(way) == 1 and text in labels
        fine = any(_mentions(text, label) for label in own) or (len(way) > 1 and not another)
        if text in own or (fine and not wrong):
            continue
        what = f"touches {' '.join(own)}" if way else f"is the button {own[0]!r}"
        yield PossibleProblem(
            f"`format_move` writes {text!r:.40} for the move that {what}; use the names on the board, or leave it out"
        )
        return


def _mentions(text: str, label: str) -> bool:
    """Return whether a text contains this label, not as part of a longer word or number."""
    before, after = (r"[^\W\d]" if label.isalpha() else r"\d" if end.isdigit() else r"(?!)" for end in (label[:1], label[-1:]))
    return label != "" and re.search(f"(?<!{before}){re.escape(label)}(?!{after})", text, re.IGNORECASE) is not None


def state_text(game: Game, seen: RuleAnswers) -> Iterator[str]:
    """Check that a state's text is read back as a state with the same key, turn, result and moves."""
    text = game.format_state(seen.s)
    if not isinstance(text, str) or "\n" in text:
        yield f"`format_state` must give one line of text, not {text!r:.60}"
        return
    s = game.parse_state(text)
    again = game.format_state(s)
    if again != text:
        yield f"`parse_state` reads {text!r} as {again!r}"
    elif game.key(s) != seen.key:
        yield f"`parse_state` of {text!r} gives a state with a different key"
    elif game.quick_result(s) != seen.result or (seen.result is None and game.turn(s) != game.turn(seen.s)):
        yield f"`parse_state` of {text!r} gives a state with a different result or turn"
    elif seen.result is None and not seen.chance and list(game.moves(s)) != seen.moves:
        yield f"`parse_state` of {text!r} gives a state with different moves"
    if not isinstance(game.show(seen.s), str):
        yield "`show` must give text"


# -- the board ---------------------------------------------------------------------------------------------------------------


def cells(game: Game, seen: RuleAnswers) -> Iterator[str]:
    """Check that there are as many numbers as cells, each of which stands for a piece."""
    fault = check_cells(game, seen.cells)
    if fault:
        yield fault


def touch(game: Game, seen: RuleAnswers) -> Iterator[str]:
    """Check that touching cells one after the other leads to each move, in one way only, and never past another."""
    if game.board is None or seen.chance:
        return
    by_cells: dict[tuple[int, ...], list[int]] = {}
    for m, touched in zip(seen.moves, seen.touches, strict=True):
        fault = check_touch(game, touched)
        if fault:
            yield f"{fault} (for {move_name(game, seen.s, m)})"
            return
        by_cells.setdefault(tuple(touched), []).append(m)
    for way, moves in by_cells.items():
        fault = _passed(game, seen, by_cells, way) if way else _unnamed(game, seen, moves)
        if not fault and way and len(moves) > 1:
            fault = _alike(game, game.board, seen, way, moves)
        if fault:
            yield fault
            return


def _passed(game: Game, seen: RuleAnswers, by_cells: dict[tuple[int, ...], list[int]], way: Sequence[int]) -> str | None:
    """Return the fault if another move is complete before this one."""
    for n in range(1, len(way)):
        if tuple(way[:n]) in by_cells:
            first, second = (move_name(game, seen.s, by_cells[tuple(x)][0]) for x in (way[:n], way))
            return f"{second} can't be chosen: the cells that `touch` gives for it begin with those of {first}"
    return None


def _unnamed(game: Game, seen: RuleAnswers, moves: list[int]) -> str | None:
    """Check that moves without a cell are buttons, each with a name of its own."""
    buttons = game.board.buttons if game.board else {}
    for m in moves:
        if m not in buttons:
            name = move_name(game, seen.s, m)
            return f"{name} can't be chosen: `touch` gives no cell for it, and BOARD no button: buttons={{{m}: {name!r}}}"
    names = [buttons[m] for m in moves]
    twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
    return f"two buttons of BOARD are called {twice!r}" if twice else None


def _alike(game: Game, board: Board, seen: RuleAnswers, way: Sequence[int], moves: list[int]) -> str | None:
    """Check that moves that touch the same cells each leave something different there, and something new."""
    near = sorted({i for cell in way for i in board.near(cell)})
    left = {tuple(seen.cells[i] for i in near): "what lies there now"}
    for m in moves:
        name, after = move_name(game, seen.s, m), game.cells(game.child(seen.s, m))
        there = tuple(after[i] for i in near)
        if there in left:
            cells = " ".join(board.cell_names(game.turn(seen.s) or 0)[cell] for cell in way)
            return f"{len(moves)} moves touch {cells}, and {name}, which leaves the same there as {left[there]}, can't be chosen"
        left[there] = name
    return None


RULES: list[Callable[[Game, RuleAnswers], Iterator[str]]] = [
    *(result, moves, play, undo, turn, chance, evaluate, may_pass, key, label, canonical, pack),
    *(move_text, move_label, state_text, cells, touch),
]
