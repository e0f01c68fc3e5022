"""Finding: of all the forms that stand in a mail the one that counts, or why none does.

New ones go before quoted ones, and of these the ones that were quoted least often. Two that are new must say the same.
Below a file the quoted ones are kept, as the file may be our own, which the mail program has sent along.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from engine.refusal import Refusal
from pbem.intake.characters import laid_out
from pbem.intake.fields import read_form
from pbem.intake.limits import Limits
from pbem.intake.mail import html_text
from pbem.intake.mail.forms import Found, forms, known_key
from pbem.intake.mail.parts import Part
from pbem.intake.mail.phrases import FORWARDS
from pbem.intake.mail.quoting import Lines, lines_of
from pbem.intake.mail.reading import ATTACHMENT, BLOCK, FENCE, HTML, TWO_FORMS, Block
from pbem.intake.mail.transfer import UNKNOWN

MOST_NEW = 4  # forms that are read where several that differ are new, two files among them at most
MOST_QUOTED = 5  # forms that were quoted back, as from a digest


@dataclass(frozen=True, slots=True)
class Settings:
    """What the forms are read by."""

    game_keys: Collection[str]
    conditions: Collection[str]
    limits: Limits


@dataclass(frozen=True, slots=True)
class Place:
    """A form, and in which part of the mail it stood."""

    form: Found
    found: str
    whole: bool = False  # in a file that was not cut short, so that it needs no end line

    @property
    def spoken(self) -> str:
        return "the attachment" if self.found == ATTACHMENT else f"line {self.form.line}"


@dataclass(frozen=True, slots=True)
class Search:
    """What was found."""

    blocks: tuple[Block, ...] = ()
    trouble: Refusal | None = None

    @property
    def is_new(self) -> bool:
        return bool(self.blocks) and not self.blocks[0].quoted

    @property
    def is_in_words(self) -> bool:
        """Whether there is a form in the text, and not in a file alone."""
        return any(block.found != ATTACHMENT for block in self.blocks)


def search(leaves: Sequence[Part], lines: Lines, html: bool, subject: str, settings: Settings) -> Search:
    """The forms that count in the attachments and in the lines of the text."""
    attached, trouble = _attached(leaves, subject, settings)
    if trouble:
        return Search(tuple(_block(place, settings) for place in attached[:1]), trouble)
    written = [
        Place(form, FENCE if form.fenced else HTML if html else BLOCK) for form in forms(lines, settings.game_keys)
    ]
    places = [*attached, *written]
    own = [place for place in places if not place.form.forwarded]
    new = [place for place in own if not place.form.depth]
    quoted = [place for place in own if place.form.depth]
    if new:
        found = _new(new, settings)
        more = _quoted(quoted, settings) if not found.is_in_words and found.trouble is None else ()
        return Search((*found.blocks, *more), found.trouble)
    if blocks := _quoted(quoted, settings):
        return Search(blocks)
    if len(own) < len(places):
        return Search((_block(next(place for place in places if place.form.forwarded), settings),), _only_forwarded())
    if any(part.is_piece for part in leaves):
        return Search((), _only_a_piece())
    return Search((), _sealed()) if any(part.is_sealed for part in leaves) else Search()


def _new(places: list[Place], settings: Settings) -> Search:
    """The one new form; where several stand here that are not the same, the first two are named."""
    by_words: dict[str, Place] = {}
    for place in places:
        by_words.setdefault(place.form.words, place)
    first, *others = list(by_words.values())[:MOST_NEW]
    blocks = tuple(_block(place, settings) for place in (first, *others))
    if not others:
        return Search(blocks, _unknown_letters(first))
    sentence = (
        "Two different order forms stand in this mail, in {first} and in {second}. Send only the one that counts."
    )
    facts = {"first": first.spoken, "second": others[0].spoken}
    return Search(blocks, Refusal("", TWO_FORMS, sentence, facts))


def _quoted(places: list[Place], settings: Settings) -> tuple[Block, ...]:
    """The forms quoted least often that bring their key along.

    Without a key anybody may have written them: the press of another seat stands in what is quoted, too.
    """
    if not places:
        return ()
    least = min(place.form.depth for place in places)
    places = [place for place in places if place.form.has_key]
    by_words = {place.form.words: place for place in places if place.form.depth == least}
    return tuple(_block(place, settings) for place in list(by_words.values())[:MOST_QUOTED])


def _block(place: Place, settings: Settings) -> Block:
    text = place.form.text
    reading = read_form(
        text.encode("utf-8", "replace"),
        body=not place.whole,
        game_keys=settings.game_keys,
        conditions=settings.conditions,
        limits=settings.limits,
    )
    return Block(place.found, place.form.depth, text, reading, place.form.framed, place.whole)


def _unknown_letters(place: Place) -> Refusal | None:
    if UNKNOWN not in place.form.text:
        return None
    sentence = (
        "The mail is written in a character set that is not known here. Send your orders as UTF-8 or plain ASCII."
    )
    return Refusal("", "charset", sentence)


def _only_forwarded() -> Refusal:
    sentence = "The only order form in this mail stands in a message that was forwarded. Send it in a mail of your own."
    return Refusal("", "forwarded", sentence)


def _only_a_piece() -> Refusal:
    sentence = "This mail is but a piece of a message, or says where one lies. Send your orders as plain text."
    return Refusal("", "piece", sentence)


def _sealed() -> Refusal:
    sentence = (
        "This mail is encrypted, or packed as only some programs can open it (S/MIME, PGP, winmail.dat)."
        " Send your orders as plain text."
    )
    return Refusal("", "sealed", sentence)


# --- attachments ------------------------------------------------------------------------------------------------------


def _attached(leaves: Sequence[Part], subject: str, settings: Settings) -> tuple[list[Place], Refusal | None]:
    """The forms in files. Their names and types say nothing: what is in them does."""
    found: list[Place] = []
    for part in leaves:
        if part.is_body or not part.is_text:
            continue
        place = _in_file(part, subject, settings)
        if place is None:
            continue
        if len(found) < settings.limits.attachments:
            found.append(place)
        elif place.form.words not in {one.form.words for one in found}:
            sentence = "More than {most} files with orders are attached. Send one."
            return found, Refusal("", "attachments", sentence, {"most": settings.limits.attachments})
    forwarded = [place for part in leaves if part.forwarded and (place := _in_message(part, settings))]
    return [*found, *forwarded], None


def _in_file(part: Part, subject: str, settings: Settings) -> Place | None:
    """The form in a file: all of it where it begins with a key, else what looks like one in its text."""
    if part.forwarded:
        return None
    text = part.text
    if text.lstrip()[:1] in ("{", "["):
        return None
    if is_page := text.lstrip()[:1] == "<":  # saved by a word processor, or by a browser
        text = laid_out(html_text.text_of(text))
    depth = 1 if FORWARDS.match(subject) else 0  # programs send the files of a forwarded mail along
    first = next((line for line in text.split("\n") if line.strip() and not line.startswith(("#", "---"))), "")
    if known_key(settings.game_keys).match(first) and not is_page:
        return Place(Found(1, depth, text, False, False), ATTACHMENT, part.whole)
    inside = forms(lines_of(text), settings.game_keys)
    new = next((form for form in inside if not form.depth), None)
    return None if new is None else Place(Found(new.line, depth, new.text, new.fenced, False), ATTACHMENT)


def _in_message(part: Part, settings: Settings) -> Place | None:
    """A form in a message inside the message: that it is there is all that matters."""
    if not part.is_text:
        return None
    inside = forms(lines_of(part.text), settings.game_keys)
    return Place(Found(1, 0, inside[0].text, False, True), ATTACHMENT) if inside else None
