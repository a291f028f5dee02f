"""Does a rules file hold? Random games, the interpreted rules beside the compiled ones, every promise of the contract.

    check(load("./mygame.py")).problems

`look` asks the interpreted rules everything about a state and `probe` the compiled ones; `twins` compares the two, `promises`
says what is wrong with a state, `solver` looks at the hooks for the solver. `keys`, `playouts` and `forcing` need many states:
what shares a key, whether `evaluate` agrees with random games, what `replies` and `threats` leave out. `walk` plays the games.
"""

from plyground.check.walk import Problem, Report, check

__all__ = ["Problem", "Report", "check"]
