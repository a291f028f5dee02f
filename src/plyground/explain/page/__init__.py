"""The page to step through a search: one file, no network access. Its parts are the html, css and js files here."""

from __future__ import annotations

import html
from collections.abc import Hashable
from pathlib import Path
from typing import Any, cast

from plyground.board.picture import STYLE, picture
from plyground.errors import PlygroundError
from plyground.explain import SIGNS, Explanation, estimate_head, estimate_rows, finite, shown_value
from plyground.explain.quiz import QuizQuestion, questions
from plyground.pages import PagePolicy, as_data, assemble, style_of
from plyground.pages.bundle import bundle
from plyground.play import words
from plyground.rules.hooks import State
from plyground.score import infinite, proven
from plyground.textbook.trace import Node, Value

PARTS = Path(__file__).parent
STYLES = (STYLE, PARTS / "page.css")
MAX_NODES = 25_000
"""With more nodes than this, a page takes too long to open."""


def page(found: Explanation) -> str:
    """Return the page, ready to be written to a file."""
    if len(found.nodes) > MAX_NODES:
        raise PlygroundError(
            f"the tree has {len(found.nodes):,} nodes, but a page can show {MAX_NODES:,}; try a smaller depth or a later state"
        )
    title = f"{found.game.title}: {found.algorithm_text}"
    return template(html.escape(title), as_data(data(found)))


def template(title: str, data: str) -> str:
    """Return the page with this title and data."""
    script = bundle(PARTS / "page.js")
    return assemble(PARTS / "page.html", title, STYLES, PagePolicy((script,)), data=data, script=script)


def allowed() -> PagePolicy:
    """Return the scripts and styles that a page must allow to show this one in a frame."""
    return PagePolicy((bundle(PARTS / "page.js"),), (style_of(STYLES),))


def data(found: Explanation) -> dict[str, object]:
    """Return the page's data. Names are short because every node repeats them."""
    boards, asked = Boards(found), questions(found)
    place = {n: i for i, n in enumerate(found.nodes)}
    return {
        **found.summary(),
        "title": found.game.title,
        "named": found.algorithm_text,
        "value_text": words.for_max(found.answer.value),
        "sides": found.sides,
        "first": [place[root.enter.node] for root in found.roots],
        "nodes": [_node(found, node, place, boards) for node in found.nodes.values()],
        "steps": [[step.what[0], place[step.node], *([1] if step.best else [])] for step in found.walk.steps],
        "words": _words(found, asked),
        "signs": SIGNS,
        "quiz": [question.as_json(boards.of, place) for question in asked],
        "boards": boards.as_json(),
    }


def _node(found: Explanation, node: Node, place: dict[int, int], boards: Boards) -> dict[str, Any]:
    """Return a node with short names.

    They are p(arent), m(ove), k(ind), d(epth), a(lpha), b(eta), v(alues by step), up (the value returned, if it differs from the
    one shown), l(eaf), h(it), c(ut), line, w(eight among chance outcomes), best, board, j(udgement: what was learned).

    Missing fields are left out; an infinite alpha or beta is the text -∞ or ∞.
    """
    enter, cut = node.enter, node.cutoff
    row = {
        "p": None if enter.parent is None else place[enter.parent],
        "m": found.move(node) or None,
        "k": enter.kind,
        "d": enter.depth,
        "a": _bound(enter.alpha),
        "b": _bound(enter.beta),
        "v": [[step, _plain(shown_value(node, value))] for step, value in found.walk.values.get(enter.node, [])],
        "up": _plain(node.leave.value) if node.leave and shown_value(node, node.leave.value) != node.leave.value else None,
        "l": node.leaf and node.leaf.kind,
        "h": node.hit and [node.hit.kind, _plain(node.hit.value)],
        "c": cut and [found.moves(node, (cut.move,))[0], found.moves(node, cut.pruned), cut.reason],
        "line": found.line(node) or None,
        "w": found.probability(node),
        "best": 1 if enter.node in found.best else None,
        "board": boards.of(enter.state),
        "j": _learned(found, node),
    }
    return {name: value for name, value in row.items() if value is not None}


def _learned(found: Explanation, node: Node) -> list[object] | None:
    """Return the learned estimate of a root or a leaf: how it comes from its parts, and the largest of them."""
    judge, leaf = found.game.explain_evaluation, node.leaf is not None and node.leaf.kind != "terminal"
    if judge is None or not (leaf or node.enter.parent is None) or found.game.result(node.enter.state) is not None:
        return None
    judgement = judge(node.enter.state)
    return [estimate_head(judgement), estimate_rows(judgement)]


def _plain(value: Value | None) -> float | str:
    """Return a value as the page compares it: a finite number, otherwise a text."""
    return value if isinstance(value, int | float) and finite(value) is not None else words.short(value)


def _bound(value: float | None) -> float | str | None:
    return None if value is None else _plain(value)


def _words(found: Explanation, asked: list[QuizQuestion]) -> dict[int, list[str]]:
    """Return the texts of each proven win or loss on the page: as a label, and in a sentence."""
    numbers: set[Value | None] = {value for values in found.walk.values.values() for _, value in values}
    numbers |= {bound for node in found.nodes.values() for bound in (node.enter.alpha, node.enter.beta)}
    numbers |= {leaf for question in asked for leaf in question.leaves()}
    wins = [cast(int, n) for n in numbers if isinstance(n, int) and proven(n) and not infinite(n)]
    return {n: [words.short(n), words.for_max(n)] for n in wins}


class Boards:
    """The boards of the page, each once: the cells and the side to move, or text if the rules have no BOARD."""

    def __init__(self, found: Explanation) -> None:
        self.game = found.game
        self.numbers: dict[Hashable, int] = {}
        self.boards: list[dict[str, Any]] = []

    def of(self, s: State) -> int:
        """Return the number of a state's board."""
        identity = self.game.identity(s)
        if identity not in self.numbers:
            self.numbers[identity] = len(self.boards)
            self.boards.append(self._draw(s))
        return self.numbers[identity]

    def _draw(self, s: State) -> dict[str, Any]:
        if self.game.board is None:
            return {"text": self.game.show(s)}
        return {"cells": self.game.cells(s), "turn": self.game.turn(s) or 0}

    def as_json(self) -> dict[str, object]:
        """Return `picture`, which all boards share, and `each`, the rest of each board."""
        board = self.game.board
        return {"picture": None if board is None else picture(board, self.game.sides).as_json(), "each": self.boards}
