"""Attendance: who came, who was late, who stayed away, and for whom the others wait no longer.

Everything here is a value; each row of the journal that changes it carries the whole of it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple

from engine import Seat
from pbem.agreed.asked import Asked
from pbem.attending.silence import Policy
from pbem.clock import read_instant, stamp
from pbem.deadlines.wallclock import day_of, instant
from pbem.intake.away import STAND_IN, WAIT
from pbem.reports.report import News

HOUR = timedelta(hours=1)
LONG_AGO, FAR_OFF = datetime(2000, 1, 1, tzinfo=UTC), datetime(2999, 1, 1, tzinfo=UTC)  # of days that nobody named


class Away(NamedTuple):
    """An announced absence: deadlines wait for it, or a stand-in plays, or standing orders and defaults do."""

    first: datetime
    last: datetime
    mode: str = WAIT

    def covers(self, moment: datetime) -> bool:
        return self.first <= moment < self.last

    @classmethod
    def from_row(cls, body: Mapping[str, Any], zone: str) -> Away:
        """As its row in the journal says it, by days of that zone; the last day is one of absence."""
        first, last = (None if body[name] is None else date.fromisoformat(body[name]) for name in ("from", "to"))
        begins = LONG_AGO if first is None else instant(first, time(), zone)
        ends = FAR_OFF if last is None else instant(last + timedelta(days=1), time(), zone)
        return cls(begins, ends, body["mode"] or WAIT)

    def to_row(self, zone: str) -> dict[str, Any]:
        """As a row of the journal says it, by days of that zone."""
        first = None if self.first == LONG_AGO else day_of(self.first, zone).isoformat()
        last = None if self.last == FAR_OFF else (day_of(self.last, zone) - timedelta(days=1)).isoformat()
        return {"away": True, "mode": self.mode, "from": first, "to": last}


@dataclass(frozen=True, slots=True)
class Record:
    """How one seat has kept its appointments since its present player took it over."""

    tenure: int = 1  # the how-manieth player of this seat
    on_time: int = 0
    late: int = 0  # orders that came after their deadline
    silent: int = 0
    absent: int = 0  # silent on notice
    row: int = 0  # silences in a row
    gone: bool = False  # not waited for any more
    used: int = 0  # hours for which its absences have held up the game

    def to_json(self) -> dict[str, Any]:
        data = {one.name: getattr(self, one.name) for one in fields(Record)}
        return {name: value for name, value in data.items() if value != getattr(NEW, name)}


NEW = Record()


class Past(NamedTuple):
    """A tenure that is over: the seat, its player by his commitment, and how he kept his appointments."""

    seat: Seat
    player: str
    record: Record


class Loss(NamedTuple):
    """A time that the host has lost, by what stood in the copy that it was restored from."""

    mark: str  # in the keys that are given out after it
    turn: int  # the decision that is open in the copy
    backs: int
    tenures: Mapping[Seat, int]

    def is_before(self, seat: Seat, tenure: int, backs: int, turn: int) -> bool:
        """Whether the copy knows nothing of that player's key for that turn after so many take-backs."""
        return tenure > self.tenures.get(seat, 1) or (backs, turn) > (self.backs, self.turn)


ABSENT, HERE, GONE = "absent", "here", "gone"
Aways = Mapping[Seat, Away]


def _is_of_days(news: News, seat: Seat) -> bool:
    return news.kind in (ABSENT, HERE) and news.seat == seat


def news_to_json(news: News) -> list[Any]:
    return [news.kind, news.seat, dict(news.facts)]


@dataclass(frozen=True, slots=True)
class Attendance:
    """All that the host keeps of a game beside its rules: policy, records, and what the next report tells of them."""

    policy: Policy = field(default_factory=Policy)
    records: Mapping[Seat, Record] = field(default_factory=dict)
    unwaited: frozenset[Seat] = frozenset()  # for whom the open decision does not wait
    held_from: datetime | None = None  # the open decision's deadline, before it was held for somebody
    reminded: frozenset[Seat] = frozenset()  # of the open decision
    backs: int = 0  # how often the game was taken back
    asked: Mapping[str, Asked] = field(default_factory=dict)  # what waits for the word of all seats
    lost: tuple[Loss, ...] = ()  # times that the host has lost, the last one last
    drawn: bool = False  # all have agreed to a draw
    past: tuple[Past, ...] = ()  # tenures that are over
    disputes: Mapping[str, Seat] = field(default_factory=dict)  # by their numbers: who waits for the referee's answer
    disputed: int = 0  # how many disputes there were
    late: frozenset[Seat] = frozenset()  # whose silence a run counts that goes on where one before reached its limit
    counted: frozenset[Seat] = frozenset()  # who was counted by the run before that reached its limit
    opened_at: datetime | None = None  # when the players were told of it, where one of them wishes to be reminded
    news: tuple[News, ...] = ()

    def of(self, seat: Seat) -> Record:
        return self.records.get(seat, NEW)

    def with_record(self, seat: Seat, record: Record) -> Attendance:
        return replace(self, records={**self.records, seat: record})

    def told(self, *news: News) -> Attendance:
        """The same, with something for the next report to tell."""
        return replace(self, news=(*self.news, *news))

    # --- what happens -------------------------------------------------------------------------------------------------

    def came_late(self, seat: Seat) -> Attendance:
        """Orders came after their deadline."""
        return self.with_record(seat, replace(self.of(seat), late=self.of(seat).late + 1))

    def wrote(self, seat: Seat, *, taken: bool) -> Attendance:
        """A seat has sent orders: whoever writes is there again."""
        record = self.of(seat)
        if not taken or not (record.gone or record.row):
            return self
        back = self.with_record(seat, replace(record, gone=False, row=0))
        if not record.gone:
            return back
        return replace(back, unwaited=back.unwaited - {seat}).told(News("back", seat))

    def resolved(self, came: Collection[Seat], silent: Collection[Seat], excused: Collection[Seat] = ()) -> Attendance:
        """Decisions were resolved: these seats had answered, for those silence counted; some of those were absent on
        notice."""
        attendance = self
        for seat in sorted({*came, *silent}):
            attendance = attendance._counted(seat, silent=seat in silent, excused=seat in excused)
        return replace(attendance, held_from=None, reminded=frozenset())

    def _counted(self, seat: Seat, *, silent: bool, excused: bool) -> Attendance:
        record = self.of(seat)
        if not silent:
            return self.with_record(seat, replace(record, on_time=record.on_time + 1, row=0))
        if record.gone:
            return self
        if excused or seat in self.unwaited:
            return self.with_record(seat, replace(record, absent=record.absent + 1))
        record = replace(record, silent=record.silent + 1, row=record.row + 1)
        drop = self.policy.for_seat(seat).drop
        if drop is None or record.row < drop:
            return self.with_record(seat, record)
        return self.with_record(seat, replace(record, gone=True)).told(News(GONE, seat, {"times": record.row}))

    def opened(self, moment: datetime, people: Collection[Seat], away: Aways) -> Attendance:
        """A decision was opened: whom the game does not wait for. Where that would be everybody, it waits for all: a
        game does not play itself to its end."""
        unwaited = {seat for seat in people if self.of(seat).gone or self.is_spared(seat, away.get(seat), moment)}
        return replace(self, unwaited=frozenset(unwaited) if unwaited < set(people) else frozenset())

    def is_spared(self, seat: Seat, absence: Away | None, moment: datetime) -> bool:
        """Whether a seat is away at that moment and the others need not wait: somebody or something answers for it, or
        it has been waited for as long as the game allows."""
        return absence is not None and absence.covers(moment) and (absence.mode != WAIT or not self.left(seat))

    def stands_in(self, seat: Seat, decision: str, absence: Away | None) -> str | None:
        """The program that moves for this seat where it is silent; None: its default. `absence` is one of just now."""
        rule = self.policy.of(seat, decision)
        if absence is not None and absence.mode != WAIT:
            return rule.player if absence.mode == STAND_IN else None
        return rule.player if rule.does == STAND_IN else None

    def left(self, seat: Seat) -> int:
        """Hours for which absences of this seat may still hold up the game."""
        return max(0, self.policy.for_seat(seat).away - self.of(seat).used)

    def granted(self, seat: Seat, deadline: datetime, wanted: datetime) -> tuple[datetime, Attendance]:
        """Until when, and no longer than `wanted`, a decision is left open for a seat that is away; and what that uses
        up."""
        hours = min(self.left(seat), -(-(wanted - deadline) // HOUR))
        if hours <= 0:
            return deadline, self
        record = self.of(seat)
        used = self.with_record(seat, replace(record, used=record.used + hours))
        return min(wanted, deadline + hours * HOUR), used

    def without_days(self, seat: Seat) -> Attendance:
        """The same without news of a seat's days away that wait to be told: there is a newer word."""
        return replace(self, news=tuple(one for one in self.news if not _is_of_days(one, seat)))

    # --- after a restore ----------------------------------------------------------------------------------------------

    def lost_from(self, turn: int, mark: str) -> Attendance:
        """What came after this is lost; that turn is open."""
        tenures = {seat: record.tenure for seat, record in sorted(self.records.items()) if record.tenure > 1}
        return replace(self, lost=(*self.lost, Loss(mark, turn, self.backs, tenures)))

    def begun_anew(self) -> Attendance:
        """That of the next game of a match. It may have begun in a time that was lost, so no key of it was known."""
        return Attendance(self.policy, lost=tuple(Loss(loss.mark, 0, 0, {}) for loss in self.lost))

    # --- in JSON ------------------------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """Plain JSON, without what is as it is in the beginning."""
        data = {
            "policy": "" if self.policy == Policy() else str(self.policy),
            "records": {seat: said for seat, record in sorted(self.records.items()) if (said := record.to_json())},
            "unwaited": sorted(self.unwaited),
            "held_from": None if self.held_from is None else stamp(self.held_from),
            "reminded": sorted(self.reminded),
            "late": sorted(self.late),
            "counted": sorted(self.counted),
            "opened_at": None if self.opened_at is None else stamp(self.opened_at),
            "backs": self.backs,
            "lost": [[loss.mark, loss.turn, loss.backs, dict(loss.tenures)] for loss in self.lost],
            "asked": {what: asked.to_json() for what, asked in sorted(self.asked.items())},
            "drawn": self.drawn,
            "past": [[one.seat, one.player, one.record.to_json()] for one in self.past],
            "disputes": dict(self.disputes),
            "disputed": self.disputed,
            "news": [news_to_json(news) for news in self.news],
        }
        return {name: value for name, value in data.items() if value}

    @classmethod
    def from_json(cls, data: Mapping[str, Any] | None) -> Attendance:
        data = data or {}
        return cls(
            policy=Policy.read(data.get("policy", "")),
            records={seat: Record(**said) for seat, said in data.get("records", {}).items()},
            unwaited=frozenset(data.get("unwaited", ())),
            held_from=read_instant(data["held_from"]) if data.get("held_from") else None,
            reminded=frozenset(data.get("reminded", ())),
            backs=data.get("backs", 0),
            lost=tuple(Loss(*loss) for loss in data.get("lost", ())),
            asked={what: Asked.from_json(asked) for what, asked in data.get("asked", {}).items()},
            drawn=data.get("drawn", False),
            past=tuple(Past(seat, player, Record(**said)) for seat, player, said in data.get("past", ())),
            disputes=data.get("disputes", {}),
            disputed=data.get("disputed", 0),
            late=frozenset(data.get("late", ())),
            counted=frozenset(data.get("counted", ())),
            opened_at=read_instant(data["opened_at"]) if data.get("opened_at") else None,
            news=tuple(News(*news) for news in data.get("news", ())),
        )
