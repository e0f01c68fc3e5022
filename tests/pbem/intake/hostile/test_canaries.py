"""G35: keys, addresses, paths, passwords, seeds and tracebacks never stand where somebody else could read them.

A host with a canary for every secret gets hostile mails and files, its servers shout its passwords back, its nights go
on; then all that it wrote is searched: mails by whom they are for, what commands print, the journal.
"""

from __future__ import annotations

import email
import email.policy
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.arriving.message import arrived_by
from pbem.arriving.storing import store
from pbem.cli import run
from pbem.config import load
from pbem.ledger import journal, outbox
from pbem.messages import settle_waiting
from pbem.post import smtp
from tests.faults.figures import counted
from tests.pbem.host.conftest import DAY, DEADLINE, NOON, Host
from tests.pbem.intake.hostile import canaries
from tests.pbem.intake.hostile.canaries import GAMES, PASSWORDS, SEATS, TRACES, leaks, of_host, of_seat
from tests.pbem.intake.hostile.mail_table import MAILS
from tests.pbem.intake.hostile.mails import mail
from tests.pbem.intake.hostile.yaml_texts import YAML_TEXTS

EVERY = 9  # so many of the mails of the table are sent each

COMMANDS = (
    *(
        ("status",),
        ("status", "--json"),
        ("show", "game"),
        ("show", "game", "--json"),
        ("forecast",),
        ("forecast", "--json"),
    ),
    *(
        ("audit", "log", "game"),
        ("audit", "log", "game", "--json"),
        ("audit", "show", "game", "1"),
        ("audit", "verify", "--all"),
    ),
    *(("report", "game"), ("report", "game", "--format", "json"), ("report", "game", "--format", "html")),
    *(("games",), ("quarantine", "list"), ("quarantine", "list", "--json"), ("doctor",), ("deliver",), ("fetch",)),
)
PATHS_MAY_SHOW = frozenset({"doctor", "deliver", "fetch", "quarantine"})  # they speak to the host about his own files


@dataclass
class Cage:
    """The host, and what its commands print."""

    host: Host
    screen: pytest.CaptureFixture[str]

    def said(self, *args: str) -> str:
        """Whatever the command answers, and however it ends."""
        self.screen.readouterr()
        code = run(["--config", str(self.host.config.folder), *args])
        said = self.screen.readouterr()
        assert code in (0, 1, 3), f"{args} ended with {code}: {said}"
        return said.out + said.err

    def mails(self) -> list[tuple[str, str, EmailMessage]]:
        """Game, seat and mail, of all that was written."""
        with self.host.ledger.read() as tx:
            return [
                (one.game, one.seat or "", _parsed(outbox.raw(tx, one.message_id)))
                for game in GAMES
                for one in outbox.of_game(tx, game)
            ]


def _parsed(raw: bytes) -> EmailMessage:
    found = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(found, EmailMessage)
    return found


@pytest.fixture
def cage(
    host: Host, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[Cage]:
    monkeypatch.delenv("PBEM_CONFIG", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for game in GAMES:
        host.start("nim", game, heaps="3,4,5")
    with canaries.echoing(True) as imap_port, canaries.echoing(False) as smtp_port:
        _tell_servers(host, imap_port, smtp_port)
        yield Cage(host, capsys)


def _tell_servers(host: Host, imap_port: int, smtp_port: int) -> None:
    """The configuration with both servers, and their passwords in files that only we can read."""
    folder = host.config.folder
    for name, word in PASSWORDS.items():
        path = folder / f"{name}.pass"
        path.write_text(word + "\n")
        path.chmod(0o600)
    path = folder / "pbem.toml"
    mail_lines = [f'imap = "127.0.0.1:{imap_port}"', 'imap_tls = "none"', 'imap_user = "canary-user"']
    post_lines = [f'smtp = "127.0.0.1:{smtp_port}"', 'smtp_tls = "none"', 'smtp_user = "canary-user"']
    _put_below(path, "[mail]", [*mail_lines, 'imap_password_file = "imap.pass"'])
    _put_below(path, "[post]", [*post_lines, 'smtp_password_file = "smtp.pass"'])
    path.write_text(path.read_text().replace('by = "files"', 'by = "smtp"'))
    host.config = load(path)


def _put_below(path: Path, section: str, lines: list[str]) -> None:
    path.write_text(path.read_text().replace(f"\n{section}", "\n".join(["", section, *lines, "# "])))


def live(cage: Cage) -> None:
    """Two nights, with hostile mails and texts in the name of each seat, right keys and wrong ones."""
    host = cage.host
    raws = []
    for number, case in enumerate(MAILS[::EVERY]):
        seat = SEATS[number % 2]
        right = host.key(seat) if number % 3 else "AAAA-AAAA"
        raw = case.raw(right, GAMES[number % 2]).replace(b"<m1@", f"<c{number}@".encode())
        raw = raw.replace(b"@players.example", b"@elsewhere.example")  # whose ids and names would hold an address
        raws.append(raw.replace(b"seat: '1'", f"seat: '{seat}'".encode()))
    for number, text in enumerate(YAML_TEXTS[::EVERY]):
        body = text.raw(host.key("1")).decode("utf-8", "replace")
        raws.append(mail(body, message_id=f"<t{number}@elsewhere.example>", sender="a@elsewhere.example"))
    store(host.ledger, [arrived_by(raw, NOON) for raw in raws], "lmtp")
    settle_waiting(host.config, host.ledger, NOON)
    host.order("1", "b3")
    words = host.file("2", "a1").replace("end:", "say:\n  all: Hello from 2\nend:")
    host.submit(words)
    host.night(DEADLINE)
    host.order("2", "zz", at=DEADLINE + DAY / 24)
    host.night(DEADLINE + DAY)


def words_of(message: EmailMessage) -> str:
    """All of a mail but the address it goes to, each part decoded."""
    head = [f"{name}: {value}" for name, value in message.items() if name != "To"]
    parts = [part.get_payload(decode=True) for part in message.walk() if not part.is_multipart()]
    return "\n".join(head + [part.decode("utf-8", "replace") for part in parts if isinstance(part, bytes)])


def leaked(cage: Cage) -> list[tuple[str, str]]:
    """What stands in mails, output and journal that should not."""
    return [*_in_mails(cage), *_in_output(cage), *_in_journal(cage)]


def _in_mails(cage: Cage) -> Iterator[tuple[str, str]]:
    everybody = {seat: of_seat(seat) for seat in SEATS}
    folder = str(cage.host.config.folder.parent)
    for game, seat, message in cage.mails():
        text, place = words_of(message), f"{message['X-Pbem-Kind']} of {game} to {seat}"
        others = {name: ways for one, secrets in everybody.items() if one != seat for name, ways in secrets.items()}
        own = {f"address of {seat}": everybody[seat][f"address of {seat}"]}
        for name in leaks(text, of_host() | others | own):
            yield place, name
        for trace in (*TRACES[:3], folder):
            if trace in text:
                yield place, trace


def _in_output(cage: Cage) -> Iterator[tuple[str, str]]:
    of_everybody = of_seat("1") | of_seat("2")
    folder = str(cage.host.config.folder.parent)
    for command in COMMANDS:
        said = cage.said(*command)
        # Which player cannot be reached, and at which address, is the host's to mend.
        known = {} if command[0] == "deliver" else of_everybody
        for name in leaks(said, of_host() | known):
            yield " ".join(command), name
        for trace in TRACES[:3]:
            if trace in said:
                yield " ".join(command), trace
        if folder in said and command[0] not in PATHS_MAY_SHOW:
            yield " ".join(command), folder


def _in_journal(cage: Cage) -> Iterator[tuple[str, str]]:
    with cage.host.ledger.read() as tx:
        rows = [(f"{row.chain} {row.seq} {row.kind}", str(row.body)) for row in journal.rows(tx)]
    for place, body in rows:
        for name in leaks(body, of_host() | of_seat("1") | of_seat("2")):
            yield place, name


@pytest.mark.slow
def test_nothing_that_is_secret_stands_where_others_read(cage: Cage) -> None:
    live(cage)
    assert len(cage.mails()) > 20
    found = leaked(cage)
    assert found == [], "\n".join(map(str, found))
    with cage.host.ledger.read() as tx:
        rows = sum(1 for _ in journal.rows(tx))
    counted(len(of_host()) + sum(len(of_seat(seat)) for seat in SEATS), "secrets planted")
    counted(len(cage.mails()), "mails searched")
    counted(len(COMMANDS), "commands' output searched")
    counted(rows, "rows of the journal searched")
    counted(len(found), "hits")


def test_the_canaries_are_alive(cage: Cage) -> None:
    """The searching would find each of them: a seat's own mails do hold its own keys."""
    for game, seat, message in cage.mails():
        text = words_of(message)
        assert f"key of {seat} in {game} 1" in leaks(text, of_seat(seat))
        assert message["To"].addresses[0].addr_spec in of_seat(seat)[f"address of {seat}"]
    password = PASSWORDS["imap"]
    assert leaks(f"LOGIN user {password}", of_host()) == ["password of imap"]


def test_a_name_that_holds_an_address_is_found(cage: Cage, monkeypatch: pytest.MonkeyPatch) -> None:
    """The weakened build: reports that show everybody's address."""
    from pbem.game.sheet import Sheet

    shown = property(lambda self: {seat: f"{one.name} <{one.address}>" for seat, one in self.sitters.items()})
    monkeypatch.setattr(Sheet, "players", shown)
    cage.host.order("1", "b3")
    cage.host.night(DEADLINE)
    found = leaked(cage)
    assert ("show game", "address of 2") in found
    assert any(name == "address of 2" and place.startswith("report") for place, name in found)


def test_words_of_a_server_that_are_written_down_are_found(cage: Cage, monkeypatch: pytest.MonkeyPatch) -> None:
    """The weakened build: what it says when it refuses a password stands in the journal for good."""
    monkeypatch.setattr(smtp.Client, "_log_in", lambda self, user: self.login(user, self._settings.password()))
    cage.said("deliver", "--now", "2026-11-18T12:00Z")
    assert "password of smtp" in {name for _, name in leaked(cage)}
