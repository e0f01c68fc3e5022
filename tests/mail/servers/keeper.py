"""The process that keeps the servers: it starts them, and stops them when no test process holds on to them any more.

`python -m tests.mail.servers.keeper FOLDER`. Whoever uses the servers holds a shared lock on `in-use`; the keeper waits
for that lock alone. So the last one to go, however it went, stops them: nothing is left running after a killed test.
"""

from __future__ import annotations

import fcntl
import shutil
import signal
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

from tests.mail.servers import dovecot, polite, postfix
from tests.mail.servers.places import certificate, free_port, server_folder, server_user
from tests.mail.servers.stack import DOMAIN, NAMES, POLITE, POSTFIX, USERS, Stack
from tests.mail.servers.waiting import NeverCame

READY, IN_USE, FAILED = "ready.json", "in-use", "failed"


def keep(shared: Path) -> None:
    """Start the servers, say where they are, and stop them when they are no longer used."""
    with ExitStack() as on:
        stack = _up_at_last(on)
        on.callback((shared / READY).unlink)
        _write(shared / READY, stack.to_json())
        with (shared / IN_USE).open("a") as in_use:
            fcntl.flock(in_use, fcntl.LOCK_EX)
            on.close()  # while the lock is held: who comes now waits, and then starts others


def _up_at_last(on: ExitStack) -> Stack:
    """A port may be taken by another program between choosing it and listening there: then others are chosen."""
    for _ in range(2):
        with suppress(RuntimeError, NeverCame), ExitStack() as tried:
            stack = up(tried)
            on.push(tried.pop_all())
            return stack
    return up(on)


def up(on: ExitStack, user_only: bool = False) -> Stack:
    """The servers, stopped and removed when `on` is closed."""
    folder, me = server_folder(), server_user()
    on.callback(shutil.rmtree, folder, ignore_errors=True)
    tls = certificate(folder)
    mail, taken = folder / "mail", folder / "taken"
    mail.mkdir()
    taken.mkdir()
    me.owns(mail)
    imap, imaps, smtp, smtps = (free_port() for _ in range(4))
    real = not (user_only or postfix.why_not())
    stack = Stack(str(folder), POSTFIX if real else POLITE, smtp, smtps if real else 0, imap, imaps)
    server = dovecot.start(folder / "dovecot", mail, (imap, imaps), USERS.items(), tls, me)
    on.callback(server.stop)
    if real:
        settings = postfix.mailboxes(DOMAIN, mail, NAMES, folder / "mailboxes", me)
        settings |= postfix.sasl(stack.auth_socket)
        on.callback(postfix.start(folder / "postfix", (smtp, smtps), tls, settings).stop)
    else:
        on.callback(_stopping(polite.start(smtp, tls, mail, DOMAIN, USERS, me).stop))
    return stack


def _stopping(stop: Callable[..., None]) -> Callable[[], None]:
    return lambda: stop(no_assert=True)


def _write(path: Path, text: str) -> None:
    part = path.with_name(f".{path.name}")
    part.write_text(text)
    part.replace(path)


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ^C at a terminal is for the tests, which then let go
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    shared = Path(sys.argv[1])
    try:
        keep(shared)
    except Exception as trouble:
        _write(shared / FAILED, f"{type(trouble).__name__}: {trouble}")
        raise


if __name__ == "__main__":
    main()
