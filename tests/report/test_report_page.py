"""The page of a report: one file that shows everything, loads nothing, and fits a phone."""

import re
from xml.etree import ElementTree

import pytest
from studies import study

import here
from plyground.report.page import page

NEWCOMER = here.DATA / "newcomer"


@pytest.fixture(scope="module")
def twelve(tmp_path_factory):
    """The newcomer's game of the README."""
    readme = (here.ROOT / "README.md").read_text(encoding="utf-8")
    rules = re.search(r'```python\n("""Twelve.*?)```', readme, re.DOTALL)[1]
    board = re.search(r"```python\n(from plyground import Board\n.*?)```", readme, re.DOTALL)[1]
    path = tmp_path_factory.mktemp("twelve") / "twelve.py"
    path.write_text(f"{rules}\n{board}", encoding="utf-8")
    return study(str(path), games=4).findings()


def test_the_page_loads_nothing(twelve):
    html = page(twelve)
    assert "default-src 'none'" in html
    assert not re.search(r"<(link|img|iframe|script)|url\(|@import", html)
    assert set(re.findall(r"https?://[^\"]*", html)) == {"http://www.w3.org/2000/svg"}


def test_the_page_says_what_the_report_says(twelve):
    text = re.sub(r"<[^>]*>", " ", page(twelve))
    assert "With perfect play the game is a draw: proven." in text
    for strength in twelve.strengths:
        assert f"level {strength.level} against itself" in text
    assert "--games 4 --seed 1" in text


def test_every_plot_is_told_in_words(twelve):
    plots = re.findall(r'<svg[^>]*class="plot".*?</svg>', page(twelve), re.DOTALL)
    assert len(plots) >= 5
    for plot in plots:
        root = ElementTree.fromstring(plot)
        assert root[0].text
        assert root[1].text


def test_whatever_a_game_says_stays_text():
    findings = study(str(NEWCOMER / "relay.py"), games=2).findings()
    findings.game.title = findings.game.summary = "<script>alert(1)</script> & \x00"
    findings.sides = [row._replace(side=f"<b>{row.side}") for row in findings.sides]
    html = page(findings)
    assert "<script>" not in html
    assert "<b>" not in html


@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_opens_from_a_file_and_fits(twelve, browser, tmp_path, width):
    (tmp_path / "report.html").write_text(page(twelve), encoding="utf-8")
    browser.get_log("browser")
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        browser.get((tmp_path / "report.html").as_uri())
        assert [entry["message"] for entry in browser.get_log("browser")] == []
        assert browser.execute_script("return performance.getEntriesByType('resource').length") == 0
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width
        assert browser.execute_script(OUTSIDE, width) == []
        assert browser.execute_script("return document.querySelectorAll('.verdicts li').length") == len(twelve.verdicts)
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


OUTSIDE = """
const scrolls = (node) => node && (getComputedStyle(node).overflowX === "auto" || scrolls(node.parentElement));
return [...document.querySelectorAll("main *")]
  .filter((node) => node.getBoundingClientRect().right > arguments[0] + 1 && !scrolls(node.parentElement))
  .map((node) => node.outerHTML.slice(0, 80));
"""
