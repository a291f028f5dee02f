"""Checks a rules file in random games: interpreted and compiled rules must agree and keep every promise of the contract.

    check(load("./mygame.py")).problems

`checker` plays the games. `inspection` calls every rule on a state, interpreted and compiled, and compares the answers;
`promises` says what is wrong with a state. `keys` finds states that wrongly share a key, `playouts` compares `evaluate`,
`replies` and `threats` with random games and small searches, and `answers` checks the solver's hooks and the engine's values.
"""

from plyground.check.checker import CheckReport, Problem, check

__all__ = ["CheckReport", "Problem", "check"]
