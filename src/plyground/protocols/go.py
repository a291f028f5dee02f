"""What `go` asks for in UCI and UGI: for how long to search, which moves, and whether the answer waits for `stop`."""

from __future__ import annotations

from collections.abc import Sequence

from plyground.play.limit import Limit
from plyground.protocols.options import whole

NUMBERS = ("depth", "nodes", "mate", "movetime", "movestogo")
FLAGS = ("infinite", "ponder")
MOVES = "searchmoves"
MOST = 10**12
"""The largest number that counts."""
BEYOND_MATE = 6
"""How many plies deeper than a mate the search for it looks: it searches unlikely moves less deeply."""


class Go:
    """The words after `go`. Unknown words are skipped, and so are numbers that can't be read."""

    def __init__(self, words: Sequence[str], clocks: tuple[str, str]) -> None:
        """Read the words; `clocks` is what the names of the two clocks begin with.

        >>> asked = Go("wtime 60000 btime 55000 winc 1000 searchmoves e2e4 d2d4".split(), ("w", "b"))
        >>> asked.only, asked.waits, asked.limit(1, 50).clock
        (['e2e4', 'd2d4'], False, 55.0)
        """
        self.clocks = clocks
        names = (*NUMBERS, *(side + what for side in clocks for what in ("time", "inc")))
        self.numbers: dict[str, int] = {}
        self.flags: set[str] = set()
        self.only: list[str] = []
        """The moves to search, if only some."""
        reading = ""
        for word in words:
            if word in names or word in FLAGS or word == MOVES:
                reading = word
                self.flags |= {word} & set(FLAGS)
            elif reading == MOVES:
                self.only.append(word)
            elif reading in names and (number := whole(word)) is not None:
                self.numbers[reading] = max(-MOST, min(MOST, number))
        self.mate = self.numbers.get("mate")
        """The mate to look for, in moves."""
        limits = {"depth", "nodes", "mate", "movetime", *(side + "time" for side in clocks)}
        self.endless = "infinite" in self.flags or not limits & set(self.numbers)
        """Is there no limit?"""
        self.waits = self.endless or "ponder" in self.flags
        """Does the answer wait for `stop` or `ponderhit`?"""

    def limit(self, side: int, overhead: int) -> Limit:
        """Return the limit for the side to move; `overhead`: milliseconds that are lost on the way."""
        if self.endless:
            return Limit(infinite=True)
        number = self.numbers
        depth = number.get("depth", None if self.mate is None else 2 * self.mate + BEYOND_MATE)
        own, other = self.clocks[side], self.clocks[1 - side]
        left = number.get(own + "time", number.get(other + "time"))
        move = number.get("movetime")
        return Limit(
            depth=None if depth is None else max(1, depth),
            nodes=max(1, number["nodes"]) if "nodes" in number else None,
            time=None if move is None else max(1, move / 2, move - overhead) / 1000,
            clock=None if left is None else max(1, left) / 1000,
            increment=max(0, number.get(own + "inc", 0)) / 1000,
            moves_left=max(1, number["movestogo"]) if "movestogo" in number else None,
            overhead=overhead / 1000,
        )
