"""Chess: moves and positions as people write them, and the board."""

import re

from plyground import Board
from plyground.bits import bits, byteswap, i64, lowest, popcount

from .attacks import KING_STEPS, KNIGHT_STEPS, RANK_1, RANK_6, bishop_attacks, rook_attacks
from .rules import (
    KING,
    KNIGHT,
    LETTERS,
    PAWN,
    State,
    en_passant_capturers,
    in_check,
    is_capture,
    moves,
    play,
    swap_sides,
    turn,
    with_sums,
    without_en_passant,
)
from .squares import kind_at

BOARD = Board("squares", 8, 8, (LETTERS, LETTERS.lower()), ("♙♗♘♖♕♔", "♟♝♞♜♛♚"), checkered=True)
CASTLING = {"K": 7, "Q": 0, "k": 63, "q": 56}
FEN_RANK = re.compile(r"(?:[1-8](?![1-8])|[PBNRQKpbnrqk])+")
SAN = re.compile(r"([KQRBN])?([a-h])?([1-8])?[x:-]?([a-h][1-8])(?:=?([QRBNqrbn]))?")
UCI = re.compile(r"([a-h][1-8])[\s:x-]*([a-h][1-8])\s*=?([qrbn]?)", re.IGNORECASE)


def name(s, square):
    """Return the name of a square."""
    square ^= 56 * turn(s)
    return f"{'abcdefgh'[square & 7]}{(square >> 3) + 1}"


def letter_at(s, square):
    """Return the piece on a square as seen by the side to move: capitals are White's; a dot if there is none."""
    if not (s.mine | s.theirs) >> square & 1:
        return "."
    letter = LETTERS[kind_at(s, square)]
    return letter if (s.mine >> square & 1) ^ turn(s) else letter.lower()


def cells(s):
    flip = 56 * (1 - turn(s))
    for i in range(64):
        square = i ^ flip
        if not (s.mine | s.theirs) >> square & 1:
            yield 0
        else:
            yield i64(kind_at(s, square)) + (1 if s.mine >> square & 1 != turn(s) else 7)


def touch(s, m):
    flip = 56 * (1 - turn(s))
    yield m & 63 ^ flip
    yield m >> 6 & 63 ^ flip


def format_move(s, m):
    """Return a move in standard algebraic notation."""
    new = play(s, m)
    mark = ""
    if in_check(new):
        mark = "+" if any(True for _ in moves(new)) else "#"
    square, to, promoted = m & 63, m >> 6 & 63, m >> 12
    kind = kind_at(s, square)
    if castling(s, m):
        return ("O-O" if to > square else "O-O-O") + mark
    takes = "x" if is_capture(s, m) else ""
    if kind == PAWN:
        origin = name(s, square)[0] if takes else ""
        return origin + takes + name(s, to) + ("=" + LETTERS[promoted] if promoted else "") + mark
    both = s.mine | s.theirs
    near = KNIGHT_STEPS[to] if kind == KNIGHT else bishop_attacks(to, both) | rook_attacks(to, both)
    rivals = []
    if any(kind_at(s, other) == kind for other in bits(near & s.mine) if other != square):
        rivals = [n & 63 for n in moves(s) if n >> 6 & 63 == to and n & 63 != square and kind_at(s, n & 63) == kind]
    origin = name(s, square)
    if not rivals:
        origin = ""
    elif all(r & 7 != square & 7 for r in rivals):
        origin = origin[0]
    elif all(r >> 3 != square >> 3 for r in rivals):
        origin = origin[1]
    return LETTERS[kind] + origin + takes + name(s, to) + mark


def parse_move(s, text):
    """Return the legal move named by SAN (e4, Nf3, O-O, exd8=Q+) or UCI (e2e4, e7e8q), in any case; also e2-e4, e2 e4 and 0-0.

    A text in the exact form of SAN or lower-case UCI has that meaning; other spellings count only if they name one move.
    """
    given, text = text, re.sub(r"(\s*e\.?p\.?)?[+#!?]*$", "", text)
    castle = {"OO": 2, "OOO": -2}.get(re.sub(r"[\s-]", "", text.upper().replace("0", "O")))
    exact = SAN.fullmatch(text)
    if castle:
        found = [m for m in moves(s) if castling(s, m) == castle]
    else:
        found = [m for m in moves(s) if exact and matches(s, m, *exact.groups())]
    if not found and not castle and not (exact and exact[1]):  # a capital letter such as B is a piece, never a file
        readings = list(filter(None, map(SAN.fullmatch, spellings(text))))
        found = [m for m in moves(s) if any(matches(s, m, *reading.groups()) for reading in readings)]
    if not found:
        raise ValueError(given)
    if len(found) > 1:
        raise ValueError(f"which one: from {' or '.join(sorted(name(s, m & 63) for m in found))}?")
    return found[0]


def spellings(text):
    """Return the moves in SAN or UCI that a text in another case, or with other signs between the squares, may stand for.

    A lower-case b is a file in b4d6 and bxc3: then it is never a bishop.
    """
    uci = UCI.fullmatch(text)
    found = {text.lower(), "".join(uci.groups()).lower()} if uci else {text.lower()}
    if not (text[:1] == "b" and (uci or re.fullmatch(r"bx?[ac][1-8].*", text))):
        found.add(text[:1].upper() + text[1:].lower())
    return found


def matches(s, m, letter, file, rank, target, becomes):
    """Return whether this is the move that the parts of SAN or UCI describe."""
    origin = name(s, m & 63)
    if name(s, m >> 6 & 63) != target or file not in (None, origin[0]) or rank not in (None, origin[1]):
        return False
    if (becomes or "P").upper() != LETTERS[m >> 12]:
        return False
    if file and rank and not letter:
        return True  # UCI: any piece
    if letter is None and (file is None) != (origin[0] == target[0]):
        return False  # a pawn that captures is written with its file, any other without
    return (letter or "P") == LETTERS[kind_at(s, m & 63)] and not castling(s, m)


def castling(s, m):
    """Return how far to the right the king goes if the move castles, otherwise 0."""
    by = (m >> 6 & 63) - (m & 63)
    return by if abs(by) == 2 and kind_at(s, m & 63) == KING else 0


def format_state(s):
    """Return Forsyth-Edwards notation, with the en passant square only if a pawn may take there."""
    text = "".join(BOARD.piece(x).letter for x in cells(s))
    rows = "/".join(re.sub(r"\.+", lambda dots: str(len(dots[0])), text[i : i + 8]) for i in range(0, 64, 8))
    rights = byteswap(s.rights) if turn(s) else s.rights
    castles = "".join(letter for letter, corner in CASTLING.items() if rights >> corner & 1) or "-"
    passed = s.rights & RANK_6
    return f"{rows} {'wb'[turn(s)]} {castles} {name(s, lowest(passed)) if passed else '-'} {s.clock} {s.ply // 2 + 1}"


def parse_state(text):
    """Return the state that a FEN describes; the two clocks may be left out."""
    parts = text.split()
    if len(parts) == 4:
        parts += ["0", "1"]
    if len(parts) != 6 or parts[1] not in ("w", "b") or not all(re.fullmatch(r"[0-9]{1,6}", clock) for clock in parts[4:]):
        raise ValueError("a FEN is: ranks, w or b, castling, en passant, two clocks")
    rows, side, castles, passed, clock, number = parts
    if int(number) < 1:
        raise ValueError("moves are counted from 1")
    s = read_pieces(rows, 2 * int(number) - 2 + (side == "b"), int(clock))
    s = read_rights(s, castles, passed)
    if in_check(swap_sides(s)) or KING_STEPS[lowest(s.mine & s.kings)] & s.kings:
        raise ValueError("the side that has just moved is in check")
    return s if en_passant_capturers(s) else without_en_passant(s)


def read_pieces(rows, ply, clock):
    """Return the state with the pieces of the first part of a FEN."""
    lines = rows.split("/")
    if len(lines) != 8 or not all(FEN_RANK.fullmatch(line) for line in lines):
        raise ValueError("eight ranks are needed")
    letters = [re.sub(r"\d", lambda n: "." * int(n[0]), line) for line in lines]
    if any(len(line) != 8 for line in letters):
        raise ValueError("a rank has eight squares")
    cells = "".join(letters[::-1])
    white, black = (sum(1 << i for i, c in enumerate(cells) if f(c)) for f in (str.isupper, str.islower))
    pawn, bishop, knight, rook, queen, king = (sum(1 << i for i, c in enumerate(cells.upper()) if c == k) for k in LETTERS)
    for colour in (white, black):
        extra = sum(max(0, popcount(x & colour) - n) for x, n in ((bishop, 2), (knight, 2), (rook, 2), (queen, 1)))
        if popcount(king & colour) != 1 or popcount(pawn & colour) + extra > 8:
            raise ValueError("a side has one king, and at most eight pawns and promoted pieces")
    if pawn & (RANK_1 | RANK_1 << 56):
        raise ValueError("there is a pawn on the first or last rank")
    s = State(white, black, pawn, knight, bishop | queen, rook | queen, king, 0, clock, ply & ~1, 0, 0)
    s = with_sums(s)
    return swap_sides(s) if ply & 1 else s


def read_rights(s, castles, passed):
    """Return the state with the rights that the FEN gives; they must fit the pieces."""
    flip = 56 * turn(s)
    rights = 0
    if not re.fullmatch(r"-|K?Q?k?q?", castles):
        raise ValueError("castling rights are some of KQkq, or -")
    for letter in castles.strip("-"):
        corner = CASTLING[letter]
        king = corner & 56 | 4
        if letter_at(s, corner ^ flip) != "rR"[letter.isupper()] or letter_at(s, king ^ flip) != "kK"[letter.isupper()]:
            raise ValueError(f"castling {letter}: king or rook is not on its square")
        rights |= 1 << (corner ^ flip)
    if passed != "-":
        if not re.fullmatch(r"[a-h][36]", passed):
            raise ValueError("en passant must be a square such as e3, or -")
        square = "abcdefgh".index(passed[0]) + 8 * (int(passed[1]) - 1) ^ flip
        pawn = s.pawns & s.theirs
        if square >> 3 != 5 or not pawn >> (square - 8) & 1 or (s.mine | s.theirs) & (1 << square | 1 << (square + 8)):
            raise ValueError("no pawn has just moved two squares there")
        rights |= 1 << square
    return State(*s[:7], rights, *s[8:])
