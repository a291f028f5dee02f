"""The arena's workers: how many pairs per second two of them play, compared with one."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from plyground.arena.contest import Contest
from plyground.arena.messages import MatchSettings
from plyground.arena.worker_pool import Event, PairFinished, Workers
from plyground.play.limit import Limit
from plyground.records.store import Records

PLAYERS = ["engine", "engine"]
NODES = 3_000
PAIRS = 100


def pairs_per_second(workers: int, seed: int) -> float:
    """Return the rate from the first finished pair to the last, which leaves out the start of the processes."""
    ends: list[float] = []

    def event(event: Event | None) -> None:
        if isinstance(event, PairFinished):
            ends.append(time.perf_counter())

    settings = MatchSettings(2 * PAIRS, limit=Limit(nodes=NODES))
    with tempfile.TemporaryDirectory() as folder, Records(Path(folder) / "records.db") as records:
        contest = Contest.new(records, "connect4", PLAYERS, settings, seed=seed)
        with Workers(contest.setup, workers) as pool:
            contest.run(pool, event)
    return (len(ends) - workers) / (ends[-1] - ends[workers - 1])


def workers(repeats: int = 3) -> str:
    """Return the table that compares two workers with one on Connect 4, in the same games."""
    rates = [(pairs_per_second(1, seed), pairs_per_second(2, seed)) for seed in range(repeats)]
    one, two = (statistics.median(each) for each in zip(*rates, strict=True))
    ratio = statistics.median(b / a for a, b in rates)
    return "\n".join(
        [
            "| game | nodes per move | one worker, pairs/s | two workers, pairs/s | ratio |",
            "|---|---|---|---|---|",
            f"| connect4 | {NODES:,} | {one:.1f} | {two:.1f} | {ratio:.2f}x |",
        ]
    )
