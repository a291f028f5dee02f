"""The instructions of a net: from the words of a state to the sum of its active weights, in vectors.

A net's *structure* is compiled: which words of the state it reads, how many groups there are, where the weights of each begin.
Its tables and weights are not compiled: they lie at addresses, so new weights need no new code.

Each chunk (a few bits of a word, or a byte) has a table with a row for each of its values: for every group a share of the number
of the group's active weight. The sum of one row per chunk gives the numbers of all active weights at once, in one lane each. One
more lane counts the pieces, which decides the phase. Sums may wrap around; the result is right all the same. With hidden units,
the rows hold shares of each unit's input; the units' outputs are weighted and added at once. If there are many chunks, the sum
is updated from leaf to leaf (`nets/leaf.py`), with a row for each bit instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from llvmlite import ir
from numba.core import cgutils
from numba.core import types as nb
from numba.core.cpu import CPUContext
from numba.core.typing import Context as TypingContext
from numba.core.typing import Signature
from numba.extending import _Intrinsic as Intrinsic
from numba.extending import intrinsic

from plyground.compile import vocabulary as names
from plyground.compile.net_structure import (
    ALWAYS_FIRST,
    DIRECT_BITS,
    EVALUATION,
    NOTHING,
    ONE_BITS,
    TURN,
    Chunk,
    Factor,
    Item,
    Structure,
)
from plyground.compile.pointers import Typed
from plyground.rules.layout import Layout

WORD, SHORT, BYTE = ir.IntType(64), ir.IntType(16), ir.IntType(8)
ONE = 1 << ONE_BITS


def net_functions(net: Structure, layout: Layout, write: Callable[..., object]) -> dict[object, object]:
    """Return what kernels call by the names of `vocabulary.py` that begin with `net_`; `write` compiles a function from text."""
    return {
        names.net_side: write("net_side", "s", f"return {_side_text(net)}"),
        names.net_inputs: write("net_inputs", "s, room", *_inputs_text(net, layout)),
        names.net_base: write("net_base", "s", f"return {_base_text(net)}"),
    } | (_instructions(net) if net.lanes else {})


def _instructions(net: Structure) -> dict[object, object]:
    return {
        names.net_sum: _sum(net),
        names.net_list: _list(net),
        names.net_rows: _rows(net),
        names.net_set: _set(net),
        names.net_add_row: _add_row(net),
    }


def _side_text(net: Structure) -> str:
    if net.side == TURN:
        return "int64(turn(s))"
    return "int64(0)" if net.side == ALWAYS_FIRST else f"int64(int64(s[{net.side}]) != int64({net.first}))"


def _base_text(net: Structure) -> str:
    return {NOTHING: "0.0", EVALUATION: "float(evaluate(s))"}.get(net.base, f"float(s[{net.base}])")


def _inputs_text(net: Structure, layout: Layout) -> list[str]:
    """Return code for the words or, if the rules' `cells` is called, for the address of a row of bytes."""
    if net.words and net.incremental:
        texts = [_product_text(word, layout) for word in net.words]
        return [*(f"store(room + uint64({8 * i}), int64({text}))" for i, text in enumerate(texts)), "return room"]
    if not net.cells:
        return [f"return ({''.join(f'{_product_text(word, layout)}, ' for word in net.words)})"]
    if net.items:
        texts = [_item_text(item, layout.fields[item.field].shape) for item in net.items]
        return [*(f"store_byte(room + uint64({i}), {text})" for i, text in enumerate(texts)), "return room"]
    return [
        "i = uint64(0)",
        "for x in cells(s):",
        f"    if i < uint64({net.cells}):",
        f"        store_byte(room + i, max(int64(0), min(int64(x), int64({net.most}))))",
        "    i += uint64(1)",
        "return room",
    ]


def _place_text(field: int, item: int, shape: tuple[int, ...]) -> str:
    """Return code for a number of a state."""
    places = []
    for n in reversed(shape):
        item, place = divmod(item, n)
        places.append(place)
    return f"s[{field}]{''.join(f'[{place}]' for place in reversed(places))}"


def _item_text(item: Item, shape: tuple[int, ...]) -> str:
    number = _place_text(item.field, item.item, shape)
    if item.bit >= 0:
        return f"int64(uint64({number}) >> uint64({item.bit}) & uint64(1))"
    return f"max(int64(0), min(int64({number}) - int64({item.low}), int64({item.high - item.low})))"


def _product_text(factors: tuple[Factor, ...], layout: Layout) -> str:
    parts = []
    for f in factors:
        place = _place_text(f.field, f.item, layout.fields[f.field].shape)
        parts.append(f"{'~' * f.inverted}uint64({place})")
    return f"({' & '.join(parts)})"


class NetCode:
    """A builder of the LLVM code for one structure."""

    def __init__(self, net: Structure, builder: ir.IRBuilder) -> None:
        self.net, self.b = net, builder
        self.row = ir.VectorType(ir.IntType(net.bits), net.lanes)

    def inputs(self, given: ir.Value) -> list[ir.Value] | ir.Value:
        """Return the words of a tuple or at an address; with `cells`, the address as it is."""
        if self.net.incremental and not self.net.cells:
            row = self.b.inttoptr(given, WORD.as_pointer())
            return [self.b.load(self.b.gep(row, [WORD(i)])) for i in range(len(self.net.words))]
        return given if self.net.cells else cgutils.unpack_tuple(self.b, given)

    def value(self, inputs: list[ir.Value] | ir.Value, chunk: Chunk) -> ir.Value:
        """Return the value of a chunk, as a word."""
        b = self.b
        if self.net.cells:
            byte = chunk.word * 8 + chunk.shift // 8
            return b.zext(b.load(b.inttoptr(b.add(inputs, WORD(byte)), BYTE.as_pointer())), WORD)
        return b.and_(b.lshr(inputs[chunk.word], WORD(chunk.shift)), WORD((1 << chunk.width) - 1))

    def first_rows(self, side: ir.Value) -> Iterator[tuple[Chunk, ir.Value]]:
        """Yield each chunk, and the number of its first row."""
        net, b, first = self.net, self.b, 0
        start = b.mul(side, WORD(sum(net.rows))) if net.tables == 2 else WORD(0)
        for chunk, height in zip(net.chunks, net.rows, strict=True):
            yield chunk, b.add(start, WORD(first))
            first += height

    def rows(self, given: ir.Value, side: ir.Value) -> Iterator[ir.Value]:
        """Yield the number of the row of each chunk."""
        inputs = self.inputs(given)
        for chunk, first in self.first_rows(side):
            yield self.b.add(first, self.value(inputs, chunk))

    def row_at(self, tables: ir.Value, number: ir.Value) -> ir.Value:
        """Return a row of the tables."""
        at = self.b.add(tables, self.b.mul(number, WORD(self.net.row_bytes)))
        return self.b.load(self.b.inttoptr(at, self.row.as_pointer()), align=16)

    def row_sum(self, given: ir.Value, side: ir.Value, tables: ir.Value) -> ir.Value:
        """Return the sum of one row per chunk; for an incremental net, the sum at the address given."""
        b, found = self.b, ir.Constant(self.row, [0] * self.net.lanes)
        if self.net.incremental:
            return b.load(b.inttoptr(given, self.row.as_pointer()), align=16)
        for number in self.rows(given, side):
            found = b.add(found, self.row_at(tables, number))
        return found

    def output(self, found: ir.Value, weights: ir.Value) -> ir.Value:
        """Return the output of the hidden units: their sums, clipped, weighted and added."""
        b, n = self.b, self.net.hidden
        wide = ir.VectorType(ir.IntType(32), n)
        some = ir.Constant(ir.VectorType(ir.IntType(32), n), list(range(n)))
        units = b.shuffle_vector(found, ir.Constant(self.row, ir.Undefined), some)
        for bound, beyond in ((0, "<"), (ONE, ">")):
            limit = ir.Constant(units.type, [bound] * n)
            units = b.select(b.icmp_signed(beyond, units, limit), limit, units)
        out = b.load(b.inttoptr(weights, units.type.as_pointer()), align=2)
        products = b.mul(b.sext(units, wide), b.sext(out, wide))
        total = WORD(0)
        for i in range(n):
            total = b.add(total, b.sext(b.extract_element(products, WORD(i)), WORD))
        bias = b.load(b.inttoptr(b.add(weights, WORD(2 * n)), SHORT.as_pointer()))
        total = b.ashr(b.add(total, b.mul(b.sext(bias, WORD), WORD(ONE))), WORD(ONE_BITS))
        direct = b.sext(b.extract_element(found, WORD(n + 1)), WORD)
        return b.add(total, b.shl(direct, WORD(DIRECT_BITS)))

    def weight_set(self, found: ir.Value, side: ir.Value, phases: ir.Value) -> ir.Value:
        """Return the number of this phase (and side)."""
        b = self.b
        pieces = b.zext(b.extract_element(found, WORD(self.net.hidden or len(self.net.offsets))), WORD)
        phase = b.zext(b.load(b.inttoptr(b.add(phases, pieces), BYTE.as_pointer())), WORD)
        if self.net.sides == 2:
            phase = b.add(b.mul(phase, WORD(2)), side)
        return phase

    def first_weight(self, found: ir.Value, side: ir.Value, phases: ir.Value) -> ir.Value:
        """Return the number of the first weight of this phase (and side)."""
        return self.b.mul(self.weight_set(found, side, phases), WORD(self.net.size))

    def active_weights(self, found: ir.Value) -> list[ir.Value]:
        """Return the numbers of the active weights, counted from the first of the phase."""
        b = self.b
        lanes = [b.zext(b.extract_element(found, WORD(i)), WORD) for i in range(len(self.net.offsets))]
        return [b.add(x, WORD(offset)) for x, offset in zip(lanes, self.net.offsets, strict=True)]


def _sum(net: Structure) -> Intrinsic:
    """Return the instruction `net_sum`."""

    @intrinsic
    def total(ctx: TypingContext, inputs: nb.Type, side: nb.Type, tables: nb.Type, phases: nb.Type, weights: nb.Type) -> Typed:
        def build(context: CPUContext, b: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
            inputs, side, tables, phases, weights = args
            code = NetCode(net, b)
            found = code.row_sum(inputs, side, tables)
            first = b.mul(code.first_weight(found, side, phases), WORD(2))
            if net.hidden:
                return code.output(found, b.add(weights, first))
            out, at = WORD(0), b.inttoptr(b.add(weights, first), SHORT.as_pointer())
            for place in code.active_weights(found):
                out = b.add(out, b.sext(b.load(b.gep(at, [place])), WORD))
            return out

        return nb.int64(inputs, nb.int64, nb.uint64, nb.uint64, nb.uint64), build

    return total


def _list(net: Structure) -> Intrinsic:
    """Return the instruction `net_list`."""

    @intrinsic
    def list_active(ctx: TypingContext, inputs: nb.Type, side: nb.Type, tables: nb.Type, phases: nb.Type, row: nb.Type) -> Typed:
        def build(context: CPUContext, b: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
            inputs, side, tables, phases, row = args
            code = NetCode(net, b)
            found = code.row_sum(inputs, side, tables)
            first, at = code.first_weight(found, side, phases), b.inttoptr(row, WORD.as_pointer())
            for i, place in enumerate(code.active_weights(found)):
                b.store(b.add(place, first), b.gep(at, [WORD(i)]))
            return context.get_dummy_value()

        return nb.void(inputs, nb.int64, nb.uint64, nb.uint64, nb.uint64), build

    return list_active


def _rows(net: Structure) -> Intrinsic:
    """Return the instruction `net_rows`."""

    @intrinsic
    def rows(ctx: TypingContext, inputs: nb.Type, side: nb.Type, row: nb.Type) -> Typed:
        def build(context: CPUContext, b: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
            at = b.inttoptr(args[2], WORD.as_pointer())
            # All of them before the first is stored: the bytes of the cells may lie in the same place.
            for i, number in enumerate(list(NetCode(net, b).rows(args[0], args[1]))):
                b.store(number, b.gep(at, [WORD(i)]))
            return context.get_dummy_value()

        return nb.void(inputs, nb.int64, nb.uint64), build

    return rows


def _set(net: Structure) -> Intrinsic:
    """Return the instruction `net_set`."""

    @intrinsic
    def which(ctx: TypingContext, inputs: nb.Type, side: nb.Type, tables: nb.Type, phases: nb.Type) -> Typed:
        def build(context: CPUContext, b: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
            inputs, side, tables, phases = args
            code = NetCode(net, b)
            return code.weight_set(code.row_sum(inputs, side, tables), side, phases)

        return nb.int64(inputs, nb.int64, nb.uint64, nb.uint64), build

    return which


def _add_row(net: Structure) -> Intrinsic:
    """Return the instruction `net_add_row`."""

    @intrinsic
    def add_row(ctx: TypingContext, sums: nb.Type, row: nb.Type, sign: nb.Type) -> Typed:
        def build(context: CPUContext, b: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
            kind = ir.VectorType(ir.IntType(net.bits), net.lanes).as_pointer()
            at = b.inttoptr(args[0], kind)
            old, change = b.load(at, align=16), b.load(b.inttoptr(args[1], kind), align=16)
            b.store(b.select(b.icmp_signed(">", args[2], WORD(0)), b.add(old, change), b.sub(old, change)), at, align=16)
            return context.get_dummy_value()

        return nb.void(nb.uint64, nb.uint64, nb.int64), build

    return add_row
