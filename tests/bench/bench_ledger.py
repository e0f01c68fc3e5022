"""How fast the ledger takes a night: 1,000 games, each a turn row, four mail rows and four mails of 40 kB.

Run by hand: `.venv/bin/python -m tests.bench.bench_ledger [GAMES] [GAMES PER TRANSACTION]`.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from pbem.ledger import chains, games, outbox, sound
from pbem.ledger.store import Ledger
from tests.pbem.hosted import NIGHT, START, key

WORDS = [
    "red",
    "blue",
    "fortifies",
    "recruits",
    "attacks",
    "Province",
    "rampart",
    "Village",
    "Town",
    "armies",
    "income",
]
SEATS = ("1", "2", "3", "4")


def report(source: Random) -> bytes:
    """About 40 kB of mail, as repetitive as reports are."""
    cells = ((source.randrange(99), source.choice(WORDS), source.choice(WORDS)) for _ in range(1200))
    return "\n".join(f"<td class=3D{number}>{one} {two}</td>" for number, one, two in cells).encode()


def body(source: Random, turn: int) -> dict[str, object]:
    """A turn of about 12 kB of JSON."""
    facts = [{"seat": source.choice(SEATS), "at": source.randrange(99)} for _ in range(60)]
    events = [{"kind": source.choice(WORDS), "rule": "YUAN-7.1", "facts": fact} for fact in facts]
    places = [[source.randrange(9), source.choice(SEATS), source.choice(WORDS)] for _ in range(80)]
    state = {"map": places, "turn": turn}
    moves = {seat: {"move": "plan HU development 2", "how": "given", "submission": 2} for seat in SEATS}
    return {
        "moves": moves,
        "draws": [],
        "events": events,
        "state": state,
        "decision": "plan",
        "pending": list(SEATS),
        "queues": dict.fromkeys(SEATS),
    }


def batches(count: int, size: int) -> Iterator[range]:
    for start in range(0, count, size):
        yield range(start, min(start + size, count))


def run(folder: Path, count: int, size: int) -> None:
    ledger = Ledger.create(folder / f"ledger-{size}.db", secret=key("host"))
    source = Random(1)
    mails, turn = [report(source) for _ in range(50)], body(source, 1)
    with ledger.write() as tx:
        for number in range(count):
            chains.begin(tx, f"game-{number}", key(str(number)), key(str(number)))
            created = {"rules": "x", "version": "1", "options": {}, "seats": dict.fromkeys(SEATS, "00")}
            tx.append(f"game-{number}", "created", START, created)
    begun, worked = time.perf_counter(), time.process_time()
    for batch in batches(count, size):
        with ledger.write() as tx:
            for number in batch:
                name = f"game-{number}"
                games.get(tx, name)
                tx.append(name, "turn", START + NIGHT, turn, 1)
                for seat in SEATS:
                    mail = mails[(number * 4 + int(seat)) % len(mails)]
                    outbox.post(tx, name, seat, "report", f"<{name}-1-{seat}@host>", mail, START, START, 1)
    seconds, cpu = time.perf_counter() - begun, time.process_time() - worked
    rows = count * 9
    print(
        f"{count} games, {size} per transaction, mails of {len(mails[0]) / 1000:.0f} kB: {seconds:.2f} s, "
        f"{rows / seconds:,.0f} rows/s, {count / seconds:,.0f} games/s, "
        f"{cpu / count * 1000:.2f} ms of CPU a game; file {ledger.path.stat().st_size / 1e6:.0f} MB"
    )
    begun = time.perf_counter()
    with ledger.read() as tx:
        found = [fault for chain in sound.chains_of(tx) for fault in sound.faults(tx, chain)]
    assert not found
    print(f"  chains of {count} games checked in {time.perf_counter() - begun:.2f} s")
    ledger.close()


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    sizes = [int(sys.argv[2])] if len(sys.argv) > 2 else [1, 20, 1000]
    with tempfile.TemporaryDirectory(dir=".") as folder:
        for size in sizes:
            run(Path(folder), count, size)


if __name__ == "__main__":
    main()
