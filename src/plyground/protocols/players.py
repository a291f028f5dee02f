"""All players by their texts: `random`, `solver`, `level:5`, `engine:depth=6`, `textbook:alphabeta,depth=6`, `uci:stockfish`."""

from __future__ import annotations

import importlib
from collections.abc import Callable

from plyground.engine.levels import FULL
from plyground.engine.players import EnginePlayer, RandomPlayer, SolverPlayer, Table, TextbookPlayer, evaluation_of
from plyground.errors import GameError, PlygroundError
from plyground.play.limit import Limit
from plyground.play.player import ForfeitError, Player
from plyground.rules.game import Game

Maker = Callable[[str, Game, Table], Player]


def _random(rest: str, game: Game, table: Table) -> Player:
    if rest:
        raise PlygroundError("random has no options")
    return RandomPlayer(table.seed)


def _level(rest: str, game: Game, table: Table) -> Player:
    level, _, more = rest.partition(",")
    if not level.strip().isdecimal() or not 1 <= int(level[:9]) <= FULL:
        raise PlygroundError(f"a level is a whole number from 1 to {FULL}, as in level:5")
    return EnginePlayer(f"level={level},{more}", game, table.seed, table=table)


def _peer(module: str, name: str) -> Maker:
    """An engine of another program; the module of its protocol is imported when it is needed first."""

    def make(rest: str, game: Game, table: Table) -> Player:
        made: Player = getattr(importlib.import_module(f"plyground.protocols.{module}"), name)(rest, game, table)
        return made

    return make


PLAYERS: dict[str, Maker] = {
    "random": _random,
    "textbook": lambda rest, game, table: TextbookPlayer(rest, game, table.limit),
    "engine": lambda rest, game, table: EnginePlayer(rest, game, table.seed, table=table),
    "level": _level,
    "solver": lambda rest, game, table: SolverPlayer(rest, game),
    "uci": _peer("uci_client", "UciPlayer"),
    "ugi": _peer("uci_client", "UgiPlayer"),
    "xboard": _peer("xboard", "XboardPlayer"),
    "gomocup": _peer("gomocup", "GomocupPlayer"),
    "hub": _peer("hub", "HubPlayer"),
    "nboard": _peer("nboard", "NBoardPlayer"),
}
"""By the word before the colon: makes a player from the text after it, the game, and what all players share."""
EXAMPLES = "engine:depth=6, level:5, textbook:alphabeta,depth=6, uci:stockfish"


def make_player(
    spec: str, game: Game, seed: int | None = None, *, limit: Limit | None = None, memory: float | None = None
) -> Player:
    """The player that a text names, ready to play this game; `limit` and `memory` count if the text gives none.

    >>> from plyground import load
    >>> nim = load("nim")
    >>> make_player("textbook:alphabeta,depth=all", nim).choose(nim, nim.start()) in nim.legal(nim.start())
    True
    """
    word, _, rest = (part.strip() for part in spec.partition(":"))
    if word not in PLAYERS:
        raise PlygroundError(f"there is no player {spec!r:.40}; choose {', '.join(PLAYERS)}, as in {EXAMPLES}")
    try:
        player = PLAYERS[word](rest, game, Table(seed, limit, memory))
    except ForfeitError as e:
        raise ForfeitError(e.reason, f"{spec.strip()}: {e}", e.said) from e
    except PlygroundError as e:
        if isinstance(e, GameError) and evaluation_of(spec) is None:
            raise  # the rules are at fault, not the player
        raise PlygroundError(f"{spec.strip()}: {e}") from e
    player.name = spec.strip()
    return player
