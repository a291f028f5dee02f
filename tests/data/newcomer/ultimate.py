"""Ultimate tic-tac-toe: nine boards on a board; where you play in a board is the board where the other side must play next."""

from typing import NamedTuple

TITLE = "Ultimate tic-tac-toe"
SIDES = ("X", "O")
ANY = 9
FULL = 0b111_111_111
WINS = {0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124}
THREES = tuple(any(mask & w == w for w in WINS) for mask in range(512))


class State(NamedTuple):
    mine: tuple[int, int, int, int, int, int, int, int, int]  # nine bits for each board
    yours: tuple[int, int, int, int, int, int, int, int, int]
    target: int  # the board to play in, or ANY


def start():
    return State((0,) * 9, (0,) * 9, ANY)


def closed(s, b):
    return THREES[s.mine[b]] or THREES[s.yours[b]] or s.mine[b] | s.yours[b] == FULL


def moves(s):
    boards = range(9) if s.target == ANY else range(s.target, s.target + 1)
    for b in boards:
        if closed(s, b):
            continue
        for cell in range(9):
            if not (s.mine[b] | s.yours[b]) >> cell & 1:
                yield b * 9 + cell


def play(s, m):
    board, cell = m // 9, m % 9
    mine = (*s.mine[:board], s.mine[board] | 1 << cell, *s.mine[board + 1 :])
    new = State(s.yours, mine, cell)
    return new._replace(target=ANY) if closed(new, cell) else new


def won(boards):
    return sum(1 << i for i, b in enumerate(boards) if THREES[b])


def result(s):
    if THREES[won(s.yours)]:
        return -1
    if all(closed(s, b) for b in range(9)):
        return 0


def evaluate(s):
    return 100 * (won(s.mine).bit_count() - won(s.yours).bit_count())


def show(s):
    x, o = ("X", "O") if sum(b.bit_count() for b in s.mine + s.yours) % 2 == 0 else ("O", "X")
    lines = []
    for row in range(9):
        cells = []
        for col in range(9):
            b, c = row // 3 * 3 + col // 3, row % 3 * 3 + col % 3
            cells.append(x if s.mine[b] >> c & 1 else o if s.yours[b] >> c & 1 else ".")
        lines.append(" ".join("".join(cells[i : i + 3]) for i in (0, 3, 6)))
    return "\n".join(lines) + f"\nnext board: {'any' if s.target == ANY else s.target + 1}"


def format_move(s, m):
    return f"{m // 9 + 1}.{m % 9 + 1}"
