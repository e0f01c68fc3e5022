"""The table of limits, for all that comes in by mail: each holds at the limit, and is told one past it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from pbem.intake.limits import USUAL
from pbem.intake.mail.reading import MailReading
from pbem.intake.mail.walk import read_mail
from tests.pbem.host.conftest import Host
from tests.pbem.intake.hostile.case import END, HEAD
from tests.pbem.intake.hostile.mail_table import RECEIVED
from tests.pbem.intake.hostile.mails import ORDERS, OTHER, OURS, attached, joined, mail, multipart, part
from tests.pbem.intake.hostile.table import Table

TABLE = {  # the table "Limits" of the guarantees
    "mail_bytes": 256 << 10,
    "order_bytes": 32 << 10,
    "header_block": 32 << 10,
    "header": 2 << 10,
    "headers": 100,
    "mime_depth": 5,
    "parts": 20,
    "attachments": 2,
    "depth": 10,
    "nodes": 2000,
    "text": 500,
    "press": 4000,
    "number": 10**6,
    "hops": 25,
    "cpu_seconds": 2,
    "wall_seconds": 5,
    "memory_bytes": 256 << 20,
    "files": 32,
    "message_bytes": 1 << 20,
    "submissions": 20,
    "answers": 20,
}


def test_the_figures_are_those_of_the_table() -> None:
    assert {name: getattr(USUAL, name) for name in TABLE} == TABLE


def code(read: MailReading) -> str:
    if read.automatic or read.trouble:
        return read.automatic or read.trouble.code  # type: ignore[union-attr]
    assert read.reading is not None
    return read.reading.problems[0].why.code if read.reading.problems else ""


def sized(raw: bytes, size: int) -> bytes:
    """The mail, grown to that many bytes below its form."""
    return raw + b"x" * (size - len(raw))


def form_of(size: int) -> str:
    """A form of that many bytes, a comment among them."""
    return HEAD + "#" + "x" * (size - len(ORDERS) - 2) + "\n" + ORDERS.removeprefix(HEAD)


def headers_of(size: int) -> bytes:
    """A mail whose head has that many bytes."""
    plain = mail(ORDERS)
    block = plain.partition(b"\r\n\r\n")[0]
    rows: list[str] = []
    while (left := size - len(block) - sum(len(row) + 2 for row in rows)) > 0:
        rows.append("X: " + "x" * (min(left, 1000) - 5) if left >= 6 else "X: " + "x")
        if left < 1000:
            break
    return mail(ORDERS, *rows)


def nested(depth: int) -> bytes:
    """A form below so many levels, the mail itself among them."""
    whole = part(ORDERS).replace("\n", "\r\n").encode()
    for level in range(depth - 2):
        whole = f'Content-Type: multipart/mixed; boundary="b{level}"\r\n\r\n'.encode() + joined(
            whole, boundary=f"b{level}"
        )
    return mail(joined(whole, boundary="top"), kind='multipart/mixed; boundary="top"')


AT: dict[str, tuple[Callable[[int], bytes], int, str]] = {
    # what is limited: a mail with so much of it, the limit, and the code one past it
    "mail": (lambda n: sized(mail(ORDERS), n), USUAL.mail_bytes, "mail_size"),
    "order text": (lambda n: multipart(part("Hi"), attached(form_of(n))), USUAL.order_bytes, "size"),
    "headers": (lambda n: mail(ORDERS, *["X: x"] * (n - PLAIN_HEADERS)), USUAL.headers, "headers"),
    "depth of parts": (nested, USUAL.mime_depth, "mime_depth"),
    "parts": (lambda n: multipart(part(ORDERS), *[part("x")] * (n - 1)), USUAL.parts, "parts"),
    "attachments": (lambda n: multipart(part("Hi"), *_files(n)), USUAL.attachments, "attachments"),
    "hops": (lambda n: mail(ORDERS, *[RECEIVED] * n), USUAL.hops, "hops"),
    "depth of lists": (lambda n: mail(_orders("[" * (n - 1) + "b3" + "]" * (n - 1))), USUAL.depth, "depth"),
    "one text": (lambda n: mail(_orders("x" * n)), USUAL.text, "text"),
    "press": (lambda n: mail(ORDERS.replace(END, f"say: {'x' * n}\n{END}")), USUAL.press, "text"),
    "a number": (lambda n: mail(_orders(f"b{n}")), USUAL.number, "number"),
    "nodes": (lambda n: mail(HEAD + "orders:\n" + "- b3\n" * (n - 13) + END), USUAL.nodes, "nodes"),
}
PLAIN_HEADERS = mail().partition(b"\r\n\r\n")[0].count(b"\r\n") + 1
SAID_OTHERWISE = {"depth of lists": "list_in_list"}  # so deep a list is no order; but it is read


def _orders(text: str) -> str:
    return HEAD + f"orders: {text}\n" + END


def _files(count: int) -> list[str]:
    """So many files with orders; beyond the limit another order, as the same one again does no harm."""
    return [attached()] * min(count, 2) + [attached(OTHER, "c.yml")] * (count - 2)


@pytest.mark.parametrize("what", AT)
def test_at_the_limit_and_one_past_it(what: str) -> None:
    make, limit, past = AT[what]
    assert code(read_mail(make(limit), ours=[OURS])) == SAID_OTHERWISE.get(what, "")
    assert code(read_mail(make(limit + 1), ours=[OURS])) == past


def test_each_can_be_set_otherwise() -> None:
    for name, value, past in (("headers", 5, "headers"), ("mail_bytes", 100, "mail_size"), ("parts", 1, "parts"),
                              ("hops", 0, "hops"), ("header_block", 50, "header_block")):  # fmt: skip
        raw = mail(joined(part(ORDERS), part("x")), RECEIVED, kind='multipart/mixed; boundary="cut"')
        assert code(read_mail(raw, ours=[OURS], limits=replace(USUAL, **{name: value}))) == past, name


def test_one_header_is_looked_at_so_far() -> None:
    for length, seen in ((USUAL.header - len("From:  <m@x.example>"), True), (USUAL.header + 1, False)):
        read = read_mail(mail(sender="m" * length + " <m@x.example>"), ours=[OURS])
        assert (read.sender == "m@x.example") is seen
        assert code(read) == ""


def test_submissions_of_a_seat_in_a_turn(host: Host) -> None:
    """Twenty are judged; the next one is told so once, the others not at all, and what stood stands."""
    host.config = replace(host.config, address=OURS)
    table = Table(host, 1)
    table.open()  # one has come already
    form = ORDERS.replace("game: game\n", "game: game0\n").replace("K7Q2-9FXM", table.key(0))
    for number in range(USUAL.submissions + 3):
        raw = mail(form.replace("b3", f"b{1 + number % 3}"), message_id=f"<n{number}@players.example>")
        table.arrive(f"<n{number}@players.example>", raw, "lmtp")
    fates = table.settle()
    assert fates == {"accepted": USUAL.submissions - 1, "refused": 4}
    assert table.stands(0) == [f"b{1 + (USUAL.submissions - 2) % 3}"]
    assert len(table.answers(0)) <= USUAL.submissions


def test_header_block() -> None:
    size = USUAL.header_block
    at, past = headers_of(size - 600), headers_of(size + 600)
    assert code(read_mail(at, ours=[OURS])) == ""
    assert code(read_mail(past, ours=[OURS])) == "header_block"
