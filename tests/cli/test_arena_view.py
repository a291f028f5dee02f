"""The live table of a match: what it shows, on a terminal, in a narrow one, and where there is none."""

import io
import json
import sys
from dataclasses import replace

import pytest

from plyground.arena.contest import Contest
from plyground.arena.messages import MatchSettings, PlayedPair
from plyground.arena.pair import play_pair
from plyground.arena.sources import UnpackedSetup
from plyground.arena.worker_pool import PairFinished, WorkerLost
from plyground.cli import _match_progress
from plyground.cli._match_progress import MatchProgress, PairLines
from plyground.players.player import LATE
from plyground.records.rows import Forfeit
from plyground.records.store import Records


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self):
        return True


@pytest.fixture
def contest():
    with Records() as records:
        yield Contest.new(records, "nim", ["random", "random"], MatchSettings(20), seed=1)


@pytest.fixture
def shown(contest, monkeypatch):
    """Plays three pairs before the eyes of a viewer; what stood on stderr in the end."""
    monkeypatch.setattr(_match_progress, "REDRAW_SECONDS", 0.0)
    monkeypatch.setattr("plyground.cli._terminal.PROGRESS_DELAY", 1.0)

    def show(stream):
        monkeypatch.setattr(sys, "stderr", stream)
        with MatchProgress(contest, "2 workers", False) as view:
            for pair, done in zip(range(3), played(contest), strict=False):
                contest.count.add(pair, done.result.games)
                view.began -= 10 ** (pair + 1)  # each pair takes ten times as long
                view.event(done)
            view.event(WorkerLost(contest.schedule.job(3), "signal 9"))
        return stream.getvalue()

    return show


def played(contest):
    setup = UnpackedSetup.unpack(contest.setup)
    for pair in range(10):
        job = contest.schedule.job(pair)
        yield PairFinished(job, play_pair(setup, job))


def test_a_table_on_a_terminal(shown, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    text = shown(Terminal())
    assert "player      won  drawn  lost" in text
    assert "random (1)" in text
    assert "6 of 20 games, " in text
    assert " games/s, about " in text
    assert "a worker died (signal 9); replaying pair 3" in text


def test_the_first_game_lost_on_time_is_reported_with_what_becomes_of_it(contest, capsys):
    job = contest.schedule.job(0)
    first, second = next(played(contest)).result.games
    late = replace(first, reason=LATE, forfeit=Forfeit(0, "it moved after 2 s"))
    with MatchProgress(contest, "2 workers", False) as view:
        for games in ((replace(first, late=(0, 0)), second), (late, second), (late, late)):
            view.event(PairFinished(job, PlayedPair(0, games)))
    assert capsys.readouterr().err.splitlines() == [
        "random has lost a game on time, which was played again",
        "random has lost a game (overstepped its time), which does not count: it moved after 2 s",
    ]


def test_a_narrow_terminal_shows_what_fits(shown, monkeypatch):
    monkeypatch.setenv("COLUMNS", "30")
    text = shown(Terminal())
    assert "random (1)    " in text
    assert "95 % interval" not in text


def test_lines_where_there_is_no_terminal(shown):
    lines = shown(io.StringIO()).splitlines()
    assert lines[2].startswith("6 of 20 games, ")
    assert lines[2].count("Elo, between") + lines[2].count("at ") == 1
    assert "\x1b" not in "".join(lines)


def test_the_first_pair_may_take_long(contest, monkeypatch):
    """Nothing is known yet about the time, but something is shown."""
    monkeypatch.setattr(_match_progress, "REDRAW_SECONDS", 0.0)
    monkeypatch.setattr("plyground.cli._terminal.PROGRESS_DELAY", 1.0)
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with MatchProgress(contest, "2 workers", False) as view:
        view.began -= 5
        view.first -= 5
        view.event(None)
    assert stream.getvalue() == "0 of 20 games, the first pair is being played: 5 s, 2 workers; no result yet\n"


def test_json_lines_are_in_order(contest, capsys):
    lines = PairLines(contest)
    first, second, third, fourth = (done for done, _ in zip(played(contest), range(4), strict=False))
    seen = []
    for done in (second, None, first, fourth):
        lines.event(done)
        seen.append([json.loads(line)["pair"] for line in capsys.readouterr().out.splitlines()])
    assert seen == [[], [], [0, 1], []]
    lines.rest()
    assert json.loads(capsys.readouterr().out)["pair"] == 3
    assert third.job.pair == 2
