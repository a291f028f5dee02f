"""Who judges the leaves of a search: the rules' own `evaluate`, one from another file, or a net."""

from __future__ import annotations

import shlex
from pathlib import Path

from plyground.errors import PlygroundError
from plyground.learn.file import load
from plyground.learn.find import net_file
from plyground.learn.net import Net
from plyground.rules.evaluation import with_evaluation
from plyground.rules.game import Game

RULES, NET = "rules", "net"
"""Ask for the game's own evaluation, and for the net that the engine finds."""


def advice(game: Game) -> str:
    """What to tell people about a game that nothing judges: neither its rules nor a net."""
    return (
        f"{game.name} has no `evaluate`: where the engine does not see the end, it judges by short random games; "
        f"`plyground train {shlex.quote(game.spec)}` teaches it to judge"
    )


def judged_by(game: Game, evaluate: str | Path | None, search: bool = True) -> tuple[Game, Net | None]:
    """The game with the evaluation that was asked for, and the net, if it is one. With None, `search` looks for a net."""
    if evaluate == RULES or (evaluate is None and not search):
        return game, None
    if evaluate is None or evaluate == NET:
        found = net_file(game)
        if found is None and evaluate == NET:
            raise PlygroundError(f"there is no net for {game.name} yet; `plyground train {shlex.quote(game.spec)}` makes one")
        return game, None if found is None else load(found, game)
    if Path(evaluate).suffix == ".py":
        return with_evaluation(game, evaluate), None
    return game, load(Path(evaluate).expanduser(), game)
