"""Substituting: somebody else takes a seat over, by a ruling, or because it is not waited for and there are volunteers.

He gets a briefing, time to think and keys of his own; the old ones are worth nothing. Records are kept for each tenure.
Nobody inherits a mailbox: what was written to the player before him stays that player's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from engine import Notice, Seat
from pbem.agreed.asked import DRAW
from pbem.agreed.consent import without
from pbem.agreed.consenting import reviewed
from pbem.agreed.taking_back import Ask, here
from pbem.attending.attendance import Attendance, Past, Record
from pbem.bounded import TaskDied
from pbem.clock import stamp
from pbem.config import Config
from pbem.errors import CannotGoOn, Trouble
from pbem.game.eras import eras_of
from pbem.game.hosting import game_named, player_named, sheet_of, sitter_of, standing_of, store, with_bots
from pbem.game.retelling import history_rows
from pbem.game.sheet import BOT, End, Sheet, Standing
from pbem.game.turning import Row
from pbem.ledger import contacts, games, players
from pbem.ledger.games import GameRow
from pbem.ledger.players import PlayerRow
from pbem.ledger.transaction import Read, Write
from pbem.people.handing_over import handed_over
from pbem.reports.report import HANDED_OVER, News
from pbem.reports.telling import Who
from pbem.rulings.noticing import post_notice
from pbem.rulings.ruling import RULING, seat_of


class RulesFail(Trouble):
    """The rules of a game do not get through with a seat's view of it, so nobody can be briefed."""


ALL_GAMES = "*"
AUTOMATIC = "nobody has answered for the seat"


def substituted(
    tx: Write, config: Config, name: str, seat: Seat, player: str, now: datetime, reason: str, ask: Ask = here
) -> str:
    """Let that player take the seat over; gives the game's deadline."""
    row = game_named(tx, name)
    seat = seat_of(row, seat)
    named = with_bots(tx, config, {seat: player}, now)[seat]
    wanted = player_named(tx, named)
    if why := _why_not(row, seat, wanted) or _why_same_person(tx, config, row, seat, wanted):
        raise Trouble(why)
    _hand_over(tx, config, row, seat, wanted, now, reason, ask)
    reviewed(tx, config, name, now, ask)
    deadline = game_named(tx, name).deadline_at
    return "" if deadline is None else stamp(deadline)


def _why_not(row: GameRow, seat: Seat, player: PlayerRow) -> str:
    if row.status == games.SEEDING:
        return f"The dice of {row.name} are being settled; a seat of it can change hands once it has begun."
    if row.status == games.OVER:
        return f"{row.name} is over; nobody can take a seat of it."
    if seat in row.resigned:
        return f"Seat {seat} of {row.name} has resigned, for good; nobody can take it over."
    taken = [other for other, who in row.seats.items() if who == player.commitment]
    if taken:
        return f"{player.name} plays {row.name} already, seat {taken[0]}."
    return ""


def _why_same_person(tx: Read, config: Config, row: GameRow, seat: Seat, player: PlayerRow) -> str:
    """Return why the person would play against themselves, under another name but with the same address."""
    others = players.among(tx, [who for other, who in row.seats.items() if other != seat]).values()
    same = [other.name for other in others if players.is_same_person(other, player)]
    if config.same_person or not same or (player.name or "").startswith(BOT):
        return ""
    return (
        f"{player.name} and {same[0]}, who plays {row.name} already, have the same address. "
        "If this is meant, set `same_person = true` under [people] in pbem.toml."
    )


def _hand_over(
    tx: Write, config: Config, row: GameRow, seat: Seat, player: PlayerRow, now: datetime, reason: str, ask: Ask
) -> None:
    old, standing = sheet_of(tx, config, row), standing_of(tx, row, restored=False)
    attendance = handed(standing.attendance, seat, row.seats[seat])
    why = {} if reason == AUTOMATIC else {"reason": reason}
    attendance = attendance.told(News(HANDED_OVER, seat, {"player": player.name or "", **why}))
    sitter = sitter_of(player)
    if sitter.bot is not None:
        attendance = without(attendance, DRAW)  # programs agree to none, so nobody is asked any more
    seats = {**row.seats, seat: player.commitment}
    sheet = replace(
        old,
        sitters={**old.sitters, seat: sitter},
        eras=eras_of(attendance.to_json()),
        match=None if old.match is None else replace(old.match, players=seats),
    )
    says, unsaid = _without_words(standing, seat)
    away = {other: absence for other, absence in standing.away.items() if other != seat}
    after = replace(standing, attendance=attendance, says=says, away=away)
    changed = [other for other in standing.says if standing.says[other] != says.get(other)]
    body = {
        "act": "substitute",
        "reason": reason,
        "seats": seats,
        "former": row.seats[seat],
        "tenure": attendance.of(seat).tenure,
        "queues": dict.fromkeys(changed),
    }
    given = sheet, after, seat, Row(RULING, body, seat=seat), history_rows(tx, row), now
    try:
        ask(handed_over, *given)  # tried before anything is written
    except TaskDied as died:
        raise RulesFail(f"The rules of {row.name} do not get through with its position ({died.kind}).") from died
    _tell_former(tx, old, row, seat, now)
    end = tx.end(row.name)
    after = replace(after, end=End(end.seq, end.hash, end.at))
    store(tx, sheet, ask(handed_over, sheet, after, *given[2:]), now)
    for other in unsaid:
        text = "Your words to {seat} were not passed on: somebody else plays that seat now."
        post_notice(tx, sheet, game_named(tx, row.name), other, "message", now,
                    lines=(Notice("", "unsaid", text, {"seat": Who(seat, "")}),))  # fmt: skip


def _tell_former(tx: Write, sheet: Sheet, row: GameRow, seat: Seat, now: datetime) -> None:
    """A last letter to whoever sat there. It is written before the row, as letters after it are for somebody else."""
    text = "Somebody else plays {seat} in {game} from now on. Thank you for having played; your keys are worth nothing."
    line = Notice("", "former", text, {"seat": Who(seat, ""), "game": row.name})
    post_notice(tx, sheet, row, seat, "message", now, lines=(line,))


def handed(attendance: Attendance, seat: Seat, former: str) -> Attendance:
    """The attendance with a new tenure at that seat; how the one before went is kept."""
    record = attendance.of(seat)
    past = (*attendance.past, Past(seat, former, record))
    asked = {what: replace(one, yes=one.yes - {seat}) for what, one in attendance.asked.items()}
    new = replace(
        attendance,
        past=past,
        asked=asked,
        unwaited=attendance.unwaited - {seat},
        reminded=attendance.reminded - {seat},
    )
    return new.with_record(seat, Record(tenure=record.tenure + 1))


def _without_words(standing: Standing, seat: Seat) -> tuple[dict[Seat, Mapping[str, str]], list[Seat]]:
    """Press that waits, without that of the seat, and without what is for it alone; and whose words those were."""
    says: dict[Seat, Mapping[str, str]] = {}
    unsaid: list[Seat] = []
    for other, said in standing.says.items():
        kept = {to: text for to, text in said.items() if to != seat}
        if other != seat and len(kept) < len(said):
            unsaid.append(other)
        if other != seat and kept:
            says[other] = kept
    return says, unsaid


# --- volunteers -------------------------------------------------------------------------------------------------------


def volunteered(
    tx: Write, config: Config, player: PlayerRow, wanted: list[str] | None, now: datetime, ask: Ask
) -> None:
    """A player would take a seat over in these games (None: in none any more); if one waits, he gets it at once."""
    players.volunteer(tx, player, wanted, now)
    if wanted is None:
        return
    for row in list(games.every(tx, games.OPEN)):
        if _fits(wanted, row) and fill(tx, config, row.name, now, ask):
            return


def fill(tx: Write, config: Config, name: str, now: datetime, ask: Ask) -> tuple[Seat, ...]:
    """Give the seats of a game that are not waited for any more to volunteers, where its policy says so; which ones."""
    filled = []
    attendance = Attendance.from_json(game_named(tx, name).attendance)
    for seat in sorted(attendance.records):
        row = game_named(tx, name)
        if not attendance.of(seat).gone or not attendance.policy.for_seat(seat).substitute or seat in row.resigned:
            continue
        player = _first_volunteer(tx, config, row, seat)
        if player is None or row.status != games.OPEN:
            break
        try:
            _hand_over(tx, config, row, seat, player, now, AUTOMATIC, ask)
        except (RulesFail, CannotGoOn):
            break  # the game has other troubles, which the host is told of
        players.volunteer(tx, player, None, now)
        filled.append(seat)
    return tuple(filled)


def _first_volunteer(tx: Read, config: Config, row: GameRow, seat: Seat) -> PlayerRow | None:
    """Who has waited longest, among those whom mail reaches and who do not play in that game."""
    for player in players.volunteering(tx):
        fits = _fits(player.volunteers, row) and player.commitment not in row.seats.values()
        fits = fits and not _why_same_person(tx, config, row, seat, player)
        if fits and not contacts.get(tx, player.commitment).failing:
            return player
    return None


def _fits(wanted: list[str] | None, row: GameRow) -> bool:
    return wanted is not None and (ALL_GAMES in wanted or row.rules in wanted)
