"""A match from beginning to end: exactly the scheduled games, in any order, after any interruption."""

import itertools
import os
import random
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from playing import OPENINGS, match_settings, rules, through_json, untimed

from plyground import PlygroundError
from plyground.arena import tables
from plyground.arena.contest import Contest, OrderedTally
from plyground.arena.messages import LATE_RULES, MatchSettings, PlayedGame, PlayedPair
from plyground.arena.pair import play_pair
from plyground.arena.sources import UnpackedSetup
from plyground.arena.statistics import Sprt
from plyground.arena.worker_pool import PairFailed, PairFinished, WorkerLost
from plyground.players.player import LATE
from plyground.records.rows import Forfeit
from plyground.records.store import Records
from plyground.system.codec import encode
from running import gone, wait_until

posix = pytest.mark.skipif(os.name == "nt", reason="signals and /proc")
PLAYERS = ["textbook:alphabeta,depth=2", "random"]
SQUARES = {"name": "squares", "lines": [f"moves: {a} {b}" for a, b in itertools.permutations(("a1", "b2", "c3", "a3", "b1"), 2)]}
"""Openings of tic-tac-toe: without a search, which needs the engine."""


@pytest.fixture
def records(tmp_path):
    with Records(tmp_path / "records.db") as records:
        yield records


class Here:
    """A worker pool that plays in this process and answers in any order; `fault` may do something else with a job."""

    def __init__(self, contest, seed=0, room=5, fault=None):
        self.setup, self.random, self.size, self.fault = UnpackedSetup.unpack(contest.setup), random.Random(seed), room, fault
        self.jobs, self.given = [], []

    def __enter__(self):
        return self

    def __exit__(self, kind, e, trace):
        pass

    def free_slots(self):
        return self.size - len(self.jobs)

    def submit(self, job):
        assert self.free_slots() > 0
        self.jobs.append(job)
        self.given.append(job.pair)

    def wait(self, seconds):
        job = self.jobs.pop(self.random.randrange(len(self.jobs)))
        found = self.fault(job) if self.fault else None
        return [found or PairFinished(job, through_json(play_pair(self.setup, job)))]


def played(records, match=1):
    return [untimed(game._asdict()) | {"match": 0} for game in records.games(match)]


def new(records, **settings):
    return Contest.new(records, "tictactoe", PLAYERS, match_settings(**{"games": 20, "openings": SQUARES, **settings}), seed=1)


def test_pairs_may_end_in_any_order(records):
    summaries = []
    for seed in range(3):
        contest = new(records)
        summaries.append(contest.run(Here(contest, seed))._replace(match=0, seconds=0))
        assert played(records, contest.match) == played(records, 1)
        assert records.match(contest.match).ended == "games"
    assert summaries[0] == summaries[1] == summaries[2]
    assert len(played(records)) == 20
    assert summaries[0].tallies[0, 1].played == 20


def test_a_test_stops_at_the_same_pair_whoever_is_faster(records):
    ends = set()
    for seed in range(2):
        contest = new(records, games=2000, sprt={"elo0": 0, "elo1": 100})
        found = contest.run(Here(contest, seed, room=9))
        assert found.ended == "accepted"
        ends.add((found.pairs, *found.tallies[0, 1].pairs))
        again = Contest(records, contest.match)  # reads the same from the records, with the pairs that came later left out
        assert again.summary()._replace(seconds=0) == found._replace(seconds=0)
        assert again.ended == "accepted"
    assert len(ends) == 1
    assert next(iter(ends))[0] < 1000


def test_a_match_goes_on_where_it_was_left(records):
    undisturbed = new(records)
    undisturbed.run(Here(undisturbed))
    match, rounds = new(records).match, 0
    while (contest := Contest(records, match)).ended is None:
        events = iter(range(4))
        rounds += 1

        def interrupted(job, events=events):
            if next(events, None) is None:
                raise KeyboardInterrupt

        pool = Here(contest, rounds, fault=interrupted)
        before = {game["pair"] for game in played(records, match)}
        try:
            contest.run(pool)
        except KeyboardInterrupt:
            assert len(played(records, match)) == 2 * (len(before) + 4)
        assert not before & set(pool.given)
    assert rounds == 3
    assert played(records, match) == played(records, undisturbed.match)
    assert contest.run(Here(contest)).ended == "games"  # nothing is left to play


def test_a_lost_pair_is_given_again(records):
    contest = new(records)
    lost: list[int] = []

    def unlucky(job):
        if job.pair in (3, 5) and lost.count(job.pair) < 2:
            lost.append(job.pair)
            return WorkerLost(job, "SIGKILL")
        return None

    pool = Here(contest, fault=unlucky)
    contest.run(pool)
    assert sorted(pool.given) == sorted([*range(10), 3, 3, 5, 5])
    assert len(played(records)) == 20


def test_a_pair_that_ends_three_workers_stops_the_match(records):
    contest = new(records)
    pool = Here(contest, fault=lambda job: WorkerLost(job, "SIGSEGV") if job.pair == 3 else None)
    with pytest.raises(PlygroundError, match=r"^pair 3 \(.* against random\) has crashed 3 workers, the last one with SIGSEGV$"):
        contest.run(pool)
    assert pool.given.count(3) == 3
    assert records.match(1).ended is None


def test_a_pair_that_cannot_be_played_stops_the_match(records):
    contest = new(records)
    pool = Here(contest, fault=lambda job: PairFailed(job, "no luck", "Traceback: here") if job.pair == 3 else None)
    with pytest.raises(PlygroundError) as e:
        contest.run(pool)
    assert str(e.value) == "pair 3 (textbook:alphabeta,depth=2 against random): no luck"
    assert e.value.__notes__ == ["Traceback: here"]  # for --debug


def kept(side, **more):
    """A game as far as it is counted."""
    given: dict[str, Any] = {"side": side, "players": ("a", "a"), "seed": 1, "moves": (), "points": 0, "reason": "rules"}
    given |= {"seconds": 0.0, **more}
    return PlayedGame(scores=(), depths=(), nodes=(), times=(), **given)


def test_games_that_were_played_before_count_once():
    def pair(*moves):
        return [kept(side, moves=m, result=r) for side, r, m in zip((0, 1), (1, 0.5), moves, strict=True)]

    count = OrderedTally([(0, 1)])
    count.add(1, pair(["b2"], ["a1"]))  # one game of it will be known by then
    assert count.next == 0
    count.add(0, pair(["a1"], ["a1"]))  # the same moves with the sides exchanged are another game
    count.add(2, pair(["a1"], ["a1"]))
    found = count.tallies[0, 1]
    assert (count.next, found.games, found.duplicates, found.pairs) == (3, 2, 3, [0, 0, 0, 1, 0])


def late(side, player=0, **more):
    """A game that a player has lost on time."""
    return kept(side, result=float(player), points=2 * player - 1, reason=LATE, forfeit=Forfeit(player, "too late"), **more)


def test_games_lost_on_time_decide_nothing_and_their_discs_do_not_count():
    counted = [kept(side, start=str(side), result=1.0, points=20) for side in (0, 1)]
    count = OrderedTally([(0, 1)], Sprt(0, 50))
    count.add(0, [late(0), kept(1, start="a", result=0.0, points=-30)])
    count.add(1, counted)
    count.add(2, [late(0, 1), late(1, 1)])
    count.add(3, [kept(side, start="a", result=1.0, points=10) for side in (0, 1)])  # pair 0 has not played it
    found = count.tallies[0, 1]
    assert (found.pairs, found.late, found.unpaired, found.duplicates) == ([0, 0, 0, 0, 2], [1, 2], 1, 0)
    assert (found.points, found.played, found.forfeits) == ([20, 10], 8, (Counter(), Counter()))
    assert (
        tables.details(found, margins=True)[-1] == "3 games lost on time are not counted, 1 other game of the same pairs left out"
    )
    for pair in range(4, 300):
        count.add(pair, [late(0), late(1)])
    assert (count.verdict, count.next) == ("late", 104)


def test_games_lost_on_time_stay_out_of_the_score_in_the_records(records):
    for rule in LATE_RULES:
        settings = encode(MatchSettings(2, late=rule))
        match = records.new_match("arena", "tictactoe", PLAYERS, settings)
        records.add_pair(match, encode(PlayedPair(0, (late(0), kept(1, result=1.0)))))
    assert list(records.tallies().values()) == [(2, 1, 0, 0), (2, 1, 0, 0), (2, 1, 0, 1)]
    assert [row.forfeit and row.forfeit.player for row in records.games(match)] == [0, None]


def test_a_sequential_test_gives_up_when_games_repeat():
    count = OrderedTally([(0, 1)], Sprt(0, 10))
    for pair in range(300):
        count.add(pair, [kept(side, result=0.5) for side in (0, 1)])
    assert (count.verdict, count.next) == ("duplicates", 101)
    assert count.tallies[0, 1].pairs == [0, 0, 1, 0, 0]


def test_what_cannot_be_played_leaves_no_match(records):
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"games": 0}, "games must be a whole number"),
        ({"sprt": {"elo0": 10, "elo1": 0}}, "two bounds"),
        ({"players": ["random"]}, "two players"),
        ({"players": ["random", "textbook:alpha"]}, "no algorithm named 'alpha'"),
        ({"players": ["random"] * 3, "sprt": {"elo0": 0, "elo1": 10}}, "compares two players"),
    ]
    for settings, message in wrong:
        given = {"players": PLAYERS, "games": 4, "openings": SQUARES, **settings}
        with pytest.raises(PlygroundError, match=message):
            Contest.new(records, "tictactoe", given.pop("players"), match_settings(**given), seed=1)
    assert records.matches() == []


def test_only_matches_of_the_arena_go_on(records):
    match = records.new_match("play", "nim", ["you", "engine"], {})
    with pytest.raises(PlygroundError, match=f"^match {match} was not played in the arena"):
        Contest(records, match)
    with pytest.raises(PlygroundError, match=r"^there is no match 77 "):
        Contest(records, 77)


def test_a_match_of_another_version_does_not_go_on(records):
    made = new(records)
    settings, setup = encode(made.settings), {**encode(made.setup), "code": "0" * 32}
    later = {"taken": "later"}  # a field that this version doesn't know
    for kept_settings, kept_setup in ((settings, setup), (settings | later, setup), (settings, setup | later)):
        old = records.new_match("arena", "tictactoe", PLAYERS, kept_settings, kept_setup, 1)
        with pytest.raises(PlygroundError, match=r"^this match was started by Plyground \S+ \(00000000\)"):
            Contest(records, old)


@pytest.mark.parametrize("damage", [{"version": 3}, {"code": None}, {"taken": "later"}])
def test_a_damaged_setup_is_told_in_one_line(records, damage):
    made = new(records)
    setup = encode(made.setup) | damage
    match = records.new_match("arena", "tictactoe", PLAYERS, encode(made.settings), setup, 1)
    with pytest.raises(PlygroundError, match=rf"^match {match} cannot be resumed: its setup or its settings are damaged$"):
        Contest(records, match)


def test_a_damaged_job_is_found_before_anything_is_played(records):
    match = new(records).match
    records.schedule(match, [{"pair": 3, "players": PLAYERS}])
    with pytest.raises(
        PlygroundError, match=rf"^match {match} cannot be resumed: one of its pairs is damaged \(Job lacks 'seed'\)$"
    ):
        Contest(records, match)


@posix
def test_a_match_is_played_by_one_process_at_a_time(records):
    contest = new(records)
    with records.lock(contest.match), pytest.raises(PlygroundError, match=r"^match 1 is being played by another process"):
        contest.run(Here(contest))


def test_rules_that_are_edited_meanwhile_do_not_matter(records, rules_file):
    game = rules_file(rules("pass"))
    settings = match_settings(openings=OPENINGS)
    made = [Contest.new(records, str(game), ["random", "random"], settings, seed=1) for _ in range(2)]
    made[0].run(Here(made[0]))
    rules_file("raise SystemExit('gone')")
    again = Contest(records, made[1].match)
    again.run(Here(again))
    assert played(records, 2) == played(records, 1)


def test_the_verdict_is_the_same_for_every_order_of_arrival():
    dice = random.Random(1)
    pairs = [dice.choices((0, 0.5, 1), (3, 4, 5), k=2) for _ in range(400)]

    def verdict(order):
        count = OrderedTally([(0, 1)], Sprt(0, 50))
        for pair in order:
            count.add(pair, [kept(side, start=str(pair), result=pairs[pair][side]) for side in (0, 1)])
        return count.verdict, count.next

    first = verdict(range(400))
    assert first[0] is not None
    for _ in range(3):
        order = sorted(range(400), key=lambda pair: pair + dice.uniform(0, 20))
        assert verdict(order) == first


# -- kill -9 -------------------------------------------------------------------------------------------------------------------


def arena(file, *words):
    """`plyground arena` in a process of its own."""
    command = [sys.executable, "-m", "plyground", "arena", *words, "--records", str(file), "--workers", "2"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def children_of(pid):
    """The processes that a process has started, by any of its threads."""
    files = Path(f"/proc/{pid}/task").glob("*/children")
    return {int(word) for file in files for word in file.read_text().split()}


def kill_and_resume(file, words, games, kills, dice):
    """Kills a match at random moments, the first time before a game has ended; at last it may end. All workers that it had."""
    workers, command = set(), [*words, "--games", str(games), "--seed", "7"]
    with Records(file) as records:
        for number in range(kills):
            process = arena(file, *command)
            wait_until(lambda process=process: records.matches() or process.poll() is not None)
            more = dice.randrange(games // kills) if number else 0
            enough = records.count(1)[1] + more
            wait_until(lambda process=process, enough=enough: records.count(1)[1] >= enough or process.poll() is not None)
            workers |= children_of(process.pid)
            process.kill()
            assert "Traceback" not in process.communicate()[0]
            assert process.returncode == -signal.SIGKILL  # it was not over yet
            command = ["--resume", "1"]
    last = arena(file, *command)
    told, _ = last.communicate()
    assert last.returncode == 0, told
    wait_until(lambda: all(map(gone, workers)))
    return workers


def as_if_undisturbed(file, records, words, games, **settings):
    """Are the records those of a match that was played at one go, here?"""
    contest = Contest.new(records, words[0], words[1:3], match_settings(games=games, **settings), seed=7)
    contest.run(Here(contest))
    with Records(file) as found:
        assert found.count(1) == (games // 2, games)
        assert len(found.matches()) == 1
        assert found.match(1).ended == "games"
        return played(found) == played(records)


@posix
def test_a_killed_match_goes_on(tmp_path, records):
    openings, file = tmp_path / "squares", tmp_path / "killed.db"
    openings.write_text("\n".join(SQUARES["lines"]))
    words = ["tictactoe", *PLAYERS, "--openings", str(openings)]
    kill_and_resume(file, words, games=200, kills=1, dice=random.Random(1))
    assert as_if_undisturbed(file, records, words, games=200, openings=SQUARES)


@posix
@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2])
def test_a_match_that_is_killed_five_times_has_exactly_its_games(tmp_path, records, seed):
    words, file = ["connect4", "engine:nodes=1000", "level:3"], tmp_path / "killed.db"
    workers = kill_and_resume(file, words, games=200, kills=5, dice=random.Random(seed))
    assert len(workers) >= 4
    assert as_if_undisturbed(file, records, words, games=200)
