"""Committing together: messages that come at the same moment share one transaction, and each is answered after it.

A transaction costs a sync of the disk, whether it holds one message or a hundred. The ledger is written by one thread;
whoever brings a message waits for the answer to it.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path

from pbem import faultlog
from pbem.arriving.message import Message
from pbem.arriving.storing import LMTP, store
from pbem.errors import NotStored, Trouble
from pbem.ledger import Ledger
from pbem.ledger.letters import Arrival
from pbem.ledger.troubles import NotWritten

AT_A_TIME = 200  # messages of one transaction

Waiting = tuple[Message, Future[Arrival]]


class Committer:
    """The thread that stores. `stored` is called after each commit that brought something new; `broken` when the disk
    has refused: from then on nothing is stored any more, as SQLite and the kernel may disagree on what is there."""

    def __init__(self, ledger: Ledger, folder: Path, stored: Callable[[], None], broken: Callable[[], None]) -> None:
        self._ledger, self._folder = ledger, folder
        self._stored, self._broken = stored, broken
        self._waiting: queue.SimpleQueue[Waiting | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="committer", daemon=True)
        self.messages = self.commits = 0

    def start(self) -> None:
        self._thread.start()

    def put(self, message: Message) -> Future[Arrival]:
        """The answer comes when the message is on the disk, or when it cannot be."""
        answer: Future[Arrival] = Future()
        self._waiting.put((message, answer))
        return answer

    def close(self) -> None:
        """Store what waits, then end."""
        self._waiting.put(None)
        self._thread.join()

    def _work(self) -> None:
        more = True
        while more:
            batch: list[Waiting] = []
            one = self._waiting.get()
            while one is not None:
                if one[1].set_running_or_notify_cancel():  # else nobody waits for the answer any more
                    batch.append(one)
                if len(batch) >= AT_A_TIME or self._waiting.empty():
                    break
                one = self._waiting.get()
            more = one is not None
            if batch:
                self._commit(batch)

    def _commit(self, batch: Sequence[Waiting]) -> None:
        try:
            arrivals = store(self._ledger, [message for message, _ in batch], LMTP)
        except NotWritten as trouble:
            _refuse(batch, trouble)
            self._broken()
        except Trouble as trouble:
            _refuse(batch, trouble)
        except Exception as ours:
            self._one_by_one(batch, ours)
        else:
            self.messages, self.commits = self.messages + len(batch), self.commits + 1
            if any(arrival.new for arrival in arrivals):
                self._stored()
            for (_, answer), arrival in zip(batch, arrivals, strict=True):
                answer.set_result(arrival)

    def _one_by_one(self, batch: Sequence[Waiting], ours: Exception) -> None:
        """A fault of ours; so that one message that trips it keeps no other out, each is tried by itself."""
        if len(batch) > 1:
            for one in batch:
                self._commit([one])
            return
        faultlog.write_down(ours, self._folder)
        _refuse(batch, NotStored("a fault of pbem"))


def _refuse(batch: Sequence[Waiting], trouble: Trouble) -> None:
    for _, answer in batch:
        answer.set_exception(trouble)
