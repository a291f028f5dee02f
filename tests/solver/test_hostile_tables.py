"""Tables that someone else has made: headers with other values under a right checksum are refused in one clean line."""

import json
import zlib

import pytest

from plyground.cli import main
from plyground.solver.tablebase.file import HEAD, MARK, VERSION

ESCAPES = "\x1b[2J\x1b]0;owned\x07\r\x9b31m\u202e\n"
VALUES = [
    None, True, -1, 0, 1, 2**31, 2**63, -(2**70), 1e308, 0.5, "", ESCAPES, "x" * 100_000, [], [1], [[1, 2]], [[[]]], {}, {"x": 1},
    [["states", "<u8", 1, 0]], [["more", "O", 1, 0]], [["more", "<u8", -1, 0]], [["more", "<u8", 1, -8]],
    [[60, 4], [8, 8], [1, 1]],
]  # fmt: skip


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A table of a small game, as its header and the rest."""
    path = tmp_path_factory.mktemp("tables") / "nim.ply"
    assert main(["solve", "nim(heaps=2, size=3)", "--table", str(path)]) == 0
    data = path.read_bytes()
    length = HEAD.unpack(data[: HEAD.size])[2]
    return json.loads(data[HEAD.size : HEAD.size + length]), data[HEAD.size + length :]


def forged(path, header, body):
    text = json.dumps(header).encode()
    path.write_bytes(HEAD.pack(MARK, VERSION, len(text), zlib.crc32(text)) + text + body)


def opened(path, capsys):
    """Opens a forged table in several commands; each answers or refuses in a clean line."""
    for words in (["solve", "nim(heaps=2, size=3)", "--table"], ["solve", "nim(heaps=2, size=3)", "--json", "--table"]):
        code = main([*words, str(path)])
        out, err = capsys.readouterr()
        assert code in (0, 2)
        assert all(c.isprintable() or c == "\n" for c in out + err), (out, err)
        if code == 2:
            assert err.splitlines()[-1].startswith("plyground: ")


def test_forged_headers_are_refused(table, tmp_path, capsys):
    header, body = table
    path = tmp_path / "forged.ply"
    for name in header:
        for value in VALUES:
            forged(path, {**header, name: value}, body)
            opened(path, capsys)
        forged(path, {key: value for key, value in header.items() if key != name}, body)
        opened(path, capsys)
    for whole in VALUES:
        forged(path, whole, body)
        opened(path, capsys)
