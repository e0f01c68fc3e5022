"""Real mail programs, as players use them: swaks and s-nail from a shell, mutt in a terminal with an editor."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from email.message import Message
from email.utils import parseaddr
from pathlib import Path
from urllib.parse import quote

from tests.mail.answering import form_of
from tests.mail.servers.stack import Account, Stack


@dataclass(frozen=True, slots=True)
class Desk:
    """Where a player sits: his account at the servers, and a folder of his own."""

    stack: Stack
    account: Account
    home: Path

    @property
    def environment(self) -> dict[str, str]:
        """Nothing of the machine's own settings is read."""
        return {"HOME": str(self.home), "PATH": os.environ["PATH"], "TERM": "xterm", "LC_ALL": "C.UTF-8"}


def to_of(report: Message) -> str:
    return parseaddr(str(report["Reply-To"] or report["From"]))[1]


def quoted_below(report: Message, orders: list[str], text: str) -> str:
    """The answer above, and the report quoted as these programs quote."""
    marked = "\n".join(f"> {line}" for line in text.splitlines())
    return f"{form_of(report, orders)}\n\nOn Wed, 18 Nov 2026, orders wrote:\n{marked}\n"


def _run(call: list[str], desk: Desk, text: str) -> None:
    done = subprocess.run(
        call, input=text.encode(), check=False, capture_output=True, env=desk.environment, cwd=desk.home, timeout=60
    )
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()


def swaks(desk: Desk, report: Message, orders: list[str], text: str) -> None:
    """STARTTLS and AUTH, the server's certificate looked at."""
    account, (body, stack) = desk.account, (desk.home / "body.txt", desk.stack)
    body.write_text(quoted_below(report, orders, text))
    call = ["swaks", "--server", f"{stack.host}:{stack.smtp}", "--tls", "--tls-verify"]
    call += ["--tls-ca-path", str(stack.certificate), "--auth", "PLAIN", "--auth-user", account.address]
    call += ["--auth-password", account.password, "--from", account.address, "--to", to_of(report)]
    call += ["--h-Subject", f"Re: {report['Subject']}", "--add-header", f"In-Reply-To: {report['Message-ID']}"]
    _run([*call, "--body", f"@{body}"], desk, "")


def s_nail(desk: Desk, report: Message, orders: list[str], text: str) -> None:
    account, stack = desk.account, desk.stack
    user = f"{quote(account.address, safe='')}:{quote(account.password, safe='')}"
    settings = {
        "v15-compat": "yes",
        "mta": f"smtp://{user}@{stack.host}:{stack.smtp}",
        "smtp-use-starttls": None,
        "smtp-auth": "plain",
        "tls-verify": "strict",
        "tls-ca-file": str(stack.certificate),
        "from": account.address,
        "sendwait": None,
    }
    words = [f"-S{name}" if value is None else f"-S{name}={value}" for name, value in settings.items()]
    call = ["s-nail", "-:/", *words, "-s", f"Re: {report['Subject']}", to_of(report)]
    _run(call, desk, quoted_below(report, orders, text))


def mutt(desk: Desk, report: Message, orders: list[str]) -> None:
    """Opens the mailbox over IMAP, answers the newest mail with `r`, writes above what mutt quotes, and sends."""
    import pexpect

    account, stack = desk.account, desk.stack
    above = desk.home / "above.txt"
    above.write_text(form_of(report, orders) + "\n\n")
    editor = desk.home / "editor.py"
    editor.write_text(
        "import pathlib, sys\n"
        "path = pathlib.Path(sys.argv[1])\n"
        f"path.write_text(pathlib.Path({str(above)!r}).read_text() + path.read_text())\n"
    )
    settings = {
        "from": account.address,
        "editor": f"{shlex.quote(sys.executable)} {editor}",
        "imap_user": account.address,
        "imap_pass": account.password,
        "smtp_url": f"smtp://{quote(account.address, safe='')}@{stack.host}:{stack.smtp}",
        "smtp_pass": account.password,
        "ssl_ca_certificates_file": str(stack.certificate),
        "folder": f"imaps://{stack.host}:{stack.imaps}",
        "record": "",
        "header_cache": "",
    }
    switches = ("fast_reply", "include", "ssl_force_tls", "reply_to", "noabort_unmodified", "nomark_old", "nobeep")
    lines = [f'set {name} = "{value}"' for name, value in settings.items()] + [f"set {name}" for name in switches]
    (desk.home / "muttrc").write_text("\n".join([*lines, ""]))
    call = ["-n", "-F", str(desk.home / "muttrc"), "-f", f"imaps://{stack.host}:{stack.imaps}/INBOX"]
    terminal = pexpect.spawn("mutt", call, env=desk.environment, cwd=str(desk.home), dimensions=(40, 120), timeout=60)
    try:
        terminal.expect("q:Quit")
        terminal.send("*r")  # the last mail; answer it
        terminal.expect("y:Send")
        terminal.send("y")
        terminal.expect("Mail sent")
        terminal.send("q")
        terminal.expect(pexpect.EOF)
    finally:
        terminal.close(force=True)
