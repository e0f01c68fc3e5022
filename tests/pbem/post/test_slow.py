"""G15: slow or dead post never delays or changes resolution, and the run ends.

No seconds are counted: everything is resolved and stored before the first connection is made, so what the post does
cannot cost it anything; and how many time limits a run can meet does not grow with the mails that wait. What a night
costs is the lines that it and its children execute, the same however busy the machine is; a wait for a server executes
none, so one that is met before all is resolved counts as much as a whole night. Weakened: a night that delivers first.
"""

from __future__ import annotations

import json
import socket
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem import delivering, nightly
from pbem.ledger import Ledger
from pbem.ledger.dump import canonical_dump
from pbem.ledger.outbox import SENT
from pbem.nightly import night
from pbem.summary import Summary
from tests.faults.figures import counted
from tests.faults.figures import told as said_of
from tests.faults.line_killer import Killer
from tests.pbem.post.conftest import NOON, Sender, by_smtp, sender_in
from tests.pbem.post.rude import NO_BANNER, SLOW, Rude

ROOT = Path(__file__).parents[3]
PROGRAM = tuple(ROOT / room for room in ("pbem", "engine", "games", "tests/sample_games"))
NIGHT = NOON + timedelta(hours=20)
REFUSED = "nobody listens"
MOST = 1.1  # times the night with a post that works
DULL = {"connect_seconds": 0.3, "mail_seconds": 0.3}


def a_night(sender: Sender, **post: Any) -> Summary:
    """One night."""
    config = replace(sender.config, jobs=1, post=replace(sender.config.post, **post))
    with closing(Ledger.open(config.ledger)) as ledger:
        return night(config, ledger, NIGHT, jobs=1)


def history(sender: Sender) -> list[bytes]:
    """What was resolved, without what became of the mails: rows of turns with their events and states."""
    with closing(Ledger.open(sender.config.ledger)) as ledger:
        return [
            line
            for line in canonical_dump(ledger).splitlines()
            if b'"table":"journal"' in line and b'"kind":"turn"' in line
        ]


def bodies(lines: list[bytes]) -> list[bytes]:
    return [line.partition(b'"hash"')[0] for line in lines]


@pytest.mark.parametrize("fault", [SLOW, NO_BANNER])
def test_g15_the_night_resolves_the_same_behind_a_tarpit(waiting: Path, tmp_path: Path, fault: str) -> None:
    alone, dull = (sender_in(waiting, tmp_path / name) for name in ("alone", "dull"))
    quiet = a_night(alone, by="files")
    with Rude(plan=lambda n: fault) as server:
        told = a_night(dull, **DULL, **by_smtp(server.port))
        assert not server.taken
    assert (quiet.resolved, quiet.turns, quiet.over) == (told.resolved, told.turns, told.over)
    assert told.resolved == 2
    assert set(told.mails) == {"later"}
    assert told.mails["later"] <= delivering.MOST_TROUBLES
    assert bodies(history(alone)) == bodies(history(dull))
    counted(len(history(dull)), "turns resolved behind a tarpit, the same as without it")
    with Rude() as server:
        config = replace(dull.config, post=replace(dull.config.post, **by_smtp(server.port)))
        assert Sender(config).deliver(NIGHT + timedelta(hours=1))[SENT] == 10


def test_g15_the_first_connection_is_made_when_everything_is_resolved(sender: Sender) -> None:
    assert turns_at_the_first_connection(sender, lambda patch: None) == {"heaps": 2, "safe": 2}


def test_g15_weakened_a_night_that_delivers_first(sender: Sender) -> None:
    assert turns_at_the_first_connection(sender, delivers_first) != {"heaps": 2, "safe": 2}


def delivers_first(patch: pytest.MonkeyPatch) -> None:
    resolve = nightly.resolve_with_bots

    def eager(config: Any, ledger: Any, summary: Any, *more: Any) -> None:
        delivering.deliver(config, ledger, summary.now)
        resolve(config, ledger, summary, *more)

    patch.setattr(nightly, "resolve_with_bots", eager)


def turns(sender: Sender) -> dict[str, int]:
    """At which turn each game is, as any other program finds it."""
    with closing(sqlite3.connect(sender.config.ledger)) as ledger:
        return dict(ledger.execute("SELECT name, turn FROM game").fetchall())


def turns_at_the_first_connection(sender: Sender, weaken: Callable[[pytest.MonkeyPatch], None]) -> dict[str, int]:
    found: list[dict[str, int]] = []

    def look() -> None:
        found.append(turns(sender))

    with pytest.MonkeyPatch.context() as patch, Rude(on_mail=look) as server:
        weaken(patch)
        a_night(sender, **by_smtp(server.port))
    return found[0]


# --- what a night costs -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cost:
    """Lines executed until every due game has its next turn, and in the whole night; and waits before the former."""

    resolved: int
    waits: int
    whole: int

    def beside(self, quiet: Cost) -> float:
        """How much longer it takes until all is resolved."""
        return (self.resolved + self.waits * quiet.whole) / quiet.resolved


def cost(waiting: Path, folder: Path, fault: str, weaken: Callable[[pytest.MonkeyPatch], None]) -> Cost:
    """What a night costs, in a process of its own, behind a server that behaves like that."""
    killer, sender = Killer(PROGRAM), sender_in(waiting, folder)

    def run(folder: Path) -> None:
        with pytest.MonkeyPatch.context() as patch:
            weaken(patch)
            with watched(sender, killer, folder / "cost.json"):
                a_night(sender, **DULL, **by_smtp(port))

    with a_server(fault) as port:
        whole = killer.lines(run, folder)
    return Cost(**json.loads((folder / "cost.json").read_text()), whole=whole)


@contextmanager
def a_server(fault: str) -> Iterator[int]:
    """Its port."""
    if fault == REFUSED:
        with socket.socket() as held:
            held.bind(("127.0.0.1", 0))
            yield held.getsockname()[1]
    else:
        with Rude(plan=lambda n: fault) as server:
            yield server.port


@contextmanager
def watched(sender: Sender, killer: Killer, note: Path) -> Iterator[None]:
    """Notes what was spent, and how often the network was asked, when the last game has its next turn."""
    asked: list[str] = []
    sys.addaudithook(
        lambda event, _: asked.append(event) if event in ("socket.connect", "socket.getaddrinfo") else None
    )
    real = Ledger.write

    @contextmanager
    def looked_at(ledger: Ledger) -> Iterator[Any]:
        with real(ledger) as tx:
            yield tx
        if not note.exists() and set(turns(sender).values()) == {2}:
            note.write_text(json.dumps({"resolved": killer.so_far(), "waits": len(asked)}))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Ledger, "write", looked_at)
        yield


def test_g15_a_night_behind_a_dead_post_costs_no_more_than_one_behind_a_good_one(waiting: Path, tmp_path: Path) -> None:
    quiet = cost(waiting, tmp_path / "quiet", "", lambda patch: None)
    assert quiet.waits == 0
    for number, fault in enumerate((SLOW, NO_BANNER, REFUSED)):
        dull = cost(waiting, tmp_path / f"dull-{number}", fault, lambda patch: None)
        assert dull.waits == 0
        assert dull.beside(quiet) <= MOST
        assert dull.whole <= MOST * quiet.whole
        until, whole = dull.beside(quiet), dull.whole / quiet.whole
        said_of(f"{fault}: {until:.3f} x the night until all is resolved, {whole:.3f} x the whole night, in lines")


def test_g15_weakened_a_night_that_delivers_first_costs_more(waiting: Path, tmp_path: Path) -> None:
    quiet = cost(waiting, tmp_path / "quiet", "", lambda patch: None)
    assert cost(waiting, tmp_path / "dull", NO_BANNER, delivers_first).beside(quiet) > 2


def test_g15_a_run_has_its_time_and_leaves_the_rest_for_the_next(
    sender: Sender, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each mail takes ten seconds of a clock that only mails move; after twenty-five the rest stays as it is."""
    with Rude() as server:
        monkeypatch.setattr(delivering, "monotonic", lambda: 10.0 * server.tried)
        assert sender.deliver(NOON, run_seconds=25, **by_smtp(server.port)) == {SENT: 3}
        assert [mail.state for mail in sender.mails() if mail.state != SENT] == ["queued", "queued"]
        assert sender.deliver(NOON, run_seconds=25, **by_smtp(server.port)) == {SENT: 2}
    said_of(f"a run has {sender.config.post.run_seconds / 60:g} minutes for its mails, unless the host says otherwise")


def test_g15_every_mail_a_tarpit_costs_a_few_timeouts_and_no_more(sender: Sender) -> None:
    """How many mails wait changes nothing: the way is left alone after the third."""
    with Rude(plan=lambda n: SLOW) as server:
        sender.deliver(NOON, **DULL, **by_smtp(server.port))
        assert server.connections == delivering.MOST_TROUBLES
        said_of(f"{len(sender.mails())} mails at a tarpit cost {server.connections} time limits")
