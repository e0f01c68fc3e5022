"""Reminding: whoever wishes it is told some hours before a deadline that he has not answered, by one mail for all his
games, once for each decision.

What a look comes to is one transaction for each player: the mail, and a row in each of its games. So a run that is
killed reminds the others when it is begun again, and nobody twice. Only games are looked at in which somebody is due.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from pbem import faultlog
from pbem.apart import Apart
from pbem.attending.attendance import Attendance
from pbem.bounded import TaskDied
from pbem.clock import stamp
from pbem.config import Config
from pbem.deadlines import leads
from pbem.deadlines.leads import Want
from pbem.errors import Trouble
from pbem.faults import fault
from pbem.game.hosting import sheet_of, standing_of
from pbem.game.sheet import Sheet, Standing
from pbem.ledger import Ledger, games, journal, outbox, players
from pbem.ledger.chain import HOST
from pbem.ledger.players import PlayerRow
from pbem.ledger.transaction import Write
from pbem.post.own import envelope, host_id
from pbem.reports import environment, letter, when
from pbem.reports.plain import one_line, wrap
from pbem.reports.translating import FACT

REMINDER, REMINDED = "reminder", "reminded"
SOON = timedelta(hours=6)  # what would be reminded of so soon after goes into the same mail


@dataclass(frozen=True, slots=True)
class Look:
    """A game in which somebody may be due, as it was when it was looked at."""

    sheet: Sheet
    standing: Standing
    seats: Mapping[str, str]
    wants: list[Want]


@dataclass(slots=True)
class Mine:
    """What one player is to be reminded of."""

    due: bool = False
    looks: dict[str, tuple[Look, list[Want]]] = field(default_factory=dict)


def remind(config: Config, ledger: Ledger, now: datetime) -> int:
    """Write the reminders that are due; gives how many mails there are."""
    with ledger.read() as tx:
        names = games.to_remind(tx, now)
        soon = games.to_remind(tx, now + SOON) if names else []
    if not names:
        return 0
    with Apart() as apart:
        looks = list(_looks(config, ledger, apart, names, now))
        due = {look.seats[want.seat] for look in looks for want in look.wants if want.at <= now}
        others = [name for name in soon if name not in names] if due else []
        looks += _looks(config, ledger, apart, others, now, due)
    count = 0
    for player, mine in sorted(_by_player(looks, now).items()):
        count += _write(config, ledger, player, mine, now)
        fault("reminded")
    for look in looks:
        _put_off(ledger, look, now)
    return count


def _looks(
    config: Config, ledger: Ledger, apart: Apart, names: list[str], now: datetime, only: set[str] | None = None
) -> Iterator[Look]:
    """The games as they stand. Nobody is reminded of those that cannot be read, or whose deadline is past, as that of a
    game that is held: his orders would be late."""
    for name in names:
        with ledger.read() as tx:
            row = games.get(tx, name)
            if row is None or row.deadline_at is None or row.deadline_at <= now:
                continue
            if only is not None and only.isdisjoint(row.seats.values()):
                continue
            try:
                sheet, standing = sheet_of(tx, config, row), standing_of(tx, row, restored=False)
            except (Trouble, ValueError, TypeError, LookupError):
                continue  # the night says what is wrong with it
        try:
            wants = apart.ask(leads.wanted, sheet, standing, now)
        except TaskDied as died:
            faultlog.write_down(died, config.folder)
            continue
        yield Look(sheet, replace(standing, state=None), row.seats, wants)


def _by_player(looks: list[Look], now: datetime) -> dict[str, Mine]:
    """Whom to remind of what: those who are due, and of what else is due to them soon."""
    found: dict[str, Mine] = {}
    for look in looks:
        for want in look.wants:
            if want.at <= now + SOON:
                mine = found.setdefault(look.seats[want.seat], Mine())
                mine.due |= want.at <= now
                mine.looks.setdefault(look.sheet.name, (look, []))[1].append(want)
    return {player: mine for player, mine in found.items() if mine.due}


def _write(config: Config, ledger: Ledger, player: str, mine: Mine, now: datetime) -> int:
    """One player's mail, and the rows that say of what he was reminded: of no game that has changed since the look."""
    with ledger.write() as tx:
        row = players.get(tx, player)
        told = [(look, wants) for look, wants in mine.looks.values() if _is_as_it_was(tx, look)]
        if row is None or row.name is None or not told:
            return 0
        for look, wants in told:
            _note(tx, look, {want.seat for want in wants}, now)
        what = [_name(look, want) for look, wants in told for want in wants]
        message_id = host_id(tx, config, REMINDER, player, *what)
        raw = written(config, row, told, message_id, now)
        outbox.post(tx, HOST, None, REMINDER, message_id, raw, now, now)
    return 1


def _name(look: Look, want: Want) -> str:
    """What somebody is reminded of. A decision that is open again after a take-back or a loss, or to another player, is
    another one; else a run that was killed writes the same reminder again."""
    turn = look.standing.turn
    era = str(look.sheet.eras.of(want.seat, turn))
    return "\0".join((look.sheet.name, str(turn), want.seat, *filter(None, [era])))


def _is_as_it_was(tx: Write, look: Look) -> bool:
    """Whether nothing has happened since; a reminder to another of its players is nothing."""
    row = games.glance(tx, look.sheet.name)
    since = journal.rows(tx, look.sheet.name, after=look.standing.end.seq)
    return row is not None and row.status == games.OPEN and all(one.kind == REMINDED for one in since)


def _note(tx: Write, look: Look, seats: set[str], now: datetime, after: datetime | None = None) -> None:
    """Write down who was reminded, and when it must be looked again: not before all that are due have been."""
    row = games.glance(tx, look.sheet.name)
    assert row is not None, "a game that was looked at"
    attendance = Attendance.from_json(row.attendance)
    attendance = replace(attendance, reminded=attendance.reminded | seats)
    at = leads.next_look(look.sheet, replace(look.standing, attendance=attendance), row.pending, after)
    body = {"who": sorted(seats), "attendance": attendance.to_json(), "remind_at": None if at is None else stamp(at)}
    tx.append(look.sheet.name, REMINDED, now, body, row.turn)


def _put_off(ledger: Ledger, look: Look, now: datetime) -> None:
    """A game in which nobody was due is not looked at again before somebody may be."""
    with ledger.write() as tx:
        row = games.glance(tx, look.sheet.name)
        if row is not None and row.remind_at is not None and row.remind_at <= now and _is_as_it_was(tx, look):
            _note(tx, look, set(), now, after=now)


# --- what a player wishes ---------------------------------------------------------------------------------------------


def wish(tx: Write, config: Config, player: PlayerRow, hours: int, now: datetime) -> PlayerRow:
    """So many hours before a deadline the player is reminded from now on (0: never), of what is open to him, too."""
    player = players.wish(tx, player, remind=hours, at=now)
    for row in games.of_player(tx, player.commitment):
        if row.status != games.OPEN:
            continue
        try:
            sheet, standing = sheet_of(tx, config, row), standing_of(tx, row, restored=False)
        except (Trouble, ValueError, TypeError, LookupError):
            continue  # the night says what is wrong with it
        at = leads.next_look(sheet, standing, row.pending, now)
        if at != row.remind_at:
            tx.append(row.name, REMINDED, now, {"who": [], "remind_at": None if at is None else stamp(at)}, row.turn)
    return player


# --- the mail ---------------------------------------------------------------------------------------------------------


def written(
    config: Config, player: PlayerRow, told: list[tuple[Look, list[Want]]], message_id: str, now: datetime
) -> bytes:
    """The bytes of a reminder. The same decisions give the same bytes."""
    lang = environment.language(player.lang or "en")
    says = environment.says(lang)
    to = letter.Address(player.name or "", player.address or "")
    subject = f"[{config.host}] {says('A reminder: your orders are still missing.')}"
    cover = envelope(config, REMINDER, message_id, now, to, subject, lang, unsubscribe=_leaving(*told[0]))
    decisions = [_line(says, look, want, player, lang) for look, wants in told for want in wants]
    text = [
        says("Nothing that counts has come from you yet for these decisions:"),
        "",
        *(wrap(line, "- ", "  ") for _, line in sorted(decisions)),
        "",
        says("Answer the last letter of a game with your orders; answer it with the word report to get it again."),
        says(
            "You are reminded %(hours)s h ahead. To change that, answer a letter with remind and a number of hours,"
            " or with remind off.",
            hours=player.remind,
        ),
    ]
    return letter.write(cover, "\n".join(line if line.startswith("- ") else wrap(line) for line in text) + "\n")


def _leaving(look: Look, wants: list[Want]) -> str:
    """Where a mail program may write that its owner wants no more: the address of a seat that he has."""
    sheet, turn, seat = look.sheet, look.standing.turn, wants[0].seat
    return sheet.host.answer_to(sheet.key(seat, turn), turn, seat, sheet.name)


def _line(says: Callable[..., str], look: Look, want: Want, player: PlayerRow, lang: str) -> tuple[datetime, str]:
    deadline = look.standing.deadline
    assert deadline is not None, "somebody is reminded of a deadline"
    line = says(
        "%(game)s, seat %(seat)s, decision %(turn)s: until %(until)s.",
        game=one_line(look.sheet.name),
        seat=one_line(environment.translations(lang, look.sheet.rules.id).pgettext(FACT, want.seat)),
        turn=look.standing.turn,
        until=when.told(deadline, player.zone or "UTC", lang),
    )
    if want.draft:
        line += " " + says("A draft of yours is here; it counts if nothing better comes.")
    return deadline, line
