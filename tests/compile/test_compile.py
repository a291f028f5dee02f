"""From rules to native code: the cache that is never stale, in processes of their own; rules of every kind."""

import os
import re
import subprocess
import sys

import pytest

from here import DATA
from plyground import cli, load
from plyground.check import check
from plyground.compile.cache import cache_folder
from plyground.compile.native import Native
from plyground.kernels.tools import perft as kernels
from plyground.measure import perft
from plyground.rules.load import builtin_games

RULES = '''"""Count down by what a helper says."""

from typing import NamedTuple

import far_{n}
from near_{n} import most


class State(NamedTuple):
    left: int


def start():
    return State(12)


def moves(s):
    for m in range(1, most(s.left) + 1):
        if m <= far_{n}.LIMIT:
            yield m


def play(s, m):
    return State(s.left - m)


def result(s):
    return -1 if s.left <= 0 else None
'''
NEAR = "TOP = 3\n\n\ndef most(left):\n    return min(TOP, left)\n"
FAR = "LIMIT = 9\n"
COUNT = """
import sys
from plyground import load
from plyground import on_compile
from plyground.measure import perft
cold = []
on_compile(lambda now: cold.append(now) if now.done else None)
for spec in sys.argv[1:]:
    game = load(spec)
    print(perft.native(game)(game.start(), 4), len(cold))
"""


@pytest.fixture
def folder(tmp_path):
    """A rules file with two helper files, and a cache of its own."""
    (tmp_path / "game.py").write_text(RULES.replace("{n}", "a"))
    (tmp_path / "near_a.py").write_text(NEAR)
    (tmp_path / "far_a.py").write_text(FAR)
    return tmp_path


def start(folder, *specs):
    environment = {**os.environ, "PLYGROUND_CACHE": str(folder / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", COUNT, *map(str, specs)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def count(folder, *specs):
    """(leaves, how many kernels were compiled so far) of each game, in a fresh process."""
    process = start(folder, *specs)
    out, err = process.communicate()
    assert process.returncode == 0, err
    return [tuple(map(int, line.split())) for line in out.splitlines()]


def test_the_second_process_compiles_nothing_and_an_edit_is_seen(folder):
    game = folder / "game.py"
    assert count(folder, game) == [(81, 1)]
    assert count(folder, game) == [(81, 0)]
    (folder / "near_a.py").write_text(NEAR.replace("3", "2"))
    assert count(folder, game) == [(16, 1)]
    (folder / "far_a.py").write_text(FAR.replace("9", "1"))
    assert count(folder, game) == [(1, 1)]
    (folder / "near_a.py").write_text(NEAR)
    (folder / "far_a.py").write_text(FAR)
    assert count(folder, game) == [(81, 0)]


ENUM = (DATA / "rules" / "compile_enum.py").read_text(encoding="utf-8")


def test_another_member_of_an_enum_is_seen(folder):
    game = folder / "enum_game.py"
    for n in (2, 3):
        game.write_text(ENUM.replace("A = 2", f"A = {n}"))
        assert count(folder, game) == [(n**4, 1)]


TAGS = """
from plyground import load
from plyground.compile.fingerprint import kernel_hash
from plyground.rules.load import builtin_games
from plyground.kernels.tools import perft
for name in builtin_games():
    print(name, kernel_hash(load(name), perft.perft, {}))
"""


def test_a_kernel_has_the_same_name_in_every_process():
    told = [
        subprocess.run([sys.executable, "-c", TAGS], env={**os.environ, "PYTHONHASHSEED": seed}, check=True, capture_output=True)
        for seed in ("1", "2")
    ]
    assert told[0].stdout == told[1].stdout
    assert told[0].stdout.count(b"\n") == len(builtin_games())


def test_one_kernel_for_two_games_and_damaged_files(folder):
    assert count(folder, "nim", "tictactoe") == [(4338, 1), (3024, 2)]
    assert count(folder, "nim", "tictactoe") == [(4338, 0), (3024, 0)]
    files = sorted(p for p in (folder / "cache").rglob("*.nb*"))
    assert len(files) == 2
    for file, kept in zip(files, (0, -20), strict=True):
        file.write_bytes(file.read_bytes()[:kept])
    assert [n for n, _ in count(folder, "nim", "tictactoe")] == [4338, 3024]
    assert count(folder, "nim", "tictactoe") == [(4338, 0), (3024, 0)]


def test_a_flipped_byte_is_noticed_and_compiled_again(folder):
    assert count(folder, "nim") == [(4338, 1)]
    (file,) = (folder / "cache").rglob("*.nb*")
    whole = file.read_bytes()
    for place in (len(whole) // 2, len(whole) - 9, 40):
        file.write_bytes(whole[:place] + bytes(x ^ 255 for x in whole[place : place + 4]) + whole[place + 4 :])
        assert count(folder, "nim") == [(4338, 1)]
    assert count(folder, "nim") == [(4338, 0)]


def test_kernels_of_different_processes_do_not_meet(folder):
    """The rules differ in a constant only: each process gives its functions the same names and numbers."""
    boards = "connect4(rows=3, cols=3, k=3)", "connect4(rows=3, cols=4, k=3)"
    alone = [count(folder, board)[0] for board in boards]
    assert alone[0][0] != alone[1][0]
    assert count(folder, *boards) == [(n, 0) for n, _ in alone]
    assert count(folder, *reversed(boards)) == [(n, 0) for n, _ in reversed(alone)]


def test_processes_that_start_at_once_compile_once(folder):
    running = [start(folder, "nim") for _ in range(3)]
    told = sorted(process.communicate()[0].split() for process in running)
    assert told == [["4338", "0"], ["4338", "0"], ["4338", "1"]]


def test_without_a_folder_to_write_it_works_all_the_same(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path / "file" / "cache"))
    game = load("nim(size=4)")
    assert perft.native(game)(game.start(), 2) == perft.interpreted(game)(game.start(), 2)


BOARD = (DATA / "rules" / "compile_board.py").read_text(encoding="utf-8")


def test_rules_in_place(rules_file):
    from plyground.check import check

    game = load(str(rules_file(BOARD)))
    count = perft.native(game)
    assert [count(game.start(), depth) for depth in (1, 5, 6, 9)] == [9, 15_120, 54_720, 127_872]
    assert perft.distinct(game, game.start(), 5) == perft.distinct_interpreted(game, game.start(), 5)
    assert check(game, games=10).problems == []


@pytest.mark.parametrize("given", ["", None])
def test_no_folder_named_means_the_users_own(monkeypatch, tmp_path, given):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    if given is None:
        monkeypatch.delenv("PLYGROUND_CACHE", raising=False)
    else:
        monkeypatch.setenv("PLYGROUND_CACHE", given)
    assert cache_folder() == tmp_path / "plyground"


def test_constants_are_frozen_into_a_kernel():
    game = load("nim")
    native = Native(game)
    one, two = (native.bind(kernels.perft, "int64(uint64, int64)", CHANCE=chance) for chance in (False, True))
    row = game.layout.row(game.start())
    assert one(row.ctypes.data, 4) == two(row.ctypes.data, 4) == 4338


TRUTHS = (DATA / "rules" / "compile_truths.py").read_text(encoding="utf-8")


def test_truth_values_count_as_plain_ints(rules_file):
    """Of a truth value and an int the compiler once made an unsigned word: -1 became a huge number."""
    assert check(load(str(rules_file(TRUTHS))), 40).problems == []


FAILING = """
from typing import NamedTuple
from plyground.bits import put
class State(NamedTuple):
    cells: tuple[int, ...]
    n: int
{helpers}
def start(): return State((0,) * 9, 0)
def moves(s):
    for m in range(9):
        if s.cells[m] == 0:
            yield m
def play(s, m): return State({cells}, s.n + 1)
def result(s): return 0 if s.n == 9 else None
def evaluate(s): return {value}
"""
RECURSIVE = {
    "plain": "def sink(n): return 0 if n == 3 else 1 + sink(n + 1)",
    "tail call": "def sink(n):\n    if n == 3:\n        return 0\n    return sink(n + 1)",
    "large frames": "def deep(t, n): return 0 if n == 3 else deep(put(t, n % 300, n), n + 1) + t[n % 7]\n"
    "def sink(n): return deep((0,) * 300, n)",
}


def command(tmp_path, *words):
    """A command in a process of its own, for what is tested here has crashed."""
    line = [sys.executable, "-m", "plyground", *map(str, words)]
    return subprocess.run(line, cwd=tmp_path, capture_output=True, text=True)


@pytest.mark.parametrize("how", ["plain", *(pytest.param(how, marks=pytest.mark.long) for how in RECURSIVE if how != "plain")])
def test_endless_recursion_is_told(rules_file, tmp_path, how):
    rules = FAILING.format(helpers=RECURSIVE[how], cells="put(s.cells, m, 1)", value="sink(s.n) if s.n > 3 else 0")
    path = rules_file(rules)
    name = "deep" if how == "large frames" else "sink"
    line = next(i for i, text in enumerate(rules.splitlines(), 1) if text.startswith(f"def {name}("))
    done = command(tmp_path, "analyse", path, "--depth", 5)
    told = f"plyground: {path}:{line}: `{name}` recurses too deeply; `plyground check` finds the moves that lead there\n"
    assert (done.returncode, done.stderr.splitlines(True)[-1:]) == (2, [told])


def test_put_in_canonical_does_not_crash(tmp_path):
    """LLVM 22 loaded the tuple from the stack as an aligned vector, but the stack was not aligned: a segmentation fault."""
    done = command(tmp_path, "analyse", "nim(heaps=5, size=7)", "--state", "0-4-5-6-7", "--depth", 6, "--evaluate", "rules")
    assert (done.returncode, "depth 6" in done.stdout) == (0, True), done.stderr


@pytest.mark.parametrize("cells", ["put(s.cells, m + 5 * (s.n == 3), 1)", "put(s.cells, m - 20 * (s.n == 3), 1)"])
def test_put_beyond_the_tuple_is_told(rules_file, tmp_path, cells):
    path = rules_file(FAILING.format(helpers="", cells=cells, value="0"))
    done = command(tmp_path, "perft", path, 5)
    told = f"{path}: the compiled rules raised IndexError: put: tuple index out of range"
    assert (done.returncode, told in done.stderr) == (2, True)
    report = check(load(str(path)), games=5)
    line = next(i for i, text in enumerate(path.read_text().splitlines(), 1) if text.startswith("def play"))
    assert f"mygame.py:{line} raises IndexError" in " ".join(p.message for p in report.problems)


def told_while(folder, monkeypatch, capfd, *words):
    """What the command line says on stderr, with this folder as the cache."""
    monkeypatch.setenv("PLYGROUND_CACHE", str(folder))
    assert cli.main([*words, "--json"]) == 0
    return capfd.readouterr().err.splitlines()


@pytest.mark.long
def test_each_kernel_is_announced_once_by_what_it_is_for(tmp_path, monkeypatch, capfd):
    board = "tictactoe(rows=3, cols=4, k=3)"
    told = [told_while(tmp_path, monkeypatch, capfd, *words, board, *more) for words, more in 2 * [
        (["perft"], ["3", "--distinct"]), (["check"], ["--games", "1"]),
    ]]  # fmt: skip
    for (line,), purpose in zip(told[:2], ("perft", "check"), strict=True):
        assert re.fullmatch(re.escape(f"Compiling {board} for {purpose} (first time only): ") + r"\d+ s left", line)
    assert told[2:] == [[], []]


def test_a_cache_that_cannot_be_written_is_told_once(tmp_path, monkeypatch, capfd):
    (tmp_path / "file").write_text("")
    folder = tmp_path / "file" / "cache"
    why = f"cannot create {folder} (Not a directory); set PLYGROUND_CACHE to a writable folder"
    told = told_while(folder, monkeypatch, capfd, "perft", "nim(size=3)", "3", "--distinct")
    assert told[0] == f"plyground: compiled rules are not cached: {why}"
    assert [re.sub(r"\d+", "4", line) for line in told[1:]] == ["Compiling nim(size=4) for perft: 4 s left"]


CLOSURES = (DATA / "rules" / "compile_closures.py").read_text(encoding="utf-8")


def test_helpers_made_by_a_factory(rules_file):
    game = load(str(rules_file(CLOSURES)))
    for depth in (1, 5, 8):
        assert perft.native(game)(game.start(), depth) == perft.interpreted(game)(game.start(), depth)
