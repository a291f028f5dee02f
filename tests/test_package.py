"""What is published: the wheel and the source archive hold what they should, and every command runs from the installed wheel."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

import plyground
from here import DOCS, ROOT
from plyground.cli import commands
from test_architecture import HOME

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
RUNS = {
    "analyse": ["analyse", "nim", "--depth", "3"],
    "arena": ["arena", "nim", "random", "random", "--games", "2", "--workers", "1"],
    "bench": ["bench", "nim"],
    "book": ["book", "nim", "--plies", "1"],
    "check": ["check", "./mygame.py", "--games", "2"],
    "compare": ["compare", "nim", "--depth", "2"],
    "completion": ["completion", "bash"],
    "docs": ["docs", "contract"],
    "explain": ["explain", "nim", "--depth", "2", "--out", "x.html"],
    "games": ["games"],
    "gomocup": ["gomocup"],
    "hub": ["hub"],
    "nboard": ["nboard"],
    "net": ["net", "connect4"],
    "new": ["new", "mygame"],
    "perft": ["perft", "nim", "3"],
    "play": ["play", "nim", "--side", "none", "--against", "random"],
    "record": ["record", "list"],
    "report": ["report", "nim", "--games", "2", "--workers", "1", "--html", "report.html"],
    "show": ["show", "nim", "--out", "x.svg"],
    "solve": ["solve", "nim"],
    "train": ["train", "tictactoe", "--games", "20", "--no-match"],
    "uci": ["uci"],
    "ugi": ["ugi", "nim"],
    "web": ["web", "nim", "--out", "web.html"],
}
"""Every command, as it is run from the installed wheel; `new` comes first."""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The wheel and the source archive, built as a release builds them."""
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (wheel,), (archive,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, archive


def test_the_wheel_holds_every_file_of_the_package_and_every_page(built):
    wheel, _ = built
    with zipfile.ZipFile(wheel) as opened:
        names = set(opened.namelist())
    kept = [file for file in HOME.rglob("*") if file.is_file() and "__pycache__" not in file.parts]
    assert {f"plyground/{file.relative_to(HOME).as_posix()}" for file in kept} <= names
    assert {f"plyground/docs/{page.name}" for page in DOCS.glob("*.md")} <= names
    assert not [name for name in names if name.startswith(("tests/", "benchmarks/", "src/"))]
    assert not [name for name in names if re.match(r"plyground/docs/.*\.py$", name)], "a checkout has none"


def test_the_source_archive_builds_and_tests_itself(built, tmp_path):
    wheel, archive = built
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
        opened.extractall(tmp_path, filter="data")
    top = {"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CITATION.cff", "LICENSE", "Makefile", "pyproject.toml"}
    assert top <= names
    assert {"src/plyground/__init__.py", "tests/conftest.py", "docs/contract.md", "examples/hex.py"} <= names
    assert {".github/workflows/ci.yml", ".npmrc", "mkdocs.yml", "mkdocs_hooks.py"} <= names, "tests and `make` need them"
    (source,) = tmp_path.iterdir()
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=source, capture_output=True, check=True)
    with zipfile.ZipFile(wheel) as ours, zipfile.ZipFile(tmp_path / wheel.name) as again:
        assert sorted(ours.namelist()) == sorted(again.namelist())


def test_the_metadata_is_whole(built):
    wheel, _ = built
    with zipfile.ZipFile(wheel) as opened:
        (name,) = [name for name in opened.namelist() if name.endswith("METADATA")]
        text = opened.read(name).decode()
    assert f"\nVersion: {plyground.__version__}\n" in text
    for field in (
        "Summary",
        "Author",
        "Project-URL: Homepage",
        "License-Expression",
        "Keywords",
        "Requires-Python",
        "Description",
    ):
        assert f"\n{field}" in text, field
    for system in ("MacOS", "Microsoft :: Windows", "POSIX :: Linux"):
        assert f"\nClassifier: Operating System :: {system}\n" in text
    minors = re.findall(r"\nClassifier: Programming Language :: Python :: 3\.(\d+)", text)
    tried = re.search(r"python: \[(.*)\]", (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))
    assert tried is not None
    assert {"11", "12", "13"} <= set(minors) <= set(re.findall(r"3\.(\d+)", tried[1])), "each that is named runs in CI"


def test_the_citation_names_this_version():
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {plyground.__version__}\n" in text
    assert f"\nurl: {PROJECT['urls']['Homepage']}\n" in text


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
@pytest.mark.parametrize(
    ("install", "lint", "ci", "fails", "checked"),
    [(0, 0, "", False, True), (0, 1, "", True, True), (1, 0, "", False, False), (1, 0, "true", True, False)],
    ids=["all is well", "a script has an error", "npm can't install", "npm can't install in CI"],
)
def test_scripts_are_checked_where_npm_can_install(tmp_path, install, lint, ci, fails, checked):
    for name in ("Makefile", "package.json"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "npm").write_text(f'#!/bin/sh\n[ "$1" = install ] && exit {install}\nexit {lint}\n', encoding="utf-8")
    (tmp_path / "npm").chmod(0o755)
    environment = os.environ | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "CI": ci}
    done = subprocess.run(["make", "lint-scripts"], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert (done.returncode != 0) == fails
    assert ("the scripts of the pages were not checked" in done.stderr) != checked


def test_every_command_is_tried():
    assert sorted(RUNS) == commands()


@pytest.mark.long
def test_every_command_runs_from_the_installed_wheel(built, tmp_path):
    """In an empty environment, which sees the installed dependencies but not the checkout."""
    wheel, _ = built
    home, work = tmp_path / "environment", tmp_path / "work"
    work.mkdir()
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    python = home / ("Scripts" if sys.platform == "win32" else "bin") / Path(sys.executable).name
    where = [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    packages = Path(subprocess.run(where, capture_output=True, text=True, check=True).stdout.strip())
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check", "--isolated"]
    subprocess.run([*pip, "install", "--quiet", "--no-index", "--no-deps", str(wheel)], check=True)
    for package in Path(sysconfig.get_path("purelib")).iterdir():
        # Linked one by one: a .pth to the whole folder would run the .pth of the checkout's own installation.
        if "plyground" not in package.name and not (packages / package.name).exists():
            (packages / package.name).symlink_to(package)

    def run(*words):
        command = [str(python.with_name("plyground")), *words]  # the script that pip has written
        environment = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "XDG_DATA_HOME": str(tmp_path / "data")}
        return subprocess.run(command, cwd=work, env=environment, input="quit\nEND\n", capture_output=True, text=True)

    (place,) = run("--version").stdout.split()[1:]
    assert place == plyground.__version__
    assert run("--help").stdout.count("\n") > len(RUNS)
    for name in sorted(RUNS, key=lambda name: name != "new"):
        done = run(*RUNS[name])
        assert done.returncode == 0, (name, done.stderr)
        assert "Traceback" not in done.stderr, name
    written = {"mygame.py", "test_mygame.py", "x.html", "x.svg", "report.html", "web.html"}
    assert written <= {file.name for file in work.iterdir()}
    cited = [word for text in work.glob("*.py") for word in re.findall(r"docs/\w+\.md", text.read_text(encoding="utf-8"))]
    assert cited == [], "an installed package has no such file"
