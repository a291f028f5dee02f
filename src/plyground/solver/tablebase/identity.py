"""A fingerprint of the rules that a table depends on: tables with the same one are interchangeable.

Comments, docstrings, formatting, hints for the search and text functions do not count; the code of the rules, everything it calls
and the constants it uses do.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import textwrap
import types
from typing import Any

from plyground.rules.game import Game

USED = ("moves", "play", "undo", "result", "stuck", "turn", "canonical", "pack", "unpack", "positions")


def fingerprint(game: Game) -> str:
    """Return the fingerprint of a game's rules, as far as its tables depend on them."""
    digest = _Digest()
    for name in USED:
        if name in game.rules:
            digest.add(name)
            digest.add_value(game.rules[name])
    digest.add_bytes(game.layout.row(game.start()).tobytes())
    digest.add(repr([(f.name, f.type, f.shape, f.array) for f in game.layout.fields]))
    digest.add(repr((len(game.sides), game.alternate, game.margin)))
    return digest.hash.hexdigest()


class _Digest:
    """A hash of functions and everything they use, each function once."""

    def __init__(self) -> None:
        self.hash = hashlib.blake2b(digest_size=16)
        self.seen: set[Any] = set()

    def add(self, text: str) -> None:
        self.hash.update(text.encode("utf-8", "backslashreplace") + b"\0")

    def add_bytes(self, data: bytes) -> None:
        self.hash.update(data)

    def add_value(self, x: Any) -> None:
        if isinstance(x, types.FunctionType):
            self.add_function(x)
        elif isinstance(x, (tuple, list)) and not hasattr(x, "_fields"):
            self.add(f"[{len(x)}")
            for item in x:
                self.add_value(item)
        elif isinstance(x, int):
            self.add(str(int(x)))
        elif isinstance(x, (types.ModuleType, type)):
            self.add(x.__name__)
        elif hasattr(x, "tobytes") and hasattr(x, "dtype"):
            self.add(f"{x.dtype}{x.shape}")
            self.add_bytes(x.tobytes())
        else:
            self.add(repr(x))

    def add_function(self, f: Any) -> None:
        self.add(f.__name__)
        if f in self.seen or f.__module__ in ("plyground.bits", "plyground.rules.game", "plyground.score"):
            return
        self.seen.add(f)
        self.add(_code(f))
        for cell in f.__closure__ or ():
            self.add_value(cell.cell_contents)
        for name in sorted(_names(f.__code__)):
            if name in f.__globals__:
                self.add(name)
                self.add_value(f.__globals__[name])


def _code(f: Any) -> str:
    """Return the code of a function without comments, docstrings and formatting; its bytecode if there is no source."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(f)))
    except (OSError, SyntaxError, TypeError):
        plain = [c for c in f.__code__.co_consts if not isinstance(c, types.CodeType)]
        return f"{f.__code__.co_code.hex()} {plain!r}"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)


def _names(code: types.CodeType) -> set[str]:
    found = set(code.co_names)
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            found |= _names(const)
    return found
