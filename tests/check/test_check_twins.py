"""check compares every compiled hook of the contract with its interpreted twin, and stops rules that never end."""

import pytest

from plyground import load
from plyground.check import check
from plyground.errors import GameError
from plyground.rules.hooks import HOOKS
from plyground.system import patience

COMPILED = {name for name, hook in HOOKS.items() if hook.compiled}

# `odd(0)` is 3, but compiled it is -1: the bits that are shifted out are lost.
RULES = '''"""Take one to three of twelve stones; whoever takes the last one wins. Every hook is compiled to something else."""

from typing import NamedTuple

from plyground.bits import u64

SIDES = ("A", "B")
ALTERNATE = True
KEY_BITS = 60
ENDINGS = ("7",)


class State(NamedTuple):
    left: int
    mover: int


def odd(x):
    return x + 3 << 62 >> 62


def start():
    return State(12, 0)


def turn(s):
    return s.mover


def moves(s):
    for m in range(1, 4):
        if m <= s.left and s.left != 1:
            yield m


def play(s, m):
    return State(s.left - m, 1 - s.mover)


def result(s):
    return -1 if s.left == 0 else None


def stuck(s):
    return 1 if odd(0) == 3 else -1


def evaluate(s):
    return odd(0)


def key(s):
    return 8 * s.left + s.mover + 4 * odd(0)


def order(s, m):
    return odd(0)


def loud(s, m):
    return odd(0) == 3


def canonical(s):
    return s if odd(0) == 3 else State(s.left, s.mover + 2)


def forced(s):
    return odd(0) == 3


def passes(s):
    return State(s.left, 1 - s.mover + (4 if odd(0) != 3 else 0))


def may_pass(s):
    return s.left > 6 or odd(0) == 3


def replies(s):
    for m in moves(s):
        if m == 1 or odd(0) != 3:
            yield m


def threats(s):
    for m in moves(s):
        if m == 1 or odd(0) != 3:
            yield m


def likely(s):
    for m in moves(s):
        if m == 1 or odd(0) != 3:
            yield m


def countdown(s):
    return s.left + odd(0)


def label(s):
    yield s.left
    yield s.mover
    yield odd(0)


def safe(s):
    for m in moves(s):
        if s.left - m > 3 or odd(0) != 3:
            yield m


def remaining(s):
    return s.left + odd(0)


def bounds(s):
    return -1, odd(0)


def banked(s):
    return odd(0)


def code(s):
    return 8 * s.left + s.mover + 4 * odd(0) + 32


def finish(s, beta):
    return 0, 1 + odd(0) * 0 if odd(0) != 3 else 0


def pressure(s):
    return odd(0)


def promise(s, m, child):
    return odd(0)


def spot(s, m):
    return odd(0)


def pack(s):
    return u64(4 * s.left + s.mover + 1 + (64 if odd(0) == 3 else 0)) if s.left == 11 else u64(4 * s.left + s.mover + 1)


def unpack(x):
    n = int(x) & 63
    return State(n - 1 >> 2, (n - 1 & 1) + (2 if odd(0) != 3 else 0))


def ending(text):
    return int(text)


def positions(n):
    for i in range(1, n):
        yield State(i, 0 if odd(0) == 3 else 1)
'''
ALONE = {"moves", "play", "result", "turn", "chance", "undo"}
"""Where these differ nothing else is compared; other tests plant differences in them."""


def test_every_compiled_hook_of_the_contract_is_compared(rules_file):
    report = check(load(str(rules_file(RULES))), games=20)
    told = {p.rule.removeprefix("compiled ") for p in report.problems if p.rule.startswith("compiled ")}
    # A state after `unpack`, or of an ending, is compared once nothing else differs.
    late = {"positions"}
    assert COMPILED - ALONE - late == told


def test_positions_are_compared(rules_file):
    sound = RULES.replace("    return x + 3 << 62 >> 62", "    return 3").replace(
        "if odd(0) == 3 else 1)", "if (n - 4) << 62 >> 62 == 3 else 1)"
    )
    report = check(load(str(rules_file(sound, "late.py"))), games=3)
    assert "compiled positions" in {p.rule for p in report.problems}


def test_positions_without_an_example_are_a_warning(rules_file):
    sound = RULES.replace("    return x + 3 << 62 >> 62", "    return 3").replace('ENDINGS = ("7",)\n', "")
    report = check(load(str(rules_file(sound, "silent.py"))), games=3)
    assert "`positions` was not checked" in next(p.message for p in report.warnings if p.rule == "positions")


ENDLESS = '''"""Take one or two of nine stones; with few stones left `moves` never ends."""

from typing import NamedTuple


class State(NamedTuple):
    left: int


def start():
    return State(FIRST)


def moves(s):
    m = 1
    while m <= 2 or s.left < 6:
        BODY
        m += s.left > 5


def play(s, m):
    return State(s.left - m)


def result(s):
    return -1 if s.left < 1 else None
'''


@pytest.mark.parametrize(("body", "words"), [("yield 1", "ever end"), ("pass", "`moves` takes too long")])
def test_moves_that_never_end_are_named_at_load(rules_file, monkeypatch, body, words):
    monkeypatch.setattr(patience, "SECONDS", 1.0)
    with pytest.raises(GameError, match=words):
        load(str(rules_file(ENDLESS.replace("FIRST", "5").replace("BODY", body))))


@pytest.mark.parametrize(
    ("body", "words"), [("yield m", "ever end"), ("if s.left > 5:\n            yield m", "`moves` takes too long")]
)
def test_moves_that_never_end_are_named_by_check(rules_file, monkeypatch, body, words):
    monkeypatch.setattr(patience, "SECONDS", 1.0)
    report = check(load(str(rules_file(ENDLESS.replace("FIRST", "12").replace("BODY", body)))), games=2)
    problem = next(p for p in report.problems if p.rule == "runs")
    assert words in problem.message
    assert problem.state in ("left=5", "left=4")


def test_legal_moves_are_bounded(rules_file):
    game = load(str(rules_file(ENDLESS.replace("FIRST", "12").replace("BODY", "yield m"))))
    with pytest.raises(GameError, match="more than 65,536"):
        game.legal(game.State(5))


def test_rules_cannot_swallow_the_interruption(rules_file, monkeypatch):
    monkeypatch.setattr(patience, "SECONDS", 0.5)
    body = "try:\n            m += 0\n        except Exception:\n            pass"
    with pytest.raises(GameError, match="takes too long"):
        load(str(rules_file(ENDLESS.replace("FIRST", "5").replace("BODY", body))))
