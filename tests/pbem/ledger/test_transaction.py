"""One transaction: what is known in it is not asked again, and what was gathered is there for whoever reads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from pbem.ledger import chains
from pbem.ledger.store import Ledger
from pbem.ledger.transaction import ENOUGH, Read
from tests.pbem import hosted
from tests.pbem.hosted import START

pytestmark = pytest.mark.sqlite


@contextmanager
def queries(tx: Read) -> Iterator[list[str]]:
    """What SQLite is asked meanwhile."""
    driver, asked = tx._driver, list[str]()
    driver.set_trace_callback(lambda statement: asked.append(statement) if statement.startswith("SELECT") else None)
    try:
        yield asked
    finally:
        driver.set_trace_callback(None)


@pytest.fixture
def three(ledger: Ledger) -> Ledger:
    with ledger.write() as tx:
        for name in ("amber", "coral", "jade"):
            chains.begin(tx, name, hosted.key(name))
    return ledger


def test_where_many_chains_end_is_asked_at_once_and_only_once(three: Ledger) -> None:
    with three.write() as tx:
        tx.append("jade", "look", START, {})
        with queries(tx) as asked:
            found = tx.ends(["jade", "nobody", "amber", "coral"])
            assert {chain: end.seq for chain, end in found.items()} == {"amber": 0, "coral": 0, "jade": 1}
            assert [end.stored for end in found.values()] == [hosted.key(chain) for chain in found]
            assert len(asked) == 1
            assert "'jade'" not in asked[0]
            assert tx.ends(["coral", "jade"]) == {chain: found[chain] for chain in ("coral", "jade")}
            assert tx.end("amber") == found["amber"]
            for chain in found:
                tx.append(chain, "look", START, {})
            assert len(asked) == 1
            assert [tx.end(chain).seq for chain in sorted(found)] == [1, 1, 2]
    with three.read() as tx:
        assert {chain: end.seq for chain, end in tx.ends(["amber", "jade"]).items()} == {"amber": 1, "jade": 2}


def test_a_long_night_is_handed_on_in_portions(three: Ledger) -> None:
    """Rows that are new and rows that changed, both: no more of them are gathered than fit into a portion."""
    with three.write() as tx:
        gathered = []
        for number in range(2 * ENOUGH):
            tx.append("jade", "look", START, {"number": number})
            gathered.append(sum(map(len, (*tx._new.values(), *tx._changed.values()))))
        assert 100 < max(gathered) <= ENOUGH
