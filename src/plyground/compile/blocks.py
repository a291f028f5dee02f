"""Memory with named fields: what a kernel keeps between calls, declared once for Python and native code.

    class Searcher(Block):
        nodes = Word("nodes searched so far")
        killers = Words(2 * MAX_PLY, "two moves per ply")

In Python, `Searcher()` allocates memory, and `searcher.nodes`, `searcher.killers[3]` read and write it. In a kernel,
`mem = Searcher(address)` is the block at an address; `mem.nodes += 1` is then one load, one add and one store. In an array of
blocks, `Listed(address)[2]` is the third. Kernels don't check indices.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from plyground.bits import MASK


class BlockField:
    """A named part of a block: one word, or a row of words."""

    type: ClassVar[Any] = np.int64

    def __init__(self, meaning: str = "", count: int | None = None) -> None:
        self.meaning, self.count = meaning, count
        self.name, self.offset = "", -1
        """In bytes, from the start of the block."""

    def __set_name__(self, owner: type[Block], name: str) -> None:
        self.name = name

    @property
    def words(self) -> int:
        """The size in words."""
        return 1 if self.count is None else self.count

    def __repr__(self) -> str:
        """Return everything that native code depends on."""
        return f"{self.name} {type(self).__name__} {self.offset} {self.count}"

    def __get__(self, block: Block | None, owner: type[Block]) -> Any:
        """Return the value in a Python block; for a row, a view of its values."""
        if block is None:
            return self
        at = self.offset // 8
        row = block.words[at : at + self.words].view(self.type)
        return row if self.count is not None else row[0].item()

    def __set__(self, block: Block, value: float) -> None:
        if self.count is not None:
            raise AttributeError(f"{self.name} has {self.count} words; assign to its items")
        block.words[self.offset // 8] = (
            np.float64(value).view(np.uint64) if self.type is np.float64 else np.uint64(int(value) & MASK)
        )


class Word(BlockField):
    """A signed word."""


class Address(BlockField):
    """An unsigned word: an address, a key."""

    type = np.uint64


class Float(BlockField):
    """A 64-bit float."""

    type = np.float64


class Words(Word):
    """A row of signed words."""

    def __init__(self, count: int, meaning: str = "") -> None:
        super().__init__(meaning, count)


class Addresses(Address):
    """A row of unsigned words."""

    def __init__(self, count: int, meaning: str = "") -> None:
        super().__init__(meaning, count)


class Shared(Word):
    """A signed word shared by threads: kernels read it with acquire and write it with release order."""


class InnerBlock(BlockField):
    """A block inside a block."""

    def __init__(self, declared: type[Block], meaning: str = "") -> None:
        super().__init__(meaning, declared.size // 8)
        self.declared = declared

    def __get__(self, block: Block | None, owner: type[Block]) -> Any:
        """Return the inner block, which shares the outer one's memory."""
        return self if block is None else self.declared.from_words(super().__get__(block, owner).view(np.uint64))

    def __repr__(self) -> str:
        return f"{super().__repr__()} {self.declared.shape()}"


class Block:
    """Memory with named fields. A subclass lists its fields; `size` is their total size in bytes."""

    size: ClassVar[int] = 0
    fields: ClassVar[dict[str, BlockField]] = {}
    words: np.ndarray[Any, Any]

    def __init_subclass__(cls) -> None:
        cls.fields = dict(cls.fields)
        for name, field in list(vars(cls).items()):
            if isinstance(field, BlockField):
                field.offset = cls.size
                cls.fields[name] = field
                cls.size += 8 * field.words

    def __init__(self, more: int = 0) -> None:
        """Allocate a block of zeros, with `more` extra words after its fields."""
        self._lies_in(np.zeros(self.size // 8 + more, np.uint64))

    def _lies_in(self, words: np.ndarray[Any, Any]) -> None:
        self.words = words
        self.address = int(words.ctypes.data)

    @classmethod
    def from_words(cls, words: np.ndarray[Any, Any]) -> Self:
        """Return the block that uses these words as its memory."""
        block = cls.__new__(cls)
        block._lies_in(words)
        return block

    @classmethod
    def shape(cls) -> str:
        """Return the fields and their offsets: equal for two blocks if and only if their native code is."""
        return repr(list(cls.fields.values()))

    @property
    def end(self) -> int:
        """The address after the fields, where the extra words begin; also `mem.end` in a kernel."""
        return self.address + self.size

    @property
    def extra_words(self) -> np.ndarray[Any, Any]:
        """The extra words after the fields."""
        return self.words[self.size // 8 :]

    def clear(self, first: BlockField, last: BlockField) -> None:
        """Set the fields from `first` to `last` (inclusive) to zero."""
        self.words[first.offset // 8 : last.offset // 8 + last.words] = 0
