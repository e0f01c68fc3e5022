"""Bytes to text: what mail programs and editors put in unasked is taken back."""

import pytest

from pbem.intake.characters import decode, forbidden, lookalikes, name_key, settled, visible, words


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"a\r\nb\rc\n", "a\nb\nc\n"),
        ("\ufeffé".encode(), "é"),
        ("é".encode("utf-16"), "é"),
        ("é".encode("utf-16-be").join([b"\xfe\xff", b""]), "é"),
        ("d’été".encode("cp1252"), "d’été"),
        (b"\x81", "\ufffd"),
        ("a\u00a0b\u202fc\u3000d".encode(), "a b c d"),
        ("a\u0085b".encode(), "a b"),
        ("a\u2028b\u2029c".encode(), "a\nb\nc"),
        ("so\u00adft\u200b\u2060\ufeff".encode(), "soft"),
        ("\u202ex\u202c\u2066y\u2069".encode(), "xy"),
        ("\u2022 a\n  \u2013 b\n\u2014\u00a0c\n\u2013d".encode(), "- a\n  - b\n- c\n\u2013d"),
        ("x \u2022 y".encode(), "x \u2022 y"),
        ("ｏｒｄｅｒｓ：\u3000\n  － ｃ３－ｄ４".encode(), "orders: \n  - c3-d4"),
        ("game：tiger\nsay：１５：３０".encode(), "game: tiger\nsay: 15：30"),  # a colon within a text stays
        ("- red：yes ＃ ＂ ［".encode(), "- red: yes ＃ ＂ ［"),  # what YAML would read otherwise stays
    ],
)
def test_a_file_becomes_text(raw, text):
    assert decode(raw) == text


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("a5\u2013b4", "a5-b4"),
        ("a5\u2212b4 \u2014 c", "a5-b4 - c"),
        ("\u201cplan HU\u201d", "plan HU"),
        ("\u00abplan HU\u00bb", "plan HU"),
        ("'plan HU'", "plan HU"),
        ("l\u2019Orient", "l'Orient"),
        ("  plan \n HU\t2 ", "plan HU 2"),
        ("a\u200db", "ab"),
        ("\u201cone\u201d two", '"one" two'),
        ('"', '"'),
        ("", ""),
    ],
)
def test_words_have_straight_signs_and_single_blanks(written, read):
    assert words(written) == read


def test_letters_are_composed():
    assert settled("e\u0301te\u0301") == "été"
    assert settled("\u212b") == "\u00c5"


@pytest.mark.parametrize("letter", ["\0", "\x07", "\x0b", "\x1b", "\x7f", "\x9b", "\ud800", "\ufffe", "\uffff"])
def test_what_no_text_may_hold_is_found(letter):
    assert forbidden(f"ab{letter}") == (2, f"U+{ord(letter):04X}")
    assert forbidden("a\tb\n\u00e9\U0001f42f") is None


def test_what_is_shown_steers_no_terminal_and_is_short():
    assert visible("a\x1b[2Jb\nc\u202e") == "a\\x1b[2Jb\\x0ac\\x202e"
    assert visible("x" * 60) == "x" * 60
    assert visible("x" * 61) == "x" * 59 + "…"


@pytest.mark.parametrize(
    ("text", "found"),
    [("c3", []), ("\u04413", [("\u0441", "c")]), ("\u0391\u03bf", [("\u0391", "A"), ("\u03bf", "o")]), ("été", [])],
)
def test_letters_that_only_look_latin_are_named(text, found):
    assert lookalikes(text) == found


def test_names_are_compared_as_people_see_them():
    same = ("Anna Li", "anna  LI", "\u0410nna Li", "\uff21nna\u3000Li", "\u0391nna Li")
    assert {name_key(name) for name in same} == {"anna li"}
    assert name_key("Stra\u00dfe") == name_key("STRASSE")
    assert name_key("Anna") != name_key("Anne")
