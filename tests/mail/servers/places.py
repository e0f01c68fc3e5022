"""Where servers of a test live: a folder that their user can reach, free ports, and the user they run as."""

from __future__ import annotations

import grp
import os
import pwd
import random
import shutil
import socket
import subprocess
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

SYSTEM = ("/usr/local/sbin", "/usr/sbin", "/sbin")
UNPRIVILEGED = "nobody"
PORTS = (10_000, 30_000)


def program(name: str) -> str | None:
    """Where a program of the system lies; servers are often outside a user's path."""
    return shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), *SYSTEM]))


def free_port() -> int:
    """A port that nobody listens on now; outside those that the system gives to whoever opens a line meanwhile."""
    while True:
        port = random.randrange(*PORTS)
        with socket.socket() as bound, suppress(OSError):
            bound.bind(("127.0.0.1", port))
            return port


def listens(port: int) -> bool:
    """Whether somebody takes connections there."""
    with socket.socket() as asking:
        asking.settimeout(1)
        return asking.connect_ex(("127.0.0.1", port)) == 0


@dataclass(frozen=True, slots=True)
class User:
    """Who runs a server and owns the mail: we ourselves, or `nobody` where we are root (no server delivers as root)."""

    name: str
    group: str
    uid: int
    gid: int

    def owns(self, *paths: Path) -> None:
        """Give these to the user, with all that is in them."""
        if os.geteuid() == 0:
            for path in paths:
                for each in (path, *path.rglob("*")):
                    os.chown(each, self.uid, self.gid, follow_symlinks=False)


def server_user() -> User:
    found = pwd.getpwnam(UNPRIVILEGED) if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
    return User(found.pw_name, grp.getgrgid(found.pw_gid).gr_name, found.pw_uid, found.pw_gid)


def server_folder() -> Path:
    """A folder outside pytest's own, which lets nobody else in; short, as names of sockets must be."""
    folder = Path(tempfile.mkdtemp(prefix="pbem-mail-"))
    folder.chmod(0o755)
    return folder


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for localhost that is its own authority, and its key."""
    cert, key = folder / "cert.pem", folder / "key.pem"
    names = "subjectAltName=DNS:localhost,IP:127.0.0.1"
    call = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    call += ["-days", "30", "-subj", "/CN=localhost", "-addext", names]
    call += ["-addext", "keyUsage=critical,digitalSignature,keyCertSign", "-keyout", str(key), "-out", str(cert)]
    subprocess.run(call, check=True, capture_output=True, stdin=subprocess.DEVNULL)
    return cert, key
