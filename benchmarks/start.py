"""From a command to the engine's first move: cold, after an edit of the rules, and warm, in CPU seconds.

All figures are user plus system time of the whole process `plyground analyse GAME --depth 4`, the least of three. Where chance
begins, the moves given are its first outcomes until a player is to move, and the depth is 2: four plies with dice would measure
the search. Cold: the cache is empty. Edit: the value that `evaluate` (without one, `result`) returns last is changed in a copy of
the rules. Warm: everything is in the cache.
"""

from __future__ import annotations

import argparse
import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from pages import table
from plyground.rules.game import Game
from plyground.rules.load import builtin_games, load

REPEATS = 3
NEWCOMER = "newcomer"
HEADER = ["game", "cold", "edit", "warm"]


def start() -> str:
    """Return the table of all games, and of the game that `plyground new` writes."""
    rows = [HEADER]
    for name in games():
        rows.append([f"`plyground new {name}`" if name == NEWCOMER else name, *(f"{x:.2f} s" for x in measure(name))])
        print(*rows[-1], file=sys.stderr, flush=True)
    return table(rows, right=True)


def games() -> list[str]:
    """Return the shipped games and a new one."""
    return [*builtin_games(), NEWCOMER]


def first_search(game: Game) -> list[str]:
    """Return the arguments of `analyse` after the game's name: chance outcomes until a player is to move, and the depth."""
    s, words = game.start(), list[str]()
    while game.is_chance(s):
        m = game.options(s)[0]
        words.append(str(game.format_move(s, m)))
        s = game.play(s, m)
    return ["--moves", " ".join(words), "--depth", "2"] if words else ["--depth", "4"]


def measure(name: str) -> tuple[float, float, float]:
    """Return the CPU seconds of a first search: cold, after an edit, and warm."""
    colds, edits, warms = [], [], []
    for _ in range(REPEATS):
        with tempfile.TemporaryDirectory(prefix="start-") as base:
            folder = Path(base)
            rules = write_rules(name, folder)
            search = [str(rules) if name == NEWCOMER else name, *first_search(load(str(rules)))]
            colds.append(seconds(folder / "cold", *search))
            warms += [seconds(folder / "cold", *search) for _ in range(REPEATS)]
            again = [str(rules), *search[1:], "--evaluate", "rules"]
            seconds(folder / "edit", *again)
            file = rules / "evaluate.py" if rules.is_dir() else rules
            hook = "evaluate" if "evaluate" in load(str(rules)).has else "result"
            file.write_text(edit_rules(file.read_text(encoding="utf-8"), hook), encoding="utf-8")
            edits.append(seconds(folder / "edit", *again))
    return min(colds), min(edits), min(warms)


def write_rules(name: str, folder: Path) -> Path:
    """Copy the file or the folder of a game, or write a new game as a beginner gets it; return its path."""
    if name == NEWCOMER:
        subprocess.run([*command("new"), name], cwd=folder, check=True, capture_output=True)
        return next(folder.glob(f"{name}.py"))
    source = load(name).path
    assert source is not None
    if source.is_dir():
        return Path(shutil.copytree(source, folder / f"my_{name}"))
    return Path(shutil.copy(source, folder / f"my_{name}.py"))


def command(name: str) -> list[str]:
    """Return a command of this installation."""
    return [sys.executable, "-m", "plyground", name]


def seconds(cache: Path, *arguments: str) -> float:
    """Return the CPU seconds of `analyse` with these arguments and this cache."""
    process = subprocess.Popen(
        [*command("analyse"), *arguments],
        env={**os.environ, "PLYGROUND_CACHE": str(cache)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    errors = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise RuntimeError(errors.decode())
    return used.ru_utime + used.ru_stime


def edit_rules(source: str, hook: str) -> str:
    """Return the rules with 1 added to the value of the hook's last `return`."""
    body = next(f for f in ast.parse(source).body if isinstance(f, ast.FunctionDef) and f.name == hook)
    last = max((n.value for n in ast.walk(body) if isinstance(n, ast.Return) and n.value), key=lambda n: n.lineno)
    lines = source.encode().splitlines(keepends=True)
    assert last.end_lineno is not None
    assert last.end_col_offset is not None
    for line, column, text in ((last.end_lineno, last.end_col_offset, b") + 1"), (last.lineno, last.col_offset, b"(")):
        lines[line - 1] = lines[line - 1][:column] + text + lines[line - 1][column:]
    return b"".join(lines).decode()


def main(names: Iterable[str]) -> None:
    """Print the figures of these games, or the table of all."""
    for name in names:
        print(name, *(f"{x:.2f}" for x in measure(name)), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=games())
    main(parser.parse_args().games)
