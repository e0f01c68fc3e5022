"""Times and bytes go into the ledger in one form, come out equal, and nothing damaged comes out at all."""

import hashlib
import zlib
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone

import pytest

from pbem.ledger import packing
from pbem.ledger.packing import Sealed, keep, pack, unpack
from pbem.ledger.seals import Seal
from pbem.ledger.times import moment, stamp

PARIS = timezone(timedelta(hours=1))


def test_an_instant_has_one_text():
    assert stamp(datetime(2026, 11, 18, 21, tzinfo=PARIS)) == "2026-11-18T20:00:00Z"
    assert moment("2026-11-18T20:00:00Z") == datetime(2026, 11, 18, 20, tzinfo=UTC)


@pytest.mark.parametrize(
    "at",
    [
        datetime(2026, 11, 18, tzinfo=UTC).replace(tzinfo=None),
        datetime(2026, 1, 1, microsecond=1, tzinfo=UTC),
        datetime(9, 1, 1, tzinfo=UTC),
    ],
)
def test_what_could_not_be_read_back_is_refused(at):
    with pytest.raises(ValueError):
        stamp(at)


@pytest.mark.parametrize("text", [
    "2026-11-18 20:00:00Z", "2026-11-18T20:00:00", "2026-11-18T20:00:00+00:00", "2026-11-18T2:00:00Z",
    "2026-11-18T20:00:00z", " 2026-11-18T20:00:00Z", "2026-11-18T20:00:60Z", "",
])  # fmt: skip
def test_another_spelling_of_a_time_is_refused(text):
    with pytest.raises(ValueError):
        moment(text)


@pytest.mark.parametrize("data", [b"", b"x", b"a line\n" * 40, bytes(range(256)) * 3, b"\0" * 100_000])
def test_bytes_come_back(data):
    assert unpack(pack(data)) == data


@pytest.mark.parametrize("data", [b"", b"x", b"a line\n" * 40, bytes(range(256)) * 300])
def test_what_was_packed_here_can_be_read_elsewhere_and_the_other_way_round(data, monkeypatch):
    """A ledger goes from a machine with ISA-L to one without it, and back."""
    here = pack(data)
    monkeypatch.setattr(packing, "compress", zlib.compress)
    there = pack(data)
    assert unpack(here) == unpack(there) == data
    for stored in (here, there):
        if stored[:1] == b"z":
            assert zlib.decompress(stored[5:]) == data  # by the standard library alone


def test_long_text_is_kept_short():
    assert len(pack(b"jade-river: red fortifies HU\n" * 1000)) < 1000


@pytest.mark.parametrize("data", [b"", b"short", b"jade-river: red fortifies HU\n" * 1000])
def test_what_was_packed_beforehand_is_stored_as_if_it_were_packed_now(data: bytes) -> None:
    kept, seal = keep(data), Seal("0a1b2c3d", bytes(range(64)))
    assert pack(kept.stored) == pack(data)
    assert seal.data("jade", kept.stored) == seal.data("jade", data)
    assert kept.sha256 == hashlib.sha256(data).hexdigest()


def test_every_changed_bit_of_packed_bytes_is_seen():  # a zlib stream alone has bits that mean nothing
    stored = pack(b"the same words over and over, " * 20)
    for bit in range(len(stored) * 8):
        changed = bytearray(stored)
        changed[bit // 8] ^= 1 << bit % 8
        with suppress(ValueError):
            assert unpack(bytes(changed)) != unpack(stored)


def test_what_does_not_shrink_is_kept_raw():
    noise = b"".join(hashlib.sha256(bytes([n])).digest() for n in range(100))
    assert pack(noise) == b"r" + noise


def test_what_compression_does_not_make_shorter_is_kept_raw(monkeypatch):
    monkeypatch.setattr(packing, "compress", lambda data, level: data)
    assert pack(b"x" * 1000) == b"r" + b"x" * 1000


@pytest.mark.parametrize(("length", "codec"), [(0, b"r"), (199, b"r"), (200, b"z"), (201, b"z")])
def test_from_200_bytes_on_compression_is_worth_while(length, codec):
    assert pack(b"x" * length)[:1] == codec


@pytest.mark.parametrize("chain", ["", "jade", "x" * 255])
def test_sealed_bytes_name_their_key_and_their_chain(chain):
    head = bytes.fromhex("0a1b2c3d") + bytes([len(chain)]) + chain.encode()
    sealed = Sealed(head + b"0123456789abcdef")
    assert (sealed.id, sealed.chain, sealed.head) == ("0a1b2c3d", chain, head)
    assert [Sealed.fits(sealed[:length]) for length in range(len(sealed) + 1)] == [False] * len(sealed) + [True]


@pytest.mark.parametrize(
    "stored", [b"", b"q123", b"z", b"z\0\0\0\0x", b"z" + zlib.crc32(b"junk").to_bytes(4, "big") + b"junk"]
)
def test_damaged_bytes_are_refused(stored):
    with pytest.raises(ValueError):
        unpack(stored)
