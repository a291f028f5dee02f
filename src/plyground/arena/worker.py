"""A process that plays pairs: `python -m plyground.arena.worker`, started by `worker_pool.py`.

It reads lines of JSON from stdin: first the setup of the match, then one job after the other. For each line it writes a
`WorkerReply` to stdout: that it is ready, a result, or an error.

When stdin ends, it exits at once, even in the middle of a game: if the program that started it is killed, nothing stays behind.
Rules may print and read as they like: the lines travel on copies of the two streams, while `print` goes to stderr.
"""

from __future__ import annotations

import json
import os
import queue
import traceback
from collections.abc import Callable
from typing import BinaryIO

from plyground.arena.messages import Job, PlayedPair, WorkerReply
from plyground.arena.pair import play_pair
from plyground.arena.sources import UnpackedSetup, read_setup
from plyground.errors import PlygroundError
from plyground.system.codec import decode, encode
from plyground.system.runner import Worker
from plyground.system.streams import accept_any_text, protocol_streams

READER_STACK = 1 << 20


def failure(e: BaseException) -> WorkerReply:
    """Return an exception as an answer: one line for the user, and the traceback if it was not meant for them."""
    if isinstance(e, PlygroundError):
        return WorkerReply(error=" ".join(str(e).split()))
    return WorkerReply(error=" ".join(f"{type(e).__name__}: {e}".split()), trace=traceback.format_exc())


def reply_text(play: Callable[[], PlayedPair]) -> str:
    """Return the result of a pair as JSON; an error if playing it or writing it fails."""
    try:
        return json.dumps(encode(WorkerReply(result=play())))
    except Exception as e:
        return json.dumps(encode(failure(e)))


def serve(lines: queue.SimpleQueue[bytes], answers: BinaryIO) -> None:
    """Answer one line after the other."""

    def write(text: str) -> None:
        answers.write(text.encode() + b"\n")
        answers.flush()

    try:
        setup = UnpackedSetup.unpack(read_setup(json.loads(lines.get())))
    except Exception as e:
        return write(json.dumps(encode(failure(e))))
    write(json.dumps(encode(WorkerReply(ready=True))))
    while True:
        write(reply_text(lambda: play_pair(setup, decode(Job, json.loads(lines.get())))))


def read(stream: BinaryIO, lines: queue.SimpleQueue[bytes]) -> None:
    """Pass on the lines of the stream; end the process with the stream."""
    try:
        for line in stream:
            lines.put(line)
    finally:
        os._exit(0)


def main() -> None:
    """Serve until stdin ends."""
    stream, answers = protocol_streams()
    accept_any_text()
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    Worker(lambda: read(stream, lines), READER_STACK)
    Worker(lambda: serve(lines, answers)).result()  # with the stack that textbook players need


if __name__ == "__main__":
    main()
