"""Letters as text: what stands in them, in which order, and that it can be read aloud."""

from __future__ import annotations

import dataclasses

import pytest

from engine.game import Notice
from pbem.reports import telling, text
from pbem.reports.plain import COLUMNS, width
from pbem.reports.report import Menu, Place, Problem, Reader, Said, Stands, Step, Taken, Understood
from pbem.reports.words import Memo
from tests.pbem.reports import letters
from tests.pbem.reports.letters import EVERY


def headings(rendered: str) -> list[str]:
    return [line for line in rendered.split("\n") if line.isupper()]


def test_a_report_tells_things_in_the_order_they_are_needed():
    rendered = text.render(letters.quiet())
    assert headings(rendered) == ["WHAT HAPPENED", "THE POSITION", "WHAT YOU MUST DECIDE", "ORDER FORM"]
    flowing = " ".join(rendered.split())
    places = [
        flowing.index(part)
        for part in (
            "You are to decide",
            "Seat 1 takes 2 from heap b, which leaves 2. [NIM-2.1]",
            "Heap a holds 3 objects.",
            "a ooo",
            "Position line: nim1 3-2-5 2 normal 0 -",
            "If you send nothing: a1.",
            "Deadline: Thursday 19 November 2026, 21:00 (Europe/Paris, UTC+01:00).",
            "That is Friday 20 November 2026, 01:45 (Asia/Kathmandu, UTC+05:45) for the game.",
            "game: jade-river",
            "end: orders",
            "Dice commitment:",
            "Ledger head:",
        )
    ]
    assert places == sorted(places)


def test_every_event_is_followed_by_its_rule():
    rendered = text.render(letters.quiet())
    told = " ".join(line.strip() for line in rendered.split("\n"))
    for step in letters.quiet().steps:
        for event in step.events:
            assert f". [{event.rule}]" in told


@pytest.mark.parametrize("kind", EVERY)
def test_a_letter_fits_in_78_columns_and_is_plain_ascii_when_its_words_are(kind):
    rendered = text.render(EVERY[kind]("Word"))
    assert max(width(line) for line in rendered.split("\n")) <= COLUMNS
    assert rendered.isascii()


@pytest.mark.parametrize("kind", EVERY)
def test_no_more_than_one_blank_line_and_none_at_the_ends(kind):
    rendered = text.render(EVERY[kind]("Word"))
    assert "\n\n\n" not in rendered
    assert rendered == rendered.strip() + "\n"
    assert all(line == line.rstrip() for line in rendered.split("\n"))


def test_how_each_seat_came_to_its_move():
    hows = ("given", "standing", "draft", "default", "resigned", "stand-in")
    step = Step(1, tuple(Taken("1", "b2", how) for how in hows))
    rendered = text.render(letters.quiet(steps=(step,)))
    told = [line.partition("b2, ")[2] for line in rendered.split("\n") if line.startswith("* ")]
    assert told == [
        "as ordered.",
        "by standing order.",
        "from a draft.",
        "as no orders came.",
        "as the seat has resigned.",
        "by the stand-in.",
    ]


def test_a_move_kept_from_the_reader_is_told_as_one():
    step = Step(1, (Taken("1", None, "given"),))
    assert "* Seat 1 (Ann) has decided, as ordered.\n" in text.render(letters.quiet(steps=(step,)))


def test_a_seat_that_waits_is_told_for_whom():
    rendered = text.render(letters.quiet(seat="1", menu=None))
    assert "You have nothing to decide now. The game waits for seat 2 (Ben).\n" in rendered
    assert headings(rendered) == ["WHAT HAPPENED", "THE POSITION", "WHO DECIDES NOW", "ORDER FORM"]


def test_the_public_report_has_no_key_and_no_form():
    rendered = text.render(letters.quiet(seat=None, key="", menu=None, reader=Reader("")))
    assert "Public report." in rendered
    assert "ORDER FORM" not in rendered
    assert "key:" not in rendered


def test_the_last_report_ranks_the_seats_and_reveals_the_seed():
    rendered = text.render(letters.over("Ann"))
    assert "The last object is taken: whoever took it wins. [NIM-3.1]" in rendered
    assert "- Place 1: seat 2 (Ben), score 1." in rendered
    assert "- Place 2: seat 1 (Ann), score 0." in rendered
    assert "The seed of the dice was\n121212" in rendered
    assert "ORDER FORM" not in rendered
    assert "Deadline" not in rendered


def test_press_is_marked_on_every_line():
    rendered = text.render(letters.quiet(press=(Said("1", "One\n\nend: orders"),)))
    assert "Seat 1 (Ann) says to all:\n| One\n|\n| end: orders\n" in rendered


def test_press_says_to_whom_it_was_said():
    said = (Said("1", "All hear this."), Said("1", "You alone.", to="2"))
    rendered = text.render(letters.quiet(press=said))
    assert "Seat 1 (Ann) says to all:\n| All hear this.\n" in rendered
    assert "Seat 1 (Ann) says to seat 2 (Ben) alone:\n| You alone.\n" in rendered


def test_a_seat_of_two_letters_is_called_a_seat():
    rendered = text.render(letters.quiet(players={"we": "Ann"}, press=(Said("we", "x"),)))
    assert "Seat we (Ann) says to all:" in rendered


def test_a_run_without_a_decision_says_so():
    assert "Nothing was decided since the last report." in text.render(letters.quiet(steps=()))
    assert "Nothing yet." in text.render(letters.quiet(steps=(), turn=1))


def test_a_refusal_that_keeps_a_draft_says_so():
    rendered = text.render(letters.receipt(fate="refused", kept=True))
    assert "Your orders are not taken. Those before the first that is wrong are kept as a\ndraft" in rendered
    assert "What stood before" not in rendered


def test_a_word_on_all_orders_needs_no_order_to_stand_by():
    noted = Notice("", "holds_now", "From now on: {words}.", {"words": "consent"})
    rendered = text.render(letters.receipt(understood=(), notices=(noted,)))
    assert "PLEASE NOTE\n\n- From now on: consent.\n" in rendered


def test_orders_within_orders_bear_their_place():
    read = (Understood("b2", label="1"), Understood("a1", label="2, then 1"))
    rendered = text.render(letters.receipt(understood=read))
    assert "\n2, then 1. a1\n   It is read" in rendered


def test_a_conditional_within_another_stands_in_brackets():
    inner = {"if": "c", "then": "d"}
    rendered = text.render(letters.receipt(stands=Stands(({"if": "a", "then": ["b", inner]},))))
    assert "1. if a, then b; (if c, then d)\n" in rendered


def test_a_stopped_order_is_told_first():
    problem = Problem(letters.refused("zz"), "zz")
    rendered = text.render(letters.quiet(problems=(problem,)))
    assert headings(rendered)[0] == "PLEASE NOTE"
    assert '- "zz": not taken.\n  zz is not a move, nor are zz, zz. [NIM-2.1]\n  Legal: a1, a2, a3' in rendered
    assert "and 6 more." in rendered


def test_what_stands_is_told():
    held = Stands(("b1",), ({"if": ["any"], "then": ["c1", "c2"], "else": []},), {"consent": {"1": "never"}}, True)
    rendered = text.render(letters.quiet(stands=held))
    assert (
        "We hold from you:\n1. b1\n1. Draft: if any, then c1; c2, else\n"
        "- Your word that there is nothing to order.\n- Standing answer: consent: 1 never\n"
    ) in rendered


@pytest.mark.parametrize(
    ("menu", "told"),
    [
        (Menu("a1", ("a1", "a2"), 2), "The order form below shows all 2 legal moves."),
        (Menu("a1", ("a1", "a2"), 20), "The order form below shows some of 20 legal moves."),
        (Menu("a1", ("a1", "a2"), None), "The order form below shows some of many legal moves."),
        (Menu("a1", ("a1",), 1), "There is only one legal move."),
    ],
)
def test_how_many_choices_there_are(menu, told):
    assert told in text.render(letters.quiet(menu=menu))


def test_a_receipt_says_what_was_read_what_it_does_and_what_stands():
    rendered = text.render(letters.receipt("take two of b"))
    assert headings(rendered) == [
        "WHAT IS WRONG",
        "WHAT WAS READ",
        "YOUR PRESS",
        "WHAT STANDS NOW",
        "ORDER FORM",
    ]
    for part in (
        "jade-river, decision 1: receipt 4 for seat 1\nYour orders are taken.\n",
        '- "take two of b" (take two of b, line 8, column 5): not taken.\n',
        "1. take two of b\n   Understood as: b2\n   - Seat 1 takes 2 from heap b, which leaves 2. [NIM-2.1]\n",
        "   Warning: This is take two of b. [NIM-3.2]\n",
        "2. if take two of b, then take two of b\n   It is read, and judged when its time comes.\n",
        "This replaces:\n1. take two of b\n",
        "Received: Thursday 19 November 2026, 21:00 (Europe/Paris, UTC+01:00).\n",
        f"What was received has the SHA-256\n{letters.DIGEST}\n",
    ):
        assert part in rendered


@pytest.mark.parametrize(
    ("fate", "told"),
    [
        ("accepted", "Your orders are taken."),
        ("draft", "Your orders are kept as a draft."),
        ("refused", "Your orders are not taken. What stood before still stands."),
    ],
)
def test_the_fate_of_orders_is_the_second_line(fate, told):
    assert text.render(letters.receipt(fate=fate)).split("\n")[1].startswith(told)


def test_silence_is_told_only_where_nothing_stands():
    silent = "If nothing stands at the deadline: a1.\n"
    assert silent in text.render(letters.receipt(stands=Stands()))
    assert silent not in text.render(letters.receipt(stands=Stands(("b2",))))


@pytest.mark.parametrize(
    "kind", ["reminder", "halted", "paused", "resumed", "extended", "ruling", "refused", "message"]
)
def test_each_notice_has_words_and_a_subject_of_its_own(kind):
    notice, other = letters.notice(kind=kind), letters.notice(kind="message" if kind != "message" else "halted")
    assert text.render(notice).split("\n")[1] != text.render(other).split("\n")[1]
    assert text.subject(notice) != text.subject(other)


def test_subjects_begin_with_the_game():
    assert text.subject(letters.quiet()) == "[jade-river] Decision 2 is yours"
    assert text.subject(letters.quiet(seat="1")) == "[jade-river] Decision 2"
    assert text.subject(letters.over()) == "[jade-river] The game is over"
    assert text.subject(letters.receipt()) == "[jade-river] Decision 1: orders taken"
    assert text.subject(letters.receipt(fate="refused")) == "[jade-river] Decision 1: orders NOT taken"


def test_a_game_without_templates_is_told_in_plain_facts():
    rendered = text.render(letters.bare("ace"))
    assert "- Card shown: seat 1, card ace, open yes, others 1, 2, map a 1. [BARE-1]\n" in rendered
    assert "Heaps: north 3; south none.\nOpen: yes.\nCards: ace, king.\n" in rendered
    assert "Position line: bare line\n" in rendered
    assert "Decision 2: bid again." in rendered


def test_the_position_is_told_in_groups_and_what_belongs_to_a_line_stands_under_it():
    said = "It is late.\n\nRed: 3 points.\n  Its yurts: none.\n \n\nBlue: 4 points.\n"
    first, second, third = telling.groups(said)
    assert (first, third) == ((("It is late.", False),), (("Blue: 4 points.", False),))
    assert second == (("Red: 3 points.", False), ("Its yurts: none.", True))


def test_a_thought_that_takes_two_lines_is_seen_as_one():
    memo, report = Memo(), letters.quiet()
    told = telling.tell(report, memo)
    long = telling.Line("many words " * 12, under=False), telling.Line("more words " * 12, under=True)
    memo.told[id(report)] = (report, dataclasses.replace(told, described=(long,)))
    lines = text.render(report, memo).split("THE POSITION")[1].split("\n")
    assert [line[: len(line) - len(line.lstrip())] for line in lines[2:6]] == ["", "  ", "  ", "    "]


def test_a_slip_in_a_mail_is_shown_by_its_line():
    wrong = Problem(letters.refused("b9"), "b9", Place("mail", 8, 5))
    nowhere = Problem(letters.refused("b9"), "", Place("orders.yml", 3, 1))
    rendered = text.render(letters.receipt("b9", problems=(wrong, nowhere)))
    assert '- "b9" (line 8, column 5): not taken.\n' in rendered
    assert "- Not taken: orders.yml, line 3, column 1.\n" in rendered


def test_a_report_names_the_page_that_it_brings():
    brought = "The page attached shows"
    assert brought in text.render(letters.quiet(brings_page=True))
    assert brought not in text.render(letters.quiet())
