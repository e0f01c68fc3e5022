"""Mails a second through a server on this machine: `python tests/bench/bench_post.py [mails]`.

Three figures: through the whole loop with its rows in the ledger, through the same loop into files, and by bare smtplib
on one connection, which is what the server takes.
"""

from __future__ import annotations

import smtplib
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from pbem.care.settling import settle
from pbem.config import load
from pbem.delivering import deliver
from pbem.ledger import Ledger, outbox
from pbem.ledger.chain import HOST
from pbem.reports import letter
from tests.pbem.post.conftest import by_smtp
from tests.pbem.post.rude import Rude

NOW = datetime(2026, 11, 18, tzinfo=UTC)
SIZE = 30_000  # bytes, as a report with a small map


def mail(number: int) -> tuple[str, bytes]:
    message_id = f"<{number:030x}@pbem.test>"
    envelope = letter.Envelope(
        message_id,
        NOW,
        letter.Address("pbem", "orders@pbem.test"),
        letter.Address("", f"p{number}@players.example"),
        "x",
    )
    return message_id, letter.write(envelope, "A line of a report that is told.\n" * (SIZE // 33))


def loop(folder: Path, count: int, port: int | None) -> float:
    config = settle(folder)
    config = load(config.folder / "pbem.toml")
    if port is not None:
        config = replace(config, post=replace(config.post, **by_smtp(port)))
    with closing(Ledger.open(config.ledger)) as ledger:
        with ledger.write() as tx:
            for number in range(count):
                message_id, raw = mail(number)
                outbox.post(tx, HOST, None, "report", message_id, raw, NOW, NOW)
        begun = time.perf_counter()
        assert deliver(config, ledger, NOW) == {"sent": count}
        return count / (time.perf_counter() - begun)


def bare(count: int, port: int) -> float:
    mails = [mail(number)[1] for number in range(count)]
    begun = time.perf_counter()
    with smtplib.SMTP("127.0.0.1", port, local_hostname="x") as client:
        for number, raw in enumerate(mails):
            client.sendmail("orders@pbem.test", [f"p{number}@players.example"], raw)
    return count / (time.perf_counter() - begun)


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    with tempfile.TemporaryDirectory() as folder, Rude() as server:
        print(f"{count} mails of {SIZE:,} bytes")
        print(f"  bare smtplib:      {bare(count, server.port):7.0f} a second")
        print(f"  the delivery loop: {loop(Path(folder) / 'smtp', count, server.port):7.0f} a second")
        print(f"  into files:        {loop(Path(folder) / 'files', count, None):7.0f} a second")
