"""Playing on a game's page: by clicks and drags, and what the page then says."""

import random
import re

import pytest
from selenium.webdriver.common.by import By

from here import DATA
from plyground import Match, load
from plyground.web import page
from positions import walk

GAMES = ["tictactoe", "nim", "connect4", *(pytest.param(name, marks=pytest.mark.long) for name in (
    "othello", "kalah", "checkers", "draughts", "2048", "gomoku", "backgammon", "chess"
))]  # fmt: skip


def test_the_page_loads_nothing():
    html = page(load("connect4"))
    assert "default-src 'none'" in html
    assert not re.search(r"<(link|img|iframe|script[^>]*src)", html)
    assert re.findall(r"https?://(?!www\.w3\.org/)", html) == []


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_by_touching_cells(name, at):
    player = at(name, "play=both" if load(name).sides[1:] else "")
    player.browser.execute_script("matchMedia = () => ({ matches: true })")  # no animations
    player.play_at_random(7)
    match = Match(load(name))
    for m in map(int, player.stored["moves"]):
        match.play(m)
    assert match.result is not None
    assert player.status.lower().startswith(match.describe_end().lower().split(":")[0])
    assert len(player.names) == len(match.moves)
    assert player.cells_with("legal") == []


def test_connect_4_is_played_with_the_mouse(at):
    player = at("connect4")
    assert player.status == "X to move"
    column = [row * 7 + 3 for row in range(6)]
    for cell in (column[5], column[0], column[2]):  # anywhere in a column means the column
        player.touch(cell)
    assert player.names == ["4", "4", "4"]
    assert player.cell(column[5]).get_attribute("aria-label") == "column 4, row 1, X, can move"
    player.touch(0, 2, 0, 1, 0, 1)
    assert player.status == "O to move"
    player.touch(0)
    assert player.status == "O wins"


def test_noughts_and_crosses_to_its_end(at):
    player = at("tictactoe").touch("a3", "a1", "b3", "b1")
    assert player.cells_with("dotted") == [], "where every empty cell is legal, nothing is marked"
    player.touch("c3")
    assert player.status == "X wins"
    assert player.text("#moves") == "X\nO\n1.\na3\na1\n2.\nb3\nb1\n3.\nc3"
    player.touch("c1")
    assert player.names == ["a3", "a1", "b3", "b1", "c3"]


def test_a_piece_is_clicked_and_its_targets_are_shown(at):
    player = at("checkers").touch("11")
    assert player.cells_with("chosen") == ["11"]
    assert player.cells_with("dotted") == ["15", "16"]
    assert player.cell("15").get_attribute("aria-label") == "15, empty, target"
    player.touch("9")
    assert (player.cells_with("chosen"), player.cells_with("dotted")) == (["9"], ["13", "14"])
    player.touch("20")
    assert player.cells_with("chosen") == [], "what leads nowhere lets go"
    player.touch("11", "15")
    assert player.names == ["11-15"]
    assert player.status == "White to move"


def test_a_piece_is_dragged(at):
    player = at("checkers").drag("11", "15")
    assert player.names == ["11-15"]
    player.drag("24", "11")
    assert (player.names, player.cells_with("chosen")) == (["11-15"], [])
    player.touch("23").drag("24", "19")  # although another piece was chosen
    assert player.names == ["11-15", "24-19"]
    player.touch("15", "24")
    assert player.names[-1] == "15-24"


def test_a_capture_of_several_pieces(at):
    player = at("checkers", state="B:W6,14,22,7:B2,1")
    ways = player.ask("plyground.moves()")
    assert "1-10-17-26" in ways
    player.touch("1")
    assert player.cells_with("dotted") == ["10"]
    player.touch("10", "17")
    assert player.names == []
    assert player.cell("17").get_attribute("aria-label") == "17, black man, chosen"
    player.touch("26")
    assert player.names == ["1-10-17-26"]


@pytest.mark.long
def test_a_capture_by_its_ends_where_one_way_leads_there(at):
    player = at("checkers", state="B:W6,14,22:B1").touch("1", "26")
    assert player.names == ["1-10-17-26"]


def test_how_many_stones_to_take_is_asked(at):
    player = at("nim").touch("b")
    asked = player.ask("[...document.querySelectorAll('.choices button')].map((button) => button.lastChild.textContent)")
    assert asked == ["take 1, leave 3", "take 2, leave 2", "take 3, leave 1", "take 4, leave 0"]
    player.click("#choice form button").until(lambda p: p.cells_with("chosen") == [])  # told after the click is over
    assert player.names == []
    player.touch("b")
    player.all(".choices button")[1].click()
    player.until(lambda p: p.names == ["b=2"])
    assert player.status == "Second to move"


@pytest.mark.long
def test_promotion_is_asked(at):
    player = at("chess", state="8/4P3/8/8/8/k7/8/K7 w - - 0 1").touch("e7", "e8")
    assert sorted(button.text for button in player.all(".choices button")) == [
        *("white bishop", "white knight", "white queen", "white rook"),
    ]
    player.find("#choice").find_element(By.XPATH, ".//button[contains(., 'rook')]").click()
    player.until(lambda p: p.names == ["e7-e8=R"])
    assert player.cell("e8").get_attribute("aria-label") == "e8, white rook"


@pytest.mark.long
def test_mate_and_stalemate_have_their_reason(at):
    assert at("chess", state="k7/8/1K6/8/8/8/8/7R w - - 0 1").touch("h1", "h8").status == "White wins: black has no move"
    assert at("chess", state="k7/8/8/2Q5/8/8/8/K7 w - - 0 1").touch("c5", "b6").status == "Drawn: black has no move"


@pytest.mark.long
def test_a_pass_is_a_button(at):
    game, rng = load("othello"), random.Random(1)
    s = next(s for _ in range(100) for s in walk(game, 60, rng) if game.legal(s) == [64])
    player = at("othello", state=game.format_state(s))
    before = player.status
    assert player.cells_with("legal") == []
    player.click("#buttons button")
    assert player.names == ["pass"]
    assert player.status != before
    assert not player.find("#buttons button").is_enabled()


def test_repetition_ends_the_game(at):
    player = at("checkers", state="B:WK32:BK1")
    for _ in range(2):
        player.play("1-6", "32-27", "6-1", "27-32")
    assert player.status == "Drawn by repetition"


@pytest.mark.long
def test_a_margin_is_told(at):
    player = at("kalah", state=None)
    player.play_at_random(5)
    assert re.fullmatch(r"(South|North) wins by \d+|Drawn", player.status)


def test_dice_and_tiles_come_by_themselves_and_again_with_the_same_seed(at):
    seen = []
    for _ in range(2):
        player = at("2048", "seed=5")
        player.until(lambda p: len(p.names) == 2)
        player.press("\ue013")
        seen.append(player.until(lambda p: len(p.names) == 4 and p.names))
    assert seen[0] == seen[1]
    assert seen[0][2] == "up"


def test_a_game_without_a_board_shows_its_fields(at):
    name = str(DATA / "newcomer" / "pig.py")
    player = at(name)
    assert player.all("#board dt")
    assert player.all("#buttons button")


@pytest.mark.long
def test_dice_are_played_in_either_order(at):
    game = load("backgammon")
    s = game.play(game.start(), next(m for m, _ in game.outcomes(game.start()) if m == 8 * 3 + 1))
    player = at("backgammon", state=game.format_state(s)).touch("6", "5")
    assert player.cell("5").get_attribute("aria-label") == "point 5: 1 of X"
    assert player.names == []
    player.touch("8", "5")
    assert player.until(lambda p: p.names)[0] == "8-5 6-5"
    player.open("play=both", state=game.format_state(s)).drag("24", "21").drag("21", "20")
    assert player.until(lambda p: p.names)[0] == "24-21-20"
