"""Plain facts aloud, for a game that brings no words of its own and for orders written as mappings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from engine import Event

LONG = 240  # a fact that takes more is geometry or a table, which nobody wants to hear
MOST = 40


def sentence(event: Event) -> str:
    """For instance: Took: seat 1, count 2, heap b, left 1. Whose it is comes first; the ledger keeps facts by name."""
    kind = spaced(event.kind).capitalize()
    facts = sorted(_told(event.facts), key=lambda fact: fact[0] != "seat")
    told = ", ".join(f"{spaced(name)} {value}" for name, value in facts)
    return f"{kind}: {told}." if told else f"{kind}."


def ending(reason: str) -> str:
    """For instance: Last object wins."""
    return f"{spaced(reason).capitalize()}." if reason else ""


def words(facts: Mapping[str, Any]) -> str:
    """A line for each fact that can be said in one."""
    told = list(_told(facts))
    lines = [f"{spaced(name).capitalize()}: {value}." for name, value in told[:MOST]]
    return "\n".join(lines) + ("\n..." if len(told) > MOST else "")


def spaced(name: str) -> str:
    return name.replace("_", " ").replace("-", " ")


def _told(facts: Mapping[str, Any]) -> list[tuple[str, str]]:
    told = ((name, spoken(value)) for name, value in facts.items())
    return [(name, value) for name, value in told if len(value) <= LONG]


class Aloud(NamedTuple):
    """What is said of what has no words of its own."""

    none: str
    yes: str
    no: str


SPOKEN = Aloud("none", "yes", "no")
WRITTEN = Aloud("none", "true", "false")
"""As orders are written, in any language."""


def spoken(value: Any, aloud: Aloud = SPOKEN) -> str:
    """A fact aloud."""
    if value is None:
        return aloud.none
    if isinstance(value, bool):
        return aloud.yes if value else aloud.no
    if isinstance(value, Mapping):
        return "; ".join(f"{name} {spoken(item, aloud)}" for name, item in value.items()) or aloud.none
    if isinstance(value, list | tuple):
        return ", ".join(spoken(item, aloud) for item in value) or aloud.none
    return str(value)


def order(entry: Any) -> str:
    """An order on one line: a text as it is, `if red: any, then a; b, else c`, or `do: move, from: a1, to: a2`."""
    if isinstance(entry, str):
        return entry
    if isinstance(entry, Mapping):
        return ", ".join(f"{name} {_arm(item)}" if name in CHOOSING else f"{name}: {spoken(item, WRITTEN)}"
                         for name, item in entry.items())  # fmt: skip
    return "; ".join(map(order, entry))


CHOOSING = ("if", "then", "else")


def _arm(item: Any) -> str:
    """Of several orders a conditional stands in brackets, so that one hears where it ends."""
    if not isinstance(item, list | tuple):
        return order(item)
    several = len(item) > 1
    return "; ".join(f"({order(one)})" if several and _chooses(one) else order(one) for one in item)


def _chooses(entry: Any) -> bool:
    return isinstance(entry, Mapping) and "if" in entry
