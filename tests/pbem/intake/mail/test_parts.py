"""What a mail is made of: limits at the limit and one past it, encodings that are broken, files, forwarded mails."""

from __future__ import annotations

import base64
from dataclasses import replace

import pytest

from pbem.intake.limits import USUAL
from pbem.intake.mail.bodies import Bodies
from pbem.intake.mail.headers import headers, is_mail, split, valued
from pbem.intake.mail.parts import walk
from pbem.intake.mail.reading import MailReading
from pbem.intake.mail.subjects import subject
from pbem.intake.mail.transfer import text_of, undone
from pbem.intake.mail.walk import read_mail
from tests.pbem.intake.mail.corpus import BY_NAME as PROGRAM
from tests.pbem.intake.mail.corpus import NEW, OLD, OURS
from tests.pbem.intake.mail.programs import FORWARDED, Original, attachment, encoded, multipart, outlook_head
from tests.pbem.intake.mail.programs import headers as head

WORDS = encoded("Hi\n", "text/plain; charset=utf-8", PROGRAM["mutt"])
BODY = encoded(NEW + "\n", "text/plain; charset=utf-8", PROGRAM["mutt"])
TOP = head("en", Original(""))


def read(raw: bytes, **settings: object) -> MailReading:
    return read_mail(raw, ours=OURS, **settings)  # type: ignore[arg-type]


def trouble(raw: bytes, **settings: object) -> str:
    why = read(raw, **settings).trouble
    return why.code if why else ""


# --- limits ----------------------------------------------------------------------------------------------------------


def test_the_largest_mail_that_is_read_and_one_byte_more() -> None:
    fits = (TOP + BODY).ljust(USUAL.mail_bytes, b"\n")
    assert trouble(fits) == ""
    larger = read(fits + b"\n")
    assert larger.trouble is not None
    assert larger.trouble.code == "mail_size"
    assert larger.blocks[0].reading.form is not None, "it still says whose it is"


def test_pictures_count_for_nothing() -> None:
    """Programs carry the picture of our letter back in the answer to it, and no order is in a picture."""
    picture = b"Content-Type: image/png; name=map.png\r\nContent-ID: <map>\r\n\r\n" + b"iVBORw0K" * 80_000
    for parts in ((BODY, picture), (picture, BODY), (picture, WORDS, attachment(NEW, "orders.yml"))):
        mail = read(TOP + multipart("related", *parts))
        assert (mail.trouble, len(mail.blocks)) == (None, 1)
    fits = TOP + multipart("related", BODY, picture)
    fits += b"x" * (USUAL.mail_bytes + 8 * 80_000 - len(fits))
    assert trouble(fits) == ""
    why = read(fits + b"x").trouble
    assert why is not None
    assert (why.code, why.facts["size"]) == ("mail_size", USUAL.mail_bytes + 1)


@pytest.mark.parametrize(
    ("line", "size"),
    [("X-Cut-Short: 3000000", 3_000_000), ("X-Cut-Short: 262145", 262_145), ("X-Cut-Short: 262144", 0),
     ("X-Cut-Short: 9999999999999", 0), ("X-Cut-Short: -1", 0), ("X-Cut-Short: \u0663", 0), ("X-Cut-Short:", 0)],
)  # fmt: skip
def test_of_a_mail_of_which_only_the_beginning_came_nothing_is_taken(line: str, size: int) -> None:
    """However much of it were pictures, and though its form is whole: what is not here may say otherwise."""
    found = read(line.encode() + b"\r\n" + TOP + BODY)
    assert (found.trouble.facts["size"] if found.trouble else 0) == size
    assert found.blocks[0].reading.form is not None, "it still says whose it is"


def test_as_many_header_lines_as_are_read_and_one_more() -> None:
    own = len(split(TOP + BODY, USUAL)[0].rows)
    more = b"".join(b"X-%d: y\r\n" % number for number in range(USUAL.headers - own))
    assert trouble(more + TOP + BODY) == ""
    assert trouble(b"X: y\r\n" + more + TOP + BODY) == "headers"
    assert len(headers(b"X: y\r\n" * 3 * USUAL.headers, USUAL).rows) == USUAL.headers + 1, "one more shows it"


def test_the_longest_head_and_one_byte_more() -> None:
    own = split(TOP + BODY, USUAL)[0].size
    line = b"X: " + b"y" * (USUAL.header_block - own - 5) + b"\r\n"
    assert trouble(line + TOP + BODY) == ""
    assert trouble(b"X" + line + TOP + BODY) == "header_block"


def test_a_header_is_cut_where_the_limit_is() -> None:
    """Large programs write headers of many kilobytes that say nothing to us; a mail is not refused for them."""
    value = headers(b"X: " + b"y" * USUAL.header, USUAL).get("x")
    assert len(value) == USUAL.header - len("X: ") + 1
    folded = headers(b"X: y" + b"\r\n yyyy" * USUAL.header, USUAL).get("x")
    assert len(folded) == USUAL.header


def test_as_many_parts_as_are_read_and_one_more() -> None:
    assert trouble(TOP + multipart("mixed", BODY, *[WORDS] * (USUAL.parts - 1))) == ""
    assert trouble(TOP + multipart("mixed", BODY, *[WORDS] * USUAL.parts)) == "parts"


def test_as_deep_as_parts_are_read_and_one_deeper() -> None:
    inside = BODY
    for level in range(USUAL.mime_depth - 1):
        inside = multipart("mixed", inside).replace(b"=_next", b"=_next%d" % level)
    assert trouble(TOP + inside) == ""
    assert read(TOP + inside).reading is not None
    assert trouble(TOP + multipart("mixed", inside)) == "mime_depth"


def test_a_message_inside_a_message_counts_as_one_step_down() -> None:
    inside = BODY
    for _ in range(USUAL.mime_depth - 1):
        inside = b"Content-Type: message/rfc822\r\n\r\nFrom: bo@players.example\r\n" + inside
    assert trouble(TOP + inside) == "forwarded"
    assert trouble(TOP + b"Content-Type: message/rfc822\r\n\r\nFrom: bo@players.example\r\n" + inside) == "mime_depth"


def test_a_letter_of_ours_may_be_attached_to_the_answer() -> None:
    """Outlook can be set to do so. Ours has four steps, and stands two further down; nothing there orders anything."""
    page = multipart("related", encoded("<p>Hi</p>", "text/html", PROGRAM["mutt"])).replace(b"=_next", b"=_a")
    words = multipart("alternative", WORDS, page).replace(b"=_next", b"=_b")
    letter = TOP + multipart("mixed", words, attachment(OLD, "orders.yml")).replace(b"=_next", b"=_c")
    answer = TOP + multipart("mixed", BODY, b"Content-Type: message/rfc822\r\n\r\n" + letter)
    mail = read(answer)
    assert (mail.trouble, mail.found) == (None, "block")


def test_as_many_files_as_are_read_and_one_more() -> None:
    one, two, three = (attachment(NEW.replace("c1", name), "a.yml") for name in ("c1", "c2", "c3"))
    assert trouble(TOP + multipart("mixed", WORDS, one, one)) == ""
    assert trouble(TOP + multipart("mixed", WORDS, one, two)) == "two_forms"
    many = read(TOP + multipart("mixed", WORDS, one, two, three))
    assert many.trouble is not None
    assert (many.trouble.code, len(many.blocks)) == ("attachments", 1), "one is enough to say whose it is"
    assert trouble(TOP + multipart("mixed", WORDS, one, one, three)) == "attachments"


def test_hops_at_the_limit_and_one_more() -> None:
    hop = b"Received: from a by b; Wed, 18 Nov 2026 20:00:00 +0000\r\n"
    own = TOP.count(b"Received:")
    assert read(hop * (USUAL.hops - own) + TOP + BODY).automatic == ""
    assert read(hop * (USUAL.hops - own + 1) + TOP + BODY).automatic == "hops"


@pytest.mark.parametrize(
    ("limit", "least", "code"),
    [("mail_bytes", 400, "mail_size"), ("header_block", 200, "header_block"), ("headers", 3, "headers")],
)
def test_each_limit_can_be_set(limit: str, least: int, code: str) -> None:
    assert trouble(TOP + BODY, limits=replace(USUAL, **{limit: least})) == code


# --- two places, or somebody else's mail -----------------------------------------------------------------------------


def test_two_forms_that_differ_are_both_named() -> None:
    why = read(TOP + multipart("mixed", BODY, attachment(OLD, "orders.yml"))).trouble
    assert why is not None
    assert why.code == "two_forms"
    assert "the attachment" in str(why)
    assert "line 1" in str(why)
    body = encoded(f"{NEW}\n\n{OLD}\n", "text/plain", PROGRAM["mutt"])
    assert "line 1 and in line 10" in str(read(TOP + body).trouble)


def test_the_same_form_twice_is_one() -> None:
    body = encoded(f"{NEW}\n\n{NEW.replace('  - ', '-   ')}\n", "text/plain", PROGRAM["mutt"])
    assert read(TOP + body).trouble is None
    assert len(read(TOP + body).blocks) == 1


@pytest.mark.parametrize("lang", ["en", "fr", "it", "de", "es"])
def test_a_form_that_was_forwarded_is_refused(lang: str) -> None:
    fields = outlook_head(lang, Original(""))
    inline = encoded(f"FYI\n\n{FORWARDED[lang]}{fields}\n{NEW}\n", "text/plain; charset=utf-8", PROGRAM["mutt"])
    assert trouble(TOP + inline) == "forwarded"
    whole = multipart("mixed", WORDS, b"Content-Type: message/rfc822\r\n\r\n" + TOP + BODY)
    assert trouble(TOP + whole) == "forwarded"
    assert read(TOP + whole).found == "attachment"
    by_subject = TOP.replace(b"Subject: Re:", b"Subject: Fwd:")
    fields_only = encoded(f"FYI\n{fields}\n{NEW}\n", "text/plain; charset=utf-8", PROGRAM["mutt"])
    assert trouble(by_subject + fields_only) == "forwarded"
    own = encoded(f"{NEW}\n\n{FORWARDED[lang]}{fields}\n{OLD}\n", "text/plain; charset=utf-8", PROGRAM["mutt"])
    assert read(TOP + own).trouble is None
    assert read(TOP + own).found == "block"


def test_a_file_that_came_along_with_a_forwarded_mail_is_no_new_one() -> None:
    raw = TOP.replace(b"Subject: Re:", b"Subject: Fwd:") + multipart("mixed", WORDS, attachment(NEW, "orders.yml"))
    assert [block.depth for block in read(raw).blocks] == [1]


def test_a_file_that_was_cut_short_needs_its_end_line() -> None:
    ended = NEW.removesuffix("\nend: orders")
    whole = TOP + multipart("mixed", WORDS, attachment(ended, "orders.yml"))
    problems = read(whole[: whole.rindex(b"--=_next--")]).blocks[0].reading.problems
    assert [problem.why.code for problem in problems] == ["no_end"]
    assert read(whole).blocks[0].whole
    assert read(whole).blocks[0].reading.problems == ()


@pytest.mark.parametrize("above", ["\n \n", "# my orders\n", "---\n", "# my orders\n---\n\n# of today\n"])
def test_what_stands_above_the_first_key_of_a_file_is_no_matter(above: str) -> None:
    [block] = read(
        TOP + multipart("mixed", WORDS, attachment(above + NEW.removesuffix("\nend: orders"), "o.yml"))
    ).blocks
    assert (block.whole, block.reading.problems) == (True, ())


def test_of_a_mail_that_was_cut_short_the_last_part_alone_is_not_whole() -> None:
    raw = TOP + multipart("mixed", WORDS, WORDS, WORDS)
    for cut, whole in ((len(raw), [True] * 3), (raw.rindex(b"--=_next--"), [True, True, False])):
        head, body = split(raw[:cut], USUAL)
        assert [part.whole for part in walk(head, body, USUAL).leaves] == whole


def test_letters_of_a_set_that_is_not_known_are_refused() -> None:
    form = NEW.replace("c1", "\u4e2d").encode("gb18030")
    raw = TOP + b"Content-Type: text/plain; charset=gb18030\r\n\r\n" + form
    assert trouble(raw) == "charset"
    assert trouble(raw.replace("\u4e2d".encode("gb18030"), b"c1")) == ""
    assert trouble(TOP + b"Content-Type: text/plain; charset=koi8-r\r\n\r\n" + NEW.encode()) == ""


# --- what is read first -----------------------------------------------------------------------------------------------


def shown(*parts: bytes, kind: str = "mixed") -> Bodies:
    headers, body = split(TOP + multipart(kind, *parts), USUAL)
    return Bodies(walk(headers, body, USUAL).leaves, "")


PAGE = b"Content-Type: text/html\r\n\r\n<p>page</p>"
FILE = b'Content-Type: text/html; name="x.html"\r\n\r\n<p>file</p>'
PICTURE = b"Content-Type: image/png; name=x.png\r\n\r\nPNG"


def test_the_text_of_a_mail_is_what_stands_in_it_and_not_in_its_files() -> None:
    both = shown(b"Content-Type: text/plain\r\n\r\nwords", PAGE, kind="alternative")
    assert (both.plain.texts, both.html.texts, both.has_html) == (("words",), ("page",), True)
    filed = shown(b"\r\nbefore", PICTURE, b"\r\nbehind", FILE)
    assert (filed.plain.texts, filed.html.texts, filed.has_html) == (("before", "behind"), ("",), False)
    assert shown(PAGE, FILE).html.texts == ("page",)


@pytest.mark.parametrize(
    ("kind", "texts"),
    [
        ("text/plain", ("dragon ", "fly")),
        ("text/plain; format=fixed", ("dragon ", "fly")),
        ("text/plain; format=Flowed", ("dragon fly",)),
        ("text/plain; format=flowed; delsp=no", ("dragon fly",)),
        ("text/plain; format=flowed; delsp=Yes", ("dragonfly",)),
    ],
)
def test_a_text_is_joined_as_it_says_that_it_was_broken(kind: str, texts: tuple[str, ...]) -> None:
    assert shown(f"Content-Type: {kind}\r\n\r\ndragon \r\nfly".encode()).plain.texts == texts


# --- bytes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cut", range(8))
def test_base64_gives_what_is_there(cut: int) -> None:
    raw = base64.b64encode(b"game: jade-river") + b"\r\n"
    assert b"game: jade-river".startswith(undone(raw[: len(raw) - cut], "base64"))
    assert undone(b"Z2Ft ZTo=\r\n--\r\nfooter of a list", " Base64 ") == b"game:"


def test_a_wrong_label_is_seen_through() -> None:
    assert text_of("\u00e9t\u00e9".encode("cp1252"), "utf-8") == "\u00e9t\u00e9"
    assert text_of("\u00e9t\u00e9".encode(), "x-unknown") == "\u00e9t\u00e9"
    assert text_of(b"abc", "utf-16") == "abc"
    assert text_of("abc".encode("utf-16"), "us-ascii") == "abc"
    assert text_of(b"\xe9", "x-unknown") == "\ufffd"


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("=?utf-8?q?R=C3=A9ponse?=", "R\u00e9ponse"),
        ("=?UTF-8?B?w6k=?= =?utf-8?b?dMOp?=", "\u00e9t\u00e9"),
        ("=?iso-8859-1?Q?=E9t=E9_?= x", "\u00e9t\u00e9 x"),
        ("=?utf-8?q?a=0D=0ABcc:_b?=", "a Bcc: b"),
        ("=?utf-8*fr?q?a?=", "a"),
        ("=?x?q?=E9?=", "\ufffd"),
        ("=?iso-8859-15?B?pA==?=", "\u20ac"),
        ("a\x1b[2J", "a\\x1b[2J"),
        ("x" * 300, "x" * 199 + "\u2026"),
    ],
)
def test_a_subject_is_what_a_person_sees(written: str, seen: str) -> None:
    assert subject(written) == seen


def test_headers_with_parameters() -> None:
    assert valued('text/plain; charset="a b"; x=y').parameters == {"charset": "a b", "x": "y"}
    assert valued("a/b; name*=utf-8'fr'x.yml").parameters == {"name": "x.yml"}
    assert valued("a/b; name*0=x; name*1=y").parameters == {"name": "xy"}
    assert valued('a/b; c="d\\"e').parameters == {"c": 'd"e'}
    assert valued("TEXT/Html").word == "text/html"


def test_a_text_without_any_head_is_read_as_a_text() -> None:
    assert not is_mail(split(NEW.encode(), USUAL)[0])
    assert read(NEW.encode()).found == "block"
    assert read(b"\r\n" + NEW.encode()).found == "block"
