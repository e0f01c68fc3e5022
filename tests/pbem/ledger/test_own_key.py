"""Whether the key beside a ledger is its own: the newest mail or letter tells, then the oldest and the newest fifty."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from pbem.ledger import Ledger, letters, outbox, own_key
from pbem.ledger.chain import HOST
from pbem.ledger.own_key import NEW_KEY, Seals, look, seals
from pbem.ledger.seals import Keys, key_file
from pbem.ledger.transaction import Write
from pbem.ledger.troubles import NotItsKey
from tests.pbem import hosted
from tests.pbem.hosted import START

pytestmark = pytest.mark.sqlite


@contextmanager
def under(ledger: Ledger, *words: str) -> Iterator[Ledger]:
    """The ledger with these keys beside it, as if they had always lain there: nobody looks whether they fit."""
    file = ledger.path.with_suffix(".key")
    file.unlink(missing_ok=True)
    for word in words:
        key_file(file, word.encode())
    with closing(Ledger.open(ledger.path)) as opened:
        yield opened


def name_of(ledger: Ledger, word: str) -> str:
    file = ledger.path.with_name(f"{word}.key")
    file.unlink(missing_ok=True)
    return Keys(key_file(file, word.encode())).names[0]


def written(ledger: Ledger, word: str, mails: int = 0, words: int = 0, first: int = 0) -> None:
    """Mails and letters sealed under that key, whatever was there before."""
    with under(ledger, word) as keyed, keyed.write() as tx:
        tx.keys.fit = True
        for number in range(first, first + mails):
            outbox.post(tx, HOST, None, "notice", f"<{number}@host>", b"x", START, START)
        for number in range(first, first + words):
            letters.arrive(tx, b"%d" % number, START, "drop", f"<{number}@x>")


def looked(ledger: Ledger, *words: str) -> bool:
    """Whether those keys are seen to be the ledger's own."""
    with under(ledger, *words) as keyed, keyed.read() as tx:
        look(tx)
        return tx.keys.fit


def test_without_a_key_there_is_nothing_to_see(ledger: Ledger) -> None:
    written(ledger, "own", mails=1)
    assert not looked(ledger)


def test_any_key_will_do_where_nothing_is_sealed(ledger: Ledger) -> None:
    with ledger.write() as tx:
        outbox.post(tx, HOST, None, "notice", "<1@host>", b"x", START, START)
        letters.arrive(tx, b"x", START, "drop", "<1@x>")
    assert looked(ledger, "own")


@pytest.mark.parametrize(("mails", "words"), [(1, 0), (0, 1), (1, 1)])
def test_one_letter_or_mail_tells(ledger: Ledger, mails: int, words: int) -> None:
    written(ledger, "own", mails, words)
    for keys in (("own",), ("own", "newer"), ("older", "own")):
        assert looked(ledger, *keys)
    with pytest.raises(NotItsKey, match=f"not the key of this ledger, which is {name_of(ledger, 'own')}, so"):
        looked(ledger, "other")


def test_no_more_is_asked_where_the_newest_tell(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mails or letters: of the two one is enough. And once seen, the keys are not looked at again."""
    written(ledger, "lost", mails=1, words=1)
    written(ledger, "own", words=1, first=1)
    monkeypatch.setattr(own_key, "seals", None)
    with under(ledger, "own") as keyed:
        for _ in range(2):
            own_key.guard(keyed)
            assert keyed.keys.fit
            monkeypatch.setattr(own_key, "_opens_the_newest", None)


def test_older_ones_tell_that_it_is_ones_own_where_the_newest_do_not(ledger: Ledger) -> None:
    written(ledger, "own", mails=1, words=1)
    written(ledger, "lost", mails=1, words=1, first=1)
    assert looked(ledger, "own")
    with under(ledger, "own") as keyed, keyed.read() as tx:
        assert seals(tx) == Seals((name_of(ledger, "own"),), (name_of(ledger, "lost"),))


def test_names_are_told_in_order(ledger: Ledger) -> None:
    words = [f"key {number}" for number in range(6)]
    for number, word in enumerate(words):
        written(ledger, word, mails=1, first=number)
    names = {word: name_of(ledger, word) for word in words}
    with under(ledger, *words[:3]) as keyed, keyed.read() as tx:
        here, missing = (sorted(names[word] for word in some) for some in (words[:3], words[3:]))
        assert seals(tx) == Seals(tuple(here), tuple(missing))


@pytest.mark.parametrize("of", ["mails", "words"])
def test_of_many_the_oldest_and_the_newest_are_looked_at(ledger: Ledger, of: str) -> None:
    for word, count, first in (("old", 50, 0), ("between", 2, 50), ("new", 50, 52)):
        written(ledger, word, first=first, **{of: count})
    with under(ledger, "other") as keyed, keyed.read() as tx:
        assert seals(tx).missing == tuple(sorted(name_of(ledger, word) for word in ("old", "new")))


def ruled(tx: Write, **said: object) -> None:
    tx.append(HOST, "ruling", START, {"act": "extend", "reason": "-", **said})


def test_a_key_that_was_given_up_is_missed_no_more(ledger: Ledger) -> None:
    written(ledger, "lost", mails=1)
    lost = name_of(ledger, "lost")
    for act, fits in (("extend", False), (NEW_KEY, True)):
        with ledger.write() as tx:
            ruled(tx, act=act, lost=["00000000", lost] if fits else [lost])
        with under(ledger, "other") as keyed, keyed.read() as tx:
            assert seals(tx).missing == (() if fits else (lost,))
    assert looked(ledger, "other")


def test_of_what_was_given_up_the_rest_is_still_missed(ledger: Ledger) -> None:
    written(ledger, "lost", mails=1)
    written(ledger, "mislaid", mails=1, first=1)
    with ledger.write() as tx:
        ruled(tx, act=NEW_KEY, lost=[name_of(ledger, "lost")])
    with pytest.raises(NotItsKey, match=name_of(ledger, "mislaid")):
        looked(ledger, "other")


def test_what_a_game_has_revealed_needs_no_key(ledger: Ledger) -> None:
    with under(ledger, "own") as keyed, keyed.write() as tx:
        hosted.begin(tx, "jade", "nim")
        seal = tx.seal("jade")
        assert seal is not None
        with under(ledger, "other") as other, other.read() as seen:
            assert seals(seen) == Seals((), ())  # nothing of it is stored yet
    with under(ledger, "other") as keyed, keyed.read() as tx:
        assert seals(tx).missing == (seal.id,)
    with under(ledger, "own") as keyed, keyed.write() as tx:
        tx.append("jade", "revealed", START, {"seal": seal.to_json()})
    with under(ledger, "other") as keyed, keyed.read() as tx:
        assert seals(tx) == Seals((), ())
    assert looked(ledger, "other")


def test_nothing_is_sealed_under_a_key_that_is_not_ones_own(ledger: Ledger) -> None:
    written(ledger, "own", mails=1)
    with under(ledger, "other") as keyed:
        with pytest.raises(NotItsKey), keyed.write() as tx:
            outbox.post(tx, HOST, None, "notice", "<1@host>", b"x", START, START)
        with pytest.raises(NotItsKey), keyed.write() as tx:
            letters.arrive(tx, b"x", START, "drop", "<1@x>")
        assert not keyed.keys.fit
