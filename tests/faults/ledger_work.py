"""What the fault tests let a host do to a ledger: letters, nights, mailed heads, a backup; and what must then hold."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from pbem.errors import Trouble
from pbem.ledger import backup, connect, letters, mailed, outbox, sound
from pbem.ledger.chain import HOST
from pbem.ledger.mailed import heads_file, known
from pbem.ledger.store import Ledger
from tests.pbem import hosted

Ack = Callable[[str], None]
AT = datetime(2026, 11, 18, 20, tzinfo=UTC)


def letter(number: int) -> bytes:
    return b"letter %d\n" % number + bytes((number * 7 + i) % 256 for i in range(number * 400 % 9000))


def work(folder: Path, ack: Ack, *, count: int = 12, settings: dict[str, tuple[str, object]] | None = None) -> None:
    """Make a ledger, store letters one by one, work a night now and then, and take a backup; `ack` whatever is done."""
    connect.SETTINGS.update({"wal_autocheckpoint": ("12", 12)} | (settings or {}))
    ledger = Ledger.create(folder / "ledger.db", secret=hosted.key("host"))
    ack("created")
    for number in range(count):
        with ledger.write() as tx:
            letters.arrive(tx, letter(number), AT, "drop", f"<{number}>")
        ack(f"letter {number}")
        if number % 4 == 3:
            _night(ledger, number, ack)
        if number == count // 2:
            ledger.close()  # the log is folded in and removed, and made anew
            ledger = Ledger.open(folder / "ledger.db")
    backup.backup(folder / "ledger.db", folder / "copy.db")
    ack("backup")
    ledger.close()


def _night(ledger: Ledger, number: int, ack: Ack) -> None:
    with ledger.write() as tx:
        outbox.post(tx, HOST, None, "notice", f"<mail {number}>", letter(number), AT, AT)
    mailed.note(ledger, [HOST])
    ack(f"noted {number}")


def whole(folder: Path, acks: list[str]) -> str | None:
    """What is wrong with the folder after a cut, given what had been acknowledged; None: nothing is."""
    try:
        return _wrong(folder, acks)
    except Trouble as trouble:
        return f"{type(trouble).__name__} after {len(acks)} acknowledgements" if acks else _begun_again(folder)


def _begun_again(folder: Path) -> str | None:
    """Nothing was acknowledged, so the set-up may have to be done again; that must work."""
    for path in folder.glob("ledger.db*"):
        path.unlink()
    Ledger.create(folder / "ledger.db").close()
    return None


def _wrong(folder: Path, acks: list[str]) -> str | None:
    ledger = Ledger.open(folder / "ledger.db")
    told = [int(ack.split()[1]) for ack in acks if ack.startswith("letter")]
    try:
        with ledger.read() as tx:
            fault = next(sound.all_faults(tx), None)
            if fault is not None:
                return f"corrupt: {fault.text}"
            held = sum(letters.counts(tx).values())
            if held not in (len(told), len(told) + 1):
                return "an acknowledged letter is lost" if held < len(told) else "a letter was invented"
            for number in told:
                if letters.fate(tx, hosted.hashlib.sha256(letter(number)).hexdigest(), f"<{number}>") != "waiting":
                    return "an acknowledged letter is lost"
        mailed.guard(ledger)
        if any(ack.startswith("noted") for ack in acks) and HOST not in known(heads_file(ledger)):
            return "a head that was noted is lost"
    finally:
        ledger.close()
    if "backup" in acks:
        backup.check_copy(folder / "copy.db")
    return None
