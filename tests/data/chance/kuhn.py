"""Kuhn poker: each side holds one of three cards, and bets or passes. Here both see both cards, which is not the game that is meant."""

from typing import NamedTuple

PASS, BET = 0, 1
DEALS = tuple((a, b) for a in range(3) for b in range(3) if a != b)
MARGIN = 2


class State(NamedTuple):
    cards: tuple[int, ...]  # of the first and the second side; -1 before the deal
    bets: int  # what was chosen, one bit each, after a leading 1


def start():
    return State((-1, -1), 1)


def chance(s):
    if s.cards[0] < 0:
        for i in range(6):
            yield i, 1


def moves(s):
    yield PASS
    yield BET


def play(s, m):
    if s.cards[0] < 0:
        return s._replace(cards=DEALS[m])
    return s._replace(bets=s.bets * 2 + m)


def turn(s):
    return 1 if s.bets in (0b10, 0b11) or s.bets >= 0b1000 else 0


def result(s):
    """Passes, or a bet that is called, compare the cards; a bet that is not called wins."""
    higher = 1 if s.cards[turn(s)] > s.cards[1 - turn(s)] else -1
    if s.bets == 0b100:
        return higher
    if s.bets in (0b111, 0b1011):
        return 2 * higher
    if s.bets in (0b110, 0b1010):
        return 1
    return None
