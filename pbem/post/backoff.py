"""When a mail is tried again: soon at first, then less and less often, and at last no more."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from pbem.ledger.outbox import REFUSED, SENT, OutMail
from pbem.post.carrier import LATER, Answer
from pbem.post.settings import Post

DOUBLINGS = 16  # by then any waiting time has reached its most


GIVEN_UP = "given up"


class Fate(NamedTuple):
    """What is written down of a try."""

    fate: str
    detail: str
    next_try_at: datetime | None
    called: str  # how a summary counts it


def fate_of(mail: OutMail, answer: Answer, now: datetime, post: Post) -> Fate:
    """What follows from an answer. `mail` is as it stood when the try was begun, the try counted."""
    if answer.fate in (SENT, REFUSED):
        return Fate(answer.fate, answer.detail, None, answer.fate)
    state = REFUSED if answer.fate == LATER else answer.fate
    if mail.since is not None and now - mail.since >= post.give_up:
        return Fate(state, f"{GIVEN_UP} after {post.give_up.days} days: {answer.detail}", None, GIVEN_UP)
    return Fate(state, answer.detail, now + pause(mail.tries, post), answer.fate)


def called(fate: str, detail: str, again: bool) -> str:
    """How a summary counts a fate that stands in the journal; `again`: the mail is tried again."""
    if again:
        return LATER if fate == REFUSED else fate
    return GIVEN_UP if detail.startswith(GIVEN_UP) else fate


def pause(tries: int, post: Post) -> timedelta:
    """How long a mail waits after so many tries."""
    doubled: timedelta = post.retry * (1 << min(max(0, tries - 1), DOUBLINGS))
    return min(doubled, post.retry_most)
