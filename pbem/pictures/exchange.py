"""The exchange: in the bytes of a stored letter the part that holds the SVG is replaced, and nothing else moves."""

from __future__ import annotations

from pbem.mailparts import Found, decoded, page_in
from pbem.reports.letter import page_part, painted
from pbem.reports.picture import without_image


def with_png(raw: bytes, place: Found, png: bytes) -> bytes:
    """The letter with its picture painted. Its boundaries hold: none of them can be in base64."""
    part = painted(place.cid, png)
    return raw[: place.start] + part.head + part.content + raw[place.end :]


def bare(raw: bytes, place: Found) -> bytes:
    """The letter without a picture: the page says in words what it would have shown."""
    page = page_in(raw)
    part = page_part(without_image(decoded(raw, page).decode()))
    # The picture is the last part of those that belong to the page; its own line goes with it.
    before = raw[: place.start].rpartition(b"\r\n--")[0]
    return before[: page.start] + part.head + part.content + before[page.end :] + raw[place.end :]
