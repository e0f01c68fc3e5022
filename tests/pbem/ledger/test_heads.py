"""G27: public hashes tell nothing. Who knows all legal orders and every head still cannot tell which order was sent.

The attack: a stranger sees the heads before and after a seat's order (two receipts, say), knows every other word of
the row, and tries every legal order until the hash fits.
"""

import hashlib
import itertools
import json

import pytest

from engine import load
from engine.canon import canonical
from pbem.ledger import chain as chains_of_hashes
from pbem.ledger import chains, games, journal, players
from pbem.ledger.chain import Content, leaf_of, link, text_of
from pbem.ledger.packing import unpack
from pbem.ledger.public import FACTS, PRIVATE
from pbem.ledger.store import Ledger
from tests.faults.figures import counted, so_many
from tests.pbem import hosted
from tests.pbem.hosted import NIGHT, START

SECRETS = so_many(300, 1000)


def sealed_orders(ledger, count):
    """So many sealed bids of many games; each with the heads around it and every order that could have been sent."""
    found = []
    for number in itertools.count():
        name = f"game-{number}"
        with ledger.write() as tx:
            hosted.begin(tx, name, "vault", hand=6)
            game = games.get(tx, name)
            rules, state = load("vault"), load("vault").restore(game.state)
            for seat in game.pending:
                menu = [str(move) for move in rules.moves(state, seat)]
                before = chains.head_of(tx, name)
                seq = hosted.order(tx, name, seat, menu[(number + len(found)) % len(menu)], START + NIGHT)
                row = journal.at(tx, name, seq)
                found.append((row, bytes.fromhex(before), menu))
                if len(found) == count:
                    return found


def guesses(row, menu):
    """The row as it would stand, for each order that could have been sent; the stranger knows all the rest, even the
    salt under which private facts lie."""
    facts, stored = row.facts(), json.loads(row.body)
    apart = stored.get(PRIVATE, {FACTS: {}})
    for move in menu:
        raw = f"Message-ID: {facts['message_id']}\n\n{move}\n".encode()
        waits = hosted.waiting(move, row.seq)
        said = {"orders": [move], "queue": waits, "letter": hashlib.sha256(raw).hexdigest()}
        kept = {name: said.get(name, value) for name, value in apart[FACTS].items()}
        body = stored | {name: value for name, value in said.items() if name not in kept}
        body |= {PRIVATE: apart | {FACTS: kept}} if kept else {}
        yield move, Content(row.chain, row.seq, row.kind, row.at, row.turn, row.seat, canonical(body))


def attacked(row, before, menu):
    """What the stranger finds: he has the heads and no salt, so he tries the ones he can think of."""
    for move, content in guesses(row, menu):
        for salt in (b"", bytes(32), hashlib.sha256(row.chain.encode()).digest(), before):
            if link(before, leaf_of(salt, text_of(content))) == row.hash:
                return move
    return None


def broken(secrets):
    return sum(attacked(row, before, menu) == row.facts()["orders"][0] for row, before, menu in secrets)


def test_g27_no_order_is_found_from_the_heads(ledger):
    secrets = sealed_orders(ledger, SECRETS)
    assert len(secrets) == SECRETS
    found = broken(secrets)
    assert found == 0
    counted(len(secrets), "secrets attacked with the list of all legal orders")
    counted(found, "found")


@pytest.mark.parametrize("salt", [b"", bytes(32)])
def test_g27_weakened_an_unsalted_build_is_read_like_a_book(tmp_path, monkeypatch, salt):
    """Seen red: the same attack on a chain without salts (or with one everybody knows) finds every order."""
    monkeypatch.setattr("pbem.ledger.append.salt_of", lambda secret, seq: salt)
    ledger = Ledger.create(tmp_path / "weak.db", secret=hosted.key("host"))
    secrets = sealed_orders(ledger, 100)
    found = broken(secrets)
    assert found == 100
    counted(found, "found by the same attack on builds without salt")


def test_g27_who_has_the_salt_can_check_the_order(ledger):
    """The other half: once salts are revealed, the commitment binds; and only to what was said."""
    for row, before, menu in sealed_orders(ledger, 20):
        fits = [
            move
            for move, content in guesses(row, menu)
            if link(before, leaf_of(row.salt, text_of(content))) == row.hash
        ]
        assert fits == row.facts()["orders"]


def test_g27_salts_are_never_the_same(ledger):
    secrets = sealed_orders(ledger, 200)
    with ledger.read() as tx:
        salts = [row.salt for row in journal.rows(tx)]
    assert len(set(salts)) == len(salts) > 400
    assert {len(salt) for salt in salts} == {32}
    assert len({row.salt for row, _, _ in secrets}) == 200


def test_g27_salts_cannot_be_made_without_the_secret():
    one, other = hosted.key("one"), hosted.key("other")
    made = {chains_of_hashes.salt_of(secret, seq) for secret in (one, other) for seq in range(1, 500)}
    assert len(made) == 2 * 499


def test_g27_equal_rows_of_two_games_have_different_hashes(ledger):
    with ledger.write() as tx:
        for name in ("jade", "coral"):
            chains.begin(tx, name, hosted.key(name))
            tx.append(name, "look", START, {"who": "referee", "what": "x"})
        rows = [journal.at(tx, name, 1) for name in ("jade", "coral")]
    assert len({row.hash for row in rows}) == 2
    assert unpack(b"r{}") == b"{}"


PERSONS = [(f"{first} {last}", f"{first}.{last}@post.example") for first in "abcdefghij" for last in "klmnopqrst"]


@pytest.mark.parametrize(("salted", "named"), [(True, 0), (False, len(PERSONS))])
def test_g27_a_list_of_all_persons_names_no_player(ledger, salted, named):
    """And seen red: without a salt of his own every player is named by whoever has a list of addresses."""
    with ledger.write() as tx:
        for name, address in PERSONS:
            players.add(tx, name, address, "en", "UTC", START, hosted.key(name) if salted else b"")
    with ledger.read() as tx:
        public = {row.facts()["commitment"] for row in journal.rows(tx, kinds=["player"])}
    tries = {players.commitment(salt, name, address) for name, address in PERSONS for salt in (b"", bytes(32))}
    assert len(public & tries) == named
    counted(named, f"of {len(PERSONS)} persons named {'with' if salted else 'without'} salt")
