"""A bounded child may write no file, so what it compiles is lost with it: it finds all templates loaded."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from babel import localedata
from jinja2 import ChoiceLoader

from pbem.reports import environment, when
from tests.pbem.host.conftest import DEADLINE, Host


@pytest.fixture(params=["en", "fr"])
def loaded_here(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, host: Host) -> Iterator[Host]:
    """A host of which nothing is loaded yet, and whose children fail where they would have to load something, even
    what somebody has compiled and kept."""
    host.start("bagh-chal")
    host.speak(request.param)
    forget()
    parent, real, days = os.getpid(), ChoiceLoader.load, localedata.load

    def load(self: ChoiceLoader, *given: Any, **more: Any) -> Any:
        found = real(self, *given, **more)  # what is not there is looked for each time
        assert os.getpid() == parent, "a template is loaded in a child"
        return found

    def names(of: Any, *given: Any, **more: Any) -> Any:
        assert os.getpid() == parent or str(of) in localedata._cache, "names of days are read in a child"
        return days(of, *given, **more)

    monkeypatch.setattr(ChoiceLoader, "load", load)
    monkeypatch.setattr(localedata, "load", names)
    yield host
    forget()


def forget() -> None:
    """As if nothing had been loaded."""
    environment._environment.cache_clear()
    environment.load_all.cache_clear()
    when.load.cache_clear()
    when.told.cache_clear()
    localedata._cache.clear()


def test_those_who_resolve_load_nothing(loaded_here: Host) -> None:
    done = loaded_here.night(DEADLINE)
    assert (done.failed, done.resolved) == ({}, 1)


def test_those_who_judge_load_nothing(loaded_here: Host) -> None:
    seat = loaded_here.row().pending[0]
    assert loaded_here.order(seat, "no such order").receipt is not None
    assert len(loaded_here.mails(seat)) == 2


def test_what_is_no_template_stops_nobody_who_loads_them(monkeypatch: pytest.MonkeyPatch, host: Host) -> None:
    """A game's own template may be broken: that is told when a letter is made of it, and stops that game alone."""
    folder = host.config.folder / "templates"
    folder.mkdir()
    (folder / "broken.txt.j2").write_text("{% if %}")
    (folder / "notes.md").write_text("{% if %}")
    monkeypatch.setattr(environment, "_sources", lambda _: [folder])
    environment.load_all.cache_clear()
    environment.load_all("en", "nim")
    environment.load_all.cache_clear()
