"""What maps cost: PNGs a second for each game, and a four-seat turn of Yuan as its reports, its SVG and its PNG.

    python -m tests.bench.bench_maps

CPU time of one process, the least of several runs. A map is painted once for all seats that see the same, so a turn of
Yuan costs one PNG, not four.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime

from pbem.pictures.painting import height, paint
from pbem.reports import html, json, text
from pbem.reports.words import Memo
from tests.maps.boards import OURS, boards
from tests.pbem.reports.played import play, report

RUNS = 7
NOW = datetime(2026, 11, 18, tzinfo=UTC)


def least(work: Callable[[], object]) -> float:
    """Milliseconds of CPU."""
    found = []
    for _ in range(RUNS):
        before = time.process_time()
        work()
        found.append(time.process_time() - before)
    return min(found) * 1000


def main() -> None:
    print(f"{'game':14}{'SVG':>8}{'PNG':>8}{'size':>12}{'ms':>8}{'a second':>10}")
    for game in OURS:
        of_game = boards(game)
        svg = of_game[len(of_game) // 2].svg.encode()
        took, png = least(lambda svg=svg: paint(svg)), paint(svg)  # type: ignore[misc]
        size = f"720x{height(svg)}"
        print(f"{game:14}{len(svg) // 1000:6} kB{len(png) // 1000:5} kB{size:>12}{took:8.1f}{1000 / took:10.1f}")
    yuan()


def yuan() -> None:
    game = play("yuan", 40, players=4)
    seats = game.rules.seats(game.options)

    def turn() -> list[bytes]:
        memo, svgs = Memo(), []
        for seat in seats:
            letter = report(game, seat, last=1)
            page, drawn = html.mailed(letter, memo)
            assert drawn is not None
            svgs.append(drawn.svg)
            assert page
            assert text.render(letter, memo)
            assert json.render(letter, memo)
        return svgs

    svgs = set(turn())
    reports = least(turn)
    painting = least(lambda: [paint(svg) for svg in svgs])
    page = html.mailed(report(game, seats[0], last=1))[0]
    share = painting / (painting + reports)
    print(f"\nA turn of Yuan, four seats: {len(svgs)} distinct map(s)")
    print(f"  text, HTML, JSON and SVG of four reports {reports:6.1f} ms; HTML {len(page) / 1000:.0f} kB each")
    print(f"  PNG {painting:6.1f} ms, {painting / 4:.1f} a report: {share:.0%} of all that is made for the readers")


if __name__ == "__main__":
    main()
