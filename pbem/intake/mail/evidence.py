"""Evidence: what is known of a mail's sender beside what it says itself. It is kept, and decides nothing by itself.

Only the topmost Authentication-Results (RFC 8601) that bears our own server's name is read: the others may be
anybody's. A DKIM signature can be checked by ourselves too, where the host asks for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from typing import Any

from pbem.intake.mail.headers import Headers
from pbem.intake.mail.reading import Check, Evidence

METHODS = ("dkim", "spf", "dmarc", "arc")
COMMENT = re.compile(r"\([^()]*\)")
RESULT = re.compile(r"\s*([a-z-]+)(?:/\d+)?\s*=\s*([a-z]+)", re.I)
DOMAIN = {
    "dkim": re.compile(r"header\.(?:d|i)\s*=\s*\"?(?:[^@\s;\"]*@)?([A-Za-z0-9.-]+)"),
    "spf": re.compile(r"smtp\.(?:mailfrom|helo)\s*=\s*\"?(?:[^@\s;\"]*@)?([A-Za-z0-9.-]+)"),
    "dmarc": re.compile(r"header\.from\s*=\s*\"?(?:[^@\s;\"]*@)?([A-Za-z0-9.-]+)"),
}
MOST = 10  # results that are kept

Lookup = Callable[[bytes, int], bytes | None]


def from_server(headers: Headers, server: str) -> Evidence:
    """What our own server wrote down; nothing where none is named, or where none of that name is there."""
    wanted = server.strip().lower()
    for value in headers.all("authentication-results") if wanted else ():
        said = _uncommented(value)
        name, _, rest = said.partition(";")
        if name.strip().partition(" ")[0].lower() == wanted:
            return Evidence(wanted, tuple(_checks(rest)))
    return Evidence()


def _uncommented(value: str) -> str:
    before = ""
    while before != value:
        before, value = value, COMMENT.sub(" ", value)
    return value


def _checks(said: str) -> list[Check]:
    found: list[Check] = []
    for one in said.split(";"):
        result = RESULT.match(one)
        if result and result[1].lower() in METHODS and len(found) < MOST:
            method = result[1].lower()
            domain = DOMAIN[method].search(one) if method in DOMAIN else None
            found.append(Check(method, result[2].lower(), domain[1].lower() if domain else ""))
    return found


def own_dkim(raw: bytes, headers: Headers, lookup: Lookup | None = None) -> tuple[Check, ...]:
    """Our own check of the first two DKIM signatures, with the domain that signed."""
    signatures = headers.all("dkim-signature")
    if not signatures:
        return ()
    try:
        dkim = import_module("dkim")
    except ImportError:
        return (Check("dkim", "unchecked"),)
    found: list[Check] = []
    for number, signature in enumerate(signatures[:2]):
        domain = re.search(r"(?:^|;)\s*d\s*=\s*([A-Za-z0-9.-]+)", signature)
        found.append(Check("dkim", _verdict(dkim, raw, number, lookup), domain[1].lower() if domain else ""))
    return tuple(found)


def _verdict(dkim: Any, raw: bytes, number: int, lookup: Lookup | None) -> str:
    try:
        checked = dkim.DKIM(raw, timeout=1)
        good = checked.verify(number, dnsfunc=lookup) if lookup else checked.verify(number)
    except dkim.ValidationError:
        return "fail"
    except dkim.DKIMException:
        return "permerror"
    except Exception:  # a name server that is away, or a key or header that the library does not expect
        return "temperror"
    return "pass" if good else "fail"
