"""Nothing that leaves a host depends on what its reader must not know: site, exports, calendars, mails (G45, G46)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine import games, load
from pbem.audit import export as exporter
from pbem.audit import page as audit_page
from pbem.game import outgoing
from pbem.game.hosting import add_player
from pbem.game.sheet import Sheet
from pbem.pages import site
from tests.every_game.twin_hosts import NOON, World, played
from tests.faults.figures import counted
from tests.pbem.correspondence.conftest import Post, make_host, make_post
from tests.pbem.host.conftest import secret

__all__ = ["make_host", "make_post"]
Make = Callable[..., Post]


def twins(game: str, make: Make, folder: Path) -> tuple[World, World, tuple[str, ...]]:
    """Two hosts with the same game, and its seats."""
    rules = load(game)
    seats = tuple(rules.seats(rules.Options()))
    worlds = []
    for name in ("quiet", "busy"):
        post = make(name)
        with post.host.ledger.write() as tx:
            for seat in set(seats) - {"1", "2", "3", "4", "red", "green", "blue"}:
                add_player(tx, f"player-{seat}", f"{seat}@players.example", "en", "UTC", NOON, secret(seat))
        post.host.start(game)
        (folder / f"{name}-told").mkdir()
        worlds.append(World(post, folder / f"{name}-told"))
    return worlds[0], worlds[1], seats


def told_apart(game: str, make: Make, folder: Path) -> list[str]:
    """By what the public, or a seat that nobody writes to, could tell the two hosts apart."""
    quiet, busy, seats = twins(game, make, folder)
    *writers, reader = seats
    to = writers[1] if len(writers) > 1 else None
    return played(quiet, busy, tuple(writers[:2]), to, reader)


@pytest.mark.parametrize("game", games())
def test_nobody_can_tell_how_much_the_others_write(game: str, make_post: Make, tmp_path: Path) -> None:
    assert told_apart(game, make_post, tmp_path) == []
    counted(1, "games whose hosts tell nobody how much others write")


# --- weakened builds --------------------------------------------------------------------------------------------------

Patch = tuple[Any, str, Callable[..., Any]]


def rows_are_in_the_file() -> Patch:
    """As it was: the public file of a running game held a hash for every row up to the last turn."""

    def rows(book: Any, **how: Any) -> Any:
        last = [line.seq for line in book.lines(("turn",))][-1]
        for line in book.lines():
            if line.seq <= last:
                hidden = line._replace(content=None, salt=None, sealed=line.leaf)
                yield exporter._row(line if line.seq == 1 else hidden)

    return exporter, "_rows", rows


def notices_count_rows() -> Patch:
    """As it was: notices said which row they told of."""
    original = outgoing.report_of

    def report_of(sheet: Any, first: Any, steps: Any, after: Any, *rest: Any, **more: Any) -> Any:
        return replace(original(sheet, first, steps, after, *rest, **more), counter=after.end.seq)

    return outgoing, "report_of", report_of


def page_lists_rows() -> Patch:
    """As it was: the audit page had a line for every row up to the last turn."""
    original = audit_page.document

    def document(name: str, lang: str, **facts: Any) -> str:
        text = original(name, lang, **facts)
        return text + "".join(f"<p>row {entry.seq}</p>" for entry in facts["rows"])

    return audit_page, "document", document


def calendars_tell_who_has_answered() -> Patch:
    return site, "_coming", lambda tx, config, seen: site.forecast(tx, config)


def ids_count_rows() -> Patch:
    """Message-IDs end in a number that grows with every row, as those of careless programs do."""
    original = Sheet.message_id
    places = [0]

    def message_id(self: Sheet, *what: object) -> str:
        places[0] += 1
        return original(self, *what).replace("@", f".{places[0]}@")

    return Sheet, "message_id", message_id


WEAKENED = (
    rows_are_in_the_file,
    notices_count_rows,
    page_lists_rows,
    calendars_tell_who_has_answered,
    ids_count_rows,
)


@pytest.mark.parametrize("weakened", WEAKENED, ids=lambda one: one.__name__)
def test_weakened_a_host_that_tells_is_found(
    weakened: Callable[[], Patch], make_post: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(*weakened())
    assert told_apart("vault", make_post, tmp_path)
    counted(1, "hosts that tell how much others write, found")
