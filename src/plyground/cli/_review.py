"""What the engine's scores mean to a player, and a review of a game: which moves were mistakes, and what would have been better.

The measure is the winning chance, as on a game's page (`web/page/scores.js`): the same grades for the same drops.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from plyground import score as scores
from plyground.nets.net import unit_of
from plyground.nets.net_evaluation import with_net
from plyground.play import words
from plyground.play.limit import Limit
from plyground.system.runner import Runner
from plyground.web.estimates import GRADES, units

if TYPE_CHECKING:
    from plyground.cli._prompt import Prompt
    from plyground.engine.engine import Engine
    from plyground.play.report import Analysis

SECONDS = 1.0
"""The time for each position of a review."""


class Chances:
    """What an engine's scores mean: points where it counts in them, and winning chances."""

    def __init__(self, engine: Engine) -> None:
        self.game, net = engine.rules, engine.net
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

    def drop(self, best: tuple[float, bool], played: tuple[float, bool]) -> float:
        """Return how much winning chance a move gives away; in a game for one, as if the position were even."""
        if len(self.game.sides) > 1:
            return max(0.0, self.winning(*best) - self.winning(*played))
        return max(0.0, 1 / (1 + math.exp(min(50.0, (played[0] - best[0]) / self.size))) - 0.5)

    def opinion(self, side: str, found: Analysis) -> str:
        """Return the verdict of a search in words, with a unit."""
        return f"{self.worth(side, found.score, found.exact, not found.limited)} ({words.source(found)})"

    def worth(self, side: str, score: float, exact: bool = False, sure: bool = True) -> str:
        """Return a score in words: who wins, or points, or a number with the winning chance that it stands for."""
        text = words.score(score, exact, sure)
        if text[0].isalpha():
            return f"{side} {text}"
        if isinstance(score, float):
            return f"{text} points for {side}" if not self.plain else f"{text} for {side}{self._percent(score)}"
        if not score:
            return "even"
        if self.in_points:
            return f"{score / unit_of(self.game.margin):+.1f} points for {side}"
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


def review(prompt: Prompt, engine: Engine) -> None:
    """Search the position before each move of a person and say which moves were mistakes."""
    match = prompt.match
    mine = [ply for ply in range(len(match.moves)) if match.mover_at(ply) in prompt.mine]
    if not mine:
        prompt.say("you have made no move yet")
        return
    chances = prompt.chances(engine)
    found: list[Mistake | None] = []
    status = prompt.screen.console.status("") if prompt.live else None

    def job(number: int) -> bool:
        for ply in reversed(mine):  # backwards: the table then knows what comes later
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


def _find_mistake(prompt: Prompt, engine: Engine, chances: Chances, ply: int) -> Mistake | None:
    """Return what was wrong with a move; None if it was good enough."""
    match, game = prompt.match, prompt.game
    s, m, history = match.states[ply], match.moves[ply], match.states[:ply]
    if len(game.legal(s)) < 2:
        return None
    best = engine.analyse(s, Limit(time=SECONDS), history=history)
    if best.move is None or best.move == m:
        return None
    played = engine.analyse(s, Limit(time=SECONDS), history=history, moves=[m])
    drop = chances.drop((best.score, best.exact), (played.score, played.exact))
    grade = next((grade for grade in GRADES if drop >= grade[0]), None)
    if grade is None:
        return None
    side = prompt.side(match.mover_at(ply) or 0)
    worths = [chances.worth(side, each.score, each.exact, not each.limited) for each in (played, best)]
    return Mistake(ply, game.format_move(s, m), game.format_move(s, best.move), *grade[1:], *worths)


def _say_mistakes(prompt: Prompt, mistakes: list[Mistake], total: int) -> None:
    """Say each mistake, and how many there were of each grade."""
    numbers: dict[int, Any] = words.move_numbers(prompt.match)
    for each in mistakes:
        prompt.say(
            f"{numbers[each.ply]} {each.text}{each.sign} is {each.grade}: {each.played_worth}. "
            f"Better is {each.best}: {each.best_worth}."
        )
    counts = [(sum(each.sign == sign for each in mistakes), name.partition(" ")[2]) for _, sign, name in GRADES]
    plurals = {"inaccuracy": "inaccuracies"}
    named = ", ".join(words.count(n, name, plurals.get(name, "")) for n, name in counts if n)
    prompt.say(f"{words.count(total, 'move')} of yours: {named or 'no mistakes'}", "bold")
