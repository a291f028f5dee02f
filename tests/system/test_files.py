"""Files that are written: whole or not at all, and a full disk is one line."""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from plyground import PlygroundError, load
from plyground.solver.book import make_book
from plyground.solver.tablebase import solve_tablebase
from plyground.system.files import add_to_log, write_file, write_text

PLYGROUND = [sys.executable, "-m", "plyground"]
FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="the system has no /dev/full")


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def shell(folder, *words, room=None, **options):
    """Runs a command in a folder on a disk that takes no file of more than `room` bytes."""

    def shrink():
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    start: dict[str, Any] = {} if room is None else {"preexec_fn": shrink}
    return subprocess.run([*PLYGROUND, *words], cwd=folder, capture_output=True, text=True, **start, **options)


class Disk:
    """A disk that is full after `calls` calls of a function of `os`."""

    def __init__(self, monkeypatch, function, calls):
        self.left, self.real = calls, getattr(os, function)
        monkeypatch.setattr(os, function, self.call)

    def call(self, *args, **more):
        self.left -= 1
        if self.left < 0:
            raise OSError(28, "No space left on device")
        return self.real(*args, **more)


# -- the one function ----------------------------------------------------------------------------------------------------------


def test_a_file_is_written_and_replaced(tmp_path):
    path = tmp_path / "x"
    write_text(path, "ü")
    path.chmod(0o640)
    write_file(str(path), [b"one ", bytearray(b"two"), memoryview(b" three")])
    assert path.read_bytes() == b"one two three"
    assert path.stat().st_mode & 0o777 == 0o640
    assert names(tmp_path) == ["x"]


def test_a_new_file_has_the_usual_rights(tmp_path):
    (tmp_path / "usual").touch()
    write_text(tmp_path / "x", "text")
    assert (tmp_path / "x").stat().st_mode == (tmp_path / "usual").stat().st_mode


@pytest.mark.parametrize("function", ["fsync", "replace"])
def test_the_old_file_stays_where_the_disk_is_full(tmp_path, monkeypatch, function):
    path = tmp_path / "x"
    write_text(path, "old")
    Disk(monkeypatch, function, 0)
    with pytest.raises(PlygroundError, match=r"x: cannot be written \(No space left on device\)$"):
        write_text(path, "new")
    assert path.read_text() == "old"
    assert names(tmp_path) == ["x"]


def test_an_interrupt_leaves_nothing_behind(tmp_path):
    def parts():
        yield b"half"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_file(tmp_path / "x", parts())
    assert names(tmp_path) == []


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "link").symlink_to("real")
    write_text(tmp_path / "link", "text")
    assert (tmp_path / "real").read_text() == "text"
    assert (tmp_path / "link").is_symlink()


@needs_full
def test_a_device_is_written_to_and_never_replaced(tmp_path):
    (tmp_path / "x").symlink_to(FULL)
    with pytest.raises(PlygroundError, match="No space left on device"):
        write_text(tmp_path / "x", "text")
    assert FULL.is_char_device()


@pytest.mark.parametrize(
    ("path", "why"), [("none/x", "there is no folder "), ("", "Is a directory"), ("file/x", "Not a directory")]
)
def test_why_a_file_cannot_be_written(tmp_path, path, why):
    (tmp_path / "file").touch()
    with pytest.raises(PlygroundError, match=why):
        write_text(tmp_path / path, "text")
    assert names(tmp_path) == ["file"]


# -- every command that writes a file ------------------------------------------------------------------------------------------

WRITERS = {
    "explain page": ["explain", "tictactoe", "--depth", "2", "--out", "out.html"],
    "explain picture": ["explain", "tictactoe", "--depth", "2", "--out", "out.svg"],
    "compare plot": ["compare", "tictactoe", "--depth", "2", "--plot", "out.svg"],
    "table": ["solve", "tictactoe", "--table", "out.ply"],
    "book": ["book", "tictactoe", "--plies", "5", "--file", "out.book"],
}


@pytest.mark.parametrize(("name", "room"), [*((name, 1000) for name in WRITERS), ("table", 10), ("book", 10)])
def test_a_full_disk_is_one_line_and_leaves_no_half_file(tmp_path, name, room):
    done = shell(tmp_path, *WRITERS[name], room=room)
    assert done.returncode == 2, done.stderr
    told = [line for line in done.stderr.splitlines() if line.startswith("plyground: ")]
    assert len(told) == 1, told
    assert "Traceback" not in done.stderr
    assert told[0].startswith("plyground: out.")
    assert "cannot be written (File too large)" in told[0]
    stays = "finished work is kept in it" in told[0]
    assert names(tmp_path) == ([f"{WRITERS[name][-1]}.part"] if stays else [])


@needs_full
@pytest.mark.parametrize("name", ["explain page", "explain picture", "compare plot"])
def test_a_file_on_a_full_device(tmp_path, name):
    (tmp_path / WRITERS[name][-1]).symlink_to(FULL)
    done = shell(tmp_path, *WRITERS[name])
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "cannot be written (No space left on device)" in done.stderr


@needs_full
def test_a_saved_game_on_a_full_device(tmp_path):
    (tmp_path / "full").symlink_to(FULL)
    done = shell(tmp_path, "play", "nim", "--side", "both", input="a1\nsave full\nsave good\nquit\n")
    assert done.returncode == 0
    assert "full: cannot be written (No space left on device)" in done.stdout
    assert json.loads((tmp_path / "good").read_text())["moves"] == ["a1"]
    assert FULL.is_char_device()


# -- what a long run has finished ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("calls", range(1, 5))
def test_a_table_that_met_a_full_disk_goes_on_when_there_is_room(tmp_path, monkeypatch, calls):
    game = load("nim")
    whole = solve_tablebase(game, tmp_path / "whole").path.read_bytes()
    with monkeypatch.context() as m:
        Disk(m, "fsync", calls)
        with pytest.raises(PlygroundError, match=r"cannot be written \(No space left on device\)"):
            solve_tablebase(game, tmp_path / "x", every=0.0, block=16)
    assert names(tmp_path) in (["whole", "x.part"], ["whole"])
    assert solve_tablebase(game, tmp_path / "x").path.read_bytes() == whole
    assert names(tmp_path) == ["whole", "x"]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_book_that_met_a_full_disk_goes_on_when_there_is_room(tmp_path, monkeypatch, threads):
    game = load("tictactoe")
    whole = make_book(game, 3, tmp_path / "whole").path.read_bytes()
    with monkeypatch.context() as m:
        m.setattr("plyground.solver.book.LOG_POSITIONS", 2)
        Disk(m, "fsync", 3)
        with pytest.raises(PlygroundError, match=r"x\.part: cannot be written"):
            make_book(game, 3, tmp_path / "x", threads=threads)
    assert names(tmp_path) == ["whole", "x.part"]
    assert make_book(game, 3, tmp_path / "x").path.read_bytes() == whole


@pytest.mark.parametrize(("function", "calls"), [("mkdir", 1), ("mkdir", 2), ("open", 0)])
def test_rules_are_compiled_where_the_cache_takes_nothing(tmp_path, monkeypatch, function, calls):
    from plyground.compile.cache import locked

    (tmp_path / "cache").mkdir()
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path / "cache"))
    Disk(monkeypatch, function, calls)
    with locked("ab" * 16) as folder:
        assert folder is None


def test_a_log_grows_until_it_makes_room_for_a_new_one(tmp_path):
    log = tmp_path / "logs" / "engine.log"
    for n in range(25):
        add_to_log(log, f"line {n:02}\n".encode(), most=80)
    assert names(log.parent) == ["engine.log", "engine.log.old"]
    assert log.read_text() == "".join(f"line {n:02}\n" for n in range(20, 25))
    assert log.with_name("engine.log.old").read_text() == "".join(f"line {n:02}\n" for n in range(10, 20))


@pytest.mark.skipif(os.name == "nt", reason="symbolic links need rights there")
def test_a_link_that_leads_nowhere_but_to_itself_stays_a_link(tmp_path):
    loop = tmp_path / "loop.svg"
    loop.symlink_to(loop)
    with pytest.raises(PlygroundError, match=r"loop\.svg: cannot be written \("):
        write_text(loop, "x")
    assert loop.is_symlink()
    assert list(tmp_path.iterdir()) == [loop]
