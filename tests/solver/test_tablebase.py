"""Tables of whole games and endings: right against plain passes over all states, known longest wins, files that never mislead."""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from here import DATA
from plyground.cli import analyse, main
from plyground.errors import GameError, PlygroundError
from plyground.play.match import Match
from plyground.play.report import Position
from plyground.players.builtin import RandomPlayer, TablebasePlayer, Tablebases
from plyground.rules.game import Game
from plyground.rules.load import load
from plyground.solver.tablebase import Tablebase, TablebaseProgress, open_tablebase, solve_tablebase
from positions import states_from

# -- the slow way, which is obviously right ----------------------------------------------------------------------------------


def other_side(game: Game, s: Any, child: Any) -> bool:
    return game.alternate or game.turn(s) != game.turn(child)


def passes(game: Game, states: dict[Any, Any], name: Any = None) -> dict[Any, tuple[int, int | None]]:
    """Value and plies of every state: in pass n, those won or lost in n plies; who is never reached is drawn."""
    name = name or game.identity
    known: dict[Any, tuple[int, int | None]] = {}
    after: dict[Any, list[tuple[Any, int]]] = {}
    for i, s in states.items():
        result = game.result(s)
        if result is not None:
            known[i] = (result, 0 if result else None)
        after[i] = [(name(c), -1 if other_side(game, s, c) else 1) for c in (game.play(s, m) for m in game.legal(s))]
    n = 0
    while True:
        n += 1
        new = {}
        for i in states:
            if i not in known:
                values = [sign * known[child][0] if child in known else None for child, sign in after[i]]
                if 1 in values:
                    new[i] = (1, n)
                elif all(value == -1 for value in values):
                    new[i] = (-1, n)
        if not new:
            break
        known.update(new)
    return {i: known.get(i, (0, None)) for i in states}


def margins(game: Game, s: Any, known: dict[Any, int]) -> int:
    """The margin of s for the side to move, by plain minimax."""
    i = game.identity(s)
    if i not in known:
        result = game.result(s)
        if result is None:
            children = [game.play(s, m) for m in game.legal(s)]
            result = max(margins(game, c, known) * (-1 if other_side(game, s, c) else 1) for c in children)
        known[i] = result
    return known[i]


IN_PLACE = (DATA / "rules" / "tablebase_in_place.py").read_text(encoding="utf-8")

WIDE = (DATA / "rules" / "tablebase_wide.py").read_text(encoding="utf-8")
"""Who takes two moves again; and a state takes more than 64 bits."""


@pytest.mark.parametrize("spec", ["tictactoe", "place", "wide"])
def test_every_state_is_as_plain_passes_find_it(spec: str, tmp_path: Path, rules_file: Any) -> None:
    game = load({"place": str(rules_file(IN_PLACE)), "wide": str(rules_file(WIDE, "wide.py"))}.get(spec, spec))
    table = solve_tablebase(game, tmp_path / "t.ply")
    states = states_from(game, game.start())
    assert states is not None
    values = passes(game, states)
    assert len(states) > 15
    assert [table.lookup(s) for s in states.values()] == list(values.values())
    longest = max((plies or 0 for value, plies in values.values() if value > 0), default=None)
    assert table.longest == longest
    assert table.lookup(game.parse_state(table.hardest)) == (1, longest)
    assert table.wins + table.draws + table.losses == table.states
    assert table.states == (765 if spec == "tictactoe" else len(states))  # up to symmetry


def test_margins_are_those_of_minimax(tmp_path: Path) -> None:
    game = load("kalah(pits=3,seeds=2)")
    table = solve_tablebase(game, tmp_path / "t.ply")
    states = states_from(game, game.start())
    assert states is not None
    known: dict[Any, int] = {}
    assert [table.lookup(s) for s in states.values()] == [(margins(game, s, known), None) for s in states.values()]


CIRCLES = (DATA / "rules" / "tablebase_circles.py").read_text(encoding="utf-8")


def test_margins_where_moves_can_go_round(tmp_path: Path, rules_file: Any) -> None:
    game = load(str(rules_file(CIRCLES)))
    states = states_from(game, game.start())
    assert states is not None
    # Play that goes on counts 0: so does play of n plies, as n grows.
    values = {s: game.result(s) or 0 for s in states}
    for _ in range(len(states)):
        old = dict(values)
        for s in states:
            if game.result(s) is None:
                values[s] = max(-old[game.play(s, m)] for m in game.legal(s))
    assert old == values
    assert {0, 1, 2, 3, 4} <= {abs(v) for s, v in values.items() if game.result(s) is None}
    table = solve_tablebase(game, tmp_path / "t.ply")
    assert {s: table.lookup(s) for s in states} == {s: (v, None) for s, v in values.items()}


# -- endings -----------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def endings(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Tables of endings, each made once."""
    folder = tmp_path_factory.mktemp("endings")

    def get(game: str, ending: str) -> Tablebase:
        return solve_tablebase(load(game), folder / f"{game}-{ending}.ply", ending=ending)

    return get


def checkers_positions(pieces: int) -> dict[Any, Any]:
    """Every position with exactly `pieces` pieces and either side to move."""
    game = load("checkers")
    bits = game.rules["pack"].__globals__["BIT"]
    found = {}

    def put(n: int, first: int, sides: list[int], kings: int) -> None:
        if n == 0:
            for side in (0, 1):
                s = game.State(sides[side], sides[1 - side], kings, side, 0)
                found[s] = s
            return
        for square in range(first, 32):
            for colour in (0, 1):
                for king in (0, 1):
                    if king or (square < 28 if colour == 0 else square > 3):
                        more = list(sides)
                        more[colour] |= 1 << bits[square]
                        put(n - 1, square + 1, more, kings | king << bits[square])

    put(pieces, 0, [0, 0], 0)
    return found


def without_counter(s: Any) -> Any:
    return s._replace(quiet=0)


def test_checkers_with_two_pieces_is_as_plain_passes_find_it(endings: Any) -> None:
    states = {**checkers_positions(1), **checkers_positions(2)}
    assert len(states) == 2 * (120 + 6_972)
    table = endings("checkers", "2")
    assert table.states == len(states) // 2
    empty = [
        c for s in states.values() for m in table.game.legal(s) if (c := without_counter(table.game.play(s, m))) not in states
    ]
    assert not empty
    assert [table.lookup(s) for s in states.values()] == list(passes(table.game, states, without_counter).values())


def test_checkers_with_three_pieces(endings: Any) -> None:
    assert endings("checkers", "3").states == 120 + 6_972 + 261_224


@pytest.mark.long
def test_checkers_with_three_pieces_is_as_plain_passes_find_it(endings: Any) -> None:
    states = {**checkers_positions(1), **checkers_positions(2), **checkers_positions(3)}
    values = passes(load("checkers"), states, without_counter)
    table = endings("checkers", "3")
    assert [table.lookup(s) for s in states.values()] == list(values.values())


@pytest.mark.long
def test_checkers_with_four_pieces(endings: Any) -> None:
    table = endings("checkers", "4")
    assert table.states == 120 + 6_972 + 261_224 + 7_092_774
    assert consistent(table, 2000, random_checkers(table.game, 4))


def consistent(table: Tablebase, count: int, states: Any) -> bool:
    """Does the value of each state follow from those of the states after its moves? Checked with the interpreted rules."""
    game = table.game
    for _ in range(count):
        s = next(states)
        value, plies = table.lookup(s) or pytest.fail(f"{game.format_state(s)} is missing")
        children = [table.lookup(game.play(s, m)) or pytest.fail("a move leads out of the table") for m in game.legal(s)]
        if not children:
            assert (value, plies) == (game.result(s), 0 if game.result(s) else None)
        elif any(v < 0 for v, _ in children):
            assert (value, plies) == (1, 1 + min(n for v, n in children if v < 0))
        elif all(v > 0 for v, _ in children):
            assert (value, plies) == (-1, 1 + max(n for _, n in children))
        else:
            assert (value, plies) == (0, None)
    return True


def random_checkers(game: Game, pieces: int) -> Any:
    dice = random.Random(pieces)
    while True:
        squares = dice.sample(range(1, 33), pieces)
        sides: list[list[str]] = [[], []]
        for square in squares:
            colour = dice.randrange(2)
            king = dice.randrange(2) or (square > 28 if colour == 0 else square < 5)
            sides[colour].append(f"{'K' if king else ''}{square}")
        yield game.parse_state(f"{dice.choice('BW')}:W{','.join(sides[1])}:B{','.join(sides[0])}")


def random_chess(game: Game, men: str, seed: int) -> Any:
    """Random legal positions with these men, in the letters of FEN."""
    dice = random.Random(seed)
    while True:
        board = ["."] * 64
        for square, letter in zip(dice.sample(range(64), len(men)), men, strict=True):
            board[square] = letter
        rows = "/".join("".join(board[8 * i : 8 * i + 8]) for i in range(8))
        for n in range(8, 0, -1):
            rows = rows.replace("." * n, str(n))
        try:
            yield game.parse_state(f"{rows} {dice.choice('wb')} - - 0 1")
        except PlygroundError:
            continue


@pytest.mark.parametrize(
    ("ending", "mate"),
    [("KQK", 10), ("KRK", 16), ("KPK", 28), pytest.param("KBNK", 33, marks=pytest.mark.long)],
)
def test_longest_mates(ending: str, mate: int, endings: Any) -> None:
    table = endings("chess", ending)
    game = table.game
    assert table.longest == 2 * mate - 1
    s = game.parse_state(table.hardest)
    line = table.line(s)
    assert len(line) == table.longest
    for m in line:
        s = game.play(s, m)
    assert game.result(s) == -1
    men = ending[:-1] + "k"
    for seed, letters in enumerate((men, men.swapcase())):
        assert consistent(table, 60, random_chess(game, letters, seed))


KRK_LOST = (27, 78, 246, 81, 198, 471, 592, 683, 1433, 1712, 1985, 2854, 3597, 4194, 4553, 2166, 390)
"""Positions of king and rook against king, the lone king to move, lost in 0 to 16 moves: published by Michael Bain in 1994."""


def test_king_and_rook_against_king_count_for_count(endings: Any) -> None:
    table = endings("chess", "KRK")
    counts = table.counts()
    assert [counts[-1, 2 * n] for n in range(17)] == list(KRK_LOST)
    assert counts[0, None] == 2796 + 462  # drawn positions of that list, and of the two kings alone
    assert table.losses == sum(KRK_LOST) == 28_056 - 2796
    assert sum(counts.values()) == table.states


def test_what_a_chess_table_does_not_hold(endings: Any) -> None:
    table = endings("chess", "KQK")
    game = table.game
    assert table.lookup(game.start()) is None
    for fen in ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"):
        assert table.lookup(game.parse_state(fen)) is None
    mate = game.parse_state("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
    assert table.lookup(mate) == (-1, 0)
    assert table.best(mate) == []
    assert table.lookup(game.parse_state("7k/8/6K1/8/8/8/8/1Q6 w - - 100 90")) == (0, None)  # drawn by the fifty moves


def test_words_of_chess_positions_keep_castling_and_passing_pawns() -> None:
    game = load("chess")
    pack, unpack = game.rules["pack"], game.rules["unpack"]
    texts = [
        "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1",
        "4k3/8/8/8/8/8/8/R3K2R w Q - 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1",
    ]
    states = [game.parse_state(text) for text in texts]
    words = [pack(s) for s in states]
    assert len(set(words)) == 4  # the third and the last are one position with the colours exchanged
    for s, word in zip(states, words, strict=True):
        twin = unpack(word)
        assert pack(twin) == word
        assert {pack(game.play(s, m)) for m in game.legal(s)} == {pack(game.play(twin, m)) for m in game.legal(twin)}
        assert game.parse_state(game.format_state(twin)) == twin
    assert pack(game.start()) == 0


# -- files ---------------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def nim(tmp_path_factory: pytest.TempPathFactory) -> Tablebase:
    return solve_tablebase(load("nim"), tmp_path_factory.mktemp("nim") / "nim.ply")


def test_no_changed_file_is_taken_for_a_table(nim: Tablebase, tmp_path: Path) -> None:
    data = nim.path.read_bytes()
    file = tmp_path / "changed.ply"
    dice = random.Random(7)
    changed = [data[:n] for n in {0, 1, 7, 19, 20, len(data) - 1, *dice.sample(range(len(data)), 30)}]
    changed += [data + b"\0", data + bytes(64), b"PLYTABLE" + dice.randbytes(400), dice.randbytes(300)]
    for i in dice.sample(range(len(data)), 200):
        changed.append(data[:i] + bytes([data[i] ^ 1 << dice.randrange(8)]) + data[i + 1 :])
    for one in changed:
        file.write_bytes(one)
        with pytest.raises(PlygroundError, match=r"changed\.ply: this is not a usable table: [a-z0-9 ,]+$"):
            open_tablebase(file, nim.game)


def test_tables_of_other_games_and_rules_are_refused(nim: Tablebase, rules_file: Any, tmp_path: Path) -> None:
    with pytest.raises(PlygroundError, match=r"this table is for nim, not for nim\(size=6\)"):
        open_tablebase(nim.path, load("nim(size=6)"))
    with pytest.raises(PlygroundError, match="cannot be read"):
        open_tablebase(tmp_path / "nothing.ply", nim.game)
    with pytest.raises(PlygroundError, match="cannot be read"):
        open_tablebase(tmp_path, nim.game)
    assert open_tablebase(nim.path, load("nim(size=5)")).states == nim.states  # the same rules by another name


def test_only_what_the_rules_do_counts(rules_file: Any, tmp_path: Path) -> None:
    path = rules_file(WIDE, "wide.py")
    table = solve_tablebase(load(str(path)), tmp_path / "t.ply")
    path = rules_file('"""Says more."""\n# and more\n' + WIDE + "\ndef evaluate(s): return s.heap\n", "wide.py")
    assert open_tablebase(table.path, load(str(path))).states == table.states
    path = rules_file(WIDE.replace("min(3,", "min(4,"), "wide.py")
    with pytest.raises(PlygroundError, match="different rules of wide"):
        open_tablebase(table.path, load(str(path)))


def test_states_that_are_not_in_a_table_are_never_found(endings: Any) -> None:
    table = endings("checkers", "2")
    for pieces in (3, 4, 8):
        states = random_checkers(table.game, pieces)
        assert [s for s in (next(states) for _ in range(500)) if table.game.result(s) is None and table.lookup(s)] == []


# -- runs that end early -------------------------------------------------------------------------------------------------------


class Stop(Exception):  # noqa: N818
    """A run is to be given up."""


def test_a_run_given_up_anywhere_goes_on_and_makes_the_same_file(endings: Any, tmp_path: Path) -> None:
    game = load("checkers")
    file = tmp_path / "t.ply"
    seen: list[TablebaseProgress] = []
    runs = 0

    def give_up_later(p: TablebaseProgress) -> None:
        seen.append(p)
        if len(seen) % 4 == 3:
            raise Stop

    while not file.exists():
        runs += 1
        try:
            solve_tablebase(game, file, ending="2", every=0, block=1000, on_progress=give_up_later)
        except Stop:
            assert Path(f"{file}.part").exists()
    assert runs > 3
    steps = [(p.stage, p.done if p.stage == "finding" else p.ply) for p in seen if p.stage != "writing"]
    assert steps == sorted(set(steps))  # nothing is done twice
    assert file.read_bytes() == endings("checkers", "2").path.read_bytes()
    assert not Path(f"{file}.part").exists()


KILLED = """
import sys
from plyground.rules.load import load
from plyground.solver.tablebase import solve_tablebase
def tell(p):
    print(p.stage, p.done, flush=True)
    sys.stdin.readline()
solve_tablebase(load("checkers"), sys.argv[1], ending="2", every=0, block=500, on_progress=tell)
"""


def test_a_killed_run_loses_nothing_finished(endings: Any, tmp_path: Path) -> None:
    want = endings("checkers", "2").path.read_bytes()
    file = tmp_path / "t.ply"
    run = subprocess.Popen([sys.executable, "-c", KILLED, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert run.stdin is not None
    assert run.stdout is not None
    run.stdin.write("\n" * 5)  # it goes on five times, and waits before the sixth
    run.stdin.flush()
    told = [run.stdout.readline().split() for _ in range(6)]
    run.kill()
    run.communicate()
    assert not file.exists()
    seen: list[TablebaseProgress] = []
    solve_tablebase(load("checkers"), file, ending="2", every=0, block=500, on_progress=seen.append)
    assert told[-1][0] == "finding"
    assert seen[0].done >= int(told[-1][1]) + 500 or seen[0].stage != "finding"
    assert file.read_bytes() == want


def test_damaged_parts_are_dropped_and_foreign_ones_refused(nim: Tablebase, tmp_path: Path) -> None:
    file, part = tmp_path / "t.ply", tmp_path / "t.ply.part"
    with pytest.raises(PlygroundError, match=r"more than 20 states .* kept in .*t\.ply\.part$"):
        solve_tablebase(nim.game, file, states=20)
    data = bytearray(part.read_bytes())
    with pytest.raises(PlygroundError, match="started for nim"):
        solve_tablebase(load("nim(size=4)"), file)
    data[-20] ^= 1
    part.write_bytes(data)
    assert solve_tablebase(nim.game, file).path.read_bytes() == nim.path.read_bytes()
    file.unlink()
    part.write_bytes(b"notes of mine")
    with pytest.raises(PlygroundError, match="not an unfinished table"):
        solve_tablebase(nim.game, file)
    assert part.read_bytes() == b"notes of mine"


def test_limits_tell_what_was_found_and_more_can_be_allowed(nim: Tablebase, tmp_path: Path) -> None:
    file = tmp_path / "t.ply"
    with pytest.raises(PlygroundError, match=r"more than 40 states \(40 found, \d+ expanded, \d plies deep\).*--states"):
        solve_tablebase(nim.game, file, states=40)
    assert solve_tablebase(nim.game, file, states=nim.states).path.read_bytes() == nim.path.read_bytes()
    with pytest.raises(PlygroundError, match=r"more than 10 MB are needed .*--memory"):
        solve_tablebase(nim.game, tmp_path / "u.ply", memory=10)
    assert not (tmp_path / "u.ply.part").exists()
    for states, memory in ((0, 100.0), (-1, 100.0), (100, 0.0), (100, float("nan"))):
        with pytest.raises(PlygroundError, match=r"must be a .*number"):
            solve_tablebase(nim.game, tmp_path / "u.ply", states=states, memory=memory)


def test_a_second_run_on_the_same_file_is_refused(tmp_path: Path) -> None:
    game, file = load("nim"), tmp_path / "t.ply"

    def again(p: TablebaseProgress) -> None:
        solve_tablebase(game, file)

    with pytest.raises(PlygroundError, match="another run is using it"):
        solve_tablebase(game, file, on_progress=again)


def test_what_cannot_be_solved_is_said_in_a_line(nim: Tablebase, tmp_path: Path, rules_file: Any) -> None:
    def refused(spec: str, why: str, ending: str | None = None) -> None:
        with pytest.raises(PlygroundError, match=why):
            solve_tablebase(load(spec), tmp_path / "t.ply", ending=ending)
        assert not list(tmp_path.glob("t.ply*"))

    refused("2048", "game of chance")
    refused("checkers", "too large for a table; give an --ending")
    refused("nim", "has no named endings", "KQK")
    for text in ("KQ", "K", "KQKX", "QK", "KQRBNK", "kqk", ""):
        refused("chess", "is not an ending of chess", text)
    refused("checkers", "maximum number of pieces", "0")
    with pytest.raises(PlygroundError, match="cannot be written"):
        solve_tablebase(nim.game, tmp_path / "nowhere" / "t.ply")
    solve_tablebase(load("checkers"), tmp_path / "one.ply", ending="1")
    with pytest.raises(PlygroundError, match=r"one\.ply: contains 1; remove it"):
        solve_tablebase(load("checkers"), tmp_path / "one.ply", ending="2")


@pytest.mark.parametrize(("given", "missing"), [("pack", "unpack"), ("positions", "ending")])
def test_hooks_come_in_pairs(given: str, missing: str, rules_file: Any) -> None:
    with pytest.raises(GameError, match=f"`{given}` needs `{missing}`"):
        load(str(rules_file(WIDE + f"\ndef {given}(s): return 0\n")))


# -- playing from tables -------------------------------------------------------------------------------------------------------


def test_a_table_wins_every_won_position(endings: Any) -> None:
    table = endings("chess", "KQK")
    game = table.game
    states = random_chess(game, "KQk", 5)
    player = TablebasePlayer(Tablebases([str(table.path)], game), lambda: RandomPlayer(1), "random")
    for _ in range(5):
        s = next(states)
        value, plies = table.lookup(s)
        if value == 0:
            continue
        while (found := game.result(s)) is None:
            m = player.choose(Position.of(game, s)).move
            assert m is not None
            s = game.play(s, m)
            plies -= 1
        assert (found, plies) == (-1, 0)


def test_where_the_table_ends_another_player_goes_on(endings: Any) -> None:
    table = endings("chess", "KQK")
    player = TablebasePlayer(Tablebases([str(table.path)], table.game), lambda: RandomPlayer(1), "random")
    found = player.choose(Position.of(table.game))
    assert found.move in table.game.legal(table.game.start())
    assert not found.scored
    s = table.game.parse_state("7k/8/6K1/8/8/8/8/1Q6 w - - 0 1")
    found = player.choose(Position.of(table.game, s))
    assert found.move is not None
    assert table.game.format_move(s, found.move) == "Qb8#"
    assert found.value == "win"


def test_solve_makes_a_table_and_answers_from_it(endings: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "t.ply")
    assert main(["solve", "nim", "--table", file, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["value"], found["plies"], found["move"], len(found["moves"])) == ("win", 11, "a2", 12)
    assert found["table"]["states"] == 48
    assert main(["solve", "nim", "--table", file, "--moves", "a2", "--all-moves"]) == 0
    out = capsys.readouterr().out
    assert "48 states" in out
    assert "1-4-5\nsecond to move: " in out
    assert out.count("loses in") == 1 + 10  # the position and each of its moves
    table = endings("chess", "KRK")
    assert main(["solve", "chess", "--ending", "KRK", "--table", str(table.path)]) == 0
    assert "white to move: " in (out := capsys.readouterr().out)
    assert "wins in 31" in out
    assert (
        main(["solve", "chess", "--ending", "KRK", "--table", str(table.path), "--state", "4k3/8/8/8/8/8/8/4K2Q w - - 0 1"]) == 2
    )
    assert "does not contain 4k3/8/8/8/8/8/8/4K2Q w" in capsys.readouterr().err


def test_analyse_asks_the_table_first(nim: Tablebase, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", "nim", "--table", str(nim.path), "--json", "--lines", "0"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["value"], found["plies"], found["move"], found["nodes"]) == ("win", nim.longest, "a2", 0)
    assert len(found["moves"]) == 12
    assert found["table"] == str(nim.path)
    elsewhere = Match(nim.game, "9-9-9")
    assert not analyse._look_up(argparse.Namespace(table=[str(nim.path)], lines=1, json=False), elsewhere)


def test_play_uses_the_table(nim: Tablebase, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["play", "nim", "--table", str(nim.path), "--side", "none", "--against", "random", "--eval"]) == 0
    out = capsys.readouterr().out
    assert "nim.ply, else random" in out
    assert f"first wins in {nim.longest}" in out
    assert "first wins" in out.splitlines()[-1]
    assert os.listdir(nim.path.parent) == ["nim.ply"]
