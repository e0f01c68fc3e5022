"""Canonical JSON: one text for one value, so that equal things have equal hashes on every machine.

Dataclasses, named tuples, enums, tuples, frozensets and mappings go to plain JSON and back by their type hints.
"""

from __future__ import annotations

import dataclasses
import enum
import hashlib
import json
import re
import types
import typing
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

Json = Any
Pair = tuple[Callable[[Any], Json], Callable[[Json], Any]]

_settings: dict[str, Any] = {"ensure_ascii": False, "allow_nan": False, "separators": (",", ":")}
_encode = json.JSONEncoder(sort_keys=True, **_settings).encode
_encode_as_it_is = json.JSONEncoder(**_settings).encode
_beyond = re.compile("[\U00010000-\U0010ffff]")


class Canonical(bytes):
    """A value as its canonical JSON already: made once, where it is hashed first, and handed on as it stands."""


def canonical(value: Json) -> bytes:
    """The bytes that are hashed: RFC 8785 for all we use (texts, whole numbers, booleans, None, lists, mappings)."""
    if isinstance(value, Canonical):
        return value
    text = _encode(value)
    if not text.isascii() and _beyond.search(text):
        # RFC 8785 sorts keys by UTF-16 units, which only differs from Python's order when such a letter is about.
        text = _encode_as_it_is(_sorted(value))
    return text.encode()


def _sorted(value: Json) -> Json:
    if isinstance(value, Mapping):
        items = sorted(value.items(), key=lambda item: str(item[0]).encode("utf-16-be", "surrogatepass"))
        return {key: _sorted(item) for key, item in items}
    return [_sorted(item) for item in value] if isinstance(value, list | tuple) else value


def digest(value: Json) -> str:
    """The SHA-256 of a value's canonical JSON."""
    return hashlib.sha256(canonical(value)).hexdigest()


def dump(kind: Any, value: Any) -> Json:
    """A value of that type as plain JSON."""
    return _pair(kind)[0](value)


def restore(kind: Any, data: Json) -> Any:
    """The value of that type which `dump` made this JSON of."""
    return _pair(kind)[1](data)


def _same(value: Any) -> Any:
    return value


@cache
def _pair(kind: Any) -> Pair:
    """The two functions for a type, made once."""
    if kind in (str, int, bool, type(None), Any) or kind is None:
        return _same, _same
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        return _optional(kind)
    if origin is typing.Literal:
        return _same, _same
    if origin is tuple:
        return _tuple(typing.get_args(kind))
    if origin is frozenset:
        return _frozenset(typing.get_args(kind)[0])
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping(*typing.get_args(kind))
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return (lambda value: value.value), kind
    if dataclasses.is_dataclass(kind):
        return _fields(kind, [field.name for field in dataclasses.fields(kind) if field.init])
    if isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return _fields(kind, list(kind._fields))
    raise TypeError(f"no canonical JSON for {kind!r}")


def _optional(kind: Any) -> Pair:
    inner = [arg for arg in typing.get_args(kind) if arg is not type(None)]
    if len(inner) != 1:
        raise TypeError(f"no canonical JSON for {kind!r}: only `X | None` can be told apart")
    put, take = _pair(inner[0])
    return (lambda v: None if v is None else put(v)), (lambda v: None if v is None else take(v))


def _tuple(args: tuple[Any, ...]) -> Pair:
    if len(args) == 2 and args[1] is Ellipsis:
        put, take = _pair(args[0])
        if put is _same:
            return list, tuple
        return (lambda v: [put(item) for item in v]), (lambda v: tuple([take(item) for item in v]))
    pairs = [_pair(arg) for arg in args]
    return (
        lambda v: [put(item) for (put, _), item in zip(pairs, v, strict=True)],
        lambda v: tuple([take(item) for (_, take), item in zip(pairs, v, strict=True)]),
    )


def _frozenset(arg: Any) -> Pair:
    put, take = _pair(arg)
    return (
        lambda v: sorted((put(item) for item in v), key=canonical),
        lambda v: frozenset([take(item) for item in v]),
    )


def _mapping(key: Any, value: Any) -> Pair:
    put, take = _pair(value)
    if key is int:
        return (lambda v: {str(k): put(item) for k, item in v.items()}), (
            lambda v: {int(k): take(item) for k, item in v.items()}
        )
    if not _is_text(key):
        raise TypeError(f"no canonical JSON for a mapping with keys of {key!r}: only texts and whole numbers")
    into_key, from_key = _pair(key)
    return (lambda v: {into_key(k): put(item) for k, item in v.items()}), (
        lambda v: {from_key(k): take(item) for k, item in v.items()}
    )


def _is_text(kind: Any) -> bool:
    """Whether values of that type are texts in JSON."""
    if typing.get_origin(kind) is typing.Literal:
        return all(isinstance(value, str) for value in typing.get_args(kind))
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return all(isinstance(member.value, str) for member in kind)
    return kind is str


def _fields(kind: Any, names: list[str]) -> Pair:
    hints = typing.get_type_hints(kind)
    pairs = [(name, *_pair(hints[name])) for name in names]

    def put(value: Any) -> Json:
        return {name: into(getattr(value, name)) for name, into, _ in pairs}

    def take(data: Json) -> Any:
        return kind(**{name: back(data[name]) for name, _, back in pairs})

    return put, take
