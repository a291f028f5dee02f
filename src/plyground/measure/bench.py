"""How fast rules run, compiled and interpreted, and how long the first start takes; ratios come from the same run."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass

from plyground.measure.perft import interpreted, native
from plyground.rules.game import Game

ENOUGH = 0.4
"""Seconds of interpreted work that make a fair sample."""


@dataclass(frozen=True)
class Speed:
    """The speed of one game's rules: the same perft, interpreted and compiled."""

    game: str
    depth: int
    leaves: int
    interpreted_nps: float
    compiled_nps: float

    @property
    def ratio(self) -> float:
        """How many times faster the compiled rules are."""
        return self.compiled_nps / self.interpreted_nps


def seconds_of(job: Callable[[], object], least: float = 0.0) -> float:
    """Return the duration of the job: the mean over enough runs to fill `least` seconds."""
    runs, since = 0, time.perf_counter()
    while True:
        job()
        runs += 1
        passed = time.perf_counter() - since
        if passed >= least:
            return passed / runs


def speed(game: Game) -> Speed:
    """Run perft from the start, to the first depth at which the interpreted rules take long enough."""
    s = game.start()
    plain, compiled = interpreted(game), native(game)
    depth = 0
    slow = 0.0
    while slow < ENOUGH and depth < 100:
        depth += 1
        slow = seconds_of(functools.partial(plain, s, depth))
        if not compiled(s, depth + 1):
            break
    leaves = compiled(s, depth)
    fast = seconds_of(lambda: compiled(s, depth), ENOUGH / 2)
    return Speed(game.name, depth, leaves, leaves / slow, leaves / fast)


def starts(spec: str) -> tuple[float, float]:
    """Return the seconds from the shell to the first perft result: with an empty cache and with a full one."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "PLYGROUND_CACHE": cache}

        def start() -> None:
            command = [sys.executable, "-m", "plyground", "perft", spec, "1", "--json"]
            subprocess.run(command, env=environment, check=True, capture_output=True)

        cold = seconds_of(start)
        return cold, min(seconds_of(start) for _ in range(3))
