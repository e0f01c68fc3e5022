"""Shapes: what a row must look like before a tool reads it, so that a forged one is named and breaks nothing.

A shape is a function that raises `Misshapen` with the place of the first wrong value. Keys that no tool reads may hold
any plain JSON; kinds of rows that no tool reads, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NoReturn

from engine.dice import WORD
from engine.entries import AT_END, ELSE, ENTRIES, FOR_TURN, IF, ON_ILLEGAL, THEN
from pbem.errors import Trouble
from pbem.ledger.times import moment

Shape = Callable[[Any, str], None]

DEEPEST = 60  # levels of lists and objects
LARGEST = 1 << 63  # numbers of rows, turns and draws stay below
_kind = re.compile(r"[a-z_]{1,40}")
_game = re.compile(r"@?[a-z0-9][a-z0-9-]{0,63}")


class Misshapen(Trouble):
    """A value that cannot stand where it stands, as a sentence."""


def _wrong(place: str, wanted: str) -> NoReturn:
    raise Misshapen(f"{place or 'it'} is not {wanted}")


# --- shapes ---


def plain(value: Any, place: str = "", depth: int = 0) -> None:
    """Any plain JSON: no fractions, no number that is too large, no nesting without end."""
    if depth > DEEPEST:
        _wrong("what it says", "nested so deeply in any honest row")
    if isinstance(value, dict):
        for one in value.values():
            plain(one, place, depth + 1)
    elif isinstance(value, list):
        for one in value:
            plain(one, place, depth + 1)
    elif isinstance(value, int):
        if not -LARGEST < value < LARGEST:
            _wrong(place, "a number below 2^63")
    elif value is not None and not isinstance(value, str):
        _wrong(place, "plain JSON without fractions")


def any_value(value: Any, place: str) -> None:
    """Anything: `plain` has looked at it."""


def text(value: Any, place: str) -> None:
    if not isinstance(value, str):
        _wrong(place, "a text")


def flag(value: Any, place: str) -> None:
    if not isinstance(value, bool):
        _wrong(place, "true or false")


def number(value: Any, place: str) -> None:
    if type(value) is not int or not 0 <= value < LARGEST:
        _wrong(place, "a whole number from 0 on")


def instant(value: Any, place: str) -> None:
    try:
        moment(value)
    except (ValueError, TypeError, AttributeError):
        _wrong(place, "an instant")


def hexadecimal(digits: int | None, value: Any, place: str) -> None:
    right = isinstance(value, str) and re.fullmatch("(?:[0-9a-f]{2})*", value)
    if not right or digits not in (None, len(value)):
        _wrong(place, "a text of hexadecimal digits" if digits is None else f"{digits} hexadecimal digits")


def or_null(shape: Shape) -> Shape:
    def check(value: Any, place: str) -> None:
        if value is not None:
            shape(value, place)

    return check


def listed(shape: Shape) -> Shape:
    def check(value: Any, place: str) -> None:
        if not isinstance(value, list):
            _wrong(place, "a list")
        for count, one in enumerate(value, 1):
            shape(one, f"{place}[{count}]")

    return check


def lost(value: Any, place: str) -> None:
    """What a ruling gives up: one head; or a list of names of keys, or of heads, each with its chain before it."""
    if not isinstance(value, list):
        text(value, place)
        return
    for count, one in enumerate(value, 1):
        named = one[0] if isinstance(one, list) and one else one
        if not isinstance(named, str) or not named:
            _wrong(f"{place}[{count}]", "a name, or a list that begins with one")


def by_name(shape: Shape) -> Shape:
    def check(value: Any, place: str) -> None:
        if not isinstance(value, dict):
            _wrong(place, "an object")
        for name, one in value.items():
            shape(one, f"{place}.{name}")

    return check


def fields(**shapes: Shape) -> Shape:
    """An object with these keys; one whose name ends in `_` may be missing (`from__` is the key `from`, needed)."""
    needed = {name.removesuffix("__"): one for name, one in shapes.items() if not _may_be_missing(name)}
    others = {name.removesuffix("_"): one for name, one in shapes.items() if _may_be_missing(name)}

    def check(value: Any, place: str) -> None:
        if not isinstance(value, dict):
            _wrong(place, "an object")
        before = f"{place}." if place else ""
        for name, shape in needed.items():
            if name not in value:
                raise Misshapen(f"{before}{name} is missing")
            shape(value[name], f"{before}{name}")
        for name, shape in others.items():
            if name in value:
                shape(value[name], f"{before}{name}")

    return check


def _may_be_missing(name: str) -> bool:
    return name.endswith("_") and not name.endswith("__")


# --- what several kinds of rows hold ---

TEXTS, OBJECT = listed(text), by_name(any_value)
HEX_32 = partial(hexadecimal, 64)


def draw(value: Any, place: str) -> None:
    """A draw: its label, how many results were possible, and the result."""
    if not isinstance(value, list) or len(value) != 3:
        _wrong(place, "a draw")
    label, n, result = value
    if not isinstance(label, str) or len(label) > 80 or not label.isprintable() or label != " ".join(label.split()):
        _wrong(f"{place}, its label,", "a word or a few")
    if type(n) is not int or type(result) is not int or not 0 <= result < n <= WORD // 2:
        _wrong(place, "a result below the number of possible results")


def entry(value: Any, place: str) -> None:
    """An order: a text or an object; a conditional and a file for a turn hold lists of more of them."""
    if isinstance(value, dict):
        for name in (THEN, ELSE, ENTRIES):
            if name in value:
                entries(value[name], f"{place}.{name}")
        if IF in value and THEN not in value:
            _wrong(place, "a whole conditional")
        if FOR_TURN in value and not {ENTRIES, ON_ILLEGAL, AT_END} <= value.keys():
            _wrong(place, "a whole file for a turn")


entries = listed(entry)
_waiting = fields(
    queue_=entries, draft_=entries, standing_=or_null(OBJECT), submission_=or_null(number), nothing_=any_value
)


def waits(value: Any, place: str) -> None:
    """What waits for a seat: nothing, a sealed text, or its parts."""
    if value is not None and not isinstance(value, str):
        _waiting(value, place)


EVENT = fields(
    kind=text, rule=text, facts=OBJECT, hidden_=or_null(by_name(OBJECT)), audience_=or_null(TEXTS)
)  # fmt: skip
MOVE = fields(move=text, how=text, submission_=or_null(number))
DEEDS = or_null(by_name(listed(listed(or_null(text)))))
OUTCOME = fields(
    places=listed(TEXTS), scores=or_null(OBJECT), rule=text, reason=text, details=or_null(any_value)
)  # fmt: skip
_step: dict[str, Shape] = {
    "moves": by_name(MOVE), "draws": listed(draw), "events": listed(EVENT), "state": any_value, "decision": text,
    "pending": TEXTS, "queues_": by_name(waits), "deeds_": DEEDS, "resigned_": TEXTS, "stopped_": any_value,
}  # fmt: skip
_refusal = fields(why=fields(rule=or_null(text), code=text))
_kept = fields(name=text, seat=text)

ROWS: dict[str, Shape] = {
    "created": fields(
        rules=text, version=text, options=OBJECT, seats=by_name(any_value), seed_commitment=HEX_32,
        nonces=by_name(text), match_=fields(name=text, number=number, head=HEX_32),
        dice_=fields(by=text, beacon_=text, after_=instant),
    ),
    "dice": fields(
        act=text, sha256_=text, nonce_=text, commitments_=by_name(text), round_=number, withheld_=TEXTS, value_=text,
        source_=text, at_=instant, nonces_=by_name(text),
    ),
    "turn": fields(**_step),
    "at_once": fields(at_once=number, **_step),
    "submission": fields(
        counter=number, fate=text, orders_=or_null(entries), standing_=or_null(OBJECT), draft_=or_null(flag),
        refusals_=listed(_refusal), queue_=waits, letter_=or_null(text), sealed_=text, sealed_words_=text,
        resigned_=TEXTS,
    ),
    "taken_back": fields(
        from__=number, opened=number, agreed=TEXTS, state=any_value, decision=text, pending=TEXTS, deeds=DEEDS,
        queues=by_name(waits),
    ),
    "consent": fields(
        what=text, turn=or_null(number), word=text, reason_=or_null(text), agreed_=TEXTS, drawn_=any_value,
    ),
    "ruling": fields(
        act=text, reason_=or_null(text), tenure_=any_value, dispute_=any_value, queues_=by_name(waits),
        resigned_=TEXTS, seats_=by_name(any_value), since_=instant, lost_=lost,
    ),
    "over": fields(outcome=OUTCOME),
    "revealed": fields(
        seed=HEX_32, nonces=by_name(text), seal_=or_null(fields(id=text, key=partial(hexadecimal, None))),
    ),
    "mail": fields(kind=text, message_id=text, sha256=text),
    "mail_fate": fields(fate=text, message_id=text, detail_=or_null(text)),
    "failed": fields(attempt=any_value, reason=any_value),
    "halted": fields(reason=any_value),
    "bot_silent": fields(bot=text, why=text),
    "absence": fields(away=any_value, from_=any_value, to_=any_value),
    "held": fields(silent=TEXTS, deadline_at=any_value),
    "outage": fields(was=any_value, off_since=any_value, deadline_at=any_value),
    "reminded": fields(who=TEXTS),
    "brake": fields(on=by_name(fields(says=any_value)), over=TEXTS),
    "brake_released": fields(brake=text, reason=any_value),
    "dispute": fields(number=number),
    "press": fields(to=TEXTS),
    "bounce": fields(status=any_value, message_id=text),
    "look": fields(who=text, what=text),
    "opening": fields(name=text, wanted=fields(rules=text)),
    "opening_joined": _kept,
    "opening_left": _kept,
    "opening_closed": fields(name=text, begun=any_value, reason_=any_value),
    "match_created": fields(rules=text, version=text, games=any_value),
    "match_game": fields(number=number, game=text),
    "match_over": fields(verdict=fields(places_=listed(TEXTS), rule_=any_value)),
    "letter": fields(size=number, route=text, sha256=text),
    "letter_fate": fields(sha256=text, fate=text),
}  # fmt: skip


def check_body(kind: str, body: Any) -> dict[str, Any]:
    """Return the body of a row of that kind; Misshapen when a tool could not read it."""
    if not isinstance(body, dict):
        _wrong("what it says", "an object")
    plain(body)
    shape = ROWS.get(kind)
    if shape is not None:
        shape(body, "")
    return body


# --- what an export holds around the bodies ---


def check_row(row: Any) -> None:
    """Check a line of an export's history, opened or sealed, but for the body in it."""
    _line(row, "")
    if "row" in row:
        _opened(row, "")
        if not _kind.fullmatch(row["row"]["kind"]):
            _wrong("kind", "a kind of row")
    else:
        HEX_32(row.get("leaf"), "leaf")


def check_header(header: Any) -> Mapping[str, Any]:
    """Return the first line of an export's history, checked."""
    _header(header, "")
    if not _game.fullmatch(header["game"]):
        _wrong("game", "the name of a game")
    found: Mapping[str, Any] = header
    return found


_line = fields(seq=number, prev=HEX_32, hash=HEX_32)
_opened = fields(
    salt=partial(hexadecimal, None),
    private_=fields(facts=OBJECT, salt=HEX_32),
    row=fields(chain=text, seq=number, kind=text, at=instant, turn=or_null(number), seat=or_null(text), body=any_value),
)


def _published(value: Any, place: str) -> None:
    """The head of a turn of a game that runs: its number, the kind of its row, and the hash of that."""
    if not isinstance(value, list) or len(value) != 3:
        _wrong(place, "the head of a turn")
    number(value[0], place)
    text(value[1], place)
    HEX_32(value[2], place)


_header = fields(
    published_=listed(_published),
    pbem_export=any_value,
    game=text,
    head=HEX_32,
    rows=number,
    seal_=fields(id=text, key=partial(hexadecimal, None)),
    forgotten_=TEXTS,
    last_turn_=number,
    signing_keys_=TEXTS,
    until_=instant,
)
