"""Kernels from the cache: without Numba they give the same results, the same errors, and are never taken for others."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from array_rules import after
from plyground import load
from plyground.compile import kernel
from plyground.compile.cache import read_verified, with_checksum
from plyground.compile.kernel import FILE, Kernel, KernelCode, kinds_of, read_kernel
from plyground.compile.native import Native
from plyground.measure.perft import native

HEAVY = ("numba", "scipy")
RULES = """
from typing import NamedTuple
from plyground.bits import put
class State(NamedTuple):
    cells: tuple[int, int, int, int, int, int] = (0, 0, 0, 0, 0, 0)
    n: int = 0
def start(): return State()
def moves(s): return sorted([m for m in range(6) if s.cells[m] == 0], reverse=True)
def play(s, m): return State(put(s.cells, {place}, 1), s.n + 1)
def result(s): return 0 if s.n == 6 else None
"""
FIRST_MOVE = """
import sys
from plyground import cli
code = cli.main(sys.argv[1:])
print([name for name in {heavy!r} if name in sys.modules], file=sys.stderr)
sys.exit(code)
"""


def shell(*words: object) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own; the last line of its errors lists what was imported of `HEAVY`."""
    line = [sys.executable, "-c", FIRST_MOVE.format(heavy=HEAVY), *map(str, words)]
    return subprocess.run(line, capture_output=True, text=True, check=False)


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A new cache."""
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_a_command_with_kernels_from_the_cache_imports_no_compiler() -> None:
    cold, warm = (shell("perft", "tictactoe", 4) for _ in range(2))
    assert "numba" in cold.stderr.splitlines()[-1]
    assert (warm.returncode, warm.stderr.splitlines()[-1]) == (0, "[]")
    assert "3,024" in warm.stdout


def test_lists_and_errors_need_no_compiler_either(rules_file: Callable[..., Path]) -> None:
    game = rules_file(RULES.format(place="m"))
    cold, warm = (shell("perft", game, 4) for _ in range(2))
    assert "360" in cold.stdout
    assert [line.split()[:2] for line in cold.stdout.splitlines()] == [line.split()[:2] for line in warm.stdout.splitlines()]
    assert warm.stderr.splitlines()[-1] == "[]"
    game = rules_file(RULES.format(place="m + 7 * (s.n == 3)"), "wrong.py")
    cold, warm = (shell("perft", game, 5) for _ in range(2))
    assert "IndexError: put: tuple index out of range" in warm.stderr
    assert (warm.returncode, warm.stderr.splitlines()[-2]) == (cold.returncode, cold.stderr.splitlines()[-2])
    assert warm.stderr.splitlines()[-1] == "[]"


def test_arrays_in_a_state_need_no_compiler_either() -> None:
    game = load("gomoku")
    call = Native(game, boundscheck=True).bind(after, "int64(uint64, int64, uint64)")
    assert isinstance(call, Kernel)
    s, m = game.start(), game.legal(game.start())[0]
    row = game.layout.row(s)
    found = row.copy()
    call(row.ctypes.data, m, found.ctypes.data)
    assert (found == game.layout.row(game.play(s, m))).all()


COUNT = """
import sys
from plyground import load
from plyground.measure.perft import native
for path in sys.argv[1:]:
    game = load(path)
    print(native(game)(game.start(), 3))
"""


def test_the_compiler_works_after_a_kernel_from_the_cache(rules_file: Callable[..., Path]) -> None:
    rules = RULES.format(place="m")
    files = [rules_file(rules), rules_file(rules.replace("cells[m] == 0", "cells[m] == 0 and m < 3"), "other.py")]

    def count(*files: Path) -> list[str]:
        line = [sys.executable, "-c", COUNT, *map(str, files)]
        return subprocess.run(line, capture_output=True, text=True, check=True).stdout.split()

    assert count(files[0]) == ["120"]
    assert count(*files) == ["120", "6"]


def kept(cache: Path) -> tuple[Path, KernelCode]:
    """The only kernel in the cache."""
    (file,) = cache.rglob(FILE)
    return file, KernelCode(*pickle.loads(read_verified(file, file.parent.name)))


def test_a_kernel_for_another_processor_is_not_loaded(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("tictactoe")
    assert native(game)(game.start(), 4) == 3024
    file, _ = kept(cache)
    assert read_kernel(file.parent) is not None
    monkeypatch.setattr(kernel, "machine", lambda: "another")
    assert read_kernel(file.parent) is None


def test_a_kernel_in_the_place_of_another_is_not_loaded(cache: Path, rules_file: Callable[..., Path]) -> None:
    game = load("tictactoe")
    assert native(game)(game.start(), 3) == 504
    file, _ = kept(cache)
    data = file.read_bytes()
    file.unlink()
    other = load(rules_file(RULES.format(place="m")))
    assert native(other)(other.start(), 3) == 120
    kept(cache)[0].write_bytes(data)
    assert native(other)(other.start(), 3) == 120


def test_a_kernel_that_calls_what_is_nowhere_is_compiled_again(cache: Path) -> None:
    game = load("tictactoe")
    native(game)
    file, code = kept(cache)
    wrong = pickle.dumps(tuple(code._replace(needs=("nobody_defines_this",))))
    file.write_bytes(with_checksum(wrong, file.parent.name))
    assert read_kernel(file.parent) is None
    assert native(game)(game.start(), 4) == 3024
    assert kept(cache)[1].needs == code.needs


def test_arguments_of_a_kernel_are_checked(cache: Path) -> None:
    game = load("tictactoe")
    native(game)
    call: Any = read_kernel(kept(cache)[0].parent)
    with pytest.raises(ValueError, match="argument"):
        call(1)
    with pytest.raises(TypeError):
        call("1", None)


@pytest.mark.parametrize("signature", ["void(uint64)", "int64(uint64[::1])", "int64", "int32(int64)", "int64(uint64, )x"])
def test_other_signatures_are_left_to_numba(signature: str) -> None:
    assert kinds_of(signature) is None


def test_a_full_disk_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYGROUND_CACHE", os.devnull)
    game = load("tictactoe")
    assert native(game)(game.start(), 4) == 3024
