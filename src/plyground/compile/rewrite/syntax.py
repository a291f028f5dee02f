"""Syntax trees: from a function to its tree, `:=` out of expressions, and from a changed tree back to a function."""

from __future__ import annotations

import ast
import copy
import functools
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

GENERATED = "made_by_plyground"
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
    """Return whether two code objects are the same except for their position in the file."""
    a, b = (
        [c.co_code, c.co_names, c.co_varnames, c.co_freevars, [x for x in c.co_consts if not isinstance(x, types.CodeType)]]
        for c in (one, other)
    )
    inner = [[x for x in c.co_consts if isinstance(x, types.CodeType)] for c in (one, other)]
    return a == b and len(inner[0]) == len(inner[1]) and all(map(_same, *inner))


def tree_of(f: types.FunctionType) -> ast.FunctionDef | None:
    """Return a copy of a function's tree; None if it has no source, or if the file has changed since it was run."""
    code = f.__code__
    try:
        functions = _functions(Path(code.co_filename).read_text(encoding="utf-8"), code.co_filename)
    except (OSError, SyntaxError, ValueError):
        return None
    node, known = functions.get((code.co_name, code.co_firstlineno), (None, None))
    return copy.deepcopy(node) if known is not None and _same(known, code) else None


def function_of(
    node: ast.FunctionDef, f: types.FunctionType, scope: dict[str, object], defaults: tuple[object, ...] | None
) -> types.FunctionType:
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
    setattr(made, GENERATED, True)
    return made


def _inner(code: types.CodeType) -> types.CodeType:
    """Return the first inner function of a code object."""
    return next(c for c in code.co_consts if isinstance(c, types.CodeType))


# -- `:=` before the statement -------------------------------------------------------------------------------------------------

HEADERS = ("value", "test", "iter", "subject", "targets")
INNER = (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp, ast.Lambda)
ADVICE = "assign on a separate line instead of using `:=`"

Refuse = Callable[[ast.AST, str], object]


def hoist_walrus(node: ast.stmt, refuse: Refuse, new_name: Callable[[str], str]) -> tuple[list[ast.stmt], ast.stmt]:
    """Return the assignments to run before a statement, and the statement without them."""
    headers = [name for name in HEADERS if isinstance(getattr(node, name, None), ast.expr)]
    if not any(_has(getattr(node, name)) for name in headers):
        return [], node
    hoist = _Hoist(refuse, new_name)
    for name in headers:
        setattr(node, name, hoist.hoist_from_test(getattr(node, name)) if name == "test" else hoist.visit(getattr(node, name)))
    if not isinstance(node, ast.While):
        return hoist.before, node
    if node.orelse:
        refuse(node, ADVICE)
    end = ast.If(ast.UnaryOp(ast.Not(), node.test), [ast.Break()], [])
    node.body = [*hoist.before, ast.copy_location(end, node), *node.body]
    node.test = ast.copy_location(ast.Constant(True), node)
    ast.fix_missing_locations(node)
    return [], node


def _has(node: ast.AST) -> bool:
    return any(isinstance(n, ast.NamedExpr) for n in ast.walk(node))


class _Hoist(ast.NodeTransformer):
    """Moves assignments out of an expression, in order of evaluation."""

    def __init__(self, refuse: Refuse, new_name: Callable[[str], str]) -> None:
        self.refuse, self.new_name = refuse, new_name
        self.before: list[ast.stmt] = []
        self.read: set[str] = set()

    def visit_Name(self, node: ast.Name) -> Any:
        self.read.add(node.id)
        return node

    def visit_NamedExpr(self, node: ast.NamedExpr) -> Any:
        if node.target.id in self.read:
            self.refuse(node, ADVICE)
        value = self.visit(node.value)
        self.before.append(ast.copy_location(ast.Assign([node.target], value), node))
        return ast.copy_location(ast.Name(node.target.id, ast.Load()), node)

    def hoist_from_test(self, node: ast.expr) -> ast.expr:
        """Return a condition: after `and` and `or`, an assignment runs only if it is reached."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            node.operand = self.hoist_from_test(node.operand)
            return node
        if not (isinstance(node, ast.BoolOp) and any(_has(v) for v in node.values[1:])):
            found: ast.expr = self.visit(node)
            return found
        name = self.new_name("test")
        self.before += [self._assign_truth(name, self.hoist_from_test(node.values[0]), node)]
        for value in node.values[1:]:
            inner = _Hoist(self.refuse, self.new_name)
            inner.read = self.read
            test: ast.expr = ast.Name(name, ast.Load())
            test = test if isinstance(node.op, ast.And) else ast.UnaryOp(ast.Not(), test)
            new = inner.hoist_from_test(value)
            self.before.append(ast.copy_location(ast.If(test, [*inner.before, self._assign_truth(name, new, node)], []), node))
        for statement in self.before:
            ast.fix_missing_locations(statement)
        return ast.copy_location(ast.Name(name, ast.Load()), node)

    def _assign_truth(self, name: str, value: ast.expr, at: ast.AST) -> ast.stmt:
        truth = ast.IfExp(value, ast.Constant(True), ast.Constant(False))
        return ast.fix_missing_locations(ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], truth), at))

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        return self._visit_first_only(node, node.values[1:])

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        return self._visit_first_only(node, [node.body, node.orelse])

    def visit_Compare(self, node: ast.Compare) -> Any:
        return self._visit_first_only(node, node.comparators[1:])

    def _visit_first_only(self, node: ast.expr, later: list[ast.expr]) -> Any:
        if any(_has(v) for v in later):
            self.refuse(node, ADVICE)
        return self.generic_visit(node)

    def generic_visit(self, node: ast.AST) -> Any:
        if isinstance(node, INNER) and _has(node):
            self.refuse(node, ADVICE)
        return super().generic_visit(node)
