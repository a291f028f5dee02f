"""A database that someone else has written: whatever its columns hold, each command answers or refuses in one clean line."""

import json
import random
import sqlite3

import pytest

from plyground.arena.sources import collect
from plyground.cli import main
from plyground.records.database import SCHEMA
from plyground.records.rows import GameRow
from plyground.records.store import Records
from plyground.system.codec import encode

ESCAPES = "\x1b[2J\x1b]0;owned\x07\r\x9b31m\u202e\x7f\n\u2028x"
DEEP = "[" * 100_000
VALUES = [
    None, b"", b"\xff\x00\x1b[2J", 0, 1, -1, 7, 2**63 - 1, -(2**63), 0.5, 1.5, -0.0, float("inf"), 1e300,
    "", "x", ESCAPES, "x" * 300_000, "2026-01-01", "0001-01-01T00:00:00", "9999-12-31T23:59:59.9-12:00", "9" * 5000,
    "[]", "{}", "null", "1", '"x"', "[1]", "[null]", "[[]]", "[true, false]", "[NaN]", "[-Infinity]", "[1e999]", "[1e300]",
    f"[{'9' * 4000}]", f"[{'9' * 5000}]", DEEP, '{"a":' * 100_000, '["', "[1, 2, 3, 4, 5, 6, 7, 8, 9]", '{"x": 1}',
    '{"": {"": []}}',
    json.dumps([ESCAPES, ESCAPES]), json.dumps([ESCAPES]), json.dumps({ESCAPES: ESCAPES}), json.dumps(["x" * 300_000, "y"]),
    json.dumps(["a1", None]), json.dumps([[], {}]),
    json.dumps({"nets": {ESCAPES: {"checksum": ESCAPES}}, "programs": {ESCAPES: [ESCAPES]}}),
    json.dumps({"nets": 3, "programs": 4, "game": 5, "files": 6, "usual": 7, "version": 8, "code": 9}),
    json.dumps({"nets": {"x": 1}, "programs": {"x": 1}, "game": [], "version": None, "code": []}),
    json.dumps({"forfeit": {"player": 9, "text": ESCAPES, "stderr": ESCAPES}, "nets": [ESCAPES, 1], "engines": [1, ESCAPES]}),
    json.dumps({"forfeit": {"player": [], "text": {}, "stderr": []}, "nets": 1, "engines": {}, "clock": 1, "ending": 1}),
    json.dumps({"forfeit": [], "clock": {"left": [ESCAPES], "increment": None}, "ending": ["time", 9], "notes": {"tables": 1}}),
    json.dumps({"games": -1, "limit": ESCAPES, "sprt": {"elo0": "x"}, "openings": 3, ESCAPES: ESCAPES}),
    json.dumps({"match": 1, "pair": 0, "players": [ESCAPES, 1], "start": 5, "opening": 7, "seed": "x"}),
    "gomoku(size=100000000)", "tictactoe(rows=3000, cols=3000, k=5)", "chess(", "nim(heaps=1000000)", "../../etc/passwd.py",
    "othello",
    "chess", "gomoku", "checkers", "play", "arena",
]  # fmt: skip
MATCH = ("id", "kind", "game", "players", "settings", "setup", "seed", "version", "started", "ended")
GAME = tuple(name for name in GameRow._fields if name not in ("kind", "game"))
PLACES = [
    *(("matches", name) for name in MATCH),
    *(("games", name) for name in GAME),
    ("jobs", "match"), ("jobs", "pair"), ("jobs", "job"),
]  # fmt: skip
COMMANDS = [
    ["list"], ["list", "--json"], ["list", "--unfinished", "--game", "tictactoe"], ["list", "1"], ["list", "1", "--json"],
    ["show", "1"],
    ["show", "1", "--json"], ["show", "1.0.0"], ["show", "1.0.0", "--json"], ["show", "1.0.1"], ["export", "1"],
    *(["export", "1", "--format", form] for form in ("pgn", "pdn", "sgf", "ggf")),
]  # fmt: skip
RESUME = ["arena", "--resume", "1", "--workers", "1"]
GAMES = {"tictactoe": ["b2", "a1"], "chess": ["e4", "e5"], "checkers": ["11-15"], "gomoku": ["h8", "h9"], "othello": ["d3", "c3"]}


def hostile_database(path, table, column, value, game="tictactoe", kind="arena"):
    """A database whose tables take any type, with this value in one column of every row."""
    row = {"seed": 1, "players": ["random", "random"], "moves": GAMES[game], "result": 0.5, "points": 0, "reason": "length"}
    with Records(path) as records:
        setup = None if kind == "play" else encode(collect(game, ["random"]))
        match = records.new_match(kind, game, ["random", "random"], {"games": 2}, setup, seed=1)
        records.schedule(match, [{"pair": 0}])
        records.add_pair(match, {"pair": 0, "games": [{"side": side, **row} for side in (0, 1)]})
    with sqlite3.connect(path) as open_file:
        ask = open_file.execute
        kept = {name: ask(f"SELECT * FROM {name}").fetchall() for name in ("matches", "jobs", "games")}
        for name in ("games", "jobs", "matches"):
            ask(f"DROP TABLE {name}")
        loose = SCHEMA.replace("STRICT, WITHOUT ROWID", "").replace("STRICT", "")
        for word in (" NOT NULL", " INTEGER", " TEXT", " REAL", "PRIMARY KEY AUTOINCREMENT"):
            loose = loose.replace(word, "")
        open_file.executescript(loose)
        for name, rows in kept.items():
            for old in rows:
                ask(f"INSERT INTO {name} VALUES ({', '.join('?' * len(old))})", old)
        ask(f"UPDATE OR IGNORE {table} SET {column} = ?", (value,))
    open_file.close()


def refuse_dirt(text, what):
    dirt = [c for c in set(text) if not c.isprintable() and c != "\n"]
    assert not dirt, (what, dirt)


def try_one(path, words, capsys):
    """Runs one command; its output must be clean, and an error one line."""
    code = main([*words, "--records", str(path)])
    out, err = capsys.readouterr()
    refuse_dirt(out + err, words)
    assert code in (0, 2), (words, out, err)
    if code == 2:
        assert err.splitlines()[-1].startswith("plyground: "), (words, err)
    if "--json" in words and code == 0:
        json.loads(out)


def try_all(path, commands, capsys):
    for words in commands:
        try_one(path, words, capsys)


def cases(count, seed):
    """At most `count` triples of a place, a value and a game."""
    everything = [(place, number) for place in PLACES for number in range(len(VALUES))]
    chosen = random.Random(seed).sample(everything, min(count, len(everything)))
    return [(place, VALUES[number]) for place, number in chosen]


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long)])
def test_hostile_values_are_shown_clean_or_refused(tmp_path, capsys, seed):
    source = random.Random(seed)
    for number, ((table, column), value) in enumerate(cases(120 if seed == 1 else 10**6, seed)):
        path = tmp_path / f"{number}.db"
        game, kind = source.choice(list(GAMES)), source.choice(["arena", "arena", "play"])
        hostile_database(path, table, column, value, game, kind)
        try_all(path, [["record", *words] for words in COMMANDS], capsys)
        path.unlink()


@pytest.mark.parametrize("seed", [3, pytest.param(4, marks=pytest.mark.long)])
def test_a_match_of_hostile_values_is_refused_or_resumed(tmp_path, capsys, monkeypatch, seed):
    monkeypatch.setattr("plyground.cli.arena._play", lambda args, contest: False)  # to play takes long, and is tested elsewhere
    for number, ((table, column), value) in enumerate(cases(60 if seed == 3 else 10**6, seed)):
        path = tmp_path / f"{number}.db"
        hostile_database(path, table, column, value)
        try_one(path, RESUME, capsys)
        path.unlink()
