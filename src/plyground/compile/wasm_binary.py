"""The binary format of WebAssembly, as far as it takes to turn LLVM's object file into a module.

An object file is a module already, except for what a linker would add: it exports nothing. It also leaves to the linker where
data and functions lie, but for a single file its first guess is right: data from address 0, functions from slot 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

HEADER = b"\0asm\1\0\0\0"
CUSTOM, TYPE, IMPORT, FUNCTION, TABLE, MEMORY, GLOBAL, EXPORT, START, ELEMENT, CODE, DATA, DATA_COUNT = range(13)
"""The kinds of sections."""
ORDER = (TYPE, IMPORT, FUNCTION, TABLE, MEMORY, GLOBAL, EXPORT, START, ELEMENT, DATA_COUNT, CODE, DATA)
"""Their order in a module."""
AS_FUNCTION, AS_TABLE, AS_MEMORY, AS_GLOBAL = range(4)
"""The kinds of imports and exports."""
I32, FUNCTION_REFERENCE, I32_CONST, END = 0x7F, 0x70, 0x41, 0x0B
SYMBOLS = 8
"""The part of the section `linking` that holds the symbol table."""
OF_FUNCTION, OF_DATA, OF_SECTION = 0, 1, 3
"""What a symbol stands for."""
UNDEFINED, NAMED = 0x10, 0x40
"""Flags of a symbol: it is imported; it has a name of its own nevertheless."""


class FormatError(Exception):
    """The bytes are not a module that we can read."""


class Import(NamedTuple):
    """An import of a module."""

    name: str
    kind: int
    described: bytes
    """Its encoded type."""


# -- reading -----------------------------------------------------------------------------------------------------------------


class Reader:
    """Reads bytes from the front to the end."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    @property
    def more(self) -> bool:
        """Whether bytes are left."""
        return self.at < len(self.data)

    def bytes(self, n: int) -> bytes:
        """Return the next n bytes."""
        if self.at + n > len(self.data):
            raise FormatError("the module ends too early")
        self.at += n
        return self.data[self.at - n : self.at]

    def byte(self) -> int:
        """Return the next byte."""
        return self.bytes(1)[0]

    def leb128(self, signed: bool = False) -> int:
        """Return the next number: seven bits per byte, the lowest first."""
        value = shift = 0
        while True:
            byte = self.byte()
            value, shift = value | (byte & 127) << shift, shift + 7
            if byte < 128:
                return value - (1 << shift) if signed and byte & 64 else value

    def name(self) -> str:
        """Return the next name."""
        return self.bytes(self.leb128()).decode()

    def offset(self) -> int:
        """Return the offset of a segment of data or functions; it must be a constant."""
        if self.leb128() or self.byte() != I32_CONST:
            raise FormatError("the offset of a segment is not a constant")
        at = self.leb128(signed=True)
        self.byte()
        return at

    def limits(self) -> None:
        """Skip the size of a table or a memory, and its maximum."""
        flags = self.byte()
        for _ in range(1 + (flags & 1)):
            self.leb128()


def sections(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Return the kinds and contents of the sections of a module."""
    reader = Reader(data)
    if reader.bytes(len(HEADER)) != HEADER:
        raise FormatError("this is not WebAssembly")
    while reader.more:
        yield reader.byte(), reader.bytes(reader.leb128())


def imports(section: bytes) -> list[Import]:
    """Return the imports in an import section."""
    reader, found = Reader(section), []
    for _ in range(reader.leb128()):
        reader.name()  # the module's name, always `env`
        name, kind, begin = reader.name(), reader.byte(), reader.at
        if kind == AS_FUNCTION:
            reader.leb128()
        elif kind == AS_GLOBAL:
            reader.bytes(2)
        else:
            if kind == AS_TABLE:
                reader.byte()
            reader.limits()
        found.append(Import(name, kind, section[begin : reader.at]))
    return found


def exports(section: bytes) -> dict[str, int]:
    """Return the names in an export section, each with its number."""
    reader, found = Reader(section), {}
    for _ in range(reader.leb128()):
        name = reader.name()
        reader.byte()
        found[name] = reader.leb128()
    return found


def table_end(section: bytes) -> int:
    """Return the first slot behind all functions that an element section puts into the table."""
    reader, end = Reader(section), 0
    for _ in range(reader.leb128()):
        at = reader.offset()
        count = reader.leb128()
        for _ in range(count):
            reader.leb128()
        end = max(end, at + count)
    return end


def data_end(section: bytes) -> int:
    """Return the first address behind all data."""
    reader, end = Reader(section), 0
    for _ in range(reader.leb128()):
        at = reader.offset()
        end = max(end, at + len(reader.bytes(reader.leb128())))
    return end


def functions(linking: bytes) -> dict[str, int]:
    """Return the functions that an object file defines, each with its number, from its section `linking`."""
    reader, found = Reader(linking), {}
    reader.leb128()  # the version
    while reader.more:
        part, content = reader.byte(), Reader(reader.bytes(reader.leb128()))
        for _ in range(content.leb128() if part == SYMBOLS else 0):
            kind, flags = content.byte(), content.leb128()
            defined = not flags & UNDEFINED
            if kind == OF_DATA:
                content.name()
                for _ in range(3 if defined else 0):
                    content.leb128()
                continue
            index = content.leb128()
            name = content.name() if kind != OF_SECTION and (defined or flags & NAMED) else ""
            if kind == OF_FUNCTION and defined:
                found[name] = index
    return found


# -- writing -----------------------------------------------------------------------------------------------------------------


def leb128(n: int) -> bytes:
    """Return an unsigned number."""
    return bytes([n]) if n < 128 else bytes([n & 127 | 128]) + leb128(n >> 7)


def signed_leb128(n: int) -> bytes:
    """Return a signed number."""
    return bytes([n & 127]) if -64 <= n < 64 else bytes([n & 127 | 128]) + signed_leb128(n >> 7)


def name(text: str) -> bytes:
    """Return a name: its length and its bytes."""
    return leb128(len(text.encode())) + text.encode()


def vector(items: Iterable[bytes]) -> bytes:
    """Return a vector: the number of its items, and the items."""
    items = list(items)
    return leb128(len(items)) + b"".join(items)


def link_object(data: bytes, exported: Iterable[str], end: str) -> bytes:
    """Return the module of an object file: it exports these functions, and under the name `end` where its data ends.

    Its table of functions, which a linker would share among files, becomes its own.
    """
    parts: dict[int, bytes] = {}
    known: dict[str, int] = {}
    for kind, content in sections(data):
        reader = Reader(content)
        if kind != CUSTOM:
            parts[kind] = content
        elif reader.name() == "linking":
            known = functions(content[reader.at :])
    asked = imports(parts[IMPORT])
    if any(i.kind == AS_TABLE for i in asked):
        size = table_end(parts[ELEMENT]) if ELEMENT in parts else 0
        parts[TABLE] = vector([bytes([FUNCTION_REFERENCE, 0]) + leb128(size)])
    parts[IMPORT] = vector(name("env") + name(i.name) + bytes([i.kind]) + i.described for i in asked if i.kind != AS_TABLE)
    at = signed_leb128(data_end(parts[DATA]) if DATA in parts else 0)
    parts[GLOBAL] = vector([bytes([I32, 0, I32_CONST]) + at + bytes([END])])
    first = sum(i.kind == AS_GLOBAL for i in asked)
    parts[EXPORT] = vector(
        [*(name(f) + bytes([AS_FUNCTION]) + leb128(known[f]) for f in exported), name(end) + bytes([AS_GLOBAL]) + leb128(first)]
    )
    return HEADER + b"".join(bytes([kind]) + leb128(len(parts[kind])) + parts[kind] for kind in ORDER if kind in parts)
