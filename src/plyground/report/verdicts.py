"""What stands out, in plain words with its evidence. The thresholds are here and in docs/report.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from plyground.nets.net_evaluation import lacks_evaluation
from plyground.play import words
from plyground.report.findings import Findings, Verdict
from plyground.report.measures import LONG_RUN, LadderStep, LevelResults, SideShare
from plyground.report.searches import FirstMove, Value, may_be_fair

if TYPE_CHECKING:
    from plyground.report.samples import Interval

MIN_GAMES = 20
"""With fewer different games than this, nothing is said about them."""
VARIED = 1 / 3
"""With a smaller share of different games than this, no verdict is given."""
FAIR, LEANS, UNFAIR = 0.1, 0.55, 0.65
"""The first side's share: fair if its interval lies within FAIR of a half; leaning or unfair if all of it is above these, or if
the second side's is."""
MANY_DRAWS, MOSTLY_DRAWS = 0.5, 0.8
OFTEN_FORCED, MANY_CHOICES = 0.3, 60
OFTEN_ALIKE, SHARP = 0.5, 0.6
"""The share of decisions in which all moves look alike, and in which only one is good."""
UNUSED = 0.2
"""The share of moves that nobody makes."""
FORCED_GAMES = 0.25
"""The share of games with a forced sequence."""
ENDLESS_REASONS = 0.05
SKILL, LITTLE_SKILL = 0.65, 0.55
"""A level's score against the one two below it: skill counts if one step is surely above SKILL, little if none reaches
LITTLE_SKILL."""
STEADY, CHANGING = 0.25, 1.5
"""Changes of lead per game: few below the first, many above the second."""
DECIDED = 0.35
"""The share of a game that is left when its result is already proven to the players."""
EQUAL = 1.3
"""With three or more sides, one is better or worse off if it surely wins this many times its share, or that much less."""
PIE = "the second side may swap sides"
VARIES = 3.0
"""The length of games varies a lot if one in ten takes this many times as long as the shortest tenth."""


def unfair(value: Value, strengths: Sequence[LevelResults]) -> bool:
    """Return whether one side has the better start, by proof or in the games of the highest level."""
    if value.proven:
        return value.value != "draw"
    first = strengths[-1].first if strengths else None
    return first is not None and first.n >= MIN_GAMES and _advantage(first) != 0


def verdicts(found: Findings) -> list[Verdict]:
    """Return what stands out, the worst first, the unknown last."""
    rank = {"bad": 0, "note": 1, "good": 2, "unknown": 3}
    standing_out = [
        *_balance(found),
        *_draws(found),
        *_endless(found),
        *_skill(found),
        *_length(found),
        *_choices(found),
        *_drama(found),
    ]
    if found.sides:
        standing_out = [*_many(found), *_endless(found), *_choices(found)]
    if len(found.game.sides) == 1:
        standing_out = [*_points(found), *_endless(found), *_skill(found), *_length(found), *_choices(found)]
    return sorted(standing_out, key=lambda verdict: rank[verdict.mark])


def games_at(strength: LevelResults) -> str:
    """Return the games of a level against itself, as evidence."""
    games = words.count(strength.games, "game")
    same = "" if strength.different == strength.games else f", {strength.different:,} of them different"
    return f"{games} between equals at level {strength.level}{same}"


# -- who wins -----------------------------------------------------------------------------------------------------------------


def _balance(found: Findings) -> Iterator[Verdict]:
    first, second = found.game.sides[:2] if len(found.game.sides) == 2 else ("first", "second")
    top, value = found.top, found.value
    if value is not None and value.proven:
        yield _by_proof(found, first)
    if top is None or top.first is None:
        return
    yield from _by_games(found, top, top.first, first, second)
    yield from _weaker(found, first)
    yield from _balancing_advice(found)


def _by_games(found: Findings, top: LevelResults, share: Interval, first: str, second: str) -> Iterator[Verdict]:
    """Yield whether the games at the highest level are fair."""
    sentence = f"{capitalised_side(first)} gets {share.percent()} of the points in games between equals at level {top.level}"
    if top.endless.value > 0.5:
        return  # endless games say nothing about who is better off
    if top.different < MIN_GAMES:
        if found.value is None or not found.value.proven:
            yield Verdict("balance", "unknown", "Too few different games to tell whether it is fair.", games_at(top))
    elif repetitive(top):
        few = f"{sentence}, but it plays few different games: too few to call it fair or unfair."
        yield Verdict("balance", "unknown", few, games_at(top))
    elif share.low > UNFAIR or share.high < 1 - UNFAIR:
        yield Verdict("balance", "bad", f"{sentence}: that is unfair.", games_at(top))
    elif _advantage(share):
        side = first if share.value > 0.5 else second
        yield Verdict("balance", "note", f"{sentence}: an advantage for {side_name(side)}.", games_at(top))
    elif share.low >= 0.5 - FAIR and share.high <= 0.5 + FAIR:
        yield Verdict("balance", "good", f"{sentence}: that is fair.", games_at(top))
    else:
        yield Verdict("balance", "unknown", f"{sentence}. Too few games to call it fair or unfair.", games_at(top))


def repetitive(strength: LevelResults) -> bool:
    """Return whether so few games differ that they say more about the players than about the rules."""
    return strength.different < VARIED * strength.games


def _weaker(found: Findings, first: str) -> Iterator[Verdict]:
    """Yield that the start is unfair between weaker players, if it is not between strong ones."""
    top = found.top
    assert top is not None
    for s in found.strengths:
        if s is top or s.first is None or s.different < MIN_GAMES or repetitive(s) or top.first is None:
            continue
        tops, own = (_advantage(share) for share in (top.first, s.first))
        if own and own != tops:
            sentence = f"Between weaker players it is different: at level {s.level} {side_name(first)} gets {s.first.percent()}."
            yield Verdict("balance", "note", sentence, games_at(s))
            return


def _advantage(share: Interval) -> int:
    """Return 1 if the first side surely has an advantage, -1 if the second has one, otherwise 0."""
    return (share.low > LEANS) - (share.high < 1 - LEANS)


def capitalised_side(name: str) -> str:
    """Return the name of a side for the beginning of a sentence.

    >>> capitalised_side("first"), capitalised_side("X"), capitalised_side("white")
    ('The first side', 'X', 'White')
    """
    sentence = side_name(name)
    return sentence[:1].upper() + sentence[1:]


def side_name(name: str) -> str:
    """Return the name of a side within a sentence."""
    return f"the {name} side" if name in ("first", "second") else name


def _by_proof(found: Findings, first: str) -> Verdict:
    value = found.value
    assert value is not None
    how = {"book": "looked up in the book of solved openings", "proof": "proven by threats"}.get(value.source, "solved")
    evidence = f"{how}, {words.count(value.nodes, 'node')}" if value.nodes else how
    if value.value == "draw":
        return Verdict("value", "good", "With perfect play the game is a draw: proven.", evidence)
    return Verdict("value", "note", f"With perfect play, {side_name(first)} {value.text}: proven.", evidence)


def _balancing_advice(found: Findings) -> Iterator[Verdict]:
    """Yield ways to make an unfair start fair."""
    value = found.value
    if value is None or not unfair(value, found.strengths):
        return
    points = value.points if value.proven and found.game.margin else None
    if points:
        side = side_name(found.game.sides[1 if points > 0 else 0])
        sentence = f"To make it fair, give {side} {words.count(abs(points), 'point')} at the start."
        yield Verdict("remedy", "note", sentence, f"the exact value is {points:+d}")
    fair = [o for o in found.openings if o.value == 0 or (may_be_fair(o) and _near_half(o.first))]
    if fair:
        moves = ", ".join(map(_opening, fair[:3]))
        sentence = f"Balanced first moves: {moves}. Begin with one of them, or use the pie rule: after the first move, {PIE}."
        yield Verdict("remedy", "note", sentence, "proven draws" if fair[0].value == 0 else "games from there")
    elif found.openings and not any(map(may_be_fair, found.openings)):
        yield Verdict("remedy", "note", "No first move makes it fair: after each of them one side wins by force.", "solved")
    elif any(o.first for o in found.openings):
        tried = [o for o in found.openings if o.first is not None]
        moves = ", ".join(map(_opening, tried))
        yield Verdict("remedy", "note", f"None of the first moves that were tried is balanced: {moves}.", "games from there")


def _near_half(share: Interval | None) -> bool:
    """Return whether an opening is balanced in the games from there."""
    if share is None or share.n < MIN_GAMES:
        return False
    return abs(share.value - 0.5) <= FAIR and share.low >= 0.5 - 2 * FAIR and share.high <= 0.5 + 2 * FAIR


def _opening(opening: FirstMove) -> str:
    """Return a balanced first move, and why it is called that."""
    return (
        f"{opening.move} (a draw)" if opening.value == 0 or not opening.first else f"{opening.move} ({opening.first.percent()})"
    )


def _draws(found: Findings) -> Iterator[Verdict]:
    top = found.top
    if top is None or top.drawn is None or top.different < MIN_GAMES:
        return
    sentence = f"{top.drawn.percent()} of the games at level {top.level} are drawn"
    if top.drawn.low > MOSTLY_DRAWS:
        yield Verdict("draws", "bad", f"{sentence}: between good players, there is hardly a winner.", games_at(top))
    elif top.drawn.low > MANY_DRAWS:
        yield Verdict("draws", "note", f"{sentence}.", games_at(top))
    elif top.draws == 0:
        yield Verdict("draws", "note", f"No game at level {top.level} was drawn.", games_at(top))


def _endless(found: Findings) -> Iterator[Verdict]:
    for strength in found.strengths:
        if not strength.endless.value:
            continue
        many = strength.endless.low > ENDLESS_REASONS or strength.by_length > 0
        sentence = f"{strength.endless.percent()} of the games at level {strength.level} never end"
        how = f"{strength.by_length} had to be stopped because of their length" if strength.by_length else "positions repeat"
        yield Verdict("endless", "bad" if many else "note", f"{sentence}: {how}.", games_at(strength))


# -- skill ----------------------------------------------------------------------------------------------------------------------


def _skill(found: Findings) -> Iterator[Verdict]:
    enough = [step for step in found.ladder if step.different >= MIN_GAMES]
    if not enough:
        if found.ladder:
            games = words.count(sum(step.games for step in found.ladder), "game")
            yield Verdict("skill", "unknown", "Too few games to tell whether skill counts.", f"{games} between levels")
        return
    best = max(enough, key=lambda step: step.score.low)
    evidence = "; ".join(_step(step) for step in enough)
    if best.score.low > SKILL:
        sentence = f"Skill counts: level {best.strong} scores {best.score.percent()} against level {best.weak}."
        yield Verdict("skill", "good", sentence, evidence)
    elif all(step.score.high < LITTLE_SKILL + 0.05 for step in enough):
        sentence = f"Skill counts little: level {best.strong} scores only {best.score.percent()} against level {best.weak}."
        yield Verdict("skill", "bad", sentence, evidence)
    elif best.score.low > 0.5:
        sentence = f"Skill counts somewhat: level {best.strong} scores {best.score.percent()} against level {best.weak}."
        yield Verdict("skill", "note", sentence, evidence)
    else:
        yield Verdict("skill", "unknown", "Too few games to tell whether skill counts.", evidence)
    last = enough[-1]
    if last.score.high < 0.6 and best is not last and best.score.low > SKILL and last.stopped < 0.5:
        sentence = f"level {last.strong} scores {last.score.percent()} against level {last.weak}"
        yield Verdict("skill", "note", f"Among strong players skill hardly decides: {sentence}.", words.count(last.games, "game"))


def _step(step: LadderStep) -> str:
    cut = " (many searches were cut short)" if step.stopped > 0.5 else ""
    return f"{step.strong} against {step.weak}: {step.score.percent()} of {words.count(step.games, 'game')}{cut}"


def _points(found: Findings) -> Iterator[Verdict]:
    sentence = [f"{s.points.median:,.0f} at level {s.level}" for s in found.strengths if s.points is not None]
    if sentence:
        games = words.count(sum(s.games for s in found.strengths), "game")
        yield Verdict("points", "note", f"Half of the games bring at least {', '.join(sentence)}.", games)


# -- the course of a game -------------------------------------------------------------------------------------------------------


def _length(found: Findings) -> Iterator[Verdict]:
    top = found.top
    if top is None or top.plies is None or top.different < MIN_GAMES:
        return
    plies = top.plies
    sentence = f"A game at level {top.level} takes {plies.median:,.0f} plies"
    if plies.tenth != plies.ninetieth:
        sentence += f"; eight in ten take {plies.tenth:,.0f} to {plies.ninetieth:,.0f}"
    if plies.tenth and plies.ninetieth > VARIES * plies.tenth:
        yield Verdict("length", "note", f"{sentence}: that varies a lot.", games_at(top))
    else:
        yield Verdict("length", "note", f"{sentence}.", games_at(top))


def _choices(found: Findings) -> Iterator[Verdict]:
    seen = found.choices
    if seen is None or seen.legal is None:
        return
    evidence = f"{words.count(seen.positions, 'position')} of {words.count(seen.games, 'game')}"
    if seen.forced.low > OFTEN_FORCED:
        yield Verdict("choices", "bad", f"Often there is no choice: {seen.forced.percent()} of all moves are forced.", evidence)
    if seen.legal.median > MANY_CHOICES:
        yield Verdict(
            "choices", "note", f"There are many choices: {seen.legal.median:,.0f} legal moves in a typical position.", evidence
        )
    if seen.sequences.low > FORCED_GAMES:
        sentence = f"{seen.sequences.percent()} of the games have a forced sequence of {LONG_RUN} plies or more"
        yield Verdict("choices", "note", f"{sentence}; the longest has {seen.longest}.", evidence)
    yield from _unused(found)
    yield from _decisions(found)


def _unused(found: Findings) -> Iterator[Verdict]:
    used, top = found.used, found.top
    if used is None or top is None or not used.known or top.different < MIN_GAMES or used.never <= UNUSED * used.known:
        return
    some = ", ".join(used.examples[:6]) + (", …" if used.never > 6 else "")
    sentence = f"{used.never} of {words.count(used.known, 'move')} are never made at level {top.level} ({some})."
    yield Verdict("unused", "note", sentence, f"moves that were legal 20 times or more; {games_at(top)}")


def _decisions(found: Findings) -> Iterator[Verdict]:
    seen = found.decisions
    if seen is None or seen.positions < MIN_GAMES:
        return
    evidence = f"{words.count(seen.positions, 'position')} with a choice, searched move by move"
    if seen.all_alike.low > OFTEN_ALIKE:
        sentence = f"In {seen.all_alike.percent()} of the positions all moves look alike to the search."
        why = " The rules have no evaluation, so random games judge." if lacks_evaluation(found.game) else ""
        yield Verdict("decisions", "note", sentence + why, evidence)
    elif seen.only.low > SHARP:
        yield Verdict(
            "decisions", "note", f"It is a sharp game: in {seen.only.percent()} of the positions one move stands out.", evidence
        )


def _drama(found: Findings) -> Iterator[Verdict]:
    drama, top = found.drama, found.top
    if drama is None or drama.changes is None or top is None or drama.games < MIN_GAMES or not any(drama.changes[:3]):
        return
    evidence = f"{words.count(drama.games, 'game')} at level {top.level}"
    if drama.changes.high < STEADY:
        yield Verdict("drama", "note", f"Whoever leads wins: the lead changes {drama.changes.plain()} times a game.", evidence)
    elif drama.changes.low > CHANGING:
        yield Verdict("drama", "good", f"It stays exciting: the lead changes {drama.changes.plain()} times a game.", evidence)
    if drama.decided is not None and drama.decided.low > DECIDED:
        sentence = (
            f"Games go on after they are decided: {drama.decided.percent()} of a game is left when strong players see its result."
        )
        yield Verdict("drama", "note", sentence, evidence)


def _many(found: Findings) -> Iterator[Verdict]:
    sides = len(found.game.sides)
    for player in dict.fromkeys(row.player for row in found.sides):
        rows = [row for row in found.sides if row.player == player]
        sentence = ", ".join(f"{row.side} wins {row.share.percent()}" for row in rows)
        skewed = any(row.share.low > EQUAL / sides or row.share.high < 1 / sides / EQUAL for row in rows)
        if rows[0].games < MIN_GAMES:
            yield Verdict("balance", "unknown", "Too few games to compare the sides.", f"{player}: {sentence}")
        elif skewed:
            yield Verdict(
                "balance", "bad", f"The sides are not equal when {player} plays all of them: {sentence}.", _describe_rows(rows)
            )
        else:
            yield Verdict("balance", "note", f"When {player} plays all sides, {sentence}.", _describe_rows(rows))
    lacks = f"With {sides} sides there are neither levels nor a solver here: strong play and skill are not measured."
    yield Verdict("balance", "unknown", lacks, "")


def _describe_rows(rows: Sequence[SideShare]) -> str:
    return words.count(rows[0].games, "game")
