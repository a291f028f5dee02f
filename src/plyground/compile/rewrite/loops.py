"""Rewrites loops inside expressions: generator expressions and calls that iterate become small functions with a loop.

`any(c == m for c in s.cells)` becomes `any__0(m, s)`, where any__0 is a top-level function. The variables that it reads are its
arguments, so the call works wherever the expression was: after `and`, in a `while`, in another loop.
"""

from __future__ import annotations

import abc
import ast
import copy
import enum
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from plyground.compile.rewrite.syntax import hoist_walrus

DEPTH_ARGUMENTS = "depth__", "base__"
"""Extra arguments of a recursive function: the depth of the recursion, and where its stack began."""
COMPREHENSIONS = (ast.GeneratorExp, ast.ListComp)
LAZY = (map, filter)
"""Calls that return a list in compiled rules, but an iterator in Python."""


class Loops(ast.NodeTransformer, abc.ABC):
    """Rewrites statements and calls that iterate; `calls.Calls` adds other calls, `rewriter.Rewriter` names."""

    def __init__(self, f: types.FunctionType, tree: ast.FunctionDef) -> None:
        self.f, self.tree = f, tree
        stored = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
        inner = {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n is not tree}
        self.locals = stored | inner | {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)} | set(DEPTH_ARGUMENTS)
        self.extras: dict[str, object] = {}
        self.helpers: list[ast.FunctionDef] = []
        self.made = 0

    assigned: dict[str, list[ast.expr | None]]

    # -- from the subclass -----------------------------------------------------------------------------------------------

    @abc.abstractmethod
    def value_of(self, node: ast.AST) -> Any:
        """Return the value of an expression, if it is known."""

    @abc.abstractmethod
    def constant(self, value: object, name: str, at: ast.AST) -> ast.expr:
        """Return an expression for a known value."""

    @abc.abstractmethod
    def refuse(self, node: ast.AST, advice: str) -> Any:
        """Raise an error for code that can't be compiled."""

    # -- statements ------------------------------------------------------------------------------------------------------

    def block(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        """Rewrite statements."""
        found: list[ast.stmt] = []
        for statement in body:
            new = self.visit(statement)
            found += new if isinstance(new, list) else [new]
        return found

    def visit(self, node: ast.AST) -> Any:
        """Rewrite a node. A statement may become several: assignments inside an expression move before it."""
        if not isinstance(node, ast.stmt):
            return super().visit(node)
        before, node = hoist_walrus(node, self.refuse, self.new_name)
        after = super().visit(node)
        return [*self.block(before), *(after if isinstance(after, list) else [after])]

    def new_name(self, name: str) -> str:
        """Return a new name."""
        self.made += 1
        self.locals.add(f"{name}__{self.made}")
        return f"{name}__{self.made}"

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.YieldFrom):
            x = self.new_name("x")
            loop = parse(f"for {x} in 0: yield {x}", node)[0]
            loop.iter = node.value.value
            return self.visit(loop)
        call = node.value
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
            return self.generic_visit(node)
        target, method = call.func.value, call.func.attr
        if method == "extend" and len(call.args) == 1:
            return self.extend_item_by_item(target, call.args[0], node) or self.generic_visit(node)
        if method == "sort" and any(k.arg == "key" for k in call.keywords):
            return ast.copy_location(ast.Expr(self.sort(call, target, copied=False)), node)
        return self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        found = self.extend_item_by_item(node.target, node.value, node) if isinstance(node.op, ast.Add) else None
        return found or self.generic_visit(node)

    def extend_item_by_item(self, target: ast.expr, items: ast.expr, at: ast.stmt) -> Any:
        """Extend a list that began as `[]` item by item: the compiler infers its type from what is appended."""
        values = self.assigned.get(target.id, []) if isinstance(target, ast.Name) else []
        if not isinstance(target, ast.Name) or not any(isinstance(v, ast.List) and not v.elts for v in values):
            return None
        if any(isinstance(n, ast.Name) and n.id == target.id for n in ast.walk(items)):
            return None
        self.made += 1
        loop = self.loop_over(items, f"{target.id}.append(x__)", at)
        return self.visit(self.make_names_unique(loop))

    def visit_YieldFrom(self, node: ast.YieldFrom) -> Any:
        return self.refuse(node, "`yield from` has no value here; write it on a separate line")

    def visit_For(self, node: ast.For) -> Any:
        value = self.value_of(node.iter)
        if isinstance(value, type) and issubclass(value, enum.IntEnum):
            node.iter = self.constant(tuple(int(x) for x in value), "members", node.iter)
        return self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> Any:
        target = node.targets[0]
        if isinstance(node.value, ast.GeneratorExp) or (
            isinstance(node.value, ast.Call) and self.value_of(node.value.func) in LAZY
        ):
            self.require_single_use(node)
        if len(node.targets) > 1 or not isinstance(target, ast.Tuple | ast.List):
            return self.generic_visit(node)
        at = next((i for i, t in enumerate(target.elts) if isinstance(t, ast.Starred)), None)
        if at is None:
            return self.generic_visit(node)
        items = self.new_name("items")
        after = len(target.elts) - at - 1
        lines = parse(f"{items} = 0", node)
        lines[0].value = node.value
        for i, t in enumerate(target.elts):
            place = f"{items}[{i if i < at else i - len(target.elts)}]"
            if isinstance(t, ast.Starred):
                place, t = f"{items}[{at}:{-after if after else ''}]", t.value
            lines += parse(f"x = {place}", node)
            lines[-1].targets = [t]
            if i == at:
                lines[-1].value = self.call(list, [lines[-1].value], node)
        return self.block(lines)

    def require_single_use(self, node: ast.Assign) -> None:
        """Refuse a generator that may be iterated over again: it would be empty, but compiled it is a list."""
        names = {t.id for t in node.targets if isinstance(t, ast.Name)}
        loops = [n for n in ast.walk(self.tree) if isinstance(n, ast.For | ast.While) and not any(x is node for x in ast.walk(n))]
        bodies = [statement for loop in loops for statement in loop.body]
        for nodes, allowed in ([self.tree], 1), (bodies, 0):
            reads = [n for part in nodes for n in ast.walk(part) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
            if sum(n.id in names for n in reads) > allowed:
                self.refuse(node, "it can be iterated over only once; make it a list")

    # -- helper functions --------------------------------------------------------------------------------------------------

    def call(self, function: Callable[..., object], args: list[ast.expr], at: ast.AST) -> ast.Call:
        """Return a call of one of our functions, with arguments that are already rewritten."""
        return ast.copy_location(ast.Call(self.constant(function, function.__name__, at), args, []), at)

    def lift(self, name: str, text: str, at: ast.AST, **parts: ast.AST | None) -> ast.Call:
        """Return a call of a new function with this body, in which the names of `parts` stand for expressions or statements."""
        body = parse(text, at)
        for i, statement in enumerate(body):
            body[i] = _Substitute(parts).visit(statement)
        self.made += 1
        helper = ast.FunctionDef(  # type: ignore[call-overload, unused-ignore]  # stubs of Python 3.12 ask for type_params
            f"{name}__{self.made}", ast.arguments([], [], None, [], [], None, []), body, []
        )
        ast.copy_location(helper, at)
        self.make_names_unique(helper)
        helper.body = self.block(helper.body)
        own = {n.id for n in ast.walk(helper) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        read = {n.id for n in ast.walk(helper) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        inner = {n.arg for n in ast.walk(helper) if isinstance(n, ast.arg)}
        free = sorted((read & self.locals) - own - inner)
        helper.args.args = [ast.arg(n) for n in free]
        self.helpers.append(helper)
        args: list[ast.expr] = [ast.Name(n, ast.Load()) for n in free]
        return ast.copy_location(ast.Call(ast.Name(helper.name, ast.Load()), args, []), at)

    def make_names_unique(self, node: ast.AST) -> Any:
        """Make the names of our templates (`x__` and the like) unique, so that nested templates don't clash."""
        for n in ast.walk(node):
            if isinstance(n, ast.Name) and n.id.endswith("__") and n.id not in DEPTH_ARGUMENTS:
                n.id += str(self.made)
                self.locals.add(n.id)
        return node

    def loop_over(self, items: ast.expr, body: str, at: ast.AST, **parts: ast.AST | None) -> Any:
        """Return a loop over items, or over a generator expression; the item is x__ in the body."""
        inner = [_Substitute(parts).visit(s) for s in parse(body, at)]
        if not isinstance(items, COMPREHENSIONS):
            loop = parse("for x__ in 0: pass", at)[0]
            loop.iter, loop.body = items, inner
            return loop
        take = parse("x__ = 0", at)
        take[0].value = items.elt
        inner = take + inner
        for g in reversed(items.generators):
            for test in reversed(g.ifs):
                inner = [ast.copy_location(ast.If(test, inner, []), at)]
            inner = [ast.copy_location(ast.For(g.target, g.iter, inner, []), at)]
        return inner[0]

    # -- calls that iterate ------------------------------------------------------------------------------------------------

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> Any:
        return self.visit(ast.copy_location(ast.ListComp(node.elt, node.generators), node))

    def rewrite_any_all(self, node: ast.Call) -> Any:
        """Rewrite any and all."""
        which = self.value_of(node.func) is any
        test = "if x__: return True" if which else "if not x__: return False"
        loop = self.loop_over(node.args[0], test, node)
        return self.lift("any" if which else "all", f"LOOP\nreturn {not which}", node, LOOP=loop)

    def rewrite_sum(self, node: ast.Call) -> Any:
        """Rewrite sum."""
        start = node.args[1] if len(node.args) > 1 else node.keywords[0].value if node.keywords else ast.Constant(0)
        if not isinstance(node.args[0], (*COMPREHENSIONS, ast.Call)):
            return None
        loop = self.loop_over(node.args[0], "total__ += x__", node)
        return self.lift("sum", "total__ = START\nLOOP\nreturn total__", node, START=start, LOOP=loop)

    def rewrite_reduce(self, node: ast.Call) -> Any:
        """Rewrite functools.reduce."""
        if len(node.args) not in (2, 3) or node.keywords:
            return self.refuse(node, "write reduce(function, items) or reduce(function, items, first)")
        function, items = node.args[:2]
        step = self.call_key(function, node, "total__", "x__")
        if len(node.args) == 3:
            loop = self.loop_over(items, "total__ = STEP", node, STEP=step)
            return self.lift("reduce", "total__ = START\nLOOP\nreturn total__", node, START=node.args[2], LOOP=loop)
        take = "if not found__:\n    total__ = x__\n    found__ = True\nelse:\n    total__ = STEP"
        loop = self.loop_over(items, take, node, STEP=step)
        empty = "if not found__: raise TypeError('reduce() of empty iterable with no initial value')"
        return self.lift("reduce", f"found__ = False\nLOOP\n{empty}\nreturn total__", node, LOOP=loop)

    def rewrite_next(self, node: ast.Call) -> Any:
        """Rewrite next of a generator expression."""
        if not isinstance(node.args[0], COMPREHENSIONS):
            return self.refuse(node, "use a loop with break instead of next")
        loop = self.loop_over(node.args[0], "return x__", node)
        end = "return DEFAULT" if len(node.args) > 1 else "raise StopIteration('next: no item found')"
        return self.lift("next", f"LOOP\n{end}", node, LOOP=loop, DEFAULT=node.args[-1])

    def rewrite_min_max(self, node: ast.Call) -> Any:
        """Rewrite min and max, with a key, with a default, or of a generator expression."""
        given = {k.arg: k.value for k in node.keywords}
        items: ast.expr = node.args[0] if len(node.args) == 1 else ast.copy_location(ast.Tuple(node.args, ast.Load()), node)
        if not given and (len(node.args) > 1 or not isinstance(items, (*COMPREHENSIONS, ast.Call))):
            return None
        name = "max" if self.value_of(node.func) is max else "min"
        take = "top__ = k__\n    best__ = x__\n"
        better = f"if not found__:\n    {take}    found__ = True\nelif k__ {'>' if name == 'max' else '<'} top__:\n    {take}"
        loop = self.loop_over(items, f"k__ = KEY\n{better}", node, KEY=self.call_key(given.get("key"), node))
        empty = "return DEFAULT" if "default" in given else f"raise ValueError('{name}() arg is an empty sequence')"
        text = f"found__ = False\nLOOP\nif not found__: {empty}\nreturn best__"
        return self.lift(name, text, node, LOOP=loop, DEFAULT=given.get("default"))

    def call_key(self, function: ast.expr | None, at: ast.AST, *names: str) -> ast.expr:
        """Return a call of the key function for the item x__, or of a function for these names; a lambda is inlined."""
        items: list[ast.expr] = [ast.copy_location(ast.Name(name, ast.Load()), at) for name in names or ("x__",)]
        if function is None or (isinstance(function, ast.Constant) and function.value is None):
            return items[0]
        if isinstance(function, ast.Lambda):
            taken = [a.arg for a in function.args.args]
            if len(taken) != len(items) or function.args.vararg or function.args.kwonlyargs:
                self.refuse(at, f"the function must take {'one item' if len(items) == 1 else f'{len(items)} items'}")
            filled: ast.expr = _Substitute(dict(zip(taken, items, strict=True))).visit(copy.deepcopy(function.body))
            return filled
        return ast.copy_location(ast.Call(copy.deepcopy(function), items, []), at)

    def rewrite_sorted(self, node: ast.Call) -> Any:
        """Rewrite sorted with a key, or of a generator expression."""
        if any(k.arg == "key" for k in node.keywords):
            return self.sort(node, node.args[0], copied=True)
        if isinstance(node.args[0], COMPREHENSIONS):
            return None
        node.args[0] = self.call(list, [node.args[0]], node)
        return None

    def sort(self, node: ast.Call, items: ast.expr, copied: bool) -> Any:
        """Return a stable sort by a key: an insertion sort, as lists of moves are short."""
        given = {k.arg: k.value for k in node.keywords}
        reverse = self.value_of(given.get("reverse", ast.Constant(False)))
        if not isinstance(reverse, bool):
            self.refuse(node, "`reverse` must be True or False here")
        comps = parse("out__ = [x__ for x__ in ITEMS]" if copied else "out__ = ITEMS", node)
        text = (
            "keys__ = [KEY for x__ in out__]\n"
            "for i__ in RANGE(1, LEN(out__)):\n"
            "    x__ = out__[i__]\n    k__ = keys__[i__]\n    j__ = i__\n"
            f"    while j__ > 0 and keys__[j__ - 1] {'<' if reverse else '>'} k__:\n"
            "        out__[j__] = out__[j__ - 1]\n        keys__[j__] = keys__[j__ - 1]\n        j__ -= 1\n"
            "    out__[j__] = x__\n    keys__[j__] = k__\n"
        )
        take = _Substitute({"ITEMS": items}).visit(comps[0])
        end = "return out__" if copied else ""
        named = {"RANGE": self.constant(range, "range", node), "LEN": self.constant(len, "len", node)}
        return self.lift("sort", f"TAKE\n{text}{end}", node, TAKE=take, KEY=self.call_key(given.get("key"), node), **named)

    def rewrite_list(self, node: ast.Call) -> Any:
        """Rewrite list of a generator expression."""
        if isinstance(node.args[0], COMPREHENSIONS):
            return self.visit(ast.copy_location(ast.ListComp(node.args[0].elt, node.args[0].generators), node))
        return None

    def rewrite_map(self, node: ast.Call) -> Any:
        """Rewrite map, as a list."""
        if len(node.args) != 2:
            return self.refuse(node, "use a loop instead of map with several iterables")
        text = parse("[KEY for x__ in ITEMS]", node)[0].value
        self.made += 1
        parts = {"KEY": self.call_key(node.args[0], node), "ITEMS": node.args[1]}
        return self.visit(self.make_names_unique(_Substitute(parts).visit(text)))

    def rewrite_filter(self, node: ast.Call) -> Any:
        """Rewrite filter, as a list."""
        text = parse("[x__ for x__ in ITEMS if KEY]", node)[0].value
        self.made += 1
        parts = {"KEY": self.call_key(node.args[0], node), "ITEMS": node.args[1]}
        return self.visit(self.make_names_unique(_Substitute(parts).visit(text)))

    def rewrite_zip(self, node: ast.Call) -> Any:
        """Rewrite zip; only interpreted rules check `strict`."""
        node.keywords = [k for k in node.keywords if k.arg != "strict"]


def parse(text: str, at: ast.AST) -> list[Any]:
    """Parse statements, and give them the position of another node."""
    body = ast.parse(text).body
    for node in body:
        for inner in ast.walk(node):
            if hasattr(inner, "lineno"):
                ast.copy_location(inner, at)
    return list(body)


class _Substitute(ast.NodeTransformer):
    """Replaces names by expressions or statements."""

    def __init__(self, parts: Mapping[str, ast.AST | None]) -> None:
        self.parts = parts

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.Name) and isinstance(self.parts.get(node.value.id), ast.stmt):
            return self.parts[node.value.id]
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> Any:
        return self.parts[node.id] if node.id in self.parts and isinstance(node.ctx, ast.Load) else node
