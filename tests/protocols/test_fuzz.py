"""Whatever comes in: no crash, every `go` is answered, and memory stays bounded."""

import os
import random
import signal
import subprocess

import pytest
from talking import Talk, takes_no_memory

from plyground import load
from plyground.protocols.uci import UciServer
from plyground.protocols.ugi import UgiServer
from running import announcing, read_until

SERVERS = {"uci": UciServer, "ugi": UgiServer}
GAME = {"uci": "chess", "ugi": "tictactoe"}
VOCABULARY = """
uci ugi isready ucinewgame uginewgame position startpos fen moves go stop quit ponderhit setoption
name value query p1turn gameover result depth nodes mate movetime wtime btime winc binc
p1time p2time movestogo infinite ponder searchmoves Hash Threads MultiPV Skill Level EvalFile Clear true
false 0 1 2 7 -1 99999999999999999999 1e9 e2e4 e7e5 g1f3 a1 b2 c3
8/8/8/8/8/8/8/K1k5 w - .../.../... debug on register later
"""
WORDS = VOCABULARY.split()
LINES = {
    "uci": ["position startpos moves e2e4 e7e5", "go ponder movetime 1", "ponderhit", "go wtime 5 btime 5", "ucinewgame"],
    "ugi": ["position startpos moves b2 a1", "query result", "query p1turn", "go p1time 5 p2time 5", "uginewgame"],
}
BOTH = [
    "go depth 1",
    "go infinite",
    "stop",
    "isready",
    "go movetime 1",
    "setoption name Hash value 2",
    "setoption name Clear Hash",
]


def line(word, dice):
    """A line that may mean something, or nothing at all."""
    kind = dice.random()
    if kind < 0.4:
        return dice.choice(LINES[word] + BOTH).encode()
    if kind < 0.8:
        text = " ".join(dice.choices(WORDS, k=dice.randrange(1, 9)))
    elif kind < 0.9:
        text = dice.choice(LINES[word] + BOTH)
        at = dice.randrange(len(text))
        text = text[:at] + chr(dice.randrange(1, 0x2FF)) + text[at + 1 :]
    else:
        return bytes(dice.randrange(256) for _ in range(dice.randrange(40)))
    return text.encode()


def babble(word, count, seed):
    """A server that hears lines; the engine is asked once in a while whether it is still there."""
    dice = random.Random(seed)
    talk = Talk(lambda source, target: SERVERS[word](source, target, load(GAME[word])))
    talk.send("setoption name Hash value 1", "setoption name EvalFile value rules")
    sent = 0
    while sent < count:
        batch = [text for text in (line(word, dice) for _ in range(50)) if b"quit" not in text]
        os.write(talk._giver, b"".join(text + b"\n" for text in batch))
        sent += len(batch)
        talk.ask("stop", "isready", until="readyok")
    talk.ask("setoption name EvalFile value", "position startpos", "go depth 1")
    return talk


@pytest.mark.parametrize("word", ["ugi"])
def test_babble(word, capfd):
    talk = babble(word, 400, 1)
    talk.close()
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.long
@pytest.mark.parametrize("word", SERVERS)
def test_a_long_babble_takes_no_memory(word, capfd):
    assert takes_no_memory(lambda lines, seed: babble(word, lines, seed))
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("ending", ["quit", "end", "interrupt", "closed"])
def test_the_process_ends_in_the_middle_of_a_search(ending):
    command = announcing("plyground.engine.engine.Engine._analyse", "ugi", "tictactoe")
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdin.write(b"ugi\nposition startpos\ngo infinite\n")
        process.stdin.flush()
        while process.stdout.readline() != b"ugiok\n":
            pass
        if ending == "quit":
            process.stdin.write(b"quit\n")
            process.stdin.flush()
        elif ending == "end":
            process.stdin.close()
        elif ending == "interrupt":
            read_until(process.stderr, b"has begun")
            process.send_signal(signal.SIGINT)
        else:
            process.stdout.close()
            process.stdin.write(b"isready\nugi\n")
            process.stdin.flush()
        code = process.wait()
        said = process.stderr.read().decode()
    assert code == {"interrupt": 130, "closed": 141}.get(ending, 0)
    assert "Traceback" not in said
