"""Reports again: a seat's as it was mailed, to the byte; the public one of any turn, with nothing that a seat hides.

Every installed game is played for some nights through the real path, with orders by chance and with silence.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from itertools import islice
from random import Random
from typing import Any

import pytest

from engine import Event, games, load
from pbem.care.settling import settle
from pbem.errors import Trouble
from pbem.game.again import FORMATS, report_again
from pbem.game.hosting import add_player
from pbem.game.outgoing import JSON_FILE, REPORT
from pbem.ledger import Ledger, journal
from pbem.reports.form import scalar
from tests.pbem.host.conftest import DAY, DEADLINE, NOON, Host, secret

NIGHTS = 4
Json = dict[str, Any]


def played(host: Host, game: str) -> None:
    """The game as it likes to be shown, by orders and by silence."""
    rules, luck = load(game), Random(game)
    options = dict(rules.showcase[0])
    with host.ledger.write() as tx:
        for seat in rules.seats(rules.Options(**options)):
            add_player(tx, f"player-{seat}", f"{seat}@players.example", "en", "UTC", NOON, secret(seat))
    host.start(game, **options)
    for night in range(NIGHTS):
        row = host.row()
        state = rules.restore(row.state)
        for seat in row.pending if row.status == "open" else ():
            if luck.random() < 0.8:
                move = luck.choice(list(islice(rules.moves(state, seat), 300)))
                host.order(seat, scalar(str(move)), at=NOON + night * DAY)
        host.night(DEADLINE + night * DAY)


@pytest.fixture(scope="module", params=[game for game in games() if load(game).showcase])
def table(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    config = settle(tmp_path_factory.mktemp("table") / "host", secret=secret("host"))
    with closing(Ledger.open(config.ledger)) as ledger:
        host = Host(config, ledger)
        played(host, request.param)
        yield host


def again(host: Host, seat: str | None, turn: int | None, form: str) -> str:
    with host.ledger.read() as tx:
        return report_again(tx, host.config, "game", seat, turn, form)


def mailed(host: Host, seat: str) -> dict[int, Json]:
    """The last report of each turn to that seat, as data."""
    found = (mail for mail in host.mails(seat) if mail.kind == REPORT)
    return {mail.turn: json.loads(mail.files[JSON_FILE]) for mail in found}


def reported_turns(host: Host) -> list[int]:
    return sorted(mailed(host, next(iter(host.row().seats))))


def test_a_seats_report_is_the_one_that_was_mailed(table: Host) -> None:
    for seat in table.row().seats:
        mails = {mail.turn: mail for mail in table.mails(seat) if mail.kind == REPORT}
        for turn, mail in mails.items():
            sent = {"text": mail.text, "html": mail.html, "json": mail.files[JSON_FILE].decode()}
            assert {form: again(table, seat, turn, form) for form in FORMATS} == sent
        assert again(table, seat, None, "text") == mails[max(mails)].text
        folder = table.config.outbox / "game" / seat
        for turn, mail in mails.items():
            files = [folder / f"turn-{turn:04d}-report.{end}" for end in ("txt", "html", "json")]
            assert [file.read_bytes() for file in files if file.exists()] in ([], [
                text.encode() for text in (mail.text, mail.html, mail.files[JSON_FILE].decode())
            ])  # fmt: skip


def test_the_public_story_is_what_happened(table: Host) -> None:
    """The same steps as in the mails of that run, each event as the journal lets everybody see it."""
    mails = mailed(table, next(iter(table.row().seats)))
    with table.ledger.read() as tx:
        rows = list(journal.rows(tx, "game", kinds=("turn", "at_once")))
    told = 0
    for turn in reported_turns(table):
        steps = json.loads(again(table, None, turn, "json"))["steps"]
        assert [step["turn"] for step in steps] == [step["turn"] for step in mails[turn]["steps"]]
        for step in steps:
            facts = rows[told].facts()
            seen = [event.seen_by(None) for event in map(Event.from_json, facts["events"])]
            public = [{"kind": event.kind, "rule": event.rule, "facts": plain(event.facts)} for event in seen if event]
            assert [{name: one[name] for name in ("kind", "rule", "facts")} for one in step["events"]] == public
            told += 1
    assert told == len(rows), "every step stands in exactly one public report"


def test_the_public_learns_nothing_that_some_seat_does_not(table: Host) -> None:
    """What everybody may know, every seat may: each public event and move stands in the mail of each seat, as fully."""
    for seat in table.row().seats:
        for turn, private in mailed(table, seat).items():
            public = json.loads(again(table, None, turn, "json"))
            for open_step, own_step in zip(public["steps"], private["steps"], strict=True):
                assert_within(open_step["events"], own_step["events"])
                shown = {move["seat"]: move for move in own_step["moves"]}
                for move in open_step["moves"]:
                    assert move["move"] in (None, "", shown[move["seat"]]["move"]), (turn, seat)
                if all("hidden" not in event and event.get("audience") is None for event in raw(table, own_step)):
                    assert open_step["events"] == own_step["events"], "an open step is told to all alike"


def raw(host: Host, step: Json) -> list[Json]:
    """The events of a step as the journal has them, hidden facts and all."""
    with host.ledger.read() as tx:
        return [event for row in journal.steps_of(tx, "game", step["turn"]) for event in row.facts()["events"]]


def assert_within(public: list[Json], own: list[Json]) -> None:
    """Each public event is among the seat's, in the same order, and tells nothing that the seat's does not."""
    rest = iter(own)
    for event in public:
        assert any(is_part(event, one) for one in rest), event


def is_part(event: Json, of: Json) -> bool:
    same = (event["kind"], event["rule"]) == (of["kind"], of["rule"])
    return same and all(name in of["facts"] for name in event["facts"])


def test_the_public_report_is_nobodys_form(table: Host) -> None:
    keys = {table.key(seat, turn) for seat in table.row().seats for turn in range(table.row().turn + 1)}
    for turn in reported_turns(table)[-1:]:
        public = json.loads(again(table, None, turn, "json"))
        assert (public["seat"], public["key"], public["form"], public["menu"], public["problems"]) == (
            None, "", "", None, [],
        )  # fmt: skip
        assert public["stands"] == {
            "orders": [], "draft": [], "standing": {}, "nothing": False, "file": None, "keys": {},
        }  # fmt: skip
        for form in FORMATS:
            assert not [key for key in keys if key in again(table, None, turn, form)]


def test_the_public_position_is_the_public_view(table: Host) -> None:
    rules = load(table.row().rules)
    with table.ledger.read() as tx:
        states = {(row.turn or 0) + 1: row.facts()["state"] for row in journal.rows(tx, "game", kinds=("turn",))}
    for turn in reported_turns(table):
        public = json.loads(again(table, None, turn, "json"))
        view = rules.view(rules.restore(states[turn]), None)
        assert (public["position"], public["facts"]) == (view.position, plain(view.facts))


def test_a_position_is_told_in_the_same_words_when_it_comes_back_from_the_ledger(table: Host) -> None:
    rules = load(table.row().rules)
    with table.ledger.read() as tx:
        states = {(row.turn or 0) + 1: row.facts()["state"] for row in journal.rows(tx, "game", kinds=("turn",))}
    for seat in table.row().seats:
        for turn, private in mailed(table, seat).items():
            view = rules.view(rules.restore(states[turn]), seat)
            assert json.dumps(private["facts"]) == json.dumps(view.facts), "in the same order, too"


def plain(value: Any) -> Any:
    from engine.canon import canonical

    return json.loads(canonical(value))


# --- turns that have no report of their own ---------------------------------------------------------------------------


def test_a_turn_that_never_came_is_refused(host: Host) -> None:
    host.start("nim")
    for turn in (-1, 0, 2, 10**9):
        for seat in (None, "1"):
            with pytest.raises(Trouble, match="game is at turn 1; name a turn from 1 to 1"):
                again(host, seat, turn, "text")
    with pytest.raises(Trouble, match="its seats are 1, 2"):
        again(host, "3", None, "text")


def test_a_turn_that_was_passed_within_a_run_says_where_to_look(host: Host) -> None:
    host.start("nim", heaps="3,4,5")
    host.order("1", "b3", "c1")
    host.order("2", "a1", "a1")
    host.night(DEADLINE)
    turn = host.row().turn
    assert turn > 2, "orders sent ahead carry the game on"
    assert json.loads(again(host, None, turn, "json"))["steps"][0]["turn"] == 1
    assert json.loads(again(host, None, 1, "json"))["steps"][0]["turn"] == 0
    with pytest.raises(Trouble, match="Turn 2 of game was opened and resolved in one run"):
        again(host, None, 2, "text")
    with pytest.raises(Trouble, match=f"sent no report of turn 2; the next one was of turn {turn}"):
        again(host, "1", 2, "text")


def test_the_end_is_told_again(host: Host) -> None:
    host.start("nim", heaps="1")
    host.order("1", "a1")
    host.night(DEADLINE)
    public = json.loads(again(host, None, None, "json"))
    own = mailed(host, "1")[host.row().turn]
    assert public["outcome"] == own["outcome"] is not None
    assert public["seed"] == own["seed"] != ""
    assert json.loads(again(host, None, 1, "json"))["outcome"] is None, "what was told before told no end"


def test_an_end_by_resignation_is_told_again(host: Host) -> None:
    host.start("nim", heaps="3,4,5")
    host.night(DEADLINE)
    host.order("2", "resign", at=DEADLINE + timedelta(hours=1))
    host.night(DEADLINE + DAY)
    assert host.status() == "over"
    assert json.loads(again(host, None, None, "json"))["outcome"] is not None
