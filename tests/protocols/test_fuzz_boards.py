"""Whatever comes in over the protocols of single games: no crash, every question is answered, and memory stays bounded."""

import os
import random
import subprocess
import sys

import pytest
from talking import Talk, takes_no_memory

from plyground.protocols.gomocup import Gomocup
from plyground.protocols.hub import START, Hub
from plyground.protocols.nboard import EMPTY, NBoard

SERVERS = {"gomocup": Gomocup, "hub": Hub, "nboard": NBoard}
FIRST = {
    "gomocup": ["INFO timeout_turn 1", "INFO max_memory 1", "START 15"],
    "hub": ["set-param name=memory value=1", "init"],
    "nboard": ["nboard 2", "set depth 1"],
}
LINES = {
    "gomocup": [
        "BEGIN",
        "TURN 3,4",
        "TURN 7,8",
        "BOARD",
        "3,3,1",
        "3,4,2",
        "DONE",
        "TAKEBACK 3,4",
        "RESTART",
        "SWAP2BOARD",
        "ABOUT",
    ],
    "hub": [
        f'pos pos={START} moves="32-28 19-23 28x19x23"',
        "level depth=1",
        "go think",
        "go ponder",
        "ponder-hit",
        "stop",
        "hub",
    ],
    "nboard": [
        f"set game (;GM[Othello]TI[0:01]BO[8 {EMPTY} *]B[F5]W[F6];)",
        "move D3/1/2",
        "hint 2",
        "go",
        "set contempt 3",
        "learn",
    ],
}
WORDS = {
    "gomocup": "INFO timeout_turn time_left rule 0 1 2 -7 9999999999999999 3,4 14,14 15,15 3,4,1 4,4,2 folder evaluate RECTSTART",
    "hub": 'pos level go think analyze infinite set-param name=level value=3 move-time=0.001 time=1 inc=-1 moves="1-2" = "',
    "nboard": "set depth 2 -1 game (;GM[Othello] ;) move PA F5/ / // hint -3 ping nboard analyze B[PA] BO[8] TI[9:9:9:9]",
}
ALIVE = {"gomocup": ("ABOUT", 'name="Plyground",'), "hub": ("ping", "pong"), "nboard": ("ping 5", "pong")}
QUESTION = {
    "gomocup": (["INFO rule 0", "RESTART", "INFO timeout_turn 50", "BEGIN"], "7,7"),
    "hub": ([f"pos pos={START}", "level depth=2", "go think"], "done"),
    "nboard": ([f"set game (;GM[Othello]BO[8 {EMPTY} *];)", "set depth 2", "go"], "==="),
}


def line(word, dice):
    """A line that may mean something, or nothing at all."""
    kind = dice.random()
    text = dice.choice(LINES[word])
    if kind < 0.4:
        return text.encode()
    if kind < 0.8:
        return " ".join(dice.choices([*WORDS[word].split(), *text.split()], k=dice.randrange(1, 9))).encode()
    if kind < 0.9:
        at = dice.randrange(len(text))
        return (text[:at] + chr(dice.randrange(1, 0x2FF)) + text[at + 1 :]).encode()
    return bytes(dice.randrange(256) for _ in range(dice.randrange(40)))


def harmless(text):
    """Nothing that ends the server, or makes it compile other rules or allocate a large table."""
    lower = text.lower()
    return not any(part in lower for part in (b"\n", b"quit", b"end", b"start", b"memory", b"threads", b"rule 1", b"variant"))


def babble(word, count, seed):
    """A server that has heard many lines, and still plays."""
    dice, talk = random.Random(seed), Talk(SERVERS[word])
    talk.send(*FIRST[word])
    sent = 0
    while sent < count:
        batch = [text for text in (line(word, dice) for _ in range(50)) if harmless(text)]
        os.write(talk._giver, b"".join(text + b"\n" for text in batch))
        sent += len(batch)
        question, answer = ALIVE[word]
        talk.ask(question, until=answer)
    lines, answer = QUESTION[word]
    talk.ask(*lines, until=answer)
    return talk


@pytest.mark.parametrize("word", [pytest.param(word, marks=[pytest.mark.long] * (word != "gomocup")) for word in SERVERS])
def test_babble(word, capfd, monkeypatch, tmp_path):
    if word != "nboard":  # other tests compile Othello with its net, the other games without
        monkeypatch.setattr("plyground.nets.net_evaluation.SHIPPED", tmp_path)
    babble(word, 300, 1).close()
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.long
@pytest.mark.parametrize("word", SERVERS)
def test_a_long_babble_takes_no_memory(word, capfd):
    assert takes_no_memory(lambda lines, seed: babble(word, lines, seed))
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize(("word", "first"), [("gomocup", "ABOUT"), ("hub", "hub"), ("nboard", "ping 1")])
def test_the_first_answer_needs_neither_the_compiler_nor_numpy(word, first):
    code = f"""
import io, sys
from plyground.protocols.{word} import {SERVERS[word].__name__} as Server
said = io.BytesIO()
Server(io.BytesIO(b"{first}\\n"), said).serve()
print(said.getvalue().decode())
print({{"numpy", "numba", "llvmlite", "plyground.engine.engine"}} & set(sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(ALIVE[word][1] if word != "hub" else "id name=Plyground")
    assert done.stdout.endswith("\nset()\n")


@pytest.mark.parametrize("word", SERVERS)
def test_the_process_ends_with_its_input(word):
    command = [sys.executable, "-m", "plyground", word]
    done = subprocess.run(command, input=b"\xff\0\n" + ALIVE[word][0].encode() + b"\n", capture_output=True, check=False)
    assert done.returncode == 0
    assert ALIVE[word][1] in done.stdout.decode()
    assert done.stderr == b""
