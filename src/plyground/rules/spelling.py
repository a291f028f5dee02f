"""Finds names in a rules file that are probably misspelt names of the contract: `eval`, `SIDE`, `Title`."""

from __future__ import annotations

import ast
import difflib
import itertools
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from plyground.rules.hooks import CONSTANTS, HOOKS
from plyground.rules.tuning import Tuning

if TYPE_CHECKING:
    from plyground.rules.game import Game

OTHER_WORDS = {
    "eval": "evaluate",
    "evaluation": "evaluate",
    "heuristic": "evaluate",
    "to_move": "turn",
    "player": "turn",
    "hash": "key",
    "unplay": "undo",
    "unmake": "undo",
    "symmetry": "canonical",
    "dice": "chance",
    "players": "SIDES",
    "name": "TITLE",
}
"""Common names for things that the contract calls something else."""
TUNED = {f.name.upper(): f"SOLVER = Tuning({f.name}=...)" for f in fields(Tuning)}
"""Tuning numbers written as constants of the file, where nothing reads them."""
CLOSE = 0.8


def hints(game: Game, rules: Mapping[str, Any]) -> list[str]:
    """Return one sentence for each name that is defined but never used and is close to a missing name."""
    try:
        trees = [ast.parse(file.read_text(encoding="utf-8")) for file in game.files]
    except (OSError, SyntaxError, ValueError):
        return []
    nodes = itertools.chain.from_iterable(map(ast.walk, trees))
    used = Counter(n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))
    known = ("State", *HOOKS, *CONSTANTS)
    missing = [name for name in known if name not in rules]
    found = []
    for name in itertools.chain.from_iterable(map(_defined, trees)):
        if name in known or name.startswith("_") or used[name] or name not in rules:
            continue
        meant = TUNED.get(name) or _meant(name, missing, callable(rules[name]))
        if meant:
            found.append(f"{game.at(name)}: nothing uses `{name}`; did you mean `{meant}`?")
    return found


def _defined(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a file defines itself."""
    for part in tree.body:
        if isinstance(part, ast.FunctionDef):
            yield part.name
        elif isinstance(part, ast.Assign):
            yield from (n.id for target in part.targets for n in ast.walk(target) if isinstance(n, ast.Name))
        elif isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            yield part.target.id


def _meant(name: str, missing: list[str], function: bool) -> str | None:
    """Return the missing name of the contract that was probably meant."""
    options = {m.lower().replace("_", ""): m for m in missing if m.isupper() != function}
    plain = name.lower().replace("_", "")
    other = OTHER_WORDS.get(name.lower())
    if other in options.values():
        return other
    close = difflib.get_close_matches(plain, list(options), 1, CLOSE)
    return options[close[0]] if close else None
