"""Several processes carry the mails of one ledger, none of them one that another has, whoever is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from pbem import delivering
from pbem.care.moving import move
from pbem.clock import stamp
from pbem.config import Config, load
from pbem.ledger import Ledger, outbox
from pbem.ledger.outbox import SENT
from tests import postgres
from tests.pbem.host.conftest import DAY, DEADLINE, NOON, Host, make_host
from tests.pbem.post.rude import Rude

__all__ = ["make_host"]
pytest.importorskip("psycopg", reason="psycopg is missing: pip install pbem[cluster]")
pytestmark = [
    pytest.mark.sqlite,
    pytest.mark.skipif(postgres.binaries() is None, reason=postgres.MISSING),
]
GAMES = 24
NIGHT = DEADLINE + DAY
SLOW = 0.01  # seconds that the mail server takes for a mail, so that nobody has carried all before others begin
CARRIER = """
import json, sys
from contextlib import closing
from pathlib import Path
from pbem import clock, delivering
from pbem.config import load
from pbem.ledger import Ledger
{before}
config = load(Path(sys.argv[1]))
with closing(Ledger.open(config.place)) as ledger:
    print(json.dumps(delivering.help_out(config, ledger, clock.read_instant(sys.argv[2]))))
"""
NO_LOCKS = "from pbem.ledger import on_postgres\non_postgres.Locks.take = lambda self, number: True"


@dataclass
class Carriers:
    """The processes that come when they are called."""

    config: Config
    wanted: int
    before: str = ""
    running: list[subprocess.Popen[str]] = field(default_factory=list)

    def __call__(self, config: Config, now: datetime, lanes: int) -> None:
        assert lanes > 1
        call = [sys.executable, "-c", CARRIER.replace("{before}", self.before), str(self.config.folder / "pbem.toml")]
        for _ in range(self.wanted):
            self.running.append(subprocess.Popen([*call, stamp(now)], stdout=subprocess.PIPE, text=True))

    def ended(self) -> list[dict[str, int]]:
        """What each of those that came to their end has carried."""
        said = [one.communicate(timeout=60)[0] for one in self.running]
        return [json.loads(words) for words in said if words]


@pytest.fixture
def crowded(make_host: Callable[..., Host], url: str) -> Config:
    """A host in a server; two mails wait for each seat of each game, those of the beginning and of the first turn."""
    host = make_host()
    host.config = replace(host.config, post=replace(host.config.post, page=False))
    for number in range(GAMES):
        host.start("nim", f"game-{number}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delivering, "deliver", lambda *_: {})
        host.night()
    host.ledger.close()
    move(host.config, url)
    return load(host.config.folder / "pbem.toml")


@contextmanager
def posting(config: Config, **more: Any) -> Iterator[tuple[Config, Rude]]:
    """The same host, its mails leaving by a server, for this process and for others that read pbem.toml."""
    wait = Event()
    with Rude(**({"on_mail": lambda: wait.wait(SLOW)} | more)) as server:
        path = config.folder / "pbem.toml"
        text = path.read_text().replace('by = "files"', 'by = "smtp"').replace("page = true", "page = false")
        path.write_text(text.replace('# smtp = "mail.example.org"', f'smtp = "127.0.0.1:{server.port}"'))
        yield load(path), server


def carried(config: Config, helpers: Carriers, now: datetime = NIGHT) -> dict[str, int]:
    with closing(Ledger.open(config.place)) as ledger:
        return delivering.deliver(config, ledger, now, None, helpers)


def in_order(config: Config) -> dict[tuple[str, str | None], list[str]]:
    """The mails of each seat, as they were written."""
    found: dict[tuple[str, str | None], list[str]] = {}
    with closing(Ledger.open(config.place)) as ledger, ledger.read() as tx:
        for number in range(GAMES):
            for mail in outbox.of_game(tx, f"game-{number}"):
                assert (mail.state, mail.next_try_at) == (SENT, None)
                found.setdefault((mail.game, mail.seat), []).append(mail.message_id)
    return found


def test_all_carry_and_no_mail_leaves_twice(crowded: Config) -> None:
    with posting(crowded) as (config, server):
        helpers = Carriers(config, 2)
        counts = carried(config, helpers)
        theirs = helpers.ended()
    mails = in_order(config)
    assert counts == {SENT: 4 * GAMES}, "what the others carried counts"
    assert Counter(one.message_id for one in server.taken) == Counter(i for ids in mails.values() for i in ids)
    assert all(counts[SENT] > 4 for counts in theirs), "each of them had a share"
    assert sum(counts[SENT] for counts in theirs) < 4 * GAMES, "and so had the one that led"
    left = [one.message_id for one in server.taken]
    assert all(sorted(ids, key=left.index) == ids for ids in mails.values()), "a seat has its mails in their order"


def left_while_one_is_in_hand(crowded: Config, before: str = "") -> Counter[str]:
    """How often each mail left, when another process carries all it may while the server has our first in hand."""
    helpers = Carriers(crowded, 1, before)

    def meanwhile() -> None:
        if server.tried == 1:
            helpers(config, NIGHT, 2)
            helpers.running[0].wait(60)

    with posting(crowded, on_mail=meanwhile) as (config, server):
        with closing(Ledger.open(config.place)) as ledger:
            delivering.deliver(config, ledger, NIGHT)
        assert helpers.ended()[0][SENT] > 2 * GAMES
    in_order(config)
    return Counter(one.message_id for one in server.taken)


def test_what_one_has_in_hand_no_other_takes(crowded: Config) -> None:
    assert set(left_while_one_is_in_hand(crowded).values()) == {1}


def test_weakened_without_locks_a_mail_leaves_twice(crowded: Config) -> None:
    """Seen red: what another has in hand is due, and is carried by whoever comes."""
    assert max(left_while_one_is_in_hand(crowded, NO_LOCKS).values()) == 2


def test_a_carrier_that_is_killed_loses_nothing(crowded: Config) -> None:
    """Killed with 9 while it has a mail in hand: that one may leave twice, in the same bytes, and no other."""
    helpers = Carriers(crowded, 2)
    wait = Event()

    def kill() -> None:
        wait.wait(SLOW)
        for number in (10, 25):
            if server.tried == number:
                os.kill(helpers.running[number % 2].pid, signal.SIGKILL)

    with posting(crowded, on_mail=kill) as (config, server):
        carried(config, helpers)
        helpers.ended()
    mails = in_order(config)
    left = Counter(one.message_id for one in server.taken)
    assert left.keys() == {message_id for ids in mails.values() for message_id in ids}
    assert sum(left.values()) <= len(left) + 2
    assert len({one.raw for one in server.taken}) == len(left)


def test_what_became_of_a_mail_since_it_was_read_counts(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """It went into a digest while a process that had been given up still held it: it does not leave beside that."""
    host.start("nim")
    with posting(host.config) as (config, server):
        read = delivering.Run._due

        def slow(run: delivering.Run, lane: int | None) -> Any:
            batch = read(run, lane)
            if batch:
                with host.ledger.write() as tx:
                    outbox.fate(tx, batch[0][0], SENT, NOON, "in the digest <x@y>")
            return batch

        monkeypatch.setattr(delivering.Run, "_due", slow)
        assert delivering.deliver(config, host.ledger, NOON) == {SENT: 1}
    assert len(server.taken) == 1


@pytest.fixture
def host(make_host: Callable[..., Host]) -> Host:
    return make_host()


def test_who_lays_files_is_not_helped(crowded: Config, tmp_path: Path) -> None:
    """Files lie where the run that leads is; a helper elsewhere would lay them elsewhere."""
    helpers = Carriers(crowded, 2)
    assert carried(crowded, helpers) == {SENT: 4 * GAMES}
    assert not helpers.running
    with closing(Ledger.open(crowded.place)) as ledger:
        assert delivering.help_out(crowded, ledger, NOON) == {}
