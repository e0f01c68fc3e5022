"""What pages tell: as much as the letters, packed small, and to the public nothing that is a seat's own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pbem.cli import run
from pbem.game import again
from pbem.pages.document import inside
from pbem.pages.frames import Log
from tests.pbem.cli.desk import BEGINS, DEADLINE, LATER, Desk
from tests.pbem.reports.hostile import NASTY

SECRETS = ("one", "other")


def begin(folder: Path, game: str, seats: dict[str, str], seed: str) -> None:
    at = ("--config", str(folder))
    assert run(["init", str(folder)]) == 0
    for name in dict.fromkeys(seats.values()):
        assert run([*at, "player", "add", name, f"{name}@example.org".lower(), "--now", BEGINS]) == 0
    sitting = [word for seat, name in seats.items() for word in ("--seat", f"{seat}={name}")]
    assert run([*at, "new", game, "--name", "coral", *sitting, "--seed", seed * 16, "--now", BEGINS]) == 0


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.delenv("PBEM_CONFIG", raising=False)
    return Desk(tmp_path, capsys, monkeypatch)


def data_of(page: str) -> Any:
    found = re.search(r'<script type="application/json" id="shown">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])


def unpacked(log: list[str], packed: list[Any]) -> list[str]:
    """As the page's script does it."""
    found: list[str] = []
    parts = iter(packed)
    for part in parts:
        found += [part] if isinstance(part, str) else log[part : part + next(parts)]
    log += found
    return found


def frames_of(shown: Any) -> Iterator[tuple[Any, list[str], list[str]]]:
    """The frames with the lines of their pictures and words."""
    log: list[str] = []
    for frame in shown["frames"]:
        picture, words, position = (unpacked(log, frame[name]) for name in ("picture", "words", "position"))
        yield frame | {"position": " ".join(position)}, picture, words


def test_a_line_is_kept_once_and_found_again() -> None:
    log, kept = Log(), list[str]()
    texts = ["a\nb\na", "b\nc", "", "c\na\nb\na\nb\nc\n", "a\na\na"]
    packed = [log.packed(text) for text in texts]
    assert ["\n".join(unpacked(kept, some)) for some in packed] == texts
    assert [part for some in packed for part in some if isinstance(part, str)] == ["a", "b", "a", "c", ""]


def test_any_texts_are_found_again() -> None:
    source, log, kept = Random(4), Log(), list[str]()
    for _ in range(300):
        text = "\n".join(source.choices("abc", k=source.randrange(12)))
        assert "\n".join(unpacked(kept, log.packed(text))) == text


def test_each_frame_says_what_the_letter_of_its_turn_said(desk: Desk) -> None:
    host = desk.folder / "host"
    begin(host, "jarmo", {"green": "Anna", "blue": "Bruno"}, "5eed")
    desk.go(host)
    desk("nightly", "--now", DEADLINE, "--jobs", "1")
    shown = data_of(desk("report", "coral", "--seat", "blue", "--format", "page").out)
    for frame, _, words in frames_of(shown):
        letter = desk.data("report", "coral", "--seat", "blue", "--turn", frame["turn"])
        assert words == "\n".join(letter["words"]).split("\n")
        assert frame["position"] == letter["position"]
        told = [said["told"] for step in letter["steps"] for said in step["events"]]
        assert [text for step in frame["steps"] for text, _ in step["told"]] == told
    assert shown["order"]["key"] == letter["key"]


# --- the public site ------------------------------------------------------------------------------------------------


HASHES = re.compile(r"[0-9a-f]{64}|(?<=calendar-of-)[0-9a-f]{16}|sha256-[A-Za-z0-9+/=]+|ed25519:[\w-]+")


def sites(desk: Desk) -> list[dict[str, str]]:
    """Two sites of hosts whose games differ in what is hidden: the deal, and what waits."""
    found = []
    for word, seed in zip(SECRETS, ("5eed", "feed"), strict=True):
        host = desk.folder / word
        if not host.exists():
            begin(host, "vault", {"red": "Anna", "blue": "Bruno", "green": "Chiara"}, seed)
            form = again_form(desk, host)
            desk("--config", host, "submit", form, "--now", LATER)
        desk("--config", host, "site", host / "site", "--now", LATER)
        pages = (p for p in (host / "site").iterdir() if p.suffix in (".html", ".ics"))
        found.append({HASHES.sub("", page.name): HASHES.sub("", page.read_text()) for page in pages})
    return found


def again_form(desk: Desk, host: Path) -> Path:
    form = host / "orders.yml"
    report = desk.data("--config", host, "report", "coral", "--seat", "red")
    waits = "pass" if host.name == SECRETS[0] else "say nothing"
    form.write_text(f"game: coral\nseat: red\nturn: 1\nkey: {report['key']}\nsay: {waits}\nend: orders\n")
    return form


def test_a_site_is_the_same_whatever_is_hidden(desk: Desk) -> None:
    one, other = sites(desk)
    feeds = {"calendar.ics", "calendar-coral.ics", "calendar-of-.ics"}
    assert {name for name in one if not name.startswith("rules-")} == {"coral.html", "index.html"} | feeds
    assert one == other


def test_a_site_holds_no_key(desk: Desk) -> None:
    sites(desk)
    host = desk.folder / SECRETS[0]
    for seat in ("red", "blue"):
        key = desk.data("--config", host, "report", "coral", "--seat", seat)["key"]
        for file in (host / "site").iterdir():
            assert key.encode() not in file.read_bytes()


def test_a_site_that_looks_with_a_seats_eyes_is_seen(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Weakened build: the public page is made of what seat red may know."""
    report_of = again.report_of
    monkeypatch.setattr(again, "report_of", lambda *given, **more: report_of(*given[:-1], "red", **more))
    one, other = sites(desk)
    assert one != other


def test_a_finished_game_can_be_replayed_and_verified(desk: Desk) -> None:
    host = desk.folder / "host"
    begin(host, "nim", {"1": "Anna", "2": "Bruno"}, "5eed")
    desk.go(host)
    for day in range(19, 31):
        desk("nightly", "--now", f"2026-11-{day}T20:00Z", "--jobs", "1")
    assert desk.data("show", "coral")["status"] == "over"
    desk("site", "site", "--now", "2026-12-01T00:00Z")
    desk("site", "site", "--now", "2026-12-01T00:00Z")
    desk("audit", "check", "site/coral.pbem")
    shown = data_of((host / "site" / "coral.html").read_text())
    assert shown["frames"][-1]["turn"] == desk.data("show", "coral")["turn"]
    assert shown["order"] is None
    assert "Finished games" in (host / "site" / "index.html").read_text()
    written = {path.name for path in (host / "site").iterdir() if not path.name.startswith("rules-")}
    assert written == {"coral.html", "coral.pbem", "index.html", "calendar.ics"}


@pytest.mark.parametrize("nasty", NASTY)
def test_nothing_ends_the_block_of_json_before_its_end(nasty: str) -> None:
    """Weakened build: `json.dumps` alone; its block ends at the first closing tag."""
    block = str(inside([nasty]))
    assert json.loads(block) == [nasty]
    assert not re.search("</|<!|<script", block, re.IGNORECASE)


def test_a_page_calls_players_as_letters_do(desk: Desk) -> None:
    host = desk.folder / "host"
    begin(host, "bagh-chal", {"1": "Anna", "2": "Bru&no"}, "5eed")
    desk.go(host)
    page = desk("report", "coral", "--seat", "1", "--format", "page").out
    assert data_of(page)["named"] == {"1": "Seat 1 (Anna)", "2": "Seat 2 (Bru&no)"}
    assert "<strong>seat 1</strong> Anna" in page
