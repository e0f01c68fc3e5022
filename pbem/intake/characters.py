"""Characters: bytes as they come from mail programs and editors, made into text that one eye and one parser agree on.

What programs put in unasked is taken back: no-break blanks, invisible signs, bullets for dashes, curly quotation marks.
Full-width letters, digits and signs become the usual ones. Letters of other alphabets that only look like Latin ones
are kept in texts; `lookalikes` names them where a name, a key or a move holds them.
"""

from __future__ import annotations

import re
import unicodedata

FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")

_BLANKS = "\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_LINE_ENDS = "\u2028\u2029"
# Zero-width blanks and joints, soft hyphens, and the marks that turn the direction of writing: what they hide is seen.
_UNSEEN = "\u00ad\u061c\u180e\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
# Full-width forms, as Chinese and Japanese keyboards write them; not the signs that YAML would take for its own.
_WIDE = {chr(code + 0xFEE0): chr(code) for code in range(0x21, 0x7F) if chr(code) not in "!\"#%&'*,:?@[]`{|}~"}
_LAYOUT = str.maketrans(
    dict.fromkeys(_BLANKS, " ") | dict.fromkeys(_LINE_ENDS, "\n") | dict.fromkeys(_UNSEEN, None) | _WIDE
)
_WIDE_COLON = re.compile(r"^([ \t]*(?:- )?[A-Za-z_-]+) ?\uff1a[ ]*", re.M)  # behind a key, at the start of a line

_LIKE = dict(
    zip(
        "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u043a\u0501\u04bb\u051b\u051d\u0437"  # Cyrillic
        "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0423\u0406\u0408\u0405\u0417"
        "\u03b1\u03bf\u03bd\u03c1\u03b9\u03ba\u03c7\u03c5\u03c4"  # Greek
        "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"
        "\u0131\u0261",  # Latin letters of few languages
        "aeopcyxijskdhqw3ABEKMHOPCTXYIJS3aovpikxutABEZHIKMNOPTYXig",
        strict=True,
    )
)
LOOKALIKES = str.maketrans(_LIKE)

_BULLET = re.compile(r"^([ \t]*)[\u2022\u2023\u25aa\u25cf\u25e6\u00b7\u2010-\u2015](?=[ \t])", re.M)

_HYPHENS = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
_QUOTES = "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033"
_APOSTROPHES = "\u2018\u2019\u201a\u201b\u2032"
_JOINERS = "\u200c\u200d"
_WORDS = str.maketrans(
    dict.fromkeys(_HYPHENS, "-")
    | dict.fromkeys(_QUOTES, '"')
    | dict.fromkeys(_APOSTROPHES, "'")
    | dict.fromkeys(_JOINERS, None)
)


def decode(raw: bytes) -> str:
    """The text of a file, with one kind of line end and one kind of blank.

    UTF-8, with or without a byte order mark; UTF-16 with one; what is neither is taken for Windows-1252.
    """
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        text = raw.decode("utf-16", "replace")
    else:
        try:
            text = raw.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = raw.decode("cp1252", "replace")
    return laid_out(text)


def laid_out(text: str) -> str:
    """A text with one kind of line end, one kind of blank, dashes for bullets, and nothing unseen."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.isascii():
        return text
    text = text.translate(_LAYOUT)
    if "\uff1a" in text:
        text = _WIDE_COLON.sub(r"\1: ", text)
    return _BULLET.sub(_dash, text)


def _dash(bullet: re.Match[str]) -> str:
    """A dash where a bullet stood; a tab before that is the program's, which made the list, and no indentation."""
    return bullet[1].replace("\t", "  ") + "-"


def settled(text: str) -> str:
    """A text with its blanks made alike, its letters composed (NFC), and nothing unseen."""
    return text if text.isascii() else unicodedata.normalize("NFC", text.translate(_LAYOUT))


def words(text: str) -> str:
    """The words of an order or a name: straight hyphens and quotation marks, none of these around it, single blanks."""
    text = " ".join((text if text.isascii() else text.translate(_WORDS)).split())
    return text[1:-1].strip() if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text


def lookalikes(text: str) -> list[tuple[str, str]]:
    """Return each letter of another alphabet that looks like a Latin one, with the one it looks like."""
    return [] if text.isascii() else [(letter, _LIKE[letter]) for letter in dict.fromkeys(text) if letter in _LIKE]


def name_key(text: str) -> str:
    """Return what names are compared by: case, blanks, width and look-alike letters make no difference."""
    folded = unicodedata.normalize("NFKC", text).translate(LOOKALIKES).casefold()
    return unicodedata.normalize("NFKC", " ".join(folded.split()))


def forbidden(text: str) -> tuple[int, str] | None:
    """Where the first character stands that no text may hold, and its number; lone surrogates among them."""
    found = FORBIDDEN.search(text)
    return (found.start(), f"U+{ord(found[0]):04X}") if found else None


def visible(text: str, most: int = 60) -> str:
    """A text as it may be shown in a sentence: on one line, nothing that steers a terminal, and not too long."""
    shown = "".join(letter if letter.isprintable() else f"\\x{ord(letter):02x}" for letter in text[: most + 1])
    return shown if len(shown) <= most else shown[: most - 1] + "…"
