"""Dataclasses as JSON: what is written is plain, whatever a game gives."""

import enum
import json
from dataclasses import dataclass
from typing import Any

import pytest

from plyground.system.codec import MessageError, decode, encode


class Name(enum.StrEnum):
    ONE = "one"
    TWO = "two"


class Shouted(str):
    """A text whose `str` is another text: what counts is what it is equal to."""

    def __str__(self):
        return self.upper()


class Number(enum.IntEnum):
    THREE = 3


class Metres(float):
    pass


@dataclass(frozen=True)
class Message:
    texts: tuple[str, ...]
    count: int = 1
    size: float = 0.5
    named: dict[str, int] | None = None
    sure: bool = False


def test_values_of_subclasses_become_plain():
    data: dict[str, Any] = encode(Message((Name.TWO, Shouted("hey")), Number.THREE, Metres(1.5), {Name.ONE: Number.THREE}))
    assert data == {"texts": ["two", "hey"], "count": 3, "size": 1.5, "named": {"one": 3}, "sure": False}
    assert {type(x) for x in [*data["texts"], *data["named"]]} == {str}
    assert [type(data[name]) for name in ("count", "size", "sure")] == [int, float, bool]
    assert decode(Message, json.loads(json.dumps(data))) == Message(("two", "hey"), 3, 1.5, {"one": 3})


def test_truth_is_no_number():
    with pytest.raises(MessageError, match=r"^Message\.count must be a whole number, not True$"):
        encode(Message((), count=True))


def test_defaults_are_written_and_only_none_is_left_out():
    assert encode(Message(())) == {"texts": [], "count": 1, "size": 0.5, "sure": False}
