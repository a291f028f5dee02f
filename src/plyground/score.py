"""What a score means: the only file that does arithmetic on wins.

A score is an int for the side to move. The search of a game without chance counts on this scale:

       -10000-n .. -9000   lost (in 10000+score plies, or by n where the result is a margin)
        -8999 ..  8999     an estimate: `evaluate` is clipped to it, so it never outweighs a proven result
         9000 .. 10000+n   won (in 10000-score plies, or by n)

Faster wins are worth more and slower losses hurt less. Where results are margins (discs, seeds) only the margin counts.
"""

WIN = 10_000
PROVEN = 9_000
"""The smallest size of a score that is a proven win or loss; no line may be longer than WIN - PROVEN plies."""
LIMIT = PROVEN - 1
"""The largest size of an estimate."""
INFINITE = 30_000
"""Outside every score, a margin included."""
MAX_MARGIN = INFINITE - WIN - 1
"""The largest margin of a game without chance: rules with a larger MARGIN are refused."""


def final(result: int, ply: int, margin: bool) -> int:
    """The score at the root of a game that ends with `result` after `ply` plies.

    >>> final(1, 7, margin=False), final(-1, 6, margin=False), final(-12, 30, margin=True), final(0, 3, margin=False)
    (9993, -9994, -10012, 0)
    """
    if result == 0:
        return 0
    if margin:
        return result + WIN if result > 0 else result - WIN
    return WIN - ply if result > 0 else ply - WIN


def win_in(plies: int) -> int:
    """The score of a win in so many plies; `-win_in(plies)` is a loss.

    >>> win_in(7), -win_in(6)
    (9993, -9994)
    """
    return WIN - plies


def later(score: int, plies: int) -> int:
    """The score of the same result so many plies later; a draw stays a draw. For scores that are never estimates.

    >>> later(9994, 4), later(-9994, 4), later(9990, -4), later(0, 4)
    (9990, -9990, 9994, 0)
    """
    return score - plies if score > 0 else score + plies if score < 0 else score


def clip(estimate: int) -> int:
    """An estimate made smaller in size than any proven result."""
    return max(-LIMIT, min(LIMIT, estimate))


def from_here(score: int, ply: int) -> int:
    """A score at the root as it counts from a state `ply` plies below: what a table keeps of a win.

    >>> from_here(9990, 4), from_here(-9990, 4), from_here(35, 4), from_here(10012, 4)
    (9994, -9994, 35, 10012)
    """
    if not PROVEN <= abs(score) <= WIN:
        return score
    return min(WIN, score + ply) if score > 0 else max(-WIN, score - ply)


def from_root(score: int, ply: int) -> int:
    """The other way round: a score of a state, as a table keeps it, as it counts at the root `ply` plies above.

    >>> from_root(9994, 4), from_root(-9994, 4), from_root(35, 4), from_root(10012, 4)
    (9990, -9990, 35, 10012)
    """
    if not PROVEN <= abs(score) <= WIN:
        return score
    return score - ply if score > 0 else score + ply


def proven(score: int) -> bool:
    """Does this score say who wins?"""
    return abs(score) >= PROVEN


def plies(score: int) -> int | None:
    """In how many plies the game is won or lost, where the score tells; None for estimates, draws and margins."""
    return WIN - abs(score) if PROVEN <= abs(score) <= WIN else None


def margin(score: int) -> int | None:
    """By how much the game is won (or, negative, lost), where the score tells; None for estimates and plain wins."""
    if abs(score) <= WIN:
        return None
    return score - WIN if score > 0 else score + WIN


def rounded(value: float) -> str:
    """A number as people read it: four digits, none behind the fourth decimal place, and no powers of ten.

    >>> rounded(7), rounded(0.138649), rounded(1.735e-18), rounded(-0.0), rounded(-0.00004), rounded(1234567.8)
    ('7', '0.1386', '0', '0', '0', '1234568')
    """
    if not isinstance(value, float):
        return str(value)
    return f"{round(value, 4) + 0:.4g}" if abs(value) < 1000 else f"{value:.0f}"


def describe(score: float, exact: bool = True, sure: bool = True) -> str:
    """A score in words; a float is an expected result.

    A win or loss that is not exact may come sooner, or by more; one that is not sure comes from a search that left moves out.

    >>> describe(0.25), describe(-41210.4)
    ('+0.250', '-41,210')
    >>> describe(9993), describe(-9994), describe(10012), describe(35), describe(0), describe(-9000)
    ('wins in 7 plies', 'loses in 6 plies', 'wins by 12', '+35', '0', 'loses')
    >>> describe(9999), describe(9993, exact=False), describe(-10012, exact=False)
    ('wins in 1 ply', 'wins in at most 7 plies', 'loses by at least 12')
    >>> describe(9993, exact=False, sure=False)
    'seems to win in 7 plies'
    """
    if isinstance(score, float):
        return f"{score:+.3f}" if abs(score) < 100 else f"{score:+,.0f}"
    if not proven(score):
        return f"{score:+d}" if score else "0"
    exact = exact or not sure
    verb = ("wins" if score > 0 else "loses") if sure else ("seems to win" if score > 0 else "seems to lose")
    if abs(score) == PROVEN:  # farther away than can be told
        return verb
    by = margin(score)
    if by is not None:
        return f"{verb} by {'' if exact else 'at least '}{abs(by)}"
    n = plies(score)
    return f"{verb} in {'' if exact else 'at most '}{n} {'ply' if n == 1 else 'plies'}"
