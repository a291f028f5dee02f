"""From a command to the engine's first move, to the prompt of a game and to a page, in CPU seconds.

All figures are user plus system time of a whole process, the least of a few runs. Cold: `plyground analyse GAME --depth 4` with
an empty cache. Edits: the same after a line was added to a function of the rules, in a copy. Warm: the same with everything in
the cache. Prompt: `plyground play GAME` at a terminal until it asks for a move, with everything in the cache. Page: `plyground
web GAME` with an empty cache. Where chance begins, the moves given are its first outcomes until a player is to move, and the
depth is 2: four plies with dice would measure the search.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from pages import table
from plyground.nets.net_evaluation import net_file
from plyground.rules.game import Game
from plyground.rules.load import builtin_games, load

REPEATS = 3
"""Runs of what takes less than a second."""
EDITS = 2
"""Edits of each hook."""
HOOKS = ("evaluate", "moves", "play")
"""What is edited; `result` in rules without `evaluate`."""
TEMPLATE = "newcomer"
NEWCOMERS = {name: Path(__file__).parent.parent / "tests" / "data" / "newcomer" / f"{name}.py" for name in ("ataxx", "oware")}
"""Games as people wrote them who saw Plyground for the first time."""
HEADER = ["game", "cold", *(f"edit of `{name}`" for name in HOOKS), "warm", "prompt", "page"]
CAPTION = """\
From a command to the engine's first move, `plyground analyse GAME --depth 4`, in CPU seconds: the first time; after an edit of
`evaluate` (or else `result`), of `moves` and of `play`; and every time after that. Then `plyground play GAME` to its first
prompt, and `plyground web GAME` the first time. Below the games of Plyground: what `plyground new` writes, and two games by
newcomers."""


class Figures(NamedTuple):
    """CPU seconds of one game."""

    cold: float
    edits: tuple[float, ...]
    warm: float
    prompt: float
    page: float

    def cells(self) -> list[str]:
        """Return the figures as they stand in the table."""
        return [f"{x:.2f} s" for x in (self.cold, *self.edits, self.warm, self.prompt, self.page)]


def start() -> str:
    """Return the table of all games, of what `plyground new` writes and of newcomers' games, below its caption."""
    rows = [HEADER]
    for name in games():
        rows.append([f"`plyground new {name}`" if name == TEMPLATE else name, *measure(name).cells()])
        print(*rows[-1], file=sys.stderr, flush=True)
    return f"{CAPTION}\n\n{table(rows, right=True)}"


def games() -> list[str]:
    """Return the games of Plyground, a new one and newcomers' games."""
    return [*builtin_games(), TEMPLATE, *NEWCOMERS]


def first_search(game: Game) -> list[str]:
    """Return the arguments of `analyse` after the game's name: chance outcomes until a player is to move, and the depth."""
    s, words = game.start(), list[str]()
    while game.is_chance(s):
        m = game.options(s)[0]
        words.append(str(game.format_move(s, m)))
        s = game.play(s, m)
    return ["--moves", " ".join(words), "--depth", "2"] if words else ["--depth", "4"]


def measure(name: str) -> Figures:
    """Return the CPU seconds of one game."""
    with tempfile.TemporaryDirectory(prefix="start-") as base:
        folder = Path(base)
        rules, cache = write_rules(name, folder), folder / "cold"
        game = name if name in builtin_games() else str(rules)
        search = first_search(load(str(rules)))
        cold = seconds(cache, "analyse", game, *search)
        warm = min(seconds(cache, "analyse", game, *search) for _ in range(REPEATS))
        prompt = min(seconds_to_prompt(cache, folder, game) for _ in range(REPEATS))
        page = seconds(folder / "page", "web", game, "--out", str(folder / "page.html"))
        again, edits = measure_edits(rules, search, folder / "edit")
        if net_file(load(game)) is None:  # else the copy, which has none, compiles another search
            cold = min(cold, again)
        return Figures(cold, edits, warm, prompt, page)


def measure_edits(rules: Path, search: list[str], cache: Path) -> tuple[float, tuple[float, ...]]:
    """Return the CPU seconds of a first search of a copy, and of those after an edit of each hook."""
    again = ["analyse", str(rules), *search, "--evaluate", "rules"]
    cold = seconds(cache, *again)
    found: dict[str, list[float]] = {hook: [] for hook in HOOKS}
    for number in range(EDITS):
        for hook, measured in found.items():
            edit_rules(load(str(rules)), hook, number)
            measured.append(seconds(cache, *again))
    return cold, tuple(map(min, found.values()))


def write_rules(name: str, folder: Path) -> Path:
    """Copy the file or the folder of a game, or write a new game as a beginner gets it; return its path."""
    if name == TEMPLATE:
        subprocess.run([*command("new"), name], cwd=folder, check=True, capture_output=True)
        return next(folder.glob(f"{name}.py"))
    source = NEWCOMERS.get(name) or load(name).path
    assert source is not None
    if source.is_dir():
        return Path(shutil.copytree(source, folder / f"my_{name}"))
    return Path(shutil.copy(source, folder / f"my_{name}.py"))


def command(name: str) -> list[str]:
    """Return a command of this installation."""
    return [sys.executable, "-m", "plyground", name]


def environment(cache: Path) -> Mapping[str, str]:
    """Return the environment of a process with this cache."""
    return {**os.environ, "PLYGROUND_CACHE": str(cache)}


def seconds(cache: Path, name: str, *arguments: str) -> float:
    """Return the CPU seconds of a command with these arguments and this cache."""
    process = subprocess.Popen(
        [*command(name), *arguments], env=environment(cache), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    assert process.stderr is not None
    errors = process.stderr.read()
    status, used = seconds_used(process)
    if status:
        raise RuntimeError(errors.decode())
    return used


def seconds_used(process: subprocess.Popen[bytes]) -> tuple[int, float]:
    """Wait for a process; return how it ended and its CPU seconds."""
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = status
    return status, used.ru_utime + used.ru_stime


def seconds_to_prompt(cache: Path, folder: Path, game: str) -> float:
    """Return the CPU seconds of `plyground play` until it asks for a move, at a terminal."""
    import pty

    master, slave = pty.openpty()
    process = subprocess.Popen(
        [*command("play"), game],
        env={**environment(cache), "TERM": "xterm", "PLYGROUND_RECORDS": str(folder / "records.db")},
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
    )
    os.close(slave)
    seen = b""
    while b"to move> " not in seen:
        seen += os.read(master, 1 << 16)
    process.kill()
    _, used = seconds_used(process)
    os.close(master)
    return used


def edit_rules(game: Game, hook: str, number: int) -> None:
    """Begin a function of the rules with a line that was not there before."""
    function = inspect.unwrap(game.rules[hook if hook in game.rules else "result"])
    file = Path(function.__code__.co_filename)
    source = file.read_text(encoding="utf-8")
    bodies = [f for f in ast.walk(ast.parse(source)) if isinstance(f, ast.FunctionDef) and f.name == function.__name__]
    body = next(f.body for f in bodies if function.__code__.co_firstlineno in (f.lineno, *(d.lineno for d in f.decorator_list)))
    first = body[1] if ast.get_docstring(ast.Module(body, [])) and len(body) > 1 else body[0]
    lines = source.splitlines(keepends=True)
    lines.insert(first.lineno - 1, f"{' ' * first.col_offset}edited = {number}\n")
    file.write_text("".join(lines), encoding="utf-8")


def main(names: Iterable[str]) -> None:
    """Print the figures of these games."""
    for name in names:
        print(name, *measure(name).cells(), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=games())
    main(parser.parse_args().games)
