"""Tables of whole games and of endings: every state with its value and how far the end is.

    table = solve_tablebase(load("connect4(rows=4, cols=4)"), "c4.ply")
    table.lookup(s)    # (value, plies), or None where the table does not hold s

`run` finds the states and their values, `log` keeps what is finished so that a killed run goes on, `file` is the table on disk.
"""

from plyground.solver.tablebase.file import Tablebase, open_tablebase
from plyground.solver.tablebase.run import Progress, solve_tablebase

__all__ = ["Progress", "Tablebase", "open_tablebase", "solve_tablebase"]
