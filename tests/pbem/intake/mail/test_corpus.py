"""The corpus is read as it says, group by group; and a reader without the thing that a group asks for fails it.

G29: an old, quoted or replayed order is never taken for a new one. Our own letters stand in these mails as fourteen
mail programs quote them, in five languages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from engine.entries import plain
from pbem.intake.fields import read_form
from pbem.intake.mail import commands, finding, forms, html_text, parts, quoting, transfer, walk
from pbem.intake.mail.offered import unchanged
from pbem.intake.mail.reading import MailReading
from pbem.intake.mail.walk import read_mail
from pbem.intake.reading import BoundedReader
from tests.faults.figures import counted, told
from tests.pbem.intake.mail import corpus
from tests.pbem.intake.mail.corpus import AUTOMATIC, CHANGED, COMMAND, EVERY, FORM, GROUPS, NOTHING, OURS, SAME, Case


def orders(mail: MailReading) -> tuple[str, ...]:
    form = mail.reading.form if mail.reading is not None else None
    return () if form is None else tuple(str(plain(order)) for order in form.orders or ())


def is_offered(mail: MailReading) -> bool:
    """Whether all that stands in it is a form that one of our letters offered, or what the player sent before."""
    return all(any(unchanged(block, text, read_form(text.encode()).form) for text in known()) for block in mail.blocks)


def known() -> tuple[str, ...]:
    return corpus.offered(corpus.our_report()), corpus.offered(corpus.our_receipt()), corpus.OLD


def as_said(case: Case, mail: MailReading) -> bool:
    """Whether the mail was read as the corpus says."""
    if case.says == AUTOMATIC:
        return bool(mail.automatic) and is_offered(mail) and mail.command is None
    if mail.automatic or mail.trouble is not None:
        return False
    if case.says == COMMAND:
        command = mail.command
        return command is not None and (command.word, command.argument, command.to) == (
            case.word,
            case.argument,
            case.to,
        )
    if mail.command is not None:
        return False
    match case.says:
        case corpus.NOTHING:
            return not mail.blocks
        case corpus.SAME:
            return mail.quoted and is_offered(mail)
        case corpus.CHANGED:
            return mail.quoted and not is_offered(mail) and _is_read(case, mail)
    return mail.blocks != () and not mail.quoted and _is_read(case, mail)


def _is_read(case: Case, mail: MailReading) -> bool:
    assert mail.reading is not None
    found = case.found in ("", mail.found)
    return found and len(mail.blocks) == 1 and not mail.reading.problems and orders(mail) == case.orders


def read(case: Case) -> MailReading:
    return read_mail(case.make(), ours=OURS)


def test_the_corpus_is_large_enough() -> None:
    """300 mails, 150 of them with an old form in them; twelve programs; and each has its own name."""
    assert len(EVERY) >= 300
    assert len({case.id for case in EVERY}) == len(EVERY)
    assert len(corpus.PROGRAMS) >= 12
    assert len(OLD_FORMS) >= 150
    told(f"{len(corpus.PROGRAMS)} mail programs, {len(corpus.LANGUAGES)} languages")


OLD_FORMS = {case.id for name in ("on top", "only words", "old orders", "in place", "pages") for case in GROUPS[name]}


@pytest.mark.parametrize("case", EVERY, ids=lambda case: case.id)
def test_a_mail_is_read_as_it_says(case: Case) -> None:  # G29; I07 is the group "on top"
    mail = read(case)
    assert as_said(case, mail), (mail.found, orders(mail), mail.command, mail.automatic, mail.trouble)
    if case.says in (FORM, CHANGED, SAME):
        assert MailReading.from_json(mail.to_json()) == mail
    counted(1, "mails read")
    counted(case.id in OLD_FORMS, "of them with an old form in them")
    counted(not as_said(case, mail), "read wrongly")


@pytest.fixture(scope="module")
def reader() -> Iterator[BoundedReader]:
    with BoundedReader() as reader:
        yield reader


@pytest.mark.parametrize("group", GROUPS)
def test_the_child_reads_as_we_do(group: str, reader: BoundedReader) -> None:
    for case in GROUPS[group]:
        assert reader.read_mail(case.make(), ours=OURS) == read(case), case.id


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r\r\n"])
def test_any_line_end_will_do(end: bytes) -> None:
    for case in EVERY[:: len(EVERY) // 60]:
        mail = read_mail(case.make().replace(b"\r\n", end), ours=OURS)
        assert as_said(case, mail), case.id


def test_what_quotes_our_letter_without_its_key_is_no_form() -> None:
    """The press of another seat is quoted, too, and he cannot know the key."""
    for case in GROUPS["in place"]:
        raw = case.make().replace(corpus.KEY.encode(), b"")
        mail = read_mail(raw, ours=OURS)
        assert mail.found != "quoted" or b"base64" in raw, case.id


# --- weakened builds --------------------------------------------------------------------------------------------------


def _fresh(lines: quoting.Lines) -> quoting.Lines:
    """Nothing is quoted."""
    return replace(lines, depths=(0,) * len(lines.depths))


def _only_marks(text: str, subject: str = "") -> quoting.Lines:
    """Only what bears a mark is quoted."""
    marks = [quoting.MARK.match(line) for line in text.split("\n")]
    lines = quoting.lines_of(text, subject)
    return replace(lines, depths=tuple(mark[0].count(">") if mark else 0 for mark in marks))


def _without_quotations(patch: pytest.MonkeyPatch) -> None:
    usual = quoting.lines_of
    patch.setattr("pbem.intake.mail.bodies.lines_of", lambda text, subject="": _fresh(usual(text, subject)))
    _without_our_letters_end(patch)


def _without_unmarked_quotations(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("pbem.intake.mail.bodies.lines_of", _only_marks)
    patch.setattr(forms._Finder, "is_ours", lambda finder, span: False)


def _without_our_letters_end(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(forms._Finder, "is_ours", lambda finder, span: False)


def _without_quoted_forms(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(finding, "_quoted", lambda places, settings: ())


def _without_tidying(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(forms, "_straight", lambda line: line)


def _without_layout(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("pbem.intake.mail.bodies.laid_out", str)


def _in_utf8_only(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(transfer, "_decoded", lambda data, charset: data.decode("utf-8", "replace"))
    patch.setattr(transfer, "undone", lambda data, encoding: data)
    patch.setattr(parts, "undone", lambda data, encoding: data)


def _without_files(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(finding, "_attached", lambda leaves, subject, settings: ([], None))


def _without_pages(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(html_text, "text_of", lambda html: html)


def _in_english_only(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(commands, "COMMAND_OF", {word: word for word in commands.WORDS})


def _with_the_first_word(patch: pytest.MonkeyPatch) -> None:
    def command(line: str, below: list[str], limits: object) -> walk.commands.Command | None:
        word = commands.COMMAND_OF.get(line.strip().partition(" ")[0].lower())
        return walk.commands.Command(word) if word else None

    patch.setattr(commands, "_command", command)


def _without_robots_subjects(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("pbem.intake.mail.walk.says_away", lambda text: False)


WEAKENED: tuple[tuple[str, Callable[[pytest.MonkeyPatch], None], str], ...] = (
    ("on top", _without_quotations, "nothing is quoted: two forms stand there"),
    ("on top", _without_unmarked_quotations, "Outlook's quotation is new"),
    ("below", _without_quotations, "nothing is quoted"),
    ("below", _without_our_letters_end, "what stands below our letter is part of it"),
    ("in place", _without_quoted_forms, "what is quoted is never read"),
    ("only words", _without_quotations, "our own form is a new order"),
    ("only words", _without_unmarked_quotations, "our own form is a new order where no mark stands before it"),
    ("old orders", _without_quotations, "yesterday's order is a new one"),
    ("old orders", _without_unmarked_quotations, "yesterday's order is a new one below Outlook's block of fields"),
    ("pages", _without_pages, "tags are text"),
    ("bent", _without_layout, "the blanks of HTML stay"),
    ("bent", _without_tidying, "lists stay as programs make them"),
    ("charsets", _in_utf8_only, "one character set and no encoding"),
    ("files", _without_files, "files are not looked at"),
    ("commands", _in_english_only, "commands are English"),
    ("no commands", _with_the_first_word, "the first word decides"),
    ("robots", _without_robots_subjects, "robots that only speak are persons"),
)


@pytest.mark.parametrize(("group", "weaken", "how"), WEAKENED, ids=[f"{row[0]}: {row[2]}" for row in WEAKENED])
def test_g29_a_weakened_reader_fails_its_group(
    group: str, weaken: Callable[[pytest.MonkeyPatch], None], how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    weaken(monkeypatch)
    assert not all(as_said(case, read(case)) for case in GROUPS[group]), how


def test_every_group_has_a_weakened_build() -> None:
    assert {row[0] for row in WEAKENED} == set(GROUPS)
    assert NOTHING in {case.says for case in EVERY}
