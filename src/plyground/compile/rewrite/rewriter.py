"""Rewrites ordinary Python that the compiler does not support as Python that it does.

Rules are rewritten function by function before they are compiled: an `any(...)` over a generator expression becomes a loop in a
small helper function, `yield from` a loop, `helpers.take` the function itself. The meaning stays the same, and interpreted rules
are never changed. Code that can't be compiled or rewritten is refused with its line.
"""

from __future__ import annotations

import ast
import builtins
import copy
import dis
import enum
import operator
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from plyground.compile.complaint import OUTSIDE, unsupported_code_error
from plyground.compile.fingerprint import is_versioned, plain_function
from plyground.compile.rewrite import replacements
from plyground.compile.rewrite.calls import Calls, are_functions
from plyground.compile.rewrite.loops import DEPTH_ARGUMENTS, parse
from plyground.compile.rewrite.replacements import Ragged, as_table
from plyground.compile.rewrite.syntax import GENERATED, function_of, tree_of
from plyground.errors import GameError
from plyground.rules.layout import Layout
from plyground.rules.load import GAMES

NOT_CONSTANT = object()
REFUSED: dict[type[ast.AST], str] = {
    ast.Try: "test with if beforehand instead of using try",
    ast.With: "rules must not open or lock anything; leave `with` out",
    ast.Global: OUTSIDE,
    ast.Nonlocal: "an inner function can't change an outer variable; return the value",
    ast.ClassDef: "define the class at the top level, as a NamedTuple",
    ast.Import: "import at the top of the file",
    ast.ImportFrom: "import at the top of the file",
    ast.SetComp: "use a list, or the bits of an int, instead of a set",
    ast.DictComp: "use tuples, ints and bit masks instead of dicts",
    ast.AsyncFunctionDef: "rules are plain functions; leave `async` out",
    ast.Await: "rules are plain functions; leave `await` out",
}
STATE_RETURNING_HOOKS = ("play", "passes", "unpack", "canonical")
OPERATORS: dict[type[ast.operator], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
CHECKED: dict[type[ast.operator], Callable[..., Any]] = {
    ast.LShift: replacements.shift_left,
    ast.RShift: replacements.shift_right,
    ast.FloorDiv: replacements.floor_divide,
    ast.Mod: replacements.modulo,
    ast.Div: replacements.divide,
    ast.Pow: replacements.raise_to,
}
"""Functions in place of operators that native code computes differently for some right operands."""


def rewrite_function(f: types.FunctionType, where: str, layout: Layout) -> types.FunctionType:
    """Return the function in a form that the compiler supports; f itself if it has no source."""
    if hasattr(f, GENERATED):
        return f
    tree, cycle = tree_of(f), call_cycle(f)
    if Path(f.__code__.co_filename).is_relative_to(GAMES):
        cycle = set()  # our own games are tested, and some of their fastest functions are recursive
    if len(cycle) > 1:
        others = ", ".join(sorted(f"`{g.__name__}`" for g in cycle if g is not f))
        advice = f"`{f.__name__}` and {others} call each other; use one function that calls itself, or a loop"
        raise unsupported_code_error(where, f.__code__.co_filename, f.__code__.co_firstlineno, advice)
    if tree is None:
        if cycle:
            raise unsupported_code_error(
                where, f.__code__.co_filename, f.__code__.co_firstlineno, "a recursive function needs `def`"
            )
        return f
    return Rewriter(f, tree, where, layout, cycle).function()


def call_cycle(f: types.FunctionType) -> set[types.FunctionType]:
    """Return the functions in a call cycle with f, including f; none if f is not recursive."""
    found = reachable_functions(f)
    return {g for g in found if f in reachable_functions(g)} if f in found else set()


def globals_in(code: types.CodeType) -> set[str]:
    """Return the global names that code reads, including those in comprehensions; unlike `names_in`, no attributes."""
    found = {i.argval for i in dis.get_instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return found.union(*(globals_in(c) for c in code.co_consts if isinstance(c, types.CodeType)))


def reachable_functions(f: types.FunctionType) -> set[types.FunctionType]:
    """Return every function that f calls, directly or indirectly."""
    found: set[types.FunctionType] = set()
    pending = [f]
    while pending:
        g = pending.pop()
        cells = [c.cell_contents for c in g.__closure__ or ()]
        for value in [*(g.__globals__.get(name) for name in globals_in(g.__code__)), *cells]:
            value = plain_function(value)
            if isinstance(value, types.FunctionType) and value not in found and not is_versioned(value):
                found.add(value)
                pending.append(value)
    return found


class Rewriter(Calls):
    """Rewrites one function. Loops and calls are handled in `compile/rewrite/loops.py` and `compile/rewrite/calls.py`."""

    def __init__(
        self, f: types.FunctionType, tree: ast.FunctionDef, where: str, layout: Layout, cycle: set[types.FunctionType]
    ) -> None:
        super().__init__(f, tree)
        self.where, self.layout, self.cycle = where, layout, cycle
        self.trusted = any(Path(f.__code__.co_filename).is_relative_to(folder) for folder in (GAMES, Path(__file__).parent))
        """Whether the function is ours; our games are tested, so their operators need no checks."""
        self.closure = {n: c.cell_contents for n, c in zip(f.__code__.co_freevars, f.__closure__ or (), strict=True)}
        self.lengths = self._lengths(tree)
        self.assigned = self._assignments(tree)

    def function(self) -> types.FunctionType:
        """Return the rewritten function, with everything it needs in its globals."""
        f, tree = self.f, self.tree
        for i, a in enumerate(tree.args.kwonlyargs):
            if tree.args.kw_defaults[i] is None and f.__defaults__:
                self.refuse(tree, f"give `{a.arg}` a default value, or put it before the arguments that have one")
        defaults = (*(f.__defaults__ or ()), *((f.__kwdefaults__ or {})[a.arg] for a in tree.args.kwonlyargs if f.__kwdefaults__))
        tree.args.args += tree.args.kwonlyargs
        tree.args.kwonlyargs, tree.args.kw_defaults = [], []
        if self.cycle and any(isinstance(n, ast.Yield | ast.YieldFrom) for n in ast.walk(tree)):
            self.refuse(tree, "a generator can't call itself; use a loop with a list of what is left to do")
        if tree.args.kwarg:
            self.refuse(tree, "list the arguments instead of using **")
        tree.body = self.block(self.with_final_raise(tree))
        self.scope = {**f.__globals__, **self.extras}
        for helper in self.helpers:
            self.scope[helper.name] = function_of(helper, f, self.scope, None)
        if not self.cycle:
            return function_of(tree, f, self.scope, defaults or None)
        return self._with_stack_guard(tree, defaults)

    def with_final_raise(self, tree: ast.FunctionDef) -> list[ast.stmt]:
        """Return the statements of a function. If it must return a state, add a raise at the end: it may end with a `match`."""
        gives = any(isinstance(n, ast.Return) and n.value is not None for n in ast.walk(tree))
        if tree.name not in STATE_RETURNING_HOOKS or not gives or isinstance(tree.body[-1], ast.Return | ast.Raise):
            return tree.body
        end = parse(f"raise ERROR('`{tree.name}` ends without a `return`')", tree.body[-1])
        end[0].exc.func = self.constant(GameError, "GameError", tree.body[-1])
        return [*tree.body, *end]

    def _with_stack_guard(self, tree: ast.FunctionDef, defaults: tuple[object, ...]) -> types.FunctionType:
        """Return a recursive function with a guard against stack overflow, called by a new function under the old name."""
        name, f = tree.name, self.f
        names = [a.arg for a in [*tree.args.posonlyargs, *tree.args.args]]
        message = f"`{name}` recurses too deeply"
        guard = ast.parse(
            f"if depth__ > {replacements.MAX_DEPTH} or base__ - here__() > {replacements.STACK}: raise error__({message!r})"
        ).body
        zero = "0 * here__()"  # for a constant, Numba would compile the function once more
        entry = ast.parse(f"def {name}({', '.join(names)}): return {name}__deep({', '.join([*names, zero])}, here__())").body[0]
        assert isinstance(entry, ast.FunctionDef)
        tree.name = f"{name}__deep"
        tree.args.args += [ast.arg(DEPTH_ARGUMENTS[0]), ast.arg(DEPTH_ARGUMENTS[1])]
        tree.body = guard + tree.body
        self.scope.update({"error__": GameError, "here__": replacements.here})
        self.scope[f"{name}__deep"] = function_of(tree, f, self.scope, None)
        ast.increment_lineno(entry, tree.lineno - 1)
        return function_of(entry, f, self.scope, defaults or None)

    # -- what names stand for --------------------------------------------------------------------------------------------

    def value_of(self, node: ast.AST) -> Any:
        """Return the value of an expression that is known at compile time; MISSING if it is not."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            if node.id in self.locals:
                return NOT_CONSTANT
            if node.id in self.closure:
                return self.closure[node.id]
            return self.f.__globals__.get(node.id, getattr(builtins, node.id, NOT_CONSTANT))
        if isinstance(node, ast.Attribute):
            owner = self.value_of(node.value)
            if isinstance(owner, (types.ModuleType, type, enum.Enum)):
                return getattr(owner, node.attr, NOT_CONSTANT)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            value = self.value_of(node.operand)
            return -value if isinstance(value, int) else NOT_CONSTANT
        if isinstance(node, ast.BinOp):
            return self._fold(node)
        if isinstance(node, ast.Tuple):
            items = [self.value_of(item) for item in node.elts]
            return NOT_CONSTANT if any(item is NOT_CONSTANT for item in items) else tuple(items)
        return NOT_CONSTANT

    def _fold(self, node: ast.BinOp) -> Any:
        left, right = self.value_of(node.left), self.value_of(node.right)
        if left is NOT_CONSTANT or right is NOT_CONSTANT:
            return NOT_CONSTANT
        try:
            return OPERATORS[type(node.op)](left, right)
        except Exception:
            return NOT_CONSTANT

    def dimensions(self, node: ast.AST, depth: int = 0) -> int:
        """Return the number of dimensions of a table; 0 for any other expression.

        Tables are arrays in compiled rules, where + would add item by item.
        """
        if isinstance(node, ast.Subscript):
            return max(0, self.dimensions(node.value, depth) - (not isinstance(node.slice, ast.Slice)))
        value = self.value_of(node)
        if isinstance(value, (tuple, list)):
            return int(getattr(as_table(value), "ndim", 2 if Ragged.fits(value) else 0))
        values = self.assigned.get(node.id, []) if isinstance(node, ast.Name) and depth < 9 else []
        return min((self.dimensions(a, depth + 1) if a is not None else 0 for a in values), default=0)

    def _assignments(self, tree: ast.AST) -> dict[str, list[ast.expr | None]]:
        """Return the expressions assigned to each variable, by name; None for anything but a plain expression."""
        found: dict[str, list[ast.expr | None]] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                found.setdefault(node.targets[0].id, []).append(node.value)
            elif isinstance(node, ast.For | ast.comprehension) and isinstance(node.target, ast.Name):
                found.setdefault(node.target.id, []).append(ast.Subscript(node.iter, ast.Constant(0), ast.Load()))
            elif isinstance(node, ast.arg):
                found.setdefault(node.arg, []).append(None)
        stored = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        for name in set(stored):
            if stored.count(name) > len(found.get(name, ())):
                found.setdefault(name, []).append(None)
        return found

    def constant(self, value: object, name: str, at: ast.AST) -> ast.expr:
        """Return an expression for a known value: a literal for a number, a new name for anything else."""
        if isinstance(value, int | float) and type(value) in (bool, int, float):
            return ast.copy_location(ast.Constant(value), at)
        if isinstance(value, enum.Enum) and isinstance(value, int):
            return ast.copy_location(ast.Constant(int(value)), at)
        key = f"{name}__g{len(self.extras)}"
        for old, known in self.extras.items():
            if known is value:
                key = old
        self.extras[key] = value
        return ast.copy_location(ast.Name(key, ast.Load()), at)

    # -- statements and expressions ------------------------------------------------------------------------------------------

    def generic_visit(self, node: ast.AST) -> Any:
        if type(node) in REFUSED:
            self.refuse(node, REFUSED[type(node)])
        return super().generic_visit(node)

    def refuse(self, node: ast.AST, advice: str) -> Any:
        """Raise an error for code that can't be compiled, with what to write instead."""
        raise unsupported_code_error(self.where, self.f.__code__.co_filename, getattr(node, "lineno", self.tree.lineno), advice)

    def visit_Name(self, node: ast.Name) -> Any:
        value = self.value_of(node) if isinstance(node.ctx, ast.Load) else NOT_CONSTANT
        if isinstance(value, enum.Enum) and isinstance(value, int):
            return self.constant(value, node.id, node)
        if are_functions(value):
            return self.refuse(node, f"the functions in `{node.id}` can only be called one at a time: {node.id}[i](x)")
        if isinstance(value, Ragged.KINDS) and Ragged.fits(value):
            parts = [self.ragged_part(value, node.id, part, node) for part in ("data", "at")]
            return self.call(replacements.rows, parts, node)
        return node

    def ragged_part(self, value: object, name: str, part: str, at: ast.AST) -> ast.expr:
        """Return one of the two arrays of a ragged table."""
        return self.constant(getattr(Ragged.of(value), part), f"{name}__{part}", at)

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        value = self.value_of(node) if isinstance(node.ctx, ast.Load) else NOT_CONSTANT
        owner = self.value_of(node.value)
        package = isinstance(owner, types.ModuleType) and is_versioned(owner)
        if value is NOT_CONSTANT or isinstance(value, types.ModuleType) or (package and value not in replacements.TWINS):
            return self.generic_visit(node)
        if isinstance(owner, type) and (is_versioned(owner) or isinstance(value, property)):
            return self.generic_visit(node)
        if isinstance(owner, type) and isinstance(value, enum.Enum) and not isinstance(value, int):
            return self.generic_visit(node)
        return self.constant(value, node.attr, node)

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        if not isinstance(node.ctx, ast.Load) and isinstance(self.value_of(node.value), (list, dict, np.ndarray)):
            return self.refuse(node, OUTSIDE)
        value = self.value_of(node.value) if isinstance(node.ctx, ast.Load) else NOT_CONSTANT
        if isinstance(value, Ragged.KINDS) and Ragged.fits(value) and not isinstance(node.slice, ast.Slice):
            name = getattr(node.value, "id", "table")
            parts = [self.ragged_part(value, name, "data", node), self.ragged_part(value, name, "at", node)]
            return self.call(replacements.row, [*parts, self.visit(node.slice)], node)
        return self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> Any:
        for i, (op, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
            value = self.value_of(right)
            if isinstance(op, ast.In | ast.NotIn) and isinstance(value, (set, frozenset)) and value:
                node.comparators[i] = self.constant(tuple(sorted(value)), "items", right)
            elif isinstance(op, ast.In | ast.NotIn) and isinstance(right, ast.Set):
                node.comparators[i] = ast.copy_location(ast.Tuple(right.elts, ast.Load()), right)
            elif isinstance(op, ast.In | ast.NotIn) and isinstance(value, type) and issubclass(value, enum.IntEnum):
                node.comparators[i] = self.constant(tuple(int(x) for x in value), "members", right)
            elif isinstance(op, ast.Is | ast.IsNot) and isinstance(value, enum.Enum) and isinstance(value, int):
                node.ops[i] = ast.Eq() if isinstance(op, ast.Is) else ast.NotEq()  # in compiled code a member is its number
        return self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        if isinstance(node.op, ast.Add | ast.Mult) and (self.dimensions(node.left) or self.dimensions(node.right)):
            value = self.value_of(node)
            if value is NOT_CONSTANT:
                self.refuse(node, "a long table can only be joined or repeated with constants; write a loop")
            return self.constant(value, "joined", node)
        if isinstance(node.left, ast.Tuple) and isinstance(value := self.value_of(node), tuple):
            return ast.copy_location(ast.Tuple([self.constant(x, "item", node) for x in value], ast.Load()), node)
        return self.rewrite_item_replacement(node) or self.checked_operator(node) or self.generic_visit(node)

    def checked_operator(self, node: ast.BinOp) -> Any:
        """Return a shift, division or power that raises what Python raises; None if the operator always agrees with Python."""
        if self.trusted or type(node.op) not in CHECKED or self.agrees_with_python(node.op, node.right):
            return None
        return self.call(CHECKED[type(node.op)], [self.visit(node.left), self.visit(node.right)], node)

    def agrees_with_python(self, op: ast.operator, right: ast.expr) -> bool:
        """Return whether the right operand is a constant for which native code and Python agree."""
        value = self.value_of(right)
        if not isinstance(value, int | float):
            return False
        if isinstance(op, ast.LShift | ast.RShift):
            return 0 <= value < 64 or (value < 0 and self.refuse(right, "a shift can't be negative"))
        return value >= 0 if isinstance(op, ast.Pow) else value != 0

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        """Treat `x <<= n` as `x = x << n`, where the operator must be checked."""
        safe = self.trusted or type(node.op) not in CHECKED or self.agrees_with_python(node.op, node.value)
        if safe or any(isinstance(n, ast.Call | ast.NamedExpr) for n in ast.walk(node.target)):
            return super().visit_AugAssign(node)
        before = copy.deepcopy(node.target)
        before.ctx = ast.Load()
        value = ast.copy_location(ast.BinOp(before, node.op, node.value), node)
        return self.visit(ast.copy_location(ast.Assign([node.target], value), node))

    def visit_Tuple(self, node: ast.Tuple) -> Any:
        """Treat `(*t[:i], x, *t[i + 1:])` as `t[:i] + (x,) + t[i + 1:]`."""
        if [isinstance(x, ast.Starred) for x in node.elts] != [True, False, True] or not isinstance(node.ctx, ast.Load):
            return self.generic_visit(node)
        before, item, after = (x.value if isinstance(x, ast.Starred) else x for x in node.elts)
        joined = ast.BinOp(ast.BinOp(before, ast.Add(), ast.Tuple([item], ast.Load())), ast.Add(), after)
        ast.fix_missing_locations(ast.copy_location(joined, node))
        return self.rewrite_item_replacement(joined) or self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        if any(isinstance(n, ast.Name) and n.id == node.name for n in ast.walk(node)):
            self.refuse(node, "an inner function can't call itself; define it at the top level")
        return self.generic_visit(node)

    def known_truth(self, node: ast.expr) -> ast.expr:
        """Return a condition; for a constant table, whether it is empty is known."""
        value = self.value_of(node) if isinstance(node, ast.Name) else NOT_CONSTANT
        return ast.copy_location(ast.Constant(bool(value)), node) if isinstance(value, (tuple, list)) else node

    def visit_If(self, node: ast.If) -> Any:
        node.test = self.known_truth(node.test)
        return self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        node.test = self.known_truth(node.test)
        return self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        node.operand = self.known_truth(node.operand) if isinstance(node.op, ast.Not) else node.operand
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> Any:
        state = self.value_of(node.func) is self.layout.state
        found = super().visit_Call(node)
        return self.cast_fields(found) if state else found

    def visit_Delete(self, node: ast.Delete) -> Any:
        if all(isinstance(t, ast.Name) for t in node.targets):
            return ast.copy_location(ast.Pass(), node)
        (target,) = node.targets[:1]
        if len(node.targets) == 1 and isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Slice):
            pop = ast.Call(ast.Attribute(self.visit(target.value), "pop", ast.Load()), [self.visit(target.slice)], [])
            return ast.copy_location(ast.Expr(pop), node)
        return self.refuse(node, "leave `del` out, or use pop(i)")
