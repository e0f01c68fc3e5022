"""Limits: how much a message may hold, how much its reading may cost, and how many there may be."""

from __future__ import annotations

from dataclasses import dataclass

CUT = "X-Cut-Short"  # the line above the beginning of a mail that was too large, with the bytes of the whole


@dataclass(frozen=True, slots=True)
class Limits:
    """Each is generous for a person and tight for a machine."""

    message_bytes: int = 1 << 20  # as it comes: programs carry the picture of our letter back in the answer to it
    order_bytes: int = 32 << 10
    depth: int = 10  # lists and mappings inside each other
    nodes: int = 2000  # keys, texts, lists and mappings together
    text: int = 500  # characters of one text
    press: int = 4000  # characters of one text under `say`
    number: int = 10**6  # the largest whole number in an order, either side of nought
    problems: int = 40  # that one answer lists
    mail_bytes: int = 256 << 10  # of a mail without its pictures
    header_block: int = 32 << 10  # bytes of all headers of a mail, or of a part of it
    header: int = 2 << 10  # bytes of one header that are looked at
    headers: int = 100
    mime_depth: int = 5
    parts: int = 20
    attachments: int = 2  # that are read
    hops: int = 25  # servers that a mail came through
    cpu_seconds: float = 2
    wall_seconds: float = 5
    memory_bytes: int = 256 << 20
    files: int = 32
    submissions: int = 20  # of a seat while one turn is open: orders, press, days away, appeals, words of consent
    daily: int = 500  # of a seat on one day (of UTC)
    daily_bytes: int = 16 << 20  # of all its submissions on one day
    receipts: int = 30  # for one seat on one day; nothing else is counted to them
    answers: int = 20  # to commands of one player on one day


USUAL = Limits()
