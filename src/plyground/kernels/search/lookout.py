"""A search that looks out for forced wins, for games whose leaves are judged by random games.

Random games are slow, so a search with them is not deep. Without any estimate a search is two or three times as deep, but can
tell only won and lost from the rest. So after the first iteration, which gives a move to play, each root move is searched without
estimates. What this proves is in the table, where the search with random games finds it (`proven_by_lookout` in `node.py`).
"""

from __future__ import annotations

from plyground.bits import i64
from plyground.compile.vocabulary import address, clock
from plyground.kernels.search.node import search_move
from plyground.kernels.search.option_bits import LOOKS_OUT, USE_LOOKOUT, USE_ROLLOUTS
from plyground.kernels.search.root_memory import RootMemory, candidates
from plyground.kernels.search.search_memory import MAX_PLY, SearchMemory
from plyground.score import proven

SHARE = 60
"""The percentage of a limit of time or nodes that goes into looking out."""
FAR = 1 << 61
"""A limit beyond this is none."""


def look_out(row, memory, root):
    """Search all root moves without estimates, one ply deeper each time, as far as its share of the limit allows."""
    mem, at = SearchMemory(memory), RootMemory(root)
    options, limit, deadline, depth = mem.options, mem.node_limit, mem.deadline, mem.root_depth
    deepest = i64(MAX_PLY // 2)
    if limit >= FAR and (deadline == 0 or deadline >= FAR):
        deepest = 2 * at.plies + 1
    elif mem.scout_depth:
        return
    mem.node_limit = mem.nodes + (limit - mem.nodes) // 100 * SHARE
    if deadline and deadline < FAR:
        now = clock(address(mem.clock))
        mem.deadline = now + (deadline - now) // 100 * SHARE
    mem.next_look = min(mem.next_look, mem.node_limit)
    mem.options = options & ~i64(USE_ROLLOUTS | USE_LOOKOUT) | LOOKS_OUT
    while mem.scout_depth < deepest and not mem.aborted:
        mem.scout_depth += 1
        mem.root_depth = mem.scout_depth
        # The side that makes the last move wins: at odd depths ours, at even ones the other. Which of the two is all we ask.
        low = i64(mem.scout_depth & 1) - 1
        for i in range(at.count):
            if not mem.aborted:
                value = search_move(row, candidates(at)[i].next, mem.scout_depth, low, low + 1, memory)
                if value > 0 and proven(value):
                    deepest = mem.scout_depth
    mem.options, mem.node_limit, mem.deadline, mem.root_depth = options, limit, deadline, depth
    mem.aborted = mem.next_look = 0  # if it was stopped by another limit than its own, the next node finds that out
