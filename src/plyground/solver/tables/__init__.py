"""Tables of whole games and of endings: every state with its value and how far the end is.

    table = solve_table(load("connect4(rows=4, cols=4)"), "c4.ply")
    table.lookup(s)    # (value, plies), or None where the table does not hold s

`run` finds the states and their values, `log` keeps what is finished so that a killed run goes on, `file` is the table on disk.
"""

from plyground.solver.tables.file import Tablebase, open_table
from plyground.solver.tables.run import Progress, solve_table

__all__ = ["Progress", "Tablebase", "open_table", "solve_table"]
