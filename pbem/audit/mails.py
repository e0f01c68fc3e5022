"""Mails held against a history: what the host signed must be what its ledger holds.

Only what the host's signature covers can accuse it. What became of a mail on its way, or in the hands of whoever kept
it, is said of that mail alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from pbem.audit.book import Book, LedgerBook, ledger_keys
from pbem.audit.lost_times import lost_times
from pbem.audit.witnesses import KeptMail, kept
from pbem.errors import Trouble
from pbem.game.outgoing import BRINGS
from pbem.intake.characters import visible
from pbem.ledger import outbox
from pbem.ledger.chain import HOST
from pbem.ledger.seals import KeyLost
from pbem.ledger.transaction import Read
from pbem.mailparts import decoded, found_parts, page_in, picture_in
from pbem.post.headers import header
from pbem.post.signing import items
from pbem.reports.letter import page_part
from pbem.reports.picture import without_image
from pbem.signature import GENUINE, LARGEST, NOT_OURS, UNSIGNED, Item, Signed, differing, item, text_item

HOST_FAULT = "host_fault"
PICTURE, DRAWING, PAGE = "file/map.png", "file/map.svg", "file/page.html"
KEY_NOTE = "if a report of the game told you that key, name it with --key"


class MailVerdict(NamedTuple):
    """What is to be said of one mail. `same` tells, of one without a signature, whether the ledger holds it."""

    file: str
    verdict: str
    says: str
    message_id: str = ""
    key: str = ""
    game: str = ""
    seat: str = ""
    turn: int | None = None
    row: int | None = None
    same: bool | None = None

    def to_json(self) -> dict[str, Any]:
        return self._asdict()

    @property
    def accuses(self) -> bool:
        return self.verdict == HOST_FAULT

    @property
    def proves(self) -> bool:
        """Tell whether the mail is what the host sent, by its signature or by what the ledger holds."""
        return self.verdict == GENUINE or bool(self.same)


class History:
    """A book with the mails it names looked up once; `where` names what it lies in."""

    def __init__(self, book: Book, where: str) -> None:
        self.book, self.where = book, where

    @cached_property
    def rows(self) -> Mapping[str, tuple[int, str]]:
        """Where each mail stands in it, and its hash."""
        facts = ((line.seq, line.facts()) for line in self.book.lines(("mail",)))
        return {str(said["message_id"]): (seq, str(said["sha256"])) for seq, said in facts}


def judge(mail: KeptMail, history: History | None) -> MailVerdict:
    """Hold a mail against the history of the chain that it is of; None where that is not at hand."""
    checked = mail.checked
    if checked.signed is None:
        return _unsigned(mail, history)
    signed = checked.signed
    found = MailVerdict(
        mail.file, checked.verdict, "", signed.message_id, signed.key, signed.chain, signed.seat, signed.turn
    )
    about = "of the host" if signed.chain == "@host" else f"of {signed.chain}"
    changed = f"The copy in {mail.file} was changed since: {visible(checked.why, 300)}." if checked.why else ""
    fault, row, note = ("", None, "") if history is None else _against(history, mail, signed)
    if fault:
        says = f"The host signed the mail {signed.message_id} {about}, and {fault}. {changed}".rstrip()
        return found._replace(verdict=HOST_FAULT, says=says, row=row)
    known = f"row {row} of {history.where} holds it" if history is not None else "no history of its game was asked"
    if checked.verdict == GENUINE:
        return found._replace(says=f"The host signed it; {note or known}.", row=row)
    says = f"It is not as the host signed it: {visible(checked.why, 300)}. What the host signed: {note or known}."
    return found._replace(says=says, row=row)


def judged_file(path: Path, keys: Collection[str], asked: Book | Read | None = None, where: str = "") -> MailVerdict:
    """Judge the mail in a file by public keys, and by the exported game or the ledger that is asked."""
    raw = read_mail(path)
    if asked is None:
        return judge(kept(path.name, raw, keys), None)
    known = ledger_keys(asked) if isinstance(asked, Read) else asked.signing_keys()
    mail = kept(path.name, raw, {*known, *keys})
    signed = mail.checked.signed
    if isinstance(asked, Read):
        chain = _chain_of(asked, mail.checked.message_id) if signed is None else signed.chain
        book: Book = LedgerBook(asked, chain)
        if signed is not None and book.line(1) is None:
            return lacking(mail, where)
    else:
        book = asked
        if signed is not None and signed.chain != book.game:
            return _with_heads(judge(mail, None), mail, book, where)
    return _with_heads(judge(mail, History(book, where)), mail, book, where)


def _with_heads(found: MailVerdict, mail: KeptMail, book: Book, where: str) -> MailVerdict:
    """The verdict, or a worse one where the host signed a head that its game's history does not hold."""
    for one in mail.heads if not found.accuses else ():
        theirs = book if one.game == book.game else book.sister(one.game)
        if theirs is None or not one.proves or theirs.published or is_too_old(theirs, mail):
            continue
        if all(line.hash.hex() != one.head for line in theirs.lines()):
            agreed = " ".join(lost_times(theirs, [one]))
            says = f"The host signed the head {one.named} and {where} has no such row of {one.game}. {agreed}".rstrip()
            return found._replace(verdict=HOST_FAULT, says=says)
    return found


def is_too_old(book: Book, mail: KeptMail) -> bool:
    """Tell whether a file was made while its game ran, and perhaps before the mail was."""
    return book.until is not None and not (mail.dated and mail.at is not None and mail.at <= book.until)


def read_mail(path: Path) -> bytes:
    """Return the bytes of a mail in a file; Trouble when it is too long to be one."""
    with path.open("rb") as file:
        raw = file.read(LARGEST + 1)
    if len(raw) > LARGEST:
        raise Trouble(f"{visible(path.name)} has more than {LARGEST >> 20} MiB; it is no mail of a host.")
    return raw


def _chain_of(tx: Read, message_id: str) -> str:
    """On which chain the ledger has a mail of that id; the host's own where it has none."""
    mail = outbox.get(tx, message_id)
    return HOST if mail is None else mail.game


def lacking(mail: KeptMail, where: str) -> MailVerdict:
    """Say that a mail is signed and that there is no such game at all."""
    signed = mail.checked.signed
    assert signed is not None
    says = f"The host signed the mail {signed.message_id} of {signed.chain}, and {where} has no such game."
    return MailVerdict(
        mail.file, HOST_FAULT, says, signed.message_id, signed.key, signed.chain, signed.seat, signed.turn
    )


def _against(history: History, mail: KeptMail, signed: Signed) -> tuple[str, int | None, str]:
    """What is wrong with a history by a mail that the host signed, the mail's row, and what could not be compared."""
    book, where, rows = history.book, history.where, history.rows
    if signed.message_id not in rows:
        if book.extent().sealed or book.published:
            return "", None, f"rows of {where} are sealed, so nobody can see there whether it holds the mail"
        if is_too_old(book, mail):
            return "", None, f"{where} is older than the mail, or may be"
        return f"{where} has no such mail", None, ""
    row, sha256 = rows[signed.message_id]
    if sha256 != signed.sha256:
        return f"row {row} of {where} names another mail under that id", row, ""
    stored = stored_in(book, signed.message_id)
    if not stored:
        return "", row, f"row {row} of {where} names it by its hash, and its bytes are not there to compare"
    wrong = compared(book, stored, signed.items)
    return (f"the mail that {where} holds is another one: {'; '.join(wrong)}" if wrong else ""), row, ""


def _unsigned(mail: KeptMail, history: History | None) -> MailVerdict:
    checked = mail.checked
    message_id = visible(checked.message_id, 200)
    found = MailVerdict(mail.file, checked.verdict, "", message_id)
    why = visible(checked.why or "it cannot be checked", 300)
    why += f" ({KEY_NOTE})" if checked.verdict == NOT_OURS and checked.items else ""
    if history is None or checked.message_id not in history.rows:
        known = "" if history is None else f", and {history.where} has no mail of that id"
        return found._replace(says=f"It proves nothing: {why}{known}.")
    row, where = history.rows[checked.message_id][0], history.where
    stored = stored_in(history.book, checked.message_id)
    if not stored:
        says = f"It proves nothing: {why}. Row {row} of {where} names a mail of that id, whose bytes are not there."
        return found._replace(says=says, row=row)
    wrong = compared(history.book, stored, checked.items)
    same = not wrong and checked.verdict == UNSIGNED
    held = "holds the same mail" if not wrong else f"holds another mail under that id: {'; '.join(wrong)}"
    says = f"It proves nothing: {why}. Row {row} of {where} {held}."
    return found._replace(says=says, row=row, same=same)


def stored_in(book: Book, message_id: str) -> bytes:
    """Return the bytes of a mail as it was written; none where they are not at hand."""
    try:
        return (book.mail(message_id) if book.has_mails else b"") or b""
    except KeyLost:
        return b""


def compared(book: Book, stored: bytes, found: tuple[Item, ...]) -> list[str]:
    """Say how a mail differs from the one that was stored, but for what is done to each mail when it leaves: its
    drawing is painted or left out, and its page is added."""
    try:
        written = items(stored)
    except (ValueError, LookupError, StopIteration, UnicodeError):
        return ["what lies there is no mail"]
    meant, given = Counter(written), Counter(found)
    less, more = [*(meant - given).elements()], [*(given - meant).elements()]
    for old, new in _done_on_leaving(book, stored, more):
        if old in less or old is None:
            less = [one for one in less if one != old]
            more = [one for one in more if one != new]
    return [visible(words, 120) for words in differing(more, less)]


def _done_on_leaving(book: Book, stored: bytes, more: list[Item]) -> Iterator[tuple[Item | None, Item | None]]:
    """What may stand in place of an item of the stored mail: pairs of old and new."""
    if header(stored, BRINGS):
        yield from ((None, one) for one in more if one[0] == PAGE)
    drawn = picture_in(stored)
    if drawn is None:
        return
    drawing = next(one for one in items(stored) if one[0] == DRAWING)
    painted = [one for one in more if one[0] == PICTURE]
    if painted:
        png = book.picture(drawn.name)
        yield drawing, painted[0] if png is None else item(PICTURE, png)
        return
    page = page_in(stored)
    html = decoded(stored, page)
    plain = page_part(without_image(html.decode()))
    yield drawing, None
    yield text_item("text/html", html), text_item("text/html", _text_of(plain.head, plain.content))


def _text_of(head: bytes, content: bytes) -> bytes:
    part = head + content
    return decoded(part, next(iter(found_parts(part))))
