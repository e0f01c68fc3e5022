"""M: mails that are broken, huge, automatic, or that say two things at once."""

from __future__ import annotations

import base64

from tests.pbem.intake.hostile.case import ACCEPT, END, HEAD, KEEP, REFUSE
from tests.pbem.intake.hostile.mails import (
    IGNORE,
    ORDERS,
    OTHER,
    OURS,
    PLAYER,
    Mail,
    attached,
    html,
    in_html,
    joined,
    mail,
    multipart,
    part,
    quoted,
)

REPORT = f"game, decision 1: report for seat 1\n\n{HEAD}orders:\n  - a1\n{END}"
AWAY = "I am away, je suis absente, sono via.\n" + quoted(REPORT)
HIDDEN = in_html(OTHER)
RECEIVED = "Received: from a.example by b.example; Wed, 18 Nov 2026 11:58:00 +0000"
BREAKS_HEADER = "=?utf-8?q?Re=0D=0ABcc:_everybody@evil.example=0D=0A=0D=0Abody?="

HEADERS: tuple[Mail, ...] = (
    Mail("M01-encoded-newline", lambda: mail(subject=BREAKS_HEADER), ACCEPT, found="block"),
    Mail("M01-encoded-newline-base64", lambda: mail(subject="=?utf-8?b?UmUNCkJjYzogYUBiDQo=?="), ACCEPT, found="block"),
    Mail("M01-in-the-name", lambda: mail(sender=f"{BREAKS_HEADER} <{PLAYER}>"), ACCEPT, found="block"),
    Mail("M01-in-the-id", lambda: mail(message_id="<a\x0bBcc:x@evil.example>"), ACCEPT, found="block"),
    Mail("M01-long-id", lambda: mail(message_id="<" + "m" * 1500 + "@x>"), ACCEPT, found="block"),
    Mail("M01-script-in-the-id", lambda: mail(message_id="<script>alert(1)</script>"), ACCEPT, found="block"),
    Mail("M01-thousand-references", lambda: mail(ORDERS, "References: " + " ".join(f"<{n}@x>" for n in range(180))),
         ACCEPT, found="block"),
    Mail("M02-thousand-headers", lambda: mail(ORDERS, *(f"X-{n}: x" for n in range(1000))), REFUSE, "headers"),
    Mail("M02-one-huge-header", lambda: mail(ORDERS, "X-Long: " + "x" * 40_000), REFUSE, "header_block"),
    Mail("M02-folded-for-ever", lambda: mail(ORDERS, "X-Long: x" + "\r\n y" * 20_000), REFUSE, "header_block"),
    Mail("M02-encoded-for-ever", lambda: mail(subject="=?utf-8?q?a?= " * 140), ACCEPT, found="block"),
    Mail("M02-nested-comments", lambda: mail(sender="(" * 1500 + PLAYER), ACCEPT, found="block"),
    Mail("M02-open-quotes", lambda: mail(sender='"' * 1501 + PLAYER), ACCEPT, found="block"),
    Mail("M02-commas", lambda: mail(ORDERS, "Cc: " + "," * 1900), ACCEPT, found="block"),
    Mail("M02-angles", lambda: mail(ORDERS, "Cc: " + "<" * 1900), ACCEPT, found="block"),
    Mail("M02-colons", lambda: mail(ORDERS, "Cc: " + "a:" * 900 + ";" * 99), ACCEPT, found="block"),
    Mail("M02-encoded-address", lambda: mail(ORDERS, "Cc: =?utf-8?q?" + "=20" * 600 + "?="), ACCEPT, found="block"),
    Mail("M03-empty", lambda: b"", KEEP),
    Mail("M03-one-byte", lambda: b"\n", KEEP),
    Mail("M03-nuls", lambda: b"\0" * 1000, KEEP),
    Mail("M03-no-headers", lambda: b"\r\n" + ORDERS.encode(), ACCEPT, found="block"),
    Mail("M03-headers-only", lambda: mail("").rstrip(), KEEP),
    Mail("M03-line-feeds", lambda: mail(end="\n"), ACCEPT, found="block"),
    Mail("M03-carriage-returns", lambda: mail(ORDERS.replace("\n", "\r").encode()), ACCEPT, found="block"),
    Mail("M03-mbox-line", lambda: b"From a@b Wed Nov 18 11:58:00 2026\r\n" + mail(), ACCEPT, found="block"),
    Mail("M03-header-without-colon", lambda: mail(ORDERS, "this is no header"), ACCEPT, found="block"),
    Mail("M03-blank-in-a-name", lambda: mail(ORDERS, "X Y : z"), ACCEPT, found="block"),
    Mail("M03-eight-bits", lambda: mail(subject="\udce9\udcff\udc80"), ACCEPT, found="block"),
    Mail("M03-nul-in-a-header", lambda: mail(subject="a\0b"), ACCEPT, found="block"),
    Mail("M03-no-from", lambda: mail(sender=None), ACCEPT, found="block"),
    Mail("M03-no-type", lambda: mail(kind=None), ACCEPT, found="block"),
    Mail("M03-no-id", lambda: mail(message_id=None), ACCEPT, found="block"),
    Mail("M06-two-froms", lambda: mail(ORDERS, "From: Eve <eve@evil.example>"), ACCEPT, found="block"),
    Mail("M06-group", lambda: mail(sender="Friends: a@b.example, c@d.example;"), ACCEPT, found="block"),
    Mail("M06-sender-differs", lambda: mail(ORDERS, "Sender: eve@evil.example"), ACCEPT, found="block"),
    Mail("M06-empty-from", lambda: mail(sender=""), ACCEPT, found="block"),
    Mail("M06-broken-from", lambda: mail(sender="<<>@@,;:\\\"("), ACCEPT, found="block"),
    Mail("M06-domain-literal", lambda: mail(sender="a@[127.0.0.1"), ACCEPT, found="block"),
    Mail("M06-no-key", lambda: mail(ORDERS.replace("key: K7Q2-9FXM\n", "")), KEEP),
    *(
        Mail(f"M29-date-{name}", lambda date=date: mail(ORDERS, f"Date: {date}"), ACCEPT, found="block")
        for name, date in (
            ("1970", "Thu, 1 Jan 1970 00:00:00 +0000"), ("2099", "Fri, 1 Jan 2099 00:00:00 +0000"), ("none", ""),
            ("words", "yesterday"), ("huge", "9" * 400), ("zone", "Wed, 18 Nov 2026 11:58:00 +999999999"),
        )
    ),
)  # fmt: skip


def nested(depth: int, inner: str = ORDERS) -> bytes:
    whole = part(inner).replace("\n", "\r\n").encode()
    for level in range(depth):
        head = f'Content-Type: multipart/mixed; boundary="b{level}"\r\n\r\n'.encode()
        whole = head + joined(whole, boundary=f"b{level}")
    return b"From: " + PLAYER.encode() + b"\r\nTo: " + OURS.encode() + b"\r\nMIME-Version: 1.0\r\n" + whole


def in_messages(depth: int) -> bytes:
    whole = mail()
    for _ in range(depth):
        whole = mail(whole, kind="message/rfc822")
    return whole


def clearsigned(text: str) -> str:
    sign = "-----BEGIN PGP SIGNATURE-----\nabc\n-----END PGP SIGNATURE-----\n"
    return f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{text}{sign}"


def page(content: str) -> bytes:
    return mail(content + in_html(), kind="text/html; charset=utf-8")


def codec(name: str) -> bytes:
    return mail(kind=f"text/plain; charset={name}")


STRUCTURE: tuple[Mail, ...] = (
    Mail("M04-no-boundary", lambda: mail(joined(part(ORDERS)), kind="multipart/mixed"), ACCEPT, found="block"),
    Mail("M04-empty-boundary", lambda: mail(joined(part(ORDERS)), kind='multipart/mixed; boundary=""'), ACCEPT,
         found="block"),
    Mail("M04-long-boundary", lambda: multipart(part(ORDERS), boundary="b" * 900), ACCEPT, found="block"),
    Mail("M04-strange-boundary", lambda: multipart(part(ORDERS), boundary="(.*)+?[a]{9}$"), ACCEPT, found="block"),
    Mail("M04-other-boundary", lambda: mail(joined(part(ORDERS)), kind='multipart/mixed; boundary="other"'), ACCEPT,
         found="block"),
    Mail("M04-parts-too-deep", lambda: nested(6), REFUSE, "mime_depth"),
    Mail("M04-deep", lambda: nested(200), REFUSE, "mime_depth"),
    Mail("M04-same-boundary-inside", lambda: multipart(
        part(joined(part(ORDERS)).decode(), 'multipart/mixed; boundary="cut"')), ACCEPT, found="block"),
    Mail("M04-many-parts", lambda: multipart(*[part("x")] * 3000, part(ORDERS)), REFUSE, "parts"),
    Mail("M04-only-boundaries", lambda: mail("--cut\r\n" * 20_000, kind='multipart/mixed; boundary="cut"'), REFUSE,
         "parts"),
    Mail("M04-empty-parts", lambda: multipart("", "", part(ORDERS), ""), ACCEPT, found="block"),
    Mail("M04-digest", lambda: multipart(mail(), subtype="digest"), REFUSE, "forwarded", says="forwarded"),
    Mail("M04-partial", lambda: mail(kind='message/partial; id="x"; number=1; total=2'), REFUSE, "piece"),
    Mail("M04-external-body", lambda: mail(ORDERS, kind='message/external-body; access-type=url; URL="http://evil"'),
         REFUSE, "piece"),
    Mail("M04-signed", lambda: multipart(part(ORDERS), part("sig", "application/pgp-signature"), subtype="signed"),
         ACCEPT, found="block"),
    Mail("M04-encrypted", lambda: multipart(part("Version: 1", "application/pgp-encrypted"), subtype="encrypted"),
         KEEP),
    Mail("M04-winmail", lambda: multipart(part("x", 'application/ms-tnef; name="winmail.dat"')), KEEP),
    Mail("M05-type-of-nothing", lambda: mail(kind=";;;"), ACCEPT, found="block"),
    Mail("M05-type-without-slash", lambda: mail(kind="text"), ACCEPT, found="block"),
    Mail("M05-type-twice", lambda: mail(ORDERS, "Content-Type: image/png"), ACCEPT, found="block"),
    Mail("M05-parameters-for-ever", lambda: mail(kind="text/plain" + "; a=b" * 300), ACCEPT, found="block"),
    Mail("M05-continued-parameter", lambda: mail(kind="text/plain; charset*999999999*=utf-8"), ACCEPT, found="block"),
    Mail("M05-continued-for-ever", lambda: mail(kind="text/plain" + "".join(f"; n*{n}*=a" for n in range(200))), ACCEPT,
         found="block"),
    Mail("M05-2231-charset", lambda: mail(kind="text/plain; charset*=x'y'z%FF%00"), ACCEPT, found="block"),
    *(
        Mail(f"M05-charset-{name}", lambda name=name: codec(name), ACCEPT, found="block")
        for name in ("us-ascii", "UTF-8", '"utf-8"', "iso-8859-1", "iso-8859-15", "windows-1252", "utf8")
    ),
    *(
        Mail(f"M05-codec-{name}", lambda name=name: codec(name), ACCEPT, found="block")
        for name in ("zlib_codec", "rot13", "base64", "bz2", "hex", "idna", "punycode", "undefined", "unicode_escape",
                     "raw_unicode_escape", "mbcs", "x-unknown", "../../etc/passwd", "utf-7", "os", "\u00fc")
    ),
    Mail("M05-charset-nul", lambda: codec("utf\0-8"), ACCEPT, found="block"),
    Mail("M05-utf16-declared", lambda: codec("utf-16"), ACCEPT, found="block"),
    Mail("M05-utf16", lambda: mail(ORDERS.encode("utf-16"), kind="text/plain; charset=utf-16"), ACCEPT,
         found="block"),
    Mail("M07-encoding-unknown", lambda: mail(encoding="x-zip"), ACCEPT, found="block"),
    Mail("M07-encoding-twice", lambda: mail(ORDERS, "Content-Transfer-Encoding: base64", encoding="8bit"), ACCEPT,
         found="block"),
    Mail("M07-base64", lambda: mail(base64.encodebytes(ORDERS.encode()), encoding="base64"), ACCEPT, found="block"),
    Mail("M07-base64-garbage", lambda: mail(b"!!" + base64.encodebytes(ORDERS.encode()), encoding="base64"), ACCEPT,
         found="block"),
    Mail("M07-base64-odd", lambda: mail(b"QQQ=Q===Q", encoding="base64"), KEEP),
    Mail("M07-base64-of-nothing", lambda: mail(b"=" * 5000, encoding="base64"), KEEP),
    Mail("M07-quoted-printable-bad", lambda: mail(ORDERS.replace("\n", "=ZZ\n", 0) + "=", encoding="quoted-printable"),
         ACCEPT, found="block"),
    Mail("M07-quoted-printable-soft", lambda: mail(ORDERS.replace("b3", "=62=\n3"), encoding="quoted-printable"),
         ACCEPT, found="block"),
    Mail("M07-uuencode", lambda: mail("begin 644 x\n" + "M" * 9_000, encoding="x-uuencode"), KEEP),
)  # fmt: skip

CONTENT: tuple[Mail, ...] = (
    Mail("M10-forwarded", lambda: mail(mail(), kind="message/rfc822"), REFUSE, "forwarded", says="forwarded"),
    Mail("M10-forwarded-with-words", lambda: multipart(
        part("see below"), b"Content-Type: message/rfc822\r\n\r\n" + mail()), REFUSE, "forwarded", says="forwarded"),
    Mail("M10-forwarded-and-own", lambda: multipart(
        part(ORDERS), b"Content-Type: message/rfc822\r\n\r\n" + mail(OTHER)), ACCEPT, found="block"),
    Mail("M10-messages-in-messages", lambda: in_messages(30), REFUSE, "mime_depth"),
    Mail("M12-phone", lambda: mail(f"<div>{in_html()}</div>", kind="text/html; charset=utf-8"), ACCEPT, found="html"),
    Mail("M12-hidden-by-style", lambda: mail(
        f"<div style='display:none'>{HIDDEN}</div><div>{in_html()}</div>", kind="text/html"), ACCEPT, found="html"),
    Mail("M12-hidden-by-size", lambda: mail(
        f"<div style='font-size:0'>{HIDDEN}</div><div>{in_html()}</div>", kind="text/html"), ACCEPT, found="html"),
    Mail("M12-hidden-attribute", lambda: mail(
        f"<div hidden>{HIDDEN}</div><div>{in_html()}</div>", kind="text/html"), ACCEPT, found="html"),
    Mail("M12-only-hidden", lambda: mail(f"<p>Hi</p><div style='display:none'>{HIDDEN}</div>", kind="text/html"), KEEP),
    Mail("M12-in-a-comment", lambda: mail(f"<!--{HIDDEN}--><div>{in_html()}</div>", kind="text/html"), ACCEPT,
         found="html"),
    Mail("M12-in-a-script", lambda: mail(f"<script>{OTHER}</script><div>{in_html()}</div>", kind="text/html"), ACCEPT,
         found="html"),
    Mail("M12-in-a-style", lambda: mail(f"<style>{OTHER}</style><div>{in_html()}</div>", kind="text/html"), ACCEPT,
         found="html"),
    Mail("M12-in-the-title", lambda: mail(f"<head><title>{OTHER}</title></head>{in_html()}", kind="text/html"), ACCEPT,
         found="html"),
    Mail("M12-two-forms", lambda: mail(f"<p>{in_html()}</p><p>{HIDDEN}</p>", kind="text/html"), REFUSE, "two_forms"),
    Mail("M12-tags-for-ever", lambda: mail("<div>" * 30_000 + in_html(), kind="text/html"), ACCEPT,
         found="html"),
    Mail("M12-quotes-for-ever", lambda: mail("<blockquote>" * 9_000 + in_html(), kind="text/html"), ACCEPT,
         found="quoted", at_host=REFUSE),
    Mail("M12-entities", lambda: mail("&amp;" * 5_000 + "<br>" + in_html(), kind="text/html"), ACCEPT, found="html"),
    Mail("M12-numbers", lambda: mail("&#x110000;&#0;&#xd800;&#99999999999;<br>" + in_html(), kind="text/html"), ACCEPT,
         found="html"),
    Mail("M12-open-comment", lambda: mail(f"{in_html()}<!-- {HIDDEN}", kind="text/html"), ACCEPT, found="html"),
    Mail("M12-open-tag", lambda: mail(f"{in_html()}<a href='" + "x" * 20_000, kind="text/html"), ACCEPT, found="html"),
    Mail("M12-declarations", lambda: mail("<![CDATA[x]]><!DOCTYPE a [<!ENTITY b 'c'>]><?php x ?><br>" + in_html(),
                                          kind="text/html"), ACCEPT, found="html"),
    Mail("M12-less-than-for-ever", lambda: mail("<" * 30_000 + "<br>" + in_html(), kind="text/html"), ACCEPT,
         found="html"),
    Mail("M13-text-and-html-equal", lambda: multipart(part(ORDERS), html(in_html()), subtype="alternative"), ACCEPT,
         found="block"),
    Mail("M13-text-and-html-differ", lambda: multipart(part(ORDERS), html(HIDDEN), subtype="alternative"), ACCEPT,
         found="block"),
    Mail("M14-both-equal", lambda: multipart(part(ORDERS), attached()), ACCEPT, found="attachment"),
    Mail("M14-both-differ", lambda: multipart(part(ORDERS), attached(OTHER)), REFUSE, "two_forms"),
    Mail("M14-two-files-equal", lambda: multipart(part("Hi"), attached(), attached(name="b.yaml")), ACCEPT,
         found="attachment"),
    Mail("M14-two-files-differ", lambda: multipart(part("Hi"), attached(), attached(OTHER)), REFUSE, "two_forms"),
    Mail("M14-two-forms-in-a-body", lambda: mail(ORDERS + "\n" + OTHER), REFUSE, "two_forms"),
    Mail("M14-same-form-twice", lambda: mail(ORDERS + "\n" + ORDERS), ACCEPT, found="block"),
    Mail("M15-three-files", lambda: multipart(part("Hi"), *[attached()] * 3), ACCEPT, found="attachment"),
    Mail("M15-twenty-files", lambda: multipart(part("Hi"), *[attached(OTHER, "x.png", "image/png")] * 18, attached()),
         ACCEPT, found="attachment"),
    Mail("M15-octets", lambda: multipart(part("Hi"), attached(kind="application/octet-stream")), ACCEPT,
         found="attachment"),
    Mail("M15-zip", lambda: multipart(part("Hi"), attached("PK\x03\x04", "orders.zip", "application/zip")), KEEP),
    Mail("M15-empty-file", lambda: multipart(part(ORDERS), attached("")), ACCEPT, found="block"),
    *(
        Mail(f"M17-name-{number}", lambda name=name: multipart(part("Hi"), attached(name=name)), ACCEPT,
             found="attachment")
        for number, name in enumerate((
            "../../x.yml", "/etc/passwd.yml", "C:\\con.yml", "a\0b.yml", "x" * 300 + ".yml", "aux.yml", "\u202elmy.exe",
            "-rf.yml", "$(id).yml", "`id`.yml", "a;b.yml", "a\tb.yml", "%00.yml", "=?utf-8?q?=0D=0ABcc:x?=.yml",
            "~root.yml", "|id.yml", "..", "\u00e9" * 90 + ".yml", "a\x1b[2J.yml", "<script>.yml",
        ))
    ),
    Mail("M17-encoded-name", lambda: multipart(part("Hi"), part(
        ORDERS, "text/yaml", "Content-Disposition: attachment; filename*=utf-8''..%2F..%2Fx%00%0D%0A.yml")), ACCEPT,
        found="attachment"),
    Mail("M24-no-closing-boundary", lambda: multipart(part(ORDERS), closed=False), ACCEPT, found="block"),
    Mail("M24-no-end-line", lambda: mail(ORDERS.removesuffix(END)), REFUSE, "no_end", says="end: orders"),
    Mail("M24-cut-in-orders", lambda: mail(HEAD + "orders:\n  - b3\n  - a"), REFUSE, "no_end", says="end: orders"),
    Mail("M24-cut-in-the-end-line", lambda: mail(ORDERS[:-3]), REFUSE, "end"),
    Mail("M24-cut-attachment", lambda: multipart(part("Hi"), attached(ORDERS.removesuffix(END)), closed=False), REFUSE,
         "no_end", says="end: orders"),
    Mail("M24-cut-base64", lambda: mail(base64.encodebytes(ORDERS.encode())[:-20], encoding="base64"), REFUSE,
         "no_end"),
    Mail("M25-large", lambda: mail(ORDERS + "x" * 40 + "\n" * 60_000), ACCEPT, found="block"),
    Mail("M25-too-large", lambda: mail(ORDERS + "\n" + "x" * (256 << 10)), REFUSE, "mail_size"),
    Mail("M26-form-too-large", lambda: mail(HEAD + "#" + "x\n#" * 12_000 + "\norders: b3\n" + END), REFUSE, "size"),
    Mail("M27-below-a-signature", lambda: mail("-- \nAnna\n" + ORDERS), ACCEPT, found="block"),
    Mail("M27-clearsigned", lambda: mail(clearsigned(ORDERS)), ACCEPT, found="block"),
    Mail("M27-clearsigned-dashes", lambda: mail(clearsigned(ORDERS.replace("  - b3", "- - b3"))), REFUSE,
         "list_in_list"),
    Mail("M27-one-long-line", lambda: mail("word " * 30_000 + "\n" + ORDERS), ACCEPT, found="block"),
    Mail("M27-many-lines", lambda: mail("word\n" * 30_000 + ORDERS), ACCEPT, found="block"),
    Mail("M27-many-quotes", lambda: mail(">" * 30_000 + "\n" + ORDERS), ACCEPT, found="block"),
    Mail("M27-many-levels", lambda: mail("".join(">" * n + "\n" for n in range(300)) + ORDERS), ACCEPT, found="block"),
    Mail("M27-many-heads", lambda: mail("game: x\n" * 9_000 + ORDERS), ACCEPT, found="block"),
    Mail("M27-many-fences", lambda: mail("```\n" * 9_000 + ORDERS), ACCEPT, found="block"),
    Mail("M27-many-forms", lambda: mail(ORDERS * 300), ACCEPT, found="block"),
    Mail("M27-many-other-forms", lambda: mail("".join(ORDERS.replace("b3", f"b{n}") for n in range(300))), REFUSE,
         "two_forms"),
    Mail("M27-many-wrote-lines", lambda: mail("On Wed, Anna wrote:\n" * 9_000 + ORDERS), ACCEPT, found="block"),
    Mail("M28-false-charset", lambda: mail(
        ORDERS.encode() + "\u00e9\u4e16".encode(), kind="text/plain; charset=us-ascii"), ACCEPT, found="block"),
    Mail("M28-bad-utf8", lambda: mail(ORDERS.encode() + b"\xff\xfe\xfd"), ACCEPT, found="block"),
)  # fmt: skip

COSTS: tuple[Mail, ...] = tuple(
    Mail(f"M33-{name}", lambda content=content: page(content), ACCEPT, found="html")
    for name, content in (
        ("one-long-attribute", "<p " + "a" * 200_000 + ">"),
        ("many-long-attributes", ("<p " + "a" * 3_900 + ">") * 50),
        ("attribute-of-blanks", ("<p a" + " " * 3_900 + ">") * 50),
        ("one-long-style", "<p style='" + "left:-1" * 28_000 + "'>"),
        ("quotes-in-tags", '<a "' * 9_000 + '">'),
        ("less-than", "<" * 200_000 + "><br>"),
        ("styles", "<style>" + "x{" * 90_000 + "</style>"),
        ("many-styles", "<style></style>" * 13_000),
        ("classes-that-hide", "<style>" + "".join(f".a{n}{{display:none}}" for n in range(8_000)) + "</style>"),
        ("closed-never-opened", "<div>" * 190 + "</x>" * 40_000),
        ("breaks", "<br>" * 50_000),
        ("entities", "&#x1" * 50_000 + "<br>"),
        ("comments", "<!-- -->" * 25_000),
        ("kept-blanks", "<pre>" + "\n" * 120_000 + "</pre>"),
    )
) + (
    Mail("M33-blanks", lambda: mail(" " * 200_000 + "\n" + ORDERS), ACCEPT, found="block"),
    Mail("M33-soft-breaks", lambda: mail("a \n" * 60_000 + "\n" + ORDERS, kind="text/plain; format=flowed"), ACCEPT,
         found="block"),
    Mail("M33-quoted-blanks", lambda: mail("> \n" * 60_000 + "\n" + ORDERS), ACCEPT, found="block"),
    Mail("M33-long-word", lambda: mail("a" * 200_000 + "\n" + ORDERS), ACCEPT, found="block"),
    Mail("M33-colons", lambda: mail("a: " * 60_000 + "\n" + ORDERS), ACCEPT, found="block"),
    Mail("M33-dashes", lambda: mail("- " * 100_000 + "\n" + ORDERS), ACCEPT, found="block"),
    Mail("M33-keys", lambda: mail("turn: 1\n" * 12_000 + "\n" + ORDERS), ACCEPT, found="block"),
    Mail("M33-keys-without-orders", lambda: mail("turn: 1\n" * 12_000 + "a\n" + ORDERS), ACCEPT, found="block"),
    Mail("M33-same-forms", lambda: mail(HEAD + "# x\n" * 20_000 + ORDERS[len(HEAD):] + ORDERS * 1_500), REFUSE,
         "size"),
    Mail("M33-ends", lambda: mail("end: orders\n" * 15_000 + "\n" + ORDERS), ACCEPT, found="block"),
    Mail("M33-unfinished-heads", lambda: mail((HEAD + "\n") * 4_000 + ORDERS), ACCEPT, found="block"),
    Mail("M33-quoted-heads", lambda: mail((quoted(HEAD) + "\n") * 4_000 + ORDERS, end="\r\r\n"), ACCEPT,
         found="block"),
    Mail("M33-small-pages", lambda: mail("x<br>orders: b3<br>end: orders<br>" * 6_000, kind="text/html"), KEEP),
    Mail("M33-soft-line-ends", lambda: mail("=\n" * 80_000 + ORDERS, encoding="quoted-printable"), ACCEPT,
         found="block"),
)  # fmt: skip

RECEIPT = "multipart/report; report-type=disposition-notification"
ROBOTS: tuple[Mail, ...] = tuple(
    Mail(name, made, IGNORE, automatic=why)
    for name, why, made in (
        ("M18-auto-replied", "auto-submitted", lambda: mail(ORDERS, "Auto-Submitted: auto-replied")),
        ("M18-auto-generated", "auto-submitted", lambda: mail(ORDERS, "Auto-Submitted: auto-generated; x=y")),
        ("M18-in-capitals", "auto-submitted", lambda: mail(ORDERS, "AUTO-SUBMITTED:  Auto-Replied (vacation)")),
        ("M18-quoting-our-form", "auto-submitted", lambda: mail(
            "I am away.\n" + quoted(REPORT), "Auto-Submitted: auto-replied")),
        ("M18-autoreply", "auto-submitted", lambda: mail(ORDERS, "X-Autoreply: yes")),
        ("M18-autorespond", "auto-submitted", lambda: mail(ORDERS, "X-Autorespond: yes")),
        ("M18-precedence", "auto-submitted", lambda: mail(ORDERS, "Precedence: auto_reply")),
        ("M18-out-of-office", "out-of-office", lambda: mail(AWAY, subject="Out of office: Re: game")),
        ("M18-absence", "out-of-office", lambda: mail(AWAY, subject="Absence du bureau : Re: game")),
        ("M18-risposta", "out-of-office", lambda: mail(AWAY, subject="Risposta automatica: Re: game")),
        ("M19-bounce", "bounce", lambda: bounce()),
        ("M19-bounce-by-its-path", "null-sender", lambda: mail(ORDERS, path="<>")),
        ("M19-mailer-daemon", "bounce", lambda: mail(ORDERS, sender="MAILER-DAEMON@players.example")),
        ("M19-read-receipt", "read-receipt", lambda: mail(joined(part("read"), part(
            "Disposition: manual-action/MDN-sent-manually; displayed", "message/disposition-notification")),
            kind=f'{RECEIPT}; boundary="cut"')),
        ("M19-invitation", "calendar", lambda: mail("BEGIN:VCALENDAR\nEND:VCALENDAR\n", kind=
            "text/calendar; method=REQUEST")),
        ("M20-list-id", "list", lambda: mail(ORDERS, "List-Id: <friends.example>")),
        ("M20-list-post", "list", lambda: mail(ORDERS, "List-Post: <mailto:friends@lists.example>")),
        ("M20-precedence-list", "list", lambda: mail(ORDERS, "Precedence: list")),
        ("M20-bulk", "bulk", lambda: mail(ORDERS, "Precedence: bulk")),
        ("M20-junk", "bulk", lambda: mail(ORDERS, "Precedence: junk")),
        ("M22-hops", "hops", lambda: mail(ORDERS, *[RECEIVED] * 26)),
        ("M23-from-us", "loop", lambda: mail(sender=f"pbem <{OURS}>")),
        ("M23-from-a-tag-of-ours", "loop", lambda: mail(sender="orders+k7q29fxm.1.1.game@pbem.example")),
        ("M23-our-own-report", "loop", lambda: mail(REPORT, "Auto-Submitted: auto-generated", "X-Pbem-Kind: report-1")),
        ("M23-our-mark", "loop", lambda: mail(REPORT, "X-Pbem-Kind: report-1")),
    )
) + (
    Mail("M18-not-automatic", lambda: mail(ORDERS, "Auto-Submitted: no"), ACCEPT, found="block"),
    Mail("M22-hops-at-the-limit", lambda: mail(ORDERS, *[RECEIVED] * 25), ACCEPT, found="block"),
)  # fmt: skip


def bounce() -> bytes:
    status = (
        "Reporting-MTA: dns; mx.players.example\n\nFinal-Recipient: rfc822; seat1@players.example\n"
        "Action: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 no such user\n"
    )
    told = mail(REPORT, "Auto-Submitted: auto-generated", sender=f"pbem <{OURS}>", message_id="<r1@pbem.example>")
    parts = joined(
        part("Your mail did not get through.\n" + ORDERS),
        part(status, "message/delivery-status"),
        b"Content-Type: message/rfc822\r\n\r\n" + told,
    )
    sender = "Mail Delivery System <MAILER-DAEMON@players.example>"
    kind = 'multipart/report; report-type=delivery-status; boundary="cut"'
    return mail(parts, kind=kind, sender=sender, path="<>", subject="Undelivered Mail Returned to Sender")


MAILS: tuple[Mail, ...] = (*HEADERS, *STRUCTURE, *CONTENT, *COSTS, *ROBOTS)
