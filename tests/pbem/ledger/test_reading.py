"""What is asked of the ledger, and what it answers: games, turns that stand, nights, messages, mails, players."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from pbem.ledger import (
    budgets,
    chains,
    contacts,
    forgetting,
    games,
    journal,
    letters,
    matches,
    nights,
    openings,
    outbox,
    players,
    queues,
)
from pbem.ledger.backwards import queues_at
from pbem.ledger.chain import HOST
from pbem.ledger.lanes import LANES
from pbem.ledger.store import Ledger
from pbem.ledger.tables import BRAKE
from pbem.ledger.times import stamp
from pbem.ledger.transaction import Write
from tests.pbem import hosted
from tests.pbem.hosted import NIGHT, START

HOUR = timedelta(hours=1)


def said(tx: Write, game: str, kind: str = "ruling", **body: Any) -> None:
    tx.append(game, kind, START, {"act": "extend", "reason": "-", **body})


# --- games ------------------------------------------------------------------------------------------------------------


def test_whether_one_game_is_due(ledger: Ledger) -> None:
    with ledger.write() as tx:
        for name, hours in (("amber", 1), ("coral", 3)):
            hosted.begin(tx, name, "nim")
            said(tx, name, due_at=stamp(START + hours * HOUR))
        assert games.due(tx, START + HOUR, ["amber"]) == ["amber"]
        assert games.due(tx, START + HOUR, ["coral"]) == []
        assert games.due(tx, START + 3 * HOUR, ["nobody"]) == []
        assert games.due(tx, START + 3 * HOUR, ["coral", "amber"]) == ["amber", "coral"]
        assert not games.any_due(tx, START)
        assert games.any_due(tx, START + HOUR)
        assert games.any_due(tx, START + 9 * HOUR)


def test_in_which_games_somebody_is_to_be_reminded(ledger: Ledger) -> None:
    with ledger.write() as tx:
        for name, hours in (("amber", 5), ("coral", 2), ("jade", 2), ("later", 9), ("over", 1)):
            hosted.begin(tx, name, "nim")
            said(tx, name, "reminded", remind_at=stamp(START + hours * HOUR))
        hosted.begin(tx, "never", "nim")
        tx.append("over", "over", START, {"outcome": {}})
        assert games.to_remind(tx, START + 5 * HOUR) == ["coral", "jade", "amber"]
        assert games.to_remind(tx, START + HOUR) == []


def test_an_attempt_that_is_forgiven(ledger: Ledger) -> None:
    with ledger.write() as tx:
        for name in ("amber", "coral"):
            hosted.begin(tx, name, "nim")
            assert [games.attempt(tx, [name]), games.attempt(tx, [name])] == [{name: 1}, {name: 2}]
        games.forgive(tx, "amber")
        assert [(game.name, game.attempts) for game in games.every(tx)] == [("amber", 0), ("coral", 2)]


def test_games_that_were_tried_in_vain_come_by_their_attempts(ledger: Ledger) -> None:
    """Those that were tried less come first; of these the longest overdue, then by name. Only those that are due."""
    begun = {"amber": (2, 1), "coral": (1, 1), "jade": (1, 0), "onyx": (1, 0), "pearl": (0, 0), "ruby": (1, 9)}
    with ledger.write() as tx:
        for name, (attempts, hours) in begun.items():
            hosted.begin(tx, name, "nim")
            said(tx, name, due_at=stamp(START + hours * HOUR))
            for _ in range(attempts):
                games.attempt(tx, [name])
        assert games.tried_before(tx, START + HOUR) == ["jade", "onyx", "coral", "amber"]
        assert games.tried_before(tx, START + HOUR, ["amber", "coral", "pearl", "ruby"]) == ["coral", "amber"]
        assert games.tried_before(tx, START) == ["jade", "onyx"]


def test_a_glance_leaves_the_state_where_it_is(ledger: Ledger) -> None:
    with ledger.write() as tx:
        hosted.begin(tx, "jade", "nim")
        whole, seen = games.get(tx, "jade"), games.glance(tx, "jade")
        assert whole is not None
        assert seen is not None
        assert whole.state is not None
        assert (seen.state, seen.deeds) == (None, None)
        assert (seen.name, seen.seats, seen.turn, seen.due_at, seen.pinned) == (
            *(whole.name, whole.seats, whole.turn, whole.due_at),
            "nim@1",
        )
        assert games.glance(tx, "nobody") is None


def test_the_games_of_a_player_now_and_ever(ledger: Ledger) -> None:
    one, other = hosted.key("player 1").hex(), hosted.key("somebody else").hex()
    with ledger.write() as tx:
        for name in ("coral", "amber"):
            hosted.begin(tx, name, "nim")
        seats = {**games.get(tx, "coral").seats, "1": other}  # type: ignore[union-attr]
        said(tx, "coral", seats=seats, attendance={"1": {one: {"came": 1}}})
        assert [game.name for game in games.of_player(tx, one)] == ["amber"]
        assert [game.name for game in games.of_player(tx, other)] == ["coral"]
        assert [game.name for game in games.ever_of_player(tx, one)] == ["amber", "coral"]
        assert [game.name for game in games.ever_of_player(tx, other)] == ["coral"]
        assert games.of_player(tx, "nobody") == games.ever_of_player(tx, "nobody") == []
        assert [game.state for game in (*games.of_player(tx, one), *games.ever_of_player(tx, one))] == [None] * 3


def test_a_match_as_its_rows_say(ledger: Ledger) -> None:
    body = {"rules": "nim", "version": "1", "options": {"heaps": "1-2"}, "best_of": 3, "games": 3, "sides": [{"a": 1}]}
    with ledger.write() as tx:
        for name in ("jade", "amber"):
            chains.begin(tx, name, hosted.key(name), hosted.key("seed"))
            tx.append(name, "match_created", START, body)
        begun = matches.get(tx, "jade")
        assert begun is not None
        assert (begun.status, begun.number, begun.results, begun.verdict) == (matches.OPEN, 0, [], None)
        assert (begun.pinned, begun.best_of, begun.games, begun.created_at) == ("nim@1", 3, 3, START)
        assert (begun.options, begun.sides) == ({"heaps": "1-2"}, [{"a": 1}])
        tx.append("jade", "match_game", START, {"number": 2, "results": [{"won": "a"}]})
        second = matches.get(tx, "jade")
        assert second is not None
        assert (second.status, second.number, second.results) == (matches.OPEN, 2, [{"won": "a"}])
        tx.append("jade", "match_over", START, {"results": [{"won": "a"}] * 2, "verdict": {"won": "a"}})
        assert [(one.name, one.status, one.number, one.verdict) for one in matches.every(tx)] == [
            ("amber", matches.OPEN, 0, None),
            ("jade", matches.OVER, 2, {"won": "a"}),
        ]
        assert len(matches.get(tx, "jade").results) == 2  # type: ignore[union-attr]
        assert matches.get(tx, "nobody") is None


# --- turns that stand -------------------------------------------------------------------------------------------------


def resolved(tx: Write, turn: int, kind: str = "turn", game: str = "jade", **body: Any) -> int:
    stands = {"decision": "move", "pending": ["1"], "state": {"turn": turn}, "deeds": None}
    return tx.append(game, kind, START, {**stands, **body}, turn).seq


def test_the_newest_row(ledger: Ledger) -> None:
    with ledger.write() as tx:
        assert journal.last(tx) == 0
        tx.append(HOST, "look", START, {"who": "host"})
        assert journal.last(tx) == 1
        assert chains.newest(tx) == START
        assert journal.at(tx, HOST, 2) is None


def test_rows_up_to_a_place_and_the_newest_first(ledger: Ledger) -> None:
    with ledger.write() as tx:
        for number in range(5):
            tx.append(HOST, "look" if number % 2 else "ruling", START, {"number": number})
        rows = lambda **asked: [row.facts()["number"] for row in journal.rows(tx, HOST, **asked)]  # noqa: E731
        assert rows(upto=3) == [0, 1, 2]
        assert rows(after=2, upto=4) == [2, 3]
        assert rows(kinds=["look"], newest_first=True) == [3, 1]
        assert [row.facts()["number"] for row in journal.rows(tx, newest_first=True, after=3)] == [4, 3]


def test_a_turn_stands_until_it_is_taken_back(ledger: Ledger) -> None:
    """And counts again when it has been played anew; what was before it stands all the time."""
    with ledger.write() as tx:
        hosted.begin(tx, "jade", "nim")
        once, first = resolved(tx, 1, "at_once"), resolved(tx, 1)
        second = resolved(tx, 2)
        stands = lambda turn: [row.seq for row in journal.steps_of(tx, "jade", turn)]  # noqa: E731
        assert (stands(1), stands(2), stands(3)) == ([once, first], [second], [])
        assert journal.turn(tx, "jade", 1).seq == first  # type: ignore[union-attr]
        assert journal.back_to(tx, "jade", 2) is None
        back = resolved(tx, 2, "taken_back")
        assert (stands(1), stands(2)) == ([once, first], [])
        assert journal.turn(tx, "jade", 2) is None
        assert journal.turn(tx, "jade", 1).seq == first  # type: ignore[union-attr]
        assert journal.back_to(tx, "jade", 2).seq == back  # type: ignore[union-attr]
        assert (games.get(tx, "jade").turn, games.get(tx, "jade").state) == (2, {"turn": 2})  # type: ignore[union-attr]
        anew = resolved(tx, 2)
        assert stands(2) == [anew]
        assert journal.turn(tx, "jade", 2).seq == anew  # type: ignore[union-attr]
        further = resolved(tx, 1, "taken_back")
        assert (stands(0), stands(1), stands(2)) == ([stands(0)[0]], [], [])
        assert journal.back_to(tx, "jade", 1).seq == further  # type: ignore[union-attr]
        resolved(tx, 1)
        assert journal.back_to(tx, "jade", 2) is None  # what it opened again stood on a turn that is gone


def test_the_places_of_the_steps_of_some_turns(ledger: Ledger) -> None:
    """Turn by turn, as they stand: what another game has taken back is not gone from this one."""
    with ledger.write() as tx:
        for name in ("jade", "coral"):
            hosted.begin(tx, name, "nim")
        begun = 2  # its set-up stands behind the row that created it
        once = [resolved(tx, 1, "at_once") for _ in range(2)]
        turns = [resolved(tx, turn) for turn in (1, 2, 3)]
        places = lambda first, last, game="jade": [step.seq for step in journal.steps(tx, game, first, last)]  # noqa: E731
        assert places(0, 9) == [begun, *once, *turns]
        assert (places(1, 2), places(3, 3), places(4, 9), places(0, 9, "coral")) == (
            *([*once, *turns[:2]], turns[2:], [], [begun]),
        )
        first = journal.steps(tx, "jade", 1, 1)[0]
        assert first == journal.StepPlace(once[0], 1, "at_once", journal.steps_of(tx, "jade", 1)[0].hash)
        resolved(tx, 1, "taken_back", "coral")
        assert places(0, 9) == [begun, *once, *turns]
        resolved(tx, 2, "taken_back")
        assert (places(0, 9), places(2, 2), places(0, 9, "coral")) == ([begun, *once, turns[0]], [], [begun])
        anew = resolved(tx, 2)
        assert places(1, 3) == [*once, turns[0], anew]
        resolved(tx, 1, "taken_back")
        assert (places(0, 9), places(1, 1)) == ([begun], [])
        for turn in range(4):
            assert places(turn, turn) == [row.seq for row in journal.steps_of(tx, "jade", turn)]


def test_what_a_seat_has_sent_is_counted_by_decision_and_by_day(ledger: Ledger) -> None:
    seat, letter = budgets.seat_of("jade", "1"), {"letter": "0" * 64}
    with ledger.write() as tx:
        hosted.begin(tx, "jade", "nim")

        def sent(kind: str, turn: int) -> int:
            return budgets.spent(tx, seat, kind, str(turn))

        tx.append("jade", "press", START, letter, 1, "1")
        tx.append("jade", "press", START, letter, 1, "2")
        tx.append("jade", "look", START, letter, 1, "1")
        tx.append("jade", "consent", START, {}, 1, "1")
        assert (sent("messages", 1), sent("messages", 2)) == (1, 0), "what came by no letter is not counted"
        tx.append("jade", "dispute", START, {**letter, "old_key": True}, 1, "1")
        assert (sent("messages", 1), sent("old_messages", 1)) == (1, 1)
        resolved(tx, 1)
        assert sent("messages", 2) == 0
        tx.append("jade", "press", START, letter, 2, "1")
        assert (sent("messages", 2), sent("messages", 1)) == (1, 0), "one row holds the newest decision alone"
        resolved(tx, 2, "taken_back")
        assert sent("messages", 2) == 0, "it was opened again"
        assert budgets.spent(tx, seat, "daily", "2026-11-18") == 2
        assert budgets.spent(tx, seat, "daily", "2026-11-19") == 0
        tx.append("jade", "ruling", START, {"act": "substitute"}, 2, "1")
        assert budgets.spent(tx, seat, "daily", "2026-11-18") == 0, "another player has the seat"
        assert budgets.spent(tx, budgets.seat_of("jade", "2"), "daily", "2026-11-18") == 1


def test_the_bytes_of_a_submission_are_those_of_its_message(ledger: Ledger) -> None:
    with ledger.write() as tx:
        hosted.begin(tx, "jade", "nim")
        sha256, _ = letters.arrive(tx, b"x" * 70, START, "mail", "<1@host>")
        tx.append("jade", "submission", START, {"letter": sha256, "message_id": "<1@host>", "counter": 1}, 1, "1")
        tx.append("jade", "submission", START, {"letter": sha256, "message_id": "<2@host>", "counter": 2}, 1, "1")
        assert budgets.spent(tx, budgets.seat_of("jade", "1"), "bytes", "2026-11-18") == 70


def test_a_game_that_has_just_been_created(ledger: Ledger) -> None:
    body = {"rules": "nim", "version": "1", "options": {}, "seats": {"1": "a", "2": "b"}, "due_at": stamp(START)}
    with ledger.write() as tx:
        chains.begin(tx, "jade", hosted.key("jade"))
        tx.append("jade", "created", START, body)
        game = games.get(tx, "jade")
        assert game is not None
        assert (game.turn, game.at_once, game.attempts, game.pending, game.decision) == (0, 0, 0, [], "")
        assert (game.status, game.due_at, game.deadline_at, game.created_at) == (games.OPEN, START, START, START)
        assert queues.of_game(tx, "jade") == {seat: queues.SeatQueue(None, 0, 0, None) for seat in ("1", "2")}


def test_what_waited_for_each_seat_at_a_place_in_the_past(ledger: Ledger) -> None:
    with ledger.write() as tx:
        hosted.begin(tx, "jade", "nim")
        one = hosted.order(tx, "jade", "1", "a1", START)
        two = hosted.order(tx, "jade", "2", "b1", START)
        hosted.resolve(tx, "jade", {"1": "a2"}, START)
        played = tx.end("jade").seq
        waited = lambda seq: queues_at(tx, "jade", ("1", "2"), seq)  # noqa: E731
        assert waited(one - 1) == {"1": None, "2": None}
        assert waited(one) == {"1": hosted.waiting("a1", one), "2": None}
        assert waited(two) == {"1": hosted.waiting("a1", one), "2": hosted.waiting("b1", two)}
        assert waited(played) == {"1": None, "2": hosted.waiting("b1", two)}
        assert queues_at(tx, "jade", ("2",), played) == {"2": hosted.waiting("b1", two)}
        said(tx, "jade", queue=["nobody's"])
        tx.append("jade", "ruling", START, {"act": "extend"}, 1, "1")
        tx.append("jade", "submission", START, {"counter": 2}, 1, "2")
        assert waited(tx.end("jade").seq) == {"1": None, "2": hosted.waiting("b1", two)}


# --- what follows from single rows ------------------------------------------------------------------------------------


def test_a_game_that_waits_for_another_moment_begins_without_attempts(ledger: Ledger) -> None:
    with ledger.write() as tx:
        hosted.begin(tx, "jade", "nim")
        attempts = lambda: games.get(tx, "jade").attempts  # type: ignore[union-attr]  # noqa: E731
        for kind, left in (("ruling", 0), ("submission", 1)):
            games.attempt(tx, ["jade"])
            body = {"counter": 1, "deadline_at": stamp(START + NIGHT)}
            tx.append("jade", kind, START, body, 1, "1")
            assert attempts() == left
        tx.append("jade", "ruling", START, {"act": "resume"})
        assert attempts() == 0


@pytest.mark.parametrize("kind", ["turn", "taken_back"])
def test_a_turn_that_is_opened_begins_without_attempts(ledger: Ledger, kind: str) -> None:
    with ledger.write() as tx:
        hosted.begin(tx, "jade", "nim")
        resolved(tx, 1, "at_once")
        games.attempt(tx, ["jade"])
        resolved(tx, 1, kind)
        game = games.get(tx, "jade")
        assert game is not None
        assert (game.attempts, game.at_once) == (0, 0)


@pytest.mark.parametrize("kind", ["ruling", "taken_back"])
def test_orders_that_are_struck_do_not_wait_any_more(ledger: Ledger, kind: str) -> None:
    with ledger.write() as tx:
        hosted.begin(tx, "jade", "nim")
        hosted.order(tx, "jade", "1", "a1", START)
        two = hosted.order(tx, "jade", "2", "b1", START)
        resolved(tx, 1, kind, act="strike", queues={"1": None})
        left = [one.body for one in queues.of_game(tx, "jade").values()]
        assert left == [None, hosted.waiting("b1", two)]


def test_mails_without_a_key_are_counted_until_the_seat_is_told(ledger: Ledger) -> None:
    with ledger.write() as tx:
        hosted.begin(tx, "jade", "nim")
        counted = lambda: [one.keyless for one in queues.of_game(tx, "jade").values()]  # noqa: E731
        for number in range(3):
            id = f"<{number}@x>"
            sha256, _ = letters.arrive(tx, b"%d" % number, START, "lmtp", id)
            letters.settle(tx, sha256, id, letters.REFUSED, START, {"keyless": {"game": "jade", "seat": "2"}})
        letters.settle(tx, sha256, id, letters.REFUSED, START, {"keyless": {"game": "jade", "seat": "nobody"}})
        assert counted() == [0, 3]
        resolved(tx, 1, keyless={"2": 2})
        assert counted() == [0, 1]
        resolved(tx, 2, keyless={"2": 5})
        assert counted() == [0, 0]


def test_a_seat_that_changes_hands_leaves_the_past_with_its_player(ledger: Ledger) -> None:
    with ledger.write() as tx:
        hosted.begin(tx, "jade", "nim")
        away = {"away": True, "mode": "hold", "from": "2026-11-20", "to": "2026-11-22"}
        tx.append("jade", "absence", START, {**away, "by": "mail"}, 1, "1")
        assert queues.of_game(tx, "jade")["1"].away == away
        tx.append("jade", "absence", START, {"away": False}, 1, "2")
        assert queues.of_game(tx, "jade")["2"].away is None
        sha256, _ = letters.arrive(tx, b"x", START, "lmtp", "<1@x>")
        letters.settle(tx, sha256, "<1@x>", letters.REFUSED, START, {"keyless": {"game": "jade", "seat": "1"}})
        tx.append("jade", "ruling", START, {"act": "substitute"}, 1, "1")
        assert (queues.of_game(tx, "jade")["1"].away, queues.of_game(tx, "jade")["1"].keyless) == (None, 0)
        assert {mail.seat: mail.former for mail in outbox.of_game(tx, "jade")} == {"1": True, "2": False}


def test_what_holds_the_runs_until_it_is_over_or_released(ledger: Ledger) -> None:
    on = {"clock": {"game": None, "says": "it went back"}, "seat": {"game": "jade", "says": "a seat is missing"}}
    brakes = sa.select(BRAKE.c.name, BRAKE.c.game, BRAKE.c.says, BRAKE.c.since, BRAKE.c.released).order_by(BRAKE.c.name)
    with ledger.write() as tx:
        held = lambda: [tuple(row) for row in tx.all(brakes)]  # noqa: E731
        tx.append(HOST, "brake", START, {"on": on, "over": []})
        clock, seat = ("clock", None, "it went back", START, False), ("seat", "jade", "a seat is missing", START, False)
        assert held() == [clock, seat]
        tx.append(HOST, "brake_released", START, {"brake": "seat"})
        assert held() == [clock, (*seat[:4], True)]
        tx.append(HOST, "brake", START, {"on": {}, "over": ["clock"]})
        assert held() == [(*seat[:4], True)]


def test_bytes_are_forgotten_once(ledger: Ledger) -> None:
    with ledger.write() as tx:
        first = tx.append(HOST, "forgotten", START, {"player": "x", "letters": ["a"], "mails": ["b"]}).seq
        tx.append(HOST, "forgotten", START, {"player": "x", "letters": ["a"], "mails": ["c"]})
        rows = tx.connection.exec_driver_sql("SELECT sha256, seq FROM forgotten ORDER BY sha256").all()
    with ledger.read() as tx:
        rows = tx.connection.exec_driver_sql("SELECT sha256, seq FROM forgotten ORDER BY sha256").all()
    assert [tuple(row) for row in rows] == [("a", first), ("b", first), ("c", first + 1)]


# --- nights -----------------------------------------------------------------------------------------------------------


def test_a_night_that_was_begun_and_not_done(ledger: Ledger) -> None:
    with ledger.write() as tx:
        assert (nights.unfinished(tx), nights.last(tx), nights.at_work(tx)) == (None, None, None)
        hosted.begin(tx, "jade", "nim")
        assert nights.at_work(tx) == START
        begun = tx.append(HOST, "night_begun", START, {"now": stamp(START + HOUR), "off_since": stamp(START)})
        assert nights.unfinished(tx) == nights.NightRow(begun.seq, START + HOUR, START)
        assert nights.last(tx) == nights.at_work(tx) == START + HOUR
        tx.append(HOST, "night_done", START, {"begun": begun.seq})
        assert nights.unfinished(tx) is None
        later = tx.append(HOST, "night_begun", START, {"now": stamp(START + NIGHT)})
        assert nights.unfinished(tx) == nights.NightRow(later.seq, START + NIGHT)
        assert nights.last(tx) == START + NIGHT


def test_what_a_night_would_find(ledger: Ledger) -> None:
    with ledger.write() as tx:
        assert not nights.any_waiting(tx, START)
        sha256, _ = letters.arrive(tx, b"x", START, "drop", "one")
        assert nights.any_waiting(tx, START)
        letters.settle(tx, sha256, "one", letters.IGNORED, START, {})
        assert not nights.any_waiting(tx, START)
        outbox.post(tx, HOST, None, "notice", "<1@host>", b"x", START, START + HOUR)
        assert not nights.any_waiting(tx, START)
        assert nights.any_waiting(tx, START + HOUR)
        outbox.fate(tx, outbox.due(tx, START + HOUR)[0], outbox.SENT, START)
        openings.begin(tx, "amber", {"seats": {}}, {}, START + 2 * HOUR, START)
        openings.begin(tx, "coral", {"seats": {}}, {}, None, START)
        assert not nights.any_waiting(tx, START + HOUR)
        assert nights.any_waiting(tx, START + 2 * HOUR)


def test_whether_anything_waits_is_asked_of_many_as_of_one(ledger: Ledger) -> None:
    with ledger.write() as tx:
        for number in range(2):
            openings.begin(tx, f"game-{number}", {"seats": {}}, {}, START, START)
        assert nights.any_waiting(tx, START)
        for number in range(2):
            openings.close(tx, f"game-{number}", START, begun=False)
            outbox.post(tx, HOST, None, "notice", f"<{number}@host>", b"x", START, START)
        assert nights.any_waiting(tx, START)
        for mail in outbox.due(tx, START):
            outbox.fate(tx, mail, outbox.SENT, START)
        for number in range(2):
            letters.arrive(tx, b"%d" % number, START, "drop", "one")
            hosted.begin(tx, f"game-{number}", "nim")
        assert nights.any_waiting(tx, START)
        assert games.any_due(tx, START + NIGHT)


# --- messages and mails -----------------------------------------------------------------------------------------------


def test_words_that_came_under_one_id(ledger: Ledger) -> None:
    with ledger.write() as tx:
        names = [letters.arrive(tx, b"%d" % number, START, "imap", "<1@x>").sha256 for number in range(10)]
        assert letters.of_id(tx, "<1@x>") == names[:8]
        assert letters.of_id(tx, "<2@x>") == []
        for name in names[:3]:
            letters.settle(tx, name, "<1@x>", letters.ACCEPTED, START, {})
        waits = letters.Waiting("<1@x>", names[1], "imap", START)
        assert letters.before(tx, waits) == [names[0], names[2]]
        assert letters.tries(tx, waits) == 0
        letters.settle(tx, names[1], "<1@x>", letters.WAITING, START, {"tries": 2})
        assert letters.tries(tx, waits) == 2
        assert letters.tries(tx, waits._replace(message_id="<2@x>")) == 0
        assert letters.fate(tx, names[1], "<2@x>") is None


def test_messages_that_are_asked_for_together(ledger: Ledger) -> None:
    with ledger.write() as tx:
        for number, id in enumerate(("<0@x>", "<1@x>", "<2@x>", "<2@x>")):
            letters.arrive(tx, b"words %d" % number, START, "imap", id)
        letters.arrive(tx, b"words 0", START, "imap", "<3@x>")
        first, second, third, fourth, again = letters.waiting(tx)
        asked = [fourth, second, first, again, first._replace(sha256="00")]
        assert letters.some(tx, asked) == {
            first.sha256: b"words 0",
            second.sha256: b"words 1",
            fourth.sha256: b"words 3",
        }
        letters.settle(tx, first.sha256, "<0@x>", letters.IGNORED, START, {})
        fates = letters.fates(tx, [again, third])
        assert letters.fates(tx, [first]) == {(first.sha256, "<0@x>"): letters.IGNORED}
        assert fates == {
            (again.sha256, "<3@x>"): letters.WAITING,
            (third.sha256, "<2@x>"): letters.WAITING,
        }
        assert letters.any_of_ids(tx, ["<2@x>", "<9@x>", "<3@x>"]) == {"<2@x>", "<3@x>"}
        assert (letters.some(tx, []), letters.fates(tx, []), letters.any_of_ids(tx, [])) == ({}, {}, set())


def test_mails_that_should_have_left_before(ledger: Ledger) -> None:
    with ledger.write() as tx:
        for number, hours in ((1, 0), (2, 0), (3, 2)):
            outbox.post(tx, HOST, None, "notice", f"<{number}@host>", b"x", START, START + hours * HOUR)
        first, second, _ = outbox.due(tx, START + 2 * HOUR)
        assert [mail.message_id for mail in outbox.due(tx, START, limit=1)] == ["<1@host>"]
        assert outbox.open_since(tx, START) == []
        assert outbox.open_since(tx, START + HOUR) == [first, second]
        assert outbox.is_as(tx, first)
        waits = outbox.fate(tx, first, outbox.UNKNOWN, START, "timed out", START + NIGHT)
        assert not outbox.is_as(tx, first)
        assert not outbox.is_as(tx, first._replace(message_id="<9@host>"))
        assert outbox.open_since(tx, START + HOUR) == [second, waits]
        outbox.told(tx, [waits], START)
        assert [mail.told for mail in outbox.open_since(tx, START + HOUR)] == [False, True]
        still = outbox.fate(tx, waits._replace(told=True), outbox.BEGUN, START, next_try_at=START + NIGHT)
        assert (still.told, still.tries) == (True, 1)
        assert outbox.get(tx, "<1@host>") == still
        gone = outbox.fate(tx, still, outbox.REFUSED, START, "550")
        assert not gone.told  # that it is lost he was not told
        assert outbox.lost(tx) == [gone]
        assert outbox.get(tx, "<9@host>") is None


def test_a_mail_of_which_nothing_is_left_to_send_is_not_lost(ledger: Ledger) -> None:
    with ledger.write() as tx:
        for number in range(4):
            outbox.post(tx, HOST, None, "notice", f"<{number}@host>", b"%d" % number, START, START)
        for mail in outbox.due(tx, START)[1:]:
            outbox.fate(tx, mail, outbox.REFUSED, START)
        forgetting.empty(tx, "x", [], [hashlib.sha256(b"%d" % number).hexdigest() for number in (0, 2)], START)
        assert [mail.message_id for mail in outbox.lost(tx)] == ["<1@host>", "<3@host>"]
        assert [outbox.raw(tx, f"<{number}@host>") for number in range(4)] == [b"", b"1", b"", b"3"]


def test_a_mail_of_which_no_more_is_said_has_no_past(ledger: Ledger) -> None:
    mail = outbox.OutMail("<1@host>", HOST, None, outbox.QUEUED, 0, START)
    with ledger.read() as tx:
        assert not outbox.is_as(tx, mail)
    assert (mail.since, mail.detail, mail.told, mail.former) == (None, "", False, False)


@pytest.mark.sqlite
def test_the_lanes_in_which_mails_are_due(ledger: Ledger) -> None:
    """Lanes are a server's; what it reckons them with is played here."""
    lane = lambda game: hashlib.md5(game.encode(), usedforsecurity=False).digest()[0] % LANES  # noqa: E731
    with ledger.write() as tx:
        for name, many, act in (
            ("md5", 1, lambda text: hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()),
            ("decode", 2, lambda text, _: bytes.fromhex(text)),
            ("get_byte", 2, lambda data, place: data[place]),
        ):
            tx._driver.create_function(name, many, act)
        for hours, game in enumerate(("amber", "coral", "jade")):
            chains.begin(tx, game, hosted.key(game))
            for number in range(2):
                outbox.post(tx, game, None, "notice", f"<{game}-{number}@host>", b"x", START, START + hours * HOUR)
        assert outbox.lanes_due(tx, START - HOUR) == []
        for hours, due in enumerate((["amber"], ["amber", "coral"], ["amber", "coral", "jade"])):
            assert outbox.lanes_due(tx, START + hours * HOUR) == sorted(map(lane, due))
        for game in ("amber", "coral", "jade"):
            found = outbox.due(tx, START + 2 * HOUR, lane=lane(game))
            assert [mail.message_id for mail in found] == [f"<{game}-{number}@host>" for number in range(2)]
            assert outbox.due(tx, START + 2 * HOUR, limit=1, lane=lane(game)) == found[:1]


def test_mails_that_are_asked_for_by_name_come_in_that_order(ledger: Ledger) -> None:
    names = [f"<{number}@host>" for number in range(outbox.BATCH + 2)]
    with ledger.write() as tx:
        hosted.begin(tx, "jade", "nim")
        for number, name in enumerate(names):
            outbox.post(tx, "jade", str(1 + number % 2), "report", name, b"words %d" % number, START, START)
        tx.append("jade", "ruling", START, {"act": "substitute"}, 0, "1")
        asked = ["<nobody@host>", *reversed(names)]
        assert list(outbox.letters(tx, asked)) == [
            outbox.Sent(names[number], b"words %d" % number, number % 2 == 0) for number in range(len(names))[::-1]
        ]
        for some in (asked, names):
            assert outbox.raws(tx, some) == {name: b"words %d" % number for number, name in enumerate(names)}
            assert [one.message_id for one in outbox.letters(tx, some)] == [name for name in some if name in names]
        assert [list(outbox.letters(tx, some)) for some in ([], asked[:1])] == [[], []]
        assert [one.message_id for one in outbox.letters(tx, names[:1])] == names[:1]


def test_a_mail_that_begins_anew_waits_from_then_on(ledger: Ledger) -> None:
    with ledger.write() as tx:
        outbox.post(tx, HOST, None, "notice", "<1@host>", b"x", START, START)
        outbox.fate(tx, outbox.due(tx, START)[0], outbox.REFUSED, START)
        assert outbox.again(tx, START + NIGHT) == 1
        [mail] = outbox.due(tx, START + NIGHT)
        assert (mail.state, mail.since, mail.told) == (outbox.QUEUED, START + NIGHT, False)


# --- players ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def anna(ledger: Ledger) -> players.PlayerRow:
    with ledger.write() as tx:
        row = players.add(tx, "Anna", "Anna@player.example", "fr", "UTC", START, hosted.key("salt"))
        players.add(tx, "Bea", "bea@player.example", "en", "UTC", START, hosted.key("other salt"))
    return row


def test_a_player_is_found_by_address_and_by_the_beginning_of_a_name(ledger: Ledger, anna: players.PlayerRow) -> None:
    with ledger.write() as tx:
        assert players.by_address(tx, "anna@PLAYER.example") == anna
        assert players.by_address(tx, "carl@player.example") is None
        assert players.named_from(tx, "An") == {anna.commitment}
        assert players.named_from(tx, "%") == players.named_from(tx, "nn") == frozenset()
        assert players.named_from(tx, "an") == frozenset(), "a person called Bot: Hal is no bot, in either home"
        assert [one.name for one in players.every(tx)] == ["Anna", "Bea"]


def test_what_a_player_wishes(ledger: Ledger, anna: players.PlayerRow) -> None:
    with ledger.write() as tx:
        assert (anna.digest, anna.remind) == (False, 0)
        assert players.wishing_digests(tx) == {}
        wishes = players.wish(tx, anna, digest=True, at=START)
        assert (wishes.digest, wishes.remind) == (True, 0)
        assert players.wishing_digests(tx) == {anna.commitment: wishes}
        also = players.wish(tx, wishes, remind=12, at=START)
        assert players.by_name(tx, "Anna") == also
        assert (also.digest, also.remind) == (True, 12)
        told = [row.facts() for row in journal.rows(tx, HOST)]
        assert told[-1] == {"commitment": anna.commitment, "remind": 12}
        players.forget(tx, anna.commitment, START)
        gone = players.get(tx, anna.commitment)
        assert gone == players.PlayerRow(anna.commitment, *[None] * 5)
        last = journal.rows(tx, HOST, newest_first=True)
        assert next(iter(last)).facts() == {"commitment": anna.commitment, "forgotten": True}
        assert players.wishing_digests(tx) == {}


def test_answers_of_a_day_and_mails_that_came_back(ledger: Ledger, anna: players.PlayerRow) -> None:
    def answered(number: int, at: Any) -> None:
        outbox.post(tx, HOST, None, "answer", f"<{number}@host>", b"x", at, at, answers=anna.commitment)

    def count(kind: str, day: str, owner: str = anna.commitment) -> int:
        return budgets.spent(tx, owner, kind, f"2026-11-{day}")

    with ledger.write() as tx:
        hosted.begin(tx, "jade", "nim")
        assert contacts.get(tx, anna.commitment) == contacts.Contact(anna.commitment, 0)
        answered(1, START)
        answered(2, START)
        assert (count("answers", "18"), count("answers", "19")) == (2, 0)
        answered(3, START + NIGHT)
        assert (count("answers", "18"), count("answers", "19")) == (0, 1)
        outbox.post(tx, HOST, None, "note", "<n@host>", b"x", START, START, answers=anna.commitment, budget="unproven")
        outbox.post(tx, "jade", "1", "receipt", "<r@host>", b"x", START, START, 1, answers=anna.commitment)
        outbox.post(tx, "jade", "1", "receipt", "<s@host>", b"x", START, START, 1)
        outbox.post(tx, "jade", "1", "report", "<t@host>", b"x", START, START, 1)
        assert (count("answers", "19"), count("unproven", "18")) == (1, 1), "each budget by itself"
        assert count("receipts", "18", budgets.seat_of("jade", "1")) == 2
        for number in range(contacts.FAILING):
            assert not contacts.get(tx, anna.commitment).failing
            contacts.bounced(tx, anna.commitment, f"<{number}@host>", "5.1.1", START)
        contacts.bounced(tx, "bea", "<1@host>", "5.1.1", START)
        assert contacts.get(tx, anna.commitment).failing
        assert contacts.get(tx, "bea") == contacts.Contact("bea", 1)
        assert [(one.player, one.bounces) for one in contacts.bouncing(tx)] == [(anna.commitment, 3), ("bea", 1)]
        contacts.reached(tx, anna.commitment, START)
        assert [one.player for one in contacts.bouncing(tx)] == ["bea"]


def test_an_address_that_waits_to_be_confirmed(ledger: Ledger, anna: players.PlayerRow) -> None:
    with ledger.write() as tx:
        assert contacts.asked_for(tx, anna.commitment) is None
        for address in ("old@new.example", "new@new.example"):
            waits = contacts.NewAddress(anna.commitment, address, "12345", START, "678", "90", holds_from=START)
            contacts.ask(tx, anna, waits)
        assert contacts.asked_for(tx, anna.commitment) == waits
        assert contacts.asked(tx) == [waits]
        rows = list(journal.rows(tx, HOST))
        assert b"new.example" not in b"".join(row.body for row in rows)
        assert [row.facts().keys() for row in rows[-2:]] == [{"commitment", "asked"}] * 2
        assert rows[-1].facts()["asked"] != rows[-2].facts()["asked"]
        contacts.confirmed(tx, waits, START)
        assert contacts.asked(tx) == [waits._replace(code="", confirmed_at=START)]
        contacts.vetoed(tx, waits, START)
        assert contacts.asked_for(tx, anna.commitment) is None
        left = contacts.NewAddress(anna.commitment, "", "", START, vetoed_at=START)
        assert contacts.last_asked(tx, anna.commitment) == left, "nothing of the address is kept"
        contacts.forget(tx, anna.commitment)
        assert contacts.asked(tx) == []


def test_a_game_that_waits_for_its_players(ledger: Ledger) -> None:
    wanted = {"seats": ["red", "green", "blue"]}
    with ledger.write() as tx:
        openings.begin(tx, "jade", wanted, {"red": "a"}, START + NIGHT, START)
        openings.begin(tx, "amber", wanted, {}, None, START)
        openings.join(tx, "jade", "blue", "b", START)
        jade = openings.get(tx, "jade")
        assert jade is not None
        assert (jade.seats, jade.free, jade.at) == ({"red": "a", "blue": "b"}, ("green",), START)
        assert [jade.is_past(START + NIGHT - HOUR), jade.is_past(START + NIGHT)] == [False, True]
        assert [one.name for one in openings.every(tx)] == ["amber", "jade"]
        assert not openings.every(tx)[0].is_past(START + 99 * NIGHT)
        assert openings.past(tx, START + NIGHT - HOUR) == []
        assert [one.name for one in openings.past(tx, START + NIGHT)] == ["jade"]
        openings.leave(tx, "jade", "red", START)
        assert openings.get(tx, "jade").seats == {"blue": "b"}  # type: ignore[union-attr]
        for opening, code in (("jade", "2"), ("jade", "3"), ("amber", "1")):
            openings.ask(tx, openings.Asking(code, opening, None, "Carl", "Carl@x.example", "en", START))
        openings.ask(tx, openings.Asking("4", "jade", None, "Dora", "dora@x.example", "en", START))
        assert [one.code for one in openings.asked(tx)] == ["1", "3", "4"]
        openings.close(tx, "jade", START, begun=False, reason="nobody came")
        assert openings.get(tx, "jade") is None
        assert [one.code for one in openings.asked(tx)] == ["1"]
        openings.forget(tx, "carl@X.example")
        assert openings.asked(tx) == []


def test_games_that_waited_in_vain_end_in_an_order_of_their_own(ledger: Ledger) -> None:
    """The longest overdue first, then by name: not as they lie in the database, which a server does as it likes."""
    with ledger.write() as tx:
        for name, until in (("jade", NIGHT), ("coral", NIGHT), ("amber", 2 * NIGHT), ("opal", HOUR)):
            openings.begin(tx, name, {"seats": ["red"]}, {}, START + until, START)
        late = openings.past(tx, START + 2 * NIGHT)
    assert [one.name for one in late] == ["opal", "coral", "jade", "amber"]


def test_what_came_from_a_players_address_goes_along_with_him(ledger: Ledger) -> None:
    """Of an address that two have, it is his to whom letters from there are ascribed."""
    with ledger.write() as tx:
        players.add(tx, "Anna", "anna@player.example", "en", "UTC", START, hosted.key("salt"))
        players.add(tx, "Bea", "Bea@player.example", "en", "UTC", START, hosted.key("other salt"))
        anna, bea = (players.by_name(tx, name) for name in ("Anna", "Bea"))
        assert anna is not None
        assert bea is not None
        openings.begin(tx, "jade", {"seats": ["red"]}, {}, None, START)
        for code, address in (("1", "anna@player.example"), ("2", "bea@player.example")):
            openings.ask(tx, openings.Asking(code, "jade", None, "A", address, "en", START))
        openings.move(tx, anna, "anna@new.example")
        assert {one.code: one.address for one in openings.asked(tx)} == {
            "1": "anna@new.example", "2": "bea@player.example",
        }  # fmt: skip
        openings.move(tx, replace(anna, address="bea@player.example"), "other@new.example")
        openings.move(tx, replace(anna, address=None), "other@new.example")
        assert {one.code: one.address for one in openings.asked(tx)} == {
            "1": "anna@new.example", "2": "bea@player.example",
        }  # fmt: skip
