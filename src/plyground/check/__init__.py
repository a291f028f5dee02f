"""Checks a rules file in random games: do interpreted and compiled rules agree, and is every promise of the contract kept?

    check(load("./mygame.py")).problems

`checker` plays the games. `inspect` calls every interpreted rule on a state, `compiled` every compiled one, and `twins` compares
the two; `promises` says what is wrong with a state, `board` what is wrong with what people see and touch, `solver` checks the
solver's hooks, `engine` the values of games of chance. `keys`, `playouts` and `forcing` need many states: which states share a
key, whether `evaluate` agrees with random games, and what `replies` and `threats` leave out.
"""

from plyground.check.checker import CheckReport, Problem, check

__all__ = ["CheckReport", "Problem", "check"]
