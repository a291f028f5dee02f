"""TextStore of functions, kept by content: after every edit the rules do what they say, and little is compiled."""

from __future__ import annotations

import ast
import itertools
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from here import DATA
from plyground import Engine, Limit, Solver, load, on_compile
from plyground.compile import cache, function_cache, libraries
from plyground.compile.fingerprint import rules_tag
from plyground.compile.native import Native
from plyground.compile.progress import Compiling
from plyground.compile.vocabulary import ONGOING, evaluate, moves, read_state, step, verdict
from plyground.errors import PlygroundError
from plyground.measure.perft import native as perft
from plyground.rules.game import Game
from plyground.rules.hooks import HOOKS

RULES = '''"""Take stones: rules with something of everything."""

from typing import NamedTuple

TABLE = (3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9)
TOP = 3


class State(NamedTuple):
    left: int
    turn: int


class Pair(NamedTuple):
    low: int
    high: int


def start():
    return State(11, 0)


def most(left):
    return min(TOP, left)


def steps(left):
    for m in range(1, most(left) + 1):
        yield m


def moves(s):
    for m in steps(s.left):
        if m != 2 or s.left % 2:
            yield m


def play(s, m):
    return State(s.left - m, 1 - s.turn)


def result(s):
    return -1 if s.left <= 0 else None


def scale(x, factor=2):
    return x * factor


def pair(x):
    return Pair(x, x + 7)


def spread(x):
    p = pair(x)
    return p.high - p.low


def sink(n):
    return 0 if n <= 0 else 1 + sink(n - 2)


def grow(x):
    return x if x > 40 else grow(x * 1.5 + 1)


def total(items):
    return sum([x for x in items])


def at_least(low):
    def clamp(x):
        return max(low, x)
    return clamp


clamp = at_least(-50)


def evaluate(s):
    return int(clamp(scale(TABLE[s.left % 15]) + spread(s.left) - sink(s.left) + total([s.left, s.turn]) + grow(s.left)))
'''
EDITS = {
    "a number": ("TOP = 3", "TOP = 2"),
    "a table": ("(3, 1, 4, 1, 5,", "(8, 1, 4, 2, 5,"),
    "a helper": ("return min(TOP, left)", "return min(TOP, left, 2)"),
    "a helper of a generator": ("    for m in range(1, most(left) + 1):", "    for m in range(2, most(left) + 1):"),
    "a default value": ("factor=2", "factor=3"),
    "a type": ("return x * factor", "return x * factor + 0.5"),
    "another type": ("return x * factor", "return x > factor"),
    "a class": ("    low: int\n    high: int", "    high: int\n    low: int"),
    "a class's kind of field": ("return Pair(x, x + 7)", "return Pair(x, x + 7.25)"),
    "a recursive helper": ("1 + sink(n - 2)", "2 + sink(n - 1)"),
    "a recursive helper of two types": ("grow(x * 1.5 + 1)", "grow(x * 1.5 + 2)"),
    "a helper with a list": ("[x for x in items]", "[x + 1 for x in items]"),
    "a cell": ("at_least(-50)", "at_least(12)"),
    "a function in a cell": ("return max(low, x)", "return max(low, x) + 1"),
    "a hook": ("State(s.left - m, 1 - s.turn)", "State(s.left - m - (s.left == 7), 1 - s.turn)"),
    "a helper that takes the name of another": (
        "def scale(x, factor=2):\n    return x * factor",
        "def scale2(x):\n    return x\n\n\ndef scale(x, factor=4):\n    return scale2(x) * factor",
    ),
}  # fmt: skip


def hash_values(s, depth):
    """A hash of all values to a depth."""
    value = verdict(s)
    if value != ONGOING:
        return 1000 + value
    n = int(evaluate(s)) * depth
    if depth > 0:
        for m in moves(s):
            n = (31 * n + hash_values(step(s, m), depth - 1)) & 0xFFFFFFF
    return n


def audit(row, depth):
    """KernelLibrary point."""
    return hash_values(read_state(row), depth)


def natively(game: Game) -> int:
    """The hash of all values by the compiled rules."""
    row = game.layout.row(game.start())
    return int(Native(game).bind(audit, "int64(uint64, int64)", "audit")(row.ctypes.data, 5))


def interpreted(game: Game, s: Any, depth: int = 5) -> int:
    """The same, by the rules as they are."""
    rules = game.rules
    value = rules["result"](s)
    if value is not None:
        return 1000 + value
    n = int(rules["evaluate"](s)) * depth
    for m in rules["moves"](s) if depth else ():
        n = (31 * n + interpreted(game, rules["play"](s, m), depth - 1)) & 0xFFFFFFF
    return n


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """A new cache, and a list of the functions compiled."""
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path / "cache"))
    names: list[str] = []

    def hear(now: Compiling) -> None:
        if now.functions and not now.done:
            names.append(now.name)

    on_compile(hear)
    yield names
    on_compile(None)


def test_after_every_edit_the_rules_do_what_they_say(compiled: list[str], rules_file: Callable[..., Path]) -> None:
    game = load(rules_file(RULES))
    assert natively(game) == interpreted(game, game.start())
    everything, values = len(compiled), set()
    for what, (old, new) in EDITS.items():
        assert RULES.count(old) == 1, what
        compiled.clear()
        game = load(rules_file(RULES.replace(old, new)))
        values.add(natively(game))
        assert natively(game) == interpreted(game, game.start()), what
        assert len(compiled) < everything * 2 / 3, f"{what}: {compiled}"
    assert len(values) > len(EDITS) * 2 / 3, "most edits change the value, so that a stale function would show"


def test_edits_compiled_in_turns_do_not_take_each_other_for_the_same(
    compiled: list[str], rules_file: Callable[..., Path]
) -> None:
    """Functions that call themselves are linked by name, and the last one of a name is known best."""
    games = []
    for i, (edit, grown) in enumerate(itertools.product((RULES, RULES.replace("1 + sink(n - 2)", "2 + sink(n - 1)")), (1, 2))):
        games.append(load(rules_file(edit.replace("grow(x * 1.5 + 1)", f"grow(x * 1.5 + {grown})"), f"turn{i}.py")))
    natives = [Native(game) for game in games]
    for n in range(3):
        for game, native in zip(games, natives, strict=True):
            row = game.layout.row(game.start())
            found = native.bind(audit, "int64(uint64, int64)", "audit", TURN=n)(row.ctypes.data, 5)
            assert found == interpreted(game, game.start())


@pytest.mark.long
def test_many_random_edits_leave_nothing_stale(compiled: list[str], rules_file: Callable[..., Path]) -> None:
    chance = random.Random(1)
    for _ in range(200):
        text = RULES
        for old, new in chance.sample(list(EDITS.values()), 3):
            text = text.replace(old, new)
        text = text.replace("TOP = ", f"TOP = {chance.randrange(4)} + ").replace("x + 7", f"x + {chance.randrange(9)}")
        game = load(rules_file(text))
        assert natively(game) == interpreted(game, game.start()), text


def edited(source: str, chance: random.Random) -> str:
    """Rules with one number in one of their functions one larger or smaller."""
    shown = {name for name, hook in HOOKS.items() if not hook.compiled}
    functions = [f for f in ast.parse(source).body if isinstance(f, ast.FunctionDef) and f.name not in shown]
    numbers = [n for f in functions for n in ast.walk(f) if isinstance(n, ast.Constant) and type(n.value) is int]
    n: Any = chance.choice(numbers)
    lines = source.encode().splitlines(keepends=True)
    line = lines[n.lineno - 1]
    changed = str(n.value + chance.choice((-1, 1))).encode()
    lines[n.lineno - 1] = line[: n.col_offset] + b"(" + changed + b")" + line[n.end_col_offset :]
    return b"".join(lines).decode()


def outcome(game: Game) -> Any:
    """The hash of all values, or the exception that the edited rules raise."""
    row = game.layout.row(game.start())
    try:
        return Native(game, boundscheck=True).bind(audit, "int64(uint64, int64)", "audit")(row.ctypes.data, 6)
    except Exception as e:
        return f"{type(e).__name__} {e}"


@pytest.mark.long
@pytest.mark.parametrize("name", ["connect4(rows=4, cols=4)", "kalah", "tictactoe"])
def test_random_edits_of_a_game_give_what_a_cold_build_gives(
    name: str, compiled: list[str], rules_file: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    source = load(name).files[0].read_text(encoding="utf-8")
    parameters = name.partition("(")[1] + name.partition("(")[2]
    chance, values, seen = random.Random(1), list[Any](), {rules_tag(load(name))}
    for i in itertools.count():
        if len(values) == 67:
            break
        file = rules_file(edited(source, chance), f"edit{i}.py")
        try:
            game = load(f"{file}{parameters}")
            game.legal(game.start())
        except PlygroundError:
            continue
        if rules_tag(game) in seen:  # the number is in nothing that is compiled, or this edit was tried
            continue
        seen.add(rules_tag(game))
        values.append(outcome(game))
        with monkeypatch.context() as cold:
            cold.setenv("PLYGROUND_CACHE", str(tmp_path / f"cold{i}"))
            cold.setattr(libraries, "_defined", {})
            assert outcome(game) == values[-1], file
    assert len(set(values)) > 5, "edits change the value, so that a stale function would show"


HOOK_EDITS = {
    "moves": ("if not s.both >> (col", "if col != 1 and not s.both >> (col"),
    "play": ("State(s.mine ^ s.both, s.both | stone)", "State(s.mine ^ s.both, s.both | stone | (s.both == 0))"),
    "result": ("    if s.both == FULL:\n        return 0", "    if s.both == FULL:\n        return 1"),
    "turn": ("    return popcount(s.both) & 1\n", "    return 1 & popcount(s.both ^ s.both >> 1 << 1 ^ s.both & 1)\n"),
    "key": ("s.mine + s.both + BOTTOM\n", "2 * (s.mine + s.both + BOTTOM)\n"),
    "evaluate": ("score = 8 *", "score = -7 *"),
    "order": ("return 2000", "return -2000"),
    "loud": ("& COLUMN << col * H != 0", "& COLUMN << col * H == 0"),
    "canonical": ("if key(other) < key(s)", "if key(other) > key(s)"),
    "cells": ("yield 0 if not", "yield 1 if not"),
    "remaining": ("return ROWS * COLS - popcount(s.both)", "return ROWS * COLS + 1 - popcount(s.both)"),
    "safe": ("yield lowest(free) // H", "yield (COLS - 1) - (COLS - 1 - lowest(free) // H)"),
    "finish": ("if remaining(s) <= FEW", "if remaining(s) < FEW - 3"),
    "promise": ("return SURE\n", "return -SURE\n"),
}
"""For each compiled hook of Connect 4, a change to its code; the hook `touch` is left out: it is only drawn."""


def searched(game: Game) -> list[str]:
    """What perft, the search and the solver find, or the errors that they raise: an edit may break a rule of the contract."""

    def outcome(found: Callable[[], Any]) -> str:
        try:
            return str(found())
        except PlygroundError as e:
            return str(e)

    def analyse() -> Any:
        found = Engine(game, seed=0, perfect=False, evaluate="rules").analyse(None, Limit(depth=8))
        return found.score, found.nodes, found.line

    def solve() -> Any:
        found = Solver(game, memory=8).solve(book=False)
        return found.low, found.high, found.nodes, found.line

    return [outcome(lambda: perft(game)(game.start(), 6)), outcome(analyse), outcome(solve)]


@pytest.mark.long
@pytest.mark.parametrize("hook", HOOK_EDITS)
def test_an_edit_of_any_hook_gives_what_a_cold_build_gives(
    hook: str, compiled: list[str], rules_file: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    source = Path(str(load("connect4").path)).read_text(encoding="utf-8")
    old, new = HOOK_EDITS[hook]
    assert source.count(old) == 1
    searched(load(f"{rules_file(source)}(rows=4, cols=4)"))
    everything = len(compiled)
    compiled.clear()
    edited = load(f"{rules_file(source.replace(old, new), 'edited.py')}(rows=4, cols=4)")
    rebuilt = searched(edited)
    assert len(compiled) < everything / 2, compiled
    with monkeypatch.context() as cold:
        cold.setenv("PLYGROUND_CACHE", str(tmp_path / "cold"))
        cold.setattr(libraries, "_defined", {})
        assert searched(edited) == rebuilt


def test_comments_and_unused_code_compile_nothing(compiled: list[str], rules_file: Callable[..., Path]) -> None:
    natively(load(rules_file(RULES)))
    compiled.clear()
    text = (
        RULES.replace("TOP = 3", "# The most stones.\n\nTOP = 3") + "\n\nUNUSED = 5\n\n\ndef text(s):\n    return str(s.left)\n"
    )
    natively(load(rules_file(text)))
    assert not compiled


BOARD = """

from plyground import Board

BOARD = Board("squares", 3, 4)


def cells(s):
    return [int(i < s.left) for i in range(12)]


def touch(s, m):
    return [s.left - m]
"""


def test_a_board_compiles_nothing_but_the_entry(compiled: list[str], rules_file: Callable[..., Path]) -> None:
    natively(load(rules_file(RULES)))
    compiled.clear()
    game = load(rules_file(RULES + BOARD))
    assert game.board is not None
    natively(game)
    assert set(compiled) <= {"audit", "grow__deep"}  # rules that call themselves with other types are compiled each time


def test_an_edited_evaluation_compiles_little_of_the_search(compiled: list[str], rules_file: Callable[..., Path]) -> None:
    def nodes(text: str) -> int:
        return Engine(load(rules_file(text)), seed=0, perfect=False).analyse(None, Limit(depth=6)).nodes

    nodes(RULES)
    compiled.clear()
    edited = RULES.replace("- sink(s.left)", "- 5 * sink(s.left)")
    found = nodes(edited)
    assert set(compiled) <= {"evaluate", "grow__deep", "search_window"}
    os.environ["PLYGROUND_CACHE"] += "-cold"
    compiled.clear()
    assert nodes(edited) == found
    assert len(compiled) > 50


def kept() -> list[Path]:
    """The files in the cache."""
    return sorted((Path(os.environ["PLYGROUND_CACHE"]) / cache.TEXTS).iterdir())


def test_functions_that_count_references_keep_the_names_by_which_llvm_removes_their_calls(compiled: list[str]) -> None:
    game = load("gomoku(size=5)")
    assert perft(game)(game.start(), 1) == 25
    texts = [file.read_bytes() for file in kept()]
    assert any(b"NRT_incref" in text for text in texts)
    assert not [text for text in texts if re.search(rb"NRT_(incref|decref)\.[0-9a-f]{16}", text)]


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "emptied": lambda data: b"",
    "cut": lambda data: data[: len(data) // 2],
    "a byte of the checksum": lambda data: bytes([data[0] ^ 1]) + data[1:],
    "the first byte": lambda data: data[:32] + bytes([data[32] ^ 0x80]) + data[33:],
    "a byte in the middle": lambda data: data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 4]) + data[len(data) // 2 + 1 :],
    "the last byte": lambda data: data[:-1] + bytes([data[-1] ^ 1]),
    "longer": lambda data: data + b"\0",
    "of another file": lambda data: kept()[0].read_bytes(),
}


def test_damaged_texts_are_compiled_again(compiled: list[str], rules_file: Callable[..., Path]) -> None:
    natively(load(rules_file(RULES)))
    for i, (what, damage) in enumerate(DAMAGE.items()):
        for file in kept():
            if data := file.read_bytes():  # not yet emptied
                file.write_bytes(damage(data))
        game = load(rules_file(RULES.replace("x + 7", f"x + 1{i}")))
        compiled.clear()
        assert natively(game) == interpreted(game, game.start()), what
        assert "scale" in compiled, what
        compiled.clear()
        natively(load(rules_file(RULES.replace("x + 7", f"x + 2{i}"))))
        assert "scale" not in compiled, f"{what}: not written again"


def test_a_folder_that_cannot_be_written_is_no_error(compiled: list[str], rules_file: Callable[..., Path]) -> None:
    base = Path(os.environ["PLYGROUND_CACHE"])
    base.mkdir(mode=0o700)
    (base / cache.TEXTS).write_text("no folder")
    game = load(rules_file(RULES))
    assert natively(game) == interpreted(game, game.start())


def test_texts_of_another_version_or_machine_are_not_used(
    compiled: list[str], rules_file: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    natively(load(rules_file(RULES)))
    for name, other in (("versions", "another"), ("compiler_digest", b"another")):
        monkeypatch.setattr(function_cache, name, lambda other=other: other)
        compiled.clear()
        natively(load(rules_file(RULES.replace("x + 7", f"x + 1{len(name)}"))))
        assert "scale" in compiled


def test_the_texts_used_last_are_kept(compiled: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cache, "MAX_TEXTS", 10)
    folder = cache.TextStore()
    for i in range(12):
        folder.write(f"{i:02}", i)
        os.utime(kept()[-1], (i, i))
    assert folder.read("03") == 3  # which makes it new
    folder.prune()
    assert [file.name for file in kept()] == ["03", "08", "09", "10", "11"]


def test_a_text_is_marked_as_used_when_it_is_read(compiled: list[str]) -> None:
    store = cache.TextStore()
    store.write("text", 1)
    (file,) = kept()
    hour_ago = time.time() - 3600
    os.utime(file, (hour_ago, hour_ago))
    store.read("text")
    assert file.stat().st_mtime > hour_ago + 1800


AUDIT = """
import sys
sys.path[:0] = {path!r}
from test_function_cache import natively
from plyground import load
print("ready", flush=True)
print(natively(load({file!r})))
"""


def start_audit(file: Path) -> subprocess.Popen[str]:
    """A process that compiles rules and prints their hash."""
    code = AUDIT.format(path=[str(Path(__file__).parent), str(DATA.parent)], file=str(file))
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)


def test_two_processes_may_compile_at_once(compiled: list[str], rules_file: Callable[..., Path]) -> None:
    files = [rules_file(RULES.replace("x + 7", f"x + {i}"), f"game{i}.py") for i in (1, 2)]
    running = [start_audit(file) for file in files]
    for process, file in zip(running, files, strict=True):
        game = load(file)
        assert process.communicate()[0].split() == ["ready", str(interpreted(game, game.start()))]


def test_a_process_killed_while_it_compiles_leaves_nothing_wrong(compiled: list[str], rules_file: Callable[..., Path]) -> None:
    file = rules_file(RULES)
    game = load(file)
    folder = Path(os.environ["PLYGROUND_CACHE"]) / cache.TEXTS
    for wanted in (1, 5, 12):
        process = start_audit(file)
        while process.poll() is None and (not folder.exists() or len(list(folder.iterdir())) < wanted):
            pass
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert natively(game) == interpreted(game, game.start())
