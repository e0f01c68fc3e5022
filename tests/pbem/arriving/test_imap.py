"""IMAP: every message stored once, none marked before it is committed, however rude the server is (G3, G4, G6)."""

from __future__ import annotations

import os
import ssl
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.arriving import imap, imap_line, imap_memory
from pbem.arriving.brought import Brought, told
from pbem.arriving.imap import gather
from pbem.arriving.message import LARGEST
from tests.faults.figures import counted
from tests.faults.figures import told as said_of
from tests.pbem.arriving.conftest import LATER, NOON, Store, mail, mails
from tests.pbem.arriving.rude_imap import PASSWORD, Box, Manners, Rude, served

LONG = "PBEM_LONG" in os.environ
AMPLE = 20.0  # seconds of patience with a server that answers: the machine may be busy with other things
SHORT = 0.4  # with one that will not


@pytest.fixture(autouse=True)
def password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", PASSWORD)


def fetch(store: Store, server: Rude, patience: float = AMPLE, **more: str) -> Brought:
    return gather(store.ledger, replace(server.imap, **more), store.memory, LATER, patience)


def whole(store: Store, box: Box) -> None:
    """Everything that is or was in the mailbox is stored, once."""
    there = [*box.mails.values(), *(raw for moved in box.moved.values() for raw in moved)]
    assert store.raws() == Counter(dict.fromkeys(there, 1))


# --- well-mannered servers --------------------------------------------------------------------------------------------


def test_what_is_there_is_stored_then_marked_and_not_looked_at_again(store: Store) -> None:
    box = Box(mails(120))
    with served(box, committed=store.holds) as server:
        found = fetch(store, server)
        assert (found.new, found.known, found.left, found.reachable) == (120, 0, (), True)
        whole(store, box)
        assert all("\\Seen" in box.flags_of(uid) for uid in box.mails)
        server.said.clear()
        assert fetch(store, server).new == 0
        assert not [said for said in server.said if said.startswith(("UID FETCH", "UID STORE"))]
    assert server.user == "orders"


def test_what_a_person_has_looked_at_is_fetched_all_the_same(store: Store) -> None:
    """A mark that somebody else sets loses nothing; only what was read before the first run is none of ours."""
    box = Box(mails(3), flags={11: {"\\Seen"}})
    with served(box, committed=store.holds) as server:
        assert fetch(store, server).new == 2
        box.mails[20] = mail(20)
        box.flags[20] = {"\\Seen", "\\Answered"}
        assert fetch(store, server).new == 1


@pytest.mark.parametrize("capabilities", ["MOVE UIDPLUS", "UIDPLUS", ""])
def test_taken_mails_are_moved_to_a_folder_that_is_made(store: Store, capabilities: str) -> None:
    box = Box(mails(5), flags={11: {"\\Seen"}})
    everything = Counter(box.mails.values())
    with served(box, Manners(capabilities=f"IMAP4rev1 {capabilities}"), store.holds) as server:
        assert fetch(store, server, done="Traité&vu").new == 5
        assert fetch(store, server, done="Traité&vu").new == 0
    assert Counter(box.moved["Trait&AOk-&-vu"]) == everything
    assert store.raws() == everything
    assert not [uid for uid in box.mails if "\\Deleted" not in box.flags_of(uid)]
    # What was copied is taken out of the folder only where nothing goes with it that others have deleted.
    assert ("UID EXPUNGE 11:15" in server.said) is (capabilities == "UIDPLUS")


def test_the_hour_of_arrival_is_the_servers(store: Store) -> None:  # G16
    dates = {11: "18-Nov-2026 13:00:00 +0100", 12: " 1-Jan-2027 00:00:00 +0000", 13: "31-Feb-2026 99:00:00 +0000"}
    with served(Box(mails(3), dates=dates)) as server:
        fetch(store, server)
    assert [one.at for one in store.waiting()] == [NOON, LATER, LATER]  # what is no time, or to come, is now


def test_large_mails_are_read_in_pieces_and_of_too_large_ones_the_beginning(store: Store) -> None:
    fits = mail(1, "x" * 70 + "\r\n")[:-14] + b"y" * 200_000
    fits += b"z" * (LARGEST - len(fits))
    larger = mail(2) + b"y" * LARGEST
    box = Box({11: fits, 12: larger, 13: mail(3)})
    with served(box, committed=store.holds) as server:
        found = fetch(store, server)
    assert store.raws() == Counter([fits, b"X-Cut-Short: %d\r\n" % len(larger) + larger[:LARGEST], mail(3)])
    assert (found.new, found.left, told([found])) == (3, (), [])
    assert "\\Seen" in box.flags_of(12)


def test_another_numbering_doubles_nothing(store: Store) -> None:  # G4
    box = Box(mails(30))
    with served(box, committed=store.holds) as server:
        fetch(store, server)
        box.mails = {uid + 500: raw for uid, raw in box.mails.items()}
        box.validity += 1
        box.mails[900] = mail(900)
        found = fetch(store, server)
    assert (found.new, found.known) == (1, 30)
    whole(store, box)


def test_a_mailbox_delivered_twice_counts_once(store: Store) -> None:  # G4
    """The provider delivers a mail again, by another way: other lines above it, the same mail."""
    box = Box({11: mail(1), 12: mail(1).replace(b"somewhere", b"elsewhere"), 13: mail(1, "others")})
    with served(box) as server:
        found = fetch(store, server)
    assert (found.new, found.known) == (2, 1)
    assert store.raws() == Counter([mail(1), mail(1, "others")])


def test_after_a_restore_everything_is_fetched_again(make_store: Callable[[], Store]) -> None:
    """The mails since the backup are marked on the server, and not in the ledger any more."""
    lost, restored = make_store(), make_store()
    box = Box(mails(4))
    with served(box, committed=lost.holds) as server:
        fetch(lost, server)
        restored.memory.write_bytes(lost.memory.read_bytes())
        assert fetch(restored, server).new == 4


@pytest.mark.parametrize(
    "text", ["", "{}", "[1]", '{"mailbox": 3}', "\x00", "null", "9" * 5000, '{"done": "1:99999999999"}']
)
def test_a_memory_that_means_nothing_is_none(store: Store, text: str) -> None:
    store.memory.write_text(text)
    with served(Box(mails(2))) as server:
        assert fetch(store, server).new == 2


# --- rude ones --------------------------------------------------------------------------------------------------------


def bytes_said(make_store: Callable[[], Store], box: Box, **more: str) -> int:
    with served(box) as server:
        fetch(make_store(), server, **more)
        return server.bytes


class Cuts:
    """What became of the mails of a fetch that was cut again and again."""

    def __init__(self, said: int, how: str) -> None:
        self.said, self.how, self.cuts, self.half, self.lost = said, how, 0, 0, 0

    def add(self, store: Store, sent: Counter[bytes]) -> None:
        self.cuts += 1
        self.half += sum((store.raws() - sent).values())
        self.lost += sum((sent - store.raws()).values())

    def tell(self) -> None:
        said_of(f"cut {self.how}: {self.cuts} places of {self.said} bytes")
        counted(self.cuts, "fetches cut at a byte")
        counted(self.half, "mails half or twice")
        counted(self.lost, "mails lost")


def points(said: int) -> list[int]:
    return list(range(0, said, 1 if LONG else 11))


@pytest.mark.slow
@pytest.mark.parametrize("done", ["", "Taken"])
def test_cut_at_every_byte_once(make_store: Callable[[], Store], done: str) -> None:  # G6
    """The line is cut once, anywhere: the same run ends with everything stored once and put away."""
    said = bytes_said(make_store, Box(mails(3), folders={"INBOX", "Taken"}), done=done)
    cuts = Cuts(said, "once, mails moved" if done else "once, mails marked")
    for point in points(said):
        store, box = make_store(), Box(mails(3), folders={"INBOX", "Taken"})
        with served(box, Manners(cut_after=point), store.holds) as server:
            found = fetch(store, server, done=done)
        assert found.reachable, (point, found)
        assert store.raws() == Counter(mails(3).values()), point
        assert (len(box.moved["Taken"]) >= 3) if done else all("\\Seen" in box.flags_of(uid) for uid in box.mails), (
            point
        )
        cuts.add(store, Counter(mails(3).values()))
        store.ledger.close()
    cuts.tell()


@pytest.mark.slow
def test_cut_at_every_byte_until_the_next_run(make_store: Callable[[], Store]) -> None:  # G6
    """Every line of a run is cut there: what was fetched whole is stored, no half, and the next run ends it."""
    said = bytes_said(make_store, Box(mails(3)))
    cuts = Cuts(said, "until the next run")
    for point in points(said):
        store, box = make_store(), Box(mails(3))
        with served(box, Manners(cut_after=point, cuts=99), store.holds) as server:
            found = fetch(store, server)
            assert set(store.raws()) <= set(box.mails.values()), point
            assert len(store.raws()) + len(found.left) == 3 or not found.reachable, point
            server.manners.cuts = 0
            assert fetch(store, server).reachable
        whole(store, box)
        cuts.add(store, Counter(mails(3).values()))
        store.ledger.close()
    cuts.tell()


@pytest.mark.parametrize("word", ["CAPABILITY", "AUTHENTICATE", "SELECT", "SEARCH", "FETCH", "STORE", "LOGOUT"])
@pytest.mark.parametrize("answer", ["NO not now", "BAD what", "OK", "nonsense", "* BYE gone"])
def test_no_command_that_is_refused_loses_anything(store: Store, word: str, answer: str) -> None:  # G6
    box = Box(mails(4))
    with served(box, Manners(answers={word: answer}), store.holds) as server:
        found = fetch(store, server)
        assert "\n" not in "".join(told([found]))
        assert store.raws() in (Counter(), Counter(mails(4).values()))
        assert found.new == len(store.raws())
        if word in {"STORE", "LOGOUT"}:
            assert found.new == 4
            assert found.reachable or word == "STORE"
        server.manners.answers = {}
        assert fetch(store, server).reachable
    whole(store, box)


@pytest.mark.parametrize("word", ["CAPABILITY", "AUTHENTICATE", "SELECT", "SEARCH", "FETCH", "STORE", "LOGOUT"])
def test_a_server_that_falls_silent_is_left_in_time(store: Store, word: str) -> None:  # G6
    box = Box(mails(2))
    begun = time.monotonic()
    with served(box, Manners(hang_at=word), store.holds) as server:
        found = fetch(store, server, SHORT)
        assert time.monotonic() - begun < 8 * SHORT + 2
        assert found.reachable == (word == "LOGOUT")
        server.manners.hang_at = ""
        fetch(store, server)
    whole(store, box)


def test_no_greeting_at_all(store: Store) -> None:
    with served(Box(mails(1)), Manners(greeting=None)) as server:
        found = fetch(store, server, SHORT)
    assert found.silent == "it was silent for too long"
    assert told([found]) == [
        f"{server.imap.place} was NOT read to its end (it was silent for too long); "
        "what is there waits for the next run."
    ]


@pytest.mark.parametrize(
    "greeting",
    [
        b"* BYE busy\r\n",
        b"220 mail ESMTP\r\n",
        b"\r\n",
        b"\x00" * 4000,
        b"* OK",
        b"* OK " + b"x" * 3_000_000,
        b"{9}\r\n",
        b"* OK {%b}\r\n" % (b"9" * 5000),
    ],
    ids=range(8),
)
def test_greetings_of_another_kind(store: Store, greeting: bytes) -> None:
    with served(Box(mails(1)), Manners(greeting=greeting)) as server:
        assert not fetch(store, server, SHORT).reachable
        server.manners.greeting = Manners().greeting
        assert fetch(store, server).new == 1


def test_one_byte_a_second_is_too_slow(store: Store) -> None:
    begun = time.monotonic()
    with served(Box(mails(1)), Manners(slow=SHORT / 4), store.holds) as server:
        found = fetch(store, server, SHORT)
    assert found.silent in {"it was too slow", "it was silent for too long"}
    assert time.monotonic() - begun < 6 * SHORT + 2


@pytest.mark.parametrize("lie", [-40, -1, 1, 2, 40, 5_000_000, 10**30])
def test_sizes_of_literals_that_lie(store: Store, lie: int) -> None:  # G6
    """Nothing half is stored; when the server tells the truth again, everything is."""
    box = Box(mails(3))
    with served(box, Manners(lie=0), store.holds) as server:
        server.manners.lie = lie
        fetch(store, server, SHORT)
        assert set(store.raws()) <= set(box.mails.values())
        server.manners.lie = 0
        fetch(store, server)
    whole(store, box)


@pytest.mark.parametrize("lie", [-50, -1, 1, 5000])
@pytest.mark.parametrize("short", [1 << 30, 50])
def test_sizes_of_mails_that_lie(store: Store, lie: int, short: int) -> None:
    """Some servers guess; the mail is what they give until nothing comes any more."""
    box = Box(mails(3))
    with served(box, Manners(size_lie=lie, short=short), store.holds) as server:
        found = fetch(store, server)
    assert (found.new, found.left) == (3, ())
    whole(store, box)


def test_a_mail_far_larger_than_it_was_said_to_be_is_cut_as_well(store: Store) -> None:
    box = Box({11: mail(1) + b"x" * 1_400_000, 12: mail(2)})
    with served(box, Manners(size_lie=-1_399_000), store.holds) as server:
        found = fetch(store, server)
    [cut] = store.raws() - Counter([mail(2)])
    line, _, beginning = cut.partition(b"\r\n")
    assert (line[:13], beginning) == (b"X-Cut-Short: ", box.mails[11][:LARGEST])
    assert (found.new, found.left) == (2, ())


def test_a_mail_of_which_a_server_gives_nothing_is_left_until_it_does(store: Store) -> None:
    """Seen red: nothing was stored as the whole mail, and the mail on the server marked."""
    box = Box(mails(2))
    with served(box, Manners(empty=True), store.holds) as server:
        found = fetch(store, server)
        assert (found.new, len(found.left), store.raws()) == (0, 2, Counter())
        server.manners.empty = False
        assert fetch(store, server).new == 2
    whole(store, box)


def test_a_message_that_always_cuts_the_line_holds_up_no_other(store: Store) -> None:
    box = Box(mails(9))
    with served(box, Manners(cut_at_uid=13), store.holds) as server:
        found = fetch(store, server)
        assert found.new == 8
        assert found.left == ("message 13 (it hung up)",)
        assert found.reachable, "all others were fetched"
        assert server.lines == 3, "two broke at it, and the third knew better"
        server.manners.cut_at_uid = 0
        assert fetch(store, server).new == 1
    whole(store, box)


def test_vanished_doubled_and_unasked(store: Store) -> None:
    box = Box(mails(9))
    manners = Manners(vanished=frozenset({12}), twice=True, unasked=True, noise=b"* 5 EXISTS\r\n* OK still here\r\n")
    with served(box, manners, store.holds) as server:
        found = fetch(store, server)
    del box.mails[12]
    assert (found.new, found.known, found.left, found.reachable) == (8, 0, (), True)
    whole(store, box)


def test_the_numbering_changes_between_two_lines(store: Store) -> None:
    """No number of the old numbering is marked under the new one."""
    box = Box(mails(6))

    def renumber(box: Box) -> None:
        server.manners.after_fetch = None
        server.manners.cut_after = 0
        server.manners.cuts = 1
        box.validity += 1
        box.mails = {uid + 1: raw for uid, raw in box.mails.items()}

    with served(box, Manners(after_fetch=renumber), store.holds) as server:
        fetch(store, server)
    whole(store, box)
    assert all("\\Seen" in box.flags_of(uid) for uid in box.mails)


@pytest.mark.parametrize("done", ["", "Taken"])
@pytest.mark.parametrize("answer", ["NO read-only", "BAD read-only"])
def test_marks_that_are_refused_are_a_warning_and_nothing_is_fetched_twice(
    store: Store, done: str, answer: str
) -> None:
    box = Box(mails(4))
    refused = dict.fromkeys(("STORE", "MOVE", "COPY", "CREATE"), answer)
    with served(box, Manners(answers=refused), store.holds) as server:
        found = fetch(store, server, done=done)
        assert found.reachable
        assert "cannot be marked or moved" in found.warning
        server.said.clear()
        assert fetch(store, server, done=done).new == 0
        assert not [said for said in server.said if "BODY" in said]
    whole(store, box)


@pytest.mark.parametrize("place", [("127.0.0.1", 1), ("no-such-machine.invalid", 143)])
def test_a_server_that_is_not_there_is_one_line(store: Store, place: tuple[str, int]) -> None:
    from pbem.arriving.settings import Imap
    from pbem.settings import Place

    found = gather(store.ledger, Imap(Place(*place), "none", "x"), store.memory, LATER, SHORT)
    assert not found.reachable
    assert len(told([found])) == 1


def test_a_wrong_password_is_said_without_it(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:  # G35
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", "not-this-one")
    for capabilities in ("IMAP4rev1 AUTH=PLAIN", "IMAP4rev1"):
        with served(Box(mails(1)), Manners(capabilities=capabilities)) as server:
            found = fetch(store, server)
        assert "does not let us in" in found.silent
        assert "not-this-one" not in str(found)


# --- TLS --------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("certificate")
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
    try:
        subprocess.run(
            ["openssl", "req", "-x509", *curve, "-nodes", *files, "-days", "3", *names], check=True, capture_output=True
        )
    except FileNotFoundError:
        pytest.skip("openssl is not installed")
    return folder


@pytest.fixture
def server_tls(certificate: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate / "cert.pem", certificate / "key.pem")
    return context


@pytest.mark.parametrize("tls", ["tls", "starttls"])
def test_tls_is_checked(store: Store, server_tls: ssl.SSLContext, certificate: Path, tls: str) -> None:
    manners = Manners(capabilities="IMAP4rev1 STARTTLS AUTH=PLAIN")
    box = Box(mails(2))
    with served(box, manners, store.holds, server_tls, tls) as server:
        unknown = gather(store.ledger, server.imap, store.memory, LATER, AMPLE)
        assert "its certificate is not good" in unknown.silent
        known = replace(server.imap, ca_file=certificate / "cert.pem")
        elsewhere = replace(known, place=replace(known.place, host="127.0.0.2"))
        assert not gather(store.ledger, elsewhere, store.memory, LATER, AMPLE).reachable
        assert not [said for said in server.said if said.startswith(("LOGIN", "AUTH"))], "no password was told"
        assert gather(store.ledger, known, store.memory, LATER, AMPLE).new == 2


def test_nothing_said_in_the_clear_is_believed_after_starttls(
    store: Store, server_tls: ssl.SSLContext, certificate: Path
) -> None:
    manners = Manners(capabilities="IMAP4rev1 STARTTLS AUTH=PLAIN", starttls_tail=b"* CAPABILITY IMAP4rev1 EVIL\r\n")
    with served(Box(mails(2)), manners, store.holds, server_tls, "starttls") as server:
        found = gather(store.ledger, replace(server.imap, ca_file=certificate / "cert.pem"), store.memory, LATER, AMPLE)
    assert found.silent == "it speaks on in the clear after STARTTLS"


@pytest.mark.parametrize("capabilities", ["IMAP4rev1 AUTH=PLAIN", "IMAP4rev1 LOGINDISABLED"])
def test_a_server_that_takes_starttls_away_gets_no_password(store: Store, capabilities: str) -> None:
    with served(Box(mails(2)), Manners(capabilities=capabilities), tls="starttls") as server:
        assert fetch(store, server).silent == "it does not know STARTTLS"
        assert not [said for said in server.said if said.startswith(("LOGIN", "AUTH"))]


def test_tls_with_one_who_does_not_speak_it(store: Store, certificate: Path) -> None:
    with served(Box(mails(1))) as server:
        found = fetch(store, server, tls="tls")
    assert found.silent.startswith("it does not speak TLS as it should: ")


def test_tls_cut_in_the_middle(make_store: Callable[[], Store], server_tls: ssl.SSLContext, certificate: Path) -> None:
    for point in (0, 60, 300, 600, 900):
        store, box = make_store(), Box(mails(4))
        with served(box, Manners(cut_after=point), store.holds, server_tls, "tls") as server:
            known = replace(server.imap, ca_file=certificate / "cert.pem")
            assert gather(store.ledger, known, store.memory, LATER, AMPLE).reachable
        whole(store, box)


# --- weakened builds --------------------------------------------------------------------------------------------------


def test_g3_a_build_that_marks_first_is_seen(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    stored = imap._store

    def mark_first(run: imap._Run) -> None:
        run.unmarked |= run.batch.keys()

    def then_store(run: imap._Run, line: imap_line.Line) -> None:
        if run.unmarked:
            line.mark(sorted(run.unmarked))
            stored(run)

    monkeypatch.setattr(imap, "_store", mark_first)
    monkeypatch.setattr(imap, "_put_away", then_store)
    with pytest.raises(AssertionError, match="marked before"), served(Box(mails(3)), None, store.holds) as server:
        fetch(store, server)


def test_g6_a_build_that_believes_half_an_answer_is_seen(
    make_store: Callable[[], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A literal that is cut is taken for the mail: some cut stores half of one."""

    def lenient(self: imap_line._Client, size: int) -> bytes:
        try:
            while len(self._kept) < size:
                self._receive()
        except imap_line.LineDown:
            self.__dict__["broken"] = True
        return self._taken(min(size, len(self._kept)))

    def readline(self: imap_line._Client, real: Callable[..., bytes] = imap_line._Client.readline) -> bytes:
        if self.__dict__.get("broken"):
            return b")\r\n" if self.__dict__.pop("broken") else b""
        try:
            return real(self)
        except imap_line.LineDown:
            return self.tagpre + str(self.tagnum - 1).encode() + b" OK done\r\n"

    monkeypatch.setattr(imap_line._Client, "read", lenient)
    monkeypatch.setattr(imap_line._Client, "readline", readline)
    monkeypatch.setattr(imap_line.Line, "body", lambda line, uid, size, most: line._piece(uid, 0))
    halves = 0
    said = bytes_said(make_store, Box(mails(1)))
    for point in range(said // 2, said, 7):
        store, box = make_store(), Box(mails(1))
        with served(box, Manners(cut_after=point, cuts=99)) as server:
            fetch(store, server)
        halves += not set(store.raws()) <= set(box.mails.values())
    assert halves


def test_g4_without_looking_at_the_words_a_second_delivery_doubles(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem.arriving import storing

    monkeypatch.setattr(storing.letters, "of_id", lambda tx, message_id: [])
    with served(Box({11: mail(1), 12: mail(1).replace(b"somewhere", b"elsewhere")})) as server:
        assert fetch(store, server).new == 2


def test_the_memory_forgets_what_is_gone(store: Store) -> None:
    box = Box(mails(5))
    with served(box) as server:
        fetch(store, server)
        box.mails = {30: mail(30)}
        fetch(store, server)
    assert imap_memory.recall(store.memory, server.imap, store.ledger).done == {30}


def test_instants_are_read_as_they_stand() -> None:
    about = imap_line._about(b'1 (UID 5 RFC822.SIZE 9 INTERNALDATE "18-Nov-2026 23:30:00 -0330" FLAGS ())')
    assert about is not None
    assert about.at == datetime(2026, 11, 19, 3, tzinfo=UTC)
