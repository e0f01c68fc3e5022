"""What stands in a server's answers: odd shapes that are understood, and nonsense that is the end of the line."""

from __future__ import annotations

import imaplib
import socket
import ssl
import time
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from pbem import faults
from pbem.arriving import imap, imap_line, imap_memory
from pbem.arriving.imap_line import About, Line, LineDown, Refused
from tests.pbem.arriving.conftest import LATER, Store, mail, mails
from tests.pbem.arriving.rude_imap import PASSWORD, Box, Manners, Rude, served
from tests.pbem.arriving.test_imap import AMPLE, SHORT, fetch, whole


@pytest.fixture(autouse=True)
def password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", PASSWORD)


# --- pieces -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "after", "found"),
    [
        ((b"1 (UID 11 BODY[]<0> {3}", b"abc"), b")", b"abc"),
        ((b"1 (UID 11 BODY[] {3}", b"abc"), b")", b"abc"),  # some leave out where a piece begins
        ((b"1 (BODY[]<0> {3}", b"abc"), b" UID 11)", b"abc"),  # and some say whose it is behind it
        ((b"1 (BODY[]<0> {3}", b"abc"), (b"UID 11", b""), None),
        ((b"1 (BODY[]<0> {3}", b"abc"), b")", None),
        ((b"1 (UID 12 BODY[]<0> {3}", b"abc"), b")", None),
        ((b"1 (UID 11 BODY[]<9> {3}", b"abc"), b")", None),
        ((b"1 (UID 11 RFC822 {3}", b"abc"), b")", None),
        (b'1 (UID 11 BODY[]<0> "a\\"b\\\\c")', b"", b'a"b\\c'),
        (b'1 (UID 11 BODY[] "abc")', b"", b"abc"),
        (b'1 (UID 11 BODY[]<0> "")', b"", b""),
        (b"1 (UID 11 BODY[]<0> NIL)", b"", b""),
        (b'1 (UID 11 BODY[]<9> "abc")', b"", None),
        (b"1 (UID 11 FLAGS ())", b"", None),
    ],
)
def test_a_piece_is_a_literal_or_stands_in_quotes(part: object, after: object, found: bytes | None) -> None:
    assert imap_line._piece_in(part, after, 11, 0) == found


def test_a_piece_further_on_names_its_place() -> None:
    part = (b"1 (UID 11 BODY[]<5> {3}", b"abc")
    assert imap_line._piece_in(part, b")", 11, 5) == b"abc"
    assert imap_line._piece_in((b"1 (UID 11 BODY[] {3}", b"abc"), b")", 11, 5) is None
    assert imap_line._piece_in(b'1 (UID 11 BODY[]<5> "abc")', b"", 11, 5) == b"abc"


def test_more_than_was_asked_for_ends_the_line(store: Store) -> None:
    box = Box(mails(1))
    with served(box, Manners(generous=1)) as server, pytest.MonkeyPatch.context() as patch:
        patch.setattr(imap_line, "PIECE", 16)
        found = fetch(store, server)
    assert found.new == 0
    assert found.left == ("message 11 (it sends more than it was asked for)",)


# --- what is said of a message ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "about"),
    [
        (b"1 (UID 5 RFC822.SIZE 9 FLAGS (\\Seen $x))", About(5, 9, None, frozenset({"\\Seen", "$x"}))),
        (b"1 (UID 5)", About(5, 0, None, frozenset())),
        (b"1 (RFC822.SIZE 9)", None),
        (
            b'1 (UID 5 INTERNALDATE " 8-nov-2026 23:30:61 +0130" RFC822.SIZE 9)',
            About(5, 9, datetime(2026, 11, 8, 22, 0, 59, tzinfo=UTC), frozenset()),
        ),
        (b'1 (UID 5 INTERNALDATE "18-Foo-2026 23:30:00 +0000")', About(5, 0, None, frozenset())),
        (b'1 (UID 5 INTERNALDATE "01-Jan-0001 00:00:00 +2359")', About(5, 0, None, frozenset())),
        (b'1 (UID 5 INTERNALDATE "01-Jan-2026 00:00:00 +9959")', About(5, 0, None, frozenset())),
    ],
)
def test_what_is_known_of_a_message(text: bytes, about: About | None) -> None:
    assert imap_line._about(text) == about


def test_what_a_server_tells_of_others_meanwhile_is_passed_over(store: Store) -> None:
    box = Box(mails(3))
    noise = b"* 3 FETCH (FLAGS (\\Seen))\r\n* 4 FETCH (UID 999 RFC822.SIZE 5)\r\n"
    with served(box, Manners(noise=noise), store.holds) as server:
        assert fetch(store, server).new == 3
    whole(store, box)


@pytest.mark.parametrize("number", ["x", "-1", "1" * 11, "1.5"])
def test_numbers_of_messages_are_numbers(store: Store, number: str) -> None:
    with served(Box(mails(1)), Manners(noise=f"* SEARCH {number}\r\n".encode())) as server:
        found = fetch(store, server)
    assert found.silent == "it numbers its messages with what is no number"


# --- beginning --------------------------------------------------------------------------------------------------------


def test_who_is_known_by_the_way_he_came_needs_no_password(store: Store) -> None:
    greeting = b"* PREAUTH [CAPABILITY IMAP4rev1 MOVE] welcome back\r\n"
    with served(Box(mails(2)), Manners(greeting=greeting), store.holds) as server:
        assert fetch(store, server).new == 2
        assert not [said for said in server.said if said.startswith(("LOGIN", "AUTH"))]


def test_no_password_in_the_clear_where_the_server_forbids_it(store: Store) -> None:
    with served(Box(mails(2)), Manners(capabilities="IMAP4rev1 LOGINDISABLED")) as server:
        assert fetch(store, server).silent == "it takes no password on a line without TLS"
        assert not [said for said in server.said if said.startswith(("LOGIN", "AUTH"))]


def test_a_folder_without_lasting_numbers_is_not_read(store: Store) -> None:
    with served(Box(mails(2)), Manners(answers={"SELECT": "OK [READ-WRITE] there you are"})) as server:
        assert fetch(store, server).silent == "it gives its messages no lasting numbers"


# --- bounds -----------------------------------------------------------------------------------------------------------


def test_an_answer_without_an_end_is_not_read_to_it(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imap_line, "ANSWER", 5000)
    with served(Box(mails(1)), Manners(noise=b"* OK still here\r\n" * 1000)) as server:
        assert fetch(store, server).silent == "it does not end its answer"


def test_a_line_without_an_end_is_not_read_to_it(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imap_line, "LINE", 1000)
    with served(Box(mails(1)), Manners(noise=b"* OK " + b"x" * 1_000_000)) as server:
        assert fetch(store, server).silent == "it sends a line without an end"


def test_an_answer_has_its_time_however_often_something_comes() -> None:
    with served(Box(mails(1))) as server, Line(server.imap, PASSWORD, AMPLE) as line:
        line._client._until = time.monotonic() - 1
        with pytest.raises(LineDown, match="it was too slow"):
            line._client._receive()


def test_a_run_has_its_time(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is there besides waits for the next one."""
    box = Box(mails(4))
    hour = [0.0]
    monkeypatch.setattr(imap, "time", SimpleNamespace(monotonic=lambda: hour[0]))
    with served(box, committed=store.holds) as server:
        server.manners.in_fetch = lambda _: hour.__setitem__(0, hour[0] + imap.WHOLE + 1)
        found = imap.gather(store.ledger, server.imap, store.memory, LATER, AMPLE)
        assert (found.new, found.silent) == (1, "there was more than could be fetched in one run")
        server.manners.in_fetch = None
        assert fetch(store, server).new == 3
    whole(store, box)


def test_a_line_that_breaks_when_the_time_is_over_is_not_opened_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imap, "WHOLE", -1.0)
    with served(Box(mails(1)), Manners(cut_after=0, cuts=99)) as server:
        assert not fetch(store, server).reachable
        assert server.lines == 1


# --- the memory -------------------------------------------------------------------------------------------------------


def test_a_memory_is_of_one_mailbox_and_one_user(store: Store) -> None:
    with served(Box(mails(2))) as server:
        assert fetch(store, server).new == 2
        box = server.imap
        for other in (replace(box, user="others"), replace(box, folder="Other"), replace(box, place=box.place)):
            recalled = imap_memory.recall(store.memory, other, store.ledger)
            assert recalled.done == ({11, 12} if other == box else set())


@pytest.mark.parametrize("numbers", ["5:99999999", "9:3", "x", "1,,2:"])
def test_a_memory_that_says_too_much_is_none(store: Store, numbers: str) -> None:
    with served(Box(mails(2))) as server:
        fetch(store, server)
        text = store.memory.read_text()
        assert '"11:12"' in text
        store.memory.write_text(text.replace('"11:12"', f'"{numbers}"'))
        fetch(store, server)
    assert store.raws() == Counter(mails(2).values())


# --- names of folders -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("INBOX", '"INBOX"'),
        ("a b", '"a b"'),
        ('say "x" \\ y', '"say \\"x\\" \\\\ y"'),
        ("Trait\u00e9&vu", '"Trait&AOk-&-vu"'),
        ("\u2713\u2713", '"&JxMnEw-"'),
        ("~/\u53f0\u5317", '"~/&U,BTFw-"'),
    ],
)
def test_folders_are_named_in_the_letters_of_the_protocol(name: str, written: str) -> None:
    assert imap_line._mailbox(name) == written


@pytest.mark.parametrize(
    ("uids", "written"), [([], ""), ([5], "5"), ([5, 6], "5:6"), ([9, 1, 2, 3, 7], "1:3,7,9"), ([1, 3], "1,3")]
)
def test_neighbours_are_a_range(uids: list[int], written: str) -> None:
    assert imap_line.ranges(uids) == written


# --- the line itself --------------------------------------------------------------------------------------------------


def test_a_line_ends_politely_and_its_socket_is_closed() -> None:
    with served(Box(mails(1))) as server:
        with Line(server.imap, PASSWORD, AMPLE) as line:
            assert line.uids() == [11]
            sock = line._client.sock
        assert sock.fileno() == -1
    assert server.said[-1] == "LOGOUT"


def test_a_goodbye_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """However patient we are with other answers."""
    monkeypatch.setattr(imap_line, "GOODBYE", SHORT)
    with served(Box(mails(1)), Manners(hang_at="LOGOUT")) as server:
        line = Line(server.imap, PASSWORD, AMPLE)
        begun = time.monotonic()
        line.close()
        assert line._client.sock.fileno() == -1
        assert time.monotonic() < begun + AMPLE / 2


def test_small_questions_are_not_held_back() -> None:
    with served(Box(mails(1))) as server, Line(server.imap, PASSWORD, AMPLE) as line:
        assert line._client.sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_mails_are_marked_in_one_command(store: Store) -> None:
    box = Box({11: mail(1), 12: mail(2), 20: mail(3)})
    with served(box, committed=store.holds) as server:
        fetch(store, server)
    assert [said for said in server.said if said.startswith("UID STORE")] == [
        "UID STORE 11:12,20 +FLAGS.SILENT (\\Seen)"
    ]


def test_a_silent_line_is_given_up_when_a_second_one_brought_nothing(store: Store) -> None:
    with served(Box(mails(1)), Manners(cut_after=0, cuts=99)) as server:
        assert fetch(store, server).silent == "it hung up"
        assert server.lines == 2


# --- in portions ------------------------------------------------------------------------------------------------------


def marked(server: Rude) -> list[str]:
    """In which portions mails were stored: each is marked when it is."""
    return [said.split(" ")[2] for said in server.said if said.startswith("UID STORE")]


def test_no_more_mails_are_held_than_one_transaction_stores(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imap, "AT_A_TIME", 2)
    remembered: list[set[int]] = []
    keep = imap_memory.keep
    monkeypatch.setattr(imap_memory, "keep", lambda *given: (remembered.append({*given[3].done}), keep(*given)))
    with served(Box(mails(5)), committed=store.holds) as server:
        assert fetch(store, server).new == 5
    assert marked(server) == ["11:12", "13:14", "15"]
    assert remembered == [{11, 12}, {11, 12, 13, 14}, {11, 12, 13, 14, 15}], "a run may be killed after each"


def test_stored_then_marked_portion_by_portion(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imap, "AT_A_TIME", 2)
    passed: list[str] = []
    faults.arm(passed.append)
    try:
        with served(Box(mails(3))) as server:
            fetch(store, server)
    finally:
        faults.arm(None)
    assert passed == ["mails-fetched", "mails-stored", "mails-marked"] * 2


def test_a_line_that_achieved_something_gives_hope(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imap, "TRIES", 9)
    with served(Box(mails(2)), Manners(cut_at_uid=12), store.holds) as server:
        found = fetch(store, server)
    assert (found.new, found.silent, server.lines) == (1, "it hung up", 3)


def test_what_a_line_broke_at_comes_last(store: Store) -> None:
    with served(Box(mails(4)), Manners(cut_at_uid=12), store.holds) as server:
        fetch(store, server)
    asked = [said.split(" ")[2] for said in server.said if "<0." in said]
    assert asked == ["11", "12", "13", "14", "12"]


def test_a_server_that_does_not_say_what_is_there_is_quoted(store: Store) -> None:
    with served(Box(mails(1)), Manners(answers={"SEARCH": "NO not now"})) as server:
        assert fetch(store, server).silent == "it refuses to say what is there: not now"


def test_a_line_that_breaks_at_the_last_instant_is_opened_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    hours = [0.0]
    clock = SimpleNamespace(monotonic=lambda: hours.pop() if len(hours) > 1 else hours[0])
    hours[:] = [imap.WHOLE, 0.0]
    monkeypatch.setattr(imap, "time", clock)
    with served(Box(mails(1)), Manners(cut_after=0, cuts=99)) as server:
        assert not fetch(store, server).reachable
        assert server.lines == 2


def test_whose_a_piece_is_may_stand_behind_it() -> None:
    line = object.__new__(Line)
    answer = [b"3 (FLAGS ())", (b"1 (BODY[]<0> {3}", b"abc"), b" UID 11)"]
    line._uid = lambda *words: answer  # type: ignore[method-assign]
    assert line._piece(11, 0) == b"abc"
    assert line._piece(12, 0) is None


@pytest.mark.parametrize(("size", "asked"), [(25, 3), (20, 3)])
def test_a_full_piece_may_not_be_the_last(store: Store, monkeypatch: pytest.MonkeyPatch, size: int, asked: int) -> None:
    monkeypatch.setattr(imap_line, "PIECE", 10)
    with served(Box({11: b"x" * size})) as server:
        assert fetch(store, server).new == 1
    assert len([said for said in server.said if "BODY" in said]) == asked


def test_what_a_server_can_do_is_asked_again_when_we_are_in(store: Store) -> None:
    with served(Box(mails(1))) as server:
        fetch(store, server)
    words = [said.split(" ")[0] for said in server.said]
    assert "CAPABILITY" in words[words.index("AUTHENTICATE") :]


@pytest.mark.parametrize("wrong", ["password", "tls"])
def test_a_line_that_does_not_come_to_be_is_closed(monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
    closed: list[bool] = []
    shutdown = imap_line._Client.shutdown
    monkeypatch.setattr(imap_line._Client, "shutdown", lambda one: (closed.append(True), shutdown(one)))
    with served(Box(mails(1)), tls="starttls" if wrong == "tls" else "none") as server, pytest.raises(LineDown):
        Line(server.imap, "not this one", AMPLE)
    assert closed


def test_a_range_is_believed_up_to_a_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imap_memory, "MOST", 3)
    assert list(imap_memory._numbers("5:8,20")) == [5, 6, 7, 8, 20]
    with pytest.raises(ValueError, match="5:9"):
        list(imap_memory._numbers("5:9"))


def test_a_blank_line_ends_where_it_begins() -> None:
    assert client(Wire(b"\n"), 9).readline() == b"\n"


@pytest.mark.parametrize(("more", "portions"), [(0, ["11:12", "13"]), (1, ["11:13"])])
def test_nor_more_bytes(store: Store, monkeypatch: pytest.MonkeyPatch, more: int, portions: list[str]) -> None:
    monkeypatch.setattr(imap, "BYTES", 2 * len(mail(1)) + more)
    with served(Box(mails(3)), committed=store.holds) as server:
        assert fetch(store, server).new == 3
    assert marked(server) == portions


def test_sizes_are_asked_for_in_portions(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imap, "ASKED", 2)
    with served(Box(mails(5))) as server:
        assert fetch(store, server).new == 5
    asked = [said.split(" ")[2] for said in server.said if said.endswith("(UID RFC822.SIZE INTERNALDATE FLAGS)")]
    assert asked == ["11:12", "13:14", "15"]


def test_a_mail_comes_in_so_many_pieces_at_most(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imap_line, "PIECES", 3)
    box = Box({11: b"x" * 20, 12: b"y" * 30})
    with served(box, Manners(size_lie=1, short=10)) as server:
        found = fetch(store, server)
    assert (found.new, found.left) == (1, ("message 12 (it comes in too many pieces)",))


# --- the socket below it ----------------------------------------------------------------------------------------------


class Wire:
    """What stands for a socket: it gives these bytes, one after the other."""

    def __init__(self, *parts: bytes) -> None:
        self.parts, self.waits = list(parts), 0.0

    def settimeout(self, seconds: float) -> None:
        self.waits = seconds

    def recv(self, most: int) -> bytes:
        return self.parts.pop(0)

    def sendall(self, data: bytes) -> None:
        self.parts.append(data)


def client(wire: Wire, left: int) -> imap_line._Client:
    one = object.__new__(imap_line._Client)
    one.sock, one._patience, one._kept = wire, 7.0, bytearray()  # type: ignore[assignment]
    one._until, one._left = time.monotonic() + 5, left
    return one


def test_an_answer_may_be_as_long_as_its_room_and_no_longer() -> None:
    one = client(Wire(b"abc", b"d"), 3)
    one._receive()
    assert (bytes(one._kept), one._left) == (b"abc", 0)
    with pytest.raises(LineDown, match="it does not end its answer"):
        one._receive()


def test_a_literal_may_be_as_long_as_the_room_that_is_left() -> None:
    assert client(Wire(b"abc", b"def"), 6).read(6) == b"abcdef"
    with pytest.raises(LineDown, match="it announces more than an answer may hold"):
        client(Wire(b"abc", b"def"), 6).read(7)


def test_a_line_may_be_so_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imap_line, "LINE", 4)
    assert client(Wire(b"ab", b"cd", b"\nef"), 99).readline() == b"abcd\n"
    with pytest.raises(LineDown, match="it sends a line without an end"):
        client(Wire(b"ab", b"cde", b"\nef"), 99).readline()


def test_each_question_renews_time_and_room() -> None:
    wire = Wire()
    one = client(wire, 0)
    one._until = 0.0
    one.send(b"a1 NOOP\r\n")
    assert (wire.parts, wire.waits) == ([b"a1 NOOP\r\n"], 7.0)
    assert one._left == 4 << 20
    assert time.monotonic() < one._until <= time.monotonic() + 7
    one._receive()
    assert 0 < wire.waits <= 7, "what is left of it"


def test_what_a_server_can_make_us_hold() -> None:
    """A mail of 1 MiB comes in seventeen pieces, the last of them empty; who gives less at a time may take 256."""
    assert (imap_line.LINE, imap_line.PIECE, imap_line.PIECES) == (1 << 20, 65_536, 256)


# --- in words ---------------------------------------------------------------------------------------------------------


def untrusted(said: str) -> ssl.SSLCertVerificationError:
    error = ssl.SSLCertVerificationError(1, "long words")
    error.verify_message = said
    return error


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (LineDown("it hung up"), "it hung up"),
        (TimeoutError("timed out"), "it was silent for too long"),
        (untrusted("self-signed certificate."), "its certificate is not good: self-signed certificate"),
        (ssl.SSLError(1, "odd"), "it does not speak TLS as it should: the line was cut"),
        (socket.gaierror(-2, "Name or service not known"), "there is no machine of that name"),
        (ConnectionRefusedError(111, "Connection refused"), "connection refused"),
        (OSError("No Route"), "no route"),
        (imaplib.IMAP4.error("odd\x1b"), "it says what no server should: odd\\x1b"),
        (imaplib.IMAP4.abort("gone " + "x" * 200), "it says what no server should: gone " + "x" * 114 + "\u2026"),
        (ValueError("9" * 9), "it says what no server should (ValueError)"),
        (KeyError("x"), "it says what no server should (KeyError)"),
        (TypeError("x"), "it says what no server should (TypeError)"),
        (AttributeError("x"), "it says what no server should (AttributeError)"),
    ],
)
def test_whatever_ends_a_line_is_said_in_words(error: Exception, words: str) -> None:
    with pytest.raises(LineDown) as down, imap_line._down():
        raise error
    assert str(down.value) == words


def test_a_refusal_ends_no_line() -> None:
    with pytest.raises(Refused, match="not now"), imap_line._down():
        raise Refused("not now")


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (Refused("not now"), LineDown, "it does not open: not now"),
        (imaplib.IMAP4.error("odd\x1b"), LineDown, "it does not open: odd\\x1b"),
        (imaplib.IMAP4.abort("gone"), imaplib.IMAP4.abort, "gone"),
    ],
)
def test_who_is_not_let_in_is_told_why(error: Exception, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind) as raised, imap_line._refusing("does not open"):
        raise error
    assert (type(raised.value), str(raised.value)) == (kind, words)


def test_bad_is_an_answer_and_a_line_that_ended_is_none() -> None:
    def fails(error: Exception) -> tuple[str, list[object]]:
        raise error

    assert imap_line._asked(lambda: ("OK", [b"1"])) == ("OK", [b"1"])
    assert imap_line._asked(lambda: fails(imaplib.IMAP4.error("what?"))) == ("BAD", [b"what?"])
    with pytest.raises(imaplib.IMAP4.abort):
        imap_line._asked(lambda: fails(imaplib.IMAP4.abort("gone")))


@pytest.mark.parametrize(
    ("answer", "shown"), [([b"not", None, b"now"], "not now"), ([], "NO"), ([None], "NO"), ([b"\xff"], "\ufffd")]
)
def test_a_refusal_in_the_words_of_the_server(answer: list[object], shown: str) -> None:
    assert imap_line._shown(answer) == shown


def test_the_largest_number_of_a_message_is_one(store: Store) -> None:
    with served(Box({4_294_967_295: mail(1)}), committed=store.holds) as server:
        assert fetch(store, server).new == 1
        server.said.clear()
        assert fetch(store, server).new == 0
        assert not [said for said in server.said if said.startswith("UID FETCH")], "it is remembered"


def test_what_a_server_can_do_is_read_in_any_letters(store: Store) -> None:
    box = Box(mails(1))
    with served(box, Manners(capabilities="imap4rev1 auth=plain move"), store.holds) as server:
        assert fetch(store, server, done="Taken").new == 1
    assert [said for said in server.said if said.startswith("UID MOVE")]


def test_a_run_goes_on_to_its_last_instant(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    hour = [0.0]
    monkeypatch.setattr(imap, "time", SimpleNamespace(monotonic=lambda: hour[0]))
    with served(Box(mails(2)), committed=store.holds) as server:
        server.manners.in_fetch = lambda _: hour.__setitem__(0, imap.WHOLE)
        assert fetch(store, server).new == 2


def test_a_mailbox_that_was_empty_is_known_when_it_is_met_again(store: Store) -> None:
    """So that what somebody reads before our next run is not taken for older than we are."""
    box = Box({})
    with served(box, committed=store.holds) as server:
        fetch(store, server)
        memory = imap_memory.recall(store.memory, server.imap, store.ledger)
        assert (memory.new, memory.validity) == (False, 7)
        box.mails[11] = mail(1)
        box.flags[11] = {"\\Seen"}
        assert fetch(store, server).new == 1
