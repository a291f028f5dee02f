"""Makes the players that texts name, such as `level:5`, `engine:depth=6`, `textbook:alphabeta,depth=6` and `uci:stockfish`."""

from __future__ import annotations

from plyground.errors import GameError, PlygroundError
from plyground.play.limit import Limit
from plyground.players.own import EnginePlayer, PlayerDefaults, RandomPlayer, SolverPlayer, TextbookPlayer
from plyground.players.player import ForfeitError, Player
from plyground.players.spec import PlayerSpec
from plyground.rules.game import Game


def make_player(
    spec: str | PlayerSpec, game: Game, seed: int | None = None, *, limit: Limit | None = None, memory: float | None = None
) -> Player:
    """Make the player that a text names, ready to play this game; `limit` and `memory` count if the text gives none.

    >>> from plyground import Position, load
    >>> nim = load("nim")
    >>> make_player("textbook:alphabeta,depth=all", nim).choose(Position.of(nim)).move in nim.legal(nim.start())
    True
    """
    spec = PlayerSpec.parse(spec) if isinstance(spec, str) else spec
    try:
        player = _made(spec, game, PlayerDefaults(seed, limit, memory))
    except ForfeitError as e:
        raise ForfeitError(e.reason, f"{spec}: {e}", e.stderr) from e
    except PlygroundError as e:
        if isinstance(e, GameError) and spec.evaluation is None:
            raise  # the rules are at fault, not the player
        raise PlygroundError(f"{spec}: {e}") from e
    player.name = str(spec)
    return player


def _made(spec: PlayerSpec, game: Game, defaults: PlayerDefaults) -> Player:
    """Make a player; the module of a protocol is imported when it is needed first."""
    match spec.kind:
        case "random":
            if spec.options:
                raise PlygroundError("random has no options")
            return RandomPlayer(defaults.seed)
        case "textbook":
            return TextbookPlayer(spec, game, defaults.limit)
        case "engine" | "level":
            return EnginePlayer(spec, game, defaults)
        case "solver":
            return SolverPlayer(spec, game)
        case "uci" | "ugi":
            from plyground.players.uci_client import UciPlayer, UgiPlayer

            return (UciPlayer if spec.kind == "uci" else UgiPlayer)(spec, game, defaults)
        case "xboard":
            from plyground.players.xboard import XboardPlayer

            return XboardPlayer(spec, game, defaults)
        case _:
            from plyground.players.board_engines import GomocupPlayer, HubPlayer, NBoardPlayer

            kinds: dict[str, type[GomocupPlayer | HubPlayer | NBoardPlayer]] = {
                "gomocup": GomocupPlayer,
                "hub": HubPlayer,
                "nboard": NBoardPlayer,
            }
            return kinds[spec.kind](spec, game, defaults)
