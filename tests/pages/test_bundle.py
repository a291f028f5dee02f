"""Modules are put into one script, or refused in one line."""

import pytest

from plyground.pages.bundle import BundleError, bundle, declarations
from plyground.web import PARTS

UNKNOWN = "is not an import or export that can be bundled"


@pytest.fixture
def files(tmp_path):
    """Writes modules; gives the path of the first."""

    def write(**texts):
        for name, text in texts.items():
            (tmp_path / f"{name}.js").write_text(text, encoding="utf-8")
        return tmp_path / f"{next(iter(texts))}.js"

    return write


def test_modules_come_after_those_they_import(files):
    entry = files(
        page='import { a } from "./a.js";\nimport {\n  b,\n  C,\n} from "./b.js";\na(b, C);\n',
        a='import { b } from "./b.js";\nexport async function a() { return b; }\n',
        b="export const b = 1;\nexport class C {}\n",
    )
    script = bundle(entry)
    order = [
        *('"use strict";', "// b.js", "const b = 1;", "class C {}"),
        *("// a.js", "async function a() { return b; }", "// page.js", "a(b, C);"),
    ]
    assert [line for line in script.splitlines() if line] == order


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        ({"page": 'import { a } from "./a.js";\n', "a": 'import { b } from "./b.js";\n', "b": 'import { a } from "./a.js";\n'},
         "modules import each other: a.js -> b.js -> a.js"),
        ({"page": 'import { a } from "./a.js";\nconst x = 1, y = 2;\n', "a": "export const a = 0;\nfunction y() {}\n"},
         "page.js and a.js both declare y"),
        ({"page": "let x = 1;\nfunction x() {}\n"}, "page.js declares x twice"),
        ({"page": 'import { a } from "./gone.js";\n'}, "page.js imports gone.js, which does not exist"),
        ({"page": 'import { a, c } from "./a.js";\n', "a": "export const a = 0;\nconst c = 1;\n"},
         "page.js imports c, which a.js does not export"),
        ({"page": 'import { a as b } from "./a.js";\n', "a": "export const a = 0;\n"}, "page.js renames what it imports"),
        ({"page": 'import a from "./a.js";\n'}, f"page.js: 'import a from \"\";' {UNKNOWN}"),
        ({"page": "export default 1;\n"}, f"page.js: 'export default 1;' {UNKNOWN}"),
        ({"page": "export { x };\n"}, f"page.js: 'export {{ x }};' {UNKNOWN}"),
        ({"page": "export let x = 1;\n"}, f"page.js: 'export let x = 1;' {UNKNOWN}"),
        ({"page": 'const x = await import("./a.js");\n'},
         f"page.js: 'import(\"\");' {UNKNOWN}"),
        ({"page": 'const x = "</script>";\n'}, "page.js: '</script' would end the script"),
    ],
)  # fmt: skip
def test_what_is_refused(files, texts, told):
    with pytest.raises(BundleError) as e:
        bundle(files(**texts))
    assert str(e.value) == told


def test_which_names_a_module_declares():
    text = """
const a = 1, b = { x: 1, y: [2, 3] }, c = f(1, 2);
const { d, e: f } = g;
const [h, i] = [1, 2];
let j, $ = 1; // a comment, it is no name
export const k = (x, y) => {
  const inner = 1;
  return x + y;
};
const l = `const m = 1,
n = 2`, o = /"/g;
async function p() {
  let q = 1;
}
function* r() {}
export class S extends Object {}
// const t = 1;
const u = [
  1,
  2,
];
"""
    names = ["p", "r", "S", "a", "b", "c", "d", "f", "h", "i", "j", "$", "k", "l", "o", "u"]
    assert [name for _, name in declarations(text)] == names
    assert [name for exported, name in declarations(text) if exported] == ["S", "k"]


def test_the_pages_own_scripts():
    script = bundle(PARTS / "page.js")
    assert "import {" not in script
    assert "export " not in script


def test_only_comments_on_lines_of_their_own_are_left_out(files):
    code = "/** @type {any} */ (window).foo();\nconst a = /** @type {any} */ (b);\n/** c\n * d */\nconst e = 1; /** f */\n"
    kept = code.replace("/** c\n * d */\n", "")
    assert bundle(files(page=code + "  /** g */  \n// h\ne();\n")).endswith(f"// page.js\n{kept}e();\n")
