"""Studies for tests: games are played here, without worker processes; and games as records, made by hand."""

from typing import Any

from plyground.arena.messages import PlayedGame
from plyground.arena.pair import play_pair
from plyground.arena.sources import UnpackedSetup
from plyground.arena.worker_pool import PairFinished
from plyground.report import Study
from plyground.report.matchups import Budget
from plyground.rules.load import load


class Here:
    """A worker pool that plays each pair when it is asked what happened."""

    def __init__(self, setup, count):
        self.setup, self.jobs = UnpackedSetup.unpack(setup), []

    def __enter__(self):
        return self

    def __exit__(self, *why):
        pass

    def free_slots(self):
        return 3 - len(self.jobs)

    def submit(self, job):
        self.jobs.append(job)

    def wait(self, seconds):
        """Plays the job that was given last: a worker pool may finish them in any order."""
        job = self.jobs.pop()
        return [PairFinished(job, play_pair(self.setup, job))]


def study(spec, games=4, seed=1):
    """A study that has run."""
    made = Study(load(spec), Budget(games=games, seed=seed, workers=1), Here)
    made.run()
    return made


def record(moves, side=0, result=0.5, **more):
    """A game between two players of level 9, as `arena/pair.py` records it."""
    n = len(moves)
    given: dict[str, Any] = {"side": side, "players": ("level:9", "level:9"), "seed": 1, "moves": tuple(moves), "result": result}
    given |= {"points": round(2 * result - 1), "reason": "rules", "times": (0.0,) * n, "seconds": 0.0}
    given |= {"scores": (0,) * n, "depths": (8,) * n, "nodes": (100,) * n}
    return PlayedGame(**(given | more))
