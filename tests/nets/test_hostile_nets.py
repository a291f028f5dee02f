"""Nets that someone else has made: headers with other values under a right checksum are refused, or shown clean."""

import hashlib
import json

import pytest

from plyground import load
from plyground.cli import main
from plyground.nets.file_format import HEAD, MARK, VERSION, save
from random_nets import random_net

ESCAPES = "\x1b[2J\x1b]0;owned\x07\r\x9b31m\u202e\n"
VALUES = [
    None, True, -1, 0, 1, 2**31, 2**63, 10**4000, 1e308, float("inf"), float("nan"), "", "7", ESCAPES, "x" * 100_000,
    [], [1], [[1, 2]], {}, {"x": ESCAPES},
]  # fmt: skip


@pytest.fixture(scope="module")
def net(tmp_path_factory):
    path = tmp_path_factory.mktemp("nets") / "nim.net"
    made = random_net("tictactoe")
    made.record = {"games": 5, "seconds": 3.5, "seed": 1, "finished": False}
    save(path, load("tictactoe"), made)
    data = path.read_bytes()
    _, _, _, length, begin, _ = HEAD.unpack(data[: HEAD.size])
    return json.loads(data[HEAD.size : HEAD.size + length]), data[begin:]


def forged(path, header, body):
    text = json.dumps(header).encode()
    begin = -(-(HEAD.size + len(text)) // 64) * 64
    rest = text + bytes(begin - HEAD.size - len(text)) + body
    path.write_bytes(HEAD.pack(MARK, VERSION, 0, len(text), begin, hashlib.blake2b(rest, digest_size=32).digest()) + rest)


def shown(path, capsys):
    codes = []
    for words in (["net", "tictactoe", "--evaluate"], ["net", "tictactoe", "--json", "--evaluate"]):
        codes.append(main([*words, str(path)]))
        out, err = capsys.readouterr()
        assert all(c.isprintable() or c == "\n" for c in out + err), (out, err)
        assert codes[-1] == 0 or err.startswith("plyground: ")
    return codes


def test_forged_headers_are_refused_or_shown_clean(net, tmp_path, capsys):
    header, body = net
    path = tmp_path / "forged.net"
    forged(path, header, body)
    assert shown(path, capsys) == [0, 0]
    for name in header:
        for value in VALUES:
            forged(path, {**header, name: value}, body)
            shown(path, capsys)
    for part in ("features", "record"):
        for name in header[part]:
            for value in VALUES:
                forged(path, {**header, part: {**header[part], name: value}}, body)
                shown(path, capsys)
