"""The progress of a match: a live table on a terminal, otherwise a line every few seconds; and pairs as JSON lines."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from plyground.arena import tables
from plyground.arena.contest import Contest
from plyground.arena.messages import PlayedGame
from plyground.arena.statistics import elo, los
from plyground.arena.worker_pool import Event, PairFinished, WorkerLost
from plyground.cli._terminal import StatusLine, clear_displays, columns, live, print_json
from plyground.play import words
from plyground.players.player import FORFEITS, LATE
from plyground.system.streams import print_error, printable

if TYPE_CHECKING:
    from rich.console import Group
    from rich.live import Live

REDRAW_SECONDS = 0.25
"""Seconds between two redraws of the table."""
MIN_NAME_WIDTH = 8
"""The minimum width of a player's name in a narrow window."""
MAX_PLAYERS_SHOWN = 12
"""Players that the table shows at most while a match is played."""


class MatchProgress:
    """Shows how a match stands, on stderr."""

    def __init__(self, contest: Contest, workers: str, lines: bool) -> None:
        """Show a contest. With `lines` on stdout, nothing is drawn between them if both go to a terminal."""
        self.quiet = lines and sys.stdout.isatty()
        self.contest, self.names, self.workers = contest, tables.unique_names(contest.players), workers
        self.began = self.first = self.drawn = time.monotonic()
        self.played = -1
        """Pairs that were played in this run since the first one, which has waited for its worker to start."""
        self.shown_notes = 0
        """Notes about openings that were shown."""
        self.faults: set[tuple[str, str]] = set()
        """Forfeits already reported: the player and the reason."""
        self.display: Live | None = None
        self.line = StatusLine()

    def __enter__(self) -> MatchProgress:
        if sys.stderr.isatty() and not self.quiet:
            self.display = live(self._picture)
        return self

    def __exit__(self, *why: object) -> None:
        clear_displays()

    def event(self, event: Event | None) -> None:
        """Update the display for an event; None means that none arrived for a while."""
        if isinstance(event, PairFinished):
            self.played += 1
            self.first = self.first if self.played else time.monotonic()
            self._print_forfeits(event.result.games)
        if isinstance(event, WorkerLost):
            self.note(f"a worker died ({event.why}); replaying pair {event.job.pair}")
        for text in self.contest.schedule.openings.notes[self.shown_notes :]:
            self.shown_notes += 1
            self.note(text)
        now = time.monotonic()
        if self.quiet or now - self.drawn < REDRAW_SECONDS:
            return
        self.drawn = now
        if self.display is None:
            self.line.show(self.status(), now - self.began)
        else:
            self.display.refresh()

    def _print_forfeits(self, games: Sequence[PlayedGame]) -> None:
        """Print the first forfeit of each kind."""
        for game in games:
            for player in game.late or ():
                self._print_once(game.players[player], "replayed", "lost a game on time, which was played again")
            if game.forfeit and game.reason in FORFEITS:
                void = game.reason == LATE and not self.contest.count.count_late
                what = f"lost a game ({game.reason}){', which does not count' if void else ''}: {game.forfeit.text}"
                self._print_once(game.players[game.forfeit.player], game.reason, what)

    def _print_once(self, player: str, reason: str, what: str) -> None:
        if (player, reason) not in self.faults:
            self.faults.add((player, reason))
            self.note(f"{player} has {what}")

    def note(self, text: str) -> None:
        """Show a line that stays."""
        text = printable(text)
        if self.display is None:
            print_error(text)
        else:
            self.display.console.print(text, markup=False, highlight=False)

    # -- what is shown ---------------------------------------------------------------------------------------------------

    def progress(self) -> str:
        """Return the games played, games per second, and the time left."""
        contest, seconds = self.contest, time.monotonic() - self.first
        done, total = 2 * (contest.count.next + len(contest.count.later)), 2 * contest.total
        most = "at most " if contest.sprt else ""
        parts = [f"{done:,} of {most}{total:,} games"]
        if self.played < 0:
            parts.append(f"the first pair is being played: {words.duration(seconds)}")
        if self.played > 0:
            rate = 2 * self.played / max(seconds, 1e-9)
            parts += [f"{rate:,.1f} games/s", f"{most or 'about '}{words.duration((total - done) / rate)} left"]
        return ", ".join([*parts, self.workers])

    def status(self) -> str:
        """Return the whole status in one line."""
        found = self.contest.count.tallies
        if len(self.names) > 2:
            leader = tables.standings(len(self.names), found)[0]
            return f"{self.progress()}; {self.names[leader.player]} leads"
        (tally,) = found.values()
        return f"{self.progress()}; {tables.difference(elo(tally.pairs)) if sum(tally.pairs) else 'no result yet'}{self._test()}"

    def _test(self) -> str:
        sprt = self.contest.sprt
        if sprt is None:
            return ""
        (tally,) = self.contest.count.tallies.values()
        return f"; test: LLR {sprt.llr(tally.pairs):.2f} ({sprt.lower:.2f} to {sprt.upper:.2f})"

    def _rows(self) -> list[list[str]]:
        found = self.contest.count.tallies
        if len(self.names) > 2:
            return tables.standings_rows(self.names, found)[: MAX_PLAYERS_SHOWN + 1]
        (tally,) = found.values()
        there = bool(sum(tally.pairs))
        estimate = elo(tally.pairs)
        return [
            ["player", "won", "drawn", "lost", "score", "Elo", "95 % interval", "stronger"],
            [
                self.names[0],
                *(f"{n:,}" for n in (tally.wins, tally.draws, tally.losses)),
                f"{100 * tally.score:.1f} %" if there else "",
                f"{estimate.value:+.0f}" if there else "",
                tables.interval(estimate),
                f"{100 * los(tally.pairs):.1f} %" if there else "",
            ],
            [self.names[1], *(f"{n:,}" for n in (tally.losses, tally.draws, tally.wins)), "", "", "", ""],
        ]

    def _picture(self) -> Group:
        from rich.console import Group
        from rich.text import Text

        header, *rows = fit_table(self._rows(), self.display.console.width - 1 if self.display else 79).splitlines()
        parts = [(f"match {self.contest.match}: {self.contest.game.name}", ""), (header, "bold"), *((row, "") for row in rows)]
        lines = [Text(text, style, no_wrap=True, overflow="ellipsis") for text, style in parts]
        return Group(*lines, Text(self.progress() + self._test()))


def fit_table(rows: list[list[str]], width: int) -> str:
    """Return a table no wider than this: long names of players are cut, then the last columns are left out.

    >>> print(fit_table([["player", "won", "lost"], ["engine:depth=12", "7", "12"]], 22))
    player       won  lost
    engine:dep…    7    12
    """
    place = rows[0].index("player")
    longest = max(len(row[place]) for row in rows)
    while True:
        for room in range(max(longest, MIN_NAME_WIDTH), MIN_NAME_WIDTH - 1, -1):
            text = columns([[*row[:place], truncate(row[place], room), *row[place + 1 :]] for row in rows])
            if max(map(len, text.splitlines())) <= width:
                return text
        if len(rows[0]) <= place + 2:
            return text
        rows = [row[:-1] for row in rows]


def truncate(text: str, room: int) -> str:
    """Return the text, cut to this many letters."""
    return text if len(text) <= room else f"{text[: room - 1]}…"


class PairLines:
    """Prints a JSON line for each pair, in the order of their numbers."""

    def __init__(self, contest: Contest) -> None:
        self.count = contest.count
        self.next = contest.count.next
        self.known = set(contest.count.later)
        self.waiting: dict[int, dict[str, Any]] = {}

    def event(self, event: Event | None) -> None:
        """Store a finished pair, and print the pairs that are now in order."""
        if not isinstance(event, PairFinished):
            return
        pair, games = event.job.pair, event.result.games
        self.waiting[pair] = {
            "pair": pair,
            "players": event.job.players,
            "results": [game.result for game in games],
            "points": [game.points for game in games],
            "plies": [len(game.moves) for game in games],
            "reasons": [game.reason for game in games],
        }
        while self.next in self.waiting or self.next in self.known:
            if self.next in self.waiting:
                print_json(self.waiting.pop(self.next))
            self.next += 1
        sys.stdout.flush()

    def rest(self) -> None:
        """Print the pairs that come after a missing one."""
        for pair in sorted(self.waiting):
            print_json(self.waiting.pop(pair))


def call_all(*listeners: Callable[[Event | None], None]) -> Callable[[Event | None], None]:
    """Call several listeners in turn."""

    def event(event: Event | None) -> None:
        for listener in listeners:
            listener(event)

    return event


def report(contest: Contest, margins: bool) -> str:
    """Return the results of a match as text."""
    found, names = contest.count.tallies, tables.unique_names(contest.players)
    if len(names) > 2:
        parts = [columns(tables.standings_rows(names, found)), columns(tables.cross_table(names, found))]
        remarks = tables.remarks(found.values()) + tables.clock_remarks(names, found)
        parts += ["\n".join(remarks)] if remarks else []
        return "\n\n".join(parts)
    (tally,) = found.values()
    lines = [tables.conclusion(names[0], names[1], tally)]
    if contest.sprt is not None:
        lines.append(tables.verdict(contest.sprt, tally, contest.ended))
    return "\n".join(lines + tables.details(tally, margins) + tables.clock_remarks(names, found))
