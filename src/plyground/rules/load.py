"""Loads a game by name, by name with parameters, by path, or from another package.

A game is one file or a folder with `rules.py`.
"""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import os
import re
import sys
import types
import warnings
from collections.abc import Iterator
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyground.errors import GameError, GameWarning, suggestion
from plyground.rules.game import Game
from plyground.rules.hooks import CONSTANTS, HOOKS
from plyground.rules.parameters import Parameter, given_parameters
from plyground.system.patience import place_in

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GAMES = Path(__file__).parent.parent / "games"
NAMES = "write chess, 'connect4(rows=5, cols=4, k=3)' or ./mygame.py"
RULES_FILE = "rules.py"
"""The file that makes a folder a game."""

_loaded: dict[tuple[str, tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]], Game] = {}
"""The loaded games by entry point, by files with the time of their last change, and by parameters."""


def builtin_games() -> list[str]:
    """Return the names of the games that come with Plyground."""
    files = [p.stem.lstrip("_") for p in GAMES.glob("*.py") if p.stem != "__init__"]
    return sorted([*files, *(p.parent.name for p in GAMES.glob(f"*/{RULES_FILE}"))])


def installed_games() -> dict[str, EntryPoint]:
    """Return the games that other installed packages add through the entry point group `plyground.games`."""
    from importlib.metadata import entry_points

    return {e.name: e for e in entry_points(group="plyground.games")}


def load(spec: str | Path) -> Game:
    """Return the game that a text or a path names: `chess`, `connect4(rows=5, cols=4, k=3)`, `./mygame.py(size=5)`, `./mygame`.

    A path may name a file or a folder with `rules.py`; a file that has changed is read again.

    >>> load("nim").name
    'nim'
    """
    if not isinstance(spec, str | Path):
        raise GameError(f"{spec!r:.60} does not name a game; {NAMES}")
    if isinstance(spec, Path):
        return _load_path(_file(str(spec)), {})
    name, given = split_spec(spec)
    path = _path(name)
    return _load_entry(name, given) if path is None else _load_path(path, given)


def _load_path(path: Path, given: dict[str, int], entry: str = "", package: str = "") -> Game:
    """Return the game in a file or a folder; `entry` is the name of its entry point, `package` that of the file's package."""
    files = _folder_files(path) if path.is_dir() else [path]
    stamps = tuple((str(file), file.stat().st_mtime_ns) for file in (sorted(path.glob("*.py")) if path.is_dir() else files))
    memo = (entry, stamps, tuple(sorted(given.items())))
    if memo not in _loaded:
        own = path.parent == GAMES
        shown = entry or (path.stem.lstrip("_") if own else path.stem)
        where = files[0].relative_to(GAMES).as_posix() if own else str(files[0])
        with given_parameters(given) as declared:
            modules = _run_folder(path, files, where) if path.is_dir() else {"": run_file(path, where, package)}
        _refuse_unknown(shown, given, declared)
        inside = f"({', '.join(f'{k}={v}' for k, v in given.items())})" if given else ""
        names = _merge(modules, where) if path.is_dir() else modules[""]
        game = _loaded[memo] = Game(names, shown + inside, where, files if path.is_dir() else ())
        game.spec = (shown if own or entry else str(path)) + inside
        game.parameters = {name: p.default for name, p in declared.items()} | given
        game.described = dict(declared)
        game.modules = modules
        for hint in game.hints:
            warnings.warn(hint, GameWarning, stacklevel=3)
    return _loaded[memo]


def is_installed(spec: str) -> bool:
    """Return whether a text names a game that comes with Plyground or another installed package, and not a file.

    >>> is_installed("connect4(rows=5)"), is_installed("./connect4.py")
    (True, False)
    """
    try:
        name, _ = split_spec(spec)
    except GameError:
        return False
    return not _is_path(name) and (_path(name) is not None or name in installed_games())


def _is_path(name: str) -> bool:
    return name.endswith(".py") or "/" in name or "\\" in name


def split_spec(spec: str) -> tuple[str, dict[str, int]]:
    """Return the name or the path in the text of a game, and its parameters; a path may itself have brackets.

    >>> split_spec("./my (old) games/nim.py(heaps=4)")
    ('./my (old) games/nim.py', {'heaps': 4})
    """
    name, inside = spec.strip(), ""
    if name.endswith(")") and not (_is_path(name) and os.path.exists(os.path.expanduser(name))):
        name, _, inside = name[:-1].rpartition("(")
        name = name.rstrip()
    if not name or (("(" in name or ")" in name) and not _is_path(name)):
        raise GameError(f"{spec!r:.60} does not name a game; {NAMES}")
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
    if _is_path(name):
        return _file(name)
    if not re.fullmatch(r"\w+", name) or name == "__init__":
        return None
    if (GAMES / name / RULES_FILE).is_file():
        return GAMES / name
    return next((file for stem in (name, f"_{name}") if (file := GAMES / f"{stem}.py").is_file()), None)


def _file(name: str) -> Path:
    with contextlib.suppress(ValueError, OSError):  # a null byte, a name that is too long
        path = Path(os.path.expanduser(name))
        if path.is_file() or (path / RULES_FILE).is_file():
            return path.resolve()
        if path.is_dir():
            raise GameError(f"{name}: this folder has no {RULES_FILE}; the folder of a game needs one")
    raise GameError(f"{name if name.isprintable() else repr(name)}: no such file")


def _load_entry(name: str, given: dict[str, int]) -> Game:
    entry = installed_games().get(name)
    if entry is None:
        known = [*builtin_games(), *installed_games()]
        close = suggestion(name, known)
        hint = f"did you mean {close}?" if close else f"the games are {', '.join(known)}; or give a path such as ./mygame.py"
        raise GameError(f"there is no game named {name!r:.40}; {hint}")
    try:
        rules = entry.load()
    except Exception as e:
        raise GameError(f"{name}: importing its package raises {type(e).__name__}: {e}") from e
    if isinstance(rules, Game):
        return rules
    if not isinstance(rules, types.ModuleType):
        return Game(rules, name, name)
    folder = _game_folder(rules)
    if folder is None and rules.__file__ is None:
        raise GameError(f"{name}: its package {rules.__name__} has no file {RULES_FILE}")
    return _load_path(folder or Path(str(rules.__file__)), given, name, rules.__package__ or "")


def _game_folder(module: types.ModuleType) -> Path | None:
    """Return the folder of a package with `rules.py` that doesn't define the rules itself; None for any other module."""
    if getattr(vars(module).get("start"), "__module__", None) == module.__name__:
        return None
    return next((folder for path in getattr(module, "__path__", ()) if ((folder := Path(path)) / RULES_FILE).is_file()), None)


def _refuse_unknown(name: str, given: dict[str, int], declared: dict[str, Parameter]) -> None:
    for key in given:
        if key not in declared:
            known = f"it has {', '.join(f'{k}={p.default}' for k, p in declared.items())}" if declared else "it has no parameters"
            raise GameError(f"{name} has no parameter {key!r:.30}; {known}")


def run_file(path: Path, where: str, package: str = "") -> types.ModuleType:
    """Run a rules file as a new module; a file of an installed package may import others of it with a dot."""
    module = types.ModuleType(f"plyground.loaded.{path.stem}")
    module.__file__, module.__package__ = str(path), package
    code = _compile_file(path, where)
    sys.modules[module.__name__] = module
    if not package and str(path.parent) not in sys.path and path.parent != GAMES:
        sys.path.append(str(path.parent))
    with _rules_errors(where):
        exec(code, module.__dict__)
    return module


def _compile_file(path: Path, where: str) -> types.CodeType:
    try:
        return compile(path.read_text(encoding="utf-8"), str(path), "exec")
    except SyntaxError as e:
        raise GameError(f"{where}:{e.lineno}: {e.msg}") from e
    except (UnicodeDecodeError, ValueError) as e:
        raise GameError(f"{where}: not a Python file ({e})") from e


@contextlib.contextmanager
def _rules_errors(where: str) -> Iterator[None]:
    """Turn an exception that rules raise while they are loaded into an error with its line."""
    try:
        yield
    except GameError:
        raise
    except ValueError as e:
        raise GameError(f"{where}: {e}") from e
    except ImportError as e:
        hint = ""
        if str(e).startswith("attempted relative import"):
            hint = "; if the file is part of a game, load the folder instead"
        elif e.name and Path(where).name == RULES_FILE and (Path(where).parent / f"{e.name}.py").is_file():
            hint = f"; import files of the same folder with a dot: from .{e.name} import ..."
        raise GameError(f"{place_in(e, where)}: {type(e).__name__}: {e}{hint}") from e
    except Exception as e:
        raise GameError(f"{place_in(e, where)}: {type(e).__name__}: {e}") from e


# -- a game in a folder ----------------------------------------------------------------------------------------------------------


def _folder_files(folder: Path) -> list[Path]:
    """Return the files of a game in a folder: `rules.py`, then all others except tests and names that begin with `_`."""
    others = [p for p in folder.glob("*.py") if not p.name.startswith(("_", "test_", "conftest")) and p.name != RULES_FILE]
    return [folder / RULES_FILE, *sorted(others)]


class _FolderFinder:
    """Finds the modules of a folder while its game is loaded, and compiles them from source.

    Python itself would read its cached bytecode, which an edit within the same second doesn't invalidate.
    """

    def __init__(self, package: str, folder: Path, where: str) -> None:
        self.package, self.folder, self.where = package, folder, where

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return where the module is; None if it is not a file of the folder."""
        package, _, stem = name.rpartition(".")
        file = self.folder / f"{stem}.py"
        if package != self.package:
            return None
        if not file.is_file():
            if (self.folder / stem).is_dir():  # edits to its files would go unnoticed, and they would not travel with the game
                raise ImportError(f"all files of a game are in one folder, not in {stem}/")
            return None
        return importlib.util.spec_from_file_location(name, file, loader=_FolderLoader(name, file, self.where))


class _FolderLoader(SourceFileLoader):
    def __init__(self, name: str, file: Path, where: str) -> None:
        super().__init__(name, str(file))
        self.where = where.removesuffix(RULES_FILE) + file.name

    def get_code(self, fullname: str) -> types.CodeType:
        return _compile_file(Path(self.path), self.where)


def _run_folder(folder: Path, files: list[Path], where: str) -> dict[str, types.ModuleType]:
    """Run the files of a folder as the modules of a new package; return them by their names within it (".rules")."""
    package = types.ModuleType(f"plyground.loaded.{folder.name}")
    package.__path__ = [str(folder)]
    for name in [name for name in sys.modules if name == package.__name__ or name.startswith(f"{package.__name__}.")]:
        del sys.modules[name]
    sys.modules[package.__name__] = package
    finder = _FolderFinder(package.__name__, folder, where)
    sys.meta_path.insert(0, finder)
    try:
        with _rules_errors(where):
            for file in files:
                importlib.import_module(f"{package.__name__}.{file.stem}")
    finally:
        sys.meta_path.remove(finder)
    own = [name for name in sys.modules if name.startswith(f"{package.__name__}.")]
    return {"": package} | {name.removeprefix(package.__name__): sys.modules[name] for name in own}


def _merge(modules: dict[str, types.ModuleType], where: str) -> dict[str, Any]:
    """Return the names of all files of a folder as one namespace; a name of the contract may be defined in one file only."""
    names = dict(vars(modules[".rules"]))
    owner = dict.fromkeys(names, RULES_FILE)
    for suffix, module in modules.items():
        for name, value in vars(module).items() if suffix and not suffix.startswith("._") else ():
            if name in ("State", *HOOKS, *CONSTANTS) and names.get(name, value) is not value:
                folder, file = where.removesuffix(RULES_FILE), f"{suffix[1:]}.py"
                raise GameError(f"{folder}{file}: `{name}` is also defined in {folder}{owner[name]}; define it in one file")
            if name not in names:
                names[name], owner[name] = value, f"{suffix[1:]}.py"
    return names


@contextlib.contextmanager
def loading_from(folder: Path) -> Iterator[None]:
    """Import the modules of this folder from there inside this context, even if others of the same names are loaded."""
    names = {p.stem for p in folder.glob("*.py")} | {p.parent.name for p in folder.glob("*/__init__.py")}

    def remove_modules() -> dict[str, types.ModuleType]:
        return {name: sys.modules.pop(name) for name in list(sys.modules) if name.partition(".")[0] in names}

    hidden = remove_modules()
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        remove_modules()
        sys.modules.update(hidden)
