"""Commands by mail: what a seat may ask for, and what changes something only with the key of the open decision.

Resigning takes the game's name beside the word: a single word in a subject must not end anybody's game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, datetime

from engine import Notice, Refusal
from pbem.attending.absences import Announced, announced, noted, told_to_others, why_not
from pbem.attending.attendance import Attendance
from pbem.clock import stamp
from pbem.correspondence import addresses, again, consents, joining, leaving, press, status, volunteers
from pbem.correspondence.desk import Desk
from pbem.correspondence.disputes import raised
from pbem.correspondence.withdrawing import withdrawn
from pbem.deadlines.reminding import wish
from pbem.game.eras import Spoken
from pbem.game.outgoing import REPORT, Mail
from pbem.game.retelling import history_lines, history_rows
from pbem.game.turning import Row, chained, fixed
from pbem.intake.away import MODE_OF, plain_letters
from pbem.intake.form import ORDERS, Absence, Form, Reading
from pbem.intake.mail.reading import Command
from pbem.ledger import games, outbox, players
from pbem.ledger.letters import ACCEPTED, REFUSED
from pbem.submitting.decision import ABSENCE, Manner
from pbem.submitting.identity import Proven
from pbem.submitting.taken import Settled, is_ready, take_down
from pbem.submitting.verdict import lost_time, why_past

Answer = Refusal | None
LAST = date(2999, 12, 31)


def obey(desk: Desk, command: Command, manner: Manner) -> Settled:
    """Do what is asked, and answer; or say why not."""
    if command.word == "resign":
        return _resign(desk, command, manner)
    act, changes = COMMANDS[command.word]
    why = _not_now(desk) if changes else None
    why = why or act(desk, command)
    if why is not None:
        desk.answer("refused", (_line(why),), form=True)
    ready = is_ready(desk.tx, desk.sheet, desk.now)
    fate, reason = (ACCEPTED, command.word) if why is None else (REFUSED, why.code)
    return Settled(fate, reason, game=desk.sheet.name, at_once=ready, seat=desk.seat)


def _not_now(desk: Desk) -> Refusal | None:
    """What changes something takes a letter of the open decision, of a game that goes on."""
    row = desk.speaker.row
    if row.status != games.OPEN:
        return Refusal("", "game_closed", "{game} is {status}; nothing of it can be changed now.",
                       {"game": row.name, "status": games.SAID[row.status]})  # fmt: skip
    if desk.speaker.spoke is Spoken.LOST:
        return lost_time(row.turn)
    if desk.speaker.spoke is Spoken.BEFORE:
        text = (
            "You answered a letter of before the game was taken back. Answer your newest one; decision {open} is open."
        )
        return Refusal("", "taken_back", text, {"open": row.turn})
    if not desk.speaker.is_current:
        text = "You answered a letter of decision {turn}, which is closed. Answer one of decision {open}."
        return Refusal("", "turn_closed", text, {"turn": desk.speaker.turn, "open": row.turn})
    return None


def _line(why: Refusal) -> Notice:
    return Notice(why.rule, why.code, why.text, why.facts)


# --- what can be asked for --------------------------------------------------------------------------------------------


def _help(desk: Desk, command: Command) -> Answer:
    desk.answer("help", [Notice("", "help", text, {"game": desk.sheet.name}) for text in HELP], form=True)
    return None


HELP = (
    "Orders: answer a report with the order form in it, and change what stands under orders.",
    "help: this letter.",
    "status: your games, who is waited for, and until when.",
    "report, or report 5: the last report again, or that of decision 5.",
    "history: what everybody did so far, as far as you may know it.",
    "withdraw: takes back all that you have ordered ahead.",
    "absent 2026-12-20 2026-12-31: you are away, and deadlines wait for you; with stand-in behind it a stand-in plays,"
    " with standing your orders and standing answers count; absent no: you are back.",
    "say all: and your words, or say and a seat: words to others that leave at once.",
    "remind 24h: a reminder so long before a deadline, where your orders are missing; remind off: none.",
    "digest: all letters of one night come as one; digest off: each by itself.",
    "resign {game}: gives this game up, for good.",
    "take-back 5: asks that the game go back to decision 5, or agrees to it; take-back no: you do not agree.",
    "volunteer: you would take over a seat in any game; volunteer and the games' names: in these;"
    " volunteer no: in none.",
    "join tiger-hill: a seat in a game that waits for players; leave tiger-hill: it is given back.",
    "draw: offers a draw, or agrees to one; draw no: you do not agree.",
    "dispute: and your words: an appeal to the referee, who answers it by a ruling to all.",
    "address new@example.org: your letters go there, once you have confirmed it from there.",
    "Write one of these as the subject or as the first line of your answer to a letter of ours, and leave that letter"
    " below: the key in it says who you are.",
)


def _status(desk: Desk, command: Command) -> Answer:
    lines = list(status.status_lines(desk.tx, desk.speaker.player, desk.apart))
    desk.answer("status", lines or (Notice("", "no_games", "You are in no game that goes on."),))
    return None


def _history(desk: Desk, command: Command) -> Answer:
    rows = history_rows(desk.tx, desk.speaker.row)
    lines = desk.apart.ask(history_lines, desk.sheet, rows, desk.seat)
    desk.answer("history", lines or (Notice("", "no_turns", "Nothing has been decided yet."),))
    return None


def _report(desk: Desk, command: Command) -> Answer:
    word, turn = command.argument.strip(), desk.turn
    if word:
        if not (word.isascii() and word.isdecimal() and len(word) < 9):
            return Refusal("", "no_turn", "`report` takes the number of a decision, such as `report 5`.")
        turn = int(word)
    raw = again.report_of(desk.tx, desk.sheet.name, desk.seat, turn)
    if raw is None:
        text = "You were sent no report of decision {turn}; decision {open} is open."
        return Refusal("", "no_report", text, {"turn": turn, "open": desk.turn})
    if desk.may_answer:
        tx, sheet, end = desk.tx, desk.sheet, desk.tx.end(desk.sheet.name)
        message_id = sheet.message_id("again", end.hash.hex(), desk.seat, stamp(desk.now), desk.message.message_id)
        new = again.anew(raw, sheet, desk.seat, message_id, desk.now, desk.message.message_id)
        kind, player = f"{REPORT}-again", desk.speaker.player
        outbox.post(tx, sheet.name, desk.seat, kind, message_id, new, desk.now, desk.now, turn, player)
    return None


def _withdraw(desk: Desk, command: Command) -> Answer:
    body = desk.apart.ask(withdrawn, desk.blank(), desk.message, desk.now)
    desk.tx.append(desk.sheet.name, "submission", desk.now, body, desk.turn, desk.seat)
    desk.answer("withdrawn", form=True)
    return None


def _say(desk: Desk, command: Command) -> Answer:
    return press.pass_on(desk, command.to, command.argument)


def _absent(desk: Desk, command: Command) -> Answer:
    said = days(command.argument)
    if said is None:
        text = (
            "`absent` takes your first and your last day away, and what is to happen meanwhile, such as {days};"
            " or `no`, when you are back."
        )
        return Refusal("", "absent", text, {"days": "2026-12-20 2026-12-31 stand-in"})
    blank = desk.blank()
    why = why_past(said, desk.message.at) or why_not(Attendance.from_json(blank.recorded.attendance), desk.seat, said)
    if why is not None:
        return why
    found, told = desk.apart.ask(going, blank, said, desk.message.sha256, desk.now)
    desk.tx.append(desk.sheet.name, ABSENCE, desk.now, found.body, desk.turn, desk.seat)
    desk.answer("noted", tuple(noted(found, desk.seat)))
    for mail in told:
        outbox.post(
            desk.tx, desk.sheet.name, mail.seat, mail.kind, mail.message_id, mail.kept, desk.now, desk.now, mail.turn
        )
    return None


def going(given: Proven, said: Absence, letter: str, now: datetime) -> tuple[Announced, tuple[Mail, ...]]:
    """What a word on days away comes to, and the notices of it. To be asked apart."""
    found = given.opened()
    sheet, standing, seat = found.sheet, found.standing, found.seat
    away = announced(sheet, standing, seat, said, now)
    away = replace(away, body=away.body | {"letter": letter})
    row = Row(ABSENCE, away.body, standing.turn, seat)
    away = away.after(chained(sheet.name, sheet.secret, standing.end, fixed(row), now))
    # The state is the rules' own value, which stays here.
    return replace(away, standing=replace(away.standing, state=None)), told_to_others(sheet, seat, away, now)


_day = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})|(\d{1,2})\.(\d{1,2})\.(\d{4})")
BACK = frozenset({"no", "non", "back", "end", "off", "retour", "fini", "ritorno", "fine"})


def days(text: str) -> Absence | None:
    """Days away as they are written in a mail: 2026-12-20 2026-12-31 stand-in, or 20.12.2026; one day is the last."""
    if text.strip().casefold().rstrip(".!") in BACK:
        return Absence(False)
    mode = MODE_OF.get(plain_letters(text.split()[-1])) if text.split() else None
    if mode is not None:
        text = " ".join(text.split()[:-1])
    if not text.strip():
        return Absence(True, mode=mode)
    try:
        found = [date(*map(int, _parts(one))) for one in _day.finditer(text)]
    except ValueError:
        return None
    if not 1 <= len(found) <= 2 or max(found) > LAST or re.search(r"\d", _day.sub("", text)):
        return None
    since, until = found if len(found) == 2 else (None, found[0])
    return Absence(True, since, until, mode) if since is None or since <= until else None


def _parts(found: re.Match[str]) -> Sequence[str]:
    return found.group(1, 2, 3) if found[1] else found.group(6, 5, 4)


def _take_back(desk: Desk, command: Command) -> Answer:
    return _too_old(desk) or consents.take_back(desk, command.argument)


def _volunteer(desk: Desk, command: Command) -> Answer:
    return volunteers.answered(desk, command.argument)


def _draw(desk: Desk, command: Command) -> Answer:
    return _too_old(desk) or consents.draw(desk, command.argument)


def _too_old(desk: Desk) -> Answer:
    """A word of consent may answer any letter, of a game that goes on, but none of before a take-back or a loss."""
    return _not_now(desk) if desk.speaker.spoke is not Spoken.NOW or desk.speaker.row.status != games.OPEN else None


def _dispute(desk: Desk, command: Command) -> Answer:
    return raised(desk, command.argument)


def _address(desk: Desk, command: Command) -> Answer:
    return addresses.asked_by_mail(desk, command.argument)


# --- resigning --------------------------------------------------------------------------------------------------------


def _resign(desk: Desk, command: Command, manner: Manner) -> Settled:
    """As if the form's only order were to resign; only with the game's name, and with the key of the open decision."""
    game = desk.sheet.name
    if command.argument.strip().casefold() != game.casefold():
        text = "To give a game up takes its name: write `resign {game}`. Nothing has changed."
        desk.answer("refused", (Notice("", "resign_what", text, {"game": game}),))
        return Settled(REFUSED, "resign_what", game=game, seat=desk.seat)
    if (why := _not_now(desk)) is not None:
        desk.answer("refused", (_line(why),), form=True)
        return Settled(REFUSED, why.code, game=game, seat=desk.seat)
    order = desk.apart.ask(resigning, desk.blank())
    form = Form(game=game, seat=desk.seat, turn=desk.speaker.turn, orders=(order,), places=((ORDERS, 0),), written=1)
    return take_down(desk.tx, desk.config, desk.apart, desk.seated(form), Reading(form), desk.message, desk.now, manner)


RESIGN = "resign"


def resigning(given: Proven) -> str:
    """How a seat says in this game that it gives up. To be asked apart."""
    found = given.opened()
    move = found.sheet.rules.resignation(found.standing.state, found.seat)
    return RESIGN if move is None else str(move)


def _remind(desk: Desk, command: Command) -> Answer:
    """How long before deadlines this player wishes to be reminded, in all his games."""
    player = players.get(desk.tx, desk.speaker.player)
    hours = int(command.argument)
    if player is None or player.name is None:
        return None
    wish(desk.tx, desk.config, player, hours, desk.now)
    text = "You are reminded {hours} h before a deadline, where your orders are still missing, in all your games."
    line = Notice("", "remind", text, {"hours": hours}) if hours else NO_REMINDERS
    desk.answer("noted", (line,))
    return None


NO_REMINDERS = Notice("", "remind", "You are not reminded any more.")


def _digest(desk: Desk, command: Command) -> Answer:
    leaving.in_digests(desk, command.argument)
    return None


def _unsubscribe(desk: Desk, command: Command) -> Answer:
    leaving.ways_out(desk)
    return None


COMMANDS: dict[str, tuple[Callable[[Desk, Command], Answer], bool]] = {
    "help": (_help, False),
    "status": (_status, False),
    "report": (_report, False),
    "history": (_history, False),
    "address": (_address, False),
    "dispute": (_dispute, False),
    "take-back": (_take_back, False),
    "draw": (_draw, False),
    "volunteer": (_volunteer, False),
    "join": (joining.joined_by_key, False),
    "leave": (joining.left_by_key, False),
    "withdraw": (_withdraw, True),
    "absent": (_absent, True),
    "remind": (_remind, False),
    "digest": (_digest, False),
    "unsubscribe": (_unsubscribe, False),
    "say": (_say, True),
}
"""Each command, and whether it changes something of the game."""
