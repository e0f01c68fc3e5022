"""`pbem status`: all games at a glance, once or again and again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from time import sleep
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import click

from pbem.cli import openings
from pbem.cli.frame import Session, as_json, at_time, moment, pass_session, whole
from pbem.cli.output import clear_screen, emit, say, several

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.brakes.holding import Held
    from pbem.game.overview import Glance, Waiting
    from pbem.ledger.contacts import Contact
    from pbem.ledger.openings import Opening

OFTEN = 5  # seconds between two looks


@click.command()
@click.option("--all", "everything", is_flag=True, help="Show games that are over, too.")
@click.option(
    "--watch",
    "pause",
    type=whole(1, 3600),
    is_flag=False,
    flag_value=str(OFTEN),
    metavar="SECONDS",
    help=f"Look again every so many seconds, {OFTEN} if none are named, until Ctrl-C.",
)
@at_time
@as_json
@pass_session
def status(session: Session, everything: bool, pause: int | None, now: str | None, as_json: bool) -> None:
    """Show all games: whose turn, until when, who is late, what is halted, what waits to be sent.

    With --watch it is shown again and again; with --json as well, each look is one line.
    """
    if pause is None:
        seen = look(session, everything, moment(now))
        emit(seen.to_json()) if as_json else _tell(seen)
        return
    if now is not None:
        raise click.UsageError("--watch follows the clock, so it has no use for --now.")
    while True:
        seen = look(session, everything, moment(None))
        if as_json:
            emit(seen.to_json(), indent=None)
        else:
            clear_screen()
            say(f"{seen.at:%Y-%m-%d %H:%M:%S} UTC")
            _tell(seen)
        sleep(pause)


SEVERAL = 20  # games that are seen at once


@dataclass(frozen=True, slots=True)
class Seen:
    """What one look found."""

    at: datetime
    zone: str
    games: list[Glance]
    care: dict[str, int]
    back: list[tuple[str, Contact]]
    held: list[Held]
    open: list[tuple[Opening, dict[str, str]]]  # games that wait for players, and who sits where so far

    def to_json(self) -> dict[str, Any]:
        bounces = [{"player": name, "bounces": one.bounces, "failing": one.failing} for name, one in self.back]
        games = [one.to_json() | {"late": one.late(self.at)} for one in self.games]
        from pbem.clock import stamp

        held = [{"brake": one.name, "game": one.game, "says": one.says, "since": stamp(one.since),
                 "released": one.released} for one in self.held]  # fmt: skip
        waiting = [openings.to_json(one, names) for one, names in self.open]
        return {"games": games, **self.care, "bounces": bounces, "held": held, "openings": waiting}

    def lines(self) -> Iterator[str]:
        from pbem.brakes.holding import line as held_line

        yield from (held_line(one) for one in self.held if not one.released)
        for one in self.games:
            yield line(one, self.at, self.zone)
        for opening, names in self.open:
            yield openings.words(opening, names)
        if not self.games:
            yield "No games are being played."
        if len(self.games) > SEVERAL:
            yield self.counted()
        mails, letters = self.care["mails_waiting"], self.care["letters_waiting"]
        yield f"Mails waiting to be sent: {mails}. Messages waiting to be read: {letters}."
        if lost := self.care["mails_lost"]:
            yield f"{several(lost, 'mail')} could not be sent; `pbem deliver` shows why."
        for name, contact in self.back:
            failing = "; the address does not seem to work" if contact.failing else ""
            yield f"{several(contact.bounces, 'mail')} to {name} came back{failing}."

    def counted(self) -> str:
        """All games in one line, for a list that is longer than a screen."""
        statuses = Counter(one.status for one in self.games)
        late = sum(one.late(self.at) for one in self.games)
        many = ", ".join(f"{count} {status}" for status, count in sorted(statuses.items()))
        return f"{several(len(self.games), 'game')}: {many}; the deadline of {late} is past."


def by_number(name: str) -> list[tuple[int, str]]:
    """The key that puts hill-9 before hill-10."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in _numbers.split(name)]


_numbers = re.compile(r"([0-9]+)")


def look(session: Session, everything: bool, at: datetime) -> Seen:
    """All games as they stand at this moment, and what the host must care for."""
    from pbem.brakes import holding
    from pbem.game.overview import glances, health
    from pbem.ledger import openings as rows
    from pbem.people.person import in_trouble

    with session.ledger() as ledger, ledger.read() as tx:
        found = [one for one in glances(tx, session.config) if everything or one.status != "over"]
        found.sort(key=lambda one: by_number(one.name))
        waiting = [(one, openings.names_of(tx, one)) for one in rows.every(tx)]
        care, back = health(tx, at), in_trouble(tx)
        return Seen(at, session.config.zone, found, care, back, holding.on_record(tx), waiting)


def _tell(seen: Seen) -> None:
    for words in seen.lines():
        say(words)


def waited_for(waits: Waiting) -> str:
    """A seat that is waited for: who sits there, whether he has answered, and how often he missed a deadline here."""
    from pbem.game.sheet import FORGOTTEN

    record = waits.record
    answered = ", answered" if waits.answered else ""
    missed = f", missed {record.silent} of {record.silent + record.on_time}" if record.silent else ""
    return f"{waits.seat} ({waits.player or FORGOTTEN}{answered}{missed})"


def line(one: Glance, now: datetime, zone: str) -> str:
    """One game in one line that is good to hear, with its deadline on the host's own clock."""
    if one.trouble is not None:
        return f"{one.name}: {one.status} at turn {one.turn}, and cannot go on here. {one.trouble}"
    rules = one.rules if one.match is None else f"{one.rules}, game {one.match.number} of {one.match.name}"
    asks = "".join(f"; dispute {number} waits for your answer" for number in one.disputes)
    asks += "".join(f"; {question}" for question in one.asked)
    if one.status == "seeding":
        when = "" if one.deadline is None else f" until {one.deadline.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M} {zone}"
        still = f"; still to come: {', '.join(map(waited_for, one.waiting))}" if one.waiting else ""
        return f"{one.name} ({rules}): waits for its dice, for {one.dice}{when}{still}{asks}"
    if one.status != "open":
        return f"{one.name} ({rules}): {one.status} at turn {one.turn}{asks}"
    waits = ", ".join(map(waited_for, one.waiting))
    when = "without a deadline"
    if one.deadline is not None:
        when = f"until {one.deadline.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M} {zone}"
    late = "; the deadline is past, `pbem nightly` resolves it" if one.late(now) else ""
    tries = f"; failed {several(one.attempts, 'time')}" if one.attempts else ""
    return f"{one.name} ({rules}): turn {one.turn}, {one.decision}, {when}; waits for {waits}{late}{tries}{asks}"
