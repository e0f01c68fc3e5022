"""A header of a mail of ours, read back from its bytes."""

from __future__ import annotations

import binascii
import re
from functools import cache

_encoded = re.compile(r"=\?utf-8\?b\?([A-Za-z0-9+/=]+)\?=(?: (?==\?utf-8\?b\?))?")


def header(raw: bytes, name: str) -> str:
    """Its value on one line, as it stands there; "" when there is none."""
    found = _pattern(name).search(raw, 0, raw.find(b"\r\n\r\n") + 2)
    return found[1].replace(b"\r\n", b"").decode("ascii", "replace").strip() if found else ""


def words(value: str) -> str:
    """A value with its encoded words decoded, as `pbem.reports.letter` writes them."""
    return _encoded.sub(lambda found: binascii.a2b_base64(found[1]).decode("utf-8", "replace"), value)


@cache
def _pattern(name: str) -> re.Pattern[bytes]:
    return re.compile(rb"^" + re.escape(name.encode("ascii")) + rb":((?:[^\r\n]|\r\n[ \t])*)", re.MULTILINE | re.I)
