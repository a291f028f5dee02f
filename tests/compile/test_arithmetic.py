"""Random expressions in rules: compiled, each gives or raises what it does in plain Python."""

import ast
import operator
import random
import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from array_rules import ARRAYS, TABLES, TYPES, interpreted_play, native_play
from plyground import GameError, load
from plyground.bits import MASK, u64

HEADER = """
from typing import NamedTuple
from plyground.bits import u64
class State(NamedTuple):
    a: int
    b: int
    w: u64
    v: u64
    out: int = 0
def start(): return State(3, -5, u64(9), u64(1), -1)
def moves(s): return range({count})
def result(s): return None
def play(s, m): return State(s.a, s.b, s.w, s.v, -1 if s.out < 0 else value(s, m))
def value(s, m):
    a, b, w, v = s.a, s.b, s.w, s.v
"""
PLAY = """
def play(s, m):
    if s.at[0] >= 0: s.out[0] = u64(value(s, m))
def value(s, m):
    i, j = int(s.at[0]), int(s.at[1])
"""
INTS = [0, 1, 2, 3, 5, 63, 64, 65, 70, 127, 128, 255, 256, 1000, (1 << 31) - 1, 1 << 40, (1 << 63) - 1]
WORDS = [0, 1, 2, 63, 64, 65, 200, 1 << 31, 1 << 63, (1 << 64) - 1]
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


class Expressions:
    """Random expressions with ints (a, b) and words (w, v)."""

    header, count = HEADER, "a"

    def __init__(self, seed):
        self.random = random.Random(seed)

    def integer(self, depth):
        """An expression that is an int."""
        one = self.random.choice
        if depth == 0:
            return one(["a", "b", "a", "b", str(one([0, 1, 2, 7, 63, 64, 70, 255]))])
        x, y = self.integer(depth - 1), self.integer(depth - 1)
        sign = one(["+", "-", "*", "&", "|", "^", "<<", ">>", "<<", ">>", "//", "%", "**"])
        return one([
            *[f"({x} {sign} {y})"] * 6, f"({x} >> {self.word(depth - 1)})", f"-{x}", f"~{x}", f"abs({x})", f"({x}).bit_length()",
            f"({x}).bit_count()", f"max({x}, {y})", f"divmod({x}, {y})[{one([0, 1])}]",
            f"({x} if {self.comparison(depth - 1)} else {y})",
        ])  # fmt: skip

    def word(self, depth):
        """An expression that is a word."""
        one = self.random.choice
        if depth == 0:
            return one(["w", "v"])
        x, y = self.word(depth - 1), self.word(depth - 1)
        few = one([self.count, "3", "64", "70", y])
        sign = one(["+", "-", "*", "&", "|", "^", "//", "%"])
        return one(
            [f"u64({x} {sign} {y})", f"u64({x} << {few})", f"({x} >> {few})", f"u64(~{x})", f"u64({self.integer(depth - 1)})"]
        )

    def comparison(self, depth):
        """A comparison, of an int with a word too."""
        x, y = (self.random.choice([self.integer, self.word])(depth) for _ in range(2))
        return f"{x} {self.random.choice(COMPARISONS)} {y}"

    def any(self):
        """An expression of any kind."""
        depth = self.random.choice([1, 1, 2, 3])
        kinds = [self.integer, self.integer, self.word, lambda d: f"int({self.comparison(d)})"]
        while is_refused(text := self.random.choice(kinds)(depth)):
            pass
        return text

    def state(self, game):
        """A random state, and the names in expressions with their values."""
        a, b = (self.random.choice(INTS) * self.random.choice([-1, 1]) for _ in range(2))
        s = game.State(a, b, *(u64(self.random.choice(WORDS)) for _ in range(2)))
        return s, s._asdict()


class ArrayExpressions(Expressions):
    """Random expressions with items of fields and globals of every type, most of them in int(...)."""

    header, count = ARRAYS + PLAY, "i"

    def item(self, kinds):
        """An item of a field or a global."""
        one = self.random.choice
        return f"{one(['s.f_', 'T_'])}{one(kinds)}[{one(['i', 'j', '0', '3'])}]"

    def integer(self, depth):
        one = self.random.choice
        if depth:
            return super().integer(depth)
        if self.random.random() < 0.03:
            return self.item(TYPES[:6])
        return one([*[f"int({self.item(TYPES[:-1])})"] * 4, "i", str(one([0, 1, 2, 7, 63, 64, 255, 300]))])

    def word(self, depth):
        return super().word(depth) if depth else f"u64({self.item(TYPES)})"

    def comparison(self, depth):
        if self.random.random() < 0.5:
            return super().comparison(depth)
        x, y = self.item(TYPES[:6]), self.random.choice([self.item(TYPES[:6]), self.integer(depth), self.word(depth)])
        return self.random.choice(["{} {} {}", "{2} {1} {0}"]).format(x, self.random.choice(COMPARISONS), y)

    def state(self, game):
        one = self.random.choice
        fields = {name: [one([*TABLES[name], 0, 2, 7]) for _ in range(5)] for name in TYPES}
        at = [self.random.randrange(5) for _ in range(3)]
        s = game.State(*(np.array(x, name) for name, x in fields.items()), np.array(at), np.zeros(1, np.uint64))
        plain = SimpleNamespace(**{f"f_{name}": x for name, x in fields.items()})
        return s, {**{f"T_{name}": x for name, x in TABLES.items()}, "s": plain, "i": at[0], "j": at[1]}


def is_item(node):
    """Return whether an expression is an item of an array."""
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name | ast.Attribute)


def is_refused(text):
    """Return whether an expression has a constant part, which may be too large or a negative shift: refused while compiling."""
    parts = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.BinOp | ast.UnaryOp)]
    return any(not any(isinstance(n, ast.Name) for n in ast.walk(part)) for part in parts)


class TooLargeError(Exception):
    """A part of an expression does not fit in its word: compiled, it wraps around."""


def int_power(x, n):
    """x ** n, if that is an int."""
    if n < 0:
        raise ValueError("an int to a negative power is a float")
    return x**n


OPERATORS: dict[Any, Any] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.BitAnd: operator.and_, ast.BitOr: operator.or_,
    ast.BitXor: operator.xor, ast.LShift: operator.lshift, ast.RShift: operator.rshift, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod, ast.Pow: int_power, ast.USub: operator.neg, ast.Invert: operator.invert, ast.Lt: operator.lt,
    ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq, ast.NotEq: operator.ne,
}  # fmt: skip
FUNCTIONS: dict[str, Any] = {"abs": abs, "max": max, "divmod": divmod, "int": int}


def evaluate(node, names):
    """The value of an expression in plain Python; TooLargeError if a part does not fit in a word."""
    found = eval(ast.unparse(node), dict(names)) if is_item(node) else _evaluated(node, names)
    if isinstance(found, int) and not -(1 << 63) <= found <= (MASK if isinstance(found, u64) else MASK >> 1):
        raise TooLargeError
    return found


def _evaluated(node, names):
    match node:
        case ast.Constant(value):
            return value
        case ast.Name(name):
            return names[name]
        case ast.UnaryOp(op, x):
            return OPERATORS[type(op)](evaluate(x, names))
        case ast.BinOp(left, op, right):
            x, y = evaluate(left, names), evaluate(right, names)
            if isinstance(op, ast.LShift | ast.Pow) and y > 300:
                raise TooLargeError
            found = OPERATORS[type(op)](x, y)
            return u64(found) if isinstance(op, ast.RShift) and isinstance(x, u64) else found
        case ast.Compare(left, [op], [right]):
            return OPERATORS[type(op)](evaluate(left, names), evaluate(right, names))
        case ast.IfExp(test, body, orelse):
            return evaluate(body if evaluate(test, names) else orelse, names)
        case ast.Call(ast.Name("u64"), [x]):
            return u64(evaluate(x, names) if is_item(x) else _evaluated(x, names))
        case ast.Call(ast.Name(name), args):
            return FUNCTIONS[name](*(evaluate(x, names) for x in args))
        case ast.Call(ast.Attribute(x, name)):
            return getattr(evaluate(x, names), name)()
        case ast.Subscript(pair, ast.Constant(i)):
            return evaluate(pair, names)[i]
    raise AssertionError(ast.dump(node))


def compiled(path, made, texts):
    """The game of these expressions and its native moves; those that are refused, each with its line, are left out of `texts`."""
    while True:
        lines = [f"    if m == {m}: return int({text})" for m, text in enumerate(texts)]
        path.write_text("\n".join([made.header.format(count=len(texts)), *lines, "    return 0", ""]))
        game = load(str(path))
        try:
            return game, native_play(game)
        except GameError as e:
            refused = re.search(rf"{path.name}:(\d+): .* can't be compiled: items of this array have \d+ bits", str(e))
            if refused is None:
                raise
            line = path.read_text().splitlines()[int(refused[1]) - 1]
            text = texts.pop(int(line.split()[3][:-1]))
            assert re.search(r"(?<!int\()(?<!u64\()(s\.f|T)_u?int(8|16|32)", text), text


def compare(path, made, count, inputs):
    """Compares `count` expressions, compiled as one game, on random inputs; returns how many results were compared."""
    texts = [made.any() for _ in range(count)]
    game, native = compiled(path, made, texts)
    interpreted, compared = interpreted_play(game), 0
    for m, text in enumerate(texts):
        tree = ast.parse(text, mode="eval").body
        for _ in range(inputs):
            s, names = made.state(game)
            try:
                expected = int(evaluate(tree, names)) & MASK
            except TooLargeError:
                continue
            except (ZeroDivisionError, ValueError):
                expected = None
            for play in (native,) if expected is None else (native, interpreted):
                row = play(s, m)
                assert (None if row is None else int(row[-1])) == expected, (play, text, s)
            compared += 1
    return compared


@pytest.mark.parametrize("made", [Expressions, ArrayExpressions])
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 40))])
def test_random_expressions(tmp_path, seed, made):
    assert compare(tmp_path / "random_rules.py", made(seed), 60, 40) > 500
