"""Dataclasses as JSON, for messages between processes and for what is kept of them; checked when written and when read.

text = json.dumps(encode(job))
job = decode(Job, json.loads(text))

Bytes and numbers as names stay as they are: they may travel between processes of Python, but not as JSON.
"""

from __future__ import annotations

import functools
import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from typing import TYPE_CHECKING, TypeVar

from plyground.errors import PlygroundError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")


class MessageError(PlygroundError, ValueError):
    """Data that is no message of the expected kind."""


def encode(message: DataclassInstance) -> dict[str, object]:
    """Return a dataclass as data for JSON, without the fields that are None; refuse values of a wrong type.

    Other default values are written, so that what is kept means the same after a default has changed.
    """
    data = _encode_fields(message)
    decode(type(message), data)
    return data


def decode(kind: type[T], data: object) -> T:
    """Return the dataclass that data from JSON means; refuse unknown and missing fields and values of a wrong type.

    >>> from plyground.play.limit import Limit
    >>> decode(Limit, {"depth": 6, "time": 1}) == Limit(depth=6, time=1)
    True
    """
    found = _decode(kind, data, kind.__name__)
    assert isinstance(found, kind)
    return found


def _encode(value: object) -> object:
    """Return a value as JSON has it; values of subclasses, such as a `StrEnum`, become plain ones."""
    if is_dataclass(value) and not isinstance(value, type):
        return _encode_fields(value)
    if isinstance(value, tuple | list):
        return [_encode(x) for x in value]
    if isinstance(value, dict):
        return {_encode(name): _encode(x) for name, x in value.items()}
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, float):
        return float.__float__(value)
    return int.__int__(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _encode_fields(message: DataclassInstance) -> dict[str, object]:
    named = {field.name: getattr(message, field.name) for field in fields(message)}
    return {name: _encode(x) for name, x in named.items() if x is not None}


@functools.cache
def _types(kind: type) -> dict[str, object]:
    return dict(typing.get_type_hints(kind))


def _decode(kind: object, data: object, where: str) -> object:
    """Return a value of a type; `where` names its place in the message."""
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if kind is object:
        return data
    if origin in (types.UnionType, typing.Union):
        (inner,) = (part for part in parts if part is not types.NoneType)
        return None if data is None else _decode(inner, data, where)
    if origin in (tuple, list) and isinstance(data, Sequence) and not isinstance(data, str):
        items = [_decode(parts[0], x, where) for x in data]
        return items if origin is list else tuple(items)
    if origin is dict and isinstance(data, Mapping) and all(isinstance(name, parts[0]) for name in data):
        return {name: _decode(parts[1], x, f"{where}[{name!r:.40}]") for name, x in data.items()}
    if isinstance(kind, type) and is_dataclass(kind) and isinstance(data, Mapping):
        return _decode_fields(kind, data, where)
    if kind is float and type(data) is int:
        return data
    if isinstance(kind, type) and type(data) is kind and not is_dataclass(kind):
        return data
    raise MessageError(f"{where} must be {_describe(kind)}, not {data!r:.60}")


def _decode_fields(kind: type[DataclassInstance], data: Mapping[str, object], where: str) -> object:
    known = {field.name: field for field in fields(kind)}
    if unknown := data.keys() - known.keys():
        raise MessageError(f"{where} has no {sorted(map(str, unknown))[0]!r:.40}; it has {', '.join(known)}")
    needed = [name for name, field in known.items() if field.default is MISSING and field.default_factory is MISSING]
    if missing := [name for name in needed if name not in data]:
        raise MessageError(f"{where} lacks {missing[0]!r}")
    return kind(**{name: _decode(_types(kind)[name], x, f"{where}.{name}") for name, x in data.items()})


def _describe(kind: object) -> str:
    names: dict[object, str] = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}
    names |= dict.fromkeys((tuple, list), "a list")
    return names.get(typing.get_origin(kind) or kind, "an object")
