"""One mail from its bytes to its reading: what it is, whose it claims to be, and what it orders."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from engine.refusal import Refusal
from pbem.intake.characters import visible
from pbem.intake.limits import CUT, USUAL, Limits
from pbem.intake.mail import addresses, commands, evidence, finding
from pbem.intake.mail.automatic import says_away, why_automatic
from pbem.intake.mail.bodies import Bodies
from pbem.intake.mail.bounces import bounce_of
from pbem.intake.mail.headers import Headers, is_mail, split
from pbem.intake.mail.parts import Part, Tree, walk
from pbem.intake.mail.quoting import Lines
from pbem.intake.mail.reading import ATTACHMENT, SUSPECTED, Command, Evidence, MailReading
from pbem.intake.mail.subjects import subject as spoken

DIGITS = 12
NAME, NAMED = 60, 3  # characters of a file's name that are shown, and files that are named
SHOWN = 200  # characters of what was read that are shown


def read_mail(
    raw: bytes,
    *,
    ours: Collection[str] = (),
    authserv: str = "",
    check_dkim: bool = False,
    game_keys: Collection[str] = (),
    conditions: Collection[str] = (),
    limits: Limits = USUAL,
) -> MailReading:
    """What that mail says. Whatever the bytes, there is an answer.

    `ours` are our own addresses, without what may stand behind a +; `authserv` is the name under which our own mail
    server writes Authentication-Results, "" where it writes none; `game_keys` and `conditions` are as for `read_form`.
    """
    headers, tree = _taken_apart(raw, limits)
    size = max(len(raw) - tree.pictures, _cut(headers))
    if size > limits.mail_bytes:
        headers, tree = _taken_apart(raw[: limits.mail_bytes], limits)
    told = _told(headers, ours)
    from_us = any(addresses.is_one_of(address, ours) for address in (told.sender, *headers.all("x-loop")))
    automatic = why_automatic(headers, tree.types, told.sender, told.subject, from_us, limits)
    if automatic and automatic not in SUSPECTED:
        return replace(told, automatic=automatic, bounce=bounce_of(tree.leaves, headers, limits))
    told = replace(told, evidence=_evidence(raw, headers, authserv, check_dkim))
    read = _read(told, tree.leaves, finding.Settings(game_keys, conditions, limits))
    unopened = [visible(part.name, NAME) for part in tree.leaves if part.is_closed]
    read = replace(read, automatic=read.automatic or automatic, unopened=tuple(unopened[:NAMED]))
    trouble = _too_much(size, headers, limits) or tree.trouble
    if not (read.blocks or read.command or read.automatic):
        trouble = trouble or tree.buried
    return replace(read, trouble=trouble, command=None) if trouble else read


def _taken_apart(raw: bytes, limits: Limits) -> tuple[Headers, Tree]:
    """The head of a mail, and its parts."""
    headers, body = split(raw, limits)
    if not is_mail(headers):
        headers, body = Headers(), raw
    return headers, walk(headers, body, limits)


def _cut(headers: Headers) -> int:
    """The bytes of the whole mail, where no more than its beginning was taken; else 0. Whoever writes that line himself
    says that his mail is too large."""
    said = headers.get(CUT.lower())
    return int(said) if said.isascii() and said.isdigit() and len(said) <= DIGITS else 0


def _told(headers: Headers, ours: Collection[str]) -> MailReading:
    """What the head of a mail tells."""
    return MailReading(
        message_id=addresses.own_id(headers),
        tags=addresses.tags_of(headers, ours),
        sender=addresses.sender_of(headers),
        subject=spoken(headers.get("subject")),
        references=addresses.thread_of(headers),
    )


def _evidence(raw: bytes, headers: Headers, authserv: str, check_dkim: bool) -> Evidence:
    found = evidence.from_server(raw, headers, authserv)
    return replace(found, own=evidence.own_dkim(raw, headers)) if check_dkim else found


def _too_much(size: int, headers: Headers, limits: Limits) -> Refusal | None:
    """The mail, without its pictures, is larger than what is read of any."""
    if size > limits.mail_bytes:
        sentence = "The mail has {size} bytes; at most {most} are read. Send your orders as plain text."
        return Refusal("", "mail_size", sentence, {"size": size, "most": limits.mail_bytes})
    if headers.size > limits.header_block:
        sentence = "The head of the mail has {size} bytes; at most {most} are read."
        return Refusal("", "header_block", sentence, {"size": headers.size, "most": limits.header_block})
    if len(headers.rows) > limits.headers:
        sentence = "The mail has more than {most} header lines; so many are read."
        return Refusal("", "headers", sentence, {"most": limits.headers})
    return None


def _read(told: MailReading, leaves: Sequence[Part], settings: finding.Settings) -> MailReading:
    """The form in the mail, or its command, or why there is none. HTML speaks where the text is mute."""
    bodies = Bodies(leaves, told.subject)
    lines, is_html = bodies.plain, False
    search = finding.search(leaves, lines, is_html, told.subject, settings)
    if not search.is_in_words and bodies.has_html and not commands.from_text(lines.new, settings.limits):
        lines, is_html = bodies.html, True
        search = finding.search(leaves, lines, is_html, told.subject, settings)
    if search.is_new:
        first = search.blocks[0]
        command = _asked(told, lines, settings.limits) if first.found == ATTACHMENT else None
        return replace(told, blocks=search.blocks, command=command, trouble=search.trouble, shown=_shown(first.text))
    return _without_a_new_form(told, lines, search, settings.limits)


def _asked(told: MailReading, lines: Lines, limits: Limits) -> Command | None:
    """The command beside a file, which is meant where the file is ours, and was sent along."""
    return commands.from_text(lines.new, limits) or commands.from_subject(told.subject, limits)


def _without_a_new_form(told: MailReading, lines: Lines, search: finding.Search, limits: Limits) -> MailReading:
    new = lines.new
    shown = _shown("\n".join(new)) or _shown(search.blocks[0].text if search.blocks else "")
    if command := commands.from_text(new, limits):
        return replace(told, blocks=search.blocks, command=command, commanded=True, shown=shown)
    if says_away("\n".join(new)):
        return replace(told, automatic="out-of-office", blocks=search.blocks, shown=shown)
    by_subject = commands.from_subject(told.subject, limits)
    trouble = None if by_subject else search.trouble
    return replace(told, blocks=search.blocks, command=by_subject, trouble=trouble, shown=shown)


def _shown(text: str) -> str:
    return visible(" ".join(text.split()), SHOWN)
