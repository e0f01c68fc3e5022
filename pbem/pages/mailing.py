"""The pages that leave with letters: made when a letter leaves, by bounded processes, and never in a turn.

A letter's page is made of that letter, of those its seat was sent before it, and of the position it tells, as they
stand in the ledger. None of them changes any more, so a letter that is carried again brings the same page, whatever
has happened in between; nothing needs to be kept. The hash in the journal is that of the letter as it was stored,
which says that a page goes with it.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pbem.bounded import Bounds, Pool, TaskDied
from pbem.config import Config
from pbem.errors import CannotGoOn
from pbem.game.hosting import game_named, sheet_of
from pbem.game.outgoing import BRINGS, REPORT
from pbem.game.sheet import Sheet
from pbem.ledger import Ledger, journal, outbox
from pbem.ledger.journal import StepPlace
from pbem.ledger.outbox import OutMail
from pbem.ledger.transaction import Read
from pbem.mailparts import with_part
from pbem.pages.seat import NOT_HANDED_ON, filled, ordering
from pbem.pages.told import Told, told_in
from pbem.post.headers import header
from pbem.reports import environment
from pbem.reports.letter import File, attached

FILE, TEMPLATE = "page.html", "page/page.html.j2"
LAST = 60  # turns a page in a mail shows, so that the post of a game costs the same however long it has lasted
BOUNDS = Bounds(cpu_seconds=20, wall_seconds=40, memory_bytes=512 << 20, answer_bytes=1 << 20)


class Given(NamedTuple):
    """All that the page of one letter is made of."""

    sheet: Sheet
    reports: tuple[Told, ...]
    state: Any  # the position it tells, where the seat may order something


def with_pages(
    config: Config, ledger: Ledger, mails: Iterable[OutMail], ready: Mapping[str, bytes]
) -> dict[str, bytes]:
    """The mails as they leave: to those that bring a page it is added. A page that cannot be made stays away."""
    bringing = [mail for mail in mails if header(ready[mail.message_id], BRINGS)]
    if not bringing:
        return dict(ready)
    environment.environment(environment.LANGUAGES[0], html=True).get_template(TEMPLATE)  # children find it loaded
    with Pool(_made, min(config.processes, len(bringing)), BOUNDS) as pool:
        answers = list(pool.map(_tasks(config, ledger, bringing)))
    made = {
        mail.message_id: with_part(ready[mail.message_id], part)
        for mail, part in zip(bringing, answers, strict=True)
        if part and not isinstance(part, TaskDied)
    }
    return {**ready, **made}


def _tasks(config: Config, ledger: Ledger, mails: Iterable[OutMail]) -> Iterator[bytes]:
    for mail in mails:
        with ledger.read() as tx:
            yield pickle.dumps(given(tx, config, mail))


def _made(task: bytes) -> bytes:
    """In a child: the page as a part of a mail, or nothing where there is nothing to make it of."""
    found: Given | None = pickle.loads(task)
    if found is None:
        return b""
    part = attached(File(FILE, "text/html", page(found).encode()))
    return part.head + part.content


def page(given: Given) -> str:
    """The page itself."""
    last, sheet = given.reports[-1], given.sheet
    lang = environment.language(last["reader"]["lang"], sheet.rules)
    order = None if given.state is None else ordering(sheet, given.state, last["stands"], last, lang)
    return filled(sheet, list(given.reports), lang, order)


def given(tx: Read, config: Config, mail: OutMail) -> Given | None:
    """What the page of that letter is made of; None where the letter is forgotten, or its rules are not installed."""
    own = told_in(outbox.raw(tx, mail.message_id))
    if own is None:
        return None
    try:
        sheet = sheet_of(tx, config, game_named(tx, mail.game))
    except (CannotGoOn, ValueError, TypeError, LookupError):
        return None  # what was written down for it means nothing to the rules of today
    steps = _steps(tx, mail.game, own["turn"], own["head"])
    ids = [sheet.message_id(REPORT, step.hash.hex(), own["seat"]) for step in steps]
    before = _letters(tx, [one for one in ids if one != mail.message_id], mail.former)
    row = journal.at(tx, mail.game, steps[-1].seq) if steps and own["key"] else None
    state = None if row is None else sheet.rules.restore(row.facts()["state"])
    return Given(sheet, (*before, own), state)


def _steps(tx: Read, game: str, turn: int, head: str) -> list[StepPlace]:
    """The last steps before that turn, and those out of turn while it was open, oldest first, up to that head."""
    found = [
        one for one in journal.steps(tx, game, max(0, turn - LAST), turn) if (one.turn, one.kind) != (turn, "turn")
    ]
    last = next((i for i, one in enumerate(found) if one.hash.hex() == head), len(found))
    return found[: last + 1]


def _letters(tx: Read, ids: Sequence[str], to_former: bool) -> Iterator[Told]:
    """The reports among these letters. Of one to somebody who sat at the seat before only what may be handed on."""
    for letter in outbox.letters(tx, ids):
        told = told_in(letter.raw)
        if told is not None:
            yield {**told, **NOT_HANDED_ON} if letter.former and not to_former else told
