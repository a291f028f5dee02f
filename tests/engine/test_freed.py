"""Tables are freed with their owner at once: the collector sees a few small objects, not the megabytes behind them."""

import gc
import weakref

import pytest

from plyground import Engine, Limit, Solver, load
from plyground.solver.book import make_book
from plyground.solver.prover import Prover

NIM = "nim(heaps=2, size=3)"


def engine():
    one = Engine(NIM, memory=1)
    one.choose(limit=Limit(depth=3))
    one.start(limit=Limit(infinite=True)).stop()
    return one


def engine_with_time():
    """It asks the solver first."""
    one = Engine(NIM, memory=1)
    one.choose(limit=Limit(time=0.1))
    return one


def solver():
    one = Solver(NIM, memory=1, threads=2)
    one.solve(all_moves=True, on_progress=lambda progress: None)
    return one


def prover():
    one = Prover(NIM, memory=1)
    one.prove(on_progress=lambda progress: None)
    return one


@pytest.mark.parametrize("make", [engine, engine_with_time, solver, prover])
def test_memory_is_freed_with_its_owner(make):
    gc.disable()
    try:
        left = weakref.ref(make())  # not inside an assert: pytest would keep the owner to show it
        assert left() is None
    finally:
        gc.enable()


def test_a_book_leaves_no_solver_behind(tmp_path):
    gc.collect()
    gc.disable()
    try:
        make_book(load("tictactoe"), 1, tmp_path / "t.book", memory=1)
        assert [o for o in gc.get_objects() if type(o) is Solver] == []
    finally:
        gc.enable()
