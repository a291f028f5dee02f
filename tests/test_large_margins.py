"""The largest margin that is allowed: textbook, engine, solver and tables agree on it. What is larger is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from here import DATA
from plyground import GameError, Match, load, score
from plyground.engine import EXACT
from plyground.engine.engine import Engine
from plyground.play.limit import Limit
from plyground.rules.game import Game
from plyground.solver.solver import Solver
from plyground.solver.tablebase import open_tablebase, solve_tablebase
from plyground.textbook import ALGORITHMS
from plyground.textbook.algorithm import PLAIN

STONES = str(DATA / "margins" / "stones.py")
LEADS = (0, 3, -9_000, 12_345, -12_345, 19_990, -19_999)
WORST = -19_999 - 3 * 2_857


def minimax(game: Game, s: Any) -> int:
    """The margin for the side to move, in as few words as can be."""
    if (result := game.result(s)) is not None:
        return result
    return max(-minimax(game, game.play(s, m)) for m in game.moves(s))


def wanted(spec: str) -> tuple[Game, int]:
    """A game, and the score of its first state."""
    game = load(spec)
    return game, score.final(minimax(game, game.start()), 0, margin=True)


def test_the_margins_are_as_large_as_can_be() -> None:
    found = [wanted(f"{STONES}(lead={lead})")[1] for lead in (*LEADS, WORST)]
    assert max(found) == score.INFINITE - 1 == score.WIN + score.MAX_MARGIN
    assert min(found) == -max(found)


@pytest.mark.parametrize("lead", [*LEADS, WORST])
def test_every_exact_textbook_algorithm_agrees(lead: int) -> None:
    game, value = wanted(f"{STONES}(lead={lead})")
    for name, a in ALGORITHMS.items():
        if a.exact == "value" and a.fits == (PLAIN,):
            given = {"depth": 9, "wins": "equal", "order": "values", "width": 2, "table": 16, "time": 1e6}
            for options in ({"depth": 9}, given):
                found = a.search(game, game.start(), {k: v for k, v in options.items() if k in a.options})
                assert found.value == value, (name, options)


@pytest.mark.parametrize("lead", [*LEADS, WORST])
def test_the_engine_agrees(lead: int) -> None:
    spec = f"{STONES}(lead={lead})"
    game, value = wanted(spec)
    for options in ([], ["table"], ["pvs"], list(EXACT), None):
        found = Engine(spec, memory=1, options=options, seed=0).analyse(None, Limit(depth=9), lines=0)
        assert found.score == value, options
        scored = {m: -minimax(game, game.play(game.start(), m)) for m, _ in found.moves}
        assert dict(found.moves) == {m: score.final(v, 0, margin=True) for m, v in scored.items()}, options
        assert len(found.moves) == 3


def test_a_loss_by_much_is_not_cut_while_loud_moves_are_played_out() -> None:
    """All moves of a side under attack lose by more than a plain loss counts."""
    spec = f"{STONES}(stones=3, lead=-19999)"
    for depth in (1, 2, 3):
        assert Engine(spec, memory=1, seed=0).analyse(None, Limit(depth=depth)).score == wanted(spec)[1]


@pytest.mark.parametrize("lead", [*LEADS, WORST])
@pytest.mark.parametrize("keep", [0, pytest.param(1, marks=pytest.mark.long), 2])
def test_the_solver_agrees(lead: int, keep: int) -> None:
    spec = f"{STONES}(stones=9, lead={lead}, keep={keep})"
    game, value = wanted(spec)
    solver = Solver(spec, memory=1)
    found = solver.solve(all_moves=True)
    assert found.score == value
    s, sign = game.start(), 1
    for m in found.line:
        s, sign = game.play(s, m), -sign
    assert score.final(sign * game.result(s), 0, margin=True) == value
    weak = Solver(spec, memory=1).solve(weak=True)
    assert (weak.low > 0) - (weak.high < 0) == (value > 0) - (value < 0)
    assert weak.move in game.legal(game.start())


SWING = (DATA / "rules" / "large_margins_swing.py").read_text(encoding="utf-8")


def test_what_is_banked_may_be_lost_twice_over(rules_file: Any) -> None:
    """A margin less what is banked is larger than any margin: whoever takes the last stone pays twice what he has."""
    path = str(rules_file(SWING))
    game, value = wanted(path)
    solver = Solver(path, memory=1)
    for _ in range(2):
        assert solver.solve().score == value
    s = game.start()
    for m in (0, 0, 1):
        s = game.play(s, m)
        assert solver.solve(s).score == score.final(minimax(game, s), 0, margin=True)


@pytest.mark.parametrize("lead", [0, WORST])
def test_a_table_agrees(tmp_path: Path, lead: int) -> None:
    game, value = wanted(f"{STONES}(lead={lead})")
    solve_tablebase(game, tmp_path / "stones.ply")
    table = open_tablebase(tmp_path / "stones.ply", game)
    assert table.score(game.start()) == value
    assert dict(table.moves(game.start()) or []) == {
        m: score.final(-minimax(game, game.play(game.start(), m)), 0, margin=True) for m in game.moves(game.start())
    }


# -- results beyond MARGIN: found late, and never called proven ------------------------------------------------------------------

BEYOND = (
    Path(STONES).read_text(encoding="utf-8").replace("max(-MARGIN, min(MARGIN, s.lead))", "147_258 if s.lead > 0 else s.lead")
)
TOLD = r"mygame\.py:10: `result` gives -?\d{3,}, larger than MARGIN = 70; increase MARGIN$"


@pytest.fixture
def beyond(rules_file: Any) -> str:
    """A game with MARGIN = 70 in which whoever has more at the end wins by 147,258."""
    return f"{rules_file(BEYOND)}(margin=70)"


def test_every_textbook_algorithm_refuses_it(beyond: str) -> None:
    game = load(beyond)
    for name, a in ALGORITHMS.items():
        if a.exact == "value" and a.fits == (PLAIN,):
            with pytest.raises(GameError, match=TOLD):
                a.search(game, game.start(), {k: v for k, v in {"depth": 9, "table": 16, "time": 1e6}.items() if k in a.options})
            assert name


def test_the_engine_refuses_it(beyond: str) -> None:
    for options in ([], list(EXACT), None):
        with pytest.raises(GameError, match=TOLD):
            Engine(beyond, memory=1, options=options, seed=0).analyse(None, Limit(depth=9))


def test_the_solver_refuses_it(beyond: str) -> None:
    for weak in (False, True):
        with pytest.raises(GameError, match=TOLD):
            Solver(beyond, memory=1).solve(weak=weak)


def test_a_table_refuses_it(beyond: str, tmp_path: Path) -> None:
    with pytest.raises(GameError, match=TOLD):
        solve_tablebase(load(beyond), tmp_path / "stones.ply")


def test_a_match_refuses_it(beyond: str) -> None:
    match = Match(beyond, moves="3 1 2 1")
    with pytest.raises(GameError, match=TOLD):
        _ = match.result


def test_it_is_refused_at_load_if_the_first_plies_show_it(rules_file: Any) -> None:
    with pytest.raises(GameError, match=r"`result` gives 147258; it must give None or an int from -70 to 70$"):
        load(f"{rules_file(BEYOND)}(margin=70, stones=1, lead=-100)")


# -- what is refused -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("margin", "words"), [
    ("60_000", "MARGIN is 60000, but at most 19999 is allowed; count in larger units, or leave MARGIN out and return 1, 0 or -1"),
    ("-3", "MARGIN is -3; it must be an int from 0 up"),
    ("2.5", "MARGIN is 2.5; it must be an int from 0 up"),
    ("'64'", "MARGIN is '64'; it must be an int from 0 up"),
])  # fmt: skip
def test_other_margins_are_refused_at_load(rules_file: Any, margin: str, words: str) -> None:
    text = Path(STONES).read_text(encoding="utf-8")
    path = rules_file(
        text.replace("parameters(stones=7, margin=19_999,", f"(lambda **d: (7, {margin}, 0, 0))(").replace(
            "WORTH = MARGIN", "WORTH = int(MARGIN)"
        )
    )
    with pytest.raises(GameError) as e:
        load(str(path))
    assert str(e.value) == f"{path}:10: {words}"


def test_other_constants_are_refused_alike(rules_file: Any) -> None:
    path = rules_file(f"{Path(STONES).read_text(encoding='utf-8')}\n\nREPETITION = 'three'\n")
    with pytest.raises(GameError, match=r":\d+: REPETITION is 'three'; it must be an int from 0 up$"):
        load(str(path))


def test_games_of_chance_may_have_larger_ones() -> None:
    assert load("2048").margin > score.MAX_MARGIN
