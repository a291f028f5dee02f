"""A person at a game's page in a real browser, opened from a file."""

import functools
import json
from urllib.parse import quote

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from plyground import load
from plyground.web import page
from plyground.web.facts import facts_of, row_text
from running import FOREVER

WATCH = """
Object.assign(window, { atWork: new Set(), due: new Set(), reports: 0, deaf: false });
const Plain = Worker;
window.Worker = class extends Plain {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", ({ data }) => {
      if ("found" in data || "error" in data) atWork.delete(this);
      if ("report" in data) reports++;
    });
  }
  postMessage(message) {
    if (message.ask) atWork.add(this);
    if (!message.stop || !deaf) super.postMessage(message);
  }
  terminate() {
    atWork.delete(this);
    super.terminate();
  }
};
const wait = setTimeout, forget = clearTimeout;
window.setTimeout = (act, pause) => {
  const timer = wait(() => (due.delete(timer), act()), pause);
  due.add(timer);
  return timer;
};
window.clearTimeout = (timer) => (due.delete(timer), forget(timer));
const reported = () => new Promise((go) => {
  const before = reports, look = () => (reports > before ? go() : wait(look, 5));
  look();
});
"""
"""Watches the engine of a page: `atWork` has each Worker that was asked and has neither answered nor been ended, `due` the timers
that run. `reported()` waits for the next report of a search. Workers do not hear that they should stop if they are `deaf`."""
RANDOM_GAME = """
const [seed, most, done] = [arguments[0], arguments[1], arguments[arguments.length - 1]];
let x = seed;
const pick = (all) => all[(x = (x * 1103515245 + 12345) % 2147483648) % all.length];
const later = (pause) => new Promise((go) => setTimeout(go, pause));
(async () => {
  for (let touches = 0; touches < most; touches++) {
    if (document.querySelector("#status.done")) break;
    const choice = document.querySelectorAll("#choice[open] .choices button");
    const open = choice.length ? choice : document.querySelectorAll(".cell.legal, #buttons button:not(:disabled)");
    if (open.length) pick([...open]).click();
    await later(open.length ? 0 : 2);
  }
  done();
})();
"""


def text_of(game, s):
    """A position as the page writes it: its words and their checksum, FNV-1a."""
    words, checksum = row_text(game, s), 0x811C9DC5
    for byte in f"{facts_of(game)['spec']} {words}".encode():
        checksum = (checksum ^ byte) * 0x01000193 & 0xFFFFFFFF
    return f"{words}-{checksum:08x}"


@functools.cache
def page_of(spec):
    """The page of a game, made once."""
    return page(load(spec))


class Player:
    """Opens the page of a game and plays there."""

    def __init__(self, browser, folder, game):
        self.browser, self.game = browser, game
        self.path = folder / "game.html"
        self.path.write_text(page_of(game.spec), encoding="utf-8")

    def open(self, hash="", state=None, fresh=True):
        """Opens the page, by default with nothing stored; without a hash, a person plays both sides."""
        start = "" if state is None else f"&start={text_of(self.game, self.game.parse_state(state))}"
        self.browser.get("about:blank")
        if fresh:
            self.browser.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": "file://", "storageTypes": "local_storage"})
        self.browser.get(f"{self.path.as_uri()}#{hash or 'play=both'}{start}")
        return self.wait()

    def wait(self):
        """Waits until the engine is ready."""
        self.browser.execute_async_script("const done = arguments[0]; plyground.ready.then(() => done())")
        return self

    def until(self, reached):
        """Waits until a function of this player gives something true, and returns it."""
        return WebDriverWait(self.browser, FOREVER, 0.02).until(lambda _: reached(self))

    # -- acting ----------------------------------------------------------------------------------------------------

    def find(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.find(selector).text

    def cell(self, name):
        """The button of a cell, given by its name or number."""
        board = self.game.board
        number = name if isinstance(name, int) else board.cell_names(0).index(name)
        return self.find(f'.cell[data-cell="{number}"]')

    def touch(self, *names):
        """Clicks cells one after the other, with a real pointer."""
        for name in names:
            ActionChains(self.browser, duration=0).move_to_element(self.cell(name)).click().perform()
        return self

    def drag(self, start, to):
        """Drags what lies on a cell to another."""
        hand = ActionChains(self.browser, duration=20)
        hand.click_and_hold(self.cell(start)).move_to_element(self.cell(to)).release().perform()
        return self

    def click(self, selector):
        self.find(selector).click()
        return self

    def press(self, *keys):
        """Presses keys wherever the keyboard's focus is."""
        ActionChains(self.browser, duration=0).send_keys(*keys).perform()
        return self

    def ask(self, script, *given):
        """What a script returns."""
        return self.browser.execute_script(f"return {script}", *given)

    def play(self, *names):
        """Plays moves through the page's interface."""
        for name in names:
            self.browser.execute_script("plyground.play(arguments[0])", name)
        return self

    def play_at_random(self, seed, touches=20_000):
        """Touches cells and buttons at random until the game is over."""
        self.browser.execute_async_script(RANDOM_GAME, seed, touches)
        return self

    # -- looking ---------------------------------------------------------------------------------------------------

    @property
    def status(self):
        return self.text("#status .message")

    @property
    def names(self):
        """The moves so far, as the list shows them."""
        return self.ask("[...document.querySelectorAll('#moves button')].map((button) => button.textContent)")

    @property
    def stored(self):
        """What the browser has stored of the game."""
        return json.loads(self.ask("localStorage.getItem(Object.keys(localStorage).find((key) => !key.endsWith('before')))"))

    @property
    def cells(self):
        """What lies on the cells, as their buttons say it."""
        return self.ask("[...document.querySelectorAll('.cell')].map((cell) => cell.ariaLabel)")

    def cells_with(self, mark):
        """The names of the cells that have a mark."""
        names = self.game.board.cell_names(0)
        found = self.ask("[...document.querySelectorAll(arguments[0])].map((cell) => Number(cell.dataset.cell))", f".cell.{mark}")
        return sorted(names[cell] for cell in found)


def moves_hash(*names):
    """The part of an address with these moves."""
    return "moves=" + ",".join(quote(name.replace(" ", "_"), safe="=") for name in names)
