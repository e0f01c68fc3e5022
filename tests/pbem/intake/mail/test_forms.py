"""Forms in the lines of a text: where each begins and ends, with and without fences, ends, and the line `game:`."""

from __future__ import annotations

import base64

import pytest

from pbem.intake.mail.forms import Found, _is_tail, forms
from pbem.intake.mail.headers import Headers, Valued
from pbem.intake.mail.parts import Part
from pbem.intake.mail.quoting import lines_of
from pbem.intake.mail.reading import Block, MailReading
from pbem.intake.mail.walk import read_mail
from tests.pbem.intake.mail.corpus import BY_NAME, NEW, OURS
from tests.pbem.intake.mail.programs import Original, attachment, encoded, multipart
from tests.pbem.intake.mail.programs import headers as head

TOP = head("en", Original(""))
BODY = encoded(NEW + "\n", "text/plain; charset=utf-8", BY_NAME["mutt"])


def found(text: str) -> list[Found]:
    return forms(lines_of(text), ())


def texts(text: str) -> list[str]:
    return [form.text for form in found(text)]


HEADS = "game: jade\nseat: red\nturn: 2\nkey: K7Q2\n"
ORDERS = "orders:\n  - a1\n"
END = "end: orders\n"


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        (f"Hi,\n\n{HEADS}{ORDERS}{END}\nbye", [HEADS + ORDERS + END]),
        # two of them, one behind the other
        (f"{HEADS}{ORDERS}{END}{HEADS}{ORDERS}{END}", [HEADS + ORDERS + END] * 2),
        # the line `game:` need not be the first
        (f"key: K7Q2\nseat: red\ngame: jade\n{ORDERS}{END}", [f"key: K7Q2\nseat: red\ngame: jade\n{ORDERS}{END}"]),
        (f"key: X\nkey: K7Q2\ngame: jade\n{ORDERS}{END}", [f"key: K7Q2\ngame: jade\n{ORDERS}{END}"]),
        (f"orders:\n  - a1\ngame: jade\nseat: red\n{END}", [f"orders:\n  - a1\ngame: jade\nseat: red\n{END}"]),
        (f"seat: red\nwell then\ngame: jade\n{ORDERS}{END}", [f"game: jade\n{ORDERS}{END}"]),
        # and may be missing, where there are orders and an end
        (f"seat: red\n{ORDERS}{END}", [f"seat: red\n{ORDERS}{END}"]),
        (f"seat: red\nkey: X\n{END}", []),
        (f"seat: red\n{ORDERS}> {END}", []),  # the end of another's form
        (f"mind: this\nseat: red\n{ORDERS}{END}", [f"seat: red\n{ORDERS}{END}"]),
        (f"seat: red\nhello there\n{ORDERS}{END}", [ORDERS + END]),
        (f"seat: red\n{ORDERS}", []),
        # without an end line it goes as far as keys, list entries and lines further in
        (f"{HEADS}{ORDERS}bye\n", [HEADS + ORDERS]),
        (f"{HEADS}{ORDERS}\n\nbye\n", [HEADS + ORDERS]),
        (f"{HEADS}{ORDERS}", [HEADS + ORDERS]),
        (f"{HEADS}\n{ORDERS}", [f"{HEADS}\n{ORDERS}"]),
        (f"{HEADS}{ORDERS}\n  - not this one\n", [HEADS + ORDERS]),
        (f"{HEADS}{ORDERS}\n  to: here\nbye", [f"{HEADS}{ORDERS}\n  to: here\n"]),
        (f"{HEADS}# a word\n{ORDERS}- b2\nbye", [f"{HEADS}# a word\n{ORDERS}- b2\n"]),
        (f"{HEADS}{ORDERS}{HEADS}{ORDERS}", [HEADS + ORDERS] * 2),
        (f"seat: red\nI think\n{ORDERS}{END}", [ORDERS + END]),
        (f"seat: red\nsay: |\n words\n{ORDERS}{END}", [f"seat: red\nsay: |\n words\n{ORDERS}{END}"]),
        (f"seat: red\n{END}seat: blue\n{ORDERS}{END}", [f"seat: blue\n{ORDERS}{END}"]),
        # what belongs to a form above, or was quoted, is none of it
        (f"{END}game: jade\n{ORDERS}{END}", [f"game: jade\n{ORDERS}{END}"]),
        (f"> seat: red\ngame: jade\n{ORDERS}{END}", [f"game: jade\n{ORDERS}{END}"]),
        (f"game: jade\nseat: red\ngame: opal\n{ORDERS}{END}", [f"game: opal\n{ORDERS}{END}"]),
        # a line further in is no other form
        (f"{HEADS}say: |\n game: over\n{ORDERS}{END}", [f"{HEADS}say: |\n game: over\n{ORDERS}{END}"]),
        (f"game:\n  jade\nseat: red\n{ORDERS}", [f"game:\n  jade\nseat: red\n{ORDERS}"]),
        (f"{HEADS}orders:\n-a1\nI think", [f"{HEADS}orders:\n-a1\n"]),
        (f"{HEADS}{ORDERS}bye\nsay: well\n", [HEADS + ORDERS]),
        (f"{HEADS}{ORDERS}> {END}", [HEADS + ORDERS]),
        # in a fence
        (f"=== orders ===\n{HEADS}{ORDERS}{END}=== end ===\nbye", [HEADS + ORDERS + END]),
        (f"=== orders ===\n{HEADS}{ORDERS}{END}bye\n=== end ===", [HEADS + ORDERS + END]),
        (f"```yaml\n{HEADS}{ORDERS}```\nbye", [HEADS + ORDERS]),
        (f"--- orders\n\n{HEADS}{ORDERS}", [f"{HEADS}{ORDERS}\n"]),
        (f"```yaml\nseat: red\n```yaml\n{HEADS}{ORDERS}```", ["seat: red\n", HEADS + ORDERS]),
        (f"```yaml\n```\n{HEADS}{ORDERS}{END}", [HEADS + ORDERS + END]),
        ("--- orders\n", []),
        # a mere head counts where there is nothing else
        ("game: jade\nseat: red\n", ["game: jade\nseat: red\n"]),
        (f"game: jade\nseat: red\n\nbye\n\n{HEADS}{ORDERS}{END}", [HEADS + ORDERS + END]),
        ("game: jade\n", []),
        ("key: K7Q2\ngame: jade\nseat: red", ["key: K7Q2\ngame: jade\nseat: red\n"]),
        # lists as programs type them for people
        (f"{HEADS}orders:\n\t\u2022 a1\n* b2\n-   c3\n  *  d4\n\u2013 e5\n{END}",
         [f"{HEADS}orders:\n  - a1\n- b2\n- c3\n  - d4\n- e5\n{END}"]),
        (f"{HEADS}orders:\n*  *a1*\n{END}", [f"{HEADS}orders:\n*  *a1*\n{END}"]),
        # the end line in its many shapes
        (f"{HEADS}{ORDERS}  End : 'orders'. # done\nbye", [f"{HEADS}{ORDERS}  end: orders\n"]),
        # further in, as a whole
        ("".join(f"   {line}\n" for line in (HEADS + ORDERS + END).splitlines()), [HEADS + ORDERS + END]),
    ],
)  # fmt: skip
def test_each_form_from_its_first_line_to_its_last(text: str, forms: list[str]) -> None:
    assert texts(text) == forms


def test_a_form_says_where_it_begins_and_whether_it_stood_in_a_fence() -> None:
    plain, fenced = found(f"Hi\n{HEADS}{ORDERS}{END}"), found(f"Hi\n\n```yaml\n{HEADS}{ORDERS}```")
    assert [(form.line, form.fenced, form.depth) for form in plain] == [(2, False, 0)]
    assert [form.fenced for form in found(f"seat: red\n{ORDERS}{END}")] == [False]
    assert [(form.line, form.fenced, form.depth) for form in fenced] == [(4, True, 0)]
    assert plain[0].has_key
    assert not found(f"game: jade\nseat: red\nkey:\n{ORDERS}{END}")[0].has_key


def test_two_forms_are_the_same_by_their_words() -> None:
    one, other = found(f"{HEADS}{ORDERS}{END}\n{HEADS}# why\norders:\n  -  A1\n{END}")
    assert one.words == other.words
    assert one.words != found(f"{HEADS}orders: [a2]\n{END}")[0].words


def test_a_deeper_quotation_ends_a_form() -> None:
    quoted = "".join(f"> {line}\n" for line in (HEADS + ORDERS + END).splitlines())
    above, below = found(f"{HEADS}{ORDERS}{quoted}")
    assert (above.depth, above.text) == (0, HEADS + ORDERS)
    assert (below.depth, below.text) == (1, HEADS + ORDERS + END)
    [only] = found(f"seat: red\norders:\n{quoted}")
    assert (only.depth, only.text) == (1, HEADS + ORDERS + END)


@pytest.mark.parametrize("beyond", [0, 1])
def test_a_line_is_the_rest_of_the_one_before_if_it_would_not_have_fitted_there(beyond: int) -> None:
    rest = "word"
    line = "  - " + "x" * (58 - 4 - 1 - len(rest) + beyond)
    [form] = found(f"{HEADS}orders:\n{line}\n{rest} and more\n{END}")
    joined = f"{line} {rest} and more\n" in form.text
    assert joined == bool(beyond)


def test_an_order_that_was_broken_ends_with_its_first_short_line() -> None:
    """What stands below that was not broken off, and is a line of its own."""
    line = "  - " + "x" * 60
    [form] = found(f"{HEADS}orders:\n{line}\nthe rest\nanother line\n{END}")
    assert f"{line} the rest\nanother line\n" in form.text
    rest = "y" * 58
    [form] = found(f"{HEADS}orders:\n{line}\n{rest}\nto its end\n{END}")
    assert f"{line} {rest} to its end\n" in form.text


@pytest.mark.parametrize(
    ("before", "width", "line", "tail"),
    [
        ("x", 40, "y" * 80, True),
        ("x", 39, "y" * 80, False),  # too short to have been broken
        ("x", 40, "y", False),
        ("x", 57, "y", True),
        ("x", 56, "y", False),
        ("x", 70, " " + "y" * 80, False),  # further in: a line of its own
        ("x", 70, "\t" + "y" * 80, False),
        ("x", 40, "y " * 40, False),  # its first word would have fitted
        ("x", 70, "- " + "y" * 80, False),
        ("x", 70, "say: " + "y" * 80, False),
        (" ", 70, "y" * 80, False),
        ("x", 70, "", False),
    ],
)
def test_what_can_be_the_rest_of_a_line(before: str, width: int, line: str, tail: bool) -> None:
    assert _is_tail(before, width, line) is tail


def test_our_own_letter_around_a_form_is_known_by_its_last_lines() -> None:
    head_of_ledger = f"\nThe head is {'0123456789abcdef' * 4}.\n"
    [form] = found(f"{HEADS}{ORDERS}{END}{head_of_ledger}")
    assert (form.framed, form.depth) == (True, 1)
    for blank, framed in ((37, True), (38, False)):
        [form] = found(HEADS + ORDERS + END + "\n" * blank + head_of_ledger)
        assert (form.framed, form.depth) == (framed, int(framed))
    first, second = found(f"{HEADS}{ORDERS}{END}\n{HEADS}{ORDERS}{END}{head_of_ledger}")
    assert (first.framed, second.framed) == (False, True)


@pytest.mark.parametrize(("mark", "depths"), [("", [1, 0]), ("On 1/1/26, Cy wrote:\n\n", [2, 1]), ("> ", [1, 1])])
def test_what_was_written_below_our_letter_is_quoted_once_less(mark: str, depths: list[int]) -> None:
    """Where nothing marks the lines of our letter nobody can see where it ends; where marks stand they are believed."""
    form = HEADS + ORDERS + END
    text = f"{form}\nThe head is {'0123456789abcdef' * 4}.\n\n{form}"
    if mark == "> ":
        text = "".join(f"> {line}\n" for line in text.splitlines())
    else:
        text = f"{mark}On 1/1/26, Bo wrote:\n\n{text}"
    assert [form.depth for form in found(text)] == depths


# --- in whole mails ---------------------------------------------------------------------------------------------------


def read(raw: bytes) -> MailReading:
    return read_mail(raw, ours=OURS)


def why(mail: MailReading) -> str:
    return mail.trouble.code if mail.trouble else ""


def orders_in(mail: MailReading) -> list[tuple[str, ...]]:
    def orders(block: Block) -> tuple[str, ...]:
        assert block.reading.form is not None
        return tuple(map(str, block.reading.form.orders))

    return [orders(block) for block in mail.blocks]


def test_a_piece_of_a_mail_is_no_mail() -> None:
    for kind in ("message/partial; id=x; number=1; total=2", "message/external-body; access-type=URL; URL=x"):
        raw = TOP + b"Content-Type: " + kind.encode() + b"\r\n\r\nContent-Type: text/plain\r\n\r\nhello\r\n"
        assert why(read(raw)) == "piece"


@pytest.mark.parametrize("kind", ["application/pkcs7-mime; name=smime.p7m", "application/ms-tnef; name=winmail.dat"])
def test_what_is_packed_away_is_not_called_empty(kind: str) -> None:
    """Who does not know that his program packs his mails would send the same again."""
    packed = b"Content-Type: " + kind.encode() + b"\r\nContent-Transfer-Encoding: base64\r\n\r\nMIAGCSqGSIb3DQEH\r\n"
    words = encoded("My orders.\n", "text/plain; charset=utf-8", BY_NAME["mutt"])
    page = encoded(f"<pre>{NEW}</pre>", "text/html; charset=utf-8", BY_NAME["mutt"])
    assert why(read(TOP + packed)) == "sealed"
    assert why(read(TOP + multipart("mixed", words, packed))) == "sealed"
    for body in (BODY, page):
        assert orders_in(read(TOP + multipart("mixed", body, packed))) == [("c1", "a2")]
    encrypted = b"Content-Type: application/pgp-encrypted\r\n\r\nVersion: 1\r\n"
    secret = b"Content-Type: application/octet-stream\r\n\r\n-----BEGIN PGP MESSAGE-----\r\n"
    assert why(read(TOP + multipart("encrypted", encrypted, secret))) == "sealed"


def test_a_mail_with_a_new_form_is_orders_whatever_word_it_begins_with() -> None:
    mail = read(TOP + encoded(f"status\n\n{NEW}\n", "text/plain; charset=utf-8", BY_NAME["mutt"]))
    assert (mail.command, mail.commanded, len(mail.blocks)) == (None, False, 1)
    assert mail.shown.startswith("game: jade")


def test_many_files_that_say_the_same_are_one() -> None:
    words = encoded("Hi\n", "text/plain; charset=utf-8", BY_NAME["mutt"])
    same = read(TOP + multipart("mixed", words, *[attachment(NEW, f"{n}.yml") for n in range(9)]))
    assert why(same) == ""
    assert len(same.blocks) == 1
    others = [attachment(NEW.replace("c1", f"c{n}"), f"{n}.yml") for n in range(9)]
    assert why(read(TOP + multipart("mixed", words, *others))) == "attachments"


def test_a_file_is_known_for_text_by_its_bytes() -> None:
    words = encoded("Hi\n", "text/plain; charset=utf-8", BY_NAME["mutt"])

    def orders(content: bytes, kind: str) -> list[tuple[str, ...]]:
        file = f'Content-Type: {kind}; name="x"\r\nContent-Disposition: attachment\r\n'.encode()
        file += b"Content-Transfer-Encoding: base64\r\n\r\n" + base64.encodebytes(content)
        return orders_in(read(TOP + multipart("mixed", words, file)))

    there = orders(NEW.encode(), "application/octet-stream")
    assert there != []
    for content in (NEW.encode("utf-16"), b"\xfe\xff" + NEW.encode("utf-16-be")):
        assert orders(content, "application/octet-stream") == there
    assert orders(NEW.encode() + b"\0\1\2", "application/octet-stream") == []
    assert orders(NEW.encode(), "image/png") == []


def test_whether_a_part_is_text_is_seen_by_its_first_512_bytes() -> None:
    for before, text in ((511, False), (512, True)):
        raw = b"x" * before + b"\0"
        assert Part(Valued("application/octet-stream", {}), Headers(), raw, True, None, True).is_text is text


def test_parts_that_are_announced_and_not_there_are_read_as_text() -> None:
    text = BODY.replace(b"text/plain", b"multipart/mixed; boundary=nowhere")
    assert orders_in(read(TOP + text)) == orders_in(read(TOP + BODY)) != []


@pytest.mark.parametrize(
    ("body", "pieces", "closed"),
    [
        (b"--x\na\n--x--\n", [b"a"], True),
        (b"--x\na\n--x\nb\n--x--", [b"a", b"b"], True),
        (b"before\n--x\na\n--x", [b"a"], False),
        (b"--x\na\n", [b"a\n"], False),
        (b"--x\na--x\nb\n--xy\n--x z\n--x--\n", [b"a--x\nb\n--xy\n--x z"], True),
        (b"--x--\na", [], True),
        (b"--x", [], False),
        (b"", [], False),
        (b"--x\r\na\r\n--x--\r\n", [b"a"], True),
        (b"--x \t\na\n--x--\n", [b"a"], True),
    ],
)
def test_pieces_stand_between_the_lines_of_their_boundary(body: bytes, pieces: list[bytes], closed: bool) -> None:
    from pbem.intake.mail.parts import _pieces

    assert _pieces(body, "x") == (pieces, closed)


def test_headers_in_letters_of_another_kind() -> None:
    from pbem.intake.limits import USUAL
    from pbem.intake.mail.headers import headers, valued

    rows = headers(b"Subject: caf\xe9\r\nTo: caf\xc3\xa9\r\nno header: x\r\n y\r\nX: a\r\n  b\r\n\tc", USUAL).rows
    assert rows == (("subject", "caf\u00e9"), ("to", "caf\u00e9"), ("x", "a b c"))
    found = valued('text/plain; name="a \\"b\\"\n c"; x=1')
    assert found.word == "text/plain"
    assert found.parameters["x"] == "1"
    assert valued('a/b; x="1\\\n2; z=4"; y=3').parameters.keys() == {"x", "y"}


def test_a_machine_is_known_by_its_name() -> None:
    for name in ("MAILER-DAEMON", "postmaster", "bounces"):
        raw = TOP.replace(b"anna@players.example", f"{name}@players.example".encode()) + BODY
        assert read(raw).automatic == "bounce"


def test_of_many_forms_that_were_quoted_back_five_are_read() -> None:
    forms = "\n\n".join(NEW.replace("c1", f"c{number}") for number in range(1, 8))
    quoted = "\n".join(f"> {line}" for line in forms.split("\n"))
    mail = read(TOP + encoded(quoted + "\n", "text/plain; charset=utf-8", BY_NAME["mutt"]))
    assert [orders[0] for orders in orders_in(mail)] == ["c1", "c2", "c3", "c4", "c5"]
    assert mail.quoted


def test_of_forms_quoted_back_those_quoted_least_often_and_with_a_key_are_read() -> None:
    def marked(form: str, mark: str) -> str:
        return "\n".join(f"{mark} {line}" for line in form.split("\n"))

    keyless = "\n".join(line for line in NEW.split("\n") if not line.startswith("key:"))
    text = "\n\n".join([marked(NEW, ">>"), marked(NEW.replace("c1", "c2"), ">"), marked(keyless, ">")])
    mail = read(TOP + encoded(text + "\n", "text/plain; charset=utf-8", BY_NAME["mutt"]))
    assert [orders[0] for orders in orders_in(mail)] == ["c2"]
