"""What travels between processes is checked on both sides, and what earlier versions kept can be read."""

import pytest

from plyground import Limit
from plyground.arena.messages import Adjudication, Job, MatchSettings, MatchSetup, PlayedPair, WorkerReply
from plyground.arena.statistics import Sprt
from plyground.system.codec import MessageError, decode, encode

OLD_JOB = {
    "match": 1, "pair": 3, "players": ["engine", "random"], "start": None, "opening": ["a1"], "seed": 5,
    "limit": {"nodes": 50}, "adjudicate": {}, "most_plies": None,
}  # fmt: skip
OLD_SETTINGS = {"games": 4, "gauntlet": True, "limit": {"depth": 2}, "adjudicate": {}, "sprt": {"elo0": 0.0, "elo1": 10.0}}
OLD_SETUP = {
    "version": "0.1.0", "code": "0" * 32, "game": {"spec": "nim"}, "files": {}, "usual": "nim.net",
    "nets": {"nim.net": {"file": "nim.net", "checksum": "1234"}}, "programs": {"uci:x": ["/usr/bin/x", "--uci"]},
}  # fmt: skip


def test_what_earlier_versions_kept_is_read():
    job = decode(Job, OLD_JOB)
    assert (job.limit, job.adjudicate, job.opening) == (Limit(nodes=50), Adjudication(), ("a1",))
    assert decode(Job, encode(job)) == job
    assert decode(MatchSettings, OLD_SETTINGS).sprt == Sprt(0.0, 10.0)
    setup = decode(MatchSetup, OLD_SETUP)
    assert (setup.nets["nim.net"].checksum, setup.programs["uci:x"]) == ("1234", ("/usr/bin/x", "--uci"))
    assert decode(MatchSetup, encode(setup)) == setup


@pytest.mark.parametrize(
    ("kind", "data", "why"),
    [
        (Job, [], "Job must be an object, not []"),
        (Job, {"pair": 0}, "Job lacks 'players'"),
        (Job, {**OLD_JOB, "pair": True}, "Job.pair must be a whole number, not True"),
        (Job, {**OLD_JOB, "players": "ab"}, "Job.players must be a list, not 'ab'"),
        (Job, {**OLD_JOB, "limit": {"plies": 3}}, "Job.limit has no 'plies'"),
        (PlayedPair, {"pair": 0, "games": [{}]}, "PlayedPair.games lacks 'side'"),
        (WorkerReply, {"ready": 1}, "WorkerReply.ready must be true or false, not 1"),
    ],
)
def test_anything_else_is_refused_in_one_line(kind, data, why):
    with pytest.raises(MessageError) as error:
        decode(kind, data)
    assert str(error.value).startswith(why)


def test_a_wrong_value_is_not_sent():
    with pytest.raises(MessageError, match=r"Job\.seed must be a whole number, not 1\.5"):
        encode(Job(0, ("random", "random"), seed=1.5))  # type: ignore[arg-type]
