"""Reports leave with their seat's page: after the turn, the same bytes whenever they leave again, of the game as told.

Weakened build, seen to fail: a page made of the game as it stands when the mail leaves.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from email import policy
from email.parser import BytesParser

import pytest

from engine import load
from pbem import delivering
from pbem.game.hosting import add_player, game_named, sheet_of, standing_of
from pbem.game.outgoing import BRINGS, JSON_FILE
from pbem.ledger import outbox
from pbem.mailparts import parts
from pbem.pages import frames, mailing
from pbem.pages.mailing import Given, given
from pbem.pages.told import PICTURE, told_in
from tests.pages.test_telling import data_of, frames_of
from tests.pbem.host.conftest import DAY, DEADLINE, NOON, Host, make_host, secret

__all__ = ["make_host"]
SEATS = ("yellow", "orange", "n", "e", "s", "w")
LARGEST = 400_000


@pytest.fixture
def host(make_host: Callable[..., Host]) -> Host:
    """A host on which every game can be started."""
    made = make_host()
    with made.ledger.write() as tx:
        for seat in SEATS:
            add_player(tx, f"player-{seat}", f"{seat}@players.example", "en", "UTC", NOON, secret(seat))
    return made


def stored(host: Host) -> dict[str, bytes]:
    with host.ledger.read() as tx:
        return {mail.message_id: outbox.raw(tx, mail.message_id) for mail in outbox.of_game(tx, "game")}


def left(host: Host) -> dict[str, bytes]:
    """The mails that have left, by the names of their files."""
    return {path.name: path.read_bytes() for path in sorted((host.config.outbox / "mail").glob("*.eml"))}


def pages(raw: bytes) -> list[str]:
    """The pages a mail brings, as another parser than ours finds them."""
    mail = BytesParser(policy=policy.default).parsebytes(raw)
    return [part.get_content() for part in mail.walk() if part.get_filename() == mailing.FILE]


def again(host: Host) -> dict[str, bytes]:
    """What leaves when every mail that has left leaves once more, as after an answer of the server that was lost."""
    with host.ledger.write() as tx:
        for mail in outbox.of_game(tx, "game"):
            outbox.fate(tx, mail, outbox.UNKNOWN, DEADLINE + 9 * DAY, "cut off", DEADLINE + 9 * DAY)
    shutil.rmtree(host.config.outbox)
    delivering.deliver(host.config, host.ledger, DEADLINE + 9 * DAY)
    return left(host)


@pytest.mark.parametrize("rules", ["bagh-chal", "conquest", "hasami-shogi", "jarmo", "khan", "yuan", "yut", "vault"])
def test_a_report_leaves_with_a_page(host: Host, rules: str) -> None:
    host.start(rules)
    host.night(DEADLINE)
    mails = left(host).values()
    assert len(mails) >= 2
    for raw in mails:
        (page,) = pages(raw)
        shown = data_of(page)
        assert len(page.encode()) < LARGEST
        assert shown["turn"] == list(frames_of(shown))[-1][0]["turn"]
    assert all(not pages(raw) for raw in stored(host).values()), "what is stored in the turn holds no page"
    newest = [data_of(page) for raw in mails for page in pages(raw) if data_of(page)["turn"] == host.row().turn]
    assert all(shown["order"]["key"] == host.key(shown["seat"]) for shown in newest)


def test_a_mail_that_leaves_again_is_the_same_bytes_whatever_has_happened(host: Host) -> None:
    host.start("bagh-chal")
    first = left_after(host, 0) | left_after(host, 1)
    later = first | left_after(host, 2) | left_after(host, 3)
    assert len(later) == len(first) + 4
    assert again(host) == later


def left_after(host: Host, nights: int) -> dict[str, bytes]:
    host.night(DEADLINE + nights * DAY)
    return left(host)


def test_weakened_a_page_of_the_game_as_it_stands_is_another_one(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    def now(tx, config, mail):  # type: ignore[no-untyped-def]
        found, game = given(tx, config, mail), game_named(tx, mail.game)
        standing = standing_of(tx, game)
        return Given(sheet_of(tx, config, game), found.reports, standing.state)

    monkeypatch.setattr(mailing, "given", now)
    host.start("bagh-chal")
    first = left_after(host, 0)
    host.night(DEADLINE + DAY)
    assert {name: raw for name, raw in again(host).items() if name in first} != first


def test_a_letters_page_goes_back_so_far_and_no_further(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mailing, "LAST", 3)
    host.start("bagh-chal")
    for nights in range(7):
        host.night(DEADLINE + nights * DAY)
    turns = [
        [frame["turn"] for frame, _, _ in frames_of(data_of(page))]
        for raw in left(host).values()
        for page in pages(raw)
    ]
    assert max(map(len, turns)) == 3
    assert sorted(turns)[-1] == [6, 7, 8]


def test_where_the_host_says_no_there_is_none(host: Host) -> None:
    host.config = replace(host.config, post=replace(host.config.post, page=False))
    host.start("bagh-chal")
    host.night(DEADLINE)
    assert all(not pages(raw) and BRINGS.encode() not in raw for raw in left(host).values())
    assert left(host)


def test_a_page_that_cannot_be_made_holds_no_mail_up(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(given: Given) -> str:
        raise RuntimeError("no page today")

    monkeypatch.setattr(mailing, "page", broken)
    host.start("bagh-chal")
    host.night(DEADLINE)
    assert len(left(host)) == 4
    assert all(not pages(raw) for raw in left(host).values())


@pytest.mark.parametrize("rules", ["bagh-chal", "conquest", "hasami-shogi", "jarmo", "khan", "yuan", "yut", "vault"])
def test_a_page_shows_the_boards_that_were_mailed_and_draws_none(
    host: Host, monkeypatch: pytest.MonkeyPatch, rules: str
) -> None:
    """They are what would be drawn, but for the lines they are broken into."""
    host.start(rules)
    host.night(DEADLINE)
    for raw in stored(host).values():
        whole, told = json.loads(parts(raw).files[JSON_FILE]), told_in(raw)
        assert told is not None
        drawn = frames._picture(load(rules), whole)
        assert told.get(PICTURE, "").split() == drawn.split()
        if drawn:
            assert {name: value for name, value in whole.items() if name != "facts"} | {PICTURE: told[PICTURE]} == told
            monkeypatch.setattr(frames, "Words", None)
            assert frames.packed(load(rules), [told])
            monkeypatch.undo()
