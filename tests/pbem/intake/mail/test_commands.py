"""Commands: which first line of a mail, or subject, is one, and which only begins with such a word."""

from __future__ import annotations

import pytest

from pbem.intake.limits import USUAL
from pbem.intake.mail.commands import WORDS, from_subject, from_text
from pbem.intake.mail.reading import Command


def read(text: str) -> Command | None:
    return from_text(text.split("\n"), USUAL)


BEHIND = {"join": " spring", "say": " all: x", "remind": " 24h"}


@pytest.mark.parametrize(
    ("command", "word"), [(command, word) for command, words in WORDS.items() for word in words.split()]
)
def test_every_word_in_three_languages(command: str, word: str) -> None:
    found = read(f"{word.upper()}{BEHIND.get(command, '')}")
    assert found is not None
    assert found.word == command


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("help", Command("help")),
        ("Help!", Command("help")),
        ("help please", Command("help")),
        ("Aide, s'il vous pla\u00eet.", Command("help")),
        ("help me out of this", None),
        ("\n\n  status  \nand more below", Command("status")),
        ("", None),
        ("\n \n", None),
        ("hello", None),
        # the signature is none of it
        ("-- \nhelp", Command("help")),
        ("hi\n-- \nhelp", None),
        ("say all: hello\n-- \nAnna", Command("say", "hello", "all")),
        # a report, of a turn
        ("report", Command("report", "")),
        ("report 12.", Command("report", "12")),
        ("report #3!", Command("report", "3")),
        ("report 1234567", Command("report", "1234567")),
        ("report 12345678", None),
        ("report \u0663", None),
        ("report of the war", None),
        # a digest
        ("digest", Command("digest", "on")),
        ("digest on", Command("digest", "on")),
        ("digest off.", Command("digest", "off")),
        ("digest non", Command("digest", "off")),
        ("digest now", None),
        # words of consent
        ("take-back 7", Command("take-back", "7")),
        ("takeback #7!", Command("take-back", "7")),
        ("take-back", Command("take-back", "")),
        ("take-back 1234567", Command("take-back", "1234567")),
        ("take-back 12345678", None),
        ("take-back \u0663", None),
        ("take-back x", None),
        ("reprendre non", Command("take-back", "no")),
        ("draw", Command("draw", "")),
        ("draw.", Command("draw", "")),
        ("nulle non!", Command("draw", "no")),
        ("draw 3", None),
        # seats
        ("join Spring", Command("join", "spring", "")),
        ("join spring Red.", Command("join", "spring", "Red")),
        ("join", None),
        ("join a b c", None),
        ("join sp/ring", None),
        ("join spring re,d", None),
        (f"join {'x' * 40}", Command("join", "x" * 40, "")),
        (f"join {'x' * 41}", None),
        ("leave", Command("leave")),
        ("leave Spring", Command("leave", "spring", "")),
        ("volunteer", Command("volunteer", "")),
        ("volunteer khan Yuan!", Command("volunteer", "khan yuan")),
        ("volunteer no", Command("volunteer", "no")),
        (f"volunteer {' '.join('abcdefghij')}", Command("volunteer", " ".join("abcdefghij"))),
        (f"volunteer {' '.join('abcdefghijk')}", None),
        # one word behind it
        ("resign", Command("resign")),
        ("resign spring!", Command("resign", "spring")),
        ("resign yourself to it", None),
        ("address ben@players.example", Command("address", "ben@players.example")),
        ("address me properly", None),
        # absence
        ("absent 2026-12-1 2026-12-24", Command("absent", "2026-12-01 2026-12-24")),
        ("absent du 1.12.2026 au 24/12/2026", Command("absent", "2026-12-01 2026-12-24")),
        ("absent 2026-12-01", Command("absent", "2026-12-01")),
        ("absent", Command("absent", "")),
        ("absent no", Command("absent", "no")),
        ("absent 2026-12-01 no", None),
        ("absent 2026-12-01 2026-12-02 2026-12-03", None),
        ("absent 2026-12-01 wait", Command("absent", "2026-12-01 wait")),
        ("absent 2026-12-01 standing orders, attente", None),
        ("absent minded as I am", None),
        # an appeal
        ("dispute: the dice", Command("dispute", "the dice")),
        ("dispute\nthe dice\nof turn 3", Command("dispute", "the dice\nof turn 3")),
        ("dispute : the dice", Command("dispute", "the dice")),
        ("dispute the dice", None),
        # press
        ("say all: hello", Command("say", "hello", "all")),
        ("say tous bonjour", Command("say", "bonjour", "all")),
        ("say red hello\nand more", Command("say", "hello\nand more", "red")),
        ("say red, blue: hello", Command("say", "hello", "red, blue")),
        ("say red et blue : hello", Command("say", "hello", "red et blue")),
        ('say "Anna B.": hello', Command("say", "hello", "Anna B.")),
        ("say 'Anna B.', hello", Command("say", "hello", "Anna B.")),
        ('say "Anna B."hello', Command("say", "hello", "Anna B.")),
        ('say "Anna hello', Command("say", "hello", '"Anna')),
        ("say '' hello", None),
        ("say red", None),
        ("say", None),
        (f"say {'x' * 90} hello", Command("say", "hello", "x" * 80)),
    ],
)
def test_a_line_is_a_command_or_none(text: str, found: Command | None) -> None:
    assert read(text) == found


@pytest.mark.parametrize(
    "line",
    [
        "Sent with Proton Mail secure email.",
        "Get BlueMail for Android",
        "Envoy\u00e9 avec la messagerie s\u00e9curis\u00e9e Proton Mail.",
        "Provenance : Courrier pour Windows",
        "Obtenir Outlook pour iOS<https://aka.ms/o0ukef>",
        "T\u00e9l\u00e9charger BlueMail pour Android",
        "Inviato con l'email sicura di Proton Mail.",
        "Ottieni Outlook per Android<https://aka.ms/AAb9ysg>",
    ],
)
def test_what_a_program_says_of_itself_is_no_press(line: str) -> None:
    """It would tell of somebody who wears a mask which program he writes with."""
    assert read(f"say anon all: hello\n\n{line}") == Command("say", "hello", "anon all")


def test_press_behind_a_mask() -> None:
    from pbem.intake import masks

    word = sorted(masks.MASKED)[0]
    assert read(f"say {word} red: hello") == Command("say", "hello", masks.put_on("red"))
    assert read(f"say {word} red") is None
    assert read(f"say {word} {word} hello") == Command("say", "hello", masks.put_on(word)), "one mask is enough"


def test_press_is_cut_one_letter_past_the_limit() -> None:
    """So that whoever judges it sees that it was too long."""
    for text in (f"say red: {'x' * 3 * USUAL.press}", f"dispute: {'x' * 3 * USUAL.press}"):
        found = read(text)
        assert found is not None
        assert len(found.argument) == USUAL.press + 1


@pytest.mark.parametrize("subject", ["help", "Re: help", "RE: AW: help", "Fwd: R: help"])
def test_a_subject_is_read_behind_what_programs_put_before_it(subject: str) -> None:
    assert from_subject(subject, USUAL) == Command("help")


def test_a_subject_has_nothing_below_it() -> None:
    assert from_subject("say red", USUAL) is None
    assert from_subject("hello", USUAL) is None
