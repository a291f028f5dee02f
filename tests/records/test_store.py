"""The store: what goes in comes out, once."""

import os

import pytest
from kept_pairs import game, job, result

from plyground import PlygroundError
from plyground.players.player import UNPARSABLE
from plyground.records.rows import RecordId
from plyground.records.store import Records, records_path


@pytest.fixture
def records(tmp_path):
    with Records(tmp_path / "records.db") as records:
        yield records


def begin(records, kind="arena", game="nim"):
    return records.new_match(kind, game, ["engine", "random"], {"games": 4, "sprt": None}, {"version": "0.1.0"}, seed=1 << 70)


def test_a_match_comes_back_as_it_went_in(records):
    number = begin(records)
    row = records.match(number)
    assert row[:7] == (number, "arena", "nim", ["engine", "random"], {"games": 4, "sprt": None}, {"version": "0.1.0"}, 1 << 70)
    assert row.ended is None
    records.end(number, "accepted")
    assert records.match(number).ended == "accepted"


def test_games_come_back_as_they_went_in(records):
    number = begin(records)
    assert records.add_pair(number, result(7, duplicate=True))
    first, second = records.games(number)
    assert (first.id, second.id) == (f"{number}.7.0", f"{number}.7.1")
    for side, row in enumerate((first, second)):
        assert row.more == {"duplicate": True}
        assert row.as_json().items() >= game(side, duplicate=True, kind="arena", game="nim").items()


def test_an_old_name_of_a_reason_is_read_as_the_new_one(records):
    number = begin(records)
    assert records.add_pair(number, result(0, reason="rubbish"))
    assert [row.reason for row in records.games(number)] == [UNPARSABLE] * 2


def test_a_pair_is_written_once(records):
    number = begin(records)
    assert records.add_pair(number, result(0))
    assert not records.add_pair(number, result(0, moves=[]))
    assert [row.moves for row in records.games(number)] == [["a1", "b2", "é"]] * 2


def test_both_games_of_a_pair_or_none(records):
    number = begin(records)
    broken = {"pair": 0, "games": [game(0), game(1, opening="three")]}
    with pytest.raises(Exception, match="cannot store TEXT"):
        records.add_pair(number, broken)
    assert list(records.games(number)) == []
    assert records.add_pair(number, result(0))


def test_what_is_scheduled_and_what_is_missing(records):
    number, other = begin(records), begin(records)
    records.schedule(number, [job(pair) for pair in (2, 0, 1)])
    records.schedule(number, [job(1, seed=99), job(3)])
    records.schedule(other, [job(0)])
    assert records.jobs(number) == [job(pair) for pair in range(4)]
    records.add_pair(number, result(1))
    assert records.missing(number) == [job(0), job(2), job(3)]
    assert records.count(number) == (4, 2)


def test_games_are_found_by_match_pair_kind_and_game(records):
    numbers = [begin(records), begin(records, game="connect4"), begin(records, kind="play")]
    for number in numbers:
        for pair in range(2):
            records.add_pair(number, result(pair))
    assert [row.id for row in records.games(numbers[0], pair=1)] == ["1.1.0", "1.1.1"]
    assert [row.id for row in records.games(numbers[0], pair=1, side=1)] == ["1.1.1"]
    assert {row.match for row in records.games(game="nim")} == {1, 3}
    assert {row.match for row in records.games(kind="play")} == {3}
    assert len(list(records.games())) == 12
    assert [row.id for row in records.matches(game="connect4")] == [2]


def test_many_games_are_read_in_order_while_more_are_written(records):
    number = begin(records)
    for pair in range(200):
        records.add_pair(number, result(pair))
    rows = []
    for row in records.games(number):
        rows.append((row.pair, row.side))
        if len(rows) == 10:
            records.add_pair(number, result(200))
    assert rows == [(pair, side) for pair in range(201) for side in (0, 1)]


def test_a_game_is_written_over_itself(records):
    number = begin(records, kind="play")
    for moves in (["a1"], ["a1", "b1"]):
        records.write_game(number, game(0, moves=moves, result=None, reason=None, clock={"left": [3, 4]}))
    (row,) = records.games(number)
    assert (row.id, row.moves, row.result, row.more) == (str(number), ["a1", "b1"], None, {"clock": {"left": [3, 4]}})


def test_the_last_unfinished_match_is_the_one_written_last(records):
    assert records.last_unfinished("play") is None
    first, second, third = (begin(records, kind="play") for _ in range(3))
    assert records.last_unfinished("play") == third
    records.write_game(first, game(0))
    assert records.last_unfinished("play") == first
    records.end(first, "rules")
    assert records.last_unfinished("play") == third
    assert [row.id for row in records.matches(unfinished=True)] == [second, third]
    assert records.last_unfinished("arena") is None


def test_a_match_is_played_by_one_process_at_a_time(records):
    with records.lock(3), records.lock(4):
        others = Records(records.path)
        with pytest.raises(PlygroundError, match="match 3 is being played by another process"), others.lock(3):
            pass
        others.close()
    with records.lock(3):
        pass
    assert list(records.path.parent.glob("*.lock")) == []


@pytest.mark.skipif(os.name == "nt", reason="symbolic links need rights there")
def test_a_link_to_the_database_has_the_same_locks(records, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "elsewhere" / "link.db"
    link.symlink_to(records.path)
    others = Records(link)
    refused = pytest.raises(PlygroundError, match="match 3 is being played by another process")
    with records.lock(3), refused, others.lock(3):
        pass
    others.close()


@pytest.mark.parametrize("act", ["add_pair", "schedule", "write_game", "match"])
def test_a_match_that_is_not_there(records, act):
    given = {"add_pair": [result(0)], "schedule": [[job(0)]], "write_game": [game(0)], "match": []}
    with pytest.raises(PlygroundError, match="there is no match 9 in"):
        getattr(records, act)(9, *given[act])


def test_where_the_records_are(tmp_path, monkeypatch):
    monkeypatch.delenv("PLYGROUND_RECORDS", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert records_path() == tmp_path / "plyground" / "records.db"
    monkeypatch.setenv("PLYGROUND_RECORDS", str(tmp_path / "mine.db"))
    with Records() as records:
        assert records.path == tmp_path / "mine.db"


def test_names_of_records():
    assert [str(RecordId.parse(text)) for text in ("3", "3.17", "3.17.1")] == ["3", "3.17", "3.17.1"]
    for text in ("", "x", "3.", "3.1.1.1", "-1", "²", "1" * 30):
        with pytest.raises(PlygroundError, match="is not the name of a record"):
            RecordId.parse(text)
