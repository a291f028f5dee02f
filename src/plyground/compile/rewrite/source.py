"""From a function to its syntax tree, and from a changed tree back to a function."""

from __future__ import annotations

import ast
import copy
import functools
import types
from pathlib import Path
from typing import Any

MADE = "made_by_plyground"
"""The attribute that marks a function made from a tree."""


@functools.lru_cache(maxsize=64)
def _functions(text: str, file: str) -> dict[tuple[str, int], tuple[ast.FunctionDef, types.CodeType]]:
    """Return the functions of a file by name and first line: their trees and their code."""
    tree = ast.parse(text)
    codes: dict[tuple[str, int], types.CodeType] = {}
    pending = [compile(tree, file, "exec")]
    while pending:
        code = pending.pop()
        codes[code.co_name, code.co_firstlineno] = code
        pending += [c for c in code.co_consts if isinstance(c, types.CodeType)]
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            key = node.name, min([node.lineno, *(d.lineno for d in node.decorator_list)])
            if key in codes:
                found[key] = node, codes[key]
    return found


def _same(one: types.CodeType, other: types.CodeType) -> bool:
    """Return whether two code objects are the same, apart from their position in the file."""
    a, b = (
        [c.co_code, c.co_names, c.co_varnames, c.co_freevars, [x for x in c.co_consts if not isinstance(x, types.CodeType)]]
        for c in (one, other)
    )
    inner = [[x for x in c.co_consts if isinstance(x, types.CodeType)] for c in (one, other)]
    return a == b and len(inner[0]) == len(inner[1]) and all(map(_same, *inner))


def tree_of(f: Any) -> ast.FunctionDef | None:
    """Return a copy of a function's tree; None if it has no source, or if the file has changed since it was run."""
    code = f.__code__
    try:
        functions = _functions(Path(code.co_filename).read_text(encoding="utf-8"), code.co_filename)
    except (OSError, SyntaxError, ValueError):
        return None
    node, known = functions.get((code.co_name, code.co_firstlineno), (None, None))
    return copy.deepcopy(node) if known is not None and _same(known, code) else None


def function_of(node: ast.FunctionDef, f: Any, scope: dict[str, Any], defaults: tuple[Any, ...] | None) -> Any:
    """Return a function from a tree, with these globals and defaults, and the closure of f."""
    node.decorator_list, node.returns = [], None
    node.args.defaults = [ast.Constant(None) for _ in defaults or ()]
    for a in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]:
        a.annotation = None
    free = dict(zip(f.__code__.co_freevars, f.__closure__ or (), strict=True))
    name, node.name = node.name, "inner"  # under its own name, a recursive call would find a local variable of `outer`
    outer = ast.FunctionDef(  # type: ignore[call-overload, unused-ignore]  # stubs of Python 3.12 ask for type_params
        name="outer",
        args=ast.arguments([], [ast.arg(name) for name in free], None, [], [], None, []),
        body=[node],
        decorator_list=[],
    )
    module = ast.fix_missing_locations(ast.Module([outer], []))
    code = _inner(_inner(compile(module, f.__code__.co_filename, "exec"))).replace(co_name=name, co_qualname=name)
    node.name = name
    made = types.FunctionType(code, scope, name, defaults, tuple(free[name] for name in code.co_freevars))
    setattr(made, MADE, True)
    return made


def _inner(code: types.CodeType) -> types.CodeType:
    """Return the first inner function of a code object."""
    return next(c for c in code.co_consts if isinstance(c, types.CodeType))
