"""A game as data: the texts of rules travel with the work. Games that come with Plyground or another package travel by name."""

from __future__ import annotations

import ast
import functools
import hashlib
import json
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path

import plyground
from plyground.compile.folder import copies_folder
from plyground.errors import GameWarning, PlygroundError
from plyground.rules.game import Game
from plyground.rules.load import is_installed, load, loading_from, split_spec
from plyground.system.files import make_folder, write_file

HOME = Path(plyground.__file__).parent


@dataclass(frozen=True)
class PackedGame:
    """A game as it travels: its name, or the texts of its files."""

    spec: str
    """The text from which it was loaded."""
    named: str = ""
    """The file of rules as the user named it."""
    file: str = ""
    """The name of that file without its folder."""
    inside: str = ""
    """The parameters."""
    files: dict[str, str] | None = None
    """The texts of the file and of what it imports from its folder; None for a game that is installed everywhere."""


def pack_game(game: Game, spec: str) -> PackedGame:
    """Return a game that was loaded from this text as it travels."""
    if is_installed(spec) or game.path is None:
        return PackedGame(spec)
    path, (named, given) = game.path, split_spec(spec)
    inside = f"({', '.join(f'{name}={value}' for name, value in given.items())})" if given else ""
    files = bundle(path) if path.is_file() else {f"{path.name}/{file.name}": _text(file) for file in sorted(path.glob("*.py"))}
    return PackedGame(spec, named, path.name, inside, files)


def unpack_game(packed: PackedGame) -> Game:
    """Load a game from what `pack_game` returned."""
    if packed.files is None:
        return load(packed.spec)
    folder = written(packed.files)
    with loading_from(folder), warnings.catch_warnings():
        warnings.simplefilter("ignore", GameWarning)  # whoever wrote the rules was told when the work began
        return load(f"{folder / packed.file}{packed.inside}")


@functools.cache
def code() -> str:
    """Return a hash of Plyground's own source files: two copies that differ may play different games."""
    digest = hashlib.sha256()
    for file in sorted(HOME.rglob("*.py")):
        name = file.relative_to(HOME).as_posix()
        if not name.startswith("docs/"):  # pages, which a checkout keeps elsewhere
            digest.update(name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:32]


def bundle(path: Path) -> dict[str, str]:
    """Return the text of a file and of all modules that it imports from its own folder, by their paths in that folder."""
    files: dict[str, str] = {}
    pending = [path]
    while pending:
        file = pending.pop()
        name = file.relative_to(path.parent).as_posix()
        if name not in files:
            files[name] = _text(file)
            pending += _imported(files[name], path.parent)
    return dict(sorted(files.items()))


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as e:
        raise PlygroundError(f"{file}: cannot be read ({getattr(e, 'strerror', None) or 'not a text file'})") from e


def _imported(text: str, folder: Path) -> list[Path]:
    """Return the files in a folder that a text imports; of a package, all of its modules."""
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
    """Return a folder with these files, named by their content: written once, and never changed."""
    tag = hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()[:24]
    folder = copies_folder("sources", tag)
    for name, text in files.items():
        path = folder / name
        if Path(name).is_absolute() or ".." in Path(name).parts:
            raise PlygroundError(f"{name!r:.60}: this file would lie outside the folder of the rules")
        data = text.encode()
        if not path.is_file() or path.read_bytes() != data:
            make_folder(path.parent, 0o700)
            write_file(path, [data])
    return folder
