"""Commands by mail: what a seat may ask for, and what each needs before it is done (`proofs`).

Resigning takes the game's name beside the word: a single word in a subject must not end anybody's game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from engine import Notice, Refusal
from pbem.attending.absences import Announced, announced, noted, told_to_others, why_not
from pbem.attending.attendance import Attendance
from pbem.clock import stamp
from pbem.correspondence import addresses, again, consents, joining, leaving, press, status, volunteers
from pbem.correspondence.desk import Desk
from pbem.correspondence.disputes import raised
from pbem.correspondence.proofs import Needs, Proof
from pbem.correspondence.proofs import why_not as why_not_proven
from pbem.correspondence.withdrawing import withdrawn
from pbem.deadlines.reminding import wish
from pbem.game.outgoing import REPORT, Mail
from pbem.game.retelling import history_lines, history_rows
from pbem.game.turning import Row, chained, fixed
from pbem.intake.away import MODE_OF, plain_letters
from pbem.intake.form import ORDERS, Absence, Form, Reading
from pbem.intake.mail.reading import Command
from pbem.ledger import outbox, players
from pbem.ledger.letters import ACCEPTED, REFUSED
from pbem.submitting.decision import ABSENCE, Manner
from pbem.submitting.identity import Proven
from pbem.submitting.taken import Settled, is_ready, take_down
from pbem.submitting.verdict import why_past

Answer = Refusal | Form | None
LAST = date(2999, 12, 31)


@dataclass(frozen=True, slots=True)
class Act:
    """What a command does, and what it needs. The act gives why not, or a form that is taken as though it were sent.
    `instead` is said to a mail that does not show what is needed."""

    run: Callable[[Desk, Command], Answer]
    needs: Needs
    instead: Notice | None = None


def obey(desk: Desk, command: Command, manner: Manner) -> Settled:
    """Do what is asked, and answer; or say why not. Nothing is run before the mail has shown what it needs."""
    act = COMMANDS[command.word]
    lacking = why_not_proven(desk.speaker, act.needs)
    answered = desk.may_answer
    done = lacking or act.run(desk, command)
    if isinstance(done, Form):
        given = desk.seated(done)
        return take_down(desk.tx, desk.config, desk.apart, given, Reading(done), desk.message, desk.now, manner)
    if done is not None:
        hint = () if lacking is None or act.instead is None else (act.instead,)
        desk.answer("refused", (_line(done), *hint), form=True)
    ready = is_ready(desk.tx, desk.sheet, desk.now)
    fate, reason = (ACCEPTED, command.word) if done is None else (REFUSED, done.code)
    settled = Settled(fate, reason, game=desk.sheet.name, at_once=ready, seat=desk.seat)
    return settled if answered else settled.without_answer


def _line(why: Refusal) -> Notice:
    return Notice(why.rule, why.code, why.text, why.facts)


# --- what can be asked for --------------------------------------------------------------------------------------------


def _help(desk: Desk, command: Command) -> Answer:
    facts = {"game": desk.sheet.name, "days": desk.config.address_days}
    desk.answer("help", [Notice("", "help", text, facts) for text in HELP], form=True)
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
    "address new@example.org: your letters go there, once you have confirmed it from there and agreed to it from your"
    " old address; without a word from the old one it takes {days} days.",
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
    if turn == desk.turn and not desk.may_see_key:
        text = (
            "Your address has changed since the letter that you answered, so its key does not bring the open report."
            " Answer a newer letter, or ask the host."
        )
        return Refusal("", "report_by_host", text)
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
    return consents.take_back(desk, command.argument)


def _volunteer(desk: Desk, command: Command) -> Answer:
    return volunteers.answered(desk, command.argument)


def _draw(desk: Desk, command: Command) -> Answer:
    return consents.draw(desk, command.argument)


def _dispute(desk: Desk, command: Command) -> Answer:
    return raised(desk, command.argument)


def _address(desk: Desk, command: Command) -> Answer:
    return addresses.asked_by_mail(desk, command.argument)


# --- resigning --------------------------------------------------------------------------------------------------------


def _resign(desk: Desk, command: Command) -> Answer:
    """Resign as if the form's only order were to; only with the game's name beside the word."""
    game = desk.sheet.name
    if command.argument.strip().casefold() != game.casefold():
        text = "To give a game up takes its name: write `resign {game}`. Nothing has changed."
        return Refusal("", "resign_what", text, {"game": game})
    order = desk.apart.ask(resigning, desk.blank())
    return Form(game=game, seat=desk.seat, turn=desk.speaker.turn, orders=(order,), places=((ORDERS, 0),), written=1)


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


READS = Needs(Proof.SEAT_KEY)  # what it tells goes to the registered address, and nothing changes
CHANGES_PLAYER = Needs(Proof.CURRENT_KEY)
CHANGES_GAME = Needs(Proof.CURRENT_KEY, open_game=True)
COMMANDS: Mapping[str, Act] = {
    "help": Act(_help, READS),
    "status": Act(_status, READS),
    "report": Act(_report, READS),
    "history": Act(_history, READS),
    "unsubscribe": Act(_unsubscribe, READS),
    "address": Act(_address, CHANGES_PLAYER),
    "remind": Act(_remind, CHANGES_PLAYER),
    "digest": Act(_digest, CHANGES_PLAYER),
    "volunteer": Act(_volunteer, CHANGES_PLAYER),
    "join": Act(joining.joined_by_key, CHANGES_PLAYER, joining.WITHOUT_KEY),
    "leave": Act(joining.left_by_key, CHANGES_PLAYER),
    "dispute": Act(_dispute, CHANGES_PLAYER),  # also of a game that is paused
    "take-back": Act(_take_back, CHANGES_GAME),
    "draw": Act(_draw, CHANGES_GAME),
    "withdraw": Act(_withdraw, CHANGES_GAME),
    "absent": Act(_absent, CHANGES_GAME),
    "say": Act(_say, CHANGES_GAME),
    "resign": Act(_resign, CHANGES_GAME),
}
"""Every command that can be asked for by mail with a key."""
