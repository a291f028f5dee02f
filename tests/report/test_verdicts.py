"""Verdicts: each threshold, from both sides; and nothing is said about too few games."""

import pytest

from here import DATA
from plyground import load
from plyground.nets.net_evaluation import own_file
from plyground.report import samples, verdicts
from plyground.report.findings import Findings, Verdict
from plyground.report.matchups import Budget
from plyground.report.measures import LadderStep, LevelResults, SideShare
from plyground.report.searches import Decisions, FirstMove, Value

GAME = load("tictactoe")


def at(level, wins, draws, losses, different=None, reasons=0, plies=(9,)):
    """A strength with these results."""
    games = wins + draws + losses
    results = [1.0] * wins + [0.5] * draws + [0.0] * losses
    return LevelResults(
        level=level,
        games=games,
        different=games if different is None else different,
        wins=wins,
        draws=draws,
        losses=losses,
        first=samples.score(results),
        drawn=samples.share(draws, games),
        margin=None,
        points=None,
        results={},
        plies=samples.quantiles(plies),
        lengths={},
        endless=samples.share(reasons, games),
        by_length=0,
        depth=4.0,
    )


def judged(*strengths, **more):
    """The verdicts on findings, as marks by what they are about; the first of each."""
    told: dict[str, Verdict] = {}
    for verdict in verdicts.verdicts(Findings(GAME, Budget(), strengths=list(strengths), **more)):
        told.setdefault(verdict.about, verdict)
    return told


def known(value, points=None, moves=None):
    return Value(value, {"win": "wins", "draw": "draws", "loss": "loses"}.get(value, "?"), points, "solver", 10, 0.1, moves or {})


@pytest.mark.parametrize(
    ("results", "mark", "words"),
    [
        ((90, 0, 10), "bad", "that is unfair"),
        ((10, 0, 90), "bad", "that is unfair"),
        ((65, 0, 35), "note", "an advantage for X"),
        ((35, 0, 65), "note", "an advantage for O"),
        ((200, 0, 200), "good", "that is fair"),
        ((30, 0, 20), "unknown", "Too few games"),
        ((9, 0, 1), "unknown", "Too few different games"),
    ],
)
def test_balance(results, mark, words):
    told = judged(at(9, *results))["balance"]
    assert told.mark == mark
    assert words in told.text


def test_players_that_repeat_themselves_say_nothing_about_the_game():
    told = judged(at(9, 100, 0, 0, different=25))["balance"]
    assert told.mark == "unknown"
    assert "few different games" in told.text
    assert told.evidence == "100 games between equals at level 9, 25 of them different"


def test_an_unfair_start_between_weaker_players():
    texts = [v.text for v in verdicts.verdicts(Findings(GAME, Budget(), strengths=[at(2, 90, 0, 10), at(9, 0, 100, 0)]))]
    assert [text for text in texts if "weaker" in text] == [
        "Between weaker players it is different: at level 2 X gets 90 % (82 to 95)."
    ]


def test_proven_values():
    assert judged(value=known("draw"))["value"].mark == "good"
    assert judged(value=known("win"))["value"].text == "With perfect play, X wins: proven."
    assert "value" not in judged(value=known("unknown"))


def test_remedies():
    fair = FirstMove("a1", None, 0)
    lost = FirstMove("b2", None, 1)
    assert judged(at(9, 90, 0, 10), value=known("win"), openings=[fair, lost])["remedy"].text.startswith(
        "Balanced first moves: a1 (a draw)."
    )
    assert "No first move" in judged(at(9, 90, 0, 10), value=known("win"), openings=[lost])["remedy"].text
    tried = FirstMove("c1", 5.0, None, 100, samples.score([1.0, 0.0] * 50))
    assert "c1 (50 % (40 to 60))" in judged(at(9, 90, 0, 10), value=known("unknown"), openings=[tried])["remedy"].text
    skewed = tried._replace(first=samples.score([1.0] * 100))
    assert "None of the first moves" in judged(at(9, 90, 0, 10), value=known("unknown"), openings=[skewed])["remedy"].text
    assert "remedy" not in judged(at(9, 90, 0, 10), value=known("draw"), openings=[fair])


def test_a_handicap_for_a_proven_margin():
    told = verdicts.verdicts(Findings(load("kalah"), Budget(), value=known("win", points=8), strengths=[at(9, 90, 0, 10)]))
    assert "To make it fair, give north 8 points at the start." in [verdict.text for verdict in told]


@pytest.mark.parametrize(("draws", "mark"), [(98, "bad"), (70, "note"), (40, None), (0, "note")])
def test_draws(draws, mark):
    told = judged(at(9, 100 - draws, draws, 0)).get("draws")
    assert (told and told.mark) == mark


@pytest.mark.parametrize(("endless", "mark"), [(0, None), (1, "note"), (30, "bad")])
def test_endless_games(endless, mark):
    told = judged(at(9, 50, 0, 50, reasons=endless)).get("endless")
    assert (told and told.mark) == mark


def test_endless_games_are_not_called_fair():
    assert "balance" in judged(at(9, 0, 400, 0))
    assert "balance" not in judged(at(9, 0, 400, 0, reasons=300))


@pytest.mark.parametrize(
    ("scores", "mark", "words"),
    [
        (([1.0] * 40, [0.5] * 40), "good", "Skill counts:"),
        (([0.5] * 200, [0.5] * 200), "bad", "Skill counts little"),
        (([1.0] * 60 + [0.0] * 36, [0.5] * 40), "note", "somewhat"),
        (([1.0, 0.0] * 10, [0.5] * 5), "unknown", "Too few games"),
        (([1.0] * 5, [1.0] * 5), "unknown", "Too few games"),
    ],
)
def test_skill(scores, mark, words):
    steps = [LadderStep(n + 2, n, 2 * len(s), 2 * len(s), samples.score(s), 0.0) for n, s in zip((1, 3), scores, strict=True)]
    told = [verdict for verdict in verdicts.verdicts(Findings(GAME, Budget(), ladder=steps)) if words in verdict.text]
    assert [verdict.mark for verdict in told] == [mark]


def test_skill_that_no_longer_counts_at_the_top():
    steps = [LadderStep(3, 1, 80, 80, samples.score([1.0] * 40), 0.0), LadderStep(9, 7, 80, 80, samples.score([0.5] * 40), 0.0)]
    assert "Among strong players skill hardly decides" in judged(ladder=steps)["skill"].text
    steps[1] = steps[1]._replace(stopped=0.9)  # they could not look further than the weaker ones
    assert "Among" not in judged(ladder=steps)["skill"].text


def test_the_length_of_games():
    assert judged(at(9, 50, 0, 50, plies=range(10, 12)))["length"].text.endswith("takes 10 plies; eight in ten take 10 to 11.")
    assert judged(at(9, 50, 0, 50, plies=range(10, 90)))["length"].text.endswith("that varies a lot.")


def test_three_sides():
    game = load("examples/three_heaps.py")
    shares = [SideShare("random", side, 300, samples.share(n, 300)) for side, n in zip(game.sides, (200, 50, 50), strict=True)]
    told = verdicts.verdicts(Findings(game, Budget(), sides=shares))
    assert [verdict.mark for verdict in told] == ["bad", "unknown"]
    assert "The sides are not equal" in told[0].text


def test_the_worst_comes_first():
    told = verdicts.verdicts(Findings(GAME, Budget(), strengths=[at(9, 95, 0, 5)], value=known("win")))
    marks = [verdict.mark for verdict in told]
    assert marks == sorted(marks, key=["bad", "note", "good", "unknown"].index)
    assert marks[0] == "bad"


def test_random_games_judge_only_where_nothing_else_does():
    game = load(DATA / "newcomer" / "hexapawn.py")
    alike = Decisions(100, None, samples.share(0, 100), samples.share(90, 100))
    found = Findings(game, Budget(), strengths=[at(9, 50, 0, 50)], decisions=alike)
    (told,) = verdicts._decisions(found)
    assert told.text.endswith("The rules have no evaluation, so random games judge.")
    own_file(game).parent.mkdir(parents=True)
    own_file(game).write_bytes(b"a net")
    (told,) = verdicts._decisions(found)
    assert "random games" not in told.text
