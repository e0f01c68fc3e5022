"""How many order files a second are read and judged, step by step, beside libyaml's bare events in the same run.

Run by hand: `.venv/bin/python -m tests.bench.bench_intake [SECONDS]`. CPU time of one core for all steps but the
bounded one, which is wall time, as the child does the work.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial

import yaml

import tests.conftest  # noqa: F401 - makes the sample games known
from engine import Dice, load
from pbem.bounded import Bounded
from pbem.intake.fields import read_form
from pbem.intake.judge import judge
from pbem.intake.reading import BoundedReader
from pbem.intake.yaml_events import parse

HEAD = "game: jade-river\nseat: '1'\nturn: 1\nkey: K7Q2-9FXM\n"
END = "end: orders\n"
RULES = load("nim")
STATE = RULES.setup(RULES.Options(heaps="20-20-20"), Dice(b"bench")).state
ONE = (HEAD + "orders:\n  - b3\n" + END).encode()
MANY = (
    HEAD + "orders:\n" + "".join(f"  - take {n % 9} from heap {'abc'[n % 3]}\n" for n in range(1, 51)) + END
).encode()
LONG = (HEAD + "orders:\n" + "  - {do: take, heap: b, count: 3, note: w}\n" * 50 + END).encode()
FILES = {"one order": ONE, "50 texts": MANY, "50 mappings": LONG}


def rate(work: Callable[[], object], seconds: float, clock: Callable[[], float] = time.process_time) -> float:
    work()
    done, begun = 0, clock()
    while clock() - begun < seconds:
        work()
        done += 1
    return done / (clock() - begun)


def events(raw: bytes) -> object:
    return list(yaml.parse(raw.decode(), Loader=yaml.CSafeLoader))


def judged(raw: bytes) -> object:
    reading = read_form(raw)
    assert reading.form is not None
    return judge(RULES, STATE, reading.form, turns=range(1, 2), seats=("1", "2"), problems=reading.problems)


STEPS = {
    "libyaml's events, nothing done": events,
    "a tree with places": parse,
    "a form": read_form,
    "a form, judged": judged,
}


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    for name, raw in FILES.items():
        print(f"{name}, {len(raw)} bytes: files a second")
        for step, work in STEPS.items():
            print(f"  {rate(partial(work, raw), seconds):8.0f}  {step}")
        with BoundedReader() as reader:
            print(f"  {rate(partial(reader.read, raw), seconds, time.perf_counter):8.0f}  a form, in the child")
    with Bounded(bytes) as bounded:
        print(f"{rate(partial(bounded, b'x'), seconds, time.perf_counter):8.0f} empty tasks a second in a child")


if __name__ == "__main__":
    main()
