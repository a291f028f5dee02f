"""The one entry to the benchmarks: which parts it runs, and that each table has its place. Nothing is measured here."""

import re
from pathlib import Path

import pytest

import run as entry
from here import DOCS

PAGES = ["README.md", *(f"docs/{page.name}" for page in sorted(DOCS.glob("*.md")))]
TEXTS = {page: (entry.ROOT / page).read_text(encoding="utf-8") for page in PAGES}


@pytest.fixture
def ran(monkeypatch):
    """The names of the parts that were run."""
    names = []
    monkeypatch.setattr(entry, "run", lambda name, options: names.append(name))
    return names


def test_every_table_has_a_place_and_every_place_a_table() -> None:
    places = {(page, mark) for page, text in TEXTS.items() for mark in re.findall(r"<!-- (games|bench:\w+) -->", text)}
    assert places == {(page, part.mark) for part in entry.TABLES.values() for page in part.pages}


def test_without_names_all_parts_run_that_are_quick_and_have_their_data(ran, capsys, tmp_path: Path) -> None:
    entry.main([])
    assert {"signature", "textbook", "peers", "kalah"} <= set(ran)
    assert not {"connect4", "empty", "sets", "answers"} & set(ran)
    assert "connect4" in capsys.readouterr().err
    ran.clear()
    entry.main(["--data", str(tmp_path)])
    assert "connect4" in ran
    assert "sets" not in ran


def test_named_parts_alone_run_in_their_order(ran) -> None:
    entry.main(["threads", "empty", "peers"])
    assert ran == ["threads", "empty", "peers"]


@pytest.mark.parametrize(("words", "told"), [(["chess"], "there is no part 'chess'"), (["sets"], "sets needs --data FOLDER")])
def test_what_cannot_run_is_refused_before_anything_runs(ran, capsys, words: list[str], told: str) -> None:
    with pytest.raises(SystemExit, match="2"):
        entry.main(["peers", *words])
    assert told in capsys.readouterr().err
    assert not ran


def test_a_part_writes_its_table_into_each_of_its_pages(monkeypatch, tmp_path: Path) -> None:
    for page in ("a.md", "b.md"):
        (tmp_path / page).write_text("one <!-- bench:x -->old<!-- /bench --> two", encoding="utf-8")
    monkeypatch.setattr(entry, "ROOT", tmp_path)
    monkeypatch.setitem(entry.TABLES, "x", entry.Part(lambda options: f"new {options.each}", ["a.md", "b.md"], "bench:x"))
    entry.run("x", entry.Options(None, 7))
    for page in ("a.md", "b.md"):
        assert (tmp_path / page).read_text(encoding="utf-8") == "one <!-- bench:x -->\n\nnew 7\n\n<!-- /bench --> two"
