"""Pictures that the ledger keeps for mails: one that the disk has damaged is found."""

import zlib

import pytest

from pbem.audit.verify import verify_ledger
from pbem.care import doctor
from pbem.ledger import sound
from pbem.ledger.tables import PICTURE
from tests.pbem.audit.forging import edit


def part(kind, data):
    return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")


# Noise, so that it takes several pages of the file.
NOISE = bytes(x * x % 251 ^ x * 7 % 253 for x in range(40_000))
WHOLE = sound.PNG + part(b"IHDR", bytes(13)) + part(b"IDAT", NOISE) + part(b"IEND", b"")


@pytest.fixture
def pictured(played):
    with played.write() as tx:
        tx.add(PICTURE, {"sha256": "ab" * 32, "png": WHOLE})
    return played


def of_the_file(ledger):
    return next(iter(verify_ledger(ledger))).fault


def zeroed(ledger):
    """One page in the middle of the picture lies empty on the disk."""
    with ledger.read() as tx:
        assert next(sound.picture_faults(tx), None) is None
    ledger.compact()
    data = bytearray(ledger.path.read_bytes())
    at = data.index(NOISE[20_000:20_100]) // 4096 * 4096
    data[at + 4 : at + 4096] = bytes(4092)  # the link to the next page stays, so that SQLite finds nothing
    ledger.path.write_bytes(bytes(data))


def test_a_zeroed_page_of_a_picture_is_found(pictured):
    assert of_the_file(pictured) is None
    zeroed(pictured)
    with pictured.read() as tx:
        assert list(sound.file_faults(tx)) == []  # SQLite does not see it
    assert of_the_file(pictured) == "The picture abababababab that mails carry is damaged: it is no whole PNG."


def test_the_doctor_finds_it_too(pictured):
    zeroed(pictured)
    with pictured.read() as tx:
        assert "picture abababababab" in next(sound.all_faults(tx)).text
    assert doctor.sound is sound


@pytest.mark.parametrize("png", ["x''", "x'89504e47'", "substr(png, 1, 5000)", "CAST(png AS TEXT)", "png || x'00'"])
def test_what_is_no_whole_picture_is_found(pictured, png):
    edit(pictured.path, f"UPDATE picture SET png = {png}")
    assert "no whole PNG" in of_the_file(pictured)


def test_weakened_without_the_checksums_nobody_sees_it(pictured, monkeypatch):
    """Seen red: the same page, where nobody looks at the pictures."""
    zeroed(pictured)
    monkeypatch.setattr(sound, "picture_faults", lambda tx: iter(()))
    assert all(verdict.ok for verdict in verify_ledger(pictured))
