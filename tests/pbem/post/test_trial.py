"""`pbem doctor --mail`: a mail to oneself comes back, or it is said at which station it stayed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.arriving.settings import Arriving
from pbem.care.doctor import Finding, examine
from pbem.ledger import Ledger, letters
from pbem.post.settings import MAILDIR, SENDMAIL, SMTP, Place, Post, Smtp
from pbem.post.trial import try_mail
from tests.pbem.post.conftest import NOON, Sender, by_smtp
from tests.pbem.post.rude import NEVER_RCPT, Rude

SHORT = 0.2


def tried(
    sender: Sender, wait: float = SHORT, mail: Arriving | None = None, real_time: bool = False
) -> dict[str, Finding]:
    config = replace(sender.config, mail=mail or Arriving())
    with closing(Ledger.open(config.ledger)) as ledger:
        return {one.what: one for one in try_mail(config, ledger, NOON, wait, real_time=real_time)}


def sending(sender: Sender, **post: object) -> Sender:
    return Sender(replace(sender.config, post=replace(sender.config.post, **post)))  # type: ignore[arg-type]


@contextmanager
def delivering_into(box: Path, keep: Callable[[str], bool] = lambda address: True) -> Iterator[Rude]:
    """A server that puts what it takes into a Maildir, with the line it writes above."""
    for room in ("tmp", "new", "cur"):
        (box / room).mkdir(parents=True)
    over = threading.Event()

    def carry() -> None:
        done = 0
        while not over.wait(0.01):
            while done < len(server.taken):
                one = server.taken[done]
                done += 1
                if keep(one.recipients[0]):
                    above = b"Received: by rude; Wed, 18 Nov 2026 12:00:30 +0000\n"
                    (box / "tmp" / str(done)).write_bytes(above + one.raw.replace(b"\r\n", b"\n"))
                    (box / "tmp" / str(done)).rename(box / "new" / str(done))

    with Rude() as server:
        thread = threading.Thread(target=carry)
        thread.start()
        try:
            yield server
        finally:
            over.set()
            thread.join()


def test_a_mail_comes_back_through_server_and_maildir(sender: Sender, tmp_path: Path) -> None:
    with delivering_into(tmp_path / "box") as server:
        found = tried(sending(sender, **by_smtp(server.port)), 20, Arriving(maildir=tmp_path / "box"), real_time=True)
    assert all(one.well for one in found.values()), found
    assert found["mail in from the plain address"].says == "it came back by maildir"
    assert found["mail in from an address with a key in it"].well
    assert found["clock"].well
    with sender.reading() as tx:
        assert sum(letters.counts(tx).values()) == 2


def test_a_server_that_knows_no_plus_is_told_apart(sender: Sender, tmp_path: Path) -> None:
    with delivering_into(tmp_path / "box", keep=lambda address: "+" not in address) as server:
        found = tried(sending(sender, **by_smtp(server.port)), 1, Arriving(maildir=tmp_path / "box"))
    assert found["mail in from the plain address"].well
    assert "tags = false" in found["mail in from an address with a key in it"].says
    assert "clock" not in found, "this time is none that a server could know"


def test_a_mail_that_does_not_come_back_is_told(sender: Sender) -> None:
    with Rude() as server:
        found = tried(sending(sender, **by_smtp(server.port)))
    assert found["mail out to the plain address"].well
    assert not found["mail in from the plain address"].well
    assert "within 0.2 seconds" in found["mail in from the plain address"].says


def test_a_server_that_refuses_is_quoted(sender: Sender) -> None:
    with Rude(plan=lambda n: NEVER_RCPT) as server:
        found = tried(sending(sender, **by_smtp(server.port)))
    assert [one.well for one in found.values()] == [False, False]
    assert "550 5.1.1" in found["mail out to the plain address"].says


def test_files_send_nothing(sender: Sender) -> None:
    [one] = tried(sender).values()
    assert one.well


@pytest.mark.parametrize(
    ("post", "what", "says"),
    [
        (Post(by=SENDMAIL, sendmail=("/nowhere/sendmail",)), "sendmail", "is not there"),
        (Post(by=MAILDIR, maildir=Path("/nowhere/at/all")), "maildir", "cannot be used"),
        (
            Post(by=SMTP, smtp=Smtp(Place("h", 1), user="x", password_file=Path("/nowhere/p"))),
            "smtp password",
            "cannot be",
        ),
        (Post(by=SMTP, smtp=Smtp(Place("h", 1), user="x")), "smtp password", "name an smtp_password_file"),
    ],
)
def test_what_can_be_seen_without_sending(
    sender: Sender, post: Post, what: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PBEM_SMTP_PASSWORD", raising=False)
    found = {one.what: one for one in examine(replace(sender.config, post=post), NOON)}
    assert not found[what].well
    assert says in found[what].says


def test_a_password_that_others_can_read_is_a_finding(sender: Sender, tmp_path: Path) -> None:
    (tmp_path / "p").write_text("secret\n")
    (tmp_path / "p").chmod(0o644)
    post = Post(by=SMTP, smtp=Smtp(Place("h", 1), user="x", password_file=tmp_path / "p"))
    found = {one.what: one for one in examine(replace(sender.config, post=post), NOON)}
    assert "chmod 600" in found["smtp password"].says
    (tmp_path / "p").chmod(0o600)
    found = {one.what: one for one in examine(replace(sender.config, post=post), NOON)}
    assert found["smtp password"].well
    assert not any("secret" in one.says for one in found.values())


def test_a_clock_that_went_back_and_an_address_nobody_finds(sender: Sender) -> None:
    early = {one.what: one for one in examine(sender.config, NOON.replace(year=2025))}
    assert not early["time"].well
    config = replace(sender.config, address="orders@attic", post=Post(by=SENDMAIL, sendmail=("sh",)))
    found = {one.what: one for one in examine(config, NOON)}
    assert found["sendmail"].well
    assert "no mail server can find" in found["address"].says
