"""The options of an engine in UCI and UGI: how they are announced and set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plyground.errors import PlygroundError

Value = int | bool | str | None
EMPTY = "<empty>"
"""How the protocol writes an empty text."""


@dataclass(frozen=True)
class EngineOption:
    """An option: a number (`spin`), a switch (`check`), a text (`string`) or a command (`button`)."""

    kind: str
    default: Value = None
    least: int = 0
    most: int = 0

    def announcement(self, name: str) -> str:
        """Return the line that announces it.

        >>> EngineOption("spin", 64, 1, 1024).announcement("Hash"), EngineOption("string", "").announcement("EvalFile")
        ('option name Hash type spin default 64 min 1 max 1024', 'option name EvalFile type string default <empty>')
        """
        line = f"option name {name} type {self.kind}"
        if self.kind == "button":
            return line
        line += f" default {str(self.default).lower() if self.kind == 'check' else self.default or EMPTY}"
        return f"{line} min {self.least} max {self.most}" if self.kind == "spin" else line

    def read(self, name: str, text: str) -> Value:
        """Return the value that a text gives; an error says what would be right."""
        if self.kind == "spin":
            number = parse_int(text)
            if number is None or not self.least <= number <= self.most:
                raise PlygroundError(f"{name} must be a whole number from {self.least} to {self.most}, not {text!r:.40}")
            return number
        if self.kind == "check":
            if text.lower() not in ("true", "false"):
                raise PlygroundError(f"{name} must be true or false, not {text!r:.40}")
            return text.lower() == "true"
        return "" if text == EMPTY else text


class Options(dict[str, Value]):
    """The values of some options, by name."""

    def __init__(self, known: dict[str, EngineOption]) -> None:
        super().__init__({name: option.default for name, option in known.items()})
        self.known = known

    def announcement(self) -> list[str]:
        """Return the lines that announce all of them."""
        return [option.announcement(name) for name, option in self.known.items()]

    def set(self, words: Sequence[str]) -> str:
        """Set the one that the words after `setoption` name, in any case, and return its name."""
        if not words or words[0] != "name":
            raise PlygroundError("an option is set like this: setoption name Hash value 64")
        at = words.index("value") if "value" in words else len(words)
        asked, text = " ".join(words[1:at]), " ".join(words[at + 1 :])
        for name, option in self.known.items():
            if name.lower() == asked.lower():
                self[name] = option.read(name, text)
                return name
        raise PlygroundError(f"there is no option {asked!r:.40}; the options are {', '.join(self.known)}")

    def number(self, name: str) -> int:
        """Return the value of a number."""
        return int(self[name] or 0)


def parse_int(text: str) -> int | None:
    """Return the whole number that a text gives, or None.

    >>> parse_int("-12"), parse_int("1e3"), parse_int("9" * 10000)
    (-12, None, None)
    """
    try:
        return int(text)
    except ValueError:  # also if it has thousands of digits
        return None
