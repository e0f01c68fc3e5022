"""Who speaks for a seat: its key, in the form or in the address, and nothing else (G28, I01, I02, I06, I13)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.correspondence import speaking
from pbem.game import eras
from pbem.ledger import queues
from pbem.ledger.opening import facts_of
from pbem.submitting import contradiction
from tests.faults.figures import counted, so_many
from tests.pbem.correspondence.conftest import NOON, Post, quoted, words
from tests.pbem.host.conftest import DEADLINE
from tests.pbem.host.test_submitting import waits

HOUR = timedelta(hours=1)
PLAIN = "orders@localhost"


def test_the_key_in_the_form_speaks_for_the_seat(post: Post) -> None:
    assert post.write(post.host.file("1", "b3"), to=PLAIN) == "accepted"
    assert waits(post.host, "1") == ["b3"]


@pytest.mark.parametrize("to", ["", PLAIN])
def test_the_name_of_a_game_may_be_written_in_any_letters(post: Post, to: str) -> None:
    """Phones and people begin names with a capital."""
    to = to or post.tagged("1")
    assert post.write(post.host.file("1", "b3").replace("game: game", "game: Game"), to=to) == "accepted"
    assert waits(post.host, "1") == ["b3"]
    assert post.write(post.host.file("1", "'b4").replace("game: game", "GAME: GAME"), to=to) == "refused"
    assert "never closed" in post.text()


def test_the_key_in_the_address_supplies_what_the_form_leaves_out(post: Post) -> None:
    assert post.write("orders:\n  - b3\nend: orders") == "accepted"
    assert waits(post.host, "1") == ["b3"]


def test_a_form_without_its_key_takes_that_of_the_address(post: Post) -> None:
    form = "\n".join(line for line in post.host.file("1", "b3").splitlines() if not line.startswith("key"))
    assert post.write(form) == "accepted"
    assert waits(post.host, "1") == ["b3"]


@pytest.mark.parametrize("way", ["form", "address"])
@pytest.mark.parametrize("key", ["AAAA-AAAA", "{later}", "{others}", "{game}"])
def test_without_the_key_nobody_is_answered(post: Post, way: str, key: str) -> None:  # G28, I01
    """Neither with a key that nobody has been sent yet, nor with one of another game."""
    post.host.start("nim", "second", heaps="3,4,5")
    keys = {"later": post.host.key("1", 2), "others": post.host.key("2", 2), "game": post.host.key("1", name="second")}
    key, before = key.format(**keys), len(post.sent())
    if way == "form":
        fate = post.write(post.host.file("1", "b3", key=key), to=PLAIN)
    else:
        fate = post.write("orders:\n  - b3\nend: orders", to=post.tagged("1", key=key))
    assert fate == "quarantined"
    assert len(post.sent()) == before
    assert waits(post.host, "1") == []


def test_names_and_addresses_prove_nothing(post: Post) -> None:  # I01
    more = "Authentication-Results: mx.pbem.test; dkim=pass header.d=players.example\nReply-To: 1@players.example\n"
    before = len(post.sent())
    body = "game: game\nseat: 1\nturn: 1\norders:\n  - b3\nend: orders"
    assert post.write(body, to=PLAIN, subject="player-1", more=more) == "quarantined"
    assert len(post.sent()) == before


def test_the_seat_learns_how_many_came_without_its_key(post: Post) -> None:  # I01
    for _ in range(2):
        post.write(post.host.file("1", "b3", key="AAAA-AAAA"), to=PLAIN)
    post.write(post.host.file("2", "b3", key="AAAA-AAAA"), to=PLAIN, seat="2")
    post.host.night()
    assert "2 messages came in the name of your seat without its key" in post.text("1")
    assert "1 message came in the name of your seat without its key" in post.text("2")
    post.host.night(DEADLINE + timedelta(days=1))
    assert "without its key" not in post.text("1"), "it is told once"


def test_a_key_from_a_new_address_is_told_to_the_old(post: Post) -> None:  # I02
    assert post.write("orders:\n  - b3\nend: orders", sender="mallory@elsewhere.example") == "accepted"
    assert "This came from mallory@elsewhere.example" in post.text("1")
    assert not post.sent("elsewhere")


def test_wherever_it_asks_to_be_answered_it_is_not(post: Post) -> None:  # I13
    many = ", ".join(f"p{n}@list.example" for n in range(40))
    more = f"Reply-To: 2@players.example, {many}\nCc: everybody@list.example\nSender: x@list.example\n"
    before = post.count("2")
    assert post.write("orders:\n  - b3\nend: orders", more=more) == "accepted"
    assert not post.sent("list.example")
    assert post.count("2") == before


def test_an_old_form_in_a_new_mail_is_refused(post: Post) -> None:  # I06
    old = post.host.file("1", "b3")
    post.host.night()
    assert post.write(old, at=DEADLINE + HOUR, to=PLAIN) == "refused"
    assert "decision 1, which is closed; decision 2 is open" in post.text("1")


def test_an_answer_to_an_old_report_is_refused(post: Post) -> None:  # I06
    post.host.night()
    assert post.write("orders:\n  - b3\nend: orders", turn=1, at=DEADLINE + HOUR) == "refused"
    assert "decision 2 is open" in post.text("1")


@pytest.mark.parametrize(
    ("line", "instead"), [("seat: 1", "seat: 2"), ("game: game", "game: second"), ("key: {key}", "key: AAAA-AAAA")]
)
def test_form_and_address_that_disagree_are_refused(post: Post, line: str, instead: str) -> None:
    post.host.start("nim", "second", heaps="3,4,5")
    form = post.host.file("1", "b3").replace(line.format(key=post.host.key("1")), instead)
    before = post.count("2")
    assert post.write(form) == "refused"
    assert "not" in post.text("1")
    assert post.rows("submission")[-1].seat == "1"
    with post.host.ledger.read() as tx:
        assert "contradiction" in str(facts_of(tx, post.rows("submission")[-1].facts())["refusals"])
    assert waits(post.host, "1") == []
    assert post.count("2") == before


def test_a_proven_form_at_the_address_of_another_seat_is_refused(post: Post) -> None:
    assert post.write(post.host.file("2", "a1"), seat="1") == "refused"
    assert post.rows("submission")[-1].seat == "2"


# --- a slip of the pen in `turn:` or `seat:` --------------------------------------------------------------------------

SLIPS = {
    "turn": (
        {"turn: 2": "turn: 3"},
        "`turn: 3` does not fit the key, which is that of decision 2. Write 2 behind `turn:`.",
    ),
    "far": ({"turn: 2": "turn: 222"}, "`turn: 222` does not fit the key, which is that of decision 2."),
    "seat": ({"seat: 1": "seat: 2"}, "`seat: 2` does not fit the key, which is that of 1. Write 1 behind `seat:`."),
    "nobody": (
        {"seat: 1": "seat: one"},
        "`seat: one` does not fit the key, which is that of 1. Write 1 behind `seat:`.",
    ),
    "both": ({"turn: 2": "turn: 1", "seat: 1": "seat: 2"}, "`turn: 1` does not fit the key"),
}


def slipped(text: str, changes: dict[str, str]) -> str:
    for line, instead in changes.items():
        assert line in text
        text = text.replace(line, instead)
    return text


@pytest.mark.parametrize("way", ["mail", "address", "quoted", "file"])
@pytest.mark.parametrize("name", list(SLIPS))
def test_a_slip_is_answered_and_what_stood_stands(post: Post, name: str, way: str) -> None:
    post.host.night()
    changes, says = SLIPS[name]
    assert post.host.order("1", "c1").fate == "accepted"
    counts = post.count("1"), post.count("2")
    text = slipped(post.host.file("1", "b3"), changes)
    if way == "file":
        settled = post.host.submit(text, DEADLINE + HOUR)
        assert (settled.fate, settled.seat) == ("refused", "1")
    else:
        to, text = (None if way == "address" else PLAIN), quoted(text) if way == "quoted" else text
        answers = str(post.last()["Message-ID"]) if way == "quoted" else ""
        assert post.write(text, at=DEADLINE + HOUR, to=to, answers=answers, sender="mallory@else.example") == "refused"
    assert says in post.text("1")
    assert "What stood before still stands" in post.text("1")
    assert (post.count("1"), post.count("2")) == (counts[0] + 1, counts[1]), "one answer, to the key's own seat"
    assert not post.sent("else.example")
    assert waits(post.host, "1") == ["c1"]
    assert waits(post.host, "2") == []
    post.host.night(DEADLINE + timedelta(days=1))
    assert "without its key" not in post.text("1") + post.text("2")


def test_a_slip_without_a_key_is_nobodys_still(post: Post) -> None:  # G28
    before = len(post.sent())
    keyless = "\n".join(line for line in post.host.file("1", "b3").splitlines() if not line.startswith("key"))
    assert post.write(slipped(keyless, {"turn: 1": "turn: 3"}), to=PLAIN) == "quarantined"
    assert len(post.sent()) == before


def test_an_old_form_whose_turn_was_written_anew_is_told_from_a_slip(post: Post) -> None:  # G29
    old = post.host.file("1", "b3")
    post.host.night()
    assert post.write(slipped(old, {"turn: 1": "turn: 2"}), at=DEADLINE + HOUR, to=PLAIN) == "refused"
    assert "`turn: 2` does not fit the key, which is that of decision 1." in post.text("1")
    assert "Write 1" not in post.text("1")
    assert "decision 1, which is closed; decision 2 is open" in post.text("1")
    assert waits(post.host, "1") == []


def test_an_old_form_without_its_turn_is_answered(post: Post) -> None:
    old = slipped(post.host.file("1", "b3"), {"turn: 1\n": ""})
    post.host.night()
    assert post.write(old, at=DEADLINE + HOUR, to=PLAIN) == "refused"
    assert "There is no `turn:`, and the key is that of decision 1." in post.text("1")


@pytest.mark.parametrize("word", ["withdraw", "resign game", "say 2: hello"])
def test_a_slip_in_the_form_that_is_quoted_moves_nothing(post: Post, word: str) -> None:
    """Below a command it says whose it is, and with a slip in it says it of nobody."""
    post.host.order("1", "c1")
    text = slipped(post.host.file("1", "b3"), {"turn: 1": "turn: 3"})
    assert post.write(f"{word}\n\n{quoted(text)}", to=PLAIN) == "refused"
    assert (waits(post.host, "1"), post.host.status()) == (["c1"], "open")


def test_no_more_than_the_last_turns_are_looked_at(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a stranger's guess costs little, and is right seldom."""
    held = []
    matches = eras.keys.matches
    monkeypatch.setattr(eras.keys, "matches", lambda *given: bool(held.append(given)) or matches(*given))
    post.host.night()
    assert post.write(post.host.file("1", "b3", key="AAAA-AAAA"), to=PLAIN, at=DEADLINE + HOUR) == "quarantined"
    assert len(held) == 1 + 2 * 2, "the place that it names, then both seats at both turns"
    row = replace(post.host.row(), turn=1000)
    held.clear()
    assert contradiction.place_of(b"x" * 32, row, "AAAA-AAAA") is None
    assert len(held) == 2 * (contradiction.LATELY + 1)
    right = eras.keys.key(b"x" * 32, "2", 1000 - contradiction.LATELY)
    held.clear()
    assert contradiction.place_of(b"x" * 32, row, right) == ("2", 1000 - contradiction.LATELY, eras.Spoken.NOW)
    assert len(held) == 2 * (contradiction.LATELY + 1), "as many as for a wrong one"
    older = eras.keys.key(b"x" * 32, "2", 999 - contradiction.LATELY)
    assert contradiction.place_of(b"x" * 32, row, older) is None


def test_a_key_of_before_a_take_back_is_known_as_such(post: Post) -> None:
    row = replace(post.host.row(), turn=5, attendance={"backs": 1})
    before, since = (eras.keys.key(b"x" * 32, "2", 7 - turns, era) for turns, era in ((0, ""), (3, "1.1")))
    assert contradiction.place_of(b"x" * 32, row, before) == ("2", 7, eras.Spoken.BEFORE)
    assert contradiction.place_of(b"x" * 32, row, since) == ("2", 4, eras.Spoken.NOW)


def test_weakened_a_slip_is_looked_for_nowhere(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contradiction, "spoken", lambda *_: None)
    assert post.write(slipped(post.host.file("1", "b3"), {"turn: 1": "turn: 3"}), to=PLAIN) == "quarantined"


def test_weakened_a_slip_that_is_not_told_is_an_order(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speaking, "contradictions", lambda *_: ())
    text = slipped(post.host.file("1", "b3"), {"seat: 1": "seat: 2"})
    assert post.write(text, to=PLAIN) == "accepted"
    assert (waits(post.host, "1"), waits(post.host, "2")) == (["b3"], [])


def test_weakened_the_seat_that_a_form_names_is_answered(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose key it has is answered nothing, and somebody else reads his orders."""
    before = post.count("1"), post.count("2")
    monkeypatch.setattr(speaking, "place_of", lambda *given: contradiction.place_of(*given)._replace(seat="2"))
    text = slipped(post.host.file("1", "b3"), {"turn: 1": "turn: 3"})
    assert post.write(text, to=PLAIN, seat="2") == "refused"
    assert (post.count("1"), post.count("2")) == (before[0], before[1] + 1)


# ----------------------------------------------------------------------------------------------------------------------


def test_what_is_written_by_hand_is_understood(post: Post) -> None:
    key = post.host.key("1").lower().replace("-", " ")
    form = post.host.file("1", "b3").replace(post.host.key("1"), key)
    assert post.write(form, to=PLAIN) == "accepted"


@pytest.mark.timeout(3600)
def test_g28_ten_thousand_keys_are_guessed(post: Post) -> None:
    """None is taken, and no stranger is answered. A share of them, or all with PBEM_LONG set."""
    before, many, fates = len(post.sent()), so_many(200, 10_000), Counter[str]()
    guesses = [f"{number * 7919 % 10**8:08d}" for number in range(many)]
    half = many // 2
    for first in range(0, half, 100):
        raws = [
            post.mail(post.host.file("1", "b3", key=f"{key[:4]}-{key[4:]}"), to=PLAIN)
            for key in guesses[first : first + 100]
        ]
        raws += [
            post.mail("orders:\n  - b3\nend: orders", to=post.tagged("1", key=key))
            for key in guesses[half + first : half + first + 100]
        ]
        fates.update(post.bring(*raws))
    assert fates == {"quarantined": many}
    assert len(post.sent()) == before
    with post.host.ledger.read() as tx:
        assert queues.of_game(tx, "game")["1"].keyless == many
    counted(fates.total(), "keys guessed in mails, in the form or in the address")
    counted(fates.total() - fates["quarantined"], "taken")
    counted(len(post.sent()) - before, "replies to strangers")


def test_g28_weakened_without_the_comparison_anybody_speaks(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eras.keys, "matches", lambda *_: True)
    assert post.write(post.host.file("1", "b3", key="AAAA-AAAA"), to=PLAIN) == "accepted"


# --- what was only quoted (G29) ---------------------------------------------------------------------------------------


def form_in(post: Post, seat: str = "1") -> tuple[str, str]:
    """The form of the last letter to a seat, and the id of that letter."""
    mail = post.last(seat)
    file = next(part for part in mail.iter_attachments() if part.get_filename() == "orders.yml")
    return str(file.get_content()), str(mail["Message-ID"])


def test_our_form_sent_back_orders_nothing(post: Post) -> None:  # G29
    form, answered = form_in(post)
    assert post.write(f"Nice game!\n\n{quoted(form)}", answers=answered) == "refused"
    assert "unchanged, and no new order" in post.text()
    assert waits(post.host, "1") == []


FILED = """--cut
Content-Type: text/plain; charset=utf-8

{text}
--cut
Content-Type: text/yaml; charset=utf-8; name="orders.yml"
Content-Disposition: attachment; filename="orders.yml"

{file}
--cut--"""


def sent_along(post: Post, text: str, *, more: str = "", file: str = "", answered: str = "") -> str:
    """The fate of an answer to the first letter with the files of that letter, as some programs send them along."""
    report = post.sent("1@players.example")[0]
    form = next(part for part in report.iter_attachments() if part.get_filename() == "orders.yml")
    letter = str(report.get_body(("plain",)).get_content()).replace("\r\n", "\n")  # type: ignore[union-attr]
    body = FILED.format(text=text + more.format(letter=quoted(letter)), file=file or str(form.get_content()))
    answers = answered or str(report["Message-ID"])
    return post.write(body.replace("\r\n", "\n"), answers=answers, kind='multipart/mixed; boundary="cut"')


BELOW = "\n\nOn 18/11/2026, pbem <orders@localhost> wrote:\n\n{letter}"


@pytest.mark.parametrize("more", ["", BELOW])
def test_our_file_that_was_sent_along_orders_nothing(post: Post, more: str) -> None:  # G29
    post.write(post.host.file("1", "b3"))
    assert sent_along(post, "When is it due?", more=more) == "refused"
    assert "unchanged, and no new order" in post.text()
    assert waits(post.host, "1") == ["b3"]
    assert sent_along(post, "say all: hello", more=more) == "accepted"
    assert "Your words have been passed on" in post.text()
    assert waits(post.host, "1") == ["b3"]


@pytest.mark.parametrize("more", ["", BELOW])
def test_new_orders_count_above_our_file_that_was_sent_along(post: Post, more: str) -> None:
    assert sent_along(post, post.host.file("1", "b3"), more=more) == "accepted"
    assert waits(post.host, "1") == ["b3"]
    assert sent_along(post, "Hello", more=BELOW.replace("{letter}", quoted(post.host.file("1", "c2")))) == "accepted"
    assert waits(post.host, "1") == ["c2"]


def test_a_file_that_was_changed_counts(post: Post) -> None:
    assert sent_along(post, "status", more=BELOW, file=post.host.file("1", "c2")) == "accepted"
    assert waits(post.host, "1") == ["c2"]
    assert sent_along(post, post.host.file("1", "b3"), file=post.host.file("1", "c1")) == "refused"
    assert "Two different order forms stand in this mail" in post.text()
    assert waits(post.host, "1") == ["c2"]
    assert sent_along(post, "As it is", file=post.host.file("1", "a1"), answered="<else@players.example>") == "accepted"
    assert waits(post.host, "1") == ["a1"], "in a mail of its own, or in that of somebody else"


def test_a_file_that_orders_what_silence_would_mean_in_its_own_way_counts(post: Post) -> None:
    post.write(post.host.file("1", "b3"))
    assert sent_along(post, "As it is", file=post.host.file("1", "a1")) == "accepted"
    assert waits(post.host, "1") == ["a1"]


def test_our_form_sent_back_takes_nothing_back(post: Post) -> None:
    report, answered = form_in(post)
    post.write(post.host.file("1", "b3"))
    assert post.write(quoted(report), answers=answered) == "refused"
    assert waits(post.host, "1") == ["b3"]


def test_without_a_reference_the_form_is_known_all_the_same(post: Post) -> None:
    form, _ = form_in(post)
    assert post.write(quoted(form)) == "refused"
    assert waits(post.host, "1") == []


def test_a_quoted_form_that_was_filled_in_counts(post: Post) -> None:
    form, answered = form_in(post)
    [before] = [line for line in form.splitlines() if line.startswith("  -")]
    assert post.write(quoted(form.replace(before, "  - b3")), answers=answered) == "accepted"
    assert waits(post.host, "1") == ["b3"]


def test_what_was_ordered_before_is_no_order_below_a_mail_of_ones_own(post: Post) -> None:  # G29
    """He answers his own mail: what he ordered then stands there, quoted, and no more holds."""
    old, new = post.host.file("1", "b3"), post.host.file("1", "c1")
    assert post.write(old, message_id="<first@players.example>") == "accepted"
    assert post.write(new) == "accepted"
    assert post.write(f"Was this right?\n\n{quoted(old)}", answers="<first@players.example>") == "refused"
    assert waits(post.host, "1") == ["c1"]


def test_weakened_whatever_is_quoted_may_be_meant(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two guards stand here: his receipt offered the same form, and below a mail of his own nothing counts."""
    from pbem.correspondence import opening

    old = post.host.file("1", "b3")
    post.write(old, message_id="<first@players.example>")
    post.write(post.host.file("1", "c1"))
    monkeypatch.setattr(opening, "_is_ours", lambda *_: False)
    assert post.write(f"Was this right?\n\n{quoted(old)}", answers="<first@players.example>") == "refused"
    monkeypatch.setattr(opening, "_may_be_meant", lambda *_: True)
    assert post.write(f"Was it right?\n\n{quoted(old)}", answers="<first@players.example>") == "accepted"


def test_weakened_quoted_forms_that_count_are_orders(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    from pbem.correspondence import opening

    monkeypatch.setattr(opening, "_is_ours", lambda *_: False)
    form, answered = form_in(post)
    assert post.write(quoted(form), answers=answered) == "accepted"


def test_what_holds_no_order_is_answered_with_what_was_read(post: Post) -> None:
    assert post.write("Hello, is anybody there? <script>") == "refused"
    assert "No order was found in your mail, which begins: Hello, is anybody there?" in post.text()
    assert post.last()["Auto-Submitted"] == "auto-replied"


def test_answers_go_into_the_thread(post: Post) -> None:
    post.write("orders:\n  - b3\nend: orders", message_id="<mine@players.example>")
    assert post.last()["In-Reply-To"] == "<mine@players.example>"
    assert str(post.last()["References"]).endswith("<mine@players.example>")
    assert words(post.last())
    assert NOON
