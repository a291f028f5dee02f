"""Records as text for other programs: JSON lines for every game, and the usual notation of those that have one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from plyground.errors import PlygroundError
from plyground.records.ggf import ggf
from plyground.records.pdn import pdn
from plyground.records.pgn import pgn
from plyground.records.rows import GameRow
from plyground.records.sgf import sgf
from plyground.rules.load import load
from plyground.system.streams import cleaned, json_text

Writer = Callable[[GameRow, str | None], str]


def jsonl(row: GameRow, start: str | None) -> str:
    """Return a game of any kind as one line of JSON."""
    return json_text(row.as_json()) + "\n"


FORMATS: dict[str, tuple[Writer, tuple[str, ...]]] = {
    "jsonl": (jsonl, ()),
    "pgn": (pgn, ("chess",)),
    "pdn": (pdn, ("draughts", "checkers")),
    "sgf": (sgf, ("gomoku",)),
    "ggf": (ggf, ("othello",)),
}
"""Each format with what writes it, and the games that it is for; JSON lines are for all."""


def usual_format(game: str) -> str:
    """Return the format in which a game is usually written.

    >>> usual_format("chess"), usual_format("nim")
    ('pgn', 'jsonl')
    """
    return next((name for name, (_, games) in FORMATS.items() if game.partition("(")[0].strip() in games), "jsonl")


def export(rows: Iterable[GameRow], form: str) -> Iterator[str]:
    """Yield the games one by one in a format, with what stands between them."""
    write, games = FORMATS[form]
    for number, row in enumerate(rows):
        if games and row.name not in games:
            fits = usual_format(row.game)
            instead = "jsonl" if fits == "jsonl" else f"{fits} or jsonl"
            raise PlygroundError(f"{form} is for {' and '.join(games)}, not for {row.game}; choose {instead}")
        between = "\n" if number and write in (pgn, pdn) else ""
        shown = row if write is jsonl else GameRow(*map(cleaned, row))
        try:
            yield between + write(shown, row.start if write is jsonl else _start(row))
        except (ValueError, IndexError, KeyError) as e:
            raise PlygroundError(
                f"record {row.id} cannot be written as {form}: its moves or its start are none of {row.name}"
            ) from e


def _start(row: GameRow) -> str | None:
    """Return the first state of a game as its rules write it; None if it is the usual one."""
    if row.start is None:
        return None
    game = load(row.game)
    text = game.format_state(game.parse_state(row.start))
    return None if text == game.format_state(game.start()) else text
