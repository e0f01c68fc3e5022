"""Joining by mail: a seat in a game that waits for players, for who shows that mail reaches him.

Whoever has a key of another game joins by it. Anybody else is asked at the address the mail names as its sender, by a
code in the address that the question asks to be answered at. Nothing of such a mail is believed or repeated: anybody
can write anybody's address on one. So it is answered only where games wait for players, by a text of ours, and once a
day; strangers only where the host is open to them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from engine import Notice, Refusal, Seat
from pbem.config import Config
from pbem.correspondence import codes, unproven
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
from pbem.submitting import budgets
from pbem.submitting.budgets import JOINING, UNPROVEN, Answers
from pbem.submitting.taken import Settled

JOIN, LEAVE = "join", "leave"
LASTS = timedelta(days=7)
MOST = 50  # strangers who are waited for at one time
KIND = "joining"
ENOUGH = "enough was asked of that address"
STRANGER = "a stranger asks to join, and this host is not open to strangers"

ASK = (
    "A seat in %(game)s?",
    "A mail with your address as its sender asks for a seat in the game %(game)s at %(host)s. If you sent it, answer"
    " this mail; what you write does not matter. If you did not, do nothing: in %(days)s days this is forgotten.",
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
NOT_OPEN = (
    "No seat was given",
    "A mail with your address as its sender asks %(host)s for a seat in a game, and that seat cannot be had. Games that"
    " wait for players now: %(games)s. To ask for a seat, write join and the name of one of them. If the mail was not"
    " yours, do nothing.",
)


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
    open_games = [one.name for one in openings.every(tx) if not one.is_past(now)]
    if not open_games:
        return Settled(QUARANTINED, "somebody asks to join, and no game waits for players")
    if player is not None:
        return _asked_by_player(tx, config, player, command, open_games, now)
    return _asked_by_stranger(tx, config, mail.sender, command, now)


def _asked_by_player(
    tx: Write, config: Config, player: PlayerRow, command: Command, open_games: list[str], now: datetime
) -> Settled:
    """A mail with the address of a player asks for a seat; the player is asked whether that is so, once a day."""
    if not unproven.may_answer(tx, config, player, now):
        return Settled(QUARANTINED, ENOUGH)
    address, lang = player.address or "", player.lang or "en"
    why = gathering.why_not(tx, command.argument, player, command.to or None, now)
    if why is not None:
        facts = {"games": ", ".join(open_games)}
        _write(tx, config, player.name or "", address, lang, now, NOT_OPEN, facts, "", player.commitment, UNPROVEN)
        return Settled(REFUSED, why.code)
    _ask(tx, config, command, player.name or "", address, lang, now, player.commitment)
    return Settled(ACCEPTED, JOIN)


def _asked_by_stranger(tx: Write, config: Config, address: str, command: Command, now: datetime) -> Settled:
    """A stranger is asked once in a week, and few of them at a time."""
    if not _may_ask(tx, address, now):
        return Settled(QUARANTINED, ENOUGH)
    why = gathering.why_not(tx, command.argument, None, command.to or None, now)
    if why is not None:
        return Settled(REFUSED, why.code)
    _ask(tx, config, command, _name_of(address), address, "en", now)
    return Settled(ACCEPTED, JOIN)


def _may_ask(tx: Read, address: str, now: datetime) -> bool:
    """Whether a stranger may be asked now."""
    asked = [one for one in openings.asked(tx) if now - one.asked_at < LASTS]
    recent = [one for one in asked if players.by_address(tx, one.address) is None]
    return len(recent) < MOST and _mailbox(address) not in [_mailbox(one.address) for one in recent]


def _mailbox(address: str) -> str:
    """Where mail to an address ends up, as far as that shows: many servers ignore what follows a `+`."""
    local, _, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


def _ask(
    tx: Write, config: Config, command: Command, who: str, address: str, lang: str, now: datetime, answers: str = ""
) -> None:
    """Ask whoever reads that address. The game is named as the host has it, and nobody by a name of the mail's."""
    found = gathering.named(tx, command.argument)
    asking = Asking(
        codes.new_code(tx, JOIN, found.name, address), found.name, command.to or None, who, address, lang, now
    )
    openings.ask(tx, asking)
    _write(tx, config, who if answers else "", address, lang, now, ASK, {"game": found.name}, asking.code, answers,
           UNPROVEN)  # fmt: skip


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
        _write(tx, config, asking.name, asking.address, asking.lang, now, NOT, facts, "", player.commitment, JOINING)
        return Settled(REFUSED, why.code)
    rules = gathering.named(tx, asking.opening).wanted["rules"]
    found = gathering.joined(tx, config, asking.opening, player, now, asking.seat)
    facts |= {"seat": _called(found.seat, rules, asking.lang), "free": found.free}
    what = BEGUN if found.begun else SEATED
    code = "" if found.begun else asking.code
    _write(tx, config, asking.name, asking.address, asking.lang, now, what, facts, code, player.commitment, JOINING)
    return Settled(ACCEPTED, JOIN)


def _leaves(tx: Write, config: Config, asking: Asking, player: PlayerRow | None, now: datetime) -> Settled:
    if player is None or gathering.left(tx, asking.opening, player, now) is None:
        return Settled(REFUSED, "no_seat")
    facts = {"game": asking.opening}
    _write(tx, config, asking.name, asking.address, asking.lang, now, LEFT, facts, "", player.commitment, JOINING)
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
    budget: Answers | None = None,
) -> None:
    """A mail on the host's own chain, as the game has none yet. One that answers a player is counted to its budget, and
    does not leave where that is used up."""
    if answers and budget and not budgets.left(tx, config.limits, budget, answers, now):
        return
    lang = environment.language(lang)
    says, message_id = environment.says(lang), next_id(tx, config, KIND, now)
    subject, text = (says(words, name=name, host=config.host, days=LASTS.days, **facts) for words in what)
    reply_to = (codes.address_for(config, JOIN, code) or config.address) if code else ""
    address = letter.Address(name, to)
    cover = envelope(config, KIND, message_id, now, address, subject, lang, reply_to=reply_to)
    outbox.post(tx, HOST, None, KIND, message_id, letter.write(cover, plain.wrap(text)), now, now, answers=answers,
                budget=budget.name if answers and budget else "")  # fmt: skip
