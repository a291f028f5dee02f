"""UCI, the Universal Chess Interface.

The protocol: https://backscattering.de/chess/uci/ (the specification of April 2006). A move is written as its two squares, and
what a pawn becomes: e2e4, e1g1 (castling), e7e8q.
"""

from __future__ import annotations

import itertools
import random
import re
from dataclasses import replace
from typing import BinaryIO, ClassVar, NamedTuple, Protocol, cast

from plyground.engine import FULL_STRENGTH
from plyground.errors import TextError
from plyground.play.limit import Limit
from plyground.play.report import Analysis
from plyground.protocols.options import EngineOption
from plyground.protocols.thinker import SearchRequest
from plyground.protocols.universal import SentPosition, UciLikeServer
from plyground.rules.game import Game
from plyground.rules.hooks import State

PROMOTED = " bnrq"
"""What a pawn becomes, by its number in a move."""
FIFTY = 100
"""Plies without a capture or a pawn move after which our rules end the game."""
MOVE = re.compile("[a-h][1-8][a-h][1-8][bnrq]?")


# -- playing below full strength ---------------------------------------------------------------------------------------------


class Handicap(NamedTuple):
    """A way to play below full strength: a level of the engine, or full strength with few nodes."""

    elo: int
    level: int
    nodes: int | None


STRENGTHS = (
    Handicap(600, 1, None),
    Handicap(800, 2, None),
    Handicap(1000, 3, None),
    Handicap(1150, 4, None),
    Handicap(1300, 5, None),
    Handicap(1450, 6, None),
    Handicap(1600, 7, None),
    Handicap(1750, 8, None),
    Handicap(1900, 9, None),
    Handicap(2000, FULL_STRENGTH, 30_000),
    Handicap(2100, FULL_STRENGTH, 100_000),
    Handicap(2200, FULL_STRENGTH, 300_000),
)
"""From weak to strong, for UCI's Elo and skill levels. Between two rows, each move is played by one of them, at random."""
WEAKEST, STRONGEST = STRENGTHS[0].elo, STRENGTHS[-1].elo
FULL_SKILL = 20
"""The skill level of full strength."""


def skill_to_elo(skill: int) -> int:
    """Return the Elo of a skill level below 20.

    >>> skill_to_elo(0), skill_to_elo(19)
    (600, 2200)
    """
    return WEAKEST + (STRONGEST - WEAKEST) * skill // (FULL_SKILL - 1)


def strength_at(elo: int, dice: random.Random) -> Handicap:
    """Return how to play the next move at this Elo.

    >>> strength_at(600, random.Random(1)).level, {strength_at(700, random.Random(i)).level for i in range(20)}
    (1, {1, 2})
    """
    for below, above in itertools.pairwise(STRENGTHS):
        if elo < above.elo:
            return above if dice.random() * (above.elo - below.elo) < elo - below.elo else below
    return STRENGTHS[-1]


def limit_nodes(limit: Limit, nodes: int | None) -> Limit:
    """Return the limit with at most this many nodes; a search without a limit gets one."""
    if nodes is None:
        return limit
    return Limit(nodes=nodes) if limit.infinite else replace(limit, nodes=min(nodes, limit.nodes or nodes))


# -- the engine side ---------------------------------------------------------------------------------------------------------


class UciServer(UciLikeServer):
    """The engine side of UCI."""

    WORD = "uci"
    CLOCKS = ("w", "b")
    NONE = "(none)"
    OPTIONS: ClassVar[dict[str, EngineOption]] = {
        **UciLikeServer.OPTIONS,
        "Ponder": EngineOption("check", False),
        "Skill Level": EngineOption("spin", FULL_SKILL, 0, FULL_SKILL),
        "UCI_LimitStrength": EngineOption("check", False),
        "UCI_Elo": EngineOption("spin", STRONGEST, WEAKEST, STRONGEST),
    }

    def __init__(self, source: BinaryIO, target: BinaryIO, game: Game) -> None:
        super().__init__(source, target, game)
        self.dice = random.Random()

    def write(self, s: State, m: int) -> str:
        """Return a move as UCI writes it."""
        return uci_word(s, m)

    def read(self, s: State, word: str) -> int:
        """Return the legal move that a word names."""
        m = uci_move(s, word)
        if m not in self.moves(s):
            raise TextError(f"{word!r:.20} is not a legal move here")
        return m

    def moves(self, s: State) -> list[int]:
        """Return the legal moves, also where our rules end the game: in UCI, players may play on through draws."""
        return list(self.game.moves(s))

    def turn(self, position: SentPosition) -> int:
        """Return the side to move."""
        return self.game.turn(position.s) or 0

    def mate(self, plies: int, won: bool) -> int:
        """Return the moves to the end, as UCI counts."""
        return (plies + 1) // 2 if won else -(plies // 2)

    def best(self, line: list[str]) -> list[str]:
        """Return the best move, and what to ponder on."""
        return [line[0], "ponder", line[1]] if len(line) > 1 else super().best(line)

    def answer_without_search(self, position: SentPosition) -> Analysis | None:
        """Return any move in a dead position."""
        found = super().answer_without_search(position)
        if found is not None or self.game.legal(without_fifty_move_draw(position.s)):
            return found
        return Analysis(self.moves(position.s)[0], 0)

    def adjust(self, request: SearchRequest) -> SearchRequest:
        """Return the request at the strength that was set; analysis without end is always at full strength."""
        request.s = without_fifty_move_draw(request.s)
        skill = self.options.number("Skill Level")
        held = bool(self.options["UCI_LimitStrength"])
        if request.limit.infinite or (skill == FULL_SKILL and not held):
            return request
        _, request.level, nodes = strength_at(self.options.number("UCI_Elo") if held else skill_to_elo(skill), self.dice)
        request.limit = limit_nodes(request.limit, nodes)
        return request


class ChessState(Protocol):
    """What the protocol must know of a state of chess."""

    ply: int
    clock: int

    def _replace(self, *, clock: int) -> State: ...


def _board(s: State) -> ChessState:
    return cast("ChessState", s)


def without_fifty_move_draw(s: State) -> State:
    """Return the state without its draw by fifty moves, which a player need not claim."""
    board = _board(s)
    return board._replace(clock=0) if board.clock >= FIFTY else s


def uci_word(s: State, m: int) -> str:
    """Return a move of chess as UCI writes it; `games/chess/rules.py` says how a move is packed.

    >>> from plyground import load
    >>> chess = load("chess")
    >>> s = chess.play(chess.start(), chess.parse_move(chess.start(), "e4"))
    >>> uci_word(s, chess.parse_move(s, "Nf6"))
    'g8f6'
    """
    flip = 56 * (_board(s).ply & 1)
    squares = ((m & 63) ^ flip, (m >> 6 & 63) ^ flip)
    return "".join("abcdefgh"[square & 7] + str((square >> 3) + 1) for square in squares) + PROMOTED[m >> 12].strip()


def uci_move(s: State, word: str) -> int:
    """Return the move that a word names; it may be illegal."""
    if not MOVE.fullmatch(word):
        raise TextError(f"{word!r:.20} is not a move; moves are written e2e4, e7e8q")
    flip = 56 * (_board(s).ply & 1)
    squares = [("abcdefgh".index(word[i]) + 8 * int(word[i + 1]) - 8) ^ flip for i in (0, 2)]
    return squares[0] | squares[1] << 6 | PROMOTED.index(word[4:] or " ") << 12
