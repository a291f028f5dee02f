"""One pair: the same opening twice, with the sides exchanged.

A job (a dict that JSON can hold) says everything: the players, the opening, the seed and the limits. Each game has players of its
own with empty tables, and seeds derived from that of the job. So a job that is limited by nodes or depth gives the same two games
in any process, on any machine, after any other job.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable
from typing import Any

import plyground
from plyground.arena.sources import Setup
from plyground.engine.players import make_player
from plyground.errors import PlygroundError
from plyground.play.limit import Limit
from plyground.play.match import Match
from plyground.play.player import Player
from plyground.rules.game import Game

LIMIT = {"nodes": 10_000}
"""The limit of players that have none, if the job gives none either."""
MEMORY = 16.0
"""MB of an engine's table: it is made anew for each game."""
MOST_PLIES = 1000
"""A game that takes longer is a draw."""


class StoppedError(Exception):
    """The pair was stopped before its end."""


def seed_of(*parts: Any) -> int:
    """A seed derived from other seeds, names and numbers: always the same for the same parts.

    >>> seed_of(1, "a", 0) == seed_of(1, "a", 0) != seed_of(1, "b", 0)
    True
    """
    return int.from_bytes(hashlib.blake2b(repr(parts).encode(), digest_size=8).digest(), "big") >> 11


def play_pair(setup: Setup, job: dict[str, Any], stop: Callable[[], bool] = lambda: False) -> dict[str, Any]:
    """Plays both games of a job. `stop` is asked before every move; if it says yes, `StoppedError` is raised."""
    check_sides(setup.game)
    games = [play_game(setup, job, side, stop) for side in (0, 1)]
    if len(setup.game.sides) == 1:  # both play alone: more points win
        a, b = (game["points"] for game in games)
        for game in games:
            game["result"] = _share(a - b)
    return {"pair": job["pair"], "games": games}


def check_sides(game: Game) -> None:
    """Refuses games that cannot be played in pairs."""
    if len(game.sides) > 2:
        raise PlygroundError(f"{game.name} has {len(game.sides)} sides; the arena plays games with one or two")


def play_game(setup: Setup, job: dict[str, Any], side: int, stop: Callable[[], bool] = lambda: False) -> dict[str, Any]:
    """Plays one game of a job: the one in which the first player has this side."""
    began = time.perf_counter()
    match = opened(setup.game, job)
    players = _seated(setup, job, side)
    log = _Log(len(match.moves))
    reason = None
    while match.mover is not None or match.result is None:
        if stop():
            raise StoppedError
        if match.game.is_chance(match.s):
            match.roll()
            log.skip()
            continue
        if len(match.moves) >= (job.get("most_plies") or MOST_PLIES):
            reason = "length"
            break
        log.ask(players[match.turn], match)
    return {
        "side": side,
        "players": list(job["players"]),
        "seed": job["seed"],
        "start": job.get("start"),
        "opening": len(job["opening"]),
        "moves": match.move_texts(),
        **_ended(match, side, reason),
        **log.columns(),
        "seconds": round(time.perf_counter() - began, 6),
        "versions": {"plyground": plyground.__version__},
    }


def opened(game: Game, job: dict[str, Any]) -> Match:
    """The match of a job after its opening; the dice come from the job's seed, the same in both games."""
    match = Match(game, job.get("start"), seed=job["seed"])
    for move in job["opening"]:
        match.play(move)
    return match


def _seated(setup: Setup, job: dict[str, Any], side: int) -> list[Player]:
    """New players by the side of the game that they have; in a solitaire, the one who plays this game."""
    limit = Limit(**(job.get("limit") or LIMIT))
    specs = [setup.player(spec) for spec in job["players"]]
    made = {
        n: make_player(specs[n], setup.game, seed_of(job["seed"], side, n), limit=limit, memory=MEMORY)
        for n in ((side,) if len(setup.game.sides) == 1 else (0, 1))
    }
    return [made[side]] if len(made) == 1 else [made[side], made[1 - side]]


class _Log:
    """What the players said about each ply: nothing about the opening and about chance."""

    def __init__(self, plies: int) -> None:
        self.scores: list[float | None] = [None] * plies
        self.depths: list[int | None] = [None] * plies
        self.nodes: list[int | None] = [None] * plies
        self.times: list[float] = [0.0] * plies

    def skip(self) -> None:
        """A ply that no player chose."""
        self.add(None, None, None, 0.0)

    def add(self, score: float | None, depth: int | None, nodes: int | None, seconds: float) -> None:
        """One ply."""
        self.scores.append(score if score is None or math.isfinite(score) else None)
        self.depths.append(depth)
        self.nodes.append(nodes)
        self.times.append(round(seconds, 6))

    def ask(self, player: Player, match: Match) -> None:
        """Lets a player make its move."""
        began = time.perf_counter()
        m = player.choose(match.game, match.s, match.states[:-1])
        seconds = time.perf_counter() - began
        found = getattr(player, "found", None)
        if found is None:
            self.add(None, None, None, seconds)
        else:
            self.add(found.score, found.depth, found.nodes, seconds)
        match.play(m)

    def columns(self) -> dict[str, Any]:
        """A list for each thing, with an item for each ply."""
        return {"scores": self.scores, "depths": self.depths, "nodes": self.nodes, "times": self.times}


def _ended(match: Match, side: int, reason: str | None) -> dict[str, Any]:
    """The result for the first player."""
    if reason is not None:
        return {"result": 0.5, "points": 0, "reason": reason}
    value = match.result
    if len(match.game.sides) == 2 and match.turn != side:
        value = -value
    return {"result": _share(value), "points": int(value), "reason": match.reason}


def _share(value: float) -> float:
    """1 for a win, 0.5 for a draw, 0 for a loss."""
    return 0.5 if value == 0 else float(value > 0)
