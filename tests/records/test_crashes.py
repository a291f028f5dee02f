"""A process that dies at any point: each pair that was confirmed is there, whole, and none is there twice."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kept_pairs import job

from plyground.records.store import Records

HERE = Path(__file__).parent
PAIRS = 6
ACTION = st.one_of(
    st.tuples(st.just("add"), st.integers(0, PAIRS - 1)),
    st.tuples(st.just("schedule"), st.integers(0, PAIRS)),
    st.tuples(st.just("flush"), st.just(0)),
)
PLAN = st.fixed_dictionaries({"due": st.integers(1, 60), "after": st.booleans(), "actions": st.lists(ACTION, max_size=12)})


def run(path, plan):
    """The pairs that a process confirmed before it ended or died, each with whether it was new."""
    paths = os.pathsep.join([str(HERE), *sys.path])
    done = subprocess.run(
        [sys.executable, str(HERE / "crash.py"), str(path), json.dumps(plan)],
        env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode in (0, 9), done.stderr
    return [(int(pair), told == "True") for pair, told in map(str.split, done.stdout.splitlines())], done.returncode == 9


def check(plans):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "records.db"
        confirmed, allowed = set(), set()
        for plan in plans:
            before = {row.pair for row in kept(path)}
            said, died = run(path, plan)
            fresh = [pair for pair, new in said if new]
            assert len(fresh) == len(set(fresh))
            assert not set(fresh) & before
            confirmed |= {pair for pair, _ in said}
            tried = [pair for action, pair in plan["actions"] if action == "add"]
            # The one that was being written when the process died may be there or not.
            allowed |= {*tried[: len(said)], *(tried[len(said) : len(said) + 1] if died else [])}
            rows = kept(path)
            assert confirmed <= {row.pair for row in rows} <= allowed
            pairs = sorted({row.pair for row in rows})
            assert sorted((row.pair, row.side) for row in rows) == [(pair, side) for pair in pairs for side in (0, 1)]


def kept(path):
    if not path.exists():
        return []
    with Records(path) as records:
        (match,) = records.matches() or [None]
        if match is None:
            return []
        rows = list(records.games(match.id))
        scheduled = records.jobs(match.id)
        assert scheduled == [job(pair) for pair in range(len(scheduled))]
        there = {row.pair for row in rows}
        assert records.missing(match.id) == [job for job in scheduled if job["pair"] not in there]
        return rows


@settings(max_examples=6)
@given(st.lists(PLAN, min_size=1, max_size=3))
def test_what_was_confirmed_is_there(plans):
    check(plans)


@pytest.mark.long
@settings(max_examples=150)
@given(st.lists(PLAN, min_size=1, max_size=4))
def test_what_was_confirmed_is_there_in_many_cases(plans):
    check(plans)


@pytest.mark.long
@pytest.mark.parametrize("after", [False, True])
def test_every_point_of_one_pair(after):
    """From the first call of a new database to the last of the second pair."""
    actions = [("schedule", 3), ("add", 0), ("flush", 0), ("add", 1)]
    for due in range(1, 45):
        check([{"due": due, "after": after, "actions": actions}, {"due": 10**6, "after": after, "actions": actions}])
