"""Changes of address: asked for by mail or by the host, and true once the new address has shown that mail reaches it.

The mail to the new address holds a code in the address it asks to be answered at; any answer from there confirms. The
old address is told at once, so that nobody loses his letters to somebody who found a key of his.
"""

from __future__ import annotations

import hmac
import re
from datetime import datetime, timedelta

from engine import Refusal
from pbem.config import Config
from pbem.correspondence.desk import Desk
from pbem.errors import Trouble
from pbem.intake.mail.reading import MailReading
from pbem.keys import LONGEST_LOCAL
from pbem.ledger import chains, contacts, openings, outbox, players
from pbem.ledger.chain import HOST
from pbem.ledger.letters import ACCEPTED, QUARANTINED
from pbem.ledger.players import PlayerRow
from pbem.ledger.transaction import Read, Write
from pbem.people.addresses import ADDRESS
from pbem.post.own import envelope, next_id
from pbem.reports import environment, letter, plain
from pbem.submitting.taken import Settled

LASTS = timedelta(days=7)
CODE = 16  # letters of the code: far more than anybody can try
LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
KIND = "address"
_tag = re.compile(rf"confirm\.([{LETTERS}]{{{CODE}}})", re.ASCII)


def ask(tx: Write, config: Config, player: PlayerRow, address: str, now: datetime, *, by_mail: bool = False) -> str:
    """Begin a change: mails go to the new address and to the old one; gives the code that confirms it. What somebody
    wrote by mail counts to the answers of his day, or whoever has a key could fill anybody's mailbox (G30)."""
    why = why_not(config, player, address)
    if why is not None:
        raise Trouble(str(why))
    code = _code(tx, player, address)
    contacts.ask(tx, player, address, code, now)
    answers = player.commitment if by_mail else ""
    _write(tx, config, player, address, now, NEW, reply_to=_confirming(config, code), answers=answers)
    if player.address:
        _write(tx, config, player, player.address, now, OLD)
    return code


def why_not(config: Config, player: PlayerRow, address: str) -> Refusal | None:
    """Why that cannot be the player's new address."""
    facts = {"address": address, "player": player.name or ""}
    if not ADDRESS.fullmatch(address):
        return Refusal("", "address", "{address} is not a mail address like anna@example.org.", facts)
    if address == player.address:
        return Refusal("", "address", "{address} is the address of {player} already.", facts)
    if address.lower() == config.address.lower():
        return Refusal("", "address", "{address} is the address of the host.", facts)
    return None


def confirm(tx: Write, config: Config, code: str, now: datetime) -> PlayerRow | None:
    """Make the change that waits for this code; None where none does."""
    given = code.strip().lower().replace("-", "")
    found = [one for one in contacts.asked(tx) if hmac.compare_digest(one.code.encode(), given.encode())]
    player = players.get(tx, found[0].player) if found else None
    if not found or player is None or player.name is None or now - found[0].asked_at > LASTS:
        return None
    contacts.forget(tx, player.commitment)
    contacts.reached(tx, player.commitment, now)
    openings.move(tx, player, found[0].address)
    lang, zone = player.lang or "en", player.zone or "UTC"
    changed = players.change(tx, player, address=found[0].address, lang=lang, zone=zone, at=now)
    if player.address:
        _write(tx, config, player, player.address, now, DONE)
    return changed


def asked_by_mail(desk: Desk, address: str) -> Refusal | None:
    """A change that a seat asks for; its player is told at the address he has. Where he was sent enough today nobody is
    written to, so that nothing was asked; it is not said either, but neither does it count as done."""
    player = players.get(desk.tx, desk.speaker.player)
    if player is None or player.name is None:
        return None
    if not desk.may_answer:
        return Refusal("", "too_many", "")
    address = address.strip().strip("<>")
    why = why_not(desk.config, player, address)
    if why is None:
        ask(desk.tx, desk.config, player, address, desk.now, by_mail=True)
    return why


def confirmed_by(tx: Write, config: Config, mail: MailReading, now: datetime) -> Settled | None:
    """What a mail with a code in its address comes to; None when it has none. A wrong code is nobody's."""
    codes = [found[1] for tag in mail.tags if (found := _tag.fullmatch(tag)) is not None]
    if not codes:
        return None
    changed = confirm(tx, config, codes[0], now)
    return Settled(ACCEPTED, "address") if changed else Settled(QUARANTINED, "no change of address waits for it")


def _code(tx: Read, player: PlayerRow, address: str) -> str:
    """A code of our own making, so that a run that is begun again writes the same mail."""
    secret, end = chains.secret_of(tx, HOST).secret, tx.end(HOST)
    digest = hmac.digest(secret, f"address\0{player.commitment}\0{address}\0{end.seq}".encode(), "sha256")
    return "".join(LETTERS[byte & 31] for byte in digest[:CODE])


def _confirming(config: Config, code: str) -> str:
    local, _, host = config.address.rpartition("@")
    tagged = f"{local}+confirm.{code}"
    return f"{tagged}@{host}" if len(tagged) <= LONGEST_LOCAL else config.address


# --- the mails --------------------------------------------------------------------------------------------------------

NEW = (
    "Is this your new address?",
    "%(name)s asks that letters about games at %(host)s go to this address. If that is you, answer this mail; what you"
    " write does not matter. If it is not, do nothing: in %(days)s days this is forgotten, and nothing has changed.",
)
OLD = (
    "Another address was asked for",
    "Somebody who has a key of yours, or the host, asked that your letters about games at %(host)s go to another"
    " address. It takes effect once it is confirmed from there. If it was not you, tell the host now.",
)
DONE = (
    "Your letters go to another address now",
    "Your new address was confirmed. Letters about games at %(host)s go there from now on, and no more to this one.",
)


def _write(
    tx: Write,
    config: Config,
    player: PlayerRow,
    to: str,
    now: datetime,
    what: tuple[str, str],
    reply_to: str = "",
    answers: str = "",
) -> None:
    """A mail about an address, on the host's own chain: it belongs to no game."""
    lang = environment.language(player.lang or "en")
    says, message_id = environment.says(lang), next_id(tx, config, KIND, now)
    subject, text = (says(words, name=player.name, host=config.host, days=LASTS.days) for words in what)
    address = letter.Address(player.name or "", to)
    cover = envelope(config, KIND, message_id, now, address, subject, lang, reply_to=reply_to)
    outbox.post(tx, HOST, None, KIND, message_id, letter.write(cover, plain.wrap(text)), now, now, answers=answers)
