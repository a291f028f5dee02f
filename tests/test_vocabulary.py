"""One vocabulary: no name stands for two things, names and docstrings use the words of the field, and no old word comes back."""

import ast
import re
from functools import cache

import pytest

from here import DOCS, ROOT
from plyground.cli import commands
from test_architecture import HOME

WORDS = {
    "told": "known_value, with_user_errors, or what it is",
    "foreseen": "proven_by_lookout",
    "judged": "evaluate_net",
    "weighed": "active_weight_sum",
    "bent": "squash",
    "noted": "record_error",
    "hurry": "stop_now (a peer), reset_step_sizes (weights)",
    "Far": "RemoteSelfPlay",
    "Grown": "Node",
    "Few": "NodeLimitedTrace",
    "Keeper": "GameRecorder",
    "RUBBISH": "UNPARSABLE",
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
"""Names that nothing may have, with what to write instead."""
PHRASES = {
    r"\bso many\b(?! \w+ that\b)": "n, as many as",
    r"of no use there": "unused",
    r"to each its own": "one each",
    r"\bto many a\b": "to many",
}
"""Phrases that neither code nor documentation may contain."""
IN_EVERY_GAME = {"State"}
"""Classes that the contract of a game asks for: each rules file has its own."""
SHARED_MODULES = {
    **dict.fromkeys(commands(), "a command is named after what it does, and so is the module that does it"),
    **dict.fromkeys(("rules", "evaluate", "notation"), "the parts of a game in a folder have the same names in every game"),
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
    return [f"{name}: {', '.join(where)}" for name, where in places.items() if len(where) > 1]


def test_no_two_classes_have_the_same_name():
    classes = [(path, node.name) for path, node in nodes(ast.ClassDef)]
    assert not repeated((path, name) for path, name in classes if name not in IN_EVERY_GAME)


def test_no_two_modules_have_the_same_name_without_a_reason():
    modules = [(path, path.stem) for path in trees() if path.stem not in ("__init__", "__main__")]
    assert not repeated((path, name) for path, name in modules if name not in SHARED_MODULES)


def bound_names():
    """Every name that the package gives to something, with its place."""
    for path, node in nodes(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.arg, ast.Name, ast.Attribute):
        if isinstance(node, ast.arg):
            yield path, node.lineno, node.arg
        elif isinstance(node, ast.Name | ast.Attribute):
            if isinstance(node.ctx, ast.Store):
                yield path, node.lineno, node.id if isinstance(node, ast.Name) else node.attr
        else:
            yield path, node.lineno, node.name


@pytest.mark.parametrize("word", WORDS)
def test_no_name_is_an_old_word(word):
    found = [f"{path}:{line}: {name}" for path, line, name in bound_names() if name.strip("_") == word]
    assert not found, f"write {WORDS[word]} instead:\n" + "\n".join(found)


@cache
def texts():
    """The text of every file that people read: the package with its pages, and the documentation."""
    files = [file for kind in ("py", "js", "html", "css") for file in HOME.rglob(f"*.{kind}")]
    files += [*DOCS.glob("*.md"), *ROOT.glob("*.md")]
    return {file: file.read_text(encoding="utf-8") for file in sorted(files) if file.name != "CHANGELOG.md"}


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
