"""What `make docs` does beyond mkdocs: pages that stand outside docs/, and doctests as code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from markdown import Markdown
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parent
OUTSIDE = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "CONTRIBUTING.md",
    "CHANGELOG.md": "CHANGELOG.md",
    "SECURITY.md": "SECURITY.md",
}
"""Files next to docs/, and their names on the site."""
BEFORE_FENCES = 100


def on_config(config: Any) -> Any:
    """Make doctests in docstrings code."""
    config.markdown_extensions.append(Doctests())
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the pages from outside docs/."""
    for name, page in OUTSIDE.items():
        text = (ROOT / name).read_text(encoding="utf-8").replace("](docs/", "](")
        files.append(File.generated(config, page, content=text))
    return files


def on_page_markdown(markdown: str, **rest: Any) -> str:
    """Point links to those pages to where they are on the site."""
    return re.sub(r"\]\((?:\.\./)?(README|CONTRIBUTING|CHANGELOG|SECURITY)\.md", lambda m: f"]({OUTSIDE[m[1] + '.md']}", markdown)


class Doctests(Extension):
    """Lines from `>>>` to the next blank one are code; Markdown alone takes them for quotations."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 (Markdown asks for this name)
        """Fence them before fences are read."""
        md.preprocessors.register(_Fence(md), "doctests", BEFORE_FENCES)


class _Fence(Preprocessor):
    def run(self, lines: list[str]) -> list[str]:
        return list(fenced(lines))


def fenced(lines: list[str]) -> Iterator[str]:
    """Yield the lines with a fence around each doctest that has none."""
    in_code = in_doctest = False
    for line in [*lines, ""]:
        if not in_doctest and line.lstrip().startswith("```"):
            in_code = not in_code
        if not in_code and not in_doctest and line.startswith(">>> "):
            in_doctest = True
            yield from ("", "```pycon")
        elif in_doctest and not line.strip():
            in_doctest = False
            yield "```"
        yield line
