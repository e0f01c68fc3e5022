"""Letters as HTML: one document that needs nothing from outside, for mail programs, browsers and printers."""

from __future__ import annotations

from urllib.parse import quote

from pbem.reports import environment, plain, text
from pbem.reports.picture import Drawing, drawing
from pbem.reports.report import Letter
from pbem.reports.telling import Telling, tell
from pbem.reports.words import Memo


def render(letter: Letter, memo: Memo | None = None) -> str:
    """The letter as an HTML document."""
    return from_told(tell(letter, memo or Memo()))


def mailed(letter: Letter, memo: Memo | None = None) -> tuple[str, Drawing | None]:
    """The letter as the HTML part of a mail, and the picture that comes with it: mail programs draw no SVG."""
    told = tell(letter, memo or Memo())
    svg = told.picture()
    shown = drawing(str(svg)) if svg else None
    return _page(told, shown), shown


def from_told(told: Telling) -> str:
    return _page(told)


def _page(told: Telling, image: Drawing | None = None) -> str:
    template = environment.environment(told.lang, html=True).get_template(f"{environment.FRAME}/{told.kind}.html.j2")
    return plain.clean(template.render(t=told, answer=_answer(told), image=image)) + "\n"


def _answer(told: Telling) -> str:
    """A link that opens a mail with the order form in it (RFC 6068); "" when nothing can be ordered."""
    if not (told.form and told.answer_to):
        return ""
    subject, body = quote(f"Re: {text.subject_of(told)}"), quote(told.form.replace("\n", "\r\n"))
    return f"mailto:{quote(told.answer_to, safe='@+')}?subject={subject}&body={body}"
