"""Strangers' mail: what belongs to no game is emptied when its time is up, is still known, and still adds up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from pbem import nightly
from pbem.arriving import fetching
from pbem.audit.verify import verify_ledger
from pbem.care import doctor, quarantine
from pbem.config import load
from pbem.errors import Trouble
from pbem.ledger import journal, letters, purging, rebuild
from pbem.ledger.chain import HOST
from pbem.ledger.dump import canonical_dump
from pbem.ledger.letters import Arriving
from pbem.ledger.tables import INBOX, LETTER
from pbem.people.forgetting import forget
from tests.pbem.host.conftest import DAY, DEADLINE, NOON, Host

MONTH = 30 * DAY
BOTH = INBOX.join(LETTER, LETTER.c.sha256 == INBOX.c.sha256)


def stranger(number: int, at: datetime = NOON) -> Arriving:
    raw = f"From: eve{number}@elsewhere.example\r\nMessage-ID: <{number}@elsewhere.example>\r\n\r\nbuy {number}\r\n"
    return Arriving(raw.encode(), at, "lmtp", f"<{number}@elsewhere.example>")


def bring(host: Host, *mails: Arriving) -> None:
    with host.ledger.write() as tx:
        letters.arrive_all(tx, mails)
    fetching.collect(host.config, host.ledger, max(mail.at for mail in mails))


def sizes(host: Host) -> dict[str, int]:
    """How many bytes are stored of each letter."""
    with host.ledger.read() as tx:
        found = tx.all(sa.select(INBOX.c.message_id, sa.func.length(LETTER.c.raw).label("size")).select_from(BOTH))
        return {row.message_id: row.size for row in found}


def counts(host: Host) -> dict[str, int]:
    with host.ledger.read() as tx:
        return letters.counts(tx)


def faults(host: Host) -> list[str]:
    return [one.fault or "" for one in verify_ledger(host.ledger) if not one.ok]


def test_strangers_mail_is_emptied_after_its_time_and_the_accounts_add_up(host: Host) -> None:
    bring(host, stranger(1), stranger(2, NOON + DAY))
    before, kept = counts(host), sizes(host)
    assert before == {"quarantined": 2}
    host.night(NOON + MONTH)
    assert sizes(host) == kept
    host.night(NOON + MONTH + timedelta(seconds=1))
    emptied = {"<1@elsewhere.example>": 1}
    assert sizes(host) == kept | emptied
    host.night(NOON + MONTH + 2 * DAY)
    assert sizes(host) == kept | emptied | {"<2@elsewhere.example>": 1}
    assert counts(host) == before
    assert faults(host) == []
    with host.ledger.read() as tx:
        assert letters.kept(tx) == []
        rows = [row.facts() for row in journal.rows(tx, HOST, kinds=("purged",))]
        assert [len(row["letters"]) for row in rows] == [1, 1]
        assert purging.held(tx).messages == 0


def test_what_comes_again_after_it_was_emptied_is_known(host: Host) -> None:
    bring(host, stranger(1))
    host.night(NOON + MONTH + DAY)
    with host.ledger.write() as tx:
        [arrival] = letters.arrive_all(tx, [stranger(1, NOON + MONTH + 2 * DAY)])
    assert not arrival.new
    assert counts(host) == {"quarantined": 1}


def test_what_belongs_to_a_game_is_never_emptied(host: Host) -> None:
    host.start("nim", heaps="1-1")
    host.order("2", "zz")
    host.order("1", "a1")
    host.night()
    host.order("2", "b1", at=DEADLINE)
    host.night(DEADLINE + DAY)
    assert host.status() == "over"
    before = sizes(host)
    assert counts(host) == {"accepted": 2, "refused": 1}
    bring(host, stranger(1))
    nightly.purge_strangers(host.config, host.ledger, NOON + 400 * DAY)
    assert sizes(host) == before | {"<1@elsewhere.example>": 1}
    assert faults(host) == []


def test_the_same_bytes_that_belong_to_a_game_elsewhere_stay(host: Host) -> None:
    """They may have come by two ways, and one of them was nobody's."""
    raw, at, route, _ = stranger(1)
    bring(host, Arriving(raw, at, route, "<one@x>"), Arriving(raw, at, route, "<two@x>"))
    with host.ledger.write() as tx:
        name = letters.kept(tx)[0].sha256
        letters.settle(tx, name, "<two@x>", letters.REFUSED, NOON, {"game": "game", "reason": ""})
    host.night(NOON + MONTH + DAY)
    assert min(sizes(host).values()) > 1
    assert faults(host) == []


def test_kept_for_ever_where_the_host_says_so(host: Host) -> None:
    file = host.config.folder / "pbem.toml"
    file.write_text(file.read_text().replace("strangers_mail_days = 30 ", "strangers_mail_days = 0 "))
    host.config = load(file)
    bring(host, stranger(1))
    before = sizes(host)
    assert nightly.purge_strangers(host.config, host.ledger, NOON + 4000 * DAY) == 0
    assert sizes(host) == before
    file.write_text(file.read_text().replace("strangers_mail_days = 0 ", "strangers_mail_days = 2 "))
    host.config = load(file)
    assert nightly.purge_strangers(host.config, host.ledger, NOON + 4000 * DAY) == 1
    assert sizes(host) != before


@pytest.mark.parametrize("days", [-1, 36_501])
def test_another_time_than_there_is_is_refused(host: Host, days: int) -> None:
    file = host.config.folder / "pbem.toml"
    file.write_text(file.read_text().replace("strangers_mail_days = 30", f"strangers_mail_days = {days}"))
    with pytest.raises(Trouble, match="strangers_mail_days"):
        load(file)


def test_a_night_empties_so_much_and_the_next_one_the_rest(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    bring(host, *(stranger(number) for number in range(7)))
    monkeypatch.setattr(purging, "_DUE", purging._DUE.limit(2))
    monkeypatch.setattr(purging, "BATCH", 2)
    monkeypatch.setattr(nightly, "PURGED", 2)
    late = NOON + MONTH + DAY
    assert [nightly.purge_strangers(host.config, host.ledger, late) for _ in range(3)] == [4, 3, 0]


def test_looking_for_what_is_due_does_not_grow_with_history(host: Host) -> None:
    with host.ledger.read() as tx:
        if tx.connection.dialect.name != "sqlite":
            pytest.skip("the plan is SQLite's")
        for query in (purging._DUE, purging._ANY):
            text = str(query.compile(dialect=tx.connection.dialect))
            plan = tx.connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}", ("2026", 1, 0)[: text.count("?")]).all()
            assert "USING INDEX inbox_stray" in str(plan)
            assert "SCAN" not in str(plan)


def test_made_anew_from_the_journal_it_is_the_same(host: Host) -> None:
    bring(host, stranger(1), stranger(2, NOON + 20 * DAY))
    host.night(NOON + MONTH + DAY)
    before = canonical_dump(host.ledger)
    rebuild.rebuild(host.ledger)
    assert canonical_dump(host.ledger) == before


def test_a_person_is_forgotten_all_the_same(host: Host) -> None:
    """Whether their mail was emptied before or not."""
    mail = b"From: 1@players.example\r\nMessage-ID: <%d@x>\r\n\r\nhello\r\n"
    bring(host, Arriving(mail % 1, NOON, "lmtp", "<1@x>"), Arriving(mail % 2, NOON + MONTH, "lmtp", "<2@x>"))
    host.night(NOON + MONTH + DAY)
    with host.ledger.write() as tx:
        forget(tx, host.config, "player-1", NOON + MONTH + DAY)
    assert set(sizes(host).values()) == {1}
    host.night(NOON + 3 * MONTH)
    assert faults(host) == []


def test_by_command_whatever_its_age(host: Host) -> None:
    bring(host, stranger(1), stranger(2, NOON + DAY))
    now = NOON + 2 * DAY
    assert quarantine.older(host.ledger, now, 1) == 1
    assert quarantine.purge_all(host.ledger, now, 1) == 1
    assert quarantine.older(host.ledger, now, 0) == 1


@pytest.mark.sqlite
def test_by_command_nothing_is_left_in_the_file(host: Host) -> None:
    bring(host, stranger(1))
    with host.ledger.read() as tx:
        [stored] = tx.connection.exec_driver_sql("SELECT raw FROM letter").scalars().all()
    quarantine.purge_all(host.ledger, NOON + DAY, 0)
    assert stored not in b"".join(path.read_bytes() for path in Path(host.config.folder).glob("ledger.db*"))


def test_the_doctor_tells_how_much_there_is(host: Host) -> None:
    def says() -> str:
        return next(one.says for one in doctor.examine(host.config, NOON) if one.what == "strangers' mail")

    assert says() == "0 messages belong to no game; each is emptied after 30 days"
    bring(host, stranger(1), stranger(2, NOON + DAY))
    assert says().startswith("2 messages belong to no game, ")
    assert "the oldest of 2026-11-18" in says()
    host.config = replace(host.config, strangers_mail=timedelta(0))
    assert "none is ever emptied" in says()


def test_weakened_a_host_that_does_not_purge_keeps_all(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red: the first test finds it."""
    monkeypatch.setattr(purging, "purge", lambda tx, before, at: 0)
    with pytest.raises(AssertionError):
        test_strangers_mail_is_emptied_after_its_time_and_the_accounts_add_up(host)


def test_a_night_that_is_begun_again_writes_the_same_bytes(make_host: Callable[[str], Host]) -> None:
    hosts = [make_host(name) for name in ("one", "two")]
    for host in hosts:
        bring(host, stranger(1))
    late = NOON + MONTH + DAY
    hosts[1].night(late)
    with hosts[0].ledger.write() as tx:
        tx.append(HOST, "night_begun", late, {"now": "2026-12-19T12:00:00Z"})
    for host in (hosts[0], *hosts):
        host.night(late)
    assert canonical_dump(hosts[0].ledger) == canonical_dump(hosts[1].ledger)
    assert late > DEADLINE
