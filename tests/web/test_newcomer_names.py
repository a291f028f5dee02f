"""Games of newcomers without `format_move`: the terminal and the page give each move the same name, and read it as that move."""

import io
import json
import random

import pytest
from player import Player, moves_hash, text_of

from here import DATA
from plyground import Match, load
from plyground.cli import main
from plyground.web.facts import row_text

GAMES = DATA / "newcomer"
ON_PAGES = (
    "amazons",  # from, to and an arrow
    "drop_three",  # columns
    "fibonacci_nim",  # heaps
    "fox_and_geese",  # a free board
    "leap",  # a side may move again
    "nine_mens_morris",  # a free board with names, and men to be taken
    "oware",  # pits
    "pawns",  # promotions
    "race",  # dice, and a button
    "sliding_tiles",  # one side
    "thirty_one",  # buttons only
)
SHORT = ("drop_three", "nine_mens_morris", "pawns")
"""Those whose rules are compiled for a browser in the short run too."""
PLIES, SEED = 60, 5
on_pages = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] * (name not in SHORT)) for name in ON_PAGES]
)


def random_match(name, seed=SEED):
    """A game by random moves."""
    match, rng = Match(load(str(GAMES / f"{name}.py")), seed=SEED), random.Random(seed)
    while match.result is None and len(match.moves) < PLIES:
        if match.mover is None:
            match.roll()
        else:
            match.play(rng.choice(match.legal()))
    return match


def names_at(game, s):
    """The names of what can be played in a state."""
    return [game.format_move(s, m) for m in game.options(s)]


@pytest.mark.parametrize("name", [*ON_PAGES, "trio"])
def test_typed_in_the_terminal(name, monkeypatch, capsys):
    match = random_match(name)
    game, made = match.game, list(zip(match.states, match.move_texts(), strict=False))
    assert "format_move" not in game.has
    typed = ["moves", *(text for s, text in made if not game.is_chance(s)), "quit"]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(typed)))
    assert main(["play", str(GAMES / f"{name}.py"), "--side", "both", "--seed", str(SEED), "--json"]) == 0
    printed = capsys.readouterr()
    played = json.loads(printed.out)
    assert played["moves"] == match.move_texts()
    assert played["state"] == game.format_state(match.s)
    first = next(s for s in match.states if not game.is_chance(s))
    assert set(names_at(game, first)) <= set(printed.err.replace(",", " ").split())


NAMES = """
const rules = new Rules(facts, compiled);
return given[0].map((text) => {
  const row = BigInt64Array.from(text.split("."), (word) => BigInt.asIntN(64, BigInt("0x" + word)));
  const view = rules.view(row), names = moveNames(facts, rules, row, view);
  return { moves: view.moves, names, read: names.map((name) => view.moves[readName(facts, view, names, name)]) };
});
"""


@on_pages
def test_the_page_gives_and_reads_the_names_of_the_terminal(name, scripts):
    states = [s for seed in range(3) for s in random_match(name, seed).states]
    game = load(str(GAMES / f"{name}.py"))
    page = scripts.open(game, "rules.js", "names.js", kernels=("view", "advance"))
    found = page.run(NAMES, [row_text(game, s) for s in states])
    assert sum(len(at["moves"]) for at in found) > len(states)
    for s, at in zip(states, found, strict=True):
        moves = game.options(s)
        assert at == {"moves": moves, "names": names_at(game, s), "read": moves}, game.format_state(s)


@pytest.mark.long
@pytest.mark.parametrize("name", ON_PAGES)
def test_played_in_the_page(name, browser, tmp_path):
    match = random_match(name)
    game, names = match.game, match.move_texts()
    browser.get_log("browser")
    player = Player(browser, tmp_path, game).open("play=both&" + moves_hash(*names))
    assert player.names == names
    assert player.ask("plyground.state()") == text_of(game, match.s)
    if "chance" not in game.has:  # the page would roll dice of its own
        player.open()
        for s, text in zip(match.states, names, strict=False):
            assert player.ask("plyground.moves()") == names_at(game, s)
            player.play(text)
        assert player.names == names
        assert player.ask("plyground.state()") == text_of(game, match.s)
    assert browser.get_log("browser") == []


def test_lines_read_like_those_of_the_game():
    amazons = load(str(GAMES / "amazons.py"))
    s = amazons.start()
    assert "b1-b4-d4" in names_at(amazons, s)
    assert len({amazons.parse_move(s, text) for text in ("b1-b4-d4", "b1-b4/d4", "B1B4D4", "b1 b4 d4")}) == 1
    morris = load(str(GAMES / "nine_mens_morris.py"))
    assert names_at(morris, morris.start())[:3] == ["a7", "d7", "g7"]
    match = Match(morris, moves="a7 a1 d7 d1")
    assert {"g7-a1", "g7-d1"} < set(names_at(morris, match.s))
    match.play(morris.parse_move(match.s, "g7xd1"))
    assert match.move_texts() == ["a7", "a1", "d7", "d1", "g7-d1"]
    assert [morris.board.cell_names(0)[i] for i, man in enumerate(match.s.points) if man] == ["a7", "d7", "g7", "a1"]
