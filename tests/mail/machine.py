"""A machine in a folder: `/etc`, `/srv` and `/opt` of its own and a Postfix that reads them, for set-ups to be made on.

What a how-to tells root to type is run as it stands, but for those folders, the port, and the user: set-ups belong to
`pbem`, who is `nobody` here.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import Message
from functools import cache
from pathlib import Path

from tests.architecture.reading import ROOT
from tests.mail.servers import postfix
from tests.mail.servers.places import User, certificate, free_port, program, server_folder, server_user
from tests.mail.servers.postfix import Postfix
from tests.mail.servers.waiting import until

CRON = ROOT / "cron"
PLAYERS = "players.test"
NAMES = ("anna", "bruno")
# Lines that speak to parts of a machine that are not in a folder: accounts, and services, which the test starts itself.
NOT_HERE = ("useradd ", "systemctl ")


@dataclass(slots=True)
class Machine:
    """Its folder, its Postfix, and who `pbem` is."""

    root: Path
    server: Postfix
    me: User
    plain: str  # main.cf as it is before anything is set up
    lmtp: int
    moved: dict[str, str] = field(default_factory=dict)  # further names that mean something else here

    @property
    def host(self) -> Path:
        return self.root / "srv" / "pbem"

    def follow(self, heading: str) -> None:
        """Do what stands in the how-to under that heading."""
        for line in blocks(heading):
            if not line.startswith(NOT_HERE):
                self.shell(line)
        self.translate_all()

    def shell(self, line: str) -> None:
        """One line that root types, in the folder of the how-to."""
        done = subprocess.run(
            ["/bin/sh", "-c", self.here(line)], cwd=CRON, check=False, capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"

    def here(self, text: str) -> str:
        """What a line or a file says, with the places of this machine."""
        text = re.sub(r"(?<![\w.])/(etc|srv|opt)/", rf"{self.root}/\1/", text)
        text = re.sub(r"(?<=\s)-([og]) pbem\b", lambda found: f"-{found[1]} {self._owner(found[1])}", text)
        text = text.replace("runuser -u pbem --", shlex.join(self.as_pbem()))
        text = re.sub(r"^(postfix|postconf) ", rf"\1 -c {self.server.config} ", text)
        for name, meant in self.moved.items():
            text = text.replace(name, meant)
        return text

    def _owner(self, option: str) -> str:
        return self.me.name if option == "o" else self.me.group

    def translate_all(self) -> None:
        """The files that were copied name places of a whole machine; here they get those of this one."""
        for path in [*self.server.config.rglob("*"), *self.host.glob("*.toml")]:
            if path.is_file():
                about, text = path.stat(), path.read_text()
                if (meant := self.here(text)) != text:
                    path.write_text(meant)
                    os.chown(path, about.st_uid, about.st_gid)
        self.server.reload()

    def as_pbem(self) -> list[str]:
        """The start of a command that is to run as the user pbem."""
        return ["setpriv", f"--reuid={self.me.uid}", f"--regid={self.me.gid}", "--clear-groups", *reaching()]

    def pbem(self, *words: str, codes: tuple[int, ...] = (0,)) -> str:
        """The program, called by its user."""
        call = [*self.as_pbem(), str(self.root / "opt/pbem/bin/pbem"), *words]
        given = {"PATH": os.environ["PATH"], "PBEM_CONFIG": str(self.host / "pbem.toml")}
        done = subprocess.run(call, check=False, capture_output=True, text=True, env=given, timeout=60, cwd="/")
        assert done.returncode in codes, f"pbem {' '.join(words)}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout

    def clear(self) -> None:
        """As it was before anything was set up."""
        shutil.rmtree(self.server.config / "pbem", ignore_errors=True)
        (self.server.config / "main.cf").write_text(self.plain)
        shutil.rmtree(self.host, ignore_errors=True)
        self.host.parent.mkdir(parents=True, exist_ok=True)
        for name in NAMES:
            shutil.rmtree(self.root / "mail" / name, ignore_errors=True)
        self.moved.clear()
        self.server.reload()

    def arrived(self, name: str) -> list[Message]:
        """What lies in a player's Maildir, oldest first."""
        folder = self.root / "mail" / name / "new"
        found = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime_ns) if folder.is_dir() else []
        return [message_from_bytes(path.read_bytes()) for path in found]

    def wait_for_mail(self, name: str, number: int) -> list[Message]:
        """A player's mails, as soon as there are so many."""
        until(lambda: len(self.arrived(name)) >= number, f"mail {number} to {name}\n{self.server.log[-3000:]}")
        return self.arrived(name)


def blocks(heading: str) -> Iterator[str]:
    """The lines of shell under a heading of the how-to."""
    text = (CRON / "README.md").read_text(encoding="utf-8")
    found = re.search(rf"^##+ {re.escape(heading)}\n(.*?)(?=^##|\Z)", text, re.M | re.S)
    assert found is not None, f"cron/README.md has no heading {heading!r}"
    for block in re.findall(r"^```sh\n(.*?)^```", found[1], re.M | re.S):
        yield from (line for line in block.splitlines() if line.strip())


@contextmanager
def machine() -> Iterator[Machine]:
    """A machine whose Postfix takes mail for example.org, and has two players' mailboxes."""
    root, me = server_folder(), server_user()
    mail = root / "mail"
    mail.mkdir()
    me.owns(mail)
    wrapper = root / "opt/pbem/bin/pbem"
    wrapper.parent.mkdir(parents=True)
    own = f"PYTHONPATH={ROOT} PYTHONDONTWRITEBYTECODE=1 PYTHONWARNINGS=error"
    wrapper.write_text(f'#!/bin/sh\n{own} exec {sys.executable} -m pbem "$@"\n')
    wrapper.chmod(0o755)
    ports = free_port(), free_port()
    (root / "etc").mkdir()
    (root / "etc" / "aliases").write_text("postmaster: root\n")
    settings = {
        "mydestination": "example.org",
        "alias_maps": f"hash:{root}/etc/aliases",
        "alias_database": f"hash:{root}/etc/aliases",
        "local_recipient_maps": "proxy:unix:passwd.byname $alias_maps",
        **postfix.mailboxes(PLAYERS, mail, NAMES, root / "players", me),
    }
    subprocess.run([program("postalias") or "postalias", f"hash:{root}/etc/aliases"], check=True)
    before = ["setpriv", *securing(), *reaching()] if reaching() else []
    server = postfix.start(root, ports, certificate(root), settings, before=before)
    try:
        yield Machine(root, server, me, (server.config / "main.cf").read_text(), free_port())
    finally:
        server.stop()
        shutil.rmtree(root, ignore_errors=True)


@cache
def reaching() -> tuple[str, ...]:
    """How `nobody` reaches a Python that lies in somebody's home: with one right of root's, kept through all of it.

    On a machine set up by the how-to the program lies where everybody can reach it, and nothing of this is needed.
    """
    me = server_user()
    # By a shell between: what setpriv itself starts is still looked up with root's rights.
    ask = ["/bin/sh", "-c", f"{shlex.quote(sys.executable)} -c 'import pbem'; exit $?"]
    call = ["setpriv", f"--reuid={me.uid}", f"--regid={me.gid}", "--clear-groups", *ask]
    if subprocess.run(call, check=False, capture_output=True, cwd=ROOT).returncode == 0:
        return ()
    return ("--inh-caps=+dac_override", "--ambient-caps=+dac_override")


def securing() -> tuple[str, ...]:
    """Postfix drops to a program's user by itself; what it starts keeps that right all the same."""
    return ("--securebits=+no_setuid_fixup",)


def why_not() -> str:
    """Why no machine can be made here; "" when it can."""
    return postfix.why_not() or ("" if shutil.which("setpriv") else "setpriv is not installed here")


def now() -> str:
    """This instant, for commands that are to be told it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
