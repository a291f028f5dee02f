"""A table of fixed size: a Zobrist key gives a state its slot, and new entries replace old ones.

Zobrist: every bit that a state may have gets a random word; the key of a state is the xor of the words of its bits. Which entry
stays when two states want the same place is decided by an exchangeable policy.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from plyground.bits import MASK, bits
from plyground.rules.hooks import State
from plyground.textbook.table import Entry


class Zobrist:
    """Keys for the states of a game: a random word for each bit at each place of a state."""

    def __init__(self, seed: int = 1) -> None:
        self.random = random.Random(seed)
        self.words: list[list[int]] = []

    def key(self, s: State) -> int:
        """Return the key of a state, 64 bits."""
        found = 0
        for place, number in enumerate(_numbers(s)):
            if place == len(self.words):
                self.words.append([self.random.getrandbits(64) for _ in range(64)])
            for b in bits(number):
                found ^= self.words[place][b]
        return found


def _numbers(x: Any) -> Iterator[int]:
    """Yield every number in a state, as a 64-bit word."""
    if isinstance(x, tuple):
        for item in x:
            yield from _numbers(item)
    elif hasattr(x, "flat"):
        for item in x.flat:
            yield int(item) & MASK
    else:
        yield (x if isinstance(x, int) else hash(x)) & MASK


Slot = list[tuple[int, Entry] | None]
Policy = Callable[[Slot, Entry], int | None]
"""Which place in its slot a new entry takes; None if it is not kept."""


def always(slot: Slot, entry: Entry) -> int | None:
    """Replace any entry: the newest is close to what is searched next."""
    return 0


def deeper(slot: Slot, entry: Entry) -> int | None:
    """Keep the deeper search: it saves more work."""
    old = slot[0]
    return 0 if old is None or entry.depth >= old[1].depth else None


def two_tier(slot: Slot, entry: Entry) -> int | None:
    """Keep two entries per slot: the first for the deepest, the second for the newest."""
    return 0 if deeper(slot, entry) == 0 else 1


POLICIES: dict[str, tuple[Policy, int]] = {"always": (always, 1), "deeper": (deeper, 1), "two-tier": (two_tier, 2)}
"""Each policy with its number of entries per slot."""


class FixedTable:
    """A table of at most `size` entries, but at least one slot. A probe hits only if the whole key matches."""

    def __init__(self, size: int, policy: str = "two-tier", seed: int = 1) -> None:
        self.replace, self.ways = POLICIES[policy]
        self.slots: list[Slot] = [[]] * max(1, size // self.ways)  # a slot is filled in when first used
        self.zobrist = Zobrist(seed)

    def __len__(self) -> int:
        return sum(place is not None for slot in self.slots for place in slot)

    def probe(self, s: State) -> Entry | None:
        """Return the entry of a state, if it is still there."""
        key = self.zobrist.key(s)
        for place in self.slots[key % len(self.slots)]:
            if place is not None and place[0] == key:
                return place[1]
        return None

    def store(self, s: State, entry: Entry) -> None:
        """Store an entry: over an older one of the same state, otherwise where the policy says."""
        key = self.zobrist.key(s)
        number = key % len(self.slots)
        slot = self.slots[number] = self.slots[number] or [None] * self.ways
        same = [i for i, place in enumerate(slot) if place is not None and place[0] == key]
        where = same[0] if same else self.replace(slot, entry)
        if where is not None:
            slot[where] = (key, entry)
