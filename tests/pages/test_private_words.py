"""What players write to each other is in no public file, and nobody sees how much: by mail and command (G45, G46)."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.audit import export
from pbem.audit.published import PublishedBook
from pbem.clock import read_instant
from tests.pages.test_telling import begin
from tests.pbem.cli.desk import Desk

SEATS = {"red": "Anna", "green": "Bruno", "blue": "Chiara"}
ORDER = "pass"
PRIVATE = ("meet me at the old mill", "blue must not win", "Chiara looked into my cards", "green is no friend")
NOW = "2026-11-18T15:00Z"


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A host with three players, a Maildir for their mails, and masks allowed."""
    monkeypatch.delenv("PBEM_CONFIG", raising=False)
    found = Desk(tmp_path, capsys, monkeypatch)
    folder = tmp_path / "host"
    begin(folder, "vault", SEATS, "5eed")
    settings = folder / "pbem.toml"
    settings.write_text(settings.read_text().replace("# maildir =", f'maildir = "{folder}/mail" #', 1))
    for part in ("new", "cur", "tmp"):
        (folder / "mail" / part).mkdir(parents=True)
    found.folder = folder
    found.go(folder)
    found("deliver", "--now", "2026-11-18T12:00Z")
    return found


def write(desk: Desk, seat: str, words: str, number: int, turn: int = 1) -> None:
    """A mail of a player, who answers his last report; it is collected at once."""
    form = desk.form(seat, turn, "coral")
    quoted = "\n".join(f"> {line}" for line in form.splitlines())
    name = SEATS[seat]
    head = f"From: {name} <{name.lower()}@example.org>\nTo: orders@localhost\nSubject: Re: coral\n"
    text = f"{head}Message-ID: <{seat}-{number}@phone.example>\n\n{words}\n\n{quoted}\n"
    path = desk.folder / "mail" / "new" / f"{number}.{seat}"
    path.write_text(text)
    at = read_instant(NOW).timestamp()
    os.utime(path, (at, at))
    desk("fetch", "--now", NOW)


def inside(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Every file of a site, and every member of the exports in it."""
    for path in sorted(folder.rglob("*")):
        yield path.name, path.read_bytes()
        if path.suffix == ".pbem":
            with zipfile.ZipFile(path) as archive:
                yield from ((f"{path.name}/{name}", archive.read(name)) for name in archive.namelist())


def answers(desk: Desk, seat: str) -> str:
    """All that a seat was written, on one line."""
    desk("deliver", "--now", NOW)
    texts = sorted((desk.folder / "outbox" / "coral" / seat).glob("*.txt"))
    return " ".join(" ".join(path.read_text().split()) for path in texts)


def told(folder: Path, secrets: tuple[str, ...]) -> list[str]:
    """Which secret stands in which file."""
    found = [(name, data) for name, data in inside(folder) if not name.endswith(".py")]  # the checker's own code
    return [f"{one} in {name}" for name, data in found for one in secrets if one.encode() in data]


SECRETS = (*PRIVATE, "@phone.example", "@example.org", "message_id", '"route"', '"evidence"')


def play(desk: Desk) -> None:
    """Words, an appeal and an order with words in it; then the nights until the game is over."""
    write(desk, "red", f"say green: {PRIVATE[0]}", 1)
    write(desk, "green", f"say red: {PRIVATE[3]}", 2)
    write(desk, "red", f"dispute: {PRIVATE[2]}", 3)
    write(desk, "blue", ORDER, 4)
    form = desk.form("red", 1, "coral").replace("orders:", f"say:\n  green: {PRIVATE[1]}\norders:\n  - {ORDER}", 1)
    path = desk.folder / "own.yml"
    path.write_text(form)
    desk("submit", path, "--now", NOW)
    for night in range(1, 29):
        desk("nightly", "--now", f"2026-12-{night:02}T20:00Z")
        if desk.data("audit", "log", "coral", "--kind", "over"):
            return
    raise AssertionError("the game does not end")


def test_private_words_are_in_no_public_file_even_once_the_game_is_over(desk: Desk) -> None:
    play(desk)
    desk("site", "site", "--now", "2027-06-01T12:00Z")
    site = desk.folder / "site"
    assert told(site, SECRETS) == []
    file = site / "coral.pbem"
    said = desk("audit", "check", file).out
    assert said.startswith("coral: true; ")
    assert "rows sealed" in said
    for more in ((), ("1", "red")):
        done = subprocess.run([sys.executable, "-I", "-S", file, *more], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), done
    assert "every draw comes from it" in subprocess.run(
        [sys.executable, "-I", "-S", file], capture_output=True, text=True, check=False
    ).stdout  # fmt: skip
    desk("audit", "page", "coral", "page.html")
    page = (desk.folder / "page.html").read_text()
    assert [one for one in (*PRIVATE, "@phone.example", "@example.org") if one in page] == []


def test_a_seats_own_file_holds_its_own_words_and_nobody_elses(desk: Desk) -> None:
    play(desk)
    desk("audit", "export", "coral", "red.pbem", "--seat", "red")
    with zipfile.ZipFile("red.pbem") as archive:
        history = archive.read("history.jsonl").decode()
    assert [one for one in PRIVATE if one in history] == [PRIVATE[0], PRIVATE[2]]  # of a form they lie sealed ...
    assert desk.data("audit", "show", "red.pbem", "1", "--seat", "red")
    assert desk("audit", "check", "red.pbem").out.startswith("coral: true; ")
    desk("audit", "export", "coral", "whole.pbem", "--referee")
    with zipfile.ZipFile("whole.pbem") as archive:
        history = archive.read("history.jsonl").decode()
    assert PRIVATE[3] in history


def test_a_player_is_told_once_who_reads_his_words(desk: Desk) -> None:
    write(desk, "red", f"say green: {PRIVATE[0]}", 1)
    once = "Who reads your words: the seats that you write to, and nobody else who plays. The host can read them, too."
    assert once in answers(desk, "red")
    assert "not even once the game is over" in answers(desk, "red")
    write(desk, "red", f"say green: {PRIVATE[1]}", 2)
    assert answers(desk, "red").count(once) == 1
    assert once not in answers(desk, "green")


def test_the_public_file_of_a_running_game_is_the_same_whatever_the_players_write(desk: Desk) -> None:
    desk("site", "before", "--now", NOW)
    write(desk, "red", f"say green: {PRIVATE[0]}", 1)
    write(desk, "green", "orders:\n", 2)
    desk("site", "after", "--now", NOW)
    assert dict(inside(desk.folder / "before")) == dict(inside(desk.folder / "after"))
    said = desk("audit", "check", "after/coral.pbem").out
    assert "The game goes on: this file holds its first row and the heads of 1 turn" in said
    assert "The file of the finished game must hold each of them." in said


def test_weakened_without_the_list_private_words_are_published(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it was: once the game was over all rows were opened, and no row kept anything apart."""
    row = export._row
    monkeypatch.setattr(PublishedBook, "_shown", lambda self, line: line)
    monkeypatch.setattr(export, "_row", lambda line, **how: row(line, whole=True))
    play(desk)
    desk("site", "site", "--now", "2027-06-01T12:00Z")
    found = told(desk.folder / "site", SECRETS)
    assert any(PRIVATE[0] in one for one in found)
    assert any("@phone.example" in one for one in found)
