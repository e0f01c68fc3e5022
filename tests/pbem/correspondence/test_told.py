"""What was dropped in silence is told: list mail, files that nobody opens, forwards, and two forms in one message."""

from __future__ import annotations

import base64
import io
import re
import zipfile

import pytest

from pbem.arriving.fetching import collect
from pbem.correspondence import deciding, suspected
from pbem.intake import fields
from pbem.intake.mail import quoting
from pbem.ledger import letters
from pbem.ledger.letters import IGNORED
from pbem.submitting.taken import Settled
from tests.faults.figures import counted
from tests.pbem.correspondence.conftest import NOON, Post, quoted
from tests.pbem.host.conftest import DAY, DEADLINE, Host
from tests.pbem.host.test_submitting import waits

ORDER = "orders:\n  - b3\nend: orders"
LISTS = {
    "list": "List-Id: <games.example.org>\n",
    "precedence list": "Precedence: list\n",
    "bulk": "Precedence: bulk\n",
    "junk": "Precedence: junk\n",
}
ROBOTS = {
    "auto-replied": "Auto-Submitted: auto-replied\nPrecedence: bulk\n",
    "null sender": "Return-Path: <>\nPrecedence: bulk\n",
    "loop": "X-Loop: orders@localhost\nList-Id: <x.example.org>\n",
}
DROPPED = "a mailing list or a bulk mailer sent it"


# --- lists and bulk mailers -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", LISTS)
def test_orders_that_look_like_list_mail_are_told_of_once_a_day(post: Post, kind: str) -> None:
    """Seen red: whoever's server wrote `Precedence: bulk` above his orders heard nothing, and lost the decision."""
    before = post.count()
    assert post.write(ORDER, more=LISTS[kind]) == "ignored"
    assert post.count() == before + 1
    assert DROPPED in post.text()
    assert post.last()["Auto-Submitted"] == "auto-replied"
    assert waits(post.host, "1") == []
    assert post.write(ORDER, more=LISTS[kind]) == "ignored"
    assert post.count() == before + 1
    post.host.night()
    assert "1 message of yours had no answer" in post.text(), "the second one"
    counted(1, "kinds of list mail that a player is told of")


@pytest.mark.parametrize("robot", ROBOTS)
def test_a_robot_is_told_nothing_though_its_mail_has_a_form(post: Post, robot: str) -> None:
    before = len(post.sent())
    assert post.write(ORDER, more=ROBOTS[robot]) == "ignored"
    assert len(post.sent()) == before


def test_a_vacation_program_behind_a_bulk_mailer_hears_nothing(post: Post) -> None:
    """It quotes our form and fills nothing in; or it writes a line of its own to the address that has the key."""
    before = len(post.sent())
    report = str(post.last().get_body(("plain",)).get_content())  # type: ignore[union-attr]
    for body in (f"I am away.\n\n{quoted(report)}", "I am away until Monday.", "status"):
        assert post.write(body, more=LISTS["bulk"]) == "ignored"
    assert len(post.sent()) == before


def test_what_a_list_brings_back_of_orders_that_were_taken_is_not_told_of(post: Post) -> None:
    raw = post.mail(ORDER, message_id="<same@players.example>")
    assert post.bring(raw) == {"accepted": 1}
    before = len(post.sent())
    brought_back = LISTS["list"].replace("\n", "\r\n").encode() + raw + b"____\r\nThe games list\r\n"
    assert post.bring(brought_back) == {"ignored": 1}
    assert len(post.sent()) == before


def test_list_mail_with_an_old_key_or_none_is_told_to_nobody(post: Post) -> None:
    old = post.host.file("1", "b3")
    post.write(ORDER)
    post.write(ORDER, seat="2")
    post.host.night()
    before = len(post.sent())
    for text in (old, old.replace("key: ", "key: 0000-")):
        late = DEADLINE + DAY / 24
        assert post.write(text, more=LISTS["list"], to=post.host.config.address, at=late) == "ignored"
    assert len(post.sent()) == before


def test_weakened_a_build_that_drops_list_mail_in_silence_is_found(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suspected, "told", lambda tx, config, opened, *_: Settled(IGNORED, opened.mail.automatic))
    before = post.count()
    post.write(ORDER, more=LISTS["list"])
    assert post.count() == before


# --- files that nobody opens ------------------------------------------------------------------------------------------


def archive(text: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as zipped:
        zipped.writestr("orders.yml", text)
    return made.getvalue()


def with_file(post: Post, name: str, kind: str, data: bytes, text: str = "See the file.", **more: str) -> bytes:
    body = (
        f"--b\nContent-Type: text/plain\n\n{text}\n--b\nContent-Type: {kind}; name={name}\n"
        f"Content-Disposition: attachment; filename={name}\nContent-Transfer-Encoding: base64\n\n"
        f"{base64.b64encode(data).decode()}\n--b--"
    )
    return post.mail(body, kind="multipart/mixed; boundary=b", **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("orders.zip", "application/zip"),
        ("orders.zip", "application/octet-stream"),
        ("orders.pdf", "application/pdf"),
        ("orders.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ],
)
def test_a_file_that_is_not_opened_is_named(post: Post, name: str, kind: str) -> None:
    before = post.count()
    assert post.bring(with_file(post, name, kind, archive(post.host.file("1", "b3")))) == {"refused": 1}
    assert post.count() == before + 1
    assert f"Not opened: {name}" in post.text()


def test_a_file_beside_good_orders_is_named_and_a_picture_is_not(post: Post) -> None:
    raw = with_file(post, "rules.pdf", "application/pdf", b"%PDF-1.7\x00\x01", ORDER)
    assert post.bring(raw) == {"accepted": 1}
    assert "Not opened: rules.pdf" in post.text()
    assert post.bring(with_file(post, "me.png", "image/png", b"\x89PNG\x00\x01", ORDER)) == {"accepted": 1}
    assert "Not opened" not in post.text()


def test_a_file_with_the_key_in_it_alone_is_answered_to_the_address_of_a_player(post: Post) -> None:
    before = post.count()
    data = archive(post.host.file("1", "b3"))
    raw = with_file(post, "orders.zip", "application/zip", data, to=post.host.config.address)
    assert post.bring(raw) == {"quarantined": 1}
    assert post.count() == before + 1
    assert "without a valid key" in post.text()


def test_orders_in_an_attached_page_are_read(post: Post) -> None:
    """Word processors and browsers save forms as HTML."""
    page = f"<html><body><pre>{post.host.file('1', 'b3')}</pre></body></html>".encode()
    assert post.bring(with_file(post, "orders.html", "text/html", page, to=post.host.config.address)) == {"accepted": 1}
    assert waits(post.host, "1") == ["b3"]


def test_weakened_without_the_word_nobody_learns_that_it_was_not_opened(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deciding, "_unopened", lambda *_: ())
    post.bring(with_file(post, "orders.zip", "application/zip", archive("x")))
    assert "orders.zip" not in post.text()


# --- forwards ---------------------------------------------------------------------------------------------------------

FORWARDS = {
    "TR:": ("-----Message d'origine-----", "De : Anna", "Envoyé : lundi", "À : Bea", "Objet : la partie"),
    "TR :": ("-----Message d\u2019origine-----", "De : Anna", "Envoyé : lundi", "À : Bea", "Objet : la partie"),
    "FW:": ("-----Original Message-----", "From: Anna", "Sent: Monday", "To: Bea", "Subject: the game"),
    "Fwd:": ("-----Original Message-----", "From: Anna", "Sent: Monday", "To: Bea", "Subject: the game"),
    "WG:": ("-----Ursprüngliche Nachricht-----", "Von: Anna", "Gesendet: Montag", "An: Bea", "Betreff: das Spiel"),
    "I:": ("-----Messaggio originale-----", "Da: Anna", "Inviato: lunedì", "A: Bea", "Oggetto: la partita"),
    "RV:": ("-----Mensaje original-----", "De: Anna", "Enviado: lunes", "Para: Bea", "Asunto: el juego"),
}


def forwarded(post: Post, prefix: str, subject: str = "") -> bytes:
    head = "\n".join(FORWARDS[prefix])
    body = f"Look at this.\n\n{head}\n\n{post.host.file('1', 'b3')}"
    return post.mail(body, subject=subject or f"{prefix} the game", to=post.host.config.address)


@pytest.mark.parametrize("prefix", FORWARDS)
def test_a_form_that_was_forwarded_is_known_in_every_language(post: Post, prefix: str) -> None:
    """Seen red: the line alone stands above answers too, so the player was told that the form was unchanged."""
    assert post.bring(forwarded(post, prefix)) == {"refused": 1}
    assert "stands in a message that was forwarded" in post.text()
    assert waits(post.host, "1") == []


def test_below_an_answer_the_same_lines_are_a_quotation(post: Post) -> None:
    assert post.bring(forwarded(post, "TR:", "RE: TR: la partie")) == {"refused": 1}
    assert "forwarded" not in post.text()


def test_weakened_without_the_subject_a_forward_is_taken_for_an_answer(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asked in this process, as the child that reads mails is another one."""
    from pbem.intake.mail.walk import read_mail

    raw = forwarded(post, "TR:")
    assert read_mail(raw, ours=(post.host.config.address,)).trouble is not None
    monkeypatch.setattr(quoting, "FORWARDS", re.compile("(?!)"))
    assert read_mail(raw, ours=(post.host.config.address,)).trouble is None


# --- two forms in one message -----------------------------------------------------------------------------------------


def both(host: Host, between: str, last: str = "end: orders\n") -> str:
    return host.file("1", "b3").removesuffix("end: orders\n") + last + between + host.file("1", "a1")


TWICE = {
    "two documents": lambda host: both(host, "---\n"),
    "two documents below a mark": lambda host: "---\n" + both(host, "---\n"),
    "two documents without an end": lambda host: both(host, "---\n", ""),
    "two forms": lambda host: both(host, "\n"),
    "two forms without an end": lambda host: both(host, "\n", ""),
    "two forms with words between": lambda host: both(host, "\nand for later:\n\n"),
}


def by_drop(host: Host, text: str) -> str:
    (host.config.inbox / "orders.yml").write_text(text)
    [(fate, _)] = collect(host.config, host.ledger, NOON).counts.items()
    return fate


def by_submit(host: Host, text: str) -> str:
    return host.submit(text).fate


def by_mail(host: Host, text: str) -> str:
    post = Post(host)
    return post.write(text, to=host.config.address)


def as_file(host: Host, text: str) -> str:
    post = Post(host)
    [(fate, _)] = post.bring(with_file(post, "o.yml", "text/x-yaml", text.encode(), to=host.config.address)).items()
    return fate


ROUTES = {"drop": by_drop, "submit": by_submit, "mail": by_mail, "attachment": as_file}


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("twice", TWICE)
def test_two_forms_come_to_the_same_on_every_route(post: Post, route: str, twice: str) -> None:
    """Seen red: a file whose first form ended was accepted, and the same text in a mail was refused."""
    before = post.count()
    assert ROUTES[route](post.host, TWICE[twice](post.host)) == "refused"
    assert waits(post.host, "1") == []
    assert post.count() == before + 1
    assert "different order forms stand" in post.text()
    with post.host.ledger.read() as tx:
        assert letters.counts(tx) == {"refused": 1}


@pytest.mark.parametrize("route", ROUTES)
def test_the_same_form_twice_is_one_on_every_route(post: Post, route: str) -> None:
    form = post.host.file("1", "b3")
    assert ROUTES[route](post.host, f"{form}\n{form}") == "accepted"
    assert waits(post.host, "1") == ["b3"]


@pytest.mark.parametrize("route", ROUTES)
def test_what_stands_below_a_form_and_is_none_changes_nothing(post: Post, route: str) -> None:
    assert ROUTES[route](post.host, post.host.file("1", "b3") + "\n-- \nAnna\ngame over\n") == "accepted"


def test_weakened_without_the_check_a_file_is_taken_by_its_first_form(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = TWICE["two documents"](post.host).encode()
    assert [one.why.code for one in fields.read_form(text).problems] == ["two_forms"]
    monkeypatch.setattr(fields, "_several", lambda *_: None)
    assert fields.read_form(text).problems == ()
