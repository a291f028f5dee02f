"""An engine for UGI, and with chess for UCI, that plays the first legal move, and from its second move on misbehaves as its second argument says.

python engine.py GAME [hangs | deaf | crashes | ends | rubbish | mute | illegal | late | floods | stays]
"""

import os
import signal
import subprocess
import sys
import time

from plyground import load
from plyground.protocols.uci import uci_word

game, how = load(sys.argv[1]), (*sys.argv, "")[2]
s, asked = game.start(), 0


def say(text):
    print(text, flush=True)


def read(words):
    """The state that `position` tells."""
    at = words.index("moves") if "moves" in words else len(words)
    first = game.start() if words[1] == "startpos" else game.parse_state(" ".join(words[2:at]))
    for m in game.parse_moves(first, " ".join(words[at + 1 :])):
        first = game.play(first, m)
    return first


def move():
    m = game.legal(s)[0]
    text = uci_word(s, m) if game.name == "chess" else game.format_move(s, m)
    say(f"info depth 3 score cp {17 + asked} nodes 99 pv {text}")
    say(f"bestmove {text}")


def hang():
    while True:
        time.sleep(600)


def crash():
    print("the net is broken", file=sys.stderr, flush=True)
    os._exit(3)


def late():
    time.sleep(2)
    move()


def flood():
    while True:
        say("info string " + "x" * 1000)


FAULTS = {
    "hangs": hang,
    "crashes": crash,
    "rubbish": lambda: say("bestmove"),
    "mute": lambda: say("I think I like the middle"),
    "illegal": lambda: say("bestmove zz9"),
    "late": late,
    "floods": flood,
}

if how == "ends":
    sys.exit("no licence")
if how == "stays":
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    child = subprocess.Popen(["sleep", "600"])
    print("child", child.pid, "of", os.getpid(), file=sys.stderr, flush=True)

for line in sys.stdin:
    word, *rest = line.split()
    if word in ("uci", "ugi") and how != "deaf":
        say(f"id name Test Engine {how}".strip())
        say("option name Hash type spin default 16 min 1 max 64")
        say("option name Style type combo default Quiet var Quiet var Very Wild")
        say("option name Own Book type check default false")
        say("option name Clear Hash type button")
        say("option name Log File type string default <empty>")
        if word == "uci":
            say("option name UCI_LimitStrength type check default false")
            say("option name UCI_Elo type spin default 1500 min 1000 max 2000")
        say(f"{word}ok")
    elif word == "isready":
        say("readyok")
    elif word == "setoption":
        print(line.strip(), file=sys.stderr, flush=True)
    elif word == "position":
        s = read(line.split())
        if game.name == "chess":
            print(line.strip(), file=sys.stderr, flush=True)
    elif word == "go":
        print(line.strip(), file=sys.stderr, flush=True)
        asked += 1
        (FAULTS.get(how, move) if asked > 1 else move)()
    elif word == "quit" and how != "stays":
        break
while how == "stays":
    time.sleep(600)
