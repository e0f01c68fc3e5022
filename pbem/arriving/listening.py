"""Listening: a process that takes mails by LMTP until it is told to stop, and has them judged by a child of its own.

The child is forked before anything is opened or any thread begun. It is woken after a commit and may die or fall
behind: what is stored and not judged is judged by the next night.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import stat
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import closing, suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import NoReturn

from pbem import clock, faultlog
from pbem.arriving.committing import Committer
from pbem.arriving.lmtp import Counter, speaker
from pbem.arriving.message import Message
from pbem.config import Config
from pbem.errors import CANNOT, OK, TRY_AGAIN, Busy, Trouble
from pbem.ledger import Ledger, own_key
from pbem.ledger.letters import Arrival
from pbem.settings import Place

GRACE = 15.0  # seconds for the mails that are being handed over when we are told to stop
GOODBYE = 5.0  # ... and then for those who have not read our answers yet
LOOK = 0.01  # seconds until it is looked again who is still there
Say = Callable[[str], None]


def listen(config: Config, where: Path | Place, say: Say) -> int:
    """Take mails until SIGTERM or Ctrl-C; gives the exit code."""
    if find_spec("aiosmtpd") is None:
        raise Trouble("`pbem listen` needs aiosmtpd; install it with `pip install pbem[mail]`.", CANNOT)
    with closing(Ledger.open(config.place)) as ledger:  # trouble with it is told before anybody connects
        own_key.guard(ledger)
    judge = Judge(config) if config.mail.at_once else None
    try:
        with closing(Ledger.open(config.place)) as ledger:
            return asyncio.run(_serve(config, ledger, where, judge, say))
    finally:
        if judge is not None:
            judge.close()


async def _serve(config: Config, ledger: Ledger, where: Path | Place, judge: Judge | None, say: Say) -> int:
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    broken: list[bool] = []

    def give_up() -> None:
        broken.append(True)
        loop.call_soon_threadsafe(stop.set)

    committer = Committer(ledger, config.folder, judge.wake if judge else _nothing, give_up)
    counter = Counter(lambda message: _answered(committer, message), config.limits.message_bytes)
    make = partial(speaker, counter, config.address.rpartition("@")[2])
    server = await _server(where, make)
    committer.start()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    if judge is not None:
        judge.wake()  # for what was stored when we were last stopped
    say(f"Listening on {where}.")
    _tell_systemd("READY=1")
    try:
        await stop.wait()
    finally:
        _tell_systemd("STOPPING=1")
        await _close(server, counter)
        committer.close()
        if isinstance(where, Path):
            where.unlink(missing_ok=True)
    say(f"Stopped. Mails: {committer.messages}, in {committer.commits} commits.")
    if broken:
        raise Trouble(f"The ledger {config.ledger} could not be written, so no more mail is taken.", TRY_AGAIN)
    return OK


def _nothing() -> None:
    """Nobody is to be woken."""


async def _answered(committer: Committer, message: Message) -> Arrival:
    answer: Future[Arrival] = committer.put(message)
    return await asyncio.wrap_future(answer)


async def _close(server: asyncio.Server, counter: Counter) -> None:
    """No new connections; mails that are being handed over are taken, and then everybody is sent away, who does not
    read our answers without them."""
    server.close()
    with suppress(TimeoutError):
        await asyncio.wait_for(counter.idle.wait(), GRACE)
    for transport in list(counter.open):
        transport.close()
    until = monotonic() + GOODBYE
    while counter.open:
        if monotonic() >= until:
            for transport in list(counter.open):
                transport.abort()
        await asyncio.sleep(LOOK)


async def _server(where: Path | Place, make: Callable[[], asyncio.Protocol]) -> asyncio.Server:
    loop = asyncio.get_running_loop()
    try:
        if isinstance(where, Place):
            return await loop.create_server(make, where.host, where.port)
        _free(where)
        before = os.umask(0o117)  # for its owner and its group, in which the mail server may be
        try:
            return await loop.create_unix_server(make, str(where))
        finally:
            os.umask(before)
    except OSError as error:
        raise Trouble(f"{where} cannot be listened on ({error.strerror or error}).") from None


def _free(where: Path) -> None:
    """A socket that nobody listens on any more is left over from a run that was killed."""
    with suppress(FileNotFoundError):
        if not stat.S_ISSOCK(where.lstat().st_mode):
            raise Trouble(f"{where} is no socket; it is left alone.")
        with closing(socket.socket(socket.AF_UNIX)) as knock:
            try:
                knock.connect(str(where))
            except ConnectionRefusedError:
                where.unlink()
            else:
                raise Busy(f"Another `pbem listen` is at work on {where}.")


def _tell_systemd(word: str) -> None:
    """Tell who started us how far we are, where he asked for it."""
    if not (place := os.environ.get("NOTIFY_SOCKET", "")):
        return
    with suppress(OSError), closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as line:
        line.connect("\0" + place[1:] if place.startswith("@") else place)
        line.send(word.encode())


class Judge:
    """The child that judges what is stored. It ends when we do."""

    def __init__(self, config: Config) -> None:
        heard, self._said = os.pipe2(os.O_CLOEXEC)
        self._pid = os.fork()
        if not self._pid:  # pragma: no cover - only the forked child comes here, and what it does is tried by itself
            os.close(self._said)
            _judge(config, heard)
        os.close(heard)
        os.set_blocking(self._said, False)

    def wake(self) -> None:
        """Something waits. A judge who has not yet heard of the last ones needs no telling; a dead one, neither."""
        with suppress(BlockingIOError, BrokenPipeError):
            os.write(self._said, b".")

    def close(self) -> None:
        """Let it end what it is at."""
        os.close(self._said)
        os.waitpid(self._pid, 0)


def _judge(config: Config, heard: int) -> NoReturn:
    """The child's whole life."""
    from pbem.arriving.judging import judge_at_once

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one that takes mails; we end after it
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        while os.read(heard, 4096):
            with suppress(Trouble), closing(Ledger.open(config.place)) as ledger:
                judge_at_once(config, ledger, clock.system())
    except BaseException as ours:
        faultlog.write_down(ours, config.folder)
    finally:
        os._exit(0)
