"""Bundles ES modules into one script: a page that is opened from a file can't import any.

Modules have named exports and relative imports, nothing more: `import { a, b } from "./other.js";` and `export` before a
function, class or constant. They share one scope afterwards, so a name may be declared at the top of one module only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]*)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async function|function|class|const)\b)", re.MULTILINE)
LEFT = re.compile(r"^(?:import|export)\b.*$|\bimport\(.*$", re.MULTILINE)
DECLARED = re.compile(r"^(export )?(?:(?:async )?function\*?|class) ([\w$]+)", re.MULTILINE)
VARIABLES = re.compile(r"^(export )?(?:const|let|var) (.*?);[ \t]*$(?!\n[ )\]}])", re.MULTILINE | re.DOTALL)
TEXT = re.compile(
    r'"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|//[^\n]*|/\*.*?\*/'
    r"|(?<=[(=,:!&|?\[]) ?/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/",
    re.DOTALL,
)
"""Strings, templates, comments and regular expressions."""
NESTED = re.compile(r"\([^()\[\]{}]*\)|\[[^()\[\]{}]*\]|\{[^()\[\]{}]*\}")
COMMENT = re.compile(r"^[ \t]*(?:/\*\*(?:(?!\*/).)*\*/[ \t]*|//[^\n]*)\n", re.MULTILINE | re.DOTALL)
"""Comments on lines of their own: readers of the page's source don't need the types."""
ENDS_SCRIPT = re.compile(r"</script|<!--", re.IGNORECASE)


class BundleError(Exception):
    """A module that can't be put into one script with the others."""


@dataclass
class Module:
    """A module: its code without imports and exports, and what it imports from which files."""

    path: Path
    code: str
    imports: dict[Path, list[str]] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    exports: set[str] = field(default_factory=set)


def bundle(*entries: Path) -> str:
    """Return one script with these modules and all that they import, each after those that it imports."""
    modules: dict[Path, Module] = {}
    for entry in entries:
        _add(entry.resolve(), modules, [])
    owner: dict[str, Path] = {}
    for module in modules.values():
        for name in module.names:
            if name in owner:
                raise BundleError(f"{module.path.name} and {owner[name].name} both declare {name}")
            owner[name] = module.path
    return "\n".join(['"use strict";', *(f"// {module.path.name}\n{module.code}" for module in modules.values())])


def _add(path: Path, modules: dict[Path, Module], way: list[Path]) -> None:
    """Add a module after those that it imports; `way` is the path of imports that leads to it."""
    if path in modules:
        return
    if path in way:
        raise BundleError(f"modules import each other: {' -> '.join(p.name for p in [*way[way.index(path) :], path])}")
    module = read(path)
    for other, names in module.imports.items():
        if not other.is_file():
            raise BundleError(f"{path.name} imports {other.name}, which does not exist")
        _add(other, modules, [*way, path])
        missing = set(names) - modules[other].exports
        if missing:
            raise BundleError(f"{path.name} imports {', '.join(sorted(missing))}, which {other.name} does not export")
    modules[path] = module


def read(path: Path) -> Module:
    """Read a module; refuse what can't be put into one script."""
    text = path.read_text(encoding="utf-8")
    module = Module(path, COMMENT.sub("", EXPORT.sub("", IMPORT.sub("", text))))
    for names, other in IMPORT.findall(text):
        module.imports.setdefault((path.parent / other).resolve(), []).extend(_split_names(names))
    left = LEFT.search(TEXT.sub('""', module.code))
    if left:
        raise BundleError(f"{path.name}: {left[0].strip()!r:.60} is not an import or export that can be bundled")
    end = ENDS_SCRIPT.search(module.code)
    if end:
        raise BundleError(f"{path.name}: {end[0]!r} would end the script")
    for exported, name in declarations(text):
        if name in module.names:
            raise BundleError(f"{path.name} declares {name} twice")
        module.names.add(name)
        if exported:
            module.exports.add(name)
    if any(" as " in name for names in module.imports.values() for name in names):
        raise BundleError(f"{path.name} renames what it imports")
    return module


def declarations(text: str) -> list[tuple[bool, str]]:
    """Return the names that a module declares on lines without indentation, and whether it exports them."""
    text = TEXT.sub(lambda m: "" if m[0].startswith(("//", "/*")) else '""', text)
    found = [(bool(exported), name) for exported, name in DECLARED.findall(text)]
    for exported, rest in VARIABLES.findall(text):
        patterns = re.match(r"\s*[\[{](.*?)[\]}]\s*=", rest, re.DOTALL)
        if patterns:
            found += [(bool(exported), re.split(r"[:=]", part)[-1].strip()) for part in _split_names(patterns[1])]
            continue
        flat = rest
        while NESTED.search(flat):
            flat = NESTED.sub("", flat)
        found += [(bool(exported), name) for name in re.findall(r"(?:^|,)\s*([\w$]+)\s*(?==(?!>)|,|$)", flat)]
    return found


def _split_names(names: str) -> list[str]:
    """Split names at the commas between them."""
    return [name.strip() for name in names.split(",") if name.strip()]
