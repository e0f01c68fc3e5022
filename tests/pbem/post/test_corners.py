"""Corners of what is told of mails: who has moved, what was told before, long lists, clocks without a time."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from pbem.errors import Trouble
from pbem.ledger import Ledger, letters, outbox, players
from pbem.ledger.letters import Waiting
from pbem.ledger.players import PlayerRow
from pbem.ledger.transaction import Write
from pbem.mailparts import parts
from pbem.post import digest, telling, trial
from pbem.post.headers import header, words
from pbem.post.own import envelope, host_id, next_id
from pbem.post.settings import Place
from pbem.post.telling import tell_host, tell_player
from pbem.reports import letter
from tests.pbem.post.conftest import NOON, Sender, by_smtp
from tests.pbem.post.rude import Rude
from tests.pbem.post.test_digest import again, taken_by, wishing
from tests.pbem.post.test_trial import tried

HOUR = timedelta(hours=1)


def moved_to(tx: Write, player: PlayerRow, address: str) -> None:
    players.change(tx, player, address=address, lang=player.lang, zone=player.zone, at=NOON)


def test_a_player_is_told_once_and_only_where_his_mails_still_go(sender: Sender) -> None:
    again(sender)
    with Rude() as server:
        sender.deliver(NOON, **by_smtp(server.port))
    with closing(Ledger.open(sender.config.ledger)) as ledger, ledger.write() as tx:
        report = next(
            mail
            for mail in outbox.of_game(tx, "heaps")
            if mail.seat == "1" and parts(outbox.raw(tx, mail.message_id)).kind == "report"
        )
        before = len(outbox.of_game(tx, "heaps"))
        tell_player(tx, sender.config, report._replace(seat=None), NOON)
        tell_player(tx, sender.config, report._replace(game="nowhere"), NOON)
        assert len(outbox.of_game(tx, "heaps")) == before
        player = players.by_name(tx, "player-1")
        assert player is not None
        moved_to(tx, player, "elsewhere@players.example")
        tell_player(tx, sender.config, report, NOON)
        assert len(outbox.of_game(tx, "heaps")) == before, "his address has changed"
        moved = players.by_name(tx, "player-1")
        assert moved is not None
        moved_to(tx, moved, "1@players.example")
        for _ in range(2):
            tell_player(tx, sender.config, report, NOON)
        assert len(outbox.of_game(tx, "heaps")) == before + 1


def test_the_host_is_told_of_nothing_when_there_is_nothing(sender: Sender) -> None:
    config = replace(sender.config, referee="referee@pbem.test")
    with closing(Ledger.open(config.ledger)) as ledger:
        assert not tell_host(config, ledger, NOON)
        with ledger.read() as tx:
            assert outbox.of_game(tx, "@host") == []
        assert tell_host(config, ledger, NOON + 4 * HOUR), "they have waited too long by then"
        assert not tell_host(config, ledger, NOON + 5 * HOUR), "each is told once"


@pytest.mark.parametrize(("most", "more"), [(5, False), (4, True)])
def test_a_long_list_is_cut(sender: Sender, monkeypatch: pytest.MonkeyPatch, most: int, more: bool) -> None:
    monkeypatch.setattr(telling, "LISTED", most)
    config = replace(sender.config, referee="referee@pbem.test")
    with closing(Ledger.open(config.ledger)) as ledger:
        assert tell_host(config, ledger, NOON + 4 * HOUR)
        with ledger.read() as tx:
            [mail] = outbox.of_game(tx, "@host")
            text = parts(outbox.raw(tx, mail.message_id)).text
    assert text.count("waits: ") == most
    assert ("... and 1 more." in text) == more
    assert text.startswith("5 mails have not got through.")


def test_one_mail_is_told_of_as_one() -> None:
    assert telling._not_through(1) == "1 mail has not got through"
    assert telling._not_through(2) == "2 mails have not got through"


def test_ids_of_the_host_are_like_those_that_a_bounce_names(sender: Sender) -> None:
    with sender.reading() as tx:
        name = host_id(tx, sender.config, "x", "y")
        assert host_id(tx, sender.config, "x", "y") == name != host_id(tx, sender.config, "xy")
    digits, _, host = name.strip("<>").partition("@")
    assert (len(digits), host) == (30, "pbem.test")


def test_what_happens_next_has_an_id_until_it_has_happened(sender: Sender) -> None:
    with closing(Ledger.open(sender.config.ledger)) as ledger:
        with ledger.read() as tx:
            first = next_id(tx, sender.config, "x", NOON)
            assert next_id(tx, sender.config, "x", NOON) == first != next_id(tx, sender.config, "y", NOON)
            assert next_id(tx, sender.config, "x", NOON + HOUR) != first
        assert tell_host(replace(sender.config, referee="referee@pbem.test"), ledger, NOON + 4 * HOUR)
        with ledger.read() as tx:
            assert next_id(tx, sender.config, "x", NOON) != first


def test_a_mail_in_one_line(sender: Sender) -> None:
    with sender.reading() as tx:
        mail = next(one for one in outbox.of_game(tx, "heaps") if one.seat == "1")
        raw = outbox.raw(tx, mail.message_id)
    late = mail._replace(since=NOON, detail="450 later")
    said = telling.line(late, raw, "a@b")
    assert said == "report of heaps, seat 1 to a@b, since 2026-11-18 12:00 UTC: 450 later"
    bare = mail._replace(game="@host", seat=None, since=None, detail="")
    assert telling.line(bare, b"To: a@b\r\n\r\n", "a@b") == "mail of the host to a@b"


def test_a_referee_who_plays_is_told_of_his_mails_as_a_player(sender: Sender) -> None:
    config = replace(sender.config, referee="1@players.example")
    with closing(Ledger.open(config.ledger)) as ledger:
        assert tell_host(config, ledger, NOON + 4 * HOUR)
        with ledger.read() as tx:
            [mail] = outbox.of_game(tx, "@host")
            text = parts(outbox.raw(tx, mail.message_id)).text
        assert text.count("waits: ") == 5
        assert not tell_host(config, ledger, NOON + 9 * HOUR), "of a mail to himself he is told by nothing"


def test_a_mail_to_the_host_names_thirty() -> None:
    assert telling.LISTED == 30
    for count, more in ((30, []), (31, ["... and 1 more."])):
        assert list(telling._closing(count))[:-1] == more


# --- digests ----------------------------------------------------------------------------------------------------------


def test_a_bundle_is_counted_and_one_mail_is_no_player_s(sender: Sender) -> None:
    wishing(again(sender))
    with closing(Ledger.open(sender.config.ledger)) as ledger:
        assert digest.bundle(sender.config, ledger, NOON) == 2
        assert digest.bundle(sender.config, ledger, NOON) == 0
        with ledger.read() as tx:
            [one, _] = outbox.of_game(tx, "@host")
            assert (one.seat, one.state) == (None, "queued")
            single = outbox.of_game(tx, "heaps")[0]
            assert digest.player_of(tx, single.message_id) is None
            player = digest.player_of(tx, one.message_id)
            assert player in {row.commitment for row in players.every(tx)}


def test_more_than_fit_into_one_digest_make_several(sender: Sender, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digest, "MOST", 1)
    wishing(again(sender))
    with closing(Ledger.open(sender.config.ledger)) as ledger:
        assert digest.bundle(sender.config, ledger, NOON) == 0, "one alone is none"


def test_a_mail_without_a_page_brings_none(sender: Sender) -> None:
    with sender.reading() as tx:
        single = digest._single(tx, next(mail for mail in sender.mails() if mail.seat == "1"))
    names = {file.name for file in digest._files([single])}
    assert "01-heaps-report.html" in names
    bare = single._replace(parts=single.parts._replace(html=""))
    assert {file.name for file in digest._files([bare])} == names - {"01-heaps-report.html"}


def test_a_digest_speaks_its_player_s_language_and_says_how_to_leave(sender: Sender) -> None:
    with closing(Ledger.open(sender.config.ledger)) as ledger, ledger.write() as tx:
        player = players.by_name(tx, "player-1")
        assert player is not None
        players.change(tx, player, address="1@players.example", lang="fr", zone=player.zone, at=NOON)
    wishing(again(sender))
    with Rude() as server:
        sender.deliver(NOON, **by_smtp(server.port))
    [one] = taken_by(server, "1@players.example")
    assert header(one.raw, "Content-Language") == "fr"
    assert header(one.raw, "Subject").startswith("[pbem] 2 lettres")
    assert words(header(one.raw, "To")) == "player-1 <1@players.example>"
    assert header(one.raw, "List-Unsubscribe").startswith("<mailto:orders+")
    assert header(one.raw, "References")
    plain = one.raw.partition(b"\r\n\r\n")[2]
    assert [plain.count(b"%d. [heaps]" % number) for number in range(4)] == [0, 2, 2, 0]


def test_a_digest_holds_twenty_letters() -> None:
    assert digest.MOST == 20


def test_the_heads_in_a_digest_are_noted_as_mailed(sender: Sender, monkeypatch: pytest.MonkeyPatch) -> None:
    noted: list[set[str]] = []
    monkeypatch.setattr(digest.mailed, "note", lambda ledger, games: noted.append(games))
    with closing(Ledger.open(sender.config.ledger)) as ledger:
        assert digest.bundle(sender.config, ledger, NOON) == 0, "nobody wishes any"
        wishing(again(sender))
        assert digest.bundle(sender.config, ledger, NOON) == 2
    assert noted == [{"heaps"}]


def test_a_mail_of_the_host_s_own_is_answered_where_it_says(sender: Sender) -> None:
    to = letter.Address("Anna", "anna@players.example")
    assert envelope(sender.config, "x", "<1@host>", NOON, to, "Hello").reply_to is None
    answers = envelope(sender.config, "x", "<1@host>", NOON, to, "Hello", reply_to="a+b@host").reply_to
    assert answers == letter.Address(sender.config.host, "a+b@host")


def test_what_was_tried_already_is_in_no_digest(sender: Sender) -> None:
    again(sender)
    with Rude(plan=lambda n: "450 at RCPT") as server:
        sender.deliver(NOON, **by_smtp(server.port))
    wishing(sender)
    with closing(Ledger.open(sender.config.ledger)) as ledger:
        assert digest.bundle(sender.config, ledger, NOON + HOUR) == 0


def test_files_lie_where_a_person_finds_them(sender: Sender) -> None:
    assert sender.deliver(NOON)
    seat = sender.config.outbox / "heaps" / "1"
    assert "ORDER FORM" in (seat / "turn-0001-report.txt").read_text()
    assert "<html" in (seat / "turn-0001-report.html").read_text()
    assert (seat / "turn-0001-report.json").exists()
    assert (seat / "turn-0001-report-orders.yml").exists()
    assert seat.stat().st_mode & 0o777 == 0o700


def test_a_mail_to_another_address_goes_by_itself(sender: Sender) -> None:
    wishing(again(sender))
    with closing(Ledger.open(sender.config.ledger)) as ledger, ledger.write() as tx:
        player = players.by_name(tx, "player-1")
        assert player is not None
        moved_to(tx, player, "elsewhere@players.example")
    with Rude() as server:
        sender.deliver(NOON, **by_smtp(server.port))
    assert len(taken_by(server, "1@players.example")) == 2


# --- a mail to oneself ------------------------------------------------------------------------------------------------


def test_a_way_in_that_is_silent_is_told(sender: Sender) -> None:
    from pbem.arriving.settings import Arriving, Imap

    nobody = Imap(Place("127.0.0.1", 1), "none", "x")
    with Rude() as server:
        config = replace(sender.config, post=replace(sender.config.post, **by_smtp(server.port)))
        found = tried(Sender(config), 0.01, Arriving(imap=nobody))
    assert not found["mail in"].well
    assert found["mail in"].says.startswith("127.0.0.1:1: ")


@pytest.mark.parametrize(
    ("above", "well"),
    [
        ("", None),
        ("Received: by here; no date at all\r\n", None),
        ("Received: by here\r\n", None),
        ("Received: by here; Wed, 18 Nov 2026 12:04:59 +0000\r\n", True),
        ("Received: by here;\r\n Wed, 18 Nov 2026 13:05:00 +0100\r\n", False),
        ("Received: by here; Wed, 18 Nov 2026 11:00:00 +0000\r\n", False),
    ],
)
def test_the_server_s_clock_is_read_where_it_stands(sender: Sender, above: str, well: bool | None) -> None:
    text = "words\r\nReceived: by nobody; Wed, 18 Nov 2026 11:00:00 +0000\r\n"
    raw = f"{above}Message-ID: <x@y>\r\n\r\n{text}".encode()
    with closing(Ledger.open(sender.config.ledger)) as ledger:
        with ledger.write() as tx:
            letters.arrive(tx, raw, NOON, "mail", "<x@y>")
        with ledger.read() as tx:
            [one] = letters.waiting(tx)
        assert isinstance(one, Waiting)
        found = list(trial._clock(ledger, one, NOON))
    assert [one.well for one in found] == ([] if well is None else [well])


def test_it_is_looked_for_less_and_less_often(sender: Sender, monkeypatch: pytest.MonkeyPatch) -> None:
    hour, pauses = [0], list[int]()

    def sleep(seconds: int) -> None:
        pauses.append(seconds)
        hour[0] += seconds

    monkeypatch.setattr(trial, "monotonic", lambda: hour[0])
    monkeypatch.setattr(trial, "sleep", sleep)
    monkeypatch.setattr(trial, "OFTEN", 1)
    monkeypatch.setattr(trial, "SELDOM", 4)
    with closing(Ledger.open(sender.config.ledger)) as ledger:
        assert trial._looked_for(sender.config, ledger, NOON, {"plain": "<1@host>"}, 11) == ({}, [])
    assert pauses == [1, 2, 4], "another four would be too long"


# --- ways in ----------------------------------------------------------------------------------------------------------


def test_trouble_of_a_way_in_is_no_fault_of_ours(sender: Sender) -> None:
    from pbem.arriving import fetching

    def trouble() -> Any:
        raise Trouble("The ledger is busy.")

    with pytest.raises(Trouble):
        fetching._asked(sender.config, "mail", "here", trouble)
    assert not (sender.config.folder / "pbem-fault.log").exists()
