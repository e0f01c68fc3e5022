"""Twelve and more mail programs, each as it quotes, encodes and signs in five languages: a description is a mail."""

from __future__ import annotations

import base64
import quopri
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape

LANGUAGES = ("en", "fr", "it", "de", "es")
HOST, ADDRESS = "The Tigers", "orders+k7q29fxm.2.2.jade-river@pbem.test"
PLAYER = "anna@players.example"

DAY = {"en": "Wed, Nov 18, 2026 at 8:00 PM", "fr": "mer. 18 nov. 2026 à 20:00", "it": "mer 18 nov 2026 alle ore 20:00",
       "de": "Mi., 18. Nov. 2026 um 20:00 Uhr", "es": "mié, 18 nov 2026 a las 20:00"}  # fmt: skip
SHORT = {"en": "11/18/2026 8:00 PM", "fr": "18/11/2026 à 20:00", "it": "18/11/2026 20:00", "de": "18.11.26 um 20:00",
         "es": "18/11/2026 20:00"}  # fmt: skip
RE = {"en": "Re", "fr": "RE", "it": "R", "de": "AW", "es": "RE"}
FIELDS = {
    "en": ("From", "Sent", "To", "Subject"),
    "fr": ("De", "Envoyé", "À", "Objet"),
    "it": ("Da", "Inviato", "A", "Oggetto"),
    "de": ("Von", "Gesendet", "An", "Betreff"),
    "es": ("De", "Enviado el", "Para", "Asunto"),
}
DATED = {"en": "Date", "fr": "Date", "it": "Data", "de": "Datum", "es": "Fecha"}
ORIGINAL = {
    "en": "Original message",
    "fr": "Message d'origine",
    "it": "Messaggio originale",
    "de": "Ursprüngliche Nachricht",
    "es": "Mensaje original",
}
WROTE = {
    "en": "On {day}, {who} <{address}> wrote:",
    "fr": "Le {day}, {who} <{address}> a écrit :",
    "it": "Il giorno {day}, {who} <{address}> ha scritto:",
    "de": "Am {day} schrieb {who} <{address}>:",
    "es": "El {day}, {who} <{address}> escribió:",
}
PLAINLY = {
    "en": "On {short}, {who} wrote:",
    "fr": "Le {short}, {who} a écrit :",
    "it": "Il {short}, {who} ha scritto:",
    "de": "Am {short} schrieb {who}:",
    "es": "El {short}, {who} escribió:",
}
FORWARDED = {
    "en": "---------- Forwarded message ---------",
    "fr": "---------- Message transféré ---------",
    "it": "---------- Messaggio inoltrato ---------",
    "de": "---------- Weitergeleitete Nachricht ---------",
    "es": "---------- Mensaje reenviado ---------",
}
PHONE = {
    "en": "Sent from my iPhone",
    "fr": "Envoyé de mon iPhone",
    "it": "Inviato da iPhone",
    "de": "Von meinem iPhone gesendet",
    "es": "Enviado desde mi iPhone",
}


@dataclass(frozen=True, slots=True)
class Original:
    """A mail that is answered: ours, or an older one of the player's own."""

    text: str
    html: str = ""
    subject: str = "[jade-river] Decision 2 is yours"
    id: str = "<r.2.2@pbem.test>"
    who: str = HOST
    address: str = "orders@pbem.test"

    @property
    def body(self) -> str:
        """What stands between the body tags."""
        return self.html.partition("<body")[2].partition(">")[2].partition("</body>")[0] or as_pre(self.text)


@dataclass(frozen=True, slots=True)
class Draft:
    """What the player did: text above and below what is quoted, and what he changed in it."""

    top: str = ""
    bottom: str = ""
    change: Callable[[str], str] = str


Quote = Callable[[str, Original], str]  # the lines above what is quoted, in a language


@dataclass(frozen=True, slots=True)
class Program:
    """One mail program. `marks`: quoted lines get a `>`; `page` makes its HTML, where it sends any."""

    name: str
    head: Quote
    marks: bool = True
    page: Callable[[str, Draft, Original], str] | None = None
    encoding: str = "quoted-printable"
    charset: str = "utf-8"
    flowed: bool = False
    signature: Mapping[str, str] = field(default_factory=dict)
    wide: int = 0  # columns at which it breaks lines; 0: it does not

    def text(self, lang: str, draft: Draft, original: Original) -> str:
        """The plain text of the mail."""
        quoted = draft.change(original.text)
        if self.marks:
            quoted = "\n".join(_marked(line) for line in quoted.rstrip("\n").split("\n"))
        signature = f"\n{self.signature[lang]}\n" if lang in self.signature else ""
        parts = [draft.top and draft.top + "\n", signature, self.head(lang, original), quoted, draft.bottom]
        text = "\n".join(part for part in parts if part)
        return _wrapped(text, self.wide) if self.wide else text

    def mail(self, lang: str, draft: Draft, original: Original, *more: str, html_only: bool = False) -> bytes:
        """The whole mail."""
        text = self.text(lang, draft, original)
        flowed = "; format=flowed" if self.flowed else ""
        plain = encoded(_flowed(text) if self.flowed else text, f"text/plain; charset={self.charset}{flowed}", self)
        if self.page is None:
            return headers(lang, original, *more) + plain
        page = encoded(self.page(lang, draft, original), f'text/html; charset="{self.charset}"', self)
        if html_only:
            return headers(lang, original, *more) + page
        return headers(lang, original, *more) + multipart("alternative", plain, page)


# --- bytes -----------------------------------------------------------------------------------------------------------


def headers(lang: str, original: Original, *more: str) -> bytes:
    """The head of an answer, as a mail server hands it over."""
    lines = (
        f"Return-Path: <{PLAYER}>",
        f"Delivered-To: {ADDRESS}",
        "Received: from mail.players.example by mx.pbem.test; Wed, 18 Nov 2026 21:00:00 +0100",
        *more,
        "MIME-Version: 1.0",
        f"From: Anna <{PLAYER}>",
        f"To: {HOST} <{ADDRESS}>",
        "Date: Wed, 18 Nov 2026 21:00:00 +0100",
        "Message-ID: <a.1@players.example>",
        f"In-Reply-To: {original.id}",
        f"References: {original.id}",
        f"Subject: {RE[lang]}: {original.subject}",
    )
    return "".join(f"{line}\r\n" for line in lines).encode()


def encoded(text: str, kind: str, program: Program) -> bytes:
    """A part: its headers and its content."""
    raw = text.replace("\n", "\r\n").encode(program.charset, "replace")
    match program.encoding:
        case "base64":
            raw = base64.encodebytes(raw).replace(b"\n", b"\r\n")
        case "quoted-printable":
            raw = quopri.encodestring(raw.replace(b"\r\n", b"\n")).replace(b"\n", b"\r\n")
    return f"Content-Type: {kind}\r\nContent-Transfer-Encoding: {program.encoding}\r\n\r\n".encode() + raw


def multipart(kind: str, *parts: bytes) -> bytes:
    inside = b"".join(b"--=_next\r\n" + part + b"\r\n" for part in parts)
    return f'Content-Type: multipart/{kind}; boundary="=_next"\r\n\r\n'.encode() + inside + b"--=_next--\r\n"


def attachment(text: str, name: str, kind: str = "application/octet-stream") -> bytes:
    """A file, as base64."""
    head = f'Content-Type: {kind}; name="{name}"\r\nContent-Disposition: attachment; filename="{name}"\r\n'
    content = base64.encodebytes(text.encode()).replace(b"\n", b"\r\n")
    return head.encode() + b"Content-Transfer-Encoding: base64\r\n\r\n" + content


# --- lines -----------------------------------------------------------------------------------------------------------


def _marked(line: str) -> str:
    if not line:
        return ">"
    return f">{line}" if line.startswith(">") else f"> {line}"


def _wrapped(text: str, wide: int) -> str:
    """Lines broken where they are too long, as programs do that know nothing of quoting: the rest has no mark."""
    lines = (textwrap.wrap(line, wide, replace_whitespace=False, break_long_words=False) for line in text.split("\n"))
    return "\n".join("\n".join(broken or [""]) for broken in lines)


def _flowed(text: str) -> str:
    """Format flowed: lines broken with a blank before the break, those that begin with a blank stuffed with one."""
    kept = []
    for line in text.split("\n"):
        quotes = line[: len(line) - len(line.lstrip(">"))]
        rest = line[len(quotes) :].removeprefix(" ") if quotes else line.rstrip()
        pieces = textwrap.wrap(rest, 70, drop_whitespace=False, break_long_words=False) if len(rest) > 72 else [rest]
        pieces = [piece if number + 1 == len(pieces) else piece.rstrip() + " " for number, piece in enumerate(pieces)]
        kept += [
            f"{quotes} {piece}" if quotes else f" {piece}" if piece[:1] in (" ", ">") else piece for piece in pieces
        ]
    return "\n".join(kept)


# --- HTML ------------------------------------------------------------------------------------------------------------


def as_pre(text: str) -> str:
    return f"<pre>{escape(text)}</pre>"


def kept_blanks(line: str) -> str:
    """A line as rich text editors keep its blanks."""
    stripped = line.lstrip(" ")
    return "&nbsp;" * (len(line) - len(stripped)) + escape(stripped)


def in_divs(text: str) -> str:
    return "".join(f"<div>{kept_blanks(line) or '<br>'}</div>" for line in text.split("\n")) if text else ""


def in_breaks(text: str) -> str:
    return "<br>\n".join(map(kept_blanks, text.split("\n")))


def in_word_paragraphs(text: str) -> str:
    inside = (f"<p class=MsoNormal>{kept_blanks(line) or '&nbsp;'}<o:p></o:p></p>\n" for line in text.split("\n"))
    return "".join(inside) if text else ""


def changed_body(draft: Draft, original: Original) -> str:
    """The page that is quoted, with what the player changed in its form."""
    return draft.change(original.body)


def gmail_page(lang: str, draft: Draft, original: Original) -> str:
    head = f'<div dir="ltr" class="gmail_attr">{escape(gmail_head(lang, original))}<br></div>'
    quote = f'<blockquote class="gmail_quote" style="margin:0">{changed_body(draft, original)}</blockquote>'
    below = in_divs(draft.bottom)
    return f'<div dir="ltr">{in_divs(draft.top)}</div><br><div class="gmail_quote">{head}{quote}</div>{below}'


def outlook_page(lang: str, draft: Draft, original: Original) -> str:
    names = FIELDS[lang]
    values = (f"{original.who} &lt;{original.address}&gt;", DAY[lang], "Anna", escape(original.subject))
    fields = "<br>".join(f"<b>{name}:</b> {value}" for name, value in zip(names, values, strict=True))
    style = "<style>p.MsoNormal {margin:0cm; font-size:11.0pt}</style>"
    border = f"<div style='border:none;border-top:solid #E1E1E1 1.0pt'><p class=MsoNormal>{fields}</p></div>"
    body = f"{in_word_paragraphs(draft.top)}<div>{border}</div>{changed_body(draft, original)}"
    return f"<html><head>{style}</head><body lang=EN-US><div class=WordSection1>{body}</div></body></html>"


def apple_page(lang: str, draft: Draft, original: Original) -> str:
    head = escape(apple_head(lang, original))
    quote = f'<blockquote type="cite"><div>{head}</div><br><div>{changed_body(draft, original)}</div></blockquote>'
    return f'<html><body dir="auto">{in_breaks(draft.top)}<br><div>{quote}</div>{in_breaks(draft.bottom)}</body></html>'


def yahoo_page(lang: str, draft: Draft, original: Original) -> str:
    top = f'<div class="ydp" dir="ltr" data-setdir="false">{in_divs(draft.top)}</div>'
    quote = f"<div>{escape(gmail_head(lang, original))}</div>{changed_body(draft, original)}"
    return f'<html><body>{top}<div id="ydpquoted" class="yahoo_quoted"><div>{quote}</div></div></body></html>'


def samsung_page(lang: str, draft: Draft, original: Original) -> str:
    head = "</div><div>".join(map(escape, samsung_head(lang, original).split("\n")))
    return f"<html><body>{in_divs(draft.top)}<div><div>{head}</div></div>{changed_body(draft, original)}</body></html>"


# --- the lines above -------------------------------------------------------------------------------------------------


def gmail_head(lang: str, original: Original) -> str:
    return WROTE[lang].format(day=DAY[lang], who=original.who, address=original.address)


def apple_head(lang: str, original: Original) -> str:
    return WROTE[lang].format(day=SHORT[lang], who=original.who, address=original.address)


def plain_head(lang: str, original: Original) -> str:
    return PLAINLY[lang].format(short=SHORT[lang], who=original.who)


def s_nail_head(lang: str, original: Original) -> str:
    return f"{original.who} <{original.address}> wrote in\n <{original.id.strip('<>')}>:"


def outlook_head(lang: str, original: Original) -> str:
    values = (f"{original.who} <{original.address}>", DAY[lang], "Anna", original.subject)
    return "\n" + "\n".join(f"{name}: {value}" for name, value in zip(FIELDS[lang], values, strict=True)) + "\n"


def old_outlook_head(lang: str, original: Original) -> str:
    return f"-----{ORIGINAL[lang]}-----{outlook_head(lang, original)}"


def web_head(lang: str, original: Original) -> str:
    return f"{'_' * 32}{outlook_head(lang, original)}"


def samsung_head(lang: str, original: Original) -> str:
    sender, _, to, subject = FIELDS[lang]
    lines = (
        f"{sender}: {original.who} <{original.address}>",
        f"{DATED[lang]}: {SHORT[lang]} (GMT+01:00)",
        f"{to}: Anna",
    )
    return f"-------- {ORIGINAL[lang]} --------\n" + "\n".join((*lines, f"{subject}: {original.subject}")) + "\n"


def gmx_head(lang: str, original: Original) -> str:
    sender, sent, to, subject = FIELDS[lang]
    lines = (f"{sent}: {DAY[lang]}", f"{sender}: {original.who} <{original.address}>", f"{to}: {PLAYER}")
    return "\n".join((*lines, f"{subject}: {original.subject}"))


OUTLOOK_PHONE = {
    "en": "Get Outlook for Android<https://aka.ms/x>",
    "fr": "Télécharger Outlook pour Android<https://aka.ms/x>",
    "it": "Scarica Outlook per Android<https://aka.ms/x>",
    "de": "Outlook für Android beziehen<https://aka.ms/x>",
    "es": "Obtener Outlook para Android<https://aka.ms/x>",
}
DASHES = dict.fromkeys(LANGUAGES, "-- \nAnna\nanna@players.example")

PROGRAMS = (
    Program("gmail", gmail_head, page=gmail_page, wide=78),
    Program("outlook", outlook_head, marks=False, page=outlook_page, charset="windows-1252"),
    Program("outlook-2003", old_outlook_head, marks=False, charset="iso-8859-1", signature=DASHES),
    Program("outlook-web", web_head, marks=False, page=outlook_page, encoding="base64", signature=OUTLOOK_PHONE),
    Program("apple-mail", apple_head, page=apple_page),
    Program("ios", apple_head, page=apple_page, encoding="base64", signature=PHONE),
    Program("thunderbird", plain_head, encoding="8bit", flowed=True, signature=DASHES),
    Program("k-9", plain_head, wide=74),
    Program("yahoo", gmail_head, marks=False, page=yahoo_page),
    Program("gmx", gmx_head, encoding="base64"),
    Program("mutt", plain_head, encoding="8bit", charset="iso-8859-15", signature=DASHES),
    Program("s-nail", s_nail_head, encoding="8bit"),
    Program("roundcube", plain_head, encoding="8bit", wide=76),
    Program("samsung", samsung_head, marks=False, page=samsung_page, encoding="base64"),
)
