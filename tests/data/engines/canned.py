"""An engine for Piskvork, Hub or NBoard that gives the answers of its arguments, one for each move, and then falls silent.

python canned.py gomocup|hub|nboard ANSWER …     Several lines of an answer are separated by a vertical bar; a semicolon is a comma.

What it hears is written to stderr.
"""

import sys

word, *answers = sys.argv[1:]
ASKS = {"gomocup": ("BEGIN", "TURN", "DONE", "PLAY"), "hub": ("go",), "nboard": ("go",)}[word]
ALWAYS = {
    "gomocup": {"START": "MESSAGE hello|OK", "RESTART": "OK"},
    "hub": {
        "hub": 'id name="Old Dam" version=1|param name=variant value=frisian type=enum values="normal frisian"|'
        "param name=book value=true type=bool|wait",
        "init": "loading|ready",
    },
    "nboard": {"nboard": "set myname Old Disc"},
}[word]
for line in sys.stdin:
    print(line.rstrip(), file=sys.stderr, flush=True)
    command, _, rest = line.strip().partition(" ")
    said = f"pong {rest}" if command == "ping" else ALWAYS.get(command, "")
    if command in ASKS and answers:
        said = answers.pop(0)
    for one in filter(None, said.replace(";", ",").split("|")):
        print(one, flush=True)
