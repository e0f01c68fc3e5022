"""Diff, rolls and witnesses: where two histories differ first, what each draw comes from, heads in kept mails."""

import hashlib
import hmac
import json

import pytest

from engine.dice import mix
from pbem.audit import book as books
from pbem.audit import diff, witnesses
from pbem.audit.export import export
from pbem.audit.exported import ExportBook
from pbem.audit.rolls import key_of, line, rolls
from pbem.audit.show import ALL, PUBLIC
from pbem.audit.verify import verify
from pbem.audit.witnesses import Witness
from pbem.errors import Trouble
from pbem.ledger import chains
from pbem.ledger.backup import backup
from pbem.ledger.store import Ledger
from tests.faults.figures import counted
from tests.pbem import hosted
from tests.pbem.audit.forging import SIGNER, edit, mail_with, rewrite, signed_mail


@pytest.fixture
def other(played, tmp_path):
    """A copy of the ledger, to be tampered with."""
    return backup(played.path, tmp_path / "other.db")


def between(one, path, game="jade"):
    second = Ledger.open(path, readonly=True)
    try:
        with books.of_ledger(one, game) as mine, books.of_ledger(second, game) as yours:
            return diff.books(mine, yours), diff.books(yours, mine)
    finally:
        second.close()


# --- histories --------------------------------------------------------------------------------------------------------


def test_the_same_history_does_not_differ(played, other, tmp_path):
    assert between(played, other) == (None, None)
    with books.of_ledger(played, "jade") as book:
        export(book, tmp_path / "jade.pbem")
        assert diff.books(book, ExportBook(tmp_path / "jade.pbem")) is None


def test_the_first_row_that_differs_is_named_in_words(played, other):
    with books.of_ledger(played, "jade") as book:
        row = next(line for line in book.lines(("submission",)))

    def change(facts, seq, kind):
        return facts | {"orders": ["bid 1", "pass"]} if seq == row.seq else None

    rewrite(other, "jade", change)
    found, back = between(played, other)
    assert found.row == row.seq
    assert (
        found.says == f"row {row.seq}, a submission of turn 1 by seat {row.opened.seat}, does not say the same in both"
    )
    assert [change.path for change in found.changes] == ["body.orders[1]", "body.orders[2]"]
    assert (found.changes[1].one, found.changes[1].other) == (None, "pass")
    assert str(back.changes[1]) == 'body.orders[2]: "pass" and then nothing'
    assert found.to_json()["changes"][0]["path"] == "body.orders[1]"


def test_a_history_that_ends_earlier(played, other):
    with books.of_ledger(played, "amber") as book:
        last = list(book.lines())[-1]
    edit(other, f"DELETE FROM journal WHERE chain = 'amber' AND seq = {last.seq}")
    found, back = between(played, other, "amber")
    assert found.says == f"the second ends at row {last.seq - 1}, the first goes on with a mail of turn 6 by seat 2"
    assert back.says.startswith("the first ends at row")


def test_another_salt_and_another_kind(played, other):
    edit(other, "UPDATE journal SET salt = zeroblob(32), hash = zeroblob(32) WHERE chain = 'jade' AND seq = 4")
    assert between(played, other)[0].says.endswith("says the same in both and has another salt or hash")
    edit(other, "UPDATE journal SET kind = 'note', hash = zeroblob(32) WHERE chain = 'jade' AND seq = 3")
    assert between(played, other)[0].says.startswith("row 3: a mail of turn 0")


def test_a_sealed_history_is_compared_by_its_hashes(played, other, tmp_path):
    with books.of_ledger(played, "coral") as book:
        export(book, tmp_path / "coral.pbem")
    sealed = ExportBook(tmp_path / "coral.pbem")
    with books.of_ledger(played, "coral") as book:
        found = diff.books(book, sealed)
    assert "goes on with" in found.says  # the rest of it is not in the file
    rewrite(other, "coral", lambda facts, seq, kind: facts | {"pbem": "another"} if kind == "created" else None)
    ledger = Ledger.open(other, readonly=True)
    with books.of_ledger(ledger, "coral") as forged:
        assert diff.books(forged, sealed).changes[0].path == "body.pbem"
    rewrite(other, "coral", lambda facts, seq, kind: facts | {"pbem": "test"} if kind == "created" else None)
    rewrite(other, "coral", lambda facts, seq, kind: facts | {"decision": "x"} if kind == "turn" else None)
    with books.of_ledger(ledger, "coral") as forged:
        assert "goes on with" in diff.books(forged, sealed).says  # what it shows is the same
    ledger.close()


def test_two_ledgers_chain_by_chain(played, other):
    with played.write() as tx:
        hosted.begin(tx, "new", "nim")
    rewrite(other, "amber", lambda facts, seq, kind: facts | {"x": 1} if kind == "over" else None)
    second = Ledger.open(other, readonly=True)
    found = {one.chain: one.says for one in diff.ledgers(played, second)}
    second.close()
    assert found["new"] == "only the first has this history"
    assert "a over" in found["amber"]
    assert set(found) == {"new", "amber"}


# --- turns ------------------------------------------------------------------------------------------------------------


def test_two_turns_as_somebody_knew_them(played):
    with books.of_ledger(played, "amber") as book:
        changes = diff.turns(book, 0, 1, PUBLIC)
        assert diff.turns(book, 1, 1, PUBLIC) == []
    paths = {change.path for change in changes}
    assert "position" in paths
    assert "pending[1]" in paths
    assert any(path.startswith("seen.heaps[") for path in paths)
    with books.of_ledger(played, "jade") as book:
        mine = {change.path for change in diff.turns(book, 0, 1, "red")}
        assert any(path.startswith("state.") for path in (change.path for change in diff.turns(book, 0, 1, ALL)))
        assert not any(path.startswith("state.") for path in mine)
        with pytest.raises(Trouble, match="no turn 99"):
            diff.turns(book, 0, 99, ALL)


# --- rolls (G37) ------------------------------------------------------------------------------------------------------


def test_g37_each_roll_can_be_made_by_hand_from_what_is_printed(played):
    with books.of_ledger(played, "jade") as book:
        found, key = list(rolls(book)), key_of(book)
        said = [draw for line in book.lines(books.STEPS) for draw in line.facts()["draws"]]
        nonces = books.created(book)["nonces"]
    assert [[roll.why, roll.n, roll.value] for roll in found] == said
    with played.read() as tx:
        assert key == mix(chains.secret_of(tx, "jade").seed, nonces).hex()
    for roll in found:
        text = roll.text.replace("\\0", "\0").encode()
        word = hmac.new(bytes.fromhex(key), text, hashlib.sha256).digest()[:8]
        assert (word.hex(), int.from_bytes(word, "big") % roll.n) == (roll.word, roll.value)
        assert f"HMAC of {roll.text}" in line(roll)
    assert found[0].to_json()["row"] == found[0].row
    counted(len(found), "rolls made by hand from the printed list")


def test_rolls_whose_seed_is_secret_are_listed_without_it(played, tmp_path):
    with books.of_ledger(played, "coral") as book:
        export(book, tmp_path / "coral.pbem", referee=True)
    found = list(rolls(ExportBook(tmp_path / "coral.pbem")))
    assert found
    assert {(roll.text, roll.word) for roll in found} == {("", "")}
    assert key_of(ExportBook(tmp_path / "coral.pbem")) is None
    assert "HMAC" not in line(found[0])


def test_a_number_that_would_favour_small_results_is_drawn_again():
    from pbem.audit.rolls import _made

    text, word = _made(bytes(32), "x/1", "die", 0, (1 << 63) + 1)
    attempt = int(text.rpartition("\\0")[2])
    assert int(word, 16) < (1 << 63) + 1
    for earlier in range(attempt):
        said = hmac.digest(bytes(32), f"x/1\0die\0{0}\0{earlier}".encode(), "sha256")[:8]
        assert int.from_bytes(said, "big") >= (1 << 63) + 1


# --- witnesses --------------------------------------------------------------------------------------------------------


def test_heads_are_read_out_of_kept_mails(played, tmp_path):
    kept = tmp_path / "kept"
    kept.mkdir()
    with books.of_ledger(played, "jade") as book:
        lines = {line.hash.hex() for line in book.lines()}
        head = list(book.lines())[-1].hash.hex()
    body = json.dumps({"game": "jade", "head": head}).encode()
    raw = b"Subject: [jade] Turn 4\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n"
    raw += b"Content-Type: text/plain\r\n\r\nLedger head: nothing here\r\n--b\r\nContent-Type: application/json\r\n"
    raw += b'Content-Disposition: attachment; filename="report.json"\r\n\r\n' + body + b"\r\n--b--\r\n"
    (kept / "one.eml").write_bytes(raw)
    plain = f"Subject: [amber] Turn 2\r\n\r\nDigest {'00' * 32}\r\nT\xeate du registre :\r\n{'ab' * 32}\r\n"
    (kept / "below").mkdir()
    (kept / "below" / "two.eml").write_bytes(plain.encode("latin-1"))
    (kept / "other.eml").write_bytes(b"Subject: lunch\r\n\r\nat noon\r\n")
    (kept / "broken.eml").write_bytes(b"\xff\x00" * 9)
    found = witnesses.heads_of(witnesses.in_folder(kept, ()))
    assert not any(one.proves for one in found), "anybody can have written them"
    assert {(one.game, one.head) for one in found} == {("jade", head), ("amber", "ab" * 32)}
    assert head in lines
    mails = witnesses.in_folder(kept, ())
    of_amber = witnesses.of_game(mails, "amber", kept)
    assert [one.head for one in witnesses.heads_of(of_amber, "amber")] == ["ab" * 32]
    with pytest.raises(Trouble, match=r"No mail in .* is of coral; they are of amber, jade\."):
        witnesses.of_game(mails, "coral", kept)  # to compare with nothing would look like proof
    with pytest.raises(Trouble, match=r"No mail in .* is signed or holds a head"):
        witnesses.in_folder(tmp_path / "kept" / "nowhere", ())


def test_g36_a_rewritten_history_is_found_by_the_mails_that_one_player_kept(played, tmp_path):
    with books.of_ledger(played, "amber") as book:
        k = next(line.seq for line in book.lines(("submission",)))
        line = next(line for line in book.lines(("turn",)) if line.seq > k)
    (tmp_path / "mail.eml").write_bytes(signed_mail("amber", line.hash.hex()))
    heads = witnesses.heads_of(witnesses.in_folder(tmp_path, [SIGNER.key]), "amber")
    with books.of_ledger(played, "amber") as book:
        assert verify(book, heads).ok
    rewrite(played.path, "amber", lambda facts, seq, kind: facts | {"say": "never"} if seq == k else None)
    with books.of_ledger(played, "amber") as book:
        assert "was mailed and is not in this history" in verify(book, heads).fault
        assert verify(book).ok  # seen red: without the mail nobody can tell
    (tmp_path / "mail.eml").write_bytes(mail_with("amber", line.hash.hex()))
    heads = witnesses.heads_of(witnesses.in_folder(tmp_path, [SIGNER.key]), "amber")
    with books.of_ledger(played, "amber") as book:
        found = verify(book, heads)
    assert (found.ok, found.whole) == (True, False), "a mail without a signature accuses nobody"
    assert "proves nothing" in found.unplayed


def test_a_digest_is_a_witness_for_each_of_its_games(tmp_path):
    raw = (
        b"Subject: [my-host] 2 letters\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n"
    )
    raw += f"Content-Type: text/plain\r\n\r\nLedger head: {'ab' * 32}\r\n".encode()
    for number, (game, head) in enumerate((("jade", "cd" * 32), ("amber", "ab" * 32)), 1):
        name = f"{number:02d}-{game}-report.json"
        raw += f'--b\r\nContent-Disposition: attachment; filename="{name}"\r\n\r\n'.encode()
        raw += json.dumps({"game": game, "head": head, "turn": 4}).encode() + b"\r\n"
    (tmp_path / "digest.eml").write_bytes(raw + b"--b--\r\n")
    assert {(one.game, one.head, one.turn) for one in witnesses.heads_of(witnesses.in_folder(tmp_path, ()))} == {
        ("jade", "cd" * 32, 4), ("amber", "ab" * 32, 4),
    }  # fmt: skip


def test_what_the_mails_vouch_for_is_said_and_the_mail_that_does_not_fit_is_named(played):
    with books.of_ledger(played, "amber") as book:
        turns = [line for line in book.lines(("turn",)) if line.content.turn]
    kept = [Witness(line.hash.hex(), "amber", f"{line.content.turn}.eml", line.content.turn + 1) for line in turns[:4]]
    with books.of_ledger(played, "amber") as book:
        found = verify(book, kept)
    assert (found.heads, found.vouched) == (4, turns[3].seq)
    assert f"4 mailed heads stand in it, the last of them that of row {turns[3].seq}: rows 1 to" in found.notes[-1]
    k = turns[1].seq + 1
    rewrite(played.path, "amber", lambda facts, seq, kind: facts | {"say": "never"} if seq == k else None)
    with books.of_ledger(played, "amber") as book:
        fault = verify(book, kept[::-1]).fault
    assert f"The head {kept[2].head} of 3.eml, about decision 4, was mailed and is not in this history" in fault
    assert f"of amber: rows 1 to {turns[1].seq} are what they were, and what followed was rewritten" in fault


def test_a_row_that_does_not_follow_and_a_head_that_is_missing_are_both_told(played):
    with books.of_ledger(played, "amber") as book:
        k = next(line.seq for line in book.lines(("submission",)))
        head = Witness(book.line(k + 3).hash.hex())

    def changed(facts, seq, kind):
        return facts | {"counter": 7} if seq == k else None

    rewrite(played.path, "amber", changed)
    with books.of_ledger(played, "amber") as book:
        found = verify(book, [head])
    assert found.row == k
    assert "was mailed and is not in this history" in found.notes[-1]
