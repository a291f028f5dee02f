"""Play in the terminal: against the computer, against each other, or watch.

At the prompt: a move, or hint, eval, moves, undo, board, state, save FILE, help, quit.

  plyground play connect4 --level 5
  plyground play othello --side second --against textbook:alphabeta,depth=6
  plyground play tictactoe --side both
  plyground play nim --side none --against random --seed 7
  plyground play --load saved.json
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from plyground.game import Game
    from plyground.match import Match
    from plyground.player import Player

COLOURS = ("bold red", "bold yellow", "bold cyan", "bold green")


def arguments(parser: argparse.ArgumentParser) -> None:
    """What `plyground play` takes."""
    parser.add_argument("game", metavar="GAME", nargs="?", help="chess, 'connect4(rows=5)', ./mygame.py (default connect4)")
    parser.add_argument(
        "--against", metavar="PLAYER", help="engine:level=5,time=2, textbook:alphabeta,depth=6, random (default: the engine)"
    )
    parser.add_argument("--level", metavar="N", type=int, help="the engine's strength, from 1 to 10")
    parser.add_argument("--time", metavar="SECONDS", type=float, help="how long the engine may think about a move")
    parser.add_argument(
        "--table", metavar="FILE", action="append", help="play from this table, made by solve --table, where it can"
    )
    parser.add_argument("--eval", action="store_true", help="show what the engine thinks of the position after its moves")
    parser.add_argument("--side", default="first", choices=["first", "second", "both", "none"], help="which side is yours")
    parser.add_argument("--state", metavar="TEXT", help="begin with this state, as the game writes it")
    parser.add_argument("--moves", metavar="TEXT", default="", help="make these moves first")
    parser.add_argument("--load", metavar="FILE", help="go on with a game that was saved")
    parser.add_argument("--seed", metavar="N", type=int, help="the same dice and random moves each time")


def run(args: argparse.Namespace) -> int:
    """Plays one game."""
    from plyground.player import make_player
    from plyground.terminal import print_json, show_compiling

    match = _begin(args)
    game = match.game
    show_compiling()
    every = set(range(len(game.sides)))
    mine = {"first": {0}, "second": {1} & every or {0}, "both": every, "none": set[int]()}[args.side]
    opponent, adviser = _opponent(args, game), None
    if args.table:
        from plyground.tablebase.player import TablePlayer, Tables

        adviser = TablePlayer(Tables(args.table, game), lambda: make_player(opponent, game, args.seed), opponent)
    player = adviser or make_player(opponent, game, args.seed) if every - mine else None
    table = Table(match, player, mine, random.Random(args.seed), sys.stderr if args.json else sys.stdout)
    table.adviser = adviser
    table.evals = args.eval
    table.play()
    if args.json:
        print_json(match.as_json())
    return 0


def _opponent(args: argparse.Namespace, game: Game) -> str:
    """Who plays against people: whom they ask for, else the engine, where it can play the game at all."""
    from plyground.errors import PlygroundError

    words = [f"{name}={getattr(args, name):g}" for name in ("level", "time") if getattr(args, name) is not None]
    if args.against and words:
        raise PlygroundError(
            "--level and --time are for the engine; leave them out with --against, or write engine:level=5,time=2"
        )
    if args.against:
        return str(args.against)
    if len(game.sides) > 2:
        return "textbook:maxn,depth=3"
    return f"engine:{','.join(words)}" if words else "engine"


def _begin(args: argparse.Namespace) -> Match:
    from plyground.errors import PlygroundError
    from plyground.game import load
    from plyground.match import Match

    if args.load is None:
        return Match(load(args.game or "connect4"), args.state, args.moves)
    if args.game or args.state or args.moves:
        raise PlygroundError("--load brings the game, its state and its moves; leave GAME, --state and --moves out")
    try:
        text = Path(args.load).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as e:
        raise PlygroundError(f"{args.load}: this file cannot be read ({getattr(e, 'strerror', None) or 'not text'})") from e
    return Match.from_text(text)


class Table:
    """A match at a terminal: shows the board, asks people, lets the computer and the dice move."""

    def __init__(self, match: Match, player: Player | None, mine: set[int], dice: random.Random, out: Any) -> None:
        from rich.console import Console

        self.match, self.game = match, match.game
        self.player, self.mine, self.dice, self.out = player, mine, dice, out
        self.console = Console(file=out, highlight=False, soft_wrap=True)
        self.evals = False
        self.adviser: Player | None = None
        self.shown: str | None = None  # the board as it was last drawn: what has changed since is marked
        self.orders: dict[str, Callable[[str], None]] = {
            "hint": self.hint,
            "eval": self.toggle_evals,
            "moves": self.list_moves,
            "undo": self.undo,
            "board": lambda rest: self.draw(),
            "state": lambda rest: self.say(self.game.format_state(self.match.s)),
            "save": self.save,
            "help": self.help,
        }

    def say(self, text: str = "", style: str = "") -> None:
        """A line of text, just as it is."""
        self.console.print(text, style=style, markup=False)

    def play(self) -> None:
        """Until the game is over or somebody leaves."""
        self.introduce()
        self.draw()
        while self.match.result is None:
            if self.game.is_chance(self.match.s):
                self.roll()
            elif self.match.turn in self.mine:
                if not self.ask():
                    return
            else:
                self.answer()
        self.say(self.match.describe_end(), "bold green")

    def introduce(self) -> None:
        """Who plays what."""
        other = self.player.name if self.player else ""
        who = ", ".join(f"{side}: {'you' if i in self.mine else other}" for i, side in enumerate(self.game.sides))
        self.say(f"{self.game.title}. {who}.", "bold")
        if self.mine:
            self.say("Type a move, or help.")

    def draw(self) -> None:
        """The board, in colours where each side's stones are a letter; what has changed since the last time is marked."""
        from rich.text import Text

        board = self.game.show(self.match.s)
        text = Text(board)
        letters = {side: colour for side, colour in zip(self.game.sides, COLOURS, strict=False) if len(side) == 1}
        old = self.shown if self.shown is not None and len(self.shown) == len(board) else board
        for i, c in enumerate(board):
            if c in letters:
                text.stylize(letters[c], i, i + 1)
            if c != old[i] and not c.isspace():
                text.stylize("reverse", i, i + 1)
        self.shown = board
        self.say()
        self.console.print(text)
        self.say()

    def roll(self) -> None:
        """Chance moves."""
        before = self.match.s
        m = self.match.roll(self.dice)
        self.say(f"by chance: {self.game.format_move(before, m)}")
        if not self.game.is_chance(self.match.s):
            self.draw()

    def answer(self) -> None:
        """The computer moves."""
        match, side, player = self.match, self.match.side, self.player
        before = match.s
        assert player is not None
        m = self.think(player, f"{side} thinks …")
        match.play(m)
        self.say(f"{side} plays {self.game.format_move(before, m)}")
        if self.evals:
            self.say(self.opinion(player, side, before), "dim")
        self.draw()

    def think(self, player: Player, words: str) -> int:
        """The move that a player chooses here; at a terminal one sees that it is at work, and how deep it looks."""
        from plyground.player import EnginePlayer
        from plyground.terminal import work

        s, history = self.match.s, self.match.states[:-1]

        def job() -> int:
            return int(player.choose(self.game, s, history))

        if not self.console.is_terminal:
            return work(job)
        with self.console.status(words) as status:
            if isinstance(player, EnginePlayer):
                player.on_report = lambda r: status.update(f"{words} depth {r.depth}")
            return work(job)

    def ask(self) -> bool:
        """A person moves, or asks something; False where they leave."""
        from plyground.errors import PlygroundError

        try:
            line = self.read(f"{self.match.side} to move> ").strip()
        except EOFError:
            self.say()
            return False
        word, _, rest = line.partition(" ")
        if word.lower() in ("quit", "exit", "q"):
            return False
        try:
            if word.lower() in self.orders:
                self.orders[word.lower()](rest.strip())
            elif line:
                self.match.play(self.game.parse_move(self.match.s, line))
                self.draw()
        except PlygroundError as e:
            self.say(f"{e} (or type help)", "yellow")
        return True

    def read(self, prompt: str) -> str:
        """A line that a person types."""
        if self.out is sys.stdout and sys.stdin.isatty():
            import readline  # noqa: F401 (it makes `input` edit lines and remember them)

            return input(prompt)
        print(prompt, end="", file=self.out, flush=True)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line

    # -- what can be asked at the prompt -----------------------------------------------------------------------------

    def hint(self, rest: str) -> None:
        """What the engine would play here."""
        from plyground.player import make_player

        match = self.match
        if self.adviser is None:
            self.adviser = make_player("engine:time=1", self.game)  # at full strength, whoever the opponent is
        m = self.think(self.adviser, "looking for a hint …")
        self.say(f"{self.game.format_move(match.s, m)} ({self.opinion(self.adviser, match.side, match.s)})")

    def opinion(self, player: Player, side: str, s: Any) -> str:
        """What an engine has just found, in a line."""
        from plyground.report import line_text
        from plyground.score import describe

        found = getattr(player, "found", None)
        if found is None:
            return f"{player.name} does not say what it thinks"
        line = " ".join(line_text(self.game, s, found.line)[:8])
        return f"{side} {describe(found.score, found.exact)}, depth {found.depth}: {line}"

    def toggle_evals(self, rest: str) -> None:
        """Shows, or no longer shows, what the engine thinks after its moves."""
        self.evals = not self.evals
        self.say(f"evaluations are {'shown' if self.evals else 'not shown'} from now on")

    def list_moves(self, rest: str) -> None:
        """The legal moves."""
        self.say(" ".join(self.game.format_move(self.match.s, m) for m in self.match.legal()))

    def undo(self, rest: str) -> None:
        """Back to where this person last moved."""
        from plyground.errors import PlygroundError

        match = self.match
        made = list(match.moves)
        while match.moves:
            match.undo()
            if not self.game.is_chance(match.s) and match.turn in self.mine:
                self.draw()
                return
        for m in made:
            match.play(m)
        raise PlygroundError("there is no move to take back")

    def save(self, rest: str) -> None:
        """The game so far, to a file."""
        from plyground.errors import PlygroundError
        from plyground.files import write_text

        if not rest:
            raise PlygroundError("save to which file? save FILE")
        write_text(Path(rest).expanduser(), self.match.to_text())
        self.say(f"saved to {rest}; plyground play --load {rest} goes on")

    def help(self, rest: str) -> None:
        """What can be typed."""
        example = self.game.format_move(self.match.s, self.match.legal()[0])
        self.say(f"a move, such as {example}; moves: the legal ones; hint: what the engine would play; undo: takes back;")
        self.say("eval: show what the engine thinks, or not; board: draws it again;")
        self.say("state: this state in one line; save FILE: to go on later; quit")
