"""check: sound rules hold; each broken promise is found, with moves that lead to it."""

import pytest

from here import DATA
from plyground import load
from plyground.check import check
from plyground.errors import GameError
from plyground.play.match import Match

RULES = '''"""Take one to three of twelve stones; whoever takes the last one wins."""

from typing import NamedTuple

SIDES = ("A", "B")
ALTERNATE = True


class State(NamedTuple):
    left: int
    mover: int


def start():
    return State(12, 0)


def turn(s):
    return s.mover


def moves(s):
    for m in range(1, 4):
        if m <= s.left:
            yield m


def play(s, m):
    return State(s.left - m, 1 - s.mover)


def result(s):
    return -1 if s.left == 0 else None


def evaluate(s):
    return 10 if s.left % 4 else -10


def key(s):
    return 2 * s.left + s.mover


def order(s, m):
    return -m


def canonical(s):
    return s


def format_move(s, m):
    return f"take{m}"


def parse_move(s, text):
    return int(text[4:])


def format_state(s):
    return f"{s.left}{'AB'[s.mover]}"


def parse_state(text):
    return State(int(text[:-1]), "AB".index(text[-1]))
'''

BROKEN = {
    "result": ("return -1 if s.left == 0", "return -2 if s.left == 0", "`result` gives -2, larger than 1 (set MARGIN)"),
    "moves": ("yield m", "yield m // 2 + 1 if s.left == 5 else m", "`moves` gives 2 twice"),
    "play": (
        "State(s.left - m,",
        "State(s.left - m if s.left > 6 else (s.left - m) << 64,",
        "does not fit in a signed",
    ),
    "turn": ("return s.mover\n", "return s.mover if s.left > 5 else 0\n", "ALTERNATE says that sides alternate"),
    "evaluate": ("return 10 if", "return 9000 if", "must be an int from -8999 to 8999"),
    "canonical": ("return s\n", "return State(s.left - 1, s.mover) if s.left > 5 else s\n", "must be that state"),
    "move_text": ('f"take{m}"', 'f"take{m // 2 if s.left < 9 else m}"', "`format_move` gives 'take1' for the move 2 and for 3"),
    "state_text": ("int(text[:-1])", "min(9, int(text[:-1]))", "`parse_state` reads '12A' as '9A'"),
    "compiled result": ("s.left == 0 else", "s.left == 0 else 0 if s.left << 62 >> 62 != s.left else", "compiled"),
    "compiled evaluate": ("10 if s.left % 4", "10 if (s.left << 61) % 7", "interpreted `evaluate` gives"),
    "compiled key": ("2 * s.left + s.mover", "(2 * s.left + s.mover) << 62 >> 60", "interpreted `key` gives"),
    "compiled order": ("return -m", "return m << 63 >> 62", "interpreted `order` gives"),
    "compiled play": ("1 - s.mover)", "1 - s.mover + ((s.left << 62) >> 62) - s.left)", "interpreted `play` gives"),
    "runs": ("return -m", "return (3, 2, 1)[m] if s.left > 4 else 0", "mygame.py:45 raises IndexError"),
}


def broken(rules_file, rule):
    old, new, words = BROKEN[rule]
    assert RULES.count(old) == 1
    path = rules_file(RULES.replace(old, new), f"{rule.replace(' ', '_')}_rules.py")
    return load(str(path)), words.replace("mygame", path.stem)


LIKELY = """


def likely(s):
    yield {}
"""


@pytest.mark.parametrize(
    ("move", "told"),
    [
        ("1", None),
        ("3", "`likely` gives 3, which `moves` does not"),
        ("min(s.left, 2 + (s.left << 62 >> 62 != s.left))", "interpreted `likely` gives"),
    ],
)
def test_likely_moves_are_legal_ones_and_the_same_compiled(rules_file, move, told):
    path = rules_file(RULES + LIKELY.format(move), f"likely_{len(move)}_rules.py")
    problems = [problem.message for problem in check(load(str(path)), games=20).problems]
    assert told in problems[0] if told else problems == []


def test_sound_rules_hold(rules_file):
    report = check(load(str(rules_file(RULES))), games=20)
    assert report.problems == []
    assert (report.ok, report.games, report.compiled) == (True, 20, True)
    assert 12 < report.states <= 25


@pytest.mark.parametrize("rule", BROKEN)
def test_a_broken_promise_is_found_with_its_moves(rules_file, rule):
    game, words = broken(rules_file, rule)
    report = check(game, games=20)
    assert not report.ok
    problem = next(p for p in report.problems if p.rule == rule)
    assert words in problem.message
    if rule not in ("play", "moves", "state_text", "move_text"):
        assert game.format_state(Match(game, moves=problem.moves).s) == problem.state


HOOKS = """

KEY_BITS = 6


def code(s):
    return 2 * s.left + s.mover


def remaining(s):
    return s.left


def bounds(s):
    return -1, 1


def safe(s):
    for m in moves(s):
        if s.left - m > 3:
            yield m


def promise(s, m, child):
    return 1 << 30 if s.left - m == 4 else 0


def finish(s, beta):
    return -9998 if s.left == 4 else 0, 1 if s.left == 4 else 0
"""
BROKEN_HOOKS = {
    "a clash": ("return 2 * s.left + s.mover", "return s.left", "code", "for this state and for"),
    "too many bits": ("KEY_BITS = 6", "KEY_BITS = 4", "code", "does not fit in KEY_BITS = 4 bits"),
    "too few plies": ("return s.left\n", "return s.left // 3\n", "remaining", "more plies"),
    "wrong bounds": ("return -1, 1", "return -1, 0", "bounds", "`bounds` gives -1 to 0, but a game ended with +1"),
    "unsafe": ("if s.left - m > 3", "if s.left - m > 2", "safe", "after which the other side wins"),
    "missing": ("if s.left - m > 3", "if s.left - m > 4", "safe", "after which the other side does not win"),
    "illegal": ("yield m\n", "yield m + 1\n", "safe", "which is not among the moves"),
    "not sure": ("s.left - m == 4", "s.left - m == 5", "promise", "wins with the next move, but it does not"),
    "a wrong search": ("return -9998 if", "return 9998 if", "solve", "one of these hooks is wrong (`bounds`, `code`, `finish`"),
}


def test_sound_hooks_hold(rules_file):
    assert check(load(str(rules_file(RULES + HOOKS, "hooks.py"))), games=20).problems == []


SHORT = ("a clash", "missing", "a wrong search")
"""One for each way of finding it: from two states, from one, from a whole search."""


@pytest.mark.parametrize("what", [pytest.param(x, marks=[pytest.mark.long] * (x not in SHORT)) for x in BROKEN_HOOKS])
def test_a_broken_hook_of_the_solver_is_found(rules_file, what):
    old, new, rule, words = BROKEN_HOOKS[what]
    assert HOOKS.count(old) == 1
    report = check(load(str(rules_file(RULES + HOOKS.replace(old, new), f"{what.replace(' ', '_')}.py"))), games=20)
    problem = next(p for p in report.problems if p.rule == rule)
    assert words in problem.message
    game = load(str(rules_file(RULES, "plain.py")))
    assert game.format_state(Match(game, moves=problem.moves).s) == problem.state


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("KEY_BITS = 65\n", "it must be an int from 0 to 64"),
        ("KEY_BITS = 6\ndel key\n", "KEY_BITS is the size of `code`"),
        ("def safe(s): return moves(s)\n", "needs `remaining`"),
        ("MARGIN = 3\ndef remaining(s): return s.left\ndef safe(s): return moves(s)\n", "no MARGIN"),
    ],
)
def test_hooks_that_cannot_hold_are_refused(rules_file, text, words):
    with pytest.raises(GameError, match=words):
        load(str(rules_file(f"{RULES}\n{text}")))


def test_the_same_seed_walks_the_same_games(rules_file):
    game, _ = broken(rules_file, "canonical")
    assert check(game, games=5, seed=3) == check(game, games=5, seed=3)


def test_an_index_beyond_a_table_is_found_when_compiled(rules_file):
    path = rules_file(
        RULES.replace("return -m", "return TABLE[m + s.left - 2]\n\n\nTABLE = (5, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0)")
    )
    report = check(load(str(path)), games=3)
    assert {"runs"} == {p.rule for p in report.problems}
    assert "IndexError" in report.problems[0].message


MANY = (DATA / "rules" / "check_many.py").read_text(encoding="utf-8")


def test_three_sides_are_only_interpreted(rules_file):
    report = check(load(str(rules_file(MANY))), games=5)
    assert report.ok
    assert not report.compiled


def test_three_sides_are_estimated_one_by_one(rules_file):
    estimates = MANY + "def evaluate(s): return (s.left, 0, 0)\n"
    assert check(load(str(rules_file(estimates))), games=5).ok
    later = MANY + "def evaluate(s): return (0, 0, 0) if s.left != 2 else 0\n"
    assert "an estimate for each side" in check(load(str(rules_file(later))), games=5).problems[0].message
    with pytest.raises(GameError, match="with 3 sides `evaluate` must give a tuple of 3 values"):
        load(str(rules_file(MANY + "def evaluate(s): return s.left\n")))


IN_PLACE = (DATA / "rules" / "check_in_place.py").read_text(encoding="utf-8")


def test_undo_must_restore(rules_file):
    report = check(load(str(rules_file(IN_PLACE))), games=20)
    assert "undo" in {p.rule for p in report.problems}


CHANCE = (DATA / "rules" / "check_dice.py").read_text(encoding="utf-8")


def test_weights_must_weigh(rules_file):
    good = check(load(str(rules_file(CHANCE.replace("- 0.25", "")))), games=10)
    assert good.problems == []
    with pytest.raises(Exception, match="weight > 0"):
        load(str(rules_file(CHANCE, "other.py")))
    late = CHANCE.replace("State(4", "State(8").replace("1.0 / s.left - 0.25", "0.5 if s.left != 4 else 0.0")
    report = check(load(str(rules_file(late, "late.py"))), games=20)
    assert {p.rule for p in report.problems} == {"chance"}


def test_a_counter_that_the_key_leaves_out_must_be_told(rules_file):
    """Without `countdown` the table would carry a win over to where it comes too late."""
    path = DATA / "counters" / "corridor.py"
    text = path.read_text(encoding="utf-8")
    assert check(load(path), games=10).ok
    report = check(load(str(rules_file(text[: text.index("def countdown")], "corridor_without_countdown.py"))), games=10)
    assert [p.rule for p in report.problems] == ["key"]
