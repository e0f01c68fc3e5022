"""The corners of reading: branches that no ordinary file or mail comes to, each with the answer it must give."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import date
from typing import Any

import pytest
import yaml

from pbem.intake import masks, reading
from pbem.intake.away import mode_of
from pbem.intake.characters import words
from pbem.intake.complaints import complaint
from pbem.intake.fields import read_form
from pbem.intake.form import Absence
from pbem.intake.hours import read_hours
from pbem.intake.limits import USUAL
from pbem.intake.mail import evidence
from pbem.intake.mail.commands import from_subject, from_text
from pbem.intake.mail.headers import headers, split
from pbem.intake.mail.reading import Bounce, Check, Command, MailReading
from pbem.intake.mail.transfer import text_of
from pbem.intake.mail.walk import read_mail
from pbem.intake.problems import Mark, listed, problem
from pbem.intake.sketch import sketch
from tests.pbem.intake.mail.corpus import NEW, OURS

MAIL = f"From: anna@players.example\r\nMessage-ID: <1@x>\r\n\r\n{NEW}".encode()


def asked(raw: bytes, **settings: Any) -> Any:
    """What the child of the reader does, in this process."""
    return json.loads(reading._work(json.dumps({"limits": asdict(USUAL), **settings}).encode() + b"\n" + raw))


def test_the_childs_work_is_what_we_do_ourselves() -> None:
    form = {"body": True, "given": {}, "game_keys": [], "conditions": []}
    assert asked(NEW.encode(), **form) == json.loads(json.dumps(read_form(NEW.encode(), body=True).to_json()))
    mail = {"ours": sorted(OURS), "authserv": "", "check_dkim": False}
    words: dict[str, list[str]] = {"game_keys": [], "conditions": []}
    assert asked(MAIL, mail=mail, **words) == json.loads(json.dumps(read_mail(MAIL, ours=OURS).to_json()))


def test_without_the_library_a_signature_is_unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_dkim(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(evidence, "import_module", no_dkim)
    signed = b"DKIM-Signature: v=1; d=players.example\r\n" + MAIL
    assert evidence.own_dkim(signed, split(signed, USUAL)[0]) == (Check("dkim", "unchecked"),)


def test_a_signature_that_breaks_the_library_is_an_error_and_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    dkim = pytest.importorskip("dkim")
    signed = b"DKIM-Signature: v=1; a=rsa-sha256; d=players.example; s=x; b=AAAA; bh=AAAA; h=from\r\n" + MAIL

    def breaks(*_: Any, **__: Any) -> Any:
        raise IndexError("a broken record")

    monkeypatch.setattr(dkim.DKIM, "verify", breaks)
    assert evidence.own_dkim(signed, split(signed, USUAL)[0])[0].result == "temperror"


def test_a_result_that_is_told_twice_or_of_an_unknown_method_is_no_check() -> None:
    said = "mx.pbem.test; frob=pass; dkim=pass header.d=players.example; spf=fail smtp.mailfrom=a@b.example"
    raw = f"Authentication-Results: {said}\r\n".encode() + MAIL
    checks = read_mail(raw, ours=OURS, authserv="mx.pbem.test").evidence.checks
    assert {(check.method, check.result) for check in checks} == {("dkim", "pass"), ("spf", "fail")}


@pytest.mark.parametrize(
    ("data", "charset", "text"),
    [
        ("Ärger".encode("utf-16"), "utf-8", "Ärger"),
        ("Ärger".encode("utf-16-be"), "UTF-16BE", "Ärger"),
        ("Ärger".encode("utf-16-le"), "'utf-16'", "Ärger"),
        (b"plain", "utf-16", "plain"),
        ("Ärger".encode(), "no-such-set", "Ärger"),
        ("Ärger".encode("latin-1"), "latin1", "Ärger"),
    ],
)
def test_texts_in_sixteen_bits_and_in_sets_that_lie(data: bytes, charset: str, text: str) -> None:
    assert text_of(data, charset).strip() == text


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("digest off", Command("digest", "off")),
        ("Recueil", Command("digest", "on")),
        ("digest maybe", None),
        ("report 12.", Command("report", "12")),
        ("report ١٢", None),
        ("report soon", None),
        ("take-back 3", Command("take-back", "3")),
        ("reprendre non", Command("take-back", "no")),
        ("draw", Command("draw", "")),
        ("draw 3", None),
        ("dispute he moved twice", None),
        ("dispute: he moved twice", Command("dispute", "he moved twice")),
        ("volunteer", Command("volunteer", "")),
        ("volontaire non", Command("volunteer", "no")),
        ("volunteer for one two three four five six seven eight nine ten", None),
        ("remind nonsense", None),
        ("resign jade-river", Command("resign", "jade-river")),
        ("resign jade river", None),
        ("say", None),
        ("say all", None),
        ("say 'red': hello", Command("say", "hello", "red")),
        ("say tutti ciao", Command("say", "ciao", "all")),
        ("status please", Command("status")),
        ("status of my washing", None),
        ("nothing of ours", None),
    ],
)
def test_commands(line: str, command: Command | None) -> None:
    assert from_text([line], USUAL) == command
    assert from_subject(f"Re: AW: {line}", USUAL) == command


def test_no_line_is_no_command_and_what_is_signed_is_left_out() -> None:
    assert from_text([], USUAL) is None
    assert from_text(["", "  "], USUAL) is None
    assert from_text(["-- ", "status"], USUAL) == Command("status"), "a line of dashes before any word signs nothing"
    assert from_text(["say all hello", "-- ", "Anna"], USUAL) == Command("say", "hello", "all")


@pytest.mark.parametrize(
    ("text", "mode"),
    [("attendre", "wait"), ("Remplaçant", "stand-in"), ("standing orders", "standing"), ("orders", None), ("", None),
     ("wait stand-in", None), ("wait, perhaps", None)],
)  # fmt: skip
def test_what_is_to_happen_meanwhile(text: str, mode: str | None) -> None:
    assert mode_of(text) == mode


def test_a_line_that_goes_on_before_any_header_is_passed_over() -> None:
    assert headers(b" goes on\r\nTo: a@b.example\r\n", USUAL).rows == (("to", "a@b.example"),)
    assert "to" in headers(b"To: x\r\n", USUAL)
    assert split(b"To: x\rSubject: y\r\rbody", USUAL)[1] == b"body", "line ends of old Macintosh programs"


def bounce(*parts: str, thread: str = "") -> Bounce | None:
    lines = ["From: mailer-daemon@elsewhere.example", "Content-Type: multipart/report; boundary=b", thread, ""]
    for kind, *content in (part.split("|") for part in parts):
        lines += ["--b", f"Content-Type: {kind}", "", *content]
    raw = "\r\n".join([*(line for line in lines[:3] if line), *lines[3:], "--b--", ""])
    return read_mail(raw.encode(), ours=OURS).bounce


def test_a_bounce_that_names_nobody_still_names_its_mail() -> None:
    status = "message/delivery-status|Reporting-MTA: dns; x"
    assert bounce(status, thread="In-Reply-To: <7@pbem.test>") == Bounce(message_id="<7@pbem.test>")
    assert bounce(status, "text/rfc822-headers|Message-ID: <8@pbem.test>") == Bounce(message_id="<8@pbem.test>")
    assert bounce(status, "text/rfc822-headers|Subject: nothing", thread="References: <9@pbem.test>") == Bounce(
        message_id="<9@pbem.test>"
    )
    assert bounce(status) == Bounce(message_id="")


def test_what_the_address_says_stands_where_the_form_says_nothing() -> None:
    given = {"game": "x", "seat": "y", "turn": "3", "key": "K7Q2-9FXM"}
    form = read_form(b"seat: z\norders: [a]\n", given=given).form
    assert form is not None
    assert (form.game, form.seat, form.turn, form.key) == ("x", "z", 3, "K7Q2-9FXM")


def test_a_complaint_without_a_place_is_told_at_the_beginning() -> None:
    found = complaint(yaml.MarkedYAMLError(problem="something odd"), "a: b")
    assert (found.mark.line, found.mark.column) == (1, 1)  # type: ignore[union-attr]


HOURS = [("off", 0), ("jamais", 0), ("36 hours", 36), ("2j", 48), ("0h", None), ("x", None)]


@pytest.mark.parametrize(("text", "hours"), HOURS)
def test_how_long_before(text: str, hours: int | None) -> None:
    assert read_hours(text) == hours


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("join jade-river", Command("join", "jade-river")),
        ("join Jade-River red", Command("join", "jade-river", "red")),
        ("join", None),
        ("join a b c", None),
        ("leave", Command("leave")),
        ("leave jade-river", Command("leave", "jade-river")),
        ("absent back", Command("absent", "no")),
        ("absent from 2026-12-01 to 2026-12-09, standing orders", Command("absent", "2026-12-01 2026-12-09 standing")),
        ("absence du 1/12/2026 au 9.12.2026 attendre", Command("absent", "2026-12-01 2026-12-09 wait")),
        ("absent 2026-12-01 perhaps", None),
        ("absent wait stand-in", None),
    ],
)
def test_more_commands(line: str, command: Command | None) -> None:
    assert from_text([line], USUAL) == command


def test_a_command_is_told_as_it_is() -> None:
    assert Command("say", "hello", "all").to_json() == {"word": "say", "argument": "hello", "to": "all"}


def test_a_receipt_that_a_mail_was_read_is_no_mail_of_a_person() -> None:
    raw = b"From: anna@players.example\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nread\r\n--b\r\n"
    raw += b"Content-Type: message/disposition-notification\r\n\r\nDisposition: x\r\n--b--\r\n"
    assert read_mail(raw, ours=OURS).automatic == "read-receipt"


def test_a_rule_in_a_page_and_a_form_below_it() -> None:
    page = f"<p>Hi<hr><img src=x><table><tr><td>a</td><td>b</td></tr></table><pre>{NEW}</pre>"
    raw = f"From: anna@players.example\r\nContent-Type: text/html\r\n\r\n{page}".encode()
    assert read_mail(raw, ours=OURS).reading is not None


def with_file(file: str, kind: str = "text/yaml") -> MailReading:
    lines = ["From: a@players.example", "Content-Type: multipart/mixed; boundary=b", "", "--b", "", "Hi", "--b"]
    lines += [f"Content-Type: {kind}; name=orders.yaml", "", *file.split("\n"), "--b--", ""]
    return read_mail("\r\n".join(lines).encode(), ours=OURS)


def test_a_file_of_another_kind_holds_no_orders() -> None:
    assert with_file("{" + NEW).reading is None
    assert with_file(f"<html>{NEW}").reading is None
    assert with_file(NEW).reading is not None


def test_a_boundary_in_the_middle_of_a_line_is_none() -> None:
    assert with_file(NEW + "\n# see --b and --bb\n--bb").reading is not None


def test_a_message_inside_that_is_no_text_has_no_form() -> None:
    assert with_file("Subject: x\nContent-Type: image/png\n\n" + NEW, "message/rfc822").reading is None


def test_lists_with_signs_of_word_processors() -> None:
    form = NEW.replace("  - c1", "  \u2022c1").replace("  - a2", "  \uf0b7 a2")
    head = "From: anna@players.example\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"
    found = read_mail(f"{head}{form}".encode(), ours=OURS)
    assert found.reading is not None
    assert found.reading.form is not None
    assert found.reading.form.orders == ("c1", "a2")


def test_a_fence_ends_where_the_quotation_goes_deeper() -> None:
    text = f"--- orders ---\n> {NEW.splitlines()[0]}\n\n{NEW}"
    assert read_mail(f"From: anna@players.example\r\n\r\n{text}".encode(), ours=OURS).reading is not None


def test_orders_without_a_game_and_without_an_end_are_no_form() -> None:
    assert read_mail(b"From: anna@players.example\r\n\r\nseat: red\norders:\n  - a1\n", ours=OURS).reading is None


def at(line: int, column: int) -> yaml.Mark:
    return yaml.Mark("orders", 0, line, column, None, 0)


@pytest.mark.parametrize(
    ("text", "place", "mark", "code"),
    [
        ("a: 1\nb: 2", (1, 3), (2, 4, 2, 5), "syntax"),
        ("a:\n\tb: 1\nc: 2", (1, 1), (2, 1, 2, 2), "tab"),
        ("a:\n\tb: 1\nc: 2", (2, 0), (2, 1, 2, 2), "tab"),  # the line before the one complained of
        ("a:\n\tb: 1\nc: 2", (0, 1), (1, 2, 1, 3), "syntax"),  # not the one after it
        ("\ta: 1", (0, 0), (1, 1, 1, 2), "tab"),
        ("a: 1", (7, 0), (8, 1, 8, 2), "syntax"),  # libyaml may point behind the end
    ],
)
def test_a_complaint_is_told_where_a_person_would_mend_it(
    text: str, place: tuple[int, int], mark: tuple[int, int, int, int], code: str
) -> None:
    found = complaint(yaml.MarkedYAMLError(problem="something odd", problem_mark=at(*place)), text)
    assert tuple(found.mark or ())[:4] == mark
    assert (found.why.code == "tab") == (code == "tab")


def test_of_two_places_the_one_that_is_to_be_mended_is_told() -> None:
    """Of a bracket that is never closed, where it was opened; of a wrong line, where it stands."""
    both = {"context_mark": at(0, 2), "problem_mark": at(3, 0)}
    opened = complaint(yaml.MarkedYAMLError(problem="did not find expected ',' or ']'", **both), "a: [1,\n2,\n3\n")
    assert (opened.mark or [0])[0] == 1
    wrong = complaint(yaml.MarkedYAMLError(problem="did not find expected key", **both), "a: 1\n2\n3\n\n")
    assert (wrong.mark or [0])[0] == 4
    only = complaint(yaml.MarkedYAMLError(problem="something odd", context_mark=at(0, 2)), "a: 1\n")
    assert (only.mark or [0])[0] == 1


# --- forms ------------------------------------------------------------------------------------------------------------

HEAD = b"game: jade\nseat: red\nturn: 5\n"


def test_the_limits_are_those_that_were_promised() -> None:
    """G33 and the documents name them; who changes one here changes what was said there."""
    kib, mib = 1024, 1024 * 1024
    assert asdict(USUAL) == {
        **{"order_bytes": 32 * kib, "depth": 10, "nodes": 2000, "text": 500, "press": 4000, "number": 1_000_000},
        **{"problems": 40, "mail_bytes": 256 * kib, "header_block": 32 * kib, "header": 2 * kib, "headers": 100},
        **{"mime_depth": 5, "parts": 20, "attachments": 2, "hops": 25, "cpu_seconds": 2, "wall_seconds": 5},
        **{"memory_bytes": 256 * mib, "files": 32, "message_bytes": mib, "submissions": 20, "answers": 20},
        **{"daily": 500, "daily_bytes": 16 * mib, "receipts": 30},
    }


def test_quotation_marks_with_nothing_between_are_nothing() -> None:
    assert (words("''"), words("'"), words('"a"')) == ("", "'", "a")


def test_a_form_that_orders_nothing_holds_no_orders() -> None:
    for raw in (HEAD + b"say: hello\n", HEAD + b"orders:\nsay: hello\n"):
        form = read_form(raw).form
        assert form is not None
        assert (form.orders, form.written) == (None, 0)
    sketched = sketch("game: jade\nseat: red\n")
    assert sketched is not None
    assert sketched.written == 0


def test_an_empty_list_of_orders_is_asked_about_whatever_else_is_said() -> None:
    reading = read_form(HEAD + b"orders: |\n  # nothing yet\nsay: hello\n")
    assert [found.why.code for found in reading.problems] == ["no_order"]


def test_a_faulty_order_is_shown_and_an_empty_one_is_not() -> None:
    found = read_form(HEAD + b"orders:\n- {if: ape}\n-\n- bee\n").problems
    assert [(one.subject and one.subject[:2], one.path) for one in found] == [
        ((1, 3), ("orders", 0)),
        (None, ("orders", 1)),
    ]


def test_days_away_with_what_silence_then_means() -> None:
    absent = read_form(HEAD + b"absent: {since: 2026-12-20, until: 2026-12-31, mode: stand-in}\n")
    assert absent.problems == ()
    assert absent.form is not None
    assert absent.form.absent == Absence(True, date(2026, 12, 20), date(2026, 12, 31), mode_of("stand-in"))
    [wrong] = read_form(HEAD + b"absent: {until: 2026-12-31, mode: sulk}\n").problems
    assert wrong.why.code == "absent"


def test_an_hour_is_the_shortest_lead_and_a_fortnight_the_longest() -> None:
    assert [read_hours(text) for text in ("1h", "0h", "14d", "337h")] == [1, None, 336, None]


def test_words_with_and_without_a_mask() -> None:
    assert [masks.taken_off(to) for to in ("anon red", "red", "anonred")] == [
        (True, "red"),
        (False, "red"),
        (False, "anonred"),
    ]
    assert [masks.settled(to) for to in ("Anonyme red", "anon", "red")] == ["anon red", "anon all", "red"]


def test_of_many_problems_the_last_that_is_listed_says_how_many_more_there_are() -> None:
    many = [problem("p", "p", Mark(line, 1, line, 2)) for line in (5, 3, 1, 4, 2)]
    found = listed(many, 3)
    assert [one.mark.line for one in found if one.mark] == [1, 2, 3]
    assert [one.why.code for one in found] == ["p", "p", "more"]
    assert found[-1].why.facts == {"n": 3}
    assert [one.mark.line for one in listed(many, 5) if one.mark] == [1, 2, 3, 4, 5]


def test_a_dash_too_far_in_is_marked_where_it_stands() -> None:
    [found] = read_form(HEAD + b"orders:\n- ape\n   - bee\n").problems
    assert (found.why.code, found.mark) == ("indent", Mark(6, 4, 6, 5))


@pytest.mark.parametrize(
    ("raw", "line", "column"), [(b"\x07", 1, 1), (b"\n\x07", 2, 1), (b"\na\x07", 2, 2), (b"a\nbc\x07", 2, 3)]
)
def test_a_character_that_no_order_holds_is_marked_where_it_stands(raw: bytes, line: int, column: int) -> None:
    [found] = read_form(raw).problems
    assert (found.why.code, found.mark) == ("character", Mark(line, column, line, column + 1))
