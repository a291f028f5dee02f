"""The page of a game: its parts, and that it plays."""

import re

from selenium.webdriver.common.by import By

from plyground import load
from plyground.web import page


def test_the_page_loads_nothing():
    html = page(load("connect4"))
    assert "default-src 'none'" in html
    assert not re.search(r"<(link|img|iframe|script[^>]*src)", html)
    assert re.findall(r"https?://(?!www\.w3\.org/)", html) == []


def test_a_game_is_played_by_clicks(browser, tmp_path):
    (tmp_path / "nim.html").write_text(page(load("nim")), encoding="utf-8")
    browser.get((tmp_path / "nim.html").as_uri())
    browser.get_log("browser")
    plies = 0
    while buttons := browser.find_elements(By.CSS_SELECTOR, "#moves button"):
        buttons[0].click()
        plies += 1
    assert plies == 12
    assert "over" in browser.find_element(By.ID, "status").text
    assert browser.get_log("browser") == []
