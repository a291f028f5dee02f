# refused: State is not a NamedTuple; write class State(NamedTuple)
"""Tic-tac-toe as a class with methods."""


class State:
    def __init__(self, board=None, player=1):
        self.board = board or [0] * 9
        self.player = player

    def moves(self):
        return [i for i in range(9) if self.board[i] == 0]

    def play(self, m):
        board = self.board[:]
        board[m] = self.player
        return State(board, 3 - self.player)

    def result(self):
        for a, b, c in [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]:
            if self.board[a] == self.board[b] == self.board[c] != 0:
                return -1
        return 0 if all(self.board) else None


def start():
    return State()


def moves(s):
    return s.moves()


def play(s, m):
    return s.play(m)


def result(s):
    return s.result()
