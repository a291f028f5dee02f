"""The commands that a person can type during a game: hint, undo, level, review and other commands.

A review measures mistakes by the winning chance, like a game's page (`web/page/scores.js`): the same grades for the same drops.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from plyground import score as scores
from plyground.cli._line_editor import LineEditor
from plyground.cli._terminal import Screen, in_columns, in_order
from plyground.errors import PlygroundError
from plyground.play import words
from plyground.play.limit import Limit
from plyground.play.match import Match
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.system.files import write_text
from plyground.system.runner import Runner

if TYPE_CHECKING:
    from plyground.engine.engine import Engine
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
    ("board, flip", "draw the board again, flip it"),
    ("state", "the position in one line"),
    ("save FILE", "save the game; plyground play --load FILE resumes it"),
    ("resign", "resign the game"),
    ("quit", "leave; plyground play --load resumes the game"),
)
ADVISER = "textbook:maxn,depth=3"
"""The textbook algorithm that gives hints where there are three sides or more."""
MAX_LISTED = 120
SECONDS = 1.0
"""The time for each position of a review."""


class PlayPrompt(Protocol):
    """What the commands need of the prompt at which they are typed."""

    match: Match
    game: Game
    players: dict[int, Player]
    mine: set[int]
    hint_engine: Player | None
    screen: Screen
    say: Callable[..., None]
    live: bool
    editor: LineEditor | None
    news: list[tuple[str, str]]
    shown: State | None

    def side(self, side: int) -> str: ...
    def chances(self, engine: Engine) -> WinningChances: ...
    def draw(self) -> None: ...
    def think(self, player: Player, words: str) -> Analysis | None: ...
    def switch_to_ready_engines(self) -> None: ...
    def wait_until_known(self, *sides: int) -> None: ...
    def arrows(self) -> bool: ...
    @property
    def compiling_sides(self) -> list[int]: ...


class Commands:
    """The commands of a game at a terminal."""

    def __init__(self, prompt: PlayPrompt) -> None:
        self.prompt, self.match, self.game = prompt, prompt.match, prompt.game
        self.say = prompt.say
        self.orders: dict[str, Callable[[str], None]] = {
            "hint": self.hint,
            "eval": self.evaluate,
            "review": self.review,
            "level": self.level,
            "moves": lambda rest: self.show_moves(self.move_texts()),
            "history": lambda rest: self.say(self.match.movetext() or "no move has been made yet"),
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

    def hint_engine(self) -> Player:
        """Return the player that gives hints: the engine at full strength, or a textbook algorithm for games that it doesn't
        play."""
        from plyground.players.builtin import EnginePlayer, TextbookPlayer
        from plyground.players.spec import PlayerSpec

        prompt = self.prompt
        if prompt.hint_engine is None:
            many = len(self.game.sides) > 2
            self.require_compiled("ask again when it is ready")
            self.match.pause_clock()  # compile time doesn't count on a clock
            spec = PlayerSpec.parse(ADVISER if many else "engine")
            prompt.hint_engine = TextbookPlayer(spec, self.game) if many else EnginePlayer(spec, self.game, thorough=True)
            self.match.start_clock()
        return prompt.hint_engine

    def require_compiled(self, advice: str) -> None:
        """Raise an error while the engine is compiled: a command that needs it would hang."""
        self.prompt.wait_until_known(*self.prompt.players)
        self.prompt.switch_to_ready_engines()
        if self.prompt.compiling_sides:
            raise PlygroundError(f"the engine is still being compiled; {advice}")

    def hint(self, rest: str) -> None:
        """Say what the engine would play."""
        found = self.prompt.think(self.hint_engine(), "looking for a hint …")
        if found is not None and found.move is not None:
            opinion = self.opinion(self.hint_engine(), found, self.match.turn, self.match.s)
            self.say(f"{self.game.format_move(self.match.s, found.move)}: {opinion}")

    def evaluate(self, rest: str) -> None:
        """Evaluate the position; `on` and `off` set whether to do so after each of the computer's moves."""
        if rest in ("on", "off"):
            self.match.notes["eval"] = rest == "on"
            self.say(f"evaluations are {'shown' if rest == 'on' else 'no longer shown'} after the computer's moves")
            return
        if rest:
            raise PlygroundError("type eval, eval on or eval off")
        found = self.prompt.think(self.hint_engine(), "evaluating …")
        if found is not None:
            self.say(self.opinion(self.hint_engine(), found, self.match.turn, self.match.s, line=False))

    def opinion(self, player: Player, found: Analysis, side: int, s: State, line: bool = True) -> str:
        """Return what a player found, in one line."""
        from plyground.players.builtin import EnginePlayer

        if found.values:
            each = ", ".join(f"{self.prompt.side(i)} {words.short(value)}" for i, value in enumerate(found.values))
            return f"then {each} (max^n, {player.name.rpartition(',')[2].replace('=', ' ')})"
        if not found.scored:
            return f"{player.name} gives no evaluation"
        name, chances = self.prompt.side(side), self.prompt.chances(player.engine) if isinstance(player, EnginePlayer) else None
        text = found.describe(name) if chances is None else chances.opinion(name, found)
        return f"{text}: {' '.join(words.line(self.game, s, found.line)[:8])}" if line else text

    def review(self, rest: str) -> None:
        """Say which of the persons' moves were mistakes, and what would have been better."""
        from plyground.players.builtin import EnginePlayer

        hint_engine = self.hint_engine()
        if not isinstance(hint_engine, EnginePlayer):
            raise PlygroundError("a review needs the engine, which plays games with one or two sides and without tables")
        running = self.match.clock is not None and self.match.clock.running is not None
        self.match.pause_clock()
        review(self.prompt, hint_engine.engine)
        if running:
            self.match.start_clock()

    def level(self, rest: str) -> None:
        """Change the strength of the engine that plays."""
        from plyground.engine import FULL_STRENGTH
        from plyground.players.builtin import EnginePlayer
        from plyground.players.spec import PlayerSpec, make_player

        prompt, match = self.prompt, self.match
        self.require_compiled("set its level when it is ready")
        engines = {i: p for i, p in prompt.players.items() if isinstance(p, EnginePlayer)}
        if not engines:
            others = ", ".join(dict.fromkeys(player.name for player in prompt.players.values())) or "a person"
            raise PlygroundError(f"level changes the strength of the engine; your opponent is {others}")
        if not rest:
            self.say(
                f"the engine plays at level {next(iter(engines.values())).engine.level} of {FULL_STRENGTH}; level N changes it"
            )
            return
        if not rest.isdecimal() or not 1 <= int(rest[:9]) <= FULL_STRENGTH:
            raise PlygroundError(f"a level is a whole number from 1 to {FULL_STRENGTH}, as in level 5")
        specs = {i: PlayerSpec.parse(match.players[i]).with_level(int(rest)) for i in engines}
        made = {spec: make_player(spec, self.game, match.seed) for spec in dict.fromkeys(specs.values())}
        prompt.players.update({i: made[spec] for i, spec in specs.items()})
        match.players = tuple(str(specs.get(i, who)) for i, who in enumerate(match.players))
        self.say(f"the engine plays at level {rest} of {FULL_STRENGTH} from now on")

    # -- the moves ---------------------------------------------------------------------------------------------------

    def move_texts(self) -> list[str]:
        """Return the legal moves as text."""
        return [self.game.format_move(self.match.s, m) for m in self.match.legal()]

    def show_moves(self, texts: list[str]) -> None:
        """List moves, in order."""
        listed = in_order(texts)
        shown = listed[:MAX_LISTED] if self.prompt.live else listed
        self.say(in_columns(shown, self.prompt.screen.width))
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


# -- score interpretation, and mistakes ----------------------------------------------------------------------------------------


class WinningChances:
    """What an engine's scores mean: points where it counts in them, and winning chances."""

    def __init__(self, engine: Engine) -> None:
        from plyground.nets.net import unit_of
        from plyground.nets.net_evaluation import with_net
        from plyground.web.estimates import units

        self.game, net = engine.rules, engine.net
        self.unit = unit_of(self.game.margin)
        """The score of one point of the margin."""
        measured = units(self.game if net is None else with_net(self.game, net))
        self.size: float = measured["estimate"]
        self.plain: bool = measured["plain"]
        self.in_points = bool(self.game.margin) and (net is not None or "evaluate" not in self.game.has)
        """Nets and random games count in points of the margin; the rules' own evaluation may count in anything."""

    def winning(self, score: float, exact: bool = False) -> float:
        """Return the winning chance of the side to move, from 0 to 1; a draw counts half."""
        if isinstance(score, int) and scores.proven(score):
            return float(score > 0)
        if exact and not score:
            return 0.5
        return min(1.0, max(0.0, (1 + score) / 2)) if self.plain else 1 / (1 + math.exp(-score / self.size))

    def chance_lost(self, best: tuple[float, bool], played: tuple[float, bool]) -> float:
        """Return how much winning chance a move gives away; in a game for one, as if the position were even."""
        if len(self.game.sides) > 1:
            return max(0.0, self.winning(*best) - self.winning(*played))
        return max(0.0, 1 / (1 + math.exp(min(50.0, (played[0] - best[0]) / self.size))) - 0.5)

    def opinion(self, side: str, found: Analysis) -> str:
        """Return the verdict of a search in words, with a unit."""
        return f"{self.describe_score(side, found.score, found.exact, not found.limited)} ({found.describe_source()})"

    def describe_score(self, side: str, score: float, exact: bool = False, sure: bool = True) -> str:
        """Return a score in words: who wins, or points, or a number with the winning chance that it stands for."""
        text = words.score(score, exact, sure)
        if text[0].isalpha():
            return f"{side} {text}"
        if isinstance(score, float):
            return f"{text} points for {side}" if not self.plain else f"{text} for {side}{self._percent(score)}"
        if not score:
            return "even"
        if self.in_points:
            return f"{score / self.unit:+.1f} points for {side}"
        return f"{text} for {side}{self._percent(score)}"

    def _percent(self, score: float) -> str:
        return f", a winning chance of about {100 * self.winning(score):.0f} %"


@dataclass(frozen=True)
class Mistake:
    """A move that gave away winning chances, beside the best one."""

    ply: int
    text: str
    best: str
    sign: str
    grade: str
    played_worth: str
    best_worth: str


def review(prompt: PlayPrompt, engine: Engine) -> None:
    """Search the position before each move of a person and say which moves were mistakes."""
    match = prompt.match
    mine = [ply for ply in range(len(match.moves)) if match.mover_at(ply) in prompt.mine]
    if not mine:
        prompt.say("you haven't made a move yet")
        return
    chances = prompt.chances(engine)
    found: list[Mistake | None] = []
    status = prompt.screen.console.status("") if prompt.live else None

    def job(number: int) -> bool:
        for ply in reversed(mine):  # from the last position to the first, so that the table already knows the later ones
            if runner.stopped:
                return False
            if status is not None:
                status.update(f"reviewing move {len(found) + 1} of {len(mine)} …")
            found.append(_find_mistake(prompt, engine, chances, ply))
        return True

    runner = Runner()
    if status is not None:
        with status:
            runner.run(job, on_stop=engine.stop)
    else:
        runner.run(job, on_stop=engine.stop)
    _say_mistakes(prompt, [mistake for mistake in reversed(found) if mistake is not None], len(mine))


def _find_mistake(prompt: PlayPrompt, engine: Engine, chances: WinningChances, ply: int) -> Mistake | None:
    """Return what was wrong with a move; None if it was good enough."""
    from plyground.web.estimates import GRADES

    match, game = prompt.match, prompt.game
    s, m, history = match.states[ply], match.moves[ply], match.states[:ply]
    if len(game.legal(s)) < 2:
        return None
    best = engine.analyse(s, Limit(time=SECONDS), history=history)
    if best.move is None or best.move == m:
        return None
    played = engine.analyse(s, Limit(time=SECONDS), history=history, moves=[m])
    drop = chances.chance_lost((best.score, best.exact), (played.score, played.exact))
    grade = next((grade for grade in GRADES if drop >= grade[0]), None)
    if grade is None:
        return None
    side = prompt.side(match.mover_at(ply) or 0)
    worths = [chances.describe_score(side, each.score, each.exact, not each.limited) for each in (played, best)]
    return Mistake(ply, game.format_move(s, m), game.format_move(s, best.move), *grade[1:], *worths)


def _say_mistakes(prompt: PlayPrompt, mistakes: list[Mistake], total: int) -> None:
    """Print each mistake, and the number of each grade."""
    from plyground.web.estimates import GRADES

    numbers = prompt.match.move_numbers()
    for each in mistakes:
        prompt.say(
            f"{numbers[each.ply]} {each.text}{each.sign} is {each.grade}: {each.played_worth}. "
            f"Better is {each.best}: {each.best_worth}."
        )
    counts = [(sum(each.sign == sign for each in mistakes), name.partition(" ")[2]) for _, sign, name in GRADES]
    plurals = {"inaccuracy": "inaccuracies"}
    named = ", ".join(words.count(n, name, plurals.get(name, "")) for n, name in counts if n)
    prompt.say(f"{words.count(total, 'move')} of yours: {named or 'no mistakes'}", "bold")
