"""Start your own game with a rules file to edit and a test for it.

plyground new mygame          write mygame.py, a small complete game with comments, and test_mygame.py
plyground play ./mygame.py    play it
"""

from __future__ import annotations

import argparse
import keyword
import re
import sys
from pathlib import Path

from plyground.cli._terminal import print_json
from plyground.errors import PlygroundError

TEMPLATES = Path(__file__).parent / "template"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `plyground new`."""
    parser.add_argument("name", metavar="NAME", help="name of the game (mygame), or where to write it (games/mygame)")


def run(args: argparse.Namespace) -> int:
    """Write both files; never overwrite a file."""
    path = rules_path(args.name)
    test = path.with_name(f"test_{path.name}")
    filled = {"name": path.stem, "title": path.stem.replace("_", " ").capitalize(), "test": test.name}
    _write({path: _template("game", filled), test: _template("test", filled)})
    if args.json:
        print_json({"rules": str(path), "test": str(test)})
        return 0
    shown = path if path.is_absolute() else f"./{path}"
    print(f"written: {path} (the rules) and {test} (a test for them). Next:\n")
    for command, what in (("play", "play it"), ("check", "check the rules"), ("analyse", "find the best move")):
        print(f"  {f'plyground {command} {shown}':44}  {what}")
    print(f"  {f'pytest {test}':44}  run the test")
    return 0


def rules_path(name: str) -> Path:
    """Return the rules file for a name; refuse names that can't be imported or that shadow a module."""
    path = Path(name.removesuffix(".py") + ".py")
    stem = path.stem
    if not re.fullmatch(r"[a-z][a-z0-9_]*", stem) or keyword.iskeyword(stem):
        raise PlygroundError(f"{stem!r:.40} is not a valid name; use lower-case letters, digits and _, starting with a letter")
    if stem in sys.stdlib_module_names or stem in ("plyground", "numpy", "numba") or stem.startswith("test_"):
        raise PlygroundError(f"{stem!r:.40} is the name of a Python module or a test; choose another, such as my_{stem[:30]}")
    if not path.parent.is_dir():
        raise PlygroundError(f"there is no folder {str(path.parent)!r:.80} for {path.name}; create it first")
    return path


def _template(which: str, filled: dict[str, str]) -> str:
    text = (TEMPLATES / f"{which}.txt").read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda m: filled[m[1]], text)


def _write(texts: dict[Path, str]) -> None:
    """Write all files, or none if one of them exists."""
    for path in texts:
        if path.exists() or path.is_symlink():
            raise PlygroundError(f"{path} already exists and is not overwritten; choose another name")
    for path, text in texts.items():
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
        except OSError as e:
            raise PlygroundError(f"cannot write {str(path)!r:.80}: {e.strerror}") from e
