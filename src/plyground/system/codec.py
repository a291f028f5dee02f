"""Dataclasses as JSON, for messages between processes and for what is kept of them; checked when written and when read.

text = json.dumps(encode(job))
job = decode(Job, json.loads(text))
"""

from __future__ import annotations

import functools
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any, TypeVar

from plyground.errors import PlygroundError

T = TypeVar("T")
PLAIN: dict[type, Callable[[Any], Any]] = {str: str.__str__, int: int.__int__, float: float.__float__}
"""How values of subclasses, such as a `StrEnum`, become plain ones."""


class MessageError(PlygroundError, ValueError):
    """Data that is no message of the expected kind."""


def encode(message: Any) -> dict[str, Any]:
    """Return a dataclass as data for JSON, without the fields that are None; refuse values of a wrong type.

    Other default values are written, so that what is kept means the same after a default has changed.
    """
    data = _encoded(message)
    decode(type(message), data)
    assert isinstance(data, dict)
    return data


def decode(kind: type[T], data: Any) -> T:
    """Return the dataclass that data from JSON means; refuse unknown and missing fields and values of a wrong type.

    >>> from plyground.play.limit import Limit
    >>> decode(Limit, {"depth": 6, "time": 1}) == Limit(depth=6, time=1)
    True
    """
    found: T = _decoded(kind, data, kind.__name__)
    return found


def _encoded(value: Any) -> Any:
    if is_dataclass(value):
        named = {field.name: getattr(value, field.name) for field in fields(value)}
        return {name: _encoded(x) for name, x in named.items() if x is not None}
    if isinstance(value, tuple | list):
        return [_encoded(x) for x in value]
    if isinstance(value, dict):
        return {_encoded(name): _encoded(x) for name, x in value.items()}
    plain = None if isinstance(value, bool) else next((kind for kind in PLAIN if isinstance(value, kind)), None)
    return value if plain is None else PLAIN[plain](value)


def _default(field: Field[Any]) -> Any:
    return field.default_factory() if field.default_factory is not MISSING else field.default


@functools.cache
def _types(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _decoded(kind: Any, data: Any, where: str) -> Any:
    """Return a value of a type; `where` names its place in the message."""
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if kind is Any:
        return data
    if origin in (types.UnionType, typing.Union):
        (inner,) = (part for part in parts if part is not types.NoneType)
        return None if data is None else _decoded(inner, data, where)
    if origin is tuple and isinstance(data, Sequence) and not isinstance(data, str):
        return tuple(_decoded(parts[0], x, where) for x in data)
    if origin is dict and isinstance(data, Mapping) and all(isinstance(name, str) for name in data):
        return {name: _decoded(parts[1], x, f"{where}[{name!r:.40}]") for name, x in data.items()}
    if is_dataclass(kind) and isinstance(data, Mapping):
        return _decoded_fields(kind, data, where)
    if kind is float and type(data) is int:
        return data
    if isinstance(kind, type) and type(data) is kind and not is_dataclass(kind):
        return data
    raise MessageError(f"{where} must be {_described(kind)}, not {data!r:.60}")


def _decoded_fields(kind: Any, data: Mapping[str, Any], where: str) -> Any:
    known = {field.name: field for field in fields(kind)}
    if unknown := data.keys() - known.keys():
        raise MessageError(f"{where} has no {sorted(map(str, unknown))[0]!r:.40}; it has {', '.join(known)}")
    if missing := [name for name, field in known.items() if name not in data and _default(field) is MISSING]:
        raise MessageError(f"{where} lacks {missing[0]!r}")
    return kind(**{name: _decoded(_types(kind)[name], x, f"{where}.{name}") for name, x in data.items()})


def _described(kind: Any) -> str:
    names = {int: "a whole number", float: "a number", str: "a text", bool: "true or false", tuple: "a list", dict: "an object"}
    return names.get(typing.get_origin(kind) or kind, "an object")
