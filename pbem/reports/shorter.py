"""Reports that mail programs would cut: the page in the mail tells the last decisions, an attached one all of them.

Some programs show no more than about 100 kB of a page and hide the rest, the order form with it.
"""

from __future__ import annotations

from dataclasses import replace

from pbem.reports import environment, html
from pbem.reports.picture import Drawing
from pbem.reports.report import Letter, Report
from pbem.reports.words import Memo

LONGEST = 96_000  # bytes of a page as it travels


def page_of(said: Letter, memo: Memo) -> tuple[str, Drawing | None, str]:
    """The page for the mail with its picture; and the whole page for a file of its own, where it had to be cut."""
    page, drawn = html.mailed(said, memo)
    if size(page) <= LONGEST:
        return page, drawn, ""
    whole = html.render(said, memo)
    if isinstance(said, Report):
        left = len(said.steps)
        while left:
            left = min(left - 1, left * LONGEST // size(page))
            page, drawn = html.mailed(replace(said, steps=said.steps[len(said.steps) - left :]), memo)
            if size(page := _pointing(page, said)) <= LONGEST:
                return page, drawn, whole
    return "", None, whole  # its words say everything too


def size(page: str) -> int:
    """How long a page is on its way."""
    return len(page.encode("ascii", "xmlcharrefreplace"))


def _pointing(page: str, said: Report) -> str:
    """The page with a word on where the rest is, above everything else."""
    says = environment.says(environment.language(said.reader.lang, said.rules))
    words = says("This page tells the last decisions only; the attached page report.html tells all of them.")
    before, article, after = page.partition('<div role="article"')
    tag, end, inside = after.partition(">")
    return f'{before}{article}{tag}{end}\n<p class="soft">{words}</p>{inside}'
