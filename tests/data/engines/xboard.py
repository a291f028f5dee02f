"""A chess engine for XBoard that plays the first legal move: it has no `setboard` and writes what it hears to stderr.

python xboard.py [resigns | claims | illegal | refuses | old]
"""

import sys

from plyground import load

game, how = load("chess"), (*sys.argv, "")[1]
s, forced = game.start(), False


def say(text):
    print(text, flush=True)


def name(square, turn):
    square ^= 56 * turn
    return f"{'abcdefgh'[square & 7]}{(square >> 3) + 1}"


def move():
    """Plays the first legal move."""
    global s
    m, turn = game.legal(s)[0], game.turn(s)
    say(f" 3     15        2         99 {game.format_move(s, m)}")
    say(f"move {name(m & 63, turn)}{name(m >> 6 & 63, turn)}")
    s = game.play(s, m)


ANSWERS = {
    "resigns": lambda: say("resign"),
    "claims": lambda: say("1/2-1/2 {a draw, I think}"),
    "illegal": lambda: say("move e2e5"),
    "refuses": lambda: say("Illegal move: e2e4"),
}

for line in sys.stdin:
    word, *rest = line.split()
    if word in ("st", "sd", "level", "time", "option", "memory", "setboard", "usermove"):
        print(line.strip(), file=sys.stderr, flush=True)
    if word == "protover" and how != "old":
        say('feature myname="Old Timer" setboard=0 usermove=1 san=1 ping=1 memory=1 done=0')
        say('feature option="Resign -check 0" option="Clear Hash -button" done=1')
    elif word == "new":
        s, forced = game.start(), False
    elif word == "force":
        forced = True
    elif word == "ping":
        say(f"pong {rest[0]}")
    elif word == "usermove" or game.board and len(word) in (4, 5) and word[1].isdigit():
        s = game.play(s, game.parse_move(s, rest[0] if rest else word))
    elif word == "go":
        ANSWERS.get(how, move)()
    elif word == "quit":
        break
