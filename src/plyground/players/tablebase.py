"""A player that looks moves up in tables and asks another player if they have no answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from plyground.play.limit import Limit
from plyground.play.position import Position
from plyground.play.report import Analysis
from plyground.players.player import Player
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.solver.tablebase.file import Tablebase, open_tablebase


class Tablebases:
    """Several tables of one game, probed in order."""

    def __init__(self, paths: Sequence[str], game: Game) -> None:
        self.tables = [open_tablebase(path, game) for path in paths]

    def analysis(self, s: State, lines: int = 1) -> tuple[Analysis, Tablebase] | None:
        """Return the answer of the first table that contains a state, and that table."""
        for table in self.tables:
            found = table.analysis(s, lines)
            if found is not None:
                return found, table
        return None


class TablebasePlayer(Player):
    """Plays perfectly if a table contains the position; otherwise asks another player, created on first use."""

    limits = frozenset(("depth", "nodes", "time", "clock"))
    stoppable = True

    def __init__(self, tables: Tablebases, make_other: Callable[[], Player], name: str) -> None:
        self.tables, self._make_other = tables, make_other
        self.other: Player | None = None
        self.name = f"{', '.join(table.path.name for table in tables.tables)}, else {name}"

    def prepare(self) -> Player:
        """Make the other player now, unless that was done before."""
        if self.other is None:
            self.other = self._make_other()
        return self.other

    def choose(self, position: Position, limit: Limit | None = None) -> Analysis:
        """Choose the best move that a table or else the other player knows."""
        known = self.tables.analysis(position.s)
        if known is not None:
            return known[0]
        other = self.prepare()
        other.on_report = self.on_report
        return other.choose(position, limit)

    def stop(self) -> None:
        """Make the other player move at once, if it can."""
        if self.other is not None:
            self.other.stop()

    def close(self) -> None:
        """End the other player."""
        if self.other is not None:
            self.other.close()
