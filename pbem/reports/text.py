"""Letters as text: 78 columns, in an order that is good to hear, and nothing said by a picture alone."""

from __future__ import annotations

from pbem.reports import environment, plain
from pbem.reports.report import Letter
from pbem.reports.telling import Telling, tell
from pbem.reports.words import Memo


def render(letter: Letter, memo: Memo | None = None) -> str:
    """The letter as text, lines ended by a line feed."""
    return from_told(tell(letter, memo or Memo()))


def from_told(told: Telling) -> str:
    template = environment.environment(told.lang, html=False).get_template(f"{environment.FRAME}/{told.kind}.txt.j2")
    return plain.clean(template.render(t=told)).strip() + "\n"


def subject(letter: Letter, memo: Memo | None = None) -> str:
    """The subject line of the letter's mail."""
    return subject_of(tell(letter, memo or Memo()))


def subject_of(told: Telling) -> str:
    subjects = environment.environment(told.lang, html=False).get_template(f"{environment.FRAME}/subjects.j2").module
    return plain.one_line(str(getattr(subjects, told.kind)(told)))
