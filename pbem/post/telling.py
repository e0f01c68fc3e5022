"""Who is told when a mail does not get through: its player, where his other mails do, and the host."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice

from pbem.clock import stamp
from pbem.config import Config
from pbem.errors import CannotGoOn
from pbem.game.hosting import sheet_of
from pbem.game.outgoing import written
from pbem.ledger import Ledger, games, outbox
from pbem.ledger.chain import HOST
from pbem.ledger.outbox import OutMail
from pbem.ledger.transaction import Read, Write
from pbem.post.headers import header, words
from pbem.post.own import envelope, next_id
from pbem.post.parcels import recipient_of
from pbem.reports import environment, letter
from pbem.reports.report import Notice

NOTICE = "notice"
LISTED = 30  # a mail to the host names so many mails


def tell_player(tx: Write, config: Config, mail: OutMail, now: datetime) -> None:
    """Tell a seat that one of its mails was refused, if its other mails get through. A notice begets no notice."""
    if mail.seat is None or not outbox.has_passed(tx, mail):
        return
    raw = outbox.raw(tx, mail.message_id)
    row = games.get(tx, mail.game)
    if row is None or header(raw, letter.KIND) == NOTICE:
        return
    try:
        sheet = sheet_of(tx, config, row)
    except CannotGoOn:
        return  # without its rules nobody knows in which words its name is told; the host is told of it
    sitter = sheet.sitters[mail.seat]
    if sitter.address != recipient_of(raw):
        return  # somebody else sits there now, or his address has changed
    says = environment.says(environment.language(sitter.lang, sheet.rules))
    text = says(
        "A letter of ours did not reach you: the mail server refused it. It was called: %(subject)s. The server said: "
        "%(detail)s. Nothing is lost: answer this mail with the one word REPORT, and the report comes again.",
        subject=words(header(raw, "Subject")),
        detail=mail.detail,
    )
    said = Notice(
        kind="message",
        game=sheet.name,
        rules=sheet.rules,
        zone=sheet.schedule.zone,
        seat=mail.seat,
        reader=sitter.reader,
        turn=row.turn,
        text=text,
    )
    # After a restore the same mail may be refused once more, at another hour: that is another letter (G14).
    message_id = sheet.message_id(NOTICE, "refused", mail.message_id, stamp(now))
    if outbox.get(tx, message_id) is None:
        raw = written(sheet, said, message_id, now)
        outbox.post(tx, sheet.name, mail.seat, NOTICE, message_id, raw, now, now, row.turn)


def untold(tx: Read, config: Config, now: datetime) -> tuple[list[OutMail], list[OutMail]]:
    """The mails that are lost, and those that wait too long, of which the host was not told."""
    late = outbox.open_since(tx, now - config.post.tell)
    return [mail for mail in outbox.lost(tx) if not mail.told], [mail for mail in late if not mail.told]


def tell_host(config: Config, ledger: Ledger, now: datetime) -> bool:
    """Tell the host what is lost and what waits too long, each mail once; gives whether there is a mail to him."""
    with ledger.read() as tx:
        if not any(untold(tx, config, now)):
            return False
    with ledger.write() as tx:
        lost, late = untold(tx, config, now)
        outbox.told(tx, [*lost, *late], now)
        listed = [*_lines(tx, config, lost, "lost"), *_lines(tx, config, late, "waits")]
        if not config.referee or not listed:
            return False
        message_id = next_id(tx, config, "post notice", now)
        text = "\n".join([*_opening(len(listed)), *listed[:LISTED], "", *_closing(len(listed))])
        subject = f"[{config.host}] {_not_through(len(listed))}"
        outbox.post(tx, HOST, None, NOTICE, message_id, plain(config, message_id, now, subject, text), now, now)
        return True


def plain(config: Config, message_id: str, now: datetime, subject: str, text: str) -> bytes:
    """A mail to the host himself."""
    to = letter.Address("", config.referee)
    return letter.write(envelope(config, NOTICE, message_id, now, to, subject), text)


def _not_through(count: int) -> str:
    return f"{count} mail has not got through" if count == 1 else f"{count} mails have not got through"


def _opening(count: int) -> Iterator[str]:
    yield f"{_not_through(count)}. `pbem deliver` shows them too, and tries again what can be tried."
    yield ""


def _closing(count: int) -> Iterator[str]:
    if count > LISTED:
        yield f"... and {count - LISTED} more."
    yield "What was refused is not sent again by itself; when its cause is mended, `pbem deliver --refused` does it."


def _lines(tx: Read, config: Config, mails: Sequence[OutMail], what: str) -> Iterator[str]:
    """One line for each mail, but for those to the host himself."""
    for mail in mails:
        raw = outbox.raw(tx, mail.message_id)
        if (recipient := recipient_of(raw)) == config.referee and mail.game == HOST:
            continue
        yield f"{what}: {line(mail, raw, recipient)}"


def line(mail: OutMail, raw: bytes, recipient: str) -> str:
    """A mail that did not get through, in one line: which, to whom, since when, and what was said."""
    whose = f"{mail.game}, seat {mail.seat}" if mail.seat is not None else "the host"
    since = f", since {mail.since:%Y-%m-%d %H:%M} UTC" if mail.since else ""
    said = f": {mail.detail}" if mail.detail else ""
    return f"{header(raw, letter.KIND) or 'mail'} of {whose} to {recipient}{since}{said}"


def troubled(tx: Read, now: datetime, most: int = LISTED) -> tuple[list[str], list[str]]:
    """For summaries: the mails that are lost, and those that have been tried and wait, newest last."""
    waiting = [mail for mail in outbox.open_since(tx, now + timedelta(seconds=1)) if mail.tries]
    return _told(tx, outbox.lost(tx)[-most:]), _told(tx, list(islice(waiting, most)))


def _told(tx: Read, mails: Sequence[OutMail]) -> list[str]:
    found = []
    for mail in mails:
        raw = outbox.raw(tx, mail.message_id)
        found.append(line(mail, raw, recipient_of(raw)))
    return found
