"""What programs do to lines: flowed, broken and quoted ones; and whether a form that came back was filled in."""

from __future__ import annotations

import pytest

from pbem.intake.fields import read_form
from pbem.intake.mail.flowed import unflowed
from pbem.intake.mail.offered import file_lines, unchanged
from pbem.intake.mail.quoting import lines_of
from pbem.intake.mail.reading import Block
from pbem.intake.mail.walk import read_mail
from tests.pbem.intake.mail import corpus
from tests.pbem.intake.mail.corpus import HEAD, NEW, OURS, plain


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("a \nb", "a b"),
        ("  a", " a"),
        ("> a \n> b", "> a b"),
        ("> a \nb", "> a \nb"),
        ("a \n-- \nAnna", "a \n-- \nAnna"),
        (" - plan HU and \nso on", "- plan HU and so on"),
        ("orders: \n  - a", "orders: \n - a"),
        ("turn: 2 \nkey: x", "turn: 2 \nkey: x"),
        ("say: a long \nline", "say: a long line"),
    ],
)
def test_flowed_lines_are_joined(text: str, joined: str) -> None:
    assert unflowed(text, delsp=False) == joined


def test_a_blank_that_is_no_letter_goes() -> None:
    assert unflowed("dragon \nfly", delsp=True) == "dragonfly"


LONG = "plan HU development 2 fortification 3 and then march with everything that there is to the north"


@pytest.mark.parametrize("wide", [60, 66, 72, 76])
def test_an_order_that_a_program_broke_is_one_order(wide: int) -> None:
    cut = LONG.rindex(" ", 0, wide - 4)
    form = f"{HEAD}orders:\n  - {LONG[:cut]}\n{LONG[cut + 1 :]}\n  - c1\nend: orders"
    reading = read_mail(plain(form)).reading
    assert reading is not None
    assert reading.problems == ()
    assert reading.form is not None
    assert reading.form.orders == (LONG, "c1")


def test_a_short_line_is_not_the_rest_of_another() -> None:
    reading = read_mail(plain(f"{HEAD}orders:\n  - c1\nand more\nend: orders")).reading
    assert reading is not None
    assert [problem.mark.line for problem in reading.problems if problem.mark] == [7]


def test_lines_typed_between_quoted_ones_are_read_with_them() -> None:
    marked = "\n".join(f"> {line}" for line in NEW.split("\n"))
    mail = read_mail(plain(marked.replace("> " + "  - a2", "  - c5")), ours=OURS)
    assert mail.quoted
    assert mail.reading is not None
    assert mail.reading.form is not None
    assert mail.reading.form.orders == ("c1", "c5")


@pytest.mark.parametrize(
    ("text", "depths"),
    [
        ("a\n> b\n>> c\n> > d\n>e", (0, 1, 2, 2, 1)),
        ("a\nAB> b", (0, 1)),
        ("a\nOn 1/1/26, Bo wrote:\n> b\nc", (0, 0, 1, 0)),
        ("a\nOn 1/1/26, Bo wrote:\n\nb\nc", (0, 1, 1, 1, 1)),
        ("a\nLe 1/1/26,\nBo <b@x>\na \u00e9crit :\n\nb", (0, 0, 0, 1, 1, 1)),
        ("a\nFrom: b\nSent: c\nTo: d\nSubject: e\n\nf", (0, 1, 1, 1, 1, 1, 1)),
        ("a\n*Von:* b\n*Gesendet:* c\n*An:* d\n*Betreff:* e\n\nf", (0, 1, 1, 1, 1, 1, 1)),
        ("a\n-----Messaggio originale-----\nDa: b\nA: c\nOggetto: d\ne", (0, 1, 1, 1, 1, 1)),
        ("to: a\nfrom: b\ncount: c", (0, 0, 0)),
        ("from: a\nmind: b\nto: c\nsubject: d", (0, 0, 0, 0)),  # the fields of a head stand together
        # where what follows is marked, the line above it is no head: the marks say how deep it is
        ("a\n-----Original Message-----\n> b", (0, 0, 1)),
        ("a\n-----Original Message-----\nFrom: b\n\n> c\nd", (0, 0, 0, 0, 1, 0)),
        ("He wrote:\nb", (0, 0)),
    ],
)
def test_how_deep_lines_are_quoted(text: str, depths: tuple[int, ...]) -> None:
    assert lines_of(text).depths == depths


LONG_WORD = "x" * 59


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("a\nb", ["a", "b"]),
        ("a\n\n> q\nc", ["a", ""]),
        ("\n> q\n\nc\n> q\nd", ["", "", "c"]),  # below the first quotation, up to the next
        ("> q\n\n> q\nc", ["", "c"]),  # a blank line begins nothing
        # who wrote what follows is announced on one line, or on several
        ("a\nOn 1/1/26, Bo wrote:\n> b", ["a"]),
        ("a\nOn 1/1/26, Bo <b@x>\nwrote:\n> b", ["a"]),
        ("a\nOn 1/1/26,\nBo <b@x>\nwrote:\n> b", ["a"]),
        ("a\nwe say\nBo <b@x>\nwrote:\n> b", ["a", "we say", "Bo <b@x>"]),
        (f"a\n{'y' * 384} Bo <b@x> wrote:\n> b", ["a"]),  # 400 letters
        (f"a\n{'y' * 385} Bo <b@x> wrote:\n> b", ["a", f"{'y' * 385} Bo <b@x> wrote:"]),
        (f"a\nOn 1/1/26 {'y' * 383} wrote:\n\nb", ["a"]),
        (f"a\nOn 1/1/26 {'y' * 384} wrote:\n\nb", ["a", f"On 1/1/26 {'y' * 384} wrote:", "", "b"]),
        # the rest of a quoted line that a program broke is none of it
        (f"a\n> {LONG_WORD}\nrest\nc", ["a"]),
        (f"> {LONG_WORD}\nrest\n\nc", ["", "c"]),
        ("> q\nmine\nc", ["mine", "c"]),
        # a form from below the head of a mail
        ("a\nFrom: b\nSent: c\nTo: d\nSubject: e\n\nf", ["a"]),
        ("-------- Forwarded Message --------\nFrom: b\nSubject: c\nDate: d\n\nf", []),
    ],
)
def test_the_new_lines_of_a_mail(text: str, new: list[str]) -> None:
    assert lines_of(text).new == new


ORIGINAL = "-----Original Message-----"
WROTE = "On 1/1/26, Bo wrote:"


@pytest.mark.parametrize(
    ("text", "depth"),
    [
        # what follows a head is looked at so far down for marks
        (f"{ORIGINAL}\n{chr(10) * 12}> b", 1),
        (f"{ORIGINAL}\n{chr(10) * 13}> b", 2),
        (f"{WROTE}\n{chr(10) * 4}> b", 1),
        (f"{WROTE}\n{chr(10) * 5}> b", 2),
        # a head ends with the first line that is none of it, and then the next may begin
        (f"{ORIGINAL}\nhello\n{ORIGINAL}\nb", 2),
        (f"{ORIGINAL}\n  c\nFrom: b\nTo: c\nSubject: d\n\nb", 1),
        # who wrote stands on that line or on the two above it
        (f"On 1/1/26 {'y' * 383} wrote:\n\nb", 1),  # 400 letters
        (f"On 1/1/26 {'y' * 384} wrote:\n\nb", 0),
        (f"{WROTE}\n\nb", 1),
        ("Bo <b@x>\nof old\nwrote:\n\nb", 1),
        ("Bo <b@x>\n\n\nwrote:\n\nb", 0),
        ("he wrote:\nb@x\nb", 0),
        # three fields of a head: a sender and a subject or date among them, none of them far away
        ("From: b\nTo: c\nSubject: d\n\nb", 1),
        ("From: b\nSubject: d\n\nb", 0),
        ("To: b\nCc: c\nSubject: d\n\nb", 0),
        ("From: b\nTo: c\nCc: d\n\nb", 0),
        (f"From: b\nTo: c\n{chr(10) * 9}Subject: d\n\nb", 1),
        (f"From: b\nTo: c\n{chr(10) * 10}Subject: d\n\nb", 0),
        ("From: b\n  mind: this\nTo: c\nSubject: d\n\nb", 1),
        (f"From: b\n{'x' * 19}: c\nTo: c\nSubject: d\n\nb", 0),  # a line of another kind
        (f"From: b\n{'x' * 20}: c\nTo: c\nSubject: d\n\nb", 1),  # a line that only has a colon in it
    ],
)
def test_how_deep_what_stands_below_a_head_is_quoted(text: str, depth: int) -> None:
    assert lines_of(text).depths[-1] == depth


@pytest.mark.parametrize(
    ("text", "new"),
    [
        (f"{LONG_WORD}\nrest", [LONG_WORD, "rest"]),  # both were written anew
        (f"> {'x' * 52}\nrest of it", ["rest of it"]),  # it would have fitted above
        (f"> {'x' * 53}\nrest of it", []),
        (f"> {LONG_WORD}\n\nmore", ["", "more"]),
        ("a\nOn 1/1/26,\nBo\nand Cy\nwrote:\n> b", ["a", "On 1/1/26,", "Bo", "and Cy"]),
        ("a\nFrom: b\nSent: c\nTo: d\nSubject: e\n\n> f", ["a"]),
    ],
)
def test_a_line_is_new_unless_it_was_broken_off_or_announces(text: str, new: list[str]) -> None:
    assert lines_of(text).new == new


FORWARDED = "---------- Forwarded message ---------"
FIELDS = "From: b\nTo: c\nSubject: d"


@pytest.mark.parametrize(
    ("text", "subject", "forwarded"),
    [
        (f"a\n{FORWARDED}\nb", "", (False, True, True)),
        (f"> {FORWARDED}\n> b\nc", "", (True, False, False)),
        ("a\n> b", "", (False, False)),
        (f"a\n{FIELDS}", " Fwd: x", (False, True, True, True)),
        (f"a\n{FIELDS}", "Re: x", (False,) * 4),
        (f"a\n{ORIGINAL}\nb", "Fwd: x", (False, True, True)),  # the subject says that it is a forward
        (f"a\n{WROTE}\n\nb", "Fwd: x", (False,) * 4),
    ],
)
def test_which_lines_were_forwarded(text: str, subject: str, forwarded: tuple[bool, ...]) -> None:
    assert lines_of(text, subject).forwarded == forwarded


def test_a_line_at_the_top_is_the_rest_of_nothing() -> None:
    lines = lines_of(f"> {LONG_WORD}\nrest")
    assert [lines.is_tail(number) for number in (0, 1)] == [False, True]
    assert lines_of(f"mine\n> {LONG_WORD}").new == ["mine"], "nor of what stands at the end"


def test_what_was_written_is_shown_on_one_line() -> None:
    mail = read_mail(plain("Hello  there,\n\nwell met.\n> quoted"), ours=OURS)
    assert mail.shown == "Hello there, well met."
    for letters, shown in ((200, "x" * 200), (201, "x" * 199 + "\u2026")):
        assert read_mail(plain("x" * letters), ours=OURS).shown == shown


# --- what was offered -------------------------------------------------------------------------------------------------


def block(text: str) -> Block:
    return Block("block", 1, text, read_form(text.encode()))


OFFERED = corpus.offered(corpus.our_report())
FORM = read_form(OFFERED.encode()).form


def test_the_lines_of_a_file_are_what_no_carrier_changes() -> None:
    """Its comments count: what was written there is not what was offered."""
    assert file_lines("game: g\r\n\r\n  - a1  # I\n\n\t") == ["game: g", "- a1  # I"]
    assert file_lines("") == []


@pytest.mark.parametrize(
    "bent",
    [
        OFFERED,
        OFFERED.replace("  - ", "- "),
        OFFERED.replace("\n", "\n\n"),
        OFFERED.replace("seat: 2", "seat: '2'"),
        OFFERED.replace("K7Q2-9FXM", "K7Q2\u20119FXM"),
        OFFERED.replace(" ", "\u00a0"),
        OFFERED.replace("orders:\n  - a1", "orders: a1"),
        OFFERED.replace("orders:\n", "orders:\n  # I do not know yet\n"),
        "\n".join(line for line in OFFERED.split("\n") if not line.startswith("#")),
        OFFERED.removesuffix("end: orders"),
    ],
)
def test_our_form_comes_back_as_it_was(bent: str) -> None:
    assert unchanged(block(bent), OFFERED, FORM)


@pytest.mark.parametrize(
    "filled",
    [
        OFFERED.replace("  - a1", "  - c3"),
        OFFERED.replace("  - a1", "  - a1\n  - c3"),
        OFFERED.replace("orders:\n  - a1", "orders: []"),
        OFFERED.replace("orders:", "draft: true\norders:"),
        OFFERED.replace("end: orders", "say: Hello\nend: orders"),
        OFFERED.replace("end: orders", "nonce: mine\nend: orders"),
        OFFERED.replace("turn: 2", "turn: 3"),
        OFFERED.replace("end: orders", "absent: 2026-12-31\nend: orders"),
    ],
)
def test_our_form_was_filled_in(filled: str) -> None:
    assert not unchanged(block(filled), OFFERED, FORM)


def test_a_form_that_cannot_be_read_is_compared_by_its_letters() -> None:
    broken = OFFERED.replace("  - a1", "  - 'a1")
    assert not unchanged(block(broken), OFFERED, FORM)
    assert unchanged(block(broken), broken, None)
