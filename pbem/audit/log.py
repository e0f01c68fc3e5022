"""The log: what happened in which order, one line a row, telling nothing that is still secret."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from pbem.audit.book import Book
from pbem.errors import Trouble
from pbem.ledger.times import stamp

Facts = Mapping[str, Any]


class Entry(NamedTuple):
    """One row, in short."""

    seq: int
    at: datetime
    kind: str
    turn: int | None
    seat: str | None
    gist: str
    hash: str

    def to_json(self) -> dict[str, Any]:
        return {**self._asdict(), "at": stamp(self.at)}


def log(
    book: Book,
    *,
    kinds: Collection[str] = (),
    seat: str | None = None,
    turn: int | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    after: int = 0,
) -> Iterator[Entry]:
    """The rows that fit every filter given, in order; sealed rows are passed over."""
    for line in book.lines(kinds, after):
        row = line.content
        if row is None or (seat is not None and row.seat != seat) or (turn is not None and row.turn != turn):
            continue
        if (since is not None and row.at < since) or (until is not None and row.at >= until):
            continue
        gist = GISTS.get(row.kind, _nothing)(line.facts())
        yield Entry(row.seq, row.at, row.kind, row.turn, row.seat, gist, line.hash.hex())


def opened(book: Book, turn: int) -> int:
    """The row that opened that turn; Trouble when it was not opened yet."""
    before = book.steps(turn - 1)
    if not before or before[-1].opened.kind != "turn":
        raise Trouble(f"Turn {turn} of {book.game} is not opened yet.")
    return before[-1].seq


def _nothing(facts: Facts) -> str:
    return ""


def _step(facts: Facts) -> str:
    """Who moved and how it came, never what: the orders of others stay theirs."""
    hows = ", ".join(f"{seat} {made['how']}" for seat, made in facts["moves"].items())
    counts = f"{_number(facts['events'], 'event')}, {_number(facts['draws'], 'draw')}"
    return f"{hows}; {counts}" if hows else counts


def _submission(facts: Facts) -> str:
    refusals = facts.get("refusals", ())
    return f"number {facts['counter']}: {facts['fate']}" + (f", {_number(refusals, 'refusal')}" if refusals else "")


def _number(things: Collection[Any], what: str) -> str:
    return f"{len(things)} {what}" if len(things) == 1 else f"{len(things)} {what}s"


def _letter(facts: Facts) -> str:
    return f"{facts['size']} bytes by {facts['route']}, {facts['sha256'][:12]}"


def _letter_fate(facts: Facts) -> str:
    where = " ".join(str(facts[name]) for name in ("game", "seat") if facts.get(name))
    return f"{facts['sha256'][:12]} {facts['fate']}" + (f" ({where})" if where else "")


def _mail_fate(facts: Facts) -> str:
    return f"{facts['fate']} {facts['message_id']}" + (f": {facts['detail']}" if facts.get("detail") else "")


def _ruling(facts: Facts) -> str:
    if facts["act"] == "substitute":
        return f"substitute, tenure {facts.get('tenure')}: {facts.get('reason', '')}"
    act = f"{facts['act']} on dispute {facts['dispute']}" if "dispute" in facts else facts["act"]
    return f"{act}: {facts.get('reason', '')}"


def _consent(facts: Facts) -> str:
    where = f" to turn {facts['turn']}" if facts["turn"] is not None else ""
    return f"{facts['what']}{where}: {facts['word']}" + (f", {facts['reason']}" if facts.get("reason") else "")


def _brake(facts: Facts) -> str:
    on = [f"{name}: {one['says']}" for name, one in facts["on"].items()]
    return "; ".join([*on, *(f"{name} is over" for name in facts["over"])])


def _over(facts: Facts) -> str:
    return "; ".join(", ".join(place) for place in facts["outcome"].get("places", ()))


def _match_over(facts: Facts) -> str:
    verdict = facts["verdict"]
    return "; ".join(", ".join(place) for place in verdict.get("places", ())) + f" [{verdict.get('rule')}]"


GISTS: dict[str, Callable[[Facts], str]] = {
    "created": lambda facts: f"{facts['rules']} {facts['version']}, seats {', '.join(facts['seats'])}",
    "turn": _step,
    "at_once": _step,
    "submission": _submission,
    "mail": lambda facts: f"{facts['kind']} {facts['message_id']}",
    "mail_fate": _mail_fate,
    "failed": lambda facts: f"attempt {facts['attempt']}: {facts['reason']}",
    "halted": lambda facts: str(facts["reason"]),
    "bot_silent": lambda facts: f"{facts['bot']}: {facts['why']}",
    "ruling": _ruling,
    "absence": lambda facts: f"away, {facts.get('from')} to {facts.get('to')}" if facts["away"] else "back",
    "taken_back": lambda facts: f"from turn {facts['from']}, agreed: {', '.join(facts['agreed'])}",
    "consent": _consent,
    "held": lambda facts: f"nothing from {', '.join(facts['silent']) or 'somebody'}; until {facts['deadline_at']}",
    "outage": lambda facts: f"due {facts['was']}, while nothing ran since {facts['off_since']}; {facts['deadline_at']}",
    "reminded": lambda facts: ", ".join(facts["who"]) or "looked at",
    "brake": _brake,
    "brake_released": lambda facts: f"{facts['brake']}: {facts['reason']}",
    "dispute": lambda facts: f"number {facts['number']}",  # what it says may hold secrets
    "press": lambda facts: f"to {_number(facts['to'], 'seat')}",  # never to whom, nor what
    "bounce": lambda facts: f"{facts['status']} {facts['message_id']}",
    "look": lambda facts: f"{facts['who']}: {facts['what']}",
    "over": _over,
    "opening": lambda facts: f"{facts['name']}: {facts['wanted']['rules']}",
    "opening_joined": lambda facts: f"{facts['name']}, seat {facts['seat']}",
    "opening_left": lambda facts: f"{facts['name']}, seat {facts['seat']}",
    "opening_closed": lambda facts: f"{facts['name']}: {'begun' if facts['begun'] else facts.get('reason')}",
    "match_created": lambda facts: f"{facts['rules']} {facts['version']}, at most {facts['games']} games",
    "match_game": lambda facts: f"game {facts['number']}: {facts['game']}",
    "match_over": _match_over,
    "letter": _letter,
    "letter_fate": _letter_fate,
}
