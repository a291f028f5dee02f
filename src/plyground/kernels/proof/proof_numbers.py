"""Depth-first proof-number search (df-pn): can one side, the attacker, force a win?

Each state has a proof number, the minimum number of open leaves that must be won to prove it won, and a disproof number, the same
for "not won". The search descends to the leaf where either is easiest, and stays below a state until its numbers reach limits;
a table stores the numbers of every state it leaves (Nagai, 2002). For the side to
move, `phi` is the number that one child can settle (the smallest counts), `delta` the one that needs all children.

Proofs are exact. A table entry contains the label of its state (all its words, or what the game's `label` gives) and is used only
if the labels are equal. A win is built from wins found earlier, so none of its lines returns to an earlier state. A state already
on the path is not a win; a "not won" that depends on such a return, or on a path that is too long, is valid only on this path and
is not stored.
"""

from __future__ import annotations

from plyground.bits import i64, u64
from plyground.compile.vocabulary import (
    HAS_BOUNDS,
    HAS_ORDER,
    HAS_REPLIES,
    HAS_THREATS,
    ONGOING,
    bounds,
    load,
    moves,
    order,
    replies,
    step,
    stuck,
    threats,
    turn,
    undo_step,
    verdict,
)
from plyground.kernels.bit_fields import part
from plyground.kernels.proof.proof_memory import (
    DN,
    MAX_PLY,
    PLIES,
    PN,
    ProofChild,
    ProofMemory,
    entry_of,
    find_entry,
    mark_on_path,
    path_place,
    ply_of_repetition,
    store_entry,
    tag_of,
    write_place,
)
from plyground.kernels.states import changes_turn, own_state

INFINITE = 1 << 30
HIGH_ORDER = 10_000
"""A threat that `order` ranks this high, or nearly, promises a win at once; each 2048 less, one more leaf to settle."""
PATH_INDEPENDENT = 1 << 30
"""For a "not won" that depends on no state of the path; -1 is for one that may not be true at all."""


# -- children ----------------------------------------------------------------------------------------------------------------


def children(top, end):
    """Yield the records of a list."""
    at = top
    while at < end:
        yield ProofChild(at)
        at = ProofChild(at).end


def add_moves(found, end, limit):
    """Add moves to a list; return its end, which is at or past the limit if the stack is full."""
    for m in found:
        if end < limit:
            ProofChild(end).move = i64(m)
            end = ProofChild(end).end
    return end


def list_moves(s, ply, attack, top, mem):
    """List the moves that matter; return the end of the list, 0 if the stack is full.

    With threats only, the list is empty if the attacker has no threat or the other side need not reply.
    """
    end, limit = top, mem.stack_end
    narrow = mem.only_threats != 0
    if HAS_THREATS and narrow and attack:
        end = add_moves(threats(s), end, limit)
        return end if end < limit else u64(0)
    if HAS_REPLIES:
        end = add_moves(replies(s), end, limit)
    if end == top and (not narrow or ply == 0):
        end = add_moves(moves(s), end, limit)
    return end if end < limit else u64(0)


def put_numbers(at, attack, numbers):
    """Store the numbers of a child (proof, disproof, the ply they depend on, plies) from its parent's point of view."""
    pn, dn, at.cycle_ply, at.plies = numbers
    at.phi, at.delta = (pn, dn) if attack else (dn, pn)


def settled_numbers(won, cycle_ply):
    """Return the numbers of a state that is won or not won for the attacker."""
    return i64(0 if won else INFINITE), i64(INFINITE if won else 0), cycle_ply, i64(0)


def wins(attack, value):
    """Return whether the attacker wins if the side to move gets `value`."""
    return value > 0 if attack else value < 0


def stuck_value(s, mem):
    """Return the value of s if no move is listed: by the rules, or 0 if an attack by threats has ended."""
    return i64(stuck(s)) if mem.only_threats == 0 else i64(0)


def initial_numbers(s, ply, attack, end, mem):
    """Return the numbers of a state: from the rules, the path or the table, or a first guess. The stack is free from `end` up."""
    value = i64(verdict(s))
    if value != ONGOING:
        return settled_numbers(wins(attack, value), i64(PATH_INDEPENDENT))
    if HAS_BOUNDS:
        low, high = bounds(s)
        if wins(attack, low if attack else high):
            return settled_numbers(True, i64(PATH_INDEPENDENT))
        if not wins(attack, high if attack else low):
            return settled_numbers(False, i64(PATH_INDEPENDENT))
    if ply >= MAX_PLY - 1:
        return settled_numbers(False, i64(-1))
    tag = tag_of(attack, mem)
    h = write_place(s, mem, ply, tag)
    above = ply_of_repetition(mem, ply)
    if above >= 0:
        return settled_numbers(False, above)
    found = find_entry(mem, h, tag, path_place(mem, ply).end)
    if found >= 0:
        entry = entry_of(mem, h, found)
        return part(entry.numbers, PN), part(entry.numbers, DN), i64(PATH_INDEPENDENT), part(entry.about, PLIES)
    # A first guess: one leaf to settle per move; in an attack by threats, more for one win if the best move promises less.
    last = list_moves(s, ply, attack, end, mem)
    if last == end:
        return settled_numbers(wins(attack, stuck_value(s, mem)), i64(PATH_INDEPENDENT))
    n = i64((last - end) // (ProofChild(end).end - end)) if last > end else i64(1)
    if not attack:
        return n, i64(1), i64(PATH_INDEPENDENT), i64(0)
    pn = i64(1)
    if HAS_THREATS and HAS_ORDER and mem.only_threats != 0:
        best = i64(0)
        for at in children(end, last):
            best = max(best, i64(order(s, at.move)))
        pn += max(HIGH_ORDER - best, i64(0)) >> 11
    return pn, n, i64(PATH_INDEPENDENT), i64(0)


def evaluate_children(s, ply, attack, top, end, mem):
    """Compute the numbers of the children on the stack; return the end of those done: below the root, one may be enough."""
    me = turn(s)
    for at in children(top, end):
        at.hint = i64(order(s, at.move)) if HAS_ORDER else i64(0)
        child = step(s, at.move)
        put_numbers(at, attack, initial_numbers(child, ply + 1, attacks_next(attack, me, child), end, mem))
        undo_step(s, at.move)
        mem.nodes += 1
        if ply > 0 and at.phi == 0 and at.cycle_ply == PATH_INDEPENDENT:
            return at.end
    return end


def attacks_next(attack, me, child):
    """Return 1 if the attacker is to move in the child, else 0."""
    return i64(1) - attack if changes_turn(me, child) else attack


def select_child(top, end):
    """Return the easiest child, its phi, the second smallest phi, the combined delta, and the number of open children.

    Deltas are not summed, because transpositions would count twice: the result is the largest, plus one per other open child.
    """
    best, first, second = ProofChild(top), i64(INFINITE + 1), i64(INFINITE + 1)
    largest, count = i64(0), i64(0)
    for at in children(top, end):
        phi, delta = at.phi, at.delta
        if phi < first or (phi == first and at.hint > best.hint):
            second = first
            first, best = phi, at
        elif phi < second:
            second = phi
        if delta > 0:
            count += 1
            largest = max(largest, delta)
    combined = largest
    if 0 < largest < INFINITE:
        combined = min(largest + count - 1, i64(INFINITE - 1))
    return best, first, second, combined, count


def deciding_child(top, end, attack, won):
    """Return the child that determines the plies to a win, or the ply that "not won" depends on: the mover's best one."""
    one = attack == won  # one child is enough, else all count
    best, found = ProofChild(top), i64(-(1 << 40))
    for at in children(top, end):
        if not one or at.phi == 0:
            value = at.plies if won else -at.cycle_ply
            if one:
                value = -value
            if value > found:
                best, found = at, value
    return best


# -- the search --------------------------------------------------------------------------------------------------------------


def enter(mem, ply):
    """Record the largest ply and stop the search at its limits."""
    if ply > mem.deepest:
        mem.deepest = ply
    if mem.nodes >= mem.node_limit or load(mem.stop) != 0:
        mem.aborted = 1


def store_answer(mem, numbers):
    """Store the answer of the search below a state."""
    mem.pn, mem.dn, mem.cycle_ply, mem.plies = numbers


def limits_below(attack, pn_limit, dn_limit, second, count):
    """Return the limits for the easiest child: on its proof number and on its disproof number."""
    # A quarter more than the second child's number, so that the search does not jump back and forth between two.
    phi_limit = min(pn_limit if attack else dn_limit, second + second // 4 + 1)
    phi_limit = min(phi_limit, i64(INFINITE))
    delta_limit = (dn_limit if attack else pn_limit) - (count - 1)
    if delta_limit > INFINITE // 2:
        delta_limit = i64(INFINITE)
    return (phi_limit, delta_limit) if attack else (delta_limit, phi_limit)


def search_below(s, ply, attack, pn_limit, dn_limit, top, mem):
    """Search below s until its proof number reaches pn_limit or its disproof number dn_limit; `store_answer` stores the answer.

    If the search is aborted, there is no answer.
    """
    # 1. Stop if asked to.
    enter(mem, ply)
    if mem.aborted:
        return
    before = mem.nodes
    me = turn(s)

    # 2. The children. If there are none, the rules decide who wins, or an attack by threats has ended.
    end = list_moves(s, ply, attack, top, mem)
    if end == u64(0):
        store_answer(mem, settled_numbers(False, i64(-1)))
        return
    tag = tag_of(attack, mem)
    h = write_place(s, mem, ply, tag)
    place = path_place(mem, ply)
    if end == top:
        store_answer(mem, settled_numbers(wins(attack, stuck_value(s, mem)), i64(PATH_INDEPENDENT)))
        store_entry(mem, h, tag, place.end, mem.pn, mem.dn, i64(0), i64(1))
        return
    mark_on_path(mem, place, 1)
    end = evaluate_children(s, ply, attack, top, end, mem)

    # 3. Search below the easiest child until the numbers of s reach the limits.
    while True:
        best, first, second, combined, count = select_child(top, end)
        pn, dn = (first, combined) if attack else (combined, first)
        if ply == 0:
            mem.root_pn, mem.root_dn = pn, dn
        if pn >= pn_limit or dn >= dn_limit or mem.aborted:
            break
        child_pn, child_dn = limits_below(attack, pn_limit, dn_limit, second, count)
        child = step(s, best.move)
        search_below(child, ply + 1, attacks_next(attack, me, child), child_pn, child_dn, end, mem)
        undo_step(s, best.move)
        if not mem.aborted:
            put_numbers(best, attack, (mem.pn, mem.dn, mem.cycle_ply, mem.plies))

    # 4. Leave: store what is true on any path.
    mark_on_path(mem, place, -1)
    plies, cycle_ply = i64(0), i64(PATH_INDEPENDENT)
    if pn == 0 or dn == 0:
        best = deciding_child(top, end, attack, i64(pn == 0))
        plies = best.plies + 1
        cycle_ply = best.cycle_ply if best.cycle_ply < ply else i64(PATH_INDEPENDENT)
        if ply == 0:
            mem.root_move = best.move
    if cycle_ply == PATH_INDEPENDENT:
        store_entry(mem, h, tag, place.end, pn, dn, plies, mem.nodes - before)
    store_answer(mem, (pn, dn, cycle_ply, plies))


def refute_moves(s, mem):
    """Search whether the attacker wins after each move listed on the stack; return how many are still open.

    The numbers of the moves stay on the stack. Each search has `share` nodes, and all of them have `node_limit`.
    """
    top, most, me = mem.stack, mem.node_limit, turn(s)
    end = ProofChild(top)[mem.listed - 1].end
    write_place(s, mem, i64(0), tag_of(i64(0), mem))
    mark_on_path(mem, path_place(mem, i64(0)), 1)
    evaluate_children(s, i64(0), i64(0), top, end, mem)
    count = i64(0)
    for at in children(top, end):
        if at.phi != 0 and at.delta != 0:
            child = step(s, at.move)
            mem.node_limit, mem.aborted = min(most, mem.nodes + mem.share), 0
            search_below(child, i64(1), attacks_next(i64(0), me, child), i64(INFINITE), i64(INFINITE), end, mem)
            undo_step(s, at.move)
            if mem.aborted:
                count += 1
            else:
                put_numbers(at, i64(0), (mem.pn, mem.dn, mem.cycle_ply, mem.plies))
    mark_on_path(mem, path_place(mem, i64(0)), -1)
    return count


def prove(address, attack, memory):
    """Entry point: return whether the attacker's win from the state at an address is proven (1), disproven (-1) or open (0).

    `attack` is 1 if the attacker is to move. If proven, `plies` is the length of the win. If moves are listed, only these are
    searched, and it returns how many are still open.
    """
    mem = ProofMemory(memory)
    s = own_state(address, mem.state)
    mem.aborted = 0
    if mem.listed:
        return refute_moves(s, mem)
    store_answer(mem, (i64(1), i64(1), i64(PATH_INDEPENDENT), i64(0)))
    search_below(s, i64(0), attack, i64(INFINITE), i64(INFINITE), mem.stack, mem)
    if mem.pn == 0:
        return i64(1)
    return i64(-1) if mem.dn == 0 and mem.cycle_ply == PATH_INDEPENDENT else i64(0)
