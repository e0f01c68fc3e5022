"""Names, addresses and letters that pass for others: refused or named, and nobody plays both sides unnoticed."""

from __future__ import annotations

import pytest

from pbem.game import hosting
from pbem.intake import orders
from tests.pbem.cli.desk import BEGINS, Desk

NEW = ("new", "bagh-chal", "--name", "tiger-hill", "--now", BEGINS)
SEATS = ("--seat", "1=Anna", "--seat", "2=Bruno")


@pytest.fixture
def club(bare: Desk) -> Desk:
    bare("init")
    bare("player", "add", "Anna", "anna@example.org")
    bare("player", "add", "Bruno", "bruno@example.org")
    return bare


@pytest.mark.parametrize("name", ["anna", "ANNA", "\u0410nna", "\uff21nna", " Anna "])
def test_names_that_look_the_same_are_the_same(club: Desk, name: str) -> None:
    club.refused("player", "add", name, "eve@example.org", code=3, says="There is a player named Anna already")
    assert club.data("player", "show", name.strip())["address"] == "anna@example.org"


@pytest.mark.parametrize(
    "address",
    ["eve%elsewhere@example.org", "elsewhere!eve@example.org", "@a.example,@b.example:eve@example.org",
     "eve@-example.org", "eve@example..org", "-eve@example.org"],
)  # fmt: skip
def test_an_address_that_names_a_route_is_refused(club: Desk, address: str) -> None:
    club.refused("player", "add", "Eve", "--", address, code=3, says="is not a mail address")


def test_nobody_plays_both_sides_unless_the_host_says_so(club: Desk) -> None:
    club.refused(
        *NEW, "--seat", "1=Anna", "--seat", "2=anna", code=3, says="Anna has seats 1 and 2, which play against"
    )
    club("player", "add", "Chiara", "ANNA@example.org")
    both = ("--seat", "1=Anna", "--seat", "2=Chiara")
    club.refused(*NEW, *both, code=3, says="Anna and Chiara have the same address, and have seats 1 and 2")
    club.refused("match", *NEW[:4], "--best-of", "3", *both, code=3, says="--same-person")
    club.refused(*NEW[:4], "--open", "--seat", "1=Anna", "--seat", "2=Chiara", code=3, says="same address")
    club(*NEW, *both, "--same-person")


def test_a_seat_is_not_handed_to_the_opponent_under_another_name(club: Desk) -> None:
    club("player", "add", "Chiara", "anna@example.org")
    club(*NEW, *SEATS)
    substitute = ("referee", "substitute", "tiger-hill", "2", "Chiara", "--reason", "x", "--now", BEGINS)
    club.refused(*substitute, code=3, says="Chiara and Anna, who plays tiger-hill already, have the same address")
    with (club.folder / "pbem.toml").open("a", encoding="utf-8") as config:
        config.write("\n")
    text = (club.folder / "pbem.toml").read_text(encoding="utf-8")
    (club.folder / "pbem.toml").write_text(text.replace("same_person = false", "same_person = true"), encoding="utf-8")
    club(*substitute)


def form(club: Desk, order: str) -> bytes:
    club(*NEW, *SEATS)
    club("deliver", "--now", BEGINS)
    texts = [path.read_text(encoding="utf-8") for path in (club.folder / "outbox" / "tiger-hill").rglob("*orders*")]
    [text] = [one for one in texts if "\norders:" in one]  # of the seat that is to move
    head = text[: text.index("orders:")]
    return f"{head}orders:\n  - {order}\nend: orders\n".encode()


def test_a_letter_of_another_alphabet_is_named(club: Desk) -> None:
    said = club("check", "-", "--now", BEGINS, stdin=form(club, "place \u04413"), code=1)
    text = " ".join((said.out + said.err).split())
    assert "The \u0441 in place \u04413 is not the Latin c, although it looks the same (U+0441)" in text
    assert "Write place c3 in Latin letters" in text


def test_full_width_letters_are_read(club: Desk) -> None:
    said = club("check", "-", "--now", BEGINS, stdin=form(club, "ｐｌａｃｅ ｃ３"))
    assert "place c3" in said.out


def test_weakened_without_the_question_one_plays_both_sides(club: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosting, "refuse_same_person", lambda teams, sitting: None)
    club(*NEW, "--seat", "1=Anna", "--seat", "2=Anna")


def test_weakened_without_the_name_of_the_letter_nobody_sees_what_is_wrong(
    club: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(orders, "lookalikes", lambda text: [])
    said = club("check", "-", "--now", BEGINS, stdin=form(club, "place \u04413"), code=1)
    assert "U+0441" not in said.out + said.err
