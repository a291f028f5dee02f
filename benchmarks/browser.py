"""The engine in a browser beside the native one, in one run: nodes per second on the same search, and the size of each page.

Both search the same tree with an empty table. The page is opened from a file and has warmed up; the native search is timed by the
processor's clock, the one in the browser by the page's own, so other programs on the machine count against it.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import chromium
from pages import table
from plyground.engine.engine import Engine
from plyground.play.limit import Limit
from plyground.rules.load import load, shipped
from plyground.web import page
from plyground.web.engine import TABLE_MB, first_choice
from plyground.web.kernels import module

NODES = 1_000_000
SLOW = {"backgammon": 200_000, "2048": 500_000, "gomoku": 200_000}
"""Nodes of games whose rules take longer."""
ENOUGH = 50_000
"""A search that ends sooner is too short to be measured."""
SEARCH = """
const [nodes, done] = arguments;
const search = async () => {
  await plyground.ready;
  const since = performance.now();
  const found = await plyground.think({ nodes, seed: 1 });
  return [found.nodes, (performance.now() - since) / 1000];
};
search().then(done, (e) => done(String(e)));
"""


def native(name: str, nodes: int) -> tuple[int, float]:
    """Nodes and seconds of a native search."""
    engine = Engine(name, memory=TABLE_MB, seed=0, perfect=False)
    engine.forget()
    s = first_choice(engine.game)
    engine.prepare()
    since = time.process_time()
    found = engine.analyse(s, Limit(nodes=nodes))
    return found.nodes, time.process_time() - since


def in_browser(driver: Any, nodes: int) -> tuple[int, float]:
    """Nodes and seconds of the page's search."""
    found = driver.execute_async_script(SEARCH, nodes)
    assert isinstance(found, list), found
    return found[0], found[1]


def browser(repeats: int = 3) -> str:
    """The table of all games."""
    rows = [["game", "native, nodes/s", "Chromium, nodes/s", "ratio", "module, KB", "page, KB"]]
    with tempfile.TemporaryDirectory() as folder, chromium.started(Path(folder)) as driver:
        driver.set_script_timeout(600)
        for name in shipped():
            game, nodes = load(name), SLOW.get(name, NODES)
            text = page(game, first_choice(game))
            file = Path(folder) / f"{name}.html"
            file.write_text(text, encoding="utf-8")
            driver.get(file.as_uri())
            sizes = [f"{len(module(game)) / 1000:.0f}", f"{len(text.encode()) / 1000:.0f}"]
            if in_browser(driver, nodes)[0] < ENOUGH:
                rows.append([name, "solved at once", "solved at once", "", *sizes])
                continue
            pairs = []
            for _ in range(repeats):
                (n, seconds), (m, others) = native(name, nodes), in_browser(driver, nodes)
                pairs.append((n / seconds, m / others))
            own, theirs = (statistics.median(rates) for rates in zip(*pairs, strict=True))
            ratio = statistics.median(theirs / own for own, theirs in pairs)
            rows.append([name, f"{own:,.0f}", f"{theirs:,.0f}", f"{ratio:.2f}x", *sizes])
            print(rows[-1], flush=True)
    return table(rows, right=True)
