"""What can happen to a database: one clear line each, and nothing that was kept is lost."""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

import pytest
from kept_pairs import game, job, result

from plyground import PlygroundError
from plyground.records import database
from plyground.records.store import Records

NOBODY = 65534
"""The number of a user without rights."""
posix = pytest.mark.skipif(os.name == "nt", reason="other permissions")


@pytest.fixture
def path(tmp_path):
    """A database with a match of 40 pairs."""
    path = tmp_path / "records.db"
    with Records(path) as records:
        fill(records, 40)
    return path


def fill(records, pairs):
    number = records.new_match("arena", "nim", ["engine", "random"], {}, seed=1)
    records.schedule(number, map(job, range(pairs)))
    for pair in range(pairs):
        records.add_pair(number, result(pair))
    return number


def read_all(path):
    """Everything that a reader may ask for."""
    with Records(path, new=False) as records:
        for match in records.matches():
            records.jobs(match.id)
            records.missing(match.id)
        return list(records.games())


def refusal(path):
    with pytest.raises(PlygroundError) as caught:
        read_all(path)
    text = str(caught.value)
    assert text.startswith(f"{path}: ")
    assert "\n" not in text
    return text


def test_other_files(tmp_path):
    (tmp_path / "text").write_text("Dear diary, today I played a game of chess against myself and lost.\n" * 99)
    (tmp_path / "folder").mkdir()
    with sqlite3.connect(tmp_path / "other") as other:
        other.execute("CREATE TABLE birds (name TEXT)")
    other.close()
    assert "this is not a database, or it is damaged" in refusal(tmp_path / "text")
    assert "this is a folder" in refusal(tmp_path / "folder")
    assert "this database has no records of Plyground" in refusal(tmp_path / "other")
    assert "there are no records yet" in refusal(tmp_path / "nothing")
    assert "there are no records yet" in refusal(tmp_path / "text" / "nothing")
    assert "cannot be opened (File name too long)" in refusal(tmp_path / ("x" * 300))
    assert not (tmp_path / "nothing").exists()


def test_other_files_stay_as_they_are(tmp_path):
    for name, text in (("text", b"Dear diary " * 500), ("short", b"x")):
        (tmp_path / name).write_bytes(text)
        with pytest.raises(PlygroundError):
            Records(tmp_path / name)
        assert (tmp_path / name).read_bytes() == text


def change(path, *statements):
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def test_a_newer_schema(path):
    change(path, "PRAGMA user_version = 2")
    assert "a newer version of Plyground has written these records" in refusal(path)


def test_a_table_is_gone(path):
    change(path, "PRAGMA foreign_keys = OFF", "DROP TABLE jobs")
    assert "the records are damaged (tables are missing)" in refusal(path)


@pytest.mark.parametrize("change_to", ["moves = '[1'", "moves = '{}'", "seed = 'x'", "versions = '3'"])
def test_a_value_that_makes_no_sense(path, change_to):
    change(path, f"UPDATE games SET {change_to} WHERE pair = 7")
    assert "the records are damaged" in refusal(path)


@pytest.fixture
def own_path():
    """A database of a user who is not root, as that user."""
    root = os.geteuid() == 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "records.db"
        with Records(path) as records:
            fill(records, 40)
        if root:
            for one in (Path(folder), *Path(folder).iterdir()):
                os.chown(one, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, 0)
        yield path
        if root:
            os.setresuid(0, 0, 0)
        path.parent.chmod(0o700)


@posix
def test_a_file_that_may_not_be_read(own_path):
    own_path.chmod(0)
    assert "cannot be opened (Permission denied)" in refusal(own_path)


@posix
def test_a_file_that_may_only_be_read(own_path):
    own_path.chmod(0o400)
    own_path.parent.chmod(0o500)
    assert len(read_all(own_path)) == 80
    with pytest.raises(PlygroundError, match="you may only read it"), Records(own_path) as records:
        records.add_pair(1, result(99))


def test_truncated_files(path):
    """Cut anywhere: refused, or the games that are still there are whole."""
    whole = path.read_bytes()
    rows = read_all(path)
    for size in sorted({0, 1, 50, 99, 100, 511, 4096, *random.Random(1).sample(range(len(whole)), 12)}):
        path.write_bytes(whole[:size])
        try:
            assert set(map(str, read_all(path))) <= set(map(str, rows))
        except PlygroundError as e:
            assert str(e).startswith(f"{path}: ")
        assert path.stat().st_size == size or size == 0  # an empty file is a new database


def test_random_bytes_in_the_file(path):
    """Anything may be overwritten: one line or an answer, never a traceback, and the file is left alone."""
    whole = path.read_bytes()
    refused = 0
    for seed in range(40):
        dice = random.Random(seed)
        at, length = dice.randrange(len(whole)), dice.choice([1, 8, 64, 1000])
        damaged = (whole[:at] + dice.randbytes(length) + whole[at + length :])[: len(whole)]
        path.write_bytes(damaged)
        try:
            read_all(path)
        except PlygroundError as e:
            refused += 1
            assert str(e).startswith(f"{path}: ")
        assert path.read_bytes() == damaged
    assert refused > 5


def test_a_full_database_keeps_what_it_has(tmp_path):
    with Records(tmp_path / "records.db") as records:
        number = fill(records, 3)
        pages = records._database.read("PRAGMA page_count")[0][0]
        records._database.read(f"PRAGMA max_page_count = {pages}")
        confirmed = (records.add_pair(number, result(pair)) for pair in range(3, 200))
        with pytest.raises(PlygroundError, match=r"cannot be written \(the disk is full\); all earlier records are kept"):
            list(confirmed)
        kept = [row.pair for row in records.games(number)]
        written = len(kept) // 2
        assert kept == [pair for pair in range(written) for _ in (0, 1)]
        records._database.read("PRAGMA max_page_count = 100000")
        assert records.add_pair(number, result(written))


FULL = """
import resource, sys
from kept_pairs import result
from plyground import PlygroundError
from plyground.records.store import Records
with Records(sys.argv[1]) as records:
    size = int(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    written = 0
    try:
        for pair in range(100, 3000):
            records.add_pair(1, result(pair))
            written += 1
    except PlygroundError as e:
        print(written, e)
"""


def run(code, *words):
    here = os.pathsep.join([os.path.dirname(__file__), *sys.path])
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, words)], env={**os.environ, "PYTHONPATH": here}, capture_output=True, text=True
    )


def test_a_file_that_may_not_grow(path):
    """As on a full disk: a pair that was confirmed is there, the others are not, and later everything goes on."""
    done = run(FULL, path, 200_000)
    assert done.returncode == 0, done.stderr
    written, _, said = done.stdout.partition(" ")
    assert said.startswith(f"{path}: cannot be ")
    assert said.count("\n") == 1
    with Records(path) as records:
        assert {row.pair for row in records.games(1)} == {*range(40), *range(100, 100 + int(written))}
        assert records.add_pair(1, result(5000))


NEW = """
import resource, sys
from plyground import PlygroundError
from plyground.records.store import Records
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
for _ in range(2):
    try:
        Records(sys.argv[1])
    except PlygroundError as e:
        print(e)
"""


@pytest.mark.parametrize("size", [0, 3000, 5000])
def test_a_new_database_without_room(tmp_path, size):
    """Refused twice with the same words; when there is room, it is a database like any other."""
    path = tmp_path / "records.db"
    done = run(NEW, path, size)
    first, second = done.stdout.splitlines()
    assert first == second
    assert first.startswith(f"{path}: cannot be ")
    with Records(path) as records:
        assert fill(records, 2) == 1


def test_a_process_that_is_killed_while_it_holds_the_log(path):
    """The log beside the file (-wal) has what is not in the file yet."""
    code = (
        FULL.replace("resource.setrlimit", "0 and resource.setrlimit").replace("3000", "150") + "    __import__('os')._exit(9)\n"
    )
    assert run(code, path, 0).returncode == 9
    assert os.path.getsize(f"{path}-wal") > 0
    copy = path.with_name("copy.db")
    shutil.copy(path, copy)
    shutil.copy(f"{path}-wal", f"{copy}-wal")
    assert len(read_all(copy)) == len(read_all(path)) == 2 * 90


def test_another_program_that_holds_the_file(path, monkeypatch):
    monkeypatch.setattr(database, "LOCK_TIMEOUT_SECONDS", 0.1)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with Records(path) as records, pytest.raises(PlygroundError, match="another program keeps the records locked"):
        records.add_pair(1, result(99))
    assert len(read_all(path)) == 80
    other.close()


FOREVER = """
import sys
from plyground.cli import main
from plyground.records import database
database.LOCK_TIMEOUT_SECONDS = 10**9
sys.exit(main(sys.argv[1:]))
"""


@posix
@pytest.mark.parametrize(
    "words", [["record", "list"], ["record", "show", "1.0.0"], ["arena", "nim", "random", "random", "--games", "2"]]
)
def test_waiting_for_another_program_is_announced_and_ends_with_ctrl_c(path, words):
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    other.execute("UPDATE matches SET ended = NULL")
    command = [sys.executable, "-c", FOREVER, *words, "--records", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            told = process.stderr.readline()
            process.send_signal(signal.SIGINT)
            rest = process.communicate()
        finally:
            process.kill()
    assert told == f"plyground: {path}: another program keeps the records locked; waiting for it\n"
    assert (process.returncode, rest) == (130, ("", ""))
    other.close()


def test_many_writers_at_once(tmp_path):
    """Several connections begin a new database at the same moment, and write what they have."""
    path, ready, faults = tmp_path / "records.db", threading.Barrier(6), []

    def write(number):
        try:
            ready.wait()
            with Records(path) as records:
                match = records.new_match("arena", "nim", ["a", "b"], {"number": number})
                for pair in range(10):
                    assert records.add_pair(match, result(pair))
                records.write_game(match, game(0, moves=[]))
        except BaseException as e:
            faults.append(e)

    threads = [threading.Thread(target=write, args=[i]) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    with Records(path) as records:
        numbers: list[Any] = [match.settings["number"] for match in records.matches()]
        assert sorted(numbers) == list(range(6))
        assert len(list(records.games())) == 6 * 20


def test_threads_share_a_connection(path):
    faults = []

    def write(records, first):
        try:
            for pair in range(first, first + 20):
                records.add_pair(1, result(pair))
                assert sum(1 for _ in records.games(1, pair=pair)) == 2
        except BaseException as e:
            faults.append(e)

    with Records(path) as records:
        threads = [threading.Thread(target=write, args=[records, 100 + 20 * i]) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert faults == []
        assert records.count(1) == (40, 80 + 160)
