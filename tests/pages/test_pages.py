"""Pages in one file: what is packed is written out again in the browser."""

from selenium.webdriver.support.ui import WebDriverWait

from plyground.pages import as_data, fill, pack_scripts
from running import FOREVER

TEMPLATE = "<!doctype html><meta charset='utf-8'><title>{{title}}</title>{{scripts}}"
SCRIPT = """
const { text } = JSON.parse(document.getElementById("data").textContent);
window.found = [text, document.getElementById("worker").textContent];
"""


def test_packed_scripts_run_in_their_order(browser, tmp_path):
    template, text = tmp_path / "template.html", "</script> — ♔ & <b>" * 500
    template.write_text(TEMPLATE, encoding="utf-8")
    scripts = pack_scripts(
        data=("application/json", as_data({"text": text})), worker=("text/plain", text), script=("module", SCRIPT)
    )
    page = fill(template, title="Packed", scripts=scripts)
    assert len(page) < 3000
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    browser.get((tmp_path / "page.html").as_uri())
    found = WebDriverWait(browser, FOREVER).until(lambda b: b.execute_script("return window.found"))
    assert found == [text, text]
