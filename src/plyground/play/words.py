"""Scores, lines and numbers in words, for the terminal, the command line and the explain page.

A score can be a verb after the name of a side (`score`: wins in 5 plies), a noun (`value_noun`: a win in 5 plies), or a label
(`short`: win in 5).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from plyground import score as scores
from plyground.rules.game import Game
from plyground.rules.hooks import State

ScoreOrValue = int | float | str | tuple[float, ...] | None
"""A score or a value: one for each side if there are three or more, or a text such as "1/2"; None if unknown."""
VERBS = {"win": "wins", "draw": "draws", "loss": "loses"}
SOURCES = {"search": "proven", "book": "from the book", "table": "from a table", "solver": "solved"}
"""The source of a known value, in words."""

# -- numbers ------------------------------------------------------------------------------------------------------------------


def format_number(value: float) -> str:
    """Format a number with four digits, at most four decimal places, and no exponent.

    >>> [format_number(x) for x in (7, 0.138649, 1.735e-18, -0.0, -0.00004, 1234567.8)]
    ['7', '0.1386', '0', '0', '0', '1234568']
    """
    if not isinstance(value, float):
        return str(value)
    return f"{round(value, 4) + 0:.4g}" if abs(value) < 1000 else f"{value:.0f}"


def count(n: int, one: str, many: str = "") -> str:
    """Format a count with its noun.

    >>> count(1, "node"), count(1200, "node"), count(7, "ply", "plies")
    ('1 node', '1,200 nodes', '7 plies')
    """
    return f"{n:,} {one if n == 1 else many or f'{one}s'}"


def seconds(time: float) -> str:
    """Format a time with three digits, at most to the millisecond.

    >>> seconds(0.0121), seconds(0.7), seconds(12.34), seconds(4210.5)
    ('0.012 s', '0.700 s', '12.3 s', '4,210 s')
    """
    return f"{time:,.{max(0, 2 - math.floor(math.log10(max(time, 0.1))))}f} s"


def duration(seconds: float) -> str:
    """Format a time as people say it, such as the time left.

    >>> duration(0.4), duration(75), duration(600), duration(10000), duration(400000)
    ('1 s', '75 s', '10 min', '2.8 h', '4.6 days')
    """
    if seconds < 100:
        return f"{max(1, round(seconds))} s"
    if seconds < 6000:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h" if seconds < 48 * 3600 else f"{seconds / 86400:.1f} days"


def rate(n: float, time: float, what: str = "nodes") -> str:
    """Format a rate per second.

    >>> rate(31_400_000, 10), rate(500, 2, "leaves")
    ('3.1 M nodes/s', '250 leaves/s')
    """
    each = n / max(time, 1e-9)
    return f"{each / 1e6:.1f} M {what}/s" if each >= 1e5 else f"{each:,.0f} {what}/s"


def effort(nodes: int, time: float) -> str:
    """Describe the effort of a search.

    >>> effort(31_400_000, 10)
    '31,400,000 nodes, 10.0 s, 3.1 M nodes/s'
    """
    return f"{count(nodes, 'node')}, {seconds(time)}, {rate(nodes, time)}"


# -- scores -------------------------------------------------------------------------------------------------------------------


def value(sign: float) -> str:
    """Return who wins, by the sign of a score.

    >>> value(9993), value(0), value(-1)
    ('win', 'draw', 'loss')
    """
    return "win" if sign > 0 else "loss" if sign < 0 else "draw"


def score(worth: float, exact: bool = True, sure: bool = True) -> str:
    """Describe a score by a verb for its side; a float is an expected result.

    A win or loss that is not `exact` may come sooner or be larger; one that is not `sure` is from a search that skipped moves.

    >>> score(9993), score(-9994), score(10012), score(-9000), score(0)
    ('wins in 7 plies', 'loses in 6 plies', 'wins by 12', 'loses', 'draws')
    >>> score(9999), score(9993, exact=False), score(-10012, exact=False), score(9993, exact=False, sure=False)
    ('wins in 1 ply', 'wins in at most 7 plies', 'loses by at least 12', 'seems to win in 7 plies')
    >>> score(35), score(0, exact=False), score(0.25), score(-41210.4)
    ('+35', '0', '+0.250', '-41,210')
    """
    if isinstance(worth, float):
        return f"{worth:+.3f}" if abs(worth) < 100 else f"{worth:+,.0f}"
    if not scores.proven(worth):
        return f"{worth:+d}" if worth else "draws" if exact and sure else "0"
    verb = VERBS[value(worth)] if sure else f"seems to {'win' if worth > 0 else 'lose'}"
    return verb + _how(worth, exact or not sure)


def value_noun(worth: int) -> str:
    """Describe a proven value or a bound by a noun.

    >>> value_noun(9993), value_noun(-10012), value_noun(0), value_noun(10000)
    ('a win in 7 plies', 'a loss by 12', 'a draw', 'a win')
    """
    return f"a {value(worth)}{_how(worth)}"


def for_max(worth: ScoreOrValue) -> str:
    """Describe a value for max, in a sentence.

    >>> for_max(3), for_max(9995), for_max(-10012), for_max(9000), for_max(-0.0), for_max((1, 0, 0))
    ('3', 'a win for max in 5 plies', 'a win for min by 12', 'a win for max', '0', '(1, 0, 0)')
    """
    if isinstance(worth, int) and scores.proven(worth) and not scores.infinite(worth):
        return f"a win for {'max' if worth > 0 else 'min'}{_how(worth)}"
    return short(worth)


def short(worth: ScoreOrValue) -> str:
    """Label a node with its value.

    >>> short(-3), short(9995), short(-9996), short(10012), short(-10000), short(30000)
    ('-3', 'win in 5', 'loss in 4', 'win by 12', 'loss', '∞')
    >>> short(0.25), short(-0.0), short(40280.4), short((1, 0, 0)), short("1/2"), short(None)
    ('0.25', '0', '40280', '(1, 0, 0)', '1/2', '?')
    """
    if worth is None or isinstance(worth, str):
        return worth or "?"
    if isinstance(worth, tuple):
        return f"({', '.join(map(short, worth))})"
    if scores.infinite(worth):
        return "∞" if worth > 0 else "-∞"
    if isinstance(worth, float) or not scores.proven(worth):
        return format_number(worth)
    return value(worth) + _how(worth, unit=False)


def _how(worth: int, exact: bool = True, unit: bool = True) -> str:
    """Return the distance in plies or the margin; empty if the distance is unknown or the game is over."""
    by, away = scores.margin(worth), scores.plies(worth)
    if by is not None:
        return f" by {'' if exact else 'at least '}{abs(by)}"
    if not away or away == scores.MAX_PLIES:
        return ""
    return f" in {'' if exact else 'at most '}{count(away, 'ply', 'plies') if unit else away}"


# -- positions: lines, answers, bounds ------------------------------------------------------------------------------------------


def line(game: Game, s: State, moves: Sequence[int]) -> list[str]:
    """Return a line of moves as texts, up to the first illegal move or chance move."""
    out = []
    for m in moves:
        if m not in game.legal(s):
            break
        out.append(game.format_move(s, m))
        s = game.child(s, m)
    return out


def describe_position(game: Game, s: State, side: str, move: int | None, verdict: str, moves: Sequence[int]) -> str:
    """Return what is known about a position: the best move, its value in words, and the best line."""
    best = "" if move is None else f"{game.format_move(s, move)}, "
    more = f"\nline: {' '.join(line(game, s, moves))}" if len(moves) > 1 else ""
    return f"{side} to move: {best}{verdict}{more}"


def points(game: Game, s: State, worth: int | None) -> int | None:
    """Return a score as players count it: the margin, else the `points` of the rules if they define them."""
    if worth is None:
        return None
    by, plies = scores.margin(worth), scores.plies(worth)
    if by is not None:
        return by
    if "points" in game.has and plies is not None:
        won = int(game.rules["points"](s, plies))
        return won if worth > 0 else -won
    return worth


def describe_value(game: Game, s: State, worth: int) -> str:
    """Describe a value in words, with its `points` if the game has them: wins in 9 plies (score +17)."""
    return score(worth) + _points(game, s, worth)


def bounds(game: Game, s: State, low: int, high: int) -> str:
    """Describe two bounds on a value in words."""
    if low == high:
        return describe_value(game, s, low)
    if (low, high) == scores.OPEN:
        return "nothing proven yet"
    return f"between {' and '.join(value_noun(worth) + _points(game, s, worth) for worth in (low, high))}"


def _points(game: Game, s: State, worth: int) -> str:
    return f" (score {points(game, s, worth):+d})" if "points" in game.has and scores.plies(worth) else ""
