"""Clocks: how much time each side has left."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Sequence

from plyground.errors import PlygroundError


class Clock:
    """Seconds left for each side; at most one clock runs, and each move adds the increment.

    >>> clock = Clock([60, 60], increment=2)
    >>> clock.start(0); clock.stop(); clock.left(1)
    60.0
    """

    def __init__(self, seconds: Sequence[float], increment: float = 0.0, now: Callable[[], float] = time.monotonic) -> None:
        if not all(_is_number(x) and x >= 0 for x in (*seconds, increment)):
            given = f"{list(seconds)!r:.60} and {increment!r:.20}"
            raise PlygroundError(f"the seconds and the increment of a clock must be numbers from 0 up, not {given}")
        self.increment = float(increment)
        self.running: int | None = None
        """The side whose clock is running."""
        self._seconds = [float(x) for x in seconds]
        self._now = now
        self._since = 0.0

    @classmethod
    def parse(cls, text: str, sides: int) -> Clock:
        """Read clocks from text: the seconds for each side and an optional increment (`300`, `300+2`).

        >>> Clock.parse("300+2", 2).increment
        2.0
        """
        match = re.fullmatch(r"(\d{1,7}(?:\.\d+)?)(?:\+(\d{1,5}(?:\.\d+)?))?", text.strip(), re.ASCII)
        if match is None or float(match[1]) <= 0:
            raise PlygroundError(f"a clock is written SECONDS or SECONDS+INCREMENT, such as 300+2, not {text!r:.40}")
        return cls([float(match[1])] * sides, float(match[2] or 0))

    def left(self, side: int) -> float:
        """Return the seconds that a side has left; never below 0."""
        used = self._now() - self._since if self.running == side else 0.0
        return max(0.0, self._seconds[side] - used)

    def all_left(self) -> list[float]:
        """Return the seconds that each side has left."""
        return [self.left(i) for i in range(len(self._seconds))]

    @property
    def flagged_side(self) -> int | None:
        """The side whose time is up; None if both have time left."""
        return next((i for i, x in enumerate(self.all_left()) if x <= 0), None)

    def start(self, side: int) -> None:
        """Start the clock of one side and stop any other."""
        self.stop()
        self.running, self._since = side, self._now()

    def stop(self) -> None:
        """Stop the running clock."""
        if self.running is not None:
            self._seconds[self.running] = self.left(self.running)
        self.running = None

    def press(self, after: int | None) -> None:
        """Add the increment for the side that moved and start the clock of the side `after` it (None: no clock)."""
        mover = self.running
        self.stop()
        if mover is not None:
            self._seconds[mover] += self.increment
        if after is not None:
            self.start(after)

    def set(self, seconds: Sequence[float]) -> None:
        """Set the seconds that each side has left; a running clock keeps running."""
        self._seconds = [float(x) for x in seconds]
        self._since = self._now()

    def as_json(self) -> dict[str, object]:
        """Return the clocks as data."""
        return {"left": [round(x, 3) for x in self.all_left()], "increment": self.increment}


def _is_number(x: object) -> bool:
    return isinstance(x, int | float) and not isinstance(x, bool) and math.isfinite(x)


def clock_text(seconds: float) -> str:
    """Format the time left as clocks show it.

    >>> clock_text(299.2), clock_text(3725), clock_text(9.46)
    ('4:59', '1:02:05', '0:09.4')
    """
    if seconds < 10:
        return f"0:0{math.floor(seconds * 10) / 10:.1f}"
    whole = int(seconds)
    hours, minutes = whole // 3600, whole // 60 % 60
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"
