"""The memory of a proof search: counters, answers, the path, and a table of proof and disproof numbers.

States are identified by labels: all words of a state, or what the game's `label` gives. After the fields come the path, room for
the state of in-place rules, and the stack of children.
"""

from __future__ import annotations

import numpy as np

from plyground.bits import i64, u64
from plyground.compile.blocks import Address, Block, Word, Words
from plyground.compile.vocabulary import HAS_LABEL, REPETITION, key, label, store
from plyground.kernels.bit_fields import BitField, part, put_part
from plyground.kernels.states import copy_words, hash_words, same_words, write_canonical

LABEL = 1
"""The number of words in a label; set when the kernel is bound."""
MAX_PLY = 1024
SEEN_SIZE = 4096
STACK_WORDS = 1 << 20
ENTRIES = 4
"""Entries per bucket."""


class ProofChild(Block):
    """A child on the stack, with its numbers from its parent's point of view."""

    move = Word()
    phi = Word()
    delta = Word()
    cycle_ply = Word('the ply of the path that "not won" depends on; NEVER if none, -1 if it may not be true at all')
    plies = Word("the plies to the win")
    hint = Word("the game's order")


class PathPlace(Block):
    """A state on the path; its label follows it."""

    word = Word("identifies it in `seen`")


class ProofEntry(Block):
    """A table entry; its label follows it."""

    about = Word("TAG, PLIES, WORK")
    numbers = Word("PN, DN")


TAG, PLIES, WORK = BitField(0, 3), BitField(16, 16), BitField(32, 31)
"""The question that an entry answers (see `tag_of`), the plies to the win, the nodes searched below."""
PN, DN = BitField(0, 32), BitField(32, 32)


class ProofMemory(Block):
    """The memory of one prover."""

    stop = Address("the address of a word that becomes nonzero when the search must end")
    nodes = Word()
    node_limit = Word()
    aborted = Word("nonzero if the search was stopped early")
    only_threats = Word("nonzero if the attacker is limited to threats")
    listed = Word("the number of moves that are listed on the stack to be refuted; 0 for a question about the state itself")
    share = Word("the nodes for each of them")
    pn = Word("the answer of the last search below a state, here its proof number")
    dn = Word("its disproof number")
    cycle_ply = Word('the ply of the path that "not won" depends on')
    plies = Word("the plies to the win")
    root_pn = Word()
    root_dn = Word()
    root_move = Word()
    deepest = Word("the largest ply reached")
    table = Address("the start of the table")
    last_bucket = Word("the number of its buckets, minus one")
    path = Address("the start of the path")
    state = Address("room for a state")
    stack = Address("the start of the stack")
    stack_end = Address("children are written only below this")
    seen = Words(SEEN_SIZE, "the number of states on the path with the same low bits of their `word`")

    def __init__(self, label: int, state_words: int, megabytes: float) -> None:
        path = MAX_PLY * (label + 1)
        super().__init__(path + state_words + 1 + STACK_WORDS)
        self.path = self.end
        self.state = self.path + 8 * path
        self.stack = self.state + 8 * (state_words + 1)
        # The kernel may write one child too many before it checks.
        self.stack_end = self.address + self.words.nbytes - 2 * ProofChild.size
        bucket = ENTRIES * (ProofEntry.size + 8 * label)
        buckets = 1
        while buckets * 2 * bucket <= megabytes * (1 << 20):
            buckets *= 2
        self.children = self.extra_words[(self.stack - self.end) // 8 :].view(np.int64)
        self.entries = np.zeros(buckets * bucket // 8, np.uint64)
        self.table, self.last_bucket = int(self.entries.ctypes.data), buckets - 1


# -- labels ------------------------------------------------------------------------------------------------------------------


def write_label(at, s):
    """Write the label of s at an address; symmetric states share one."""
    if HAS_LABEL:
        n = i64(0)
        for x in label(s):
            if n < LABEL:
                store(at + u64(8) * u64(n), i64(x))
            n += 1
    else:
        write_canonical(at, s)


# -- the path ----------------------------------------------------------------------------------------------------------------


def path_place(mem, ply):
    """Return the place on the path for a ply."""
    return PathPlace(mem.path + u64(8 * (LABEL + 1)) * u64(ply))


def write_place(s, mem, ply, tag):
    """Write the state of a ply to the path and return its hash."""
    place = path_place(mem, ply)
    write_label(place.end, s)
    h = hash_words(place.end, LABEL, u64(tag))
    place.word = i64(key(s)) if REPETITION else i64(h)
    return h


def mark_on_path(mem, place, change):
    """Count a state that enters the path (1) or leaves it (-1)."""
    mem.seen[place.word & (SEEN_SIZE - 1)] += change


def ply_of_repetition(mem, ply):
    """Return the ply above with the same state as this one, -1 if none; if the rules count repetition, with the same `key`."""
    place = path_place(mem, ply)
    if mem.seen[place.word & (SEEN_SIZE - 1)] == 0:
        return i64(-1)
    above = ply - 1
    while above >= 0:
        other = path_place(mem, above)
        if other.word == place.word and (REPETITION or same_words(other.end, place.end, LABEL)):
            return above
        above -= 1
    return i64(-1)


# -- the table ---------------------------------------------------------------------------------------------------------------


def tag_of(attack, mem):
    """Return the question that an entry answers: who is to move, and whether with threats only. Never 0: that is a free entry."""
    return i64(1) | attack << 1 | mem.only_threats << 2


def entry_of(mem, h, number):
    """Return an entry of a hash's bucket."""
    bucket = u64(h) & u64(mem.last_bucket)
    return ProofEntry(mem.table + u64(8 * (LABEL + 2)) * (bucket * u64(ENTRIES) + u64(number)))


def find_entry(mem, h, tag, label_at):
    """Return the index in the bucket of the entry for a label; -1 if there is none."""
    for i in range(ENTRIES):
        entry = entry_of(mem, h, i)
        if part(entry.about, TAG) == tag and same_words(entry.end, label_at, LABEL):
            return i64(i)
    return i64(-1)


def cheapest_entry(mem, h):
    """Return the entry in the bucket that took the least work."""
    least = entry_of(mem, h, 0)
    for i in range(1, ENTRIES):
        other = entry_of(mem, h, i)
        if part(other.about, WORK) < part(least.about, WORK):
            least = other
    return least


def store_entry(mem, h, tag, label_at, pn, dn, plies, work):
    """Store the numbers of a state, in its own entry or else in the one that took the least work."""
    found = find_entry(mem, h, tag, label_at)
    if found >= 0:
        entry = entry_of(mem, h, found)
        lost, won = part(entry.numbers, DN) == 0, part(entry.numbers, PN) == 0
        if lost or (won and (pn != 0 or part(entry.about, PLIES) <= plies)):
            return
        work += part(entry.about, WORK)
    else:
        entry = cheapest_entry(mem, h)
        copy_words(entry.end, label_at, LABEL)
    plies, work = min(plies, i64((1 << PLIES.bits) - 1)), min(work, i64((1 << WORK.bits) - 1))
    entry.about = put_part(tag, TAG) | put_part(plies, PLIES) | put_part(work, WORK)
    entry.numbers = put_part(pn, PN) | put_part(dn, DN)
