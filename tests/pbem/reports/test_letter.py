"""Mail bytes: the same on any machine, whole for any reader, and no header that is not ours (G31)."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone
from email import message_from_bytes, policy
from email.headerregistry import Address as Parsed
from email.message import EmailMessage

import pytest

from pbem.reports import html, letter, text
from pbem.reports.letter import Address, BadHeader, Envelope, File, write
from tests.faults.figures import counted
from tests.pbem.reports import letters
from tests.pbem.reports.hostile import NASTY, generated
from tests.pbem.reports.test_plain import bad

DATE = datetime(2026, 11, 18, 20, 0, 5, tzinfo=UTC)


def envelope(**changes) -> Envelope:
    fields = {
        "message_id": "<jade-river.12.red@pbem.test>",
        "date": DATE,
        "sender": Address("The host", "host@pbem.test"),
        "to": Address("Ann", "ann@example.org"),
        "subject": "[jade-river] Decision 2 is yours",
        "reply_to": Address("", "orders@pbem.test"),
        "references": ("<root@pbem.test>", "<before@pbem.test>"),
    }
    return Envelope(**(fields | changes))


def parsed(raw: bytes) -> EmailMessage:
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    assert [part.defects for part in message.walk() if part.defects] == []
    assert all(not getattr(value, "defects", ()) for value in message.values())
    return message


def content(part: EmailMessage) -> str:
    return part.get_content().replace("\r\n", "\n")


HEADERS = [
    "Message-ID",
    "Date",
    "From",
    "To",
    "Reply-To",
    "Subject",
    "In-Reply-To",
    "References",
    "Auto-Submitted",
    "X-Auto-Response-Suppress",
    "Content-Language",
    "MIME-Version",
    "Content-Type",
]


def test_a_whole_letter_comes_back():
    said = letters.quiet()
    plain, page = text.render(said), html.render(said)
    message = parsed(write(envelope(), plain, page))
    assert message.keys() == HEADERS
    assert message["Message-ID"] == "<jade-river.12.red@pbem.test>"
    assert message["Date"].datetime == DATE
    assert message["Date"] == "Wed, 18 Nov 2026 20:00:05 +0000"
    assert message["From"].addresses == (Parsed("The host", addr_spec="host@pbem.test"),)
    assert message["To"].addresses == (Parsed("Ann", addr_spec="ann@example.org"),)
    assert message["Reply-To"] == "orders@pbem.test"
    assert message["In-Reply-To"] == "<before@pbem.test>"
    assert message["References"] == "<root@pbem.test> <before@pbem.test>"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message.get_content_type() == "multipart/alternative"
    assert content(message.get_body(("plain",))) == plain
    assert content(message.get_body(("html",))) == page


def test_a_letter_in_french_comes_back():
    plain = "Tour 3\n\n" + "é" * 120 + "\nFrom here\n.\nœuvre – 漢字 = 100 %  \n"
    page = "<p>" + "é" * 1200 + "</p>\n<p>漢字 😀</p>\n"
    message = parsed(write(envelope(lang="fr", subject="Tour 3 : à vous – 漢字"), plain, page))
    assert message["Subject"] == "Tour 3 : à vous – 漢字"
    assert content(message.get_body(("plain",))) == plain
    seen = content(message.get_body(("html",))).replace("&#233;", "é")
    assert seen == page.replace("漢字 😀", "&#28450;&#23383; &#128512;")


def test_files_come_back_after_the_words():
    files = (
        File("orders.yaml", "text/yaml", "game: a\nsay: é\nFrom x\nend: orders\n".encode()),
        File("report.json", "application/json", b'{"a":1}' * 100),
        File("map.png", "image/png", bytes(range(256))),
    )
    message = parsed(write(envelope(), "Text\n", "<p>Page</p>\n", files))
    assert message.get_content_type() == "multipart/mixed"
    assert content(message.get_body(("plain",))) == "Text\n"
    attached = list(message.iter_attachments())
    assert [part.get_filename() for part in attached] == ["orders.yaml", "report.json", "map.png"]
    assert content(attached[0]).encode() == files[0].data
    assert [part.get_content().rstrip() for part in attached[1:]] == [files[1].data, files[2].data]


def test_a_text_alone_needs_no_parts():
    message = parsed(write(envelope(), "Only text.\n"))
    assert message.get_content_type() == "text/plain"
    assert content(message) == "Only text.\n"


@pytest.mark.parametrize("line", ["From here on", ".", "..", "x" * 5000, "trailing  ", "a = b", "é" * 400, "--=_x", ""])
def test_lines_that_a_server_might_change_arrive_as_they_were(line):
    """A line `From ...` gets a `>` in a mailbox file, a lone dot ends the mail, a long line is cut or refused."""
    words = f"Before\n{line}\nafter\n"
    raw = write(envelope(), words, f"<pre>{words}</pre>\n")
    assert b"\nFrom " not in raw
    assert max(map(len, raw.split(b"\r\n"))) <= 998
    message = parsed(raw)
    assert content(message.get_body(("plain",))) == words
    page = content(message.get_body(("html",))).replace("&#70;rom", "From").replace("&#233;", "é")
    assert page == f"<pre>{words}</pre>\n"


def test_lines_end_in_cr_lf_and_nowhere_else():
    raw = write(envelope(), "a\nb\r\nc\rd\x85e\n", "<p>a\r\nb</p>", (File("x.bin", "image/png", b"\r\n\n\r"),))
    assert raw.count(b"\n") == raw.count(b"\r") == raw.count(b"\r\n")
    assert raw.isascii()


# --- the same bytes --------------------------------------------------------------------------------------------------


def test_the_same_letter_is_the_same_bytes_in_any_process():
    """Python's hash seed, the zone and the language of the machine have no say."""
    code = (
        "from tests.pbem.reports.test_letter import *\n"
        "said = letters.report('Réf <b>')\n"
        "raw = write(envelope(), text.render(said), html.render(said), (File('o.yaml', 'text/yaml', b'x: 1'),))\n"
        "print(hashlib.sha256(raw).hexdigest())"
    )
    heads = set()
    for seed, zone, lang in (("0", "UTC", "C"), ("1", "Asia/Tokyo", "fr_FR.UTF-8"), ("77", "America/Lima", "tr_TR")):
        surroundings = os.environ | {"PYTHONHASHSEED": seed, "TZ": zone, "LANG": lang, "LC_ALL": lang}
        run = subprocess.run(
            [sys.executable, "-c", f"import tests.conftest\n{code}"], env=surroundings, capture_output=True, text=True
        )
        assert run.returncode == 0, run.stderr
        heads.add(run.stdout)
    assert len(heads) == 1


def test_the_zone_a_date_was_given_in_does_not_matter():
    tokyo = DATE.astimezone(timezone(timedelta(hours=9)))
    assert write(envelope(date=tokyo), "x") == write(envelope(), "x")


def test_bytes_are_what_they_were():
    """The very bytes, so that another release of Python or of this program is seen to write others."""
    raw = write(envelope(subject="Tour 3 à vous", to=Address("Zoë", "z@example.org")), "Bonjour é\n", "<p>é</p>\n")
    assert raw.decode() == (
        "Message-ID: <jade-river.12.red@pbem.test>\r\n"
        "Date: Wed, 18 Nov 2026 20:00:05 +0000\r\n"
        "From: The host <host@pbem.test>\r\n"
        "To: =?utf-8?b?Wm/Dqw==?= <z@example.org>\r\n"
        "Reply-To: orders@pbem.test\r\n"
        "Subject: =?utf-8?b?VG91ciAzIMOgIHZvdXM=?=\r\n"
        "In-Reply-To: <before@pbem.test>\r\n"
        "References: <root@pbem.test> <before@pbem.test>\r\n"
        "Auto-Submitted: auto-generated\r\n"
        "X-Auto-Response-Suppress: All\r\n"
        "Content-Language: en\r\n"
        "MIME-Version: 1.0\r\n"
        "Content-Type: multipart/alternative;\r\n"
        ' boundary="=_BOUNDARY"\r\n'
        "\r\n"
        "--=_BOUNDARY\r\n"
        "Content-Type: text/plain; charset=utf-8\r\n"
        "Content-Transfer-Encoding: quoted-printable\r\n"
        "\r\n"
        "Bonjour =C3=A9\r\n"
        "\r\n"
        "--=_BOUNDARY\r\n"
        "Content-Type: text/html; charset=us-ascii\r\n"
        "Content-Transfer-Encoding: 7bit\r\n"
        "\r\n"
        "<p>&#233;</p>\r\n"
        "\r\n"
        "--=_BOUNDARY--\r\n"
    ).replace("BOUNDARY", raw.decode().split('boundary="=_')[1][:32])


def test_other_words_have_another_boundary():
    """Nobody can write a line in advance that would cut the letter in two."""
    boundaries = {parsed(write(envelope(), f"{i}\n", "<p></p>")).get_boundary() for i in range(10)}
    assert len(boundaries) == 10


def test_a_boundary_is_in_none_of_its_parts(monkeypatch):
    """Even if the hash were known: a boundary that occurs is not taken."""
    taken = f"--=_{'0' * 32}--\n"

    def poor(head, content):
        return letter.Part(head, content, b"")

    class Poor:
        def __init__(self, data):
            self.data = data

        def digest(self):
            return hashed(self.data).digest() if len(self.data) == 32 else bytes(32)

    hashed = hashlib.sha256
    monkeypatch.setattr(letter, "_part", poor)
    monkeypatch.setattr(letter.hashlib, "sha256", Poor)
    message = parsed(write(envelope(), taken, "<p></p>"))
    assert message.get_boundary() == f"=_{hashed(bytes(32)).hexdigest()[:32]}"
    assert content(message.get_body(("plain",))) == taken


# --- headers ---------------------------------------------------------------------------------------------------------


def test_no_text_makes_a_header_or_a_recipient():
    for i, hostile in enumerate([*NASTY, *generated(10_000)]):
        raw = write(
            envelope(
                subject=f"[jade-river] {hostile}",
                to=Address(hostile, "ann@example.org"),
                sender=Address(hostile, "host@pbem.test"),
                more=(("X-Note", hostile),),
            ),
            hostile,
            "<p></p>",
        )
        head, _, _ = raw.partition(b"\r\n\r\n")
        lines = head.split(b"\r\n")
        names = [line.partition(b":")[0].decode() for line in lines if not line.startswith(b" ")]
        assert names == [*HEADERS[:-2], "X-Note", *HEADERS[-2:]], ascii(hostile)
        assert max(map(len, lines)) <= 998, ascii(hostile)
        if i > len(NASTY) and i % 8:
            continue  # the other reader is slow
        message = message_from_bytes(raw, policy=policy.default)
        assert [address.addr_spec for address in message["To"].addresses] == ["ann@example.org"], ascii(hostile)
        assert [address.addr_spec for address in message["From"].addresses] == ["host@pbem.test"], ascii(hostile)
        assert message["Subject"].startswith("[jade-river]"), ascii(hostile)
        assert bad(str(message["Subject"])) == [], ascii(hostile)
        assert len(list(message.iter_parts())) == 2, ascii(hostile)
    counted(i + 1, "texts in the headers of a letter")


@pytest.mark.parametrize(
    "name",
    [
        "Ann",
        "Ann B. Smith",
        'The "Tiger"',
        "a\\b",
        "Smith, Ann",
        "Réf — hôte",
        "漢字" * 6,
        "=?utf-8?q?x?=",
        "a@b.c <x>",
    ],
)
def test_names_come_back(name):
    message = parsed(write(envelope(to=Address(name, "ann@example.org")), "x"))
    assert message["To"].addresses[0].display_name == name
    assert message["To"].addresses[0].addr_spec == "ann@example.org"


@pytest.mark.parametrize(
    "subject", ["short", "word " * 60 + "end", "x" * 300, "é" * 200, "a =?utf-8?q?x?= b", "漢 字 " * 40 + "x"]
)
def test_subjects_come_back(subject):
    raw = write(envelope(subject=subject), "x")
    assert parsed(raw)["Subject"] == subject
    assert max(map(len, raw.split(b"\r\n"))) <= 78


@pytest.mark.parametrize(
    "address",
    [
        "",
        "ann",
        "ann@",
        "@example.org",
        "a b@example.org",
        "ann@example.org\r\nBcc: x@y.z",
        "ann@example.org, bob@example.org",
        "ann@example.org>",
        "-oQ/tmp@example.org\n",
        "é@example.org",
        "ann@exämple.org",
        '"ann smith"@example.org',
        "x" * 70 + "@example.org",
    ],
)
def test_an_address_that_could_be_another_thing_is_refused(address):
    for field in ("to", "sender", "reply_to"):
        with pytest.raises(BadHeader):
            write(envelope(**{field: Address("Ann", address)}), "x")
    with pytest.raises(BadHeader):
        write(envelope(unsubscribe=address or "x"), "x")


@pytest.mark.parametrize("message_id", ["", "<a b@c>", "a@b", "<a@b>\r\nX: y", "<é@b>", "<a@b> <c@d>"])
def test_a_message_id_that_is_none_is_refused(message_id):
    with pytest.raises(BadHeader):
        write(envelope(message_id=message_id), "x")
    with pytest.raises(BadHeader):
        write(envelope(references=(message_id,)), "x")


@pytest.mark.parametrize(
    "changes",
    [
        {"more": (("X-Note\r\nBcc", "x"),)},
        {"more": (("", "x"),)},
        {"more": (("X Note", "x"),)},
        {"lang": "en\r\nBcc: x"},
        {"date": datetime(2026, 11, 18, 20, 0)},  # noqa: DTZ001 - a date without a zone is the point
    ],
)
def test_other_headers_that_cannot_stand_are_refused(changes):
    with pytest.raises(BadHeader):
        write(envelope(**changes), "x")


@pytest.mark.parametrize(
    ("name", "kind"), [("../x", "text/yaml"), ("a b.png", "image/png"), ("x", "text/yaml\r\nA: b")]
)
def test_a_file_with_another_name_or_type_is_refused(name, kind):
    with pytest.raises(BadHeader):
        write(envelope(), "x", "", (File(name, kind, b""),))


def test_automatic_answers_are_marked_and_a_way_out_is_named():
    message = parsed(write(envelope(auto="auto-replied", unsubscribe="leave@pbem.test"), "x"))
    assert message["Auto-Submitted"] == "auto-replied"
    assert message["List-Unsubscribe"] == "<mailto:leave@pbem.test?subject=unsubscribe>"
