"""Writes the pairs of a plan, and dies at a given point without a farewell: `crash.py FILE PLAN`, with the plan as JSON.

Each pair whose writing was confirmed is printed at once. The point is counted in calls of SQLite's functions, so it also lies
between the two games of a pair, before and after the commit, and within a checkpoint.
"""

import functools
import json
import os
import sqlite3
import sys
from unittest.mock import patch

from kept_pairs import job, result

from plyground.records.store import Records


class Mortal(sqlite3.Connection):
    """A connection that ends its process before or after the call that is due."""

    calls = 0
    due = 10**9
    after = False

    def execute(self, *words):
        return self._mortal(super().execute, *words)

    def executemany(self, text, rows):
        def one_by_one():
            for number, row in enumerate(rows):
                if number:
                    self._count()
                yield row

        return self._mortal(super().executemany, text, one_by_one())

    def _mortal(self, act, *words):
        dies = self._count(die=not Mortal.after)
        found = act(*words)
        if dies:
            os._exit(9)
        return found

    def _count(self, die=True):
        Mortal.calls += 1
        if Mortal.calls != Mortal.due:
            return False
        if die:
            os._exit(9)
        return True


def main(path, plan):
    Mortal.due, Mortal.after = plan["due"], plan["after"]
    with patch("sqlite3.connect", functools.partial(sqlite3.connect, factory=Mortal)), Records(path) as records:
        number = records.last_unfinished("arena") or records.new_match("arena", "nim", ["engine", "random"], {}, seed=1)
        for action, pair in plan["actions"]:
            if action == "schedule":
                records.schedule(number, map(job, range(pair)))
            elif action == "add":
                print(pair, records.add_pair(number, result(pair)), flush=True)
            elif action == "flush":
                records._database.flush()


if __name__ == "__main__":
    main(sys.argv[1], json.loads(sys.argv[2]))
