"""A browser without a network, and hosts whose games wait for orders."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from pbem.cli import run
from tests.pbem.cli.desk import BEGINS, Desk

CHROMIUM = shutil.which("chromium")
HOSTILE = "<img src=x onerror=owned()></script>"


@pytest.fixture(scope="session")
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


GAMES = {
    "bagh-chal": ("1", "2"),
    "hasami-shogi": ("1", "2"),
    "jarmo": ("green", "blue"),
    "yut": ("orange", "blue"),
    "khan": ("red", "yellow"),
}


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One host with a game of each kind; a player there has a name that no page should obey."""
    folder = tmp_path_factory.mktemp("begun") / "host"
    at = ("--config", str(folder))
    assert run(["init", str(folder)]) == 0
    for name in (HOSTILE, "Bruno"):
        assert run([*at, "player", "add", name, f"{len(name)}@example.org", "--now", BEGINS]) == 0
    for game, (one, other) in GAMES.items():
        seats = ("--seat", f"{one}={HOSTILE}", "--seat", f"{other}=Bruno")
        assert run([*at, "new", game, "--name", f"{game}-a", *seats, "--seed", "5eed" * 16, "--now", BEGINS]) == 0
    return folder


@pytest.fixture
def desk(begun: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Desk:
    folder = tmp_path / "host"
    shutil.copytree(begun, folder)
    monkeypatch.delenv("PBEM_CONFIG", raising=False)
    return Desk(folder, capsys, monkeypatch)
