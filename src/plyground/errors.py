"""Errors for the user: one clear line each, and exit code 2 on the command line."""

from __future__ import annotations

from collections.abc import Iterable

CLOSE = 0.7
"""How alike a name must be to one that is suggested instead, as `difflib` measures it: 1 is equal."""


class PlygroundError(Exception):
    """An error that the user can fix; the message says what is wrong and what to do."""


class GameError(PlygroundError):
    """A game can't be found, or a rules file breaks the contract."""


class MarginError(GameError):
    """`result` gives more than MARGIN."""


class TextError(PlygroundError):
    """The text of a move or a state can't be read, or the move is not legal."""


class GameWarning(UserWarning):
    """A probable mistake in a rules file; the game can still be played."""


def suggestion(given: str, known: Iterable[str]) -> str | None:
    """Return the known name that was probably meant: one that begins like this, or differs in a letter or two of many.

    >>> known = ["analyse", "book", "perft", "tictactoe"]
    >>> suggestion("analyze", known), suggestion("tic", known), suggestion("Book", known), suggestion("foo", known)
    ('analyse', 'tictactoe', 'book', None)
    """
    import difflib

    names, plain = list(known), given.lower()
    close = difflib.get_close_matches(plain, names, 1, CLOSE)
    begun = [name for name in names if name.startswith(plain)] if len(plain) > 1 else []
    return next(iter([*close, *begun]), None)
