"""Nets in files: what was saved is read; anything else is refused in one line."""

import contextlib
import hashlib
import json
import random
import tracemalloc
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from here import DATA
from plyground import PlygroundError, load
from plyground.compile.net_structure import EVALUATION
from plyground.nets import file_format as files
from plyground.nets.features import Features
from plyground.nets.file_format import HEAD, MARK, VERSION, save
from plyground.nets.net import LoadedNet
from random_nets import random_net


@pytest.fixture(params=["mapped", "packed"])
def saved(tmp_path, request):
    """The file of a net for Connect 4 on a small board."""
    spec = "connect4(rows=4, cols=5)"
    net = random_net(spec)
    net.weights[::3] = 0
    net.record = {"games": 100, "seed": 1}
    save(tmp_path / "small.net", load(spec), net, packed=request.param == "packed")
    return tmp_path / "small.net", load(spec), net


def forged(path, header, weights=None):
    """Writes the file again with another header and the right checksum."""
    data = path.read_bytes()
    _, _, packed, _, begin, _ = HEAD.unpack(data[: HEAD.size])
    weights = data[begin:] if weights is None else weights
    text = json.dumps(header).encode()
    begin = -(-(HEAD.size + len(text)) // HEAD.size) * HEAD.size
    rest = text + bytes(begin - HEAD.size - len(text)) + weights
    digest = hashlib.blake2b(rest, digest_size=32).digest()
    path.write_bytes(HEAD.pack(MARK, VERSION, packed, len(text), begin, digest) + rest)


def header_of(path):
    data = path.read_bytes()
    return json.loads(data[HEAD.size : HEAD.size + HEAD.unpack(data[: HEAD.size])[3]])


def test_what_was_saved_is_read(saved):
    path, game, net = saved
    read = files.load(path, game)
    assert read.features == net.features
    assert np.array_equal(read.weights, net.weights)
    assert (read.scale, read.curved, read.record) == (net.scale, net.curved, net.record)
    assert isinstance(read.stored, np.memmap) == (HEAD.unpack(path.read_bytes()[: HEAD.size])[2] == 0)
    assert read.name == f"small.net {files.checksum(path)[:8]}"
    assert LoadedNet(read).blocks[0].weights == read.weights.ctypes.data


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("othello", r"this net is for connect4\(rows=4, cols=5\), not for othello"),
        ("connect4", r"this net is for connect4\(rows=4, cols=5\), not for connect4"),
    ],
)
def test_a_net_for_another_game_is_refused(saved, spec, why):
    with pytest.raises(PlygroundError, match=why):
        files.load(saved[0], load(spec))


def test_another_version_and_no_net_at_all_are_refused(saved):
    path, game, _ = saved
    data = path.read_bytes()
    path.write_bytes(data[:8] + b"\7" + data[9:])
    with pytest.raises(PlygroundError, match="version 7; this program reads version 1"):
        files.load(path, game)
    path.write_bytes(b"hello")
    with pytest.raises(PlygroundError, match="not a net"):
        files.load(path, game)
    with pytest.raises(PlygroundError, match="cannot be read"):
        files.load(path.with_name("missing.net"), game)
    with pytest.raises(PlygroundError, match="cannot be read"):
        files.load(path.parent, game)


def test_every_damage_is_noticed(saved):
    path, game, _ = saved
    data, dice = path.read_bytes(), random.Random(1)
    for _ in range(150):
        bad = bytearray(data)
        at = dice.randrange(12, len(data)) if dice.random() < 0.5 else dice.randrange(16, 2000)
        bad[at] ^= 1 << dice.randrange(8)
        path.write_bytes(bad if dice.random() < 0.8 else data[: dice.randrange(len(data))])
        with pytest.raises(PlygroundError, match=r"damaged|not a net") as e:
            files.load(path, game)
        assert "\n" not in str(e.value)


def leaves(x, way=()):
    """The way to each number and text in a header."""
    items = x.items() if isinstance(x, dict) else enumerate(x) if isinstance(x, list) else ()
    return [leaf for key, value in items for leaf in leaves(value, (*way, key))] if isinstance(x, dict | list) else [way]


def test_a_forged_header_never_leads_outside_of_memory(saved):
    """Whatever is changed in the header, with the right checksum and hash: refused, or a net that fits its own memory."""
    path, game, _ = saved
    header, dice, refused = header_of(path), random.Random(2), 0
    ways = [way for way in leaves(header) if way[0] != "record"]
    for _ in range(60):
        forgery = json.loads(json.dumps(header))
        *outer, last = dice.choice(ways)
        place = forgery
        for key in outer:
            place = place[key]
        place[last] = dice.choice([-1, 0, 1, 7, 64, 10**6, 2**40, 2**70, "x", None, [], {}, 1.5])
        with_hash(forgery)
        forged(path, forgery)
        try:
            net = files.load(path, game)
        except PlygroundError as e:
            refused += 1
            assert "\n" not in str(e)
        else:
            inside(net, game)
    assert refused > 30


def with_hash(header):
    """Makes the hash right, as a careful forger would."""
    with contextlib.suppress(ValueError, KeyError, TypeError, IndexError, AttributeError, OverflowError):
        header["hash"] = Features.from_json(header["features"]).hash


def inside(net, game):
    """Are all numbers of weights, and all rows of tables, within the net?"""
    seen, structure = net.features, net.features.structure
    tables = LoadedNet(net).tables
    assert len(tables) == structure.tables * sum(structure.rows)
    assert len(seen.lanes) < structure.lanes
    assert structure.bits == 16
    assert structure.size * (seen.sets - 1) + max(structure.offsets) + (1 << 16) <= len(net.stored)


TAKE = (DATA / "rules" / "take.py").read_text(encoding="utf-8")


def test_a_net_that_adds_to_another_evaluation_is_refused(tmp_path):
    """With hidden units a net is what the rules' `evaluate` misses: it is worth nothing once that has changed."""
    rules, path = tmp_path / "take.py", tmp_path / "x.net"
    rules.write_text(TAKE, encoding="utf-8")
    game = load(str(rules))
    save(path, game, random_net(str(rules)))
    assert files.load(path, game).features.base == EVALUATION
    header = header_of(path)
    rules.write_text(TAKE.replace("s.left % 4", "s.left % 5"), encoding="utf-8")
    with pytest.raises(PlygroundError, match="this net adds to `evaluate`; that or the rules have changed since"):
        files.load(path, load(str(rules)))
    rules.write_text(TAKE, encoding="utf-8")
    for wrong in ([], ["x"] * len(header["evaluations"]), [[1.0]], "text", [10**400] * len(header["evaluations"])):
        forged(path, header | {"evaluations": wrong})
        with pytest.raises(PlygroundError, match="have changed"):
            files.load(path, load(str(rules)))
    del header["evaluations"]
    forged(path, header)
    files.load(path, load(str(rules)))


# -- packed -----------------------------------------------------------------------------------------------------------------


@given(st.lists(st.integers(-(2**15), 2**15 - 1) | st.just(0), max_size=60), st.integers(0, 5))
def test_what_was_packed_is_unpacked(values, spare):
    weights = np.array(values, np.int16)
    data, used = files.pack_weights(weights)
    assert used == np.count_nonzero(weights)
    assert np.array_equal(files.unpack_weights(data, len(values), used, spare), np.append(weights, np.zeros(spare, np.int16)))


def test_packed_weights_of_another_length_are_refused():
    """A small file must not make us take up more memory than its header says, nor read beyond its end."""
    weights = np.arange(100, dtype=np.int16)
    data, used = files.pack_weights(weights)
    bomb = zlib.compress(bytes(10**8), 9)
    wrong = [(data, 99, used), (data, 100, used - 1), (data, 110, used), (data[:-1], 100, used)]
    wrong += [
        (data + b"x", 100, used),
        (b"", 100, used),
        (bomb, 100, used),
        (data, files.MAX_WEIGHTS + 1, used),
        (data, 100, -1),
    ]
    wrong += [(zlib.compress(bytes(13 + 2 * used)), 100, used)]  # the right length, but no bit is set
    wrong += [(zlib.compress(b"\xff\xf0" + b"\1\0"), 12, 1)]
    for case in wrong:
        with pytest.raises(ValueError, match=r"."):
            files.unpack_weights(*case, 0)
    tracemalloc.start()
    with pytest.raises(ValueError, match="another length"):
        files.unpack_weights(bomb, 100, used, 0)
    assert tracemalloc.get_traced_memory()[1] < 10**6
    tracemalloc.stop()


def test_rounding_off_changes_little_and_packs_better():
    weights = np.array([-32768, -32767, -12, -5, -4, 0, 3, 4, 5, 12, 32767], np.int16)
    assert files.round_to_multiples(weights).tolist() == [-32768, -32768, -16, -8, 0, 0, 0, 0, 8, 16, 32760]
    assert files.round_to_multiples(weights, 1).tolist() == weights.tolist()


def test_a_large_net_is_unpacked_once(monkeypatch, tmp_path):
    monkeypatch.setattr(files, "copies_of_nets", lambda: tmp_path / "copies")
    monkeypatch.setattr(files, "LARGE_NET", 10)
    weights = np.arange(-50, 50, dtype=np.int16)
    data, used = files.pack_weights(weights)
    whole = np.append(weights, np.zeros(3, np.int16))
    for _ in range(2):
        found = files.unpack_cached("a", data, 100, used, 3)
        assert isinstance(found, np.memmap)
        assert np.array_equal(found, whole)
    assert np.array_equal(files.unpack_cached("a", b"not needed", 100, used, 3), whole)
    kept = tmp_path / "copies" / "a.weights"
    right = kept.read_bytes()
    for wrong in (right[:-1] + b"x", right[:-2], b"", b"x" * len(right)):  # damaged in the cache: unpacked again
        kept.write_bytes(wrong)
        assert np.array_equal(files.unpack_cached("a", data, 100, used, 3), whole)
        assert kept.read_bytes() == right


def test_a_cache_that_cannot_be_written_is_not_needed(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(files, "copies_of_nets", lambda: tmp_path / "file" / "copies")
    monkeypatch.setattr(files, "LARGE_NET", 10)
    data, used = files.pack_weights(np.arange(100, dtype=np.int16))
    assert files.unpack_cached("a", data, 100, used, 0)[99] == 99
