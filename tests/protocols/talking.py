"""A conversation with the engine side of a protocol, in this process."""

import gc
import os
import queue
from contextlib import contextmanager

from plyground import load
from plyground.players.spec import make_player
from plyground.system.runner import Worker
from running import memory

"""Seconds after which a test gives up: much longer than any answer takes, for a kernel may have to be compiled."""


class Talk:
    """Sends lines to a server and collects its answers."""

    def __init__(self, make):
        """`make(source, target)` gives the server."""
        given, self._giver = os.pipe()
        taken, target = os.pipe()
        self._source, self._target = os.fdopen(given, "rb"), os.fdopen(target, "wb")
        self._taken = os.fdopen(taken, "rb")
        self.server = make(self._source, self._target)
        self._heard: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._reader = Worker(self._read)
        self._serving = Worker(self.server.serve)

    def _read(self):
        for line in self._taken:
            self._heard.put(line.decode().rstrip("\n"))

    def send(self, *lines):
        for line in lines:
            os.write(self._giver, line.encode() + b"\n")

    def next(self):
        """The next line."""
        return self._heard.get()

    def until(self, word):
        """The lines up to the first that begins with this word."""
        found: list[str] = []
        while not found or found[-1].split(" ")[0] != word:
            found.append(self.next())
        return found

    def ask(self, *lines, until="bestmove"):
        """Sends lines and waits for an answer that begins with a word."""
        self.send(*lines)
        return self.until(until)

    def close(self):
        """Ends the input and returns what was still said."""
        os.close(self._giver)
        self._serving.result()
        self._source.close()
        self._target.close()
        self._reader.result()
        self._taken.close()
        return [self._heard.get() for _ in range(self._heard.qsize())]


def parts(line):
    """The numbers and words of an `info` line by name: {'depth': '3', 'score': 'cp 12', 'pv': 'e2e4 e7e5'}."""
    words = line.split()
    found: dict[str, list[str]] = {}
    names = ("depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull", "time", "pv")
    for word in words[1:]:
        if word in names:
            name, found[word] = word, []
        else:
            found[name].append(word)
    return {name: " ".join(values) for name, values in found.items()}


@contextmanager
def canned_players(program, game):
    """Gives a function that makes players whose program has canned answers; all are closed in the end."""
    made = []

    def make(*answers, options="", spec=game, **more):
        words = " ".join(f"'{answer.replace(',', ';')}'" for answer in answers)  # a comma would begin the options
        made.append(make_player(f"{program} {words}{options}", load(spec), **more))
        return made[-1]

    try:
        yield make
    finally:
        for one in made:
            one.close()


def takes_no_memory(babble):
    """30,000 lines take no more memory than 5,000; `babble(lines, seed)` gives the conversation."""
    most = []
    for lines, seed in ((5000, 1), (30_000, 2)):
        gc.collect()  # the tables of earlier conversations
        memory(reset=True)
        babble(lines, seed).close()
        most.append(memory()[1])
    return most[1] - most[0] < 60  # MB, 2 kB a line
