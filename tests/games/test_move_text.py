"""Texts of moves: what `format_move` prints in any position is read back as that move, alone and in whole games of text."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import chess as oracle
import pytest

from here import DATA, EXAMPLES
from plyground import TextError, load
from plyground.protocols import hub
from plyground.protocols.uci import uci_move, uci_word
from plyground.protocols.ugi import move_of, word_of
from plyground.rules.game import Game
from plyground.rules.load import builtin_games

CHESS = load("chess")


# -- positions: from random games, and scattered over the board ----------------------------------------------------------------


def played(game: Game, rng: random.Random) -> Iterator[Any]:
    """States of random games, one after another, those where chance moves among them."""
    while True:
        s = game.start()
        while options := [m for m, _ in game.outcomes(s)] or game.legal(s):
            yield s
            s = game.play(s, rng.choice(options))


def scattered_chess(rng: random.Random) -> str:
    """A FEN with few pawns and up to eight promoted pieces, most of them alike, so that moves are hard to tell apart."""
    squares = rng.sample(range(64), 64)
    pieces = {squares.pop(): "K", squares.pop(): "k"}
    for side in (str.upper, str.lower):
        kind = rng.choice("qrbbn")
        for piece in rng.choices([*kind * 6, *"qrbn", "p"], k=rng.randint(1, 9)):
            pieces[squares.pop()] = side(piece)
    for square in [square for square, piece in pieces.items() if piece in "Pp" and square // 8 in (0, 7)]:
        del pieces[square]
    board = oracle.Board(None)
    board.set_piece_map({square: oracle.Piece.from_symbol(piece) for square, piece in pieces.items()})
    board.turn = rng.random() < 0.5
    return board.fen()


def scattered_dark(squares: int, most: int) -> Callable[[random.Random], str]:
    """A position of checkers or draughts with any pieces on the dark squares, thin or crowded."""

    def position(rng: random.Random) -> str:
        lists: dict[str, list[str]] = {"W": [], "B": []}
        kinds = rng.choice([".....WB", "...WB", "......WBBB", "......WWWB"])
        kings = rng.random()
        for n in range(1, squares + 1):
            side = rng.choice(kinds)
            if side != "." and len(lists[side]) < most:
                last = n <= squares // 10 + 1 if side == "W" else n > squares - squares // 10 - 1
                lists[side].append(f"{'K' if last or rng.random() < kings else ''}{n}")
        return f"{rng.choice('WB')}:W{','.join(lists['W'])}:B{','.join(lists['B'])}"

    return position


def scattered_backgammon(rng: random.Random) -> str:
    """A roll, with the checkers of both sides on a few points; blots and bearing off are common."""
    far = rng.choice([3, 6, 12, 25])
    taken: set[int] = set()
    words = []
    for side in (0, 1):
        counts: dict[int, int] = {}
        for _ in range(rng.randint(1, 15)):
            point = rng.randint(1, far)
            if point == 25 or (25 - point if side else point) not in taken:
                counts[point] = counts.get(point, 0) + 1
        taken = {25 - point if side else point for point in counts}
        texts = [("bar" if point == 25 else str(point)) + (f"({n})" if n > 1 else "") for point, n in sorted(counts.items())]
        words.append(",".join(reversed(texts)) or "1")
    return f"{rng.choice('XO')} {rng.randint(1, 6)}-{rng.randint(1, 6)} {' '.join(words)}"


SCATTERED = {
    "chess": scattered_chess,
    "checkers": scattered_dark(32, 12),
    "draughts": scattered_dark(50, 20),
    "backgammon": scattered_backgammon,
}
"""Positions that random games rarely reach."""


def positions(name: str, number: int, seed: int) -> Iterator[tuple[Game, Any]]:
    """States of a game in which a move can be made: half from random games, half scattered if the game has such."""
    game, rng = load(name), random.Random(seed)
    games = played(game, rng)
    for i in range(number):
        s = None
        while i % 2 and name in SCATTERED and s is None:
            try:
                s = game.parse_state(SCATTERED[name](rng))
            except TextError:
                continue
            s = s if game.legal(s) else None
        yield game, next(games) if s is None else s


NUMBERS = [pytest.param(60, 1), pytest.param(10_000, 2, marks=pytest.mark.long)]
PATHS = [*sorted(EXAMPLES.glob("*.py")), *sorted((DATA / "newcomer").glob("*.py"))]
FILES = [pytest.param(str(path), id=f"{path.parent.name}/{path.name}") for path in PATHS]
SIZES = [
    *("tictactoe(rows=5, cols=11, k=4)", "connect4(rows=4, cols=12)", "kalah(pits=7, seeds=2)", "nim(heaps=6, size=12)"),
    *("gomoku(size=20, exact=1)", "gomoku(size=5)"),
    *(
        pytest.param(f"{EXAMPLES / spec}", id=spec)
        for spec in ("breakthrough.py(size=8)", "hex.py(size=8)", "three_heaps.py(a=12)")
    ),
    *(pytest.param(f"{DATA / 'newcomer' / spec}", id=spec) for spec in ("hex.py(size=11)", "popout.py(rows=5, cols=7, k=4)")),
    *(pytest.param(f"{DATA / 'newcomer' / spec}", id=spec) for spec in ("isolation.py(size=6)", "dots_and_boxes.py(n=3)")),
]
"""Boards of other sizes, where names of cells are longer and numbers have two digits."""


def check_texts(name: str, number: int, seed: int) -> None:
    """Reads back each move in some of the positions, up to twelve moves in the others."""
    rng = random.Random(seed)
    for i, (game, s) in enumerate(positions(name, number, seed)):
        options = [m for m, _ in game.outcomes(s)] or game.legal(s)
        texts = {m: game.format_move(s, m) for m in options}
        assert len(set(texts.values())) == len(texts), game.format_state(s)
        for m in options if i % max(10, number // 100) == 0 or len(options) < 12 else rng.sample(options, 12):
            assert game.parse_move(s, texts[m]) == m, (game.format_state(s), texts[m])
            assert move_of(game, s, word_of(game, s, m)) == m, (game.format_state(s), texts[m])


@pytest.mark.parametrize("name", [*builtin_games(), *FILES])
@pytest.mark.parametrize(("number", "seed"), NUMBERS)
def test_a_printed_move_is_read_as_that_move(name: str, number: int, seed: int) -> None:
    check_texts(name, number, seed)


@pytest.mark.parametrize("name", SIZES)
@pytest.mark.parametrize(("number", "seed"), [pytest.param(60, 1), pytest.param(1000, 2, marks=pytest.mark.long)])
def test_boards_of_other_sizes(name: str, number: int, seed: int) -> None:
    check_texts(name, number, seed)


@pytest.mark.parametrize("name", builtin_games())
@pytest.mark.parametrize(("number", "seed"), [pytest.param(3, 3), pytest.param(200, 4, marks=pytest.mark.long)])
def test_a_game_of_text_is_read_as_it_was_played(name: str, number: int, seed: int) -> None:
    game, rng = load(name), random.Random(seed)
    for _ in range(number):
        s = game.start()
        moves: list[int] = []
        texts: list[str] = []
        while (options := [m for m, _ in game.outcomes(s)] or game.legal(s)) and len(moves) < 150:
            moves.append(rng.choice(options))
            texts.append(game.format_move(s, moves[-1]))
            s = game.play(s, moves[-1])
        assert game.parse_moves(game.start(), " ".join(texts)) == moves, texts


# -- chess beside python-chess -------------------------------------------------------------------------------------------------


def meant(read: Callable[[str], oracle.Move], text: str) -> str | None:
    """The move that python-chess reads, None if it refuses the text."""
    try:
        return read(text).uci()
    except ValueError:
        return None


def read(s: Any, text: str) -> str | None:
    """The move that we read."""
    try:
        return uci_word(s, CHESS.parse_move(s, text))
    except TextError:
        return None


def san_like(rng: random.Random, board: oracle.Board) -> str:
    """A text that looks like SAN: a piece, where it may come from, where it may go; often no legal move."""
    move = rng.choice([*board.legal_moves])
    piece = rng.choice(["", *"KQRBN", board.piece_at(move.from_square).symbol().upper()])
    origin = oracle.square_name(move.from_square)
    target = oracle.square_name(rng.choice([move.to_square, rng.randrange(64)]))
    source = rng.choice(["", origin[0], origin[1], origin])
    if not piece and source in (target[0], "b"):
        source = ""  # python-chess takes `axa3` for a3; we take `bf6` for Bf6
    return piece + source + rng.choice(["", "", "x"]) + target + rng.choice(["", "", "=Q", "+"])


@pytest.mark.parametrize(("number", "seed"), [pytest.param(150, 5), pytest.param(100_000, 6, marks=pytest.mark.long)])
def test_san_is_that_of_python_chess(number: int, seed: int) -> None:
    rng = random.Random(seed)
    for game, s in positions("chess", number, seed):
        board = oracle.Board(game.format_state(s))
        moves = [*board.legal_moves]
        for move in moves if len(moves) < 5 else rng.sample(moves, 5):
            m, san = uci_move(s, move.uci()), board.san(move)
            assert game.format_move(s, m) == san, (board.fen(), move)
            capitals = move.uci().upper()
            for text in (san, san.rstrip("+#"), move.uci(), board.lan(move), san if capitals[0] == "B" else capitals):
                assert read(s, text) == move.uci(), (board.fen(), text)
        for text in (san_like(rng, board) for _ in range(3)):
            wanted = meant(board.parse_san, text) or meant(board.parse_uci, text)
            assert read(s, text) == wanted, (board.fen(), text)


BISHOPS = "5B1k/8/8/8/1Q3B2/8/8/K7 w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "text", "wanted"),
    [
        (BISHOPS, "B4d6", "f4d6"),
        (BISHOPS, "B8d6", "f8d6"),
        (BISHOPS, "B4h6", "f4h6"),
        (BISHOPS, "B8h6", "f8h6"),
        (BISHOPS, "b4d6", "b4d6"),
        (BISHOPS, "Qd6", "b4d6"),
        (BISHOPS, "B4D6", None),  # the queen in UCI or a bishop in SAN: capitals do not say which
        (BISHOPS, "B4E4", "b4e4"),  # no bishop can go there
        (BISHOPS, "B4e4", None),  # as SAN writes a bishop's move, which is not legal
        ("4k3/8/8/8/8/2p5/1P6/B3K3 w - - 0 1", "Bxc3", None),  # the pawn could take there, the bishop could not
        ("4k3/8/8/8/8/2p5/1P6/4K3 w - - 0 1", "BXC3", "b2c3"),
        ("4k3/8/8/8/8/2p5/1P6/4B1K1 w - - 0 1", "BXC3", None),  # either could take there
        ("4k3/8/8/8/1P6/8/4B3/4K3 w - - 0 1", "bb5", "e2b5"),  # not the pawn, whose file is written only if it captures
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "d5", None),  # not the pawn that could capture there
    ],
)
def test_case_tells_a_bishop_from_a_file(fen: str, text: str, wanted: str | None) -> None:
    assert read(CHESS.parse_state(fen), text) == wanted


# -- captures with the same ends ------------------------------------------------------------------------------------------------


def test_a_short_capture_between_the_ends_of_a_long_one() -> None:
    """A king may jump around in a circle and then on, or go there at once."""
    game = load("checkers")
    s = game.parse_state("B:W10,11,18,19,9:BK14")
    texts = [game.format_move(s, m) for m in game.legal(s)]
    assert "14x5" in texts
    assert [game.format_move(s, game.parse_move(s, text)) for text in texts] == texts
    ends = [m for m in game.legal(s) if game.format_move(s, m).startswith("14x") and game.format_move(s, m).endswith("x5")]
    assert len(ends) == 3


def test_a_game_of_text_with_a_move_that_begins_like_another() -> None:
    """With 6-1 both `6/off` (6/5/off) and `6/off 1/off` are legal."""
    game = load("backgammon")
    s = game.parse_state("X 6-1 6,1(2) 10(3)")
    moves = {game.format_move(s, m): m for m in game.legal(s)}
    assert {"6/off", "6/off 1/off"} <= set(moves)
    after = {text: game.play(s, m) for text, m in moves.items()}
    for text in ("6/off", "6/off 1/off"):
        roll = game.parse_move(after[text], "5-2")
        assert game.parse_moves(s, text) == [moves[text]]
        assert game.parse_moves(s, f"{text} 5-2") == [moves[text], roll]


@pytest.mark.parametrize(("number", "seed"), [pytest.param(60, 7), pytest.param(10_000, 8, marks=pytest.mark.long)])
def test_hub_reads_what_it_writes(number: int, seed: int) -> None:
    for game, s in positions("draughts", number, seed):
        for m in game.legal(s):
            assert hub.read_move(game, s, hub.write_move(game, s, m)) == m, game.format_state(s)
