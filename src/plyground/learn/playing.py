"""Plays streams of self-play on some threads, with what a search needs for each thread."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from plyground.errors import GameError
from plyground.learn.features import Features
from plyground.rules.game import Game
from plyground.search import options, selfplay
from plyground.search.memory import Searcher
from plyground.search.selfplay import Stream
from plyground.system.runner import Crew

FOREVER = 1 << 60
TECHNIQUES = (
    options.EXACT_OPTIONS & ~options.USE_TABLE
    | options.USE_QUIET
    | options.USE_EXTENSIONS
    | options.USE_REPLIES
    | options.USE_LIKELY
)
"""No table: what it holds is stale when weights change."""

Job = Callable[[int], None]
"""Called with the number of the thread."""


class Playing:
    """The search of each thread, and the kernel that plays a stream with it."""

    def __init__(self, game: Game, features: Features, threads: int) -> None:
        from plyground.compile.native import Native

        self.game = game
        self._crew = Crew(threads)
        self._never = np.zeros(8, np.int64)
        self._searchers = [self._searcher() for _ in range(threads)]
        self._play = Native(game, net=features.structure).bind(selfplay.play_games, selfplay.SIGNATURE, "training")

    def _searcher(self) -> Searcher:
        memory = Searcher(self.game.layout.words)
        memory.begin(FOREVER, 0)
        memory.stop, memory.options = self._never.ctypes.data, TECHNIQUES
        return memory

    def play(self, stream: Stream, thread: int) -> None:
        """Plays a stream until it has enough; no search remembers another."""
        searcher = self._searchers[thread]
        searcher.forget()
        if self._play(searcher.address, stream.address) < 0:
            what = f"a result of {searcher.beyond} is beyond its MARGIN" if searcher.beyond else "a search was stopped"
            raise GameError(f"{self.game.where}: {what}")

    def run(self, jobs: Iterable[Job]) -> None:
        """Does all jobs, each on the next free thread."""
        self._crew.run(jobs)
