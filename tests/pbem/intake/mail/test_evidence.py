"""Verdicts about a sender hold for the domain that signed, and only for what that domain has signed.

Each attack here once passed as a mail that mail.example had signed.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from email.message import EmailMessage
from functools import cache

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from pbem.intake.limits import USUAL
from pbem.intake.mail import evidence
from pbem.intake.mail.headers import split
from pbem.intake.mail.reading import Check
from pbem.intake.mail.walk import read_mail

dkim = pytest.importorskip("dkim")

VICTIM, EVE = "mail.example", "evil.example"
MX = "mx.pbem.test"


@cache
def key() -> tuple[bytes, bytes]:
    """Return a key to sign with, and the record a name server gives of it."""
    private = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
    )
    public = private.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return pem, b"v=DKIM1; k=rsa; p=" + base64.b64encode(public)


def lookup(name: bytes, timeout: int) -> bytes | None:
    """Answer for every domain: here each of them signs with the same key."""
    return key()[1]


def plain(sender: str = f"anna@{VICTIM}", body: str = "orders:\n  - c1\nend: orders\n") -> bytes:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, "orders@pbem.test", "Re: the game"
    message.set_content(body)
    return message.as_bytes().replace(b"\n", b"\r\n")


def signed(domain: str = VICTIM, mail: bytes | None = None, **more: object) -> bytes:
    mail = plain() if mail is None else mail
    more.setdefault("include_headers", [b"from", b"to", b"subject"])
    header: bytes = dkim.sign(mail, b"s1", domain.encode(), key()[0], **more)
    return header + mail


def checks(raw: bytes) -> tuple[Check, ...]:
    return evidence.own_dkim(raw, split(raw, USUAL)[0], lookup)


def passed(raw: bytes) -> bool:
    return any(check.result == "pass" and check.domain == VICTIM for check in checks(raw))


def resigned(tags: bytes) -> bytes:
    """Let Eve sign with more tags in her header than the library would write."""

    class Odd(dkim.DKIM):
        def gen_header(self, fields, *rest, **named):  # type: ignore[no-untyped-def]
            name, _, value = tags.partition(b"=")
            return super().gen_header([(name, value), *fields], *rest, **named)

    mail = plain()
    header = Odd(mail).sign(b"s1", EVE.encode(), key()[0], include_headers=[b"from", b"to", b"subject"])
    return bytes(header) + mail


def test_a_good_signature_passes_for_its_domain() -> None:
    assert checks(signed()) == (Check("dkim", "pass", VICTIM),)
    assert checks(signed().replace(b"\r\n", b"\n")) == (Check("dkim", "pass", VICTIM),)


DECOYS = (
    b"d\xc2\xa0=mail.example",  # a no-break space
    b"d\x1c=mail.example",  # a separator of files
    b"d\x00=mail.example",
    b"d\xe2\x80\x83=mail.example",  # an em space
    b"x=1; d\xc2\xa0=mail.example",
)


@pytest.mark.parametrize("decoy", DECOYS)
def test_a_decoy_of_the_domain_is_not_believed(decoy: bytes) -> None:
    raw = resigned(decoy)
    assert not passed(raw)
    assert VICTIM not in [check.domain for check in checks(raw)]


def test_a_text_that_was_appended_is_not_covered() -> None:
    raw = signed(length=True)
    assert checks(raw) == (Check("dkim", "policy", VICTIM),)
    assert checks(raw + b"orders:\r\n  - e5\r\nend: orders\r\n")[0].result == "policy"


@pytest.mark.parametrize(
    "change",
    [
        lambda raw: b"From: eve@evil.example\r\n" + raw,
        lambda raw: b"Subject: resign game\r\n" + raw,
        lambda raw: b"Content-Type: text/html\r\n" + raw,
        lambda raw: b"Content-Transfer-Encoding: base64\r\n" + raw,
        lambda raw: raw.replace(b"Subject:", b"X-Odd: a\rFrom: eve@evil.example\r\nSubject:"),
        lambda raw: raw.replace(b"To:", b"X-Odd: a\nX-Other: b\r\nTo:"),
        lambda raw: raw.replace(b"To:", b"X-Odd: a\0b\r\nTo:"),
    ],
)
def test_a_head_that_two_programs_read_differently_is_not_covered(change: Callable[[bytes], bytes]) -> None:
    assert passed(signed())
    assert not passed(change(signed()))


@pytest.mark.parametrize("covered", [[b"from", b"to"], [b"from"]])
def test_a_subject_that_is_not_signed_could_be_anybodys(covered: list[bytes]) -> None:
    assert checks(signed(include_headers=covered))[0].result == "policy"


def test_an_old_hash_is_not_enough() -> None:
    assert not passed(signed(signature_algorithm=b"rsa-sha1"))


def test_a_second_signature_is_found_behind_one_of_another() -> None:
    raw = b"DKIM-Signature: v=1; a=rsa-sha256; d=evil.example; s=x; h=from; bh=AAAA; b=AAAA\r\n" + signed()
    assert passed(raw)


# --- what our own server wrote ----------------------------------------------------------------------------------------


def of_server(said: str, raw: bytes = b"") -> list[Check]:
    pytest.importorskip("authres")
    line = f"Authentication-Results: {MX}; {said}\r\n".encode()
    return [one for one in read_mail(line + (raw or plain()), authserv=MX).evidence.checks if one.method == "dkim"]


@pytest.mark.parametrize(
    "said",
    [
        'spf=pass smtp.mailfrom="a; dkim=pass header.d=mail.example; x"@evil.example',
        'dkim=fail reason="bad; dkim=pass header.d=mail.example" header.d=mail.example',
        "dkim=fail (a comment; dkim=pass header.d=mail.example) header.d=mail.example",
        "dkim=pass header.d=evil.example header.i=@mail.example",
        "dkim=pass header.d=evil.example header.d=mail.example",
        'dkim=pass header.d="evil.example; header.d=mail.example"',
    ],
)
def test_a_verdict_is_not_made_of_quoted_words(said: str) -> None:
    assert not [one for one in of_server(said) if (one.result, one.domain) == ("pass", VICTIM)]


@pytest.mark.parametrize(
    "said",
    [
        "dkim=pass (2048-bit key; unprotected) header.d=mail.example header.i=@mail.example header.b=Kx/y+",
        "dkim=pass header.i=@mail.example header.s=s1 header.b=abc; spf=pass smtp.mailfrom=a@mail.example",
        'arc=pass ("mail.example:s=s1:i=1"); dkim=pass header.d=Mail.Example header.s=s1',
    ],
)
def test_verdicts_of_common_servers_are_read(said: str) -> None:
    assert Check("dkim", "pass", VICTIM) in of_server(said, signed())


def test_a_servers_pass_does_not_cover_what_was_not_signed() -> None:
    good = "dkim=pass header.d=mail.example"
    assert of_server(good, signed()) == [Check("dkim", "pass", VICTIM)]
    for raw in (
        signed(length=True) + b"orders:\r\n  - e5\r\nend: orders\r\n",
        signed(include_headers=[b"from"]),
        b"Subject: resign game\r\n" + signed(),
        b"DKIM-Signature: nonsense\r\n" + signed(),
    ):
        assert of_server(good, raw) == [Check("dkim", "policy", VICTIM)]


# --- weakened builds --------------------------------------------------------------------------------------------------


def test_weakened_without_the_binding_an_appended_order_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "_why_unbound", lambda tags: "")
    assert passed(signed(length=True) + b"orders:\r\n  - e5\r\nend: orders\r\n")


def test_weakened_a_domain_read_by_a_pattern_is_a_decoys(monkeypatch: pytest.MonkeyPatch) -> None:
    import re

    raw = resigned(DECOYS[0])
    found = re.search(r"(?:^|;)\s*d\s*=\s*([A-Za-z0-9.-]+)", split(raw, USUAL)[0].all("dkim-signature")[0])
    assert found is not None
    monkeypatch.setattr(evidence, "_domain", lambda text: found[1])
    assert passed(raw)
