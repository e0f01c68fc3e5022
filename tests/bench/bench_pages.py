"""What a four-seat turn of Yuan costs to tell, part by part: `python -m tests.bench.bench_pages [SECONDS]`.

Text, page of the mail, map as PNG and page for the browser, each per report and as a share of them all together with
resolving. The browser's page is made of as many turns as there are behind the report; the map is painted once a view.
Time is that of the processor, the best of some rounds.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import tests.conftest  # noqa: F401 - makes the sample games known
from engine import Dice
from pbem.pages.document import document
from pbem.pages.frames import packed
from pbem.pages.rules import cited, rules_of
from pbem.pictures import painting
from pbem.reports import html, json, text
from pbem.reports.words import Memo
from tests.pbem.reports.played import Game, play, reports

SEATS, ROUNDS = 4, 3
Work = Callable[[], object]


def cost(work: Work, seconds: float) -> float:
    """Milliseconds of one core, for the whole turn."""
    return min(_once(work, seconds / ROUNDS) for _ in range(ROUNDS))


def _once(work: Work, seconds: float) -> float:
    done, begun = 0, time.process_time()
    while (spent := time.process_time() - begun) < seconds or not done:
        work()
        done += 1
    return 1000 * spent / done


def turn_of(game: Game, behind: int) -> dict[str, Work]:
    """What a night does for a turn with so many behind it."""
    letters = reports(game, last=1)
    told = [json.plain(one) for one in letters]
    drawn = [found for one in letters if (found := html.mailed(one)[1]) is not None]
    last = game.turns[-1]

    def each(render: Callable[[Any, Memo], object]) -> Work:
        def work() -> None:
            memo = Memo()
            for one in letters:
                render(one, memo)

        return work

    return {
        "resolving": lambda: game.rules.resolve(last.before, last.moves, Dice(b"bench", "yuan")),
        "text": each(text.render),
        "page of the mail": each(html.render),
        "data": each(json.render),
        "maps as PNG": lambda: [painting.paint(svg) for svg in {one.svg for one in drawn}],
        f"pages of {behind} turns": lambda: [page(game, [one] * behind) for one in told],
    }


def page(game: Game, told: list[Any]) -> str:
    """A seat's page, as it leaves with its mail, but for the place where orders are written."""
    rules = rules_of(game.rules.id, "en")
    shown = {"game": "coral", "seat": told[-1]["seat"], "turn": len(told), "players": {}, "order": None}
    shown |= {"called": {seat: seat for seat in game.rules.seats(game.options)}, "frames": packed(game.rules, told)}
    shown["rules"] = {"page": "", "places": rules.places(cited(shown))}
    texts = {"title": "Yuan", "deadlines": (), "home": "", "rules": rules}
    return document("page.html.j2", "en", script="page.js", shown=shown, **texts)


def main(seconds: float = 2.0) -> None:
    game = play("yuan", 22, players=SEATS)
    for behind in (1, 20, 60):
        costs = {name: cost(work, seconds) for name, work in turn_of(game, behind).items()}
        whole = sum(costs.values())
        sys.stdout.write(f"Yuan, {SEATS} seats, {behind} turns: {whole:.0f} ms a turn, {whole / SEATS:.1f} a report\n")
        for name, spent in costs.items():
            sys.stdout.write(f"  {name:22} {spent / SEATS:8.2f} ms a report {spent / whole:6.1%}\n")


if __name__ == "__main__":
    main(*map(float, sys.argv[1:2]))
