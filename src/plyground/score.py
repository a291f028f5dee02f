"""The scale of scores: the only file that does arithmetic on wins. Kernels compile it; `play/words.py` puts scores into words.

A score is an int for the side to move. In games without chance, the search uses this scale:

       -10000-n .. -9000   lost (in 10000+score plies, or by n if the result is a margin)
        -8999 ..  8999     an estimate: `evaluate` is clipped to it, so it never outweighs a proven result
         9000 .. 10000+n   won (in 10000-score plies, or by n)

Faster wins are worth more and slower losses hurt less. Where results are margins (discs, seeds) only the margin counts.
"""

import math

WIN = 10_000
PROVEN = 9_000
"""The smallest absolute score that is a proven win or loss."""
MAX_PLIES = WIN - PROVEN
"""The maximum length of a line, in plies. A win in that many plies means a win at an unknown distance."""
OPEN = (-WIN, WIN)
"""The widest bounds in games without margins: nothing is known yet."""
LIMIT = PROVEN - 1
"""The largest absolute value of an estimate."""
INFINITE = 30_000
"""Beyond every score, including margins."""
MAX_MARGIN = INFINITE - WIN - 1
"""The largest margin of a game without chance: rules with a larger MARGIN are refused."""


def borders() -> dict[str, int]:
    """Return the borders of the scale, for programs that don't run this file.

    >>> borders()
    {'win': 10000, 'proven': 9000, 'infinite': 30000}
    """
    return {"win": WIN, "proven": PROVEN, "infinite": INFINITE}


def final(result: int, ply: int, margin: bool) -> int:
    """Return the score at the root of a game that ends with `result` after `ply` plies.

    >>> final(1, 7, margin=False), final(-1, 6, margin=False), final(-12, 30, margin=True), final(0, 3, margin=False)
    (9993, -9994, -10012, 0)
    """
    if result == 0:
        return 0
    if margin:
        return result + WIN if result > 0 else result - WIN
    return WIN - ply if result > 0 else ply - WIN


def win_in(plies: int) -> int:
    """Return the score of a win in this many plies; `-win_in(plies)` is a loss.

    >>> win_in(7), -win_in(6)
    (9993, -9994)
    """
    return WIN - plies


def later(score: int, plies: int) -> int:
    """Return the score of the same result this many plies later; a draw stays a draw. Not for estimates.

    >>> later(9994, 4), later(-9994, 4), later(9990, -4), later(0, 4)
    (9990, -9990, 9994, 0)
    """
    return score - plies if score > 0 else score + plies if score < 0 else score


def clip(estimate: int) -> int:
    """Return an estimate clipped to below any proven result."""
    return max(-LIMIT, min(LIMIT, estimate))


def from_here(score: int, ply: int) -> int:
    """Convert a score at the root to one at a state `ply` plies below it: tables store wins this way.

    >>> from_here(9990, 4), from_here(-9990, 4), from_here(35, 4), from_here(10012, 4)
    (9994, -9994, 35, 10012)
    """
    if not PROVEN <= abs(score) <= WIN:
        return score
    return min(WIN, score + ply) if score > 0 else max(-WIN, score - ply)


def from_root(score: int, ply: int) -> int:
    """Convert a stored score of a state to one at the root, `ply` plies above: the inverse of `from_here`.

    >>> from_root(9994, 4), from_root(-9994, 4), from_root(35, 4), from_root(10012, 4)
    (9990, -9990, 35, 10012)
    """
    if not PROVEN <= abs(score) <= WIN:
        return score
    return score - ply if score > 0 else score + ply


def proven(score: int) -> bool:
    """Return whether this score is a proven win or loss."""
    return abs(score) >= PROVEN


def distance(score: int) -> int:
    """Return the plies to the end of a won or lost game without margins.

    >>> distance(9993), distance(-9994)
    (7, 6)
    """
    return WIN - abs(score)


def plies(score: int) -> int | None:
    """Return the plies to the end if the score contains them; None for estimates, draws and margins.

    >>> plies(9993), plies(35), plies(10012)
    (7, None, None)
    """
    return distance(score) if PROVEN <= abs(score) <= WIN else None


def margin(score: int) -> int | None:
    """Return the margin by which the game is won (lost if negative); None for estimates and scores without a margin.

    >>> margin(10012), margin(-10003), margin(9993)
    (12, -3, None)
    """
    if abs(score) <= WIN:
        return None
    return score - WIN if score > 0 else score + WIN


def result_of(score: int, margin: bool) -> int:
    """Return the result that a proven win or loss stands for: a margin, or 1 and -1.

    >>> result_of(10012, margin=True), result_of(-9994, margin=False)
    (12, -1)
    """
    if margin:
        return score - WIN if score > 0 else score + WIN
    return 1 if score > 0 else -1


def infinite(value: object) -> bool:
    """Return whether this is an open bound of a window. Scores in games of chance are floats and may be large.

    >>> infinite(-30000), infinite(float("inf")), infinite(123456.0), infinite((1, 2, 3))
    (True, True, False, False)
    """
    return math.isinf(value) if isinstance(value, float) else isinstance(value, int) and abs(value) >= INFINITE
