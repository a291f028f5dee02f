"""Nehmen: wer die letzte Münze nimmt … gewinnt ♔."""

from typing import NamedTuple

TITLE = "Münzen ♔"
SIDES = ("Weiß", "Чёрные")


class State(NamedTuple):
    coins: int


def start():
    return State(4)


def moves(s):
    return range(1, min(s.coins, 2) + 1)


def play(s, m):
    return State(s.coins - m)


def result(s):
    return -1 if s.coins == 0 else None


def show(s):
    return "♔" * s.coins


def format_move(s, m):
    return "é♔"[m - 1]


def parse_move(s, text):
    return "é♔".index(text) + 1
