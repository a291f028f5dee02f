"""Analysis, graph and review in a real browser, from a file."""

import re

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from plyground import Engine, Limit, load
from plyground.play import words
from running import FOREVER

BADGES = "Object.fromEntries([...document.querySelectorAll('.badge')].map((b) => [b.parentNode.dataset.cell, b.textContent]))"
HIDE = """
Object.defineProperty(document, "hidden", { configurable: true, get: () => arguments[0] });
document.dispatchEvent(new Event("visibilitychange"));
"""


def click(page, selector):
    """Clicks what may have to be scrolled to."""
    page.browser.execute_script("arguments[0].scrollIntoView({ block: 'center' })", page.find(selector))
    return page.click(selector)


def found(page):
    """Has the search ended by itself?"""
    return "complete" in page.text("#effort")


def nodes(page):
    """The nodes of the search that is shown; 0 if there is none."""
    told = page.text("#effort")
    return int(told.split(" · ")[1].split()[0].replace(",", "")) if told else 0


def at_rest(page):
    """Waits until no Worker is at work, the page says so, and nothing is due any more; is it still so then?"""
    page.until(lambda p: p.text("#analysis-go") == "Go on" and p.ask("atWork.size + due.size") == 0)
    return page.text("#analysis-go") == "Go on" and page.ask("atWork.size") == 0


# -- the search ----------------------------------------------------------------------------------------------------------------


def test_analysis_is_off_until_asked_for_and_stops(watched):
    page = watched("connect4")
    assert not page.find("#analysis-body").is_displayed()
    assert not page.find("#bar").is_displayed()
    page.press("l").until(lambda p: len(p.all("#lines li")) == 3 and len(p.all(".badge")) == 7)
    assert page.text("#verdict").startswith(("+", "−", "Even"))
    assert page.find("#bar").get_attribute("aria-label").startswith("Winning chance: ")
    seen = nodes(page)
    page.until(lambda p: nodes(p) > seen)
    assert page.ask("atWork.size") == 1
    page.click("#analysis-go")
    assert at_rest(page)
    page.click("#analysis-go").until(lambda p: p.text("#analysis-go") == "Stop")
    page.press("l").until(lambda p: not p.find("#analysis-body").is_displayed() and p.ask("atWork.size") == 0)
    assert page.ask(BADGES) == {}


def test_analysis_stops_in_a_hidden_tab_and_follows_the_game(watched):
    page = watched("connect4").press("l").until(lambda p: p.all(".badge") and p)
    page.browser.execute_script(HIDE, True)
    assert at_rest(page)
    page.browser.execute_script(HIDE, False)
    page.until(lambda p: p.text("#analysis-go") == "Stop")
    page.play("4")
    told = page.until(lambda p: re.fullmatch(r"1\. 4: (.*) \(depth \d+\)", p.find(".graph").get_attribute("aria-valuetext")))
    assert told[1] == "even" or told[1].endswith(" for O")


def label(score):
    """The value of a move in a position that is solved."""
    return words.short(score) if score else words.value(0)


def test_every_move_has_the_value_that_python_finds(at):
    page, game = at("tictactoe").press("l"), load("tictactoe")
    for moves in ((), ("b2", "a2"), ("a1", "b2", "c3", "a3", "c1")):
        if moves:
            page.browser.execute_script("plyground.load(arguments[0])", ", ".join(moves))
        s = game.start()
        for name in moves:
            s = game.play(s, game.parse_move(s, name))
        told = Engine(game, perfect=False).analyse(s, Limit(time=FOREVER), lines=0)
        assert told.exact_moves == set(game.legal(s))
        page.until(lambda p, s=s: found(p) and len(p.all(".badge")) == len(game.legal(s)))
        assert page.ask(BADGES) == {str(game.touch(s, m)[0]): label(score) for m, score in told.moves}


# -- lines -----------------------------------------------------------------------------------------------------------------------


def test_a_line_is_clicked_into_and_left_again(at):
    page = at("tictactoe").play("b2", "a2").press("l").until(lambda p: found(p) and p)
    before, state = page.names, page.ask("plyground.state()")
    line = [button.text for button in page.all("#lines li:first-child button")]
    assert len(line) > 2
    page.all("#lines li:first-child button")[1].click()
    page.until(lambda p: p.find("#exploring").is_displayed())
    assert page.names[:4] == [*before, *line[:2]]
    assert page.ask("plyground.moves().length") == 5
    page.press(Keys.ARROW_RIGHT)
    assert page.ask("plyground.moves().length") == 4
    assert len(page.stored["moves"]) == 2  # what is tried out is not kept
    click(page, "#explored").until(lambda p: not p.find("#exploring").is_displayed())
    assert (page.names, page.ask("plyground.state()")) == (before, state)
    page.find("#analysis-lines").send_keys("5")
    page.until(lambda p: len(p.all("#lines li")) == 5)
    page.click("#analysis-values").until(lambda p: not p.all(".badge"))


# -- graph -----------------------------------------------------------------------------------------------------------------------


def test_the_graph_jumps(at):
    page = at("tictactoe").play("b2", "a2", "a1", "c3").press("l").until(lambda p: found(p) and p)
    graph = page.find(".graph")
    ActionChains(page.browser).move_to_element_with_offset(graph, 8 - graph.size["width"] // 2, 0).click().perform()
    page.until(lambda p: p.text("#count") == "0 of 4")
    graph.send_keys(Keys.ARROW_RIGHT)
    page.until(lambda p: graph.get_attribute("aria-valuetext") == "1. b2: O draws (proven)")
    assert (page.text("#count"), graph.get_attribute("aria-valuenow")) == ("1 of 4", "1")
    graph.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_LEFT)  # faster than the screen is drawn
    page.until(lambda p: p.text("#count") == "2 of 4")
    graph.send_keys(Keys.END)
    page.until(lambda p: p.text("#count") == "4 of 4")
    click(page, "#graph summary")
    page.until(lambda p: len(p.all("#graph tbody tr")) == 5)
    assert page.text("#graph tbody tr:nth-child(2)") == "1 b2 O draws (proven)"


# -- review ----------------------------------------------------------------------------------------------------------------------


def reviewed(page):
    """The game, reviewed as fast as the page allows."""
    page.press("l").until(lambda p: p.find("#review-time").is_displayed())
    page.find("#review-time").send_keys("0.2")
    click(page, "#review-go").until(lambda p: p.text("#review-go") == "Review" and "searched" in p.text("#review-status"))
    return page


def test_a_blunder_in_tictactoe_is_found_and_retried(at):
    page = reviewed(at("tictactoe").play("b2", "a2", "a1", "c3", "b1", "b3", "c1"))
    assert page.names == ["b2", "a2 ??", "a1", "c3", "b1", "b3", "c1"]
    click(page, "#mistake-next").until(lambda p: p.text(".mistake-title") == "?? 2. a2: blunder by O")
    assert page.text("#count") == "1 of 7"
    played, best, chance = page.text("#mistake dl").split("\n")[1::2]
    assert (played, best[2:], chance) == ("a2, loss in 6", ", draw", "50 % → 0 %")
    click(page, "#retry").until(lambda p: "find a better move" in p.text("#retry-status"))
    assert page.ask(BADGES) == {}
    page.touch("a2").until(lambda p: p.text("#retry-status").startswith("✗ That is the move of the game"))
    click(page, "#retry").until(lambda p: "find a better move" in p.text("#retry-status"))
    page.touch("b1").until(lambda p: p.text("#retry-status").startswith("✗ b1, loss in 6: still a blunder"))
    click(page, "#retry").until(lambda p: "find a better move" in p.text("#retry-status"))
    page.touch("a1").until(lambda p: p.text("#retry-status") == "✓ a1, draw: nothing is better.")
    click(page, "#explored").until(lambda p: p.text("#count") == "1 of 7")


def test_mistakes_in_connect4_one_after_the_other(at):
    page = reviewed(at("connect4").play("1", "7", "1", "7", "1", "7", "2", "6", "1"))
    assert page.names[5:] == ["7 ??", "2 ??", "6 ??", "1"]
    title = lambda p: p.text(".mistake-title")  # noqa: E731
    page.press("M").until(lambda p: title(p) == "?? 8. 6: blunder by O")
    assert page.text("#mistake dl").split("\n")[1::2] == ["6, loss in 2", "7, win in 1", "100 % → 0 %"]
    page.press("M").until(lambda p: title(p) == "?? 7. 2: blunder by X")
    page.press("M").until(lambda p: title(p) == "?? 6. 7: blunder by O")
    page.press("m", "m").until(lambda p: title(p) == "?? 8. 6: blunder by O")
    click(page, "#show-best").until(lambda p: p.names[7:] == ["7"])


def test_a_review_can_be_stopped_and_moves_go_on(at):
    page = at("connect4").play(*"4444433333").press("l").until(lambda p: p.find("#review-time").is_displayed() and p)
    page.find("#review-time").send_keys("5")
    click(page, "#review-go").until(lambda p: p.text("#review-status") == "0 of 10 positions")
    click(page, "#review-go").until(lambda p: p.text("#review-go") == "Review" and p.text("#analysis-go") == "Stop")


@pytest.mark.long
def test_one_who_plays_alone_has_points_instead_of_chances(at):
    page = at("2048", "seed=3")
    for _ in range(4):
        page.until(lambda p: p.ask("document.querySelectorAll('#buttons button:not(:disabled)').length") > 0)
        page.click("#buttons button:not(:disabled)")
    page.until(lambda p: p.ask("document.querySelectorAll('#buttons button:not(:disabled)').length") > 0)
    reviewed(page)
    assert not page.find("#bar").is_displayed()
    assert page.text("#review-status").startswith("4 of 4 moves searched.")
    told = (
        "[...document.querySelectorAll('#buttons button:not(:disabled)')].map((button) => button.dataset.value ?? '').join(' ')"
    )
    page.until(lambda p: re.fullmatch(r"\+\d+( \+\d+)*", p.ask(told)))
    heights = page.ask("[...document.querySelectorAll('.graph circle')].map((circle) => circle.getAttribute('cy'))")
    assert len(set(heights)) > 1
