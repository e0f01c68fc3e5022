"""Bounces: a mail of ours that came back is counted against its player's address; he is told when he can be."""

from __future__ import annotations

from datetime import datetime

from engine import Notice
from pbem.config import Config
from pbem.intake.mail.reading import MailReading
from pbem.ledger import contacts, games, outbox, players
from pbem.ledger.transaction import Read, Write
from pbem.post import digest
from pbem.post.parcels import recipient_of
from pbem.post.returns import returned
from pbem.post.words import said_by

FOR_GOOD = "failed"


def count(tx: Write, config: Config, mail: MailReading, now: datetime) -> str:
    """Count what came back for good; gives what is to be said of it in the journal.

    Only whoever had the mail can name it, so nobody else can make an address look broken. A mail that is delayed is
    still on its way.
    """
    bounce = mail.bounce
    if bounce is None:
        return mail.automatic
    if bounce.action != FOR_GOOD:
        return f"bounce: {bounce.action or 'no action is named'}"
    for message_id in (*(returned(tag, config.address) for tag in mail.tags), bounce.message_id):
        player = None if not message_id else player_of(tx, message_id)
        if message_id and player is not None:
            _note(tx, message_id, bounce.status, now)
            if not _is_his_address(tx, player, message_id):
                return "bounce: of an address that he has left"
            contacts.bounced(tx, player, message_id, bounce.status, now)
            return "bounce: it is counted"
    return "bounce: of no mail of ours"


def _is_his_address(tx: Read, player: str, message_id: str) -> bool:
    """Whether that mail went to the address that he has now."""
    row = players.get(tx, player)
    return row is not None and recipient_of(outbox.raw(tx, message_id)) == row.address


def _note(tx: Write, message_id: str, status: str, now: datetime) -> None:
    """The mail did not arrive after all: the host is told of it like of any other that was refused."""
    mail = outbox.get(tx, message_id)
    if mail is not None and mail.next_try_at is None:
        outbox.fate(tx, mail, outbox.REFUSED, now, f"it came back: {said_by(status)}")


def player_of(tx: Read, message_id: str) -> str | None:
    """To whom (by his commitment) a mail of ours went."""
    mail = outbox.get(tx, message_id)
    if mail is not None and mail.seat is None:
        return digest.player_of(tx, message_id)
    row = None if mail is None else games.get(tx, mail.game)
    if mail is None or row is None or mail.seat is None or mail.former:
        return None
    return row.seats.get(mail.seat)


def told(tx: Write, player: str, now: datetime) -> tuple[Notice, ...]:
    """A word to a player who has shown, by a key he has, that mail reaches him again; with it the count begins anew."""
    bounces = contacts.get(tx, player).bounces
    if not bounces:
        return ()
    contacts.reached(tx, player, now)
    text = "{n} mails to you came back to us. If your mailbox is full or has moved, see to it."
    if bounces == 1:
        text = "A mail to you came back to us. If your mailbox is full or has moved, see to it."
    return (Notice("", "bounced", text, {"n": bounces}),)
