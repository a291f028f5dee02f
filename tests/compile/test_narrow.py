"""Items of arrays of fewer than 64 bits: compiled rules give what interpreted ones give, or are refused with the line."""

import itertools

import pytest

from array_rules import ARRAYS, TYPES, after, interpreted_play, native_play
from plyground import GameError, load
from plyground.compile import fingerprint, narrow, wasm
from plyground.compile.native import Native
from plyground.compile.vocabulary import evaluate, likely, order, read_state

NUMBER = "items of this array have {} bits, and NumPy computes with as many; write int(...) around them"
IN_PLACE = "items of this array have {} bits, and NumPy computes with as many; write a[i] = int(a[i]) + x, not a[i] += x"
WHOLE = "items of this array have {} bits, and NumPy computes with as many; take them one by one, as int(a[i])"
MADE = "items of this array have {} bits, and NumPy refuses larger numbers; make it with np.zeros, then store its items"
STORE = "items of this array have {} bits; store ints, one by one"
CAST = "NumPy refuses numbers of more than {} bits here; write int(...)"

PLAY = """
def play(s, m):
    if s.at[0] >= 0: s.out[0] = u64(value(s, m))
class Pair(NamedTuple):
    x: int
    y: int
def item(array, i): return array[i]
def each(array):
    for x in array: yield x
def either(a, b): return a if a > b else b
def mixed(s, i): return s.f_int8[i] if i > 2 else i
def value(s, m):
    i, j = int(s.at[0]), int(s.at[1])
"""
REFUSED = {
    # arithmetic: fields and globals, every operator
    "return s.f_int8[i] + 1": NUMBER.format(8),
    "return 1 - T_uint8[i]": NUMBER.format(8),
    "return -s.f_int16[i]": NUMBER.format(16),
    "return ~T_uint16[i]": NUMBER.format(16),
    "return s.f_int32[i] * s.f_int32[j]": NUMBER.format(32),
    "return T_uint32[i] & 7": NUMBER.format(32),
    "return s.f_int8[i] << 1": NUMBER.format(8),
    "return 1 << s.f_uint8[i]": NUMBER.format(8),
    "return T_int8[i] >> j": NUMBER.format(8),
    "return s.f_int8[i] // 2": NUMBER.format(8),
    "return 7 % T_int8[i]": NUMBER.format(8),
    "return s.f_int8[i] ** 2": NUMBER.format(8),
    "return +s.f_int8[i]": NUMBER.format(8),
    "return s.f_uint8[i] ^ s.f_uint8[j]": NUMBER.format(8),
    "x = T_uint8[i]; return x - 1": NUMBER.format(8),
    "return s.f_int8[i] * 1.5 > 1": NUMBER.format(8),
    "s.f_int8[i] += 1; return 0": IN_PLACE.format(8),
    "s.f_uint8[i] -= T_uint8[j]; return 0": IN_PLACE.format(8),
    "s.f_int16[i] <<= j; return 0": NUMBER.format(16),
    "total = 0; total += s.f_int8[i]; return total": NUMBER.format(8),
    # functions
    "return abs(s.f_int8[i])": NUMBER.format(8),
    "return divmod(s.f_int8[i], 3)[0]": NUMBER.format(8),
    "return len(range(T_uint8[i]))": NUMBER.format(8),
    "return max(s.f_int8[i], 5)": NUMBER.format(8),
    "return max(s.f_int8[i], s.f_int16[i])": NUMBER.format(8),
    "return pow(T_int8[i], 2)": NUMBER.format(8),
    "return popcount(T_uint8[i])": NUMBER.format(8),
    "return lowest(s.f_int16[i])": NUMBER.format(16),
    "return int(np.abs(s.f_int8[i]))": NUMBER.format(8),
    "return s.f_int8[i].bit_length()": NUMBER.format(8),
    "return put((1, 2, 3), 0, s.f_int8[i])[0]": NUMBER.format(8),
    "return math.isqrt(T_uint8[i])": NUMBER.format(8),
    "return T_uint8[i].real": NUMBER.format(8),
    "return functools.reduce(lambda x, y: x * y, s.f_int8)": NUMBER.format(8),
    "return sum(T_int8)": WHOLE.format(8),
    "return sum(x for x in s.f_uint8)": NUMBER.format(8),
    "return sum(x * x for x in T_uint16)": NUMBER.format(16),
    "return math.prod(s.f_int8)": WHOLE.format(8),
    "return sum(each(T_int8))": NUMBER.format(8),
    # a narrow int becomes a wide one
    "return s.f_int8[i] if i > 2 else i": NUMBER.format(8),
    "return mixed(s, i)": NUMBER.format(8),
    "x = i\n    if j: x = T_int8[i]\n    return x * 2": NUMBER.format(8),
    "return (s.f_int8[i] or i) * 100": NUMBER.format(8),
    "return [s.f_int8[i], 5][0] * 2": NUMBER.format(8),
    "out = [5, 6]; out[0] = T_int8[i]; return out[0] * 2": NUMBER.format(8),
    "out = []\n    out.append(s.f_int8[i])\n    out.append(i)\n    return out[0] * 2": NUMBER.format(8),
    "out = [s.f_int8[i]]; out[0] = 300; return out[0]": NUMBER.format(8),
    "out = [s.f_int8[i]]; out.append(300); return out[1]": NUMBER.format(8),
    "out = [5]\n    out.extend(s.f_int8)\n    return out[1] * 2": WHOLE.format(8),
    "return either(s.f_int8[i], j)": NUMBER.format(8),
    "return {T_int8[i]: 1}[T_int8[i]]": NUMBER.format(8),
    "return len({T_int8[i], T_int8[j]})": NUMBER.format(8),
    "d = {1: 2}; d[1] = s.f_int8[i]; return d[1] * 2": NUMBER.format(8),
    "return [x for x in itertools.chain(T_int8, s.at)][0]": WHOLE.format(8),
    # whole arrays
    "return int((s.f_int8 + 1)[0])": WHOLE.format(8),
    "return int((-s.f_uint8)[0])": WHOLE.format(8),
    "return int(np.sum(T_uint8))": WHOLE.format(8),
    "return int(T_uint16.sum())": WHOLE.format(16),
    "return int(np.cumsum(T_uint8)[1])": WHOLE.format(8),
    "return int(s.f_int8.prod())": WHOLE.format(8),
    "s.f_int8 *= 2\n    return 0": WHOLE.format(8),
    "return int(np.max(T_uint8))": WHOLE.format(8),
    "return int(np.where(T_int8 > 1, T_int8, i)[0])": WHOLE.format(8),
    "s.f_int8.fill(i)\n    return 0": WHOLE.format(8),
    # what makes narrow ints
    "return int(np.int8(i))": CAST.format(8),
    "return int(np.array([i, j], np.uint8)[0])": MADE.format(8),
    "return int(np.full(3, i, np.int16)[0])": MADE.format(16),
    "return np.zeros(3, np.int8)[0] + 1": NUMBER.format(8),
    "return s.out.astype(np.int8)[0] + 1": NUMBER.format(8),
    # stores
    "s.f_int8[:2] = (i, j); return 0": STORE.format(8),
    "s.f_int8[:2] = [i, j]; return 0": STORE.format(8),
    "s.f_int8[i] = i / 2; return 0": STORE.format(8),
}
ALLOWED = [
    # comparisons and truth
    "s.f_int8[i] == T_uint8[j]",
    "s.f_int8[i] < 300",
    "T_int8[i] > -129",
    "s.f_uint32[i] >= s.f_int8[j]",
    "T_int8[i] != i",
    "T_int8[i] < s.f_uint64[j]",
    "s.f_int8[i] in (1, 127, 100)",
    "1 if s.f_int8[i] in T_int16 else 0",
    "not s.f_int8[i]",
    "1 if T_uint16[i] and s.f_uint16[j] else 2",
    "bool(T_uint8[i])",
    "(s.f_int8[i] or s.f_int8[j]) == 1",
    "(s.f_int8[i], i) == (T_int8[j], j)",
    "0 <= s.f_int8[i] < 9",
    "any(x == 1 for x in T_int8)",
    "all(s.f_int16)",
    "int((s.f_int8 == 1).sum())",
    "bool((s.f_int8 > T_int16).any())",
    "len([x for x in s.f_uint8 if x > 1])",
    # indices
    "int(s.f_int64[T_small[i]])",
    "(10, 20, 30, 40, 50)[T_small[i]]",
    "int(s.f_int8[T_small[i]])",
    "len(s.f_int8[T_small[i]:])",
    "[1, 2, 3, 4, 5][T_small[i]]",
    "RAGGED[T_small[i]][0]",
    "int(BOARD[T_small[0], T_small[1]])",
    "range(5)[T_small[i]]",
    "'abcde'[T_small[i]] == 'c'",
    # int, u64, float
    *(f"int({a}_{t}[i]) * 3 - int({a}_{t}[j])" for a in ("s.f", "T") for t in TYPES[:-1]),
    *(f"u64(T_{t}[i]) % 1000" for t in TYPES),
    "sum(int(x) for x in s.f_uint8)",
    "sum(map(int, T_int8))",
    "float(s.f_int16[i]) > 0.5",
    "abs(int(s.f_int8[i]))",
    "int(np.int64(T_int8[i]) * 3)",
    "[int(x) for x in T_int8][i] * 1000",
    "int(either(s.f_int8[i], T_int8[j])) * 9",
    "isinstance(int(T_int8[i]), int)",
    "~int(s.f_uint8[i])",
    "max(range(5), key=lambda k: int(T_int8[k]))",
    "int(np.zeros(3, np.int8)[0]) + 1",
    "int(s.out.astype(np.int8)[0]) - 1",
    # what keeps the type
    "int(item(s.f_int8, i))",
    "int((T_int8[i], i)[0])",
    "int([s.f_int8[i], s.f_int8[j]][1])",
    "int(Pair(s.f_int8[i], i).x)",
    "int(max(T_int8[i], T_int8[j]))",
    "int(min(s.f_uint8))",
    "int(max(T_uint8))",
    "int(sorted(s.f_int16)[0])",
    "int(next(x for x in T_int8 if x))",
    "int(list(s.f_int8)[i])",
    "sum(k * int(x) for k, x in enumerate(T_int8))",
    "sum(int(x) * int(y) for x, y in zip(s.f_int8, T_uint8))",
    "sum(int(x) for x in each(T_int8))",
    "int([x for x in reversed(s.f_int8)][i])",
    "sum(int(x) + int(y) for x, y in itertools.product(T_int8, s.f_int8))",
    "sum(int(x) for x in T_int8.flat)",
    "int(s.f_int8[1:][0])",
    "int(max(s.f_int8, key=int))",
    # whole arrays
    "int(s.f_int8.sum())",
    "len(T_int8)",
    "int(s.f_int8.argmax())",
    "int(s.f_int8.copy()[i])",
    "int(T_uint8.max())",
    "s.f_int8.size",
    "s.f_int8.shape[0]",
    "int(np.count_nonzero(s.f_int8))",
    "bool(np.array_equal(T_int8, s.f_int8))",
    "int(BOARD.reshape(4)[0])",
    "int(BOARD.ravel()[3])",
    "int(s.f_int8.astype(np.int64)[i]) * 9",
    "bool(s.f_int8.any())",
    "int(BOARD.T[0, 1])",
    "int(s.f_int8[s.f_int8 > 0][0])",
]
COPIES = (
    "{0}[i] = x",
    "{0}[i], {0}[j] = {0}[j], x",
    "{0}[1:3] = x",
    "{0}[j] = {0}[i] = x",
    "{0}[i]: int = x",
    "{0}[T_small[i]] = x",
)
STORES = (
    *COPIES,
    "{0}[i] = int({0}[i]) + x",
    "{0}[item(s.at, 0)] = x",
    "{0}[i] = int(T_{1}[j]) + 1",
    "{0}[i] = -int(T_{1}[j])",
    "{0}[-1] = x",
    "for k in range(3): {0}[k] = int({0}[i]) + k * x",
    "{0}[:] = {0}[::-1].copy()",
    "{0}[i] = x > 0",
    "{0}[i] = 7",
    "{0}[i] = u64(x)",
    *(f"{{0}}[i] = T_{t}[j]" for t in TYPES[:6]),
    "{0}[:] = T_int16",
    "{0}[i] = {0}[j]",
    "made = np.zeros(3, np.{1}); made[0] = x; {0}[i] = made[0]",
)


def source(count, *lines):
    """The text of a game with these lines as the end of its rules."""
    extra = (
        "import functools, itertools, math",
        "from plyground.bits import lowest, popcount, put",
        "RAGGED = ((1, 2), (3,), (4,), (5,), (6,))",
        "T_small = np.array([0, 1, 2, 3, 4], np.uint8)",
        "BOARD = np.array([[1, 2], [3, 4]], np.int8)",
    )
    return "\n".join([ARRAYS.format(count=count), *extra, *lines, ""])


@pytest.mark.parametrize("text", REFUSED)
def test_refused_with_the_line(tmp_path, text):
    whole = source(1, PLAY, f"    {text}")
    (tmp_path / "narrow.py").write_text(whole)
    with pytest.raises(GameError) as e:
        native_play(load(str(tmp_path / "narrow.py")))
    assert str(e.value).endswith(f"can't be compiled: {REFUSED[text]}")
    number = int(str(e.value).partition("narrow.py:")[2].partition(":")[0])
    assert whole.splitlines()[number - 1].strip()[:100] in str(e.value)
    shown = whole.splitlines()[number - 1]
    assert shown.strip() in text or (shown.startswith("def mixed") and "mixed" in text) or "either" in shown


def test_allowed_uses_give_the_same(tmp_path):
    lines = [f"    if m == {m}: return {text}" for m, text in enumerate(ALLOWED)]
    (tmp_path / "allowed.py").write_text(source(len(ALLOWED), PLAY, *lines, "    return 0"))
    game = load(str(tmp_path / "allowed.py"))
    plain, native = interpreted_play(game), native_play(game)
    for m, text in enumerate(ALLOWED):
        for i, j in itertools.product(range(5), range(5)):
            s = game.start()
            s.at[:] = [i, j, 0]
            assert (plain(s, m) == native(s, m)).all(), (text, i, j)


GIVES = {
    "def order(s, m): return s.f_int8[m]": "def order(s, m)",
    "def evaluate(s): return T_uint16[0]": "def evaluate(s)",
    "def likely(s):\n    for x in T_small: yield x": "def likely(s)",
    "def likely(s): return [x for x in T_small]": "def likely(s)",
}


def all_rules(address, m):
    """Entry: an estimate, a hint and the likely moves."""
    s = read_state(address)
    found = order(s, m) + evaluate(s)
    for x in likely(s):
        found += x
    return found


@pytest.mark.parametrize("text", GIVES)
def test_rules_that_give_narrow_ints_to_the_engine_are_refused(tmp_path, text):
    (tmp_path / "gives.py").write_text(source(1, "def play(s, m): pass", text))
    with pytest.raises(
        GameError, match=r"gives\.py:\d+: `.*it returns items of an array of (8|16) bits, and NumPy computes"
    ) as e:
        Native(load(str(tmp_path / "gives.py"))).bind(all_rules, "int64(uint64, int64)")
    assert f"`{GIVES[text]}" in str(e.value)


def test_what_was_compiled_for_our_own_games_is_not_taken_for_rules_of_a_user(tmp_path, monkeypatch):
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path / "cache"))
    (tmp_path / "game.py").write_text(source(1, PLAY, "    return s.f_int8[i] + 1"))
    with monkeypatch.context() as ours:
        for module in (narrow, fingerprint):
            ours.setattr(module, "in_rules", lambda file: False)
        native_play(load(str(tmp_path / "game.py")))
    with pytest.raises(GameError, match="items of this array have 8 bits"):
        native_play(load(str(tmp_path / "game.py")))


def test_webassembly_is_refused_too(tmp_path):
    (tmp_path / "page.py").write_text(source(1, PLAY, "    return s.f_int8[i] + 1"))
    with pytest.raises(GameError, match=r"page\.py:\d+: `return s\.f_int8\[i\] \+ 1` can't be compiled: items of this array"):
        wasm.module(load(str(tmp_path / "page.py")), {"after": (after, "int64(uint64, int64, uint64)")})


def test_stores_that_do_not_fit_raise(tmp_path):
    cases = [(name, text) for name in TYPES[:6] for text in STORES]
    lines = [f"    if m == {m}:\n        {text.format(f's.f_{name}', name)}" for m, (name, text) in enumerate(cases)]
    play = (
        "def item(array, i): return array[i]\n"
        "def play(s, m):\n    i, j, x = int(s.at[0]), int(s.at[1]), int(s.at[2])\n    if i < 0: return"
    )
    (tmp_path / "stores.py").write_text(source(len(cases), play, *lines))
    game = load(str(tmp_path / "stores.py"))
    plain, native, raised = interpreted_play(game), native_play(game), 0
    for m, case in enumerate(cases):
        for i, j in itertools.product(range(5), [0, 1, 3]):
            for x in (0, 1, -1, 27, 28, 127, 128, 255, 256, -128, -129, 40_000, 1 << 31, 1 << 40):
                s = game.start()
                s.at[:] = [i, j, x]
                expected, found = plain(s, m), native(s, m)
                assert (expected is None) == (found is None), (case, s)
                assert expected is None or (expected == found).all(), (case, s)
                raised += expected is None
    assert raised > 1000
    s = game.start()
    s.at[:] = [0, 0, 128]
    row = game.layout.row(s)
    with pytest.raises(
        GameError, match=r"OverflowError: an item of this array must be between -128 and 127; `plyground check` finds"
    ):
        Native(game).bind(after, "int64(uint64, int64, uint64)")(row.ctypes.data, 0, row.ctypes.data)
