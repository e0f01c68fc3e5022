"""Opening a mail: it is read in the bounded child, its forms are completed from the address it came to, and a form of
ours that was only quoted back is told from one that was changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pbem.bounded import TaskDied
from pbem.config import Config
from pbem.correspondence.speaking import Speaker, by_address, tags_of
from pbem.game.outgoing import FORM_FILE
from pbem.intake.form import GAME, SEAT, Form, Reading
from pbem.intake.mail.offered import file_lines, unchanged
from pbem.intake.mail.reading import ATTACHMENT, SUSPECTED, TWO_FORMS, Block, MailReading
from pbem.intake.reading import BoundedReader
from pbem.ledger import Ledger, games, letters, outbox
from pbem.ledger.letters import Waiting
from pbem.ledger.transaction import Read
from pbem.mailparts import parts
from pbem.rulebook import known

if TYPE_CHECKING:
    from pbem.messages import Clerk

ROUTES = frozenset({"mail", "maildir", "imap", "lmtp"})
DKIM = "dkim"
LOOKED_AT = 40  # mails to a seat among which that of a quoted form is looked for


@dataclass(frozen=True, slots=True)
class Opened:
    """A mail that was read.

    `readings` are the forms that are new, or were quoted and changed; `named` all that stood there. `unchanged`: there
    was a form, and it was ours, sent back as it was. `known`: the same mail came before, by other ways. `died` is what
    became of the child that read it.
    """

    mail: MailReading
    readings: tuple[Reading, ...] = ()
    named: tuple[Form, ...] = ()
    found: str = ""
    unchanged: bool = False
    known: bool = False
    died: str = ""


def read(config: Config, ledger: Ledger, clerk: Clerk, message: Waiting, raw: bytes) -> Opened:
    """What that mail says."""
    mail = taken_apart(config, clerk, raw)
    try:
        with ledger.read() as tx:
            return opened(config, tx, clerk, message, mail)
    except TaskDied as died:
        return Opened(MailReading(), died=died.kind)


def taken_apart(config: Config, clerk: Clerk, raw: bytes) -> MailReading | TaskDied:
    """What can be read in the mail itself, or how the child that read it died. Nothing in the ledger has a say."""
    try:
        return _read_mail(config, clerk.reader, raw)
    except TaskDied as died:
        return died


def opened(config: Config, tx: Read, clerk: Clerk, message: Waiting, mail: MailReading | TaskDied) -> Opened:
    """What the mail says to this ledger; TaskDied where a form in it takes too much."""
    if isinstance(mail, TaskDied):
        return Opened(MailReading(), died=mail.kind)
    if mail.bounce is not None or (mail.automatic and not mail.blocks):
        return Opened(mail)
    tags = tags_of(mail.tags)
    speakers = by_address(tx, tags)
    whole = [(block, _whole(tx, clerk.reader, block, speakers)) for block in mail.blocks]
    meant = [(block, reading) for block, reading in whole if _may_be_meant(tx, mail, block)]
    filled = [(block, reading) for block, reading in meant if not _is_ours(tx, clerk.reader, mail, block, reading)]
    changed = [reading for _, reading in filled]
    if len(changed) == 1 and mail.trouble is not None and mail.trouble.code == TWO_FORMS:
        mail = replace(mail, trouble=None)  # the others were ours
    if mail.automatic:
        # A program that answers for somebody quotes our form, or the beginning of it, but writes nothing into it. From
        # a mail that a list seems to have sent no orders are taken even so; its player is told.
        if not any(reading.form is not None and reading.form.ended for reading in changed):
            return Opened(mail)
        if mail.automatic not in SUSPECTED:
            mail = replace(mail, automatic="")
    return Opened(
        mail,
        tuple(changed),
        tuple(reading.form for _, reading in whole if reading.form is not None),
        filled[0][0].found if filled else mail.found,
        unchanged=bool(whole) and not changed,
        known=_came_before(config, tx, clerk.reader, message, mail),
    )


def _read_mail(config: Config, reader: BoundedReader, raw: bytes) -> MailReading:
    demanded = config.mail.require == DKIM
    return reader.read_mail(raw, ours=(config.address,), authserv=config.mail.authserv, check_dkim=demanded)


# --- forms ------------------------------------------------------------------------------------------------------------


def _whole(tx: Read, reader: BoundedReader, block: Block, speakers: Sequence[Speaker]) -> Reading:
    """The form of a block, with what the address says where the form says nothing, and the words of its game."""
    form = block.reading.form
    given = _given(form, speakers)
    row = games.glance(tx, form.game if form is not None else given.get(GAME, ""))
    rules = known(row.pinned) if row is not None else None
    lacks = form is None or form.key is None or form.turn is None
    if not (given and lacks) and not (block.reading.problems and rules and (rules.order_keys or rules.conditions)):
        return block.reading
    return reader.read(
        block.text.encode(),
        body=not block.whole,
        game_keys=tuple(rules.order_keys) if rules else (),
        conditions=rules.conditions if rules else (),
        given=given,
    )


def _given(form: Form | None, speakers: Sequence[Speaker]) -> Mapping[str, str]:
    """What the address says, of several the one that the form is for."""
    for speaker in speakers:
        given = speaker.given()
        if form is None or (form.game, form.seat.lower()) == (given[GAME], given[SEAT].lower()):
            return given
    return {}


# --- what was only quoted ---------------------------------------------------------------------------------------------


def _may_be_meant(tx: Read, mail: MailReading, block: Block) -> bool:
    """Whether a form counts once it was changed: a quoted one only in the answer to a mail of ours, or with our letter
    around it. Below any other mail stands what was ordered before (G29), and below a command only whose it is.
    """
    if mail.commanded:
        return False
    return not block.quoted or block.framed or _answers_us(tx, mail)


def _answers_us(tx: Read, mail: MailReading) -> bool:
    """Whether the mail is the answer to one of ours."""
    return any(outbox.get(tx, one) is not None for one in mail.references[:1])


def _is_ours(tx: Read, reader: BoundedReader, mail: MailReading, block: Block, reading: Reading) -> bool:
    """Whether a quoted form is the one that we sent, so that it orders nothing; or a file that programs send along with
    the answer to the letter that it came with. Such a file is ours to the letter: one that says the same in its
    writer's own way was sent by him."""
    sent_along = block.found == ATTACHMENT and _answers_us(tx, mail)
    if reading.form is None or not (block.quoted or sent_along):
        return False
    block = replace(block, reading=reading)
    offered = _offered(tx, mail, reading.form)
    if block.quoted:
        return any(_is_it(reader, block, text) for text in offered)
    return any(file_lines(block.text) == file_lines(text.decode("utf-8", "replace")) for text in offered)


def _is_it(reader: BoundedReader, block: Block, text: bytes) -> bool:
    """Whether the block is that form of ours: by its letters, or else by what it says."""
    words = text.decode("utf-8", "replace")
    return unchanged(block, words, None) or unchanged(block, words, reader.read(text, body=True).form)


def _offered(tx: Read, mail: MailReading, form: Form) -> Iterator[bytes]:
    """The form in the mail of ours that is answered; where that cannot be told, those of that seat for that turn."""
    for message_id in mail.references:
        found = outbox.get(tx, message_id)
        if found is not None and found.game == form.game and (found.seat or "").lower() == form.seat.lower():
            text = parts(outbox.raw(tx, message_id)).files.get(FORM_FILE)
            if text is not None:
                yield text
                return
    sent = [one for one in outbox.of_game(tx, form.game) if (one.seat or "").lower() == form.seat.lower()]
    for one in sent[::-1][:LOOKED_AT]:
        letter = parts(outbox.raw(tx, one.message_id))
        if letter.turn == form.turn and FORM_FILE in letter.files:
            yield letter.files[FORM_FILE]


# --- what came before -------------------------------------------------------------------------------------------------


def _came_before(config: Config, tx: Read, reader: BoundedReader, message: Waiting, mail: MailReading) -> bool:
    """Whether this mail was judged already: the same id, and the same said, whatever servers wrote above it."""
    if not message.message_id.startswith("<"):
        return False
    return any(
        _without_ways(_read_mail(config, reader, raw)) == _without_ways(mail)
        for sha256 in letters.before(tx, message)
        if (raw := letters.get(tx, sha256)) is not None
    )


def _without_ways(mail: MailReading) -> MailReading:
    """What was said, without what servers add on the way."""
    blocks = tuple(replace(block, text="") for block in mail.blocks)
    return MailReading(
        message_id=mail.message_id,
        subject=mail.subject,
        blocks=blocks,
        command=mail.command,
        trouble=mail.trouble,
        shown=mail.shown,
    )
