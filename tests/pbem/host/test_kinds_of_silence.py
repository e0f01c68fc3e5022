"""Each kind of silence in each game, under each policy: from the mail that comes, or does not, to what the others read.

One host plays one game many times, once for each kind and policy, so that a single night answers all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from itertools import islice
from typing import NamedTuple

import pytest

from engine import load
from pbem.attending.attendance import Attendance, Record
from pbem.ledger import journal
from tests.pbem.correspondence.conftest import Post, words
from tests.pbem.host.conftest import DAY, DEADLINE, NOON, Host, make_host
from tests.pbem.host.seating import GAMES, seated, some_order

__all__ = ["make_host"]

POLICIES = {
    "default": "default",
    "stand-in": "stand-in=random",
    "hold": "hold=36h",
    "drop": "drop=1",
    "away": "away=1d",
}
SAID = {
    "given": "as ordered",
    "draft": "from a draft",
    "default": "as no orders came",
    "stand-in": "by the stand-in",
}
WAITS = None  # the decision is still open after its first deadline


Evening = tuple[Post, dict[str, tuple[str, str]]]  # of each case: its game, and the seat that is asked first


class Case(NamedTuple):
    """What a seat does, what its move is then said to be, and what is on record of it."""

    how: str | None
    record: Record


ON_TIME, SILENT, LATE = Record(on_time=1), Record(silent=1, row=1), Record(late=1, silent=1, row=1)
GONE, ABSENT = Record(silent=1, row=1, gone=True), Record(absent=1)
TABLE: dict[str, dict[str, Case]] = {
    "confirmed": dict.fromkeys(POLICIES, Case("given", ON_TIME)),
    "empty": dict.fromkeys(POLICIES, Case("given", ON_TIME)),
    "draft": dict.fromkeys(POLICIES, Case("draft", ON_TIME)) | {"hold": Case(WAITS, Record())},
    "late": {
        "default": Case("default", LATE),
        "stand-in": Case("stand-in", LATE),
        "hold": Case(WAITS, Record(late=1)),
        "drop": Case("default", Record(late=1, silent=1, row=1, gone=True)),
        "away": Case("default", LATE),
    },
    "silent": {
        "default": Case("default", SILENT),
        "stand-in": Case("stand-in", SILENT),
        "hold": Case(WAITS, Record()),
        "drop": Case("default", GONE),
        "away": Case("default", SILENT),
    },
    "away-standing": dict.fromkeys(POLICIES, Case("default", ABSENT)),
    "away-stand-in": dict.fromkeys(POLICIES, Case("stand-in", ABSENT)),
    "away-wait": {
        **dict.fromkeys(POLICIES, Case(WAITS, Record(used=72))),
        "away": Case(WAITS, Record(used=24)),  # no longer than the game allows
    },
}
CASES = [(kind, policy) for kind, policies in TABLE.items() for policy in policies]


def test_every_kind_is_tried_under_every_policy() -> None:
    assert {policy for _, policy in CASES} == set(POLICIES)
    assert len(CASES) * len(GAMES) >= 250


def message(post: Post, kind: str, name: str, seat: str) -> bytes | None:
    """The mail that a seat sends, of that kind."""
    order = some_order(post.host, name, seat)
    form = post.host.file(seat, order, name=name)
    body = {
        "confirmed": form,
        "late": form,
        "empty": form.replace(f"orders:\n  - {order}", "orders: []"),
        "draft": form.replace("orders:", "draft: true\norders:"),
        "away-standing": "absent 2026-12-24 standing",
        "away-stand-in": "absent 2026-12-24 stand-in",
        "away-wait": "absent 2026-11-20",
    }.get(kind)
    return None if body is None else post.mail(body, seat=seat, name=name)


def has_a_choice(host: Host, name: str) -> bool:
    """Whether silence can be meant at all: to have one move left is to have nothing to order."""
    with host.ledger.read() as tx:
        start = next(row.facts() for row in journal.rows(tx, name, kinds=("turn",)) if row.turn == 0)
    rules = load(host.row(name).rules)
    state = rules.restore(start["state"])
    return all(len(list(islice(rules.moves(state, seat), 2))) > 1 for seat in start["pending"])


@pytest.fixture(scope="module", params=GAMES)
def evening(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory):
    """A host on the evening of the first deadline, and who was asked first in each game."""
    made = make_host.__wrapped__(tmp_path_factory.mktemp(request.param))
    host: Host = next(made)()
    post, asked, early, late = Post(host), {}, [], []
    for kind, policy in CASES:
        name = f"{kind}-{policy}"
        seated(host, request.param, name, POLICIES[policy])
        first, *others = host.row(name).pending
        asked[name] = name, first
        for other in others:  # of them nothing is missing
            form = host.file(other, "x", name=name).replace("orders:\n  - x", "orders: []")
            early.append(post.mail(form, seat=other, name=name))
        raw = message(post, kind, name, first)
        if raw is not None:
            (late if kind == "late" else early).append(raw)
    post.bring(*early, at=NOON)
    post.bring(*late, at=DEADLINE + timedelta(seconds=1))
    summary = host.night(DEADLINE + timedelta(minutes=5))
    assert summary.failed == {}
    yield post, asked
    for _ in made:
        pass


@pytest.mark.parametrize(("kind", "policy"), CASES)
def test_what_becomes_of_it(evening: Evening, kind: str, policy: str) -> None:
    post, asked = evening
    case, (name, seat) = TABLE[kind][policy], asked[f"{kind}-{policy}"]
    row = post.host.row(name)
    with post.host.ledger.read() as tx:
        turn = next((one.facts() for one in journal.rows(tx, name, kinds=("turn",)) if one.turn == 1), None)
    forced = case.how in ("default", "stand-in") and not has_a_choice(post.host, name)
    record = Record(late=case.record.late) if forced else case.record
    assert Attendance.from_json(row.attendance).of(seat) == record
    if case.how is WAITS:
        assert turn is None
        assert row.deadline_at is not None
        assert row.deadline_at >= DEADLINE + DAY
        assert "Deadline:" in told_others(post, name, seat), "everybody is told until when"
        return
    assert turn is not None
    assert turn["moves"][seat]["how"] == case.how
    assert SAID[case.how] in told_others(post, name, seat)
    if record.gone:
        assert "is not waited for any more" in told_others(post, name, seat)


def told_others(post: Post, name: str, seat: str) -> str:
    """The last letter of the game to a seat that is another's."""
    other = next(one for one in post.host.row(name).seats if one != seat)
    return words(post.sent(f"{other}@players.example", name)[-1])


def test_who_is_not_asked_is_neither_on_time_nor_silent(evening: Evening) -> None:
    post, asked = evening
    name, _ = asked["confirmed-default"]
    with post.host.ledger.read() as tx:
        turns = [row.facts() for row in journal.rows(tx, name, kinds=("turn", "at_once"))]
    decided = {seat for facts in turns for seat in facts["moves"]}
    attendance = Attendance.from_json(post.host.row(name).attendance)
    assert all(attendance.of(seat) == Record() for seat in post.host.row(name).seats if seat not in decided)


def test_weakened_when_a_confirmed_empty_set_is_taken_for_absence(
    make_host: Callable[..., Host], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen red: `nothing` not heard by the queue, as systems of this kind are known to do."""
    from engine import queue

    host = make_host("deaf")
    post = Post(host)
    seated(host, "bagh-chal", "game")
    [seat] = host.row().pending
    raw = message(post, "empty", "game", seat)
    assert raw is not None
    post.bring(raw, at=NOON)
    monkeypatch.setattr(queue, "_own_word", lambda rules, state, seat: rules.default(state, seat))
    monkeypatch.setattr(queue, "GIVEN", queue.DEFAULT)
    host.night(DEADLINE)
    assert Attendance.from_json(host.row().attendance).of(seat).silent == 1
