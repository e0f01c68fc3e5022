"""The section [limits] of pbem.toml: how much of a message is read, and what that may cost, each value checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from pbem.errors import Trouble
from pbem.intake.limits import USUAL, Limits

KIB, MIB = 1 << 10, 1 << 20


class Key(NamedTuple):
    """What a key sets, in which unit, and from where to where it makes sense. Below, no mail of a person would get
    through; above, IMAP could not bring it, or what walks down would fall."""

    field: str
    unit: int
    least: int
    most: int = 1_000_000


KEYS = {
    "message_kilobytes": Key("message_bytes", KIB, 64, 16_000),
    "mail_kilobytes": Key("mail_bytes", KIB, 16),
    "order_kilobytes": Key("order_bytes", KIB, 1),
    "head_kilobytes": Key("header_block", KIB, 4),
    "header_bytes": Key("header", 1, 500),
    "headers": Key("headers", 1, 30),
    "hops": Key("hops", 1, 5),
    "mime_depth": Key("mime_depth", 1, 2, 100),
    "parts": Key("parts", 1, 3),
    "attachments": Key("attachments", 1, 1),
    "depth": Key("depth", 1, 4, 100),
    "nodes": Key("nodes", 1, 50),
    "text": Key("text", 1, 50),
    "press": Key("press", 1, 50),
    "number": Key("number", 1, 100),
    "submissions": Key("submissions", 1, 1),
    "submissions_a_day": Key("daily", 1, 1),
    "kilobytes_a_day": Key("daily_bytes", KIB, 64),
    "receipts": Key("receipts", 1, 1),
    "answers": Key("answers", 1, 1),
    "cpu_seconds": Key("cpu_seconds", 1, 1, 30),
    "wall_seconds": Key("wall_seconds", 1, 1, 30),
    "megabytes": Key("memory_bytes", MIB, 128),
    "files": Key("files", 1, 16),
}
WITHIN = (
    ("order_kilobytes", "mail_kilobytes"),
    ("mail_kilobytes", "message_kilobytes"),
    ("text", "press"),  # in a form, what may be as long as press may be as long as any text
    ("cpu_seconds", "wall_seconds"),
)
KNOWN: Mapping[str, type] = dict.fromkeys(KEYS, int)
TEMPLATE = """\

[limits]                            # how much of a message is read; whoever sends more is told which limit it is
message_kilobytes = 1024            # of a message with all that is in it
mail_kilobytes = 256                # ... without its pictures
order_kilobytes = 32                # of the text of orders
head_kilobytes = 32                 # of the lines above a mail
header_bytes = 2048                 # so much is looked at of one of them
headers = 100                       # so many of them
hops = 25                           # servers that a mail came through; after more it goes in a circle, and is ignored
mime_depth = 5                      # parts of a mail inside each other
parts = 20                          # parts of a mail
attachments = 2                     # files with orders
depth = 10                          # lists inside each other in an order file
nodes = 2000                        # keys, words and lists in it
text = 500                          # characters of one word or text of an order
press = 4000                        # characters of a message to others, or of an appeal
number = 1000000                    # the largest number in an order
submissions = 20                    # messages that one seat may send while a decision is open, by any route,
submissions_a_day = 500             # ... and on one day (UTC),
kilobytes_a_day = 16384             # ... which together may be so large
receipts = 30                       # receipts for orders that one seat is sent on one day
answers = 20                        # answers to commands that one player is sent on one day
cpu_seconds = 2                     # the most that reading one message may take of a processor,
wall_seconds = 5                    # ... of anybody's time,
megabytes = 256                     # ... of memory,
files = 32                          # ... and of open files
"""


def read_section(said: Mapping[str, Any]) -> Limits:
    """The section's values, whose types are checked already; Trouble names the key."""
    given = {name: _checked(name, value) for name, value in said.items()}
    found = replace(USUAL, **{KEYS[name].field: value * KEYS[name].unit for name, value in given.items()})
    for small, large in WITHIN:
        if getattr(found, KEYS[small].field) > getattr(found, KEYS[large].field):
            named = small if small in said else large
            raise Trouble(f"{named}: {small} cannot be more than {large}, which is {_value(found, large)}.")
    return found


def _checked(name: str, value: int) -> int:
    key = KEYS[name]
    if not key.least <= value <= key.most:
        raise Trouble(f"{name}: it must be from {key.least} to {key.most}.")
    return value


def _value(found: Limits, name: str) -> int:
    return int(getattr(found, KEYS[name].field)) // KEYS[name].unit
