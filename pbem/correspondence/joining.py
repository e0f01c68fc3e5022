"""Joining by mail: a seat in a game that waits for players, for who shows that mail reaches him.

Whoever has a key of another game joins by it. Anybody else is asked at his address, by a code in the address that the
question asks to be answered at; nothing he wrote himself is believed. Strangers are asked only where the host is open
to them, and seldom; elsewhere they get no answer at all, as anybody can write anybody's name on a mail.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from engine import Notice, Refusal, Seat
from pbem.config import Config
from pbem.correspondence import codes, limits
from pbem.correspondence.desk import Desk
from pbem.game.hosting import add_player
from pbem.intake.mail.reading import Command, MailReading
from pbem.ledger import openings, outbox, players
from pbem.ledger.chain import HOST
from pbem.ledger.letters import ACCEPTED, QUARANTINED, REFUSED
from pbem.ledger.openings import Asking
from pbem.ledger.players import PlayerRow
from pbem.ledger.transaction import Read, Write
from pbem.people import gathering
from pbem.post.own import envelope, next_id
from pbem.reports import environment, letter, plain
from pbem.reports.telling import Who
from pbem.reports.translating import FACT
from pbem.submitting.taken import Settled

JOIN, LEAVE = "join", "leave"
LASTS = timedelta(days=7)
MOST = 50  # strangers who are waited for at one time
KIND = "joining"
STRANGER = "a stranger asks to join, and this host is not open to strangers"

ASK = (
    "A seat in %(game)s?",
    "%(name)s asks for a seat in the game %(game)s at %(host)s. If that is you, answer this mail; what you write does"
    " not matter. If it is not, do nothing: in %(days)s days this is forgotten.",
)
SEATED = (
    "You have a seat in %(game)s",
    "You play %(seat)s in %(game)s at %(host)s. The game begins when all its seats are taken; still free: %(free)s."
    " Until then you may answer this mail with the one word LEAVE.",
)
BEGUN = (
    "The game %(game)s begins",
    "You play %(seat)s in %(game)s at %(host)s. All its seats are taken, and your first report is on its way.",
)
LEFT = ("You have no seat in %(game)s", "Your seat in %(game)s at %(host)s is given back.")
CLOSED = (
    "The game %(game)s does not begin",
    "The game %(game)s at %(host)s, in which you had a seat, waits for players no longer, and does not begin.",
)
WITHOUT_KEY = Notice(
    "", "join", "A seat can be had without a key, too: write the same in a new mail to the host, from your own address."
)
NOT = ("No seat in %(game)s", "You have asked for a seat in %(game)s at %(host)s. %(why)s")


# --- with a key -------------------------------------------------------------------------------------------------------


def joined_by_key(desk: Desk, command: Command) -> Refusal | None:
    """A player who is proven takes a seat at once."""
    player = players.get(desk.tx, desk.speaker.player)
    assert player is not None, "a seat that is proven has its player"
    name, seat = command.argument, command.to or None
    why = gathering.why_not(desk.tx, name, player, seat, desk.now)
    if why is not None:
        return why
    found = gathering.joined(desk.tx, desk.config, name, player, desk.now, seat)
    text = "You play {seat} in {game}. The game begins when all its seats are taken; still free: {free}."
    if found.begun:
        text = "You play {seat} in {game}. All its seats are taken, and your first report is on its way."
    facts = {"seat": Who(found.seat, ""), "game": name, "free": found.free}
    desk.answer("noted", (Notice("", "joined", text, facts),))
    return None


def left_by_key(desk: Desk, command: Command) -> Refusal | None:
    player = players.get(desk.tx, desk.speaker.player)
    assert player is not None, "a seat that is proven has its player"
    if gathering.left(desk.tx, command.argument, player, desk.now) is None:
        text = "You have no seat in a game named {game} that waits for players."
        return Refusal("", "no_seat", text, {"game": command.argument})
    text = "Your seat in {game} is given back."
    desk.answer("noted", (Notice("", "left", text, {"game": command.argument}),))
    return None


# --- without one ------------------------------------------------------------------------------------------------------


def asked_by(tx: Write, config: Config, mail: MailReading, now: datetime) -> Settled | None:
    """What a mail comes to that asks for a seat and proves nobody; None when it asks for none."""
    command = mail.command
    if command is None or command.word != JOIN or not mail.sender:
        return None
    player = players.by_address(tx, mail.sender)
    if player is None and not config.open_to_strangers:
        return Settled(QUARANTINED, STRANGER)
    address = mail.sender if player is None else player.address or ""
    waiting = openings.asked(tx)
    if not _may_ask(tx, config, player, address, waiting, now):
        return Settled(QUARANTINED, "enough was asked of that address today")
    name, seat = command.argument, command.to or None
    lang = (player.lang if player else None) or "en"
    why = gathering.why_not(tx, name, player, seat, now)
    if why is not None:
        if player is not None:
            _write(tx, config, player.name or "", address, lang, now, NOT, {"game": name, "why": _words(why, lang)},
                   answers=player.commitment)  # fmt: skip
        return Settled(REFUSED, why.code)
    who = player.name if player is not None and player.name else _name_of(address)
    asking = Asking(codes.new_code(tx, JOIN, name, address), name, seat, who, address, lang, now)
    openings.ask(tx, asking)
    _write(tx, config, who, address, lang, now, ASK, {"game": name}, code=asking.code,
           answers=player.commitment if player else "")  # fmt: skip
    return Settled(ACCEPTED, JOIN)


def _may_ask(
    tx: Read, config: Config, player: PlayerRow | None, address: str, waiting: list[Asking], now: datetime
) -> bool:
    """A player is answered so often a day; a stranger is asked once in a week, and few of them at a time."""
    if player is not None:
        return limits.may_answer(tx, player.commitment, now, config.limits.answers)
    recent = [one for one in waiting if now - one.asked_at < LASTS and players.by_address(tx, one.address) is None]
    return len(recent) < MOST and address not in [one.address for one in recent]


def by_code(tx: Read, code: str, now: datetime) -> Asking | None:
    """Return who asked for a seat and was mailed that code."""
    found = [one for one in openings.asked(tx) if codes.is_same(one.code, code)]
    return found[0] if found else None


def confirmed_by(tx: Write, config: Config, mail: MailReading, asking: Asking, now: datetime) -> Settled:
    """Give a seat to whoever writes the code back. Whoever has one may give it back by the same code, as long as the
    game waits."""
    leaves = mail.command is not None and mail.command.word in (LEAVE, "withdraw")
    if now - asking.asked_at > LASTS and not leaves:
        return Settled(QUARANTINED, "nobody who asks for a seat waits for it")
    player = players.by_address(tx, asking.address)
    if leaves:
        return _leaves(tx, config, asking, player, now)
    if player is None:
        player = _registered(tx, config, asking, now)
    return _joins(tx, config, asking, player, now)


def _registered(tx: Write, config: Config, asking: Asking, now: datetime) -> PlayerRow:
    """A stranger becomes a player, under a name that nobody has."""
    for number in range(1, 1000):
        name = asking.name if number == 1 else f"{asking.name} {number}"
        if players.by_name(tx, name) is None:
            return add_player(tx, name, asking.address, asking.lang, config.zone, now)
    raise AssertionError("a thousand players of one name")


def _joins(tx: Write, config: Config, asking: Asking, player: PlayerRow, now: datetime) -> Settled:
    facts: dict[str, Any] = {"game": asking.opening}
    why = gathering.why_not(tx, asking.opening, player, asking.seat, now)
    if why is not None:
        facts["why"] = _words(why, asking.lang)
        _write(tx, config, asking.name, asking.address, asking.lang, now, NOT, facts, answers=player.commitment)
        return Settled(REFUSED, why.code)
    rules = gathering.named(tx, asking.opening).wanted["rules"]
    found = gathering.joined(tx, config, asking.opening, player, now, asking.seat)
    facts |= {"seat": _called(found.seat, rules, asking.lang), "free": found.free}
    what = BEGUN if found.begun else SEATED
    code = "" if found.begun else asking.code
    _write(tx, config, asking.name, asking.address, asking.lang, now, what, facts, code, player.commitment)
    return Settled(ACCEPTED, JOIN)


def _leaves(tx: Write, config: Config, asking: Asking, player: PlayerRow | None, now: datetime) -> Settled:
    if player is None or gathering.left(tx, asking.opening, player, now) is None:
        return Settled(REFUSED, "no_seat")
    facts = {"game": asking.opening}
    _write(tx, config, asking.name, asking.address, asking.lang, now, LEFT, facts, answers=player.commitment)
    return Settled(ACCEPTED, LEAVE)


# --- what is told of openings -----------------------------------------------------------------------------------------


def closed(tx: Write, config: Config, name: str, now: datetime, reason: str) -> None:
    """A game will not begin: whoever had a seat in it is told."""
    found = gathering.named(tx, name)
    openings.close(tx, name, now, begun=False, reason=reason)
    for commitment in dict.fromkeys(found.seats.values()):
        player = players.get(tx, commitment)
        if player is not None and player.name and player.address and not player.name.startswith("bot:"):
            _write(tx, config, player.name, player.address, player.lang or "en", now, CLOSED, {"game": name})


def expire(tx: Write, config: Config, now: datetime) -> int:
    """Close what has waited long enough; gives how many there were."""
    late = openings.past(tx, now)
    for one in late:
        closed(tx, config, one.name, now, "its time is up")
    return len(late)


# --- the mails --------------------------------------------------------------------------------------------------------


def _name_of(address: str) -> str:
    """What somebody is called who has said nothing but his address."""
    name = re.sub(r"[^\w-]+", " ", address.partition("@")[0].partition("+")[0]).strip()
    return name[:40] or "player"


def _words(why: Refusal, lang: str) -> str:
    says = environment.says(environment.language(lang))
    return str(Refusal("", why.code, says(why.text), why.facts))


def _called(seat: Seat, rules: str, lang: str) -> str:
    """The seat as letters of its game will call it."""
    lang = environment.language(lang)
    return environment.called(environment.translations(lang, rules).pgettext(FACT, seat), lang)


def _write(
    tx: Write,
    config: Config,
    name: str,
    to: str,
    lang: str,
    now: datetime,
    what: tuple[str, str],
    facts: Mapping[str, Any],
    code: str = "",
    answers: str = "",
) -> None:
    """A mail on the host's own chain: the game has none yet."""
    lang = environment.language(lang)
    says, message_id = environment.says(lang), next_id(tx, config, KIND, now)
    subject, text = (says(words, name=name, host=config.host, days=LASTS.days, **facts) for words in what)
    reply_to = (codes.address_for(config, JOIN, code) or config.address) if code else ""
    address = letter.Address(name, to)
    cover = envelope(config, KIND, message_id, now, address, subject, lang, reply_to=reply_to)
    outbox.post(tx, HOST, None, KIND, message_id, letter.write(cover, plain.wrap(text)), now, now, answers=answers)
