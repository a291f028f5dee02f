"""Chess written plainly: a board of 64 squares and a few loops. Nothing is precomputed, nothing is optimised.

Rules: the FIDE Laws of Chess. The third occurrence of a position, and fifty moves each without a capture or a pawn move, end the
game in a draw at once. Dead positions are played on.

The squares are numbered row by row from a8, at the top left, to h1. White's pieces are 1 to 6, Black's -1 to -6, an empty square
is 0. A move is `from + 64 * to + 4096 * promotion`; a king castles by moving two squares.

The chess that comes with Plyground (`plyground/games/chess/`) has the same rules on bit boards, many times as fast.
"""

import re
from typing import NamedTuple

from plyground import Board
from plyground.bits import mix, put, u64

TITLE = "Mailbox chess"
SIDES = ("white", "black")
ALTERNATE = True
REPETITION = 3
PLAY_ON = True
LETTERS = ".PNBRQK"
BOARD = Board("squares", 8, 8, ("PNBRQK", "pnbrqk"), ("♙♘♗♖♕♔", "♟♞♝♜♛♚"), checkered=True)

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(1, 7)
# Rows and columns: rooks take steps 0 to 3, bishops 4 to 7, queens and kings 0 to 7, knights 8 to 15.
STEPS = (
    (-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1),
    (-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1),
)  # fmt: skip
FIRST = (0, 0, 8, 4, 0, 0, 0)
END = (0, 0, 16, 8, 4, 8, 8)
AHEAD = (-8, 8)  # one step of a pawn of each side
HOME_ROW = (6, 1)  # where its pawns start
VALUES = (0, 100, 300, 300, 500, 900, 0)
# Castling rights are bits: 1 and 2 for White's king's and queen's side, 4 and 8 for Black's.
LOST = {60: 3, 63: 1, 56: 2, 4: 12, 7: 4, 0: 8}
KEPT = tuple(15 & ~LOST.get(square, 0) for square in range(64))


class State(NamedTuple):
    board: tuple[int, ...]
    castling: int
    passed: int  # the square that a pawn has just passed, if another may capture it there; else -1
    turn: int  # 0 white, 1 black
    quiet: int  # plies since the last capture or pawn move


def start():
    return parse_state("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")


def turn(s):
    return s.turn


# -- moves ----------------------------------------------------------------------------------------------------------------------


def is_attacked(board, square, colour):
    """Return whether a piece of this colour, 1 or -1, attacks a square: look from the square along every step."""
    for i in range(16):
        row, col, distance = square // 8 + STEPS[i][0], square % 8 + STEPS[i][1], 1
        while 0 <= row < 8 and 0 <= col < 8:
            kind = board[8 * row + col] * colour
            if kind == PAWN and distance == 1 and 4 <= i < 8 and STEPS[i][0] == colour:
                return True
            if kind > 0 and FIRST[kind] <= i < END[kind] and (distance == 1 or BISHOP <= kind <= QUEEN):
                return True
            if kind or i >= 8:
                break
            row, col, distance = row + STEPS[i][0], col + STEPS[i][1], distance + 1
    return False


def in_check(board, colour):
    """Return whether the king of this colour, 1 or -1, is attacked."""
    for square in range(64):
        if board[square] == KING * colour:
            return is_attacked(board, square, -colour)
    return False


def pawn_targets(s, square):
    colour, ahead = 1 - 2 * s.turn, square + AHEAD[s.turn]
    if not s.board[ahead]:
        yield ahead
        if square // 8 == HOME_ROW[s.turn] and not s.board[ahead + AHEAD[s.turn]]:
            yield ahead + AHEAD[s.turn]
    for to in (ahead - 1, ahead + 1):
        if abs(to % 8 - square % 8) == 1 and (s.board[to] * colour < 0 or to == s.passed):
            yield to


def piece_targets(s, square):
    colour = 1 - 2 * s.turn
    kind = s.board[square] * colour
    for i in range(FIRST[kind], END[kind]):
        row, col = square // 8 + STEPS[i][0], square % 8 + STEPS[i][1]
        while 0 <= row < 8 and 0 <= col < 8:
            taken = s.board[8 * row + col]
            if taken * colour <= 0:
                yield 8 * row + col
            if taken or kind in (KNIGHT, KING):
                break
            row, col = row + STEPS[i][0], col + STEPS[i][1]


def castling_targets(s, king):
    """Castling is allowed through no piece and no attacked square; a king that arrives in check is caught like any other."""
    board, colour, rights = s.board, 1 - 2 * s.turn, s.castling >> 2 * s.turn
    if not rights & 3 or is_attacked(board, king, -colour):
        return
    if rights & 1 and not (board[king + 1] or board[king + 2] or is_attacked(board, king + 1, -colour)):
        yield king + 2
    if rights & 2 and not (board[king - 1] or board[king - 2] or board[king - 3] or is_attacked(board, king - 1, -colour)):
        yield king - 2


def candidates(s):
    """The moves of all pieces, also those that leave their own king in check."""
    for square in range(64):
        kind = s.board[square] * (1 - 2 * s.turn)
        if kind == PAWN:
            for to in pawn_targets(s, square):
                if 8 <= to < 56:
                    yield square + 64 * to
                else:
                    for promotion in (QUEEN, ROOK, BISHOP, KNIGHT):
                        yield square + 64 * to + 4096 * promotion
        elif kind > 0:
            for to in piece_targets(s, square):
                yield square + 64 * to
            if kind == KING:
                for to in castling_targets(s, square):
                    yield square + 64 * to


def moves(s):
    for m in candidates(s):
        if not in_check(play(s, m).board, 1 - 2 * s.turn):
            yield m


def play(s, m):
    source, to, promotion, colour = m & 63, m >> 6 & 63, m >> 12, 1 - 2 * s.turn
    kind = s.board[source] * colour
    board = put(put(s.board, to, (promotion or kind) * colour), source, 0)
    passed = -1
    if kind == PAWN and to == s.passed:
        board = put(board, to - AHEAD[s.turn], 0)
    if kind == PAWN and abs(to - source) == 16:
        left, right = to % 8 > 0 and board[to - 1] == -PAWN * colour, to % 8 < 7 and board[to + 1] == -PAWN * colour
        passed = (source + to) // 2 if left or right else -1
    if kind == KING and abs(to - source) == 2:
        corner = to + 1 if to > source else to - 2
        board = put(put(board, corner, 0), (source + to) // 2, ROOK * colour)
    quiet = 0 if kind == PAWN or s.board[to] else s.quiet + 1
    return State(board, s.castling & KEPT[source] & KEPT[to], passed, 1 - s.turn, quiet)


# -- results --------------------------------------------------------------------------------------------------------------------


def stuck(s):
    """Checkmate or stalemate."""
    return -1 if in_check(s.board, 1 - 2 * s.turn) else 0


def result(s):
    """Fifty moves each; a checkmate on the last of them counts."""
    if s.quiet >= 100:
        for _ in moves(s):
            return 0
        return stuck(s)
    return None


def key(s):
    """All but the plies since the last capture or pawn move, so that repetitions are recognised."""
    h = mix(u64(s.castling << 8 | s.passed + 1 << 1 | s.turn))
    for piece in s.board:
        h = mix(h ^ u64(piece + KING))
    return h


def countdown(s):
    return 100 - s.quiet


def evaluate(s):
    """Material, in hundredths of a pawn."""
    score = 0
    for piece in s.board:
        score += VALUES[piece] if piece > 0 else -VALUES[-piece]
    return score * (1 - 2 * s.turn)


def loud(s, m):
    """Captures and promotions."""
    return s.board[m >> 6 & 63] != 0 or m >> 12 != 0


# -- text and board -------------------------------------------------------------------------------------------------------------


def touch(s, m):
    yield m & 63
    yield m >> 6 & 63


def format_state(s):
    """Forsyth-Edwards notation, without the number of the move."""
    letters = "".join(LETTERS[piece] if piece >= 0 else LETTERS[-piece].lower() for piece in s.board)
    rows = "/".join(re.sub(r"\.+", lambda dots: str(len(dots[0])), letters[i : i + 8]) for i in range(0, 64, 8))
    rights = "".join(letter for i, letter in enumerate("KQkq") if s.castling >> i & 1) or "-"
    passed = "-" if s.passed < 0 else f"{'abcdefgh'[s.passed % 8]}{8 - s.passed // 8}"
    return f"{rows} {'wb'[s.turn]} {rights} {passed} {s.quiet}"


def parse_state(text):
    rows, side, rights, passed, quiet = text.split()[:5]
    letters = re.sub(r"\d", lambda n: "." * int(n[0]), rows.replace("/", ""))
    if sorted(c for c in letters if c in "Kk") != ["K", "k"] or len(letters) != 64:
        raise ValueError("a position has 64 squares, and a king of each side")
    board = tuple(LETTERS.index(c.upper()) * (1 if c.isupper() else -1) for c in letters)
    castling = sum(1 << "KQkq".index(letter) for letter in rights.strip("-"))
    square = -1 if passed == "-" else "abcdefgh".index(passed[0]) + 8 * (8 - int(passed[1]))
    return State(board, castling, square, ("w", "b").index(side), int(quiet))
