"""The folder of the cache: what another user could have put there is never run."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from plyground.compile.cache import TEXTS, TextStore, copies_folder, fault, locked, with_checksum

TAG = "ab" * 16
pytestmark = pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owners here")


class Planted:
    """Leaves a file behind when it is unpickled."""

    def __init__(self, mark):
        self.mark = mark

    def __reduce__(self):
        return Path.touch, (self.mark,)


def shell(*words):
    return subprocess.run([sys.executable, "-m", "plyground", *words], capture_output=True, text=True, check=False)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    monkeypatch.setenv("PLYGROUND_CACHE", str(folder))
    return folder


def kept(cache):
    """A folder of the cache with a file in it."""
    with locked(TAG) as folder:
        assert folder is not None
        (folder / "kernel.nbi").write_bytes(with_checksum(b"x"))
    return folder


def refused():
    """The reason why the folder is not used; it must be one line."""
    with locked(TAG) as folder:
        assert folder is None
    told = fault()
    assert told is not None
    assert "\n" not in told
    return told


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702, 0o1777])
@pytest.mark.parametrize("which", ["cache", "cache/ab", f"cache/ab/{TAG}"])
def test_a_folder_that_others_may_write_is_not_used(cache, which, mode):
    kept(cache)
    (cache.parent / which).chmod(mode)
    assert refused().startswith(f"others may write to {cache.parent / which}; ")
    (cache.parent / which).chmod(0o755)
    with locked(TAG) as folder:
        assert folder is not None
    assert fault() is None


@pytest.mark.parametrize("mode", [0o666, 0o620])
def test_a_file_that_others_may_write_is_not_used(cache, mode):
    file = kept(cache) / "kernel.nbi"
    file.chmod(mode)
    with locked(TAG) as folder:  # nobody else can enter this folder
        assert folder is not None
    file.parent.chmod(0o755)
    assert f"others may write to {file}" in refused()


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("which", ["cache", "cache/ab", f"cache/ab/{TAG}", f"cache/ab/{TAG}/kernel.nbi"])
def test_what_belongs_to_another_user_is_not_used(cache, which):
    kept(cache)
    os.chown(cache.parent / which, 12345, -1)
    assert f"{cache.parent / which} belongs to another user" in refused()


def test_links_inside_the_cache_are_not_followed(cache, tmp_path):
    folder = kept(cache)
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    assert refused() == f"{folder} is a link; remove it"
    folder.unlink()
    (tmp_path / "elsewhere").rename(folder)
    (folder / "kernel.nbi").rename(tmp_path / "file")
    (folder / "kernel.nbi").symlink_to(tmp_path / "file")
    assert refused() == f"{folder / 'kernel.nbi'} is a link; remove it"


def test_the_cache_itself_may_be_a_link_to_a_folder_of_this_user_alone(cache, tmp_path):
    (tmp_path / "disk").mkdir(mode=0o700)
    cache.symlink_to(tmp_path / "disk")
    kept(cache)
    assert (tmp_path / "disk" / "ab" / TAG / "kernel.nbi").is_file()
    (tmp_path / "disk").chmod(0o777)
    assert "others may write to" in refused()


def test_folders_are_made_for_this_user_alone_whatever_the_umask(cache):
    old = os.umask(0)
    try:
        kept(cache)
        copies_folder("sources", TAG)
    finally:
        os.umask(old)
    folders = [cache, *(path for path in cache.rglob("*") if path.is_dir())]
    assert {path.stat().st_mode & 0o777 for path in folders} == {0o700}


def test_copies_of_rules_are_not_taken_from_a_folder_of_others(cache):
    assert copies_folder("sources", TAG).is_relative_to(cache)
    (cache / "sources" / TAG).chmod(0o777)
    assert not copies_folder("sources", TAG).is_relative_to(cache)
    assert copies_folder("sources", "another").is_relative_to(cache)


def test_a_planted_pickle_is_not_run(cache, tmp_path):
    command, mark = ("perft", "nim(heaps=1, size=3)", "2"), tmp_path / "was-run"
    assert shell(*command).returncode == 0
    kernels = list(cache.rglob("*.nbo"))
    assert kernels
    for kernel in kernels:
        kernel.write_bytes(with_checksum(pickle.dumps(Planted(mark)), kernel.parent.name))
    cache.chmod(0o777)
    done = shell(*command)
    assert done.returncode == 0, done.stderr
    assert f"compiled rules are not cached: others may write to {cache}" in done.stderr
    assert not mark.exists()
    cache.chmod(0o700)  # the attack itself works: what this user has written is run
    shell(*command)
    assert mark.exists()


def replace_by_link(file: Path) -> None:
    elsewhere = file.parent.parent / "elsewhere"
    file.rename(elsewhere)
    file.symlink_to(elsewhere)


UNTRUSTED = {
    "others may write to it": lambda file: file.chmod(0o666),
    "a link": replace_by_link,
    "of another user": lambda file: os.chown(file, 12345, -1),
}


@pytest.mark.parametrize("what", UNTRUSTED)
def test_a_planted_text_is_not_run(cache, tmp_path, what):
    if what == "of another user" and os.getuid() != 0:
        pytest.skip("only root can give files away")
    TextStore().write("text", "sound")
    file, mark = cache / TEXTS / "text", tmp_path / "was-run"
    file.parent.chmod(0o755)
    planted = with_checksum(pickle.dumps(Planted(mark)), "text")
    file.write_bytes(planted)
    UNTRUSTED[what](file)
    store = TextStore()
    assert store.folder is not None, "the store is opened without looking at its files"
    assert store.read("text") is None
    assert not mark.exists()
    store.write("text", "sound again")
    assert store.read("text") == "sound again"
    file.write_bytes(planted)  # the attack itself works: what this user has written is run
    store.read("text")
    assert mark.exists()


def test_texts_are_not_taken_from_a_folder_of_others(cache):
    TextStore().write("text", "sound")
    (cache / TEXTS).chmod(0o777)
    assert TextStore().read("text") is None
    assert fault() == f"others may write to {cache / TEXTS}; remove it"
