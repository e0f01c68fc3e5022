"""Forgetting a person: no byte of his address is left in the ledger's file, and every chain can still be checked."""

from __future__ import annotations

import base64
import binascii
import sqlite3
from contextlib import closing, suppress
from email.message import EmailMessage
from pathlib import Path

import pytest
import sqlalchemy as sa

from pbem.audit import exported
from pbem.audit.book import of_ledger
from pbem.audit.export import export
from pbem.audit.verify import Verdict, verify, verify_ledger
from pbem.delivering import deliver
from pbem.errors import Trouble
from pbem.ledger import Ledger, backup, dump, letters, openings, outbox, players, rebuild
from pbem.ledger.opening import bytes_of
from pbem.ledger.packing import unpack
from pbem.ledger.tables import LETTER
from pbem.ledger.transaction import Read
from pbem.ledger.troubles import LedgerBusy
from pbem.people import forgetting
from pbem.people.forgetting import Forgotten, forget
from pbem.people.person import changed, confirmed
from tests.pbem.audit.forging import edit
from tests.pbem.correspondence.conftest import Post
from tests.pbem.host.conftest import DAY, DEADLINE, NOON, Host

CANARY, NEW = "1@players.example", "kanarienvogel@elsewhere.example"


def readings(value: object, tx: Read) -> list[bytes]:
    """A stored value as it lies there and, where it is packed or sealed, as it reads; and what is encoded in it."""
    raw = value.encode() if isinstance(value, str) else value
    if not isinstance(raw, bytes):
        return []
    found = [raw]
    with suppress(ValueError, Trouble):  # many a word begins like something packed
        found.append(bytes_of(tx, unpack(raw)))
    return [*found, *(binascii.a2b_qp(one) for one in found)]


def left_of(path: Path, word: str) -> list[str]:
    ledger = Ledger.open(path, readonly=True)
    with closing(ledger), ledger.read() as tx:
        return standing(tx, path, word)


def standing(tx: Read, path: Path, word: str) -> list[str]:
    """Where a word stands: table and column for what is stored, the file for any page of it, used or not."""
    wanted, found = word.encode(), []
    with closing(sqlite3.connect(path)) as line:
        tables = [row[0] for row in line.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            rows = line.execute(f'SELECT * FROM "{table}"')
            names = [column[0] for column in rows.description]
            for row in rows:
                found += [
                    f"{table}.{name}"
                    for name, value in zip(names, row, strict=True)
                    if any(wanted in one or encoded(wanted, one) for one in readings(value, tx))
                ]
    for part in (path, path.with_name(path.name + "-wal")):
        if part.exists() and wanted in part.read_bytes():
            found.append(part.name)
    return sorted(set(found))


def encoded(word: bytes, said: bytes) -> bool:
    """Whether the word stands there in base64, at any of its three places."""
    return any(base64.b64encode(bytes(shift) + word)[4 : -8 or None] in said for shift in range(3) if len(word) > 12)


@pytest.fixture
def played(post: Post) -> Post:
    """A game that is over, in which seat 1 wrote mails, asked for another address and got it, and had a digest."""
    host = post.host
    host.start("nim", name="other", heaps="2,2")
    post.write(host.file("1", "c5"), sender=CANARY, message_id="<first@players.example>")
    # Base64, as many programs send what is not plain, and another's mail that quotes his address.
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = CANARY, post.tagged("1"), "Re: again"
    mail["Message-ID"] = "<again@players.example>"
    mail.set_content(host.file("1", "c4") + f"\n-- \n{CANARY}\n", cte="base64")
    post.bring(mail.as_bytes())
    post.write(f"> {CANARY} wrote:\n\n" + host.file("2", "b4", turn=1), seat="2", message_id="<two@players.example>")
    for night in range(2):
        assert host.order("1", "a2", name="other", at=NOON).fate in ("accepted", "refused")
        host.order("2", "b2", name="other", at=NOON)
        host.night(DEADLINE + night * DAY)
    with host.ledger.write() as tx:
        code = changed(tx, host.config, "player-1", DEADLINE + 2 * DAY, address=NEW)
    with host.ledger.write() as tx:
        confirmed(tx, host.config, code, DEADLINE + 2 * DAY)
    night = 2
    while host.status() == "open":
        for seat in host.row().pending:
            host.order(seat, next(f"{heap}1" for heap in "abc" if can(host, seat, f"{heap}1")))
        host.night(DEADLINE + night * DAY)
        night += 1
    deliver(host.config, host.ledger, DEADLINE + (night + 1) * DAY)
    return post


def can(host: Host, seat: str, move: str) -> bool:
    return host.order(seat, move).fate == "accepted"


def forgotten(post: Post, name: str = "player-1", **more: bool) -> Forgotten:
    with post.host.ledger.write() as tx:
        found = forget(tx, post.host.config, name, DEADLINE + 20 * DAY, **more)
    post.host.ledger.compact()
    return found


def verdicts(ledger: Ledger) -> dict[str, Verdict]:
    return {verdict.chain: verdict for verdict in verify_ledger(ledger)}


def test_no_byte_of_an_address_is_left_in_the_file(played: Post) -> None:
    host, path = played.host, played.host.ledger.path
    copy = backup.backup(path, path.with_name("before.db"))
    assert left_of(path, CANARY)
    assert {"letter.raw", "mail.raw", "player.address"} <= set(left_of(path, NEW)) | set(left_of(path, CANARY))
    found = forgotten(played)
    assert found.letters >= 4
    assert found.mails >= 5
    assert found.rows == found.stopped == 0
    for address in (CANARY, NEW):
        assert left_of(path, address) == []
        assert left_of(copy, address)  # backups are for the host to throw away, and he is told so
    with host.ledger.read() as tx:
        assert all(outbox.raw(tx, mail.message_id) for mail in outbox.of_game(tx, "game") if mail.seat == "2")


def test_every_chain_can_be_checked_and_says_that_it_forgot(played: Post) -> None:
    heads = {chain: verdict.head for chain, verdict in verdicts(played.host.ledger).items()}
    found = forgotten(played)
    after = verdicts(played.host.ledger)
    assert [verdict.fault for verdict in after.values() if not verdict.ok] == []
    assert {chain: after[chain].head for chain in ("game", "other")} == {
        chain: heads[chain] for chain in ("game", "other")
    }
    assert after["game"].forgotten >= 5
    assert "named a person who was forgotten" in " ".join(after["game"].notes)
    assert after["game"].mails > 0  # those of the other seat
    assert after["@host"].forgotten >= found.letters
    before = dump.canonical_dump(played.host.ledger)
    rebuild.rebuild(played.host.ledger)
    assert dump.canonical_dump(played.host.ledger) == before


def test_an_export_is_checked_too(played: Post, tmp_path: Path) -> None:
    forgotten(played)
    with of_ledger(played.host.ledger, "game") as book:
        export(book, tmp_path / "game.pbem", referee=True, mails=True)
    verdict = verify(exported.ExportBook(tmp_path / "game.pbem"))
    assert verdict.ok, verdict.fault
    assert verdict.forgotten > 0
    assert CANARY.encode() not in (tmp_path / "game.pbem").read_bytes()


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("UPDATE letter SET raw = x'72' WHERE id = (SELECT max(id) FROM letter)", "is not the one that came"),
        ("UPDATE mail SET raw = x'72' WHERE id = 1", "is not the one that was written"),
        ("UPDATE letter SET raw = x'7241' WHERE raw = x'72'", "is not the one that came"),
    ],
    ids=["letter", "mail", "other bytes"],
)
def test_what_is_emptied_without_a_row_is_found(played: Post, statement: str, says: str) -> None:
    """Weakened: somebody drops the triggers, empties what nobody asked to forget, and says in the projection that it
    was; or writes other bytes where there are none any more."""
    forgotten(played, "player-2")
    emptied = "SELECT sha256, 1 FROM letter UNION SELECT sha256, 1 FROM mail"
    edit(played.host.ledger.path, f"INSERT OR REPLACE INTO forgotten {emptied}", statement)
    faults = [verdict.fault for verdict in verdicts(played.host.ledger).values() if verdict.fault]
    assert any(says in fault for fault in faults), faults


def test_without_a_row_the_ledger_empties_nothing(played: Post) -> None:
    with closing(sqlite3.connect(played.host.ledger.path)) as line:
        for table in ("letter", "mail"):
            with pytest.raises(sqlite3.IntegrityError, match="rows are never changed"):
                line.execute(f"UPDATE {table} SET raw = x'72'")
        line.execute("INSERT INTO forgotten SELECT sha256, 1 FROM letter")
        for change in ("raw = x'7200'", "raw = x'72', sha256 = 'x'", "raw = x'72', id = id + 1000"):
            with pytest.raises(sqlite3.IntegrityError, match="rows are never changed"):
                line.execute(f"UPDATE letter SET {change} WHERE id = 1")
        line.rollback()


def test_letters_that_wait_are_judged_first(post: Post) -> None:
    host = post.host
    with host.ledger.write() as tx:
        letters.arrive(tx, post.mail("hello", sender=CANARY), NOON, "lmtp", "<waits@x>")
    with pytest.raises(Trouble, match="run `pbem fetch` first"):
        forgotten(post, anyway=True)


def test_mails_to_others_that_name_him_leave_first(post: Post) -> None:
    host = post.host
    raw = f"To: 2@players.example\r\n\r\nThis came from {CANARY}.\r\n".encode()
    with host.ledger.write() as tx:
        outbox.post(tx, "game", "2", "notice", "<told@host>", raw, NOON, NOON)
    with pytest.raises(Trouble, match="run `pbem deliver` first"):
        forgotten(post, anyway=True)
    with host.ledger.read() as tx:
        assert players.by_name(tx, "player-1") is not None, "nothing was done by halves"


def test_an_address_that_two_persons_share_is_searched_for_by_nobody(post: Post) -> None:
    host = post.host
    with host.ledger.write() as tx:
        players.add(tx, "his wife", CANARY, "en", "UTC", NOON, b"s" * 32)
        letters.arrive(tx, f"From: {CANARY}\r\n\r\nmine".encode(), NOON, "lmtp", "<hers@x>")
        letters.settle(tx, letters.waiting(tx)[-1].sha256, "<hers@x>", letters.IGNORED, NOON, {})
    forgotten(post, anyway=True)
    with host.ledger.read() as tx:
        [kept] = [row for row in tx.all(sa.select(LETTER.c.sha256)) if letters.get(tx, row.sha256)]
        assert letters.get(tx, kept.sha256) == f"From: {CANARY}\r\n\r\nmine".encode()


def test_mails_to_him_do_not_leave_and_are_not_tried_again(post: Post) -> None:
    host = post.host
    found = forgotten(post, anyway=True)
    assert found.stopped >= 1
    with host.ledger.write() as tx:
        assert outbox.again(tx, DEADLINE) == 0
        assert outbox.lost(tx) == []
    counts = deliver(host.config, host.ledger, DEADLINE)
    assert "refused" not in str(counts)
    host.night()  # his seat is silent, and gets nothing
    assert [mail.kind for mail in host.mails("1")] == ["forgotten"] * found.stopped
    assert all(verdict.ok for verdict in verdicts(host.ledger).values())


def test_what_he_asked_for_is_forgotten_too(post: Post) -> None:
    """A seat in a game that waits for its players, asked for by mail and not confirmed yet."""
    with post.host.ledger.write() as tx:
        for code, address in (("a", CANARY.upper()), ("b", "2@players.example")):
            openings.ask(tx, openings.Asking(code, "waiting", None, "x", address, "en", NOON))
    forgotten(post, anyway=True)
    with post.host.ledger.read() as tx:
        assert [one.address for one in openings.asked(tx)] == ["2@players.example"]


def test_a_game_goes_on_only_when_that_is_meant(post: Post) -> None:
    with pytest.raises(Trouble, match="still plays in game"):
        forgotten(post)


def test_nobody_else_is_forgotten_with_him(played: Post) -> None:
    """An address that is the end of another one, and one that somebody else has too."""
    host = played.host
    with host.ledger.write() as tx:
        letters.arrive(tx, b"From: 11@players.example\n\nnot his", NOON, "lmtp", "<other@x>")
        letters.settle(tx, letters.waiting(tx)[-1].sha256, "<other@x>", letters.IGNORED, NOON, {})
    forgotten(played)
    assert "letter.raw" in left_of(host.ledger.path, "11@players.example")


def test_while_somebody_reads_the_log_is_not_emptied_and_that_is_said(played: Post) -> None:
    host = played.host
    with closing(sqlite3.connect(host.ledger.path)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM letter").fetchall()
        with host.ledger.write() as tx:
            forget(tx, host.config, "player-1", DEADLINE + 20 * DAY)
        with pytest.raises(LedgerBusy):
            host.ledger.compact()
    host.ledger.compact()
    assert left_of(host.ledger.path, CANARY) == []


@pytest.mark.parametrize("says", ["Subject: =?utf-8?B?{}?=\n\nhello\n", "Content-Transfer-Encoding: base64\n\n{}\n"])
def test_an_address_in_base64_is_found_where_a_mail_says_base64(says: str) -> None:
    """A word of a header, and a part."""
    hidden = base64.b64encode(b"it was ann@players.example").decode()
    assert forgetting._names(says.format(hidden).encode(), {"ann@players.example"})
    assert not forgetting._names(says.format(hidden).encode(), {"eva@players.example"})
