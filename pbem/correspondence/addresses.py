"""Changes of address: asked for by mail or by the host, confirmed from the new address, and agreed to from the old one.

Whoever asks by mail needs the current key, and that is not enough, as keys leak. The old address is told at once, with
one code that agrees and another that vetoes. If it does neither, the change takes effect after some days
(`people.address_days`), so that a player whose old mailbox is gone needs no help. Until then all letters go to the old
address. A veto ends the change, and no other can be asked for by mail for as many days. The host vouches for whom he
knows: what he asks for waits for the new address only, or takes effect at once.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from engine import Refusal
from pbem.config import Config
from pbem.correspondence import codes
from pbem.correspondence.desk import Desk
from pbem.errors import NO, Trouble
from pbem.intake.mail.reading import MailReading
from pbem.ledger import contacts, openings, outbox, players
from pbem.ledger.chain import HOST
from pbem.ledger.contacts import NewAddress
from pbem.ledger.letters import ACCEPTED
from pbem.ledger.players import PlayerRow
from pbem.ledger.transaction import Read, Write
from pbem.people.addresses import ADDRESS
from pbem.post.own import envelope, next_id
from pbem.reports import environment, letter, plain, when
from pbem.submitting.taken import Settled

LASTS = timedelta(days=7)  # in which the new address must confirm
KIND = "address"
CONFIRM, AGREE, VETO = "confirm", "agree", "veto"  # the purposes of codes

# --- asking -----------------------------------------------------------------------------------------------------------


def ask(tx: Write, config: Config, player: PlayerRow, address: str, now: datetime, *, by_mail: bool = False) -> str:
    """Begin a change, and write to both addresses; gives the code that confirms the new one. What somebody wrote by
    mail counts to the answers of his day, or whoever has a key could fill anybody's mailbox (G30)."""
    why = why_not(config, player, address)
    if why is not None:
        raise Trouble(str(why))
    before, about = contacts.asked_for(tx, player.commitment), (player.commitment, address)
    code, agree = codes.new_code(tx, "address", *about), codes.new_code(tx, AGREE, *about)
    veto = before.veto_code if before else codes.new_code(tx, VETO, *about)  # an older letter still stops it
    wait = timedelta(days=config.address_days) if by_mail else timedelta()
    new = NewAddress(player.commitment, address, code, now, agree, veto, holds_from=now + wait)
    contacts.ask(tx, player, new)
    answers = player.commitment if by_mail else ""
    confirming = codes.address_for(config, CONFIRM, code) or config.address
    _write(tx, config, player, address, now, NEW, reply_to=confirming, answers=answers)
    if player.address:
        said = {"address": address, "from": new.holds_from, "agree": codes.address_for(config, AGREE, agree)}
        what, stopping = OLD if by_mail else OLD_BY_HOST, codes.address_for(config, VETO, veto)
        contacts.was_told(tx, new, _write(tx, config, player, player.address, now, what, said, reply_to=stopping))
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


def asked_by_mail(desk: Desk, address: str) -> Refusal | None:
    """A change that a seat asks for; its player is told at the address he has. Where he was sent enough today nobody is
    written to, so that nothing was asked; it is not said either, but neither does it count as done."""
    player = players.get(desk.tx, desk.speaker.player)
    if player is None or player.name is None:
        return None
    if not desk.may_answer:
        return Refusal("", "too_many", "")
    address = address.strip().strip("<>")
    why = why_not(desk.config, player, address) or _why_not_by_mail(desk, player)
    if why is None:
        ask(desk.tx, desk.config, player, address, desk.now, by_mail=True)
    return why


def _why_not_by_mail(desk: Desk, player: PlayerRow) -> Refusal | None:
    """Return why only the host can change this address now."""
    if not codes.address_for(desk.config, CONFIRM, "0" * codes.CODE):
        return Refusal("", "address_by_host", "The address of this host leaves no room for codes. Ask the host.")
    last = contacts.last_asked(desk.tx, player.commitment)
    if last is None or last.vetoed_at is None:
        return None
    until = last.vetoed_at + timedelta(days=desk.config.address_days)
    if desk.now >= until:
        return None
    text = "A change of your address was stopped. Until {until} nobody but the host can change it."
    return Refusal("", "address_stopped", text, {"until": until})


# --- codes that come back ---------------------------------------------------------------------------------------------


def by_confirm_code(tx: Read, code: str, now: datetime) -> NewAddress | None:
    """Return the change whose new address has that code, as long as it may confirm."""
    found = [one for one in contacts.asked(tx) if codes.is_same(one.code, code)]
    return found[0] if found and now - found[0].asked_at <= LASTS else None


def by_agree_code(tx: Read, code: str, now: datetime) -> NewAddress | None:
    """Return the change that the old address agrees to by that code."""
    found = [one for one in contacts.asked(tx) if codes.is_same(one.agree_code, code)]
    return found[0] if found and not _is_past(found[0], now) else None


def by_veto_code(tx: Read, code: str, now: datetime) -> NewAddress | None:
    """Return the change that the old address stops by that code."""
    found = [one for one in contacts.asked(tx) if codes.is_same(one.veto_code, code)]
    return found[0] if found and not _is_past(found[0], now) else None


def _is_past(new: NewAddress, now: datetime) -> bool:
    """Return whether the new address has not confirmed in time, so that nothing waits any more."""
    return new.confirmed_at is None and now - new.asked_at > LASTS


def confirmed_by(tx: Write, config: Config, mail: MailReading, new: NewAddress, now: datetime) -> Settled:
    confirmed(tx, config, new, now)
    return Settled(ACCEPTED, KIND)


def agreed_by(tx: Write, config: Config, mail: MailReading, new: NewAddress, now: datetime) -> Settled:
    """The old address agrees: what was confirmed takes effect, what was not waits for that alone."""
    player = _player_of(tx, new)
    if player is not None:
        contacts.agreed(tx, new, now)
        if new.confirmed_at is not None:
            _take_effect(tx, config, player, new.address, now)
        else:
            _write(tx, config, player, player.address or "", now, AGREED, {"address": new.address})
    return Settled(ACCEPTED, "address agreed")


def vetoed_by(tx: Write, config: Config, mail: MailReading, new: NewAddress, now: datetime) -> Settled:
    stop(tx, config, new, now)
    return Settled(ACCEPTED, "address stopped")


def confirmed(tx: Write, config: Config, new: NewAddress, now: datetime) -> None:
    """The new address has confirmed: the change takes effect, or waits until it may."""
    player = _player_of(tx, new)
    if player is None:
        return
    if new.holds_from is not None and new.holds_from <= now and not _is_on_its_way(tx, new):
        _take_effect(tx, config, player, new.address, now)
        return
    contacts.confirmed(tx, new, now)
    _write(tx, config, player, new.address, now, CONFIRMED, {"from": new.holds_from})


def confirm(tx: Write, config: Config, code: str, now: datetime) -> PlayerRow | None:
    """Confirm the change that waits for this code; None where none does."""
    new = by_confirm_code(tx, code, now)
    if new is None or _player_of(tx, new) is None:
        return None
    confirmed(tx, config, new, now)
    return players.get(tx, new.player)


def stop(tx: Write, config: Config, new: NewAddress, now: datetime) -> None:
    """End a change that waits, and tell the address that stays."""
    contacts.vetoed(tx, new, now)
    player = _player_of(tx, new)
    if player is not None and player.address:
        until = now + timedelta(days=config.address_days)
        _write(tx, config, player, player.address, now, STOPPED, {"address": new.address, "until": until})


def stop_by_host(tx: Write, config: Config, player: PlayerRow, now: datetime) -> None:
    """End the change that waits for a player; Trouble where none does."""
    new = contacts.asked_for(tx, player.commitment)
    if new is None:
        raise Trouble(f"No change of the address of {player.name} waits.", NO)
    stop(tx, config, new, now)


# --- taking effect ----------------------------------------------------------------------------------------------------


def change_at_once(tx: Write, config: Config, player: PlayerRow, address: str, now: datetime) -> None:
    """Change an address by the host's word; a change that waits is dropped."""
    why = why_not(config, player, address)
    if why is not None:
        raise Trouble(str(why))
    _take_effect(tx, config, player, address, now)


def _take_effect(tx: Write, config: Config, player: PlayerRow, address: str, now: datetime) -> None:
    contacts.forget(tx, player.commitment)
    contacts.reached(tx, player.commitment, now)
    openings.move(tx, player, address)
    lang, zone = player.lang or "en", player.zone or "UTC"
    changed = players.change(tx, player, address=address, lang=lang, zone=zone, at=now)
    if player.address:
        _write(tx, config, player, player.address, now, DONE)
    _write(tx, config, changed, address, now, HERE)


def settle_waiting(tx: Write, config: Config, now: datetime) -> int:
    """Let changes take effect whose days are over, and forget those that were not confirmed in time; gives how many
    took effect. One transaction: what took effect does not wait any more, so a run that is begun again finds nothing.
    """
    done = 0
    for new in contacts.asked(tx):
        player = _player_of(tx, new)
        if player is None or _is_past(new, now):
            contacts.forget(tx, new.player)
        elif _is_on_its_way(tx, new):  # the old address has its days from when it was told
            contacts.wait_until(tx, new, now + timedelta(days=config.address_days))
        elif new.confirmed_at is not None and new.holds_from is not None and new.holds_from <= now:
            _take_effect(tx, config, player, new.address, now)
            done += 1
    return done


def _is_on_its_way(tx: Read, new: NewAddress) -> bool:
    """Return whether the mail that tells the old address has not left yet. What the host asks for waits for no mail."""
    if new.holds_from == new.asked_at or not new.agree_code:
        return False
    mail = outbox.get(tx, new.letter) if new.letter else None
    return mail is not None and mail.next_try_at is not None


def _player_of(tx: Read, new: NewAddress) -> PlayerRow | None:
    """Return the player whose address changes; None for one who was forgotten."""
    player = players.get(tx, new.player)
    return None if player is None or player.name is None else player


# --- the mails --------------------------------------------------------------------------------------------------------

NEW = (
    "Is this your new address?",
    "%(name)s asks that letters about games at %(host)s go to this address. If that is you, answer this mail; what you"
    " write does not matter. If it is not, do nothing: in %(days)s days this is forgotten, and nothing has changed.",
)
OLD = (
    "Another address was asked for: is it you?",
    "A mail with your key asks that your letters about games at %(host)s go to %(address)s from now on.\n\n"
    "If you did NOT ask for this, answer this mail. Any answer stops the change, whatever you write.\n\n"
    "If you did, send an empty mail to %(agree)s to agree. The change then takes effect as soon as the new address has"
    " confirmed it, too.\n\n"
    "If you do nothing, it takes effect on %(from)s, provided that the new address has confirmed it. Until then all"
    " letters come here.",
)
OLD_BY_HOST = (
    "Another address was asked for",
    "The host of %(host)s was asked to send your letters to %(address)s from now on. This takes effect once that"
    " address has confirmed it. If you did not ask for this, answer this mail: any answer stops the change, whatever"
    " you write. Tell the host as well.",
)
AGREED = (
    "You agree to another address",
    "It is noted that you agree. Your letters about games at %(host)s go to %(address)s as soon as that address has"
    " confirmed it, too. Until then they come here.",
)
CONFIRMED = (
    "Your new address is confirmed, and waits",
    "This address is confirmed. Letters about games at %(host)s come here from %(from)s on, or as soon as you agree"
    " from your old address. Until then they go to the old one, from which the change can be stopped.",
)
STOPPED = (
    "The change of your address is stopped",
    "Your letters about games at %(host)s keep coming to this address. Until %(until)s nobody but the host can change"
    " it. If you had not asked for the change, somebody has a key of yours: tell the host now, and take care to whom"
    " your reports and your answers to them are copied.",
)
DONE = (
    "Your letters go to another address now",
    "Your letters about games at %(host)s go to your new address from now on, and no more to this one. If you did not"
    " ask for this, tell the host now.",
)
HERE = (
    "Your letters come here now",
    "Your letters about games at %(host)s come to this address from now on.",
)


def _write(
    tx: Write,
    config: Config,
    player: PlayerRow,
    to: str,
    now: datetime,
    what: tuple[str, str],
    facts: dict[str, Any] | None = None,
    reply_to: str = "",
    answers: str = "",
) -> str:
    """Write a mail about an address, on the host's own chain, as it belongs to no game; gives its Message-ID."""
    lang = environment.language(player.lang or "en")
    says, message_id = environment.says(lang), next_id(tx, config, KIND, now)
    said = {name: _told(value, player, lang) for name, value in (facts or {}).items()}
    subject, text = (says(words, name=player.name, host=config.host, days=LASTS.days, **said) for words in what)
    address = letter.Address(player.name or "", to)
    cover = envelope(config, KIND, message_id, now, address, subject, lang, reply_to=reply_to)
    body = "\n\n".join(plain.wrap(paragraph) for paragraph in text.split("\n\n"))
    outbox.post(tx, HOST, None, KIND, message_id, letter.write(cover, body), now, now, answers=answers)
    return message_id


def _told(fact: Any, player: PlayerRow, lang: str) -> str:
    return when.told(fact, player.zone or "UTC", lang) if isinstance(fact, datetime) else str(fact)
