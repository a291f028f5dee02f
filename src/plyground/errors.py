"""The errors that are meant for the user: one clear line each, and exit code 2 on the command line."""


class PlygroundError(Exception):
    """Something the user can put right; the message says what was wrong and what would be right."""


class GameError(PlygroundError):
    """A game that cannot be found, or a rules file that breaks the contract."""


class TextError(PlygroundError):
    """A move or a state, written as text, that cannot be read or is not legal."""


class GameWarning(UserWarning):
    """Something in a rules file that is probably a slip; the game can be played all the same."""
