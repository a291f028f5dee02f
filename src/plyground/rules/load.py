"""Loads a game: by name, by name with parameters, by path, or from another package."""

from __future__ import annotations

import ast
import contextlib
import importlib
import re
import sys
import types
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from plyground.errors import GameError, GameWarning
from plyground.rules.contract import line_in
from plyground.rules.game import Game
from plyground.rules.parameters import Parameter, given_parameters

GAMES = Path(__file__).parent.parent / "games"
NAMES = "write chess, 'connect4(rows=5, cols=4, k=3)' or ./mygame.py"

_loaded: dict[tuple[str, int, tuple[tuple[str, int], ...]], Game] = {}


def shipped() -> list[str]:
    """The names of the games that come with Plyground."""
    return sorted(p.stem.lstrip("_") for p in GAMES.glob("*.py") if p.stem != "__init__")


def installed() -> dict[str, Any]:
    """The games that other installed packages add through the entry point group `plyground.games`."""
    from importlib.metadata import entry_points

    return {e.name: e for e in entry_points(group="plyground.games")}


def load(spec: str | Path) -> Game:
    """The game that a text or a path names: `chess`, `connect4(rows=5, cols=4, k=3)`, `./mygame.py`, `./mygame.py(size=5)`.

    >>> load("nim").name
    'nim'
    """
    if not isinstance(spec, str | Path):
        raise GameError(f"{spec!r:.60} does not name a game; {NAMES}")
    name, given = (str(spec), {}) if isinstance(spec, Path) else _split(spec)
    path = _file(name) if isinstance(spec, Path) else _path(name)
    if path is None:
        return _load_entry(name, given, str(spec))
    stamp = path.stat().st_mtime_ns
    memo = (str(path), stamp, tuple(sorted(given.items())))
    if memo not in _loaded:
        shown = name if path.parent == GAMES else path.stem
        where = path.name if path.parent == GAMES else str(path)
        with given_parameters(given) as asked:
            module = run_file(path, where)
        _refuse_unknown(shown, given, asked)
        inside = f"({', '.join(f'{k}={v}' for k, v in given.items())})" if given else ""
        game = _loaded[memo] = Game(module, shown + inside, where)
        game.spec = (shown if path.parent == GAMES else str(path)) + inside
        game.parameters = {name: p.default for name, p in asked.items()} | given
        game.described = dict(asked)
        game.module = module
        for hint in game.hints:
            warnings.warn(hint, GameWarning, stacklevel=2)
    return _loaded[memo]


def _split(spec: str) -> tuple[str, dict[str, int]]:
    match = re.fullmatch(r"\s*(.*\.py|[^()]+?)\s*(?:\((.*)\))?\s*", spec, re.DOTALL)
    if match is None:
        raise GameError(f"{spec!r:.60} does not name a game; {NAMES}")
    name, inside = match[1], match[2] or ""
    given: dict[str, int] = {}
    for part in filter(None, (p.strip() for p in inside.split(","))):
        key, eq, value = (x.strip() for x in part.partition("="))
        try:
            number = ast.literal_eval(value) if eq else None
        except (ValueError, SyntaxError):
            number = None
        if not isinstance(number, int):
            raise GameError(f"{part!r:.40} in {spec!r:.60}: write a parameter as name=number")
        if key in given:
            raise GameError(f"{key} is given twice in {spec!r:.60}")
        given[key] = int(number)
    return name, given


def _path(name: str) -> Path | None:
    if name.endswith(".py") or "/" in name or "\\" in name:
        return _file(name)
    for stem in (name, f"_{name}"):
        if re.fullmatch(r"\w+", stem) and stem != "__init__" and (GAMES / f"{stem}.py").is_file():
            return GAMES / f"{stem}.py"
    return None


def _file(name: str) -> Path:
    with contextlib.suppress(RuntimeError, ValueError, OSError):  # an unknown user in ~user, a null byte, a name that is too long
        path = Path(name).expanduser()
        if path.is_file():
            return path.resolve()
    raise GameError(f"{name if name.isprintable() else repr(name)}: no such file")


def _load_entry(name: str, given: dict[str, int], spec: str) -> Game:
    entry = installed().get(name)
    if entry is None:
        import difflib

        known = [*shipped(), *installed()]
        close = difflib.get_close_matches(name.lower(), known, 1, 0.5)
        hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(known)}; or give a path such as ./mygame.py"
        raise GameError(f"there is no game named {name!r:.40}; {hint}")
    try:
        rules = entry.load()
    except Exception as e:
        raise GameError(f"{name}: its package fails with {type(e).__name__}: {e}") from e
    if isinstance(rules, Game):
        return rules
    if isinstance(rules, types.ModuleType) and rules.__file__:
        return load(spec.replace(name, str(Path(rules.__file__)), 1))
    return Game(rules, name, name)


def _refuse_unknown(name: str, given: dict[str, int], asked: dict[str, Parameter]) -> None:
    for key in given:
        if key not in asked:
            known = f"it has {', '.join(f'{k}={p.default}' for k, p in asked.items())}" if asked else "it has no parameters"
            raise GameError(f"{name} has no parameter {key!r:.30}; {known}")


def run_file(path: Path, where: str) -> types.ModuleType:
    """Runs a rules file as a new module."""
    module = types.ModuleType(f"plyground.loaded.{path.stem}")
    module.__file__ = str(path)
    try:
        code = compile(path.read_text(encoding="utf-8"), str(path), "exec")
    except SyntaxError as e:
        raise GameError(f"{where}:{e.lineno}: {e.msg}") from e
    except (UnicodeDecodeError, ValueError) as e:
        raise GameError(f"{where}: not a Python file ({e})") from e
    sys.modules[module.__name__] = module
    if str(path.parent) not in sys.path and path.parent != GAMES:
        sys.path.append(str(path.parent))
    try:
        exec(code, module.__dict__)
    except GameError:
        raise
    except ValueError as e:
        raise GameError(f"{where}: {e}") from e
    except Exception as e:
        line = f":{line_in(e, where)}" if line_in(e, where) else ""
        raise GameError(f"{where}{line}: {type(e).__name__}: {e}") from e
    return module


@contextlib.contextmanager
def loading_from(folder: Path) -> Iterator[None]:
    """Meanwhile, the modules in this folder are imported from there, even if others of the same names were imported before."""
    names = {p.stem for p in folder.glob("*.py")} | {p.parent.name for p in folder.glob("*/__init__.py")}

    def take_out() -> dict[str, types.ModuleType]:
        return {name: sys.modules.pop(name) for name in list(sys.modules) if name.partition(".")[0] in names}

    hidden = take_out()
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        take_out()
        sys.modules.update(hidden)
