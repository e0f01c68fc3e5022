"""Postfix of our own: another configuration, queue and log than the machine's, so that nothing of its own is touched.

Only root can start one. No mail leaves the machine: what is for elsewhere is bounced, with a real bounce.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.mail.servers.places import User, listens, program
from tests.mail.servers.waiting import until

# Each name once: postlogd writes a warning about a second one into the very socket it reads, and hangs.
MAIN = {
    "compatibility_level": "3.6",
    "queue_directory": "{folder}/queue",
    "data_directory": "{folder}/data",
    "maillog_file": "{folder}/log",
    "maillog_file_prefixes": "{folder}",
    "multi_instance_enable": "yes",
    "multi_instance_name": "postfix-{smtp}",
    "inet_interfaces": "127.0.0.1",
    "inet_protocols": "ipv4",
    "myhostname": "mx.pbem.test",
    "mydestination": "",
    "mynetworks": "",
    "alias_maps": "",
    "alias_database": "",
    "local_recipient_maps": "",
    "relayhost": "",
    "biff": "no",
    "recipient_delimiter": "+",
    "default_transport": "error:5.7.1 no mail leaves this machine",
    "smtpd_relay_restrictions": "permit_sasl_authenticated, reject_unauth_destination",
    # Who has logged in may write to anybody, and gets a bounce; to the name `refused` nobody may write.
    "smtpd_reject_unlisted_recipient": "no",
    "smtpd_recipient_restrictions": "check_recipient_access inline:{{ {{ refused@pbem.test = 550 5.1.1 unknown }} }}"
    " permit_sasl_authenticated reject_unlisted_recipient",
    "smtpd_tls_cert_file": "{cert}",
    "smtpd_tls_key_file": "{key}",
    "smtpd_tls_security_level": "may",
    "message_size_limit": "2048000",
    "in_flow_delay": "0",
    "smtpd_error_sleep_time": "0",
    "queue_run_delay": "1s",
    "minimal_backoff_time": "1s",
    "maximal_backoff_time": "2s",
}
MASTER = """\
127.0.0.1:{smtp} inet n - n - - smtpd
127.0.0.1:{smtps} inet n - n - - smtpd -o smtpd_tls_wrappermode=yes
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
local unix - n n - - local
virtual unix - n n - - virtual
lmtp unix - - n - - lmtp
smtp unix - - n - - smtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
showq unix n - n - - showq
postlog unix-dgram n - n - 1 postlogd
"""


@dataclass(slots=True)
class Postfix:
    """A running mail server: what it said, and its queue."""

    folder: Path
    smtp: int
    smtps: int

    @property
    def config(self) -> Path:
        return self.folder / "etc" / "postfix"

    @property
    def log(self) -> str:
        path = self.folder / "log"
        return path.read_text(errors="replace") if path.exists() else ""

    @property
    def queued(self) -> int:
        """How many mails it still holds."""
        folders = ("maildrop", "incoming", "active", "deferred")
        places = [self.folder / "queue" / name for name in folders]
        return sum(path.is_file() for place in places if place.is_dir() for path in place.rglob("*"))

    def reload(self) -> None:
        """Take the configuration as it is now."""
        self._call("postfix", "reload")

    def flush(self) -> None:
        """Try again at once what was put off."""
        self._call("postqueue", "-f")

    def stop(self) -> None:
        self._call("postfix", "stop")

    def _call(self, name: str, *words: str) -> None:
        where = program(name) or name
        with (self.folder / "said").open("ab") as said:  # the daemons keep it open: a pipe would never end
            done = subprocess.run(
                [where, "-c", str(self.config), *words],
                check=False,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                timeout=60,
            )
        if done.returncode:
            said_text = (self.folder / "said").read_text(errors="replace")
            raise RuntimeError(f"{name} {' '.join(words)} failed:\n{said_text}\n{self.log}")


def start(
    folder: Path,
    ports: tuple[int, int],
    tls: tuple[Path, Path],
    settings: Mapping[str, str] | None = None,
    before: Sequence[str] = (),
) -> Postfix:
    """Postfix with these settings beside ours or instead, up and answering; `before` is a command that starts it."""
    server = Postfix(folder, *ports)
    server.config.mkdir(parents=True)
    for name in ("queue", "data"):
        (folder / name).mkdir()
    os.chown(folder / "data", pwd.getpwnam("postfix").pw_uid, -1)
    ours = {name: value.format(folder=folder, smtp=ports[0], cert=tls[0], key=tls[1]) for name, value in MAIN.items()}
    lines = [f"{name} = {value}\n" for name, value in {**ours, **(settings or {})}.items()]
    (server.config / "main.cf").write_text("".join(lines))
    (server.config / "master.cf").write_text(MASTER.format(smtp=ports[0], smtps=ports[1]))
    (server.config / "dynamicmaps.cf").touch()
    with (folder / "said").open("ab") as said:
        call = [*before, program("postfix") or "postfix", "-c", str(server.config), "start"]
        done = subprocess.run(call, check=False, stdin=subprocess.DEVNULL, stdout=said, stderr=said)
    if done.returncode:
        raise RuntimeError(f"Postfix did not start:\n{(folder / 'said').read_text(errors='replace')}\n{server.log}")
    until(lambda: listens(ports[0]), "Postfix's start", 15)
    return server


def mailboxes(domain: str, mail: Path, names: Sequence[str], map_file: Path, me: User) -> dict[str, str]:
    """Settings by which these names of a domain have a Maildir each, and others are refused."""
    map_file.write_text("".join(f"{name}@{domain} {name}/\n" for name in names))
    return {
        "virtual_mailbox_domains": domain,
        "virtual_mailbox_maps": f"texthash:{map_file}",
        "virtual_transport": "virtual",
        "virtual_mailbox_base": str(mail),
        "virtual_uid_maps": f"static:{me.uid}",
        "virtual_gid_maps": f"static:{me.gid}",
        "virtual_minimum_uid": "1",
    }


def sasl(socket: Path) -> dict[str, str]:
    """Settings by which Dovecot says whose password is right."""
    return {"smtpd_sasl_auth_enable": "yes", "smtpd_sasl_type": "dovecot", "smtpd_sasl_path": str(socket)}


def why_not() -> str:
    """Why no Postfix can be started here; "" when it can."""
    if program("postfix") is None:
        return "postfix is not installed here"
    if os.geteuid() != 0:
        return "only root can start a Postfix of his own"
    return "" if shutil.which("openssl") else "openssl is not installed here"
