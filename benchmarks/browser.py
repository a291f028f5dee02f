"""The engine in a browser beside the native one, in one run: nodes per second on the same search, and the size of each page.

Both search the same tree with an empty table. The page is opened from a file and has warmed up. Seconds are processor time, so
that other programs on the machine do not count: of this process, and of all the browser's (Linux only).
"""

from __future__ import annotations

import contextlib
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import chromium
from pages import table
from plyground.engine.engine import Engine
from plyground.play.limit import Limit
from plyground.rules.load import builtin_games, load
from plyground.web import page
from plyground.web.facts import TABLE_MB, first_choice
from plyground.web.kernels import module

NODES = 4_000_000
SLOW = {"backgammon": 1_000_000, "chess": 1_000_000, "draughts": 1_000_000, "gomoku": 300_000}
"""Nodes of games whose rules take longer."""
ENOUGH = 50_000
"""A search that ends sooner is too short to be measured."""
SEARCH = """
const [nodes, done] = arguments;
const search = async () => {
  await plyground.ready;
  return (await plyground.think({ nodes, seed: 1 })).nodes;
};
search().then(done, (e) => done(String(e)));
"""


def native(name: str, nodes: int, evaluate: str | None) -> tuple[int, float]:
    """Return nodes and seconds of a native search with the page's evaluation."""
    engine = Engine(name, memory=TABLE_MB, seed=0, perfect=False, evaluate=evaluate)
    engine.forget()
    s = first_choice(engine.game)
    engine.prepare()
    since = time.process_time()
    found = engine.analyse(s, Limit(nodes=nodes))
    return found.nodes, time.process_time() - since


def in_browser(driver: Any, nodes: int) -> tuple[int, float]:
    """Return nodes and seconds of the page's search."""
    since = processor_seconds(driver.service.process.pid)
    found = driver.execute_async_script(SEARCH, nodes)
    assert isinstance(found, int), found
    return found, processor_seconds(driver.service.process.pid) - since


def processor_seconds(first: int) -> float:
    """Return the processor time of a process and all its descendants, in seconds."""
    parents, seconds = {}, {}
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):  # not a process, or one that has just ended
            pid = int(folder.name)
            fields = (folder / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            parents[pid], seconds[pid] = int(fields[1]), (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def below(pid: int) -> bool:
        return pid == first or (pid in parents and below(parents[pid]))

    return sum(seconds[pid] for pid in parents if below(pid))


def browser(repeats: int = 3) -> str:
    """Return the table of all games."""
    rows = [["game", "native, nodes/s", "Chromium, nodes/s", "ratio", "module, KB", "page, KB"]]
    with tempfile.TemporaryDirectory() as folder, chromium.start(Path(folder)) as driver:
        driver.set_script_timeout(600)
        for name in builtin_games():
            game, nodes = load(name), SLOW.get(name, NODES)
            notes: list[str] = []
            text = page(game, first_choice(game), on_note=notes.append)
            evaluate = "rules" if notes else None  # a net that is too large for the page
            file = Path(folder) / f"{name}.html"
            file.write_text(text, encoding="utf-8")
            driver.get(file.as_uri())
            sizes = [f"{len(module(game)) / 1000:.0f}", f"{len(text.encode()) / 1000:.0f}"]
            if in_browser(driver, nodes)[0] < ENOUGH:
                rows.append([name, "solved at once", "solved at once", "", *sizes])
                continue
            pairs = []
            for _ in range(repeats):
                (n, seconds), (m, others) = native(name, nodes, evaluate), in_browser(driver, nodes)
                pairs.append((n / seconds, m / others))
            own, theirs = (statistics.median(rates) for rates in zip(*pairs, strict=True))
            ratio = statistics.median(theirs / own for own, theirs in pairs)
            rows.append([name, f"{own:,.0f}", f"{theirs:,.0f}", f"{ratio:.2f}x", *sizes])
    return table(rows, right=True)
