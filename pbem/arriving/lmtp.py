"""LMTP: a mail server on this machine hands mails over, and each recipient of each mail gets an answer of its own.

aiosmtpd speaks the protocol. What it leaves open stands here: the mail's bytes taken as they come, with lines of any
length; one answer for each recipient; 250 for none of them before the mail is on the disk.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from pbem import clock
from pbem.arriving.message import LARGEST, Message, arrived_by, with_envelope
from pbem.errors import Trouble
from pbem.ledger.troubles import NotWritten

RECIPIENTS = 100  # of one mail
CONNECTIONS = 50
PATIENCE = 120.0  # seconds without a command, or for a whole mail
BUFFER = 64 << 10

STORED, TOO_LARGE = "250 2.1.5 Stored", "552 5.3.4 Too large: send the orders as text, without attachments"
NO_ROOM, LATER = "452 4.3.1 Not stored: there is no room", "451 4.3.0 Not stored: try again later"

Put = Callable[[Message], Awaitable[object]]


class Counter:
    """The connections that are open, and how many of them are in the middle of a mail."""

    def __init__(self, put: Put, most: int = LARGEST) -> None:
        self.put = put
        self.most = most  # bytes of a mail
        self.open: set[asyncio.Transport] = set()
        self.busy = 0
        self.idle = asyncio.Event()
        self.idle.set()

    def begin(self) -> None:
        self.busy += 1
        self.idle.clear()

    def end(self) -> None:
        self.busy -= 1
        if not self.busy:
            self.idle.set()

    async def handle_EHLO(self, server: Any, session: Any, envelope: Any, hostname: str, told: list[str]) -> list[str]:
        """What aiosmtpd asks us to add to its greeting."""
        session.host_name = hostname
        return [*told[:-1], "250-PIPELINING", "250-ENHANCEDSTATUSCODES", *told[-1:]]

    async def handle_exception(self, error: Exception) -> str:
        """aiosmtpd's parser of addresses trips over odd ones."""
        return "501 5.5.4 That cannot be understood"


class Speaking:
    """What we do otherwise than aiosmtpd; mixed into its LMTP, so that its module is imported only where it is used."""

    line_length_limit = BUFFER
    event_handler: Counter
    envelope: Any
    transport: Any
    _reader: asyncio.StreamReader
    push: Callable[[str], Awaitable[None]]
    check_helo_needed: Callable[[], Awaitable[bool]]
    _set_post_data_state: Callable[[], None]

    def connection_made(self, transport: Any) -> None:
        if len(self.event_handler.open) >= CONNECTIONS:
            transport.write(b"421 4.3.2 Too many connections, try again later\r\n")
        else:
            self.event_handler.open.add(transport)
        super().connection_made(transport)  # type: ignore[misc]
        if transport not in self.event_handler.open:
            transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        self.event_handler.open.discard(self.transport)
        super().connection_lost(error)  # type: ignore[misc]

    async def smtp_RCPT(self, arg: str) -> None:
        if self.envelope is not None and len(self.envelope.rcpt_tos) >= RECIPIENTS:
            await self.push("452 4.5.3 Too many recipients of one mail")
        else:
            await super().smtp_RCPT(arg)  # type: ignore[misc]

    async def smtp_DATA(self, arg: str) -> None:
        if await self.check_helo_needed():
            return
        if arg or not self.envelope.rcpt_tos:
            await self.push("501 5.5.4 DATA takes nothing" if arg else "503 5.5.1 No recipient yet")
            return
        self.event_handler.begin()
        try:
            await self.push("354 End with a dot on a line of its own")
            envelope, raw = self.envelope, await content(self._reader, self.event_handler.most)
            answer = TOO_LARGE if raw is None else await self._stored(raw, envelope)
            self._set_post_data_state()
            await self.push("\r\n".join([answer] * len(envelope.rcpt_tos)))
        finally:
            self.event_handler.end()

    async def _stored(self, raw: bytes, envelope: Any) -> str:
        """The answer, once the mail is on the disk, or is known not to be."""
        whole = with_envelope(raw, envelope.mail_from or "", envelope.rcpt_tos)
        try:
            await self.event_handler.put(arrived_by(whole, clock.system(), most=len(whole)))
        except NotWritten:
            return NO_ROOM
        except Trouble:
            return LATER
        return STORED


async def content(reader: asyncio.StreamReader, most: int = LARGEST) -> bytes | None:
    """A mail up to its dot, as it was before it was sent; None when it is too large. Only CR LF ends a line, so that
    nothing within a mail can pass for its end."""
    lines: list[bytes] = []
    size, begins = 0, True
    while True:
        try:
            line = await reader.readuntil(b"\r\n")
            ends = True
        except asyncio.LimitOverrunError as long:
            line, ends = await reader.readexactly(long.consumed), False
        if begins and line == b".\r\n":
            return b"".join(lines) if size <= most else None
        part = line[1:] if begins and line.startswith(b".") else line
        size += len(part)
        if size <= most:
            lines.append(part)
        begins = ends


def speaker(counter: Counter, name: str) -> asyncio.Protocol:
    """One connection's side of ours."""
    from aiosmtpd.lmtp import LMTP

    kind = type("Speaker", (Speaking, LMTP), {})
    loop = asyncio.get_running_loop()
    made: asyncio.Protocol = kind(
        counter,
        data_size_limit=counter.most,
        enable_SMTPUTF8=True,
        hostname=name,
        ident="pbem",
        timeout=PATIENCE,
        loop=loop,
    )
    return made
