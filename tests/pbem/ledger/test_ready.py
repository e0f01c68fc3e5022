"""A statement that is asked again goes to the driver itself; it gives what SQLAlchemy gives, and changes the same."""

from datetime import timedelta

import pytest
import sqlalchemy as sa

from pbem.ledger import ready as made
from pbem.ledger.tables import GAME, JOURNAL, OUTBOX, PLAYER, QUEUE
from tests.pbem import hosted
from tests.pbem.hosted import START

pytestmark = pytest.mark.sqlite


def twice(tx, query, values=None):
    """What it gives by SQLAlchemy, and what it gives by the driver."""
    first = tx.all(query, values)
    assert made.ready(query, tx.connection.dialect) is not None
    return first, tx.all(query, values)


@pytest.fixture
def played(ledger):
    with ledger.write() as tx:
        for name in ("amber", "coral", "jade"):
            hosted.begin(tx, name, "nim", heaps="2-1")
        hosted.resolve(tx, "jade", {"1": "a2"}, START + timedelta(seconds=1))
    return ledger


@pytest.mark.parametrize("table", [GAME, JOURNAL, OUTBOX, PLAYER, QUEUE], ids=lambda table: table.name)
def test_every_kind_of_value_comes_out_as_before(played, table):
    with played.read() as tx:
        first, second = twice(tx, sa.select(*table.c))
        assert first == second
        assert [[type(value) for value in row] for row in first] == [[type(value) for value in row] for row in second]
        assert [tuple(row._fields) for row in first] == [row._fields for row in second]


def test_values_go_in_as_before(played):
    query = sa.select(GAME.c.name).where(GAME.c.created_at <= sa.bindparam("now"), GAME.c.status == "open").limit(2)
    with played.read() as tx:
        first, second = twice(tx, query.order_by(GAME.c.name), {"now": START})
        assert first == second == [("amber",), ("coral",)]
        assert second[1].name == "coral"
        assert tx.all(query, {"now": START - timedelta(seconds=1)}) == []


@pytest.mark.parametrize("names", [["jade", "amber"], ["nobody"], [], ["jade"] * 600])
def test_a_list_has_as_many_places_as_values(played, names):
    among = sa.bindparam("names", expanding=True)
    query = sa.select(GAME.c.name).where(GAME.c.turn < 9, GAME.c.name.in_(among), GAME.c.at_once == sa.bindparam("n"))
    outside = sa.select(GAME.c.name).where(GAME.c.name.not_in(among))
    with played.read() as tx:
        first, second = twice(tx, query, {"n": 0, "names": names})
        assert sorted(first) == sorted(second) == [(name,) for name in sorted({*names} - {"nobody"})]
        first, second = twice(tx, outside, {"names": names})
        assert sorted(first) == sorted(second)


def test_each_value_of_a_list_goes_in_as_it_did(played):
    """Times are stored as text; in a list, and beside one, they are turned into it."""
    among = sa.bindparam("at", expanding=True)
    when, now = GAME.c.created_at.in_(among), GAME.c.created_at <= sa.bindparam("now")
    query = sa.select(GAME.c.name).where(when, now).order_by(GAME.c.name)
    with played.read() as tx:
        first, second = twice(tx, query, {"at": [START - timedelta(days=1), START], "now": START})
        assert first == second == [("amber",), ("coral",), ("jade",)]
        assert tx.all(query, {"at": [START], "now": START - timedelta(seconds=1)}) == []
        assert tx.all(query, {"at": [START + timedelta(days=1)], "now": START}) == []


def test_one_row_is_one_row(played):
    query = sa.select(GAME.c.name).where(GAME.c.rules == sa.bindparam("rules"))
    two = query.limit(2)
    with played.read() as tx:
        for _ in range(3):
            for more_than_one in (query, two):
                with pytest.raises(sa.exc.MultipleResultsFound):
                    tx.one(more_than_one, {"rules": "nim"})
            assert tx.one(query, {"rules": "go"}) is None


def test_a_query_may_be_left_before_its_end(played):
    query = sa.select(GAME.c.name).order_by(GAME.c.name)
    with played.write() as tx:
        for _ in range(3):
            assert next(iter(tx.each(query))).name == "amber"
        tx.run(sa.delete(QUEUE))


def test_a_query_that_is_made_for_once_is_not_kept(played):
    with played.read() as tx:
        for _ in range(3):
            tx.all(sa.select(GAME.c.name))
            assert made.ready(sa.select(GAME.c.name), tx.connection.dialect) is None


def test_pairs_are_left_to_sqlalchemy(played):
    pairs = sa.tuple_(GAME.c.name, GAME.c.turn).in_([("jade", 2), ("coral", 1)])
    query = sa.select(GAME.c.name).where(pairs).order_by(GAME.c.name)
    with played.read() as tx:
        assert [tx.all(query) for _ in range(3)] == [[("coral",), ("jade",)]] * 3
        assert made.ready(query, tx.connection.dialect) is None


def test_values_that_stand_in_the_statement_go_in_as_before(played):
    query = sa.select(GAME.c.name).where(GAME.c.created_at <= START, GAME.c.at_once < 1).order_by(GAME.c.name)
    with played.read() as tx:
        first, second = twice(tx, query)
        assert first == second == [("amber",), ("coral",), ("jade",)]


def test_a_column_without_a_good_name_has_its_place(played):
    query = sa.select(GAME.c.name, sa.literal_column("1 + 1")).order_by(GAME.c.name).limit(1)
    with played.read() as tx:
        first, second = twice(tx, query)
        assert first == second == [("amber", 2)]
        assert second[0].name == "amber"


WRITTEN_OUT = sa.bindparam("n", type_=sa.Integer, literal_execute=True)


@pytest.mark.parametrize(
    ("query", "values"),
    [
        (sa.select(GAME.c.name).where(GAME.c.name.in_(["coral", "amber"])).order_by(GAME.c.name), {}),
        (sa.select(GAME.c.name).order_by(GAME.c.name).limit(WRITTEN_OUT), {"n": 2}),
        (sa.text("SELECT name FROM game ORDER BY name LIMIT :n"), {"n": 2}),
    ],
    ids=["a list of its own", "a value in its text", "a text"],
)
def test_what_the_driver_is_not_given_is_found_out_once(played, monkeypatch, query, values):
    asked, real = [], made._made
    monkeypatch.setattr(made, "_made", lambda *given: asked.append(given) or real(*given))
    with played.read() as tx:
        for _ in range(4):
            assert tx.all(query, values) == [("amber",), ("coral",)]
        assert made.ready(query, tx.connection.dialect) is None
    assert len(asked) == 1


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_change_with_so_many_rows_goes_in_as_before(played, count):
    change = sa.update(GAME).where(GAME.c.name == sa.bindparam("at")).values(remind_at=sa.bindparam("to"))
    names = ["amber", "coral", "jade"][:count]
    for hours in range(1, 4):
        at = START + timedelta(hours=hours)
        with played.write() as tx:
            tx._put(change, [{"at": name, "to": at} for name in names])
            found = tx.all(sa.select(GAME.c.name).where(GAME.c.remind_at == at).order_by(GAME.c.name))
        assert found == [(name,) for name in names]


def test_a_weakened_way_out_is_found(played, monkeypatch):
    """Seen red: values that come out as they are stored."""
    monkeypatch.setattr(made, "_way_out", lambda column, dialect: None)
    with pytest.raises(AssertionError):
        test_every_kind_of_value_comes_out_as_before(played, GAME)
