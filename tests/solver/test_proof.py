"""Proofs hold: against minimax, against retrograde analysis where play goes round, and played out against every defence."""

from __future__ import annotations

import functools
import random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from here import DATA
from plyground.errors import PlygroundError
from plyground.play.limit import Limit
from plyground.rules.game import Game
from plyground.rules.load import load
from plyground.solver.prover import Proof, ProofGoal, ProofProgress, Prover, prove
from plyground.textbook.alphabeta import fail_soft
from plyground.textbook.proof_number import proof_number
from plyground.textbook.tree import Tree

GRAPH = str(DATA / "proof" / "graph.py")
SIGNS = {"win": 1, "draw": 0, "loss": -1}
OPEN = ["." * 15] * 6
"""Empty rows of a board of gomoku, less than half of them."""
TINY = 1e-4
"""A table, in MB, of a single bucket: all states meet in its four entries."""


@functools.cache
def prover(spec: str, memory: float = 8) -> Prover:
    return Prover(spec, memory=memory)


def walk(game: Game, plies: int, seed: int) -> Any:
    """The last state of a random game at which somebody is to move."""
    rng, s = random.Random(seed), game.start()
    for _ in range(plies):
        child = game.play(s, rng.choice(game.legal(s)))
        if not game.legal(child):
            break
        s = child
    return s


def sign(value: float) -> int:
    return (value > 0) - (value < 0)


def follow(game: Game, s: Any, proof: Proof, cut: bool = False) -> None:
    """A proof's line is legal play; that of a win or loss ends with it, but where a lost entry led play round."""
    sides = [game.turn(s)]
    for m in proof.line:
        assert m in game.legal(s)
        s = game.play(s, m)
        sides.append(game.turn(s))
    assert proof.move == (proof.line[0] if proof.line else proof.move)
    if proof.value in ("win", "loss"):
        if cut and proof.plies is None:
            return
        assert proof.plies == len(proof.line)
        value = sign(game.result(s))
        same = len(proof.line) % 2 == 0 if game.alternate else sides[0] == sides[-1]
        assert (value if same else -value) == SIGNS[proof.value]


# -- the value is minimax's ----------------------------------------------------------------------------------------------------

SMALL = [
    ("tictactoe", 0),
    pytest.param("kalah(pits=3, seeds=2)", 0, marks=pytest.mark.long),
    pytest.param("tictactoe(rows=4, cols=4, k=3)", 5, marks=pytest.mark.long),
    pytest.param("tictactoe(rows=3, cols=4, k=4)", 3, marks=pytest.mark.long),
    pytest.param("connect4(rows=4, cols=4, k=3)", 4, marks=pytest.mark.long),
    pytest.param("nim", 4, marks=pytest.mark.long),
    pytest.param("nim(misere=1)", 4, marks=pytest.mark.long),
    pytest.param("kalah(pits=4, seeds=2)", 6, marks=pytest.mark.long),
    pytest.param("gomoku(size=5)", 19, marks=pytest.mark.long),
]


@pytest.mark.parametrize(("spec", "least"), SMALL)
@settings(max_examples=20)
@given(plies=st.integers(0, 12), seed=st.integers(0, 10**6))
def test_the_value_is_that_of_minimax(spec: str, least: int, plies: int, seed: int) -> None:
    game = load(spec)
    s = walk(game, plies + least, seed)
    found = prover(spec).prove(s)
    assert SIGNS[found.value] == sign(fail_soft(Tree(game), s, 99))
    follow(game, s, found)


@pytest.mark.parametrize("spec", ["tictactoe", pytest.param("kalah(pits=3, seeds=2)", marks=pytest.mark.long)])
@settings(max_examples=20)
@given(plies=st.integers(3, 12), seed=st.integers(0, 10**6))
def test_states_that_share_an_entry_are_told_apart(spec: str, plies: int, seed: int) -> None:
    game = load(spec)
    s = walk(game, plies, seed)
    found = prover(spec, TINY).prove(s)
    assert SIGNS[found.value] == sign(fail_soft(Tree(game), s, 99))
    follow(game, s, found)


@settings(max_examples=10)
@given(plies=st.integers(2, 9), seed=st.integers(0, 10**6))
def test_the_value_is_that_of_the_textbooks_proof(plies: int, seed: int) -> None:
    game = load("tictactoe")
    s = walk(game, plies, seed)
    found = prover("tictactoe").prove(s)
    assert SIGNS[found.value] == sign(proof_number(Tree(game), s, 10**6).value)


@pytest.mark.parametrize(
    ("spec", "value"),
    [
        ("tictactoe", "draw"),
        pytest.param("tictactoe(rows=3, cols=4, k=3)", "win", marks=pytest.mark.long),
        pytest.param("tictactoe(rows=4, cols=4, k=4)", "draw", marks=pytest.mark.long),
        pytest.param("tictactoe(rows=5, cols=5, k=4)", "draw", marks=pytest.mark.long),
        pytest.param("tictactoe(rows=5, cols=6, k=4)", "win", marks=pytest.mark.long),
        pytest.param("connect4(rows=4, cols=5)", "draw", marks=pytest.mark.long),
        pytest.param("connect4(rows=5, cols=4)", "draw", marks=pytest.mark.long),
        pytest.param("kalah(pits=3, seeds=3)", "win", marks=pytest.mark.long),
    ],
)
def test_known_values(spec: str, value: str) -> None:
    found = prover(spec, 256).prove()
    assert found.value == value
    follow(load(spec), load(spec).start(), found)


# -- where play goes round -------------------------------------------------------------------------------------------------------


def retrograde(edges: tuple[int, ...]) -> list[int]:
    """Win (1), draw (0) or loss (-1) of each node for whoever moves there, from the ends backwards."""
    ends = [[(e >> 4 * i & 15) - 1 for i in range(3) if e >> 4 * i & 15] for e in edges]
    value = [0] * len(edges)
    while True:
        new = [1 if any(value[j] < 0 for j in to) else -1 if all(value[j] > 0 for j in to) else 0 for to in ends]
        if new == value:
            return value
        value = new


@pytest.mark.parametrize("table", [1, TINY])
@settings(max_examples=150)
@given(edges=st.lists(st.lists(st.integers(0, 8), max_size=3, unique=True), min_size=9, max_size=9))
@example([[0, 1], [7, 4], [1, 7], [4, 5], [], [8, 3, 6], [], [1], [0, 2]])
@example([[1, 0], [8, 7], [1, 2, 7], [6, 1, 7], [6, 3, 0], [6, 8, 2], [1], [], [5]])
@example([[0, 4, 5], [8, 5, 0], [4], [4, 7], [0], [], [], [], [8, 3]])
def test_a_return_is_no_win_and_hides_none(table: float, edges: list[list[int]]) -> None:
    """In the examples, "not won" that hangs on a return to the path would be wrong on other paths."""
    game = load(GRAPH)
    packed = tuple(sum(to + 1 << 4 * i for i, to in enumerate(ends)) for ends in edges)
    p = prover(GRAPH, table)
    for node, value in enumerate(retrograde(packed)):
        s = game.start()._replace(node=node, edges=packed)
        found = p.prove(s)
        assert SIGNS[found.value] == value
        follow(game, s, found, cut=table == TINY)


# -- gomoku: attacks by threats --------------------------------------------------------------------------------------------------


def positions(*replay: str) -> list[Any]:
    found = []
    for block in (DATA / "gomoku" / "proofs.txt").read_text().split("\n\n")[1:]:
        title, spec, *lines = block.strip().splitlines()
        facts = dict(line.split(": ") for line in lines if ": " in line)
        if facts["replay"] in replay:
            marks = [pytest.mark.long] if len(replay) == 2 and facts["replay"] == "long" else []
            text = "/".join(line for line in lines if ": " not in line)
            found.append(pytest.param(spec, text, facts, id=title, marks=marks))
    return found


def fives(board: list[list[str]], side: str) -> set[tuple[int, int]]:
    """The empty cells on which a stone of `side` makes five."""
    size = len(board)
    found = set()
    for row in range(size):
        for col in range(size):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(row + i * down, col + i * right) for i in range(5)]
                if all(0 <= r < size and 0 <= c < size for r, c in line):
                    stones = [board[r][c] for r, c in line]
                    if stones.count(side) == 4 and "." in stones:
                        found.add(line[stones.index(".")])
    return found


def board_of(game: Game, s: Any) -> list[list[str]]:
    return [list(row) for row in game.format_state(s).split("/")]


def kind_of_attack(game: Game, s: Any, line: tuple[int, ...]) -> str:
    """Does each move of the attacker but the last threaten five?"""
    side = "XO"[game.turn(s) or 0]
    fours = True
    for i, m in enumerate(line[:-1]):
        s = game.play(s, m)
        fours &= i % 2 == 1 or bool(fives(board_of(game, s), side))
    return "fours" if fours else "threes"


@pytest.mark.parametrize(("spec", "text", "facts"), positions("no", "yes", "long"))
def test_long_attacks_are_proven(spec: str, text: str, facts: dict[str, str]) -> None:
    game = load(spec)
    s = game.parse_state(text)
    p = prover(spec, 64)
    found = p.prove(s, Limit(nodes=2_000_000))
    assert (found.value, found.by_threats) == ("win", True)
    assert (found.plies or 0) >= int(facts["plies"])
    assert kind_of_attack(game, s, found.line) == facts["attack"]
    follow(game, s, found)


class Replay:
    """Plays a proof out against every legal defence; all it takes from the game are moves, play and text."""

    def __init__(self, p: Prover) -> None:
        self.prover, self.game = p, p.game
        self.done: set[str] = set()

    def attack(self, s: Any, plies: int) -> None:
        """The attacker is to move and must win."""
        text = self.game.format_state(s)
        if text in self.done:
            return
        assert plies > 0
        me = "XO"[text.count("X") > text.count("O")]
        if not fives(board_of(self.game, s), me):
            found = self.prover.prove(s, Limit(nodes=10**6))
            assert found.value == "win"
            assert found.move is not None
            self.defend(self.game.play(s, found.move), me, plies - 1)
        self.done.add(text)

    def defend(self, s: Any, attacker: str, plies: int) -> None:
        """The attacker has not won yet: every legal move of the other side is tried, but those that let him make five."""
        board = board_of(self.game, s)
        assert not fives(board, "XO"[attacker == "X"]), "the defender makes five"
        threatened = {self.name(cell, len(board)) for cell in fives(board, attacker)}
        for m in self.game.legal(s):
            if not threatened or self.game.format_move(s, m) in threatened:
                self.attack(self.game.play(s, m), plies - 1)

    def name(self, cell: tuple[int, int], size: int) -> str:
        return f"{chr(97 + cell[1])}{size - cell[0]}"


@pytest.mark.parametrize(("spec", "text", "facts"), positions("yes", "long"))
def test_short_attacks_win_against_every_defence(spec: str, text: str, facts: dict[str, str]) -> None:
    p = prover(spec, 64)
    replay = Replay(p)
    replay.attack(p.game.parse_state(text), 60)
    assert replay.done


@pytest.mark.long
@settings(max_examples=60)
@given(seed=st.integers(0, 10**9), stones=st.integers(6, 12))
def test_whatever_attack_is_found_wins_against_every_defence(seed: int, stones: int) -> None:
    p, rng = prover("gomoku", 64), random.Random(seed)
    cells = ["X"] * stones + ["O"] * stones + ["."] * (90 - 2 * stones)
    for _ in range(40):
        rng.shuffle(cells)
        try:
            s = p.game.parse_state("/".join([*OPEN[1:], *("..." + "".join(cells[i : i + 9]) + "..." for i in range(0, 90, 9))]))
        except PlygroundError:
            continue  # somebody has won already
        found = p.prove(s, Limit(nodes=10_000))
        if found.value == "win" and (found.plies or 99) <= 9:
            Replay(p).attack(s, 60)
            return


def test_nothing_is_proven_where_nobody_attacks() -> None:
    p = prover("gomoku", 64)
    s = p.game.parse_state(
        "/".join([*OPEN[:-1], ".......O.......", ".......XXO.....", "........O......", "........X......", *OPEN])
    )
    for attack in (True, False):
        assert p.ask(s, ProofGoal(attack, True), 10**6) == -1
    found = p.prove(s, Limit(nodes=50_000))
    assert (found.value, found.low, found.high, found.plies) == ("unknown", -1, 1, None)


def test_a_proof_looks_at_every_legal_move() -> None:
    """Those that the game does not call likely too: a defence may be anywhere."""
    p = prover("gomoku", 64)
    s = p.game.play(p.game.start(), p.game.parse_move(p.game.start(), "h8"))
    assert len(list(p.game.likely(s))) == 24
    for question in (ProofGoal(False, True), ProofGoal(True, False)):
        p.ask(s, question, 1)
        assert p.memory.nodes == 224


def test_a_loss_is_proven_and_resisted() -> None:
    """O has an open four: X blocks one end, O plays the other."""
    p = prover("gomoku", 64)
    s = p.game.parse_state(
        "/".join([*OPEN[:-1], "......X...X....", "...............", "......OOOO.....", "...X..X........", *OPEN])
    )
    found = p.prove(s)
    assert (found.value, found.by_threats, found.plies) == ("loss", True, 2)
    follow(p.game, s, found)


# -- limits ----------------------------------------------------------------------------------------------------------------------


def test_a_limit_of_nodes_holds() -> None:
    p = Prover("gomoku", memory=1)
    found = p.prove(None, Limit(nodes=30_000))
    assert found.value == "unknown"
    assert 30_000 <= found.nodes < 31_000
    again = Prover("gomoku", memory=1).prove(None, Limit(nodes=30_000))
    assert again.nodes == found.nodes, "the same search twice is the same"


def test_time_progress_and_stop() -> None:
    p = Prover("gomoku", memory=1)
    told: list[ProofProgress] = []
    found = p.prove(None, Limit(time=0.5), on_progress=told.append)
    assert found.value == "unknown"
    assert told[-1].nodes > 0
    assert {str(told[-1].question)} <= {"win", "loss", "win by threats", "loss by threats"}

    def stop(progress: ProofProgress) -> None:
        told.append(progress)
        p.stop()

    assert p.prove(None, on_progress=stop).value == "unknown"


def test_an_interrupt_leaves_cleanly() -> None:
    p = Prover("gomoku", memory=1)

    def interrupt(progress: ProofProgress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        p.prove(None, on_progress=interrupt)
    assert p.last is not None
    assert p.last.value == "unknown"
    assert p.prove(None, Limit(nodes=1000)).nodes >= 1000


def test_what_cannot_be_proven_is_refused() -> None:
    with pytest.raises(PlygroundError, match="backgammon is a game of chance"):
        prove("backgammon")
    with pytest.raises(PlygroundError, match="no depth"):
        prover("tictactoe").prove(None, Limit(depth=3))
    with pytest.raises(PlygroundError, match="memory must be a number of MB above 0, not -1"):
        Prover("tictactoe", memory=-1)


def test_one_question_alone() -> None:
    game = load("tictactoe")
    p = prover("tictactoe")
    win, loss = (p.prove(None, only=only) for only in ("win", "loss"))
    assert (win.low, win.high, win.value) == (-1, 0, "unknown")
    assert (loss.low, loss.high, loss.value) == (0, 1, "unknown")
    assert loss.move in game.legal(game.start())
    with pytest.raises(PlygroundError, match='must be "win" or "loss"'):
        p.prove(None, only="draw")


def test_a_finished_game_is_told() -> None:
    game = load("tictactoe")
    s = game.start()
    for m in (0, 3, 1, 4, 2):
        s = game.play(s, m)
    found = prover("tictactoe").prove(s)
    assert (found.value, found.move, found.line, found.plies) == ("loss", None, (), 0)
