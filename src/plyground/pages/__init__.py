"""Pages in one file that load nothing: templates in one frame, filled in, with the look of base.css."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""What a page may do if it says nothing else: show itself."""


def whole(body: Path, title: str, styles: Sequence[Path], policy: str = "", **parts: str) -> str:
    """A page, ready to be written to a file: its body, filled in, and its styles; `policy` is what else it may do."""
    return filled(
        HERE / "frame.html",
        title=title,
        policy="; ".join(filter(None, (POLICY, policy))),
        style="\n".join(file.read_text(encoding="utf-8") for file in (HERE / "base.css", *styles)),
        body=filled(body, title=title, **parts),
    )


def filled(template: Path, **parts: str) -> str:
    """The template with each `{{name}}` replaced."""
    return re.sub(r"\{\{(\w+)\}\}", lambda m: parts[m[1]], template.read_text(encoding="utf-8"))


def as_data(value: Any) -> str:
    """A value as JSON that is safe inside a script element, whatever it contains.

    >>> as_data({"name": "</script>"})
    '{"name":"\\\\u003c/script\\\\u003e"}'
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("&", r"\u0026").replace("<", r"\u003c").replace(">", r"\u003e")


def packed(data: bytes) -> str:
    """Bytes as text that a page unpacks: deflated, then base64."""
    squeeze = zlib.compressobj(9, wbits=-15)
    return base64.b64encode(squeeze.compress(data) + squeeze.flush()).decode()


def packed_scripts(**parts: tuple[str, str]) -> str:
    """Script elements with these ids, each with its type and its text, that unpack themselves in this order.

    Scripts in the page see them as if they had been written out. The page becomes a third as large.
    """
    made = [
        f'<script type="text/plain" id="{name}" data-type="{kind}">{packed(text.encode())}</script>'
        for name, (kind, text) in parts.items()
    ]
    return "\n".join([*made, f"<script>\n{(HERE / 'unpack.js').read_text(encoding='utf-8')}</script>"])
