"""Mutated mails through the bounded reader, with the sample games in the path:

    PYTHONPATH=tests/sample_games python -m tests.pbem.intake.hostile.mutants 100000 1

Whatever the bytes: the parent lives, there is an answer in time, and what comes back is sound. Prints what came of
them, the slowest and the largest.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from pbem.bounded import TaskDied
from pbem.intake.limits import USUAL, Limits
from pbem.intake.mail.reading import AUTOMATIC, SUSPECTED, MailReading
from pbem.intake.plain import line
from pbem.intake.reading import BoundedReader
from tests.pbem.intake.hostile.mail_table import MAILS
from tests.pbem.intake.hostile.mails import OURS, attached, in_html, mail, multipart, part, tag_of
from tests.pbem.intake.hostile.mutate import many
from tests.pbem.intake.hostile.yaml_texts import YAML_TEXTS
from tests.pbem.intake.mail.corpus import EVERY

SMALL = 20_000  # bytes: the larger ones of the table cost much and are changed little by a mutation


@dataclass
class Tally:
    """What came of so many mails."""

    kinds: Counter[str] = field(default_factory=Counter)
    died: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    largest: int = 0
    answer: int = 0
    seconds: float = 0.0
    dead: list[bytes] = field(default_factory=list)

    def __str__(self) -> str:
        count = sum(self.kinds.values()) + sum(self.died.values())
        rows = [f"{number:8} {kind}" for kind, number in self.kinds.most_common()]
        rows += [f"{number:8} killed the child: {kind}" for kind, number in self.died.most_common()]
        rows.append(
            f"{count} mails in {self.seconds:.0f} s; the slowest took {self.slowest:.3f} s of wall clock, the largest "
            f"had {self.largest} bytes, the longest answer of a child {self.answer}"
        )
        return "\n".join(rows)


def corpus() -> list[bytes]:
    """What is mutated: honest mails, those of the table, and the order texts in each form a mail can give them."""
    mails = [raw for case in MAILS if len(raw := case.raw()) <= SMALL]
    mails += [raw for case in EVERY[::3] if len(raw := case.make()) <= SMALL]
    for number, case in enumerate(YAML_TEXTS):
        text = case.raw().decode("utf-8", "replace")
        if len(text) > SMALL:
            continue
        match number % 4:
            case 0:
                mails.append(mail(text, to=tag_of("K7Q2-9FXM", "game")))
            case 1:
                mails.append(multipart(part("Hi"), attached(text)))
            case 2:
                mails.append(mail(in_html(text), kind="text/html; charset=utf-8"))
            case _:
                mails.append(mail("".join(f"> {line}\n" for line in text.split("\n"))))
    return mails


def run(count: int, seed: int, found: Sequence[bytes] = (), limits: Limits = USUAL) -> Tally:
    """So many mutants of the corpus, read one after the other."""
    tally, begun = Tally(), time.perf_counter()
    with BoundedReader(limits) as reader:
        for raw in many(found or corpus(), count, seed):
            one(reader, raw, tally)
    tally.seconds = time.perf_counter() - begun
    return tally


def one(reader: BoundedReader, raw: bytes, tally: Tally) -> None:
    """One mail, and every question about what came back."""
    begun = time.perf_counter()
    try:
        read = reader.read_mail(raw, ours=[OURS])
    except TaskDied as died:
        tally.died[died.kind] += 1
        tally.dead.append(raw)
    else:
        tally.kinds[sound(read, raw)] += 1
        tally.answer = max(tally.answer, len(json.dumps(read.to_json())))
    tally.slowest = max(tally.slowest, time.perf_counter() - begun)
    tally.largest = max(tally.largest, len(raw))


def sound(read: MailReading, raw: bytes) -> str:
    """What kind of reading it is; AssertionError where it is none that could be right."""
    assert MailReading.from_json(json.loads(json.dumps(read.to_json()))) == read, raw
    assert read.automatic in ("", *AUTOMATIC), raw
    assert len(read.shown) <= 200, raw
    assert read.shown.isprintable(), raw
    assert not (read.automatic and read.command), raw
    assert not (read.automatic and read.blocks and read.automatic not in SUSPECTED), raw
    for block in read.blocks:
        assert block.text, raw
        for problem in block.reading.problems:
            assert problem.mark is None or 1 <= problem.mark.line <= block.text.count("\n") + 2, raw
            assert line(problem, "mail").isprintable(), raw
    if read.trouble is not None:
        str(read.trouble)
        return f"trouble: {read.trouble.code}"
    if read.automatic:
        return f"automatic: {read.automatic}"
    if read.command:
        return f"command: {read.command.word}"
    if not read.blocks:
        return "nothing"
    problems = read.blocks[0].reading.problems
    return f"form: {problems[0].why.code if problems else 'read'}"


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    tally = run(count, seed)
    print(tally)  # noqa: T201
    for number, raw in enumerate(tally.dead[:20]):
        print(number, len(raw), raw[:3000])  # noqa: T201


if __name__ == "__main__":
    main()
