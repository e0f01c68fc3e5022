"""Identity: whose a form is. The key decides it; names, addresses and the way it came decide nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from engine import Seat
from pbem.config import Config
from pbem.game.eras import Spoken, eras_of, spoken
from pbem.game.hosting import recorded, sheet_of
from pbem.game.sheet import Recorded, Sheet, Standing
from pbem.intake.form import Form, Reading
from pbem.intake.problems import Problem
from pbem.ledger import games, journal, players
from pbem.ledger.games import GameRow
from pbem.ledger.transaction import Read
from pbem.submitting.contradiction import contradictions, place_of


@dataclass(frozen=True, slots=True)
class Seated:
    """A form whose key is that of a seat: who it is from, and the game it is for."""

    status: str  # of the game
    sheet: Sheet
    standing: Standing
    form: Form
    spoke: Spoken = Spoken.NOW  # what its key is worth
    wrong: tuple[Problem, ...] = ()  # what does not fit the key: the form is another one then, which orders nothing

    @property
    def seat(self) -> Seat:
        return self.form.seat

    @property
    def turn(self) -> int:
        """The decision now open."""
        return self.standing.turn


class Proven(NamedTuple):
    """The same as it comes out of the ledger. Where the game stands is still JSON, which goes to a child in a third of
    the time: making values of it, and the state known to the rules, is done apart."""

    status: str
    sheet: Sheet
    recorded: Recorded
    form: Form
    spoke: Spoken
    wrong: tuple[Problem, ...] = ()

    @property
    def is_current(self) -> bool:
        """Whether the key is that of the decision now open."""
        return self.spoke is Spoken.NOW and self.form.turn in (None, self.recorded.turn)

    def opened(self) -> Seated:
        state = None if self.recorded.state is None else self.sheet.rules.restore(self.recorded.state)
        standing = replace(self.recorded.standing(), state=state)
        return Seated(self.status, self.sheet, standing, self.form, self.spoke, self.wrong)


def identify(tx: Read, config: Config, reading: Reading) -> Proven | str:
    """The seat that the key speaks for, or why nobody knows whose orders these are."""
    form = reading.form
    if form is None:
        return "it is no form that names a game and a seat"
    row = games.get(tx, form.game)
    if row is None:
        return NO_SEAT
    sheet = sheet_of(tx, config, row)
    turn = row.turn if form.turn is None else form.turn
    if form.key is None or form.seat not in row.seats:
        spoke = None
    else:
        spoke = spoken(sheet.secret, eras_of(row.attendance), form.key, form.seat, turn, row.turn)
    if spoke is not None:
        return seated(tx, row, sheet, form, spoke=spoke)
    place = None if form.key is None else place_of(sheet.secret, row, form.key)
    if place is None:
        return WRONG_KEY if form.seat in row.seats else NO_SEAT
    blank = Form(game=form.game, seat=place.seat, turn=place.turn, marks=form.marks)
    found = seated(tx, row, sheet, blank, spoke=place.spoke)
    return found._replace(wrong=contradictions(form, row, place))


NO_SEAT = "there is no such game, or no such seat in it"
WRONG_KEY = "its key is not the one of that seat for that turn"


def may_see_key(tx: Read, row: GameRow, seat: Seat, turn: int, spoke: Spoken) -> bool:
    """Return whether the current key may be mailed to the seat's player because of this key of that turn.

    The current key may. An older one only where the player has had the present address since before it was given out:
    then the address has had the current key already. Else an old key would bring the current one to a new address.
    """
    if turn == row.turn and spoke is Spoken.NOW:
        return True
    player = players.get(tx, row.seats[seat])
    if player is None or player.address_at is None:
        return True
    given = journal.turn(tx, row.name, turn - 1) if spoke is Spoken.NOW else None
    return given is not None and player.address_at <= given.at


def seated(tx: Read, row: GameRow, sheet: Sheet, form: Form, *, spoke: Spoken = Spoken.NOW) -> Proven:
    """A form that is proven, with where its game stands."""
    return Proven(row.status, sheet, recorded(tx, row), form, spoke)
