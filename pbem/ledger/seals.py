"""Seals: orders that wait, letters and mails lie encrypted in the ledger, under a key that is kept in a file beside it.

Who has a copy of the ledger, or opens it with another program, reads no order that is not yet played. The key file is
no part of backups, so neither does who has one of those. Who may read both files can open everything: what that would
need is a program of his own, since ours write down every look.

Each chain has a key of its own, made of the one in the file; a game's is revealed at its end, with the seed, so that
its history needs the file no more. AES-SIV (RFC 5297, by the library `cryptography`) has no nonces to be used twice: a
night that is run again writes the same bytes, and so does a ledger that was put back from a copy.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
from base64 import b64decode, b64encode
from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from engine.canon import canonical
from pbem.errors import CannotGoOn, Trouble
from pbem.ledger import packing
from pbem.sharing import open_private
from pbem.syncing import sync_folder

SUFFIX = ".key"  # of the file beside the ledger
MARK = "sealed"
LETTERS = "@letters"  # letters are sealed before anybody knows whose they are
EVEN = 128  # texts are filled up to so many letters, so that their length does not tell how many orders there are
AT_HAND = 256  # chains whose keys a process has at hand: those of the games that it is at


class Seal(NamedTuple):
    """The key of one chain, and the name of the file's key that it was made of."""

    id: str
    key: bytes

    def text(self, chain: str, label: str, value: Any) -> str:
        """A value, sealed; the label says what it is, and is bound to it."""
        words = canonical(value)
        head = f"{MARK}:{self.id}:{chain}:{label}:"
        filled = words + b" " * (-len(words) % EVEN)
        return head + b64encode(_cipher(self.key).encrypt(filled, [head.encode()])).decode()

    def data(self, chain: str, raw: bytes) -> packing.Sealed:
        """Bytes, packed and then sealed."""
        name = chain.encode()
        head = bytes.fromhex(self.id) + bytes([len(name)]) + name
        return packing.Sealed(head + _cipher(self.key).encrypt(packing.pack(raw), [head]))

    def to_json(self) -> dict[str, str]:
        return {"id": self.id, "key": self.key.hex()}


def bytes_opened(sealed: packing.Sealed, key: bytes) -> bytes:
    """What `Seal.data` was given."""
    return packing.unpack(_decrypted(key, bytes(sealed[len(sealed.head) :]), [sealed.head]))


class KeyLost(CannotGoOn):
    """Something is sealed, and the key is not where it was."""

    def __init__(self, chain: str, id: str, path: Path | None) -> None:
        where = f" in {path}" if path else ""
        super().__init__(
            f"What is sealed of {chain} cannot be opened: the key {id} is not{where}. Put the key file back from where "
            "you keep a copy of it; if there is none, see `pbem doctor --help` on --new-key."
        )


class Broken(Trouble):
    """The key is there, and what was sealed was changed."""


class Keys:
    """The keys of the file beside a ledger; the last one seals, all of them open."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.opened: dict[bytes, tuple[str, bytes]] = {}  # secrets by what is stored (`pbem.ledger.chain_secrets`)
        self.fit = False  # whether they were seen to be those of the ledger they lie beside (`pbem.ledger.own_key`)

    @cached_property
    def _known(self) -> dict[str, bytes]:
        """Each key by its name, in the order of the file; none where there is no file."""
        if self.path is None or not self.path.is_file():
            return {}
        try:
            keys = [bytes.fromhex(line) for line in self.path.read_text("ascii").split("\n") if line.strip()]
        except OSError as error:
            raise Trouble(f"The key file {self.path} cannot be read ({error.strerror}).") from None
        except ValueError:
            keys = [b""]
        if any(len(key) != 32 for key in keys):
            raise Trouble(
                f"The key file {self.path} is damaged: each line has 64 hexadecimal digits. Put your copy of it back."
            )
        return {_name(key): key for key in keys}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._known)

    def seal(self, chain: str) -> Seal | None:
        """What seals on that chain now; None where there is no key."""
        if not self._known:
            return None
        id, key = list(self._known.items())[-1]
        return Seal(id, _of_chain(key, chain))

    def signing(self) -> bytes | None:
        """What the key that signs mails is made of: the newest one of the file; None where there is no file."""
        return hmac.digest(list(self._known.values())[-1], b"mail signature", "sha256") if self._known else None

    def key(self, id: str, chain: str) -> bytes | None:
        """What opens what was sealed on that chain under the key of that name."""
        key = self._known.get(id)
        return None if key is None else _of_chain(key, chain)


def key_file(path: Path, secret: bytes | None = None) -> Path:
    """Write a new key to the end of the file, which only its owner may read. Tests that want it twice name a secret."""
    key = os.urandom(32) if secret is None else hmac.digest(secret, b"orders", "sha256")
    handle = open_private(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
    try:
        os.write(handle, key.hex().encode() + b"\n")
        os.fsync(handle)
    finally:
        os.close(handle)
    sync_folder(path.parent)  # what is sealed must not outlive the name of its key
    return path


def is_sealed(value: Any) -> bool:
    """Whether that is a text made by `Seal.text`."""
    return isinstance(value, str) and value.startswith(f"{MARK}:")


class Sealed(NamedTuple):
    """A sealed text, taken apart."""

    id: str
    chain: str
    label: str
    head: str
    words: bytes

    def opened(self, key: bytes) -> Any:
        return json.loads(_decrypted(key, self.words, [self.head.encode()]))


def apart(text: str) -> Sealed:
    """The parts of a sealed text."""
    _, id, chain, label, words = text.split(":")
    return Sealed(id, chain, label, text[: len(text) - len(words)], b64decode(words))


def hidden(
    seal: Seal | None, chain: str, label: str, body: Mapping[str, Any], names: tuple[str, ...]
) -> dict[str, Any]:
    """A row's body with what stands under these names sealed, all of it together; as it is without a seal."""
    if seal is None:
        return dict(body)
    rest = {name: value for name, value in body.items() if name not in names}
    return rest | {MARK: seal.text(chain, label, {name: body[name] for name in names if name in body})}


def shown(body: Mapping[str, Any], key: bytes) -> dict[str, Any]:
    """A row's body as it was before `hidden`."""
    rest = {name: value for name, value in body.items() if name != MARK}
    return rest | (apart(body[MARK]).opened(key) if MARK in body else {})


def _name(key: bytes) -> str:
    return hashlib.sha256(b"pbem key\0" + key).digest()[:4].hex()


@lru_cache(AT_HAND)
def _of_chain(key: bytes, chain: str) -> bytes:
    return hmac.digest(key, b"seal\0" + chain.encode(), "sha512")  # AES-256-SIV takes two keys of 32 bytes


@lru_cache(AT_HAND)
def _cipher(key: bytes) -> Any:
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV  # here: most commands seal nothing

    return AESSIV(key)


def _decrypted(key: bytes, words: bytes, bound: list[bytes]) -> bytes:
    from cryptography.exceptions import InvalidTag

    try:
        raw: bytes = _cipher(key).decrypt(words, bound)
    except InvalidTag:
        raise Broken("Something that was sealed was changed, or its key is another one; restore a backup.") from None
    return raw
