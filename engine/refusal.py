"""Refusals: why an order cannot stand, in facts that any language can turn into a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Refusal:
    """An answer, not an exception: the paragraph, what was wrong, and what would be legal.

    `text` is an English sentence with the names of `facts` in braces; it is also the key of its translations.
    """

    rule: str
    code: str
    text: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    legal: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.text.format_map({name: _spoken(value) for name, value in self.facts.items()})

    def to_json(self) -> dict[str, Any]:
        return {
            "rule": self.rule,
            "code": self.code,
            "text": self.text,
            "facts": {name: _plain(value) for name, value in self.facts.items()},
            "legal": list(self.legal),
        }


class BadPosition(ValueError):
    """A position line that no game can have reached, with what is wrong about it."""

    code = "bad_position"


def _spoken(value: Any) -> str:
    if isinstance(value, str) or not isinstance(value, Iterable):
        return str(value)
    return ", ".join(_spoken(item) for item in _in_order(value))


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, Iterable):
        return [_plain(item) for item in _in_order(value)]
    return str(value)


def _in_order(items: Iterable[Any]) -> Iterable[Any]:
    """The items as they stand; those of a set, whose order is luck, sorted."""
    return sorted(items, key=str) if isinstance(items, Set) else items
