"""G8: a restored host works the next night as the host it was copied from did, and an older one is held back."""

import shutil

import pytest

from pbem.audit.verify import verify_ledger
from pbem.ledger import backup, mailed, outbox
from pbem.ledger.mailed import heads_file
from pbem.ledger.troubles import OlderThanMailed
from tests.faults import a_host
from tests.faults.figures import counted


@pytest.fixture
def host(tmp_path):
    a_host.build(tmp_path / "host")
    return tmp_path / "host"


def sent(folder):
    mails = folder / "outbox" / "mail"
    return sorted(path.name for path in mails.glob("*.eml")) if mails.exists() else []


def test_g8_the_next_night_is_the_same_on_the_copy(host, tmp_path):
    copy = backup.backup(host / "ledger.db", tmp_path / "copy.db")
    other = tmp_path / "other"
    shutil.copytree(host, other, ignore=shutil.ignore_patterns("ledger.db*"))
    backup.restore(copy, other / "ledger.db")
    for folder in (host, other):
        a_host.night(folder)
    assert a_host.remains(other) == a_host.remains(host)
    assert sent(host)
    with a_host.opened(other) as (_, ledger):
        verdicts = list(verify_ledger(ledger))
    assert verdicts
    assert all(verdict.ok for verdict in verdicts)
    counted(len(verdicts), "chains of a restored ledger verified and played again")
    counted(len(sent(host)), "mails of the next night the same on the copy, to the byte")


def test_g8_after_a_night_an_older_copy_sends_nothing_until_the_referee_agrees(host, tmp_path):
    copy = backup.backup(host / "ledger.db", tmp_path / "copy.db")
    a_host.night(host)
    whole = a_host.remains(host)
    backup.restore(copy, host / "ledger.db")
    shutil.rmtree(host / "outbox")
    (host / "outbox").mkdir()
    with pytest.raises(OlderThanMailed, match="older than mails that have left"):
        a_host.night(host, a_host.LATER)
    assert sent(host) == []
    with a_host.opened(host) as (_, ledger):
        mailed.agree(ledger, a_host.LATER, "the disk died")
    for file in (host / "inbox" / "taken").iterdir():
        file.unlink()  # what the night had taken in is in the copy that died
    a_host.night(host, a_host.LATER)
    assert sent(host)
    assert a_host.remains(host) != whole


def test_g8_weakened_without_the_file_of_heads_an_older_copy_goes_out_again(host, tmp_path):
    """Seen red: it is that file which notices."""
    copy = backup.backup(host / "ledger.db", tmp_path / "copy.db")
    a_host.night(host)
    backup.restore(copy, host / "ledger.db")
    with a_host.opened(host) as (_, ledger):
        heads_file(ledger).unlink()
    a_host.night(host, a_host.LATER)
    with a_host.opened(host) as (_, ledger), ledger.read() as tx:
        assert {mail.state for mail in outbox.of_game(tx, "heaps")} == {"sent"}
