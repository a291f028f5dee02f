"""What the tests of the arena's workers share: small matches, and processes that may be gone."""

import json
import os
import signal
from typing import Any

from plyground.arena.contest import Schedule
from plyground.arena.messages import MatchSettings, OpeningLines
from plyground.arena.openings import Openings
from plyground.arena.sources import UnpackedSetup, collect
from plyground.arena.worker_pool import PairFinished, WorkerLost
from plyground.system.codec import decode, encode
from running import wait_until

SLOW = '''
import os
import sys
import time
from typing import NamedTuple

IN_A_WORKER = "worker.py" in str(getattr(sys.modules["__main__"], "__file__", ""))


def hang_once(path):
    """The first process that comes here writes its number to a file and hangs."""
    try:
        with open(path, "x") as file:
            print(os.getpid(), file=file)
    except FileExistsError:
        return
    time.sleep(600)


class State(NamedTuple):
    left: int


def start():
    return State(8)


def moves(s):
    return range(1, min(s.left, 2) + 1)


def play(s, m):
    if IN_A_WORKER and s.left < 3:
        {effect}
    return State(s.left - m)


def result(s):
    return -1 if s.left == 0 else None
'''


def rules(effect):
    """A tiny game in which a worker's last moves have an effect: a line of Python."""
    return SLOW.format(effect=effect)


OPENINGS = {"name": "openings", "lines": ["moves: 1", "moves: 2"]}
"""Openings of the tiny game: without a search, which would compile it."""


def through_json(message):
    return decode(type(message), json.loads(json.dumps(encode(message))))


def match_settings(**given):
    """The settings of a match, as they are written in JSON."""
    return decode(MatchSettings, {"games": 8, **given})


def small(game, players, **options):
    """The setup and the jobs of a small match."""
    setup = through_json(collect(str(game), players))
    unpacked = UnpackedSetup.unpack(setup)
    given = decode(OpeningLines, OPENINGS) if unpacked.game.file and "mygame" in unpacked.game.file else None
    schedule = Schedule(players, Openings(unpacked.game, 1, given), match_settings(**options), 1)
    return setup, list(map(through_json, schedule.jobs(match=1)))


def untimed(game):
    """A game without what the clock says."""
    data = game if isinstance(game, dict) else encode(game)
    return {k: v for k, v in data.items() if k not in ("times", "seconds", "written")}


def kill_the_one_that_hangs(path):
    """Kills the process that hangs in mid-game, and gives its number."""
    wait_until(lambda: path.exists() and path.read_text().endswith("\n"))
    pid = int(path.read_text())
    os.kill(pid, signal.SIGKILL)
    return pid


def first_event(pool):
    """What a worker pool reports next."""
    events: list[Any] = []

    def some():
        events.extend(pool.wait(0.1))
        return events

    wait_until(some)
    return events[0]


def play_all(pool, jobs):
    """Plays jobs as the coordinator does; results by pair, and everything that happened."""
    pending = list(jobs)
    events: list[Any] = []
    results: dict[int, Any] = {}
    while len(results) < len(jobs):
        while pool.free_slots() > 0 and pending:
            pool.submit(pending.pop(0))
        for event in pool.wait(0.05):
            events.append(event)
            if isinstance(event, WorkerLost):
                pending.insert(0, event.job)
            else:
                assert isinstance(event, PairFinished), event
                assert event.job.pair not in results
                results[event.job.pair] = event.result
    return results, events
