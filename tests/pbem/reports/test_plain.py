"""Player text made plain: what is taken out, what is kept, and how lines are cut."""

from __future__ import annotations

import unicodedata

import pytest

from pbem.reports import plain
from tests.pbem.reports.hostile import NASTY, generated

TEXTS = [*NASTY, *generated(10_000)]
JOINERS = "\u200c\u200d"  # emoji and some scripts are written with them
VISIBLE = "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
HIEROGLYPHS = tuple(map(chr, range(0x13430, 0x13440)))


def bad(text: str, allowed: str = "") -> list[str]:
    """What should not be there, as this Python's own Unicode tables see it."""
    kept = {*JOINERS, *VISIBLE, *HIEROGLYPHS, *allowed}
    return [
        letter
        for letter in text
        if letter not in kept and unicodedata.category(letter) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
    ]


def test_nothing_that_commands_a_screen_is_left():
    for text in TEXTS:
        assert bad(plain.clean(text), "\n") == [], ascii(text)
        assert bad(plain.one_line(text)) == [], ascii(text)
        assert all(bad(line) == [] for line in plain.lines(text)), ascii(text)


def test_every_letter_of_unicode_that_commands_is_taken_out():
    everything = "".join(map(chr, range(0x110000)))
    assert bad(plain.clean(everything), "\n") == []


@pytest.mark.parametrize("text", ["Réf", "漢字 한글", "שלום", "👨‍👩‍👧", "naïve – “quoted” … 100 %", "e\u0301"])
def test_honest_text_stays_as_it_is(text):
    assert plain.clean(text) == plain.one_line(text) == text


def test_one_line_is_one_line():
    assert plain.one_line("  a\r\n\tb \u2028 c  ") == "a b c"
    assert plain.one_line("x" * 500, 20) == "x" * 17 + "..."


def test_lines_of_press_end_the_same_wherever_they_were_written():
    assert plain.lines("a\r\nb\rc\u2028d\x85e\n\n") == ["a", "b", "c", "d", "e"]


def test_marks_do_not_pile_up():
    assert plain.clean("a" + "\u0301" * 50) == "a" + "\u0301" * 3


def test_wrapped_lines_fit_and_lose_no_word():
    for hostile in TEXTS[:500]:
        text = plain.one_line(hostile * 3, 5000)
        wrapped = plain.wrap(text, "- ").split("\n")
        assert max(map(plain.width, wrapped)) <= plain.COLUMNS, ascii(text)
        assert "".join(wrapped).replace(" ", "") == f"-{text}".replace(" ", ""), ascii(text)
        assert all(line.startswith("  ") for line in wrapped[1:]), ascii(text)


def test_wide_letters_count_twice():
    assert plain.width("漢字") == 4
    assert plain.width("e\u0301") == 1
    assert plain.wrap("漢" * 50, columns=20).split("\n")[0] == "漢" * 10
