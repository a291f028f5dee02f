"""The memory of a proof: counters, answers, the path, and a table of what is proven or how far that is.

States are told apart by labels: all words of a state, or what the game says tells it from every other. Behind the fields lie the
path, room for the state of rules that play in place, and the stack of children.
"""

from __future__ import annotations

import numpy as np

from plyground.bits import i64, u64
from plyground.compile.blocks import Address, Block, Word, Words
from plyground.compile.vocabulary import HAS_LABEL, REPETITION, key, label, store
from plyground.search.packed import Part, part, put_part
from plyground.search.states import copy_words, hash_words, same_words, write_canonical

LABEL = 1
"""The words of a label; set when the kernel is bound."""
MAX_PLY = 1024
SEEN_SIZE = 4096
STACK_WORDS = 1 << 20
ENTRIES = 4
"""Entries of the table that one hash may take."""


class Child(Block):
    """A child on the stack, with its numbers as they count for its parent."""

    move = Word()
    phi = Word()
    delta = Word()
    hangs = Word('the ply above on which "not won" depends; NEVER, or -1 where it holds nowhere for certain')
    plies = Word("to the win")
    hint = Word("the game's order")


class Place(Block):
    """A state of the path; its label lies behind."""

    word = Word("to find it by")


class Entry(Block):
    """An entry of the table; its label lies behind."""

    about = Word("TAG, PLIES, WORK")
    numbers = Word("PN, DN")


TAG, PLIES, WORK = Part(0, 3), Part(16, 16), Part(32, 31)
"""The question that an entry answers (see `tag_of`), plies to the win, nodes spent below."""
PN, DN = Part(0, 32), Part(32, 32)


class ProofMemory(Block):
    """The memory of one prover."""

    stop = Address("where a word lies that is not 0 once the search shall end")
    nodes = Word()
    node_limit = Word()
    aborted = Word("has the search stopped before its end?")
    only_threats = Word("may the attacker only threaten?")
    pn = Word("what the last search below a state found: proof number,")
    dn = Word("disproof number,")
    hangs = Word('the ply above on which "not won" depends,')
    plies = Word("and plies to the win")
    root_pn = Word()
    root_dn = Word()
    root_move = Word()
    deepest = Word("the largest ply reached")
    table = Address("where the table begins")
    last_bucket = Word("the number of its buckets, less one")
    path = Address("where the places of the path begin")
    state = Address("room for a state")
    stack = Address("where the stack begins")
    stack_end = Address("no child is written from here on")
    seen = Words(SEEN_SIZE, "how many states of the path share the low bits of the word to find them by")

    def __init__(self, label: int, state_words: int, megabytes: float) -> None:
        path = MAX_PLY * (label + 1)
        super().__init__(path + state_words + 1 + STACK_WORDS)
        self.path = self.end
        self.state = self.path + 8 * path
        self.stack = self.state + 8 * (state_words + 1)
        # A child more than fits is still written before the kernel looks.
        self.stack_end = self.address + self.words.nbytes - 2 * Child.size
        bucket = ENTRIES * (Entry.size + 8 * label)
        buckets = 1
        while buckets * 2 * bucket <= megabytes * (1 << 20):
            buckets *= 2
        self.entries = np.zeros(buckets * bucket // 8, np.uint64)
        self.table, self.last_bucket = int(self.entries.ctypes.data), buckets - 1


# -- labels ------------------------------------------------------------------------------------------------------------------


def write_label(at, s):
    """Puts the label of s at an address: states that mirror each other share one."""
    if HAS_LABEL:
        n = i64(0)
        for x in label(s):
            if n < LABEL:
                store(at + u64(8) * u64(n), i64(x))
            n += 1
    else:
        write_canonical(at, s)


# -- the path ----------------------------------------------------------------------------------------------------------------


def place_of(mem, ply):
    """Where the path keeps the state of a ply."""
    return Place(mem.path + u64(8 * (LABEL + 1)) * u64(ply))


def put_place(s, mem, ply, tag):
    """Writes the state of a ply to the path, and gives its hash."""
    place = place_of(mem, ply)
    write_label(place.end, s)
    h = hash_words(place.end, LABEL, u64(tag))
    place.word = i64(key(s)) if REPETITION else i64(h)
    return h


def stand(mem, place, change):
    """Counts a state that comes to stand on the path (1) or leaves it (-1)."""
    mem.seen[place.word & (SEEN_SIZE - 1)] += change


def stood(mem, ply):
    """The ply above at which the state of this one stands too, -1 for none. Where the rules count repetition, by `key`."""
    place = place_of(mem, ply)
    if mem.seen[place.word & (SEEN_SIZE - 1)] == 0:
        return i64(-1)
    above = ply - 1
    while above >= 0:
        other = place_of(mem, above)
        if other.word == place.word and (REPETITION or same_words(other.end, place.end, LABEL)):
            return above
        above -= 1
    return i64(-1)


# -- the table ---------------------------------------------------------------------------------------------------------------


def tag_of(attack, mem):
    """The question that an entry answers: may the side to move attack, and by threats alone? Never 0, which is a free entry."""
    return i64(1) | attack << 1 | mem.only_threats << 2


def entry_of(mem, h, number):
    """One of the entries where a hash belongs."""
    bucket = u64(h) & u64(mem.last_bucket)
    return Entry(mem.table + u64(8 * (LABEL + 2)) * (bucket * u64(ENTRIES) + u64(number)))


def find(mem, h, tag, label_at):
    """The number of the entry for a label, among those where its hash belongs; -1 if there is none."""
    for i in range(ENTRIES):
        entry = entry_of(mem, h, i)
        if part(entry.about, TAG) == tag and same_words(entry.end, label_at, LABEL):
            return i64(i)
    return i64(-1)


def least_work(mem, h):
    """The entry that took the least work, of those where a hash belongs."""
    least = entry_of(mem, h, 0)
    for i in range(1, ENTRIES):
        other = entry_of(mem, h, i)
        if part(other.about, WORK) < part(least.about, WORK):
            least = other
    return least


def keep(mem, h, tag, label_at, pn, dn, plies, work):
    """Keeps the numbers of a state: in its own place, else in place of what took the least work."""
    found = find(mem, h, tag, label_at)
    if found >= 0:
        entry = entry_of(mem, h, found)
        lost, won = part(entry.numbers, DN) == 0, part(entry.numbers, PN) == 0
        if lost or (won and (pn != 0 or part(entry.about, PLIES) <= plies)):
            return
        work += part(entry.about, WORK)
    else:
        entry = least_work(mem, h)
        copy_words(entry.end, label_at, LABEL)
    plies, work = min(plies, i64((1 << PLIES.bits) - 1)), min(work, i64((1 << WORK.bits) - 1))
    entry.about = put_part(tag, TAG) | put_part(plies, PLIES) | put_part(work, WORK)
    entry.numbers = put_part(pn, PN) | put_part(dn, DN)
