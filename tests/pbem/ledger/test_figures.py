"""Figures of the whole ledger: what only grows, what waits, what is due, what is lost."""

from datetime import timedelta

from pbem.ledger import letters, outbox
from pbem.ledger.chain import HOST
from pbem.ledger.figures import Figures, figures
from tests.pbem import hosted
from tests.pbem.hosted import START


def told(ledger, now=START):
    with ledger.read() as tx:
        return figures(tx, now)


def test_an_empty_ledger_has_nothing_but_its_first_row(ledger):
    with ledger.read() as tx:
        rows = tx.end(HOST).seq
    assert told(ledger) == Figures(rows, 0, 0, 0, None, 0, 0, 0)


def test_each_thing_is_counted_where_it_belongs(ledger):
    with ledger.write() as tx:
        for number in range(3):
            letters.arrive(tx, b"%d" % number, START, "mail", f"<{number}@x>")
        for number in range(4):
            outbox.post(tx, HOST, None, "notice", f"<{number}@host>", b"x", START, START)
        for number, fate in enumerate((outbox.SENT, outbox.REFUSED, outbox.UNKNOWN)):
            mail = outbox.get(tx, f"<{number}@host>")
            outbox.fate(tx, mail, fate, START, "so")
    found = told(ledger)
    assert (found.letters, found.letters_waiting) == (3, 3)
    assert (found.mails, found.mails_waiting, found.mails_lost) == (4, 1, 2)
    assert found.journal > 4


def test_a_game_is_due_from_its_hour_on(ledger):
    with ledger.write() as tx:
        hosted.begin(tx, "jade", "nim")
    with ledger.read() as tx:
        from pbem.ledger import games

        due = games.get(tx, "jade").due_at
    assert (told(ledger, due).games_due, told(ledger, due).longest_due) == (1, due)
    assert (told(ledger, due - timedelta(seconds=1)).games_due, told(ledger, due - timedelta(1)).longest_due) == (
        0,
        None,
    )
