"""A match at a terminal: shows the board, asks people for moves, and lets the computer and the dice move."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

from plyground.cli import _line_editor as keys
from plyground.cli._commands import Commands, WinningChances
from plyground.cli._terminal import Screen, in_order, uncached
from plyground.cli.play import CompilingPlayer
from plyground.cli.show import draw_dice, legend, paint, with_glyphs
from plyground.compile.progress import first_time_only
from plyground.errors import PlygroundError
from plyground.play.clock import clock_text
from plyground.play.match import PERSON, Match
from plyground.play.report import Analysis, Report
from plyground.players.builtin import EnginePlayer
from plyground.players.player import ForfeitError, Player
from plyground.rules.hooks import State
from plyground.system.runner import Worker

if TYPE_CHECKING:
    from plyground.engine.engine import Engine

ARROWS = {"up", "down", "left", "right"}
MOVE_LIST = 200
"""Of the moves so far, about this many characters stand below the board."""


class Prompt:
    """A match at a terminal."""

    def __init__(self, match: Match, players: dict[int, Player], out: TextIO) -> None:
        self.match, self.game = match, match.game
        self.players, self.out = players, out
        self.mine = {i for i, who in enumerate(match.players) if who == PERSON}
        self.screen = Screen(out)
        self.say = self.screen.say
        self.unicode, self.live = self.screen.unicode, self.screen.live
        self.hint_engine: Player | None = None
        self.shown: State | None = None  # the last state drawn: changes since then are highlighted
        self.asked_at = -1  # the number of moves when a person was last asked
        self.news: list[tuple[str, str]] = []  # messages since the person's last move, each with its style
        self.announced: set[int] = set()  # the sides for which a person knows that the textbook plays
        self.commands = Commands(self)
        self.lines: keys.Lines | None = None
        self._chances: WinningChances | None = None
        self.editor: keys.LineEditor | None = None
        if self.live and out is sys.stdout and keys.available():
            self.editor = keys.LineEditor(self.completions, self.commands.show_moves, self.screen.forget)

    def play(self) -> bool:
        """Play until the game is over or a person leaves; return whether it is over."""
        match = self.match
        self.introduce()
        self.screen.forget()
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
                self.play_computer_move()
        if match.reason == "time":
            match.pause_clock()
        self.say(self.with_glyphs(match.describe_end()), "bold green")
        self.offer_review()
        return True

    def offer_review(self) -> None:
        """Ask, at a terminal, whether to go through the person's moves."""
        if (
            self.editor is None
            or len(self.game.sides) > 2
            or not any(self.match.mover_at(i) in self.mine for i in range(len(self.match.moves)))
        ):
            return
        with contextlib.suppress(EOFError):
            answer = self.editor.read(lambda: "Review your moves? (y/N) ")
            if answer and answer.strip().lower() in ("y", "yes"):
                try:
                    self.wait_for_engine()
                    self.commands.review("")
                except PlygroundError as e:
                    self.say(str(e), "yellow")

    def introduce(self) -> None:
        """Say who plays which side, with its signs on the board."""
        title, buttons = self.game.title, set(self.game.board.buttons.values()) if self.game.board else set()
        if self.mine and len(self.game.sides) == 1:
            self.say(
                f"{title}. Type a move, or help{'; the arrow keys move too' if self.arrows() or buttons == ARROWS else ''}.",
                "bold",
            )
            return
        mine = [self.name(i) for i in sorted(self.mine)]
        parts = [f"You are {' and '.join(filter(None, [', '.join(mine[:-1]), mine[-1]]))}"] if mine else []
        parts += [f"{self.name(i)} is {player.name}" for i, player in sorted(self.players.items())]
        self.say(f"{title}. {', '.join(parts)}.", "bold")
        if self.mine:
            self.say(f"Type a move, or help{'; Tab completes it' if self.editor else ''}.")

    # -- names -------------------------------------------------------------------------------------------------------

    def with_glyphs(self, text: str) -> str:
        """Return a text with the signs of the board for the pieces."""
        return with_glyphs(self.game, text) if self.unicode else text

    def side(self, side: int) -> str:
        """Return the name of a side: its sign where it is called by the letter of a piece that is shown as another sign."""
        name = self.game.sides[side]
        return self.game.signs[side].get(name, name) if self.unicode else name

    def name(self, side: int, most: int = 99) -> str:
        """Return the name of a side, with its signs if there are at most `most`."""
        signs, name = legend(self.game, side, self.unicode), self.side(side)
        return f"{name} ({signs})" if 0 < len(signs) <= most and signs != name else name

    def chances(self, engine: Engine) -> WinningChances:
        """Return what the scores of an engine mean in this game; measured once."""
        if self._chances is None:
            self._chances = WinningChances(engine)
        return self._chances

    # -- the picture -------------------------------------------------------------------------------------------------

    def draw(self) -> None:
        """Draw the board; changes since the last time are highlighted. What has happened stands below it."""
        screen, match = self.screen, self.match
        screen.begin()
        self.say()
        flip = bool(match.notes.get("flip"))
        screen.show(paint(self.game, match.s, self.shown, self.unicode, flip, screen.squares))
        self.say()
        self.shown = match.s
        if self.live:
            made = match.movetext()
            if made:
                self.say(made if len(made) <= MOVE_LIST else f"… {made[-MOVE_LIST:].partition(' ')[2]}", "dim")
            for text, style in self.news:
                self.say(text, style)

    def draw_unless_chance(self) -> None:
        """Draw the board, unless chance is to move: then it is drawn after that."""
        if self.match.result is not None or self.match.mover is not None:
            self.draw()

    def announce(self, text: str, style: str = "") -> None:
        """Say what has happened; at a terminal it stays below the board until a person has moved."""
        self.say(text, style)
        self.news.append((text, style))
        if not self.mine:
            del self.news[: -2 * len(self.game.sides)]

    def roll(self) -> None:
        """Play a chance outcome."""
        before = self.match.s
        text = self.game.format_move(before, self.match.roll())
        drawn = draw_dice(text, self.unicode)
        if not self.live:
            self.say(f"chance: {text}" if drawn is None else drawn)
        elif drawn is None and len(self.game.sides) > 1:
            self.announce(f"chance: {text}", "dim")
        elif drawn is None:
            pass  # the board highlights it and the move list shows it
        elif self.match.mover not in self.mine:
            self.announce(f"{self.side(self.match.turn)} rolls {text}")
        self.draw_unless_chance()
        if self.live and drawn is not None and self.match.mover in self.mine and self.screen.fits(drawn):
            self.say(drawn)

    # -- the computer's moves ----------------------------------------------------------------------------------------

    def play_computer_move(self) -> None:
        """Play the computer's move."""
        self.wait_until_known(self.match.turn)
        self.switch_to_ready_engines()
        match, turn, player = self.match, self.match.turn, self.players[self.match.turn]
        before, side = match.s, self.side(turn)
        warming = isinstance(player, CompilingPlayer)
        found = self.think(player, f"{side} is thinking …{' (compiling the engine)' if warming else ''}")
        if found is None or match.result is not None:  # it lost on time
            return
        stand_in = warming and found.source == "textbook"
        self.record_fallback(stand_in)
        match.play(found)
        self.announce(f"{side} plays {self.game.format_move(before, match.moves[-1])}")
        if match.notes.get("eval") and not stand_in:
            self.announce(self.commands.opinion(player, found, turn, before), "dim")
        self.draw_unless_chance()

    def record_fallback(self, plays: bool) -> None:
        """Note in the game, before a move of the computer, whether the textbook plays it for the engine."""
        notes, number = self.match.notes, len(self.match.moves) + 1
        kept = notes.get("textbook_moves")
        earlier = [n for n in kept if isinstance(n, int) and n < number] if isinstance(kept, list) else []
        if numbers := [*earlier, *[number] * plays]:
            notes["textbook_moves"] = numbers
        else:
            notes.pop("textbook_moves", None)

    @property
    def compiling_sides(self) -> list[int]:
        """The sides whose engine isn't ready yet."""
        return [i for i, player in self.players.items() if isinstance(player, CompilingPlayer)]

    def switch_to_ready_engines(self) -> None:
        """Switch to engines that have become ready; announce once which sides the textbook plays meanwhile."""
        for i in self.compiling_sides:
            player = self.players[i]
            assert isinstance(player, CompilingPlayer)
            if player.ready():
                engine = self.players[i] = player.engine()
                if self.match.result is None:
                    if i in self.announced:
                        self.announce(f"The engine is ready and plays {self.side(i)} from now on.", "dim")
                    if isinstance(engine, EnginePlayer) and engine.engine.advice:
                        self.announce(engine.engine.advice, "dim")
            elif player.compiling and i not in self.announced:
                self.announced.add(i)
                if reason := uncached():
                    self.announce(reason, "yellow")
                text = f"The engine is being compiled{first_time_only()}; until it is ready, a textbook search plays."
                self.announce(text, "dim")

    def wait_until_known(self, *sides: int) -> None:
        """Wait until it is known of the engines of these sides that they are ready or must be compiled."""
        for player in [self.players[i] for i in self.compiling_sides if i in sides]:
            assert isinstance(player, CompilingPlayer)
            player.wait_until_known()

    def wait_for_engine(self) -> None:
        """Wait until no engine is being compiled any more, and say so meanwhile."""
        with (
            self.screen.console.status("compiling the engine …")
            if self.live and self.compiling_sides
            else contextlib.nullcontext()
        ):
            for i in self.compiling_sides:
                player = self.players[i]
                assert isinstance(player, CompilingPlayer)
                while not player.ready(keys.POLL_SECONDS):
                    pass
        self.switch_to_ready_engines()

    def think(self, player: Player, words: str) -> Analysis | None:
        """Return the player's choice, or None if its time runs out; a terminal shows the search depth and the clock.

        Enter makes the player move at once.
        """
        position, limit = self.match.position, self.match.limit()
        with contextlib.ExitStack() as stack:
            pressed = stack.enter_context(keys.KeyReader()) if self.editor and player.stoppable else None
            words += " (Enter: move now)" if pressed else ""
            status = stack.enter_context(self.screen.console.status(words)) if self.live else None
            depth = ""

            def show_depth(report: Report) -> None:
                nonlocal depth
                depth = f" depth {report.depth}"

            player.on_report = None if status is None else show_depth

            def choose() -> Analysis:
                try:
                    return player.choose(position, limit)
                except ForfeitError as e:
                    raise PlygroundError(f"{player.name}: {e}") from e

            running: list[Worker[Analysis]] = []
            stopped = False
            try:
                worker = Worker(choose, among=running)
                while not worker.wait(keys.POLL_SECONDS):
                    if status is not None:
                        status.update(f"{words}{depth}{self.time_left()}")
                    over = self.match.result is not None
                    if over and not player.stoppable:
                        return None
                    stopped = stopped or over or (pressed is not None and pressed.read(0) in ("enter", " "))
                    if stopped:  # repeated: the search may not have started yet
                        player.stop()
                return worker.result()
            finally:  # after Ctrl-C, only a player that can't be stopped is abandoned
                for worker in running if player.stoppable else ():
                    while not worker.wait(0.01):
                        player.stop()

    # -- a person's moves --------------------------------------------------------------------------------------------

    def time_left(self) -> str:
        """Return the time that the side to move has left, after a comma; nothing without a clock."""
        clock = self.match.clock
        return "" if clock is None else f", {clock_text(clock.left(self.match.turn))} left"

    def ask(self) -> bool:
        """Ask a person for a move or a command; False if they leave."""
        self.switch_to_ready_engines()
        self.announce_only_move()
        try:
            line = self.read(lambda: f"{self.name(self.match.turn, 2)} to move{self.time_left()}> ")
        except EOFError:
            self.say()
            return False
        if line is None or self.match.result is not None:  # time ran out before the line was read
            return True
        word, _, rest = line.strip().partition(" ")
        if word.lower() in ("quit", "exit", "q"):
            return False
        try:
            if word.lower() in self.commands.orders:
                self.commands.orders[word.lower()](rest.strip())
            elif word:
                self.match.play(line.strip())
                self.news.clear()
                self.draw_unless_chance()
        except PlygroundError as e:
            self.say(f"{e} (or type help)", "yellow")
        return True

    def announce_only_move(self) -> None:
        """Say once if there is only one legal move: a pass, a forced reply."""
        legal = self.match.legal()
        if len(legal) == 1 and self.asked_at != len(self.match.moves):
            self.say(f"the only move is {self.game.format_move(self.match.s, legal[0])}")
        self.asked_at = len(self.match.moves)

    def read(self, prompt: Callable[[], str]) -> str | None:
        """Return a line that a person types, or the name of an arrow key if arrows are moves; None if their time has run out."""
        clock = self.match.clock
        over = None if clock is None else lambda: self.match.result is not None
        if self.editor is not None:
            line = self.editor.read(prompt, ARROWS if self.arrows() else (), over)
            self.screen.rows += self.editor.rows
            return line
        if os.name != "posix" and over is None and self.out is sys.stdout and sys.stdin.isatty():
            return input(prompt())
        print(prompt(), end="", file=self.out, flush=True)
        lines = self._stdin()
        if lines is not None:
            line = lines.read(over or (lambda: False))
            if line is None:
                self.say()
            return line
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line

    def _stdin(self) -> keys.Lines | None:
        """Return the lines of stdin, if it is a file of a system that can wait for them."""
        if self.lines is None and os.name == "posix":
            with contextlib.suppress(OSError, ValueError):
                self.lines = keys.Lines(sys.stdin.fileno())
        return self.lines

    def arrows(self) -> bool:
        """Return whether every legal move is the direction of an arrow key."""
        return self.match.mover is not None and {self.game.format_move(self.match.s, m) for m in self.match.legal()} <= ARROWS

    def completions(self, begun: str) -> list[str]:
        """Return the moves, and after the first letter the commands, that begin like this."""
        moves = {self.game.format_move(self.match.s, m) for m in self.match.legal()}
        orders = {*self.commands.orders, "quit"} if begun else set()
        return [text for text in in_order(moves | orders) if text.casefold().startswith(begun.casefold())]
