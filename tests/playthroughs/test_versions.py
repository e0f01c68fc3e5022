"""G23: stored games hold the rules to their version, and each variant of each game has two of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import Event, games, load
from engine import registry as the_registry
from engine.game import Turned
from tests.faults.figures import counted, told
from tests.playthroughs.test_playthroughs import STORED
from tests.playthroughs.transcript import Script, parse
from tests.playthroughs.versions import Changed, check, in_folder, moved_for_nothing

OURS = [game for game in games() if game not in ("nim", "vault")]
NAMES = ("variant", "scenario", "mode", "wild")  # the options that make another game of a game
OLD = next(path for path in STORED if path.stem == "nim-before")


def variants(game: str) -> list[tuple[str, str]]:
    """The options of a game that name its variants, with each of their values."""
    specs = load(game).Options.specs()
    return [(name, value.strip()) for name in NAMES if name in specs for value in specs[name][1].values.split("|")] or [
        ("", "")
    ]


def stored_of(game: str) -> list[dict[str, object]]:
    """The options of each stored game of it."""
    scripts = [parse(path.read_text(encoding="utf-8")) for path in STORED]
    return [load(game).Options(**script.options).to_json() for script in scripts if script.id == game]


@pytest.mark.parametrize("game", OURS)
def test_each_variant_has_two_stored_games(game: str) -> None:
    chosen = stored_of(game)
    found = {
        (option, value): sum(not option or str(one[option]).lower() == value for one in chosen)
        for option, value in variants(game)
    }
    assert min(found.values()) >= 2, found
    counted(len(found), "variants with two stored games or more")
    each = ", ".join(
        f"{number} of {option} {value}" if option else f"{number}" for (option, value), number in found.items()
    )
    told(f"{game}: {each}")


def test_an_older_version_is_replayed_by_its_own_rules(tmp_path: Path) -> None:
    text = OLD.read_text(encoding="utf-8")
    assert parse(text).rules == "nim@0"
    check(OLD.stem, text, in_folder(tmp_path))


def test_no_version_was_moved_for_nothing(tmp_path: Path) -> None:
    stored = [(path.stem, path.read_text(encoding="utf-8")) for path in STORED]
    moved_for_nothing(stored, in_folder(tmp_path))


def test_a_version_that_was_moved_for_nothing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red: the older Nim as it would be if nothing had changed."""
    monkeypatch.setattr(type(load("nim")), "default", type(load("nim@0")).default)
    with pytest.raises(Changed, match="the version was moved for nothing"):
        moved_for_nothing([(OLD.stem, OLD.read_text(encoding="utf-8"))], in_folder(tmp_path))


def test_rules_that_changed_under_the_same_version_are_told_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = type(load("nim@0"))
    resolve = rules.resolve
    boast = Event("boasted", "NIM-9", {})

    def changed(self: object, *args: object) -> Turned:
        turned = resolve(self, *args)  # type: ignore[arg-type]
        return Turned(turned.state, (*turned.events, boast))

    monkeypatch.setattr(rules, "resolve", changed)
    with pytest.raises(
        Changed, match=r"from line \d+ on, and nim still calls itself version 0\. If that was not meant"
    ):
        check(OLD.stem, OLD.read_text(encoding="utf-8"), in_folder(tmp_path))


def test_a_version_that_is_gone_is_told_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = {name: entry for name, entry in the_registry._entries().items() if name != "nim@0"}
    monkeypatch.setattr(the_registry, "_entries", lambda: entries)

    def never(script: Script) -> str:
        raise AssertionError("it cannot be played")

    with pytest.raises(Changed, match="stored under version 0 of nim, which is not offered any more"):
        check(OLD.stem, OLD.read_text(encoding="utf-8"), never)
