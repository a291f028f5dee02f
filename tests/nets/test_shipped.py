"""The nets that come with the games: for their games, small, and with a record of how they were made."""

from here import DOCS
from plyground import load
from plyground.nets import file_format
from plyground.nets.net_evaluation import SHIPPED, file_name
from plyground.rules.load import builtin_games

LARGEST, ALL = 8_000_000, 16_000_000
"""In bytes: one of them, and all together."""


def test_nets_that_come_with_the_games_are_small_and_theirs():
    text = (DOCS / "nets.md").read_text(encoding="utf-8")
    files = sorted(SHIPPED.glob("*")) if SHIPPED.is_dir() else []
    games = {file_name(load(name)): load(name) for name in builtin_games()}
    assert {path.name for path in files} <= set(games)
    assert sum(path.stat().st_size for path in files) <= ALL
    for path in files:
        net = file_format.load(path, games[path.name])
        assert path.stat().st_size <= LARGEST
        assert {"seed", "games", "seconds", "version"} <= set(net.record)
        assert net.record["finished"]
        assert f"| {file_format.checksum(path)[:8]} |" in text, "run `python benchmarks/run.py shipped`"
