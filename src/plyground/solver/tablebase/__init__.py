"""Tables of whole games and of endings: every state with its value and the plies to the end.

    table = solve_tablebase(load("connect4(rows=4, cols=4)"), "c4.ply")
    table.lookup(s)    # (value, plies), or None if s is not in the table

`run` finds the states and their values, `file` writes the table and saves finished work so that a killed run can resume, `lookup`
opens a table and looks up states.
"""

from plyground.solver.tablebase.lookup import Tablebase, open_tablebase
from plyground.solver.tablebase.run import TablebaseProgress, solve_tablebase

__all__ = ["Tablebase", "TablebaseProgress", "open_tablebase", "solve_tablebase"]
