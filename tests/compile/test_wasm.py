"""Kernels as WebAssembly, in a real browser: they search the very tree that native code does."""

import base64
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from here import DATA
from plyground import GameError, load
from plyground.compile import shortcuts, wasm
from plyground.compile import wasm_binary as binary
from plyground.compile.native import Native
from plyground.engine import ScoreScale, option_bits
from plyground.kernels.search import chance_node, node
from plyground.kernels.search.search_memory import SearchMemory
from plyground.kernels.search.transposition_table import TranspositionTable
from plyground.kernels.tools import perft as perft_kernels
from plyground.measure import perft
from positions import walk

DEPTHS = {"nim": 6}
LONG = {
    "tictactoe": 6,
    "connect4": 6,
    "kalah": 5,
    "2048": 2,
    "backgammon": 1,
    "gomoku": 2,
    "othello": 5,
    "checkers": 6,
    "draughts": 5,
    "chess": 4,
}
LISTS = str(DATA / "rules" / "wasm_lists.py")
MB = 1 << 20
# Where things lie in the browser's memory. The module's own data lies below, and the stack grows downwards onto it.
STACK, HEAP, OUT, STOP, STATE, SEARCHER, TABLE, END = (n * MB for n in (1, 1, 5, 6, 7, 8, 11, 13))
RUN = """
const [module, words, calls, heapEnd, now, watched, done] = arguments;
const memory = new WebAssembly.Memory({ initial: END / 65536 });
const place = (at) => new WebAssembly.Global({ value: "i32", mutable: true }, at);
const env = {
  __linear_memory: memory, __stack_pointer: place(STACK), __heap_base: place(HEAP), __heap_end: place(heapEnd),
  clock: () => BigInt(now), fmod: (x, y) => x % y,
};
const bytes = Uint8Array.from(atob(module), (c) => c.charCodeAt(0));
const values = new BigInt64Array(memory.buffer), reals = new Float64Array(memory.buffer);
WebAssembly.compile(bytes).then((compiled) => {
  for (const { name } of WebAssembly.Module.imports(compiled)) if (!(name in env)) env[name] = Math[name];
  const { exports } = new WebAssembly.Instance(compiled, { env });
  if (exports.data_end.value > STACK / 2) throw new Error("no room for the stack");
  for (const [at, value] of words) values[at / 8] = BigInt(value);
  const answers = [];
  for (const [name, real, ...args] of calls) {
    const status = exports[name](OUT, OUT + 8, ...args.map((x) => (x.startsWith("real ") ? Number(x.slice(5)) : BigInt(x))));
    const value = real ? reals[OUT / 8] : values[OUT / 8];
    answers.push([status, String(value), ...watched.map((at) => String(values[at / 8]))]);
  }
  return answers;
}).then(done, (e) => done(String(e)));
"""


@pytest.fixture
def run(browser):
    """Runs calls of a module in the browser: (status, value, words watched) of each."""
    browser.get("about:blank")
    script = RUN
    for name, at in {"STACK": STACK, "HEAP": HEAP, "OUT": OUT, "END": END}.items():
        script = script.replace(name, str(at))

    def answers(module, words, calls, heap_end=OUT, now=0, watched=()):
        words = [(at, str(value)) for at, value in words.items() if value]
        text = base64.b64encode(module).decode()
        found = browser.execute_async_script(script, text, words, calls, heap_end, str(now), list(watched))
        assert isinstance(found, list), found
        return [(status, float(value), *map(int, rest)) for status, value, *rest in found]

    return answers


def kernel_of(game):
    return chance_node if "chance" in game.has else node


def search_module(game):
    kernel = kernel_of(game)
    return wasm.module(game, {"search": (kernel.search_move, kernel.SIGNATURE)})


def placed(row, at):
    """The words of a state or a block, each with its address."""
    return dict(zip(range(at, at + row.nbytes, 8), row.view(np.int64).tolist(), strict=True))


def ready(game, depth, table, stop):
    """The memory of a searcher before its search."""
    memory = SearchMemory(game.layout.words)
    table.attach_to(memory)
    memory.begin(1 << 62, 0)
    memory.options, memory.stop, memory.root_depth = option_bits(game, None, False), stop, depth
    return memory


def in_browser(memory):
    """The words of this memory as they must be there."""
    for name in ("state", "stack", "stack_end"):
        setattr(memory, name, getattr(memory, name) - memory.address + SEARCHER)
    memory.table, memory.stop = TABLE, STOP
    return placed(memory.words, SEARCHER)


def natively(game, s, depth):
    """The value of each move, and how many nodes were searched up to then."""
    search = Native(game).bind(kernel_of(game).search_move, kernel_of(game).SIGNATURE)
    table, stop, row = TranspositionTable(1), np.zeros(1, np.uint64), game.layout.row(s)
    memory = ready(game, depth, table, stop.ctypes.data)
    bound = ScoreScale(game).bound
    moves = game.legal(s)
    return [(0, search(row.ctypes.data, m, depth, -bound, bound, memory.address), memory.nodes) for m in moves]


def calls_of(game, s, depth):
    """The same searches as calls in the browser."""
    real = "chance" in game.has
    bound = str(ScoreScale(game).bound).replace("inf", "Infinity")
    low, high = (f"real -{bound}", f"real {bound}") if real else (f"-{bound}", bound)
    return [("search", real, str(STATE), str(m), str(depth), low, high, str(SEARCHER)) for m in game.legal(s)]


def positions(game, count):
    rng = random.Random(f"{game.name} in the browser")
    found: list[Any] = []
    while len(found) < count:
        s = walk(game, rng.randrange(1, 14), rng)[-1]
        found += [s] if game.legal(s) else []
    return found


GAMES = [
    *DEPTHS.items(),
    *(pytest.param(*pair, marks=pytest.mark.long) for pair in LONG.items()),
    pytest.param(LISTS, 4, id="lists", marks=pytest.mark.long),
]


@pytest.mark.parametrize(("name", "depth"), GAMES)
def test_the_same_tree_as_native_code(name, depth, run):
    game = load(name)
    module = search_module(game)
    for s in positions(game, 3):
        words = in_browser(ready(game, depth, TranspositionTable(1), 0)) | placed(game.layout.row(s), STATE)
        found = run(module, words, calls_of(game, s, depth), watched=[SEARCHER + SearchMemory.nodes.offset])
        assert found == natively(game, s, depth)


def test_several_kernels_in_one_module(run):
    game = load("connect4")
    both = {"count": (perft_kernels.perft, "int64(uint64, int64)"), "ended": (perft_kernels.finished, "int64(uint64, int64)")}
    calls = [(name, False, str(STATE), str(depth)) for name in both for depth in (4, 8)]
    found = run(wasm.module(game, both), placed(game.layout.row(game.start()), STATE), calls)
    counts = [perft.native(game, what)(game.start(), depth) for what in ("perft", "finished") for depth in (4, 8)]
    assert found == [(0, n) for n in counts]


def test_the_page_tells_the_time(run):
    """A search whose deadline has passed stops at its first look at the clock."""
    game = load("nim")
    watched = [SEARCHER + field.offset for field in (SearchMemory.aborted, SearchMemory.nodes, SearchMemory.last_check)]
    for now in (10**15, 10**15 + 1):
        memory = ready(game, 6, TranspositionTable(1), 0)
        memory.deadline = 10**15 + 1
        words = in_browser(memory) | placed(game.layout.row(game.start()), STATE)
        ((_, _, aborted, nodes, look),) = run(
            search_module(game), words, calls_of(game, game.start(), 6)[:1], now=now, watched=watched
        )
        assert (aborted, look) == (now > 10**15, now)
        assert (nodes == 1) == bool(aborted)


def test_rules_that_fail_and_a_heap_that_is_full(run):
    game = load(LISTS)
    module = search_module(game)

    def status(s, heap_end=OUT):
        words = in_browser(ready(game, 4, TranspositionTable(1), 0)) | placed(game.layout.row(s), STATE)
        return [answer[0] for answer in run(module, words, calls_of(game, s, 4)[:1], heap_end)]

    assert status(game.start()) == [0]
    assert status(game.State((1, 1, 1), 1)) != [0]
    assert status(game.start(), HEAP + 512) != [0]


SLICES = """
import numpy as np
from typing import NamedTuple
class State(NamedTuple):
    cells: np.ndarray
def start(): return State(np.array([2, 2, 0]))
def moves(s): return range(2)
def play(s, m):
    s.cells[2] += 1
    s.cells[:1] = s.cells[1 : s.cells[0]]
def undo(s, m): s.cells[2] -= 1
def result(s): return -1 if s.cells[2] > 3 else None
"""


def test_slices_that_do_not_fit(rules_file, run):
    game = load(str(rules_file(SLICES)))
    found = []
    for first in (2, 3):
        s = game.State(np.array([first, 2, 0]))
        words = in_browser(ready(game, 4, TranspositionTable(1), 0)) | placed(game.layout.row(s), STATE)
        found += [status for status, *_ in run(search_module(game), words, calls_of(game, game.start(), 4)[:1])]
    assert found[0] == 0
    assert found[1] != 0


def test_lists_are_given_back(run):
    """However long the search, the heap holds no more than one line of play needs."""
    game = load(LISTS)
    used = []
    for depth in (4, 6):
        words = in_browser(ready(game, depth, TranspositionTable(1), 0)) | placed(game.layout.row(game.start()), STATE)
        found = run(search_module(game), words, calls_of(game, game.start(), depth), watched=[HEAP])
        used.append([answer[2] & 0xFFFFFFFF for answer in found])
    assert 256 < max(used[0]) <= max(used[1]) < 64 * 1024
    assert used[1][-1] == used[1][0]


def test_what_a_module_has_in_it():
    data = search_module(load("nim"))
    parts = dict(binary.sections(data))
    assert data.startswith(binary.HEADER)
    assert [kind for kind, _ in binary.sections(data)] == [kind for kind in binary.ORDER if kind in parts]
    assert set(binary.exports(parts[binary.EXPORT])) == {"search", wasm.DATA_END}
    assert {i.name for i in binary.imports(parts[binary.IMPORT])} == {"__linear_memory", "__stack_pointer", "clock"}
    for end in (3, len(binary.HEADER) + 1, len(data) - 1):
        with pytest.raises(binary.FormatError):
            list(binary.sections(data[:end]))
    with pytest.raises(binary.FormatError, match="this is not WebAssembly"):
        list(binary.sections(b"\0elf" + data[4:]))


@given(st.integers(-(1 << 70), 1 << 70))
def test_numbers_are_read_as_they_were_written(n):
    assert binary.Reader(binary.signed_leb128(n)).leb128(signed=True) == n
    assert binary.Reader(binary.leb128(abs(n))).leb128() == abs(n)


@pytest.fixture
def made(tmp_path, monkeypatch):
    """How many modules were made, not found in the cache, which is empty at first."""
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path))
    found = []
    make = wasm._build

    def noted(*args):
        found.append(args)
        return make(*args)

    monkeypatch.setattr(wasm, "_build", noted)
    return found


def test_the_second_time_it_comes_from_the_cache(made, tmp_path):
    game = load("nim")
    kernels = {"count": (perft_kernels.perft, "int64(uint64, int64)")}
    first = wasm.module(game, kernels)
    assert wasm.module(game, kernels) == first
    assert len(made) == 1
    (file,) = tmp_path.rglob("*.wasm")
    whole = file.read_bytes()
    for damaged in (whole[:-1], whole[:40] + b"?" + whole[41:], b""):
        file.write_bytes(damaged)
        made.clear()
        assert wasm.module(game, kernels) == first
        assert (len(made), file.read_bytes()) == (1, whole)


def test_other_constants_and_other_names_are_other_modules(made):
    game = load("nim")
    kernel = (perft_kernels.perft, "int64(uint64, int64)")
    modules = [wasm.module(game, {"a": kernel}, PLAY_ON=on) for on in (False, True)] + [wasm.module(game, {"b": kernel})]
    assert len({*modules}) == len(made) == 3


def test_shortcuts_change_nothing_in_a_module(made, monkeypatch, tmp_path):
    game = load("tictactoe")
    kernel = kernel_of(game)
    kernels = {"search": (kernel.search_move, kernel.SIGNATURE)}
    before = wasm.module(game, kernels)
    monkeypatch.setattr(shortcuts, "TESTED", ((9, 1), (9, 2)))
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path / "other"))
    assert wasm.module(game, kernels) == before
    assert len(made) == 2


def test_one_compiler_leaves_the_other_alone(made, tmp_path):
    """Functions that all kernels share are compiled for both machines, in either order."""
    game = load("tictactoe")
    kernels = {"count": (perft_kernels.perft, "int64(uint64, int64)")}
    before = wasm.module(game, kernels)
    assert perft.native(game)(game.start(), 4) == 9 * 8 * 7 * 6
    for file in tmp_path.rglob("*.wasm"):
        file.unlink()
    assert wasm.module(game, kernels) == before
    assert len(made) == 2


RULES = """
from typing import NamedTuple
class State(NamedTuple):
    left: int
def start(): return State(12)
def moves(s): return range(1, 4)
def play(s, m): return State(s.left - m)
def result(s):
    {body}
"""


@pytest.mark.parametrize("body", ["return -1 if s.left <= eval('0') else None", "return -1 if s.left else 'x'"])
def test_what_native_code_refuses_is_refused_in_the_same_words(rules_file, body):
    game = load(str(rules_file(RULES.format(body=body))))
    told = []
    for compiled in (lambda: search_module(game), lambda: Native(game).bind(node.search_move, node.SIGNATURE)):
        with pytest.raises(GameError) as e:
            compiled()
        told.append(str(e.value))
    assert told[0] == told[1]


def test_what_only_native_code_has_is_refused_in_one_line(rules_file):
    game = load(str(rules_file(RULES.format(body="seen = {s.left: 1}\n    return -1 if s.left <= 0 or 5 in seen else None"))))
    assert perft.native(game)(game.start(), 2) == 9
    with pytest.raises(GameError, match=r"mygame\.py: the rules use a dict, which cannot be compiled to WebAssembly$"):
        search_module(game)
