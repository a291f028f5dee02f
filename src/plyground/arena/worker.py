"""A process that plays pairs: `python -m plyground.arena.worker`, started by `workers.py`.

It reads lines of JSON from stdin: first the setup of the match, then one job after the other. It answers each line with one line
on stdout: `{"ready": true}` after the setup, `{"result": …}` after a job, and `{"error": one line}` if that is impossible.

When stdin ends, it exits at once, even in the middle of a game: if the program that started it is killed, nothing stays behind.
Rules may print and read as they like: the lines travel on copies of the two streams, while `print` goes to stderr.
"""

from __future__ import annotations

import json
import os
import queue
import traceback
from typing import Any, BinaryIO

from plyground.arena.pair import play_pair
from plyground.arena.sources import Setup
from plyground.errors import PlygroundError
from plyground.system.runner import Worker
from plyground.system.streams import accept_any_text, own_streams

READER_STACK = 1 << 20


def one_line(e: BaseException) -> dict[str, Any]:
    """An exception as an answer: one line for the user, and the traceback if it was not meant for them."""
    if isinstance(e, PlygroundError):
        return {"error": " ".join(str(e).split())}
    return {"error": " ".join(f"{type(e).__name__}: {e}".split()), "trace": traceback.format_exc()}


def serve(lines: queue.SimpleQueue[bytes], answers: BinaryIO) -> None:
    """Answers one line after the other."""

    def answer(what: dict[str, Any]) -> None:
        answers.write(json.dumps(what).encode() + b"\n")
        answers.flush()

    try:
        setup = Setup.unpack(json.loads(lines.get()))
    except Exception as e:
        return answer(one_line(e))
    answer({"ready": True})
    while True:
        job = json.loads(lines.get())
        try:
            result = {"result": play_pair(setup, job)}
        except Exception as e:
            result = one_line(e)
        answer(result)


def read(stream: BinaryIO, lines: queue.SimpleQueue[bytes]) -> None:
    """Passes on the lines of the stream; ends the process with the stream."""
    try:
        for line in stream:
            lines.put(line)
    finally:
        os._exit(0)


def main() -> None:
    """Serves until stdin ends."""
    stream, answers = own_streams()
    accept_any_text()
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    Worker(lambda: read(stream, lines), READER_STACK)
    Worker(lambda: serve(lines, answers)).result()  # with the stack that textbook players need


if __name__ == "__main__":
    main()
