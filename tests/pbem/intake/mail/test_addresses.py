"""Whose a mail is: our own addresses with their tags, the sender, the thread; and letters of any coding."""

from __future__ import annotations

import base64

import pytest

from pbem.intake.limits import USUAL
from pbem.intake.mail import evidence
from pbem.intake.mail.addresses import is_one_of, own_id, sender_of, tags_of, thread_of
from pbem.intake.mail.headers import Headers, headers
from pbem.intake.mail.reading import Check
from pbem.intake.mail.subjects import subject
from pbem.intake.mail.transfer import text_of, undone

OURS = ["Orders@PBEM.test"]


def head(*lines: str) -> Headers:
    return headers("\r\n".join(lines).encode(), USUAL)


@pytest.mark.parametrize(
    ("lines", "tags"),
    [
        (["To: orders+Key.1@pbem.test"], ("key.1",)),
        (["To: a@x.test, <ORDERS+a@PBEM.TEST>, orders+b@pbem.test"], ("a", "b")),
        (["Cc: orders+c@pbem.test", "To: orders+b@pbem.test", "Delivered-To: orders+a@pbem.test"], ("a", "b", "c")),
        (["To: orders+a@pbem.test", "Cc: orders+a@pbem.test"], ("a",)),
        (['To: "orders+a@pbem.test" <b@x.test>'], ()),  # a name is no address
        (["To: orders@pbem.test"], ()),
        (["To: orders+@pbem.test"], ()),
        (["To: others+a@pbem.test"], ()),
        (["To: orders+a@elsewhere.test"], ()),
        (["Subject: orders+a@pbem.test"], ()),
        ([f"To: {', '.join(f'orders+{n}@pbem.test' for n in range(9))}"], tuple("01234")),
    ],
)
def test_what_stands_behind_the_plus_of_our_own(lines: list[str], tags: tuple[str, ...]) -> None:
    assert tags_of(head(*lines), OURS) == tags
    assert tags_of(head(*lines), []) == ()


@pytest.mark.parametrize(
    ("address", "ours"),
    [
        ("orders@pbem.test", True),
        (" ORDERS+x@pbem.TEST ", True),
        ("orders@x.test", False),
        ("+x@pbem.test", False),
        ("", False),
    ],
)
def test_an_address_of_ours(address: str, ours: bool) -> None:
    assert is_one_of(address, OURS) is ours


@pytest.mark.parametrize(
    ("lines", "sender"),
    [
        (["From: Anna <Anna@Players.example>"], "anna@players.example"),
        (['From: "bob@x.test" <anna@players.example>'], "anna@players.example"),
        (["From: anna@players.example (bob)"], "anna@players.example"),
        (["From: anna@players.example", "From: bob@x.test"], ""),
        (["From: nobody"], ""),
        ([], ""),
    ],
)
def test_the_sender(lines: list[str], sender: str) -> None:
    assert sender_of(head(*lines)) == sender


def test_the_thread_begins_with_what_is_answered_then_the_newest() -> None:
    lines = ["In-Reply-To: <c@x> <b@x> <z@x>", "References: <a@x> <b@x>", " <c@x>"]
    assert thread_of(head(*lines)) == ("<c@x>", "<b@x>", "<a@x>")
    many = head("References: " + " ".join(f"<{n}@x>" for n in range(60)))
    assert thread_of(many) == tuple(f"<{n}@x>" for n in range(59, 19, -1))
    assert thread_of(head("Subject: <a@x>")) == ()


def test_the_name_of_a_mail() -> None:
    assert own_id(head("Message-ID: see <a.1@x> (here)")) == "<a.1@x>"
    assert own_id(head("Message-ID: none")) == ""


# --- letters ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "charset", "text"),
    [
        ("caf\u00e9".encode(), "", "caf\u00e9"),
        (b"\xef\xbb\xbfa", "utf-8", "a"),
        (b"caf\xe9 \x80", "utf-8", "caf\u00e9 \u20ac"),  # a wrong label
        (b"caf\xe9 \x80", "'ISO-8859-1'", "caf\u00e9 \u20ac"),
        (b"\xa4", "iso-8859-15", "\u20ac"),
        (b"\x8e", "macintosh", "\u00e9"),
        ("caf\u00e9".encode("utf-16"), "utf-8", "caf\u00e9"),
        ("caf\u00e9".encode("utf-16-be"), "utf-16be", "caf\u00e9"),
        ("caf\u00e9".encode("utf-16-le"), "utf-16le", "caf\u00e9"),
        ("caf\u00e9".encode("utf-16-le"), "utf-16", "caf\u00e9"),
        ("caf\u00e9".encode(), "utf-16", "caf\u00e9"),
        (b"caf\xe9", "utf-16", "caf\ufffd"),
        ("caf\u00e9".encode(), "x-unknown", "caf\u00e9"),
        (b"caf\xe9", "x-unknown", "caf\ufffd"),
        (b"caf\xe9", "windows-1258", "caf\u00e9"),
        (b"caf\xe9", "windows-1259", "caf\ufffd"),  # there is none of that name
        (b"caf\xe9", "cp1259", "caf\ufffd"),
    ],
)
def test_letters_of_every_coding(data: bytes, charset: str, text: str) -> None:
    assert text_of(data, charset) == text


@pytest.mark.parametrize("cut", range(8))
def test_what_is_cut_off_gives_as_much_as_is_there(cut: int) -> None:
    whole = base64.b64encode(b"orders: a1")
    found = undone(whole[: len(whole) - cut], " BASE64 ")
    assert b"orders: a1".startswith(found)
    assert len(found) >= (len(whole.rstrip(b"=")[: len(whole) - cut]) * 3) // 4
    assert undone(whole + b"\r\n-- \r\nA footer", "base64") == b"orders: a1"


def test_other_codings_of_the_way() -> None:
    assert undone(b"caf=C3=A9=\r\n!", "Quoted-Printable") == b"caf\xc3\xa9!"
    assert undone(b"a=3D", "8bit") == undone(b"a=3D", "") == b"a=3D"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("=?utf-8?q?caf=C3=A9_noir?=", "caf\u00e9 noir"),
        ("=?utf-8?B?Y2Fmw6k=?=  =?utf-8?b?IQ==?= you", "caf\u00e9! you"),
        ("=?iso-8859-1*fr?q?caf=E9?=", "caf\u00e9"),
        ("a \t b", "a b"),
        ("x" * 200, "x" * 200),
        ("x" * 201, "x" * 199 + "\u2026"),
    ],
)
def test_subjects_as_a_person_sees_them(written: str, shown: str) -> None:
    assert subject(written) == shown


# --- evidence ---------------------------------------------------------------------------------------------------------


def test_as_many_results_as_are_kept_and_only_of_known_kinds() -> None:
    results = "; ".join(["dkim=pass header.d=a.test"] * 12)
    found = evidence.from_server(b"", head(f"Authentication-Results: mx.test 1; {results}"), " MX.test ")
    assert found.checks == (Check("dkim", "pass", "a.test"),) * 10
    found = evidence.from_server(b"", head("Authentication-Results: mx.test; seal=pass; SPF=Fail"), "mx.test")
    assert found.checks == (Check("spf", "fail", ""),)
    found = evidence.from_server(b"", head("Authentication-Results: mx.test; SPF=Fail; odd"), "mx.test")
    assert found.checks == (), "a header that breaks the grammar says nothing for sure"


def test_comments_of_comments_are_no_results() -> None:
    line = "Authentication-Results: (a (b)) mx.test; spf=fail (dkim=pass (x); dmarc=pass) smtp.helo=a.test"
    assert evidence.from_server(b"", head(line), "mx.test").checks == (Check("spf", "fail", "a.test"),)


def test_without_a_signature_there_is_nothing_to_check() -> None:
    assert evidence.own_dkim(b"", head("Subject: x")) == ()


def test_three_signatures_are_looked_at_and_one_of_nonsense_is_no_pass() -> None:
    found = evidence.own_dkim(b"DKIM-Signature: x\r\n\r\n", head(*["DKIM-Signature: v=1; d=A.test; s=b"] * 4))
    assert found[0] == Check("dkim", "permerror")
    assert len(found) == 3
    assert not {check.result for check in found} & {"pass"}
