"""How many reports a second: text, page, JSON and mail bytes, for all seats of a game that share one memo.

Run by hand: `.venv/bin/python -m tests.bench.bench_reports [SECONDS]`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime

import tests.conftest  # noqa: F401 - makes the sample games known
from pbem.reports import html, json, letter, text
from pbem.reports.report import Report
from pbem.reports.words import Memo
from tests.pbem.reports.played import play, reports

GAMES = {
    "Bagh Chal, 2 seats": ("bagh-chal", 31, {}),
    "Yuan, 4 seats": ("yuan", 22, {"players": 4}),
}
DATE = datetime(2026, 11, 18, 20, 0, tzinfo=UTC)
Work = Callable[[Report, Memo], object]


def rate(work: Work, letters: list[Report], seconds: float) -> float:
    """Reports a second of one core; each round is one game turn with a memo of its own."""
    done, begun = 0, time.process_time()
    while time.process_time() - begun < seconds:
        memo = Memo()
        for one in letters:
            work(one, memo)
        done += len(letters)
    return done / (time.process_time() - begun)


def mail(one: Report, memo: Memo) -> bytes:
    """All that the night does for one mail."""
    envelope = letter.Envelope(
        f"<{one.turn}.{one.seat}@pbem.test>",
        DATE,
        letter.Address("The host", "host@pbem.test"),
        letter.Address(one.reader.name, "player@pbem.test"),
        text.subject(one, memo),
        references=("<thread@pbem.test>",),
    )
    return letter.write(envelope, text.render(one, memo), html.render(one, memo))


def bytes_only(letters: list[Report]) -> Work:
    memo = Memo()
    rendered = {id(one): (text.render(one, memo), html.render(one, memo)) for one in letters}
    sender, to = letter.Address("The host", "host@pbem.test"), letter.Address("Ann", "ann@pbem.test")
    envelope = letter.Envelope("<1@pbem.test>", DATE, sender, to, "[jade-river] Turn 12")
    return lambda one, memo: letter.write(envelope, *rendered[id(one)])


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    for title, (game, turns, choices) in GAMES.items():
        letters = reports(play(game, turns, **choices), last=1)
        memo = Memo()
        sizes = [len(text.render(letters[0], memo)), len(html.render(letters[0], memo))]
        works: dict[str, Work] = {
            "text": text.render,
            "page": html.render,
            "JSON": json.render,
            "mail bytes alone": bytes_only(letters),
            "whole mail": mail,
        }
        events = sum(len(step.events) for step in letters[0].steps)
        print(f"{title}: {events} events, text {sizes[0]} bytes, page {sizes[1]} bytes")
        for name, work in works.items():
            rate(work, letters, 0.1)
            print(f"  {name:<18}{rate(work, letters, seconds):>8.0f} a second")


if __name__ == "__main__":
    main()
