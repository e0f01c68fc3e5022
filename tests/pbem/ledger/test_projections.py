"""The present follows from the journal: games, queues, letters, mails, players, each by its rows."""

from datetime import timedelta

import pytest
import sqlalchemy as sa

from pbem.ledger import chains, games, journal, letters, outbox, players, queues
from pbem.ledger.chain import HOST
from pbem.ledger.tables import LETTER
from pbem.ledger.times import stamp
from tests.pbem import hosted
from tests.pbem.hosted import NIGHT, START


def test_a_game_from_its_rows(ledger):
    with ledger.write() as tx:
        hosted.begin(tx, "jade", "nim", heaps="2-1")
        game = games.get(tx, "jade")
    assert (game.rules, game.version, game.status, game.turn) == ("nim", "1", "open", 1)
    assert (game.pending, game.decision, game.attempts, game.at_once) == (["1"], "move", 0, 0)
    assert (game.due_at, game.created_at, game.options["heaps"]) == (START + NIGHT, START, "2-1")
    with ledger.write() as tx:
        hosted.resolve(tx, "jade", {"1": "a2"}, START + NIGHT)
    with ledger.write() as tx:
        assert games.get(tx, "jade").pending == ["2"]
        hosted.resolve(tx, "jade", {"2": "b1"}, START + 2 * NIGHT)
        game = games.get(tx, "jade")
    assert (game.status, game.turn, game.pending, game.due_at) == ("over", 3, [], None)


def test_a_move_out_of_turn_keeps_the_number_of_the_turn(ledger):
    with ledger.write() as tx:
        hosted.begin(tx, "jade", "vault")
        hosted.resolve(tx, "jade", {"red": "resign"}, START, at_once=True)
        game = games.get(tx, "jade")
        assert (game.turn, game.at_once, game.pending) == (1, 1, ["green", "blue"])
        assert queues.of_game(tx, "jade")["red"] == queues.SeatQueue(None, 1), "what was played waits no more"
        hosted.resolve(tx, "jade", {}, START + NIGHT)
        assert (games.get(tx, "jade").turn, games.get(tx, "jade").at_once) == (2, 0)


def test_an_unknown_game(ledger):
    with ledger.read() as tx:
        assert games.get(tx, "jade") is None
    with ledger.write() as tx, pytest.raises(LookupError, match="jade"):
        games.attempt(tx, ["jade"])


def test_which_games_are_due(ledger):
    with ledger.write() as tx:
        for name, days in (("later", 2), ("coral", 1), ("amber", 1), ("over", 1), ("held", 1)):
            hosted.begin(tx, name, "nim", START)
            tx.append(name, "ruling", START, {"act": "extend", "reason": "-", "due_at": stamp(START + days * NIGHT)})
        tx.append("over", "over", START, {"outcome": {}})
        tx.append("held", "ruling", START, {"act": "pause", "reason": "-", "status": "held"})
        assert games.due(tx, START + NIGHT) == ["amber", "coral"]
        assert games.due(tx, START + NIGHT - timedelta(seconds=1)) == []
        assert games.due(tx, START + 3 * NIGHT) == ["amber", "coral", "later"]
        assert [game.name for game in games.every(tx)] == ["amber", "coral", "held", "later", "over"]
        assert [game.name for game in games.every(tx, "held")] == ["held"]


def plan(tx, act):
    """How SQLite finds the rows for what `act` really asks."""
    asked, driver = [], tx.connection.connection.driver_connection
    driver.set_trace_callback(asked.append)
    act()
    driver.set_trace_callback(None)
    [statement] = asked
    rows = driver.execute(f"EXPLAIN QUERY PLAN {statement}")
    return " / ".join(row[3] for row in rows)


@pytest.mark.sqlite
def test_what_is_due_is_found_without_reading_the_idle(ledger):
    """The indexes are partial: SQLite uses them only when the text of the query says that their condition holds."""
    with ledger.read() as tx:
        assert plan(tx, lambda: games.due(tx, START)) == "SEARCH game USING INDEX game_due (due_at<?)"
        assert "USING INDEX outbox_open (next_try_at>? AND next_try_at<?)" in plan(tx, lambda: outbox.due(tx, START))
        assert plan(tx, lambda: letters.waiting(tx)) == "SCAN inbox USING INDEX inbox_waiting"
        came = [letters.Waiting("<1@x>", "00", "mail", START), letters.Waiting("<2@x>", "01", "mail", START)]
        by_message = "SEARCH inbox USING INDEX sqlite_autoindex_inbox_1 (message_id=?"
        # Seen red: all that ever came was walked through.
        assert by_message in plan(tx, lambda: letters.fates(tx, came))
        assert by_message in plan(tx, lambda: letters.fate(tx, "00", "<1@x>"))
        assert "SEARCH queue USING INDEX" in plan(tx, lambda: queues.of_game(tx, "jade"))
        assert "SEARCH game USING INDEX" in plan(tx, lambda: games.get(tx, "jade"))
        assert "INDEX journal_turns (chain=? AND turn=?)" in plan(tx, lambda: journal.turn(tx, "jade", 3))
        assert (
            plan(tx, lambda: journal.at(tx, "jade", 3))
            == "SEARCH journal USING INDEX sqlite_autoindex_journal_1 (chain=? AND seq=?)"
        )


def test_attempts_are_counted_before_they_are_made(ledger):
    with ledger.write() as tx:
        hosted.begin(tx, "jade", "nim")
    for number in (1, 2):
        with ledger.write() as tx:
            assert games.attempt(tx, ["jade"]) == {"jade": number}
    with ledger.write() as tx:
        with pytest.raises(LookupError, match="the ledger has no game 'onyx'"):
            games.attempt(tx, ["jade", "onyx"])
        tx.append("jade", "failed", START, {"attempt": 2, "reason": "killed"}, 1)
        assert games.get(tx, "jade").attempts == 2
        hosted.resolve(tx, "jade", {}, START)
        assert games.get(tx, "jade").attempts == 0
        tx.append("jade", "halted", START, {"reason": "three times"}, 2)
        assert games.get(tx, "jade").status == "halted"


def test_a_failure_says_how_many_attempts_there_were(ledger):
    with ledger.write() as tx:
        for name in ("amber", "jade"):
            hosted.begin(tx, name, "nim")
        tx.append("jade", "failed", START, {"attempt": 2, "reason": "killed"}, 1)
        assert [game.attempts for game in games.every(tx)] == [0, 2]


def test_a_queue_from_submissions_and_turns(ledger):
    with ledger.write() as tx:
        hosted.begin(tx, "jade", "nim")
        hosted.order(tx, "jade", "1", "a1", START)
        one = hosted.waiting("a2", hosted.order(tx, "jade", "1", "a2", START))
        two = hosted.waiting("b1", hosted.order(tx, "jade", "2", "b1", START))
        assert queues.of_game(tx, "jade") == {"1": queues.SeatQueue(one, 2), "2": queues.SeatQueue(two, 1)}
        body = {"counter": 3, "fate": "refused", "refusals": ["no"]}
        tx.append("jade", "submission", START, body, 1, "1")  # a refused order leaves what stood
        assert queues.of_game(tx, "jade")["1"] == queues.SeatQueue(one, 3)
        hosted.resolve(tx, "jade", {"1": "a2"}, START)
        assert queues.of_game(tx, "jade") == {"1": queues.SeatQueue(None, 4), "2": queues.SeatQueue(two, 1)}


def test_the_same_bytes_are_stored_once_and_the_same_message_counts_once(ledger):
    with ledger.write() as tx:
        first = letters.arrive(tx, b"a1", START, "drop", "one")
        again = letters.arrive(tx, b"a1", START, "imap", "one")
        other = letters.arrive(tx, b"a1", START, "drop", "two")  # the same words said again count
        assert (first.new, again.new, other.new) == (True, False, True)
        assert first.sha256 == other.sha256
        assert letters.get(tx, first.sha256) == b"a1"
        assert letters.get(tx, "nothing") is None
        assert [waiting.message_id for waiting in letters.waiting(tx)] == ["one", "two"]
        letters.settle(tx, first.sha256, "one", letters.ACCEPTED, START, {"game": "jade", "seat": "1"})
        assert [waiting.message_id for waiting in letters.waiting(tx)] == ["two"]
        assert letters.fate(tx, first.sha256, "one") == "accepted"
        assert letters.counts(tx) == {"accepted": 1, "waiting": 1}
        letters.settle(tx, first.sha256, "one", letters.WAITING, START, {"reason": "looked at again"})
        assert [waiting.message_id for waiting in letters.waiting(tx)] == ["one", "two"]
    with ledger.read() as tx:
        assert [row.kind for row in journal.rows(tx, HOST)] == ["letter", "letter", "letter_fate", "letter_fate"]


def test_the_same_bytes_that_come_together_are_stored_once(ledger):
    with ledger.write() as tx:
        coming = [letters.Arriving(b"a1", START, "drop", id) for id in ("one", "two", "one")]
        arrivals = letters.arrive_all(tx, coming)
        assert [one.new for one in arrivals] == [True, True, False]
        assert len({one.sha256 for one in arrivals}) == 1
        assert [waiting.message_id for waiting in letters.waiting(tx)] == ["one", "two"]
        assert tx.one(sa.select(sa.func.count()).select_from(LETTER))[0] == 1


def test_a_mail_is_tried_until_its_fate_is_known(ledger):
    with ledger.write() as tx:
        hosted.begin(tx, "jade", "nim")
        one, two = outbox.due(tx, START)
        begun = outbox.fate(tx, one, outbox.BEGUN, START, next_try_at=START)
        assert (begun.state, begun.tries) == ("begun", 1)
    with ledger.write() as tx:  # killed here: it is still to be sent
        assert outbox.due(tx, START) == [begun, two]
        later = outbox.fate(tx, begun, outbox.REFUSED, START, "450 later", START + NIGHT)
        assert outbox.due(tx, START) == [two]
        assert outbox.due(tx, START + NIGHT) == [later, two]
        again = outbox.fate(tx, later, outbox.BEGUN, START + NIGHT, next_try_at=START + NIGHT)
        sent = outbox.fate(tx, again, outbox.SENT, START + NIGHT)
        assert (sent.state, sent.tries, sent.next_try_at) == ("sent", 2, None)
        assert outbox.due(tx, START + 9 * NIGHT, limit=5) == [two]
        assert outbox.get(tx, sent.message_id) == sent
        assert outbox.of_game(tx, "jade") == [sent, two]
        assert outbox.raw(tx, sent.message_id).startswith(b"Message-ID: ")
        with pytest.raises(LookupError, match="no mail"):
            outbox.raw(tx, "<nobody@nowhere>")


@pytest.mark.sqlite
def test_a_message_id_is_used_once(ledger):
    with ledger.write() as tx:
        outbox.post(tx, HOST, None, "notice", "<1@host>", b"x", START, START)
    with pytest.raises(Exception, match="never replaced"), ledger.write() as tx:
        outbox.post(tx, HOST, None, "notice", "<1@host>", b"y", START, START)


def test_a_player_can_be_forgotten(ledger):
    with ledger.write() as tx:
        anna = players.add(tx, "anna", "anna@player.example", "fr", "Europe/Paris", START, hosted.key("salt"))
        assert players.by_name(tx, "anna") == players.get(tx, anna.commitment) == anna
        moved = players.change(tx, anna, address="a@new.example", lang="it", zone="Europe/Rome", at=START)
        assert players.by_name(tx, "anna") == moved
        assert moved.commitment == anna.commitment  # her seats know her still
        assert players.by_name(tx, "bruno") is None
    with ledger.write() as tx:
        players.forget(tx, anna.commitment, START)
        assert players.by_name(tx, "anna") is None
        assert players.every(tx) == [players.PlayerRow(anna.commitment, None, None, None, None, None)]
    with ledger.read() as tx:
        said = b"".join(row.body for row in journal.rows(tx))
    for word in (b"anna", b"player.example", b"new.example", b"Rome"):
        assert word not in said


def test_a_chain_needs_real_secrets(ledger):
    with pytest.raises(ValueError, match="32 bytes"), ledger.write() as tx:
        chains.begin(tx, "jade", b"short")
    with ledger.read() as tx, pytest.raises(LookupError):
        chains.secret_of(tx, "jade")
