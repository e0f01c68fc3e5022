"""Storing: messages go into the ledger as they came, in one transaction, before anything else is done with them."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.arriving.message import Message, words_of
from pbem.faults import fault
from pbem.ledger import letters
from pbem.ledger.letters import Arrival, Arriving
from pbem.ledger.store import Ledger
from pbem.ledger.transaction import Write

MAIL, MAILDIR, IMAP, LMTP = "mail", "maildir", "imap", "lmtp"  # the routes of mail


def store(ledger: Ledger, messages: Sequence[Message], route: str) -> list[Arrival]:
    """Store them all, or none. When this returns they are on the disk, and whoever brought them may let go of them."""
    fault("mails-fetched")
    with ledger.write() as tx:
        arrivals = arrive_all(tx, messages, route)
    fault("mails-stored")
    return arrivals


def arrive_all(tx: Write, messages: Sequence[Message], route: str) -> list[Arrival]:
    """Store them in their order. Those whose ids nothing has come under yet, which is most, are stored together."""
    seen = letters.any_of_ids(tx, [message.message_id for message in messages])
    arrivals: list[Arrival] = []
    fresh: list[Arriving] = []
    for message in messages:
        if message.message_id in seen:
            arrivals += letters.arrive_all(tx, fresh)
            fresh = []
            arrivals.append(arrive(tx, message, route))
        else:
            seen.add(message.message_id)
            fresh.append(Arriving(message.raw, message.arrived, route, message.message_id))
    return [*arrivals, *letters.arrive_all(tx, fresh)]


def arrive(tx: Write, message: Message, route: str) -> Arrival:
    """Store one, unless it is here already. The same mail is known again by its id and its words, whichever way it
    came: each delivery writes other lines above it."""
    if message.message_id.startswith("<"):
        words = None
        for known in letters.of_id(tx, message.message_id):
            raw = letters.get(tx, known)
            words = words or words_of(message.raw)
            if raw is not None and words_of(raw) == words:
                return Arrival(known, False)
    return letters.arrive(tx, message.raw, message.arrived, route, message.message_id)
