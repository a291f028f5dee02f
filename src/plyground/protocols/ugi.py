"""UGI, the UciLikeServer Game Interface: UCI for any game of the contract.

The protocol: https://github.com/kz04px/cutegames (ugi.md). A move is one word: in the text of a move, spaces become underscores.
Where chance is to move, whoever is asked rolls, as the protocol itself has no dice.
"""

from __future__ import annotations

import random
from typing import BinaryIO, ClassVar

from plyground.engine import FULL_STRENGTH
from plyground.errors import PlygroundError, TextError
from plyground.play.match import Match
from plyground.play.report import Analysis
from plyground.protocols.options import EngineOption
from plyground.protocols.thinker import SearchRequest
from plyground.protocols.universal import SentPosition, UciLikeServer
from plyground.rules.game import Game
from plyground.rules.hooks import State


class UgiServer(UciLikeServer):
    """The engine side of UGI."""

    WORD = "ugi"
    CLOCKS = ("p1", "p2")
    NONE = "0000"
    OPTIONS: ClassVar[dict[str, EngineOption]] = {
        **UciLikeServer.OPTIONS,
        "Level": EngineOption("spin", FULL_STRENGTH, 1, FULL_STRENGTH),
    }

    def __init__(self, source: BinaryIO, target: BinaryIO, game: Game) -> None:
        super().__init__(source, target, game)
        self.dice = random.Random()
        self.commands["query"] = self._query

    def write(self, s: State, m: int) -> str:
        """Return the text of a move with underscores for spaces."""
        return word_of(self.game, s, m)

    def read(self, s: State, word: str) -> int:
        """Return the move that a word names."""
        return move_of(self.game, s, word)

    def turn(self, position: SentPosition) -> int:
        """Return the side to move; rules without `turn` count from the first state."""
        return self._match(position).turn

    def mate(self, plies: int, won: bool) -> int:
        """Return the plies to the end, as UGI counts."""
        return plies if won else -plies

    def answer_without_search(self, position: SentPosition) -> Analysis | None:
        """Return a roll where chance is to move, and nothing if the game is over."""
        outcomes = self.game.outcomes(position.s)
        if not outcomes or self.game.result(position.s) is not None:
            return super().answer_without_search(position)
        (m,) = self.dice.choices([m for m, _ in outcomes], [w for _, w in outcomes])
        return Analysis(m, 0.0)

    def adjust(self, request: SearchRequest) -> SearchRequest:
        """Return the request at the level that was set."""
        level = self.options.number("Level")
        if level < FULL_STRENGTH and not request.limit.infinite:
            request.level = level
        return request

    def _match(self, position: SentPosition) -> Match:
        match = Match(self.game, position.states[0], seed=0)
        match.states, match.moves = position.states, position.moves
        return match

    def _query(self, words: list[str]) -> None:
        if self.position is None:
            raise PlygroundError("there is no position: the last one could not be read")
        match = self._match(self.position)
        answers = {
            "p1turn": lambda: str(match.turn == 0).lower(),
            "gameover": lambda: str(match.result is not None).lower(),
            "result": lambda: result_of(match),
        }
        if not words or words[0] not in answers:
            raise PlygroundError(f"unknown query {' '.join(words[:1])!r:.40}; ask {', '.join(answers)}")
        self.say(f"response {answers[words[0]]()}")


def result_of(match: Match) -> str:
    """Return the result of a match as UGI writes it."""
    if match.result is None:
        return "none"
    return "draw" if match.winner is None else f"p{match.winner + 1}win"


def word_of(game: Game, s: State, m: int) -> str:
    """Return a move as one word.

    >>> from plyground import load
    >>> nim = load("nim")
    >>> [word_of(nim, nim.start(), m) for m in nim.legal(nim.start())[:2]]
    ['a1', 'a2']
    """
    return "_".join(game.format_move(s, m).split()) or f"#{m}"


def move_of(game: Game, s: State, word: str) -> int:
    """Return the move that a word names."""
    try:
        return game.parse_move(s, word)
    except TextError:
        if "_" not in word:
            raise
    return game.parse_move(s, word.replace("_", " "))
