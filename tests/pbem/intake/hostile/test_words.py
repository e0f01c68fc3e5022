"""O at a whole host: what players write, by mail and through a night, is shown to others as letters, or refused."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace

import pytest

from pbem.arriving.message import arrived_by
from pbem.arriving.storing import store
from pbem.errors import Trouble
from pbem.game.hosting import add_player
from pbem.ledger import outbox
from tests.pbem.host.conftest import DEADLINE, NOON, Host, secret
from tests.pbem.intake.hostile.case import END
from tests.pbem.intake.hostile.leaving import faults, parsed, shape
from tests.pbem.intake.hostile.mails import OURS, mail, tag_of
from tests.pbem.intake.hostile.share import share
from tests.pbem.intake.hostile.table import Table
from tests.pbem.intake.hostile.test_showing import Remote
from tests.pbem.reports.hostile import NASTY, generated

TEXTS = [*NASTY, "\nFrom evil\n.\n", "x" * 3_999, "-- \nlast line", *generated(share(300, 10), seed=41)]
SHOWN = 200  # letters of what was sent that an answer repeats


def brought(host: Host, body: str, subject: str) -> tuple[Table, list[str]]:
    """A table where each text stands in a mail, at `{text}` in the body and the subject; its fates in order."""
    host.config = replace(host.config, address=OURS)
    table = Table(host, len(TEXTS))
    table.open()
    raws = []
    for number, text in enumerate(TEXTS):
        indented = "\n".join(f"  {line}" for line in text.splitlines()) or "  "
        said = body.format(text=text, indented=indented)
        address, message_id = tag_of(table.key(number), f"game{number}"), f"<o{number}@players.example>"
        lines = said.encode("utf-8", "surrogatepass").replace(b"\n", b"\r\n")
        told = subject.format(text=" ".join(text.split()))[:900].encode("utf-8", "surrogatepass").decode("latin-1")
        raws.append(mail(lines, to=address, subject=told.replace("\0", ""), message_id=message_id))
    table.arrived += [one.sha256 for one in store(host.ledger, [arrived_by(raw, NOON) for raw in raws], "lmtp")]
    table.settle()
    fates = table.fates_by_bytes()
    return table, [fates[name][0] for name in table.arrived]


def letters(table: Table, number: int) -> list[bytes]:
    with table.host.ledger.read() as tx:
        return [outbox.raw(tx, one.message_id) for one in outbox.of_game(tx, f"game{number}")]


def sound(table: Table) -> None:
    """Every mail of every game is whole, goes to its seat alone, and has the headers that such mails have."""
    seen: dict[str, set[object]] = {}
    for number in range(table.count):
        for raw in letters(table, number):
            assert faults(raw) == [], ascii(TEXTS[number])
            headers, addresses, _ = shape(raw)
            kind = str(parsed(raw)["X-Pbem-Kind"]).partition("-")[0]
            seen.setdefault(kind, set()).add(headers)
            assert {one for one in addresses if "players.example" in one} <= {
                f"seat{s}-{number}@players.example" for s in "12"
            }
            assert not [one for one in addresses if "evil" in one], ascii(TEXTS[number])
    assert all(len(kinds) <= 2 for kinds in seen.values()), seen  # an answer in a thread, or a letter of its own


@pytest.mark.slow
def test_press_reaches_the_other_as_letters(host: Host) -> None:
    """O03"""
    table, fates = brought(host, "say: |\n{indented}\norders:\n  - b3\n" + END, "Re: game")
    assert fates.count("accepted") > len(TEXTS) / 3
    host.night(DEADLINE)
    sound(table)
    for number, text in enumerate(TEXTS):
        for raw in letters(table, number):
            page = parsed(raw).get_body(("html",))
            assert page is not None
            assert Remote(page.get_content()).found == [], ascii(text)
    script = TEXTS.index("<script>alert(1)</script>")
    assert fates[script] == "accepted"
    words = [parsed(raw).get_body(("plain",)) for raw in letters(table, script)]
    assert sum("<script>alert(1)</script>" in part.get_content() for part in words if part is not None) > 1


@pytest.mark.slow
def test_orders_are_repeated_as_letters_and_not_at_length(host: Host) -> None:
    table, fates = brought(host, "orders:\n  - {text}\n" + END, "Re: game {text}")
    assert set(fates) <= {"accepted", "refused", "ignored"}
    assert fates.count("refused") > len(TEXTS) / 2
    sound(table)
    long = TEXTS.index("x" * 2000)
    assert all(
        b"x" * (SHOWN + 1) not in raw.replace(b"=\r\n", b"").replace(b"\r\n", b"") for raw in letters(table, long)
    )


@pytest.mark.parametrize("text", NASTY, ids=ascii)
def test_a_name_is_refused_at_entry_or_shown_as_letters(host: Host, text: str) -> None:
    """O01, O03"""
    takes = text.strip().isprintable() and 0 < len(text.strip()) <= 60
    with nullcontext() if takes else pytest.raises(Trouble, match="name"), host.ledger.write() as tx:
        add_player(tx, text, "x@players.example", "en", "UTC", NOON, secret("x"))


@pytest.mark.parametrize("address", [
    "a@b\r\nBcc: x@y", "-oQ/tmp@x", "a b@c", "a@b,c@d", "<a@b>", "a@b>", "\"a\"@b", "a@", "@b", "a", "a@b\0", "a@b;c",
    "a@b\n.", "--@", "a@[1.2.3.4]", "a:b@c", "a(b)@c", "|id@x y", "a@b?subject=x", "a" * 70 + "@b",
])  # fmt: skip
def test_an_address_that_says_more_than_an_address_is_refused(host: Host, address: str) -> None:
    with pytest.raises(Trouble), host.ledger.write() as tx:
        add_player(tx, "Anna", address, "en", "UTC", NOON, secret("x"))
