"""The engine in a browser: it finds what the Python engine finds, keeps its limits, and stops."""

import json
import random
from typing import Any

import pytest

from here import DATA, EXAMPLES
from plyground import Engine, Limit, PlygroundError, load
from plyground.engine import LEVELS, ScoreScale, level_settings
from plyground.nets.file_format import save
from plyground.nets.net_evaluation import choose_evaluation
from plyground.pages.bundle import bundle
from plyground.web import PARTS
from plyground.web.facts import TABLE_MB, facts_of, first_choice, row_text
from positions import walk
from random_nets import random_net
from scripts import ScriptError

DEPTHS = {"nim": 6, "tictactoe": 6, "connect4": 6, "kalah": 5, "2048": 2}
HEX = f"{EXAMPLES / 'hex.py'}(size=4)"  # without `evaluate`
LONG = {HEX: 2, "backgammon": 1, "gomoku": 2, "othello": 5, "checkers": 6, "draughts": 5, "chess": 4}
JUDGED = {"chess": 3, "gomoku": 2, "backgammon": 1, "kalah": 4}
START = """
window.rowOf = (text) => BigInt64Array.from(text.split("."), (word) => BigInt.asIntN(64, BigInt("0x" + word)));
window.engine = new Engine(facts, compiled, given[0]);
await engine.ready;
"""
THINK = """
const found = [];
for (const { row, history = [], ...ask } of given[0])
  found.push(await engine.think({ row: rowOf(row), history: history.map(rowOf), ...ask }).done);
return found;
"""


class Thinking:
    """The engine of a page."""

    def __init__(self, game, scripts, net=None, given=False):
        self.game, self.page = game, scripts.open(game, "engine.js", net=net, given=given)
        self.page.run(START, bundle(PARTS / "worker.js"))

    def think(self, s, history=(), **ask):
        return self.all([(s, history)], **ask)[0]

    def all(self, positions, **ask):
        """What it finds in these positions, each with the states before it."""
        rows = [{"row": row_text(self.game, s), "history": [row_text(self.game, h) for h in past]} for s, past in positions]
        return self.page.run(THINK, [{**row, **ask} for row in rows])


@pytest.fixture
def start(scripts):
    """Starts the engine of a game."""
    return lambda game, net=None, given=False: Thinking(game, scripts, net, given)


class InOrder(random.Random):
    """Random numbers that leave lists as they are, and remember what there was to choose among."""

    def shuffle(self, x):
        pass

    def choice(self, seq):
        self.among = {one.move for one in seq}
        return super().choice(seq)


def python_engine(game, evaluate="rules", **options):
    engine = Engine(game, memory=TABLE_MB, perfect=False, evaluate=evaluate, **options)
    engine.searcher.random = InOrder(0)
    return engine


REPORTED = "move", "score", "depth", "partial", "seldepth", "nodes", "value", "exact", "limited"


def python_finds(engine, s, history, lines, **limit):
    found = engine.analyse(s, Limit(**limit), lines=lines, history=history)
    return {
        **{name: getattr(found, name) for name in REPORTED},
        "line": list(found.line),
        "moves": [(m, score, m in found.exact_moves) for m, score in found.moves],
    }


def as_python(found):
    """The same from what a page has found."""
    moves = [(f["move"], f["score"], f["exact"]) for f in found["moves"]]
    return {**{name: x for name, x in found.items() if name not in ("seconds", "stopped")}, "moves": moves}


def positions(game, count):
    """Random states in which a player moves, each with those before it."""
    rng = random.Random(f"{game.name} thinks")
    found: list[Any] = []
    while len(found) < count:
        *past, s = walk(game, rng.randrange(1, 14), rng)
        if game.legal(s):
            found.append((s, past))
    return found


GAMES = [("connect4", 3), ("2048", 3), *(pytest.param(name, 100, marks=pytest.mark.long) for name in (DEPTHS | LONG))]


@pytest.mark.parametrize(("name", "count"), GAMES)
def test_it_finds_what_python_finds(name, count, start):
    """Moves, scores, proofs, lines and nodes, of the best move and of all."""
    game, depth = load(name), (DEPTHS | LONG)[name]
    tried, thinking = positions(game, count), start(game)
    for lines, plies in ((1, depth), (0, max(1, depth - 1))):
        found = thinking.all(tried, depth=plies, lines=lines, seed=1, shuffle=False)
        for (s, past), one in zip(tried, found, strict=True):
            assert as_python(one) == python_finds(python_engine(game), s, past, lines, depth=plies), game.format_state(s)


def test_an_unfinished_iteration_is_reported_as_in_python(start):
    """A better move that it has found comes with the depth of that iteration, and says that it was stopped."""
    game = load("kalah(pits=4, seeds=3)")
    thinking, partial = start(game), 0
    for nodes in range(100, 1500, 47):
        found = thinking.think(game.start(), nodes=nodes, lines=1, seed=1, shuffle=False)
        assert as_python(found) == python_finds(python_engine(game), game.start(), (), 1, nodes=nodes)
        partial += found["partial"]
    assert partial


NETS = [("connect4", 5), *(pytest.param(name, depth, marks=pytest.mark.long) for name, depth in JUDGED.items())]


@pytest.mark.parametrize(("name", "depth"), NETS)
def test_a_net_judges_as_it_does_in_python(name, depth, start, tmp_path):
    """To the node: weights of a large board, hidden units, expected results."""
    game, net = load(name), random_net(name, most=60)
    save(tmp_path / "some.net", game, net)
    tried, thinking = positions(game, 3), start(game, net)
    found = thinking.all(tried, depth=depth, lines=1, seed=1, shuffle=False)
    engine = python_engine(game, evaluate=tmp_path / "some.net")
    for (s, past), one in zip(tried, found, strict=True):
        engine.forget()
        assert as_python(one) == python_finds(engine, s, past, 1, depth=depth)


EXACT_DEPTHS = {"kalah": 5, "othello": 4, "checkers": 5, "backgammon": 1, "2048": 1, "gomoku": 2, HEX: 3}


@pytest.mark.parametrize(
    ("name", "depth"), [("connect4", 8), *(pytest.param(*pair, marks=pytest.mark.long) for pair in EXACT_DEPTHS.items())]
)
def test_exact_means_what_it_means_in_python(name, depth, start):
    """Plain minimax with the evaluation of the rules, although a net judges elsewhere, and whatever was searched before."""
    game = load(name)
    thinking = start(game, choose_evaluation(game, None)[1])
    for s, past in [(first_choice(game), []), *positions(game, 2)]:
        thinking.think(s, past, depth=depth, lines=1, shuffle=False)
        found = thinking.think(s, past, depth=depth, lines=1, exact=True, shuffle=False)
        engine = python_engine(game, evaluate=None, exact=True)
        assert engine.net is None
        assert as_python(found) == python_finds(engine, s, past, 1, depth=depth)


def test_exact_asks_a_net_that_was_given_for_it(start, tmp_path):
    game, net = load("connect4(rows=5, cols=5)"), random_net("connect4(rows=5, cols=5)", most=60)
    save(tmp_path / "some.net", game, net)
    engine = python_engine(game, evaluate=tmp_path / "some.net", exact=True)
    found = start(game, net, given=True).think(game.start(), depth=5, lines=1, exact=True, seed=1, shuffle=False)
    assert as_python(found) == python_finds(engine, game.start(), (), 1, depth=5)


@pytest.mark.long
def test_what_it_has_learned_is_kept_and_proofs_are_not_trusted_when_positions_have_come_back(start):
    """One search after the other on one table, in a game where a position that stands for the third time is a draw."""
    game = load(DATA / "rules" / "match_shuffle.py")
    states = [game.start()]
    for _ in range(7):
        states.append(game.play(states[-1], 1))
    thinking, engine = start(game), python_engine(game)
    for n in (0, 3, 4, 5, 2, 7):
        found = thinking.think(states[n], states[:n], depth=5, lines=1, shuffle=False)
        assert as_python(found) == python_finds(engine, states[n], states[:n], 1, depth=5)


@pytest.fixture
def connect4(start):
    return start(load("connect4"))


def test_reports_come_after_every_depth(connect4):
    body = """
    const seen = [];
    const { done } = engine.think({ row: rowOf(facts.start), depth: 5, lines: 2 }, (report) => seen.push(report));
    return [seen, await done];
    """
    seen, last = connect4.page.run(body)
    assert [report["depth"] for report in seen] == [1, 2, 3, 4, 5]
    assert [len(report["moves"]) for report in seen] == [2] * 5
    assert seen[-1]["moves"] == last["moves"]
    assert (last["depth"], last["stopped"], last["value"]) == (5, False, "unknown")
    assert {*last, "stopped"} == {*seen[-1], "stopped"}


def test_limits_are_kept(connect4):
    s = connect4.game.start()
    few = connect4.think(s, nodes=3000, lines=1)
    assert 3000 <= few["nodes"] < 3010
    assert connect4.think(s, depth=3)["depth"] == 3


TICKING = "let looks = 0; performance.now = () => ++looks / 2;"
"""Gives a Worker a clock that goes on by half a millisecond whenever it is looked at."""


def test_limits_of_time_are_kept(connect4):
    connect4.page.run("window.setTimeout = () => 0; " + START, TICKING + bundle(PARTS / "worker.js"))  # nobody ends the Worker
    for ask, seconds in (({"time": 0.3, "lines": 1}, 0.3), ({}, 1)):
        found = connect4.think(connect4.game.start(), **ask)
        assert found["depth"] > 4
        assert seconds <= found["seconds"] < seconds + 0.1


STOP = """
const plain = setTimeout, pauses = [];
let search;
await new Promise((go) => {
  const report = ({ depth }) => depth < given[0] || go();
  search = engine.think({ row: rowOf(facts.start), infinite: true, lines: 1 }, report);
  if (!given[0]) go();
});
window.setTimeout = (act, pause) => (pauses.push(pause), plain(act, pause));
const found = await search.stop();
window.setTimeout = plain;
return [pauses, found];
"""


@pytest.mark.parametrize("depth", [0, 4])
def test_it_stops_at_once_and_goes_on_with_the_next(depth, connect4):
    for _ in range(3):
        pauses, found = connect4.page.run(STOP, depth)
        assert found["stopped"]
        assert len(pauses) == 1
        assert pauses[0] <= 50, "milliseconds until a Worker is ended that does not hear"
        assert found["depth"] >= depth
    assert connect4.think(connect4.game.start(), depth=4, lines=1)["depth"] == 4


LATE = """
onmessage = ({ data: { facts, ask, id } }) => {
  if (facts) postMessage({ ready: true });
  if (ask) for (const told of [{ begun: true }, { report: { move: 3, score: 5 } }]) postMessage({ id, ...told });
};"""


def test_a_worker_that_is_late_is_ended_and_what_it_found_is_the_answer(scripts):
    scripts.open(load("tictactoe"), "engine.js", kernels=("view", "advance"))
    scripts.run("window.engine = new Engine(facts, compiled, given[0]); await engine.ready;", LATE)
    late = scripts.run("return engine.think({ time: 0.05 }).done;")
    assert (late["move"], late["stopped"]) == (3, False)
    body = "let search; await new Promise((go) => (search = engine.think({}, go))); return search.stop();"
    asked = scripts.run(body)
    assert (asked["move"], asked["stopped"]) == (3, True)


def test_a_new_search_ends_the_one_before(connect4):
    body = """
    const ask = { row: rowOf(facts.start), lines: 1 };
    const limits = [{ infinite: true }, { infinite: true }, { depth: 4 }];
    return Promise.all(limits.map((limit) => engine.think({ ...ask, ...limit }).done));
    """
    found = connect4.page.run(body)
    assert [f["stopped"] for f in found] == [True, True, False]
    assert found[2]["depth"] == 4
    assert found[1]["move"] is None


def test_a_seed_makes_it_repeatable(connect4):
    s = connect4.game.start()
    ask = {"depth": 2, "lines": 1}
    assert len({connect4.think(s, seed=seed, level=1)["move"] for seed in range(12)}) > 2
    for seed in (3, 4):
        one, other = (connect4.think(s, seed=seed, **ask) for _ in range(2))
        assert {**one, "seconds": 0} == {**other, "seconds": 0}


@pytest.mark.parametrize("name", ["connect4", "2048"])
def test_levels_choose_among_the_moves_that_they_do_in_python(name, start):
    game = load(name)
    (s, past), scale = positions(game, 2)[1], ScoreScale(game)
    thinking = start(game)
    for level in LEVELS:
        engine = python_engine(game, level=level)
        engine.choose(s, history=past)
        found = [thinking.think(s, past, level=level, seed=seed, shuffle=False) for seed in range(12)]
        assert {f["depth"] for f in found} == {level_settings(level, scale).depth}
        chosen = {f["move"] for f in found}
        assert chosen <= engine.searcher.random.among
        assert (len(chosen) > 1) == (len(engine.searcher.random.among) > 1)


def test_one_of_equal_moves_is_chosen(start):
    """After a corner, only the centre draws; before it, every move does."""
    thinking = start(load("tictactoe"))
    s = thinking.game.start()
    found = [thinking.think(s, depth=9, exact=True, seed=seed) for seed in range(16)]
    assert len({f["move"] for f in found}) > 3
    assert {(f["score"], f["value"]) for f in found} == {(0, "draw")}
    corner = thinking.game.play(s, 0)
    assert {thinking.think(corner, depth=9, exact=True, seed=seed)["move"] for seed in range(8)} == {4}


def test_rules_that_fail_are_told_in_one_line(start):
    thinking = start(load(DATA / "rules" / "wasm_lists.py"))
    with pytest.raises(ScriptError, match=r"^the rules fail in this position$"):
        thinking.think(thinking.game.State((1, 1, 1), 1), depth=6)
    assert thinking.think(thinking.game.State((1, 0, 0), 0), depth=2)["value"] == "win"


LEAD = """
from typing import NamedTuple
MARGIN = 5
class State(NamedTuple):
    left: int
    lead: int
def start(): return State(4, 0)
def moves(s): return range(2)
def play(s, m): return State(s.left - 1, -s.lead - m)
def result(s): return None if s.left else s.lead
"""


def test_a_result_beyond_margin_is_an_error_as_in_python(start, rules_file):
    """Of one move or of each, one ply away or three; the next search goes on."""
    game = load(str(rules_file(LEAD)))
    engine, thinking = python_engine(game), start(game)
    for left, lead in ((1, 5), (1, 40), (3, -9)):
        s = game.State(left, lead)
        with pytest.raises(PlygroundError, match="larger than MARGIN"):
            engine.analyse(s, Limit(depth=4))
        with pytest.raises(ScriptError, match=r"^a result of -?\d+ is beyond what the rules declare as MARGIN$"):
            thinking.think(s, depth=4, lines=1)
    assert thinking.think(game.State(1, 4), depth=2)["value"] == "win"


def test_where_nobody_chooses_there_is_nothing_to_think_about(start):
    thinking = start(load("2048"))
    with pytest.raises(ScriptError, match=r"^there is nothing to choose here$"):
        thinking.think(thinking.game.start(), depth=2)


def test_no_console_error(connect4):
    connect4.page.browser.get_log("browser")
    connect4.page.run(STOP, 4)
    assert connect4.page.browser.get_log("browser") == []


def test_the_facts_are_json():
    for name in DEPTHS:
        assert json.loads(json.dumps(facts_of(load(name)), allow_nan=False))
