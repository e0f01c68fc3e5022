"""Who speaks: the seat whose key stands in the form, or in the address that a mail came to. Names prove nothing.

The address says all that a form says, so a form may leave out what stands there. Where the two disagree, or the form
says another seat or turn than its key is of, nothing is taken: the seat that is proven is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from engine import Refusal, Seat
from pbem import keys
from pbem.config import Config
from pbem.game.eras import Spoken, eras_of, spoken
from pbem.intake.form import GAME, KEY, SEAT, TURN, Form
from pbem.intake.problems import Problem
from pbem.keys import Tag
from pbem.ledger import chains, games
from pbem.ledger.games import GameRow
from pbem.ledger.transaction import Read
from pbem.submitting.contradiction import CONTRADICTION, contradictions, place_of

MOST_TAGS = 5  # addresses of ours that one mail may have come to; more are not looked at

OTHER_SEAT = Refusal(
    "",
    CONTRADICTION,
    "The form is not for the seat whose address this came to. Answer the report itself, or send the form to {address}.",
)
OTHER_KEY = Refusal(
    "",
    CONTRADICTION,
    "The turn or the key in the form does not fit the address this came to. Copy both from your last report.",
)


@dataclass(frozen=True, slots=True)
class Speaker:
    """A seat that a key has proven. `turn` is that of the key; with `wrong` nothing of the mail may be taken."""

    row: GameRow  # without its state
    seat: Seat
    turn: int
    key: str
    wrong: tuple[Problem, ...] = ()
    spoke: Spoken = Spoken.NOW  # what the key is worth

    @property
    def player(self) -> str:
        """Whose seat it is, by his commitment."""
        return self.row.seats[self.seat]

    @property
    def is_current(self) -> bool:
        """Whether the key is that of the decision now open."""
        return self.turn == self.row.turn and self.spoke is Spoken.NOW

    @property
    def place(self) -> tuple[str, Seat]:
        return self.row.name, self.seat

    def given(self) -> dict[str, str]:
        """What a form may leave out."""
        return {GAME: self.row.name, SEAT: self.seat, TURN: str(self.turn), KEY: self.key}


def tags_of(texts: Iterable[str]) -> list[Tag]:
    """The addresses that say whose answer it is, each once."""
    found = dict.fromkeys(tag for text in texts if (tag := keys.untag(text)) is not None)
    return list(found)[:MOST_TAGS]


def by_address(tx: Read, tags: Sequence[Tag]) -> list[Speaker]:
    """The seats that these addresses prove."""
    return [found for tag in tags if (found := _proven(tx, tag.game, tag.seat, tag.turn, tag.key)) is not None]


def speaker(tx: Read, config: Config, form: Form | None, tags: Sequence[Tag]) -> Speaker | None:
    """The seat that speaks; None when no key is right."""
    if form is None:
        return _only(by_address(tx, tags))
    by_form = _by_form(tx, form)
    if by_form is not None:
        fits = by_form.wrong or not tags or any((tag.game, tag.seat) == _lower(by_form.place) for tag in tags)
        return by_form if fits else _wrong(by_form, OTHER_SEAT, config)
    by_tag = by_address(tx, tags)
    same = next((one for one in by_tag if _lower(one.place) == _lower((form.game, form.seat))), None)
    if same is not None:
        return _wrong(same, OTHER_KEY, config)
    return _wrong(by_tag[0], OTHER_SEAT, config) if by_tag else None


def named(tx: Read, forms: Iterable[Form], tags: Iterable[Tag]) -> tuple[str, Seat] | None:
    """The seat in whose name a mail without its key came: of a game that goes on; None where there is no such seat."""
    for game, seat in _names(forms, tags):
        row = games.glance(tx, game)
        if row is not None and row.status != games.OVER and (known := _seat_of(row, seat)) is not None:
            return game, known
    return None


def _names(forms: Iterable[Form], tags: Iterable[Tag]) -> Iterator[tuple[str, str]]:
    yield from ((form.game, form.seat) for form in forms)
    yield from ((tag.game, tag.seat) for tag in tags)


def _by_form(tx: Read, form: Form) -> Speaker | None:
    """The seat whose key stands in the form, though the form may say another seat or turn."""
    if form.key is None:
        return None
    return _proven(tx, form.game, form.seat, form.turn, form.key) or _misnamed(tx, form, form.key)


def _misnamed(tx: Read, form: Form, key: str) -> Speaker | None:
    """The seat that has the key, and is told what does not fit it."""
    row = games.glance(tx, form.game)
    place = None if row is None else place_of(chains.secret_of(tx, form.game).secret, row, key)
    if row is None or place is None:
        return None
    return Speaker(row, place.seat, place.turn, key, contradictions(form, row, place), place.spoke)


def _proven(tx: Read, game: str, seat: str, turn: int | None, key: str) -> Speaker | None:
    """The seat, if that is its key; the one comparison with the key takes the same time whatever was given."""
    row = games.glance(tx, game)
    known = None if row is None else _seat_of(row, seat)
    if row is None or known is None:
        return None
    secret, turn = chains.secret_of(tx, game).secret, row.turn if turn is None else turn
    spoke = spoken(secret, eras_of(row.attendance), key, known, turn, row.turn)
    return None if spoke is None else Speaker(row, known, turn, key, spoke=spoke)


def _seat_of(row: GameRow, text: str) -> Seat | None:
    """The seat as the rules write it; an address has it in small letters."""
    if text in row.seats:
        return text
    found = [seat for seat in row.seats if seat.lower() == text.lower()]
    return found[0] if len(found) == 1 else None


def _only(found: Sequence[Speaker]) -> Speaker | None:
    """The one seat that all these addresses prove, by its newest key."""
    if len({one.place for one in found}) != 1:
        return None
    return max(found, key=lambda one: (one.spoke is Spoken.NOW, one.turn))


def _wrong(found: Speaker, why: Refusal, config: Config) -> Speaker:
    why = Refusal(why.rule, why.code, why.text, {"address": config.address})
    return replace(found, wrong=(Problem(why),))


def _lower(place: tuple[str, str]) -> tuple[str, str]:
    return place[0].lower(), place[1].lower()
