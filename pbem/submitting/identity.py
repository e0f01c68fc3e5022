"""Identity: whose a form is. The key decides it; names, addresses and the way it came decide nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine import Seat
from pbem.config import Config
from pbem.game.eras import Spoken, eras_of, spoken
from pbem.game.hosting import sheet_of, standing_of
from pbem.game.sheet import Sheet, Standing
from pbem.intake.form import Form, Reading
from pbem.intake.problems import Problem
from pbem.ledger import games
from pbem.ledger.games import GameRow
from pbem.ledger.transaction import Read
from pbem.submitting.contradiction import contradictions, place_of


@dataclass(frozen=True, slots=True)
class Seated:
    """A form whose key is that of a seat: who it is from, and the game it is for.

    As it comes out of the ledger the state is JSON; `opened` gives it to the rules, which is done apart.
    """

    row: GameRow
    sheet: Sheet
    standing: Standing
    form: Form
    spoke: Spoken = Spoken.NOW  # what its key is worth
    wrong: tuple[Problem, ...] = ()  # what does not fit the key: the form is another one then, which orders nothing

    @property
    def seat(self) -> Seat:
        return self.form.seat

    def opened(self) -> Seated:
        """The same, with the state as the rules know it."""
        return replace(self, standing=replace(self.standing, state=self.sheet.rules.restore(self.standing.state)))


def identify(tx: Read, config: Config, reading: Reading) -> Seated | str:
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
    return replace(found, wrong=contradictions(form, row, place))


NO_SEAT = "there is no such game, or no such seat in it"
WRONG_KEY = "its key is not the one of that seat for that turn"


def seated(tx: Read, row: GameRow, sheet: Sheet, form: Form, *, spoke: Spoken = Spoken.NOW) -> Seated:
    """A form that is proven, with where its game stands."""
    # The state travels once, with the standing.
    return Seated(replace(row, state=None, deeds=None), sheet, standing_of(tx, row, restored=False), form, spoke)
