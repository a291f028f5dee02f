"""The estimate of a game without `evaluate`: the mean result of random games. `rules/rollouts.py` is the readable version."""

from __future__ import annotations

from plyground.bits import i64, mix, u64
from plyground.compile.vocabulary import (
    ALTERNATE,
    HAS_CANONICAL,
    IN_PLACE,
    ONGOING,
    canonical,
    key,
    step,
    stuck,
    turn,
    undo_step,
    verdict,
)
from plyground.kernels.states import any_move, is_chance
from plyground.rules.rollouts import GAMES, PLIES


def roll_out(s, mem):
    """Play random games from s; return the sum of their results for the side to move in s, and how many ended within PLIES."""
    if HAS_CANONICAL and not IN_PLACE:
        s = canonical(s)  # so that symmetric states have the same estimate
    x = mix(u64(key(s)) ^ mem.seed)
    total, games, plies = i64(0), i64(0), i64(PLIES)
    while games < GAMES and plies > 0:
        t, sign, before = s, i64(1), plies
        value = i64(verdict(t))
        while value == ONGOING and plies > 0:
            x = mix(x)
            m = any_move(t, x)
            if m < 0:
                value = i64(stuck(t))
                break
            dice, me = is_chance(t), turn(t)
            if IN_PLACE:
                mem.made[before - plies] = m
            t = step(t, m)
            plies -= 1
            if (ALTERNATE and not dice) or turn(t) != me:
                sign = -sign
            value = i64(verdict(t))
        if IN_PLACE:
            for i in range(before - plies):
                undo_step(t, mem.made[before - plies - 1 - i])
        if value != ONGOING:
            total += sign * value
            games += 1
    mem.next_check = 0  # a rollout can take long: check the clock at the next node
    return total, games
