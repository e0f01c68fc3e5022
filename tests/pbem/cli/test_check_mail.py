"""A receipt as evidence: a real one, one that its player changed, and one whose host rewrote its ledger."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
import subprocess
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest

from pbem import signature
from pbem.audit import mails, witnesses
from pbem.audit.witnesses import Witness
from pbem.clock import read_instant
from pbem.ledger.forgetting import empty
from pbem.ledger.seals import key_file
from pbem.ledger.store import Ledger
from tests.pbem.audit.forging import rewrite
from tests.pbem.cli.desk import BEGINS, DEADLINE, LATER, NEXT_DAY, Desk

PYTHON = shutil.which("python3", path="/usr/bin:/usr/local/bin")
GAME, ORDER, OTHER = "hill", b"place c3", b"place d4"
HEAD = rb'"head":"[0-9a-f]{64}"'


@pytest.fixture
def host(desk: Desk) -> Desk:
    """Anna has ordered by mail in a game of Bagh Chal, and has her receipt."""
    drawn = ("--seed", "00" * 32)  # by which seat 1 has the goats, and begins
    desk("new", "bagh-chal", "--name", GAME, "--seat", "1=Anna", "--seat", "2=Bruno", *drawn, "--now", BEGINS)
    desk("deliver", "--now", BEGINS)
    comes(desk, order_of(desk))
    desk("deliver", "--now", LATER)
    return desk


def comes(desk: Desk, raw: bytes) -> None:
    """A mail lies in the host's Maildir, and is fetched."""
    settings = desk.folder / "pbem.toml"
    if "/box" not in settings.read_text():
        settings.write_text(settings.read_text().replace("[mail]", f'[mail]\nmaildir = "{desk.folder}/box"', 1))
    for name in ("new", "cur", "tmp"):
        (desk.folder / "box" / name).mkdir(parents=True, exist_ok=True)
    (desk.folder / "box" / "new" / f"{hashlib.sha256(raw).hexdigest()}.test").write_bytes(raw)
    desk("fetch", "--now", LATER)


def order_of(desk: Desk) -> bytes:
    """Anna's answer to her report, as her mail program writes it."""
    lines = [line for line in desk.form("1", game=GAME).splitlines() if not line.startswith(("#", "  - "))]
    body = "\n".join(lines).replace("orders:\n", f"orders:\n  - {ORDER.decode()}\n")
    head = "From: Anna <anna@example.org>\nTo: orders@localhost\nSubject: Re: [hill]\nMessage-ID: <1@example.org>\n"
    return f"{head}Date: Wed, 18 Nov 2026 14:00:00 +0000\n\n{body}\n".encode()


def receipt(desk: Desk) -> Path:
    """The file of Anna's receipt, as it left."""
    files = sorted((desk.folder / "outbox" / "mail").glob("*.eml"))
    [found] = [path for path in files if message_from_bytes(path.read_bytes())["X-Pbem-Kind"] == "receipt-1"]
    return found


def public_key(desk: Desk) -> str:
    """The host's key as Anna's first report tells it."""
    text = (desk.folder / "outbox" / GAME / "1" / "turn-0001-report.txt").read_text()
    [found] = re.findall(r"^This host signs its mails\. Its public key:\s+(ed25519:\S+)$", text, re.M)
    return found


def kept(desk: Desk, *raws: bytes) -> Path:
    """A folder of mails beside the host."""
    folder = desk.folder.parent / "kept"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for number, raw in enumerate(raws):
        (folder / f"{number}.eml").write_bytes(raw)
    return folder


def forged(raw: bytes) -> bytes:
    """The receipt with another order in it, and another Message-ID."""
    mail = changed(raw, ORDER, OTHER)
    name = mail["Message-ID"]
    mail.replace_header("Message-ID", f"<0{name[1:]}")
    return mail.as_bytes()


def changed(raw: bytes, old: bytes, new: bytes) -> Message:
    """The mail with other words in all its texts."""
    mail, times = message_from_bytes(raw), 0
    for part in mail.walk():
        data = part.get_payload(decode=True)
        if isinstance(data, bytes) and re.search(old, data):
            del part["Content-Transfer-Encoding"]
            part["Content-Transfer-Encoding"] = "base64"
            part.set_payload(base64.encodebytes(re.sub(old, new, data)).decode("ascii"))
            times += 1
    assert times
    return mail


def unsigned(raw: bytes) -> bytes:
    return raw[raw.index(b"Message-ID: ") :]


def rewritten(desk: Desk) -> str:
    """The host takes back what Anna ordered, and hashes its whole history anew; gives its new head."""

    def change(facts: dict[str, object], seq: int, kind: str) -> dict[str, object] | None:
        return {**facts, "say": "never"} if kind == "submission" else None

    return rewrite(desk.folder / "ledger.db", GAME, change)


def test_a_real_receipt_is_genuine_for_everybody(host: Desk, tmp_path: Path) -> None:
    path, key = receipt(host), public_key(host)
    said = host("audit", "check-mail", path).out
    assert said.startswith(f"{path.name}: genuine. The host signed it; row "), said
    found = host.data("audit", "check-mail", path)
    assert (found["verdict"], found["game"], found["seat"], found["turn"]) == ("genuine", GAME, "1", 1)
    host("audit", "export", GAME, tmp_path / "hill.pbem", "--referee", "--now", LATER)
    stranger = tmp_path / "elsewhere"
    stranger.mkdir()
    host.go(stranger)  # no host, no ledger
    assert "genuine" in host("audit", "check-mail", path, "--key", key).out
    assert "genuine" in host("audit", "check-mail", path, "--export", tmp_path / "hill.pbem").out
    host.go(host.folder)
    for name in (GAME, "--all"):
        said = host("audit", "verify", name, "--mails", kept(host, path.read_bytes())).out
        assert "Of 1 kept mails 1 mails are genuine." in said


@pytest.mark.skipif(PYTHON is None, reason="python3 of the system is missing")
def test_an_export_checks_a_mail_with_nothing_but_python(host: Desk, tmp_path: Path) -> None:
    def bare(*args: object) -> tuple[int, str]:
        command = [str(PYTHON), "-I", *map(str, args)]
        done = subprocess.run(command, capture_output=True, text=True, cwd="/", env={}, check=False)
        assert done.stderr == ""
        return done.returncode, done.stdout

    path, export = receipt(host), tmp_path / "hill.pbem"
    host("audit", "export", GAME, export, "--referee", "--now", LATER)
    code, said = bare(export, "mail", path)
    assert (code, "genuine." in said, "of this history names it." in said) == (0, True, True), said
    bad = kept(host, forged(path.read_bytes()), unsigned(path.read_bytes()))
    code, said = bare(export, "mail", bad / "0.eml")
    assert (code, said.startswith("ALTERED."), "the text differs" in said) == (1, True, True)
    assert bare(export, "mail", bad / "1.eml")[0] == 5
    rewritten(host)
    (tmp_path / "false.pbem").unlink(missing_ok=True)
    host("audit", "export", GAME, tmp_path / "false.pbem", "--referee", "--now", LATER)
    code, said = bare(tmp_path / "false.pbem", "mail", path)
    assert (code, said.startswith("THE HOST'S FAULT.")) == (1, True), said
    code, said = bare(signature.__file__, path, public_key(host))
    assert (code, said.startswith("genuine.")) == (0, True)


def test_a_changed_receipt_is_altered_and_accuses_nobody(host: Desk) -> None:
    raw = receipt(host).read_bytes()
    folder = kept(host, forged(raw))
    for more in ((), ("--key", public_key(host))):
        said = host("audit", "check-mail", folder / "0.eml", *more, code=1).out
        assert said.startswith("0.eml: ALTERED. It is not as the host signed it: "), said
        assert "the text differs" in said
        assert "the Message-ID differs" in said
    for name in (GAME, "--all"):
        said = host("audit", "verify", name, "--mails", folder, code=5).out
        assert "NOT TRUE" not in said, "an honest host is not accused"
        assert "1 of 1 kept mails prove nothing" in said


def test_a_receipt_that_anybody_could_have_written_accuses_nobody(host: Desk) -> None:
    """Seen red: the chain head in it, any 64 digits, made the history of an honest host "not true"."""
    raw = unsigned(forged(receipt(host).read_bytes()))
    raw = changed(raw, HEAD, b'"head":"' + b"ab" * 32 + b'"').as_bytes()
    folder = kept(host, raw)
    said = host("audit", "check-mail", folder / "0.eml", code=5).out
    assert (
        said == "0.eml: not signed. It proves nothing: it has no signature, and this ledger has no mail of that id.\n"
    )
    for name in (GAME, "--all"):
        said = host("audit", "verify", name, "--mails", folder, code=5).out
        assert "NOT TRUE" not in said
        assert "proves nothing" in said


def test_a_host_that_rewrote_its_ledger_is_accused_by_the_mail_that_it_signed(host: Desk) -> None:
    path = receipt(host)
    folder = kept(host, path.read_bytes())
    rewritten(host)
    assert "NOT TRUE" not in host("audit", "verify", GAME, code=0).out, "by itself it looks true"
    said = host("audit", "verify", GAME, "--mails", folder, code=1).out
    assert f"{GAME}: NOT TRUE. The head " in said
    found = host.data("audit", "check-mail", path, code=1)
    assert found["verdict"] == "host_fault"
    assert "The host signed the head" in found["says"]
    assert host.data("audit", "check-mail", path, "--key", public_key(host))["verdict"] == "genuine"


def test_a_host_that_struck_the_receipt_out_is_accused_even_by_a_changed_copy(host: Desk) -> None:
    path = receipt(host)
    found = host.data("audit", "check-mail", path)

    def change(facts: dict[str, object], seq: int, kind: str) -> dict[str, object] | None:
        return {**facts, "sha256": "00" * 32} if seq == found["row"] else None

    rewrite(host.folder / "ledger.db", GAME, change)
    for raw in (path.read_bytes(), forged(path.read_bytes())):
        folder = kept(host, raw)
        found = host.data("audit", "check-mail", folder / "0.eml", code=1)
        assert found["verdict"] == "host_fault"
        assert "of this ledger names another mail under that id" in found["says"]
    assert "was changed since: " in found["says"]


def test_a_host_that_changed_its_key_too_is_accused_by_the_key_in_the_first_report(host: Desk) -> None:
    path, key = receipt(host), public_key(host)
    folder = kept(host, path.read_bytes())
    other = host.folder / "ledger.key"
    other.write_text("")
    key_file(other)
    rewrite(
        host.folder / "ledger.db", "@host", lambda facts, seq, kind: {"key": "x"} if kind == "signing_key" else None
    )
    host("doctor", "--rebuild", "--now", LATER, code=1)
    found = host.data("audit", "check-mail", path, code=1)
    assert (found["verdict"], "with --key" in found["says"]) == ("not_ours", True)
    rewritten(host)
    said = host("audit", "verify", GAME, "--mails", folder, "--key", key, code=1).out
    assert "NOT TRUE" in said


def test_a_mail_of_a_game_that_the_ledger_does_not_have(host: Desk) -> None:
    path, key = receipt(host), public_key(host)
    folder = kept(host, path.read_bytes())
    elsewhere = host.folder.parent / "young"
    host("init", elsewhere)
    said = host("--config", elsewhere, "audit", "verify", "--all", "--mails", folder, "--key", key, code=1).out
    assert f"of {GAME}, and this ledger has no such game." in said
    said = host("--config", elsewhere, "audit", "verify", "--all", "--mails", folder, code=5).out
    assert "NOT TRUE" not in said


def test_an_unsigned_mail_of_before_is_compared_and_proves_nothing(host: Desk) -> None:
    raw = unsigned(receipt(host).read_bytes())
    folder = kept(host, raw, changed(raw, ORDER, OTHER).as_bytes())
    found = host.data("audit", "check-mail", folder / "0.eml", code=5)
    assert (found["verdict"], found["same"], "holds the same mail" in found["says"]) == ("unsigned", True, True)
    found = host.data("audit", "check-mail", folder / "1.eml", code=5)
    assert found["same"] is False
    assert "holds another mail under that id: " in found["says"]
    assert "the text differs" in found["says"]
    said = host("audit", "verify", GAME, "--mails", folder, code=5).out
    assert "1 of 2 kept mails prove nothing" in said
    assert "Of 2 kept mails 1 unsigned ones match." in said
    assert "Of 1 kept mails 1 unsigned ones match." in host("audit", "verify", GAME, "--mails", kept(host, raw)).out


def test_reports_sent_again_and_digests_are_signed(host: Desk) -> None:
    text = order_of(host).replace(b"<1@", b"<2@")
    head, _, _ = text.partition(b"\n\n")
    key = re.search(rb"^key: (\S+)$", text, re.M)
    assert key is not None
    host("player", "add", "Chiara", "chiara@example.org", "--digest", "--now", LATER)
    for name in ("one", "two"):
        host("new", "nim", "--name", name, "--seat", "1=Chiara", "--seat", "2=Bruno", "--now", LATER)
    comes(host, head + b"\n\nreport 1\n\n> key: " + key[1] + b"\n> game: hill\n> seat: 1\n> turn: 1\n")
    host("nightly", "--now", DEADLINE, "--jobs", "1")
    host("deliver", "--now", NEXT_DAY)
    kinds = set()
    for path in sorted((host.folder / "outbox" / "mail").glob("*.eml")):
        assert host.data("audit", "check-mail", path)["verdict"] == "genuine"
        kinds.add(str(message_from_bytes(path.read_bytes())["X-Pbem-Kind"]))
    assert {"report", "receipt-1", "digest"} <= kinds


def test_a_mail_whose_bytes_were_forgotten_is_still_known_by_its_hash(host: Desk) -> None:
    path = receipt(host)
    found = host.data("audit", "check-mail", path)
    ledger = Ledger.open(host.folder / "ledger.db")
    with ledger.write() as tx:
        held = mails.History(mails.LedgerBook(tx, GAME), "").rows[found["message_id"]]
        empty(tx, "nobody", [], [held[1]], read_instant(NEXT_DAY))
    ledger.close()
    found = host.data("audit", "check-mail", path)
    assert (found["verdict"], "its bytes are not there to compare" in found["says"]) == ("genuine", True)


def test_g49_weakened_heads_of_any_mail_count_as_before(host: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A build that takes a head out of any mail for evidence accuses the honest host again."""
    monkeypatch.setattr(witnesses, "Witness", lambda *args, **more: Witness(*args, **{**more, "proves": True}))
    raw = unsigned(receipt(host).read_bytes())
    raw = changed(raw, HEAD, b'"head":"' + b"ab" * 32 + b'"').as_bytes()
    assert "NOT TRUE" in host("audit", "verify", GAME, "--mails", kept(host, raw), code=1).out


@pytest.mark.parametrize("key", ["", "ed25519:", "ed25519:short", "x" * 51])
def test_what_is_no_key_is_refused(host: Desk, key: str) -> None:
    assert "is no public key" in host("audit", "check-mail", receipt(host), "--key", key, code=2).err


def test_what_is_no_mail(host: Desk, tmp_path: Path) -> None:
    path = tmp_path / "x.eml"
    for raw in (b"", b"\x00\x1b[2J", b"lunch at noon\n"):
        path.write_bytes(raw)
        said = host("audit", "check-mail", path, code=5).out
        assert "\x1b" not in said
