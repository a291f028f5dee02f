"""Pages in one file that load nothing: templates in one frame, filled in, with the look of base.css."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from plyground.pages.bundle import bundle

HERE = Path(__file__).parent
POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'"
"""Pages may load nothing and send nothing."""
UNPACK = bundle(HERE / "unpack.js")
SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


class PagePolicy(NamedTuple):
    """The scripts and styles of a page, as they stand between their tags: the browser runs these and no others."""

    scripts: tuple[str, ...] = ()
    styles: tuple[str, ...] = ()
    more: str = ""
    """Further directives of the content security policy."""

    @property
    def policy(self) -> str:
        """The page's content security policy."""
        scripts = [f"script-src {' '.join(map(_source, self.scripts))}"] if self.scripts else []
        return "; ".join([POLICY, *scripts, f"style-src {' '.join(map(_source, self.styles))}", *filter(None, [self.more])])


def _source(text: str) -> str:
    """Return a script or a style as a policy names it: by its hash, unless it is a keyword in quotes.

    >>> _source("'wasm-unsafe-eval'")[:20], _source("let x = 1;")[:20]
    ("'wasm-unsafe-eval'", "'sha256-qtc3jf64UXA5")
    """
    keyword = re.fullmatch(r"'[\w-]+'", text)
    return text if keyword else f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def style_of(styles: Sequence[Path]) -> str:
    """Return the style of a page, as it stands between its tags."""
    return "\n".join(["", *(file.read_text(encoding="utf-8") for file in (HERE / "base.css", *styles)), ""])


def assemble(body: Path, title: str, styles: Sequence[Path], allowed: PagePolicy | None = None, **parts: str) -> str:
    """Return a page, ready to be written to a file: its body, filled in, and its styles.

    Scripts run only if they stand in the template of the body or are `allowed`: what is filled in can't add any.
    """
    allowed = allowed or PagePolicy()
    style = style_of(styles)
    own = [text for text in SCRIPT.findall(body.read_text(encoding="utf-8")) if "{{" not in text]
    known = PagePolicy((*own, *allowed.scripts), (style, *allowed.styles), allowed.more)
    return fill(
        HERE / "frame.html",
        title=title,
        policy=known.policy,
        style=style,
        body=fill(body, title=title, **parts),
    )


def fill(template: Path, **parts: str) -> str:
    """Return the template with each `{{name}}` replaced."""
    return re.sub(r"\{\{(\w+)\}\}", lambda m: parts[m[1]], template.read_text(encoding="utf-8"))


def as_data(value: object) -> str:
    """Return a value as JSON that is safe inside a script element, whatever it contains.

    >>> as_data({"name": "</script>"})
    '{"name":"\\\\u003c/script\\\\u003e"}'
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("&", r"\u0026").replace("<", r"\u003c").replace(">", r"\u003e")


def pack(data: bytes) -> str:
    """Return bytes as text that a page unpacks: deflated, then base64."""
    squeeze = zlib.compressobj(9, wbits=-15)
    return base64.b64encode(squeeze.compress(data) + squeeze.flush()).decode()


def pack_scripts(**parts: tuple[str, str]) -> str:
    """Return script elements with these ids, each with its type and its text, that unpack themselves in this order.

    Scripts in the page see them as if they had been written out. The page shrinks to a third.
    """
    made = [
        f'<script type="text/plain" id="{name}" data-type="{kind}">{pack(text.encode())}</script>'
        for name, (kind, text) in parts.items()
    ]
    return "\n".join([*made, f"<script>{UNPACK}</script>"])
