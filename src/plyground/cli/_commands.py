"""What a person can type during a game besides moves: hint, undo, level, review and the others."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from plyground.cli import _board
from plyground.errors import PlygroundError
from plyground.play import words
from plyground.rules.hooks import State
from plyground.system.files import write_text

if TYPE_CHECKING:
    from plyground.cli._prompt import Prompt
    from plyground.play.report import Analysis
    from plyground.players.player import Player

HELP = (
    ("moves", "the legal moves"),
    ("history", "the moves so far"),
    ("hint", "what the engine would play"),
    ("eval", "the engine's evaluation; eval on, eval off: after each of its moves"),
    ("review", "your mistakes so far, and what would have been better"),
    ("level N", "change the engine's strength, from 1 to 10"),
    ("undo, redo", "take back a move, play it again"),
    ("board, flip", "draw the board again, turn it around"),
    ("state", "the position in one line"),
    ("save FILE", "save the game; plyground play --load FILE resumes it"),
    ("resign", "resign the game"),
    ("quit", "leave; plyground play --load resumes the game"),
)
ADVISER = "textbook:maxn,depth=3"
"""The textbook algorithm that gives hints where there are three sides or more."""
MOST_LISTED = 120


class Commands:
    """The commands of a game at a terminal."""

    def __init__(self, prompt: Prompt) -> None:
        self.prompt, self.match, self.game = prompt, prompt.match, prompt.game
        self.say = prompt.say
        self.orders: dict[str, Callable[[str], None]] = {
            "hint": self.hint,
            "eval": self.evaluate,
            "review": self.review,
            "level": self.level,
            "moves": lambda rest: self.show_moves(self.move_texts()),
            "history": lambda rest: self.say(words.movetext(self.match) or "no move has been made yet"),
            "undo": self.undo,
            "redo": self.redo,
            "board": lambda rest: self.redraw(),
            "flip": self.flip,
            "state": lambda rest: self.say(self.game.format_state(self.match.s)),
            "save": self.save,
            "resign": lambda rest: self.match.resign(),
            "help": self.help,
        }

    # -- advice ------------------------------------------------------------------------------------------------------

    def adviser(self) -> Player:
        """Return who gives hints: the engine at full strength, or a textbook algorithm where the engine doesn't play."""
        from plyground.players.builtin import EnginePlayer, TextbookPlayer
        from plyground.players.spec import PlayerSpec

        prompt = self.prompt
        if prompt.adviser is None:
            many = len(self.game.sides) > 2
            self.require_compiled("ask again when it is ready")
            self.match.pause_clock()  # nobody loses time to the compiler
            spec = PlayerSpec.parse(ADVISER if many else "engine")
            prompt.adviser = TextbookPlayer(spec, self.game) if many else EnginePlayer(spec, self.game, thorough=True)
            self.match.start_clock()
        return prompt.adviser

    def require_compiled(self, advice: str) -> None:
        """Raise an error while the engine is compiled: what needs it would hang until then."""
        self.prompt.take_over()
        if self.prompt.warming:
            raise PlygroundError(f"the engine is still being compiled; {advice}")

    def hint(self, rest: str) -> None:
        """Say what the engine would play."""
        found = self.prompt.think(self.adviser(), "looking for a hint …")
        if found is not None and found.move is not None:
            opinion = self.opinion(self.adviser(), found, self.match.turn, self.match.s)
            self.say(f"{self.game.format_move(self.match.s, found.move)}: {opinion}")

    def evaluate(self, rest: str) -> None:
        """Evaluate the position; `on` and `off` set whether to do so after each of the computer's moves."""
        if rest in ("on", "off"):
            self.match.notes["eval"] = rest == "on"
            self.say(f"evaluations are {'shown' if rest == 'on' else 'no longer shown'} after the computer's moves")
            return
        if rest:
            raise PlygroundError("type eval, eval on or eval off")
        found = self.prompt.think(self.adviser(), "evaluating …")
        if found is not None:
            self.say(self.opinion(self.adviser(), found, self.match.turn, self.match.s, line=False))

    def opinion(self, player: Player, found: Analysis, side: int, s: State, line: bool = True) -> str:
        """Return what a player found, in one line."""
        from plyground.players.builtin import EnginePlayer

        if found.values:
            each = ", ".join(f"{self.prompt.side(i)} {words.short(value)}" for i, value in enumerate(found.values))
            return f"then {each} (max^n, {player.name.rpartition(',')[2].replace('=', ' ')})"
        if not found.scored:
            return f"{player.name} gives no evaluation"
        opinion = self.prompt.chances(player.engine).opinion if isinstance(player, EnginePlayer) else words.opinion
        text = opinion(self.prompt.side(side), found)
        return f"{text}: {' '.join(words.line(self.game, s, found.line)[:8])}" if line else text

    def review(self, rest: str) -> None:
        """Say which of the persons' moves were mistakes, and what would have been better."""
        from plyground.cli._review import review
        from plyground.players.builtin import EnginePlayer

        adviser = self.adviser()
        if not isinstance(adviser, EnginePlayer):
            raise PlygroundError("a review needs the engine, which plays games with one or two sides and without tables")
        running = self.match.clock is not None and self.match.clock.running is not None
        self.match.pause_clock()
        review(self.prompt, adviser.engine)
        if running:
            self.match.start_clock()

    def level(self, rest: str) -> None:
        """Change the strength of the engine that plays."""
        from plyground.engine import FULL
        from plyground.players.builtin import EnginePlayer
        from plyground.players.spec import PlayerSpec, make_player

        prompt, match = self.prompt, self.match
        self.require_compiled("set its level when it is ready")
        engines = {i: p for i, p in prompt.players.items() if isinstance(p, EnginePlayer)}
        if not engines:
            others = ", ".join(dict.fromkeys(player.name for player in prompt.players.values())) or "a person"
            raise PlygroundError(f"level changes the strength of the engine; your opponent is {others}")
        if not rest:
            self.say(f"the engine plays at level {next(iter(engines.values())).engine.level} of {FULL}; level N changes it")
            return
        if not rest.isdecimal() or not 1 <= int(rest[:9]) <= FULL:
            raise PlygroundError(f"a level is a whole number from 1 to {FULL}, as in level 5")
        specs = {i: PlayerSpec.parse(match.players[i]).with_level(int(rest)) for i in engines}
        made = {spec: make_player(spec, self.game, match.seed) for spec in dict.fromkeys(specs.values())}
        prompt.players.update({i: made[spec] for i, spec in specs.items()})
        match.players = tuple(str(specs.get(i, who)) for i, who in enumerate(match.players))
        self.say(f"the engine plays at level {rest} of {FULL} from now on")

    # -- the moves ---------------------------------------------------------------------------------------------------

    def move_texts(self) -> list[str]:
        """Return the legal moves as text."""
        return [self.game.format_move(self.match.s, m) for m in self.match.legal()]

    def show_moves(self, texts: list[str]) -> None:
        """List moves, in order."""
        listed = _board.in_order(texts)
        shown = listed[:MOST_LISTED] if self.prompt.live else listed
        self.say(_board.in_columns(shown, self.prompt.screen.width))
        if len(shown) < len(listed):
            self.say(f"and {len(listed) - len(shown)} more", "dim")

    def undo(self, rest: str) -> None:
        """Go back to the person's last move."""
        match, taken = self.match, 0
        while match.moves:
            match.undo()
            taken += 1
            if match.mover in self.prompt.mine:
                self.redraw()
                return
        for _ in range(taken):
            match.redo()
        raise PlygroundError("there is no move to take back")

    def redo(self, rest: str) -> None:
        """Go forward to the person's next move, or to the end."""
        match = self.match
        match.redo()
        while match.undone and match.mover not in self.prompt.mine:
            match.redo()
        self.redraw()

    # -- the board and the file --------------------------------------------------------------------------------------

    def redraw(self) -> None:
        """Draw the board again, without the news."""
        self.prompt.news.clear()
        self.prompt.draw()

    def flip(self, rest: str) -> None:
        """Turn the board around."""
        self.match.notes["flip"] = not self.match.notes.get("flip")
        self.prompt.shown = None
        self.redraw()

    def save(self, rest: str) -> None:
        """Save the game to a file."""
        if not rest:
            raise PlygroundError("type save FILE")
        write_text(os.path.expanduser(rest), self.match.to_text())
        self.say(f"saved; plyground play --load {rest} resumes it")

    def help(self, rest: str) -> None:
        """List the commands."""
        prompt = self.prompt
        example = self.game.format_move(self.match.s, self.match.legal()[0])
        more = ", or an arrow key" if prompt.editor and prompt.arrows() else "; Tab completes it" if prompt.editor else ""
        self.say(f"a move, such as {example}{more}")
        prompt.screen.glossary(HELP)
