"""A match at a terminal: shows the board, asks people for moves, and lets the computer and the dice move."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from plyground.cli import _board
from plyground.cli import _keys as keys
from plyground.errors import PlygroundError
from plyground.play import words
from plyground.play.clock import clock_text
from plyground.play.match import PERSON, Match
from plyground.play.player import ForfeitError, Player
from plyground.system.files import write_text
from plyground.system.runner import Runner, Worker

ARROWS = {"up", "down", "left", "right"}
HELP = (
    ("moves", "the legal moves"),
    ("hint", "what the engine would play"),
    ("eval", "the engine's evaluation; eval on, eval off: after each of its moves"),
    ("undo, redo", "take back a move, play it again"),
    ("board, flip", "draw the board again, turn it around"),
    ("state", "the position in one line"),
    ("save FILE", "save the game; plyground play --load FILE resumes it"),
    ("resign", "resign the game"),
    ("quit", "leave; plyground play --load resumes the game"),
)


class Prompt:
    """A match at a terminal."""

    def __init__(self, match: Match, players: dict[int, Player], out: Any) -> None:
        from rich.console import Console

        self.match, self.game = match, match.game
        self.players, self.out = players, out
        self.mine = {i for i, who in enumerate(match.players) if who == PERSON}
        self.console = Console(file=out, highlight=False, soft_wrap=True)
        self.unicode = _board.rich_terminal(self.console)
        self.live = self.console.is_terminal and not self.console.is_dumb_terminal
        self.adviser: Player | None = None
        self.shown: Any = None  # the last state drawn: changes since then are highlighted
        self.told = -1  # the number of moves when a person was last asked
        self.orders: dict[str, Callable[[str], None]] = {
            "hint": self.hint,
            "eval": self.evaluate,
            "moves": self.list_moves,
            "undo": self.undo,
            "redo": self.redo,
            "board": lambda rest: self.draw(),
            "flip": self.flip,
            "state": lambda rest: self.say(self.game.format_state(self.match.s)),
            "save": self.save,
            "resign": lambda rest: self.match.resign(),
            "help": self.help,
        }

    def say(self, text: str = "", style: str = "") -> None:
        """Prints a line of text, without markup."""
        self.console.print(text, style=style, markup=False)

    def play(self) -> bool:
        """Plays until the game is over or a person leaves; is it over?"""
        match = self.match
        self.introduce()
        self.draw_unless_chance()
        match.start_clock()
        while match.result is None:
            if self.game.is_chance(match.s):
                self.roll()
            elif match.turn in self.mine:
                if not self.ask():
                    match.pause_clock()
                    return False
            else:
                self.answer()
        self.say(match.describe_end(), "bold green")
        return True

    def introduce(self) -> None:
        """Says who plays which side, with its signs on the board."""
        title = self.game.title
        if self.mine and len(self.game.sides) == 1:
            self.say(f"{title}. Type a move, or help{'; the arrow keys move too' if self.arrows() else ''}.", "bold")
            return
        mine = [self.name(i) for i in sorted(self.mine)]
        parts = [f"You are {' and '.join(filter(None, [', '.join(mine[:-1]), mine[-1]]))}"] if mine else []
        parts += [f"{self.name(i)} is {player.name}" for i, player in sorted(self.players.items())]
        self.say(f"{title}. {', '.join(parts)}.", "bold")
        if self.mine:
            self.say("Type a move, or help.")

    def name(self, side: int, most: int = 99) -> str:
        """The name of a side, with its signs if there are at most `most`."""
        signs = _board.legend(self.game, side, self.unicode)
        return f"{self.game.sides[side]} ({signs})" if 0 < len(signs) <= most else self.game.sides[side]

    def draw(self) -> None:
        """Draws the board; changes since the last time are highlighted."""
        flip = bool(self.match.notes.get("flip"))
        self.say()
        self.console.print(_board.paint(self.game, self.match.s, self.shown, self.unicode, flip))
        self.say()
        self.shown = self.match.s

    def draw_unless_chance(self) -> None:
        """Draws the board, unless chance is to move: then it is drawn after that."""
        if self.match.result is not None or self.match.mover is not None:
            self.draw()

    def roll(self) -> None:
        """Plays a chance outcome."""
        before = self.match.s
        text = self.game.format_move(before, self.match.roll())
        drawn = _board.dice(text, self.unicode)
        self.say(f"chance: {text}" if drawn is None else drawn)
        self.draw_unless_chance()

    def answer(self) -> None:
        """Plays the computer's move."""
        match, side, player = self.match, self.match.side, self.players[self.match.turn]
        before = match.s
        m = self.think(player, f"{side} thinks …")
        if match.result is not None:  # it lost on time
            return
        match.play(m)
        self.say(f"{side} plays {self.game.format_move(before, m)}")
        if match.notes.get("eval"):
            self.say(self.opinion(player, side, before), "dim")
        self.draw_unless_chance()

    def think(self, player: Player, words: str) -> int:
        """The move that a player chooses here; a terminal shows the search depth, and Enter makes it move at once."""
        from plyground.engine.players import EnginePlayer

        s, history, limit = self.match.s, self.match.states[:-1], self.match.limit()
        stop: Callable[[], None] | None = getattr(player, "stop", None)
        with contextlib.ExitStack() as stack:
            pressed = stack.enter_context(keys.Keys()) if self.live and stop and keys.available() else None
            words += " (Enter: move now)" if pressed else ""
            status = stack.enter_context(self.console.status(words)) if self.live else None
            if hasattr(player, "clock"):
                player.clock = limit
            if isinstance(player, EnginePlayer):
                player.on_report = None if status is None else lambda r: status.update(f"{words} depth {r.depth}")

            def job(number: int = 0) -> int:
                try:
                    return int(player.choose(self.game, s, history))
                except ForfeitError as e:
                    raise PlygroundError(f"{player.name}: {e}") from e

            def look() -> None:
                if pressed is not None and pressed.read(0) in ("enter", " "):
                    runner.stop()

            if stop is None:  # it can't be stopped: Ctrl-C abandons it
                return Worker(job).result()
            runner = Runner(tick=look, every=0.05, on_stop=stop)
            m = runner.run(job)
            assert m is not None
            return m

    def ask(self) -> bool:
        """Asks a person for a move or a command; False if they leave."""
        clock = self.match.clock
        self.tell_only_move()
        left = "" if clock is None else f", {clock_text(clock.left(self.match.turn))} left"
        try:
            line = self.read(f"{self.name(self.match.turn, 2)} to move{left}> ").strip()
        except EOFError:
            self.say()
            return False
        word, _, rest = line.partition(" ")
        if word.lower() in ("quit", "exit", "q"):
            return False
        if self.match.result is not None:  # time ran out before the line was read
            return True
        try:
            if word.lower() in self.orders:
                self.orders[word.lower()](rest.strip())
            elif line:
                self.match.play(line)
                self.draw_unless_chance()
        except PlygroundError as e:
            self.say(f"{e} (or type help)", "yellow")
        return True

    def tell_only_move(self) -> None:
        """Says once if there is only one legal move: a pass, a forced reply."""
        legal = self.match.legal()
        if len(legal) == 1 and self.told != len(self.match.moves):
            self.say(f"the only move is {self.game.format_move(self.match.s, legal[0])}")
        self.told = len(self.match.moves)

    def read(self, prompt: str) -> str:
        """A line that a person types, or the name of an arrow key if arrows are moves."""
        if self.out is sys.stdout and sys.stdin.isatty():
            import readline

            if self.live and keys.available() and self.arrows():
                key = self.read_key(prompt)
                if key in ARROWS or key == "":
                    return key
                readline.set_startup_hook(lambda: readline.insert_text(key))
            try:
                return input(prompt)
            finally:
                readline.set_startup_hook(None)
        print(prompt, end="", file=self.out, flush=True)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line

    def arrows(self) -> bool:
        """Are all legal moves directions of arrow keys?"""
        return self.match.mover is not None and {self.game.format_move(self.match.s, m) for m in self.match.legal()} <= ARROWS

    def read_key(self, prompt: str) -> str:
        """An arrow key, an empty text for Enter, or the first character of a typed line."""
        with keys.Keys() as pressed:  # before the prompt: until then, Ctrl-D would not be read as a key
            print(prompt, end="", flush=True)
            key = pressed.read()
            while key is None or (len(key) > 1 and key not in (*ARROWS, "enter", "end")):
                key = pressed.read()
        if key == "end":
            raise EOFError
        print(key if key in ARROWS else "\r", end="\n" if key in ARROWS or key == "enter" else "", flush=True)
        return "" if key == "enter" else key

    # -- commands at the prompt --------------------------------------------------------------------------------------

    def advise(self, words: str) -> int:
        """The engine's choice at full strength, against any opponent."""
        from plyground.engine.players import EnginePlayer

        if self.adviser is None:
            self.adviser = EnginePlayer("", self.game, thorough=True)
        return self.think(self.adviser, words)

    def hint(self, rest: str) -> None:
        """Says what the engine would play."""
        m = self.advise("looking for a hint …")
        assert self.adviser is not None
        self.say(f"{self.game.format_move(self.match.s, m)}: {self.opinion(self.adviser, self.match.side, self.match.s)}")

    def opinion(self, player: Player, side: str, s: Any) -> str:
        """What a player has just found, in one line."""
        found = getattr(player, "found", None)
        if found is None:
            return f"{player.name} gives no evaluation"
        return f"{words.opinion(side, found)}: {' '.join(words.line(self.game, s, found.line)[:8])}"

    def evaluate(self, rest: str) -> None:
        """Evaluates the position; `on` and `off` set whether to do so after each of the computer's moves."""
        if rest in ("on", "off"):
            self.match.notes["eval"] = rest == "on"
            self.say(f"evaluations are {'shown' if rest == 'on' else 'no longer shown'} after the computer's moves")
            return
        if rest:
            raise PlygroundError("type eval, eval on or eval off")
        self.advise("evaluating …")
        found = getattr(self.adviser, "found", None)
        assert found is not None
        self.say(words.opinion(self.match.side, found))

    def list_moves(self, rest: str) -> None:
        """Lists the legal moves."""
        texts = [self.game.format_move(self.match.s, m) for m in self.match.legal()]
        self.say(_board.in_columns(texts, self.console.width if self.live else 100))

    def undo(self, rest: str) -> None:
        """Goes back to the person's last move."""
        match, taken = self.match, 0
        while match.moves:
            match.undo()
            taken += 1
            if match.mover in self.mine:
                self.draw()
                return
        for _ in range(taken):
            match.redo()
        raise PlygroundError("there is no move to take back")

    def redo(self, rest: str) -> None:
        """Goes forward to the person's next move, or to the end."""
        match = self.match
        match.redo()
        while match.undone and match.mover not in self.mine:
            match.redo()
        self.draw()

    def flip(self, rest: str) -> None:
        """Turns the board around."""
        self.match.notes["flip"] = not self.match.notes.get("flip")
        self.shown = None
        self.draw()

    def save(self, rest: str) -> None:
        """Saves the game to a file."""
        if not rest:
            raise PlygroundError("type save FILE")
        write_text(Path(rest).expanduser(), self.match.to_text())
        self.say(f"saved; plyground play --load {rest} resumes it")

    def help(self, rest: str) -> None:
        """Lists the commands."""
        example = self.game.format_move(self.match.s, self.match.legal()[0])
        what = f"a move, such as {example}" + (", or an arrow key" if self.live and keys.available() and self.arrows() else "")
        self.say(what)
        for order, meaning in HELP:
            self.say(f"  {order:12} {meaning}")
