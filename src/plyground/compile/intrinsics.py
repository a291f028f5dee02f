"""Primitives of compiled code that Python lacks: words at an address, and the machine instructions behind `bits.py`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llvmlite import ir
from numba import int64, njit, uint64
from numba.core import cgutils
from numba.core import types as nb
from numba.core.cpu import CPUContext
from numba.core.typing import Context as TypingContext
from numba.core.typing import Signature
from numba.extending import _Intrinsic as Intrinsic
from numba.extending import intrinsic, overload, overload_method

from plyground import bits as bit
from plyground.compile import vocabulary as names
from plyground.compile.pointers import Typed, address
from plyground.compile.rewrite import replacements
from plyground.system.machine import CLOCK_ID

WORD, SHORT, BYTE, REAL = ir.IntType(64), ir.IntType(16), ir.IntType(8), ir.DoubleType()

# -- memory (a NumPy array argument takes seven words in a compiled call, an address one) -----------------------------------


def _load(item: ir.Type, result: nb.Type, widen: str = "") -> Intrinsic:
    """Return an instruction that loads an item from an address; `widen` names LLVM's instruction that makes it a word."""

    @intrinsic
    def load(ctx: TypingContext, address: nb.Type) -> Typed:
        def build(context: CPUContext, b: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
            value = b.load(b.inttoptr(args[0], item.as_pointer()))
            return getattr(b, widen)(value, WORD) if widen else value

        return result(nb.uint64), build

    return load


def _store(item: ir.Type, given: nb.Type) -> Intrinsic:
    """Return an instruction that stores a value at an address; of a word, only the lowest bits that fit into the item."""

    @intrinsic
    def store(ctx: TypingContext, address: nb.Type, value: nb.Type) -> Typed:
        def build(context: CPUContext, b: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
            value = b.trunc(args[1], item) if args[1].type != item else args[1]
            b.store(value, b.inttoptr(args[0], item.as_pointer()))
            return context.get_dummy_value()

        return nb.void(nb.uint64, given), build

    return store


load, store = _load(WORD, nb.int64), _store(WORD, nb.int64)
load_byte, store_byte = _load(BYTE, nb.int64, "zext"), _store(BYTE, nb.int64)
load_short = _load(SHORT, nb.int64, "sext")
load_real, store_real = _load(REAL, nb.float64), _store(REAL, nb.float64)


@intrinsic
def load_shared(ctx: TypingContext, address: nb.Type) -> Typed:
    """Return the signed word at an address that other threads write (an atomic load)."""

    def build(context: CPUContext, b: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
        return b.load_atomic(b.inttoptr(args[0], WORD.as_pointer()), "acquire", 8)

    return nb.int64(nb.uint64), build


@intrinsic
def store_shared(ctx: TypingContext, address: nb.Type, value: nb.Type) -> Typed:
    """Store a signed word at an address that other threads read (an atomic store)."""

    def build(context: CPUContext, b: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
        b.store_atomic(args[1], b.inttoptr(args[0], WORD.as_pointer()), "release", 8)
        return context.get_dummy_value()

    return nb.void(nb.uint64, nb.int64), build


@intrinsic
def claim(ctx: TypingContext, address: nb.Type, seen: nb.Type, value: nb.Type) -> Typed:
    """Replace the word `seen` (compare-and-swap); return False if another word was there."""

    def build(context: CPUContext, b: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
        pair = b.cmpxchg(b.inttoptr(args[0], WORD.as_pointer()), args[1], args[2], "acq_rel", "acquire")
        return b.extract_value(pair, 1)

    return nb.boolean(nb.uint64, nb.int64, nb.int64), build


@intrinsic
def clock(ctx: TypingContext, address: nb.Type) -> Typed:
    """Return the clock in nanoseconds: the system's or, in a browser, the page's; 0 without `clock_gettime` (Windows)."""

    def build(context: CPUContext, b: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
        if b.module.triple.startswith("wasm"):
            return b.call(cgutils.get_or_insert_function(b.module, ir.FunctionType(WORD, []), "clock"), [])
        if CLOCK_ID < 0:
            return WORD(0)
        number, words = ir.IntType(32), WORD.as_pointer()
        f = cgutils.get_or_insert_function(b.module, ir.FunctionType(number, [number, words]), "clock_gettime")
        at = b.inttoptr(args[0], words)
        b.call(f, [number(CLOCK_ID), at])
        return b.add(b.mul(b.load(at), WORD(1_000_000_000)), b.load(b.gep(at, [number(1)])))

    return nb.int64(nb.uint64), build


@intrinsic
def prefetch(ctx: TypingContext, address: nb.Type) -> Typed:
    """Prefetch the cache line at an address."""

    def build(context: CPUContext, b: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
        byte, flag = ir.IntType(8).as_pointer(), ir.IntType(32)
        f = b.module.declare_intrinsic("llvm.prefetch.p0", [], ir.FunctionType(ir.VoidType(), [byte, flag, flag, flag]))
        b.call(f, [b.inttoptr(args[0], byte), ir.Constant(flag, 0), ir.Constant(flag, 3), ir.Constant(flag, 1)])
        return context.get_dummy_value()

    return nb.void(nb.uint64), build


@intrinsic
def pointer(ctx: TypingContext, address: nb.Type) -> Typed:
    """Return an address as a pointer for `carray`."""

    def build(context: CPUContext, b: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
        return b.inttoptr(args[0], ir.IntType(8).as_pointer())

    return nb.voidptr(nb.uint64), build


# -- the native twins of bits.py ---------------------------------------------------------------------------------------------


def _instruction(name: str, *flags: int) -> Intrinsic:
    """Return a function of one word that is one instruction; `name` is LLVM's."""

    @intrinsic
    def call(ctx: TypingContext, x: nb.Type) -> Typed:
        def build(context: CPUContext, b: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
            kinds = [WORD, *(ir.IntType(1) for _ in flags)]
            f = b.module.declare_intrinsic(f"llvm.{name}", [WORD], ir.FunctionType(WORD, kinds))
            return b.call(f, [args[0], *(ir.Constant(ir.IntType(1), flag) for flag in flags)])

        return nb.uint64(nb.uint64), build

    return call


_ctpop, _cttz, _ctlz = _instruction("ctpop"), _instruction("cttz", 0), _instruction("ctlz", 0)
_bswap, _reverse = _instruction("bswap"), _instruction("bitreverse")


@njit(inline="always")
def _popcount(x):  # type: ignore[no-untyped-def]
    return int64(_ctpop(uint64(x)))


@njit(inline="always")
def _lowest(x):  # type: ignore[no-untyped-def]
    return int64(_cttz(uint64(x)))


@njit(inline="always")
def _highest(x):  # type: ignore[no-untyped-def]
    return int64(63) - int64(_ctlz(uint64(x)))


@njit(inline="always")
def _byteswap(x):  # type: ignore[no-untyped-def]
    return _bswap(uint64(x))


@njit(inline="always")
def _bitreverse(x):  # type: ignore[no-untyped-def]
    return _reverse(uint64(x))


@njit
def _bits(x):  # type: ignore[no-untyped-def]
    x = uint64(x)
    while x:
        yield int64(_cttz(x))
        x &= x - uint64(1)


@njit
def _put(t, i, value):  # type: ignore[no-untyped-def]
    return put_item(t, i, value)  # type: ignore[no-untyped-call]


@intrinsic
def _replaced(ctx: TypingContext, t: nb.Type, i: nb.Type, value: nb.Type) -> Typed:
    """Return the tuple with one item replaced, chosen item by item; no item if the index is beyond the tuple.

    Numba's `tuple_setitem` goes through memory on the stack, and there LLVM 22 merges a vector with an array of smaller alignment
    when it inlines: an aligned load then ends the process.
    """

    def build(context: CPUContext, b: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
        items, index, new = args
        for n in range(len(sig.args[0])):
            chosen = b.select(b.icmp_unsigned("==", index, index.type(n)), new, b.extract_value(items, n))
            items = b.insert_value(items, chosen, n)
        return items

    return t(t, i, t.dtype), build


def put_item(t, i, value):  # type: ignore[no-untyped-def]
    """Return the tuple with one item replaced, or IndexError."""


@overload(put_item)
def _put_item_native(t, i, value):  # type: ignore[no-untyped-def]
    if not isinstance(t, nb.UniTuple):
        return None

    def put_item(t, i, value):  # type: ignore[no-untyped-def]
        n = len(t)
        if i < 0:
            i += n
        if i < 0 or i >= n:
            raise IndexError("put: tuple index out of range")
        return _replaced(t, i, value)

    return put_item


@intrinsic
def _frame(ctx: TypingContext) -> Typed:
    """Return the address of the current stack frame."""

    def build(context: CPUContext, b: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
        byte = ir.IntType(8).as_pointer()
        kind = ir.FunctionType(byte, [ir.IntType(32)])
        f = b.module.declare_intrinsic("llvm.frameaddress.p0", [], kind)
        return b.ptrtoint(b.call(f, [ir.Constant(ir.IntType(32), 0)]), WORD)

    return nb.int64(), build


@njit(inline="always")
def _here():  # type: ignore[no-untyped-def]
    return _frame()


@njit
def mix(x):  # type: ignore[no-untyped-def]
    x = x + uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> uint64(27))) * uint64(0x94D049BB133111EB)
    return x ^ (x >> uint64(31))


TWINS: dict[Callable[..., object], Callable[..., object]] = {
    bit.popcount: _popcount,
    bit.lowest: _lowest,
    bit.highest: _highest,
    bit.byteswap: _byteswap,
    bit.bitreverse: _bitreverse,
    bit.bits: _bits,
    bit.put: _put,
    bit.u64: uint64,
    bit.i64: int64,
    names.load: load,
    names.store: store,
    names.load_byte: load_byte,
    names.load_short: load_short,
    names.store_byte: store_byte,
    names.load_real: load_real,
    names.store_real: store_real,
    names.load_shared: load_shared,
    names.store_shared: store_shared,
    names.compare_and_swap: claim,
    names.prefetch: prefetch,
    names.clock: clock,
    names.address: address,
    bit.mix: mix,
    replacements.here: _here,
}


@overload_method(nb.Integer, "bit_count")
def _bit_count(x):  # type: ignore[no-untyped-def]
    return (lambda x: _popcount(abs(int64(x)))) if x.signed else lambda x: _popcount(x)


@overload_method(nb.Integer, "bit_length")
def _bit_length(x):  # type: ignore[no-untyped-def]
    return (lambda x: _highest(abs(int64(x))) + 1) if x.signed else lambda x: _highest(x) + 1
