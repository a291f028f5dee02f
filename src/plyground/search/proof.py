"""Proof-number search, depth first (df-pn): can one side, the attacker, force a win?

Each state has a proof number, how many open leaves must at least be shown won to prove it won, and a disproof number, the same
for "not won". The search goes down to the leaf where either is easiest, and stays below a state until its numbers pass limits
that say that the work is easier elsewhere; a table keeps the numbers of every state it leaves (Nagai, 2002). For whoever moves,
`phi` is the number that one child settles (the smallest counts), `delta` the one for which all children must be settled.

What is proven is exact. A table entry holds the label of its state, all its words or what the game says tells it from every
other, and is believed only for an equal one. A win is built from wins found before it, so that no line of it returns to where it
was. A state that stands on the path already is not a win; "not won" that hangs on such a return, or on a path too long, holds on
this path alone and is not kept.

The head of the block, in words, then: the path (for each ply a word to find a state by, and its label), how often each hash
stands there, the state for rules that play in place, and the stack of children. An entry of the table, in words:

    0   bit 0 used, bit 1 is the attacker to move, bit 2 threats only; 16-31 plies to the win, 32-62 nodes spent below
    1   proof number, disproof number, 32 bits each
    2.. the label
"""

from __future__ import annotations

from plyground.bits import i64, mix, u64
from plyground.compile.vocabulary import (
    ALTERNATE,
    GOING,
    HAS_BOUNDS,
    HAS_CANONICAL,
    HAS_LABEL,
    HAS_ORDER,
    HAS_REPLIES,
    HAS_THREATS,
    IN_PLACE,
    REPETITION,
    back,
    bounds,
    canonical,
    key,
    label,
    load,
    moves,
    order,
    outcome,
    read_state,
    replies,
    step,
    store,
    stuck,
    threats,
    turn,
    write_state,
)

LABEL = 1
"""The words of a label; set when the kernel is bound."""

MAX_PLY = 1024
SEEN_SIZE = 4096
INFINITE = 1 << 30
NEVER = 1 << 30
"""A "not won" that hangs on no state of the path; on ply -1 hangs what holds nowhere for certain."""
ENTRIES = 4
"""Entries of the table that one hash may take."""

STOP, NODES, NODE_LIMIT, ABORTED, TABLE, BUCKETS, STACK_TOP, STACK_END = (8 * i for i in range(8))
PN, DN, HANGS, PLIES, ONLY_THREATS, PATH, SEEN, STATE = (8 * i for i in range(8, 16))
ROOT_PN, ROOT_DN, ROOT_MOVE, DEEPEST = (8 * i for i in range(16, 20))
HEAD_WORDS = 32

# A child on the stack, in bytes: the move, the numbers as they count for its parent, what they hang on, and the game's hint.
MOVE, PHI, DELTA, CHILD_HANGS, CHILD_PLIES, HINT = (8 * i for i in range(6))
CHILD = 48


# -- labels, the path, the table ---------------------------------------------------------------------------------------------


def write_label(at, s):
    """Puts the label of s at an address: states that mirror each other share one."""
    if HAS_LABEL:
        n = i64(0)
        for x in label(s):
            if n < LABEL:
                store(at + u64(8) * u64(n), i64(x))
            n += 1
    elif HAS_CANONICAL and not IN_PLACE:
        write_state(at, canonical(s))
    else:
        write_state(at, s)


def hashed(at, tag):
    """A word made of a label and the question."""
    h = u64(tag)
    for i in range(LABEL):
        h = mix(h ^ u64(load(at + u64(8 * i))))
    return h


def slot(mem, ply):
    """Where the path keeps the state of a ply: a word to find it by, then its label."""
    return u64(load(mem + u64(PATH))) + u64(8 * (LABEL + 1)) * u64(ply)


def put_slot(s, mem, ply, tag):
    """Writes the state of a ply to the path, and gives its hash."""
    at = slot(mem, ply)
    write_label(at + u64(8), s)
    h = hashed(at + u64(8), tag)
    store(at, i64(key(s)) if REPETITION else i64(h))
    return h


def seen_at(mem, at):
    """How many states of the path share the low bits of the word at an address."""
    return u64(load(mem + u64(SEEN))) + u64(8) * (u64(load(at)) & u64(SEEN_SIZE - 1))


def alike(one, other):
    """Are the labels at two addresses equal?"""
    i = 0
    while i < LABEL and load(one + u64(8) * u64(i)) == load(other + u64(8) * u64(i)):
        i += 1
    return i == LABEL


def stood(mem, ply):
    """The ply above at which the state of this one stands too, -1 for none. Where the rules count repetition, by `key`."""
    at = slot(mem, ply)
    if load(seen_at(mem, at)) == 0:
        return i64(-1)
    above = ply - 1
    while above >= 0:
        other = slot(mem, above)
        if load(other) == load(at) and (REPETITION or alike(other + u64(8), at + u64(8))):
            return above
        above -= 1
    return i64(-1)


def entry_at(mem, h, number):
    """The address of one of the entries where a hash belongs."""
    bucket = u64(h) & u64(load(mem + u64(BUCKETS)))
    return u64(load(mem + u64(TABLE))) + u64(8 * (LABEL + 2)) * (bucket * u64(ENTRIES) + u64(number))


def probe(mem, h, tag, label_at):
    """The address of the entry for a label, 0 if there is none."""
    for i in range(ENTRIES):
        entry = entry_at(mem, h, i)
        if load(entry) & 7 == tag and alike(entry + u64(16), label_at):
            return entry
    return u64(0)


def keep(mem, h, tag, label_at, pn, dn, plies, work):
    """Keeps the numbers of a state: in its own place, else in place of what took the least work."""
    entry = probe(mem, h, tag, label_at)
    if entry != u64(0):
        known = load(entry + u64(8))
        if known >> 32 == 0 or (known & 0xFFFFFFFF == 0 and (pn != 0 or load(entry) >> 16 & 0xFFFF <= plies)):
            return
        work += load(entry) >> 32
    else:
        entry = entry_at(mem, h, 0)
        for i in range(1, ENTRIES):
            other = entry_at(mem, h, i)
            if load(other) >> 32 < load(entry) >> 32:
                entry = other
        for i in range(LABEL):
            store(entry + u64(16 + 8 * i), load(label_at + u64(8 * i)))
    store(entry, tag | min(plies, i64(0xFFFF)) << 16 | min(work, i64((1 << 31) - 1)) << 32)
    store(entry + u64(8), pn | dn << 32)


def tag_of(attack, mem):
    """The question that an entry answers: may the side to move attack, and by threats alone?"""
    return i64(1) | attack << 1 | load(mem + u64(ONLY_THREATS)) << 2


# -- children ----------------------------------------------------------------------------------------------------------------


def list_moves(s, ply, attack, top, mem):
    """Writes the moves that count; gives the end of the list, 0 where the stack is full.

    With threats only, nothing is listed where the attacker has none, or where the other side need not reply.
    """
    end = top
    limit = u64(load(mem + u64(STACK_END)))
    narrow = load(mem + u64(ONLY_THREATS)) != 0
    if HAS_THREATS and narrow and attack:
        for m in threats(s):
            if end < limit:
                store(end, i64(m))
                end += u64(CHILD)
        return end if end < limit else u64(0)
    if HAS_REPLIES:
        for m in replies(s):
            if end < limit:
                store(end, i64(m))
                end += u64(CHILD)
    if end == top and (not narrow or ply == 0):
        for m in moves(s):
            if end < limit:
                store(end, i64(m))
                end += u64(CHILD)
    return end if end < limit else u64(0)


def put_numbers(at, attack, pn, dn, hangs, plies):
    """The numbers of a child, as they count for its parent."""
    store(at + u64(PHI), pn if attack else dn)
    store(at + u64(DELTA), dn if attack else pn)
    store(at + u64(CHILD_HANGS), hangs)
    store(at + u64(CHILD_PLIES), plies)


def put_result(at, attack, child_attack, value):
    """The numbers of a child that is worth `value` to the side to move there."""
    if (value > 0) if child_attack else (value < 0):
        put_numbers(at, attack, i64(0), i64(INFINITE), i64(NEVER), i64(0))
    else:
        put_numbers(at, attack, i64(INFINITE), i64(0), i64(NEVER), i64(0))


def ended(s, mem):
    """What s is worth where no move is listed: the rules tell; an attack by threats is over."""
    return i64(stuck(s)) if load(mem + u64(ONLY_THREATS)) == 0 else i64(0)


def look(child, at, ply, attack, child_attack, end, mem):
    """The numbers of the child at an address of the stack: known by the rules, by the path, by the table, or a first guess."""
    value = outcome(child)
    if value != GOING:
        put_result(at, attack, child_attack, value)
        return
    if HAS_BOUNDS:
        low, high = bounds(child)
        if (low > 0) if child_attack else (high < 0):
            put_numbers(at, attack, i64(0), i64(INFINITE), i64(NEVER), i64(0))
            return
        if (high <= 0) if child_attack else (low >= 0):
            put_numbers(at, attack, i64(INFINITE), i64(0), i64(NEVER), i64(0))
            return
    if ply >= MAX_PLY - 1:
        put_numbers(at, attack, i64(INFINITE), i64(0), i64(-1), i64(0))
        return
    tag = tag_of(child_attack, mem)
    h = put_slot(child, mem, ply, tag)
    above = stood(mem, ply)
    if above >= 0:
        put_numbers(at, attack, i64(INFINITE), i64(0), above, i64(0))
        return
    entry = probe(mem, h, tag, slot(mem, ply) + u64(8))
    if entry != u64(0):
        known = load(entry + u64(8))
        put_numbers(at, attack, known & 0xFFFFFFFF, known >> 32, i64(NEVER), load(entry) >> 16 & 0xFFFF)
        return
    # A first guess: as many leaves to settle as there are moves.
    last = list_moves(child, ply, child_attack, end, mem)
    n = i64((last - end) // u64(CHILD)) if last > end else i64(1)
    if last == end:
        put_result(at, attack, child_attack, ended(child, mem))
    elif child_attack:
        put_numbers(at, attack, i64(1), n, i64(NEVER), i64(0))
    else:
        put_numbers(at, attack, n, i64(1), i64(NEVER), i64(0))


def look_at_children(s, ply, attack, top, end, mem):
    """The numbers of every child on the stack; gives the end of those that were looked at: below the root, one may settle all."""
    me = turn(s)
    at = top
    while at < end:
        m = load(at)
        store(at + u64(HINT), i64(order(s, m)) if HAS_ORDER else i64(0))
        child = step(s, m)
        child_attack = i64(1) - attack if ALTERNATE or turn(child) != me else attack
        look(child, at, ply + 1, attack, child_attack, end, mem)
        back(s, m)
        store(mem + u64(NODES), load(mem + u64(NODES)) + 1)
        at += u64(CHILD)
        last = at - u64(CHILD)
        if ply > 0 and load(last + u64(PHI)) == 0 and load(last + u64(CHILD_HANGS)) == NEVER:
            return at
    return end


def weigh(top, end):
    """The easiest child, its phi and the next smallest, all deltas together, and how many of them are open.

    Deltas are not added up: lines that meet again would count twice. The largest counts, and one for each other open child.
    """
    best, first, second = top, i64(INFINITE + 1), i64(INFINITE + 1)
    largest, count = i64(0), i64(0)
    at = top
    while at < end:
        phi, delta = load(at + u64(PHI)), load(at + u64(DELTA))
        if phi < first or (phi == first and load(at + u64(HINT)) > load(best + u64(HINT))):
            second = first
            first, best = phi, at
        elif phi < second:
            second = phi
        if delta > 0:
            count += 1
            largest = max(largest, delta)
        at += u64(CHILD)
    together = largest
    if 0 < largest < INFINITE:
        together = min(largest + count - 1, i64(INFINITE - 1))
    return best, first, second, together, count


def decisive(top, end, attack, won):
    """The child that tells how many plies a win takes, or on which ply above "not won" hangs: the best one for whoever moves."""
    one = attack == won  # one child is enough, else all are what they are
    best, found = top, i64(-(1 << 40))
    at = top
    while at < end:
        if not one or load(at + u64(PHI)) == 0:
            value = load(at + u64(CHILD_PLIES)) if won else -load(at + u64(CHILD_HANGS))
            if one:
                value = -value
            if value > found:
                best, found = at, value
        at += u64(CHILD)
    return best


# -- the search --------------------------------------------------------------------------------------------------------------


def enter(mem, ply):
    """Asks whether to go on."""
    if ply > load(mem + u64(DEEPEST)):
        store(mem + u64(DEEPEST), ply)
    if load(mem + u64(NODES)) >= load(mem + u64(NODE_LIMIT)) or load(u64(load(mem + u64(STOP)))) != 0:
        store(mem + u64(ABORTED), 1)


def leave(mem, pn, dn, hangs, plies):
    """What a search below a state gives back."""
    store(mem + u64(PN), pn)
    store(mem + u64(DN), dn)
    store(mem + u64(HANGS), hangs)
    store(mem + u64(PLIES), plies)


def grow(s, ply, attack, pn_limit, dn_limit, top, mem):
    """Searches below s until its proof number reaches pn_limit or its disproof number dn_limit; PN, DN, HANGS, PLIES tell.

    When the search is aborted, nothing is given back.
    """
    # 1. Stop if told so.
    enter(mem, ply)
    if load(mem + u64(ABORTED)):
        return
    before = load(mem + u64(NODES))
    me = turn(s)

    # 2. The children. Without any, the rules tell who wins; an attack by threats is over.
    end = list_moves(s, ply, attack, top, mem)
    if end == u64(0):
        leave(mem, i64(INFINITE), i64(0), i64(-1), i64(0))
        return
    tag = tag_of(attack, mem)
    h = put_slot(s, mem, ply, tag)
    at = slot(mem, ply)
    if end == top:
        value = ended(s, mem)
        won = (value > 0) if attack else (value < 0)
        leave(mem, i64(0 if won else INFINITE), i64(INFINITE if won else 0), i64(NEVER), i64(0))
        keep(mem, h, tag, at + u64(8), load(mem + u64(PN)), load(mem + u64(DN)), i64(0), i64(1))
        return
    store(seen_at(mem, at), load(seen_at(mem, at)) + 1)
    end = look_at_children(s, ply, attack, top, end, mem)

    # 3. Below the easiest child, until the numbers of s pass the limits.
    while True:
        best, first, second, together, count = weigh(top, end)
        pn = first if attack else together
        dn = together if attack else first
        if ply == 0:
            store(mem + u64(ROOT_PN), pn)
            store(mem + u64(ROOT_DN), dn)
        if pn >= pn_limit or dn >= dn_limit or load(mem + u64(ABORTED)):
            break
        # A quarter more than the next child's number, so that the search does not jump to and fro between two.
        phi_limit = min(pn_limit if attack else dn_limit, second + second // 4 + 1)
        delta_limit = (dn_limit if attack else pn_limit) - (count - 1)
        if delta_limit > INFINITE // 2:
            delta_limit = i64(INFINITE)
        phi_limit = min(phi_limit, i64(INFINITE))
        m = load(best)
        child = step(s, m)
        child_attack = i64(1) - attack if ALTERNATE or turn(child) != me else attack
        if attack:
            grow(child, ply + 1, child_attack, phi_limit, delta_limit, end, mem)
        else:
            grow(child, ply + 1, child_attack, delta_limit, phi_limit, end, mem)
        back(s, m)
        if not load(mem + u64(ABORTED)):
            put_numbers(
                best,
                attack,
                load(mem + u64(PN)),
                load(mem + u64(DN)),
                load(mem + u64(HANGS)),
                load(mem + u64(PLIES)),
            )

    # 4. Leave: keep what holds on any path.
    store(seen_at(mem, at), load(seen_at(mem, at)) - 1)
    plies, hangs = i64(0), i64(NEVER)
    if pn == 0 or dn == 0:
        best = decisive(top, end, attack, i64(pn == 0))
        plies = load(best + u64(CHILD_PLIES)) + 1
        hangs = load(best + u64(CHILD_HANGS))
        if hangs >= ply:
            hangs = i64(NEVER)
        if ply == 0:
            store(mem + u64(ROOT_MOVE), load(best))
    if hangs == NEVER:
        keep(mem, h, tag, at + u64(8), pn, dn, plies, load(mem + u64(NODES)) - before)
    leave(mem, pn, dn, hangs, plies)


def prove(address, attack, mem):
    """Entry: is the attacker's win from the state at an address proven (1), disproven (-1), or open (0)? PLIES tells how far.

    `attack` is 1 where the attacker is to move.
    """
    if IN_PLACE:
        write_state(u64(load(mem + u64(STATE))), read_state(address))
        s = read_state(u64(load(mem + u64(STATE))))
    else:
        s = read_state(address)
    store(mem + u64(ABORTED), 0)
    leave(mem, i64(1), i64(1), i64(NEVER), i64(0))
    grow(s, i64(0), attack, i64(INFINITE), i64(INFINITE), u64(load(mem + u64(STACK_TOP))), mem)
    if load(mem + u64(PN)) == 0:
        return i64(1)
    return i64(-1) if load(mem + u64(DN)) == 0 and load(mem + u64(HANGS)) == NEVER else i64(0)
