"""Records as text for other programs: JSON lines for every game, and the usual notation of those that have one."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator

import plyground
from plyground.errors import PlygroundError
from plyground.players.player import CRASHED, FORFEITS, HUNG, ILLEGAL, LATE, UNPARSABLE
from plyground.records.rows import GameRow
from plyground.rules.load import load
from plyground.system.streams import clean, json_text

# -- PGN for chess, and PDN for draughts and checkers: tags, numbered moves, the result --------------------------------------

PGN_WIDTH = 79
PGN_TERMINATION = {
    "time": "time forfeit",
    LATE: "time forfeit",
    "adjudicated": "adjudication",
    "length": "adjudication",
    ILLEGAL: "rules infraction",
    UNPARSABLE: "rules infraction",
    CRASHED: "abandoned",
    HUNG: "abandoned",
}
"""The words of PGN for reasons that have one; the others are normal."""


def pgn(row: GameRow, start: str | None) -> str:
    """Return a chess game; `start` is its first position as FEN, None for the usual one."""
    white, black = row.by_side(2)
    fen = (start or "- w - - 0 1").split()
    end = "unterminated" if row.reason is None else PGN_TERMINATION.get(row.reason, "normal")
    tags = [*roster(row, white, black, result_text(row.first_score())), ("PlyCount", str(len(row.moves))), ("Termination", end)]
    if start is not None:
        tags += [("SetUp", "1"), ("FEN", start)]
    return write_tagged(tags, row.moves, int(fen[5]), fen[1] == "b")


def roster(row: GameRow, white: str, black: str, result: str) -> list[tuple[str, str]]:
    """Return the seven tags that every game has."""
    alone = row.kind == "play"
    return [
        ("Event", "Plyground play" if alone else f"Plyground {row.kind}, match {row.match}"),
        ("Site", "?"),
        ("Date", row.written[:10].replace("-", ".")),
        ("Round", "-" if alone else f"{row.pair}.{row.side}"),
        ("White", white),
        ("Black", black),
        ("Result", result),
    ]


def result_text(white: float | None) -> str:
    """Return the result by White's score.

    >>> result_text(0.5)
    '1/2-1/2'
    """
    return "*" if white is None else {1.0: "1-0", 0.0: "0-1"}.get(white, "1/2-1/2")


def write_tagged(tags: Iterable[tuple[str, str]], moves: list[str], number: int, second: bool) -> str:
    """Return a game as text; `number` counts its first move, which the second side makes if `second`."""
    escaped = {name: value.replace("\\", "\\\\").replace('"', '\\"') for name, value in tags}
    words = []
    for ply, move in enumerate(moves, int(second)):
        if ply % 2 == 0:
            words.append(f"{number + ply // 2}.")
        elif not words:
            words.append(f"{number}...")
        words.append(move)
    lines = textwrap.wrap(" ".join([*words, escaped["Result"]]), PGN_WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*(f'[{name} "{value}"]' for name, value in escaped.items()), "", *lines, ""])


PDN_FIRST = {"draughts": "W", "checkers": "B"}
"""The side that moves first."""
PDN_TYPE = {"draughts": "20", "checkers": "21"}
"""The number of each game."""


def pdn(row: GameRow, start: str | None) -> str:
    """Return a game of draughts or checkers; `start` is its first position, None for the usual one."""
    first = PDN_FIRST[row.name]
    (white, black), score = row.by_side(2), row.first_score()
    if first == "B":
        white, black, score = black, white, None if score is None else 1 - score
    tags = [*roster(row, white, black, result_text(score)), ("GameType", PDN_TYPE[row.name])]
    if start is not None:
        tags += [("SetUp", "1"), ("FEN", start.partition(":H")[0])]
    return write_tagged(tags, row.moves, 1, start is not None and start[0] != first)


# -- SGF (FF 4, game 4) for gomoku: X is Black, and rows are counted from the top --------------------------------------------

SGF_ENDS = {"resignation": "R", "time": "T"} | dict.fromkeys(FORFEITS, "F") | {LATE: "T"}
"""How a game was won, if not on the board."""


def sgf(row: GameRow, start: str | None) -> str:
    """Return a game of gomoku; `start` is its first position, None for the empty board."""
    size = load(row.game).parameters["size"]
    black, white = row.by_side(2)
    event = "Plyground play" if row.kind == "play" else f"Plyground {row.kind}, match {row.match}"
    head = {"FF": "4", "GM": "4", "CA": "UTF-8", "AP": f"Plyground:{plyground.__version__}", "SZ": str(size)}
    head |= {"EV": event, "GN": f"Record {row.id}", "DT": row.written[:10], "PB": black, "PW": white}
    if row.reason is not None:
        head["RE"] = _sgf_result(row)
    root = "".join(f"{name}[{_escape(value) if name != 'AP' else value}]" for name, value in head.items())
    root += "".join(_stones(start, size)) if start is not None else ""
    second = start is not None and start.count("X") > start.count("O")
    moves = [f";{'BW'[ply % 2]}[{_point(move, size)}]" for ply, move in enumerate(row.moves, int(second))]
    lines = ["".join(moves[i : i + 12]) for i in range(0, len(moves), 12)]
    return "\n".join([f"(;{root}", *lines]) + ")\n"


def _sgf_result(row: GameRow) -> str:
    score = row.first_score()
    if score is None or score == 0.5:
        return "Draw"
    return f"{'W' if score == 0 else 'B'}+{SGF_ENDS.get(row.reason or '', '')}"


def _stones(start: str, size: int) -> list[str]:
    """Return the stones that are on the board already, and whose turn it is."""
    cells = start.replace("/", "")
    parts = []
    for name, sign in (("AB", "X"), ("AW", "O")):
        points = [f"[{chr(97 + i % size)}{chr(97 + i // size)}]" for i, c in enumerate(cells) if c == sign]
        parts += [name, *points] if points else []
    return [*parts, f"PL[{'W' if cells.count('X') > cells.count('O') else 'B'}]"]


def _point(move: str, size: int) -> str:
    """Return a cell such as `a1` at the bottom left: column and row as letters, from the top left."""
    return f"{move[0]}{chr(97 + size - int(move[1:]))}"


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")


# -- GGF for Othello, the format of the Generic Game Server: one game per line -----------------------------------------------

GGF_ENDS = {"resignation": ":r", "time": ":t"} | dict.fromkeys(FORFEITS, ":r") | {LATE: ":t"}
"""How a game ended, if not on the board; the format has a code only for time forfeits."""


def ggf(row: GameRow, start: str | None) -> str:
    """Return a game of Othello; `start` is its first position, None for the usual one."""
    if start is None:
        game = load("othello")
        start = game.format_state(game.start())
    cells, mover = start.split()
    board = " ".join(cells[i : i + 8].replace("X", "*") for i in range(0, 64, 8))
    black, white = row.by_side(2)
    date = f"{row.written[:10].replace('-', '.')}_{row.written[11:19]}.UTC"
    head = {"GM": "Othello", "PC": "Plyground", "DT": date, "PB": black, "PW": white, "TY": "8", "RE": _ggf_result(row)}
    head["BO"] = f"8 {board} {'*' if mover == 'X' else 'O'}"
    parts = [f"{name}[{value.replace(']', ')')}]" for name, value in head.items()]  # brackets can't be escaped
    for ply, move in enumerate(row.moves, int(mover == "O")):
        seconds = row.times[ply - int(mover == "O")] if row.times else None
        taken = f"//{seconds:.2f}" if seconds else ""
        parts.append(f"{'BW'[ply % 2]}[{'PA' if move == 'pass' else move.upper()}{taken}]")
    return f"(;{''.join(parts)};)\n"


def _ggf_result(row: GameRow) -> str:
    """Return Black's margin, and how the game ended."""
    if row.reason is None or row.points is None:
        return "?"
    black = row.points if row.side == 0 else -row.points
    if row.reason in GGF_ENDS:
        black *= 64
    return f"{black:+.3f}{GGF_ENDS.get(row.reason, '')}"


# -- all formats -------------------------------------------------------------------------------------------------------------

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
"""The function that writes each format, and the games that it is for; JSON lines are for all."""


def default_format(game: str) -> str:
    """Return the format in which a game is usually written.

    >>> default_format("chess"), default_format("nim")
    ('pgn', 'jsonl')
    """
    return next((name for name, (_, games) in FORMATS.items() if game.partition("(")[0].strip() in games), "jsonl")


def export(rows: Iterable[GameRow], form: str) -> Iterator[str]:
    """Yield the games one by one in a format, with what separates them."""
    write, games = FORMATS[form]
    for number, row in enumerate(rows):
        if games and row.name not in games:
            fits = default_format(row.game)
            instead = "jsonl" if fits == "jsonl" else f"{fits} or jsonl"
            raise PlygroundError(f"{form} is for {' and '.join(games)}, not for {row.game}; choose {instead}")
        between = "\n" if number and write in (pgn, pdn) else ""
        shown = row if write is jsonl else GameRow._make(map(clean, row))
        try:
            yield between + write(shown, row.start if write is jsonl else _start(row))
        except (ValueError, IndexError, KeyError) as e:
            raise PlygroundError(
                f"record {row.id} cannot be written as {form}: its moves or its first position do not fit {row.name}"
            ) from e


def _start(row: GameRow) -> str | None:
    """Return the first state of a game as its rules write it; None if it is the usual one."""
    if row.start is None:
        return None
    game = load(row.game)
    text = game.format_state(game.parse_state(row.start))
    return None if text == game.format_state(game.start()) else text
