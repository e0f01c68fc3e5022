"""A whole host, as the tests of the host have it, and mails read as any mail program reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from pathlib import Path
from typing import NamedTuple

import pytest

from pbem.game.hosting import add_player
from pbem.pictures import painting
from tests.pbem.host.conftest import NOON, Host, make_host, secret

__all__ = ["make_host"]
SEATS = ("yellow", "orange", "n", "e", "s", "w")  # of games that the tests of the host do not play

resvg = pytest.mark.skipif(not painting.able(), reason="resvg-py (the extra `png`) is not installed")


@pytest.fixture
def host(make_host: Callable[..., Host]) -> Host:
    """A host on which every game can be started."""
    made = make_host()
    with made.ledger.write() as tx:
        for seat in SEATS:
            add_player(tx, f"player-{seat}", f"{seat}@players.example", "en", "UTC", NOON, secret(seat))
    return made


class Seen(NamedTuple):
    """What a mail program finds in a mail: its page, and the pictures it came with, by their Content-IDs."""

    page: str
    pictures: dict[str, tuple[str, bytes]]


def seen(raw: bytes) -> Seen:
    message: EmailMessage = BytesParser(policy=policy.default).parsebytes(raw)
    page = message.get_body(preferencelist=("html",))
    assert page is not None
    pictures = {
        part["Content-ID"].strip("<>"): (part.get_content_type(), part.get_payload(decode=True))
        for part in message.walk()
        if part["Content-ID"]
    }
    return Seen(page.get_content(), pictures)  # type: ignore[arg-type]


def left(host: Host) -> dict[str, bytes]:
    """The mails that have left, by the names of their files."""
    return {path.name: path.read_bytes() for path in sorted((host.config.outbox / "mail").glob("*.eml"))}


def pages(host: Host) -> Iterator[Path]:
    """The readable copies."""
    yield from (path for path in sorted(host.config.outbox.rglob("*.html")) if path.parent.name != "mail")


@pytest.fixture
def no_library(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As where the extra `png` was not installed."""
    with monkeypatch.context() as patched:
        painting.library.cache_clear()
        patched.setattr(painting, "LIBRARY", "no_such_library")
        yield
    painting.library.cache_clear()
