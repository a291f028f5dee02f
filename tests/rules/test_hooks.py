"""The contract is declared once: what follows from its tables, and that one more line there is all that a new hook takes."""

import inspect
from typing import Any

import pytest

import contract as page
from here import DATA
from plyground import Game, GameError, Tuning, load
from plyground.compile import vocabulary
from plyground.compile.fingerprint import kernel_hash
from plyground.compile.native import Native
from plyground.errors import GameWarning
from plyground.rules.hooks import CONSTANTS, HOOKS, Hook

RULES = (DATA / "rules" / "hooks.py").read_text(encoding="utf-8")
KERNEL = """
from plyground.compile.vocabulary import HAS_SHINE, read_state, shine

def ask(address, m):
    return shine(read_state(address), m) + (1000 if HAS_SHINE else 0)
"""


def test_the_page_has_the_tables_of_the_contract():
    text = page.PAGE.read_text(encoding="utf-8")
    assert page.fill_tables(text) == text, "python benchmarks/run.py contract"


@pytest.mark.parametrize("hook", HOOKS.values(), ids=lambda hook: hook.name)
def test_the_table_is_sound(hook):
    assert hook.call == f"{hook.name}({', '.join(hook.arguments)})"
    assert hook.needs in ("", *HOOKS)
    made = hook.required or not hook.compiled or hook.name in ("key", "code")
    assert (hook.default is None) == made
    if hook.default is not None:
        inspect.signature(hook.default).bind(*hook.arguments)


# -- a new hook ------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def shine(monkeypatch):
    """A hook that the contract does not have, added to the table."""
    monkeypatch.setitem(HOOKS, "shine", Hook("shine(s, m)", "how brightly a move shines", lambda s, m: 7))


def asked(game):
    """What a kernel gets to know about the first move of the game."""
    scope: dict[str, Any] = {}
    exec(KERNEL, scope)
    row = game.layout.row(game.start())
    return Native(game).bind(scope["ask"], "int64(uint64, int64)")(row.ctypes.data, 1)


@pytest.mark.usefixtures("shine")
def test_a_line_in_the_table_is_all_that_a_hook_takes(rules_file):
    with_it = load(rules_file(RULES + "\n\ndef shine(s, m):\n    return 10 * s.left + m\n", "with_it.py"))
    without = load(rules_file(RULES, "without.py"))
    assert "shine" in with_it.has
    assert "shine" not in without.has
    assert asked(with_it) == 1071
    assert asked(without) == 7
    other = load(rules_file(RULES + "\n\ndef shine(s, m):\n    return 20 * s.left + m\n", "other.py"))
    assert len({kernel_hash(game, None, {}) for game in (with_it, without, other)}) == 3
    assert "| `shine(s, m)` | no | how brightly a move shines |" in page.fill_tables(page.PAGE.read_text(encoding="utf-8"))


@pytest.mark.usefixtures("shine")
def test_a_new_hook_is_checked_and_spelt(rules_file):
    with pytest.raises(GameError, match=r"mygame.py:28: `shine` must take two arguments"):
        load(rules_file(RULES + "\n\ndef shine(s):\n    return 1\n"))
    with pytest.raises(GameError, match=r"`shine` must be a function, not int"):
        load(rules_file(RULES + "\n\nshine = 3\n", "number.py"))
    with pytest.warns(GameWarning, match="nothing uses `shime`; did you mean `shine`"):
        load(rules_file(RULES + "\n\ndef shime(s, m):\n    return 1\n", "misspelt.py"))


def test_kernels_know_only_what_the_tables_have():
    assert vocabulary.order is vocabulary.order
    assert vocabulary.order is not vocabulary.loud
    assert (vocabulary.HAS_ORDER, vocabulary.MARGIN, vocabulary.UNIT) == (False, 0, 1)
    for name in ("shine", "HAS_SHINE", "show", "HAS_SHOW", "HAS_MOVES", "TITLE"):
        with pytest.raises(AttributeError, match=name):
            getattr(vocabulary, name)


# -- names that are not in the tables --------------------------------------------------------------------------------------------


def test_every_name_of_the_tables_is_known_when_it_is_misspelt(rules_file):
    optional = [name for name, hook in HOOKS.items() if not hook.required]
    wrong = {name: name + name[-1] for name in (*optional, *CONSTANTS)}
    text = RULES + "".join(f"\n\ndef {wrong[name]}(*a):\n    return 0\n" for name in optional)
    text += "".join(f"{wrong[name]} = 0\n" for name in CONSTANTS)
    with pytest.warns(GameWarning):
        game = load(rules_file(text))
    assert [hint.partition(": ")[2] for hint in game.hints] == [
        f"nothing uses `{given}`; did you mean `{name}`?" for name, given in wrong.items()
    ]


def test_a_number_for_the_solver_alone_is_noticed(rules_file):
    with pytest.warns(GameWarning, match=r"nothing uses `PEEK`; did you mean `SOLVER = Tuning\(peek=\.\.\.\)`"):
        load(rules_file(RULES + "\nSOLVER = Tuning(local=3)\nPEEK = 12\n"))


# -- the solver's numbers --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("3", r"mygame.py:27: SOLVER is 3; it must be a Tuning\(\.\.\.\)"),
        ("Tuning(peek=-1)", "mygame.py:27: peek is -1; it must be an int from 0 up"),
        ("Tuning(unit=0)", "mygame.py:27: unit is 0; it must be at least 1"),
        ("Tuning(peek=2.5)", "peek is 2.5; it must be an int from 0 up"),
        ("Tuning(peak=1)", "mygame.py:27: TypeError: .* 'peak'"),
    ],
)
def test_numbers_that_cannot_be_meant_are_refused(rules_file, given, words):
    with pytest.raises(GameError, match=words):
        load(rules_file(RULES + f"\nSOLVER = {given}\n"))


def test_numbers_that_do_not_fit_the_game_are_left_out():
    assert load("connect4").tuning == Tuning(local=20, peek=12, mirrored=21)
    assert load("connect4(rows=6, cols=9)").tuning == Tuning(local=0, peek=12, mirrored=27)
    scope: dict[str, Any] = {}
    exec(RULES + "\nSOLVER = Tuning(local=3, dense=9, unit=2)\n", scope)
    assert Game(scope).tuning == Tuning(unit=2)
    assert load("kalah").tuning.dense > 0
