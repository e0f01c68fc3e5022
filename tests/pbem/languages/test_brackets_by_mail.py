"""All that a host writes to players, in a language of brackets: answers, refusals, notices, reminders and digests.

Whole mails come in and whole mails are read, as a mail program shows them.
"""

from __future__ import annotations

import re
from datetime import timedelta
from email.message import EmailMessage

import pytest

from pbem.correspondence import addresses
from pbem.deadlines import reminding
from pbem.intake.mail.commands import WORDS
from pbem.ledger import contacts, players
from pbem.post import digest
from pbem.rulings import ruling
from tests.pbem.correspondence.conftest import Post, make_post
from tests.pbem.host.conftest import DAY, DEADLINE, NOON, make_host
from tests.pbem.languages.pseudo import LANG, pseudo, spoken, unsaid
from tests.pbem.languages.test_brackets import DATES, words

__all__ = ["make_host", "make_post", "pseudo"]

HOUR = timedelta(hours=1)
OWN = "zounds"
"""What players and the referee say: nobody translates it."""
CUT = re.compile(
    r"""(?mx)
    ^(?:game|seat|turn|key|end):\ .*$ | ^(?:orders|standing|draft|absent|say):.*$  # of the form
    | [^\s⟦⟧]+@[^\s⟦⟧]+ | [0-9a-f]{20,} | \b[0-9A-Z]{4}-[0-9A-Z]{4}\b | \bmail:\d+:\d+  # addresses, keys, places
    | [A-Z][a-z]+/[A-Z][a-z]+ | \bplayer-\w+ | `[^`\n]*`  # zones, players, what is quoted
    """
)
KEYS = (
    "seat", "turn", "key", "orders", "draft", "standing", "say", "nonce", "absent", "end", "if", "then", "else", "any",
    "since", "until", "mode", "wait", "does", "place", "true", "blue", "all", "nightly", "think", "drop", "off",
    "remind", "unsubscribe", "join", "leave",
)  # fmt: skip
"""Of forms, orders, schedules and commands, which are the same in every language."""
NAMED = ("game", "other", "Bagh Chal", "classic", "single", "UTC", "SHA", "localhost", "pbem")
ORDERS = [
    "zz99", "b3", "a1-a2", "[b3, {x: 1}]", "{if: {2: any}}", "{if: any, then: b3}", "{if: {9: b3}, then: b3}",
    "{then: b3}", "&x b3", "*x", "!t b3", "", "'", "b3\n  - b3\n  -", "\tb3",
]  # fmt: skip
FORMS = [
    "standing: {x: y}", "standing: 3", "say: zounds", "say: {2: zounds}", "say: {9: zounds}", "absent: 2026-12-31",
    "absent: 2020-12-31", "absent: zounds", "absent: {until: 2026-12-31, mode: stand-in}", "absent: no",
    "draft: zounds", "draft: true", "turn: x", "colour: red", "nonce: zounds", "seat: 2", "tunr: 1",
]  # fmt: skip
COMMANDS = [
    "help", "status", "report", "report 77", "report 1", "history", "withdraw", "absent 2026-12-20 2026-12-31",
    "absent 2026-12-20 2026-12-31 stand-in", "absent 2026-12-20 2026-12-31 standing", "absent no", "absent",
    "absent 2020-12-20 2020-12-31", "say all: zounds", "say 2: zounds",
    "say zounds: zounds", "say all:",
    "say all: " + "zounds " * 2000, "address new@example.org", "address zounds", "address 1@players.example",
    "address", "resign", "resign other", "dispute: zounds", "dispute:", "remind 3", "remind off", "remind zounds",
    "unsubscribe", "digest", "digest off", "take-back 1", "take-back no", "draw", "draw no",
    "volunteer", "volunteer jarmo", "volunteer zounds", "volunteer no", "join zounds", "join game",
    "join", "leave zounds", "leave game", "leave", "Zounds.", "",
]  # fmt: skip


@pytest.fixture
def speaking(make_post, pseudo) -> Post:
    """A host whose players all read brackets, with a game of theirs."""
    post: Post = make_post()
    with post.host.ledger.write() as tx:
        for player in list(players.every(tx)):
            assert player.address is not None
            players.change(tx, player, address=player.address, lang=LANG, zone="Asia/Kathmandu", at=NOON)
    post.host.start("bagh-chal")
    return post


def english(mail: EmailMessage) -> list[str]:
    """The words of a mail that stand outside of brackets and are nobody's own."""
    found = [str(mail["Subject"])]
    for kind in ("plain", "html"):
        part = mail.get_body((kind,))
        if part is not None:
            said = str(part.get_content())
            found.append(said if kind == "plain" else spoken(said))
    return [word for said in found for word in words(bare(said))]


def bare(said: str) -> str:
    rest = unsaid(CUT.sub(" ", re.sub("(?m)^# ?", "", said)))
    for own in (
        OWN,
        *KEYS,
        "game",
        "other",
        "Bagh Chal",
        "classic",
        "single",
        "UTC",
        "SHA",
        "localhost",
        "pbem",
        *DATES,
    ):
        rest = re.sub(rf"(?i)\b{re.escape(own)}\b", " ", rest)
    return rest


def told(post: Post) -> dict[str, list[str]]:
    """The mails with English in them, by subject."""
    found = {
        str(mail["Subject"]) + str(mail["Message-ID"]): english(mail)
        for mail in post.sent()
        if mail["X-Pbem-Kind"] != "report"
    }
    return {subject: left for subject, left in found.items() if left}


def test_orders_that_cannot_be_read(speaking: Post) -> None:
    """A complaint about YAML that is an f-string, and so in no catalogue, makes it fail."""
    for order in ORDERS:
        speaking.write(speaking.host.file("1", order))
    assert told(speaking) == {}


def test_forms_with_more_in_them(speaking: Post) -> None:
    for line in FORMS:
        speaking.write(speaking.host.file("1", "b3").replace("end:", f"{line}\nend:"))
    assert told(speaking) == {}


def test_commands(speaking: Post) -> None:
    """An answer whose sentence no catalogue has, or with a fact in English, makes it fail."""
    assert {command.split()[0].rstrip(":") for command in COMMANDS if command} >= WORDS.keys(), "every command is tried"
    speaking.write(speaking.host.file("1", "b3"))
    speaking.host.night()
    for hours, command in enumerate(COMMANDS):
        speaking.write(command, at=DEADLINE + DAY * (1 + hours // 5) - 2 * HOUR)
    assert told(speaking) == {}


def test_rulings(speaking: Post) -> None:
    host = speaking.host
    speaking.write("dispute: zounds")
    host.order("1", "b3")
    for do, args, more in (
        (ruling.voided, ("1",), {}),
        (ruling.extended, (), {"until": DEADLINE + DAY}),
        (ruling.rescheduled, ("think=72h",), {}),
        (ruling.silence_ruled, ("stand-in drop=3",), {}),
        (ruling.paused, (), {}),
        (ruling.resumed, (), {}),
    ):
        with host.ledger.write() as tx:
            do(tx, host.config, "game", *args, NOON, "zounds", **more)  # type: ignore[operator]
    with host.ledger.write() as tx:
        ruling.ruled(tx, host.config, "game", NOON, "zounds", 1)
    host.night(DEADLINE + DAY)
    assert told(speaking) == {}


def test_reminders_and_digests(speaking: Post) -> None:
    host = speaking.host
    host.start("jarmo", "other")
    with host.ledger.write() as tx:
        for player in list(players.every(tx)):
            reminding.wish(tx, host.config, players.wish(tx, player, digest=True, at=NOON), 3, NOON)
    assert reminding.remind(host.config, host.ledger, DEADLINE - HOUR)
    assert digest.bundle(host.config, host.ledger, NOON) == 0, "one mail each is no digest"
    speaking.write("say all: zounds", seat="2")
    assert digest.bundle(host.config, host.ledger, NOON)
    assert {mail["X-Pbem-Kind"] for mail in speaking.sent()} >= {"reminder", "digest"}
    assert told(speaking) == {}


@pytest.mark.parametrize("purpose", ["agree", "veto"])
def test_addresses(speaking: Post, purpose: str) -> None:
    host = speaking.host
    assert speaking.write("address new@example.org") == "accepted"
    with host.ledger.write() as tx:
        player = players.by_name(tx, "player-1")
        assert player is not None
        asked = contacts.asked_for(tx, player.commitment)
        assert asked is not None
        code = {"agree": asked.agree_code, "veto": asked.veto_code}[purpose]
        if purpose == "veto":
            assert addresses.confirm(tx, host.config, asked.code, NOON)
    assert speaking.write("", to=f"orders+{purpose}.{code}@localhost") == "accepted"
    if purpose == "agree":
        with host.ledger.write() as tx:
            assert addresses.confirm(tx, host.config, asked.code, NOON)
            addresses.ask(tx, host.config, player, "newer@example.org", NOON)
    else:
        assert speaking.write("address new@example.org") == "refused"
    assert {mail["X-Pbem-Kind"] for mail in speaking.sent()} >= {"address"}
    assert told(speaking) == {}


def test_old_keys(speaking: Post) -> None:
    """Those of a decision that is closed, of an address that has changed since, and of a game that is over."""
    host, old = speaking.host, speaking.tagged("1")
    host.night()
    at = DEADLINE + HOUR
    speaking.write("address new@example.org", to=old, at=at)
    with host.ledger.write() as tx:
        player = players.by_name(tx, "player-1")
        assert player is not None
        addresses.change_at_once(tx, host.config, player, "new@example.org", at)
    assert speaking.write("report", to=old, at=at) == "refused"
    for seat in ("1", "2"):
        speaking.write("draw", seat=seat, at=at)
    host.night(at + HOUR)
    assert speaking.write("digest", to=old, at=at + 2 * HOUR) == "refused"
    assert told(speaking) == {}
