"""Keeps a game in the records while it is played: after every move, so that nothing is lost however the program ends.

with GameRecorder() as recorder:
    recorder.follow(match, players)
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
from plyground.players.player import Player
from plyground.records.rows import GameRow
from plyground.records.store import Records
from plyground.rules.game import Game

LISTS = ("moves", "scores", "depths", "nodes", "times")
PATIENCE = 3.0
"""Seconds that a player waits at most for records that another program keeps locked; then the game goes on without them."""


class GameRecorder:
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

    def __enter__(self) -> GameRecorder:
        return self

    def __exit__(self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None) -> None:
        self._open.close()

    def resume(self, number: int | None = None, game: Game | None = None) -> Match:
        """Return a game from the records as it was left; by default the last one that is unfinished, and the rules that it
        names.
        """
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
        return Match.from_text(json.dumps(_saved(rows[0])), game)

    def follow(self, match: Match, players: Mapping[int, Player]) -> None:
        """Keep this match from now on; what a computer player found is kept with its move.

        Whoever replaces a player in `players` is the one that the record names.
        """
        game, made = match.game, len(match.moves)
        first = None if game.identity(match.states[0]) == game.identity(game.start()) else game.format_state(match.states[0])
        row = {"opening": made, "seconds": 0.0, "versions": {}, **self._row}
        for name in LISTS:
            row[name] = [*row.get(name, []), *[None] * made][:made]
        row |= {"side": 0, "moves": match.move_texts(), "start": first}
        row["versions"] = {**row["versions"], "plyground": plyground.__version__}
        self._row, self._match, self._players, self._began = row, match, players, time.monotonic()
        match.listeners.append(self._hear)

    def _hear(self, event: Event) -> None:
        row, now = self._row, time.monotonic()
        if event.kind == "undo":
            for name in LISTS:
                del row[name][-1]
            row["opening"] = min(row["opening"], len(row["moves"]))
        elif event.move is not None:
            found = event.analysis if event.analysis is not None and event.analysis.scored else None
            row["moves"].append(self._match.game.format_move(event.s, event.move))
            row["scores"].append(None if found is None else found.score)
            row["depths"].append(None if found is None else found.depth)
            row["nodes"].append(None if found is None else found.nodes)
            row["times"].append(round(now - self._began, 3))
        row["seconds"] = round(row["seconds"] + now - self._began, 3)
        self._began = now
        self.write()

    def write(self) -> None:
        """Keep the game as it is now, if it has begun."""
        match = self._match
        if self.number is None and not match.moves:
            return
        row = {**self._row, **_end_of(match), **_identities(match, self._players)}
        row |= {"players": list(match.players), "seed": match.seed, "notes": match.notes}
        if match.clock is not None:
            row["clock"] = match.clock.as_json()
        if match.ending is not None:
            row["ending"] = list(match.ending)
        patience = PATIENCE if self.fault is None else 0.0
        try:
            self._keep(row, patience)
            self.fault = None
        except PlygroundError as e:
            new = str(e) != self.fault
            self.fault = str(e)
            if new:
                self.on_fault(self.fault)

    def _keep(self, row: dict[str, Any], patience: float) -> None:
        match = self._match
        if self._records is None:
            self._records = self._open.enter_context(Records(patience=patience))
        self._records.wait_at_most(patience)
        if self.number is None:
            self.number = self._records.new_match("play", match.game.spec, list(match.players), {}, seed=match.seed)
            self._open.enter_context(self._records.lock(self.number))
        self._records.write_game(self.number, row)
        if row["reason"] is not None:
            self._records.end(self.number, row["reason"])


def _identities(match: Match, players: Mapping[int, Player]) -> dict[str, Any]:
    """Return by side the nets of players and the names of other programs' engines, if there are any."""
    seated = [players.get(side) for side in range(len(match.players))]
    nets = [None if player is None else player.net for player in seated]
    programs = [None if player is None else player.program for player in seated]
    return ({"nets": nets} if any(nets) else {}) | ({"engines": programs} if any(programs) else {})


def _end_of(match: Match) -> dict[str, Any]:
    """Return how a match ended for the side that moves first, in a row's words."""
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
    """Return a record as `Match.from_text` reads it."""
    data = {"game": row.game, "moves": row.moves, "players": row.players, "seed": row.seed}
    if row.start is not None:
        data["start"] = row.start
    return data | {name: row.more[name] for name in ("clock", "ending", "notes") if name in row.more}
