"""Subjects: encoded words (RFC 2047) become the letters that were typed, on one line."""

from __future__ import annotations

import binascii
import re

from pbem.intake.characters import visible
from pbem.intake.mail.transfer import text_of, undone

ENCODED = re.compile(r"=\?([A-Za-z0-9_.:*-]{1,40})\?([bBqQ])\?([^?\s]*)\?=")
BETWEEN = re.compile(r"(\?=)\s+(=\?[A-Za-z0-9_.:*-]{1,40}\?[bBqQ]\?)")
LONGEST = 200


def subject(text: str) -> str:
    """A subject as a person sees it, cut to a decent length."""
    if "=?" in text:
        text = ENCODED.sub(_decoded, BETWEEN.sub(r"\1\2", text))
    return visible(" ".join(text_of(text.encode("utf-8", "replace"), "").split()), LONGEST)


def _decoded(word: re.Match[str]) -> str:
    charset, encoding, letters = word.groups()
    raw = letters.encode("utf-8")
    if encoding in "bB":
        return text_of(undone(raw, "base64"), charset.partition("*")[0])
    return text_of(binascii.a2b_qp(raw, header=True), charset.partition("*")[0])
