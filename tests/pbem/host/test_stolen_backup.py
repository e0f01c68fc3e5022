"""Stolen backups: whoever has a copy of the ledger, and not its key, computes no seat's key and no die of a running
game; older ledgers are sealed without a trace; and an audit without the key checks what it can."""

from __future__ import annotations

import base64
import lzma
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from pbem import keys
from pbem.audit import book as books
from pbem.audit.export import export
from pbem.audit.exported import ExportBook
from pbem.audit.recompute import replay
from pbem.audit.rolls import rolls
from pbem.audit.verify import verify, verify_ledger
from pbem.care import doctor, sealing
from pbem.care.keeping import back_up, put_back
from pbem.correspondence import addresses
from pbem.game.hosting import game_named, sheet_of
from pbem.ledger import Ledger, chain_secrets, chains, codes, contacts, journal, letters, outbox, players, queues
from pbem.ledger.chain import HOST, salt_of
from pbem.ledger.dump import canonical_dump
from pbem.ledger.packing import unpack
from pbem.ledger.seals import Broken, KeyLost, Keys, key_file
from pbem.ledger.tables import SECRET
from tests.pbem.host.conftest import DAY, DEADLINE, NOON, Host, secret

VERSIONS = Path(__file__).parents[1] / "ledger" / "versions"
CHAINS = {"game": "chain game", "safe": "chain safe", HOST: "host"}
SEEDS = ("seed game", "seed safe")


def again(host: Host) -> Host:
    host.ledger.close()
    host.ledger = Ledger.open(host.config.place)
    return host


def played(host: Host) -> Host:
    """Two games in their second turn, an order that waits, a change of address that waits to be confirmed."""
    host.start("nim", heaps="20-20-20")
    host.start("vault", name="safe")
    host.order("1", "b13", "c17")
    host.night()
    with host.ledger.write() as tx:
        player = players.by_name(tx, "player-1")
        assert player is not None
        host.code = addresses.ask(tx, host.config, player, "new@players.example", NOON)  # type: ignore[attr-defined]
    return host


def clear(host: Host) -> Host:
    """The host as an older pbem left it: its secrets are stored as they are."""
    with host.ledger.write() as tx:
        for row in tx.all(sa.select(SECRET)):
            found = chains.secret_of(tx, row.chain)
            tx.change(SECRET, {"chain": row.chain}, {"secret": found.secret, "seed": found.seed})
    return host


def secrets_of(host: Host) -> dict[str, bytes]:
    """Everything that must not be found, by what it is."""
    with host.ledger.read() as tx:
        found = {f"secret of {chain}": chains.secret_of(tx, chain).secret for chain in CHAINS}
        found |= {f"seed of {name}": chains.secret_of(tx, name).seed or b"" for name in ("game", "safe")}
        assert set(found.values()) == {secret(word) for word in (*CHAINS.values(), *SEEDS)}
        for name in ("game", "safe"):
            sheet = sheet_of(tx, host.config, game_named(tx, name))
            for seat in sheet.sitters:
                found[f"key of {seat} in {name}"] = sheet.key(seat, game_named(tx, name).turn).encode()
    return found


def forms_of(value: bytes) -> Iterator[bytes]:
    """How a secret could be written: raw, in hexadecimal digits, in base 64; a key also as a reply address has it."""
    yield value
    yield value.hex().encode()
    yield value.hex().upper().encode()
    yield base64.b64encode(value).rstrip(b"=")
    if len(value) == 9:
        yield value.replace(b"-", b"")
        yield value.replace(b"-", b"").lower()


def cells(path: Path) -> Iterator[bytes]:
    """Every cell of the ledger's tables, unpacked where that needs no key."""
    with closing(sqlite3.connect(path)) as line:
        for [table] in line.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for row in line.execute(f"SELECT * FROM {table}"):
                for cell in row:
                    if isinstance(cell, bytes):
                        yield cell
                        try:
                            yield bytes(unpack(cell))
                        except ValueError:
                            continue
                    elif isinstance(cell, str):
                        yield cell.encode()


def found_in(raw: bytes, wanted: dict[str, bytes]) -> set[str]:
    return {what for what, value in wanted.items() if any(form in raw for form in forms_of(value))}


def files_of(host: Host) -> bytes:
    """All bytes of the ledger's file, of its log and of its index."""
    file = host.config.place.file
    return b"".join(part.read_bytes() for part in file.parent.glob(f"{file.name}*"))


def windows(raw: bytes) -> set[bytes]:
    """Every 32 bytes that stand next to each other and could have come from chance, each a secret to be tried."""
    return {one for at in range(len(raw) - 31) if len(set(one := raw[at : at + 32])) > 16}


# --- the thief --------------------------------------------------------------------------------------------------------


@pytest.mark.sqlite
def test_no_secret_stands_in_a_backup_or_in_the_ledger(host: Host, tmp_path: Path) -> None:
    wanted = secrets_of(played(host)) | {"code": host.code.encode()}  # type: ignore[attr-defined]
    copy = back_up(host.config, tmp_path / "stolen.db")
    assert not copy.with_suffix(".key").exists()
    assert found_in(copy.read_bytes(), wanted) == set()
    assert {what for cell in cells(copy) for what in found_in(cell, wanted)} == set()
    assert found_in(files_of(host), wanted) == set()


@pytest.mark.sqlite
@pytest.mark.slow
def test_no_32_bytes_of_a_backup_make_a_key_that_speaks(host: Host, tmp_path: Path) -> None:
    """Wherever it stands and whatever it is called: each is tried as the secret of a seat's key."""
    key = secrets_of(played(host))["key of 1 in game"].decode()
    copy = back_up(host.config, tmp_path / "stolen.db")
    assert not any(keys.key(one, "1", 2) == key for one in windows(copy.read_bytes()))


@pytest.mark.sqlite
def test_weakened_a_ledger_that_stores_secrets_as_they_are_gives_its_keys_away(
    host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen red: the same searches find them where nothing seals."""
    monkeypatch.setattr(chain_secrets, "sealed", lambda keys, chain, use, secret: secret)
    monkeypatch.setattr(codes, "sealed", lambda keys, purpose, code: code)
    wanted = secrets_of(played(clear(host))) | {"code": host.code.encode()}  # type: ignore[attr-defined]
    copy = back_up(host.config, tmp_path / "stolen.db")
    found = found_in(copy.read_bytes(), wanted)
    assert found == {what for what in wanted if not what.startswith("key of ")}
    raw, at = copy.read_bytes(), copy.read_bytes().index(secret("chain game"))
    near = windows(raw[at - 500 : at + 500])
    assert any(keys.key(one, "1", 2).encode() == wanted["key of 1 in game"] for one in near)


def test_every_way_of_our_own_programs_needs_the_key(host: Host, tmp_path: Path) -> None:
    played(host)
    host.order("1", "b12")
    copy = back_up(host.config, tmp_path / "stolen.db")
    with closing(Ledger.open(copy, readonly=True)) as ledger, ledger.read() as tx:
        for chain in CHAINS:
            with pytest.raises(KeyLost):
                chains.secret_of(tx, chain)
            assert chains.seed_of(tx, chain) is None
        for name in ("game", "safe"):
            with pytest.raises(KeyLost):
                sheet_of(tx, host.config, game_named(tx, name))
            mails = outbox.of_game(tx, name)
            assert mails
            assert {outbox.raw(tx, mail.message_id) for mail in mails} == {b""}
        with pytest.raises(KeyLost):
            queues.of_game(tx, "game")
        arrived = [row.facts()["sha256"] for row in journal.rows(tx, HOST, kinds=("letter",))]
        for sha256 in arrived:
            with pytest.raises(KeyLost):
                letters.get(tx, sha256)
        assert [(one.code, one.agree_code, one.veto_code) for one in contacts.asked(tx)] == [("", "", "")]


def test_another_hosts_key_opens_nothing(host: Host, tmp_path: Path) -> None:
    played(host)
    copy = back_up(host.config, tmp_path / "stolen.db")
    key_file(copy.with_suffix(".key"), b"thief")
    with closing(Ledger.open(copy, readonly=True)) as ledger, ledger.read() as tx, pytest.raises(KeyLost):
        chains.secret_of(tx, "game")


def test_a_secret_opens_at_its_own_place_only(host: Host) -> None:
    """Moved to another chain, or to another use, it is no secret there; changed, it is none at all."""
    played(host)
    with host.ledger.read() as tx:
        stored = {row.chain: row for row in tx.all(sa.select(SECRET))}
        game, safe = stored["game"], stored["safe"]
        chains.secret_of(tx, "game")
        for at, use, moved in (
            ("safe", "secret", game.secret),
            ("game", "seed", game.secret),
            ("game", "secret", safe.seed),
        ):
            for known in (tx.keys, Keys(tx.keys.path)):
                with pytest.raises(Broken):
                    chain_secrets.opened(known, at, use, moved)
        with pytest.raises(Broken):
            chain_secrets.opened(tx.keys, "game", "secret", game.secret[:-1] + bytes([game.secret[-1] ^ 1]))
        with pytest.raises(Broken):
            chain_secrets.opened(tx.keys, "game", "secret", b"r" + bytes(40))


def test_a_secret_that_was_changed_is_a_fault_that_is_named(host: Host) -> None:
    played(host)
    with host.ledger.write() as tx:
        [stored] = [row.secret for row in tx.all(sa.select(SECRET)) if row.chain == "game"]
        tx.change(SECRET, {"chain": "game"}, {"secret": stored[:-1] + bytes([stored[-1] ^ 1])})
    assert {one.fault for one in verify_ledger(again(host).ledger)} == {None, "The secret of game was changed."}


# --- older ledgers ----------------------------------------------------------------------------------------------------


@pytest.mark.sqlite
def test_an_older_ledger_is_sealed_without_a_trace(host: Host) -> None:
    """In the file, in its free pages and in its log; and not a byte of history changes."""
    wanted = {what: one for what, one in secrets_of(clear(played(host))).items() if not what.startswith("key of ")}
    assert found_in(files_of(host), wanted) == set(wanted)
    before = history(host)
    host.ledger.close()
    doctor.upgraded(host.config)
    host.ledger = Ledger.open(host.config.place)
    assert found_in(files_of(host), wanted) == set()
    assert history(host) == before
    assert [one.fault for one in verify_ledger(host.ledger) if not one.ok] == []
    with host.ledger.read() as tx:
        assert chains.secret_of(tx, "game").secret == secret("chain game")
        assert chain_secrets.count_clear(tx) == 0
    assert host.order("1", "b12").fate == "accepted"  # with the key of the report that had left


@pytest.mark.sqlite
def test_weakened_sealing_without_compacting_leaves_them_in_free_bytes(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = {what: one for what, one in secrets_of(clear(played(host))).items() if not what.startswith("key of ")}
    host.ledger.close()
    monkeypatch.setattr(Ledger, "compact", lambda ledger: None)
    doctor.upgraded(host.config)
    assert found_in(files_of(host), wanted)


@pytest.mark.sqlite
def test_a_host_of_the_version_before_is_sealed_by_its_upgrade(host: Host) -> None:
    """Its ledger was written by the program of its time, without a key; it gets one."""
    host.ledger.close()
    place = host.config.place
    for stale in place.file.parent.glob(f"{place.file.name}*"):
        stale.unlink()
    place.beside(".key").unlink()
    place.file.write_bytes(lzma.decompress((VERSIONS / "0008.db.xz").read_bytes()))
    with closing(sqlite3.connect(place.file)) as line:
        stored = [one for row in line.execute("SELECT secret, seed FROM secret") for one in row if one is not None]
    assert len(stored) > 10
    assert all(one in place.file.read_bytes() for one in stored)
    doctor.upgraded(host.config)
    host.ledger = Ledger.open(place)
    assert [one for one in stored if any(form in files_of(host) for form in forms_of(one))] == []
    assert [one.fault for one in verify_ledger(host.ledger) if not one.ok] == []


def test_an_older_backup_is_sealed_as_it_is_restored(host: Host, tmp_path: Path) -> None:
    copy = back_up(clear(played(host)).config, tmp_path / "old.db")
    host.ledger.close()
    put_back(host.config, copy)
    host.ledger = Ledger.open(host.config.place)
    with host.ledger.read() as tx:
        assert chain_secrets.count_clear(tx) == 0
        assert chains.secret_of(tx, "game").secret == secret("chain game")


def test_a_host_whose_key_is_missing_gets_no_other_one_by_an_upgrade(host: Host) -> None:
    """It would be taken for the one that is lost."""
    clear(played(host))
    host.ledger.keys.path.unlink()  # type: ignore[union-attr]
    host.ledger.close()
    doctor.upgraded(host.config)
    host.ledger = Ledger.open(host.config.place)
    assert not host.config.place.beside(".key").exists()
    with host.ledger.read() as tx:
        assert chain_secrets.count_clear(tx) == 3


def history(host: Host) -> list[Any]:
    with host.ledger.read() as tx:
        return list(journal.rows(tx))


# --- without the key --------------------------------------------------------------------------------------------------


def test_an_audit_without_the_key_checks_what_it_can_and_says_what_not(host: Host) -> None:
    played(host)
    host.ledger.keys.path.unlink()  # type: ignore[union-attr]
    again(host)
    found = {one.chain: one for one in verify_ledger(host.ledger)}
    assert all(one.ok for one in found.values())
    for name in ("game", "safe"):
        assert not found[name].whole
        assert "draws and salts not made again: the key of the ledger is not here" in (found[name].unplayed or "")
        assert found[name].turns == 2
    with books.of_ledger(host.ledger, "safe") as book:
        assert len(list(replay(book))) == 2
        assert all(roll.word == "" for roll in rolls(book))


def test_without_the_key_a_changed_row_is_found_all_the_same(host: Host) -> None:
    played(host)
    host.ledger.keys.path.unlink()  # type: ignore[union-attr]
    again(host)
    with host.ledger.write() as tx:
        if tx.connection.dialect.name != "sqlite":
            pytest.skip("the guards of a server are its own")
        tx.run(sa.text("DROP TRIGGER journal_no_update"))
        tx.run(sa.text("UPDATE journal SET seat = '2' WHERE chain = 'game' AND kind = 'submission'"))
    verdict = next(one for one in verify_ledger(host.ledger) if one.chain == "game")
    assert "its hash does not fit what it says" in (verdict.fault or "")


def test_with_a_new_key_dice_come_from_a_seed_that_is_committed_to_anew(host: Host, tmp_path: Path) -> None:
    """What was drawn before stays as it is; what follows can be checked, and the file of the game says so."""
    host.start("vault", name="safe")
    host.start("nim", heaps="1-1")
    host.night()
    before = history(host)
    host.ledger.keys.path.unlink()  # type: ignore[union-attr]
    again(host)
    assert sealing.new_key(host.config, DEADLINE, "the disk died") == ["game", "safe"]
    again(host)
    assert history(host)[: len(before)] == before
    with host.ledger.read() as tx:
        assert chains.secret_of(tx, "safe").seed not in (None, secret("seed safe"))
        sheet = sheet_of(tx, host.config, game_named(tx, "safe"))
        [ruling] = [row.facts() for row in journal.rows(tx, "safe", kinds=("ruling",))]
        assert sheet.commitment == ruling["seed_commitment"] == chains.new_commitment(tx, "safe")
        assert salt_of(sheet.secret, 99) != salt_of(secret("chain safe"), 99)
    for night in range(1, 30):
        if host.status() == "over" and night > 3:
            break
        host.night(DEADLINE + night * DAY)
    assert host.status() == "over"
    verdicts = {one.chain: one for one in verify_ledger(host.ledger)}
    assert [one.fault for one in verdicts.values() if not one.ok] == []
    for name in ("game", "safe"):
        assert "their seed was lost with the key" in (verdicts[name].unplayed or "")
    with books.of_ledger(host.ledger, "game") as book:
        export(book, tmp_path / "game.pbem")
        assert verify(book).ok
    assert verify(ExportBook(tmp_path / "game.pbem")).ok


def test_a_game_that_is_over_keeps_the_seed_that_it_revealed(host: Host) -> None:
    host.start("nim", heaps="1")
    host.start("nim", name="other", heaps="20-20-20")
    host.night()
    assert host.status() == "over"
    host.ledger.keys.path.unlink()  # type: ignore[union-attr]
    again(host)
    assert [one.unplayed for one in verify_ledger(host.ledger) if one.chain == "game"] == [None]
    sealing.new_key(host.config, DEADLINE, "the disk died")
    again(host)
    with host.ledger.read() as tx:
        assert chains.secret_of(tx, "game").seed == secret("seed game")
    host.night(DEADLINE + DAY)
    assert [one.unplayed for one in verify_ledger(host.ledger) if one.chain == "game"] == [None]


def test_the_doctor_names_secrets_that_are_stored_as_they_are(host: Host) -> None:
    clear(played(host))
    says = next(one for one in doctor.examine(host.config, NOON) if one.what == "seal")
    assert (says.well, "3 chains have secrets that are not sealed; run `pbem doctor --upgrade`" in says.says) == (
        False,
        True,
    )


def test_a_secret_is_opened_once_in_a_process(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    played(host)
    again(host)
    opened: list[bytes] = []
    really: Callable[..., Any] = chain_secrets._opened
    monkeypatch.setattr(
        chain_secrets,
        "_opened",
        lambda keys, chain, use, stored: opened.append(stored) or really(keys, chain, use, stored),
    )
    host.night(DEADLINE + DAY)
    host.night(DEADLINE + 2 * DAY)
    assert len(opened) == len(set(opened)) == 2 * 2 + 1  # secret and seed of two games, and the host's secret


def test_the_same_secret_is_stored_as_the_same_bytes(make_host: Callable[[str], Host]) -> None:
    """A night that is run again writes the same bytes (G10)."""
    dumps = [canonical_dump(played(make_host(name)).ledger).split(b"\n") for name in ("one", "two")]
    stored = [[line for line in dump if b'"table":"secret"' in line] for dump in dumps]
    assert stored[0] == stored[1]
    assert len(stored[0]) == 3
    assert not any(secret(word).hex().encode() in line for line in stored[0] for word in CHAINS.values())
