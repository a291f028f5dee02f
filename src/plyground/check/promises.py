"""The promises of the contract: each of RULES yields what is wrong with one state, `compare` where compiled rules differ."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator
from typing import Any

from plyground.bits import MASK
from plyground.check.look import TRIED, Look, move_name, tried_moves
from plyground.contract import is_int
from plyground.game import Game
from plyground.score import LIMIT


def result(game: Game, seen: Look) -> Iterator[str]:
    """None, or an int within the margin; a tuple where there are three sides or more."""
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


def moves(game: Game, seen: Look) -> Iterator[str]:
    """Different ints from 0 up, the same when asked again, and some while the game goes on."""
    name = "chance" if seen.chance else "moves"
    for m in [*seen.moves, *seen.replies, *seen.threats, *seen.likely]:
        if not is_int(m) or not 0 <= m < 1 << 63:
            yield f"`{name}` gives {m!r:.40}; a move is an int from 0 up"
            return
    if len(set(seen.moves)) < len(seen.moves):
        twice = next(m for i, m in enumerate(seen.moves) if m in seen.moves[:i])
        yield f"`{name}` gives {twice} twice"
    if seen.result is None and not seen.moves and "stuck" not in game.has:
        yield "`result` says that the game goes on, but `moves` gives none; let `result` tell, or give `stuck(s)`"
    if seen.result is None and not seen.chance and list(game.moves(seen.s)) != seen.moves:
        yield "`moves` gives other moves when it is asked again"
    for name, found in (("replies", seen.replies), ("threats", seen.threats), ("likely", seen.likely)):
        if not set(found) <= set(seen.moves):
            yield f"`{name}` gives {sorted(set(found) - set(seen.moves))[0]}, which `moves` does not"


def play(game: Game, seen: Look) -> Iterator[str]:
    """A sound state each time, and s as it was."""
    before = game.layout.pack(seen.s).tobytes()
    for m, child in tried_moves(seen):
        fault = game.layout.fault(child)
        if fault:
            yield f"`play` of {move_name(game, seen.s, m)} gives a wrong state: {fault}"
            return
    if seen.moves:
        game.play(seen.s, seen.moves[0])
    if game.layout.pack(seen.s).tobytes() != before:
        yield "`play` changes the state it is given"


def undo(game: Game, seen: Look) -> Iterator[str]:
    """After play and undo, every bit as before."""
    if not game.in_place:
        return
    before = game.layout.pack(seen.s).tobytes()
    for m, _ in tried_moves(seen):
        s = copy.deepcopy(seen.s)
        game.rules["play"](s, m)
        game.rules["undo"](s, m)
        if game.layout.pack(s).tobytes() != before:
            yield f"`undo` of {move_name(game, seen.s, m)} does not restore the state"
            return


def turn(game: Game, seen: Look) -> Iterator[str]:
    """One of the sides; the other one after each move where sides alternate."""
    if "turn" not in game.has:
        return
    if not (is_int(seen.turn) and 0 <= seen.turn < len(game.sides)):
        yield f"`turn` gives {seen.turn!r:.40}; the sides are numbered 0 to {len(game.sides) - 1}"
    elif game.alternate and "chance" not in game.has:
        for m, child in tried_moves(seen):
            if game.turn(child) != 1 - seen.turn:
                yield f"after {move_name(game, seen.s, m)} the same side is to move, but ALTERNATE says that sides alternate"
                return


def chance(game: Game, seen: Look) -> Iterator[str]:
    """Weights that can be weighed."""
    for m, weight in zip(seen.moves, seen.weights, strict=False):
        if not (isinstance(weight, int | float) and math.isfinite(weight) and weight > 0):
            yield f"`chance` gives {move_name(game, seen.s, m)} the weight {weight!r:.40}; it must be a number above 0"


def evaluate(game: Game, seen: Look) -> Iterator[str]:
    """Smaller in size than any proven result."""
    value = seen.evaluate
    if "chance" in game.has:
        if not math.isfinite(value):
            yield f"`evaluate` gives {value!r:.40}"
        elif 0 < game.margin < abs(value):
            yield f"`evaluate` gives {value!r:.40}, beyond MARGIN = {game.margin}; it must give an expected result"
    elif not is_int(value) or abs(value) > LIMIT:
        yield f"`evaluate` gives {value!r:.40}; it must be an int from -{LIMIT} to {LIMIT}"


def key(game: Game, seen: Look) -> Iterator[str]:
    """An int, the same for the same state."""
    if not is_int(seen.key):
        yield f"`key` gives {seen.key!r:.40}, which is not an int"
    elif game.key(copy.deepcopy(seen.s)) != seen.key:
        yield "`key` gives another number when it is asked again"


def label(game: Game, seen: Look) -> Iterator[str]:
    """As many numbers as the first state's."""
    if seen.label:
        wanted = len(list(game.rules["label"](game.start())))
        if len(seen.label) != wanted:
            yield f"`label` gives {len(seen.label)} numbers, but {wanted} for the first state"


def canonical(game: Game, seen: Look) -> Iterator[str]:
    """A state of the same worth, whose representative is itself."""
    if "canonical" not in game.has:
        return
    other = seen.canonical
    fault = game.layout.fault(other)
    if fault:
        yield f"`canonical` gives a wrong state: {fault}"
    elif game.quick_result(other) != seen.result:
        yield f"`canonical` changes the result from {seen.result} to {game.quick_result(other)}"
    elif game.identity(game.canonical(other)) != game.identity(other):
        yield "`canonical` of the canonical state is another one"
    elif game.turn(other) != game.turn(seen.s):
        yield "`canonical` changes whose turn it is"
    elif seen.result is None and not seen.chance and len(list(game.moves(other))) != len(seen.moves):
        yield f"`canonical` changes the number of moves from {len(seen.moves)} to {len(list(game.moves(other)))}"


def pack(game: Game, seen: Look) -> Iterator[str]:
    """A word that leads back to a state of the same worth."""
    if not seen.word:
        return
    word_of, other = game.rules["pack"], game.rules["unpack"](seen.word)
    fault = game.layout.fault(other)
    if fault:
        yield f"`unpack` gives a wrong state: {fault}"
    elif word_of(other) != seen.word:
        yield "`pack` makes another word of the state that `unpack` gives"
    elif seen.result is None and game.result(other) is None:
        words = [{word_of(game.play(s, m)) for m in game.moves(s)} for s in (seen.s, other)]
        if words[0] != words[1]:
            yield "moves lead elsewhere from the state that `unpack` gives"


def move_text(game: Game, seen: Look) -> Iterator[str]:
    """Each move has a text of its own that leads back to it."""
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
    for m, _ in tried_moves(seen)[:: TRIED // 4]:
        text = game.format_move(seen.s, m)
        back = game.parse_move(seen.s, text)
        if back != m:
            yield f"`parse_move` reads {text!r} as {back}, but it is how {m} is written"
            return


def state_text(game: Game, seen: Look) -> Iterator[str]:
    """A state's text leads back to a state that is the same for the table, the mover and the rules."""
    text = game.format_state(seen.s)
    if not isinstance(text, str) or "\n" in text:
        yield f"`format_state` must give one line of text, not {text!r:.60}"
        return
    s = game.parse_state(text)
    again = game.format_state(s)
    if again != text:
        yield f"`parse_state` reads {text!r} as {again!r}"
    elif game.key(s) != seen.key:
        yield f"`parse_state` of {text!r} gives a state with another key"
    elif game.quick_result(s) != seen.result or (seen.result is None and game.turn(s) != game.turn(seen.s)):
        yield f"`parse_state` of {text!r} gives a state with another result or turn"
    elif seen.result is None and not seen.chance and list(game.moves(s)) != seen.moves:
        yield f"`parse_state` of {text!r} gives a state with other moves"
    if not isinstance(game.show(seen.s), str):
        yield "`show` does not give text"


RULES: list[Callable[[Game, Look], Iterator[str]]] = [
    *(result, moves, play, undo, turn, chance, evaluate, key, label, canonical, pack, move_text, state_text),
]


def compare(game: Game, plain: Look, compiled: Look) -> Iterator[tuple[str, str]]:
    """Where the compiled rules say something else than the interpreted ones: the rule's name, and what each says."""
    pack = game.layout.pack

    def differs(name: str, one: Any, other: Any) -> tuple[str, str]:
        return name, f"interpreted `{name}` gives {one!r:.60}, compiled {other!r:.60}"

    for name in ("result", "chance", "moves", "turn", "forced", "stuck", "replies", "threats", "likely", "label"):
        if getattr(plain, name) != getattr(compiled, name):
            yield differs(name, getattr(plain, name), getattr(compiled, name))
            return
    if plain.key & MASK != compiled.key:
        yield differs("key", plain.key, compiled.key)
    if plain.word != compiled.word:
        yield differs("pack", plain.word, compiled.word)
    if not math.isclose(plain.evaluate, compiled.evaluate, rel_tol=1e-9, abs_tol=1e-9):
        yield differs("evaluate", plain.evaluate, compiled.evaluate)
    if pack(plain.canonical).tobytes() != pack(compiled.canonical).tobytes():
        yield differs("canonical", game.format_state(plain.canonical), game.format_state(compiled.canonical))
    if (plain.passes is None) != (compiled.passes is None):
        yield differs("may_pass", plain.passes is not None, compiled.passes is not None)
    elif plain.passes is not None and pack(plain.passes).tobytes() != pack(compiled.passes).tobytes():
        yield differs("passes", game.format_state(plain.passes), game.format_state(compiled.passes))
    yield from _compare_moves(game, plain, compiled, differs)


def _compare_moves(game: Game, plain: Look, compiled: Look, differs: Any) -> Iterator[tuple[str, str]]:
    pack = game.layout.pack
    for i, place in enumerate(plain.tried):
        after = f" for {move_name(game, plain.s, plain.moves[place])}"
        if pack(plain.children[i]).tobytes() != pack(compiled.children[i]).tobytes():
            name, message = differs("play", plain.children[i], compiled.children[i])
        elif plain.chance and not math.isclose(plain.weights[place], compiled.weights[place]):
            name, message = differs("chance", plain.weights[place], compiled.weights[place])
        elif not plain.chance and plain.order[i] != compiled.order[i]:
            name, message = differs("order", plain.order[i], compiled.order[i])
        elif not plain.chance and plain.loud[i] != compiled.loud[i]:
            name, message = differs("loud", plain.loud[i], compiled.loud[i])
        else:
            continue
        yield name, message + after
        return
