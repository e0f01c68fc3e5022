"""Signatures of mails: every mail leaves with one, it survives what transport does, and nothing else."""

from __future__ import annotations

import base64
import quopri
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from email import message_from_bytes, policy
from email.generator import BytesGenerator
from email.utils import format_datetime
from io import BytesIO
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pbem import signature
from pbem.ledger.outbox import QUEUED, OutMail
from pbem.ledger.seals import SUFFIX, Keys, key_file
from pbem.ledger.signing import Signer, known_keys, signer
from pbem.post import parcels, signing
from pbem.post.carrier import Parcel
from pbem.post.signing import items, signed
from pbem.reports import letter
from pbem.signature import ALTERED, GENUINE, HEADER, NOT_OURS, UNSIGNED, check, items_of
from tests.pbem.post.conftest import NOON, SOON, Sender

SECRET = Ed25519PrivateKey.from_private_bytes(b"s" * 32)
SIGNER = Signer(signature.KEY + signature.text_of(SECRET.public_key().public_bytes_raw()), SECRET.sign)
OTHER = signature.KEY + signature.text_of(
    Ed25519PrivateKey.from_private_bytes(b"o" * 32).public_key().public_bytes_raw()
)
AT = datetime(2026, 11, 18, 20, 5, 7, tzinfo=UTC)
ID = "<0123456789abcdef0123456789abcd@pbem.test>"
TEXT = """\
Bagh Chal, décision 12: à toi.

From the valley comes a tiger.
>From here on it hunts.   \t
place c3

Une ligne plus longue que ce qu’un serveur laisse passer telle quelle, avec des lettres hors d’ASCII : é, ç, à, ’, «».
"""
HTML = '<p>From here.</p>\n<p>place c3 é</p>\n<img src="cid:%s" alt="board">\n' % ("ab" * 32 + "@pbem")
FILES = (
    letter.File("orders.yml", "text/yaml", "game: hill\norders:\n  - place c3  # né\n".encode()),
    letter.File("report.json", "application/json", b'{"head": "00", "game": "hill"}\n'),
    letter.File("deadline.ics", "text/calendar; method=PUBLISH", b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"),
    letter.File("map.bin", "application/octet-stream", bytes(range(256)) * 4),
)


def written(text: str = TEXT, html: str = HTML, files: tuple[letter.File, ...] = FILES) -> bytes:
    envelope = letter.Envelope(
        ID,
        AT,
        letter.Address("Zoë’s Host", "orders@pbem.test"),
        letter.Address("Anna", "anna@players.example"),
        "[hill] Décision 12: c’est à toi, et cette ligne est plus longue que soixante-seize lettres",
        more=((letter.KIND, "report"), (letter.TURN, "12")),
    )
    return letter.write(envelope, text, html, files)


def leaving(raw: bytes, signer: Signer = SIGNER, seat: str | None = "red") -> bytes:
    return signed(signer, OutMail(ID, "hill", seat, QUEUED, 0, AT), raw, raw)


RAW = written()
MAIL = leaving(RAW)
KEYS = [SIGNER.key]


def verdict(raw: bytes) -> tuple[str, str]:
    found = check(raw, KEYS)
    return found.verdict, found.why


# --- what leaves -----------------------------------------------------------------------------------------------------


def left(sender: Sender) -> dict[str, bytes]:
    """The mails as they left, as files."""
    return {path.name: path.read_bytes() for path in sorted((sender.config.outbox / "mail").glob("*.eml"))}


def keys_of(sender: Sender) -> list[str]:
    with sender.reading() as tx:
        return list(known_keys(tx))


def test_every_mail_leaves_signed_and_the_key_is_journalled_once(sender: Sender) -> None:
    sender.deliver(NOON)
    mails, keys = left(sender), keys_of(sender)
    assert len(mails) == len(sender.mails()) == 5
    assert len(keys) == 1
    assert {name: check(raw, keys).verdict for name, raw in mails.items()} == dict.fromkeys(mails, GENUINE)
    sender.deliver(NOON + SOON)
    assert keys_of(sender) == keys


def test_weakened_one_way_out_that_forgets_to_sign_is_found(sender: Sender, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parcels, "signed", lambda signer, mail, stored, raw: raw)
    sender.deliver(NOON)
    assert {check(raw, keys_of(sender)).verdict for raw in left(sender).values()} == {UNSIGNED}


def test_without_a_key_file_mails_leave_as_they_were_written(sender: Sender, tmp_path: Path) -> None:
    key = signer(Keys(tmp_path / "there-is-none.key"))
    assert key is None
    raw = written().replace(b"anna@players.example", b"anna@players.test")
    parcel = parcels.parcel_of(sender.config, OutMail(ID, "hill", "red", QUEUED, 0, AT), raw, raw, key)
    assert isinstance(parcel, Parcel)
    assert parcel.raw == raw
    assert verdict(parcel.raw)[0] == UNSIGNED


def test_a_new_key_in_the_file_is_journalled_beside_the_old_one(sender: Sender) -> None:
    sender.deliver(NOON)
    key_file(sender.config.place.beside(SUFFIX), b"another")
    sender.deliver(NOON + SOON)
    first, second = keys_of(sender)
    with sender.reading() as tx:
        from pbem.ledger import journal

        rows = [row.facts() for row in journal.rows(tx, "@host", kinds=("signing_key",))]
    assert rows == [{"key": first, "replaces": None}, {"key": second, "replaces": first}]


def test_the_signature_is_the_same_however_often_it_is_made() -> None:
    assert leaving(RAW) == MAIL
    assert MAIL.endswith(RAW)
    assert all(len(line) <= 76 + 20 for line in MAIL[: -len(RAW)].split(b"\r\n"))


@pytest.mark.parametrize(
    "raw",
    [
        RAW,
        written("plain words\n", "", ()),
        written("plain words\n\n\n", "", FILES),
        written("é\n", "<p>x</p>", ()),
        written("x" * 3000 + "\n", "<p>" + "y" * 3000 + "</p>", ()),
        written("From here\n.\n..\nFrom there \n", "<p>\nFrom x\n</p>", FILES[:1]),
        written("\n", "", ()),
    ],
)
def test_what_is_signed_is_what_the_standard_library_reads(raw: bytes) -> None:
    """The host takes its own mails apart by their boundaries, a reader of mail by the standards."""
    assert items(raw) == items_of(message_from_bytes(raw))
    assert verdict(leaving(raw)) == (GENUINE, "")


# --- what transport may do -------------------------------------------------------------------------------------------


def encoded(way: str) -> Callable[[bytes], bytes]:
    """Every part sent on in another transfer encoding, with new boundaries."""

    def change(raw: bytes) -> bytes:
        mail = message_from_bytes(raw)
        for part in mail.walk():
            if part.is_multipart():
                part.set_boundary("=-=" + way + str(id(part)))
                continue
            data = part.get_payload(decode=True)
            assert isinstance(data, bytes)
            text = part.get_content_maintype() == "text" or part.get_content_subtype() == "json"
            del part["Content-Transfer-Encoding"]
            if way == "base64" or not text:
                part["Content-Transfer-Encoding"] = "base64"
                part.set_payload(base64.encodebytes(data).decode("ascii"))
            elif way == "quoted-printable":
                part["Content-Transfer-Encoding"] = "quoted-printable"
                part.set_payload(quopri.encodestring(data).decode("ascii"))
            else:
                part["Content-Transfer-Encoding"] = "8bit"
                part.set_payload(data.decode("ascii", "surrogateescape"))
        out = BytesIO()
        BytesGenerator(out, mangle_from_=way == "8bit", policy=policy.compat32).flatten(mail)
        return out.getvalue()

    return change


def refolded(raw: bytes) -> bytes:
    head, _, body = raw.partition(b"\r\n\r\n")
    unfolded = re.sub(rb"\r\n[ \t]+", b" ", head)
    lines = [re.sub(rb"(.{40,60}?[;,:]|.{50})", rb"\1\r\n\t", line) if line.startswith(HEADER.encode()) else line
             for line in unfolded.split(b"\r\n")]  # fmt: skip
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def latin(raw: bytes) -> bytes:
    """A server that sends texts on in another character set."""
    mail = message_from_bytes(raw)
    for part in mail.walk():
        if part.get_content_type() == "text/plain":
            data = part.get_payload(decode=True)
            assert isinstance(data, bytes)
            del part["Content-Transfer-Encoding"]
            part.set_payload(data.decode(), "windows-1252")
    return mail.as_bytes()


def header_changed(name: bytes, value: bytes) -> Callable[[bytes], bytes]:
    pattern = re.compile(rb"^" + name + rb":(?:[^\r\n]|\r\n[ \t])*\r\n", re.M | re.I)
    return lambda raw: pattern.sub(name + b": " + value + b"\r\n" if value else b"", raw, count=1)


TOP = b"Return-Path: <x@y.test>\r\nReceived: from a by b;\r\n\tWed, 18 Nov 2026 20:05:09 +0000\r\nReceived: from c\r\n"
HONEST: dict[str, Callable[[bytes], bytes]] = {
    "nothing": bytes,
    "lines end as on this machine": lambda raw: raw.replace(b"\r\n", b"\n"),
    "headers above": lambda raw: TOP + b"DKIM-Signature: v=1; a=rsa-sha256; b=x\r\nX-Spam-Score: 1\r\n" + raw,
    "headers below": lambda raw: raw.replace(b"\r\nMIME-Version", b"\r\nX-Scanned: yes\r\nMIME-Version", 1),
    "sent on in 8 bits": encoded("8bit"),
    "sent on in base64": encoded("base64"),
    "sent on in quoted-printable": encoded("quoted-printable"),
    "headers folded anew": refolded,
    "headers in small letters": lambda raw: raw.replace(b"Subject:", b"subject:").replace(b"X-Pbem-S", b"x-pbem-s"),
    "a date in another zone": header_changed(
        b"Date", format_datetime(AT.astimezone(timezone(timedelta(hours=5)))).encode()
    ),
    "another name before the address": header_changed(b"From", b'"Somebody" <ORDERS@pbem.test>'),
    "handed on to somebody else": header_changed(b"To", b"ben@other.example"),
    "no address at all": header_changed(b"To", b""),
    "no kind and turn": lambda raw: header_changed(b"X-Pbem-Kind", b"")(header_changed(b"X-Pbem-Turn", b"")(raw)),
    "empty lines at the end": lambda raw: raw + b"\r\n\r\n",
    "another character set": latin,
}


@pytest.mark.parametrize("what", HONEST)
@pytest.mark.parametrize("raw", [RAW, written("place c3  \n\n\n", "", ()), written("é place c3\n", "", ())])
def test_a_signature_survives_what_servers_do(what: str, raw: bytes) -> None:
    assert verdict(HONEST[what](leaving(raw))) == (GENUINE, "")


def test_trailing_white_space_may_come_and_go() -> None:
    raw = leaving(written("one\ntwo\nthree\n", "", ()))
    for old, new in ((b"two\r\n", b"two \t\r\n"), (b"three\r\n", b"three\r\n\r\n \r\n"), (b"three\r\n", b"three")):
        assert verdict(raw.replace(old, new)) == (GENUINE, "")


# --- what it may not do ----------------------------------------------------------------------------------------------


def in_part(kind: str, old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    """Other words in one part."""

    def change(raw: bytes) -> bytes:
        mail = message_from_bytes(raw)
        [part] = [one for one in mail.walk() if kind in (one.get_filename(), one.get_content_type())]
        data = part.get_payload(decode=True)
        assert isinstance(data, bytes)
        assert old in data
        del part["Content-Transfer-Encoding"]
        part["Content-Transfer-Encoding"] = "base64"
        part.set_payload(base64.encodebytes(data.replace(old, new)).decode("ascii"))
        return mail.as_bytes()

    return change


def without(kind: str) -> Callable[[bytes], bytes]:
    def change(raw: bytes) -> bytes:
        mail = message_from_bytes(raw)
        kept = [part for part in mail.get_payload() if kind not in (part.get_filename(), part.get_content_type())]  # type: ignore[union-attr]
        mail.set_payload(kept)
        return mail.as_bytes()

    return change


def attached(raw: bytes) -> bytes:
    mail = message_from_bytes(raw)
    mail.attach(message_from_bytes(b"Content-Type: text/plain\r\n\r\nA footer of a list.\r\n"))
    return mail.as_bytes()


DISHONEST: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "the text": (in_part("text/plain", b"place c3", b"place d4"), "the text differs"),
    "the HTML": (in_part("text/html", b"place c3", b"place d4"), "the HTML differs"),
    "the form": (in_part("orders.yml", b"c3", b"d4"), "the attachment orders.yml differs"),
    "the head": (in_part("report.json", b'"00"', b'"01"'), "the attachment report.json differs"),
    "a file": (in_part("map.bin", b"\x00\x01", b"\x00\x02"), "the attachment map.bin differs"),
    "the subject": (header_changed(b"Subject", b"[hill] Something else"), "the header Subject differs"),
    "the date": (header_changed(b"Date", b"Wed, 18 Nov 2026 20:05:08 +0000"), "the header Date differs"),
    "no date": (header_changed(b"Date", b"yesterday"), "the header Date differs"),
    "the sender": (header_changed(b"From", b"orders@pbem.example"), "the header From differs"),
    "the id": (header_changed(b"Message-ID", b"<another@pbem.test>"), "the Message-ID differs"),
    "a part less": (without("orders.yml"), "the attachment orders.yml is missing"),
    "a part more": (attached, "a part of type text/plain was added"),
    "two subjects": (lambda raw: raw.replace(b"\r\nTo:", b"\r\nSubject: x\r\nTo:", 1), "the header Subject differs"),
    "two types": (
        lambda raw: raw.replace(b"\nContent-Type: text/pl", b"\nContent-Type: text/x\r\nContent-Type: text/pl", 1),
        "the text is missing",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", DISHONEST)
def test_what_was_changed_is_named(what: str) -> None:
    change, says = DISHONEST[what]
    found = check(change(MAIL), KEYS)
    assert (found.verdict, says in found.why) == (ALTERED, True), found.why
    assert found.signed is not None, "the host signed something, and that is known"


@pytest.mark.parametrize("what", ["the text", "the form", "a part more", "the subject", "the id"])
def test_g49_weakened_without_a_look_at_what_is_signed_it_is_not_found(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signature, "differing", lambda found, meant: [])
    monkeypatch.setattr(signature, "items_of", lambda mail: [])
    raw = DISHONEST[what][0](MAIL)
    assert check(header_changed(b"Message-ID", ID.encode())(raw), KEYS).verdict == GENUINE


def value(raw: bytes) -> str:
    return "".join(str(message_from_bytes(raw)[HEADER]).split())


def with_value(text: str) -> bytes:
    return f"{HEADER}: {text}\r\n".encode() + RAW


def test_no_letter_of_the_signature_can_be_changed() -> None:
    whole = value(MAIL)
    assert verdict(with_value(whole)) == (GENUINE, "")
    for place in range(0, len(whole), 7):
        other = "A" if whole[place] != "A" else "B"
        found = check(with_value(whole[:place] + other + whole[place + 1 :]), KEYS)
        assert found.verdict in (ALTERED, NOT_OURS), place
        assert found.signed is None, "what was changed there is nothing that the host said"


@pytest.mark.parametrize(
    "text",
    ["", "v=1", "v=2;" + value(MAIL)[4:], value(MAIL) + ";x=1", value(MAIL).replace(";m=", ";n="), "\xe9", "x" * 70000],
)
def test_what_is_no_signature_is_called_altered(text: str) -> None:
    found = check(with_value(text), KEYS)
    assert (found.verdict, found.why, found.signed) == (ALTERED, "its signature cannot be read", None)


def test_two_signatures_are_none() -> None:
    other = leaving(RAW, seat="blue")
    assert verdict(other[: -len(RAW)] + MAIL) == (ALTERED, "its signature cannot be read")


def test_a_mail_of_another_host_and_one_without_a_signature() -> None:
    assert check(MAIL, [OTHER]).verdict == NOT_OURS
    assert check(MAIL, []).verdict == NOT_OURS
    assert SIGNER.key in check(MAIL, [OTHER]).why
    assert verdict(RAW) == (UNSIGNED, "it has no signature")


@pytest.mark.parametrize(
    "raw", [b"", b"\x00" * 100, b"From x\n" * 5, b"\xff\xfe\r\n\r\n", b"Content-Type: multipart/x\r\n\r\n"]
)
def test_what_is_no_mail_is_not_signed(raw: bytes) -> None:
    assert check(raw, KEYS).verdict in (UNSIGNED, NOT_OURS)


def test_parts_in_parts_without_end_are_refused_quietly() -> None:
    raw = MAIL[: -len(RAW)]
    for depth in range(2000):
        raw += b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n' % (depth, depth)
    assert check(raw, KEYS).verdict in (ALTERED, NOT_OURS)


def test_a_seat_with_any_letters_is_written_so_that_it_can_be_read() -> None:
    found = check(leaving(RAW, seat="Blé; s=é"), KEYS)
    assert (found.verdict, found.signed and found.signed.seat) == (GENUINE, "Bl%C3%A9%3B%20s%3D%C3%A9")


def test_the_program_by_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mail.eml"
    path.write_bytes(MAIL)
    assert signature.main([str(path), SIGNER.key]) == 0
    assert capsys.readouterr().out.startswith(f"genuine. It is as the host signed it with {SIGNER.key}.")
    path.write_bytes(DISHONEST["the text"][0](MAIL))
    assert signature.main([str(path), SIGNER.key]) == 1
    assert capsys.readouterr().out == "ALTERED. It is not as the host signed it: the text differs.\n"
    assert signature.main([str(path), OTHER]) == 1
    path.write_bytes(RAW)
    assert signature.main([str(path), SIGNER.key]) == 5
    assert signature.main([str(path)]) == 2
    assert signature.main([]) == 2
    assert signing.WIDTH < 78
