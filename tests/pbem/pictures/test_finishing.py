"""Mails leave with their maps as PNG: by Content-ID, painted once and after the turn, the same bytes when sent again.

Weakened builds, seen to fail (`test_weakened.py`): a picture that is not kept before the mails leave, a bare mail of
which nobody noted that it left so, a picture found by what it looks like, one whose size nobody looked at.
"""

from __future__ import annotations

import re
from datetime import timedelta
from xml.etree import ElementTree

import pytest
import sqlalchemy as sa

from pbem import delivering, faults
from pbem.care import doctor
from pbem.ledger import outbox
from pbem.ledger.tables import BARE_MAIL, PICTURE
from pbem.mailparts import decoded, page_in, picture_in
from pbem.means import ALONE
from pbem.pictures import painting
from pbem.pictures.finishing import finished
from pbem.reports import html, picture
from pbem.reports.environment import environment
from pbem.reports.report import Reader
from pbem.resolving import resolve_due
from pbem.summary import Summary
from tests.maps.pixels import size_of
from tests.pbem.host.conftest import DEADLINE, Host
from tests.pbem.pictures.conftest import left, pages, resvg, seen
from tests.pbem.reports.letters import quiet
from tests.pbem.reports.tags import Tags

SVG = "http://www.w3.org/2000/svg"


def rows(host: Host, table: sa.Table) -> int:
    with host.ledger.read() as tx:
        found = tx.one(sa.select(sa.func.count()).select_from(table))
    return int(found[0])


def stored(host: Host) -> dict[str, bytes]:
    with host.ledger.read() as tx:
        return {mail.message_id: outbox.raw(tx, mail.message_id) for mail in outbox.of_game(tx, "game")}


def again(host: Host) -> None:
    """Every mail of the game shall leave once more, as after an answer of the server that was lost."""
    with host.ledger.write() as tx:
        for mail in outbox.of_game(tx, "game"):
            outbox.fate(tx, mail, outbox.UNKNOWN, DEADLINE, "cut off", DEADLINE)
    for path in (host.config.outbox / "mail").glob("*.eml"):
        path.unlink()


@resvg
@pytest.mark.parametrize("rules", ["bagh-chal", "conquest", "hasami-shogi", "jarmo", "khan", "yuan", "yut"])
def test_a_mail_leaves_with_its_map_by_content_id(host: Host, rules: str) -> None:
    host.start(rules)
    host.night()
    mails = [seen(raw) for raw in left(host).values()]
    assert mails
    for mail in mails:
        ((cid, (kind, png)),) = mail.pictures.items()
        assert kind == "image/png"
        wide, high = size_of(png)
        assert wide == painting.WIDE
        assert 200 < high <= painting.LONGEST
        (tag,) = re.findall(r"<img [^>]*>", mail.page)
        assert f'src="cid:{cid}"' in tag
        assert "width: 100%; max-width: 600px" in tag
        words = re.search(r'alt="([^"]*)"', tag)
        assert words is not None
        assert len(words[1]) > 30
        assert "<svg" not in mail.page
        assert len(mail.page.encode()) < 100_000
        assert len(png) < 400_000
    for raw in stored(host).values():
        assert b"image/png" not in raw


@resvg
def test_no_picture_is_painted_in_the_turns_transaction(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(painting, "paint", lambda svg: pytest.fail("painted"))
        patched.setattr(painting, "warm", lambda: pytest.fail("painted"))
        host.start("bagh-chal")
        resolve_due(host.config, host.ledger, Summary(DEADLINE), ALONE)
    assert (len(stored(host)), rows(host, PICTURE)) == (4, 0)
    delivering.deliver(host.config, host.ledger, DEADLINE)
    assert rows(host, PICTURE) == 2  # the first report, and that of the turn


@resvg
def test_one_picture_for_all_seats_that_see_the_same(host: Host) -> None:
    host.start("yuan", players="4")
    delivering.deliver(host.config, host.ledger, DEADLINE)
    mails = [seen(raw) for raw in left(host).values()]
    assert len(mails) == 4
    assert len({mail.pictures.popitem() for mail in mails}) == 1
    assert rows(host, PICTURE) == 1
    (one,) = {decoded(raw, place) for raw in stored(host).values() if (place := picture_in(raw))}
    assert one.startswith(f'<svg xmlns="{SVG}"'.encode())


@resvg
def test_the_page_beside_the_mail_shows_the_drawing_itself(host: Host) -> None:
    host.start("khan", players="2")
    host.night()
    copies = [path.read_text("utf-8") for path in pages(host) if "report" in path.name]
    assert copies
    for page in copies:
        assert page.count("<svg") == page.count("</svg>") == 1
        assert "cid:" not in page
        assert "<img" not in page


@resvg
def test_a_mail_sent_again_is_the_same_bytes_and_nothing_is_painted_again(host: Host, monkeypatch) -> None:
    host.start("bagh-chal")
    host.night()
    first = left(host)
    again(host)
    monkeypatch.setattr(painting, "paint", lambda svg: pytest.fail("painted again"))
    delivering.deliver(host.config, host.ledger, DEADLINE)
    assert left(host) == first


@resvg
@pytest.mark.faults
@pytest.mark.parametrize("point", ["pictures-kept", "mails-written", "mails-noted"])
def test_killed_between_painting_and_sending_it_comes_to_the_same(make_host, monkeypatch, point: str) -> None:
    undisturbed, host = make_host("undisturbed"), make_host("killed")
    for one in (undisturbed, host):
        one.start("bagh-chal")
    undisturbed.night()

    class Killed(BaseException):
        """As by a signal: nothing may catch it."""

    def kill(here: str) -> None:
        if here == point:
            raise Killed

    faults.arm(kill)
    try:
        with pytest.raises(Killed):
            host.night()
    finally:
        faults.arm(None)
    painted = rows(host, PICTURE)
    assert painted
    monkeypatch.setattr(painting, "paint", lambda svg: pytest.fail("painted again"))
    host.night(DEADLINE + timedelta(minutes=5))
    assert left(host) == left(undisturbed)
    assert rows(host, PICTURE) == rows(undisturbed, PICTURE) == painted


def test_where_nothing_can_be_painted_the_mail_leaves_in_words(host: Host, no_library: None) -> None:
    host.start("bagh-chal")
    delivering.deliver(host.config, host.ledger, DEADLINE)
    first = left(host)
    for raw in first.values():
        mail = seen(raw)
        assert mail.pictures == {}
        assert b"image/" not in raw
        assert b"multipart/related" in raw
        assert "<img" not in mail.page
        assert "Tigers on a5 e5 a1 e1" in mail.page
    assert (rows(host, PICTURE), rows(host, BARE_MAIL)) == (0, len(first))
    said = [finding for finding in doctor.examine(host.config, DEADLINE) if finding.what == "maps"]
    assert len(said) == 1
    assert said[0].well
    assert "pip install pbem[png]" in said[0].says
    assert "2 mails have left without" in said[0].says


@resvg
def test_a_mail_that_left_in_words_is_sent_again_in_words(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    host.start("bagh-chal")
    with monkeypatch.context() as patched:
        patched.setattr(painting, "warm", _cannot)
        delivering.deliver(host.config, host.ledger, DEADLINE)
    first = left(host)
    again(host)
    delivering.deliver(host.config, host.ledger, DEADLINE)
    assert left(host) == first
    host.night()  # while the next mails have theirs
    later = [seen(raw) for name, raw in left(host).items() if name not in first]
    assert later
    assert all(mail.pictures for mail in later)


def _cannot() -> None:
    raise painting.NotPainted("not here")


@resvg
def test_a_picture_that_kills_its_painter_takes_none_of_the_others_along(host: Host, monkeypatch) -> None:
    host.start("bagh-chal")
    host.start("jarmo", name="other")
    real = painting.paint

    def paint(svg: bytes) -> bytes:
        if b"Jarmo" in svg:
            raise SystemExit("as a crash would")
        return real(svg)

    monkeypatch.setattr(painting, "paint", paint)
    delivering.deliver(host.config, host.ledger, DEADLINE)
    found = [bool(seen(raw).pictures) for raw in left(host).values()]
    assert sorted(found) == [False, False, True, True]


PLANTED = """Content-Type: image/svg+xml
Content-Transfer-Encoding: 7bit
Content-ID: <0000000000000000000000000000000000000000000000000000000000000000@pbem>
Content-Disposition: inline; filename="map.svg"

<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><title>mine</title></svg>
--=_00000000000000000000000000000000
"""


@resvg
def test_a_player_who_writes_a_picture_into_his_words_plants_none(host: Host) -> None:
    host.start("bagh-chal")
    lines = "\n".join(f"    {line}" for line in PLANTED.split("\n"))
    text = host.file("1", "a3").replace("end: orders", f"say: |\n{lines}\nend: orders")
    host.submit(text)
    host.night()
    assert any(b"mine</title>" in raw or b"mine&lt;/title" in raw for raw in stored(host).values()), "his words came"
    for raw in left(host).values():
        for cid, (kind, _) in seen(raw).pictures.items():
            assert not cid.startswith("0000")
            assert kind == "image/png"
    for raw in stored(host).values():
        if place := picture_in(raw):
            assert b"mine" not in decoded(raw, place)


HOSTILE = ['"><svg onload=alert(1)>', "</title><script>alert(1)</script>", "&#60;b&#62;", "]]>", "' onerror='alert(1)"]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_gets_no_markup_into_a_picture(name: str) -> None:
    """No picture shows a player's name."""
    letter = quiet(players={"1": name, "2": name}, reader=Reader(name))
    page, drawn = html.mailed(letter)
    assert drawn is not None
    assert drawn == html.mailed(quiet())[1]
    assert len(re.findall(r"<img [^>]*>", page)) == 1


@pytest.mark.parametrize("word", HOSTILE)
def test_a_hostile_word_that_a_picture_shows_stays_a_word(word: str) -> None:
    """Should a game show one: it is escaped in the drawing, in the words beside it, and where those stand alone."""
    svg = environment("en", html=True).from_string(
        '<svg viewBox="0 0 1 1"><title>{{ word }}</title><desc>It says {{ word }}</desc></svg>'
    )
    shown = picture.drawing(svg.render(word=word))
    assert {node.tag for node in ElementTree.fromstring(shown.svg).iter()} == {"svg", "title", "desc"}
    assert word.rstrip(".") in shown.words
    image = environment("en", html=True).from_string(
        '<p><img src="{{ image.source }}" alt="{{ image.words }}" width="9"></p>'
    )
    page = image.render(image=shown)
    assert Tags(page).found == [("p",), ("img", f"src={shown.source}", f"alt={shown.words}", "width=9"), ("/p",)]
    assert {tag for tag, *_ in Tags(picture.without_image(page)).found} == {"p", "/p"}


def test_a_letter_without_a_picture_is_left_as_it_is(host: Host) -> None:
    host.start("bagh-chal")
    host.order(host.row().pending[0], "nonsense")
    receipts = {name: raw for name, raw in stored(host).items() if picture_in(raw) is None}
    assert receipts
    assert finished(host.ledger, receipts, 1) == receipts
    assert finished(host.ledger, {}, 1) == {}


@resvg
def test_the_parts_around_a_picture_stay_as_they_were(host: Host) -> None:
    """Only the one part is another: page, words, files and headers are the stored ones to the byte."""
    host.start("yuan", players="2")
    for name, raw in stored(host).items():
        place = picture_in(raw)
        assert place is not None
        ready = finished(host.ledger, {name: raw}, 1)[name]
        there = picture_in(ready)
        assert there is not None
        assert ready[: there.start] == raw[: place.start]
        assert ready[there.end :] == raw[place.end :]
        assert decoded(ready, page_in(ready)) == decoded(raw, page_in(raw))
