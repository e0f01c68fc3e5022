"""Moves and orders: a host that plays what nobody ordered, or passes over what somebody did, is found by the rows."""

import pytest

from pbem.agreed.asked import Asked
from pbem.agreed.taking_back import taken_back
from pbem.audit import book as books
from pbem.audit.export import export
from pbem.audit.exported import ExportBook
from pbem.audit.ordered import Ordered
from pbem.audit.verify import verify
from pbem.cli.audit import exit_code, words
from pbem.errors import PARTLY
from pbem.game.hosting import game_named
from pbem.ledger import Ledger, journal
from pbem.ledger.seals import apart, is_sealed, shown
from pbem.seeding.protocol import HOST_ALONE
from tests.pbem.audit.forging import rewrite
from tests.pbem.host.conftest import DAY, DEADLINE, make_host  # noqa: F401

GAME = "game"


@pytest.fixture
def host(make_host):  # noqa: F811
    """Two seats of nim: 1 sends two orders ahead, the second with a draft behind it; then nobody writes any more."""
    host = make_host()
    host.start("nim")
    host.order("1", "a1", "a1")
    host.order("2", "c1")
    host.night()
    host.submit(host.file("2", "a1").replace("orders:", "draft: true\norders:"), DEADLINE)
    host.night(DEADLINE + DAY)
    host.night(DEADLINE + 2 * DAY)
    return host


def verdict(host):
    with books.of_ledger(host.ledger, GAME) as book:
        return verify(book)


def forged(host, change):
    """Every row opened, and written anew with `change(facts, kind, seat, turn)`, all hashed as it should be."""
    with host.ledger.read() as tx:
        rows = {row.seq: (row.kind, row.seat, row.turn) for row in journal.rows(tx, GAME)}
        seal = tx.keys.seal(GAME)

    def opened(value):
        return apart(value).opened(seal.key) if is_sealed(value) else value

    def anew(facts, seq, kind):
        facts = shown(facts, seal.key) if kind == "submission" else facts
        if "queue" in facts:
            facts["queue"] = opened(facts["queue"])
        if "queues" in facts:
            facts["queues"] = {seat: opened(waits) for seat, waits in facts["queues"].items()}
        return change(facts, *rows[seq]) or facts

    rewrite(host.ledger.path, GAME, anew)
    return verdict(host)


def of_first(**said):
    """The submission of seat 1 says that."""

    def change(facts, kind, seat, turn):
        return facts | said if (kind, seat) == ("submission", "1") else None

    return change


def of_move(at, **said):
    """The move of that turn came so."""

    def change(facts, kind, seat, turn):
        if (kind, turn) != ("turn", at):
            return None
        return facts | {"moves": {seat: made | said for seat, made in facts["moves"].items()}}

    return change


def of_turn(at, **said):
    """The row of that turn says that."""

    def change(facts, kind, seat, turn):
        return facts | said if (kind, turn) == ("turn", at) else None

    return change


def leaves(at, **queues):
    """The row of that turn leaves that of what waited."""

    def change(facts, kind, seat, turn):
        return facts | {"queues": facts["queues"] | queues} if (kind, turn) == ("turn", at) else None

    return change


def both(*changes):
    def change(facts, kind, seat, turn):
        for one in changes:
            facts = one(facts, kind, seat, turn) or facts
        return facts

    return change


def all_refused(facts, kind, seat, turn):
    """As a referee tried it: nobody ever ordered anything, and yet all moves were given."""
    if kind == "submission":
        return facts | {"fate": "refused", "orders": ["nothing at all"]}
    return of_move(turn, submission=None)(facts, kind, seat, turn)


SILENCE = {"how": "default", "submission": None}
OTHER = {"queue": ["a2", "a1"], "submission": 5}
FORGERIES = {
    "another move": (of_first(orders=["a2", "a1"], queue=OTHER), "turn", 1, "nothing that waited for seat 1 reads as"),
    "another order": (of_first(orders=["a2", "b1"]), "submission", 1, "waits for seat 1 that it did not order"),
    "refused afterwards": (of_first(fate="refused"), "submission", 1, "it orders nothing, and what waited for seat 1"),
    "refused, all of it": (all_refused, "submission", 1, "waits for seat 1 that it did not order"),
    "another fate": (of_first(fate="draft"), "submission", 1, "its fate is draft, and what it says makes it accepted"),
    "deeds that nobody did": (of_turn(2, deeds={"1": [["2", "a9"]]}), "turn", 2, "the deeds that seat 1 may look back"),
    "deeds left out": (of_turn(2, deeds={}), "turn", 2, "the deeds that seat "),
    "an order that never waited": (
        both(of_first(queue=None), of_move(1, **SILENCE)),
        *("submission", 1, "seat 1 ordered something that does not wait for it now"),
    ),
    "no submission": (of_move(1, submission=None), "turn", 1, "names no submission"),
    "silence": (of_move(1, **SILENCE), "turn", 1, "silence counts for seat 1, and an order waited for it that stands"),
    "a stand-in": (of_move(1, **SILENCE | {"how": "stand-in"}), "turn", 1, "silence counts for seat 1, and an order"),
    "silence, after an order was lost": (
        both(leaves(1, **{"1": None}), of_move(3, **SILENCE)),
        *("turn", 3, "silence counts for seat 1, and an order waited for it that stands"),
    ),
    "silence instead of a draft": (of_move(4, **SILENCE), "turn", 4, "silence counts for seat 2, and an order waited"),
    "a resignation": (of_move(1, how="resigned", submission=None), "turn", 1, "seat 1 is said to have resigned"),
    "another way": (of_move(1, how="by luck"), "turn", 1, "'by luck' is no way in which the move of seat 1 can have"),
    "an order put in": (
        both(leaves(4, **{"1": {"queue": ["a1"], "submission": 5}}), of_move(5, how="given", submission=5)),
        *("turn", 4, "something waits for seat 1 that it did not order"),
    ),
    "an answer put in": (leaves(1, **{"1": {"standing": {"x": "y"}}}), "turn", 1, "standing answers wait for seat 1"),
    "a word put in": (leaves(1, **{"2": {"nothing": True}}), "turn", 1, "the word for nothing waits for seat 2"),
}


def test_what_was_played_passes(host):
    found = verdict(host)
    assert (found.fault, found.notes) == (None, [HOST_ALONE])
    with books.of_ledger(host.ledger, GAME) as book:
        ways = [made["how"] for line in book.lines(("turn",)) for made in line.facts()["moves"].values()]
    assert ways == ["given", "given", "given", "draft", "default"]
    assert forged(host, lambda facts, *of: None).ok  # nothing changed but that nothing is sealed


@pytest.mark.parametrize("name", list(FORGERIES))
def test_a_move_that_was_not_ordered(host, name):
    """Seen red: all of these were called true."""
    change, kind, turn, says = FORGERIES[name]
    found = forged(host, change)
    assert found.fault is not None
    assert says in found.fault
    with books.of_ledger(host.ledger, GAME) as book:
        row = book.line(found.row).opened
    assert (row.kind, row.turn) == (kind, turn)
    assert f"Row {found.row} of game (turn {turn}): " in found.fault


@pytest.mark.parametrize("name", list(FORGERIES))
def test_weakened_hashes_and_rules_do_not_find_it(host, name, monkeypatch):
    for question in ("said", "back", "step"):
        monkeypatch.setattr(Ordered, question, lambda *given: None)
    assert forged(host, FORGERIES[name][0]).ok


def test_an_export_tells_it_too(host, tmp_path):
    with books.of_ledger(host.ledger, GAME) as book:
        export(book, tmp_path / "true.pbem", referee=True)
    forged(host, FORGERIES["silence"][0])
    with books.of_ledger(host.ledger, GAME) as book:
        export(book, tmp_path / "false.pbem", referee=True)
    true, false = (verify(ExportBook(tmp_path / name)) for name in ("true.pbem", "false.pbem"))
    assert true.ok
    assert not any("held against" in note for note in true.notes)
    assert "silence counts for seat 1" in false.fault


def test_no_word_of_an_order_is_told(host):
    """The game goes on, and whoever verifies it may not know what was ordered."""
    secret = forged(host, of_first(orders=["a2", "a1"], queue=OTHER)).fault
    assert "a1" not in secret
    assert "a2" not in secret


def test_without_the_key_nothing_is_said_against_anybody(host):
    host.ledger.keys.path.unlink()
    host.ledger.close()
    host.ledger = Ledger.open(host.config.place)
    found = verdict(host)
    assert (found.ok, found.whole) == (True, False)
    assert found.unplayed == (
        "draws and salts not made again: the key of the ledger is not here; "
        "4 moves not held against what was ordered: the key of sealed orders is not here"
    )


def test_a_finished_game_that_keeps_the_key_of_its_orders_is_not_simply_true(host, tmp_path):
    """Seen red: a host that played what nobody ordered left the key out of the row that reveals it, and was true."""
    now = DEADLINE + 2 * DAY
    while host.status() == "open":
        now += DAY
        host.night(now)

    def kept(facts, seq, kind):
        return {name: said for name, said in facts.items() if name != "seal"} if kind == "revealed" else None

    rewrite(host.ledger.path, GAME, kept)
    host.ledger.keys.path.unlink()
    host.ledger.close()
    host.ledger = Ledger.open(host.config.place)
    with books.of_ledger(host.ledger, GAME) as book:
        export(book, tmp_path / "game.zip")
    found = verify(ExportBook(tmp_path / "game.zip"))
    assert (found.ok, found.whole) == (True, False)
    assert "4 moves not held against what was ordered" in found.unplayed
    assert exit_code([found]) == PARTLY
    assert next(words(found)).startswith(f"game: chain true; {found.sealed} rows sealed; 4 moves not held against what")


def test_a_take_back_brings_back_what_waited_then_and_nothing_else(host):
    agreed = {"by": "1", "turn": 4, "yes": frozenset({"1", "2"})}
    with host.ledger.write() as tx:
        for seat in ("1", "2"):
            said = {"what": "take-back", "turn": 4, "word": "yes", "reason": ""}
            tx.append(GAME, "consent", DEADLINE + 3 * DAY, said, 6, seat)
        taken_back(tx, host.config, game_named(tx, GAME), Asked(**agreed), DEADLINE + 3 * DAY)
    assert verdict(host).ok

    def change(facts, kind, seat, turn):
        waits = {"queue": ["b1"], "submission": 5}
        return facts | {"queues": facts["queues"] | {"2": waits}} if kind == "taken_back" else None

    assert "for seat 2 waits something else than at row " in forged(host, change).fault
