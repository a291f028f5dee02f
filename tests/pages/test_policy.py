"""Escaping is not the only barrier: pages run their own scripts and styles, known by their hashes, and nothing else."""

import functools
import itertools
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from selenium.webdriver.support.ui import WebDriverWait

from plyground import load
from plyground.arena import tables
from plyground.arena.tally import Tally
from plyground.explain import page as explain_page
from plyground.explain import tree_svg
from plyground.report import page as report_page
from plyground.textbook.compare import plot
from plyground.web import index
from plyground.web import page as web_page
from running import FOREVER

sys.path += [str(Path(__file__).parents[1] / name) for name in ("explain", "report")]
from searches import explained
from studies import study

SCRIPT = "<script>window.owned = 1</script>"
HOSTILE = (
    f"{SCRIPT}<img src=x onerror='window.owned = 1'><style>h1 {{ color: rgb(1, 2, 3) }}</style>"
    '<b onclick="owned = 1" style="color: rgb(1, 2, 3)">x</b>\'"></script>${window.owned = 1}{{data}}'
)
RULES = '''"""{hostile}: a game {hostile}"""

from typing import NamedTuple

SIDES = ({side!r}, "b" + {side!r})


class State(NamedTuple):
    left: int = 4


def start():
    return State()


def moves(s):
    yield from range(1, min(s.left, 2) + 1)


def play(s, m):
    return State(s.left - m)


def result(s):
    return -1 if s.left == 0 else None


def show(s):
    return {side!r} + str(s.left)


def format_move(s, m):
    return {side!r} + str(m)


def parse_move(s, text):
    return int(text[-1])
'''
BOARD_RULES = '''"""{hostile}: a game {hostile}"""

from typing import NamedTuple

from plyground import Board

SIDES = ({side!r}, "b" + {side!r})
NAMES = tuple(str(i) + {side!r} for i in range(4))
BOARD = Board({shape}, pieces=(({side!r},), ("b" + {side!r},)), names=NAMES, buttons={{4: {side!r}}})


class State(NamedTuple):
    cells: tuple[int, ...] = (0,) * 4
    turn: int = 0
    passed: int = 0


def start():
    return State()


def moves(s):
    for m in range(4):
        if s.cells[m] == 0:
            yield m
    if not s.passed:
        yield 4


def play(s, m):
    cells = tuple((s.turn + 1 if i == m else s.cells[i]) for i in range(4))
    return State(cells, 1 - s.turn, s.passed + (m == 4))


def turn(s):
    return s.turn


def result(s):
    if s.cells[0] == s.cells[3] and s.cells[0] != 0:
        return 1 if s.cells[0] == s.turn + 1 else -1
    for i in range(4):
        if s.cells[i] == 0:
            return None
    return 0


def cells(s):
    yield from s.cells


def touch(s, m):
    if m < 4:
        yield m
'''
SHAPES = {"squares": '"squares", 2, 2', "free": '"free", at=((0, 0), (1, 0), (0, 1), (1, 1)), lines=((0, 1),)'}
LISTEN = """
window.violations = [];
addEventListener("securitypolicyviolation", (e) => window.violations.push(`${e.violatedDirective} ${e.blockedURI} ${e.sample}`));
"""
INJECT = """
const [markup] = arguments;
document.body.insertAdjacentHTML("beforeend", markup + `<p id="styled" style="color: rgb(1, 2, 3)" onclick="owned = 1">x</p>`);
for (const [name, text] of [["script", "window.owned = 1"], ["style", "#styled { color: rgb(1, 2, 3) }"]]) {
  document.body.append(Object.assign(document.createElement(name), { textContent: text }));
}
const module = document.createElement("script");
Object.assign(module, { type: "module", textContent: "window.owned = 1" });
document.body.append(module);
const styled = document.getElementById("styled");
styled.click();
return getComputedStyle(styled).color;
"""
PAGES = ("web", "explain", "report", "index", "web squares", "explain squares", "report squares", "index squares", "web free")
PICTURES = ("tree", "tree squares", "board squares", "board free", "match", "ratings", "nodes")


def written(folder, text, shape=""):
    """The file of a game whose every text is this one; with a shape, it has a board."""
    file = folder / f"heap{shape}.py"
    hostile = text.encode("unicode_escape").decode()
    rules = BOARD_RULES if shape else RULES
    file.write_text(rules.format(hostile=hostile, side=text, shape=SHAPES.get(shape)), encoding="utf-8")
    return str(file)


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The pages of games whose every text is an attack, each made when it is asked for."""
    folder = tmp_path_factory.mktemp("hostile")

    @functools.cache
    def made(name):
        kind, _, shape = name.partition(" ")
        rules = written(folder, HOSTILE, shape)
        if kind == "web":
            return web_page(load(rules))
        if kind == "explain":
            return explain_page.page(explained(rules, "alphabeta,depth=3"))
        return report_page.page(study(rules, games=2).findings()) if kind == "report" else index({"heap.html": load(rules)})

    return made


def picture(name, rules, text):
    """A picture as a file, with this text wherever a text can be."""
    kind = name.partition(" ")[0]
    if kind == "tree":
        return tree_svg.picture(explained(rules, "alphabeta,depth=2"))
    if kind == "board":
        game = load(rules)
        return game.draw(game.play(game.start(), 1)).svg
    if kind == "nodes":
        return plot({text: [(1, 3), (2, 9)], f"b{text}": [(1, 3), (2, 5)]}, load(rules).title)
    names = [text, f"b{text}", f"c{text}"]
    if kind == "match":
        return tables.elo_plot(names, [0, 1, 2, 3, 4]).file()
    return tables.ratings_plot(names, dict.fromkeys(itertools.combinations(range(3), 2), Tally(9, 2, 7, [1, 2, 3, 2, 1]))).file()


@pytest.fixture
def opened(browser, tmp_path):
    """Opens a page that notes what its policy refuses."""
    listening = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": LISTEN})

    def open_page(text, name="page.html"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        browser.get("about:blank")
        browser.get((tmp_path / name).as_uri())
        return browser

    yield open_page
    browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", listening)


def loaded(browser, name):
    """Waits until everything on a page has run."""
    if name.startswith("web"):
        browser.execute_async_script("const done = arguments[0]; plyground.ready.then(() => done())")
    if name.startswith("explain"):
        WebDriverWait(browser, FOREVER).until(
            lambda b: b.execute_script("return document.querySelectorAll('#tree .heads span').length")
        )


@pytest.mark.parametrize("name", PAGES)
def test_no_page_allows_inline_scripts_as_such(pages, name):
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', pages(name))[:1]
    assert "unsafe-inline" not in policy
    assert "'unsafe-eval'" not in policy
    assert policy.startswith("default-src 'none'; base-uri 'none'; form-action 'none'")
    body = pages(name).partition("<body>")[2].partition('id="data"')[0]
    assert not re.search(r"<[^>]* style=", body)


@pytest.mark.parametrize("name", PAGES)
def test_hostile_names_do_nothing_and_the_page_works(pages, opened, name):
    browser = opened(pages(name))
    loaded(browser, name)
    if name.startswith("web"):
        browser.execute_async_script("const done = arguments[0]; plyground.think({ depth: 4 }).then(() => done())")
        browser.execute_script("document.getElementById('look-open').click()")
        WebDriverWait(browser, FOREVER).until(
            lambda b: b.execute_script(
                "const frame = document.querySelector('#look-dialog iframe');"
                "return frame.contentDocument?.querySelectorAll('#tree .heads span').length"
            )
        )
        inside = "document.querySelector('#look-dialog iframe').contentWindow"
        assert browser.execute_script(f"return [{inside}.violations, {inside}.owned ?? null]") == [[], None]
    assert browser.execute_script("return [window.violations, window.owned ?? null]") == [[], None]
    assert browser.execute_script("return getComputedStyle(document.querySelector('h1')).color") != "rgb(1, 2, 3)"


@pytest.mark.parametrize("name", PAGES)
def test_what_gets_into_a_page_is_not_run(pages, opened, name):
    """Both ways: markup that was not escape when the page was made, and markup that its scripts put in later."""
    browser = opened(re.sub(r"(?=</main>)", lambda m: HOSTILE.partition("</script>$")[0] + SCRIPT, pages(name), count=1))
    loaded(browser, name)
    assert browser.execute_script("return [window.violations.length > 1, window.owned ?? null]") == [True, None]
    assert browser.execute_script(INJECT, HOSTILE) != "rgb(1, 2, 3)"
    browser.execute_async_script("setTimeout(arguments[0], 0)")
    assert browser.execute_script("return window.owned ?? null") is None


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_has_no_scripts_whatever_its_texts(tmp_path, opened, name):
    """A picture has no policy of its own: here escaping is the only barrier."""
    browser = opened(picture(name, written(tmp_path, HOSTILE, name.partition(" ")[2]), HOSTILE), "picture.svg")
    assert browser.execute_script("return [window.violations, window.owned ?? null]") == [[], None]
    strange = (
        "[...document.querySelectorAll('*')].filter((e) => !e.namespaceURI.endsWith('svg') || e.localName === 'script').length"
    )
    handlers = (
        "[...document.querySelectorAll('*')].flatMap((e) => [...e.attributes]).filter((a) => /^on|href/.test(a.name)).length"
    )
    assert browser.execute_script(f"return [document.documentElement.localName, {strange}, {handlers}]") == ["svg", 0, 0]


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_whole_whatever_its_texts(tmp_path, name):
    text = "\x01\x08\x0c\x1b[2J\ufffe\udc80&<]]>"
    ElementTree.fromstring(picture(name, written(tmp_path, text, name.partition(" ")[2]), text))
