"""Measures and writes every table in the README and docs/, in one run on one machine.

    python benchmarks/run.py                    everything but the parts marked * below
    python benchmarks/run.py peers threads      only these
    python benchmarks/run.py sets --data FOLDER the parts marked + need the public Connect 4 test sets

Install the peers first: `pip install -e '.[bench]'`. To include Pascal Pons' Connect 4 solver, set the environment variable
PONS_SOLVER to the path of the program.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import arena
import boards
import browser
import contract
import engine
import nets
import rules
import signature
import solver
import start
import textbook
import train
from pages import fill

ROOT = Path(__file__).parents[1]


class Options(NamedTuple):
    """The options from the command line."""

    data: Path | None
    each: int


class Part(NamedTuple):
    """One thing to measure: how, the pages whose table it writes, and when it is skipped."""

    measure: Callable[[Options], str]
    pages: Sequence[str]
    mark: str
    slow: bool = False
    data: bool = False


def _sets(options: Options) -> Path:
    assert options.data is not None
    return options.data


TABLES = {
    "games": Part(lambda o: rules.games(), ["README.md"], "games"),
    "rules": Part(lambda o: rules.rules(), ["README.md"], "bench:rules"),
    "peers": Part(lambda o: engine.peers(), ["README.md"], "bench:peers"),
    "start": Part(lambda o: start.start(), ["README.md"], "bench:start"),
    "techniques": Part(lambda o: engine.techniques(), ["docs/engine.md"], "bench:techniques"),
    "threads": Part(lambda o: engine.threads(), ["docs/engine.md"], "bench:threads"),
    "deadlines": Part(lambda o: engine.deadlines(), ["docs/engine.md"], "bench:deadlines"),
    "arena": Part(lambda o: arena.workers(), ["docs/arena.md"], "bench:arena"),
    "nets": Part(lambda o: nets.nets(), ["docs/nets.md"], "bench:nets", slow=True),
    "shipped": Part(lambda o: nets.shipped_nets(), ["docs/nets.md"], "bench:shipped"),
    "train": Part(lambda o: train.train(), ["docs/train.md"], "bench:train", slow=True),
    "browser": Part(lambda o: browser.browser(), ["docs/web.md"], "bench:browser", slow=True),
    "connect4": Part(lambda o: solver.connect4(_sets(o), o.each), ["docs/solver.md"], "bench:connect4", data=True),
    "othello": Part(lambda o: solver.othello(), ["docs/solver.md"], "bench:othello"),
    "kalah": Part(lambda o: solver.kalah(), ["docs/solver.md"], "bench:kalah"),
    "empty": Part(lambda o: solver.empty(), ["docs/solver.md", "README.md"], "bench:empty", slow=True),
    "sets": Part(lambda o: solver.sets(_sets(o)), ["docs/solver.md"], "bench:sets", slow=True, data=True),
    "answers": Part(lambda o: solver.answers(o.each), ["docs/solver.md"], "bench:answers", slow=True),
}
"""The tables by name."""

FILES = {"boards": boards.write, "contract": contract.write, "signature": signature.write, "textbook": textbook.write}
"""Parts that write their own files."""


def run(name: str, options: Options) -> None:
    """Measure one part and write its table into the pages."""
    print(f"-- {name}", file=sys.stderr, flush=True)
    if name in FILES:
        FILES[name]()
        return
    part = TABLES[name]
    text = part.measure(options)
    print(text, end="\n\n", flush=True)
    for page in part.pages:
        file = ROOT / page
        file.write_text(fill(file.read_text(encoding="utf-8"), part.mark, text), encoding="utf-8")


def parts_to_run(names: Sequence[str], options: Options) -> list[str]:
    """Return the parts to run: those named, or all that are not slow and whose data is available."""
    if names:
        return list(names)
    return [*FILES, *(name for name, part in TABLES.items() if not part.slow and (options.data or not part.data))]


def main(argv: Sequence[str] | None = None) -> None:
    """Measure the named parts, or all."""
    listed = [*FILES, *(name + "*" * part.slow + "+" * part.data for name, part in TABLES.items())]
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=f"parts: {', '.join(listed)}", formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", metavar="PART", nargs="*", help="what to measure (default: everything not marked *)")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="the folder with connect4/Test_L1_R1 and the other sets")
    parser.add_argument("--each", type=int, default=20, metavar="N", help="positions for each number of stones (default: 20)")
    args = parser.parse_args(argv)
    options = Options(args.data, args.each)
    for name in args.parts:
        if name not in TABLES and name not in FILES:
            parser.error(f"there is no part {name!r}; parts: {', '.join(listed)}")
        if name in TABLES and TABLES[name].data and options.data is None:
            parser.error(f"{name} needs --data FOLDER")
    names = parts_to_run(args.parts, options)
    for name in names:
        run(name, options)
    if not args.parts and options.data is None:
        print("skipped, need --data: " + ", ".join(n for n, p in TABLES.items() if p.data and not p.slow), file=sys.stderr)


if __name__ == "__main__":
    main()
