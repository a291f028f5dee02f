"""The margins of futility pruning, which each game measures in its own searches.

A node whose static evaluation is above beta by the margin of its depth fails high without a search (reverse futility pruning):
from there, searches of that depth end below beta in three cases of a hundred. If it is as clearly below alpha, its quiet moves
are not searched (futility pruning). How far that is depends on the game and on its evaluation, so it is counted, once: the engine
plays a few fast games against itself with some random moves, and each node it searches is an observation. The margins of the
games that come with Plyground are in `games/futility.json`; others are kept in the cache.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import math
import random
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from plyground.compile.cache import DamagedCacheError, cache_folder, read_verified, with_checksum
from plyground.engine import OPTIONS, option_bits
from plyground.engine.searcher import NO_MARGINS, FutilityMargins, Searcher, SearchThread
from plyground.errors import PlygroundError
from plyground.kernels.search import MEASURE
from plyground.kernels.search.plan import ITERATE, MAX_DEPTH
from plyground.kernels.search.search_memory import BINS, FUTILITY_DEPTHS
from plyground.nets.net import Net
from plyground.play.match import Match
from plyground.rules.game import Game
from plyground.score import proven
from plyground.system.files import write_file
from plyground.system.runner import Runner

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts = NDArray[np.int64]
    Reals = NDArray[np.float64]

VERSION = 3
SHIPPED = Path(__file__).parents[1] / "games" / "futility.json"
FUTILITY = OPTIONS["futility"] | OPTIONS["reverse_futility"]
ERROR = 0.03
"""How often a node may be pruned though its search would not fail high."""
ROOTS, NODES = 60, 8_000
"""The positions searched, and the nodes for each."""
MOVE_NODES = 200
"""The nodes for a move of the games from which the positions come."""
RANDOM_MOVES, SAMPLED = 0.1, 0.2
"""The shares of moves chosen at random and of positions that are searched."""
MAX_OPENING, MAX_GAME = 8, 200
"""At most this many random moves begin a game, and it ends after this many plies."""
SECONDS = 3.0
"""For rules that are too slow to search all positions."""
WIDTH_ROOTS = 10
"""The positions from which the width of a bin is found."""
ENOUGH = 400
"""The observations that a depth needs for a margin."""


def prunes(game: Game, net: Net | None) -> bool:
    """Return whether the search of a game can use margins: two sides, no dice, and an evaluation."""
    return len(game.sides) == 2 and "chance" not in game.has and (net is not None or "evaluate" in game.has)


def futility_margins(game: Game, net: Net | None) -> FutilityMargins:
    """Return the margins: those that come with the game, from the cache, or measured now."""
    if not prunes(game, net):
        return NO_MARGINS
    shipped = _shipped().get(_name(game, net)) if comes_with_plyground(game) else None
    if shipped is not None:
        return shipped
    from plyground.compile.fingerprint import rules_tag  # which imports a part of the compiler

    tag = hashlib.sha256(f"{VERSION} {rules_tag(game)} {_net_tag(net)}".encode()).hexdigest()[:32]
    found = _cached(tag)
    if found is None:
        try:
            found, complete = measure(game, net)
        except PlygroundError:  # an error in the rules: the search will meet it, or never
            return NO_MARGINS
        if complete:
            _keep(tag, found)
    return found


def comes_with_plyground(game: Game) -> bool:
    """Return whether a game's rules and evaluation are those of this package."""
    own = [game.file, getattr(getattr(game.rules.get("evaluate"), "__code__", None), "co_filename", game.file)]
    return all(file is not None and SHIPPED.parent in Path(file).parents for file in own)


@functools.cache
def _shipped() -> dict[str, FutilityMargins]:
    return {name: FutilityMargins(*map(tuple, both)) for name, both in json.loads(SHIPPED.read_text()).items()}


def _name(game: Game, net: Net | None) -> str:
    """Return the name of a game with its evaluation among the margins that come with Plyground."""
    return game.name if net is None else f"{game.name} {net.name}"


def _net_tag(net: Net | None) -> str:
    return "" if net is None else hashlib.sha256(net.weights.tobytes()).hexdigest()


# -- the cache ------------------------------------------------------------------------------------------------------------------


def _cached(tag: str) -> FutilityMargins | None:
    folder = cache_folder("futility")
    if folder is not None:
        with contextlib.suppress(OSError, DamagedCacheError):
            return FutilityMargins(*map(tuple, json.loads(read_verified(folder / tag, tag))))
    return None


def _keep(tag: str, margins: FutilityMargins) -> None:
    folder = cache_folder("futility")
    if folder is not None:
        with contextlib.suppress(OSError):
            write_file(folder / tag, [with_checksum(json.dumps(margins).encode(), tag)])


# -- measuring ------------------------------------------------------------------------------------------------------------------


def measure(game: Game, net: Net | None, roots: int = ROOTS, nodes: int = NODES) -> tuple[FutilityMargins, bool]:
    """Measure the margins by depth in searches of `roots` positions; return also whether there was time for all of them."""
    # A null move would end many of the searches that are to be counted.
    options = (option_bits(game, None, exact=False) | MEASURE) & ~(OPTIONS["null"] | FUTILITY)
    searcher = Searcher(game, net, memory=4, threads=1, options=options, choice=random.Random(0))
    memory = searcher.memories[0]
    memory.bin_width = 1
    memory.bin_width = _bin_width(_scores_of_games(searcher, WIDTH_ROOTS, nodes))
    memory.outcomes[:] = 0
    complete = len(_scores_of_games(searcher, roots, nodes)) == roots
    return margins_from(memory.outcomes.reshape(FUTILITY_DEPTHS, BINS, 2), memory.bin_width), complete


def _scores_of_games(searcher: Searcher, roots: int, nodes: int) -> list[list[float]]:
    """Play fast games and search some of their positions with `nodes` nodes; return the scores of each by depth."""
    game, rng, scores, until = searcher.game, searcher.random, list[list[float]](), time.monotonic() + SECONDS
    while len(scores) < roots:
        match, opening = Match(game, seed=rng.getrandbits(30)), rng.randrange(MAX_OPENING)
        while match.result is None and len(match.moves) < MAX_GAME and len(scores) < roots:
            if time.monotonic() > until:
                return scores
            moves = list(match.legal())
            if len(match.moves) < opening or rng.random() < RANDOM_MOVES:
                match.play(rng.choice(moves))
                continue
            sampled = rng.random() < SAMPLED
            thread, found = _deepen(searcher, match, moves, nodes if sampled else MOVE_NODES)
            if sampled:
                scores.append(found)
            match.play(thread.first().move)
    return scores


def _deepen(searcher: Searcher, match: Match, moves: list[int], nodes: int) -> tuple[SearchThread, list[float]]:
    """Search the current position, one ply deeper each time; return the thread and the score of each depth."""
    past = [match.game.key(s) for s in match.states[:-1]] if match.game.repetition else []
    runner, scores = Runner(SECONDS), list[float]()
    (thread,) = searcher.prepare_threads(match.game.layout.row(match.s), moves, runner, past)
    thread.memory.node_limit = nodes
    while len(scores) < MAX_DEPTH and thread.ask(ITERATE, len(scores) + 1):
        scores.append(thread.first().score)
        if thread.root.settled:
            break
    return thread, scores


def _bin_width(scores: list[list[float]]) -> int:
    """Return half the median change of the score between the first and the last depth."""
    changes = [abs(found[-1] - found[0]) for found in scores if len(found) > 1 and not proven(int(found[-1]))]
    return max(1, round(float(np.median(changes)) / 2)) if changes else 1


def margins_from(outcomes: Counts, width: int) -> FutilityMargins:
    """Return the margins from the counts of nodes and of those that failed high, by depth and distance from beta.

    Odd and even depths may differ, but among either kind a margin never falls. Nothing is pruned from the first depth on that has
    too few observations, or whose margin lies far beyond the distances that were distinguished.
    """
    distances: Reals = (np.arange(BINS, dtype=np.float64) - BINS // 2 + 0.5) * width
    above, below = [0] * FUTILITY_DEPTHS, [0] * FUTILITY_DEPTHS
    for depth in range(1, FUTILITY_DEPTHS):
        seen, high = outcomes[depth, 1:-1].astype(np.float64).T
        if seen.sum() < ENOUGH or not 0 < high.sum() < seen.sum():
            break
        shift, spread = logistic_fit(distances[1:-1], seen, high)
        clear = spread * math.log(1 / ERROR - 1)
        for margins, margin in (above, clear - shift), (below, clear + shift):
            margin = max(1, round(margin), margins[max(0, depth - 2)])
            if margin <= 2 * distances[-1] and (depth == 1 or margins[depth - 1]):
                margins[depth] = margin
    return FutilityMargins(tuple(above), tuple(below))


def logistic_fit(x: Reals, seen: Reals, good: Reals) -> tuple[float, float]:
    """Return shift and spread of the curve 1 / (1 + exp(-(x + shift) / spread)) through counts, by Newton's method."""
    scale = float(np.abs(x).max())
    a, b = 0.0, 1.0
    for _ in range(50):
        z = x / scale
        p = 1 / (1 + np.exp(-np.clip(a + b * z, -30, 30)))
        weight, error = seen * p * (1 - p) + 1e-9, good - seen * p
        hessian = np.array([[weight.sum(), (weight * z).sum()], [(weight * z).sum(), (weight * z * z).sum()]])
        step = np.linalg.solve(hessian + 1e-6 * np.eye(2), [error.sum(), (error * z).sum()])
        a, b = a + float(np.clip(step[0], -2, 2)), max(0.02, b + float(np.clip(step[1], -2, 2)))
    return a / b * scale, scale / b
