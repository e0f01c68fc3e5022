"""Evidence about a mail's sender beside what the mail says itself. It is kept as facts and proves no seat.

Two sources count: the topmost Authentication-Results header (RFC 8601) that bears the name of our own server, and our
own check of DKIM signatures where the host asks for it. Both are read by the libraries of the extra `mail`. A verdict
counts only for a mail whose signed part is all that we read: see `_why_unbound`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any

from pbem.intake.mail.addresses import sender_of
from pbem.intake.mail.headers import Headers
from pbem.intake.mail.reading import Check, Evidence

DKIM = "dkim"
METHODS = (DKIM, "spf", "dmarc", "arc")
PROPERTIES = {  # method -> the properties that name a domain; the first one that is there counts
    DKIM: (("header", "d"), ("header", "i")),
    "spf": (("smtp", "mailfrom"), ("smtp", "helo")),
    "dmarc": (("header", "from"),),
}
WORD = re.compile(r"[a-z]+")
DOMAIN = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+", re.ASCII)
MOST = 10  # results that are kept
SIGNATURES = 3  # of a mail that we check: each may cost a question to a name server
POLICY = "policy"  # RFC 8601: the signature is good, but not acceptable here
ONCE = frozenset({b"from", b"subject", b"date", b"to", b"message-id", b"mime-version",
                  b"content-type", b"content-transfer-encoding"})  # fmt: skip
SIGNED = (b"from", b"subject")  # what we act on and what each signer covers
ODD_HEAD = re.compile(rb"\r(?!\n)|(?<!\r)\n|\0")  # where two parsers may see different lines

Lookup = Callable[[bytes, int], bytes | None]
Tags = Mapping[bytes, bytes]


# --- what our own server wrote ----------------------------------------------------------------------------------------


def from_server(raw: bytes, headers: Headers, server: str) -> Evidence:
    """Return what our own server wrote down; nothing where none is named, or none of that name wrote.

    A header that breaks the grammar counts as nothing: what it says cannot be told for sure.
    """
    wanted = server.strip().lower()
    values = headers.all("authentication-results") if wanted else []
    if not values:
        return Evidence()
    try:
        authres = import_module("authres")
    except ImportError:
        return Evidence(wanted, (Check(DKIM, "unchecked"),))
    for value in values:
        found = _parsed(authres, value)
        if found is not None and str(found.authserv_id).lower() == wanted:
            return Evidence(wanted, tuple(_bound(raw, check) for check in _checks(found)))
    return Evidence()


def _parsed(authres: Any, value: str) -> Any:
    """Return the header as the library reads it, or None where it cannot be read."""
    try:
        return authres.AuthenticationResultsHeader.parse(f"Authentication-Results: {value}")
    except Exception:  # the library raises errors of many kinds for what it does not expect
        return None


def _checks(found: Any) -> list[Check]:
    results = [one for one in found.results if one.method and one.method.lower() in METHODS]
    return [Check(one.method.lower(), _word(one.result), _domain_in(one)) for one in results[:MOST]]


def _word(result: str | None) -> str:
    word = (result or "").lower()
    return word if WORD.fullmatch(word) else "permerror"


def _domain_in(result: Any) -> str:
    """Return the domain that a result is about; "" where none is named, or two are."""
    for kind, name in PROPERTIES.get(result.method.lower(), ()):
        values = {str(one.value).rpartition("@")[2].lower() for one in result.properties
                  if (one.type, one.name) == (kind, name)}  # fmt: skip
        if values:
            value = values.pop().rstrip(".")
            return value if not values and DOMAIN.fullmatch(value) else ""
    return ""


def _bound(raw: bytes, check: Check) -> Check:
    """Return the check, or `policy` where the mail may hold something that was not signed."""
    if (check.method, check.result) != (DKIM, "pass"):
        return check
    try:
        tags_of = import_module("dkim.util").parse_tag_value
    except ImportError:
        return replace(check, result="unchecked")
    head = _head(raw)
    why = _why_ambiguous(raw, head)
    for value in () if why else _values(head, b"dkim-signature"):
        try:
            tags = tags_of(value)
        except Exception:  # not a list of tags: nobody knows what a server made of it
            why = "its signature cannot be read"
            break
        if _domain(tags.get(b"d", b"")) in (check.domain, ""):
            why = why or _why_unbound(tags)
    return replace(check, result=POLICY) if why else check


# --- our own check ----------------------------------------------------------------------------------------------------


def own_dkim(raw: bytes, headers: Headers, lookup: Lookup | None = None) -> tuple[Check, ...]:
    """Check the first DKIM signatures ourselves. The domain is the one whose key the library has used."""
    count = min(len(headers.all("dkim-signature")), SIGNATURES)
    if not count:
        return ()
    try:
        dkim = import_module("dkim")
    except ImportError:
        return (Check(DKIM, "unchecked"),)
    return tuple(_own_check(dkim, raw, headers, number, lookup) for number in range(count))


def _own_check(dkim: Any, raw: bytes, headers: Headers, number: int, lookup: Lookup | None) -> Check:
    try:
        checked = dkim.DKIM(raw, timeout=1)
    except dkim.DKIMException:
        return Check(DKIM, "permerror")
    result = _verdict(dkim, checked, number, lookup)
    domain = _domain(getattr(checked, "domain", None) or b"")
    if result == "pass" and (not domain or _why_not_ours(checked, raw, headers)):
        result = POLICY
    return Check(DKIM, result, domain)


def _verdict(dkim: Any, checked: Any, number: int, lookup: Lookup | None) -> str:
    try:
        good = checked.verify(number, dnsfunc=lookup) if lookup else checked.verify(number)
    except dkim.ValidationError:
        return "fail"
    except dkim.DKIMException:
        return "permerror"
    except Exception:  # a name server that is away, or a key or header that the library does not expect
        return "temperror"
    return "pass" if good else "fail"


def _why_not_ours(checked: Any, raw: bytes, headers: Headers) -> str:
    """Return why a good signature does not cover what we read of this mail; "" where it does."""
    why = _why_ambiguous(raw, checked.headers) or _why_unbound(checked.signature_fields)
    if not why and _sender(checked.headers) != sender_of(headers):
        why = "we read another sender than was signed"
    return why


# --- whether what was signed is what we read --------------------------------------------------------------------------


def _why_ambiguous(raw: bytes, head: list[tuple[bytes, bytes]]) -> str:
    """Return why another program may read this head otherwise than we do; "" where none can."""
    end = re.search(rb"\n\r?\n", raw)
    block = raw[: end.end()] if end else raw
    plain = b"\r\n" if b"\r\n" in block else b"\n"
    if ODD_HEAD.search(block.replace(plain, b"\r\n")):
        return "its head has line ends or bytes that programs read differently"
    names = [name.lower() for name, _ in head]
    twice = {name.decode() for name in ONCE if names.count(name) > 1}
    return f"it has two headers {', '.join(sorted(twice))}" if twice else ""


def _why_unbound(tags: Tags) -> str:
    """Return why something that was not signed may stand in the mail; "" where nothing can."""
    if b"l" in tags:
        return "only the beginning of its text is signed (l=)"
    if tags.get(b"a", b"").strip().lower().endswith(b"sha1"):
        return "it is signed with SHA-1 (RFC 8301)"
    covered = {name.strip().lower() for name in tags.get(b"h", b"").split(b":")}
    missing = [name.decode() for name in SIGNED if name not in covered]
    return f"its {' and '.join(missing)} is not signed" if missing else ""


def _head(raw: bytes) -> list[tuple[bytes, bytes]]:
    """Return the headers, each on one line."""
    block = re.split(rb"\n\r?\n", raw, maxsplit=1)[0]
    lines = re.sub(rb"\r?\n(?=[ \t])", b"", block).split(b"\n")
    return [(name.strip(), value.strip()) for name, colon, value in (one.partition(b":") for one in lines) if colon]


def _values(head: list[tuple[bytes, bytes]], name: bytes) -> Iterator[bytes]:
    return (value for known, value in head if known.lower() == name)


def _sender(head: list[tuple[bytes, bytes]]) -> str:
    values = (value.decode("utf-8", "replace").strip() for value in _values(head, b"from"))
    return sender_of(Headers(tuple(("from", re.sub(r"\s*\r?\n\s*", " ", value)) for value in values)))


def _domain(text: bytes) -> str:
    """Return a domain in lower case; "" for anything that is not exactly one."""
    domain = text.decode("latin-1").lower().rstrip(".")
    return domain if DOMAIN.fullmatch(domain) else ""
