"""Connect 4 solved: known scores, small boards against the textbook and against tables of the whole game, books."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from here import DATA
from plyground import score as scores
from plyground.errors import PlygroundError
from plyground.play.match import Match
from plyground.play.words import points
from plyground.rules.game import Game
from plyground.rules.load import load
from plyground.score import WIN
from plyground.solver.book import make_book, openings, plies_of
from plyground.solver.solver import Solver, book_path, shipped_book
from plyground.solver.tablebase import Tablebase, open_tablebase, solve_tablebase
from plyground.solver.tablebase.lookup import has_keys
from plyground.textbook.alphabeta import fail_soft
from plyground.textbook.tree import Tree
from running import wait_until

GAME = load("connect4")
FACTS = [line.split(";") for line in (DATA / "connect4" / "solved.txt").read_text().splitlines() if not line.startswith("#")]
SMALL = "connect4(rows=4, cols=4)"


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(GAME, memory=64)


@pytest.fixture(scope="module")
def small() -> Solver:
    return Solver(SMALL, memory=1)


def usual(found: Any, s: Any) -> int | None:
    return points(GAME, s, found.score)


def test_known_scores(solver: Solver) -> None:
    for columns, score in FACTS:
        s = Match(GAME, None, columns).s
        found = solver.solve(s, book=False, line=False)
        assert usual(found, s) == int(score), columns
        weak = solver.solve(s, book=False, line=False, weak=True)
        assert {"win": 1, "draw": 0, "loss": -1}[weak.value] == (int(score) > 0) - (int(score) < 0)


@pytest.mark.long
def test_the_start_is_won_with_the_41st_stone() -> None:
    solver = Solver(GAME, memory=1024, threads=2)
    found = solver.solve(GAME.start(), book=False, all_moves=True)
    assert (found.value, found.plies, usual(found, GAME.start())) == ("win", 41, 1)
    assert found.move == 3
    assert len(found.line) == 41
    by_column = dict(found.moves)
    assert [points(GAME, GAME.start(), by_column[col]) for col in range(7)] == [-2, -1, 0, 1, 0, -1, -2]


# -- moves that do not lose at once ----------------------------------------------------------------------------------------------


def wins_at_once(game: Game, s: Any) -> bool:
    return any(game.result(game.play(s, m)) == -1 for m in game.moves(s))


@pytest.mark.parametrize(
    "name", ["connect4", SMALL, "connect4(rows=5, cols=4, k=3)", "connect4(rows=3, cols=8)", "connect4(rows=7, cols=5, k=5)"]
)
def test_safe_moves_are_those_after_which_the_opponent_cannot_win_at_once(name: str) -> None:
    game = load(name)
    choice = random.Random(name)
    asked = refused = stopped = 0
    while asked < 1000:
        s = game.start()
        while game.result(s) is None:
            if not wins_at_once(game, s):
                legal = list(game.moves(s))
                slow = sorted(m for m in legal if not wins_at_once(game, game.play(s, m)))
                assert list(game.rules["safe"](s)) == slow, game.format_state(s)
                asked += 1
                refused += not slow
                stopped += len(slow) == 1 < len(legal)
            s = game.play(s, choice.choice(list(game.moves(s))))
    assert refused > 0, "no state in which every move loses was met"
    assert stopped > 0, "no state in which just one move is left was met"


# -- small boards ------------------------------------------------------------------------------------------------------------


@settings(max_examples=25)
@given(st.data())
def test_any_state_of_a_small_board_has_the_textbooks_value(small: Solver, data: st.DataObject) -> None:
    game = small.game
    s = game.start()
    for _ in range(data.draw(st.integers(7, 13))):
        moves = game.legal(s)
        if not moves:
            return
        s = game.play(s, data.draw(st.sampled_from(moves)))
    if game.result(s) is not None:
        return
    tree = Tree(game)
    assert small.solve(s).score == fail_soft(tree, s)


LONG = [
    pytest.param(*board, marks=pytest.mark.long) for board in ((1, 5, 3), (3, 5, 4), (2, 5, 4), (3, 3, 3), (4, 3, 3), (5, 3, 4))
]


@pytest.mark.parametrize(("rows", "cols", "k"), [(3, 4, 3), *LONG])
def test_whole_small_boards_equal_their_tables(tmp_path: Path, rows: int, cols: int, k: int) -> None:
    game = load(f"connect4(rows={rows}, cols={cols}, k={k})")
    table = solve_tablebase(game, tmp_path / "board.ply")
    solver = Solver(game, memory=1)
    assert solver.solve(game.start()).score == table.score(game.start())
    s = game.start()
    while (line := table.line(s)) and game.result(s) is None:
        s = game.play(s, line[0])
        if game.result(s) is None:
            assert solver.solve(s).score == table.score(s)


@pytest.mark.long
@pytest.mark.parametrize(("rows", "cols"), [(4, 4), (4, 5), (5, 4), (4, 6), (5, 5), (6, 4)])
def test_larger_boards_equal_their_tables(tmp_path: Path, rows: int, cols: int) -> None:
    game, path = load(f"connect4(rows={rows}, cols={cols})"), tmp_path / "board.ply"
    command = [sys.executable, "-m", "plyground", "solve", game.name, "--table", str(path)]
    subprocess.run(command, check=True, capture_output=True)  # it takes more memory than a process with tests may have
    table, solver = open_tablebase(path, game), Solver(game, memory=64)
    assert solver.solve(game.start()).score == table.score(game.start())
    for layer in openings(game, 4):
        for s in layer:
            assert solver.solve(s, line=False).score == table.score(s)


@pytest.mark.long
@pytest.mark.parametrize(("rows", "cols", "value"), [(5, 6, "draw"), (6, 5, "draw"), (6, 6, "loss")])
def test_boards_of_the_literature(rows: int, cols: int, value: str) -> None:
    """On six columns of even height the second player at least draws (Allis, 1988)."""
    assert Solver(f"connect4(rows={rows}, cols={cols})", memory=512).solve(weak=True, line=False).value == value


# -- books -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "keys"),
    [(SMALL, True), ("tictactoe(rows=3, cols=4)", True), ("kalah(pits=3, seeds=2)", False), ("nim", True)],
)
def test_a_book_holds_what_the_solver_finds(tmp_path: Path, spec: str, keys: bool) -> None:
    solver = Solver(spec, memory=1)
    game = solver.game
    assert has_keys(game) == keys
    book = make_book(game, 4, tmp_path / "small.book", threads=2, memory=1)
    layers = openings(game, 5)
    within = {game.identity(s) for layer in layers[:5] for s in layer}
    assert book.states == len(within)
    for layer in layers[:5]:
        for s in layer:
            assert book.score(s) == solver.solve(s, line=False, book=False).score
    assert all(book.score(s) is None for s in layers[5] if game.identity(s) not in within)


def test_the_solver_uses_a_book(tmp_path: Path) -> None:
    game = load(SMALL)
    solver = Solver(game, memory=1)
    solver.book = make_book(game, 4, tmp_path / "small.book", memory=1)
    looked_up = solver.solve(game.start(), line=False)
    assert (looked_up.nodes, looked_up.looked_up) == (0, True)
    searched = solver.solve(game.start(), line=False, book=False)
    assert searched.nodes > 0
    assert not searched.looked_up
    assert looked_up.score == searched.score
    assert solver.solve(game.start(), all_moves=True).moves == solver.solve(game.start(), all_moves=True, book=False).moves


def test_a_longer_book_takes_the_place_of_a_shorter_one(tmp_path: Path) -> None:
    game, file = load(SMALL), tmp_path / "small.book"
    short = make_book(game, 2, file, memory=1)
    with pytest.raises(PlygroundError, match="has only the first 2 plies"):
        make_book(game, 3, file, memory=1)
    longer = make_book(game, 3, file, memory=1, replace=True)
    assert longer.states > short.states
    assert plies_of(longer) == plies_of(make_book(game, 2, file, memory=1)) == 3
    other = load("connect4(rows=3, cols=4)")
    with pytest.raises(PlygroundError, match="not for"):
        make_book(other, 2, file, memory=1)


def test_a_book_takes_what_another_book_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shipped: Tablebase) -> None:
    """Nine plies of Connect 4 come with it: nobody should wait for its first two."""
    solve = Solver.solve
    monkeypatch.setattr(Solver, "solve", lambda *a, **k: pytest.fail("a position that a book has is solved"))
    seen: list[tuple[int, int]] = []
    book = make_book(GAME, 2, tmp_path / "x.book", memory=1, on_progress=lambda p: seen.append((p.before, p.total)))
    assert seen[-1][0] == seen[-1][1]
    for layer in openings(GAME, 2):
        assert all(book.score(s) == shipped.score(s) is not None for s in layer)
    asked: list[object] = []

    def solve_from_book(solver: Solver, s: Any, **options: Any) -> object:
        asked.append(s)
        return solve(solver, s, line=False)

    monkeypatch.setattr(Solver, "solve", solve_from_book)
    make_book(GAME, 2, tmp_path / "y.book", memory=1, book=False)
    assert len(asked) == len(openings(GAME, 2)[-1])


def test_files_of_the_same_name_have_books_of_their_own(tmp_path: Path) -> None:
    paths = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "mine.py").write_text(Path(str(load("nim").file)).read_text())
        paths.append(book_path(load(str(tmp_path / name / "mine.py"))))
    assert paths[0] != paths[1]


@pytest.mark.parametrize(("threads", "memory"), [(0, 1), (1000, 1), (1, 0), (1, -1), (1, float("nan")), (1, 1e12)])
def test_sizes_of_books_make_sense(tmp_path: Path, threads: int, memory: float) -> None:
    with pytest.raises(PlygroundError, match=r"must be a|does not fit into memory"):
        make_book(load(SMALL), 2, tmp_path / "x.book", threads=threads, memory=memory)


def test_what_is_too_long_to_solve_has_no_book(tmp_path: Path) -> None:
    with pytest.raises(PlygroundError, match="too long to solve"):
        make_book(load("othello"), 1, tmp_path / "x.book")


def test_a_killed_book_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "a.book"
    words = [sys.executable, "-m", "plyground", "book", "connect4(rows=5, cols=5)", "--plies", "5", "--file", str(file)]
    part = Path(f"{file}.part")
    run = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_until(lambda: run.poll() is not None or (part.exists() and part.stat().st_size >= 600))
    run.kill()
    run.wait()
    if file.exists():
        pytest.fail("the book was made before it could be killed")
    before = part.stat().st_size
    assert before >= 600
    done = subprocess.run([*words, "--json"], capture_output=True, text=True, check=True)
    assert f'"file": "{file}"' in done.stdout
    assert not part.exists()
    fresh = tmp_path / "b.book"
    make_book(load("connect4(rows=5, cols=5)"), 5, fresh, memory=64)
    assert fresh.read_bytes() == file.read_bytes()


@pytest.fixture(scope="module")
def shipped() -> Tablebase:
    """The book that comes with the game: the first nine plies."""
    return open_tablebase(shipped_book(GAME), GAME)


@pytest.fixture(scope="module")
def layers() -> list[list[Any]]:
    """The positions after 0 to 9 plies."""
    return openings(GAME, 9)


def scored(book: Tablebase, s: Any) -> int:
    """The score that a book has for a state."""
    found = book.score(s)
    assert found is not None
    return found


@pytest.mark.long
def test_the_book_that_comes_with_it(shipped: Tablebase, layers: list[list[Any]]) -> None:
    """All positions up to its last ply, each worth what its best move is; the values of the first moves are well known."""
    assert shipped.states == sum(map(len, layers))
    beyond = (GAME.play(s, m) for s in layers[-1][:50] for m in GAME.legal(s))
    assert all(shipped.score(s) is None for s in beyond if GAME.result(s) is None)
    first = [scores.from_root(-scored(shipped, GAME.play(GAME.start(), col)), 1) for col in range(7)]
    assert [points(GAME, GAME.start(), score) for score in first] == [-2, -1, 0, 1, 0, -1, -2]
    rng = random.Random(3)
    for layer in layers[:-1]:
        for s in rng.sample(layer, min(len(layer), 100)):
            children = [GAME.play(s, m) for m in GAME.legal(s)]
            won = any(GAME.result(child) is not None for child in children)
            best = 1 - WIN if won else min(scores.from_root(scored(shipped, child), 1) for child in children)
            assert scored(shipped, s) == -best


def check_book(solver: Solver, book: Tablebase, layer: list[Any], number: int) -> None:
    for s in random.Random(number).sample(layer, number):
        assert book.score(s) == solver.solve(s, line=False, book=False).score


@pytest.mark.long
def test_the_book_agrees_with_a_search(solver: Solver, shipped: Tablebase, layers: list[list[Any]]) -> None:
    check_book(solver, shipped, layers[9], 24)


@pytest.mark.long
@pytest.mark.parametrize("plies", [6, 7, 8, 9])
def test_the_book_agrees_with_many_searches(solver: Solver, shipped: Tablebase, layers: list[list[Any]], plies: int) -> None:
    check_book(solver, shipped, layers[plies], 100)


@pytest.mark.parametrize("plies", [0, 41])
def test_bad_books_are_refused(tmp_path: Path, plies: int) -> None:
    with pytest.raises(PlygroundError, match="plies must be a whole number from 1 to 40"):
        make_book(load(SMALL), plies, tmp_path / "x.book")


def test_games_in_place_have_no_books(tmp_path: Path) -> None:
    with pytest.raises(PlygroundError, match="in-place rules"):
        make_book(load("gomoku"), 2, tmp_path / "x.book")


def fits(game: Game) -> bool:
    return game.key_bits <= 63


@pytest.mark.parametrize("spec", ["connect4", SMALL, "connect4(rows=8, cols=7)", "connect4(rows=1, cols=31, k=3)"])
def test_keys_fit_their_bits_and_tell_states_apart(spec: str) -> None:
    game = load(spec)
    assert fits(game)
    seen: dict[int, Any] = {}
    for layer in openings(game, 3):
        for s in layer:
            assert game.key(s) >> game.key_bits == 0
            assert seen.setdefault(game.key(s), s) == s
