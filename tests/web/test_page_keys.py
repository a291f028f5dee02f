"""A game's page with the keyboard, for screen readers, on a phone, in light and dark."""

import pytest
from selenium.webdriver.common.keys import Keys

LEFT, RIGHT, UP, DOWN = Keys.ARROW_LEFT, Keys.ARROW_RIGHT, Keys.ARROW_UP, Keys.ARROW_DOWN
WIDE = (1400, 900)


def on_board(player):
    """Goes to the board with Tab."""
    for _ in range(20):
        if player.ask("document.activeElement.matches('.cell')"):
            return player
        player.press(Keys.TAB)
    raise AssertionError("Tab does not lead to the board")


def focused(player):
    return player.ask("document.activeElement.ariaLabel")


def test_a_whole_game_with_the_keyboard_alone(at):
    player = on_board(at("tictactoe"))
    assert focused(player) == "a3, empty, can move"
    player.press(Keys.ENTER, RIGHT, Keys.ENTER, DOWN)
    assert focused(player) == "b2, empty, can move"
    assert player.names == ["a3", "b3"]
    player.press(Keys.ENTER, RIGHT, Keys.SPACE)
    assert player.names == ["a3", "b3", "b2", "c2"]
    player.press(DOWN, DOWN, LEFT, RIGHT)
    assert focused(player) == "c1, empty, can move"
    player.press(Keys.ENTER)
    assert player.status == "X wins"
    assert player.ask("document.getElementById('spoken').textContent") == "X: c1. X wins."
    player.press("n")
    assert player.status == "New game. X to move"


@pytest.mark.long
def test_the_keyboard_goes_from_dark_square_to_dark_square(at):
    player = on_board(at("checkers"))
    assert focused(player).startswith("1, black man")
    player.press(DOWN, DOWN)
    assert focused(player) == "9, black man, can move"
    player.press(RIGHT, LEFT)
    assert focused(player) == "9, black man, can move"
    player.press(Keys.ENTER)
    assert focused(player) == "9, black man, chosen"
    player.press(DOWN, Keys.ENTER)
    assert player.names in (["9-13"], ["9-14"])


def test_one_cell_only_is_reached_with_tab(at):
    player = at("tictactoe")
    assert player.ask("[...document.querySelectorAll('.cell')].filter((cell) => cell.tabIndex === 0).length") == 1
    assert (
        player.ask(
            "[...document.querySelectorAll('button, select')].filter((one) => !one.ariaLabel && !one.textContent.trim()).length"
        )
        == 0
    )


def test_stepping_through_the_game(at):
    player = at("tictactoe").play("a1", "b2", "c3")
    assert player.text("#count") == "3 of 3"
    player.press(LEFT)
    assert (player.text("#count"), player.status) == ("2 of 3", "X to move; another move replaces what follows")
    player.press(Keys.HOME)
    assert player.text("#count") == "0 of 3"
    assert not player.find("#previous").is_enabled()
    player.press(RIGHT, "j")
    assert player.ask("document.querySelector('[aria-current]').textContent") == "b2"
    player.press(Keys.END)
    assert player.text("#count") == "3 of 3"
    player.all("#moves button")[0].click()
    assert player.text("#count") == "1 of 3"
    player.play("b2")
    assert player.names == ["a1", "b2", "c3"], "the same move again keeps what follows"
    player.play("a3")
    assert player.names == ["a1", "b2", "a3"]


def test_undo_and_redo(at):
    player = at("tictactoe").play("a1", "b2")
    player.press("u")
    assert player.text("#count") == "1 of 2"
    player.press("r")
    assert player.text("#count") == "2 of 2"
    player.click("#undo").click("#undo")
    assert not player.find("#undo").is_enabled()
    assert player.cells_with("legal") == sorted(player.game.board.cell_names())


def test_undo_first_lets_go_of_a_piece(at):
    player = at("checkers").play("11-15").touch("24")
    assert player.find("#undo").is_enabled()
    player.press("u")
    assert (player.cells_with("chosen"), player.text("#count")) == ([], "1 of 1")
    player.touch("24")
    player.press(Keys.ESCAPE)
    assert player.cells_with("chosen") == []


def test_the_board_is_turned(at):
    player = at("tictactoe").play("a1")
    place = "(({ x, y }) => [x, y])(document.querySelector('[data-cell=\"6\"].cell').getBoundingClientRect())"
    before = player.ask(place)
    player.press("f")
    after = player.ask(place)
    assert after[0] > before[0]
    assert after[1] < before[1]
    player.touch("b2")
    assert player.names == ["a1", "b2"]


def test_help_lists_the_keys(at):
    player = at("tictactoe").press("?")
    assert "show the best move" in player.text("#key-table")
    player.press("f", Keys.ESCAPE)
    assert not player.ask("document.getElementById('keys').open")


def test_light_and_dark(at):
    player = at("tictactoe")
    colour = "getComputedStyle(document.body).backgroundColor"
    seen = [player.ask(colour)]
    player.press("t")
    seen.append(player.ask(colour))
    player.open("play=both", fresh=False)
    seen.append(player.ask(colour))
    assert seen[0] != seen[1] == seen[2]


@pytest.fixture
def phone(browser):
    """A window of the size of a small phone."""
    size = {"width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    yield
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize(
    "name",
    [
        "connect4",
        "kalah",
        pytest.param("chess", marks=pytest.mark.long),
        pytest.param("backgammon", marks=pytest.mark.long),
        pytest.param("gomoku", marks=pytest.mark.long),
    ],
)
def test_nothing_overflows_on_a_phone(name, phone, at):
    player = at(name)
    assert player.ask("document.documentElement.scrollWidth") == 360
    beyond = """[...document.querySelectorAll("body *")].filter((part) => {
      const { left, right, width } = part.getBoundingClientRect();
      return width && (left < -0.5 || right > 360.5) && !part.closest(".unseen, dialog, svg");
    }).map((part) => part.outerHTML.slice(0, 80))"""
    assert player.ask(beyond) == []
    board = player.find("#board").rect
    assert board["width"] > 320
    assert board["y"] + board["height"] < 740 - 50, "the whole board can be seen without scrolling"


def test_nothing_moves_when_a_move_is_made(at):
    player = at("nim")
    places = """['status', 'board', 'moves', 'controls'].map((id) =>
      Object.values(document.getElementById(id).getBoundingClientRect().toJSON()))"""
    before = player.ask(places)
    player.play("a=0", "b=1", "c=1", "b=0", "c=0")
    assert player.status == "First wins"
    assert player.ask(places) == before
