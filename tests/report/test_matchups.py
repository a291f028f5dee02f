"""Playing the pairs of a report: whatever the worker pool does, every pair is there once, or one clear line says why not."""

import random

import pytest

from plyground.arena.messages import PlayedPair
from plyground.arena.worker_pool import PairFailed, PairFinished, WorkerLost
from plyground.errors import PlygroundError
from plyground.report.matchups import Budget, Matchup, MatchupGames, jobs, matchups

KINDS = matchups()


class FakePool:
    """Ends jobs in any order; `ends` says how: a list of events to come before the job is done."""

    def __init__(self, ends=None):
        self.jobs, self.given, self.ends, self.dice = [], 0, ends or {}, random.Random(3)

    def __enter__(self):
        return self

    def __exit__(self, *why):
        pass

    def free_slots(self):
        return 4 - len(self.jobs)

    def submit(self, job):
        self.given += 1
        self.jobs.append(job)

    def wait(self, seconds):
        self.dice.shuffle(self.jobs)
        job = self.jobs.pop()
        left = self.ends.get(job.pair, [])
        if left:
            return [left.pop(0)(job)]
        return [PairFinished(job, PlayedPair(job.pair, (job, job)))]


def played(pool, **given):
    field = MatchupGames(most_plies=100)
    field.play(pool, KINDS, Budget(**given), None)
    return field


def test_every_kind_gets_its_games_in_the_order_of_their_numbers():
    field = played(FakePool(), games=10)
    assert field.count == 10 * len(KINDS)
    for n, kind in enumerate(KINDS):
        assert [pair[0].pair for pair in field.pairs(kind)] == [n + i * len(KINDS) for i in range(5)]


def test_a_lost_pair_is_played_again():
    pool = FakePool({5: [lambda job: WorkerLost(job, "SIGKILL")] * 2})
    assert played(pool, games=4).count == 4 * len(KINDS)
    assert pool.given == 2 * len(KINDS) + 2


@pytest.mark.parametrize(
    ("ends", "told"),
    [
        ([lambda job: WorkerLost(job, "SIGSEGV")] * 3, "SIGSEGV"),
        ([lambda job: PairFailed(job, "line 7: no such piece")], "line 7"),
    ],
)
def test_what_cannot_be_played_is_told(ends, told):
    with pytest.raises(PlygroundError, match=told):
        played(FakePool({5: list(ends)}), games=4)


def test_games_in_play_may_end_when_the_time_is_over():
    field = MatchupGames(most_plies=100)
    field.play(FakePool(), KINDS, Budget(minutes=1), -1.0)
    assert field.count == 0
    field.play(FakePool(), KINDS, Budget(games=2), 1e-9)
    assert field.count == 0


def test_games_of_one_kind_do_not_depend_on_the_others():
    own = [job for kind, job in jobs(KINDS, Budget(games=6, seed=5), 100) if kind == KINDS[2]]
    alone = [job for _, job in jobs([KINDS[2]], Budget(games=6, seed=5), 100)]
    assert [job.seed for job in own] == [job.seed for job in alone]
    opening = [job for _, job in jobs([Matchup("opening", KINDS[2].players, ("4",))], Budget(games=6, seed=5), 100)]
    assert not {job.seed for job in opening} & {job.seed for job in own}
