"""Addresses: which of our own a mail came to and what stands behind their +, its sender, its thread."""

from __future__ import annotations

import re
from collections.abc import Collection

from pbem.intake.mail.headers import Headers

TO_US = ("delivered-to", "x-original-to", "x-delivered-to", "envelope-to", "to", "cc")
ADDRESS = re.compile(r"([^\s<>()\[\]:;,\"\\@]{1,128})@([A-Za-z0-9.-]{1,255})")
QUOTED = re.compile(r'"(?:[^"\\]|\\.)*+"')
ID = re.compile(r"<[^<>\s]{1,400}>")
MOST_TAGS, MOST_IDS = 5, 40


def tags_of(headers: Headers, ours: Collection[str]) -> tuple[str, ...]:
    """What stands behind the + in our own addresses, in lower case, the envelope's first."""
    known = {address.lower() for address in ours}
    found: dict[str, None] = {}
    if known:
        for name in TO_US:
            for value in headers.all(name):
                for local, domain in ADDRESS.findall(QUOTED.sub("", value)):
                    plain, plus, tag = local.lower().partition("+")
                    if plus and tag and f"{plain}@{domain.lower()}" in known:
                        found[tag] = None
    return tuple(found)[:MOST_TAGS]


def is_one_of(address: str, ours: Collection[str]) -> bool:
    """Whether that is an address of our own, with or without something behind a +."""
    local, _, domain = address.strip().lower().partition("@")
    return f"{local.partition('+')[0]}@{domain}" in {one.lower() for one in ours}


def sender_of(headers: Headers) -> str:
    """The address in From, in lower case; "" where there is none, or more than one."""
    senders = headers.all("from")
    found = ADDRESS.findall(QUOTED.sub("", senders[0])) if len(senders) == 1 else []
    return "@".join(found[-1]).lower() if found else ""


def thread_of(headers: Headers) -> tuple[str, ...]:
    """The mail that this one answers, then the others of the thread, the newest first."""
    answered = ID.findall(headers.get("in-reply-to"))
    thread = ID.findall(headers.get("references"))
    return tuple(dict.fromkeys([*answered[:2], *reversed(thread)]))[:MOST_IDS]


def own_id(headers: Headers) -> str:
    """The Message-ID; "" where there is none that could be one."""
    found = ID.search(headers.get("message-id"))
    return found[0] if found else ""
