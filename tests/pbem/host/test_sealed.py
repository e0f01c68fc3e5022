"""Sealed orders: nothing that waits can be read in the ledger's file, the run alone opens it, a look leaves a row."""

import json
import re

import pytest
import sqlalchemy as sa

from engine.canon import canonical
from pbem import delivering, keys
from pbem.arriving import fetching, listening
from pbem.arriving.message import arrived_by
from pbem.arriving.storing import LMTP, store
from pbem.audit import book as books
from pbem.audit import looks
from pbem.audit.export import export
from pbem.audit.exported import ExportBook
from pbem.audit.show import ALL, look
from pbem.audit.verify import verify, verify_ledger
from pbem.audit.why import why
from pbem.care import doctor, sealing
from pbem.care.keeping import back_up, put_back
from pbem.config import load
from pbem.deadlines.schedule import Schedule
from pbem.errors import CANNOT, Trouble
from pbem.game.hosting import NewGame, new_game
from pbem.ledger import Ledger, chain_secrets, chains, journal, letters, outbox, own_key, queues, rebuild
from pbem.ledger.dump import canonical_dump
from pbem.ledger.home import home_of
from pbem.ledger.opening import facts_of
from pbem.ledger.packing import unpack
from pbem.ledger.seals import Broken, KeyLost, Keys, Seal, apart, bytes_opened, key_file
from pbem.ledger.tables import SECRET
from pbem.ledger.troubles import NotItsKey
from pbem.mailparts import parts
from pbem.matches.matching import NewMatch, new_match
from pbem.seeding.protocol import HOST_ALONE
from tests.pbem.host.conftest import DAY, DEADLINE, NOON, secret

_bounded = rb"(?<![0-9A-Za-z+/=])%s(?![0-9A-Za-z+/=])"
WORDS = "and then we shall meet at the old mill"


def again(host):
    """The host as the next process finds it."""
    host.ledger.close()
    host.ledger = Ledger.open(host.config.place)
    return host


def unsealed(host):
    """The host as an older pbem left it: it has no key, and its secrets are stored as they are."""
    return lose(unsealed_secrets(host))


def unsealed_secrets(host):
    """Its secrets are stored as they are, as an older pbem stored them beside any key."""
    with host.ledger.write() as tx:
        for row in tx.all(sa.select(SECRET)):
            secret, seed = chains.secret_of(tx, row.chain)
            tx.change(SECRET, {"chain": row.chain}, {"secret": secret, "seed": seed})
    return host


def lose(host):
    host.ledger.keys.path.unlink()
    return again(host)


def stored(place):
    """Every cell of the ledger's tables, unpacked where that needs no key."""
    engine = home_of(place).engine(readonly=True)
    with engine.connect() as line:
        tables = sa.inspect(line).get_table_names()
        assert "journal" in tables
        for table in tables:
            for row in line.exec_driver_sql(f"SELECT * FROM {table}"):
                for cell in row:
                    yield table, cell.encode() if isinstance(cell, str) else _plain(cell)
    engine.dispose()


def _plain(cell):
    if not isinstance(cell, bytes):
        return b""
    try:
        return bytes(unpack(cell))
    except ValueError:
        return cell


def in_clear(host, *words):
    """Where one of these words stands in the file for whoever has no key."""
    host.ledger.close()
    wanted = [re.compile(_bounded % re.escape(word.encode())) for word in words]  # not within a hash
    found = {table for table, cell in stored(host.config.place) if any(one.search(cell) for one in wanted)}
    host.ledger = Ledger.open(host.config.place)
    return found


def spoken(host, *orders):
    return host.file("1", *orders).replace("end: orders", f"say: {WORDS}\nend: orders")


def facts(host, kind, name="game"):
    with host.ledger.read() as tx:
        return [facts_of(tx, row.facts()) for row in journal.rows(tx, name, kinds=(kind,))]


def verdicts(host):
    return [verdict for verdict in verify_ledger(host.ledger) if not verdict.ok or {*verdict.notes} - {HOST_ALONE}]


# --- what the file shows ----------------------------------------------------------------------------------------------


def test_orders_that_wait_stand_nowhere_in_the_file(host):
    host.start("nim", heaps="20-20-20")
    host.submit(spoken(host, "b13", "c17"))
    assert in_clear(host, "b13", "c17", WORDS) == set()
    assert facts(host, "submission")[0]["orders"] == ["b13", "c17"]
    with host.ledger.read() as tx:
        assert queues.of_game(tx, "game")["1"].body["queue"] == ["b13", "c17"]


def test_weakened_without_a_key_they_stand_in_five_tables(host):
    """Seen red: the same search finds them where nothing seals."""
    host = unsealed(host)
    host.start("nim", heaps="20-20-20")
    host.submit(spoken(host, "b13", "c17"))
    assert in_clear(host, "b13") >= {"letter", "journal", "queue"}
    assert in_clear(host, WORDS) >= {"letter", "journal"}
    assert verdicts(host) == []


def test_the_run_opens_what_it_plays_and_nothing_else(host):
    host.start("nim", heaps="20-20-20")
    host.submit(spoken(host, "b13", "c17"))
    host.order("2", "a1")
    host.night()
    moves = [turn["moves"] for turn in facts(host, "turn")[1:]]
    assert [made["move"] for step in moves for made in step.values()] == ["b13", "a1", "c17"]
    host.submit(host.file("2", "b1", "c11"))
    assert in_clear(host, "c11") == set()


def test_as_many_orders_as_another_take_as_much_room(host):
    """Not even how many orders wait can be seen from how long the text is."""
    seal = Keys(host.ledger.keys.path).seal("game")
    lengths = {len(seal.text("game", "1/1", {"orders": ["b13"] * count})) for count in (1, 2, 5, 9)}
    assert len(lengths) == 1


def test_what_is_sealed_is_bound_to_its_seat_and_cannot_be_changed(host):
    host.start("nim", heaps="20-20-20")
    host.order("1", "b13")
    with host.ledger.write() as tx:
        raw = tx.connection.connection.dbapi_connection
        raw.execute("UPDATE queue SET seat = seat || '-'")
        raw.execute("UPDATE queue SET seat = CASE seat WHEN '1-' THEN '2' ELSE '1' END")
    with host.ledger.read() as tx, pytest.raises(Broken, match="sealed for another"):
        queues.of_game(tx, "game")
    rebuild.rebuild(host.ledger)
    with host.ledger.read() as tx:
        assert queues.of_game(tx, "game")["1"].body["queue"] == ["b13"]
    seal = Seal("00" * 4, bytes(64))
    with pytest.raises(Broken):
        bytes_opened(seal.data("game", b"words"), bytes(63) + b"1")


def test_the_same_night_writes_the_same_bytes(make_host):
    """AES-SIV has no nonce: what is run again, or on another machine, comes to the same to the byte."""
    dumps = []
    for name in ("one", "two"):
        host = make_host(name)
        with host.ledger.write() as tx:
            seats = {seat: f"player-{seat}" for seat in ("1", "2")}
            new_game(
                tx,
                host.config,
                NewGame(rules="nim", name="game", seats=seats, seed=secret("a"), secret=secret("b")),
                NOON,
            )
        with host.ledger.write() as tx:
            seal = tx.keys.seal("game")
            dumps.append((seal, seal.text("game", "1/1", ["b13"]), bytes(seal.data("game", b"mail"))))
    assert dumps[0] == dumps[1]


# --- backups, exports, the end of a game ------------------------------------------------------------------------------


@pytest.mark.sqlite
def test_a_backup_holds_no_key_and_comes_back_beside_it(host, tmp_path):
    host.start("nim", heaps="20-20-20")
    host.order("1", "b13", "c17")
    copy = back_up(host.config, tmp_path / "copy.db")
    assert not copy.with_suffix(".key").exists()
    assert not any(b"b13" in cell and table in ("letter", "queue") for table, cell in stored(copy))
    host.night()
    host.ledger.close()
    put_back(host.config, copy)
    again(host)
    with host.ledger.read() as tx:
        assert queues.of_game(tx, "game")["1"].body["queue"] == ["b13", "c17"]
    assert verdicts(host) == []


def finish(host, heaps="1-1"):
    host.start("nim", heaps=heaps)
    host.submit(spoken(host, "a1"))
    host.night()
    host.order("2", "b1", at=DEADLINE)
    host.night(DEADLINE + DAY)
    assert host.status() == "over"


def test_a_finished_game_needs_the_key_no_more(host, tmp_path):
    finish(host)
    lose(host)
    assert facts(host, "submission")[0]["orders"] == ["a1"]
    with host.ledger.read() as tx:
        assert all(outbox.raw(tx, mail.message_id) for mail in outbox.of_game(tx, "game"))
    with books.of_ledger(host.ledger, "game") as book:
        found = verify(book)
        export(book, tmp_path / "game.pbem")
        assert why(book, 1, 1).orders[0].orders == ["a1"]
    assert found.ok
    assert found.locked == 2  # the letters: their key is that of the host
    assert why(ExportBook(tmp_path / "game.pbem"), 1, 1).orders[0].orders == ["a1"]
    assert verify(ExportBook(tmp_path / "game.pbem")).ok


def test_an_export_of_a_running_game_holds_no_key(host, tmp_path):
    host.start("nim", heaps="20-20-20")
    host.order("1", "b13")
    host.night()
    with books.of_ledger(host.ledger, "game") as book:
        export(book, tmp_path / "public.pbem")
        export(book, tmp_path / "whole.pbem", referee=True)
        assert book.seal()["key"].encode() not in (tmp_path / "public.pbem").read_bytes()
    found = ExportBook(tmp_path / "whole.pbem")
    assert [found.told(line)["orders"] for line in found.lines(("submission",))] == [["b13"]]


def test_a_match_reveals_the_key_of_the_game_that_is_over_and_no_other(host):
    with host.ledger.write() as tx:
        seats = {seat: f"player-{seat}" for seat in ("1", "2")}
        wanted = NewMatch(
            rules="nim", name="duel", seats=seats, options={"heaps": "1-1"}, best_of=3,
            schedule=Schedule.read("nightly 20:00"), seed=secret("s"), secret=secret("chain duel"),
        )  # fmt: skip
        new_match(tx, host.config, wanted, NOON)
    host.night()
    host.night(DEADLINE + DAY)
    [first] = facts(host, "revealed", "duel-1")
    with host.ledger.read() as tx:
        now = tx.keys.seal("duel-1"), tx.keys.seal("duel-2")
    assert first["seal"] == now[0].to_json()
    assert now[0].key != now[1].key
    assert facts(host, "created", "duel-2")[0]["sealed"]


# --- the key ----------------------------------------------------------------------------------------------------------


def test_the_key_file_is_its_owners_alone(host):
    assert host.ledger.keys.path.stat().st_mode & 0o777 == 0o600
    assert host.ledger.keys.path.name == "ledger.key"
    found = {one.what: one for one in doctor.examine(host.config, NOON)}
    assert found["seal"].well
    host.ledger.keys.path.chmod(0o644)
    assert "others may read" in next(one for one in doctor.examine(host.config, NOON) if one.what == "seal").says


@pytest.mark.parametrize("content", ["zz\n", "00\n", "\N{LATIN SMALL LETTER E WITH ACUTE}\n"])
def test_a_damaged_key_file_is_told_in_one_sentence(host, content):
    host.start("nim")
    host.order("1", "b13")
    host.ledger.keys.path.write_text(content)
    again(host)
    finding = next(one for one in doctor.examine(host.config, NOON) if one.what == "seal")
    assert not finding.well
    with pytest.raises(Trouble):
        host.night()


def test_without_the_key_the_host_waits_and_says_so(host):
    """Nothing is written, nothing is lost, and what needs no key can be checked."""
    host.start("nim", heaps="20-20-20")
    form = host.file("1", "b12")
    host.order("1", "b13")
    lose(host)
    before = canonical_dump(host.ledger)
    assert verdicts(host)
    assert all(verdict.ok for verdict in verdicts(host))
    assert "the key of the ledger is not here" in next(one.unplayed for one in verdicts(host) if one.chain == "game")
    found = next(one for one in doctor.examine(host.config, NOON) if one.what == "seal")
    assert (found.well, "the orders of game is not in" in found.says) == (False, True)
    for way in (host.night, lambda: host.submit(form), lambda: host.start("nim", name="other")):
        with pytest.raises(KeyLost, match=r"ledger\.key.*--new-key"):
            way()
    assert canonical_dump(host.ledger) == before
    with host.ledger.read() as tx, pytest.raises(KeyLost, match="--new-key"):
        queues.of_game(tx, "game")


def swap(host):
    """Another host's key in the place of this one's."""
    path = host.ledger.keys.path
    own = path.read_bytes()
    path.unlink()
    key_file(path, b"another host")
    again(host)
    return own


def seal(host):
    return next(one for one in doctor.examine(host.config, NOON) if one.what == "seal")


def test_the_key_of_another_host_is_told_from_ones_own(host):
    host.start("nim", heaps="20-20-20")
    [own_name] = host.ledger.keys.names
    own = swap(host)
    found = seal(host)
    assert not found.well
    assert f"is not the key of this ledger, which is {own_name} and opens the orders of game; put it back" in found.says
    host.ledger.keys.path.write_bytes(own)
    assert seal(host).well


def test_so_it_is_when_orders_wait_under_it(host):
    host.start("nim", heaps="20-20-20")
    host.order("1", "b13")
    swap(host)
    assert "is not the key of this ledger, which is" in seal(host).says
    assert "opens the orders of game" in seal(host).says


def test_no_run_goes_on_with_the_key_of_another_host(host):
    """Not even one that finds nothing to do. Nothing is written, and with its own key back all goes on."""
    host.start("nim", heaps="20-20-20")
    host.order("1", "b13")
    [own_name] = host.ledger.keys.names
    own, before = swap(host), canonical_dump(host.ledger)
    told = f"ledger.key is not the key of this ledger, which is {own_name}, so nothing is done with it; put the right"
    for at in (NOON, DEADLINE):
        with pytest.raises(NotItsKey, match=re.escape(told)) as refused:
            host.night(at)
        assert refused.value.exit_code == CANNOT
    assert canonical_dump(host.ledger) == before
    host.ledger.keys.path.write_bytes(own)
    again(host)
    host.night()
    assert facts(host, "turn")[1]["moves"]["1"]["move"] == "b13"


def test_nothing_is_sealed_with_it_by_any_way(host):
    host.start("nim", heaps="20-20-20")
    form = host.file("1", "b13")
    swap(host)
    before = canonical_dump(host.ledger)
    ways = (
        lambda: host.submit(form),
        lambda: host.start("nim", name="other"),
        lambda: delivering.deliver(host.config, host.ledger, NOON),
        lambda: delivering.help_out(host.config, host.ledger, NOON),
        lambda: fetching.collect(host.config, host.ledger, NOON),
        lambda: store(host.ledger, [arrived_by(b"Subject: x\n\nhelp\n", NOON)], LMTP),
        lambda: listening.listen(host.config, host.config.folder / "socket", print),
    )
    for way in ways:
        with pytest.raises(NotItsKey):
            way()
        assert not host.ledger.keys.fit
    assert canonical_dump(host.ledger) == before


def test_one_look_tells_that_the_key_is_ones_own(host, monkeypatch):
    """However long the history is: the host's secret tells, and nothing more as long as the ledger is open."""
    host.start("nim", heaps="20-20-20")
    again(host)
    monkeypatch.setattr(own_key, "seals", None)
    asked = []
    of_host = own_key._host_key
    monkeypatch.setattr(own_key, "_host_key", lambda tx: asked.append(tx) or of_host(tx))
    host.night()
    assert len(asked) == 1
    with host.ledger.read() as tx:
        assert of_host(tx) in tx.keys.names


def test_a_host_that_has_sealed_nothing_yet_takes_any_key(host):
    swap(unsealed_secrets(host))
    host.start("nim", heaps="20-20-20")
    host.night()
    assert "secrets that are not sealed" in seal(host).says


def test_a_host_without_any_mail_knows_its_key(host):
    swap(host)
    with pytest.raises(NotItsKey):
        host.start("nim", heaps="20-20-20")


def test_where_the_newest_are_forgotten_older_ones_tell(host, monkeypatch):
    host.start("nim", heaps="20-20-20")
    swap(host)
    monkeypatch.setattr(own_key, "_NEWEST", tuple(query.where(sa.false()) for query in own_key._NEWEST))
    with pytest.raises(NotItsKey):
        host.night()


def test_weakened_a_run_that_does_not_look_seals_under_the_key_of_another_host(host, monkeypatch):
    """Seen red: what such a run writes opens with that host's key and not with this one's."""
    host.start("nim", heaps="20-20-20")
    own = swap(unsealed_secrets(host))
    monkeypatch.setattr(own_key, "look", lambda tx: None)
    host.night()
    host.ledger.keys.path.write_bytes(own)
    again(host)
    with host.ledger.read() as tx:
        assert "" in [outbox.raw(tx, mail.message_id).decode() for mail in outbox.of_game(tx, "game")]


def test_what_was_sealed_under_another_key_meanwhile_is_not_forgotten(host, monkeypatch):
    """By a version before the one that looks."""
    host.start("nim", heaps="20-20-20")
    own = swap(unsealed_secrets(host))
    with monkeypatch.context() as before:
        before.setattr(own_key, "look", lambda tx: None)
        host.night()
    assert not seal(host).well
    host.ledger.keys.path.write_bytes(own)
    found = seal(host)
    assert (found.well, "the key that opens letters and mails is not in" in found.says) == (False, True)
    key_file(host.ledger.keys.path, b"another host")
    assert "secrets that are not sealed" in seal(host).says


def test_a_key_that_nobody_has_any_more_is_given_up(host):
    host.start("nim", heaps="20-20-20")
    swap(host)
    assert sealing.new_key(host.config, NOON, "the disk died") == ["game"]
    assert len(host.ledger.keys.path.read_text().split()) == 2
    assert seal(host).well
    again(host).night()
    with pytest.raises(Trouble, match="Nothing is lost"):
        sealing.new_key(host.config, NOON, "again")


def test_what_a_game_that_is_over_has_mailed_needs_no_key(host):
    """Its last row reveals what that was sealed with."""
    unsealed_secrets(host)
    host.start("nim", heaps="1")
    host.night()
    assert host.status() == "over"
    swap(host)
    with host.ledger.read() as tx:
        assert {one.chain for one in own_key._sealed(tx)} == {"game"}
    assert "secrets that are not sealed" in seal(host).says
    own_key.guard(host.ledger)


def test_weakened_a_doctor_who_looks_at_waiting_orders_alone_sees_nothing(host, monkeypatch):
    host.start("nim", heaps="20-20-20")
    swap(host)
    monkeypatch.setattr(own_key, "_sealed", lambda tx: ())
    monkeypatch.setattr(own_key, "_host_key", lambda tx: None)
    monkeypatch.setattr(chain_secrets, "is_lost", lambda tx, chain: False)
    assert seal(host).well


def test_with_a_new_key_the_players_order_again(host):
    host.start("nim", heaps="20-20-20")
    host.order("1", "b13", "c17")
    lose(host)
    assert sealing.new_key(host.config, NOON, "the disk died") == ["game"]
    again(host)
    [ruling] = facts(host, "ruling")
    assert (ruling["act"], ruling["reason"], ruling["queues"]) == ("new-key", "the disk died", {"1": None})
    with host.ledger.read() as tx:
        told = parts(outbox.raw(tx, outbox.of_game(tx, "game")[-1].message_id)).text
    assert "order again" in " ".join(told.split())
    with host.ledger.read() as tx:
        new = keys.key(chains.secret_of(tx, "game").secret, "1", 1)
    assert new in host.mails("1")[-1].text
    assert host.order("1", "b12").fate == "quarantined"  # under the key that was made of the lost secret
    assert host.submit(host.file("1", "b12", key=new)).fate == "accepted"
    assert in_clear(host, "b12") == set()
    host.night()
    assert facts(host, "turn")[1]["moves"]["1"]["move"] == "b12"
    assert all(verdict.ok for verdict in verify_ledger(host.ledger))
    assert next(one for one in doctor.examine(host.config, NOON) if one.what == "seal").well
    with pytest.raises(Trouble, match="Nothing is lost"):
        sealing.new_key(host.config, NOON, "again")


def test_letters_and_mails_that_nobody_can_open_are_set_aside(host):
    host.start("nim")
    with host.ledger.write() as tx:
        letters.arrive(tx, host.file("1", "b13").encode(), NOON, "drop", "<x>")
    lose(host)
    sealing.new_key(host.config, NOON, "gone")
    again(host)
    with host.ledger.read() as tx:
        assert [kept.reason for kept in letters.kept(tx)] == ["it is sealed, and its key is lost"]
        lost = {mail.detail for mail in outbox.lost(tx)}
    assert lost == {"it is sealed, and its key is lost"}


def test_a_host_of_before_gets_a_key_and_its_games_go_on_as_they_were_begun(host):
    unsealed(host)
    host.start("nim", name="old", heaps="20-20-20")
    host.order("1", "b13", name="old")
    host.ledger.close()
    doctor.upgraded(host.config)
    again(host)
    host.start("nim", name="new", heaps="20-20-20")
    assert host.order("1", "c18", name="new").fate == "accepted"
    assert host.order("1", "b12", name="old").fate == "accepted"
    assert in_clear(host, "c18") == set()
    host.night()
    assert [facts(host, "turn", name)[1]["moves"]["1"]["move"] for name in ("old", "new")] == ["b12", "c18"]
    assert verdicts(host) == []


# --- looks ------------------------------------------------------------------------------------------------------------


def test_a_look_ahead_is_a_row_before_anything_is_shown(host):
    host.start("nim", heaps="20-20-20")
    host.order("1", "b13")
    shown = looks.ahead(host.ledger, "game", "1", "referee", NOON)
    assert shown["1"]["queue"] == ["b13"]
    [row] = facts(host, "look")
    assert row == {"who": "referee", "what": "orders that wait"}
    with pytest.raises(Trouble, match="no seat '9'"):
        looks.ahead(host.ledger, "game", "9", "referee", NOON)
    host.night()
    assert "has looked" not in host.mails("2")[-1].text


def test_a_game_that_says_so_tells_its_players_of_looks(host):
    (host.config.folder / "pbem.toml").write_text("[host]\ntell_looks = true\n")
    host.config = load(host.config.folder / "pbem.toml")
    host.start("nim", heaps="20-20-20")
    host.order("1", "b13")
    looks.ahead(host.ledger, "game", None, "anton", NOON)
    look(host.ledger, "game", 0, ALL, "anton", NOON)
    host.night()
    for seat in ("1", "2"):
        told = " ".join(host.mails(seat)[-1].text.split())
        assert told.count("The host has looked at what is still secret in this game (anton).") == 1
    host.night(DEADLINE + DAY)
    assert "has looked" not in host.mails("2")[-1].text
    assert verdicts(host) == []
    rebuild.rebuild(host.ledger)
    before = canonical_dump(host.ledger)
    rebuild.rebuild(host.ledger)
    assert canonical_dump(host.ledger) == before


def test_sealed_text_is_opened_by_its_own_words_only():
    seal = Seal("0a0b0c0d", bytes(range(64)))
    text = seal.text("game", "1/1", {"orders": ["b13"]})
    moved = text.replace(":1/1:", ":2/1:")
    assert canonical(apart(text).opened(seal.key)) == canonical({"orders": ["b13"]})
    with pytest.raises(Broken):
        apart(moved).opened(seal.key)
    assert json.loads(json.dumps(seal.to_json()))["id"] == "0a0b0c0d"


def test_a_key_is_added_and_older_ones_still_open(tmp_path):
    path = key_file(tmp_path / "ledger.key", b"first")
    old = Keys(path).seal("game")
    key_file(path, b"second")
    keys = Keys(path)
    assert keys.seal("game").id != old.id
    assert keys.key(old.id, "game") == old.key
    assert Keys().seal("game") is None
    assert Keys(tmp_path / "none").names == ()
