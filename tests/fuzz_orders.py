"""Fuzzing of order files: `python -m tests.fuzz_orders 100000 1 all` mutates samples and asks the same of each.

The numbers are how many and the seed; with `all`, every installed game judges them in turn.

Whatever the bytes: there is an answer in time; a form or a problem with a place in the file; the answer goes to JSON
and back; the judge has a verdict; and no line told to a player can steer a terminal.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from engine import Dice, games, load
from pbem.bounded import TaskDied
from pbem.intake.characters import decode
from pbem.intake.fields import read_form
from pbem.intake.form import Reading
from pbem.intake.judge import judge
from pbem.intake.limits import USUAL
from pbem.intake.plain import line, told
from pbem.intake.reading import BoundedReader
from tests.engine.relay import RULES, SEATS, points

HEAD = "game: jade-river\nseat: red\nturn: 5\nkey: K7Q2-9FXM\n"
SAMPLES = tuple(
    (HEAD + text).encode()
    for text in (
        "orders:\n  - ape\n  - bee\n  - plan HU development 2 fortification 3\nend: orders\n",
        "orders:\n  - {do: ape, target: NO}\n  - do: cat\n    to: [a1, b2]\nend: orders\n",
        "orders:\n  - if: {seat: blue, does: bee}\n    then: [ape, {if: any, then: cat}]\n    else: dog\nend: orders\n",
        "orders: |\n  ape\n  # comment\n  bee\ndraft: true\n",
        "orders: []\nsay: |\n  Hello – “you”\n  two lines\nend: orders\n-- \nAnna\n",
        "standing:\n  question: ape\n  rules: [{when: {at: [capital]}, answer: always}]\nabsent: 2026-12-31\n",
        "orders: {do: shout}\nsay: {blue: 'it''s', all: \"caf\\u00e9\"}\nnonce: ~\nabsent: {since: 2026-12-20}\n",
    )
)
TOKENS = [
    *("&a ", "*a", "!!python/object:os.system ", "! ", "<<: ", "---\n", "...\n", "%YAML 1.2\n", "? ", ": ", "- ", "#"),
    *("[", "]", "{", "}", ",", "|", ">", "|2-\n", "'", '"', "\\", "`", "@", "~", "null", "NO", "1e3", "\t", "\n", "  "),
    *("if:", "then:", "else:", "any", "orders:", "end: orders\n", "game: x\n", "seat:", "turn: 9999999", "say:"),
    *("\u00a0", "\u2028", "\u2029", "\x85", "\ufeff", "\u202e", "\u200b", "e\u0301", "\U0001f42f", "\ud7ff", "\ufffe"),
    *("\x00", "\x07", "\x1b[2J", "\x7f", '"\\x07"', '"\\ud800"', '"\\N\\_\\L\\P"', "draft:", "standing:", "absent:"),
    *("9" * 30, "x" * 600, "[" * 40, "- " * 40),
]


def mutated(luck: random.Random) -> bytes:
    """A sample with some tokens put in, some stretches taken out, doubled or exchanged, and some bytes changed."""
    raw = luck.choice(SAMPLES)
    for _ in range(luck.choice((0, 1, 1, 1, 2, 3, 6))):
        at, to = sorted((luck.randint(0, len(raw)), luck.randint(0, len(raw))))
        match luck.randrange(6):
            case 0 | 1:
                raw = raw[:at] + luck.choice(TOKENS).encode("utf-8", "surrogatepass") + raw[at:]
            case 2:
                raw = raw[:at] + raw[to:]
            case 3:
                raw = raw[:to] + raw[at:]
            case 4:
                raw = raw[:at] + luck.choice(SAMPLES)[: to - at] + raw[to:]
            case _:
                raw = raw[:at] + luck.randbytes(luck.randint(1, 4)) + raw[at + 1 :]
    return raw


def random_text(luck: random.Random) -> bytes:
    return "".join(luck.choice(TOKENS) for _ in range(luck.randint(0, 30))).encode("utf-8", "surrogatepass")


def inputs(count: int, luck: random.Random) -> Iterator[bytes]:
    for number in range(count):
        match number % 10:
            case 8:
                yield random_text(luck)
            case 9:
                yield luck.randbytes(luck.randint(0, 80))
            case _:
                yield mutated(luck)


Table = tuple[Any, Any, str, tuple[str, ...]]  # rules, a state, a seat to decide, all seats
RELAY: Table = (RULES, points("red"), "red", SEATS)


def tables() -> list[Table]:
    """Every installed game, set up with its default options."""
    found = [RELAY]
    for name in games():
        rules = load(name)
        state = rules.setup(rules.Options(), Dice(b"fuzz")).state
        found.append((rules, state, rules.pending(state)[0], rules.seats(rules.Options())))
    return found


def ask(raw: bytes, reading: Reading, table: Table) -> str:
    """All questions about one answer; gives its kind, for the count."""
    assert reading.form is not None or reading.problems
    assert Reading.from_json(json.loads(json.dumps(reading.to_json()))) == reading
    lines = decode(raw).count("\n") + 2
    for problem in reading.problems:
        assert problem.mark is not None
        assert 1 <= problem.mark.line <= lines
        assert problem.mark.column >= 1
        assert line(problem, "orders.yml").isprintable()
    if reading.form is None:
        return reading.problems[0].why.code
    rules, state, seat, seats = table
    form = replace(reading.form, seat=seat)
    verdict = judge(rules, state, form, turns=range(5, 6), seats=seats, problems=reading.problems)
    assert verdict.is_taken is not bool(verdict.problems)
    assert len(reading.problems) <= len(verdict.problems)
    assert all(said.isprintable() for said in told(verdict, "orders.yml"))
    json.dumps(verdict.to_json())
    return "problems" if reading.problems else verdict.fate


def fuzz(count: int, seed: int = 1, judges: Sequence[Table] = (RELAY,)) -> tuple[Counter[str], float]:
    """How many inputs of each kind there were, and the longest time one of them took."""
    luck = random.Random(seed)
    kinds: Counter[str] = Counter()
    longest = 0.0
    for number, raw in enumerate(inputs(count, luck)):
        begun = time.process_time()
        try:
            kinds[ask(raw, read_form(raw, body=bool(number % 2)), judges[number % len(judges)])] += 1
        except Exception as error:
            raise AssertionError(f"input {number} of seed {seed}: {raw!r}") from error
        longest = max(longest, time.process_time() - begun)
    return kinds, longest


def fuzz_bounded(count: int, seed: int = 1) -> int:
    """The same inputs through the child; gives how many of them killed it."""
    luck, killed = random.Random(seed), 0
    with BoundedReader() as reader:
        for raw in inputs(count, luck):
            try:
                assert reader.read(raw) == read_form(raw)
            except TaskDied:
                killed += 1
    return killed


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    begun = time.perf_counter()
    kinds, longest = fuzz(count, seed, tables() if "all" in sys.argv else (RELAY,))
    took = time.perf_counter() - begun
    for kind, number in kinds.most_common():
        print(f"{number:8} {kind}")  # noqa: T201
    print(f"{count} inputs of seed {seed} in {took:.0f} s; the slowest took {longest * 1000:.1f} ms (limit "  # noqa: T201
          f"{USUAL.cpu_seconds} s)")  # fmt: skip
    through = max(1, count // 20)
    print(f"{through} through the child: {fuzz_bounded(through, seed)} killed it")  # noqa: T201


if __name__ == "__main__":
    main()
