"""Ed25519 as anybody can verify it with Python alone, held against the standard and against `cryptography`."""

from __future__ import annotations

from random import Random

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from pbem import signature
from pbem.signature import ORDER, P, decompressed, verifies

# RFC 8032, 7.1: key, text, signature.
STANDARD = [
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24"
        "655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aee"
        "b00d291612bb0c00",
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28d"
        "c027beceea1ec40a",
    ),
]
# The eight points of small order, each as it must be written.
SMALL = [
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
]
# The same points and others, written in a second way.
SECOND = [
    "0100000000000000000000000000000000000000000000000000000000000080",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
]


def theirs(key: bytes, text: bytes, signed: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signed, text)
    except (InvalidSignature, ValueError):
        return False
    return True


@pytest.mark.parametrize(("key", "text", "signed"), STANDARD)
def test_the_examples_of_the_standard(key: str, text: str, signed: str) -> None:
    given = bytes.fromhex(key), bytes.fromhex(text), bytes.fromhex(signed)
    assert verifies(*given)
    assert theirs(*given)
    assert not verifies(given[0], given[1] + b"x", given[2])


def test_the_same_verdict_as_cryptography_on_signatures_and_on_changed_ones() -> None:
    source, held = Random(25519), 0
    for _ in range(150):
        secret = Ed25519PrivateKey.from_private_bytes(source.randbytes(32))
        key, text = secret.public_key().public_bytes_raw(), source.randbytes(source.randrange(200))
        whole = [key, text, secret.sign(text)]
        assert verifies(*whole)
        place = source.randrange(3)
        if whole[place]:
            bit = source.randrange(8 * len(whole[place]))
            changed = int.from_bytes(whole[place], "little") ^ 1 << bit
            whole[place] = changed.to_bytes(len(whole[place]), "little")
            held += 1
            assert verifies(*whole) is theirs(*whole) is False, (place, bit)
    assert held > 100


def test_a_signature_cannot_be_changed_into_another_one() -> None:
    """The number in it is taken modulo the order of the group by whoever forgets to look: then there are several."""
    secret = Ed25519PrivateKey.from_private_bytes(b"k" * 32)
    key, signed = secret.public_key().public_bytes_raw(), secret.sign(b"text")
    number = int.from_bytes(signed[32:], "little")
    assert verifies(key, b"text", signed)
    for more in range(1, 16):
        if (other := number + more * ORDER) < 1 << 256:
            assert not verifies(key, b"text", signed[:32] + other.to_bytes(32, "little")), more


def signed_by_nobody(key: bytes, text: bytes) -> bytes | None:
    """A signature under a key of small order, which needs no secret: [S]B, for some S that happens to fit the text."""
    for number in range(1, 65):
        point = signature._compressed(signature._times(number, signature.BASE))
        found = point + number.to_bytes(32, "little")
        if verifies(key, text, found):
            return found
    return None


@pytest.mark.parametrize("key", SMALL)
def test_no_key_of_small_order_signs_anything(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    point = decompressed(bytes.fromhex(key))
    assert point is not None
    assert signed_by_nobody(bytes.fromhex(key), b"text") is None
    monkeypatch.setattr(signature, "_is_neutral", lambda point: False)
    assert signed_by_nobody(bytes.fromhex(key), b"text") is not None, "weakened: without the look at its order"


@pytest.mark.parametrize("key", SECOND)
def test_a_point_that_is_not_written_as_it_must_be_is_none(key: str) -> None:
    assert decompressed(bytes.fromhex(key)) is None
    assert not verifies(bytes.fromhex(key), b"text", bytes(64))


def test_what_is_no_point_no_key_and_no_signature() -> None:
    secret = Ed25519PrivateKey.from_private_bytes(b"k" * 32)
    key, signed = secret.public_key().public_bytes_raw(), secret.sign(b"text")
    off = [
        number.to_bytes(32, "little") for number in range(2, 40) if decompressed(number.to_bytes(32, "little")) is None
    ]
    assert off, "half of all numbers are no point"
    assert not any(verifies(one, b"text", signed) for one in off)
    for length in (0, 31, 33):
        assert not verifies(key[:length].ljust(length, b"x"), b"text", signed)
    for length in (0, 63, 65):
        assert not verifies(key, b"text", signed[:length].ljust(length, b"x"))
    assert not verifies(key, b"text", bytes(64))
    assert not verifies(key, b"text", signed[:32] + ORDER.to_bytes(32, "little"))
    assert not verifies(key, b"text", P.to_bytes(32, "little") + signed[32:])


def test_keys_as_they_are_written() -> None:
    written = "ed25519:" + signature.text_of(bytes(range(32)))
    assert signature.is_key(written)
    assert signature.bytes_of(written.partition(":")[2]) == bytes(range(32))
    for wrong in ("", written[:-1], written + "A", written.upper(), written.partition(":")[2], written + "\n"):
        assert not signature.is_key(wrong), wrong
