"""The instructions of a net: from the words of a state to the sum of its active weights, in vectors.

A net's *structure* is compiled: which words of the state are looked at, how many groups there are, where the weights of each
begin. Its tables and weights are not: they lie at addresses, so new weights need no new code.

Each chunk (a few bits of a word, or a byte) has a table with a row for each of its values: for every group a share of the number
of the group's active weight. The sum of one row per chunk gives the numbers of all active weights at once, in one lane each. One
more lane counts the pieces, which decides the phase. Sums may wrap: they come out right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from llvmlite import ir
from numba.core import cgutils
from numba.core import types as nb
from numba.extending import intrinsic

from plyground.compile import vocabulary as names
from plyground.compile.intrinsics import store_byte
from plyground.compile.structure import ALWAYS_FIRST, TURN, Chunk, Factor, Structure

if TYPE_CHECKING:
    from plyground.compile.native import Native

WORD, SHORT, BYTE = ir.IntType(64), ir.IntType(16), ir.IntType(8)


def install(native: Native, structure: Structure) -> None:
    """Gives kernels the names of `vocabulary.py` that begin with `net_`."""
    native.written["store_byte"] = store_byte
    native.scope[names.net_side] = native.write("net_side", "s", f"return {_side_text(structure)}")
    native.scope[names.net_inputs] = native.write("net_inputs", "s, room", *_inputs_text(structure))
    native.scope[names.net_sum] = _sum(structure)
    native.scope[names.net_list] = _list(structure)
    native.scope[names.net_base] = native.write("net_base", "s", f"return {_base_text(structure)}")


def _side_text(net: Structure) -> str:
    if net.side == TURN:
        return "int64(turn(s))"
    return "int64(0)" if net.side == ALWAYS_FIRST else f"int64(int64(s[{net.side}]) != int64({net.first}))"


def _base_text(net: Structure) -> str:
    return "0.0" if net.base < 0 else f"float(s[{net.base}])"


def _inputs_text(net: Structure) -> list[str]:
    """The words; or, where the rules' `cells` is asked, the address of a row of bytes."""
    if not net.cells:
        return [f"return ({''.join(f'{_product_text(word)}, ' for word in net.words)})"]
    return [
        "i = uint64(0)",
        "for x in cells(s):",
        f"    if i < uint64({net.cells}):",
        f"        store_byte(room + i, max(int64(0), min(int64(x), int64({net.most}))))",
        "    i += uint64(1)",
        "return room",
    ]


def _product_text(factors: tuple[Factor, ...]) -> str:
    parts = [f"{'~' * f.inverted}uint64(s[{f.field}]{f'[{f.item}]' if f.item >= 0 else ''})" for f in factors]
    return f"({' & '.join(parts)})"


class _Numbers:
    """Puts instructions for one structure into LLVM code."""

    def __init__(self, net: Structure, builder: Any) -> None:
        self.net, self.b = net, builder
        self.row = ir.VectorType(ir.IntType(net.bits), net.lanes)

    def inputs(self, given: Any) -> Any:
        """The words of a tuple; or the address as it is."""
        return given if self.net.cells else cgutils.unpack_tuple(self.b, given)

    def value(self, inputs: Any, chunk: Chunk) -> Any:
        """The value of a chunk, as a word."""
        b = self.b
        if self.net.cells:
            byte = chunk.word * 8 + chunk.shift // 8
            return b.zext(b.load(b.inttoptr(b.add(inputs, WORD(byte)), BYTE.as_pointer())), WORD)
        return b.and_(b.lshr(inputs[chunk.word], WORD(chunk.shift)), WORD((1 << chunk.width) - 1))

    def found(self, given: Any, side: Any, tables: Any) -> Any:
        """The sum of one row per chunk."""
        net, b, inputs = self.net, self.b, self.inputs(given)
        if net.tables == 2:
            tables = b.add(tables, b.mul(side, WORD(sum(net.rows) * net.row_bytes)))
        found, first = ir.Constant(self.row, [0] * net.lanes), 0
        for chunk, height in zip(net.chunks, net.rows, strict=True):
            offset = b.mul(b.add(self.value(inputs, chunk), WORD(first)), WORD(net.row_bytes))
            found = b.add(found, b.load(b.inttoptr(b.add(tables, offset), self.row.as_pointer()), align=16))
            first += height
        return found

    def first(self, found: Any, side: Any, phases: Any) -> Any:
        """The number of the first weight of this phase (and side)."""
        b = self.b
        pieces = b.zext(b.extract_element(found, WORD(len(self.net.offsets))), WORD)
        phase = b.zext(b.load(b.inttoptr(b.add(phases, pieces), BYTE.as_pointer())), WORD)
        if self.net.sides == 2:
            phase = b.add(b.mul(phase, WORD(2)), side)
        return b.mul(phase, WORD(self.net.size))

    def active(self, found: Any) -> list[Any]:
        """The numbers of the active weights, counted from the first of the phase."""
        b = self.b
        lanes = [b.zext(b.extract_element(found, WORD(i)), WORD) for i in range(len(self.net.offsets))]
        return [b.add(x, WORD(offset)) for x, offset in zip(lanes, self.net.offsets, strict=True)]


def _sum(net: Structure) -> Any:
    """The instruction `net_sum`."""

    @intrinsic
    def total(ctx: Any, inputs: Any, side: Any, tables: Any, phases: Any, weights: Any) -> Any:
        def build(context: Any, b: Any, sig: Any, args: Any) -> Any:
            inputs, side, tables, phases, weights = args
            numbers = _Numbers(net, b)
            found = numbers.found(inputs, side, tables)
            first = b.mul(numbers.first(found, side, phases), WORD(2))
            out, at = WORD(0), b.inttoptr(b.add(weights, first), SHORT.as_pointer())
            for place in numbers.active(found):
                out = b.add(out, b.sext(b.load(b.gep(at, [place])), WORD))
            return out

        return nb.int64(inputs, nb.int64, nb.uint64, nb.uint64, nb.uint64), build

    return total


def _list(net: Structure) -> Any:
    """The instruction `net_list`."""

    @intrinsic
    def listed(ctx: Any, inputs: Any, side: Any, tables: Any, phases: Any, row: Any) -> Any:
        def build(context: Any, b: Any, sig: Any, args: Any) -> Any:
            inputs, side, tables, phases, row = args
            numbers = _Numbers(net, b)
            found = numbers.found(inputs, side, tables)
            first, at = numbers.first(found, side, phases), b.inttoptr(row, WORD.as_pointer())
            for i, place in enumerate(numbers.active(found)):
                b.store(b.add(place, first), b.gep(at, [WORD(i)]))
            return context.get_dummy_value()

        return nb.void(inputs, nb.int64, nb.uint64, nb.uint64, nb.uint64), build

    return listed
