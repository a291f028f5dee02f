"""Records for other programs: what a reader finds in the text is the game that was kept."""

import io
import json
import random
import re

import chess
import chess.pgn
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground import Match, PlygroundError
from plyground.players.player import FORFEITS, LATE
from plyground.records.notations import default_format, export
from plyground.records.rows import GameRow

PLAYERS = ["engine:depth=6", 'the "other" ] one\\']


def kept(match, side=0, **changed):
    """A record of a match, as the arena writes it; the first player has this side."""
    value = match.result
    points = None if value is None else value if match.turn == side else -value
    score = None if points is None else 0.5 if points == 0 else float(points > 0)
    data = match.as_json()
    row = {
        "match": 3, "pair": 17, "side": side, "kind": "arena", "game": match.game.spec, "players": PLAYERS, "seed": 1,
        "start": data.get("start"), "opening": 0, "moves": data["moves"], "result": score, "points": points,
        "reason": match.reason, "scores": [], "depths": [], "nodes": [], "times": [0.5] * len(match.moves), "seconds": 1.0,
        "versions": {}, "more": {}, "written": "2026-11-17T12:27:48.361031+00:00",
    }  # fmt: skip
    return GameRow(**{**row, **changed})


def random_match(game, seed, plies, state=None):
    dice = random.Random(seed)
    match = Match(game, state)
    while match.result is None and len(match.moves) < plies:
        match.play(dice.choice(match.legal()))
    return match


def exported(row, form):
    return "".join(export([row], form))


# -- PGN -------------------------------------------------------------------------------------------------------------------

ENDINGS = (
    None,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/P1P5/8/1k6/8/6K1/5p1p/8 b - - 3 40",
    "4k3/8/8/2pPp3/8/8/8/4K3 w - c6",
    "N1N1k3/7K/8/N1N5/8/8/8/q1q1q3 b - - 0 1",
)
"""The start, castling, promotions by the second side, en passant with a short FEN, and pieces that are hard to tell apart."""


@settings(max_examples=10)
@given(st.integers(0, 10**6), st.sampled_from(ENDINGS), st.sampled_from([0, 1]))
def test_python_chess_reads_the_game(seed, state, side):
    match = random_match("chess", seed, 60, state)
    text = exported(kept(match, side, start=state), "pgn")
    read = chess.pgn.read_game(io.StringIO(text))
    assert read.errors == []
    board = read.end().board()
    assert board.fen().split()[:4] == match.game.format_state(match.s).split()[:4]
    assert len(board.move_stack) == len(match.moves)
    assert [node.san() for node in read.mainline()] == match.move_texts()
    names = [re.sub(r"\\(.)", r"\1", read.headers[colour]) for colour in ("White", "Black")]  # it leaves that to its caller
    assert names == (PLAYERS if side == 0 else PLAYERS[::-1])
    assert list(read.headers)[:7] == ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
    assert ("FEN" in read.headers) == (state is not None)
    assert max(map(len, text.splitlines())) < 80 or state is not None


MATES = {"f3 e5 g4 Qh4#": "0-1", "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#": "1-0", "e4": "*"}


@pytest.mark.parametrize(("moves", "result"), MATES.items())
@pytest.mark.parametrize("side", [0, 1])
def test_results_of_chess_are_those_of_white(moves, result, side):
    match = Match("chess", moves=moves)
    read = chess.pgn.read_game(io.StringIO(exported(kept(match, side), "pgn")))
    assert read.headers["Result"] == result == (read.end().board().result())
    assert read.headers["Termination"] == ("unterminated" if result == "*" else "normal")


def test_several_games_in_a_file():
    rows = [kept(random_match("chess", seed, 10), pair=seed) for seed in range(3)]
    file = io.StringIO("".join(export(rows, "pgn")))
    read = [chess.pgn.read_game(file) for _ in range(4)]
    assert [game and game.headers["Round"] for game in read] == ["0.0", "1.0", "2.0", None]


# -- PDN -------------------------------------------------------------------------------------------------------------------


def read_pdn(text, game):
    head, _, rest = text.partition("\n\n")
    tags = dict(re.findall(r'^\[(\w+) "((?:[^"\\]|\\.)*)"\]$', head, re.MULTILINE))
    *words, result = rest.split()
    assert result == tags["Result"]
    match = Match(game, tags.get("FEN"))
    numbers = [word for word in words if word.endswith(".")]
    assert [int(word.strip(".")) for word in numbers] == list(range(1, len(numbers) + 1))
    for word in words:
        if not word.endswith("."):
            match.play(word)
    return tags, match


@pytest.mark.parametrize(("name", "kind", "first"), [("checkers", "21", "Black"), ("draughts", "20", "White")])
@pytest.mark.parametrize("side", [0, 1])
def test_draughts_and_checkers(name, kind, first, side):
    for seed in range(3):
        match = random_match(name, seed, 40 + 200 * seed)
        tags, read = read_pdn(exported(kept(match, side), "pdn"), name)
        assert read.states[-1] == match.s
        assert tags["GameType"] == kind
        assert tags[first] == (PLAYERS[side].replace("\\", "\\\\").replace('"', '\\"'))
        if match.winner is not None:
            assert tags["Result"] == ("1-0" if (match.winner == 0) == (first == "White") else "0-1")


@pytest.mark.parametrize(
    ("name", "state"), [("checkers", "W:WK10,18,24,27:B12,16,20,K22:H7"), ("draughts", "B:WK20,31:B5,K46:H4")]
)
def test_positions_of_draughts(name, state):
    match = random_match(name, 1, 5, state)
    text = exported(kept(match), "pdn")
    assert "\n1... " in text
    tags, read = read_pdn(text, name)
    assert tags["FEN"] == state.partition(":H")[0]
    assert read.s[:4] == match.s[:4]


# -- SGF -------------------------------------------------------------------------------------------------------------------


VALUE = re.compile(r"\[((?:[^\]\\]|\\.)*)\]")


def read_sgf(text):
    """The nodes of a game without variations, each with its properties."""
    assert text.startswith("(;")
    assert text.endswith(")\n")
    nodes: list[dict[str, list[str]]] = []
    for found in re.finditer(rf"(;)?([A-Z]+)((?:{VALUE.pattern})+)", text):
        if found[1]:
            nodes.append({})
        nodes[-1][found[2]] = [re.sub(r"\\(.)", r"\1", value) for value in VALUE.findall(found[3])]
    return nodes


def on_board(point, size):
    return f"{point[0]}{size - (ord(point[1]) - 97)}"


@pytest.mark.parametrize(("size", "plies", "side"), [(15, 30, 0), (9, 81, 1), (22, 4, 0)])
def test_gomoku(size, plies, side):
    match = random_match(f"gomoku(size={size})", size, plies)
    root, *nodes = read_sgf(exported(kept(match, side), "sgf"))
    assert (root["FF"], root["GM"], root["SZ"]) == (["4"], ["4"], [str(size)])
    assert [root["PB"], root["PW"]] == [[name] for name in (PLAYERS if side == 0 else PLAYERS[::-1])]
    colours = [name for node in nodes for name in node]
    assert colours == (["B", "W"] * plies)[: len(match.moves)]
    assert [on_board(point, size) for node in nodes for (point,) in node.values()] == match.move_texts()
    ended = {None: None, 0: ["B+"], 1: ["W+"]}[match.winner] if match.result != 0 else ["Draw"]
    assert root.get("RE") == ended


def test_stones_that_were_there():
    state = "X.O../...../..X../...../....."
    match = Match("gomoku(size=5)", state, "a1")
    root, node = read_sgf(exported(kept(match), "sgf"))
    assert (root["AB"], root["AW"], root["PL"]) == (["aa", "cc"], ["ca"], ["W"])
    assert node == {"W": ["ae"]}


def test_how_gomoku_was_won():
    match = Match("gomoku(size=5)", moves="a1")
    match.resign()
    assert "RE[B+R]" in exported(kept(match), "sgf")


# -- GGF -------------------------------------------------------------------------------------------------------------------


def read_ggf(text):
    assert re.fullmatch(r"\(;(?:[A-Z]+\[[^\]]*\])+;\)\n", text)
    pairs = re.findall(r"([A-Z]+)\[([^\]]*)\]", text)
    tags = {name: value for name, value in pairs if name not in ("B", "W")}
    size, *rows, mover = tags["BO"].split()
    assert size == tags["TY"] == "8"
    signs = str.maketrans("*", "X")
    match = Match("othello", "".join(rows).translate(signs) + " " + mover.translate(signs))
    for colour, move in [pair for pair in pairs if pair[0] in ("B", "W")]:
        assert match.side == {"B": "black", "W": "white"}[colour]
        place, _, seconds = move.partition("//")
        assert float(seconds) == 0.5
        match.play({"PA": "pass"}.get(place, place.lower()))
    return tags, match


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("state", [None, "--XXXXOXXXXXXOOXXOXOOOOXXOXOOOOXXOOOXOOXXOXOOXOXXOOOOOXXXOOXXXXX X"])
def test_othello(side, state):
    match = random_match("othello", 5, 100, state)
    tags, read = read_ggf(exported(kept(match, side), "ggf"))
    assert read.s == match.s
    assert read.move_texts() == match.move_texts()
    black = match.result if match.turn == 0 else -match.result
    assert tags["RE"] == f"{black:+.3f}"
    assert tags["PB"] == PLAYERS[side].replace("]", ")")


def test_othello_unfinished_and_resigned():
    match = Match("othello", moves="f5")
    assert read_ggf(exported(kept(match), "ggf"))[0]["RE"] == "?"
    match.resign()
    assert read_ggf(exported(kept(match), "ggf"))[0]["RE"] == "+64.000:r"


# -- JSON lines, and what does not fit --------------------------------------------------------------------------------------


def test_json_lines_are_for_all():
    rows = [kept(random_match(name, 1, 6)) for name in ("nim", "tictactoe", "chess")]
    lines = [json.loads(line) for line in "".join(export(rows, "jsonl")).splitlines()]
    assert [line["moves"] for line in lines] == [row.moves for row in rows]
    assert lines[0]["id"] == "3.17.0"


@pytest.mark.parametrize(
    ("game", "form", "said"),
    [
        ("nim", "pgn", "pgn is for chess, not for nim; choose jsonl"),
        ("othello", "pdn", "pdn is for draughts and checkers, not for othello; choose ggf or jsonl"),
    ],
)
def test_a_format_that_does_not_fit(game, form, said):
    with pytest.raises(PlygroundError, match=said):
        exported(kept(Match(game)), form)


def test_the_usual_format():
    assert default_format("gomoku(size=9)") == "sgf"
    assert default_format("/home/me/chess.py") == "jsonl"


# -- games that an engine has forfeited --------------------------------------------------------------------------------------


@pytest.mark.parametrize("reason", FORFEITS)
def test_forfeits_in_the_words_of_each_format(reason):
    ended = {"reason": reason, "result": 1.0, "points": 1}
    read = chess.pgn.read_game(io.StringIO(exported(kept(Match("chess", moves="e4"), **ended), "pgn")))
    assert read.headers["Termination"] in ("time forfeit", "rules infraction", "abandoned")
    assert read.headers["Result"] == "1-0"
    how = "T" if reason == LATE else "F"
    assert f"RE[B+{how}]" in exported(kept(Match("gomoku", moves="h8"), **ended), "sgf")
    assert f"RE[+64.000:{'t' if reason == LATE else 'r'}]" in exported(kept(Match("othello", moves="d3"), **ended), "ggf")
