"""A player that looks moves up in tables and asks another player if they have no answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from plyground.rules.game import Game
from plyground.solver.tablebase.file import Tablebase, open_tablebase

if TYPE_CHECKING:
    from plyground.play.limit import Limit
    from plyground.play.player import Player
    from plyground.play.report import Analysis


class Tablebases:
    """Several tables of one game, probed in order."""

    def __init__(self, paths: Sequence[str], game: Game) -> None:
        self.tables = [open_tablebase(path, game) for path in paths]

    def analysis(self, s: Any, lines: int = 1) -> tuple[Analysis, Tablebase] | None:
        """The answer of the first table that contains a state, and that table."""
        for table in self.tables:
            found = table.analysis(s, lines)
            if found is not None:
                return found, table
        return None


class TablebasePlayer:
    """Plays perfectly if a table contains the position; otherwise asks another player, created on first use."""

    def __init__(self, tables: Tablebases, other: Callable[[], Player], name: str) -> None:
        self.tables, self.make = tables, other
        self.other: Player | None = None
        self.name = f"{', '.join(table.path.name for table in tables.tables)}, else {name}"
        self.found: Analysis | None = None
        self.clock: Limit | None = None
        """The time left on a clock for the other player's next move."""

    def choose(self, game: Game, s: Any, history: Sequence[Any] = ()) -> int:
        """The best move; its analysis stays in `found`."""
        known = self.tables.analysis(s)
        if known is not None:
            self.found = known[0]
            assert self.found.move is not None
            return self.found.move
        if self.other is None:
            self.other = self.make()
        if hasattr(self.other, "clock"):
            self.other.clock = self.clock
        m = self.other.choose(game, s, history)
        self.found = getattr(self.other, "found", None)
        return m

    def stop(self) -> None:
        """Makes the other player move at once, if it can."""
        stop = getattr(self.other, "stop", None)
        if stop is not None:
            stop()
