"""Shortcuts through the compiler: the internals they rely on, and what happens without them."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from llvmlite import ir
from numba import njit
from numba.core import cgutils, codegen, event
from numba.core import types as nb
from numba.extending import intrinsic, overload

from plyground import Engine, Limit
from plyground.compile import libraries
from plyground.compile import shortcuts as tested
from plyground.compile.progress import Compiling
from plyground.compile.shortcuts import Replacement, replacements, shortcuts, unavailable_reason
from plyground.errors import PlygroundError
from plyground.measure.perft import native
from plyground.rules.load import load

SMALL = "tictactoe"


def test_every_internal_of_numba_that_we_replace_is_where_we_expect_it() -> None:
    assert unavailable_reason("entry") == []


def test_everything_is_put_back_even_after_an_error() -> None:
    before = [(r.owner, r.name, getattr(r.owner, r.name), r.name in vars(r.owner)) for r in replacements("entry")]

    def fail() -> None:
        with shortcuts("entry"):
            assert any(getattr(owner, name) != old for owner, name, old, _ in before)
            assert not gc.isenabled()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert gc.isenabled()
    assert all(getattr(owner, name) == old and (name in vars(owner)) == own for owner, name, old, own in before)


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with shortcuts("entry"):
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


OTHER_NUMBA: dict[str, tuple[str, Any]] = {
    "an internal has moved": ("PYTHON", [*tested.PYTHON, Replacement(event, "no_such_function", (), lambda old: old)]),
    "a newer version": ("TESTED", ((0, 1), (0, 2))),
    "an older version": ("TESTED", ((9, 1), (9, 2))),
}


@pytest.mark.parametrize("change", OTHER_NUMBA)
def test_another_numba_compiles_without_shortcuts(change: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    made: list[str] = []

    class Counted(libraries.FunctionLibrary):
        def finalize(self) -> None:
            made.append(self.name)
            super().finalize()

    monkeypatch.setattr(tested, "FunctionLibrary", Counted)
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path / "one"))
    game = load(SMALL)
    assert native(game)(game.start(), 4) == 3024
    assert made
    made.clear()
    monkeypatch.setattr(tested, *OTHER_NUMBA[change])
    assert unavailable_reason("entry")
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path / "two"))
    assert native(game)(game.start(), 4) == 3024
    assert not made


@pytest.mark.parametrize(
    "internal", ["environment.lookup_environment", "event.install_timer", "compiler_machinery.PassManager._runPass"]
)
def test_an_internal_that_is_missing_from_the_start(internal: str, tmp_path: Path) -> None:
    code = f"""
import numba
from numba.core import compiler_machinery, environment, event
kept = {internal}
from numba.core import codegen, compiler  # which import it
del {internal}
import plyground.compile.compiler
{internal} = kept
from plyground import load
from plyground.measure.perft import native
game = load("{SMALL}")
print(native(game)(game.start(), 4), plyground.compile.compiler.TextCache is None)
"""
    environment = {**os.environ, "PLYGROUND_CACHE": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split()[0] == "3024"


class RunsWithoutBuilder:
    """A manager of passes as an older Numba has it."""

    def run(self, function: Any) -> None: ...


@pytest.mark.parametrize("made", [object(), (object(), object()), (RunsWithoutBuilder(), object()), None])
def test_passes_over_functions_that_are_run_in_another_way(made: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codegen.JITCPUCodegen, "_function_pass_manager", lambda self: made)
    assert unavailable_reason("entry") == ["_function_pass_manager()"]


def test_another_thread_that_compiles_meanwhile_gets_code_that_runs() -> None:
    code = """
import threading
from numba import njit
from plyground.compile.shortcuts import shortcuts

def own(x):
    return x * 3 + 1

def entry():
    return 7

def other():
    begun.set()
    found.append(njit(own)(5))

found, begun = [], threading.Event()
thread = threading.Thread(target=other)
with shortcuts("entry"):
    thread.start()
    begun.wait()
    njit(entry).compile("int64()")
thread.join()
print(found)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "[16]\n"), done.stderr


def test_a_missing_function_is_an_error_and_does_not_end_the_process() -> None:
    @intrinsic  # type: ignore[untyped-decorator, unused-ignore]
    def call(ctx: Any) -> Any:
        def build(context: Any, b: Any, sig: Any, args: Any) -> Any:
            kind = ir.FunctionType(ir.IntType(64), [])
            return b.call(cgutils.get_or_insert_function(b.module, kind, "nobody_defines_this"), [])

        return nb.int64(), build

    def entry() -> Any:
        return call()

    with pytest.raises(PlygroundError, match="nobody_defines_this"), shortcuts(entry.__qualname__):
        njit(entry).compile("int64()")


def test_plain_numba_may_call_what_was_compiled_with_shortcuts() -> None:
    def long(x: int) -> Any: ...

    lines = "".join(f"    x = (x * {i + 3} if x & {1 << i % 30} else x ^ {i * 7 + 1}) & 0xFFFFFFF\n" for i in range(100))
    scope: dict[str, Any] = {}
    exec(f"def impl(x):\n{lines}    return x", scope)
    overload(long)(lambda x: scope["impl"])

    def entry(x: int) -> Any:
        return long(x)

    def caller(x: int) -> Any:
        return long(x) + 1

    with shortcuts(entry.__qualname__):
        njit(entry).compile("int64(int64)")
    assert any(part.large for part in libraries._defined.values() if "impl" in part.name)
    assert njit(caller)(12345) == scope["impl"](12345) + 1


def test_a_search_to_a_depth_compiles_no_solver(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path))
    heard: list[Compiling] = []
    engine = Engine("tictactoe", evaluate="rules")
    engine.prepare(heard.append, limit=Limit(depth=4))
    assert heard[-1].functions
    heard.clear()
    engine.prepare(heard.append, limit=Limit(depth=4, time=1))
    assert not heard[-1].functions
    engine.prepare(heard.append)
    assert heard[-1].functions


def test_matrices_are_multiplied_though_compiling_does_not_import_linear_algebra(tmp_path: Path) -> None:
    code = f"""
import sys
from plyground import load
from plyground.measure.perft import native
game = load("{SMALL}")
print(native(game)(game.start(), 4), "scipy.linalg" in sys.modules)
import numpy as np
from plyground.compile.native import Native
def multiply(x):
    a = np.full((2, 3), float(x))
    b = np.full((3, 2), 2.0)
    return int((a @ b).sum() + np.dot(a[0], b[:, 1]) + np.convolve(a[0], a[0])[2])
print(Native(game).bind(multiply, "int64(int64)")(5), multiply(5))
"""
    environment = {**os.environ, "PLYGROUND_CACHE": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["3024", "False", "225", "225"], done.stderr


def test_garbage_of_the_compiler_is_collected_when_there_is_much(monkeypatch: pytest.MonkeyPatch) -> None:
    collected: list[int] = []
    monkeypatch.setattr(gc, "collect", lambda: collected.append(1))
    monkeypatch.setattr(tested.garbage, "waiting", 0)
    monkeypatch.setattr(tested.garbage, "MOST", 25_000)
    for _ in range(3):
        with shortcuts("entry"):
            kept: list[list[int]] = [[] for _ in range(10_000)]
        del kept
    assert collected == [1]
