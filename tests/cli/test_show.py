"""`plyground show`."""

import json
from xml.etree import ElementTree

import pytest

from plyground import load
from plyground.cli import main

PLAIN = """
from typing import NamedTuple


class State(NamedTuple):
    coins: int


def start():
    return State(3)


def moves(s):
    yield 1


def play(s, m):
    return State(s.coins - m)


def result(s):
    return None if s.coins else -1
"""


def test_the_board_is_printed(capsys):
    assert main(["show", "connect4", "--moves", "443"]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[-3:] == ["1 2 3 4 5 6 7", "", "O to move"]
    assert ". . X X . . ." in out
    assert main(["show", "tictactoe", "--moves", "a1 b2 a2 c1 a3", "--flip"]) == 0
    assert capsys.readouterr().out.splitlines() == ["c b a", "O . X 1", ". O X 2", ". . X 3", "", "X wins"]


def test_a_terminal_calls_the_sides_by_the_signs_of_the_board(capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    assert main(["show", "connect4"]) == 0
    assert capsys.readouterr().out.endswith("\n● to move\n")
    assert main(["show", "connect4", "--moves", "1212121"]) == 0
    assert capsys.readouterr().out.endswith("\n● wins\n")


def test_chance_may_be_to_move(capsys):
    main(["show", "2048"])
    assert capsys.readouterr().out.endswith("\nchance to move\n")


def test_a_picture_is_written(capsys, tmp_path):
    file = tmp_path / "board.svg"
    assert main(["show", "chess", "--moves", "e4 e5", "--flip", "--out", str(file)]) == 0
    assert capsys.readouterr().out == f"written to {file}\n"
    game = load("chess")
    before, s = game.start(), game.start()
    for m in game.parse_moves(s, "e4 e5"):
        before, s = s, game.play(s, m)
    assert file.read_text(encoding="utf-8") == game.draw(s, before, flip=True).svg + "\n"


def test_a_picture_is_printed(capsys):
    assert main(["show", "nim", "--out", "-"]) == 0
    out = capsys.readouterr().out
    assert out.isascii()
    ElementTree.fromstring(out)
    assert main(["show", "nim", "--out", "-", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["state"], told["cells"], told["side"], told["over"]) == ("3-4-5", [3, 4, 5], "first", False)
    assert told["svg"] + "\n" == out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["chess", "--out", "board.png"], "--out 'board.png': choose a name that ends in .svg, or - to print the picture"),
        (["chess", "--out", "nowhere/board.svg"], "nowhere/board.svg: cannot be written (there is no folder nowhere)"),
        (["GAME", "--out", "-"], "mygame has no board to draw; add BOARD = Board(...) to its rules (plyground docs contract)"),
        (["chess", "--moves", "e5"], "'e5' is not a legal move here"),
    ],
)
def test_what_cannot_be_shown_is_told_in_one_line(capsys, rules_file, monkeypatch, tmp_path, words, told):
    monkeypatch.chdir(tmp_path)
    path = str(rules_file(PLAIN))
    assert main(["show", *(path if word == "GAME" else word for word in words)]) == 2
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1
