"""Mail that no person wrote (G30), what a bounce tells, and what is kept as evidence of the sender."""

from __future__ import annotations

import shutil
import subprocess
from email.message import EmailMessage

import pytest

from pbem.intake.limits import USUAL
from pbem.intake.mail import automatic, evidence, walk
from pbem.intake.mail.addresses import tags_of
from pbem.intake.mail.headers import Headers, split
from pbem.intake.mail.reading import AUTOMATIC, SUSPECTED, Bounce, Check, MailReading
from pbem.intake.mail.walk import read_mail
from tests.faults.figures import counted
from tests.pbem.intake.mail.corpus import BY_NAME, NEW, OURS, our_report
from tests.pbem.intake.mail.programs import ADDRESS, Draft, encoded, multipart
from tests.pbem.intake.mail.programs import headers as head

TOP = head("en", our_report())
BODY = encoded(NEW + "\n", "text/plain; charset=utf-8", BY_NAME["mutt"])


def with_header(line: str) -> MailReading:
    return read_mail(line.encode() + b"\r\n" + TOP + BODY, ours=OURS)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Auto-Submitted: auto-replied", "auto-submitted"),
        ("Auto-Submitted: auto-generated (by cron)", "auto-submitted"),
        ("Auto-submitted: auto-notified; owner-email=x", "auto-submitted"),
        ("X-Autoreply: yes", "auto-submitted"),
        ("X-Autorespond: away", "auto-submitted"),
        ("X-MS-Exchange-Generated-Message-Source: Mailbox Rules Agent", "auto-submitted"),
        ("Delivered-To: Autoresponder", "auto-submitted"),
        ("Precedence: auto_reply", "auto-submitted"),
        ("Precedence: bulk", "bulk"),
        ("Precedence: JUNK", "bulk"),
        ("Precedence: list", "list"),
        ("List-Id: <tigers.lists.example>", "list"),
        ("List-Post: <mailto:tigers@lists.example>", "list"),
        ("Return-Path: <>", "null-sender"),
        ("Return-Path: < >", "null-sender"),
        ("X-Pbem-Kind: receipt-3", "loop"),
        ("X-Loop: Orders@PBEM.test", "loop"),
        ("X-Loop: anna@players.example", ""),  # her own filter's mark
        ("Auto-Submitted: no", ""),
        ("Precedence: first-class", ""),
        ("X-Auto-Response-Suppress: All", ""),  # large servers put it into what people write
        ("List-Unsubscribe: <mailto:x@y.example>", ""),
    ],
)
def test_a_header_tells_a_robot(line: str, why: str) -> None:
    mail = with_header(line)
    assert mail.automatic == why
    assert why in ("", *AUTOMATIC)
    assert bool(mail.blocks) == (why == "" or why in SUSPECTED)
    counted(why != "", "headers by which a robot is known")


def test_our_own_address_never_writes_to_us() -> None:
    raw = (TOP + BODY).replace(b"From: Anna <anna@players.example>", f"From: Tigers <{ADDRESS}>".encode())
    assert read_mail(raw, ours=OURS).automatic == "loop"
    assert read_mail(raw, ours=("orders@elsewhere.test",)).automatic == ""


def test_invitations() -> None:
    calendar = b"Content-Type: text/calendar; method=REQUEST\r\n\r\nBEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"
    assert read_mail(TOP + calendar).automatic == "calendar"
    assert read_mail(TOP + multipart("alternative", BODY, calendar)).automatic == "calendar"
    attached = calendar.replace(b"; method=REQUEST", b"")
    assert read_mail(TOP + multipart("mixed", BODY, attached)).automatic == "", "somebody sends his holidays along"
    assert read_mail(TOP + multipart("alternative", BODY, attached)).automatic == "calendar", "it is what the mail says"


def test_read_receipts() -> None:
    told = b"Content-Type: message/disposition-notification\r\n\r\nDisposition: manual-action; displayed\r\n"
    report = multipart("report; report-type=disposition-notification", BODY, told)
    assert read_mail(TOP + report).automatic == "read-receipt"


# --- bounces ---------------------------------------------------------------------------------------------------------

STATUS = (
    "Reporting-MTA: dns; mx.players.example\r\n\r\n"
    "Original-Recipient: rfc822;Anna@players.example\r\nFinal-Recipient: rfc822;root@inside.example\r\n"
    "Action: {action}\r\nStatus: {status}\r\nDiagnostic-Code: smtp; 550 5.1.1 no such user\r\n"
)


def bounce(returned: bytes, *groups: tuple[str, str], kind: str = "report; report-type=delivery-status") -> MailReading:
    status = "".join(STATUS.format(action=action, status=status) for action, status in groups)
    told = b"Content-Type: message/delivery-status\r\n\r\n" + status.encode()
    raw = TOP.replace(b"<anna@players.example>", b"<>", 1) + multipart(kind, BODY, told, returned)
    return read_mail(raw, ours=OURS)


HEADS = b"Content-Type: text/rfc822-headers\r\n\r\nFrom: orders@pbem.test\r\nMessage-ID: <r.2.2@pbem.test>\r\n"
WHOLE = (
    b"Content-Type: message/rfc822\r\n\r\nFrom: orders@pbem.test\r\nMessage-ID: <r.7@pbem.test>\r\n\r\n" + NEW.encode()
)


def test_a_bounce_says_whom_it_did_not_reach() -> None:
    mail = bounce(HEADS, ("failed", "5.1.1"))
    assert mail.automatic == "bounce"
    assert mail.blocks == ()
    assert mail.bounce == Bounce("anna@players.example", "5.1.1", "failed", "<r.2.2@pbem.test>")
    assert bounce(WHOLE, ("delayed", "4.4.1 (still trying)")).bounce == Bounce(
        "anna@players.example", "4.4.1", "delayed", "<r.7@pbem.test>"
    )
    assert MailReading.from_json(mail.to_json()) == mail


@pytest.mark.parametrize(("kind", "why"), [("mixed", "bounce"), ("alternative", ""), ("related", "")])
def test_a_status_makes_a_bounce_where_servers_put_one(kind: str, why: str) -> None:
    status = b"Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx\r\n\r\nAction: failed\r\n"
    assert read_mail(TOP + multipart(kind, BODY, status), ours=OURS).automatic == why
    assert read_mail(TOP + status, ours=OURS).automatic == "bounce"


def test_of_several_recipients_the_one_that_fared_worst_is_told_of() -> None:
    told = bounce(HEADS, ("delivered", "2.0.0"), ("failed", "5.2.2"), ("delayed", "4.0.0")).bounce
    assert told is not None
    assert (told.action, told.status) == ("failed", "5.2.2")
    told = bounce(HEADS, ("delayed", "4.0.0"), ("failed", "5.2.2")).bounce
    assert told is not None
    assert told.action == "failed"
    told = bounce(HEADS, ("relayed", "2.1.5"), ("delayed", "4.0.0"), ("odd", "2.0.0")).bounce
    assert told is not None
    assert (told.action, told.status) == ("delayed", "4.0.0")


def test_a_bounce_is_read_up_to_so_many_recipients() -> None:
    group = "Final-Recipient: rfc822; {}@players.example\r\nAction: {}\r\n\r\n"
    for before, action in ((18, "failed"), (19, "delivered")):
        groups = "Reporting-MTA: dns; mx\r\n\r\n" + group.format("a", "delivered") * before
        groups += group.format("b", "failed")
        told = b"Content-Type: message/delivery-status\r\n\r\n" + groups.encode()
        raw = TOP.replace(b"<anna@players.example>", b"<>", 1)
        raw += multipart("report; report-type=delivery-status", BODY, told, HEADS)
        found = read_mail(raw, ours=OURS).bounce
        assert found is not None
        assert found.action == action


@pytest.mark.parametrize(
    ("group", "told"),
    [
        ("Final-Recipient: rfc822; <Anna@X.example>\r\nAction: Failed (no such user)\r\nStatus: 5.1.1",
         Bounce("anna@x.example", "5.1.1", "failed", "<r.2.2@pbem.test>")),
        ("Final-Recipient: rfc822;a@x\r\nAction: delayed;soon\r\nDiagnostic-Code: smtp; 451 4.7.1 wait",
         Bounce("a@x", "4.7.1", "delayed", "<r.2.2@pbem.test>")),
        (f"Final-Recipient: rfc822;{'a' * 319}@x\r\nAction: {'b' * 30}",
         Bounce("a" * 319 + "@", "", "b" * 20, "<r.2.2@pbem.test>")),
        ("Original-Recipient: rfc822;a@x\r\nAction: failed\r\nStatus: 9.1.1",
         Bounce("a@x", "", "failed", "<r.2.2@pbem.test>")),
    ],
)  # fmt: skip
def test_what_a_bounce_says_of_a_recipient(group: str, told: Bounce) -> None:
    status = f"Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx\r\n\r\n{group}\r\n".encode()
    assert read_mail(TOP + multipart("report; report-type=delivery-status", BODY, status), ours=OURS).bounce == told


@pytest.mark.parametrize(
    ("text", "away"),
    [
        ("I am out of the office until Monday.", True),
        ("Hello,\n\nthank you.\n\nJe suis en vacances.\n", True),
        ("a\nb\nc\nSono in ferie.", True),
        ("a\nb\nc\nd\nSono in ferie.", False),
        ("I know who is out of the office.", False),
        ("", False),
    ],
)
def test_words_of_somebody_who_is_away(text: str, away: bool) -> None:
    assert automatic.says_away(text) is away


def test_a_bounce_that_tells_little() -> None:
    told = bounce(b"\r\nnothing came back", ("failed", "")).bounce
    assert told == Bounce("anna@players.example", "5.1.1", "failed", "<r.2.2@pbem.test>"), "by the thread it stands in"
    for line in (b"In-Reply-To: ", b"References: "):
        alone = b"\r\n".join(one for one in TOP.split(b"\r\n") if b"<r.2.2@" not in one or one.startswith(line))
        status = b"Content-Type: message/delivery-status\r\n\r\n" + STATUS.format(action="failed", status="").encode()
        found = read_mail(alone + multipart("report; report-type=delivery-status", status)).bounce
        assert found is not None
        assert (found.message_id, alone.count(b"<r.2.2@")) == ("<r.2.2@pbem.test>", 1)
    raw = TOP + BODY.replace(b"text/plain", b"multipart/report")
    assert read_mail(raw).automatic == "bounce"
    assert read_mail(raw).bounce is None


# --- evidence --------------------------------------------------------------------------------------------------------

MX = "mx.pbem.test"
GOOD = (
    f"{MX}; dkim=pass (2048-bit key; unprotected) header.d=players.example header.s=s1;\r\n"
    " spf=softfail (sender (helo) is odd) smtp.mailfrom=anna@mail.players.example;\r\n"
    " dmarc=pass header.from=players.example"
)


def test_our_own_servers_word_is_kept() -> None:
    raw = f"Authentication-Results: {GOOD}\r\n".encode() + TOP + BODY
    found = read_mail(raw, ours=OURS, authserv=MX.upper()).evidence
    assert found.server == MX
    assert found.checks == (
        Check("dkim", "pass", "players.example"),
        Check("spf", "softfail", "mail.players.example"),
        Check("dmarc", "pass", "players.example"),
    )
    assert found.passed("dkim", "players.example")
    assert not found.passed("spf")
    assert read_mail(raw, ours=OURS).evidence == evidence.Evidence(), "no server is named as ours"


@pytest.mark.parametrize(
    "forged",
    [
        "mx.elsewhere.test; dkim=pass header.d=players.example",
        "dkim=pass header.d=players.example",
        f"{MX}.evil.example; dkim=pass header.d=players.example",
        f"evil.example; x={MX}; dkim=pass header.d=players.example",
        f"({MX};) evil.example; dkim=pass header.d=players.example",
        "i=1; mx.elsewhere.test; dkim=pass",
        "spf=pass (sender IP is 1.2.3.4) smtp.mailfrom=players.example; dkim=pass",  # Outlook names no server
        ";;;===((((",
    ],
)
def test_nobody_elses_word_is(forged: str) -> None:
    raw = f"Authentication-Results: {forged}\r\n".encode() + TOP + BODY
    assert read_mail(raw, authserv=MX).evidence.checks == ()


def test_the_topmost_of_ours_counts() -> None:
    lines = f"Authentication-Results: {MX}; dkim=fail\r\nAuthentication-Results: {MX}; dkim=pass\r\n"
    assert read_mail(lines.encode() + TOP + BODY, authserv=MX).evidence.checks == (Check("dkim", "fail"),)


def test_it_is_read_as_the_library_reads_it() -> None:
    authres = pytest.importorskip("authres")
    theirs = authres.AuthenticationResultsHeader.parse("Authentication-Results: " + GOOD.replace("\r\n", ""))
    ours = evidence.from_server(b"", Headers((("authentication-results", GOOD.replace("\r\n", "")),)), MX)
    assert theirs.authserv_id == ours.server
    assert [(result.method, result.result) for result in theirs.results] == [(c.method, c.result) for c in ours.checks]


@pytest.fixture(scope="module")
def signing(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes]:
    """A key to sign with, and the record that a name server would give of it."""
    pytest.importorskip("dkim")
    if (openssl := shutil.which("openssl")) is None:
        pytest.skip("openssl is not installed")
    file = tmp_path_factory.mktemp("dkim") / "key.pem"
    subprocess.run([openssl, "genrsa", "-traditional", "-out", file, "2048"], check=True, capture_output=True)
    public = subprocess.run([openssl, "rsa", "-in", file, "-pubout"], check=True, capture_output=True).stdout
    return file.read_bytes(), b"v=DKIM1; k=rsa; p=" + b"".join(public.splitlines()[1:-1])


def test_a_signature_is_checked_by_ourselves(signing: tuple[bytes, bytes]) -> None:
    dkim = pytest.importorskip("dkim")
    private, record = signing
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "anna@players.example", ADDRESS, "Re: x"
    message.set_content(NEW)
    plain = message.as_bytes().replace(b"\n", b"\r\n")
    raw = dkim.sign(plain, b"s1", b"players.example", private) + plain

    def names(name: bytes, timeout: int) -> bytes | None:
        return record if name == b"s1._domainkey.players.example." else None

    def verdict(raw: bytes) -> tuple[Check, ...]:
        return evidence.own_dkim(raw, split(raw, USUAL)[0], names)

    assert verdict(raw) == (Check("dkim", "pass", "players.example"),)
    assert verdict(raw.replace(b"c1", b"c2")) == (Check("dkim", "fail", "players.example"),)
    assert verdict(raw.replace(b"s=s1", b"s=s2"))[0].result in ("permerror", "temperror", "fail")
    assert verdict(plain) == ()
    assert verdict(b"DKIM-Signature: x\r\n" + plain)[0].result in ("permerror", "temperror")


def test_signatures_are_checked_where_the_host_asks_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    checked = (Check("dkim", "pass", "players.example"),)
    monkeypatch.setattr(evidence, "own_dkim", lambda raw, headers: checked)
    assert read_mail(TOP + BODY, ours=OURS).evidence.own == ()
    assert read_mail(TOP + BODY, ours=OURS, check_dkim=True).evidence.own == checked


# --- addresses -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "tags"),
    [
        ({"to": "Tigers <orders+K7Q2.12.red.jade@PBEM.test>"}, ("k7q2.12.red.jade",)),
        ({"to": "orders@pbem.test"}, ()),
        ({"to": "orders+a@elsewhere.test, other+b@pbem.test"}, ()),
        ({"to": '"orders+a@pbem.test" <eve@evil.example>'}, ()),
        ({"cc": "x@y.example, orders+b@pbem.test", "delivered-to": "orders+a@pbem.test"}, ("b", "a")),
        ({"to": "orders+a@pbem.test, orders+a@pbem.test"}, ("a",)),
        ({"reply-to": "orders+a@pbem.test"}, ()),
    ],
)
def test_what_stands_behind_the_plus(lines: dict[str, str], tags: tuple[str, ...]) -> None:
    assert set(tags_of(Headers(tuple(lines.items())), OURS)) == set(tags)


def test_whose_mail_it_answers() -> None:
    raw = TOP.replace(b"References: <r.2.2@pbem.test>", b"References: <r.1@pbem.test>\r\n <r.2.2@pbem.test>") + BODY
    assert read_mail(raw).references == ("<r.2.2@pbem.test>", "<r.1@pbem.test>")
    assert read_mail(raw).message_id == "<a.1@players.example>"
    assert read_mail(raw).sender == "anna@players.example"
    assert read_mail(b"From: eve@evil.example\r\n" + raw).sender == "", "two senders are none"


def test_a_draft_says_nothing_of_itself() -> None:
    """An answer with nothing new in it is neither a robot's nor an order."""
    mail = read_mail(BY_NAME["gmail"].mail("en", Draft(), our_report()), ours=OURS)
    assert (mail.automatic, mail.command, mail.quoted) == ("", None, True)


# --- weakened builds --------------------------------------------------------------------------------------------------


def test_g30_by_the_standard_alone_robots_would_be_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many robots do not say what they are as RFC 3834 asks."""
    monkeypatch.setattr(automatic, "_by_habit", lambda headers, types, subject: "")
    assert with_header("Precedence: bulk").automatic == ""
    assert with_header("Auto-Submitted: auto-replied").automatic == "auto-submitted"


def test_g28_whoever_believes_any_server_believes_everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    def any_server(raw: bytes, headers: Headers, server: str) -> evidence.Evidence:
        said = evidence._parsed(pytest.importorskip("authres"), headers.get("authentication-results"))
        return evidence.Evidence(server, tuple(evidence._checks(said)))

    monkeypatch.setattr(evidence, "from_server", any_server)
    raw = b"Authentication-Results: evil.example; dkim=pass header.d=players.example\r\n" + TOP + BODY
    assert walk.read_mail(raw, authserv=MX).evidence.passed("dkim", "players.example")
