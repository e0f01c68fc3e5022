"""What stands in a server's answers: odd shapes that are understood, and nonsense that is the end of the line."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from pbem.arriving import imap, imap_line, imap_memory
from pbem.arriving.imap_line import About, Line, LineDown
from tests.pbem.arriving.conftest import LATER, Store, mail, mails
from tests.pbem.arriving.rude_imap import PASSWORD, Box, Manners, served
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
        server.manners.after_fetch = lambda _: hour.append(hour.pop() + imap.WHOLE + 1)
        found = imap.gather(store.ledger, server.imap, store.memory, LATER, AMPLE)
        assert (found.new, found.silent) == (1, "there was more than could be fetched in one run")
        server.manners.after_fetch = None
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
    import socket

    with served(Box(mails(1))) as server, Line(server.imap, PASSWORD, AMPLE) as line:
        assert line._client.sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_mails_are_marked_in_one_command(store: Store) -> None:
    box = Box({11: mail(1), 12: mail(2), 20: mail(3)})
    with served(box, committed=store.holds) as server:
        fetch(store, server)
    assert [said for said in server.said if said.startswith("UID STORE")] == [
        "UID STORE 11:12,20 +FLAGS.SILENT (\\Seen)"
    ]
