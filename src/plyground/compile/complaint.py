"""A compiler's complaint, in the words of somebody who writes rules: where, what, and what to do instead."""

from __future__ import annotations

import linecache
import re
from pathlib import Path

from plyground.errors import GameError

PACKAGE = Path(__file__).parent.parent

PUT = "`put(t, i, x)` from plyground.bits gives the tuple with one item replaced"
DICE = "rules have no dice of their own; give `chance(s)`, the moves of the dice with their weights"
OUTSIDE = "rules change nothing outside of the state; keep it in the State"
OURS = {"_as_outcome": "result"}
"""Functions of ours that take what a rule gives."""
ADVICE = [
    (r"_as_outcome", "`result` must give None or a number: 1, 0 or -1 for the side to move, or a margin"),
    (r"_replace", "build the state anew, State(...) with every field"),
    (
        r"runaway recursion",
        "a function that calls itself must do so in a loop of its own, and return a number without that first",
    ),
    (r"Enum class<", "an enum cannot be made of a number; compare the number with its members"),
    (r"put_item", "`put` replaces an item of a tuple of ints, not of a long table or a list"),
    (r"getitem\(Tuple\((Uni)?Tuple\(", "inner tuples must have one length; fill them up, for example with -1"),
    (r"add\((Uni)?Tuple\(.*, (Uni)?Tuple\(", f"the length of a tuple is fixed, it cannot grow; {PUT}"),
    (
        r"add\((reflected )?list\(.*, (Uni)?Tuple\(|add\((Uni)?Tuple\(.*, (reflected )?list\(",
        "a part of a tuple has no fixed length; build the tuple item by item: tuple(... for i in range(n))",
    ),
    (r"truth value of an array", "a table is no condition; ask for its len, or for one item"),
    (r"getitem\(.*Tuple.*slice", f"a tuple has no slices at a variable place; {PUT}"),
    (r"class 'tuple'|function tuple", f"a list has no fixed length to make a tuple of; {PUT}"),
    (r"[Uu]nify (Uni)?Tuple\(.* and (Uni)?Tuple\(", f"the length of a tuple is fixed, it cannot grow; {PUT}"),
    (
        r"yield in a closure|cell variable|make_function|closure",
        "write a loop, or a function at the top level, in place of generator expressions and inner functions",
    ),
    (r"STORE_GLOBAL|DELETE_GLOBAL|of type readonly array|immutable", OUTSIDE),
    (r"MATCH_", "write ifs in place of match"),
    (
        r"class 'dict'|DictType|dict\(|class 'set'|class 'frozenset'|set\(",
        "use tuples, ints and bit masks in place of dicts and sets",
    ),
    (r"exc_class|context manager|SETUP_|\btry\b", "ask with if beforehand in place of try and with"),
    (r"module 'random'", DICE),
    (r"'NoneType' object has no attribute 'args'", "a function gives nothing on some path; return a value on every path"),
    (r"of type Module\(", "compute it with ints, or write the module's function yourself"),
    (r"Unknown attribute '\w+' of type \w+\(", "a state has fields only; write a function in place of a method"),
    (r"name '\w+': Cannot determine Numba type of <class 'type'>", "use a NamedTuple in place of a class"),
    (r"name '\w+': Cannot determine Numba type", "from outside, rules use numbers, tuples of numbers and plain functions"),
    (
        r"f-string|unicode|\bstr\b|literal\[str\]|FORMAT_VALUE|BUILD_STRING",
        "rules compute with numbers; keep text to show, parse_* and format_*",
    ),
    (r"\*args in function", "write the arguments out"),
    (
        r"list\(undefined\)|Untyped list|list of unknown type|reflected list",
        "an empty list has no type; append to it, or yield the moves",
    ),
    (r"float", "a number became a float; divide with //"),
    (r"[Uu]nify", "a variable or a result must be of one kind on every path"),
    (r"NameError|not defined", "is the name spelled as it was defined?"),
]


def refusal(where: str, file: str, line: int, advice: str) -> GameError:
    """What can't be compiled, in one line: the place in the rules, the code there, and what to write instead."""
    return GameError(_told(where, file, line, advice))


def _told(where: str, file: str, line: int, advice: str) -> str:
    source = linecache.getline(file, line).strip() if file else ""
    named = where if not file or Path(file).name == Path(where).name else file
    what = f"`{source[:100]}`" if source else "something"
    return f"{named}{f':{line}' if line else ''}: {what} cannot be compiled: {advice}"


def explain(where: str, rules: dict[str, object], e: BaseException) -> str:
    """One line: the file and line of the rules, the code there, and what would be right."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(e))
    file, line = _place(text) or _asked(text, rules) or _culprit(rules) or ("", 0)
    source = linecache.getline(file, line).strip() if file else ""
    complaint = _without_places(text, source)
    hint = next((h for pattern, h in ADVICE if re.search(pattern, complaint)), None)
    return _told(where, file, line, hint or _reason(complaint, e))


def _without_places(text: str, source: str) -> str:
    """What a complaint says itself, without the code, the names of files, and all that it would have understood instead."""
    text = re.sub(r'File "[^"]*", line \d+:\n.*?\n\s*\^', "", text, flags=re.DOTALL)
    text = re.sub(r"There are \d+ candidate implementations.*?(?=\nDuring|\Z)", "", text, flags=re.DOTALL)
    text = re.sub(r"(Raised from|location:) .* \(\d+\)|<function plyground_rules_\w+ at \w+>", "", text)
    lines = [line for line in text.splitlines() if not re.match(r"\s*(File |During: |<source|\^|def )", line)]
    return "\n".join(line for line in lines if line.strip() != source)


def _place(text: str) -> tuple[str, int] | None:
    """The innermost line of somebody's rules that the compiler names."""
    found = re.findall(r'File "([^"<>]+)", line (\d+)', text) + re.findall(r"Raised from (\S+) \((\d+)\)", text)
    ours = [(file, int(line)) for file, line in found if _is_rules(Path(file).resolve())]
    return ours[0] if ours else None


def _asked(text: str, rules: dict[str, object]) -> tuple[str, int] | None:
    """The rule that gave what our own code cannot take."""
    rule = next((rule for ours, rule in OURS.items() if ours in text), "")
    code = getattr(rules.get(rule), "__code__", None)
    return (code.co_filename, code.co_firstlineno) if code else None


def _is_rules(file: Path) -> bool:
    if "site-packages" in file.parts:
        return False
    return not file.is_relative_to(PACKAGE) or file.parent == PACKAGE / "games"


def _culprit(rules: dict[str, object]) -> tuple[str, int] | None:
    """The first rule that the compiler cannot even read, or that handles exceptions, where its complaint does not say."""
    import dis
    import types

    from numba.core.compiler import run_frontend

    for f in rules.values():
        if not isinstance(f, types.FunctionType):
            continue
        try:
            run_frontend(f)
            readable = True
        except Exception:
            readable = False
        if not readable or any(i.opname == "PUSH_EXC_INFO" for i in dis.get_instructions(f)):
            return f.__code__.co_filename, f.__code__.co_firstlineno
    return None


def _reason(complaint: str, e: BaseException) -> str:
    lines = [r.strip() for r in complaint.splitlines() if r.strip()]
    told = [r for r in lines if not r.startswith(("Failed in", "During", ">>>", "-", "["))]
    return (told or lines or [type(e).__name__])[0][:120].rstrip(" .:") + "; write it with ints, tuples, loops and ifs"
