"""The page: its data, and what a reader can do with it in a real browser."""

import json
import re

import pytest
from searches import explained
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from plyground.errors import PlygroundError
from plyground.explain import page


def data_of(html):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.S)[1])


# -- the file --------------------------------------------------------------------------------------------------------


def test_the_page_loads_nothing(connect4):
    html = page.page(connect4)
    assert "default-src 'none'" in html
    assert not re.search(r"<(link|img|iframe|script[^>]*src)", html)
    assert re.findall(r"https?://", html) == []


def test_whatever_a_game_says_stays_inside_the_data(figure):
    html = page.page(figure)
    assert html.count("</script>") == 2
    assert "<node" not in html
    assert data_of(html)["boards"]["each"][0]["text"] == "<node 0> & </script>"


def test_boards_are_kept_once_each(connect4):
    boards = data_of(page.page(connect4))["boards"]
    assert len(boards["picture"]["views"][0]["cells"]) == 42
    cells = [tuple(board["cells"]) for board in boards["each"]]
    assert len(cells) == len(set(cells))
    assert cells[1][-7:] == (0, 0, 0, 1, 0, 0, 0)


def test_a_tree_that_is_too_large_for_a_page_is_refused(figure, monkeypatch):
    monkeypatch.setattr(page, "MAX_NODES", 10)
    with pytest.raises(PlygroundError, match="11 nodes, but a page can show 10; try a smaller depth or a later state"):
        page.page(figure)


# -- in the browser --------------------------------------------------------------------------------------------------


class Reader:
    """Somebody who reads the page."""

    def __init__(self, browser, address):
        self.browser = browser
        browser.get("about:blank")  # else an address that differs in its hash alone is not loaded anew
        browser.get(address)

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector).text

    def click(self, selector):
        self.browser.find_element(By.CSS_SELECTOR, selector).click()

    def press(self, *keys):
        body = self.browser.find_element(By.TAG_NAME, "body")
        for key in keys:
            body.send_keys(key)

    def card(self, name):
        """The card of the node that a move of this name leads to."""
        return self.all(".item")[self.names(".item").index(name)]

    def names(self, selector):
        names = "return [...document.querySelectorAll(arguments[0])].map((card) => card.querySelector('b').textContent)"
        return self.browser.execute_script(names, selector)

    @property
    def status(self):
        return self.text("#status .message")

    @property
    def step(self):
        return int(self.text("#count").split()[0])


@pytest.fixture
def read(browser, tmp_path):
    """Opens the page of an explanation; at the end nothing may have gone wrong in it."""

    def open_page(found, address=""):
        path = tmp_path / "tree.html"
        path.write_text(page.page(found), encoding="utf-8")
        return Reader(browser, path.as_uri() + address)

    yield open_page
    assert [entry["message"] for entry in browser.get_log("browser")] == []


def test_stepping_forwards_and_backwards(read, figure):
    reader = read(figure)
    assert reader.text("h1") == "Figure: alphabeta to depth 2"
    assert reader.status == "The search begins with max's (max), window (−∞, ∞): neither side has anything elsewhere yet."
    assert reader.names(".item.waiting") == ["B", "C", "D"]
    reader.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert reader.status == "Min's (min) tries b1. The depth limit is reached; the estimate is 3."
    assert reader.names(".card") == ["root", "B", "b1"]
    reader.press(Keys.ARROW_RIGHT)
    assert reader.status == "b1 is worth 3, the best for min so far: beta falls to it."
    assert reader.card("B").find_element(By.CLASS_NAME, "note").text == "(−∞, 3)"
    reader.press(Keys.ARROW_LEFT)
    assert (reader.step, reader.card("B").find_element(By.CLASS_NAME, "note").text) == (3, "(−∞, ∞)")
    reader.click("#next")
    assert reader.step == 4
    reader.click("#previous")
    assert reader.step == 3
    reader.press(Keys.END)
    assert reader.status == "Done: the value is 3, the best line is B b1."
    reader.press(Keys.HOME)
    assert reader.step == 1
    reader.browser.find_element(By.ID, "slider").send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert reader.step == 3


def test_a_cut_off_has_its_reason_and_its_branches(read, figure):
    reader = read(figure)
    reader.press("c")
    assert reader.status == "Cutoff: min can already force 2 here, max has 3 elsewhere; skipped: c2, c3."
    assert reader.names(".item.pruned") == ["c2", "c3"]
    assert "Cut off after c1: min can already force 2 here, max has 3 elsewhere. Skipped: c2, c3." in reader.text("#panel")
    reader.press(Keys.ARROW_LEFT)
    assert reader.all(".item.pruned") == [], "before the cutoff, pruned moves look like any others"
    assert reader.names(".item.waiting") == ["c2", "c3", "D"]


def test_folding_and_unfolding(read, figure):
    reader = read(figure)
    reader.press(Keys.END)
    assert reader.names(".card") == ["root", "B", "b1", "b2", "b3", "C", "D"]
    assert reader.card("C").get_attribute("aria-expanded") == "false"
    reader.card("C").find_element(By.CLASS_NAME, "fold").click()
    assert reader.card("C").get_attribute("aria-expanded") == "true"
    assert set(reader.names(".item")) == {"root", "B", "b1", "b2", "b3", "C", "D", "c1", "c2", "c3"}
    assert reader.text("#panel h2").endswith("After C")
    reader.press(Keys.ENTER)
    assert "c1" not in reader.names(".item")
    reader.press(Keys.ARROW_DOWN, Keys.ENTER)
    assert "d1" in reader.names(".item")
    reader.press("f")
    assert reader.names(".card") == ["root", "B", "b1", "b2", "b3", "C", "D"]
    reader.press("u")
    assert len(reader.names(".card")) == 11


def test_the_chosen_node_is_told_in_full(read, figure):
    reader = read(figure)
    reader.press(Keys.END)
    reader.card("D").find_element(By.TAG_NAME, "b").click()
    panel = reader.text("#panel")
    assert "Window\n(3, ∞)" in panel
    assert "≤ 2" in panel
    assert "max has 3 elsewhere: its exact value doesn't matter" in panel
    assert "<node 3> & </script>" in panel


def test_the_best_line_is_marked(read, figure):
    reader = read(figure)
    reader.press(Keys.END)
    assert reader.names(".card.best") == ["root", "B", "b1"]
    assert reader.names(".card:has(.star)") == ["B", "b1"]
    assert len(reader.all("path.best")) == 2


def test_playing_goes_on_by_itself(read, figure):
    reader = read(figure)
    reader.browser.execute_script("window.realInterval = setInterval; setInterval = (act) => realInterval(act, 5)")
    reader.press("p")
    reader.browser.execute_async_script(
        "const done = arguments[0]; const wait = () => (walk.t === search.last && !timer ? done() : setTimeout(wait, 5)); wait()"
    )
    assert reader.status.startswith("Done")
    assert reader.text("#play") == "Play"


def test_quiz_right_and_wrong(read, figure):
    reader = read(figure)
    reader.click("#mode-quiz")
    assert reader.status.startswith("Cross out every branch that alphabeta will skip")
    assert reader.card("C").find_element(By.CLASS_NAME, "value").text == "?"
    reader.card("c2").click()
    reader.card("d3").click()
    assert reader.names(".card.crossed") == ["c2", "d3"]
    reader.click("#quiz-check")
    assert reader.status == "1 of 2 pruned leaves found, 1 crossed out that the search does visit."
    assert (reader.names(".card.found"), reader.names(".card.missed"), reader.names(".card.wrong")) == (["c2"], ["c3"], ["d3"])
    assert "after C: min can already force 2 here, max has 3 elsewhere." in reader.text("#panel")
    assert reader.card("C").find_element(By.CLASS_NAME, "value").text == "≤ 2"
    assert reader.text("#quiz-score") == "Score 0 of 2, 0 without a mistake"
    reader.click("#quiz-next")
    reader.press(*[Keys.ARROW_DOWN] * 6, Keys.ENTER, Keys.ARROW_DOWN, Keys.ENTER)
    assert reader.names(".card.crossed") == ["c2", "c3"]
    reader.click("#quiz-check")
    assert reader.status == "All correct: 2 of 2 pruned leaves found."
    assert reader.text("#quiz-score") == "Score 2 of 4, 1 without a mistake"
    reader.click("#mode-walk")
    assert reader.step == 1


def test_a_quiz_is_offered_only_where_there_is_one(read, figure):
    reader = read(explained("connect4", "minimax,depth=1"), "#quiz")
    assert not reader.browser.find_element(By.ID, "mode-quiz").is_displayed()
    assert not reader.browser.find_element(By.ID, "next-cut").is_displayed()
    before = reader.status
    reader.press("q")
    assert reader.status == before
    reader = read(figure)
    assert reader.browser.find_element(By.ID, "mode-quiz").is_displayed()
    assert reader.browser.find_element(By.ID, "next-cut").is_displayed()


@pytest.mark.parametrize(
    ("address", "step"), [("#step=abc", 1), ("#step=", 1), ("#step=4", 4), ("#step=3.7", 3), ("#step=-2", 1), ("#step=99999", 24)]
)
def test_the_address_names_a_step(read, figure, address, step):
    reader = read(figure, address)
    assert reader.step == step
    assert reader.status
    body = "addEventListener('hashchange', () => arguments[0]()); location.hash = '#step=2'"  # the page listens since before
    reader.browser.execute_async_script(body)
    assert reader.step == 2


def test_no_value_is_a_power_of_ten(read, monkeypatch):
    found = explained("2048", "expectimax,depth=1", "a1=2 b1=2")
    tiny = [event._replace(value=1.735e-18) if hasattr(event, "value") else event for event in found.record.events]
    monkeypatch.setattr(found.record, "events", tiny)
    found.__post_init__()
    reader = read(found)
    reader.press(Keys.END)
    assert "e-18" not in reader.text("body")
    assert "the value is 0" in reader.status


@pytest.mark.parametrize(
    ("spec", "moves", "names"),
    [
        ("chess", "e4", "a b c d e f g h 8 7 6 5 4 3 2 1"),
        ("connect4", "4", "1 2 3 4 5 6 7"),
        ("tictactoe", "b2", "a b c 3 2 1"),
        ("othello", "f5", "a b c d e f g h 1 2 3 4 5 6 7 8"),
        ("kalah", "", "1 2 3 4 5 6 south 1 2 3 4 5 6 north"),
    ],
)
def test_the_large_board_names_its_squares(read, spec, moves, names):
    reader = read(explained(spec, "alphabeta,depth=1", moves))
    assert [text.text for text in reader.all(".large .coordinate")] == names.split()
    assert reader.all(".card .coordinate") == []


def test_the_squares_of_a_draughts_board_have_their_numbers(read):
    reader = read(explained("checkers", "alphabeta,depth=1"))
    assert [int(text.text) for text in reader.all(".large .square-number")] == list(range(1, 33))


def test_points_are_named_as_the_side_to_move_counts_them(read):
    for moves, first in (("3-1", "1"), ("1-3", "24")):
        reader = read(explained("backgammon", "expectiminimax,depth=1", moves))
        assert reader.all(".large .coordinate")[0].text == first


def test_a_long_move_is_not_cut(read):
    reader = read(explained("backgammon", "expectiminimax,depth=1", "3-1"))
    reader.press(Keys.END)
    cut = "return [...document.querySelectorAll('.card .name')].filter((n) => n.scrollWidth > n.clientWidth).length"
    assert reader.browser.execute_script(cut) == 0


def test_a_pruned_move_has_one_pair_of_scissors(read, figure):
    reader = read(figure)
    reader.press("c")
    assert len(reader.all(".scissors")) == len(reader.all(".item.pruned")) == 2
    assert "✂" not in "".join(item.text for item in reader.all(".item.pruned"))


def test_boards_are_drawn_with_the_last_move_framed(read, connect4):
    reader = read(connect4)
    reader.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    large = ".large svg"
    assert len(reader.all(f"{large} .hole")) == 42
    assert len(reader.all(f"{large} .disc.first")) == len(reader.all(f"{large} .emblem.first")) == 1
    assert len(reader.all(f"{large} .disc.second")) == len(reader.all(f"{large} .emblem.second")) == 1
    assert len(reader.all(f"{large} .fresh")) == 1
    reader.press("b")
    assert reader.all(".card svg") == []


def test_table_hits_are_told(read):
    found = explained("tictactoe", "alphabeta_bounds,depth=all", "a1 b2 c3 a3")
    reader = read(found)
    at = next(i for i, step in enumerate(found.walk.steps) if step.what == "look" and found.nodes[step.node].hit is not None)
    reader.browser.execute_script("go(arguments[0])", at)
    assert "Table hit: it is worth at" in reader.status
    assert "bound from an earlier search" in reader.text("#panel")


def test_what_was_learned_is_told_at_the_root_and_at_leaves(read):
    reader = read(explained("tictactoe", "td,games=30,depth=1", "b2 a1"))
    told = reader.text(".learned")
    assert told.startswith("Learned, for X (max): ")
    assert "1,000 times tanh of the sum of 8 lines" in told
    assert 3 <= len(reader.all(".learned tr")) <= 11
    reader.press(Keys.ARROW_RIGHT)
    assert reader.text(".learned").startswith("Learned, for O (min): ")


def test_light_and_dark(read, figure):
    reader = read(figure)
    paper = "return getComputedStyle(document.body).backgroundColor"
    before = reader.browser.execute_script(paper)
    reader.press("t")
    assert reader.browser.execute_script(paper) != before


def test_a_large_tree_has_only_what_is_in_sight_in_the_document(read):
    found = explained("tictactoe", "alphabeta,depth=all", "b2 a1")
    assert len(found.nodes) > 1000
    reader = read(found)
    reader.press(Keys.END, "u")
    unfolded = reader.browser.execute_script("return view.items.length")
    assert unfolded > 1000
    assert len(reader.all(".item")) < 200
    reader.browser.execute_script("view.box.scrollTo(0, 1e9)")
    reader.browser.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
    assert 0 < len(reader.all(".item")) < 200


@pytest.mark.parametrize(
    ("spec", "algorithm", "moves"),
    [
        ("tictactoe", "mtdf,depth=2", "b2 a1 c3 a3"),
        ("tictactoe", "proof_number", "a1 b2 c3 a3"),
        ("2048", "expectimax,depth=1", "a1=2"),
        ("chess", "quiescence,depth=1", "e4 d5"),
        ("nim", "pvs,depth=2", ""),
    ],
)
def test_every_step_of_every_kind_of_search_can_be_shown(read, spec, algorithm, moves):
    reader = read(explained(spec, algorithm, moves))
    each = "search.steps.map((step, t) => (go(t), document.querySelector('#status').textContent))"
    said = reader.browser.execute_script(f"return {each}")
    assert len(said) == len(set(said)) >= 10
    assert not any(word in text for text in said for word in ("undefined", "NaN", "null"))
