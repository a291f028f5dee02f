"""Does a rules file hold? Random games, the interpreted rules beside the compiled ones, every promise of the contract.

    check(load("./mygame.py")).problems

`look` asks the rules everything about a state, `promises` says what is wrong with it, `solver` looks at the hooks for the solver,
`engine` at the values of games of chance, `walk` plays the games.
"""

from plyground.check.walk import Problem, Report, check

__all__ = ["Problem", "Report", "check"]
