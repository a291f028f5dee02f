"""Keeps a game in the records while it is played: after every move, so that nothing is lost however the program ends.

with Keeper() as keeper:
    keeper.follow(match, players)
    match.play("a1")
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any

import plyground
from plyground.errors import PlygroundError
from plyground.play.match import Event, Match
from plyground.records.rows import GameRow
from plyground.records.store import Records

LISTS = ("moves", "scores", "depths", "nodes", "times")


class Keeper:
    """One game of `plyground play` and its record."""

    def __init__(self) -> None:
        self.number: int | None = None
        """The number of the record; None before the first move."""
        self.fault: str | None = None
        """Why the game could not be kept the last time."""
        self.on_fault: Callable[[str], None] = lambda fault: None
        """Called with each new fault; the game goes on."""
        self._records: Records | None = None
        self._row: dict[str, Any] = {}
        self._began = 0.0
        self._open = contextlib.ExitStack()

    def __enter__(self) -> Keeper:
        return self

    def __exit__(self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None) -> None:
        self._open.close()

    def resume(self, number: int | None = None) -> Match:
        """A game from the records as it was left; by default the last one that is unfinished."""
        records = self._records = self._open.enter_context(Records())
        found = records.last_unfinished("play") if number is None else number
        if found is None:
            raise PlygroundError("there is no unfinished game; plyground record list shows the finished ones")
        if records.match(found).kind != "play":
            raise PlygroundError(f"match {found} is not a game of plyground play; only such games can be resumed")
        self._open.enter_context(records.lock(found))
        rows = list(records.games(found))
        if len(rows) != 1:
            raise PlygroundError(f"no move of game {found} was kept")
        self.number = found
        self._row = {name: getattr(rows[0], name) for name in ("opening", "seconds", "versions", *LISTS)}
        return Match.from_text(json.dumps(_saved(rows[0])))

    def follow(self, match: Match, players: Mapping[int, Any]) -> None:
        """Keeps this match from now on; what a computer player has `found` is kept with its move."""
        game, made = match.game, len(match.moves)
        first = None if game.identity(match.states[0]) == game.identity(game.start()) else game.format_state(match.states[0])
        row = {"opening": made, "seconds": 0.0, "versions": {}, **self._row}
        for name in LISTS:
            row[name] = [*row.get(name, []), *[None] * made][:made]
        row |= {"side": 0, "moves": match.move_texts(), "start": first}
        row["versions"] = {**row["versions"], "plyground": plyground.__version__}
        row |= _nets(match, players) | _programs(match, players)
        self._row, self._match, self._players, self._began = row, match, players, time.monotonic()
        match.listeners.append(self._hear)

    def _hear(self, event: Event) -> None:
        row, now = self._row, time.monotonic()
        if event.kind == "undo":
            for name in LISTS:
                del row[name][-1]
            row["opening"] = min(row["opening"], len(row["moves"]))
        elif event.move is not None:
            found = self._found(event)
            row["moves"].append(self._match.game.format_move(event.s, event.move))
            row["scores"].append(None if found is None else found.score)
            row["depths"].append(None if found is None else found.depth)
            row["nodes"].append(None if found is None else found.nodes)
            row["times"].append(round(now - self._began, 3))
        row["seconds"] = round(row["seconds"] + now - self._began, 3)
        self._began = now
        self.write()

    def _found(self, event: Event) -> Any:
        """What the player that made a move has found here; None if it does not search or was not asked."""
        player = None if event.side is None else self._players.get(event.side)
        found, identity = getattr(player, "found", None), self._match.game.identity
        if event.kind != "move" or found is None or found.state is None or found.move != event.move:
            return None
        return found if identity(found.state) == identity(event.s) else None

    def write(self) -> None:
        """Keeps the game as it is now, if it has begun."""
        match = self._match
        if self.number is None and not match.moves:
            return
        row = {**self._row, **_end_of(match), "players": list(match.players), "seed": match.seed, "notes": match.notes}
        if match.clock is not None:
            row["clock"] = match.clock.as_json()
        if match.ending is not None:
            row["ending"] = list(match.ending)
        try:
            self._keep(row)
            self.fault = None
        except PlygroundError as e:
            new = str(e) != self.fault
            self.fault = str(e)
            if new:
                self.on_fault(self.fault)

    def _keep(self, row: dict[str, Any]) -> None:
        match = self._match
        if self._records is None:
            self._records = self._open.enter_context(Records())
        if self.number is None:
            self.number = self._records.new_match("play", match.game.spec, list(match.players), {}, seed=match.seed)
            self._open.enter_context(self._records.lock(self.number))
        self._records.write_game(self.number, row)
        if row["reason"] is not None:
            self._records.end(self.number, row["reason"])


def _nets(match: Match, players: Mapping[int, Any]) -> dict[str, Any]:
    """The nets with which players judge, by side; nothing if there are none."""
    engines = [getattr(players.get(side), "engine", None) for side in range(len(match.players))]
    nets = [getattr(getattr(engine, "net", None), "name", None) for engine in engines]
    return {"nets": nets} if any(nets) else {}


def _programs(match: Match, players: Mapping[int, Any]) -> dict[str, Any]:
    """What engines of other programs call themselves, by side; nothing if there are none."""
    programs = [getattr(players.get(side), "program", None) for side in range(len(match.players))]
    return {"engines": programs} if any(programs) else {}


def _end_of(match: Match) -> dict[str, Any]:
    """How a match ended for the side that moves first, in a row's words."""
    value = match.result
    if value is None:
        return {"result": None, "points": None, "reason": None}
    if isinstance(value, tuple):
        mine, best = value[0], max(value)
        score = 0.0 if mine < best else 1.0 if value.count(best) == 1 else 0.5
    else:
        mine = value if len(match.game.sides) == 1 or match.turn == 0 else -value
        score = 0.5 if mine == 0 else float(mine > 0)
    return {"result": score, "points": mine, "reason": match.reason}


def _saved(row: GameRow) -> dict[str, Any]:
    """A record as `Match.from_text` reads it."""
    data = {"game": row.game, "moves": row.moves, "players": row.players, "seed": row.seed}
    if row.start is not None:
        data["start"] = row.start
    return data | {name: row.more[name] for name in ("clock", "ending", "notes") if name in row.more}
