"""The newcomer's game of the README as a page, without and with its one line for a board. Then inside another page."""

import functools
import http.server
import re
import threading

import pytest
from player import Player

from here import ROOT
from plyground import load

README = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)


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


@pytest.mark.long
def test_the_readmes_game_without_a_board(open_rules):
    player = press(open_rules(README[0]), "4", "0", "7")
    assert player.text("#board").replace("\n", " ") == "owner 2, 0, 0, 0, 1, 0, 0, 1, 0 side 2"
    assert press(player, "1", "3", "8", "5").status.lower() == "first wins"
    assert player.names == ["4", "0", "7", "1", "3", "8", "5"]


def test_the_readmes_game_with_its_one_line_more(open_rules):
    assert README[1].count("BOARD") == len(README[1].splitlines()) - 2 == 1
    player = open_rules(README[0] + "\n\n" + README[1], "with_board").touch("4", "0", "7")
    assert player.cells[3:] == [
        "3, empty, can move",
        "4, first",
        "5, empty, can move",
        "6, empty, can move",
        "7, first",
        "8, empty, can move",
    ]
    assert player.touch("1", "3", "8", "5").status.lower() == "first wins"


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
