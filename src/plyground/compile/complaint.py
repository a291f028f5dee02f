"""Compiler error messages for people who write rules: where, what is wrong, and what to write instead."""

from __future__ import annotations

import linecache
import re
import traceback
from pathlib import Path

from plyground.errors import GameError
from plyground.system.patience import shown_file

PACKAGE = Path(__file__).parent.parent

PUT = "`put(t, i, x)` from plyground.bits returns the tuple with one item replaced"
DICE = "rules must not use random numbers; define `chance(s)`, which yields each outcome with its weight"
OUTSIDE = "rules must not change anything outside the state; keep it in the State"
NARROW = r"(items of this array have|it returns items of an array of|NumPy refuses numbers of more than) \d+ bits.*"
"""The messages of `compile/narrow.py`."""
RULE_OF = {"_as_outcome": "result"}
"""The rule whose value one of our functions takes, by the name of our function."""
ADVICE = [
    (r"_as_outcome", "`result` must return None or a number: 1, 0 or -1 for the side to move, or a margin"),
    (r"_replace", "build a new state: State(...) with every field"),
    (
        r"runaway recursion",
        "put recursive calls in a plain loop, not in a generator expression, and return a number without recursion first",
    ),
    (r"Enum class<", "a number can't be turned into an enum; compare the number with its members"),
    (r"put_item", "`put` works on a tuple of ints, not on a long table or a list"),
    (r"getitem\(Tuple\((Uni)?Tuple\(", "inner tuples must have the same length; pad them, for example with -1"),
    (r"add\((Uni)?Tuple\(.*, (Uni)?Tuple\(", f"a tuple has a fixed length and can't grow; {PUT}"),
    (
        r"add\((reflected )?list\(.*, (Uni)?Tuple\(|add\((Uni)?Tuple\(.*, (reflected )?list\(",
        "a slice of a tuple has no fixed length; build the tuple item by item: tuple(... for i in range(n))",
    ),
    (
        r"name '\w+': Cannot determine Numba type of <class '(tuple|list)'>",
        "rules can use global numbers, tuples of numbers and plain functions",
    ),
    (r"built-in function contains>", "a generator can't be searched with `in`; write any(x == y for x in ...)"),
    (r"getitem\(.*, bool\)", "an index must be an int; write int(...)"),
    (r"mul\((Uni)?Tuple|mul\(.*, (Uni)?Tuple", "a tuple can't be repeated; write tuple(x for _ in range(4))"),
    (r"OverloadSelector object.*List\(", "a default value must be a number or a tuple, not a list"),
    (r"truth value of an array", "a table can't be a condition; test its len, or one item"),
    (r"getitem\(.*Tuple.*slice", f"a tuple can't be sliced at a variable index; {PUT}"),
    (r"class 'tuple'|function tuple\b(?!\.)", f"a list has no fixed length, so it can't be converted to a tuple; {PUT}"),
    (r"[Uu]nify (Uni)?Tuple\(.* and (Uni)?Tuple\(", f"a tuple has a fixed length and can't grow; {PUT}"),
    (
        r"yield in a closure|cell variable|make_function|closure",
        "use a loop or a top-level function instead of generator expressions and inner functions",
    ),
    (r"STORE_GLOBAL|DELETE_GLOBAL|of type readonly array|immutable", OUTSIDE),
    (r"MATCH_", "use if instead of match"),
    (r"Keyword arguments are not supported", "call it with positional arguments"),
    (
        r"class 'dict'|DictType|dict\(|class 'set'|class 'frozenset'|set\(",
        "use tuples, ints and bit masks instead of dicts and sets",
    ),
    (r"exc_class|context manager|SETUP_|\btry\b", "test with if beforehand instead of using try or with"),
    (r"module 'random'", DICE),
    (r"'NoneType' object has no attribute 'args'", "a function returns nothing on some path; return a value on every path"),
    (r"of type Module\(", "compute it with ints, or write the module's function yourself"),
    (r"Unknown attribute '\w+' of type \w+\(", "a state can only have fields; use a function instead of a method"),
    (r"name '\w+': Cannot determine Numba type of <class 'type'>", "use a NamedTuple instead of a class"),
    (r"name '\w+': Cannot determine Numba type", "rules can use global numbers, tuples of numbers and plain functions"),
    (
        r"f-string|unicode|\bstr\b|literal\[str\]|FORMAT_VALUE|BUILD_STRING",
        "rules compute with numbers; use text only in show, parse_* and format_*",
    ),
    (r"\*args in function", "list the arguments"),
    (
        r"list\(undefined\)|Untyped list|list of unknown type|reflected list",
        "an empty list has no type; append to it, or yield the moves",
    ),
    (r"float", "a number became a float; divide with //"),
    (r"[Uu]nify", "a variable or a result must have the same type on every path"),
    (r"NameError|not defined", "check the spelling of the name"),
]


def unsupported_code_error(where: str, file: str, line: int, advice: str) -> GameError:
    """Return the one-line error for code that can't be compiled: its place, the code, and what to write instead."""
    return GameError(_refusal_text(where, file, line, advice))


def _source(file: str, line: int) -> str:
    """Return a line of a file as it is now; the file may have changed since it was last read."""
    linecache.checkcache(file)
    return linecache.getline(file, line).strip() if file else ""


def _refusal_text(where: str, file: str, line: int, advice: str) -> str:
    source = _source(file, line)
    named = shown_file(where, file) if file else where
    what = f"`{source[:100]}`" if source else "something"
    return f"{named}{f':{line}' if line else ''}: {what} can't be compiled: {advice}"


def explain(where: str, rules: dict[str, object], e: BaseException) -> str:
    """Return a compiler error in one line: the file and line of the rules, the code there, and what to write instead."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(e))
    file, line = _named_line(text) or _misused_rule(text, rules) or _current_line(e) or _unparsable_rule(rules) or ("", 0)
    source = _source(file, line)
    complaint = _without_places(text, source)
    mismatch = re.search(rf"State\.\w+ is an? [a-z0-9 ]+, but gets an? [a-z0-9 ]+|{NARROW}", text)
    hint = mismatch[0] if mismatch else next((h for pattern, h in ADVICE if re.search(pattern, complaint)), None)
    return _refusal_text(where, file, line, hint or _reason(complaint, e))


def _without_places(text: str, source: str) -> str:
    """Return the core of a compiler error, without code, file names and the list of candidate implementations."""
    text = re.sub(r'File "[^"]*", line \d+:\n.*?\n\s*\^', "", text, flags=re.DOTALL)
    text = re.sub(r"There are \d+ candidate implementations.*?(?=\nDuring|\Z)", "", text, flags=re.DOTALL)
    text = re.sub(r"(Raised from|location:) .* \(\d+\)|<function plyground_rules_\w+ at \w+>", "", text)
    lines = [line for line in text.splitlines() if not re.match(r"\s*(File |During: |<source|\^|def )", line)]
    return "\n".join(line for line in lines if line.strip() != source)


def _named_line(text: str) -> tuple[str, int] | None:
    """Return the innermost line of the rules that the compiler names."""
    found = re.findall(r'File "([^"<>]+)", line (\d+)', text) + re.findall(r"Raised from (\S+) \((\d+)\)", text)
    ours = [(file, int(line)) for file, line in found if _is_rules(Path(file).resolve())]
    return ours[0] if ours else None


def _misused_rule(text: str, rules: dict[str, object]) -> tuple[str, int] | None:
    """Return the rule whose value our own code can't handle."""
    rule = next((rule for ours, rule in RULE_OF.items() if ours in text), "")
    code = getattr(rules.get(rule), "__code__", None)
    return (code.co_filename, code.co_firstlineno) if code else None


def _current_line(e: BaseException) -> tuple[str, int] | None:
    """Return the line of the rules that the compiler was working on when it failed without naming one."""
    from numba.core.ir import Loc

    frames = [frame for frame, _ in traceback.walk_tb(e.__traceback__)]
    for frame in reversed(frames):
        for value in frame.f_locals.values():
            loc = value if isinstance(value, Loc) else getattr(value, "loc", None)
            if isinstance(loc, Loc) and loc.line and _is_rules(Path(loc.filename).resolve()):
                return loc.filename, loc.line
    return None


def _is_rules(file: Path) -> bool:
    if "site-packages" in file.parts:
        return False
    return not file.is_relative_to(PACKAGE) or file.is_relative_to(PACKAGE / "games")


def _unparsable_rule(rules: dict[str, object]) -> tuple[str, int] | None:
    """Return the first rule that the compiler can't even parse, or that handles exceptions, if the error names no line."""
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
    reasons = [r for r in lines if not r.startswith(("Failed in", "During", ">>>", "-", "["))]
    return (reasons or lines or [type(e).__name__])[0][:120].rstrip(" .:") + "; use ints, tuples, loops and ifs"
