"""A capture is tapped on the map of a page that came by mail, sent back by mail, and told in the next report."""

from __future__ import annotations

from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from pathlib import Path
from typing import Any

import pytest

from pbem.pages import mailing
from tests.pages.conftest import Sit, Table, Window, picture
from tests.pbem.cli.desk import BEGINS, DEADLINE, LATER, NEXT_DAY

pytestmark = pytest.mark.browser


def test_a_capture_is_tapped_mailed_and_told(sit: Sit, window: Window) -> None:
    """The goat on b2 can be taken: a1xc3. The way there: no order after one tap, none after a second one that no move
    has, and the capture after its own two places."""
    table = sit("bagh-chal")
    for name in ("cur", "new", "tmp"):
        (table.desk.folder / "letterbox" / name).mkdir(parents=True)
    config = table.desk.folder / "pbem.toml"
    config.write_text(config.read_text("utf-8").replace("[mail]", '[mail]\nmaildir = "letterbox"'), "utf-8")
    table.desk("deliver", "--now", BEGINS)
    goats = window.open(mailed_page(table, "1"), 360, has_touch=True).page
    tap(goats, "b2")
    send(table, "1", goats, LATER)
    table.desk("nightly", "--now", DEADLINE, "--jobs", "1")

    opened = window.open(mailed_page(table, "2"), 360, has_touch=True)
    tigers = opened.page
    tap(tigers, "a1")
    assert "orders:" not in form(tigers)
    assert "Legal moves from here: 3." in said(tigers)
    tap(tigers, "e3")
    assert said(tigers) == "No legal move has e3 after a1. Nothing has changed."
    picture(tigers, "bagh-chal-refused-360")
    assert "orders:" not in form(tigers)
    tap(tigers, "c3")
    assert said(tigers) == "Chosen: a1xc3"
    picture(tigers, "bagh-chal-taken-360")
    assert "orders:\n  - a1xc3\nend: orders" in form(tigers)
    opened.is_quiet()
    send(table, "2", tigers, "2026-11-19T08:00Z")
    receipt = mails(table, "2")[-1].get_body(("plain",)).get_content()
    assert "1. a1xc3" in receipt

    table.desk("nightly", "--now", NEXT_DAY, "--jobs", "1")
    [step] = table.report("1")["steps"]
    assert [(made["seat"], made["move"], made["how"]) for made in step["moves"]] == [("2", "a1xc3", "given")]
    assert table.report("1")["facts"]["captured"] == 1
    table.desk("audit", "verify", table.game)


def tap(page: Any, place: str) -> None:
    page.locator(f"[data-place='{place}']").tap()


def said(page: Any) -> str:
    """What stands below the map."""
    return str(page.locator("#tapped").inner_text())


def form(page: Any) -> str:
    """What would be sent."""
    return str(page.locator("#yaml").text_content())


def mails(table: Table, seat: str) -> list[EmailMessage]:
    """The mails that have left to the player of a seat, oldest first."""
    files = sorted((table.desk.folder / "outbox" / "mail").glob("*.eml"), key=lambda file: file.stat().st_mtime_ns)
    found = [BytesParser(policy=policy.default).parsebytes(file.read_bytes()) for file in files]
    return [mail for mail in found if mail["To"] and ADDRESSES[seat] in mail["To"]]


ADDRESSES = {"1": "36@example.org", "2": "5@example.org"}


def mailed_page(table: Table, seat: str) -> Path:
    """The page that the last report brought, as its player saves it."""
    [part] = [part for part in mails(table, seat)[-1].iter_attachments() if part.get_filename() == mailing.FILE]
    file = table.desk.folder / f"{seat}.html"
    file.write_text(part.get_content(), "utf-8")
    return file


def send(table: Table, seat: str, page: Any, now: str) -> None:
    """Mail what the page wrote to the address that it names."""
    mail = EmailMessage()
    mail["From"] = ADDRESSES[seat]
    mail["To"] = page.locator("#mail").get_attribute("href").removeprefix("mailto:").partition("?")[0]
    mail["Subject"], mail["Message-ID"] = "Re: my orders", f"<{seat}@players.example>"
    mail.set_content(form(page))
    (table.desk.folder / "letterbox" / "new" / f"{seat}.host").write_bytes(mail.as_bytes())
    table.desk("fetch", "--now", now)
    table.desk("deliver", "--now", now)
