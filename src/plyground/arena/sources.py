"""What a match plays, as data: the texts of rules and evaluation files travel with it.

`collect` reads the files once, when a match is scheduled. Workers on any machine, and a match that is resumed later, play from
these texts, even if the files were edited meanwhile. Games that come with Plyground or with another package travel by name.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import functools
import hashlib
import json
import re
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import plyground
from plyground.compile.folder import cache_folder
from plyground.engine.judge import RULES
from plyground.engine.players import evaluation_of, with_evaluation_of
from plyground.errors import GameWarning, PlygroundError
from plyground.rules.game import Game
from plyground.rules.load import load, loading_from
from plyground.system.files import cannot_write, write_file

HOME = Path(plyground.__file__).parent


def collect(spec: str, players: Sequence[str]) -> dict[str, Any]:
    """The setup of a match, as JSON: the game, the players' files, and the version that wrote it."""
    game = load(spec)
    own = re.fullmatch(r"\s*(.*\.py)\s*(?:\(.*\))?\s*", spec, re.DOTALL)
    told: dict[str, Any] = {"spec": spec}
    if own and game.file is not None:
        path = Path(game.file)
        told |= {"named": own[1], "file": path.name, "inside": game.spec.removeprefix(game.file), "files": bundle(path)}
    named = [(player, name) for player in players if (name := evaluation_of(player)) and name != RULES]
    evaluations = {name: _evaluation(_existing(player, name)) for player, name in named}
    return {"version": plyground.__version__, "code": code(), "game": told, "files": evaluations}


class Setup:
    """A setup that was unpacked here: the game, and its players under the names that the match gives them."""

    def __init__(self, game: Game, evaluations: dict[str, str], rules: str | None = None) -> None:
        """`evaluations`: where each file was unpacked, by the name that players use; `rules`: what the user calls the rules."""
        self.game, self.evaluations = game, evaluations
        self._names = {path: name for name, path in evaluations.items()}
        if rules is not None and game.file is not None:
            self._names[game.file] = rules

    @classmethod
    def unpack(cls, setup: dict[str, Any]) -> Setup:
        """Loads the game from the texts in a setup. Another version of Plyground is refused: it may play other games."""
        if (setup["version"], setup["code"]) != (plyground.__version__, code()):
            raise PlygroundError(
                f"this match was started by Plyground {setup['version']} ({setup['code'][:8]}), "
                f"but this is {plyground.__version__} ({code()[:8]}); both must be the same"
            )
        told = setup["game"]
        evaluations = {name: str(_written(files) / Path(name).name) for name, files in setup["files"].items()}
        if "files" not in told:
            return cls(load(told["spec"]), evaluations)
        folder = _written(told["files"])
        with loading_from(folder), warnings.catch_warnings():
            warnings.simplefilter("ignore", GameWarning)  # whoever wrote the rules was told when the match began
            game = load(f"{folder / told['file']}{told['inside']}")
        return cls(game, evaluations, told["named"])

    @contextlib.contextmanager
    def own_names(self) -> Iterator[None]:
        """Errors name files as the user did, not as they were unpacked."""
        try:
            yield
        except PlygroundError as e:
            text = str(e)
            for path, name in self._names.items():
                text = text.replace(path, name)
            raise PlygroundError(text) from e

    def player(self, spec: str) -> str:
        """The text of a player, with its evaluation file as it was unpacked here."""
        name = evaluation_of(spec)
        return with_evaluation_of(spec, self.evaluations[name]) if name in self.evaluations else spec


@functools.cache
def code() -> str:
    """A hash of Plyground's own source files: two copies that differ may play different games."""
    digest = hashlib.sha256()
    for file in sorted(HOME.rglob("*.py")):
        digest.update(str(file.relative_to(HOME).as_posix()).encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:32]


def _evaluation(path: Path) -> dict[str, str]:
    """The text of a Python file with what it imports; or a net, as base64."""
    if path.suffix == ".py":
        return bundle(path)
    try:
        return {path.name: base64.b64encode(path.read_bytes()).decode("ascii")}
    except OSError as e:
        raise PlygroundError(f"{path}: cannot be read ({e.strerror})") from e


def bundle(path: Path) -> dict[str, str]:
    """The text of a file and of all modules that it imports from its own folder, by their paths in that folder."""
    files: dict[str, str] = {}
    pending = [path]
    while pending:
        file = pending.pop()
        name = file.relative_to(path.parent).as_posix()
        if name not in files:
            try:
                files[name] = file.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as e:
                raise PlygroundError(f"{file}: cannot be read ({getattr(e, 'strerror', None) or 'not a text file'})") from e
            pending += _imported(files[name], path.parent)
    return dict(sorted(files.items()))


def _imported(text: str, folder: Path) -> list[Path]:
    """The files in a folder that a text imports; of a package, all of its modules."""
    names: set[str] = set()
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            names.add(node.module.partition(".")[0])
    names -= sys.stdlib_module_names  # a file of that name is never imported
    found = [folder / f"{name}.py" for name in sorted(names)]
    packages = [folder / name for name in sorted(names) if (folder / name / "__init__.py").is_file()]
    return [f for f in found if f.is_file()] + [f for package in packages for f in sorted(package.rglob("*.py"))]


def _existing(player: str, name: str) -> Path:
    path = Path(name).expanduser()
    if not path.is_file():
        raise PlygroundError(f"{player}: {name}: no such file")
    return path.resolve()


def _written(files: dict[str, str]) -> Path:
    """A folder with these files, named by their content: written once, and never changed."""
    tag = hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()[:24]
    folder = (cache_folder() or Path(_without_cache().name)) / "sources" / tag
    for name, text in files.items():
        path = folder / name
        data = text.encode() if path.suffix == ".py" else base64.b64decode(text)
        if not path.is_file() or path.read_bytes() != data:
            try:
                path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            except OSError as e:
                raise cannot_write(path, e) from e
            write_file(path, [data])
    return folder


@functools.cache
def _without_cache() -> tempfile.TemporaryDirectory[str]:
    """A folder for this process, if the cache can't be used."""
    return tempfile.TemporaryDirectory(prefix="plyground-")
