"""Writes a game to the records after every move, so that nothing is lost however the program ends.

with GameRecorder() as recorder:
    recorder.follow(match, players)
    match.play("a1")
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import TracebackType

import plyground
from plyground.errors import PlygroundError
from plyground.play.match import Event, Match
from plyground.players.player import Player
from plyground.records.rows import GameRow
from plyground.records.store import Records
from plyground.rules.game import Game
from plyground.system.codec import encode

WRITE_TIMEOUT_SECONDS = 3.0
"""Seconds to wait for records that another program keeps locked; then the game goes on without them."""


@dataclass(kw_only=True)
class GameInProgress:
    """A game of `plyground play`. The fields are those of a `GameRow`; what a row has no field for is under its `more`."""

    side: int = 0
    players: tuple[str, ...] = ()
    seed: int = 0
    start: str | None = None
    opening: int
    moves: list[str]
    scores: list[float | None] = field(default_factory=list)
    depths: list[int | None] = field(default_factory=list)
    nodes: list[int | None] = field(default_factory=list)
    times: list[float | None] = field(default_factory=list)
    result: float | None = None
    points: float | None = None
    reason: str | None = None
    seconds: float = 0.0
    versions: dict[str, str] = field(default_factory=dict)
    nets: tuple[str | None, ...] | None = None
    """By side, the nets with which players evaluate positions, if any has one."""
    engines: tuple[str | None, ...] | None = None
    """The names that external engines report, by side, if there are any."""
    notes: dict[str, object] = field(default_factory=dict)
    clock: dict[str, object] | None = None
    ending: tuple[object, ...] | None = None

    def truncate(self, plies: int) -> None:
        """Make all lists as long as the moves up to a ply."""
        del self.moves[plies:]
        for known in (self.scores, self.depths, self.nodes, self.times):
            known[plies:] = [None] * (plies - len(known))


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
        self._game: GameInProgress | None = None
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
            raise PlygroundError(f"game {found} has no recorded moves")
        self.number = found
        row = rows[0]
        self._game = GameInProgress(
            opening=row.opening,
            moves=row.moves,
            scores=row.scores,
            depths=row.depths,
            nodes=row.nodes,
            times=row.times,
            seconds=row.seconds or 0.0,
            versions=row.versions,
        )
        return Match.from_text(json.dumps(_as_saved_game(row)), game)

    def follow(self, match: Match, players: Mapping[int, Player]) -> None:
        """Record this match from now on; what a computer player found is kept with its move.

        If a player in `players` is replaced, the record names the new one.
        """
        game, made = match.game, len(match.moves)
        kept = self._game = self._game or GameInProgress(opening=made, moves=[])
        kept.moves, kept.start = match.move_texts(), None
        kept.truncate(made)
        if game.identity(match.states[0]) != game.identity(game.start()):
            kept.start = game.format_state(match.states[0])
        kept.versions = {**kept.versions, "plyground": plyground.__version__}
        self._match, self._players, self._began = match, players, time.monotonic()
        match.listeners.append(self._on_event)

    def _on_event(self, event: Event) -> None:
        kept, now = self._game, time.monotonic()
        assert kept is not None
        if event.kind == "undo":
            kept.truncate(len(kept.moves) - 1)
            kept.opening = min(kept.opening, len(kept.moves))
        elif event.move is not None:
            found = event.analysis if event.analysis is not None and event.analysis.scored else None
            kept.moves.append(self._match.game.format_move(event.s, event.move))
            kept.scores.append(None if found is None else found.score)
            kept.depths.append(None if found is None else found.depth)
            kept.nodes.append(None if found is None else found.nodes)
            kept.times.append(round(now - self._began, 3))
        kept.seconds = round(kept.seconds + now - self._began, 3)
        self._began = now
        self.write()

    def write(self) -> None:
        """Keep the game as it is now, if it has begun."""
        match, kept = self._match, self._game
        if kept is None or (self.number is None and not match.moves):
            return
        seated = [self._players.get(side) for side in range(len(match.players))]
        kept.nets = _any_of(None if player is None else player.net for player in seated)
        kept.engines = _any_of(None if player is None else player.program for player in seated)
        kept.result, kept.points, kept.reason = _end_of(match)
        kept.players, kept.seed, kept.notes = match.players, match.seed, match.notes
        kept.clock = None if match.clock is None else match.clock.as_json()
        kept.ending = match.ending
        patience = WRITE_TIMEOUT_SECONDS if self.fault is None else 0.0
        try:
            self._keep(kept, patience)
            self.fault = None
        except PlygroundError as e:
            new = str(e) != self.fault
            self.fault = str(e)
            if new:
                self.on_fault(self.fault)

    def _keep(self, kept: GameInProgress, patience: float) -> None:
        match = self._match
        if self._records is None:
            self._records = self._open.enter_context(Records(patience=patience))
        self._records.wait_at_most(patience)
        if self.number is None:
            self.number = self._records.new_match("play", match.game.spec, list(match.players), {}, seed=match.seed)
            self._open.enter_context(self._records.lock(self.number))
        self._records.write_game(self.number, encode(kept))
        if kept.reason is not None:
            self._records.end(self.number, kept.reason)


def _any_of(names: Iterable[str | None]) -> tuple[str | None, ...] | None:
    """Return the names; None if there are none."""
    found = tuple(names)
    return found if any(found) else None


def _end_of(match: Match) -> tuple[float | None, float | None, str | None]:
    """Return the result, the points and the reason of a row: for the side that moves first, None while the game goes on."""
    value = match.result
    if value is None:
        return None, None, None
    if isinstance(value, tuple):
        mine, best = value[0], max(value)
        score = 0.0 if mine < best else 1.0 if value.count(best) == 1 else 0.5
    else:
        mine = value if len(match.game.sides) == 1 or match.turn == 0 else -value
        score = 0.5 if mine == 0 else float(mine > 0)
    return score, mine, match.reason


def _as_saved_game(row: GameRow) -> dict[str, object]:
    """Return a record as `Match.from_text` reads it."""
    data: dict[str, object] = {"game": row.game, "moves": row.moves, "players": row.players, "seed": row.seed}
    if row.start is not None:
        data["start"] = row.start
    return data | {name: row.more[name] for name in ("clock", "ending", "notes") if name in row.more}
