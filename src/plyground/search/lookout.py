"""A search that looks out for forced wins, for games whose leaves are judged by random games.

Random games are slow, so a search with them is not deep. Without any estimate it would be two or three times as deep, but could
tell only won and lost from the rest. So half of the work goes into such a search of each root move: what it proves is in the
table, and the search with random games looks there.
"""

from __future__ import annotations

from plyground.bits import i64
from plyground.search.memory import MAX_PLY, Searcher
from plyground.search.node import search_move
from plyground.search.options import LOOKS_OUT, USE_LOOKOUT, USE_ROLLOUTS
from plyground.search.root_memory import RootMemory, candidates

FIRST = 2
"""The depth of the first look."""
LEAST = 2000
"""It goes on when it is behind the random games by this many nodes, and by a fifth of what it has done."""


def look_out(row, memory, root):
    """Goes on where it stopped, until it has visited as many nodes as the random games have made plies."""
    mem, at = Searcher(memory), RootMemory(root)
    behind = mem.rolled - mem.scouted
    if mem.aborted or behind < LEAST or 5 * behind < mem.scouted:
        return
    options, limit, depth, began = mem.options, mem.node_limit, mem.root_depth, mem.nodes
    mem.options = options & ~i64(USE_ROLLOUTS | USE_LOOKOUT) | LOOKS_OUT
    mem.node_limit = min(limit, began + behind)
    mem.next_look = min(mem.next_look, mem.node_limit)
    mem.scout_depth = max(mem.scout_depth, i64(FIRST))
    while not mem.aborted and mem.scout_depth < MAX_PLY // 2:
        mem.root_depth = mem.scout_depth
        search_move(row, candidates(at)[mem.scout_move].next, mem.scout_depth, i64(-1), i64(1), memory)
        if not mem.aborted:
            mem.scout_move += 1
            if mem.scout_move == at.count:
                mem.scout_move = 0
                mem.scout_depth += 1
    mem.scouted += mem.nodes - began
    mem.options, mem.node_limit, mem.root_depth = options, limit, depth
    mem.aborted = mem.next_look = 0  # if it was stopped by another limit than its own, the next node finds that out
