"""The deadline law, as a table (G16): accepted if and only if it arrived before the instant that was announced, though
its own date says otherwise, however late it is fetched, and while the run is at work already.

One host, one game for each row, one night for all.
"""

from __future__ import annotations

from datetime import timedelta
from itertools import product
from typing import Any

import pytest

from pbem import faults
from pbem.arriving.message import arrived_by
from pbem.arriving.storing import store
from pbem.ledger import journal
from pbem.ledger.chain import HOST
from pbem.messages import settle_waiting
from pbem.submitting import verdict
from tests.faults.figures import counted
from tests.pbem.correspondence.conftest import Post, make_post
from tests.pbem.host.conftest import DAY, DEADLINE, NOON, Host, make_host

__all__ = ["make_host", "make_post"]

SECOND = timedelta(seconds=1)
ARRIVALS = {
    "noon": NOON,
    "T-1min": DEADLINE - 60 * SECOND,
    "T-1s": DEADLINE - SECOND,
    "T": DEADLINE,
    "T+1s": DEADLINE + SECOND,
    "T+1min": DEADLINE + 60 * SECOND,
}
DATES = {
    "absent": "",
    "1970": "Thu, 01 Jan 1970 00:00:00 +0000",
    "2099": "Fri, 01 Jan 2099 00:00:00 +0000",
    "-0000": "Wed, 18 Nov 2026 12:00:00 -0000",
    "in time": "Wed, 18 Nov 2026 19:59:59 +0000",
    "too late": "Wed, 18 Nov 2026 20:00:01 +0000",
    "another zone": "Wed, 18 Nov 2026 23:30:00 +0400",
    "nonsense": "yesterday, at half past nine",
}
JUDGED = ("at once", "fetched after", "during the run")
ROUTES = ("lmtp", "imap")
ROWS = list(product(ARRIVALS, DATES, JUDGED, ROUTES))


def test_the_table_is_as_long_as_was_promised() -> None:
    assert len(ROWS) >= 200


def name_of(row: tuple[str, ...]) -> str:
    return f"g{ROWS.index(row)}"


def dated(raw: bytes, date: str) -> bytes:
    """The mail with that date in its header, or with none."""
    lines = raw.split(b"\r\n")
    place = next(number for number, line in enumerate(lines) if line.startswith(b"Date:"))
    lines[place : place + 1] = [f"Date: {date}".encode()] if date else []
    return b"\r\n".join(lines)


def brought(post: Post, row: tuple[str, ...]) -> tuple[Any, str]:
    arrival, date, _, route = row
    form = post.host.file("1", "b3", name=name_of(row))
    raw = dated(post.mail(form, name=name_of(row), to="orders@localhost"), DATES[date])
    return arrived_by(raw, ARRIVALS[arrival]), route


def let_come(post: Post, judged: str, now: Any = None) -> None:
    """Store what comes in that way, in the order of the table; judge it, where a time for that is named."""
    for row in ROWS:
        if row[2] == judged:
            message, route = brought(post, row)
            store(post.host.ledger, [message], route)
    if now is not None:
        settle_waiting(post.host.config, post.host.ledger, now)


def evening_of(host: Host) -> Post:
    """The evening of the deadline: every mail of the table has come, and the night has been."""
    post = Post(host)
    for row in ROWS:
        host.start("nim", name_of(row), heaps="3,4,5")
    let_come(post, "at once", DEADLINE + 2 * 60 * SECOND)
    let_come(post, "fetched after")
    came = []

    def during(point: str) -> None:
        if point == "attempt-counted" and not came:
            came.append(point)
            let_come(post, "during the run", DEADLINE + 5 * 60 * SECOND)

    faults.arm(during)
    try:
        host.night(DEADLINE + 5 * 60 * SECOND)
    finally:
        faults.arm(None)
    assert came
    return post


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory):
    made = make_host.__wrapped__(tmp_path_factory.mktemp("law"))
    yield evening_of(next(made)())
    for _ in made:
        pass


@pytest.fixture(scope="module")
def became(evening: Post) -> dict[str, tuple[str, str]]:
    return fates(evening)


def how(post: Post, row: tuple[str, ...]) -> str:
    """How the move of the first decision came."""
    with post.host.ledger.read() as tx:
        turn = next(one.facts() for one in journal.rows(tx, name_of(row), kinds=("turn",)) if one.turn == 1)
    return str(turn["moves"]["1"]["how"])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: "-".join(row).replace(" ", "_"))
def test_the_law(evening: Post, became: dict[str, tuple[str, str]], row: tuple[str, ...]) -> None:
    in_time = ARRIVALS[row[0]] < DEADLINE
    assert how(evening, row) == ("given" if in_time else "default")
    assert became[name_of(row)] in ({("accepted", "")} if in_time else {("refused", "late"), ("refused", CLOSED)})
    counted(1, "rows of the deadline law")
    counted(in_time, "of them accepted")


CLOSED = "turn_closed"


def fates(post: Post) -> dict[str, tuple[str, str]]:
    """What became of each mail, by its game."""
    with post.host.ledger.read() as tx:
        rows = [row.facts() for row in journal.rows(tx, HOST, kinds=("letter_fate",))]
    return {facts["game"]: (facts["fate"], facts["reason"]) for facts in rows if facts.get("game")}


def test_of_two_mails_the_later_arrival_stands(make_post) -> None:
    """Whatever their dates say, and in whatever order they are fetched."""
    post: Post = make_post()
    for number, (first, second) in enumerate(product(("1970", "2099"), repeat=2)):
        name = f"two-{number}"
        post.host.start("nim", name, heaps="3,4,5")
        mails = []
        for order, date, at in (("b3", first, NOON), ("a1", second, NOON + SECOND)):
            raw = post.mail(post.host.file("1", order, name=name), name=name, to="orders@localhost")
            mails.append(arrived_by(dated(raw, DATES[date]), at))
        for message in reversed(mails):
            store(post.host.ledger, [message], "imap")
        settle_waiting(post.host.config, post.host.ledger, NOON + DAY / 4)
    post.host.night()
    for number in range(4):
        with post.host.ledger.read() as tx:
            turns = [row.facts() for row in journal.rows(tx, f"two-{number}", kinds=("turn",))]
        assert turns[1]["moves"]["1"]["move"] == "a1"
        counted(1, "pairs of mails of which the later arrival stands")


def test_weakened_the_date_of_the_mail_would_decide(make_host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red: a law that is not asked lets all count that comes before the run."""
    monkeypatch.setattr(verdict, "_late", lambda found, arrived: [])
    monkeypatch.setattr("tests.pbem.host.test_deadline_law.ROWS", ROWS[:: len(ROWS) // 12])
    post = evening_of(make_host())
    rows = globals()["ROWS"]
    found = [(how(post, row) == "given") == (ARRIVALS[row[0]] < DEADLINE) for row in rows]
    assert not all(found)
