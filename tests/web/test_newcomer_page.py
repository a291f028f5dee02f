"""The newcomer's game as a page: the README's, and one that gets its board from a single line. Then inside another page."""

import functools
import http.server
import re
import threading

import pytest
from player import Player

from here import ROOT
from plyground import load
from plyground.cli import PACKAGE

README = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
TEMPLATE = (PACKAGE / "cli" / "template" / "game.txt").read_text(encoding="utf-8").replace("{{title}}", "Mine")
BOARD = re.search(r"^BOARD = .*\n", TEMPLATE, re.MULTILINE)[0]


@pytest.fixture
def open_rules(browser, tmp_path, rules_file):
    """Opens the page of a rules file, to be played by a person on both sides; its console must stay empty."""

    def opened(text, name="mygame"):
        browser.get_log("browser")
        return Player(browser, tmp_path, load(rules_file(text, f"{name}.py"))).open()

    yield opened
    assert browser.get_log("browser") == []


def press(player, *names):
    """Clicks the buttons with these names."""
    for name in names:
        (button,) = [button for button in player.all("#buttons button") if button.text == name]
        button.click()
    return player


def test_the_readmes_game_without_a_board(open_rules):
    player = press(open_rules(README[0]), "5", "1", "8")
    assert player.text("#board").split() == ["mine", "2", "theirs", "288"]
    assert press(player, "2", "4", "9", "6").story.lower() == "first wins"
    assert player.names == ["5", "1", "8", "2", "4", "9", "6"]


def test_the_readmes_game_with_its_board(open_rules):
    player = open_rules(README[0] + "\n\n" + README[1], "with_board").touch("5", "1", "8")
    assert player.cells[3:] == [
        "9, empty, can move",
        "5, first",
        "1, second",
        "4, empty, can move",
        "3, empty, can move",
        "8, first",
    ]
    assert player.touch("2", "4", "9", "6").story.lower() == "first wins"


@pytest.mark.long
def test_one_line_is_a_board(open_rules):
    without = open_rules(TEMPLATE.replace(BOARD, ""), "without")
    assert without.all(".cell") == []
    assert press(without, "0", "3", "1", "4", "2").story == "X wins"
    player = open_rules(TEMPLATE, "with_board").touch("a3", "a2", "b3", "b2", "c3")
    assert player.story == "X wins"
    assert player.names == ["a3", "a2", "b3", "b2", "c3"]


# -- inside another page ------------------------------------------------------------------------------------------------------


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A server for files that says nothing."""

    def log_message(self, *words):
        pass


@pytest.fixture
def served(tmp_path):
    """Serves the test's folder; gives its address."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=tmp_path)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_page_around_it_plays(browser, tmp_path, served):
    Player(browser, tmp_path, load("nim"))
    (tmp_path / "outer.html").write_text('<!doctype html><iframe src="game.html#play=both"></iframe>', encoding="utf-8")
    browser.get(f"{served}/outer.html")
    found = browser.execute_async_script("""
        const done = arguments[0], inner = document.querySelector("iframe").contentWindow;
        (async () => {
          const { plyground } = inner;
          await plyground.ready;
          const first = await plyground.think({ depth: 4 });
          plyground.play(first.move);
          const after = plyground.state();
          plyground.undo();
          plyground.load(after);
          let refused = null;
          try { plyground.load(after.slice(1)); } catch (error) { refused = error.message; }
          return { game: plyground.game, moved: plyground.state() === after, moves: plyground.moves(), first, refused };
        })().then(done, (error) => done(error.message));
    """)
    assert isinstance(found, dict), found
    assert found["game"] == "nim"
    assert found["moved"]
    assert len(found["moves"]) > 5
    assert found["first"]["depth"] == 4
    assert "\n" not in found["refused"]
