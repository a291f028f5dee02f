"""Rewrites calls: those that iterate, those that make tuples, and those of Python's library."""

from __future__ import annotations

import ast
import collections
import copy
import enum
import functools
import itertools
import random
import types
from collections.abc import Callable
from typing import Any

from plyground.compile.complaint import DICE
from plyground.compile.fingerprint import plain_function
from plyground.compile.overloads import as_field, as_int, as_tuple, replacing, tuple_of
from plyground.compile.rewrite import replacements
from plyground.compile.rewrite.loops import COMPREHENSIONS, DEPTH_ARGUMENTS, Loops, parse
from plyground.rules.layout import Layout

ITERTOOLS = (
    "write a loop; of itertools, product, combinations and permutations of two or three items, "
    "chain of two iterables and pairwise work"
)
REWRITTEN: tuple[Callable[..., object], ...] = (
    *(sum, next, sorted, tuple, list, map, filter, zip, enumerate, int),
    *(collections.deque, functools.reduce),
)
"""Functions that each have a method `rewrite_<name>`."""
REFUSED_CALLS = [
    (collections.Counter, "count with a loop, in a list or an int"),
    (type, "every variable has one type in compiled rules; leave the test out, or write isinstance(x, int)"),
    *(
        (f, "use tuples, ints and bit masks instead of dicts and sets")
        for f in (collections.defaultdict, collections.OrderedDict)
    ),
]


class Calls(Loops):
    """Rewrites calls. `rewriter.Rewriter` adds the values of names."""

    layout: Layout
    lengths: dict[int, int]
    cycle: set[types.FunctionType]
    trusted: bool

    def __init__(self, f: types.FunctionType, tree: ast.FunctionDef) -> None:
        super().__init__(f, tree)
        self.handlers: list[tuple[Callable[..., object], Callable[[ast.Call], ast.AST | None]]] = [
            *((f, self.rewrite_any_all) for f in (any, all)),
            *((f, self.rewrite_min_max) for f in (min, max)),
            *((f, getattr(self, f"rewrite_{f.__name__}")) for f in REWRITTEN),
        ]

    def visit_Call(self, node: ast.Call) -> Any:
        target = self.value_of(node.func)
        for f, handler in self.handlers:
            if target is f and node.args and not any(isinstance(a, ast.Starred) for a in node.args):
                return handler(node) or self.generic_visit(node)
        if target is collections.deque:
            return self.rewrite_deque(node)
        for f, advice in REFUSED_CALLS:
            if target is f:
                return self.refuse(node, advice)
        if _is_random(target):
            return self.refuse(node, DICE)
        if _enum_of_ints(target) and len(node.args) == 1 and not node.keywords and not isinstance(node.args[0], ast.Starred):
            return self.visit(self.call(int, node.args, node))
        found = self.rewrite_library_call(node, target) or self.rewrite_method(node) or self.rewrite_call_of_item(node)
        if not found and _of_itertools(target):
            return self.refuse(node, ITERTOOLS)
        return found or self.add_defaults(node, target) or self.pass_depth(node, target)

    def rewrite_enumerate(self, node: ast.Call) -> Any:
        """Rewrite enumerate, with `start` as its second argument."""
        if len(node.args) == 1 and [k.arg for k in node.keywords] == ["start"]:
            node.args, node.keywords = [*node.args, node.keywords[0].value], []

    def rewrite_int(self, node: ast.Call) -> Any:
        """Rewrite int, as a plain int."""
        if self.trusted or node.keywords or len(node.args) > 1:
            return None
        return self.call(as_int, [self.visit(node.args[0])], node)

    def rewrite_call_of_item(self, node: ast.Call) -> Any:
        """Return a call of an item of a constant tuple of functions: `STEPS[i](x)`."""
        f = node.func
        functions: Any = self.value_of(f.value) if isinstance(f, ast.Subscript) else None
        if not isinstance(f, ast.Subscript) or not are_functions(functions):
            return None
        if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
            return self.refuse(node, "list the arguments")
        named = {f"F{i}": self.constant(function, "item", node) for i, function in enumerate(functions)}
        args = {f"A{i}": a for i, a in enumerate([*node.args, *(k.value for k in node.keywords)])}
        keys = ["", *(f"{k.arg}=" for k in node.keywords)]
        given = ", ".join(f"{keys[max(0, i + 1 - len(node.args))]}{name}" for i, name in enumerate(args))
        lines = [f"if i__ == {i} or i__ == {i - len(functions)}: return F{i}({given})" for i in range(len(functions))]
        text = "\n".join(["i__ = INDEX", *lines, "raise IndexError('tuple index out of range')"])
        return self.lift("pick", text, node, INDEX=f.slice, **named, **args)

    def rewrite_deque(self, node: ast.Call) -> Any:
        """Rewrite deque, as a list."""
        if node.keywords or len(node.args) > 1:
            return self.refuse(node, "a deque can't have maxlen; use a list")
        if not node.args or isinstance(node.args[0], ast.List):
            return self.visit(node.args[0] if node.args else ast.copy_location(ast.List([], ast.Load()), node))
        return self.visit(self.call(list, node.args, node))

    # -- tuples ------------------------------------------------------------------------------------------------------------

    def rewrite_tuple(self, node: ast.Call) -> Any:
        """Rewrite tuple(...) of a known length: from a range, from the tuple it iterates over, or from the field it is for."""
        items = node.args[0]
        if isinstance(items, ast.List):
            return self.visit(ast.copy_location(ast.Tuple(items.elts, ast.Load()), node))
        number, like = self.lengths.get(id(node)), None
        if isinstance(items, COMPREHENSIONS) and len(items.generators) == 1 and not items.generators[0].ifs:
            like = items.generators[0].iter
        elif isinstance(items, ast.Call):
            like = items
        while isinstance(like, ast.Call) and like.args:
            f = self.value_of(like.func)
            if f is range:
                values = [self.value_of(a) for a in like.args]
                number = len(range(*values)) if all(isinstance(v, int) for v in values) else number
                break
            like = like.args[1 if f is map else 0] if f in (enumerate, zip, sorted, reversed, map) else None
        if number is not None:
            return self.call(tuple_of(number), [self.visit(_as_list(items))], node)
        if isinstance(like, ast.Name | ast.Attribute):
            return self.call(as_tuple, [self.visit(_as_list(items)), self.visit(copy.deepcopy(like))], node)
        number = self.lengths.get(0)
        return self.call(tuple_of(number), [self.visit(_as_list(items))], node) if number is not None else None

    def _lengths(self, tree: ast.FunctionDef) -> dict[int, int]:
        """Return the length of each tuple(...) that becomes a field of the state, by node id; under 0, that of all fields."""
        layout = self.layout
        sizes = {f.name: f.shape[0] for f in layout.fields if f.shape and not f.array}
        found = {0: next(iter(sizes.values()))} if len(set(sizes.values())) == 1 else {}
        pending: list[tuple[ast.AST, int]] = []
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and self.value_of(node.func) is layout.state:
                given = dict(zip(layout.state._fields, node.args, strict=False)) | {str(k.arg): k.value for k in node.keywords}
                pending += [(value, sizes[name]) for name, value in given.items() if name in sizes]
        while pending:
            node, n = pending.pop()
            if isinstance(node, ast.IfExp):
                pending += [(node.body, n), (node.orelse, n)]
            elif isinstance(node, ast.Name):
                assigned = [a for a in ast.walk(tree) if isinstance(a, ast.Assign)]
                named = [a.value for a in assigned if any(isinstance(t, ast.Name) and t.id == node.id for t in a.targets)]
                pending += [(v, n) for v in named if isinstance(v, ast.Call | ast.IfExp)]
            elif isinstance(node, ast.Call) and self.value_of(node.func) is tuple:
                found[id(node)] = n
        return found

    def rewrite_item_replacement(self, node: ast.BinOp) -> Any:
        """Rewrite `t[:i] + (x,) + t[i + 1:]`, the tuple with one item replaced; None for anything else."""
        left, after = node.left, node.right
        if not (isinstance(left, ast.BinOp) and isinstance(left.op, ast.Add) and isinstance(node.op, ast.Add)):
            return None
        before, item = left.left, left.right
        parts = [
            p for p in (before, after) if isinstance(p, ast.Subscript) and isinstance(p.slice, ast.Slice) and p.slice.step is None
        ]
        if len(parts) != 2 or not (isinstance(item, ast.Tuple) and len(item.elts) == 1) or isinstance(item.elts[0], ast.Starred):
            return None
        (t, one), (u, two) = [(p.value, p.slice) for p in parts]
        assert isinstance(one, ast.Slice)
        assert isinstance(two, ast.Slice)
        if one.lower or two.upper or one.upper is None or two.lower is None or not isinstance(t, ast.Name | ast.Attribute):
            return None
        following = ast.BinOp(one.upper, ast.Add(), ast.Constant(1))
        if ast.dump(t) != ast.dump(u) or ast.dump(following) != ast.dump(two.lower):
            return None
        return self.call(replacements.replaced, [self.visit(x) for x in (t, one.upper, item.elts[0])], node)

    # -- other calls -------------------------------------------------------------------------------------------------------

    def rewrite_library_call(self, node: ast.Call, target: object) -> Any:
        """Return a call of a library function for which we have our own version."""
        try:
            twin = replacements.TWINS.get(target) or replacements.BY_COUNT.get((target, len(node.args)))
            if [k.arg for k in node.keywords] == ["r"] and len(node.args) == 1:
                node.args, node.keywords = [*node.args, node.keywords[0].value], []
            size = self.value_of(node.args[1]) if len(node.args) == 2 else None
            if isinstance(size, int) and (target, size) in replacements.BY_SIZE:
                return self.call(replacements.BY_SIZE[target, size], [self.repeatable(node.args[0])], node)
            repeat = (
                self.value_of(node.keywords[0].value) if len(node.keywords) == 1 and node.keywords[0].arg == "repeat" else None
            )
            if repeat and (target, repeat) in replacements.BY_COUNT and len(node.args) == 1:
                items = [self.repeatable(copy.deepcopy(node.args[0])) for _ in range(repeat)]
                return self.call(replacements.BY_COUNT[target, repeat], items, node)
        except TypeError:  # unhashable, so not one of them
            return None
        if not twin or node.keywords:
            return None
        return self.call(twin, [(self.repeatable if target is itertools.product else self.visit)(a) for a in node.args], node)

    def repeatable(self, items: ast.expr) -> ast.expr:
        """Return items that are iterated over several times: those of a generator as a list."""
        values = self.assigned.get(items.id, []) if isinstance(items, ast.Name) else [items]
        once = any(isinstance(v, ast.Call) and self.value_of(v.func) not in (range, tuple, list, sorted) for v in values)
        found: ast.expr = self.visit(items)
        return self.call(list, [found], items) if once else found

    def rewrite_method(self, node: ast.Call) -> Any:
        """Rewrite methods of a deque and of a NamedTuple."""
        f = node.func
        if not isinstance(f, ast.Attribute):
            return None
        if f.attr == "popleft" and not node.args:
            f.attr, node.args = "pop", [ast.copy_location(ast.Constant(0), node)]
        elif f.attr == "appendleft" and len(node.args) == 1:
            f.attr, node.args = "insert", [ast.copy_location(ast.Constant(0), node), *node.args]
        elif f.attr == "_replace" and node.keywords and not node.args and all(k.arg for k in node.keywords):
            names = tuple(str(k.arg) for k in node.keywords)
            return self.call(
                replacing(names, self.layout), [self.visit(x) for x in [f.value, *(k.value for k in node.keywords)]], node
            )
        return None

    def visit_Dict(self, node: ast.Dict) -> Any:
        """Rewrite `d = {}` with `d.get(x, 0)`: a dict of ints."""
        names = {name for name, values in self.assigned.items() if not node.keys and any(v is node for v in values)}
        for call in ast.walk(self.tree):
            if not (
                isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name)
            ):
                continue
            number = len(call.args) == 2 and type(self.value_of(call.args[1])) is int
            if call.func.value.id in names and call.func.attr == "get" and number:
                return self.call(replacements.empty_counts, [], node)
        return self.generic_visit(node)

    def add_defaults(self, node: ast.Call, target: object) -> Any:
        """Add the defaults of the missing fields to the creation of a NamedTuple."""
        defaults = getattr(target, "_field_defaults", None)
        if not (isinstance(target, type) and defaults):
            return None
        if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
            return None
        given = {*getattr(target, "_fields", ())[: len(node.args)], *(k.arg for k in node.keywords)}
        missing = [n for n in defaults if n not in given]
        node.keywords += [ast.keyword(n, self.constant(defaults[n], n, node)) for n in missing]
        return None

    def cast_fields(self, node: ast.Call) -> Any:
        """Cast every field of a State to its declared type, so that `State(n == 0)` and `State(n)` have the same type."""
        fields = {f.name: f for f in self.layout.fields if not f.array}
        if any(isinstance(a, ast.Starred) for a in node.args):
            return node
        for i, (name, value) in enumerate(zip(self.layout.state._fields, node.args, strict=False)):
            if name in fields:
                node.args[i] = self.call(as_field(fields[name]), [value], value)
        for k in node.keywords:
            if k.arg in fields:
                k.value = self.call(as_field(fields[k.arg]), [k.value], k.value)
        return node

    def pass_depth(self, node: ast.Call, target: object) -> Any:
        """Return a call; if it is recursive, pass on the depth."""
        if isinstance(node.func, ast.Name) and plain_function(target) is self.f and self.cycle:
            node.func = ast.copy_location(ast.Name(f"{self.tree.name}__deep", ast.Load()), node)
            for name, text in zip(DEPTH_ARGUMENTS, ("depth__ + 1", "base__"), strict=True):
                node.keywords.append(ast.keyword(name, parse(text, node)[0].value))
        return self.generic_visit(node)


def are_functions(value: object) -> bool:
    """Return whether a value is a tuple or list of plain functions."""
    functions = isinstance(value, tuple | list) and [plain_function(x) for x in value]
    return bool(functions) and all(isinstance(x, types.FunctionType) for x in functions or ())


def _of_itertools(target: object) -> bool:
    """Return whether this is a function of itertools, or chain.from_iterable."""
    owner, name = getattr(target, "__self__", None), getattr(target, "__name__", "")
    return owner is itertools.chain or getattr(itertools, name, None) is target


def _is_random(target: object) -> bool:
    """Return whether this is a function of `random` or `numpy.random`, or a method of their generators."""
    owner = getattr(target, "__self__", target)
    module = getattr(owner if isinstance(owner, type) else type(owner), "__module__", "")
    return isinstance(owner, random.Random) or target is random.Random or str(module).startswith("numpy.random")


def _enum_of_ints(target: object) -> bool:
    return isinstance(target, type) and issubclass(target, enum.Enum) and issubclass(target, int)


def _as_list(items: ast.expr) -> ast.expr:
    """Return a generator expression as a list."""
    return ast.copy_location(ast.ListComp(items.elt, items.generators), items) if isinstance(items, ast.GeneratorExp) else items
