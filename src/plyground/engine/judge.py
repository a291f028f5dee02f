"""Who judges the leaves of a search: the rules' own `evaluate`, one from another file, or a net."""

from __future__ import annotations

import shlex
from pathlib import Path

from plyground.learn.file import load
from plyground.learn.find import net_file
from plyground.learn.net import Net
from plyground.rules.evaluation import with_evaluation
from plyground.rules.game import Game

RULES = "rules"
"""Asks for the game's own evaluation."""


def advice(game: Game) -> str:
    """What to tell people about a game that nothing judges: neither its rules nor a net."""
    return (
        f"{game.name} has no `evaluate`: where the engine does not see the end, it judges by short random games; "
        f"`plyground train {shlex.quote(game.spec)}` teaches it to judge"
    )


def unjudged(game: Game) -> bool:
    """Does nothing judge a game for the engine, neither its rules nor a net, so that random games must?"""
    return "evaluate" not in game.has and net_file(game) is None


def judged_by(game: Game, evaluate: str | Path | None, search: bool = True) -> tuple[Game, Net | None]:
    """The game with the evaluation that was asked for, and the net, if it is one. With None, `search` looks for a net."""
    if evaluate == RULES or (evaluate is None and not search):
        return game, None
    file = net_file(game) if evaluate is None else Path(evaluate).expanduser()
    if file is None:
        return game, None
    if file.suffix == ".py":
        return with_evaluation(game, evaluate or file), None
    return game, load(file, game)
