"""Does a rules file hold? Random games, the interpreted rules beside the compiled ones, every promise of the contract.

    check(load("./mygame.py")).problems

`checker` plays the games. `inspect` asks the interpreted rules everything about a state, and `compiled` the compiled ones;
`twins` compares the two, `promises` says what is wrong with a state, `board` what is wrong with what people see and touch,
`solver` checks the solver's hooks, `engine` the values of games of chance. `keys`, `playouts` and `forcing` need many states:
what shares a key, whether `evaluate` agrees with random games, what `replies` and `threats` leave out.
"""

from plyground.check.checker import Findings, Problem, check

__all__ = ["Findings", "Problem", "check"]
