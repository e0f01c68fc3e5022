"""A bounded child may write no file, so what it compiles is lost with it: it finds all templates loaded."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from pbem.reports import environment
from pbem.reports.quick import QuickEnvironment
from tests.pbem.host.conftest import DEADLINE, Host


@pytest.fixture
def compiled_here(monkeypatch: pytest.MonkeyPatch, host: Host) -> Iterator[Host]:
    """A host of which nothing is loaded yet, and whose children fail where they would have to compile something."""
    host.start("nim", heaps="3,4,5")
    parent, real = os.getpid(), QuickEnvironment.compile

    def compile(self: QuickEnvironment, *given: Any, **more: Any) -> Any:
        assert os.getpid() == parent, "compiled in a child"
        return real(self, *given, **more)

    monkeypatch.setattr(QuickEnvironment, "compile", compile)
    environment.keep_bytecode(host.config.folder / ".templates")
    yield host
    environment._bytecode.clear()
    environment.environment.cache_clear()
    environment.load_all.cache_clear()


def test_those_who_resolve_compile_nothing(compiled_here: Host) -> None:
    done = compiled_here.night(DEADLINE)
    assert (done.failed, done.resolved) == ({}, 1)


def test_those_who_judge_compile_nothing(compiled_here: Host) -> None:
    seat = compiled_here.row().pending[0]
    assert compiled_here.order(seat, "no such order").receipt is not None
    assert len(compiled_here.mails(seat)) == 2


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
