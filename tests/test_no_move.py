"""A side without a legal move, where neither `result` nor `stuck` tells the value: a draw, and every command agrees."""

import json
import subprocess
import sys

import pytest

from here import DATA
from plyground import load
from plyground.check import check
from plyground.engine.engine import Engine
from plyground.errors import GameError
from plyground.measure.perft import interpreted, native
from plyground.play.limit import Limit
from plyground.play.match import Match
from plyground.solver.solver import Solver
from plyground.textbook import parse

RULES = (DATA / "rules" / "no_move.py").read_text(encoding="utf-8")
VALUES = [-1, 0, 1, 1, 0, -1, 0, 1, 1, 0]  # by the stones that are left, for the side to move


@pytest.fixture
def path(rules_file):
    return str(rules_file(RULES))


def run(*words, typed=""):
    done = subprocess.run([sys.executable, "-m", "plyground", *words], input=typed, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def sign(x):
    return (x > 0) - (x < 0)


def test_textbook_engine_and_solver_agree_with_minimax(path):
    game = load(path)
    solver, engine = Solver(game, memory=1), Engine(game)
    for left, value in enumerate(VALUES):
        s = game.State(left)
        for spec in ("minimax", "alphabeta,depth=all", "pvs,depth=all"):
            algorithm, options = parse(spec)
            assert sign(algorithm.search(game, s, options).value) == value, (left, spec)
        assert sign(solver.solve(s).score) == value, left
        if left > 1:
            assert sign(engine.analyse(s, Limit(depth=8)).score) == value, left


def test_a_match_is_over_and_drawn(path):
    game = load(path)
    match = Match(game, moves="3 3 2")
    assert (match.result, match.legal(), match.winner, match.describe_end()) == (0, [], None, "drawn")


def test_counts_agree(path):
    game = load(path)
    for what in ("perft", "finished"):
        for depth in range(6):
            assert interpreted(game, what)(game.start(), depth) == native(game, what)(game.start(), depth)


def test_play_ends(path):
    code, out, _ = run("play", path, "--side", "both", "--moves", "3 3 2", typed="help\n")
    assert code == 0
    assert out.rstrip().endswith("drawn")


COMMANDS = {
    "play": ("--side", "both", "--moves", "3 3"),
    "analyse": ("--state", "left=3", "--depth", "4"),
    "solve": ("--all-moves",),
    "explain": ("--depth", "6"),
    "compare": ("--depth", "6"),
    "perft": ("4", "--divide"),
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("at_the_end", [False, True])
def test_commands_answer_as_if_result_had_said_drawn(path, rules_file, tmp_path, command, at_the_end):
    words = COMMANDS[command]
    if at_the_end:
        words = (*(w for w in words if w not in ("--state", "left=3", "--moves", "3 3")), "--state", "left=1")
    out = ("--out", str(tmp_path / "t.html")) if command == "explain" else ()
    told = str(rules_file(RULES.replace("else None", "else 0 if s.left == 1 else None"), "told.py"))
    one, other = (answer(*run(command, p, *words, *out, "--json", typed="help\n2\n")) for p in (path, told))
    assert one == other


# `nodes`: at the search's depth limit nobody looks for moves, so an end that `result` does not tell is one ply further.
DIFFERS = ("game", "seconds", "time", "rate", "per_second", "nps", "seed", "nodes", "record")


def answer(code, out, err):
    """What a command says, without what differs from run to run and file to file."""
    if code:
        return code, err.splitlines()[-1].replace("told", "mygame")

    def plain(x):
        if isinstance(x, dict):
            return {k: plain(v) for k, v in x.items() if k not in DIFFERS}
        return [plain(v) for v in x] if isinstance(x, list) else x

    assert "Infinity" not in out
    return code, plain(json.loads(out))


def test_check_warns_and_names_the_state(path):
    report = check(load(path), games=5)
    assert report.ok
    (warning,) = report.warnings
    assert (warning.rule, warning.state) == ("moves", "left=1")
    assert "counts as a draw" in warning.message


def test_three_sides_share_the_draw(rules_file):
    text = RULES.replace("class State", 'SIDES = ("A", "B", "C")\n\n\ndef turn(s):\n    return s.left % 3\n\n\nclass State')
    text = text.replace("-1 if s.left == 0", "(1, 0, 0) if s.left == 0")
    game = load(str(rules_file(text, "three.py")))
    assert game.result(game.State(1)) == (0, 0, 0)


def test_a_first_state_without_a_move_is_refused(rules_file):
    with pytest.raises(GameError, match="there are no `moves`"):
        load(str(rules_file(RULES.replace("State(9)", "State(1)"), "none.py")))
