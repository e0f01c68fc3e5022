"""The season itself: days of two visits each by every player, runs between them, a referee, and a world that fails.

Everything is drawn from one seed: the games, who plays how, what comes when, where a run is killed, which nights fail.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import sqlalchemy as sa

from engine import load
from engine.registry import AnyGame
from pbem import faults, keys
from pbem.arriving.message import Message, arrived_by
from pbem.arriving.storing import LMTP, store
from pbem.attending.attendance import Attendance
from pbem.attending.silence import Policy
from pbem.brakes import holding
from pbem.brakes.releasing import released
from pbem.brakes.trips import CLOCK, INBOX
from pbem.care import keeping
from pbem.care.settling import settle
from pbem.config import load as load_config
from pbem.deadlines.schedule import Schedule
from pbem.game.eras import eras_of
from pbem.game.hosting import NewGame, add_player, new_game
from pbem.game.overview import glance_at
from pbem.game.sheet import BOT
from pbem.ledger import Ledger, backup, chains, games, journal, openings, outbox, players
from pbem.ledger.games import GameRow
from pbem.ledger.tables import GAME
from pbem.ledger.transaction import Write
from pbem.ledger.troubles import NotWritten, OlderThanMailed
from pbem.messages import settle_waiting
from pbem.nightly import night
from pbem.people.forgetting import forget
from pbem.people.gathering import opened
from pbem.resolving import TRIES
from pbem.rulings.ruling import resumed
from pbem.summary import Summary
from tests.pbem.correspondence.conftest import Post
from tests.pbem.host.conftest import NOON, Host, secret
from tests.season import referee
from tests.season.questions import Memory, What, digest, name_of, sound_and_true
from tests.season.tempers import TEMPERS, Asked, Writes, words, writes
from tests.season.world import Broken, World, full_disk

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
FIRST = NOON - 12 * HOUR  # the midnight before the first day
GAMES = ("nim",) * 6 + ("bagh-chal", "hasami-shogi", "jarmo", "yut") * 3 + ("yuan", "khan", "vault", "conquest")
SCHEDULES = ("nightly 20:00", "nightly 20:00", "all-in 20:00", "nightly 20:00 Europe/Paris think=20h days=mon-fri",
             "all-in 20:00 mind=30m quiet=22:00-07:00", "on-arrival 20:00 think=48h")  # fmt: skip
POLICIES = ("default", "stand-in=random", "hold=30h", "drop=2", "stand-in=random drop=3 hold=1d away=5d",
            "drop=2 substitute")  # fmt: skip
POINTS = ("mails-fetched", "mails-stored", "message-read", "message-settled", "attempt-counted", "before-turns",
          "after-turns", "mail-begun", "mail-answered", "mails-noted", "pictures-kept", "before-night-done",
          "deadline-moved", "reminded")  # fmt: skip
KILLED, OFF, TWICE, WRONG, FULL, UNREACHED = 0.4, 0.1, 0.1, 0.05, 0.1, 0.1
ANEW, COPIED, RESTORED = 0.02, 0.2, 0.25
"""How often a run is killed, a night fails, a mail comes twice, clocks are wrong, disks full, the mailbox away. On how
many half days a mailbox brings all it had once more, a backup is taken, and is restored."""
SKEWS = (-30 * DAY, -5 * HOUR, 4 * HOUR, 3 * DAY)
OPENING, BOTS = "open-tables", ("bot: greedy", "bot: random")
ATTEMPTS = sa.select(GAME.c.name, GAME.c.attempts).order_by(GAME.c.name)
REFEREE = "referee@players.example"


@dataclass
class Hosted(Host):
    """A host whose games may have been begun by their players, with secrets of the host's own."""

    secrets: dict[str, bytes] = field(default_factory=dict)  # by game, as far as they were asked for

    def key(self, seat: str, turn: int | None = None, name: str = "game") -> str:
        row = self.row(name)
        if name not in self.secrets:
            with self.ledger.read() as tx:
                self.secrets[name] = chains.secret_of(tx, name).secret
        turn = row.turn if turn is None else turn
        return keys.key(self.secrets[name], seat, turn, str(eras_of(row.attendance).of(seat, turn)))


@dataclass
class Season:
    """One season, and all that is remembered of it to ask about."""

    seed: int
    host: Hosted
    source: Random
    tempers: dict[str, str] = field(default_factory=dict)  # by the players' commitments
    night: int = 0

    def __post_init__(self) -> None:
        self.post, self.world = Post(self.host), World(self.seed)
        self.memory = Memory(self.world, self.tempers)
        self.came = 0  # new players
        self.alone = Counter[str]()  # how often a game was alone in hand when a run was cut short
        self.booted = 0  # the start of the machine since which a run came to its end
        self.coming: list[tuple[Message, What]] = []  # what was written and has not arrived
        self.wrote: dict[str, What] = {}  # all that ever arrived, by its id
        self.luck = Random(f"disasters of {self.seed}")
        self.backup: tuple[Path, dict[str, Any], Counter[str]] | None = None

    @property
    def seen(self) -> Counter[str]:
        return self.memory.seen

    # --- a day --------------------------------------------------------------------------------------------------------

    def day(self) -> None:
        """Two visits of every player, each followed by a run; the referee; the evening's run. On some days the machine
        is off: no mail comes in, and nothing runs."""
        midnight = FIRST + self.night * DAY
        self.night += 1
        try:
            self._day(midnight)
        except Broken as broken:
            raise Broken(f"seed {self.seed}, night {self.night}: {broken}") from broken

    def _day(self, midnight: datetime) -> None:
        if self._chance(OFF) and self.night > 1:  # the rhythm of a host that is new is not known yet
            self.seen["nights off"] += 1
            self.world.boot += 1
            return
        self.world.mailbox.reachable = not self._chance(UNREACHED)
        for hour in (10, 17):
            self._disasters(midnight + (hour - 1) * HOUR)
            self.visits(midnight + hour * HOUR)
            self.run(midnight + (hour + 1) * HOUR)
            if hour == 10:
                self._rule(midnight + (hour + 2) * HOUR)
        self.run(midnight + 20 * HOUR + 5 * MINUTE)
        if self._chance(0.05):
            sound_and_true(self.host.ledger)

    def _chance(self, share: float) -> bool:
        return self.source.random() < share

    def _rule(self, at: datetime) -> None:
        with self.world.around(at):
            self.seen.update(referee.acts(self.host.config, self.host.ledger, at, self))

    # --- what comes in ------------------------------------------------------------------------------------------------

    def visits(self, now: datetime) -> None:
        """Every player looks at what waits for him; what they write comes in whatever order, by whatever way."""
        mails = [mail for row in self.host.all_games if row.status == games.OPEN for mail in self._of(row, now)]
        mails += list(self._joining(now))
        self.source.shuffle(mails)
        mails.sort(key=lambda mail: mail[1])
        self.coming += [(arrived_by(raw, at), what) for raw, at, what in mails]

    def _arrive(self, until: datetime) -> None:
        """What was written comes in at its time; some of it twice."""
        here = [one for one in self.coming if one[0].arrived <= until]
        self.coming = [one for one in self.coming if one[0].arrived > until]
        for message, what in here:
            self.memory.brought.add(name_of(message))
            self.memory.waiting.append((what, message.message_id))
            self.wrote[message.message_id] = what
            for _ in range(2 if self._chance(TWICE) else 1):
                self._comes(message)

    def _comes(self, message: Message) -> None:
        """To the mailbox, or in person; whom a full disk sends away comes again."""
        if self._chance(0.4):
            self.world.mailbox.lying.append(message)
            return
        if self._chance(FULL / 10):
            try:
                with full_disk(self.host.ledger, self.source.randrange(3)):
                    store(self.host.ledger, [message], LMTP)
            except NotWritten:
                self.seen["sent away"] += 1
            self._reopen()
        store(self.host.ledger, [message], LMTP)

    def _of(self, row: GameRow, now: datetime) -> Iterator[tuple[bytes, datetime, What]]:
        rules = load(row.rules)
        with self.host.ledger.read() as tx:
            seen, opened = glance_at(tx, self.host.config, row.name), journal.turn(tx, row.name, row.turn - 1)
        answered = {one.seat for one in seen.waiting if one.answered}
        asked = Attendance.from_json(row.attendance).asked
        for seat, player in sorted(row.seats.items()):
            temper = self.tempers.get(player)
            if temper is None or seat in row.resigned:
                continue
            for one in words(row, seat, temper, asked, now, self.source):
                yield self.post.mail(one.body, seat=seat, name=row.name), one.at, What(one, row.name, row.turn, seat)
            if seat in row.pending and row.deadline_at is not None and now < row.deadline_at and seat not in answered:
                for raw, at, one in self._answers(row, rules, seat, temper, now, row.deadline_at):
                    yield raw, at, What(one, row.name, row.turn, seat, opened.hash.hex() if opened else "")

    def _answers(
        self, row: GameRow, rules: AnyGame, seat: str, temper: str, now: datetime, deadline: datetime
    ) -> Iterator[tuple[bytes, datetime, Writes]]:
        state = rules.restore(row.state)
        moves = [move for move in islice(rules.moves(state, seat), 12) if not rules.at_once(state, seat, move)]
        order = str(self.source.choice(moves)) if moves else str(rules.default(state, seat))
        form = lambda text: self.host.file(seat, text, name=row.name)  # noqa: E731
        asked = Asked(row.name, seat, row.turn, form, order, now, deadline)
        for one in writes(temper, asked, self.source, self.night):
            to = None if one.key is None else self.post.tagged(seat, row.turn, row.name, key=one.key)
            body = one.body if one.key is None else one.body.replace(self.host.key(seat, name=row.name), one.key)
            raw = self.post.mail(body, seat=seat, name=row.name, to=to, sender="somebody@elsewhere.example")
            yield raw, one.at, one

    def _joining(self, now: datetime) -> Iterator[tuple[bytes, datetime, What]]:
        """Strangers who ask for a seat, and those who answer the question whether it was they."""
        with self.host.ledger.read() as tx:
            waits, asked = openings.get(tx, OPENING), openings.asked(tx)
        to = self.host.config.address
        if waits is not None and self._chance(0.4):
            one = Writes(f"join {OPENING}", now, word="join")
            sender = f"stranger-{self.source.randrange(5)}@players.example"
            yield self.post.mail(one.body, to=to, sender=sender), now, What(one, OPENING)
        for asking in asked:
            if self._chance(0.7):
                local, _, host = to.rpartition("@")
                one = Writes("yes", now, word="confirmed")
                raw = self.post.mail(one.body, to=f"{local}+join.{asking.code}@{host}", sender=asking.address)
                yield raw, now, What(one, OPENING)

    # --- the referee's side -------------------------------------------------------------------------------------------

    def another_player(self, tx: Write, at: datetime, temper: str | None = None) -> str:
        """A new player of some temper; his name."""
        self.came += 1
        temper = temper or self.source.choice(TEMPERS)
        name = f"{temper} {self.came}"
        row = add_player(tx, name, f"player-{self.came}@players.example", "en", "UTC", at, secret(name))
        self.tempers[row.commitment] = temper
        if self._chance(0.3):
            players.wish(tx, row, remind=self.source.choice((2, 12, 30)), at=at)
        return name

    def struck(self, row: GameRow, seat: str) -> None:
        self.memory.strike(row.name, seat)

    # --- a run --------------------------------------------------------------------------------------------------------

    def run(self, at: datetime) -> None:
        """One run: killed at some points, short of disk, under a wrong clock, and begun again until it ends well."""
        self._arrive(at)
        if self._chance(0.5):
            with self.world.around(at):  # as LMTP would have judged it at once
                settle_waiting(self.host.config, self.host.ledger, at)
        while self._chance(KILLED):
            self._cut_short(self._die, at)
            at += MINUTE
        if self._chance(FULL):
            self._cut_short(self._short_of_disk, at)
            at += MINUTE
        if self._chance(WRONG) and self.booted == self.world.boot:  # else there is nothing to compare a clock with
            self._under_a_wrong_clock(at)
            at += MINUTE
        summary = self._night(at)
        self.booted = self.world.boot
        self.seen.update(turns=summary.turns, moved=len(summary.moved), reminded=summary.reminded)
        self._let_go_on(summary, at)
        if summary.held and self._release(at):
            self._night(at + 10 * MINUTE)
        self._known_newcomers()
        self.memory.ask(self.host.ledger, self.host.all_games, at)

    def _night(self, true: datetime, shown: datetime | None = None) -> Summary:
        with self.world.around(true):
            return night(self.host.config, self.host.ledger, shown or true, jobs=1, by_clock=True)

    def _let_go_on(self, summary: Summary, at: datetime) -> None:
        """A game that was alone in hand whenever a machine died is held for what the machine did: nobody could tell
        them apart, and the referee lets it go on. No other game may be halted, and none may fail."""
        blamed = {name for name in summary.halted if self.alone[name] >= TRIES - 1}
        if wrong := summary.failed.keys() - blamed:
            raise Broken(f"{ {name: summary.failed[name] for name in sorted(wrong)} }")
        for name in sorted(blamed):
            self.seen["blamed"] += 1
            with self.world.around(at), self.host.ledger.write() as tx:
                resumed(tx, self.host.config, name, at, "The machine had died.")
                self.alone[name] = 0

    def _cut_short(self, run: Callable[[datetime], None], at: datetime) -> None:
        """A run that may end too early, by a kill or for want of room; which game was alone in hand then."""
        before = self._attempts()
        run(at)
        after = self._attempts()
        in_hand = [name for name, count in after.items() if count > before.get(name, 0)]
        self.alone.update(in_hand if len(in_hand) == 1 else ())
        self.alone = Counter({name: times for name, times in self.alone.items() if after[name]})

    def _attempts(self) -> dict[str, int]:
        with self.host.ledger.read() as tx:
            return {row.name: row.attempts for row in tx.all(ATTEMPTS)}

    def _die(self, at: datetime) -> None:
        point, after = self.source.choice(POINTS), self.source.randrange(2)
        passed = Counter[str]()

        def die(name: str) -> None:
            passed[name] += 1
            if name == point and passed[name] > after:
                raise KeyboardInterrupt(point)

        faults.arm(die)
        try:
            self._night(at)
        except KeyboardInterrupt:
            self.seen["killed"] += 1
            self._in_doubt()
        finally:
            faults.arm(None)

    def _short_of_disk(self, at: datetime) -> None:
        """The disk is full from some write on, and the run ends; there is room again when the next one begins."""
        try:
            with full_disk(self.host.ledger, self.source.choice((0, 1, 3, 10, 30, 100))):
                self._night(at)
        except NotWritten:
            self.seen["disk full"] += 1
        self._reopen()
        self._in_doubt()

    def _reopen(self) -> None:
        """As a new process does: one whose ledger could not be written writes no more."""
        self.host.ledger.close()
        self.host.ledger = Ledger.open(self.host.config.ledger)

    def _in_doubt(self) -> None:
        """A mail that a run was about to carry when it ended may leave again."""
        with self.host.ledger.read() as tx:
            due = outbox.due(tx, FIRST + 10_000 * DAY)
        self.world.post.doubtful |= {mail.message_id for mail in due if mail.state == outbox.BEGUN}

    def _under_a_wrong_clock(self, at: datetime) -> None:
        """Nothing is resolved at a time that is far from the true one (G17)."""
        before = [(row.name, row.turn, row.deadline_at) for row in self.host.all_games]
        summary = self._night(at, at + self.source.choice(SKEWS))
        if not summary.held or before != [(row.name, row.turn, row.deadline_at) for row in self.host.all_games]:
            raise Broken(f"a run under a wrong clock did {summary}")
        self.seen["wrong clock"] += 1

    def _release(self, at: datetime) -> bool:
        """What does not end by itself is released by the referee."""
        with self.host.ledger.read() as tx:
            held = [one.name for one in holding.on_record(tx) if not one.released]
        names = [name for name in held if name not in (CLOCK, INBOX)]
        with self.world.around(at):
            for name in names:
                released(self.host.config, self.host.ledger, name, at, referee.WHY, move=True)
        self.seen["released"] += len(names)
        return bool(names)

    def _known_newcomers(self) -> None:
        """Who has joined by mail plays by some temper, too."""
        with self.host.ledger.read() as tx:
            new = [row for row in players.every(tx) if row.commitment not in self.tempers and row.name]
        for row in sorted(new, key=lambda row: row.name or ""):
            if not (row.name or "").startswith(BOT):
                self.tempers[row.commitment] = self.source.choice(TEMPERS)
                self.seen["strangers"] += 1

    # --- disasters ----------------------------------------------------------------------------------------------------

    def _disasters(self, at: datetime) -> None:
        """Drawn by themselves, so that the rest of a season does not depend on how many kinds of them there are."""
        if self.luck.random() < ANEW:
            self.world.mailbox.anew()
            self._lies_there()
            self.seen["all mail anew"] += 1
        if self.backup is None and self.luck.random() < COPIED:
            target = self.host.config.folder / f"copy-{self.night}-{at.hour}.db"
            made = backup.backup(self.host.config.place, target)
            self.backup = made, self.memory.copied(), Counter(self.alone)
        elif self.backup is not None and self.luck.random() < RESTORED:
            with self.world.around(at):
                self._restore(*self.backup, at)
            self.backup = None

    def _restore(self, copy: Path, known: dict[str, Any], alone: Counter[str], at: datetime) -> None:
        """The disk has died. Where the copy is older than mails that have left, no run does anything before the referee
        agrees (G8); and nothing that leaves after it takes the place of what has left (the post asks that)."""
        with self.host.ledger.read() as tx:  # nobody asks any more for what was lost, and agreed upon, before
            left = {name for name in self.world.post.arrived if outbox.get(tx, name) is not None}
        self.host.ledger.close()
        keeping.put_back(self.host.config, copy)
        self.host.secrets.clear()
        self.host.ledger = Ledger.open(self.host.config.ledger)
        if self.luck.random() < 0.5:
            self.world.mailbox.anew()
        self.memory.restored(known, self.host.ledger)
        self._lies_there()
        self.alone = alone
        with self.host.ledger.read() as tx:
            stands = {name: outbox.get(tx, name) for name in left}
        self.world.post.doubtful |= {name for name, mail in stands.items() if mail is None or mail.next_try_at}
        try:
            self._let_go_on(self._night(at), at)
        except OlderThanMailed:
            keeping.agreed(self.host.config, at, referee.WHY)
            self.seen["restored, and older"] += 1
        else:
            if None in stands.values():
                raise Broken("a host that was restored went on as if nothing had left since")
            self.seen["restored"] += 1

    def _lies_there(self) -> None:
        """What lies in the mailbox comes (again), and may be news to a host that was restored since it came first."""
        lying = self.world.mailbox.lying
        self.memory.brought |= {name_of(message) for message in lying}
        self.memory.waiting += [(self.wrote[message.message_id], message.message_id) for message in lying]

    # --- the end ------------------------------------------------------------------------------------------------------

    def end(self) -> str:
        """The last questions, when all roads are open again; then, as often as not, of a ledger in which a person was
        forgotten. Gives what this season came to."""
        try:
            return self._end(FIRST + self.night * DAY)
        except Broken as broken:
            raise Broken(f"seed {self.seed}, at the end: {broken}") from broken

    def _end(self, at: datetime) -> str:
        self.world.post.rude, self.world.mailbox.reachable = False, True
        for hours in (11, 13, 15):  # no sooner after a day off than on any other day
            summary = self._night(at + hours * HOUR)
            if summary.held:
                self._release(at + hours * HOUR)
        self._known_newcomers()
        self.memory.ask(self.host.ledger, self.host.all_games, at + 15 * HOUR)
        self.memory.mails(self.host.ledger)
        came_to = digest(self.host.ledger)
        if self._chance(0.5):
            self._forget_somebody(at + 16 * HOUR)
        sound_and_true(self.host.ledger)
        return came_to

    def _forget_somebody(self, at: datetime) -> None:
        with self.host.ledger.write() as tx:
            names = sorted(row.name for row in players.every(tx) if row.name and not row.name.startswith(BOT))
            forget(tx, self.host.config, self.source.choice(names), at, anyway=True)


# --- how it begins ----------------------------------------------------------------------------------------------------


def begin(folder: Path, seed: int, count: int, *, pages: bool = True, template: Path | None = None) -> Season:
    """A host with so many games; without pages a long season takes a tenth of the time, and asks the same. A template
    is a host's folder that was made before."""
    if template is None:
        settle(folder, secret=secret("season"))
    else:
        shutil.copytree(template, folder)
    written = folder / "pbem.toml"
    said = written.read_text().replace("[host]\n", f'[host]\nreferee = "{REFEREE}"\n', 1)
    said = said.replace("open = false", "open = true", 1)
    written.write_text(said if pages else said.replace("page = true", "page = false"))
    config = load_config(written)
    season = Season(seed, Hosted(config, Ledger.open(config.ledger)), Random(seed))
    with season.world.around(FIRST):
        for number in range(count):
            _start(season, f"game-{number:03}")
        _volunteer_and_open(season)
    season.run(FIRST + HOUR)  # a host that was never at work cannot know that it was off
    return season


def _start(season: Season, name: str) -> None:
    source = season.source
    rules = load(source.choice(GAMES))
    seats = rules.seats(rules.Options())
    with season.host.ledger.write() as tx:
        sitting = {seat: season.another_player(tx, FIRST) for seat in seats}
        if source.random() < 0.25 and rules.id != "conquest":
            sitting[seats[-1]] = source.choice(BOTS)
        wanted = NewGame(
            rules=rules.id,
            name=name,
            seats=sitting,
            schedule=Schedule.read(source.choice(SCHEDULES)),
            silence=Policy.read(source.choice(POLICIES)),
            seed=secret(f"seed {season.seed} {name}"),
            secret=secret(f"chain {name}"),
        )
        new_game(tx, season.host.config, wanted, FIRST)


def _volunteer_and_open(season: Season) -> None:
    """Somebody who would take over any seat, and a game that waits for its players."""
    with season.host.ledger.write() as tx:
        player = players.by_name(tx, season.another_player(tx, FIRST))
        assert player is not None
        players.volunteer(tx, player, ["*"], FIRST)
        wanted = NewGame(rules="nim", name=OPENING, seats={}, schedule=Schedule.read("nightly 20:00"),
                         silence=Policy.read("default"))  # fmt: skip
        opened(tx, season.host.config, wanted, FIRST + 5 * DAY, None, FIRST)


def play(folder: Path, seed: int, count: int, nights: int, *, template: Path | None = None) -> Season:
    """A whole season without its end."""
    season = begin(folder, seed, count, pages=False, template=template)
    for _ in range(nights):
        season.day()
    return season
