"""init, player and new: a host, its players and its games, and every slip a host can make."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pbem.cli.desk import BEGINS, LATER, Desk

NEW = ("new", "nim", "--name", "quiet-lake", "--seat", "1=Anna", "--seat", "2=Bruno", "--now", BEGINS)


def without(*words: str) -> tuple[str, ...]:
    """The right command line, with two words left out or others in their place."""
    left = list(NEW)
    place = left.index(words[0])
    left[place : place + 2] = words[1:]
    return tuple(left)


# --- init -------------------------------------------------------------------------------------------------------------


def test_init_makes_a_host_that_works(bare: Desk) -> None:
    assert "pbem player add" in bare("init", "tour", "--zone", "europe/paris").out
    made = {path.name for path in (bare.folder / "tour").iterdir()}
    assert made == {"pbem.toml", "ledger.db", "ledger.key", "inbox", "outbox"}
    bare.go(bare.folder / "tour" / "inbox")  # a host is found from anywhere in it
    assert bare.data("status") == {
        "games": [],
        "mails_waiting": 0,
        "mails_lost": 0,
        "held": [],
        "openings": [],
        "letters_waiting": 0,
        "bounces": [],
    }
    assert bare("player", "add", "Anna", "anna@example.org").out.endswith("times in Europe/Paris.\n")


def test_init_says_where(bare: Desk) -> None:
    assert bare.data("init") == {
        "folder": str(bare.folder),
        "config": str(bare.folder / "pbem.toml"),
        "ledger": str(bare.folder / "ledger.db"),
    }


def test_init_leaves_a_host_alone(desk: Desk) -> None:
    before = (desk.folder / "ledger.db").read_bytes()
    desk.refused("init", code=3, says="There is a host in")
    assert (desk.folder / "ledger.db").read_bytes() == before


def test_init_keeps_a_configuration_that_is_there(bare: Desk) -> None:
    (bare.folder / "pbem.toml").write_text('[files]\nledger = "my.db"\n')
    bare("init")
    assert (bare.folder / "my.db").exists()


def test_init_goes_on_where_it_was_stopped(bare: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as broken:
        broken.setattr("pbem.ledger.chains.begin", lambda *args: 1 / 0)
        bare("init", code=70)
    bare("init")
    bare("status")


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (("init", "file"), 3, "file is a file where a folder should be"),
        (("init", "file/below"), 3, "cannot be used (Not a directory)"),
        (("init", "--zone", "Europe/Pariss"), 3, "did you mean Europe/Paris"),
        (("init", "--zone", "Mars"), 3, "is not a time zone; "),
        (("init", "a", "b"), 2, "See `pbem init --help`."),
        (("init", "x" * 300), 3, "File name too long"),
    ],
)
def test_init_refuses(bare: Desk, args: tuple[str, ...], code: int, says: str) -> None:
    (bare.folder / "file").touch()
    bare.refused(*args, code=code, says=says)


# --- player -----------------------------------------------------------------------------------------------------------


def test_players_are_added_and_listed(desk: Desk) -> None:
    added = desk.data("player", "add", " Chiara ", "chiara@example.org", "--lang", "it", "--zone", "europe/rome")
    place = {"lang": "it", "zone": "Europe/Rome"}
    assert added == {"name": "Chiara", "address": "chiara@example.org", **place, "digest": False, "remind": 0}
    assert [one["name"] for one in desk.data("player", "list")] == ["Anna", "Bruno", "Chiara"]
    assert "Chiara <chiara@example.org>  it  Europe/Rome" in desk("player", "list").out


def test_a_host_without_players_says_how_to_get_them(bare: Desk) -> None:
    bare("init")
    assert "pbem player add" in bare("player", "list").out
    assert bare.data("player", "list") == []


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (("Anna", "other@example.org"), 3, "a player named Anna already"),
        (("", "c@example.org"), 3, "1 to 60 letters"),
        (("x" * 61, "c@example.org"), 3, "1 to 60 letters"),
        (("a\nb", "c@example.org"), 3, "can be printed"),
        (("\x1b[31mred", "c@example.org"), 3, "can be printed"),
        (("\udcff", "c@example.org"), 2, "is not UTF-8 text."),
        (("C", "nowhere"), 3, "like anna@example.org"),
        (("C", "c@example.org\nBcc: d@example.org"), 3, "like anna@example.org"),
        (("--", "C", "-f@example.org"), 3, "like anna@example.org"),
        (("C", "c@example.org,d@example.org"), 3, "like anna@example.org"),
        (("C", "-f@example.org"), 2, "No such option"),
        (("C", "c@example.org", "--lang", "tlh"), 3, "choose one of en, fr, it"),
        (("C", "c@example.org", "--zone", "Rome"), 3, "is not a time zone"),
        (("C", "c@example.org", "--zone", ""), 3, "is not a time zone"),
        (("C",), 2, "Missing argument 'ADDRESS'"),
        ((), 2, "Missing argument 'NAME'"),
        (("C", "c@example.org", "--now", "soon"), 3, "write it like 2026-11-18T20:00Z"),
        (("C", "c@example.org", "--now", ""), 3, "write it like 2026-11-18T20:00Z"),
        (("C", "c@example.org", "--now", "2026-11-18"), 3, "does not say its zone"),
        (("C", "c@example.org", "--now", "9999-12-31T23:59Z"), 3, "outside the years 2000 to 2999"),
        (("C", "c@example.org", "--now", "0001-01-01T00:00+14:00"), 3, "outside the years 2000 to 2999"),
    ],
)
def test_player_add_refuses(desk: Desk, args: tuple[str, ...], code: int, says: str) -> None:
    desk.refused("player", "add", *args, code=code, says=says)
    assert len(desk.data("player", "list")) == 2


# --- new --------------------------------------------------------------------------------------------------------------


def test_new_begins_a_game_and_queues_its_first_reports(desk: Desk) -> None:
    assert "quiet-lake has begun: Nim, 1 Anna, 2 Bruno" in desk(*NEW).out
    assert desk.data("deliver", "--now", LATER)["sent"] == 2
    assert "game: quiet-lake" in desk.form("1", game="quiet-lake")


def test_new_tells_what_was_chosen(desk: Desk) -> None:
    more = ("--option", "misere=yes", "--schedule", "all-in 06:00 europe/rome think=2", "--nonce", "1=tea leaves")
    made = desk.data(*NEW, *more)
    assert made.pop("commitment").isalnum()
    assert made.pop("options")["misere"] is True
    assert made == {
        "name": "quiet-lake",
        "game": "nim",
        "seats": {"1": "Anna", "2": "Bruno"},
        "schedule": "all-in 06:00 Europe/Rome think=2h",
        "waits_for_dice": False,
    }


def test_the_same_seed_gives_the_same_commitment(desk: Desk) -> None:
    first = desk.data(*NEW, "--seed", "ab" * 32)["commitment"]
    desk.go(desk.folder)
    again = desk.data(*without("--name", "--name", "other-lake"), "--seed", "AB" * 32)["commitment"]
    assert first != again, "a game's name is part of it"
    assert len(first) == len(again) == 64


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (("new", "nimm", *NEW[2:]), 3, "Did you mean nim?"),
        (("new", "chess", *NEW[2:]), 3, "Installed: "),
        (without("--name"), 2, "Missing option '--name'"),
        (without("--name", "--name", "Quiet Lake"), 3, "small letters, digits and hyphens, like tiger-hill"),
        (without("--name", "--name", "-x"), 3, "like tiger-hill"),
        (without("--name", "--name", "../x"), 3, "like tiger-hill"),
        (without("--name", "--name", "@host"), 3, "like tiger-hill"),
        (without("--name", "--name", "mail"), 3, "like tiger-hill"),
        (without("--name", "--name", "x" * 41), 3, "up to 40"),
        (without("--name", "--name", "jade-river"), 3, "a game named jade-river already"),
        (without("--seat"), 3, "Nobody sits at 1; add --seat 1=PLAYER."),
        (without("--seat", "--seat", "1=Ana"), 3, "did you mean Anna?"),
        (without("--seat", "--seat", "1=Zoe"), 3, "`pbem player add` registers one"),
        (without("--seat", "--seat", "9=Anna"), 3, "the seats are 1, 2"),
        (without("--seat", "--seat", "2=Anna"), 2, "--seat names 2 twice"),
        (without("--seat", "--seat", "Anna"), 2, "is not of the form SEAT=PLAYER"),
        (without("--seat", "--seat", "=Anna"), 2, "is not of the form SEAT=PLAYER"),
        ((*NEW, "--option", "misere"), 2, "is not of the form NAME=VALUE"),
        ((*NEW, "--option", "miser=yes"), 3, "did you mean misere?"),
        ((*NEW, "--option", "misere=perhaps"), 3, "choose true or false"),
        ((*NEW, "--option", "misere=yes", "--option", "misere=no"), 2, "--option names misere twice"),
        ((*NEW, "--schedule", "daily"), 3, "write it like `nightly 20:00 Europe/Paris`"),
        ((*NEW, "--schedule", "24:00"), 3, "is not a time of day"),
        ((*NEW, "--schedule", "nightly all-in"), 3, "says a second time what nightly said already"),
        ((*NEW, "--nonce", "9=x"), 3, "the seats are 1, 2"),
        ((*NEW, "--nonce", "1"), 2, "is not of the form SEAT=TEXT"),
        ((*NEW, "--nonce", "1=" + "x" * 201), 3, "1 to 200 letters"),
        ((*NEW, "--nonce", "1=a\x07"), 3, "can be printed"),
        ((*NEW, "--seed", "12"), 2, "64 hexadecimal digits"),
        ((*NEW, "--seed", "x" * 64), 2, "64 hexadecimal digits"),
        ((*NEW, "--sede", "12"), 2, "--seed"),
        (("new",), 2, "Missing argument 'GAME'"),
    ],
)
def test_new_refuses(desk: Desk, args: tuple[str, ...], code: int, says: str) -> None:
    desk.refused(*args, code=code, says=says)
    assert [game["name"] for game in desk.data("status")["games"]] == ["jade-river"]


@pytest.mark.parametrize("args", [("status",), ("nightly",), ("player", "list"), NEW, ("check", "-"), ("backup", "x")])
def test_where_there_is_no_host_a_command_says_how_to_make_one(bare: Desk, args: tuple[str, ...]) -> None:
    bare.refused(*args, code=3, says="`pbem init` makes a host here")
    bare.refused("--config", "elsewhere.toml", *args, code=3, says="There is no elsewhere.toml; `pbem init`")


def test_a_host_is_named_by_option_by_environment_or_by_folder(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.go(tmp_path)
    assert desk.data("--config", desk.folder / "pbem.toml", "status")["games"]
    assert desk.data("--config", desk.folder, "status")["games"]
    monkeypatch.setenv("PBEM_CONFIG", str(desk.folder))
    assert desk.data("status")["games"]
    monkeypatch.setenv("PBEM_CONFIG", str(tmp_path / "nowhere"))
    desk.refused("status", code=3, says="nowhere ($PBEM_CONFIG names it)")


# --- players, once they are registered --------------------------------------------------------------------------------


def test_a_player_is_shown(desk: Desk) -> None:
    said = desk("player", "show", "Anna").out
    assert "jade-river: seat 1, open" in said
    assert desk.data("player", "show", "Anna")["seats"] == [{"game": "jade-river", "seat": "1", "status": "open"}]
    desk.refused("player", "show", "Ana", code=3, says="did you mean Anna?")


def test_language_and_zone_change_at_once(desk: Desk) -> None:
    assert (
        "reports in fr, times in Europe/Rome"
        in desk("player", "change", "Anna", "--lang", "fr", "--zone", "europe/rome").out
    )
    desk.refused("player", "change", "Anna", "--lang", "xx", code=3, says="is not a language")
    desk.refused("player", "change", "Anna", "--zone", "Nowhere", code=3, says="is not a time zone")
    desk.refused("player", "change", "Anna", code=2, says="Say what to change")


def test_an_address_changes_when_it_is_confirmed(desk: Desk) -> None:
    before = desk.data("player", "show", "Anna")["address"]
    asked = desk.data("player", "change", "Anna", "--address", "new@example.org", "--now", LATER)
    assert asked["address"] == before
    assert asked["new_address"]["address"] == "new@example.org"
    desk.refused("player", "confirm", "0" * 16, "--now", LATER, code=1, says="No change of address waits")
    assert "go to new@example.org" in desk("player", "confirm", asked["code"], "--now", LATER).out
    assert desk.data("player", "show", "Anna")["new_address"] is None
    desk.refused("player", "confirm", asked["code"], "--now", LATER, code=1, says="No change of address waits")
    desk.refused(
        "player", "change", "Anna", "--address", "new@example.org", code=3, says="is the address of Anna already"
    )
    desk.refused("player", "change", "Anna", "--address", "no address", code=3, says="is not a mail address")


def test_a_player_who_plays_is_not_forgotten_by_a_slip(desk: Desk) -> None:
    desk.refused("player", "forget", "Anna", code=3, says="still plays in jade-river (1)")
    said = desk("player", "forget", "Anna", "--anyway", "--now", LATER).out
    assert "Emptied: 0 letters and 1 mail. Their hashes stay." in said
    # Seen red: his name was said to be gone, and the report of the other names him.
    assert "Not touched: reports that others were sent, which call him by his name" in said
    assert "\nand backups" in said
    assert "Anna" in desk("report", "jade-river", "--seat", "2", "--now", LATER).out
    assert "Anna" not in desk("player", "list").out
    desk.refused("player", "show", "Anna", code=3, says="There is no player named")
    for command in (("status",), ("show", "jade-river"), ("forecast",)):
        assert "waits for 1 (a player who was forgotten)" in desk(*command, "--now", LATER).out, command
    assert "Players: 1 a player who was forgotten, 2 Bruno" in desk("show", "jade-river", "--now", LATER).out
    desk("nightly", "--now", "2026-11-18T20:00Z")
    assert "none was refused or given up" in desk("doctor", "--now", "2026-11-18T20:00Z").out


# --- what was set aside -----------------------------------------------------------------------------------------------


def test_what_was_set_aside_is_looked_at_and_tried_again(desk: Desk, tmp_path: Path) -> None:
    assert "Nothing is set aside" in desk("quarantine", "list").out
    file = tmp_path / "odd.yml"
    file.write_text("game: jade-river\nseat: 1\nturn: 1\nkey: AAAA-AAAA\norders: [a1]\n")
    desk("submit", file, "--now", LATER, code=1)
    [kept] = desk.data("quarantine", "list")
    assert "its key is not the one" in kept["reason"]
    assert kept["sha256"][:12] in desk("quarantine", "list").out
    assert "key: AAAA-AAAA" in desk("quarantine", "show", kept["sha256"][:8]).out
    desk.refused("quarantine", "show", "abc", code=3, says="names no message")
    desk.refused("quarantine", "show", "abcdef0", code=3, says="No message that is set aside begins")
    desk.refused("quarantine", "retry", "--reason", "x", code=2, says="Name a message, or say --all")
    again = desk.data("quarantine", "retry", kept["sha256"][:8], "--reason", "looked at", "--now", LATER)
    assert again == {"again": [kept["sha256"]]}
    assert desk.data("quarantine", "list") == []
    assert desk.data("fetch", "--now", LATER).get("quarantined", 1) == 1
    assert len(desk.data("quarantine", "list")) == 1
