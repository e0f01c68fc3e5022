"""Bodies: the text that a mail shows first, from its plain part or, where that says nothing, from its HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from pbem.intake.characters import laid_out
from pbem.intake.mail import html_text
from pbem.intake.mail.flowed import unflowed
from pbem.intake.mail.parts import HTML, Part
from pbem.intake.mail.quoting import Lines, lines_of


@dataclass(frozen=True)
class Bodies:
    """The parts of a mail that are its text."""

    leaves: Sequence[Part]
    subject: str

    @cached_property
    def plain(self) -> Lines:
        """The lines of all plain parts, one after the other: some programs cut the text where a picture stood."""
        parts = [part for part in self.leaves if part.is_body and part.type.word != HTML and part.is_text]
        return lines_of("\n".join(map(_plain, parts)), self.subject)

    @cached_property
    def html(self) -> Lines:
        parts = [part for part in self.leaves if part.is_body and part.type.word == HTML]
        return lines_of(laid_out("\n".join(html_text.text_of(part.text) for part in parts)), self.subject)

    @cached_property
    def has_html(self) -> bool:
        return any(part.is_body and part.type.word == HTML for part in self.leaves)


def _plain(part: Part) -> str:
    parameters = part.type.parameters
    if parameters.get("format", "").lower() == "flowed":
        return unflowed(part.text, parameters.get("delsp", "").lower() == "yes")
    return part.text
