"""From one turn to many games, by arithmetic: what a day holds, what the largest hour asks for, what is full first."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.bench.scale.queueing import Costs, Setting, bound, enough, play

FIGURES = Path(__file__).with_name("figures.json")
LIVE = (10_000, 100_000, 1_000_000)
TURNS_A_DAY = 0.5  # of a live game: some every night, some twice a week
LARGEST = 0.2  # of a day's turns fall due together, at 20:00 of the zone with most players
MAILS = 4  # reports of a turn; as many mails come in, and are answered
OURS_IN_PLACE = 0.5  # so much of our own time for a turn is spent while we have the writers' place
SYNC = 0.002  # seconds until a disk of the better sort has a transaction
TALK = 0.25  # seconds that a mail server elsewhere takes for a mail
CONNECTIONS = 4  # of each process: two of its queue, its ledger's, its locks'
CHOICES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
HOUR, DAY = 3600, 86400


@dataclass(frozen=True, slots=True)
class Turn:
    """What one turn costs with all its mails: seconds of a processor, rows, bytes."""

    play: float
    server: float
    mails: float  # taking out, painting, carrying
    pages: float
    intake: float
    rows: float
    bytes: float
    costs: Costs

    @property
    def cpu(self) -> float:
        return self.play + self.server + self.mails + self.pages + self.intake


def read(figures: Mapping[str, Any]) -> Turn:
    """One turn, out of what was measured."""
    turn, mail, intake, receipt = (figures[name] for name in ("turn", "mail", "intake", "receipt"))
    page = figures["page ms"] / 1000

    def seconds(part: Mapping[str, Any], *whose: str) -> float:
        return float(sum(part["ms"][name] for name in whose or part["ms"])) / 1000

    def total(what: str) -> float:
        return float(sum(turn[what].values()) + MAILS * sum(sum(one[what].values()) for one in (mail, intake, receipt)))

    in_place = seconds(turn, "ours") * OURS_IN_PLACE + seconds(turn, "server") + 2 * SYNC
    noting = seconds(mail, "server") + SYNC
    return Turn(
        play=seconds(turn, "ours", "theirs"),
        server=seconds(turn, "server"),
        mails=MAILS * (seconds(mail) + seconds(receipt)),
        pages=MAILS * page,
        intake=MAILS * seconds(intake),
        rows=total("rows"),
        bytes=total("bytes"),
        costs=Costs(
            play=seconds(turn, "theirs") + seconds(turn, "ours") * (1 - OURS_IN_PLACE),
            write=in_place,
            ready=seconds(mail, "ours", "theirs") + page + TALK,
            note=noting,
            mails=MAILS,
        ),
    )


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"| {' | '.join(['---'] + ['---:'] * (len(heads) - 1))} |"
    for row in rows:
        yield f"| {' | '.join(map(str, row))} |"
    yield ""


def count(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 else f"{number:.1f}"


def clock(seconds: float) -> str:
    """So long, as a person says it."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 100 * 60 else f"{seconds / HOUR:.1f} h"


def of_one_turn(one: Turn, figures: Mapping[str, Any]) -> Iterator[str]:
    parts = {
        "resolving and rendering": one.play,
        "the server, for that": one.server,
        "maps, reports and receipts carried": one.mails,
        "pages in the browser": one.pages,
        "orders read, judged, answered": one.intake,
    }
    yield f"Measured on {figures['on']} ({figures['machine']}; load {figures['load']:.0f}), {figures['games']} games:"
    yield ""
    rows = [(name, f"{1000 * value:.0f}", f"{value / one.cpu:.0%}") for name, value in parts.items()]
    yield from table(
        ("a turn of four seats", "ms of a processor", "share"), [*rows, ("all", f"{1000 * one.cpu:.0f}", "")]
    )
    yield f"It leaves {one.rows:.0f} rows and {one.bytes / 1000:.0f} kB in the server, indexes and all:"
    yield ""
    tables = sorted({name for part in PARTS for name in figures[part]["bytes"]})
    sums = {name: sum(n * figures[part]["bytes"].get(name, 0) for part, n in PARTS.items()) for name in tables}
    largest = sorted(sums, key=lambda name: -sums[name])[:5]
    yield from table(("table", "kB a turn"), [(name, f"{sums[name] / 1000:.1f}") for name in largest])


PARTS = {"turn": 1, "mail": MAILS, "intake": MAILS, "receipt": MAILS}


def of_a_day(one: Turn) -> Iterator[str]:
    turns = [live * TURNS_A_DAY for live in LIVE]
    rows = {
        "turns": [count(n) for n in turns],
        "mails out": [count(n * 2 * MAILS) for n in turns],
        "mails in": [count(n * MAILS) for n in turns],
        "rows": [count(n * one.rows) for n in turns],
        "GB in the server": [count(n * one.bytes / 1e9) for n in turns],
        "TB in a year": [count(n * one.bytes * 365 / 1e12) for n in turns],
        "hours of a processor": [count(n * one.cpu / HOUR) for n in turns],
        "of them for pages": [count(n * one.pages / HOUR) for n in turns],
        "processors, if it were even": [count(n * one.cpu / DAY) for n in turns],
        "hours in the writers' place": [count(n * in_turn(one) / HOUR) for n in turns],
    }
    yield from table(("a day", *(f"{live:,} games" for live in LIVE)), [(name, *some) for name, some in rows.items()])


def in_turn(one: Turn) -> float:
    """Seconds that one turn with all its mails has the writers' place, of which there is one."""
    receipts = MAILS * one.costs.note
    intake = one.intake * OURS_IN_PLACE + 2 * MAILS * SYNC
    return one.costs.write + MAILS * one.costs.note + receipts + intake


def of_the_evening(one: Turn) -> Iterator[str]:
    """The largest zone's evening, by one ledger, and by so many that the writers' place is no more what is full."""
    rows = []
    for live in LIVE:
        games = round(live * TURNS_A_DAY * LARGEST)
        least = games * (one.costs.write + MAILS * one.costs.note)
        found = enough(games, one.costs, HOUR, CHOICES)
        ledgers = 1
        while found is None:
            ledgers *= 2
            found = enough(-(-games // ledgers), one.costs, HOUR, CHOICES)
        all_of_them = found * ledgers
        name = (f"{live:,}", f"{games:,}", clock(bound(games, one.costs, 1)), clock(least), ledgers, all_of_them)
        rows.append((*name, count(2 * all_of_them * CONNECTIONS / ledgers), count(games * MAILS / HOUR)))
    heads = (
        "games",
        "due at once",
        "one process",
        "writers' place",
        "ledgers",
        "processes",
        "lines a server",
        "mails a s",
    )
    yield from table(heads, rows)


def of_waiting(one: Turn) -> Iterator[str]:
    """Minutes until the last report leaves, by workers, and with things going wrong."""
    games = round(LIVE[0] * TURNS_A_DAY * LARGEST)
    cases = {
        "nothing goes wrong": {},
        "a process killed each second": {"kills": 1.0},
        "one mail in fifty put off": {"put_off": 0.02},
        "both": {"kills": 1.0, "put_off": 0.02},
    }
    for many, grain in ((games, 1), (10 * games, 10)):
        rows = []
        for name, wrong in cases.items():
            ends = [play(many, one.costs, Setting(n, n, **wrong), grain=grain).left for n in CHOICES[1:7]]
            rows.append((name, *map(clock, ends)))
        yield from table((f"{many:,} games due at 20:00", *(f"{n} workers" for n in CHOICES[1:7])), rows)


def of_the_check(figures: Mapping[str, Any]) -> Iterator[str]:
    """The play beside real workers."""
    rows = [
        (one["workers"], one["games"], f"{one['measured']:.1f} s", f"{one['played']:.1f} s")
        for one in figures.get("check", ())
    ]
    yield from table(("workers", "games", "measured", "played"), rows)


SECTIONS = {
    "turn": lambda one, figures: of_one_turn(one, figures),
    "day": lambda one, figures: of_a_day(one),
    "evening": lambda one, figures: of_the_evening(one),
    "waiting": lambda one, figures: of_waiting(one),
    "check": lambda one, figures: of_the_check(figures),
}


def renewed(text: str) -> str:
    """The page with its tables made anew."""
    figures = json.loads(FIGURES.read_text())
    one = read(figures)
    for name, make in SECTIONS.items():
        begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
        before, found, rest = text.partition(begin)
        assert found, f"the page has no place for {name}"
        text = before + begin + "\n" + "\n".join(make(one, figures)) + end + rest.partition(end)[2]
    return text
