"""Hex: red joins top and bottom, blue joins left and right, on a board of SIZE by SIZE hexagons. No draws."""

from typing import NamedTuple

from plyground import Parameter, parameters

SIZE = parameters(size=Parameter(5, 2, 11, "cells on a side"))
TITLE = "Hex"
SIDES = ("red", "blue")
EMPTY, RED, BLUE = 0, 1, 2
NEIGHBOURS = [
    [
        (r + dr) * SIZE + c + dc
        for dr, dc in ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))
        if 0 <= r + dr < SIZE and 0 <= c + dc < SIZE
    ]
    for r in range(SIZE)
    for c in range(SIZE)
]


class State(NamedTuple):
    cells: tuple[int, ...]
    player: int = RED


def start():
    return State((EMPTY,) * (SIZE * SIZE))


def moves(s):
    return [i for i, cell in enumerate(s.cells) if cell == EMPTY]


def play(s, m):
    return State(s.cells[:m] + (s.player,) + s.cells[m + 1 :], RED + BLUE - s.player)


def connected(cells, player):
    """Flood fill from one edge of `player`: is the other edge reached?"""
    if player == RED:
        todo = [i for i in range(SIZE) if cells[i] == player]
    else:
        todo = [i * SIZE for i in range(SIZE) if cells[i * SIZE] == player]
    seen = set(todo)
    while todo:
        i = todo.pop()
        if player == RED and i // SIZE == SIZE - 1 or player == BLUE and i % SIZE == SIZE - 1:
            return True
        for j in NEIGHBOURS[i]:
            if cells[j] == player and j not in seen:
                seen.add(j)
                todo.append(j)
    return False


def result(s):
    return -1 if connected(s.cells, RED + BLUE - s.player) else None


def turn(s):
    return s.player - 1


def show(s):
    rows = []
    for r in range(SIZE):
        rows.append(" " * r + " ".join(".RB"[s.cells[r * SIZE + c]] for c in range(SIZE)))
    return "\n".join(rows)


def format_move(s, m):
    return f"{'abcdefghijk'[m % SIZE]}{m // SIZE + 1}"
