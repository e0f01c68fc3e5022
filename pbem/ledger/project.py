"""Projections: what each kind of row changes about the present. Appending and rebuilding both come through here, so
that a rebuilt ledger cannot differ from one that grew.

A body may carry one of INSTANTS or SETTINGS in a row of any kind that is listed in SETTING: the last
one said holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sqlalchemy as sa

from pbem.ledger import budgets
from pbem.ledger.chain import Content
from pbem.ledger.tables import (
    BRAKE,
    CONTACT,
    FORGOTTEN,
    GAME,
    INBOX,
    MATCH,
    NIGHT,
    OPENING,
    OUTBOX,
    QUEUE,
    SIGNING_KEY,
    TURNED_AWAY,
)
from pbem.ledger.times import moment, stamp
from pbem.ledger.transaction import Write

# What is asked for many rows; made once, for that takes longer than to answer.
_KEYLESS = sa.select(QUEUE.c.keyless).where(QUEUE.c.game == sa.bindparam("game"), QUEUE.c.seat == sa.bindparam("seat"))
_SEATS = sa.select(OPENING.c.seats).where(OPENING.c.name == sa.bindparam("name"))
_UNANSWERED = sa.select(QUEUE.c.unanswered).where(
    QUEUE.c.game == sa.bindparam("game"), QUEUE.c.seat == sa.bindparam("seat")
)
_TOLD = sa.text("UPDATE queue SET unanswered = NULL WHERE game = :game AND unanswered IS NOT NULL")
_SIZE = sa.select(INBOX.c.size).where(
    INBOX.c.message_id == sa.bindparam("message_id"), INBOX.c.sha256 == sa.bindparam("sha256")
)
_FORGOTTEN = sa.select(FORGOTTEN.c.seq).where(FORGOTTEN.c.sha256 == sa.bindparam("sha256"))
_OVER = sa.delete(BRAKE).where(BRAKE.c.name == sa.bindparam("name"))

Body = Mapping[str, Any]
ORDERS, SAYS = "orders", "says"
SETTINGS = ("schedule", "seats", "status", "resigned", "attendance")
INSTANTS = ("due_at", "deadline_at", "remind_at")
LISTED = 10  # messages without an answer that a report tells of one by one
SETTING = frozenset(
    {"turn", "at_once", "submission", "ruling", "bot_silent", "absence", "held", "reminded", "outage", "look"}
    | {"dispute", "consent", "taken_back", "dice"}
)


STRAY = ("quarantined", "ignored")  # fates of messages that may belong to no game


def project(tx: Write, row: Content, body: Body) -> None:
    """Carry one row of the journal over into the projections."""
    step = STEPS.get(row.kind)
    if step is not None:
        step(tx, row, body)
    if row.kind in SETTING:
        settings = {name: body[name] for name in SETTINGS if name in body}
        settings |= {name: _instant(body[name]) for name in INSTANTS if name in body}
        if settings.get("deadline_at") and row.kind != "submission":
            settings["attempts"] = 0  # it waits for another moment; the runs before it found nothing that failed
        if settings:
            _game(tx, row, settings)


def _created(tx: Write, row: Content, body: Body) -> None:
    columns = {
        "name": row.chain,
        "rules": body["rules"],
        "version": body["version"],
        "options": body["options"],
        "seats": body["seats"],
        "status": "seeding" if "dice" in body else "open",
        "turn": 0,
        "decision": "",
        "pending": [],
        "at_once": 0,
        "due_at": _instant(body.get("due_at")),
        "deadline_at": _instant(body.get("due_at")),
        "resigned": [],
        "schedule": body.get("schedule"),
        "attempts": 0,
        "created_at": row.at,
        "state": None,
        "deeds": None,
        "attendance": body.get("attendance"),
        "remind_at": None,
    }
    tx.add(GAME, columns)
    for seat in body["seats"]:
        nothing = {"counter": 0, "body": None, "keyless": 0, "away": None, "unanswered": None}
        tx.add(QUEUE, {"game": row.chain, "seat": seat, **nothing})


def _turn(tx: Write, row: Content, body: Body) -> None:
    assert row.turn is not None
    _game(tx, row, {**_stands(body), "turn": row.turn + 1, "at_once": 0, "attempts": 0})
    _queues(tx, row, body)
    tx.gather(_TOLD, {"game": row.chain})  # the reports of this run list them


def _at_once(tx: Write, row: Content, body: Body) -> None:
    """A move out of turn: the turn's number stays, and such moves are counted."""
    before = tx.one(sa.select(GAME.c.at_once).where(GAME.c.name == row.chain))
    assert before is not None
    _game(tx, row, {**_stands(body), "at_once": before.at_once + 1})
    _queues(tx, row, body)
    tx.gather(_TOLD, {"game": row.chain})  # the reports of this run list them


def _taken_back(tx: Write, row: Content, body: Body) -> None:
    """The turn of the row is open again, as the row says it stood."""
    _game(tx, row, {**_stands(body), "turn": row.turn, "at_once": 0, "attempts": 0})
    _queues(tx, row, body)
    budgets.open_again(tx, row.chain)


def _stands(body: Body) -> dict[str, Any]:
    return {name: body.get(name) for name in ("decision", "pending", "state", "deeds")}


def _queues(tx: Write, row: Content, body: Body) -> None:
    for seat, left in body.get("queues", {}).items():
        tx.change(QUEUE, {"game": row.chain, "seat": seat}, {"body": _waits(left, body, seat)})
    for seat, told in body.get("keyless", {}).items():
        _count_keyless(tx, row.chain, seat, -told)


def _note_unanswered(tx: Write, game: str, seat: str, facts: list[Any], count: int = 1) -> None:
    """So many more messages of a seat have had no answer; a report lists the first of them."""
    before = tx.one(_UNANSWERED, {"game": game, "seat": seat})
    if before is not None:
        known = before.unanswered or {"count": 0, "first": []}
        now = {"count": known["count"] + count, "first": [*known["first"], facts][:LISTED]}
        tx.change(QUEUE, {"game": game, "seat": seat}, {"unanswered": now})


def _count_keyless(tx: Write, game: str, seat: str, more: int) -> None:
    """More mails in a seat's name without its key, or fewer of which it has not been told."""
    before = tx.one(_KEYLESS, {"game": game, "seat": seat})
    if before is not None:
        tx.change(QUEUE, {"game": game, "seat": seat}, {"keyless": max(0, before.keyless + more)})


def _absence(tx: Write, row: Content, body: Body) -> None:
    tx.change(QUEUE, {"game": row.chain, "seat": row.seat}, {"away": _days_away(body)})
    _message(tx, row, body)


def _days_away(body: Body) -> dict[str, Any] | None:
    return {name: body[name] for name in ("away", "mode", "from", "to")} if body["away"] else None


def _submission(tx: Write, row: Content, body: Body) -> None:
    """`queue`, where there is one, is all that now waits for the seat, with what it says to others."""
    values = {"counter": body["counter"]}
    if "queue" in body:
        values["body"] = _waits(body["queue"], body, row.seat)
    tx.change(QUEUE, {"game": row.chain, "seat": row.seat}, values)
    _message(tx, row, body)


def _message(tx: Write, row: Content, body: Body) -> None:
    """A message is counted to what its seat may send; rows that the host writes of its own come by no letter."""
    if "letter" in body and row.seat is not None and row.turn is not None:
        which = {"message_id": body.get("message_id", ""), "sha256": body["letter"]}
        found = tx.one(_SIZE, which)  # commands do not name their message, and hold no orders
        size = 0 if found is None else found.size
        budgets.count_message(tx, row.chain, row.seat, row.turn, body, _day(row), size)


def _too_many(tx: Write, row: Content, body: Body) -> None:
    """A seat was told that it has sent its limit, once in a decision and day."""
    if row.seat is not None:
        period = f"{row.turn} {_day(row)}"
        budgets.spend(tx, budgets.seat_of(row.chain, row.seat), budgets.REFUSED, period)


def _day(row: Content) -> str:
    return row.at.strftime("%Y-%m-%d")


def _waits(orders: Any, body: Body, seat: str | None) -> Any:
    """Orders that wait, with the press that waits beside them. Rows of older programs hold that among the orders."""
    says = body.get(SAYS, {}).get(seat)
    return {ORDERS: orders, SAYS: says} if says else orders


def _failed(tx: Write, row: Content, body: Body) -> None:
    _game(tx, row, {"attempts": body["attempt"]})


def _halted(tx: Write, row: Content, body: Body) -> None:
    _game(tx, row, {"status": "halted"})


def _ruling(tx: Write, row: Content, body: Body) -> None:
    """A game that the referee lets go on begins with no attempt counted; orders that he struck do not wait any more."""
    if body.get("act") == "resume":
        _game(tx, row, {"attempts": 0})
    if body.get("act") == "substitute":
        _changed_hands(tx, row)
    _queues(tx, row, body)


def _changed_hands(tx: Write, row: Content) -> None:
    """What was written to a seat, and its days away, are those of the player who sat there before."""
    whose = OUTBOX.c.game == row.chain, OUTBOX.c.seat == row.seat
    tx.run(sa.update(OUTBOX).where(*whose).values(former=True))
    tx.change(QUEUE, {"game": row.chain, "seat": row.seat}, {"away": None, "keyless": 0, "unanswered": None})
    if row.seat is not None:
        budgets.change_hands(tx, row.chain, row.seat)


def _over(tx: Write, row: Content, body: Body) -> None:
    _game(tx, row, {"status": "over", "due_at": None, "deadline_at": None, "remind_at": None})


def _opening(tx: Write, row: Content, body: Body) -> None:
    said = {name: body[name] for name in ("name", "wanted", "seats")}
    tx.add(OPENING, {**said, "at": row.at, "until": _instant(body["until"])})


def _opening_seats(tx: Write, row: Content, body: Body) -> None:
    """A seat is taken, or free again."""
    before = tx.one(_SEATS, {"name": body["name"]})
    assert before is not None
    seats = {seat: who for seat, who in before.seats.items() if seat != body["seat"]}
    seats |= {body["seat"]: body["player"]} if "player" in body else {}
    tx.change(OPENING, {"name": body["name"]}, {"seats": seats})


def _opening_closed(tx: Write, row: Content, body: Body) -> None:
    tx.run(sa.delete(OPENING).where(OPENING.c.name == body["name"]))


def _match_created(tx: Write, row: Content, body: Body) -> None:
    said = {name: body[name] for name in ("rules", "version", "options", "best_of", "games", "sides")}
    start = {"status": "open", "number": 0, "results": [], "verdict": None, "created_at": row.at}
    tx.add(MATCH, {"name": row.chain, **said, **start})


def _match_game(tx: Write, row: Content, body: Body) -> None:
    """The next game begins; what the games before it came to stands in the same row."""
    tx.change(MATCH, {"name": row.chain}, {"number": body["number"], "results": body["results"]})


def _match_over(tx: Write, row: Content, body: Body) -> None:
    values = {"status": "over", "results": body["results"], "verdict": body["verdict"]}
    tx.change(MATCH, {"name": row.chain}, values)


def _mail(tx: Write, row: Content, body: Body) -> None:
    columns = {
        "message_id": body["message_id"],
        "game": row.chain,
        "seat": row.seat,
        "state": "queued",
        "tries": 0,
        "next_try_at": _instant(body["date"]),  # the row's own time may be that of a clock that was ahead
        "since": _instant(body["date"]),
        "detail": "",
        "told": False,
        "former": False,
    }
    tx.add(OUTBOX, columns)
    budgets.count_mail(tx, row.chain, row.seat, body)


def _bounce(tx: Write, row: Content, body: Body) -> None:
    """A mail to a player came back."""
    known = tx.one(sa.select(CONTACT.c.bounces).where(CONTACT.c.player == body["player"]))
    if known is None:
        tx.add(CONTACT, {"player": body["player"], "bounces": 1})
    else:
        tx.change(CONTACT, {"player": body["player"]}, {"bounces": known.bounces + 1})


def _reached(tx: Write, row: Content, body: Body) -> None:
    """The player's address works (again), or is another one."""
    tx.change(CONTACT, {"player": body["player"]}, {"bounces": 0})


def _mail_fate(tx: Write, row: Content, body: Body) -> None:
    values = {name: body[name] for name in ("tries", "detail")} | {"state": body["fate"]}
    values["next_try_at"] = _instant(body["next_try_at"])
    if body["fate"] == "queued":
        values["since"] = values["next_try_at"]  # it begins anew
    if values["next_try_at"] is None:
        values["told"] = False  # the host may have been told that it waits, and not that it is lost
    tx.change(OUTBOX, {"message_id": body["message_id"]}, values)


def _post_notice(tx: Write, row: Content, body: Body) -> None:
    """The host was told of these mails."""
    for message_id in body["mails"]:
        tx.change(OUTBOX, {"message_id": message_id}, {"told": True})


def _letter(tx: Write, row: Content, body: Body) -> None:
    columns = {name: body[name] for name in ("message_id", "sha256", "route")}
    waiting = {"state": "waiting", "tries": 0, "reason": "", "stray": False}
    tx.add(INBOX, {**columns, "at": _instant(body["arrived"]), "size": body["size"], **waiting})


def _letter_fate(tx: Write, row: Content, body: Body) -> None:
    where = {"message_id": body["message_id"], "sha256": body["sha256"]}
    told = {"tries": body.get("tries", 0), "reason": body.get("reason", "")}
    stray = body["fate"] in STRAY and not body.get("game")
    tx.change(INBOX, where, {"state": body["fate"], "stray": stray, **told})
    if "keyless" in body:
        _count_keyless(tx, body["keyless"]["game"], body["keyless"]["seat"], 1)
    if "unanswered" in body:
        facts = [stamp(row.at), body["fate"], body.get("reason", "")]
        _note_unanswered(tx, body["unanswered"]["game"], body["unanswered"]["seat"], facts)


def _turned_away(tx: Write, row: Content, body: Body) -> None:
    """Files of a seat that were refused unread."""
    for name in body["files"]:
        tx.add(TURNED_AWAY, {"name": name})
    facts = [stamp(row.at), "refused", body["reason"]]
    _note_unanswered(tx, body["game"], body["seat"], facts, len(body["files"]))


def _night_begun(tx: Write, row: Content, body: Body) -> None:
    off = _instant(body.get("off_since"))
    tx.add(NIGHT, {"seq": row.seq, "at": _instant(body["now"]), "done": False, "off_since": off})


def _brake(tx: Write, row: Content, body: Body) -> None:
    """Something that runs hold for has come up, or is over. A game that is held by it stands still."""
    for name in body["over"]:
        tx.run(_OVER, {"name": name})
    for name, one in body["on"].items():
        tx.add(BRAKE, {"name": name, "game": one["game"], "says": one["says"], "since": row.at, "released": False})


def _brake_released(tx: Write, row: Content, body: Body) -> None:
    tx.change(BRAKE, {"name": body["brake"]}, {"released": True})


def _night_done(tx: Write, row: Content, body: Body) -> None:
    tx.change(NIGHT, {"seq": body["begun"]}, {"done": True})


def _forgotten(tx: Write, row: Content, body: Body) -> None:
    """Bytes that nobody is to read any more. Said twice of the same ones, the first time counts."""
    for sha256 in (*body["letters"], *body["mails"]):
        if tx.one(_FORGOTTEN, {"sha256": sha256}) is None:
            tx.add(FORGOTTEN, {"sha256": sha256, "seq": row.seq})


def _purged(tx: Write, row: Content, body: Body) -> None:
    """Strangers' mail whose time was up: its bytes are gone, its fate stays what it was."""
    _forgotten(tx, row, {"letters": body["letters"], "mails": ()})
    for message_id, sha256 in body["messages"]:
        tx.change(INBOX, {"message_id": message_id, "sha256": sha256}, {"stray": False})


def _signing_key(tx: Write, row: Content, body: Body) -> None:
    tx.add(SIGNING_KEY, {"key": body["key"], "seq": row.seq})


def _game(tx: Write, row: Content, values: dict[str, Any]) -> None:
    tx.change(GAME, {"name": row.chain}, values)


def _instant(text: str | None) -> Any:
    return None if text is None else moment(text)


STEPS: dict[str, Callable[[Write, Content, Body], None]] = {
    "created": _created,
    "turn": _turn,
    "at_once": _at_once,
    "taken_back": _taken_back,
    "submission": _submission,
    "failed": _failed,
    "halted": _halted,
    "ruling": _ruling,
    "over": _over,
    "opening": _opening,
    "opening_joined": _opening_seats,
    "opening_left": _opening_seats,
    "opening_closed": _opening_closed,
    "match_created": _match_created,
    "match_game": _match_game,
    "match_over": _match_over,
    "mail": _mail,
    "mail_fate": _mail_fate,
    "post_notice": _post_notice,
    "absence": _absence,
    "press": _message,
    "dispute": _message,
    "consent": _message,
    "dice": _message,
    "dice_refused": _message,
    "too_many": _too_many,
    "turned_away": _turned_away,
    "bounce": _bounce,
    "reached": _reached,
    "letter": _letter,
    "letter_fate": _letter_fate,
    "night_begun": _night_begun,
    "night_done": _night_done,
    "brake": _brake,
    "brake_released": _brake_released,
    "forgotten": _forgotten,
    "purged": _purged,
    "signing_key": _signing_key,
}
