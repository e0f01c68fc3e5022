"""Dovecot of our own: IMAP with STARTTLS and with TLS from the start, over the Maildirs that the mail server fills."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tests.mail.servers.places import User, listens, program
from tests.mail.servers.waiting import until

CONFIG = """\
base_dir = {run}/run
state_dir = {run}/state
instance_name = pbem-test-{imap}
log_path = {run}/log
protocols = imap
listen = 127.0.0.1
ssl = yes
ssl_cert = <{cert}
ssl_key = <{key}
disable_plaintext_auth = yes
auth_mechanisms = plain login
auth_failure_delay = 0
default_internal_user = {user.name}
default_internal_group = {user.group}
default_login_user = {user.name}
default_vsz_limit = 0
mail_location = maildir:{mail}/%n
mail_uid = {user.name}
mail_gid = {user.group}
first_valid_uid = 1
first_valid_gid = 1
mail_max_userip_connections = 100
passdb {{
  driver = passwd-file
  args = scheme=PLAIN username_format=%u {run}/users
}}
userdb {{
  driver = static
  args = uid={user.name} gid={user.group} home={mail}/%n allow_all_users=yes
}}
namespace inbox {{
  inbox = yes
}}
service imap-login {{
  chroot =
  service_count = 0
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = {imaps}
    ssl = yes
  }}
}}
service auth {{
  unix_listener auth-smtp {{
    mode = 0666
  }}
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  chroot =
}}
"""


@dataclass(slots=True)
class Dovecot:
    """A running IMAP server."""

    folder: Path
    imap: int
    imaps: int
    process: subprocess.Popen[bytes]

    @property
    def auth_socket(self) -> Path:
        """Where a mail server asks whether a password is right."""
        return self.folder / "run" / "auth-smtp"

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def start(
    folder: Path, mail: Path, ports: tuple[int, int], users: Iterable[tuple[str, str]], tls: tuple[Path, Path], me: User
) -> Dovecot:
    """Dovecot with these addresses and passwords, up and answering."""
    for name in ("run", "state"):
        (folder / name).mkdir(parents=True)
    (folder / "users").write_text("".join(f"{user}:{{PLAIN}}{password}\n" for user, password in users))
    me.owns(folder)
    config = folder / "dovecot.conf"
    text = CONFIG.format(run=folder, mail=mail, imap=ports[0], imaps=ports[1], cert=tls[0], key=tls[1], user=me)
    config.write_text(text)
    with (folder / "stderr").open("wb") as said:
        process = subprocess.Popen(
            [program("dovecot") or "dovecot", "-F", "-c", str(config)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=said,
        )
    server = Dovecot(folder, *ports, process)
    until(lambda: process.poll() is not None or listens(ports[0]), "Dovecot's start", 15)
    if process.poll() is not None:
        raise RuntimeError(f"Dovecot did not start: {(folder / 'stderr').read_text()}")
    return server
