"""M at a whole host: kept, judged, answered once to the registered address or not at all; what stood before stands.

Each mail comes to the plain address, where the key in its form speaks, and to the seat's own, where the address does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from pbem.arriving.message import arrived_by
from pbem.arriving.storing import store
from tests.pbem.host.conftest import NOON, Host
from tests.pbem.intake.hostile.case import ACCEPT, KEEP, KEY, REFUSE
from tests.pbem.intake.hostile.mail_table import MAILS
from tests.pbem.intake.hostile.mails import IGNORE, OURS, PLAYER, Mail, tag_of
from tests.pbem.intake.hostile.table import EARLIER, LATER, Table, chunks, text_of

BATCH = 100
FATES = {ACCEPT: "accepted", REFUSE: "refused", KEEP: "quarantined", IGNORE: "ignored"}
LARGEST = 30_000  # bytes of the words of an answer


def sent(host: Host, mails: Sequence[Mail], tagged: bool, key: str = "") -> tuple[Table, list[bytes]]:
    """A table with these mails lying in its inbox, not judged yet."""
    host.config = replace(host.config, address=OURS)
    table = Table(host, len(mails))
    table.open()
    raws = []
    for number, mail in enumerate(mails):
        game, its = f"game{number}", key or table.key(number)
        raw = mail.raw(its, game).replace(b"<m1@", f"<m{number}@".encode())
        raw = raw.replace(PLAYER.encode(), f"seat1-{number}@players.example".encode())
        raws.append(_to(raw, tag_of(its, game)) if tagged else raw)
    arrivals = store(host.ledger, [arrived_by(raw, NOON) for raw in raws], "lmtp")
    table.arrived += [arrival.sha256 for arrival in arrivals]
    return table, raws


def _to(raw: bytes, address: str) -> bytes:
    head, line, body = raw.partition(b"\r\n\r\n")
    for name in (b"Delivered-To: ", b"To: "):
        head = head.replace(b"\r\n" + name + OURS.encode(), b"\r\n" + name + address.encode())
    return head + line + body


def expected(mail: Mail, raw: bytes, tagged: bool) -> str:
    """The fate at that address: where the address proves the seat, what holds no order is refused, and told so."""
    if mail.fate == REFUSE and not tagged and mail.id in UNPROVEN:
        return KEEP
    if mail.fate == KEEP and tagged and b"+" in raw.partition(b"\r\n\r\n")[0]:
        return ACCEPT if mail.id in WITHOUT_A_KEY else REFUSE
    return mail.at_host or mail.fate


WITHOUT_A_KEY = ("M06-no-key", "M33-small-pages")  # the address says the rest
# Mails whose form, and with it the key, lies beyond what is looked at.
UNPROVEN = frozenset(
    [f"M04-{name}" for name in ("parts-too-deep", "deep", "many-parts", "only-boundaries", "partial", "external-body")]
    + ["M10-messages-in-messages"]
)


@pytest.mark.slow
@pytest.mark.parametrize("tagged", [False, True], ids=["plain", "tagged"])
@pytest.mark.parametrize("mails", chunks(MAILS, BATCH), ids=lambda mails: f"{mails[0].id}-to-{mails[-1].id}")
def test_each_has_the_fate_in_the_table(host: Host, mails: Sequence[Mail], tagged: bool) -> None:
    table, raws = sent(host, mails, tagged)
    assert sum(table.settle().values()) == len(set(table.arrived))
    fates = table.fates_by_bytes()
    wrong = []
    for number, (mail, raw) in enumerate(zip(mails, raws, strict=True)):
        fate, reason = fates[table.arrived[number]]
        wanted = expected(mail, raw, tagged)
        if fate != FATES[wanted]:
            wrong.append((mail.id, wanted, fate, reason))
            continue
        assert table.raw_is_kept(raw), mail.id
        assert (reason == "") is (wanted == ACCEPT), mail.id
        assert table.stands(number) == [LATER if wanted == ACCEPT else EARLIER], mail.id
        _check_answers(table, number, mail, wanted)
    assert wrong == [], "\n".join(map(str, wrong))


def _check_answers(table: Table, number: int, mail: Mail, wanted: str) -> None:
    answers = table.answers(number)
    looks_automatic = mail.id.startswith("M20-") and wanted == IGNORE  # orders that a list seems to have sent
    assert len(answers) == (wanted in (ACCEPT, REFUSE) or looks_automatic), mail.id
    for answer in answers:
        assert [one.addr_spec for one in answer["To"].addresses] == [f"seat1-{number}@players.example"], mail.id
        assert not answer.get_all("Cc", []), mail.id
        assert not answer.get_all("Bcc", []), mail.id
        assert answer["Auto-Submitted"] == "auto-replied", mail.id
        told = " ".join(text_of(answer).split())
        assert len(told) < LARGEST, mail.id
        assert mail.fate != REFUSE or mail.says in told, mail.id
        assert "evil.example" not in told or wanted == ACCEPT, mail.id


@pytest.mark.slow
@pytest.mark.parametrize("mails", chunks(MAILS, BATCH), ids=lambda mails: f"{mails[0].id}-to-{mails[-1].id}")
def test_without_the_key_none_is_answered(host: Host, mails: Sequence[Mail]) -> None:
    table, raws = sent(host, mails, tagged=True, key=KEY)
    before = table.mails_out()
    assert set(table.settle()) <= {"quarantined", "ignored"}
    assert table.mails_out() == before
    for number, raw in enumerate(raws):
        assert table.raw_is_kept(raw)
        assert table.stands(number) == [EARLIER]


def test_g30_a_host_that_answers_robots_is_found(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """The weakened build."""
    monkeypatch.setattr("pbem.intake.mail.walk.why_automatic", lambda *_: "")
    robots = [mail for mail in MAILS if mail.id in ("M18-auto-replied", "M20-list-id", "M23-from-us")]
    table, _ = sent(host, robots, tagged=True)
    table.settle()
    assert all(table.answers(number) for number in range(len(robots)))


def test_g28_a_host_that_asks_no_key_is_found(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """The weakened build: any key will do."""
    monkeypatch.setattr("pbem.keys.matches", lambda *_: True)
    table, _ = sent(host, [mail for mail in MAILS if mail.id == "M03-line-feeds"], False, KEY)
    assert table.settle() == {"accepted": 1}
