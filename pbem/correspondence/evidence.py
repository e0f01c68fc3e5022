"""Evidence: what is known of a sender beside the key. It is kept as facts, and can be demanded; it proves no seat."""

from __future__ import annotations

from typing import Any

from engine import Notice, Refusal
from pbem.correspondence.desk import Desk
from pbem.correspondence.opening import DKIM
from pbem.intake.mail.reading import Evidence


def facts(desk: Desk) -> dict[str, Any]:
    """What goes into the journal: which checks came to what, and whether the sender's address is the registered one.

    No address: a person can be forgotten, and a row of the journal cannot.
    """
    evidence = desk.mail.evidence
    checks = [[check.method, check.result, aligned(check.domain, _registered(desk))] for check in evidence.checks]
    own = [[check.method, check.result, aligned(check.domain, _registered(desk))] for check in evidence.own]
    return {"evidence": {"from_registered": not _is_elsewhere(desk), "server": checks, "host": own}}


def from_elsewhere(desk: Desk) -> tuple[Notice, ...]:
    """A word to the player when his key was used from another address than his."""
    if not _is_elsewhere(desk):
        return ()
    text = (
        "This came from {sender}, which is not the address that is registered for you. "
        "If it was not you, tell the host."
    )
    return (Notice("", "from_elsewhere", text, {"sender": desk.mail.sender or "an address that cannot be read"}),)


def missing(desk: Desk) -> Refusal | None:
    """Why the mail is not taken by a host that demands signatures: its sender's domain must be the registered one, and
    must have signed it."""
    if desk.config.mail.require != DKIM:
        return None
    registered = _registered(desk)
    facts = {"domain": registered}
    if not aligned(_domain(desk.mail.sender), registered):
        text = "This host takes orders only from addresses at {domain}, where yours is registered."
        return Refusal("", "wrong_domain", text, facts)
    if not signed_by(desk.mail.evidence, registered):
        text = "This host takes only mails that {domain} has signed (DKIM), and this one is not, or was changed since."
        return Refusal("", "not_signed", text, facts)
    return None


def signed_by(evidence: Evidence, domain: str) -> bool:
    """Whether that domain, or one that it is part of, has signed the mail."""
    checks = (*evidence.checks, *evidence.own)
    return any(check.method == DKIM and check.result == "pass" and aligned(domain, check.domain) for check in checks)


def aligned(one: str, other: str) -> bool:
    """Whether one domain is the other, or lies within it."""
    one, other = one.lower().rstrip("."), other.lower().rstrip(".")
    return bool(other) and "." in other and (one == other or one.endswith(f".{other}"))


def _registered(desk: Desk) -> str:
    return _domain(desk.sheet.sitters[desk.seat].address)


def _is_elsewhere(desk: Desk) -> bool:
    return desk.mail.sender.lower() != desk.sheet.sitters[desk.seat].address.lower()


def _domain(address: str) -> str:
    return address.rpartition("@")[2]
