"""Encrypted backups, in the format of age (https://age-encryption.org/v1): the `age` tool opens them without pbem.

A copy is made and checked in a folder that only its owner may enter, beside where it will be, and encrypted from there.
The folder is removed however that ends; one that a dead process left is removed by the next backup.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from shutil import rmtree
from typing import Any

from pbem.errors import Trouble
from pbem.ledger.troubles import LedgerExists, NotWritten
from pbem.syncing import sync_folder

MAGIC = b"age-encryption.org/v1"
ROOM = ".pbem-backup-"
_room = re.compile(re.escape(ROOM) + r"(\d+)-")
LARGEST = 1 << 30  # bytes that a passphrase can encrypt: they pass through memory whole


def is_encrypted(path: Path) -> bool:
    """Return whether that file is one of age."""
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


@contextmanager
def private_room(folder: Path) -> Iterator[Path]:
    """Make a folder for clear copies that only its owner may enter, and remove it at the end with all that is in it."""
    for stale in folder.glob(f"{ROOM}*"):
        found = _room.match(stale.name)
        if found is not None and not _is_alive(int(found[1])):
            rmtree(stale, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=f"{ROOM}{os.getpid()}-", dir=folder) as room:
        yield Path(room)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


class Locks:
    """What a backup is encrypted with: public keys, or a passphrase."""

    def __init__(self, recipients: Sequence[str] = (), passphrase: Path | None = None) -> None:
        if recipients and passphrase is not None:
            raise Trouble("A file of age has public keys or a passphrase, not both; name one of them.")
        self._recipients = [one for text in recipients for one in _recipients(text)]
        self._words = None if passphrase is None else _passphrase(passphrase)

    def encrypt(self, clear: Path, target: Path) -> Path:
        """Encrypt a file to another one, which gets its name when it is whole and on the disk."""
        if target.exists():
            raise LedgerExists(f"There is a file {target} already; name another one.")
        part = target.with_name(f".{target.name}.part")
        try:
            handle = os.open(part, os.O_CREAT | os.O_TRUNC | os.O_WRONLY | os.O_CLOEXEC, 0o600)
            with clear.open("rb") as source, os.fdopen(handle, "wb") as file:
                self._write(source, file)
                file.flush()
                os.fsync(file.fileno())
            part.replace(target)
        except OSError as error:
            raise NotWritten(target, str(error)) from error
        finally:
            part.unlink(missing_ok=True)
        sync_folder(target.parent)
        return target

    def _write(self, source: Any, file: Any) -> None:
        age = _age()
        if self._words is None:
            age.encrypt_io(source, file, self._recipients)
            return
        if os.fstat(source.fileno()).st_size > LARGEST:
            raise Trouble("The ledger is too large for a passphrase; encrypt it to a public key (`age-keygen`).")
        file.write(age.passphrase.encrypt(source.read(), self._words))


class Opener:
    """What opens an encrypted backup: the file of a secret key, or of a passphrase."""

    def __init__(self, identity: Path | None = None, passphrase: Path | None = None) -> None:
        self.identity, self.passphrase = identity, passphrase

    @contextmanager
    def opened(self, copy: Path, folder: Path) -> Iterator[Path]:
        """Give a clear copy in a private room in that folder, for as long as it is needed. One that is not encrypted is
        given as it is."""
        if not is_encrypted(copy):
            yield copy
            return
        if (self.identity is None) == (self.passphrase is None):
            raise Trouble(f"{copy} is encrypted; name the file of its key with --identity, or with --passphrase.")
        with private_room(folder) as room:
            clear = room / copy.name.removesuffix(".age")
            self._open(copy, clear)
            yield clear

    def _open(self, copy: Path, clear: Path) -> None:
        age = _age()
        try:
            if self.passphrase is not None:
                clear.write_bytes(age.passphrase.decrypt(copy.read_bytes(), _passphrase(self.passphrase)))
                return
            assert self.identity is not None
            with copy.open("rb") as source, clear.open("wb") as file:
                age.decrypt_io(source, file, _identities(self.identity))
        except OSError as error:
            raise NotWritten(clear, str(error)) from error
        except age.DecryptError as error:
            raise Trouble(f"{copy} cannot be opened with that ({error}); it is for another key, or damaged.") from None


def _age() -> Any:
    try:
        return import_module("pyrage")
    except ImportError:
        raise Trouble("Encrypted backups need a library: `pip install 'pbem[backup]'`.") from None


def _recipients(text: str) -> Iterator[Any]:
    """Read a public key, or a file of them, one a line."""
    age = _age()
    lines = [text] if text.startswith(("age1", "ssh-")) else _lines(Path(text), "public keys")
    for line in lines:
        kind = age.ssh if line.startswith("ssh-") else age.x25519
        try:
            yield kind.Recipient.from_str(line)
        except age.RecipientError as error:
            raise Trouble(f"{line[:80]!r} is no public key of age ({error}); it looks like age1...") from None


def _identities(path: Path) -> list[Any]:
    """Read the secret keys of a file, as `age-keygen` writes it."""
    age, found = _age(), []
    text = _read(path, "a secret key")
    try:
        if text.startswith("-----BEGIN"):
            return [age.ssh.Identity.from_buffer(text.encode())]
        found = [age.x25519.Identity.from_str(line) for line in _lines(path, "a secret key")]
    except age.IdentityError as error:
        raise Trouble(f"{path} holds no secret key of age ({error}); `age-keygen` makes one.") from None
    return found


def _lines(path: Path, what: str) -> list[str]:
    lines = [line.strip() for line in _read(path, what).splitlines()]
    found = [line for line in lines if line and not line.startswith("#")]
    if not found:
        raise Trouble(f"{path} holds no line that could be {what}.")
    return found


def _passphrase(path: Path) -> str:
    """Read the first line of a file that nobody else may read."""
    text = _read(path, "a passphrase")
    if path.stat().st_mode & 0o077:
        raise Trouble(f"Others may read {path}; `chmod 600` it.")
    words = text.split("\n")[0].strip()
    if len(words) < 8:
        raise Trouble(f"The passphrase in {path} has fewer than 8 letters.")
    return words


def _read(path: Path, what: str) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Trouble(f"{path} cannot be read for {what} ({error}).") from None
