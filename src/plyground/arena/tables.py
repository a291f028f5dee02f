"""The results of a match as text, tables, plots and data."""

from __future__ import annotations

import collections
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from plyground.arena.statistics import Estimate, Sprt, elo, los, nelo, points
from plyground.arena.tally import Tally, ratings
from plyground.pages import plot
from plyground.play import words
from plyground.players.player import LATE
from plyground.system.streams import printable

Tallies = Mapping[tuple[int, int], Tally]
"""Results by the numbers of two players, from the first one's view."""
MAX_GAMES = 100_000
"""The largest number of games that the advice suggests."""
CLOCK_IGNORED = 1.25
"""An engine that uses this share of its time per move, on average, is said to ignore the clock."""
CURVE_POINTS = 150
"""Points of a curve, at most."""


def unique_names(players: Sequence[str]) -> list[str]:
    """Return names that differ even if the same player takes part twice.

    >>> unique_names(["engine", "random", "engine"])
    ['engine (1)', 'random', 'engine (2)']
    """
    seen: collections.Counter[str] = collections.Counter()
    found, players = [], [printable(player) for player in players]
    for player in players:
        seen[player] += 1
        found.append(f"{player} ({seen[player]})" if players.count(player) > 1 else player)
    return found


# -- in words -----------------------------------------------------------------------------------------------------------------


def difference(found: Estimate) -> str:
    """Return an Elo difference with its interval.

    >>> difference(Estimate(187.2, 160.4, 215.9)), difference(Estimate(544, 120, 4000)), difference(Estimate(0, -4000, 4000))
    ('+187 Elo, between +160 and +216', 'at least +120 Elo', 'unknown')
    """
    below, above = found.bounded
    if below and above:
        return f"{found.value:+.0f} Elo, between {found.low:+.0f} and {found.high:+.0f}"
    return f"at least {found.low:+.0f} Elo" if below else f"at most {found.high:+.0f} Elo" if above else "unknown"


def interval(found: Estimate) -> str:
    """Return the bounds of an interval, short.

    >>> interval(Estimate(187.2, 160.4, 215.9)), interval(Estimate(544, 120, 4000)), interval(Estimate(0, -4000, 4000))
    ('+160 to +216', '+120 or more', '')
    """
    below, above = found.bounded
    if below and above:
        return f"{found.low:+.0f} to {found.high:+.0f}"
    return f"{found.low:+.0f} or more" if below else f"{found.high:+.0f} or less" if above else ""


def conclusion(a: str, b: str, tally: Tally) -> str:
    """Return what the games between two players say, in a sentence or two."""
    if not sum(tally.pairs):
        return f"no pair of games between {a} and {b} {'counts' if tally.played else 'has been played'} yet"
    found, games = elo(tally.pairs), words.count(tally.games, "game")
    wins, losses = tally.wins, tally.losses
    if found.high < 0:
        a, b, wins, losses = b, a, losses, wins
        found = Estimate(-found.value, -found.high, -found.low)
    result = f"after {games}: {wins:,} won, {tally.draws:,} drawn, {losses:,} lost"
    if found.low > 0:
        return f"{a} is stronger than {b}: {difference(found)}, {result}"
    return f"it is not clear yet whether {a} or {b} is stronger: {a} has {difference(found)}, {result}{_more(found, tally)}"


def _more(found: Estimate, tally: Tally) -> str:
    """Return how many games it would take to be sure of a difference as small as the one found."""
    below, above = found.bounded
    if not (below and above) or abs(found.value) < 1:
        return ""
    wanted = tally.games * max(found.high - found.value, found.value - found.low) ** 2 / found.value**2
    if wanted >= MAX_GAMES:
        return ""
    digits = 10 ** max(0, len(f"{wanted:.0f}") - 2)
    return f"; if that is the true difference, about {-(-wanted // digits) * digits:,.0f} games show it"


def verdict(sprt: Sprt, tally: Tally, ended: str | None) -> str:
    """Return what a sequential test says."""
    ratio = f"LLR {sprt.llr(tally.pairs):.2f}, from {sprt.lower:.2f} to {sprt.upper:.2f}"
    low, high = f"{sprt.elo0:+g}", f"{sprt.elo1:+g}"
    if ended == "accepted":
        return f"the test has accepted: {high} {sprt.model} Elo explains the results better than {low} ({ratio})"
    if ended == "rejected":
        return f"the test has rejected: {low} {sprt.model} Elo explains the results better than {high} ({ratio})"
    reasons = {"duplicates": ": games began to repeat themselves", "late": ": games were lost on time, one after the other"}
    why = reasons.get(ended or "", "")
    return f"the test of {low} against {high} {sprt.model} Elo is undecided ({ratio}){why}"


def details(tally: Tally, margins: bool) -> list[str]:
    """Return the numbers behind the conclusion, for readers who know statistics."""
    names = ("LL", "LD", "DD or WL", "WD", "WW")
    found, sure = nelo(tally.pairs), 100 * los(tally.pairs)
    lines = [
        "pairs: " + ", ".join(f"{name} {count:,}" for name, count in zip(names, tally.pairs, strict=True)),
        f"normalized Elo {found.value:+.0f} ({interval(found) or 'unknown'}), likelihood of superiority {sure:.1f} %",
    ]
    mean = points(tally.points) if margins else None
    if mean is not None:
        lines.append(f"points in a game: {mean.value:+.2f}, between {mean.low:+.2f} and {mean.high:+.2f}")
    return lines + remarks([tally])


def remarks(tallies: Iterable[Tally]) -> list[str]:
    """Return what a reader should know about some of the games."""
    found = list(tallies)
    lines = []
    parts = []
    if duplicates := sum(tally.duplicates for tally in found):
        parts.append(f"{words.count(duplicates, 'duplicate game')} counted once")
    if late := sum(sum(tally.late) for tally in found):
        parts.append(f"{words.count(late, 'game')} lost on time {'is' if late == 1 else 'are'} not counted")
    if others := sum(tally.unpaired for tally in found):
        parts.append(f"{words.count(others, 'other game')} of the same pairs left out")
    lines += [", ".join(parts)] if parts else []
    if replayed := sum(sum(tally.replayed) for tally in found):
        lines.append(f"{words.count(replayed, 'game')} lost on time {'was' if replayed == 1 else 'were'} played again")
    if too_long := sum(tally.too_long for tally in found):
        lines.append(f"{words.count(too_long, 'game')} reached the ply limit and counted as drawn")
    if adjudicated := sum(tally.adjudicated for tally in found):
        lines.append(f"{words.count(adjudicated, 'game')} ended when both players agreed on the result")
    forfeits = sum((faults for tally in found for faults in tally.forfeits), collections.Counter[str]())
    if forfeits:
        why = ", ".join(f"{reason} {count:,}" for reason, count in forfeits.most_common())
        lines.append(f"{words.count(forfeits.total(), 'game')} forfeited by an engine: {why}")
    return lines


def clock_remarks(names: Sequence[str], tallies: Tallies) -> list[str]:
    """Return which players were late or took more time than they had.

    >>> clock_remarks(["engine", "uci:slow"], {(0, 1): Tally(wins=8, late=[0, 2], time_used=([], [4.5, 5.1]))})
    ['uci:slow lost 2 of 10 games on time and used 4.8 times its time: it seems to ignore the clock']
    """
    lines = []
    for player, name in enumerate(names):
        met = [(tally, pairing.index(player)) for pairing, tally in tallies.items() if player in pairing]
        late = sum(tally.late[n] + tally.replayed[n] + tally.forfeits[n][LATE] for tally, n in met)
        plays = sum(tally.played + sum(tally.replayed) for tally, _ in met)
        used = _mean([share for tally, n in met for share in tally.time_used[n]]) or 0.0
        parts = [f"lost {late:,} of {words.count(plays, 'game')} on time"] if late else []
        parts += [f"used {used:.1f} times its time"] if used > CLOCK_IGNORED else []
        ignores = ": it seems to ignore the clock" if used > CLOCK_IGNORED or late > plays / 2 else ""
        lines += [f"{name} {' and '.join(parts)}{ignores}"] if parts else []
    return lines


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


# -- tables -------------------------------------------------------------------------------------------------------------------


class Standing(NamedTuple):
    """One player among several."""

    player: int
    elo: Estimate
    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """The games of this player."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """The points of this player: a win is 1, a draw is one half."""
        return self.wins + self.draws / 2


def standings(players: int, tallies: Tallies) -> list[Standing]:
    """Return all players, the best first."""
    found = ratings(players, tallies)
    rows = []
    for n in range(players):
        views = [view(tallies, n, other) for other in range(players) if other != n]
        wins, draws, losses = (sum(getattr(v, name) for v in views if v) for name in ("wins", "draws", "losses"))
        rows.append(Standing(n, found[n], wins, draws, losses))
    return sorted(rows, key=lambda row: (-row.elo.value, row.player))


def view(tallies: Tallies, a: int, b: int) -> Tally | None:
    """Return the results of a against b from a's view; None if they don't meet."""
    if (a, b) in tallies:
        return tallies[a, b]
    if (b, a) not in tallies:
        return None
    t = tallies[b, a]
    return Tally(t.losses, t.draws, t.wins, t.pairs[::-1], [-x for x in t.points], [4 - x for x in t.results])


def standings_rows(names: Sequence[str], tallies: Tallies) -> list[list[str]]:
    """Return the standings as rows of text, with a header."""
    rows = [["", "player", "Elo", "95 % interval", "games", "score", "won", "drawn", "lost"]]
    for place, row in enumerate(standings(len(names), tallies), 1):
        score = f"{100 * row.points / row.games:.1f} %" if row.games else ""
        value = f"{row.elo.value:+.0f}" if row.games else ""
        counts = [f"{n:,}" for n in (row.wins, row.draws, row.losses)]
        rows.append([str(place), names[row.player], value, interval(row.elo), f"{row.games:,}", score, *counts])
    return rows


def cross_table(names: Sequence[str], tallies: Tallies) -> list[list[str]]:
    """Return the cross table as rows of text, the best player first: the points of the row's player out of the games."""
    order = [row.player for row in standings(len(names), tallies)]
    rows = [["", "player", *(str(n + 1) for n in range(len(order)))]]
    for place, n in enumerate(order, 1):
        cells = []
        for other in order:
            met = view(tallies, n, other) if other != n else None
            cells.append("" if met is None else f"{met.wins + met.draws / 2:g}/{met.games}")
        rows.append([str(place), names[n], *cells])
    return rows


# -- data ---------------------------------------------------------------------------------------------------------------------


def facts(tally: Tally, sprt: Sprt | None = None, margins: bool = False) -> dict[str, object]:
    """Return the results between two players as data; Elo bounds of ±4000 mean that there is no bound."""
    difference, normalized = elo(tally.pairs), nelo(tally.pairs)
    found: dict[str, object] = {
        "games": tally.games,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "pairs": list(tally.pairs),
        "elo": round(difference.value, 2),
        "elo_low": round(difference.low, 2),
        "elo_high": round(difference.high, 2),
        "nelo": round(normalized.value, 2),
        "nelo_low": round(normalized.low, 2),
        "nelo_high": round(normalized.high, 2),
        "los": round(los(tally.pairs), 5),
        "llr": None if sprt is None else round(sprt.llr(tally.pairs), 4),
        "duplicates": tally.duplicates,
        "unpaired": tally.unpaired,
        "too_long": tally.too_long,
        "adjudicated": tally.adjudicated,
        "late": list(tally.late),
        "replayed": list(tally.replayed),
        "time_used": [None if (used := _mean(each)) is None else round(used, 3) for each in tally.time_used],
        "forfeits": [dict(faults) for faults in tally.forfeits],
    }
    mean = points(tally.points) if margins else None
    if mean is not None:
        found |= {"points": round(mean.value, 4), "points_low": round(mean.low, 4), "points_high": round(mean.high, 4)}
    return found


def standings_facts(players: Sequence[str], tallies: Tallies) -> list[dict[str, object]]:
    """Return the standings as data."""
    return [
        {
            "player": players[row.player],
            "number": row.player,
            "elo": round(row.elo.value, 2),
            "elo_low": round(row.elo.low, 2),
            "elo_high": round(row.elo.high, 2),
            "games": row.games,
            "wins": row.wins,
            "draws": row.draws,
            "losses": row.losses,
        }
        for row in standings(len(players), tallies)
    ]


# -- plots: Elo with its interval over the games, or the ratings of several players ------------------------------------------


def elo_plot(names: Sequence[str], results: Sequence[int]) -> plot.Plot:
    """Return Elo with its interval after each pair; the results are numbers 0 (LL) to 4 (WW), in order."""
    pairs, points = [0] * 5, []
    step = -(-len(results) // CURVE_POINTS) or 1
    first = len(results) // 20  # the first intervals are so wide that the others would look like none
    for n, result in enumerate(results, 1):
        pairs[result] += 1
        if (n > first and n % step == 0) or n == len(results):
            points.append(plot.Point(2 * n, *_open(elo(pairs))))
    title = f"{names[0]} against {names[1]}"
    return plot.line(title, points, x="games", y="Elo", level=0, write=_signed)


def ratings_plot(names: Sequence[str], tallies: Tallies) -> plot.Plot:
    """Return the ratings of all players with their intervals."""
    rows = [plot.Dot(names[row.player], *_open(row.elo)) for row in standings(len(names), tallies)]
    return plot.dots("Ratings", rows, x="Elo above the average", level=0, write=_signed)


def _open(found: Estimate) -> tuple[float, float, float]:
    """Return a value and its bounds; infinite where there is none."""
    below, above = found.bounded
    return found.value, found.low if below else -math.inf, found.high if above else math.inf


def _signed(value: float) -> str:
    value = round(value) if math.isfinite(value) else value
    return f"{'+' if value > 0 else ''}{plot.short(value)}"
