"""One pair: the same opening twice, with the sides exchanged.

A `Job` describes a pair completely: the players, the opening, the seed and the limits. Each game has its own players with empty
tables, and seeds derived from that of the job. So a job that is limited by nodes or depth gives the same two games in any
process, on any machine, after any other job.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import time
from collections.abc import Callable
from dataclasses import replace

import plyground
from plyground import score as scores
from plyground.arena.messages import Adjudication, Job, PlayedGame, PlayedPair
from plyground.arena.sources import UnpackedSetup
from plyground.cluster.remote_work import source_hash
from plyground.errors import PlygroundError
from plyground.play.limit import Limit
from plyground.play.match import Match
from plyground.play.report import Analysis
from plyground.players.player import LATE, ForfeitError, Player
from plyground.players.spec import PlayerSpec, make_player
from plyground.records.rows import Forfeit
from plyground.rules.game import Game

LIMIT = Limit(nodes=10_000)
"""The limit of players that have none, if the job gives none either."""
MEMORY, SMALL = 16.0, 4.0
"""MB of an engine's table, which is made anew for each game; the small one if nodes limit the search, since what fits the
processor's caches is faster, above all for two workers at once."""
MAX_PLIES = {1: 100_000, 2: 1000}
"""A game that takes longer is a draw, by the number of sides: solitaires such as 2048 are long."""
DRAWN = 2
"""The claim that nobody wins; other claims are the number of the side that wins."""


class StoppedError(Exception):
    """The pair was stopped before its end."""


def derive_seed(*parts: object) -> int:
    """Return a seed derived from other seeds, names and numbers: always the same for the same parts.

    >>> derive_seed(1, "a", 0) == derive_seed(1, "a", 0) != derive_seed(1, "b", 0)
    True
    """
    return int.from_bytes(hashlib.blake2b(repr(parts).encode(), digest_size=8).digest(), "big") >> 11


def play_pair(setup: UnpackedSetup, job: Job, stop: Callable[[], bool] = lambda: False) -> PlayedPair:
    """Play both games of a job. `stop` is called before every move; if it returns True, `StoppedError` is raised."""
    check_sides(setup.game)
    games = [_play_in_time(setup, job, side, stop) for side in (0, 1)]
    if len(setup.game.sides) == 1:  # each plays alone: the higher score wins, and any score beats a forfeit
        a, b = (-math.inf if game.forfeit else game.points for game in games)
        games = [replace(game, result=_share((a > b) - (a < b))) for game in games]
    return PlayedPair(job.pair, tuple(games))


def _play_in_time(setup: UnpackedSetup, job: Job, side: int, stop: Callable[[], bool]) -> PlayedGame:
    """Play one game of a job; if it is lost on time, play it again as often as the job allows."""
    late: list[int] = []
    while (game := play_game(setup, job, side, stop)).reason == LATE and len(late) < job.replays:
        assert game.forfeit is not None
        late.append(game.forfeit.player)
    return replace(game, late=tuple(late) or None)


def prepare(setup: UnpackedSetup, job: Job) -> None:
    """Make the players of a job once, which compiles what they need; bad players are refused here."""
    check_sides(setup.game)
    with setup.user_names_in_errors():
        for side in range(3 - len(setup.game.sides)):  # in a solitaire, a game has one of them
            with contextlib.ExitStack() as leaving:
                _make_players(setup, job, side, leaving)


def check_sides(game: Game) -> None:
    """Refuse games that cannot be played in pairs."""
    if len(game.sides) > 2:
        raise PlygroundError(f"{game.name} has {len(game.sides)} sides; the arena plays games with one or two")


def play_game(setup: UnpackedSetup, job: Job, side: int, stop: Callable[[], bool] = lambda: False) -> PlayedGame:
    """Play one game of a job: the one in which the first player has this side (in a solitaire: that of this player)."""
    began = time.perf_counter()
    programs: list[str | None] = [None, None]
    players: dict[int, Player] = {}
    lost: _LostError | None = None
    ending: tuple[str, int] | None = None
    with setup.user_names_in_errors(), contextlib.ExitStack() as leaving:
        match = open_match(setup.game, job)
        log = _PlyLog(len(match.moves))
        try:
            players = _make_players(setup, job, side, leaving)
            for n, player in players.items():
                programs[n] = player.program
            ending = _play(match, players, side, log, job, stop)
        except _LostError as e:
            lost = e
    reason, points = _ending_of(match, ending, side) if lost is None else _forfeit_ending(match, lost)
    used = tuple(None if n not in players or (x := players[n].time_used) is None else round(x, 3) for n in (0, 1))
    nets = tuple(setup.net(PlayerSpec.parse(text)) for text in job.players)
    return PlayedGame(
        side=side,
        players=job.players,
        seed=job.seed,
        start=job.start,
        opening=len(job.opening),
        moves=tuple(match.move_texts()),
        result=_share(points),
        points=points,
        reason=reason,
        scores=tuple(log.scores),
        depths=tuple(log.depths),
        nodes=tuple(log.nodes),
        times=tuple(log.times),
        seconds=round(time.perf_counter() - began, 6),
        versions={"plyground": plyground.__version__, "code": source_hash()[:8]},
        nets=nets if any(nets) else None,
        engines=tuple(programs) if any(programs) else None,
        forfeit=None if lost is None else lost.forfeit(setup),
        time_used=used if any(x is not None for x in used) else None,
    )


class _LostError(PlygroundError):
    """One of the two players has forfeited the game."""

    def __init__(self, player: int, why: ForfeitError) -> None:
        super().__init__(str(why))
        self.player, self.why = player, why

    def forfeit(self, setup: UnpackedSetup) -> Forfeit:
        """Return the forfeit for the record."""
        return Forfeit(self.player, setup.with_user_names(str(self.why)), self.why.stderr)


def _ending_of(match: Match, ending: tuple[str, int] | None, side: int) -> tuple[str, int]:
    """Return why a game is over, and the points of the first player, who has this side."""
    if ending is None:
        assert match.reason is not None
        assert isinstance(match.result, int)  # two sides
        ending = match.reason, match.result if match.turn == 0 else -match.result
    reason, value = ending
    return reason, int(value if side == 0 or len(match.game.sides) == 1 else -value)


def _forfeit_ending(match: Match, lost: _LostError) -> tuple[str, int]:
    """Return the ending of a forfeited game; in a solitaire the player gets no points."""
    if len(match.game.sides) == 1:
        return lost.why.reason, 0
    return lost.why.reason, -1 if lost.player == 0 else 1


def _play(
    match: Match, players: dict[int, Player], first: int, log: _PlyLog, job: Job, stop: Callable[[], bool]
) -> tuple[str, int] | None:
    """Play a game to its end; if that is not by the rules, return the reason and the value for side 0."""
    adjudicator = Adjudicator(job.adjudicate)
    most = job.most_plies or MAX_PLIES[len(players)]
    while match.result is None:
        if stop():
            raise StoppedError
        if len(match.moves) >= most:
            return "length", 0
        if match.game.is_chance(match.s):
            match.roll()
            log.skip()
            continue
        side = match.turn
        number = first if len(players) == 1 else side ^ first
        try:
            adjudicator.record_claim(side, log.choose_move(players[number], match))
        except ForfeitError as e:
            raise _LostError(number, e) from e
        if adjudicator.value is not None and match.result is None:
            return "adjudicated", adjudicator.value
    return None


def open_match(game: Game, job: Job) -> Match:
    """Return the match of a job after its opening; the dice come from the job's seed, the same in both games."""
    match = Match(game, job.start, seed=job.seed)
    for move in job.opening:
        match.play(move)
    return match


def _make_players(setup: UnpackedSetup, job: Job, side: int, leaving: contextlib.ExitStack) -> dict[int, Player]:
    """Return new players by their numbers in the job, until `leaving` is closed; in a solitaire, only one."""
    limit = job.limit or LIMIT
    memory = MEMORY if limit.nodes is None else SMALL
    made = {}
    for n in (side,) if len(setup.game.sides) == 1 else (0, 1):
        spec, seed = setup.player(PlayerSpec.parse(job.players[n])), derive_seed(job.seed, side, n)
        try:
            made[n] = make_player(spec, setup.game, seed, limit=limit, memory=memory)
        except ForfeitError as e:
            raise _LostError(n, e) from e
        leaving.callback(made[n].close)
    return made


class _PlyLog:
    """What the players reported about each ply; the plies of the opening and of chance stay empty."""

    def __init__(self, plies: int) -> None:
        self.scores: list[float | None] = [None] * plies
        self.depths: list[int | None] = [None] * plies
        self.nodes: list[int | None] = [None] * plies
        self.times: list[float] = [0.0] * plies

    def skip(self) -> None:
        """Add a ply that no player chose."""
        self.add(None, None, None, 0.0)

    def add(self, score: float | None, depth: int | None, nodes: int | None, seconds: float) -> None:
        """Add one ply."""
        self.scores.append(score if score is None or math.isfinite(score) else None)
        self.depths.append(depth)
        self.nodes.append(nodes)
        self.times.append(round(seconds, 6))

    def choose_move(self, player: Player, match: Match) -> Analysis:
        """Let a player make its move, and return what it found."""
        began = time.perf_counter()
        try:
            found = player.choose(match.position)
        except ForfeitError:
            raise
        except PlygroundError as e:
            raise PlygroundError(f"{player.name}: {e}") from e
        seconds = time.perf_counter() - began
        if found.scored:
            self.add(found.score, found.depth, found.nodes, seconds)
        else:
            self.add(None, None, None, seconds)
        match.play(found)
        return found


def _share(value: float) -> float:
    """Return 1 for a win, 0.5 for a draw, 0 for a loss."""
    return 0.5 if value == 0 else float(value > 0)


# -- adjudication: games that end early, because both players have agreed on the result --------------------------------------


class Adjudicator:
    """Adjudicates a game if the match asks for it: when both players have agreed on the winner for several plies.

    Players agree by what they report about their own moves: a win, draw or loss that their search has proven, or with `score`
    also an estimate of at least that much. A player that reports no score (random, textbook) never agrees.
    """

    def __init__(self, rules: Adjudication | None) -> None:
        """Without rules, no game ends early."""
        self.rules = rules
        self._said: list[tuple[int, int | None]] = []  # by ply: who moved, and what is agreed on
        self._margin: int | None = None

    def record_claim(self, side: int, found: Analysis) -> None:
        """Record what the player with this side found before its move."""
        self._said.append((side, self._claim(side, found)))
        self._margin = self._points(side, found)

    def _claim(self, side: int, found: Analysis) -> int | None:
        if not found.scored:
            return None
        if found.value != "unknown":
            return {"win": side, "loss": 1 - side, "draw": DRAWN}[found.value]
        if self.rules is None or self.rules.score is None or abs(found.score) < self.rules.score:
            return None
        return side if found.score > 0 else 1 - side

    def _points(self, side: int, found: Analysis) -> int | None:
        """Return the margin that was found, for side 0."""
        margin = scores.margin(int(found.score)) if found.value != "unknown" else None
        return margin if margin is None or side == 0 else -margin

    @property
    def value(self) -> int | None:
        """The result for side 0 that both agree on: a margin where it was proven, else 1, 0 or -1; None if they don't agree."""
        if self.rules is None:
            return None
        last = self._said[-self.rules.plies :]
        if len(last) < self.rules.plies or {side for side, _ in last} != {0, 1}:
            return None
        claims = {claim for _, claim in last}
        if len(claims) > 1 or None in claims:
            return None
        claim = claims.pop()
        return 0 if claim == DRAWN else self._margin or (1 if claim == 0 else -1)
