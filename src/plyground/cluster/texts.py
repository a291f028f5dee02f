"""A game as data: the texts of rules travel with the work. Games that come with Plyground or another package travel by name."""

from __future__ import annotations

import ast
import functools
import hashlib
import json
import re
import sys
import warnings
from pathlib import Path
from typing import Any

import plyground
from plyground.compile.folder import copies_folder
from plyground.errors import GameWarning, PlygroundError
from plyground.rules.game import Game
from plyground.rules.load import load, loading_from
from plyground.system.files import cannot_write, write_file

HOME = Path(plyground.__file__).parent


def pack_game(game: Game, spec: str) -> dict[str, Any]:
    """A game that was loaded from this text, as JSON: its name, or the texts of its files."""
    own = re.fullmatch(r"\s*(.*\.py)\s*(?:\(.*\))?\s*", spec, re.DOTALL)
    if not own or game.file is None:
        return {"spec": spec}
    path = Path(game.file)
    inside = game.spec.removeprefix(game.file)
    return {"spec": spec, "named": own[1], "file": path.name, "inside": inside, "files": bundle(path)}


def unpack_game(told: dict[str, Any]) -> Game:
    """Loads a game from what `pack_game` gave."""
    if "files" not in told:
        return load(told["spec"])
    folder = written(told["files"])
    with loading_from(folder), warnings.catch_warnings():
        warnings.simplefilter("ignore", GameWarning)  # whoever wrote the rules was told when the work began
        return load(f"{folder / told['file']}{told['inside']}")


@functools.cache
def code() -> str:
    """A hash of Plyground's own source files: two copies that differ may play different games."""
    digest = hashlib.sha256()
    for file in sorted(HOME.rglob("*.py")):
        digest.update(str(file.relative_to(HOME).as_posix()).encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:32]


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


def written(files: dict[str, str]) -> Path:
    """A folder with these files, named by their content: written once, and never changed."""
    tag = hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()[:24]
    folder = copies_folder() / "sources" / tag
    for name, text in files.items():
        path = folder / name
        data = text.encode()
        if not path.is_file() or path.read_bytes() != data:
            try:
                path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            except OSError as e:
                raise cannot_write(path, e) from e
            write_file(path, [data])
    return folder
