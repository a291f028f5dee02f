"""Engines of others, where they are installed: each plays against ours without a fault."""

import pytest

from plyground.arena.contest import Schedule
from plyground.arena.messages import MatchSettings, OpeningLines
from plyground.arena.openings import Openings
from plyground.arena.pair import play_pair, prepare
from plyground.arena.sources import UnpackedSetup, collect
from plyground.errors import PlygroundError
from plyground.play.limit import Limit
from plyground.players.spec import find_program


def installed(name):
    try:
        return bool(find_program(name))
    except PlygroundError:
        return False


ENGINES = [
    pytest.param(spec, name, marks=pytest.mark.skipif(not installed(program), reason=f"{program} is not installed"))
    for program, spec, name in (
        ("stockfish", "uci:stockfish,UCI_Elo=1600,time=0.05", "Stockfish"),
        ("gnuchess", "uci:gnuchess --uci,time=0.05", "GNU Chess"),
        ("fairymax", "xboard:fairymax,time=0.05", "Fairy-Max"),
    )
]


@pytest.mark.long
@pytest.mark.parametrize(("spec", "name"), ENGINES)
def test_a_pair_is_played_to_its_end(spec, name):
    players = ["engine:nodes=2000", spec]
    setup = UnpackedSetup.unpack(collect("chess", players))
    openings = Openings(setup.game, 1, OpeningLines("openings", ("moves: e4 c5 Nf3 d6",)))
    job = Schedule(players, openings, MatchSettings(2, limit=Limit(time=1)), 1).job(0)
    prepare(setup, job)
    for game in play_pair(setup, job).games:
        assert game.forfeit is None
        assert game.reason in ("rules", "repetition")
        assert game.engines[1].startswith(name)
        first = 4 + (1 if game.side == 0 else 0)
        assert all(score is not None for score in game.scores[first::2])
