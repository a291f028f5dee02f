"""One vocabulary: no name stands for two things, names and docstrings use the words of the field, and no old word comes back."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from here import DOCS, ROOT
from test_architecture import HOME

WORDS = {
    "told": "known_value, with_user_errors, or what it is",
    "foreseen": "proven_by_lookout",
    "judged": "evaluate_net",
    "weighed": "active_weight_sum",
    "bent": "squash",
    "noted": "record_error",
    "hurry": "stop_now (a peer), reset_step_sizes (weights)",
    "grown": "Node",
    "keeper": "GameRecorder",
    "rubbish": "UNPARSABLE",
    "crew": "WorkerPool",
    "greet": "handshake",
    "turned": "targeting_wasm, flipped, rotate",
    "together": "link, join",
    "words_stay_words": "uint64_arithmetic",
    "circle_of": "call_cycle",
    "turn_round": "reverse_edges",
    "ask_early": "prefetch",
    "passers_by": "en_passant_capturers",
    "upended": "flip_vertical",
    "tilted": "transpose",
}
"""Words that no name may contain, in any case, with what to write instead."""
CLASS_WORDS = {"far": "RemoteSelfPlay", "few": "NodeLimitedTrace"}
"""The same for the names of classes alone: `far` and `few` are good words for a distance and a number."""
PHRASES = {
    r"\bso many\b(?! \w+ that\b)": "n, as many as",
    r"\bof no use\b": "unused",
    r"\((?:once)\)": "(first time only)",
    r"\b(?:is|are) told\b": "shown, reported, distinguished",
    r", says\b": "reports, without the comma",
    r"to each its own": "one each",
    r"\bto many a\b": "to many",
}
"""Phrases that neither code nor documentation may contain."""
SHARED_CLASSES = {"State": "the contract of a game asks for it: each rules file has its own"}
"""Names that several classes may have, with the reason."""
SHARED_MODULES = {
    "book": "the command builds what `solver/book.py` defines",
    "compare": "the command prints what `textbook/compare.py` measures",
    "evaluate": "a part of each game in a folder",
    "net": "the command shows what `nets/net.py` defines",
    "notation": "a part of each game in a folder",
    "perft": "the command prints what `measure/perft.py` counts with the kernel `kernels/tools/perft.py`",
    "report": "the command studies a game; `play/report.py` has what a search reports",
    "rules": "a part of each game in a folder",
}
"""Names that several modules may have, with the reason."""
VERBS_IN_S = {"Process", "Pass", "Press", "Guess", "Compress", "Discuss", "Address", "Access", "Toss", "Focus", "Dismiss"}
NO_VERBS = re.compile(
    "The|An?|What|How|Is|Does|Are|Can|Has|Have|Where|Who|Whose|Why|Which|When|Whether|Every|Each|One|Two|All|With|For|In|Of|On|By|"
    "From|As|After|Before|If|While|Must|Another|Everything|Nothing|Its|Their|Fail-soft|So|Something|Meanwhile,?|[A-Z]?[a-z]+s|`.*"
)
"""First words of docstrings that begin with no verb."""


@cache
def trees():
    return {path.relative_to(HOME): ast.parse(path.read_text(encoding="utf-8")) for path in sorted(HOME.rglob("*.py"))}


def nodes(*kinds):
    for path, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, kinds):
                yield path, node


def repeated(found):
    """The names that occur more than once, with the places where they do."""
    places: dict[str, list[str]] = {}
    for path, name in found:
        places.setdefault(name, []).append(path.as_posix())
    return {name: where for name, where in places.items() if len(where) > 1}


def test_no_two_classes_have_the_same_name_without_a_reason():
    found = repeated((path, node.name.lstrip("_")) for path, node in nodes(ast.ClassDef))
    assert found.keys() == SHARED_CLASSES.keys(), found


def test_no_two_modules_have_the_same_name_without_a_reason():
    found = repeated((path, path.stem.lstrip("_")) for path in trees() if path.stem not in ("__init__", "__main__"))
    assert found.keys() == SHARED_MODULES.keys(), found


def bound_names():
    """Every name that the package gives to something, with its place."""
    names = {ast.arg: "arg", ast.alias: "asname", ast.ExceptHandler: "name", ast.MatchAs: "name", ast.ClassDef: "name"}
    names |= {ast.FunctionDef: "name", ast.AsyncFunctionDef: "name", ast.Name: "id", ast.Attribute: "attr"}
    for path, node in nodes(*names):
        name = getattr(node, names[type(node)])
        if name is not None and isinstance(getattr(node, "ctx", ast.Store()), ast.Store):
            yield path, node.lineno, name


def parts(name):
    """The words of a name, in lower case.

    >>> parts("_PlyLog"), parts("MAX_ELO")
    (['ply', 'log'], ['max', 'elo'])
    """
    return [part.lower() for part in re.findall("[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+", name)]


def contains(name, words):
    return f"_{words}_" in f"_{'_'.join(parts(name))}_"


@pytest.mark.parametrize("word", WORDS)
def test_no_name_contains_an_old_word(word):
    found = [f"{path}:{line}: {name}" for path, line, name in bound_names() if contains(name, word)]
    assert not found, f"write {WORDS[word]} instead:\n" + "\n".join(found)


@pytest.mark.parametrize("word", CLASS_WORDS)
def test_no_class_has_an_old_word(word):
    found = [f"{path}:{node.lineno}: {node.name}" for path, node in nodes(ast.ClassDef) if contains(node.name, word)]
    assert not found, f"write {CLASS_WORDS[word]} instead:\n" + "\n".join(found)


def test_an_old_word_is_found_as_a_whole_part_of_a_name():
    assert [name for name in ("_told", "toldYou", "TOLD_ALL", "untold", "tolds") if contains(name, "told")] == [
        "_told",
        "toldYou",
        "TOLD_ALL",
    ]
    assert contains("_turn_round", "turn_round")


@cache
def texts():
    """The text of every file that people read: the package with its pages, the tests, and the documentation."""
    folders = (HOME, ROOT / "tests", ROOT / "benchmarks", ROOT / "examples")
    files = [file for folder in folders for kind in ("py", "js", "html", "css") for file in folder.rglob(f"*.{kind}")]
    files += [*DOCS.glob("*.md"), *ROOT.glob("*.md"), ROOT / "Makefile"]
    own = {"CHANGELOG.md", Path(__file__).name}
    return {file: file.read_text(encoding="utf-8") for file in sorted(files) if file.name not in own}


@pytest.mark.parametrize("phrase", PHRASES)
def test_no_text_has_an_old_phrase(phrase):
    found = []
    for file, text in texts().items():
        for match in re.finditer(phrase, text, re.IGNORECASE):
            found.append(f"{file.relative_to(ROOT)}:{text.count(chr(10), 0, match.start()) + 1}")
    assert not found, f"write {PHRASES[phrase]} instead:\n" + "\n".join(found)


def docstrings():
    """The docstring of each function that is no property: a property is named after what it is, and so is its docstring."""
    for path, node in nodes(ast.FunctionDef, ast.AsyncFunctionDef):
        kinds = {getattr(d, "attr", getattr(d, "id", "")) for d in node.decorator_list}
        text = ast.get_docstring(node)
        if text and not kinds & {"property", "cached_property"}:
            yield f"{path}:{node.lineno}", text


def test_no_docstring_asks_a_question():
    assert not [f"{place}: {text.split('.')[0]}" for place, text in docstrings() if re.match(r"[^.]*\?(\s|$)", text)]


def test_docstrings_of_functions_start_with_a_verb():
    assert not [f"{place}: {text.splitlines()[0]}" for place, text in docstrings() if not imperative(text.split()[0])]


def imperative(word):
    return word in VERBS_IN_S or not NO_VERBS.fullmatch(word)


def test_a_docstring_is_found_that_starts_with_no_verb():
    assert [w for w in ("Return", "Pass", "Adds", "The", "`m`") if imperative(w)] == ["Return", "Pass"]
