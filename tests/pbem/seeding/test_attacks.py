"""A host that cheats with the dice: what it gains by trying seeds, and how each other way is found out."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine import Dice
from engine.canon import canonical
from engine.dice import mix
from pbem.audit import book as books
from pbem.audit.export import export
from pbem.audit.exported import ExportBook
from pbem.audit.verify import verify
from pbem.audit.witnesses import heads_of, in_folder
from pbem.delivering import deliver
from pbem.seeding import protocol
from tests.faults.figures import counted
from tests.pbem.host.conftest import DAY, NOON, Host, secret
from tests.pbem.seeding.conftest import BY_BEACON, BY_PLAYERS, KNOWN_AT, VALUE, Seeded, text_of
from tests.pbem.seeding.test_audit import played_to_its_end, run

Rows = list[dict[str, Any]]

# --- trying many seeds ------------------------------------------------------------------------------------------------

TRIED = 300  # seeds that a host tries for each game
GAMES = 400
STICKS = 24


def luck(seed: bytes, nonces: dict[str, str]) -> int:
    """How many of the first sticks fall for the host's friend."""
    dice = Dice(mix(seed, nonces), "game").at("1")
    return sum(dice.pick(2, f"stick {number}") for number in range(STICKS))


def seeds(game: int) -> list[bytes]:
    return [hashlib.sha256(f"{game}/{number}".encode()).digest() for number in range(TRIED)]


def test_who_knows_the_texts_first_wins_by_trying_seeds() -> None:
    """The weakened build: what the host did before, with `--nonce` at the start of a game."""
    known = {"red": text_of("red")}
    best = [max(luck(seed, known) for seed in seeds(game)) for game in range(10)]
    assert sum(best) / len(best) > STICKS * 0.75


def test_with_texts_that_come_afterwards_trying_seeds_gains_nothing() -> None:
    """The host tries as many seeds as it likes by whatever it knows, and the mean stays what chance gives."""
    came = []
    for game in range(GAMES):
        chosen = max(seeds(game)[:40], key=lambda seed: luck(seed, {"red": "", "blue": text_of("blue", game)}))
        came.append(luck(chosen, {"red": text_of("red", game), "blue": text_of("blue", game)}))
    mean, error = sum(came) / GAMES, (STICKS / 4 / GAMES) ** 0.5
    counted(GAMES, "games for whose dice a host tried forty seeds each in vain")
    assert abs(mean - STICKS / 2) < 4 * error


def test_silence_never_chooses_among_known_results() -> None:
    """A friend of the host knows all other texts before it has to send its own. If its seat were left out, it would
    choose the better of two known results each time. As the round is void, its silence brings a result that nobody
    could know, even on average, and its seat is named."""
    left_out, void = [], []
    for game in range(GAMES):
        seed, first, again = secret(f"seed {game}"), text_of("red", 2 * game), text_of("red", 2 * game + 1)
        left_out.append(max(luck(seed, {"red": first, "blue": text_of("blue", game)}), luck(seed, {"red": first})))
        void.append(luck(seed, {"red": again}))
    error = (STICKS / 4 / GAMES) ** 0.5
    assert abs(sum(void) / GAMES - STICKS / 2) < 4 * error
    assert sum(left_out) / GAMES > STICKS / 2 + 8 * error


# --- rewriting what happened ------------------------------------------------------------------------------------------


@pytest.fixture
def finished(host: Host, tmp_path: Path) -> Path:
    """The file of a finished game whose players had a say in its dice."""
    game = Seeded(host, BY_PLAYERS)
    game.commit()
    game.reveal()
    played_to_its_end(game)
    with books.of_ledger(host.ledger, "game") as book:
        export(book, tmp_path / "game.pbem", referee=True)
    return tmp_path / "game.pbem"


def forged(path: Path, change: Callable[[Rows], Rows]) -> Path:
    """The same file with other rows, all its hashes made anew."""
    target = path.with_name("forged.pbem")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "history.jsonl":
                header, *rows = [json.loads(line) for line in data.splitlines()]
                data = b"".join(canonical(row) + b"\n" for row in _chained(header, change(rows)))
            new.writestr(name, data)
    return target


def _chained(header: dict[str, Any], rows: Rows) -> Rows:
    head, at = bytes(32), ""
    for seq, row in enumerate(rows, 1):
        at = max(at, row["row"]["at"])
        row["seq"], row["row"]["seq"], row["row"]["at"] = seq, seq, at
        leaf = hashlib.sha256(bytes.fromhex(row["salt"]) + canonical(row["row"])).digest()
        row["prev"], head = head.hex(), hashlib.sha256(head + leaf).digest()
        row["hash"] = head.hex()
    return [header | {"head": head.hex(), "rows": len(rows)}, *rows]


def of(act: str) -> Callable[[dict[str, Any]], bool]:
    return lambda row: row["row"]["body"].get("act") == act


def found(rows: Rows, act: str, number: int = 0) -> int:
    return [place for place, row in enumerate(rows) if row["row"]["kind"] == "dice" and of(act)(row)][number]


def texts_before_all_commitments(rows: Rows) -> Rows:
    """A text was known before the last commitment came: the friend of the host has chosen by it."""
    rows.insert(found(rows, "commit", 1), rows.pop(found(rows, "reveal")))
    return rows


def commitment_after_the_first_text(rows: Rows) -> Rows:
    rows.insert(found(rows, "reveal") + 1, rows.pop(found(rows, "commit")))
    return rows


def another_text(rows: Rows) -> Rows:
    rows[found(rows, "reveal")]["row"]["body"]["nonce"] = "a-text-that-suits-the-host"
    return rows


def another_text_with_its_hash(rows: Rows) -> Rows:
    """The commitment is exchanged as well; those that were mailed and closed are not."""
    place = found(rows, "reveal")
    text = rows[place]["row"]["body"]["nonce"] = "a-text-that-suits-the-host"
    seat = rows[place]["row"]["seat"]
    for row in rows:
        if row["row"]["kind"] == "dice" and of("commit")(row) and row["row"]["seat"] == seat:
            row["row"]["body"]["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    return rows


def a_text_left_out(rows: Rows) -> Rows:
    body = rows[found(rows, "mix")]["row"]["body"]
    body["nonces"] = dict(list(body["nonces"].items())[:1])
    return rows


def nothing_mixed(rows: Rows) -> Rows:
    return [row for place, row in enumerate(rows) if place != found(rows, "mix")]


def settled_after_the_first_draw(rows: Rows) -> Rows:
    turn = next(place for place, row in enumerate(rows) if row["row"]["kind"] == "turn")
    rows.insert(turn, rows.pop(found(rows, "mix")))
    return rows


def settled_twice(rows: Rows) -> Rows:
    place = found(rows, "mix")
    return [*rows[: place + 2], json.loads(json.dumps(rows[place])), *rows[place + 2 :]]


def other_texts_revealed(rows: Rows) -> Rows:
    body = next(row["row"]["body"] for row in rows if row["row"]["kind"] == "revealed")
    body["nonces"] = {}
    return rows


def seed_of_another_game(rows: Rows) -> Rows:
    rows[0]["row"]["body"]["seed_commitment"] = "0" * 64
    return rows


LIES = (
    texts_before_all_commitments,
    commitment_after_the_first_text,
    another_text,
    another_text_with_its_hash,
    a_text_left_out,
    nothing_mixed,
    settled_after_the_first_draw,
    settled_twice,
    other_texts_revealed,
    seed_of_another_game,
)


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.__name__)
def test_a_history_in_another_order_is_found_by_every_checker(finished: Path, lie: Callable[[Rows], Rows]) -> None:
    path = forged(finished, lie)
    verdict = verify(ExportBook(path))
    assert verdict.fault is not None
    assert "does not say what rows of its kind say" not in verdict.fault
    done = run(path)
    assert done.returncode == 1, done.stdout
    assert done.stderr.startswith("WRONG: ")
    counted(2, "checks that found a forged order of texts and commitments")


def test_an_honest_file_made_anew_is_true(finished: Path) -> None:
    path = forged(finished, lambda rows: rows)
    assert verify(ExportBook(path)).fault is None
    assert run(path).returncode == 0


def test_a_seed_chosen_after_the_texts_is_found_by_whoever_kept_the_first_letter(make_host, tmp_path: Path) -> None:
    """The host knows all texts, chooses another seed, and writes the whole history again, sound in itself."""
    honest = Seeded(make_host("honest"), BY_PLAYERS)
    deliver(honest.host.config, honest.host.ledger, NOON)  # what leaves is signed
    folder = honest.host.config.outbox / "mail"
    cheat = Seeded(make_host("cheat"), BY_PLAYERS, seed=secret("a seed that suits the host"))
    cheat.commit()
    cheat.reveal()
    played_to_its_end(cheat)
    with books.of_ledger(cheat.host.ledger, "game") as book:
        assert verify(book).fault is None  # by itself it looks true ...
        kept = heads_of(in_folder(folder, book.signing_keys()))
        fault = verify(book, kept).fault  # ... beside the letter it does not
    assert fault is not None
    assert "was mailed and is not in this history" in fault


# --- a public value ---------------------------------------------------------------------------------------------------


def with_value(host: Host) -> Seeded:
    from pbem.seeding.settling import enter_value

    game = Seeded(host, BY_BEACON)
    with host.ledger.write() as tx:
        enter_value(tx, host.config, "game", VALUE, "https://api.drand.sh", KNOWN_AT)
    for number in range(1, 4):
        host.night(KNOWN_AT + number * DAY)
    host.order(game.seats[0], "resign", at=KNOWN_AT + 3 * DAY)
    host.night(KNOWN_AT + 4 * DAY)
    return game


def entered_too_early(rows: Rows) -> Rows:
    for row in rows:
        row["row"]["at"] = "2026-11-18T12:00:00Z"
        if row["row"]["kind"] == "dice":
            row["row"]["body"].pop("at", None)
    return rows


def another_value(rows: Rows) -> Rows:
    rows[found(rows, "beacon")]["row"]["body"]["value"] = "f" * 64
    return rows


def written_in_another_way(rows: Rows) -> Rows:
    for act in ("beacon", "mix"):
        body = rows[found(rows, act)]["row"]["body"]
        for key in {"value", "nonces"} & {*body}:
            body[key] = VALUE.upper() if key == "value" else {protocol.PUBLIC: VALUE.upper()}
    return rows


@pytest.mark.parametrize(
    "lie", [entered_too_early, another_value, written_in_another_way], ids=lambda lie: lie.__name__
)
def test_a_false_public_value_is_found(host: Host, tmp_path: Path, lie: Callable[[Rows], Rows]) -> None:
    with_value(host)
    with books.of_ledger(host.ledger, "game") as book:
        assert verify(book).fault is None
        export(book, tmp_path / "game.pbem", referee=True)
    assert VALUE in run(tmp_path / "game.pbem").stdout
    path = forged(tmp_path / "game.pbem", lie)
    assert verify(ExportBook(path)).fault is not None
    assert run(path).returncode == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [("0xABCDEF" + "0" * 32, "abcdef" + "0" * 32), ("07, 12 3-44+9", "3 7 9 12 44"), ("12;3;7;44;09", "3 7 9 12 44")],
)
def test_a_public_value_is_written_in_one_way_only(one: str, other: str) -> None:
    assert protocol.beacon_value(one) == protocol.beacon_value(other) == other


@pytest.mark.parametrize("text", ["", "12", "7 12 9", "heads", "abcdef", "12 34 5x", "g" * 64])
def test_what_is_no_public_value_is_refused(text: str) -> None:
    assert protocol.beacon_value(text) is None


def test_a_game_without_its_public_value_says_so(host: Host) -> None:
    from pbem.seeding.settling import enter_value

    game = Seeded(host, BY_BEACON)
    with host.ledger.write() as tx:
        enter_value(tx, host.config, "game", "", "", KNOWN_AT, "the network is down")
    assert "was not used" in game.told(game.seats[0])
    assert "The host alone chose the seed" in game.told(game.seats[0])
    with books.of_ledger(host.ledger, "game") as book:
        assert any("The host alone chose the seed" in note for note in verify(book).notes)


# --- weakened builds --------------------------------------------------------------------------------------------------


def test_a_build_that_reads_texts_before_all_have_committed_is_found(
    finished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol.Seeding, "_close", lambda self, seat, facts: None)
    monkeypatch.setitem(protocol._STEPS, protocol.CLOSE, lambda self, seat, facts: setattr(self, "closed", True))
    monkeypatch.setattr(protocol.Seeding, "_reveal", lambda self, seat, facts: None)
    monkeypatch.setitem(
        protocol._STEPS, protocol.REVEAL, lambda self, seat, facts: self.revealed.update({seat: facts["nonce"]})
    )
    with pytest.raises(AssertionError):
        test_a_history_in_another_order_is_found_by_every_checker(finished, texts_before_all_commitments)


def test_a_build_that_keeps_the_texts_of_a_round_with_a_withheld_one_is_found(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.pbem.seeding.test_players import test_a_withheld_text_voids_the_round_and_its_seat_is_named as check

    monkeypatch.setattr(protocol.Seeding, "missing", property(lambda self: ()))
    with pytest.raises(AssertionError):
        check(host)


def test_a_build_that_says_nothing_of_the_hosts_choice_is_found(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.pbem.seeding.test_players import test_a_plain_game_says_that_the_host_alone_chose as check

    monkeypatch.setattr(protocol.Origin, "host_alone", False)
    with pytest.raises(AssertionError):
        check(host)
