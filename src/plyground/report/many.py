"""Games with three or more sides: neither levels nor pairs exist for them, so random and simple players have to do."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from plyground.arena.messages import PlayedGame
from plyground.arena.pair import seed_of
from plyground.errors import PlygroundError
from plyground.play.match import Match
from plyground.players.spec import make_player
from plyground.report import samples
from plyground.report.findings import SideShare
from plyground.report.matchups import ENOUGH, MOST_PLIES, Budget
from plyground.rules.game import Game

PLAYERS = ("random", "textbook:maxn,depth=2")
"""Who plays all sides, one after the other."""


@dataclass(frozen=True, kw_only=True)
class ManySidedGame(PlayedGame):
    """A game with three or more sides, all played by the same player; it has no result for one of them."""

    winner: int | None
    """The side that won alone, if one did."""


def play(game: Game, budget: Budget, seconds: float | None, on_game: Callable[[int], None]) -> dict[str, list[ManySidedGame]]:
    """Play games in which one player has all sides, as many as there is time for."""
    until = None if seconds is None else time.monotonic() + seconds
    found: dict[str, list[ManySidedGame]] = {player: [] for player in PLAYERS}
    for number in range(ENOUGH if budget.games is None else budget.games):
        for player in PLAYERS:
            if until is not None and time.monotonic() > until:
                return found
            if number and not varied(game, player):
                continue
            try:
                found[player].append(_game(game, player, seed_of(budget.seed, player, number)))
            except PlygroundError:  # the algorithm refuses this game
                found[player] = []
            on_game(sum(map(len, found.values())))
    return {player: games for player, games in found.items() if games}


def varied(game: Game, player: str) -> bool:
    """Return whether games of this player differ from each other."""
    return player == "random" or "chance" in game.has


def _game(game: Game, player: str, seed: int) -> ManySidedGame:
    """Return one game as `arena/pair.py` records it; `winner` is a side, or None if no side won alone."""
    match = Match(game, seed=seed)
    chooses = make_player(player, game, seed)
    depths: list[int | None] = []
    while match.result is None and len(match.moves) < MOST_PLIES:
        if game.is_chance(match.s):
            match.roll()
            depths.append(None)
            continue
        match.play(chooses.choose(match.position))
        depths.append(0)
    unknown = (None,) * len(depths)
    return ManySidedGame(
        side=0,
        players=(player,),
        seed=seed,
        moves=tuple(match.move_texts()),
        result=0.0,
        points=0,
        reason=match.reason or "length",
        scores=unknown,
        depths=tuple(depths),
        nodes=unknown,
        times=(),
        seconds=0.0,
        winner=match.winner,
    )


def shares(game: Game, found: dict[str, list[ManySidedGame]]) -> list[SideShare]:
    """Return how often each side wins."""
    return [
        SideShare(player, side, len(games), samples.share(sum(g.winner == n for g in games), len(games)))
        for player, games in found.items()
        for n, side in enumerate(game.sides)
    ]
