"""Read the documentation: list its pages, or print one.

plyground docs
plyground docs contract        everything that a game may define
"""

from __future__ import annotations

import argparse
from pathlib import Path

from plyground.cli import UsageError
from plyground.cli._terminal import columns, print_json
from plyground.errors import suggestion

HERE = Path(__file__).parents[1] / "docs"
"""The pages of an installed package; in a checkout they are beside `src`."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `plyground docs`."""
    parser.add_argument("page", metavar="PAGE", nargs="?", help="the page to print, such as contract (default: list all pages)")


def run(args: argparse.Namespace) -> int:
    """Print a page, or the list of pages."""
    found = pages()
    if args.page is None:
        titles = {name: path.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ") for name, path in found.items()}
        print_json({"pages": titles}) if args.json else print(columns([[name, title] for name, title in titles.items()]))
        return 0
    name = args.page.removesuffix(".md")
    if name not in found:
        close = suggestion(name, found)
        hint = f"did you mean {close}?" if close else f"the pages are {', '.join(found)}"
        raise UsageError(f"there is no page {args.page!r:.40}; {hint}")
    text = found[name].read_text(encoding="utf-8")
    print_json({"page": name, "text": text}) if args.json else print(text, end="")
    return 0


def pages() -> dict[str, Path]:
    """Return the file of each page by its name, without the Python reference, which is built from the code."""
    folder = HERE if HERE.is_dir() else HERE.parents[2] / "docs"
    return {path.stem: path for path in sorted(folder.glob("*.md")) if path.stem != "api"}
