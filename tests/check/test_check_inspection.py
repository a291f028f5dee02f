"""check compares every compiled hook of the contract with its interpreted twin, and stops rules that never end."""

import os
import subprocess
import sys

import pytest

from here import DATA
from plyground import load
from plyground.check import check
from plyground.errors import GameError
from plyground.rules.hooks import HOOKS
from plyground.system import patience

COMPILED = {name for name, hook in HOOKS.items() if hook.compiled}

# `odd(0)` is 3, but compiled it is -1: the bits that are shifted out are lost.
RULES = (DATA / "rules" / "check_twins.py").read_text(encoding="utf-8")
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


ENDLESS = (DATA / "rules" / "check_twins_endless.py").read_text(encoding="utf-8")


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


FORKED = """
import os, sys, warnings
from plyground import GameError, load
from plyground.system import patience
warnings.simplefilter("ignore")
load("tictactoe")  # the watchdog runs
patience.SECONDS = 0.5
if (child := os.fork()) == 0:
    try:
        load(sys.argv[1])
    except GameError as e:
        print(e, flush=True)
    os._exit(0)
os.waitpid(child, 0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_has_a_watchdog_of_its_own(rules_file):
    rules = rules_file(ENDLESS.replace("FIRST", "5").replace("BODY", "pass"))
    done = subprocess.run([sys.executable, "-c", FORKED, str(rules)], capture_output=True, text=True, check=True)
    assert "`moves` takes too long" in done.stdout
