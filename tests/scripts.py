"""A page with a game's facts and module and some of the scripts, whose exports are global there: no board, no buttons."""

from plyground.pages import as_data, pack
from plyground.pages.bundle import bundle, read
from plyground.web import PARTS
from plyground.web.facts import facts_of
from plyground.web.kernels import module

PAGE = """<!doctype html><meta charset="utf-8">
<script type="application/json" id="data">{data}</script>
<script type="module">
{script}
Object.assign(window, {{ {names} }});
const facts = JSON.parse(document.getElementById("data").textContent);
Object.assign(window, {{ facts, compiled: await readModule(facts.module) }});
window.begun = true;
</script>"""


class Scripts:
    """A page with some of the scripts in a browser."""

    def __init__(self, browser, folder):
        self.browser, self.folder = browser, folder

    def open(self, game, *names, kernels=(), net=None, given=False):
        """Opens the page: `facts`, `compiled` (the module) and all exports of these scripts are global.

        With `kernels`, only these are compiled; with a `net`, it judges, exact searches only if `given`.
        """
        files = [PARTS / name for name in ("module.js", *names)]
        page = PAGE.format(
            data=as_data(facts_of(game, net=net, given=given) | {"module": pack(module(game, *kernels, net=net))}),
            script=bundle(*files),
            names=", ".join(name for file in files for name in sorted(read(file).exports)),
        )
        (self.folder / "scripts.html").write_text(page, encoding="utf-8")
        self.browser.get((self.folder / "scripts.html").as_uri())
        self.run("while (!window.begun) await new Promise((go) => setTimeout(go, 5));")
        return self

    def here(self):
        """Is this page the one in the browser?"""
        return self.browser.current_url == (self.folder / "scripts.html").as_uri()

    def run(self, body, *given):
        """What an async function with this body returns, with `given` as its arguments; its error is raised."""
        answer = self.browser.execute_async_script(
            f"const done = arguments[arguments.length - 1], given = [...arguments].slice(0, -1);"
            f"(async () => {{ {body} }})().then((x) => done({{ value: x }}), (e) => done({{ error: e.message }}));",
            *given,
        )
        if "error" in answer:
            raise ScriptError(answer["error"])
        return answer["value"]


class ScriptError(Exception):
    """What a script throws."""
