"""Evaluations from outside the rules: `evaluate(s)` in a file of its own.

The file may import the game (`from plyground.games.connect4 import ROWS`, or for your own rules `import mygame`). It gets the
module that the game was loaded from, with the same parameters. All other rules stay as they are.
"""

from __future__ import annotations

import contextlib
import copy
import importlib
import os
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from plyground.errors import GameError
from plyground.rules import contract
from plyground.rules.game import Game
from plyground.rules.hooks import HOOKS, State
from plyground.rules.load import GAMES, loading_from, run_file
from plyground.rules.rollouts import random_game
from plyground.score import LIMIT

GAMES_TRIED, PLIES_TRIED = 3, 30
"""An evaluation is tried in all positions of a few random games before it is compiled."""

_made: dict[tuple[Game, str, int], Game] = {}


def with_evaluation(game: Game, file: str | Path) -> Game:
    """Return the same game with the evaluation of a file; the same object for the same file, so that it is compiled once."""
    where = str(file)
    path = Path(os.path.expanduser(file))
    if not path.is_file():
        raise GameError(f"{where}: no such file")
    if path.suffix != ".py":
        raise GameError(f"{where}: an evaluation is a Python file (.py) with evaluate(s)")
    path = path.resolve()
    memo = (game, str(path), path.stat().st_mtime_ns)
    if memo not in _made:
        _made[memo] = _with(game, _read(game, path, where), where, str(path))
    return _made[memo]


def _read(game: Game, path: Path, where: str) -> Callable[[State], float]:
    """Return the function `evaluate` of a file."""
    with loading_from(path.parent), _importable(game):
        module = run_file(path, where)
    if "evaluate" not in vars(module):
        raise GameError(
            f"{where}: `evaluate` is missing; the file needs def evaluate(s): return an estimate for the side to move"
        )
    for name in HOOKS:
        code = getattr(vars(module).get(name), "__code__", None)
        if name != "evaluate" and code is not None and code.co_filename == str(path):
            raise GameError(
                f"{where}:{code.co_firstlineno}: `{name}` belongs in the rules; an evaluation file changes only `evaluate` "
                "(if it is a helper, rename it)"
            )
    found: Callable[[State], float] = vars(module)["evaluate"]
    return found


def _with(game: Game, evaluate: Callable[[State], float], where: str, file: str) -> Game:
    """Return a copy of the game with this evaluation, after trying it in a few positions."""
    new = copy.copy(game)
    new.rules = {**game.rules, "evaluate": evaluate}
    new.has = game.has | {"evaluate"}
    new.evaluate = evaluate
    tried = copy.copy(new)  # errors of its evaluation name that file
    tried.where, tried.file, tried.files = where, file, (Path(file),)
    contract.check_names(tried)
    rng = random.Random(1)
    for _ in range(GAMES_TRIED):
        for s, _ in random_game(game, rng, PLIES_TRIED - 1):
            _check(tried, s)
    return new


def _check(game: Game, s: State) -> None:
    """Refuse a value that is not an estimate, and different values for positions that `canonical` makes equal."""
    value = contract.call(game, "evaluate", s)
    if "chance" in game.has:
        if not contract.is_int(value) and not isinstance(value, float):
            raise GameError(
                f"{game.line_of('evaluate')}: `evaluate` gives {value!r:.40}; it must be a number, the expected result"
            )
    elif not contract.is_int(value) or abs(value) > LIMIT:
        raise GameError(f"{game.line_of('evaluate')}: `evaluate` gives {value!r:.40}; it must be an int from -{LIMIT} to {LIMIT}")
    if "canonical" in game.has:
        other = game.canonical(s)
        if contract.call(game, "evaluate", other) != value:
            one, two = game.format_state(s), game.format_state(other)
            raise GameError(
                f"{game.line_of('evaluate')}: `evaluate` gives different values for {one!r} and {two!r}, which are the same "
                "position by symmetry; the engine searches only one of them"
            )


@contextlib.contextmanager
def _importable(game: Game) -> Iterator[None]:
    """Make imports of the game give the module that it was loaded from, inside this context."""
    if not game.modules or game.path is None:
        yield
        return
    package, stem = importlib.import_module("plyground.games"), game.path.stem
    shipped = game.path.parent == GAMES
    name = f"plyground.games.{stem}" if shipped else stem
    hidden = {old: sys.modules.pop(old) for old in list(sys.modules) if old == name or old.startswith(f"{name}.")}
    attribute = getattr(package, stem, None)
    sys.modules |= {name + suffix: module for suffix, module in game.modules.items()}
    if shipped:
        setattr(package, stem, game.modules[""])
    try:
        yield
    finally:
        for suffix in game.modules:
            del sys.modules[name + suffix]
        sys.modules |= hidden
        if shipped and attribute is not None:
            setattr(package, stem, attribute)
        elif shipped:
            delattr(package, stem)
