"""A browser without a network, and hosts whose games wait for orders."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pbem.cli import run
from tests.pbem.cli.desk import BEGINS, Desk

CHROMIUM = shutil.which("chromium")
HOSTILE = "<img src=x onerror=owned()></script>"


@pytest.fixture(scope="module")  # while it runs, no other test of this process may have an event loop of its own
def chromium() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        yield browser
        browser.close()


@dataclass
class Opened:
    """A page that is open, and all that it did beside being looked at."""

    page: Any
    said: list[str] = field(default_factory=list)
    asked_for: list[str] = field(default_factory=list)

    def is_quiet(self) -> None:
        assert self.said == [], "the console is not clean"
        assert self.asked_for == [], "the page asked for something"


class Window:
    """Opens files in the browser, without a network."""

    def __init__(self, browser: Any, folder: Path) -> None:
        self.browser, self.folder = browser, folder
        self.contexts: list[Any] = []

    def open(self, file: Path, width: int = 1280, **more: Any) -> Opened:
        context = self.browser.new_context(viewport={"width": width, "height": 900}, offline=True, **more)
        self.contexts.append(context)
        opened = Opened(context.new_page())
        opened.page.set_default_timeout(20_000)
        opened.page.on("console", lambda message: opened.said.append(message.text))
        opened.page.on("pageerror", lambda error: opened.said.append(str(error)))
        opened.page.on("request", lambda asked: opened.asked_for.append(asked.url))
        opened.page.goto(file.as_uri())
        opened.asked_for.remove(file.as_uri())
        return opened

    def close(self) -> None:
        for context in self.contexts:
            context.close()


@pytest.fixture
def window(chromium: Any, tmp_path: Path) -> Iterator[Window]:
    window = Window(chromium, tmp_path)
    yield window
    window.close()


def picture(page: Any, name: str) -> None:
    """A screenshot, kept where git does not look, for whoever wants to see what was tested."""
    SEEN.mkdir(exist_ok=True)
    page.screenshot(path=SEEN / f"{name}.png", full_page=True)
    page.locator(".composer").screenshot(path=SEEN / f"{name}-composer.png")
    page.locator("#map").screenshot(path=SEEN / f"{name}-map.png")


SEEN = Path(__file__).parents[2] / "screenshots"


@dataclass
class Table:
    """A game that has begun, seen from the seat that has to decide."""

    desk: Desk
    game: str

    @property
    def seat(self) -> str:
        [one] = [one for one in self.desk.data("status")["games"] if one["name"] == self.game]
        return str(one["waiting"][0]["seat"])

    def page(self, seat: str) -> Path:
        """The page of that seat, as a file."""
        file = self.desk.folder / f"{self.game}-{seat}.html"
        file.write_text(self.desk("report", self.game, "--seat", seat, "--format", "page").out, encoding="utf-8")
        return file

    def report(self, seat: str) -> Any:
        return json.loads(self.desk("report", self.game, "--seat", seat, "--format", "json").out)


@dataclass(frozen=True)
class Kind:
    """A kind of game: who sits at it, and how it is begun; `early`: its set-up is left to silence, night by night."""

    seats: tuple[str, ...]
    options: tuple[str, ...] = ()
    early: bool = False


EARLY = "2026-11-12T12:00Z"
NIGHTS = [f"2026-11-{day}T20:00Z" for day in range(12, 18)]


GAMES = {
    "bagh-chal": Kind(("1", "2")),
    "hasami-shogi": Kind(("1", "2")),
    "jarmo": Kind(("green", "blue")),
    "yut": Kind(("orange", "blue")),
    "khan": Kind(("red", "yellow"), early=True),
    "conquest": Kind(("sn", "we"), ("players=2",)),
    "yuan": Kind(("1", "2", "3", "4"), ("scenario=river_control", "powers=true", "volcanoes=true"), early=True),
}


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One host with a game of each kind; a player there has a name that no page should obey."""
    return host(tmp_path_factory.mktemp("begun") / "host", list(GAMES))


@pytest.fixture(scope="session")
def begun_with(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A host with that game alone, made when it is wanted first: its nights are short."""
    return cache(lambda game: host(tmp_path_factory.mktemp(game) / "host", [game]))


def host(folder: Path, games: Sequence[str]) -> Path:
    at = ("--config", str(folder))
    assert run(["init", str(folder)]) == 0
    for name in (HOSTILE, "Bruno"):
        assert run([*at, "player", "add", name, f"{len(name)}@example.org", "--now", EARLY]) == 0
    early = [game for game in games if GAMES[game].early]
    for game in early:
        begin(at, game, EARLY)
    for night in NIGHTS if early else ():
        assert run([*at, "nightly", "--now", night, "--jobs", "1"]) == 0
    for game in games:
        if game not in early:
            begin(at, game, BEGINS)
    return folder


def begin(at: tuple[str, str], game: str, now: str) -> None:
    kind = GAMES[game]
    sitting = [f"{seat}={HOSTILE if i == 0 else 'Bruno'}" for i, seat in enumerate(kind.seats)]
    more = [word for seat in sitting for word in ("--seat", seat)]
    more += [word for option in kind.options for word in ("--option", option)]
    more += ["--same-person"] if len(kind.seats) > 2 else []
    assert run([*at, "new", game, "--name", f"{game}-a", *more, "--seed", "5eed" * 16, "--now", now]) == 0


def copied(begun: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Desk:
    folder = tmp_path / "host"
    shutil.copytree(begun, folder)
    monkeypatch.delenv("PBEM_CONFIG", raising=False)
    return Desk(folder, capsys, monkeypatch)


@pytest.fixture
def desk(begun: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Desk:
    return copied(begun, tmp_path, capsys, monkeypatch)


Sit = Callable[[str], Table]


@pytest.fixture
def sit(
    begun_with: Callable[[str], Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Sit:
    """Sits down at a table of one game."""
    return lambda game: Table(copied(begun_with(game), tmp_path, capsys, monkeypatch), f"{game}-a")
