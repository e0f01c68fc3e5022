"""The season itself: days of two visits each by every player, runs between them, faults, outages; and after each run
the questions that must always be answered with yes.

Everything is drawn from one seed: the games, who plays how, what comes when, where a run is killed, which nights fail.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from random import Random

from engine import load
from pbem import faults
from pbem.arriving.message import arrived_by
from pbem.arriving.storing import store
from pbem.attending.attendance import Attendance
from pbem.attending.silence import Policy
from pbem.brakes import holding
from pbem.brakes.releasing import released
from pbem.care.settling import settle
from pbem.config import load as load_config
from pbem.deadlines.reminding import REMINDER
from pbem.deadlines.schedule import Schedule
from pbem.game.hosting import NewGame, add_player, new_game
from pbem.game.overview import glance_at
from pbem.ledger import Ledger, games, journal, letters, outbox, players, sound
from pbem.ledger.chain import HOST
from pbem.ledger.games import GameRow
from pbem.submitting import settle_waiting
from tests.pbem.correspondence.conftest import Post
from tests.pbem.host.conftest import NOON, Host, secret
from tests.season.tempers import PROMPT, TEMPERS, Asked, Writes, writes

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
FIRST = NOON - 12 * HOUR  # the midnight before the first day
GAMES = ("nim",) * 6 + ("bagh-chal", "hasami-shogi", "jarmo", "yut") * 3 + ("yuan", "khan", "vault", "conquest")
SCHEDULES = ("nightly 20:00", "nightly 20:00", "all-in 20:00", "nightly 20:00 Europe/Paris think=20h days=mon-fri",
             "all-in 20:00 mind=30m quiet=22:00-07:00", "on-arrival 20:00 think=48h")  # fmt: skip
POLICIES = ("default", "stand-in=random", "hold=30h", "drop=2", "stand-in=random drop=3 hold=1d away=5d")
POINTS = ("message-read", "message-settled", "attempt-counted", "before-turns", "after-turns", "mails-written",
          "mails-noted", "before-night-done", "deadline-moved", "reminded")  # fmt: skip
KILLED, OFF, TWICE = 0.5, 0.1, 0.1  # how often a run is killed, a night fails, a mail comes twice


class Broken(AssertionError):
    """A promise was not kept; it says on which night, and the seed repeats it."""


@dataclass
class Season:
    """One season, and all that is remembered of it to ask about."""

    seed: int
    host: Host
    source: Random
    tempers: dict[str, str]
    post: Post = field(init=False)
    night: int = 0
    brought: set[tuple[str, str]] = field(default_factory=set)  # message id and hash of every mail that ever came
    deadlines: dict[tuple[str, int], datetime] = field(default_factory=dict)
    stands: dict[tuple[str, int, str], str] = field(default_factory=dict)  # what was acknowledged: order or draft
    seen: Counter[str] = field(default_factory=Counter)
    read_to: dict[str, int] = field(default_factory=dict)  # how far each game's rows were looked at

    def __post_init__(self) -> None:
        self.post = Post(self.host)

    # --- a day --------------------------------------------------------------------------------------------------------

    def day(self) -> None:
        """Two visits of every player, each followed by a run; the evening's run. On some days the machine is off: no
        mail comes in, and nothing runs."""
        midnight = FIRST + self.night * DAY
        self.night += 1
        if self.source.random() < OFF:
            self.seen["nights off"] += 1
            return
        for hour in (10, 17):
            self.visits(midnight + hour * HOUR)
            self.run(midnight + (hour + 1) * HOUR)
        self.run(midnight + 20 * HOUR + 5 * MINUTE)

    def visits(self, now: datetime) -> None:
        """Every player looks at what waits for him; what they write comes in whatever order."""
        mails = [mail for row in list(self.host.all_games) if row.status == games.OPEN for mail in self._of(row, now)]
        self.source.shuffle(mails)
        mails.sort(key=lambda mail: mail[1])
        for raw, at, what in mails:
            for _ in range(2 if self.source.random() < TWICE else 1):
                message = arrived_by(raw, at)
                store(self.host.ledger, [message], self.source.choice(("lmtp", "imap", "maildir")))
                self.brought.add((message.message_id, hashlib.sha256(raw).hexdigest()))
            self._note(what, message.message_id)

    def _of(self, row: GameRow, now: datetime) -> Iterator[tuple[bytes, datetime, tuple[Writes, str, int, str]]]:
        rules = load(row.rules)
        state = rules.restore(row.state)
        with self.host.ledger.read() as tx:
            seen = glance_at(tx, self.host.config, row.name)
        answered = {one.seat for one in seen.waiting if one.answered}
        for seat in row.pending:
            if row.deadline_at is None or now >= row.deadline_at or seat in answered:
                continue
            moves = [move for move in islice(rules.moves(state, seat), 12) if not rules.at_once(state, seat, move)]
            order = str(self.source.choice(moves)) if moves else str(rules.default(state, seat))
            form = lambda text, seat=seat: self.host.file(seat, text, name=row.name)  # noqa: E731
            asked = Asked(row.name, seat, row.turn, form, order, now, row.deadline_at)
            for one in writes(self.tempers[f"{row.name}/{seat}"], asked, self.source, self.night):
                to = None if one.key is None else self.post.tagged(seat, row.turn, row.name, key=one.key)
                body = one.body if one.key is None else one.body.replace(self.host.key(seat, name=row.name), one.key)
                raw = self.post.mail(body, seat=seat, name=row.name, to=to, sender="somebody@elsewhere.example")
                yield raw, one.at, (one, row.name, row.turn, seat)

    def _note(self, what: tuple[Writes, str, int, str], message_id: str) -> None:
        self.waiting.append((what, message_id))

    waiting: list[tuple[tuple[Writes, str, int, str], str]] = field(default_factory=list)

    # --- a run --------------------------------------------------------------------------------------------------------

    def run(self, at: datetime) -> None:
        """One run, killed at some points and begun again until it comes to its end."""
        if self.source.random() < 0.5:
            settle_waiting(self.host.config, self.host.ledger, at)  # as LMTP would have judged it at once
        while self.source.random() < KILLED:
            self._killed(at)
            at += MINUTE
        summary = self.host.night(at)
        self.seen.update(turns=summary.turns, moved=len(summary.moved), reminded=summary.reminded)
        if summary.failed or summary.halted:
            raise Broken(f"night {self.night}: {summary.failed}")
        if summary.held:
            self._release(at)
            self.host.night(at + 10 * MINUTE)
        self.check(at)

    def _killed(self, at: datetime) -> None:
        point, after = self.source.choice(POINTS), self.source.randrange(2)
        passed = Counter[str]()

        def die(name: str) -> None:
            passed[name] += 1
            if name == point and passed[name] > after:
                raise KeyboardInterrupt(point)

        faults.arm(die)
        try:
            self.host.night(at)
        except KeyboardInterrupt:
            self.seen["killed"] += 1
        finally:
            faults.arm(None)

    def _release(self, at: datetime) -> None:
        with self.host.ledger.read() as tx:
            held = [one.name for one in holding.on_record(tx) if not one.released]
        for name in held:
            released(self.host.config, self.host.ledger, name, at, "a simulated referee", move=True)
            self.seen["released"] += 1

    # --- the questions ------------------------------------------------------------------------------------------------

    def check(self, at: datetime) -> None:
        """What must be true after every run."""
        self._acknowledged()
        with self.host.ledger.read() as tx:
            counts = letters.counts(tx)
            waiting = outbox.waiting(tx)
        if sum(counts.values()) != len(self.brought) or counts.get(letters.WAITING):
            raise Broken(f"night {self.night}: {len(self.brought)} messages came, and their fates are {counts}")
        if waiting:
            raise Broken(f"night {self.night}: {waiting} mails did not leave")
        for row in self.host.all_games:
            self._deadline(row)
            self._turns(row.name)
            self._penalties(row)

    def _deadline(self, row: GameRow) -> None:
        """A deadline that was announced is never earlier (G17)."""
        if row.status == games.OPEN and row.deadline_at is not None:
            before = self.deadlines.setdefault((row.name, row.turn), row.deadline_at)
            if row.deadline_at < before:
                raise Broken(f"night {self.night}: {row.name}, turn {row.turn}: {row.deadline_at} after {before}")
            self.deadlines[row.name, row.turn] = row.deadline_at

    def _acknowledged(self) -> None:
        """Which of the mails that came were taken, by what the journal says of them."""
        with self.host.ledger.read() as tx:
            rows = journal.rows(tx, HOST, kinds=("letter_fate",), after=self.read_to.get(HOST, 0))
            facts = [(row.seq, row.facts()) for row in rows]
        self.read_to[HOST] = facts[-1][0] if facts else self.read_to.get(HOST, 0)
        fates = {one["message_id"]: one["fate"] for _, one in facts}
        left = []
        for what, message_id in self.waiting:
            if message_id not in fates:
                left.append((what, message_id))
                continue
            wrote, game, turn, seat = what
            if fates[message_id] == letters.ACCEPTED and (wrote.orders or wrote.draft):
                known = self.stands.get((game, turn, seat))
                self.stands[game, turn, seat] = "order" if wrote.orders or known == "order" else "draft"
            elif fates[message_id] == letters.ACCEPTED and wrote.body == "withdraw":
                self.stands.pop((game, turn, seat), None)
            self.seen[fates[message_id]] += 1
        self.waiting = left

    def _turns(self, name: str) -> None:
        """Each turn was resolved once, and what was acknowledged counted, or its seat was told why not."""
        with self.host.ledger.read() as tx:
            rows = list(journal.rows(tx, name, kinds=("turn",), after=self.read_to.get(name, 0)))
        for row in rows:
            number = self.read_to.get(f"turn of {name}", -1) + 1
            if row.turn != number:
                raise Broken(f"night {self.night}: {name} went on to turn {row.turn} where {number} was due")
            self.read_to[f"turn of {name}"], self.read_to[name] = number, row.seq
            facts = row.facts()
            for seat, made in facts["moves"].items():
                known = self.stands.pop((name, number, seat), None)
                told = seat in facts.get("stopped", {})
                if known is not None and made["how"] in ("default", "stand-in") and not told:
                    raise Broken(
                        f"night {self.night}: {name}, turn {number}: an acknowledged {known} of {seat} is lost"
                    )

    def _penalties(self, row: GameRow) -> None:
        """Who answers at each visit is never taken for silent, late or gone, whatever the host or others did."""
        attendance = Attendance.from_json(row.attendance)
        for seat in row.seats:
            record = attendance.of(seat)
            if self.tempers[f"{row.name}/{seat}"] == PROMPT and (record.silent or record.late or record.gone):
                raise Broken(f"night {self.night}: {row.name}: {seat} is prompt, and on record as {record}")

    def end(self) -> str:
        """The last questions: every chain is whole, nobody was reminded twice; gives what this season came to."""
        with self.host.ledger.read() as tx:
            if fault := next(sound.all_faults(tx), None):
                raise Broken(fault.text)
            ids = [row.facts() for row in journal.rows(tx, HOST, kinds=("mail",))]
            reminders = [one["message_id"] for one in ids if one["kind"] == REMINDER]
            states = [(row.name, row.turn, row.status, tx.end(row.name).hash.hex()) for row in games.every(tx)]
        if len(reminders) != len(set(reminders)):
            raise Broken("somebody was reminded twice")
        return hashlib.sha256(repr(states).encode()).hexdigest()


def begin(folder: Path, seed: int, count: int, *, pages: bool = True) -> Season:
    """A host with so many games; without pages a long season takes a tenth of the time, and asks the same."""
    source = Random(seed)
    config = settle(folder, secret=secret(f"season {seed}"))
    if not pages:
        written = config.folder / "pbem.toml"
        written.write_text(written.read_text().replace("page = true", "page = false"))
    season = Season(seed, Host(load_config(config.folder / "pbem.toml"), Ledger.open(config.ledger)), source, {})
    for number in range(count):
        _start(season, f"game-{number:03}")
    return season


def _start(season: Season, name: str) -> None:
    source = season.source
    rules = load(source.choice(GAMES))
    seats = rules.seats(rules.Options())
    with season.host.ledger.write() as tx:
        for seat in seats:
            temper = source.choice(TEMPERS)
            season.tempers[f"{name}/{seat}"] = temper
            player = f"{temper} {seat} of {name}"
            row = add_player(tx, player, f"{name}-{seat}@players.example", "en", "UTC", FIRST, secret(player))
            if source.random() < 0.3:
                players.wish(tx, row, remind=source.choice((2, 12, 30)), at=FIRST)
        wanted = NewGame(
            rules=rules.id,
            name=name,
            seats={seat: f"{season.tempers[f'{name}/{seat}']} {seat} of {name}" for seat in seats},
            schedule=Schedule.read(source.choice(SCHEDULES)),
            silence=Policy.read(source.choice(POLICIES)),
            seed=secret(f"seed {season.seed} {name}"),
            secret=secret(f"chain {name}"),
        )
        new_game(tx, season.host.config, wanted, FIRST)


def play(folder: Path, seed: int, count: int, nights: int) -> Season:
    """A whole season."""
    season = begin(folder, seed, count)
    for _ in range(nights):
        season.day()
    return season
