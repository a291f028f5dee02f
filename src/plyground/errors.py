"""Errors for the user: one clear line each, and exit code 2 on the command line."""


class PlygroundError(Exception):
    """An error that the user can fix; the message says what is wrong and what to do."""


class GameError(PlygroundError):
    """A game can't be found, or a rules file breaks the contract."""


class TextError(PlygroundError):
    """The text of a move or a state can't be read, or the move is not legal."""


class GameWarning(UserWarning):
    """A probable mistake in a rules file; the game can still be played."""
